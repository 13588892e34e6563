// A laptop and a wall: what is presented fills the wall, what only the teacher reads stands on the laptop, and
// afterwards everything is where it was.

#include <QAction>
#include <QLabel>
#include <QScreen>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

#include "app/classroom/classroom.h"
#include "app/classroom/lesson_panel.h"
#include "app/classroom/lesson_vote.h"
#include "app/classroom/speaker_window.h"
#include "app/presentation/presenter.h"
#include "app/stage/stage.h"
#include "app/stage/window_panels.h"
#include "app/window/main_window.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"

namespace headlight::test_two_screens {

namespace {

const QString kTour = QStringLiteral(HEADLIGHT_TEST_DATA "/lessons/tour");
constexpr int kPatience = 60'000;

bool comes_to(QSignalSpy& spy, int step) {
  return QTest::qWaitFor([&] { return !spy.isEmpty() && spy.last().at(0).toInt() == step; }, kPatience);
}

}  // namespace

class TestTwoScreens : public QObject {
  Q_OBJECT
  std::unique_ptr<MainWindow> window_;
  QRect laptop_, wall_;

  SpeakerWindow* notes() { return window_->findChild<SpeakerWindow*>(); }
  void press(Qt::Key key) {
    QTest::keyClick(window_->panels().stage(), key);
    QCoreApplication::processEvents();
  }

 public:
  static void initMain() {
    qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" HEADLIGHT_TEST_DATA "/two_screens.json");
  }

 private slots:
  void init() {
    const QList<QScreen*> screens = QGuiApplication::screens();
    QCOMPARE(screens.size(), 2);
    laptop_ = screens[0]->geometry();
    wall_ = screens[1]->geometry();
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    window_->resize(1100, 700);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    window_->move(60, 40);
    QCoreApplication::processEvents();
  }
  void cleanup() {
    window_.reset();
    Theme::instance().set(Theme::Mode::light, 1);
  }

  void the_other_screen_is_another_one() {
    const QList<QScreen*> screens = QGuiApplication::screens();
    QCOMPARE(Presenter::other_screen(screens[0]), screens[1]);
    QCOMPARE(Presenter::other_screen(screens[1]), screens[0]);
    QCOMPARE(Presenter::other_screen(nullptr), nullptr);
  }

  // Exactly the wall, from each state, as often as one likes; with Esc and with F5.
  void it_fills_the_wall_and_comes_back_data() {
    QTest::addColumn<int>("state");
    QTest::addColumn<int>("key");
    for (const auto& [name, state] : {std::pair{"normal", Qt::WindowNoState},
                                      {"maximised", Qt::WindowMaximized},
                                      {"full screen", Qt::WindowFullScreen}})
      for (const Qt::Key key : {Qt::Key_Escape, Qt::Key_F5})
        QTest::addRow("%s, %s", name, key == Qt::Key_F5 ? "F5" : "Esc") << int(state) << int(key);
  }
  void it_fills_the_wall_and_comes_back() {
    QFETCH(int, state);
    QFETCH(int, key);
    window_->setWindowState(Qt::WindowStates(state));
    QCoreApplication::processEvents();
    const QRect before = window_->geometry();
    QVERIFY(laptop_.contains(before));
    for (int i = 0; i < 2; ++i) {
      window_->actions()["present"]->trigger();
      QTRY_COMPARE(window_->geometry(), wall_);
      QTest::qWait(50);
      QCOMPARE(window_->geometry(), wall_);
      press(Qt::Key(key));
      QTRY_COMPARE(window_->geometry(), before);
      QCOMPARE(int(window_->windowState() & ~Qt::WindowActive), state);
    }
  }

  // The teacher's window stands on the laptop, with the answer, what comes next and the hands of the room; the wall has
  // the bars alone.
  void the_teacher_reads_on_the_laptop() {
    Classroom& room = window_->classroom();
    QSignalSpy shown(&room, &Classroom::shown), revealed(&room, &Classroom::revealed);
    room.open(kTour, 2);
    QVERIFY(comes_to(shown, 2));
    window_->actions()["present"]->trigger();
    QVERIFY(notes() && notes()->isVisible());
    QVERIFY(laptop_.contains(notes()->geometry().center()));
    QTRY_VERIFY2(notes()->words().contains("Answer: Nothing in particular"), qPrintable(notes()->words()));
    QTRY_VERIFY2(notes()->words().contains("Next"), qPrintable(notes()->words()));
    // Letters of a laptop there, of a wall here.
    QVERIFY(notes()->findChild<QLabel*>()->font().pointSizeF() < Theme::instance().ui_font().pointSizeF());
    QTest::keyClick(notes(), Qt::Key_V);
    QVERIFY(room.panel()->vote());
    auto* field = notes()->findChild<QSpinBox*>(QStringLiteral("speaker_hands_day_0"));
    QVERIFY(field && !room.panel()->findChild<QSpinBox*>(QStringLiteral("hands_day_0"))->isVisible());
    field->setValue(12);
    QCOMPARE(room.panel()->vote()->hands().at("day")[0], 12);
    QCOMPARE(room.progress().find("tour")->vote("hyphen")->hands.at("day")[0], 12);
    // The remote works from there, too, also while hands are typed.
    QTest::keyClick(field, Qt::Key_PageDown);
    QVERIFY(comes_to(revealed, 2));
    press(Qt::Key_Escape);
    QTRY_VERIFY(!notes() || !notes()->isVisible());
    QVERIFY(room.is_open() && room.step() == 2);
  }
};

HEADLIGHT_WIDGET_TEST(TestTwoScreens)

}  // namespace headlight::test_two_screens

#include "test_two_screens.moc"
