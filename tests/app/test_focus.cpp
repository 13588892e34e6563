// The keyboard reaches everything in a circle, and one sees where it is: a mark of 3:1 against what is there without
// it, two pixels wide.

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QScrollArea>
#include <QTabBar>
#include <QTest>
#include <QToolButton>

#include "app/language.h"
#include "app/stage/panel_frame.h"
#include "app/stage/window_panels.h"
#include "app/text/source_bar.h"
#include "app/text/source_field.h"
#include "app/window/main_window.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"

namespace headlight::test_focus {

class TestFocus : public QObject {
  Q_OBJECT
  std::unique_ptr<MainWindow> window_;

  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy() && !window_->side_runs().busy(), 200000);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }
  bool open(const std::string& model) {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    window_->resize(1280, 800);
    Document document;
    document.model = load_model(model);
    document.source = document.model->examples.front();
    window_->start(document);
    window_->show();
    const bool exposed = QTest::qWaitForWindowExposed(window_.get());
    window_->activateWindow();
    settle();
    return exposed;
  }
  static QString name_of(const QWidget* widget) {
    const QString name = widget->accessibleName().isEmpty() ? widget->objectName() : widget->accessibleName();
    return QStringLiteral("%1 '%2' in %3")
        .arg(widget->metaObject()->className(), name,
             widget->parentWidget() ? widget->parentWidget()->metaObject()->className() : "nothing");
  }
  // Pixels that differ by 3:1, or that are of the mark's own colour where the edge of a control was, which is nearly as
  // dark; and of them those with a neighbour in both directions: half of a line of two pixels, less at its round
  // corners.
  static std::pair<int, int> marked(const QImage& with, const QImage& without) {
    std::vector<bool> differs(static_cast<std::size_t>(with.width() * with.height()));
    const auto at = [&](int x, int y) -> std::vector<bool>::reference {
      return differs[static_cast<std::size_t>(y * with.width() + x)];
    };
    for (int y = 0; y < with.height(); ++y)
      for (int x = 0; x < with.width(); ++x)
        at(x, y) =
            with.pixel(x, y) != without.pixel(x, y) &&
            (with.pixelColor(x, y) == tokens().ink || contrast(with.pixelColor(x, y), without.pixelColor(x, y)) >= 3);
    int count = 0, thick = 0;
    for (int y = 1; y < with.height(); ++y)
      for (int x = 1; x < with.width(); ++x) {
        count += at(x, y);
        thick += at(x, y) && at(x - 1, y) && at(x, y - 1) && at(x - 1, y - 1);
      }
    return {count, thick};
  }

 private slots:
  void initTestCase() { load_resources(); }
  void cleanup() {
    window_.reset();
    Theme::instance().set(Theme::Mode::light, 1);
  }

  // Found by random events: Tab in a scroll area follows the widget that had the keyboard last in it.
  void what_is_moved_elsewhere_is_remembered_nowhere() {
    QVERIFY(open("date-attention"));
    WindowPanels& panels = window_->panels();
    const QString name = QStringLiteral("values");
    QVERIFY(panels.raise(name));
    settle();
    QWidget* frame = window_->findChild<PanelFrame*>(name);
    QWidget* roll = frame->parentWidget();
    while (roll && !qobject_cast<QScrollArea*>(roll)) roll = roll->parentWidget();
    QVERIFY(frame && roll);
    QList<QWidget*> inside;
    for (auto* each : frame->findChildren<QWidget*>())
      if (each->focusPolicy() & Qt::TabFocus && each->isVisible() && !each->focusProxy()) inside << each;
    QVERIFY(inside.size() > 1);
    inside[0]->setFocus();
    QCOMPARE(roll->focusWidget(), inside[0]);
    window_->views().source_bar()->source_field()->setFocus();
    panels.put_away(name);
    inside[1]->setFocus();  // hidden: remembered in the panel only
    panels.set_out(name, true);
    QVERIFY(!roll->isAncestorOf(inside[0]));
    QVERIFY(!frame->isAncestorOf(roll->focusWidget()));
  }

  void who_works_in_a_picture_goes_on_in_the_next() {
    QVERIFY(open("date-attention"));
    WindowPanels& panels = window_->panels();
    const QString first = panels.front();
    panels.focus_panel(first);
    QVERIFY(panels.frame(first)->isAncestorOf(QApplication::focusWidget()));
    auto* names = window_->findChild<QTabBar*>("pictures");
    QTest::mouseClick(names, Qt::LeftButton, Qt::NoModifier, names->tabRect(1).center());
    settle();
    const QString second = panels.front();
    QVERIFY(second != first);
    QVERIFY(panels.frame(second)->isAncestorOf(QApplication::focusWidget()));
    // Somebody who types does not lose the text.
    QWidget* field = window_->views().source_bar()->source_field();
    field->setFocus();
    QTest::mouseClick(names, Qt::LeftButton, Qt::NoModifier, names->tabRect(0).center());
    settle();
    QCOMPARE(QApplication::focusWidget(), field);
  }

  void a_name_has_the_menu_of_its_picture() {
    QVERIFY(open("date-attention"));
    auto* names = window_->findChild<QTabBar*>("pictures");
    const QPoint at = names->tabRect(1).center();
    QTest::mouseClick(names, Qt::RightButton, Qt::NoModifier, at);
    QContextMenuEvent asked(QContextMenuEvent::Mouse, at, names->mapToGlobal(at));
    QApplication::sendEvent(names, &asked);
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu);
    const QString second = window_->panels().front();
    QCOMPARE(names->currentIndex(), 1);
    for (const char* name : {"show_table", "export", "copy_picture", "beside", "below", "take_out"})
      QVERIFY2(menu->actions().contains(window_->actions()[name]), name);
    menu->close();
    window_->actions()["take_out"]->trigger();
    settle();
    QVERIFY(window_->panels().is_out(second));
    QVERIFY(window_->panels().front() != second);
  }

  void the_keyboard_goes_in_a_circle_and_is_seen_data() {
    QTest::addColumn<QString>("way");
    QTest::addColumn<QString>("model");
    QTest::addColumn<bool>("dark");
    for (const char* way : Arrangements::kNames)
      for (const bool dark : {false, true})
        QTest::addRow("%s, %s", way, dark ? "dark" : "light") << QString(way) << "date-attention" << dark;
    QTest::newRow("change, heads") << "change"
                                   << "story-gpt" << false;
  }
  void the_keyboard_goes_in_a_circle_and_is_seen() {
    QFETCH(QString, way);
    QFETCH(QString, model);
    QFETCH(bool, dark);
    Theme::instance().set(dark ? Theme::Mode::dark : Theme::Mode::light, 1);
    QVERIFY(open(model.toStdString()));
    window_->actions()[qPrintable(way)]->trigger();
    settle();
    QWidget* const first = window_->views().source_bar()->source_field();
    first->setFocus(Qt::TabFocusReason);
    QSet<QWidget*> visited;
    QStringList order;
    QWidget* now = first;
    for (int i = 0; i < 300; ++i) {
      order << name_of(now);
      QCoreApplication::processEvents();
      QVERIFY2(now->isVisible() && now->isEnabled(), qPrintable(name_of(now)));
      // Some have several places for the keyboard, links of a text: they are looked at once.
      if (!visited.contains(now)) {
        visited.insert(now);
        const QRect inside = QRect(now->mapTo(window_.get(), QPoint()), now->size()).adjusted(-6, -6, 6, 6);
        const QImage with = window_->grab(inside).toImage();
        now->clearFocus();
        QCoreApplication::processEvents();
        const auto [count, thick] = marked(with, window_->grab(inside).toImage());
        QVERIFY2(count >= 24 && 4 * thick >= count,
                 qPrintable(QStringLiteral("%1: %2 pixels, %3 of them wide").arg(name_of(now)).arg(count).arg(thick)));
        now->setFocus(Qt::TabFocusReason);
        QCoreApplication::processEvents();
      }
      QTest::keyClick(now, Qt::Key_Tab);
      now = QApplication::focusWidget();
      QVERIFY(now);
      if (now == first) break;
    }
    QVERIFY2(now == first, qPrintable(order.mid(order.size() - 12).join('\n')));
    for (QWidget* each : window_->findChildren<QWidget*>()) {
      const bool wants = (each->focusPolicy() & Qt::TabFocus) && each->isVisible() && each->isEnabled() &&
                         each->window() == window_.get() && !each->focusProxy() && !each->visibleRegion().isEmpty();
      QVERIFY2(!wants || visited.contains(each), qPrintable(name_of(each) + "\n" + order.join("\n")));
    }
  }

  // Escape closes a menu; its name is lit no longer, and who had the keyboard has it again.
  void escape_leaves_the_menus() {
    QVERIFY(open("date-attention"));
    window_->views().source_bar()->focus_source();
    auto* menus = window_->findChild<QMenuBar*>();
    QVERIFY(menus && menus->isVisible());
    for (const bool by_mouse : {true, false}) {
      QAction* view = menus->actions().at(2);
      if (by_mouse)
        QTest::mouseClick(menus, Qt::LeftButton, {}, menus->actionGeometry(view).center());
      else
        menus->setActiveAction(view);
      QWidget* menu = nullptr;
      QTRY_VERIFY((menu = QApplication::activePopupWidget()));
      QTest::keyClick(menu, Qt::Key_Escape);
      QTRY_VERIFY(!QApplication::activePopupWidget());
      QTRY_VERIFY(!menus->hasFocus());
    }
  }

  // Only buttons of one group are chosen by arrows; from others Tab alone leads on.
  void arrows_leave_no_button_that_stands_alone() {
    QVERIFY(open("date-attention"));
    auto* find = window_->findChild<QToolButton*>("find_in_bar");
    QVERIFY(find && find->isVisible());
    for (const Qt::Key key : {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down}) {
      find->setFocus(Qt::TabFocusReason);
      QTest::keyClick(find, key);
      QCOMPARE(QApplication::focusWidget(), find);
    }
  }

  // The key stands in the button that it is of, and the bar ends at the margin.
  void the_bar_stands_on_the_grid() {
    QVERIFY(open("date-attention"));
    auto* find = window_->findChild<QToolButton*>("find_in_bar");
    auto* present = window_->findChild<QToolButton*>("present");
    QVERIFY(find && present && find->isVisible() && present->isVisible());
    QLabel* key = nullptr;
    for (auto* each : find->parentWidget()->findChildren<QLabel*>())
      if (each->text() == QLatin1String("Ctrl+K")) key = each;
    QVERIFY(key && key->isVisible());
    QVERIFY(find->geometry().contains(key->geometry()));
    const int end = present->mapTo(window_.get(), QPoint(present->width(), 0)).x();
    QCOMPARE(end - beside_words(*present), window_->width() - space::kMargin);
  }
};

HEADLIGHT_WIDGET_TEST(TestFocus)

}  // namespace headlight::test_focus

#include "test_focus.moc"
