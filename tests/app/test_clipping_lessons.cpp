// No line of a lesson is cut: each step of the tour of all kinds, on a grid of sizes, sizes of type and languages,
// before and after its answer. What is longer than its place scrolls, downwards only; the way on is always in sight.

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "app/language.h"
#include "app/lessons/lesson_check.h"
#include "app/window/classroom.h"
#include "app/window/glossary_dialog.h"
#include "app/window/lesson_panel.h"
#include "app/window/main_window.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"

namespace headlight {

class TestClippingLessons : public QObject {
  Q_OBJECT
  std::unique_ptr<MainWindow> window_;

  static QString cut(const QWidget* widget) {
    const QFontMetrics metrics(widget->font());
    if (const auto* label = qobject_cast<const QLabel*>(widget)) {
      const QRect room = label->contentsRect();
      const int wrap = label->wordWrap() ? static_cast<int>(Qt::TextWordWrap) : 0;
      const QRect needed = metrics.boundingRect(QRect(0, 0, room.width(), 100'000), wrap, label->text());
      const double air = 3 + 0.2 * metrics.height();
      return needed.height() > room.height() + air || needed.width() > room.width() + 3 ? label->text() : QString();
    }
    if (const auto* text = qobject_cast<const LessonText*>(widget)) {
      if (!text->has_words()) return {};
      const bool low = text->document()->size().height() > text->height() + 2;
      const bool wide = text->document()->idealWidth() > text->viewport()->width() + 2;
      return low || wide ? text->words() : QString();
    }
    if (const auto* tool = qobject_cast<const QToolButton*>(widget)) {
      if (tool->toolButtonStyle() == Qt::ToolButtonIconOnly || tool->text().isEmpty()) return {};
      return tool->sizeHint().width() > tool->width() + 2 ? tool->text() : QString();
    }
    if (const auto* button = qobject_cast<const QPushButton*>(widget))
      return metrics.horizontalAdvance(button->text()) > button->width() ? button->text() : QString();
    return {};
  }
  QString problem() const {
    const LessonPanel* panel = window_->classroom().panel();
    const QRect inside = window_->rect();
    if (!inside.contains(QRect(panel->mapTo(window_.get(), QPoint()), panel->size())))
      return QStringLiteral("the panel leaves the window");
    for (const QWidget* each : panel->findChildren<QWidget*>()) {
      if (!each->isVisible() || each->size().isEmpty()) continue;
      if (const QString text = cut(each); !text.isEmpty())
        return QStringLiteral("%1 '%2': '%3' in %4 x %5")
            .arg(each->metaObject()->className(), each->objectName(), text)
            .arg(each->width())
            .arg(each->height());
    }
    for (const QScrollArea* area : panel->findChildren<QScrollArea*>())
      if (area->widget()->minimumSizeHint().width() > area->viewport()->width() + 2)
        return QStringLiteral("%1 pixels have to fit into %2")
            .arg(area->widget()->minimumSizeHint().width())
            .arg(area->viewport()->width());
    for (const char* name : {"lesson_back", "lesson_next"}) {
      const auto* button = panel->findChild<QPushButton*>(QString::fromUtf8(name));
      if (!button->isVisible() || button->visibleRegion().boundingRect().height() < button->height() - 1)
        return QString::fromUtf8(name) + QStringLiteral(" is not in sight");
    }
    return {};
  }

 private slots:
  void cleanup() {
    window_.reset();
    Theme::instance().set(Theme::Mode::light, 1);
    set_language("en");
  }

  void every_step_is_whole_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("type");
    QTest::addColumn<QString>("language");
    for (const QSize& size : {QSize(1024, 700), QSize(1280, 800), QSize(1920, 1080)})
      for (const double type : {1.0, 1.5, 2.0})
        for (const char* language : {"en", "zh_CN"})
          QTest::addRow("%d x %d, %.0f %%, %s", size.width(), size.height(), 100 * type, language)
              << size << type << QString(language);
  }
  void every_step_is_whole() {
    QFETCH(QSize, size);
    QFETCH(double, type);
    QFETCH(QString, language);
    Theme::instance().set(Theme::Mode::light, type);
    set_language(language);
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    window_->resize(size);
    window_->show();
    Classroom& room = window_->classroom();
    QSignalSpy shown(&room, &Classroom::shown), revealed(&room, &Classroom::revealed);
    const auto settle = [] {
      for (int i = 0; i < 6; ++i) QCoreApplication::processEvents();
    };
    room.open(QStringLiteral(HEADLIGHT_TEST_DATA "/lessons/tour"));
    QVERIFY(room.lesson());
    LessonRuns runs(room.lesson() ? read_lesson(room.lesson()->folder) : nullptr);
    QStringList problems;
    for (int step = 0; step < static_cast<int>(room.lesson()->steps.size()); ++step) {
      const LessonStep& here = room.lesson()->steps[static_cast<std::size_t>(step)];
      if (step > 0) room.go(step);
      QTRY_VERIFY_WITH_TIMEOUT(!shown.isEmpty() && shown.last().at(0).toInt() == step, 60000);
      settle();
      QCOMPARE(window_->size(), size);
      const auto look = [&](const char* when) {
        if (const QString found = problem(); !found.isEmpty())
          problems << QStringLiteral("%1, %2: %3").arg(QString::fromStdString(here.id), when, found);
      };
      look("before");
      if (here.kind != LessonStep::Kind::predict) continue;
      room.panel()->answer_field()->set(true_answer(runs, step));
      room.panel()->findChild<QPushButton*>(QStringLiteral("lesson_show"))->click();
      QTRY_VERIFY_WITH_TIMEOUT(!revealed.isEmpty() && revealed.last().at(0).toInt() == step, 60000);
      settle();
      look("after");
    }
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join('\n')));
  }

  // Words without a question have the strip to themselves; a question shares it with its answer.
  void words_alone_have_the_whole_strip() {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    window_->resize(1024, 700);
    window_->show();
    Classroom& room = window_->classroom();
    QSignalSpy shown(&room, &Classroom::shown);
    const auto width_at = [&](int step) {
      room.open(QStringLiteral("why-attention/looking-back"), step);
      const auto is_there = [&] { return !shown.isEmpty() && shown.last().at(0).toInt() == step; };
      if (!QTest::qWaitFor(is_there, 60000)) return -1;
      for (int i = 0; i < 6; ++i) QCoreApplication::processEvents();
      return room.panel()->findChild<QWidget*>(QStringLiteral("lesson_text"))->width();
    };
    const int asked = width_at(1), told = width_at(2);
    QVERIFY2(asked > 300 && asked < 600, qPrintable(QString::number(asked)));
    QVERIFY2(told > 800, qPrintable(QString::number(told)));
    window_->actions()["present"]->trigger();
    QTRY_VERIFY(!room.panel()->findChild<QWidget*>(QStringLiteral("lesson_next"))->isVisible());
    window_->actions()["present"]->trigger();
    QTRY_VERIFY(room.panel()->findChild<QWidget*>(QStringLiteral("lesson_next"))->isVisible());
  }

  // The title stands where the switch was, as long as the lesson is followed.
  void the_bar_names_the_lesson() {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    window_->resize(1280, 800);
    window_->show();
    Classroom& room = window_->classroom();
    QSignalSpy shown(&room, &Classroom::shown);
    const auto* title = window_->findChild<QLabel*>(QStringLiteral("lesson_in_bar"));
    const auto* ways = window_->findChild<QWidget*>(QStringLiteral("arrangements"));
    QVERIFY(title && ways && title->isHidden() && ways->isVisible());
    room.open(QStringLiteral("why-attention/looking-back"), 1);
    QTRY_VERIFY_WITH_TIMEOUT(!shown.isEmpty(), 60000);
    QVERIFY(title->isVisible() && ways->isHidden());
    QCOMPARE(title->text(), QStringLiteral("Why attention · 4 Looking back · step 2 of 9"));
    QVERIFY(QFontMetrics(title->font()).horizontalAdvance(title->text()) <= title->width());
    window_->resize(1024, 700);
    Theme::instance().set(Theme::Mode::light, 2);
    QTRY_VERIFY(title->isHidden() || QFontMetrics(title->font()).horizontalAdvance(title->text()) <= title->width());
    Theme::instance().set(Theme::Mode::light, 1);
    room.explore(true);
    QVERIFY(title->isHidden() && ways->isVisible());
    room.explore(false);
    QVERIFY(ways->isHidden());
    room.close();
    QVERIFY(title->isHidden() && ways->isVisible());
  }

  // A word leads to its meaning, from there to other words and to the lessons that use it.
  void the_glossary_links_both_ways() {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    window_->show();
    Classroom& room = window_->classroom();
    QSignalSpy shown(&room, &Classroom::shown);
    room.open(QStringLiteral("why-attention/looking-back"));
    QTRY_VERIFY_WITH_TIMEOUT(!shown.isEmpty(), 60000);
    emit room.panel()->followed(QStringLiteral("word:attention"));
    auto* glossary = window_->findChild<GlossaryDialog*>(QStringLiteral("glossary"));
    QVERIFY(glossary && glossary->isVisible());
    QVERIFY2(glossary->words().contains("Looking back"), qPrintable(glossary->words()));
    emit glossary->followed(QStringLiteral("word:query"));
    QVERIFY(glossary->words().startsWith("Query"));
    QVERIFY(glossary->words().contains("Score, softmax, sum"));
    emit glossary->followed(QStringLiteral("lesson:the-read/score-softmax-sum"));
    QTRY_COMPARE_WITH_TIMEOUT(room.lesson()->name, std::string("the-read/score-softmax-sum"), 60000);
  }

  void less_motion_is_none() {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    const auto duration = [this] { return window_->style()->styleHint(QStyle::SH_Widget_Animation_Duration); };
    QVERIFY2(duration() <= 400, qPrintable(QString::number(duration())));
    window_->actions()["less_motion"]->setChecked(true);
    QCOMPARE(duration(), 0);
    window_->actions()["less_motion"]->setChecked(false);
  }
};

}  // namespace headlight

HEADLIGHT_WIDGET_TEST(headlight::TestClippingLessons)
#include "test_clipping_lessons.moc"
