// What a screen reader hears: the places of pictures one by one, new outputs, lessons and their answers; and that it
// hears nothing of what a lesson asks for.

#include <QAbstractSpinBox>
#include <QAccessible>
#include <QAction>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include "app/actions.h"
#include "app/classroom/classroom.h"
#include "app/classroom/lesson_overlay.h"
#include "app/classroom/lesson_panel.h"
#include "app/document/model_list.h"
#include "app/text/output_line.h"
#include "app/text/source_field.h"
#include "app/window/main_window.h"
#include "tests/app/lesson_walk.h"
#include "tests/test_program.h"
#include "widgets/base/spoken.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/alignment/alignment_view.h"
#include "widgets/views/living/view.h"

namespace headlight::test_spoken {

namespace {

using testing::comes_to;

const QString kTour = QStringLiteral(HEADLIGHT_TEST_DATA "/lessons/tour");

// What has the focus inside of a widget, as a reader is told.
QAccessibleInterface* place_in(QWidget* widget) {
  QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
  return face ? face->focusChild() : nullptr;
}

QString words_of(QAccessibleInterface* face) { return face ? face->text(QAccessible::Name) : QString(); }

bool has_html(const QString& text) {
  static const QRegularExpression tag(QStringLiteral("</?(p|span|br|b|qt|html|i)\\b[^>]*>"));
  return text.contains(tag);
}

}  // namespace

class TestSpoken : public QObject {
  Q_OBJECT
  std::unique_ptr<MainWindow> window_;

  // A date, in this picture.
  void show(const QString& view) {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    window_->resize(1280, 800);
    QSignalSpy shown(window_.get(), &MainWindow::resultShown);
    window_->start(first_document({}));
    window_->show();
    QVERIFY(shown.wait(20'000));
    window_->panels().raise(view);
    QCoreApplication::processEvents();
  }
  // Arrow keys until nothing new comes: each says a place of its own.
  void walk(QWidget* picture, int key, int least) {
    picture->setFocus(Qt::TabFocusReason);
    QTest::keyClick(picture, Qt::Key_Home, Qt::ControlModifier);
    QTest::keyClick(picture, key == Qt::Key_Right ? Qt::Key_Down : Qt::Key_Up);
    QAccessibleInterface* before = place_in(picture);
    QStringList heard = {words_of(before)};
    for (int i = 0; i < 60; ++i) {
      QTest::keyClick(picture, static_cast<Qt::Key>(key));
      QAccessibleInterface* now = place_in(picture);
      QVERIFY(now);
      if (words_of(now) == heard.last()) break;
      QVERIFY(now != before);  // a reader says nothing of what only changes its name
      QVERIFY(now->state().focused && now->parent() == QAccessible::queryAccessibleInterface(picture));
      QCOMPARE(now->parent()->child(now->parent()->indexOfChild(now)), now);
      heard << words_of(now);
      before = now;
    }
    QVERIFY2(heard.size() >= least, qPrintable(heard.join('\n')));
    for (const QString& each : heard) QVERIFY(!each.isEmpty() && !has_html(each));
  }

 private slots:
  void cleanup() { window_.reset(); }

  void a_heatmap_is_read_cell_by_cell() {
    show(QStringLiteral("alignment"));
    walk(window_->views().alignment()->heatmap(), Qt::Key_Right, 12);
    QVERIFY(words_of(place_in(window_->views().alignment()->heatmap())).contains(QStringLiteral("looks at")));
  }

  void the_map_is_read_place_by_place() {
    show(QStringLiteral("map"));
    auto* map = window_->findChild<LivingView*>();
    if (map && map->isVisible()) return walk(map, Qt::Key_Right, 3);
    for (Canvas* each : window_->panels().picture(QStringLiteral("map")).view->findChildren<Canvas*>())
      if (each->isVisible()) return walk(each, Qt::Key_Right, 3);
    QFAIL("there is no map");
  }

  // When it has come to rest, once, and not where it is the same.
  void a_new_output_is_said_after_a_rest() {
    show(QStringLiteral("alignment"));
    QTest::qWait(800);
    QSignalSpy said(&Spoken::instance(), &Spoken::said), shown(window_.get(), &MainWindow::resultShown);
    window_->session().set_source(QStringLiteral("may 3, 2011"));
    QVERIFY(shown.wait(20'000));
    QVERIFY(said.isEmpty());  // not at every key
    window_->session().set_source(QStringLiteral("may 3, 2012"));
    const auto heard = [&] { return !said.isEmpty() && said.last()[0].toString().contains("2012-05-03"); };
    QTRY_VERIFY(heard());
    const auto times = said.size();
    QTest::qWait(800);
    QCOMPARE(said.size(), times);
  }

  void lessons_and_their_answers_are_said() {
    show(QStringLiteral("alignment"));
    Classroom& room = window_->classroom();
    QSignalSpy said(&Spoken::instance(), &Spoken::said), shown(&room, &Classroom::shown),
        revealed(&room, &Classroom::revealed);
    const auto heard = [&](const QString& part) {
      return std::ranges::any_of(said, [&](const auto& each) { return each.at(0).toString().contains(part); });
    };
    room.open(kTour, 1);
    QVERIFY(comes_to(shown, 1));
    QVERIFY(heard(QStringLiteral("Which letters will it look at?")));
    room.panel()->answer_field()->set(Places{Places::Of::source, {0, 2}, {}});
    said.clear();
    room.panel()->findChild<QPushButton*>(QStringLiteral("lesson_show"))->click();
    QVERIFY(comes_to(revealed, 1));
    QVERIFY(heard(QStringLiteral("You said: A G")) && heard(QStringLiteral("The answer: G")));
  }

  // Nor under the mouse, in a table, in a file.
  void what_a_lesson_asks_for_is_not_told() {
    show(QStringLiteral("alignment"));
    Classroom& room = window_->classroom();
    QSignalSpy shown(&room, &Classroom::shown), revealed(&room, &Classroom::revealed);
    room.open(kTour, 1);
    QVERIFY(comes_to(shown, 1));
    Heatmap* heatmap = window_->views().alignment()->heatmap();
    QTRY_VERIFY(!room.overlay()->picture().closed.isEmpty());
    heatmap->set_selected_cell(6, 2);  // the 8, at the G
    QVERIFY2(heatmap->accessibleDescription().contains(Canvas::covered_text()),
             qPrintable(heatmap->accessibleDescription()));
    QVERIFY(!heatmap->accessibleDescription().contains('8') && !heatmap->readout(6, 2).contains("0.9"));
    heatmap->set_selected_cell(0, 2);
    QVERIFY(!heatmap->accessibleDescription().contains(Canvas::covered_text()));
    const auto* output = window_->findChild<OutputLine*>(QStringLiteral("output"));
    QCOMPARE(output->told(), QStringLiteral("1983-0?"));
    QVERIFY(!output->toolTip().contains(QStringLiteral("08")));
    const QStringList gone = {"export", "export_trace", "copy_picture", "show_table", "explain", "hint", "whats_this"};
    for (const QString& each : gone) QVERIFY2(!window_->actions()[qPrintable(each)]->isEnabled(), qPrintable(each));
    // The number beside it would say it, too: the panel opens with the choice of a square.
    window_->panels().raise(QStringLiteral("inspector"));
    room.overlay()->refresh();
    QVERIFY(!room.overlay()->picture().waits.isEmpty());
    room.panel()->findChild<QPushButton*>(QStringLiteral("lesson_unknown"))->click();
    QVERIFY(comes_to(revealed, 1));
    room.overlay()->refresh();
    for (const QString& each : gone) QVERIFY2(window_->actions()[qPrintable(each)]->isEnabled(), qPrintable(each));
    QCOMPARE(output->told(), QStringLiteral("1983-08-23"));
    heatmap->set_selected_cell(6, 2);
    QVERIFY(!heatmap->accessibleDescription().contains(Canvas::covered_text()));
    QVERIFY(room.overlay()->picture().waits.isEmpty());
  }

  // Letters above the picture, as well as squares; and a square counts with its first click.
  void an_answer_is_clicked_in_the_picture() {
    show(QStringLiteral("alignment"));
    Classroom& room = window_->classroom();
    QSignalSpy shown(&room, &Classroom::shown);
    Heatmap* heatmap = window_->views().alignment()->heatmap();
    room.open(kTour, 1);
    QVERIFY(comes_to(shown, 1));
    QTRY_VERIFY(!room.overlay()->picture().closed.isEmpty());
    const auto& labels = heatmap->heatmap_layout().column_labels;
    const auto label = std::ranges::find(labels, 2, &HeatmapLayout::Label::index);
    QVERIFY(label != labels.end());
    const QPointF name = heatmap->viewport_point(label->rect.center());
    QTest::mouseClick(heatmap->viewport(), Qt::LeftButton, {}, name.toPoint());
    const auto answered = room.panel()->answer_field()->value();
    QVERIFY(answered && std::get<Places>(*answered).at == std::vector<int>{2});
    room.go(6);  // squares
    QVERIFY(comes_to(shown, 6));
    QCoreApplication::processEvents();
    const auto click_square = [&] {  // where it is now: the panel beside it grows by what it says
      const QPointF square = heatmap->viewport_point(heatmap->heatmap_layout().cell_rect(8, 7).center());
      QTest::mouseClick(heatmap->viewport(), Qt::LeftButton, {}, square.toPoint());
    };
    click_square();
    const auto chosen = room.panel()->answer_field()->value();
    QVERIFY(chosen);
    QCOMPARE(std::get<Places>(*chosen).cells, (std::vector<std::pair<int, int>>{{8, 7}}));
    QTest::qWait(500);  // no double click
    click_square();
    QVERIFY(!room.panel()->answer_field()->value());
  }

  // The page before a question shows neither the row that it asks for nor its name.
  void what_is_asked_next_is_closed_before() {
    show(QStringLiteral("alignment"));
    Classroom& room = window_->classroom();
    QSignalSpy shown(&room, &Classroom::shown);
    room.open(QStringLiteral("why-attention/looking-back"), 2);
    QVERIFY(comes_to(shown, 2));
    QTRY_VERIFY((room.overlay()->refresh(), !room.overlay()->picture().closed.isEmpty()));
    Heatmap* heatmap = window_->views().alignment()->heatmap();
    heatmap->set_selected_cell(4, 0);
    QVERIFY(heatmap->accessibleDescription().contains(Canvas::covered_text()));
    // Nothing is closed as a whole; but no file and no table tells it either.
    QVERIFY(!room.covers() && !window_->actions()["export"]->isEnabled());
  }

  void descriptions_are_words_and_everything_has_a_name() {
    show(QStringLiteral("alignment"));
    window_->classroom().open(QStringLiteral("the-read/score-softmax-sum"), 3);
    QSignalSpy shown(&window_->classroom(), &Classroom::shown);
    QVERIFY(comes_to(shown, 3));
    QTest::qWait(300);
    for (const char* panel : {"inspector", "mechanism", "explain", "values"})
      window_->panels().raise(QString::fromUtf8(panel));
    QTest::qWait(200);
    for (QWidget* each : window_->findChildren<QWidget*>()) {
      QAccessibleInterface* face = QAccessible::queryAccessibleInterface(each);
      if (!face) continue;
      const QString what = QString::fromUtf8(each->metaObject()->className()) + ' ' + each->objectName();
      for (const auto kind : {QAccessible::Name, QAccessible::Description})
        QVERIFY2(!has_html(face->text(kind)), qPrintable(what + ": " + face->text(kind)));
      if (!(each->focusPolicy() & Qt::TabFocus) || !each->isVisible() || each->focusProxy()) continue;
      if (qobject_cast<QAbstractSpinBox*>(each->parentWidget())) continue;  // it has the name of the box
      QVERIFY2(!face->text(QAccessible::Name).isEmpty(), qPrintable(what));
    }
  }
};

HEADLIGHT_WIDGET_TEST(TestSpoken)

}  // namespace headlight::test_spoken

#include "test_spoken.moc"
