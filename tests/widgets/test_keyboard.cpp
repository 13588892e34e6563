// Tab follows the eye, Enter presses what has the keyboard, and who is filled anew keeps it.

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

#include "tests/test_program.h"
#include "widgets/base/focus.h"
#include "widgets/base/theme.h"

namespace headlight::test_keyboard {

class TestKeyboard : public QObject {
  Q_OBJECT

  static QWidget* stop(QWidget* parent, const char* name, QRect rect) {
    auto* made = new QLineEdit(parent);
    made->setObjectName(QString::fromUtf8(name));
    made->setGeometry(rect);
    return made;
  }
  static QString names(QWidget* window) {
    QString all;
    for (const QWidget* each : in_eye_order(window)) all += each->objectName();
    return all;
  }
  static void show(QWidget& window) {
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
  }

 private slots:
  void initTestCase() { Theme::instance().set(Theme::Mode::light, 1); }

  // Made in another order than they stand.
  void lines_come_below_each_other() {
    QWidget window;
    stop(&window, "d", {100, 50, 80, 20});
    stop(&window, "c", {0, 50, 80, 20});
    stop(&window, "b", {100, 4, 80, 20});  // a little lower than its neighbour
    stop(&window, "a", {0, 0, 80, 20});
    show(window);
    QCOMPARE(names(&window), QString("abcd"));
  }
  void a_high_part_at_the_right_comes_after_all_at_its_left() {
    QWidget window;
    stop(&window, "c", {200, 0, 80, 300});
    stop(&window, "b", {0, 100, 80, 20});
    stop(&window, "a", {0, 0, 80, 20});
    show(window);
    QCOMPARE(names(&window), QString("abc"));
  }
  // What is one part of the window is gone through before the next, though the lines of both are level.
  void a_part_is_finished_first() {
    QWidget window;
    auto* right = new QWidget(&window);
    right->setGeometry(200, 0, 200, 100);
    auto* left = new QWidget(&window);
    left->setGeometry(0, 0, 200, 100);
    stop(right, "c", {0, 0, 80, 20});
    stop(right, "d", {0, 50, 80, 20});
    stop(left, "b", {0, 50, 80, 20});
    stop(left, "a", {0, 0, 80, 20});
    show(window);
    QCOMPARE(names(&window), QString("abcd"));
  }
  void what_is_hidden_or_off_is_no_stop() {
    QWidget window;
    stop(&window, "a", {0, 0, 80, 20});
    stop(&window, "b", {0, 30, 80, 20})->hide();
    stop(&window, "c", {0, 60, 80, 20})->setEnabled(false);
    show(window);
    QCOMPARE(names(&window), QString("a"));
  }

  // Also in a page that scrolls, of rows that were made after everything else.
  void tab_goes_around_without_a_trap() {
    QWidget window;
    auto* all = new QVBoxLayout(&window);
    auto* scroll = new QScrollArea;
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* page = new QWidget;
    auto* rows = new QVBoxLayout(page);
    scroll->setWidgetResizable(true);
    scroll->setWidget(page);
    all->addWidget(scroll);
    auto* last = new QPushButton("last");
    last->setObjectName("last");
    all->addWidget(last);
    for (int i = 0; i < 12; ++i) {
      auto* button = new QPushButton(QString::number(i));
      button->setObjectName(QString::number(i));
      rows->addWidget(button);
    }
    window.resize(200, 160);
    show(window);
    last->setFocus();
    QStringList visited;
    for (int i = 0; i < 13; ++i) {
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
      visited << QApplication::focusWidget()->objectName();
    }
    QStringList wanted;
    for (int i = 0; i < 12; ++i) wanted << QString::number(i);
    QCOMPARE(visited, wanted << "last");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab);
    QCOMPARE(QApplication::focusWidget()->objectName(), QString("11"));
  }

  void enter_presses_what_has_the_keyboard_data() {
    QTest::addColumn<int>("key");
    QTest::newRow("Enter") << int(Qt::Key_Return);
    QTest::newRow("Enter of the number pad") << int(Qt::Key_Enter);
    QTest::newRow("Space") << int(Qt::Key_Space);
  }
  void enter_presses_what_has_the_keyboard() {
    QFETCH(int, key);
    const auto press = [key](QWidget* widget) {
      widget->setFocus();
      QTest::keyClick(widget, static_cast<Qt::Key>(key));
    };
    QWidget window;
    auto* rows = new QVBoxLayout(&window);
    auto* button = new QPushButton("a");
    auto* tool = new QToolButton;
    tool->setFocusPolicy(Qt::StrongFocus);
    auto* box = new QCheckBox("b");
    auto* list = new QComboBox;
    list->addItems({"c", "d"});
    for (QWidget* each : {static_cast<QWidget*>(button), static_cast<QWidget*>(tool), static_cast<QWidget*>(box),
                          static_cast<QWidget*>(list)})
      rows->addWidget(each);
    show(window);
    QSignalSpy pressed(button, &QPushButton::clicked), used(tool, &QToolButton::clicked);
    press(button);
    press(tool);
    QCOMPARE(pressed.size(), 1);
    QCOMPARE(used.size(), 1);
    press(box);
    QVERIFY(box->isChecked());
    press(list);
    QVERIFY(QApplication::activePopupWidget());
    QApplication::activePopupWidget()->close();
    button->setEnabled(false);
    QTest::keyClick(button, static_cast<Qt::Key>(key));
    QCOMPARE(pressed.size(), 1);
  }

  void who_is_filled_anew_keeps_the_keyboard() {
    QWidget window;
    auto* rows = new QVBoxLayout(&window);
    auto* part = new QWidget;
    auto* inside = new QVBoxLayout(part);
    auto* outside = new QLineEdit;
    rows->addWidget(part);
    rows->addWidget(outside);
    const auto fill = [&](int count) {
      const KeepKeyboard keyboard(part);
      while (QLayoutItem* item = inside->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
      }
      for (int i = 0; i < count; ++i) {
        auto* made = new QPushButton(QString::number(i));
        inside->addWidget(made);
        made->show();
      }
    };
    fill(4);
    show(window);
    in_eye_order(part)[2]->setFocus();
    fill(4);
    QCOMPARE(in_eye_order(part).indexOf(QApplication::focusWidget()), 2);
    fill(2);
    QCOMPARE(in_eye_order(part).indexOf(QApplication::focusWidget()), 1);
    outside->setFocus();
    fill(3);
    QCOMPARE(QApplication::focusWidget(), outside);
  }
};

HEADLIGHT_WIDGET_TEST(TestKeyboard)

}  // namespace headlight::test_keyboard

#include "test_keyboard.moc"
