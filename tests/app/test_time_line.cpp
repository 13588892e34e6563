// The time line of the lab, with trainings made by hand (made_recording.h): what stands where, what the handle and the
// keys do, what is drawn before the start, and the table.

#include <QHelpEvent>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "app/lab/lab_shown.h"
#include "app/lab/line/time_line.h"
#include "app/lab/line/time_line_layout.h"
#include "tests/app/made_recording.h"
#include "tests/test_program.h"
#include "tests/widgets/recorded_text.h"
#include "widgets/base/theme.h"

namespace headlight::test_time_line {

namespace {

void mouse(QWidget* to, QEvent::Type type, QPointF at) {
  const bool moves = type == QEvent::MouseMove, up = type == QEvent::MouseButtonRelease;
  QMouseEvent event(type, at, to->mapToGlobal(at), moves ? Qt::NoButton : Qt::LeftButton,
                    up ? Qt::NoButton : Qt::LeftButton, {});
  QCoreApplication::sendEvent(to, &event);
}

QStringList words_of(TimeLine& line) {
  QStringList words;
  for (const RecordedText& text : texts_of(line.figure())) words << text.text;
  return words;
}

// Where the middle of a word stands that is written once.
double middle_of(TimeLine& line, const QString& word) {
  for (const RecordedText& text : texts_of(line.figure()))
    if (text.text == word) return text.place.center().x();
  return -1;
}

struct Stage {
  LabShown shown;
  TimeLine line{&shown};
  explicit Stage(QSize size = {1200, 240}) {
    line.setAttribute(Qt::WA_DontShowOnScreen);
    line.resize(size);
    line.show();
    QCoreApplication::processEvents();
  }
  void show(Recording recording) {
    shown.show({shared_run(std::move(recording))});
    shown.go_to(0);
  }
  QPointF handle(int side = 0) const {
    return {line.layout_now().x(static_cast<double>(shown.now(side).read)), line.layout_now().knob};
  }
  void press(Qt::Key key) { QTest::keyClick(&line, key); }
};

}  // namespace

class TestTimeLine : public QObject {
  Q_OBJECT

 private slots:
  void marks_curves_and_numbers_stand_where_they_belong() {
    Stage stage;
    stage.show(made_recording());
    const TimeLineLayout& layout = stage.line.layout_now();
    const auto x = [&](double read) { return layout.plot.left() + layout.plot.width() * read / 400; };
    const auto& marks = stage.line.content().marks;
    QCOMPARE(marks.size(), std::size_t{2});
    QCOMPARE(marks[0].word, QString("der"));
    QCOMPARE(marks[0].moment, 1);
    QCOMPARE(marks[1].word, QString("hund"));
    QCOMPARE(marks[1].moment, 3);
    QCOMPARE(stage.line.content().changes.size(), std::size_t{1});
    QCOMPARE(stage.line.content().changes[0].first, 2);
    QVERIFY(std::abs(middle_of(stage.line, "der") - x(100)) < 1.5);
    QVERIFY(std::abs(middle_of(stage.line, "hund") - x(300)) < 1.5);
    QVERIFY(std::abs(middle_of(stage.line, "400") - x(400)) < 1.5);
    const TimeCurve* unseen = stage.line.content().curve(LineKind::unseen);
    QVERIFY(unseen);
    QCOMPARE(unseen->points[2], QPointF(200, .46));
    QVERIFY(std::abs(layout.y(.46) - (layout.plot.bottom() - .46 * layout.plot.height())) < 1e-9);
    QCOMPARE(stage.line.content().bars.size(), std::size_t{4});
    QCOMPARE(stage.line.content().bars[1].height, .5);  // a loss of 2, where the largest is 4
  }

  void values_are_those_of_the_handle() {
    Stage stage;
    stage.show(made_recording());
    stage.shown.go_to(2);
    const QStringList words = words_of(stage.line);
    for (const char* said : {"right on unseen", "46 %", "looks at the right word", "60 %", "right on trained", "50 %"})
      QVERIFY2(words.contains(QString::fromUtf8(said)), said);
    QVERIFY(words.filter("200 sentences read").size() == 1);
    QVERIFY(words.filter("seed 1").size() == 1);
  }

  void the_handle_is_dragged_to_the_nearest_moment() {
    Stage stage;
    stage.show(made_recording());
    QSignalSpy moved(&stage.shown, &LabShown::moved);
    const double y = stage.line.layout_now().knob;
    const auto x = [&](double read) { return stage.line.layout_now().x(read); };
    mouse(stage.line.viewport(), QEvent::MouseButtonPress, {x(0), y});
    mouse(stage.line.viewport(), QEvent::MouseMove, {x(210), y + 40});
    QCOMPARE(stage.shown.moment(), 2);
    mouse(stage.line.viewport(), QEvent::MouseMove, {x(380), y - 30});
    QCOMPARE(stage.shown.moment(), 4);
    mouse(stage.line.viewport(), QEvent::MouseButtonRelease, {x(380), y});
    QCOMPARE(moved.size(), 2);
    mouse(stage.line.viewport(), QEvent::MouseMove, {x(0), y});
    QCOMPARE(stage.shown.moment(), 4);
  }

  void keys_go_by_moments_and_marks() {
    Stage stage;
    stage.show(made_recording());
    stage.press(Qt::Key_Right);
    QCOMPARE(stage.shown.moment(), 1);
    stage.press(Qt::Key_PageDown);
    QCOMPARE(stage.shown.moment(), 3);
    stage.press(Qt::Key_PageUp);
    QCOMPARE(stage.shown.moment(), 1);
    stage.press(Qt::Key_End);
    QCOMPARE(stage.shown.moment(), 4);
    stage.press(Qt::Key_Left);
    QCOMPARE(stage.shown.moment(), 3);
    stage.press(Qt::Key_Home);
    QCOMPARE(stage.shown.moment(), 0);
  }

  void a_reader_hears_the_moment() {
    Stage stage;
    stage.show(made_recording());
    stage.shown.go_to(2);
    QCOMPARE(stage.line.accessibleDescription(), QString("200 sentences read, right on unseen 46 %"));
    stage.shown.go_to(3);
    QCOMPARE(stage.line.accessibleDescription(), QString("300 sentences read, right on unseen 80 %, mark: hund"));
  }

  void where_no_links_are_known_nothing_is_called_right() {
    Stage stage;
    stage.show(changed_recording(made_recording(), [](Moment& moment) { moment.looks_right = kNotMeasured; }));
    const QStringList words = words_of(stage.line);
    QVERIFY(words.contains("how concentrated it looks"));
    QVERIFY(!words.contains("looks at the right word"));
  }

  void a_training_without_numbers_ends_there() {
    Stage stage;
    Recording broken = made_recording();
    broken.moments.resize(3);
    broken.whole = false;
    broken.failure = Recording::Failure{412, 9.3, {}};
    stage.show(std::move(broken));
    QCOMPARE(stage.line.content().failed, 200.0);
    QCOMPARE(stage.line.content().reads, 400.0);
    QVERIFY(words_of(stage.line).contains("from here on no numbers (step 412, loss was 9.3)"));
    stage.press(Qt::Key_End);
    QCOMPARE(stage.shown.moment(), 2);
  }

  void a_curve_is_drawn_with_the_mouse() {
    Stage stage;
    const QString prompt = "Before it starts: draw how the curve will go.";
    QVERIFY(!stage.line.may_draw());
    stage.line.set_plan({2400, false, false});
    QVERIFY(stage.line.may_draw());
    QVERIFY(words_of(stage.line).contains(prompt));
    QSignalSpy drew(&stage.line, &TimeLine::drew);
    const TimeLineLayout layout = stage.line.layout_now();
    mouse(stage.line.viewport(), QEvent::MouseButtonPress, {layout.x(0), layout.y(0)});
    mouse(stage.line.viewport(), QEvent::MouseMove, {layout.x(1200), layout.y(.5)});
    mouse(stage.line.viewport(), QEvent::MouseMove, {layout.x(2400), layout.y(1)});
    QCOMPARE(drew.size(), 0);
    mouse(stage.line.viewport(), QEvent::MouseButtonRelease, {layout.x(2400), layout.y(1)});
    QCOMPARE(drew.size(), 1);
    const auto drawn = stage.line.drawn();
    QCOMPARE(drawn.front().x(), 0.0);
    QCOMPARE(drawn.back().x(), 2400.0);
    for (const QPointF& point : drawn) QVERIFY(std::abs(point.y() - point.x() / 2400) < .01);
    QVERIFY(!words_of(stage.line).contains(prompt));
  }

  void a_curve_is_drawn_with_the_keys() {
    Stage stage;
    stage.line.set_plan({2400, false, false});
    QSignalSpy drew(&stage.line, &TimeLine::drew);
    stage.press(Qt::Key_Up);
    stage.press(Qt::Key_Up);
    stage.press(Qt::Key_Right);
    stage.press(Qt::Key_Up);  // goes on as high as the point before it
    stage.press(Qt::Key_End);
    stage.press(Qt::Key_Down);
    QCOMPARE(drew.size(), 4);
    const auto drawn = stage.line.drawn();
    QCOMPARE(drawn.size(), std::size_t{3});
    QVERIFY(std::abs(drawn[0].y() - .10) < 1e-9);
    QCOMPARE(drawn[1].x(), 100.0);
    QVERIFY(std::abs(drawn[1].y() - .15) < 1e-9);
    QCOMPARE(drawn[2].x(), 2400.0);
    QVERIFY(std::abs(drawn[2].y() - .10) < 1e-9);
    stage.press(Qt::Key_Delete);
    QVERIFY(stage.line.drawn().empty());
  }

  // A straight line from 0 to 1 and a guess of .5 throughout, at 25 places k / 24: the mean of |.5 − k / 24| is
  // 2 (1 + … + 12) / 24 / 25 = .26.
  void a_guess_is_held_against_what_came() {
    Stage stage;
    stage.line.set_plan({400, false, false});
    stage.line.set_drawn({{0, .5}, {400, .5}});
    QCOMPARE(stage.line.guess_sentence(), QString());
    Recording straight = made_recording();
    straight.moments = {straight.moments.front(), straight.moments.back()};
    stage.show(std::move(straight));
    QVERIFY(!stage.line.may_draw());
    QCOMPARE(stage.line.guess_sentence(), QString("your guess was off by 26 % on average"));
    QVERIFY(stage.line.content().curve(LineKind::guess));
    QVERIFY(words_of(stage.line).contains("your guess"));
  }

  void perplexities_stand_on_a_logarithmic_axis() {
    Stage stage;
    double next = 64;
    Recording text = changed_recording(made_recording(), [&](Moment& moment) {
      moment.right_unseen = moment.right_trained = moment.looks_right = moment.concentration = kNotMeasured;
      moment.perplexity = next;
      next /= 2;
    });
    text.settings.task = "text";
    stage.show(std::move(text));
    const TimeLineLayout& layout = stage.line.layout_now();
    QVERIFY(layout.log && layout.low <= 4 && layout.high >= 64);
    const double half = layout.y(8) - layout.y(16);
    QVERIFY(std::abs(half - layout.plot.height() * std::log(2) / std::log(layout.high / layout.low)) < 1e-6);
    const QStringList words = words_of(stage.line);
    QVERIFY(words.contains("perplexity") && words.contains("64") && words.contains("characters read"));
    QVERIFY(!words.contains("100 %"));
  }

  void two_runs_have_a_curve_and_a_handle_each() {
    Stage stage;
    stage.shown.show({shared_run(made_recording(1)),
                      shared_run(changed_recording(made_recording(2), [](Moment& m) { m.right_unseen /= 2; }))});
    stage.shown.go_to(2);
    QVERIFY(stage.line.content().two);
    QCOMPARE(stage.line.content().curve(LineKind::unseen, 1)->points[2], QPointF(200, .23));
    const QStringList words = words_of(stage.line);
    for (const char* said : {"seed 1", "seed 2", "seed 2 (dashed)", "46 %", "23 %"})
      QVERIFY2(words.contains(QString::fromUtf8(said)), said);
    stage.press(Qt::Key_Right);
    QCOMPARE(stage.shown.moment(0), 3);
    QCOMPARE(stage.shown.moment(1), 3);
    stage.press(Qt::Key_Down);
    QCOMPARE(stage.shown.side(), 1);
    QVERIFY(stage.line.accessibleDescription().startsWith("seed 2, 300 sentences read"));
    stage.press(Qt::Key_Up);
    QCOMPARE(stage.shown.side(), 0);
  }

  void the_table_has_a_row_for_each_moment() {
    Stage stage;
    const Recording made = made_recording();
    stage.show(made);
    TableTwin* table = stage.line.table();
    QCOMPARE(table->rowCount(), made.count());
    const auto column = [&](const char* title) {
      for (int i = 0; i < table->columnCount(); ++i)
        if (table->headerData(i, Qt::Horizontal).toString() == QString::fromUtf8(title)) return i;
      return -1;
    };
    for (int row = 0; row < made.count(); ++row) {
      const auto value = [&](const char* title) { return table_value(table->index(row, column(title))); };
      QCOMPARE(value("sentences read").toInt(), static_cast<int>(made.at(row).read));
      QCOMPARE(value("updates").toInt(), static_cast<int>(made.at(row).update));
      QCOMPARE(value("right on unseen").toDouble(), made.at(row).right_unseen);
      QCOMPARE(value("looks at the right word").toDouble(), made.at(row).looks_right);
      QCOMPARE(value("learning rate").toDouble(), .003);
      QCOMPARE(value("loss").toString().isEmpty(), !is_measured(made.at(row).loss));
    }
    QCOMPARE(table_value(table->index(2, column("output"))).toString(), QString("der y"));
    QCOMPARE(table_value(table->index(1, column("gradient norm: encoder"))).toDouble(), 1.25);
    QCOMPARE(column("perplexity"), -1);
  }

  void what_has_no_room_goes() {
    const double scale = theme().font_scale();
    Stage stage(QSize(qRound(640 * scale), qRound(104 * scale)));
    stage.show(made_recording());
    QVERIFY(stage.line.minimumSizeHint().height() >= qRound(104 * scale));
    const TimeLineLayout& layout = stage.line.layout_now();
    QVERIFY(layout.plot.height() >= 30 * scale);
    QVERIFY(layout.heading.bottom() <= layout.knob - layout.knob_radius);
    QVERIFY(layout.knob + layout.knob_radius <= layout.plot.top());
    QVERIFY(layout.triangles + layout.triangle <= layout.size.height());
    QVERIFY(layout.words_above.isNull() && layout.words_below.isNull());
    for (const auto& word : layout.words) QVERIFY(word.place.isNull());
  }

  void words_of_near_marks_do_not_touch() {
    TimeLineContent content;
    content.reads = 1000;
    for (int i = 0; i < 5; ++i) content.marks.push_back({i, 500.0 + i, QStringLiteral("gestern")});
    const TimeLineLayout layout = lay_out_time_line(content, {1200, 260}, 160);
    QVERIFY(!layout.words[0].place.isNull() && !layout.words[0].above);
    QVERIFY(!layout.words[1].place.isNull() && layout.words[1].above);
    for (std::size_t i = 2; i < 5; ++i) QVERIFY(layout.words[i].place.isNull());
  }

  void words_of_one_moment_stand_together() {
    TimeLineContent content;
    content.reads = 1000;
    content.marks = {{1, 500, QStringLiteral("tom das alte bild")},
                     {2, 995, QStringLiteral("gestern hat tom das alte bild verkauft")}};
    const TimeLineLayout layout = lay_out_time_line(content, {600, 260}, 160);
    QCOMPARE(layout.words[0].text, QString("tom das alte bild"));
    QVERIFY(layout.words[1].text.endsWith(QChar(0x2026)) && layout.words[1].text.startsWith("gestern"));
    QVERIFY(layout.words[1].place.right() <= layout.size.width());
  }

  void everything_says_what_it_is() {
    Stage stage;
    stage.show(made_recording());
    const TimeLineLayout layout = stage.line.layout_now();
    const auto said = [&](QPointF point) {
      QHelpEvent help(QEvent::ToolTip, point.toPoint(), stage.line.viewport()->mapToGlobal(point.toPoint()));
      QCoreApplication::sendEvent(stage.line.viewport(), &help);
      return QToolTip::text();
    };
    QVERIFY(said({layout.x(300), layout.triangles + layout.triangle / 2}).contains(QString::fromUtf8("‘hund’")));
    QVERIFY(said({layout.x(200), layout.plot.bottom() + 3}).contains(QString::fromUtf8("‘der y’")));
    QVERIFY(said({layout.x(205), layout.plot.center().y()}).contains("200 sentences read, right on unseen 46 %"));
  }
};

HEADLIGHT_WIDGET_TEST(TestTimeLine)

}  // namespace headlight::test_time_line

#include "test_time_line.moc"
