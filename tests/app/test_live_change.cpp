// What is open follows a change of language and of theme, there and back, as if it had been opened so.

#include <QAbstractButton>
#include <QDialogButtonBox>
#include <QLabel>
#include <QMenuBar>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include "app/classroom/glossary_dialog.h"
#include "app/document/model_list.h"
#include "app/language.h"
#include "app/lessons/lesson_list.h"
#include "app/window/start_page.h"
#include "tests/app/lesson_walk.h"
#include "tests/test_program.h"
#include "widgets/base/motion.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"

namespace headlight::test_live_change {

class TestLiveChange : public QObject {
  Q_OBJECT
  std::unique_ptr<MainWindow> window_;

  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy() && !window_->side_runs().busy(), 60000);
    for (int i = 0; i < 6; ++i) QCoreApplication::processEvents();
  }
  void open(const QString& page) {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    window_->resize(1280, 800);
    window_->start(first_document("date-attention"));
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    settle();
    if (page == "start") window_->start_page().open();
    if (window_->panels().arrangements().contains(page)) window_->actions()[qPrintable(page)]->trigger();
    settle();
    if (page.startsWith("lesson ")) {
      QSignalSpy shown(&window_->classroom(), &Classroom::shown);
      window_->open_lesson("why-attention/looking-back", page.mid(7).toInt());
      QVERIFY(testing::comes_to(shown, page.mid(7).toInt()));
      settle();
      QTest::qWait(2 * Motion::kDuration);  // what the step is about lights up
    }
    window_->setFocus();  // no cursor that blinks
    settle();
  }
  // What is written where it can be seen, but for the time that a run took.
  QStringList seen() const {
    QStringList all;
    const auto add = [&](const QWidget* widget, const QString& text) {
      const bool time = text.contains(" ms") || text.contains(QStringLiteral("毫秒"));
      if (!text.isEmpty() && !time && widget->isVisible() && widget->width() >= 8 && widget->height() >= 8) all << text;
    };
    for (const QLabel* each : window_->findChildren<QLabel*>())
      if (each->window() == window_.get()) add(each, each->text());
    for (const QAbstractButton* each : window_->findChildren<QAbstractButton*>())
      if (each->window() == window_.get()) add(each, each->text());
    for (const QAction* each : window_->bar().menus()->actions()) add(window_->bar().menus(), each->text());
    all.sort();
    return all;
  }

 private slots:
  void initTestCase() { load_resources(); }
  void cleanup() {
    window_.reset();
    set_language("en");
    Theme::instance().set(Theme::Mode::light, 1);
  }

  void pages_data() {
    QTest::addColumn<QString>("page");
    for (const char* page : {"start", "look", "explain", "change", "compare", "lesson 1", "lesson 2"})
      QTest::newRow(page) << QString(page);
  }

  void a_live_change_of_language_data() { pages_data(); }
  void a_live_change_of_language() {
    QFETCH(QString, page);
    set_language("zh_CN");
    open(page);
    const QStringList chinese = seen();
    set_language("en");
    open(page);
    const QStringList english = seen();
    set_language("zh_CN");
    settle();
    QCOMPARE(seen(), chinese);
    // All menus have their room.
    const QMenuBar* menus = window_->bar().menus();
    QVERIFY(menus->isVisible() && menus->width() >= menus->sizeHint().width());
    for (const auto* more : menus->findChildren<QToolButton*>()) QVERIFY(!more->isVisible());
    set_language("en");
    settle();
    QCOMPARE(seen(), english);
  }

  // What a person has answered and where they are is theirs, in every language.
  void an_answer_survives_a_change_of_language() {
    open("look");
    Classroom& room = window_->classroom();
    QSignalSpy shown(&room, &Classroom::shown), revealed(&room, &Classroom::revealed);
    room.open("why-attention/looking-back", 0);
    QVERIFY(testing::comes_to(shown, 0));
    int at = 0;
    while (room.lesson()->steps[static_cast<std::size_t>(at)].kind != LessonStep::Kind::predict) ++at;
    room.go(at);
    QVERIFY(testing::comes_to(shown, at));
    settle();
    room.panel()->findChild<QPushButton*>("lesson_unknown")->click();
    QVERIFY(testing::comes_to(revealed, at));
    const QString english = room.panel()->all_text();
    set_language("zh_CN");
    settle();
    QCOMPARE(room.step(), at);
    QVERIFY(!room.asks() && room.panel()->all_text() != english);
    set_language("en");
    settle();
    QCOMPARE(room.panel()->all_text(), english);
    room.explore(true);
    set_language("zh_CN");
    settle();
    QVERIFY(room.exploring());
  }

  void windows_that_stay_open_follow() {
    set_language("en");
    GlossaryDialog glossary_dialog(nullptr);
    for (const GlossaryEntry& each : glossary("en"))
      if (each.id == "query") glossary_dialog.show_entry(each);
    QVERIFY(glossary_dialog.words().startsWith("Query"));
    set_language("zh_CN");
    QCoreApplication::processEvents();
    QVERIFY2(glossary_dialog.words().startsWith(QStringLiteral("查询")), qPrintable(glossary_dialog.words()));
  }

  // The words of Qt itself: buttons of dialogs, menus of fields.
  void qt_speaks_the_language_too() {
    set_language("zh_CN");
    if (QCoreApplication::translate("QPlatformTheme", "Cancel") == "Cancel")
      QSKIP("Qt's translations are not installed (qt6-translations-l10n)");
    const QDialogButtonBox box(QDialogButtonBox::Cancel);
    QVERIFY(!box.button(QDialogButtonBox::Cancel)->text().contains("Cancel"));
  }

  void a_live_change_of_theme_data() { pages_data(); }
  void a_live_change_of_theme() {
    QFETCH(QString, page);
    for (const auto to : {Theme::Mode::dark, Theme::Mode::light}) {
      Theme::instance().set(to == Theme::Mode::dark ? Theme::Mode::light : Theme::Mode::dark, 1);
      open(page);
      Theme::instance().set(to, 1);
      settle();
      for (const QLabel* each : window_->findChildren<QLabel*>()) {
        if (!each->isVisible() || each->text().isEmpty() || !each->isEnabled()) continue;
        const QColor ink = each->palette().color(each->foregroundRole());
        QVERIFY2(contrast(ink, tokens(to).paper) >= 3, qPrintable(each->text() + " " + ink.name()));
      }
      const QImage changed = window_->grab().toImage();
      open(page);
      const QImage opened = window_->grab().toImage();
      // Colours that only the theme of before has.
      const Tokens& old = tokens(to == Theme::Mode::dark ? Theme::Mode::light : Theme::Mode::dark);
      int left = 0;
      for (int y = 0; y < changed.height(); y += 1)
        for (int x = 0; x < changed.width(); x += 1) {
          const QColor pixel = changed.pixelColor(x, y);
          if (pixel == opened.pixelColor(x, y)) continue;
          for (const QColor& each : {old.paper, old.desk, old.well, old.ink, old.ink2, old.accent})
            left += pixel == each;
        }
      QVERIFY2(left < 20, qPrintable(QString::number(left)));
    }
  }
};

HEADLIGHT_WIDGET_TEST(TestLiveChange)

}  // namespace headlight::test_live_change

#include "test_live_change.moc"
