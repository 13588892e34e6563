// The page of the lab: the probe's words, the squares at each moment, keys, and a text that somebody types.

#include <QLineEdit>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <cmath>

#include "app/lab/lab_page.h"
#include "app/lab/lab_picture.h"
#include "app/lab/probe_band.h"
#include "app/language.h"
#include "tests/app/made_recording.h"
#include "tests/test_program.h"
#include "widgets/base/focus.h"

namespace headlight::test_lab_page {

namespace {

// Of moment k, square (i, j); the second moment writes one word only.
Scalar weight(int k, int i, int j) { return static_cast<Scalar>(.05 * k + .3 * i + .1 * j); }

Recording film() {
  Recording made = made_recording();
  made.numbers = 24'170;
  made.settings.seed = 2;
  for (int k = 0; k < made.count(); ++k) {
    auto moment = std::make_shared<Moment>(made.at(k));
    ProbeRun& run = moment->probes[0];
    if (k == 1) run.output.resize(1);
    const auto rows = static_cast<Index>(run.output.size());
    std::vector<Scalar> values;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < 2; ++j) values.push_back(weight(k, i, j));
    run.attention = {Tensor::of({rows, 2}, values)};
    made.moments[static_cast<std::size_t>(k)] = moment;
  }
  return made;
}

struct Shown {
  LabShown shown;
  std::vector<std::pair<std::string, int>> asked;  // texts and updates, of the thread that answers
  LabProbe probe{&shown, nullptr,
                 [this](const Recording& recording, int moment, const Probe& what, const CancelToken&) {
                   asked.emplace_back(what.source, static_cast<int>(recording.at(moment).update));
                   LabProbe::Answer answer{what, {}};
                   answer.probe.source_tokens = {"the", "cat", "sleeps"};
                   answer.run.output = {{"katze" + std::to_string(recording.at(moment).update), .75, true}};
                   answer.run.attention = {Tensor::of({1, 3}, {Scalar(.2), Scalar(.3), Scalar(.5)})};
                   return answer;
                 }};
  LabPage page{&shown, &probe};

  explicit Shown(Recording recording = film()) {
    shown.show({shared_run(std::move(recording))});
    page.resize(1000, 700);
    page.show();
  }
  const LabPicture& picture() const { return *page.picture(); }
  const std::vector<ProbeWord>& words() const { return page.probe_band()->output()->words(); }
};

}  // namespace

class TestLabPage : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
  void init() { set_language(QStringLiteral("en")); }
  void cleanupTestCase() { set_language(QStringLiteral("en")); }

  void words_are_struck_and_bold() {
    Shown lab;
    lab.shown.go_to(3);  // der .9, hund .23
    QCOMPARE(lab.words().size(), std::size_t(2));
    QVERIFY(lab.words()[0].bold && !lab.words()[0].struck);
    QVERIFY(!lab.words()[1].bold && !lab.words()[1].struck);
    lab.shown.go_to(2);  // y .2 in the place of hund
    QVERIFY(lab.words()[1].struck && !lab.words()[1].bold);
    QCOMPARE(lab.words()[1].right, QStringLiteral("hund"));
    const QString tip = lab.page.probe_band()->output()->place_tooltip({0, 1});
    QVERIFY2(tip.contains("20.0 %") && tip.contains("hund"), qPrintable(tip));
    QCOMPARE(lab.picture().words()[1].struck, true);
    QVERIFY(lab.page.probe_band()->output()->accessibleDescription().contains("not right"));
  }

  void squares_are_the_numbers_of_the_moment() {
    Shown lab;
    for (int k = 0; k < lab.shown.runs()[0]->count(); ++k) {
      lab.shown.go_to(k);
      const int rows = k == 1 ? 1 : 2;
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
          const double shown = lab.picture().value(i, j);
          if (i < rows)
            QCOMPARE(static_cast<float>(shown), static_cast<float>(weight(k, i, j)));
          else
            QVERIFY(std::isnan(shown));
        }
      QCOMPARE(lab.page.picture()->table()->rowCount(), rows);
    }
  }

  void nothing_moves() {
    Shown lab;
    const LabGrid before = lab.picture().grid();
    QCOMPARE(before.rows, 2);
    QCOMPARE(before.columns, 2);
    for (int k = 0; k < lab.shown.runs()[0]->count(); ++k) {
      lab.shown.go_to(k);
      QVERIFY(lab.picture().grid() == before);
      QCOMPARE(lab.picture().grid().cell(1, 1), before.cell(1, 1));
    }
  }

  void keys_move_the_handle() {
    Shown lab;
    const auto press = [&](Qt::Key key) {
      QTest::keyClick(&lab.page, key);
      return lab.shown.moment();
    };
    QCOMPARE(press(Qt::Key_Home), 0);
    QCOMPARE(press(Qt::Key_Right), 1);
    QCOMPARE(press(Qt::Key_Left), 0);
    QCOMPARE(press(Qt::Key_End), 4);
    QCOMPARE(press(Qt::Key_PageUp), 3);
    QTest::keyClick(lab.page.picture(), Qt::Key_PageUp);  // also where the keyboard is in the picture
    QCOMPARE(lab.shown.moment(), 1);
    QSignalSpy paused(&lab.page, &LabPage::pauseAsked), opened(&lab.page, &LabPage::openAsked);
    QSignalSpy left(&lab.page, &LabPage::leaveAsked), started(&lab.page, &LabPage::startAsked);
    QSignalSpy stopped(&lab.page, &LabPage::stopAsked);
    press(Qt::Key_Space);
    press(Qt::Key_O);
    press(Qt::Key_Escape);
    QTest::keyClick(lab.page.probe_band()->field(), Qt::Key_Return, Qt::ControlModifier);
    QTest::keyClick(&lab.page, Qt::Key_Period, Qt::ControlModifier);
    for (const QSignalSpy* spy : {&paused, &opened, &left, &started, &stopped}) QCOMPARE(spy->count(), 1);
    // In the picture arrows go from square to square.
    QTest::keyClick(lab.page.picture(), Qt::Key_Right);
    QTest::keyClick(lab.page.picture(), Qt::Key_Down);
    QVERIFY(lab.picture().cursor() != LabPlace{});
    QCOMPARE(lab.shown.moment(), 1);
  }

  void a_typed_text_is_asked_of_the_moment() {
    Shown lab;
    lab.shown.go_to(2);
    QLineEdit* field = lab.page.probe_band()->field();
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, "the cat sleeps");
    QTRY_COMPARE(lab.words().size(), std::size_t(1));
    QTRY_COMPARE(lab.words()[0].text, QStringLiteral("katze20"));
    QCOMPARE(lab.picture().grid().columns, 3);
    // Another moment is computed when it is looked at, and kept.
    lab.shown.go_to(4);
    QTRY_COMPARE(lab.words()[0].text, QStringLiteral("katze40"));
    const std::size_t asked = lab.asked.size();
    lab.shown.go_to(2);
    QCOMPARE(lab.words()[0].text, QStringLiteral("katze20"));
    QTest::qWait(20);
    QCOMPARE(lab.asked.size(), asked);
    // The probe of the recording is there at once.
    field->selectAll();
    QTest::keyClicks(field, "the dog");
    QVERIFY(!lab.probe.is_typed());
    QCOMPARE(lab.words().size(), std::size_t(2));
  }

  void without_attention_words_are_shown_with_their_probabilities() {
    Recording recording = changed_recording(film(), [](Moment& moment) { moment.probes[0].attention.clear(); });
    recording.maps.clear();
    Shown lab(recording);
    QCOMPARE(lab.picture().content(), LabPicture::Content::words);
    lab.shown.go_to(2);
    QCOMPARE(lab.picture().words()[1].probability, .2);
    QCOMPARE(lab.page.picture()->table()->columnCount(), 3);
    QVERIFY(!lab.page.heading().isEmpty());
  }

  void what_goes_on_writing_is_shown_as_text() {
    Recording recording = film();
    recording.starts = {"the "};
    recording = changed_recording(recording, [](Moment& moment) { moment.written = {"north wind"}; });
    Shown lab(recording);
    QCOMPARE(lab.picture().content(), LabPicture::Content::written);
    QVERIFY(lab.picture().accessibleDescription().contains("north wind"));
  }

  void facts_are_those_of_the_moment() {
    Shown lab;
    lab.shown.go_to(2);
    for (const char* fact : {"200", "2.0 s", "seed 2", "24,170"})
      QVERIFY2(lab.page.facts().contains(fact), qPrintable(lab.page.facts()));
    QCOMPARE(lab.page.heading(), QStringLiteral("Where it looked then"));
    lab.page.set_state(LabTraining::State::running);
    QCOMPARE(lab.page.heading(), QStringLiteral("Where it looked then"));  // the handle was moved
    lab.shown.go_to(4);
    QCOMPARE(lab.page.heading(), QStringLiteral("Where it looks now"));
    QVERIFY(lab.page.caption().contains("Space"));
  }

  void the_first_map_is_the_one_that_looks_at_the_source() {
    Recording recording = changed_recording(film(), [](Moment& moment) {
      const Tensor first = moment.probes[0].attention[0];
      moment.probes[0].attention = {first, first, Tensor::full(first.shape(), Scalar(1))};
    });
    recording.maps = {{"decoder.self", 0, -1, true}, {"decoder.cross", 0, 0, false}, {"decoder.cross", 0, 1, false}};
    Shown lab(recording);
    QCOMPARE(lab.shown.map(), 2);  // it looks at one place most
    recording.whole = false;
    Shown running(recording);
    QCOMPARE(running.shown.map(), 1);
  }

  void the_keyboard_reaches_everything() {
    Shown lab;
    lab.page.set_panel(new QWidget);
    const QList<QWidget*> stops = in_eye_order(&lab.page);
    QVERIFY(stops.contains(lab.page.probe_band()->field()));
    QVERIFY(stops.contains(lab.page.picture()));
    QVERIFY(stops.contains(lab.page.findChild<QWidget*>("open_moment")));
    QVERIFY(!lab.page.accessibleName().isEmpty());
    QVERIFY(!lab.page.picture()->accessibleName().isEmpty());
    QVERIFY(!lab.page.probe_band()->output()->accessibleName().isEmpty());
  }

  void it_speaks_chinese() {
    Shown lab;
    const QString english = lab.page.heading() + lab.page.facts() + lab.page.caption() + lab.page.title();
    set_language(QStringLiteral("zh_CN"));
    QCoreApplication::processEvents();
    static const QRegularExpression letters(QStringLiteral("[A-Za-z]{4,}"));
    for (const QString& said : {lab.page.heading(), lab.page.facts(), lab.page.caption()}) {
      QVERIFY(!english.contains(said));
      QString rest = said;
      for (const char* key : {"PageDown", "Ctrl", "Enter"}) rest.remove(QString::fromUtf8(key));
      QVERIFY2(!rest.contains(letters), qPrintable(said));
    }
  }

  // At the least size that the window has, with the panel open, nothing is cut off.
  void it_fits_into_small_windows() {
    Shown lab;
    auto* panel = new QWidget;
    lab.page.set_panel(panel);
    for (const QSize size : {QSize(1024, 660), QSize(1280, 760), QSize(1920, 1040)}) {
      lab.page.resize(size);
      QCoreApplication::processEvents();
      QVERIFY(lab.page.rect().contains(QRect(lab.picture().mapTo(&lab.page, QPoint()), lab.picture().size())));
      QVERIFY(lab.picture().grid().size().height() <= lab.picture().viewport()->height());
      QVERIFY(panel->isVisible());
    }
    lab.page.set_presenting(true);
    QVERIFY(!panel->isVisible());
    lab.page.set_presenting(false);
    QTest::keyClick(&lab.page, Qt::Key_P);
    QVERIFY(!panel->isVisible());
  }
};

HEADLIGHT_WIDGET_TEST(TestLabPage)

}  // namespace headlight::test_lab_page

#include "test_lab_page.moc"
