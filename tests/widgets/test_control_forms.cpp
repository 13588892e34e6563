// One of each control: how high it is, how far its words are from its border, what shows that it has the keyboard, and
// what opens from it.

#include <QApplication>
#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFocusFrame>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QRadioButton>
#include <QSlider>
#include <QTabBar>
#include <QTest>
#include <QToolButton>

#include "tests/test_program.h"
#include "widgets/base/controls.h"
#include "widgets/base/segments.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"

namespace headlight::test_control_forms {

namespace {

// A page of paper with one of each.
struct Page {
  QWidget window;
  QPushButton *button, *main;
  QToolButton *tool, *quiet, *sign;
  QLineEdit* field;
  QSpinBox* number;
  QComboBox *list, *written;
  QCheckBox* check;
  QRadioButton* radio;
  QSlider* slider;
  Segments* segments;

  Page() {
    window.setAutoFillBackground(true);
    window.setBackgroundRole(QPalette::Base);
    auto* column = new QVBoxLayout(&window);
    const auto add = [&](auto* made) {
      column->addWidget(made, 0, Qt::AlignLeft);
      return made;
    };
    button = add(new QPushButton(QStringLiteral("H&HHH")));
    main = add(new QPushButton(QStringLiteral("HHHH")));
    main->setProperty(kLook, QByteArray("main"));
    tool = add(new QToolButton);
    tool->setText(QStringLiteral("HHHH"));
    quiet = add(new QToolButton);
    quiet->setText(QStringLiteral("HHHH"));
    quiet->setAutoRaise(true);
    for (QToolButton* each : {tool, quiet}) each->setFocusPolicy(Qt::TabFocus);
    sign = add(sign_button(&window, Sign::close));
    field = add(new QLineEdit(QStringLiteral("HHHH")));
    number = add(new QSpinBox);
    number->setRange(0, 99);
    number->setValue(11);
    list = add(new QComboBox);
    written = add(new QComboBox);
    written->setEditable(true);
    for (QComboBox* each : {list, written}) each->addItems({QStringLiteral("HHHH"), QStringLiteral("a longer entry")});
    check = add(new QCheckBox(QStringLiteral("H")));
    radio = add(new QRadioButton(QStringLiteral("H")));
    slider = add(new QSlider(Qt::Horizontal));
    segments = add(new Segments);
    segments->set_choices({{QStringLiteral("one"), {}}, {QStringLiteral("two"), {}}});
    segments->setMinimumWidth(200);
  }
  bool show() {
    window.show();
    window.activateWindow();
    return QTest::qWaitForWindowActive(&window);
  }
  QList<QWidget*> all() const {
    return {button, main, tool, quiet, sign, field, number, list, written, check, radio, slider, segments->bar()};
  }
  QFocusFrame* ring() const {
    for (auto* each : window.findChildren<QFocusFrame*>())
      if (each->isVisible()) return each;
    return nullptr;
  }
};

QImage shot(QWidget& widget) { return widget.grab().toImage().convertToFormat(QImage::Format_ARGB32); }

// The first column with something as dark as ink, within the borders.
int first_ink(const QImage& image, int border) {
  const double dark = 0.5 * tokens().ink.lightnessF() + 0.5 * tokens().well.lightnessF();
  for (int x = border; x < image.width() - border; ++x)
    for (int y = border; y < image.height() - border; ++y)
      if (image.pixelColor(x, y).lightnessF() < dark) return x;
  return -1;
}

bool is_orange(const QColor& colour) {
  return colour.hue() >= 8 && colour.hue() <= 40 && colour.saturation() > 110 && colour.value() > 90;
}

void press_alt(QWidget* widget, bool down) {
  QKeyEvent event(down ? QEvent::KeyPress : QEvent::KeyRelease, Qt::Key_Alt, down ? Qt::AltModifier : Qt::NoModifier);
  QApplication::sendEvent(widget, &event);
}

}  // namespace

class TestControlForms : public QObject {
  Q_OBJECT

 private slots:
  void init() { Theme::instance().set(Theme::Mode::light, 1); }
  void cleanup() {
    Popups::set_composed({});
    while (QWidget* open = QApplication::activePopupWidget()) open->close();
    Theme::instance().set(Theme::Mode::light, 1);
  }

  void all_are_as_high_data() {
    QTest::addColumn<double>("scale");
    QTest::addColumn<int>("high");
    QTest::newRow("100 %") << 1.0 << 28;
    QTest::newRow("150 %") << 1.5 << 42;
    QTest::newRow("200 %") << 2.0 << 56;
    QTest::newRow("small letters, which a finger finds") << 0.75 << 24;
  }
  void all_are_as_high() {
    QFETCH(double, scale);
    QFETCH(int, high);
    Theme::instance().set(Theme::Mode::light, scale);
    Page page;
    QVERIFY(page.show());
    for (const QWidget* each : page.all())
      QVERIFY2(
          std::abs(each->sizeHint().height() - high) <= (scale == 1 ? 0 : 2),
          qPrintable(QStringLiteral("%1: %2").arg(each->metaObject()->className()).arg(each->sizeHint().height())));
  }

  // An H has about a pixel of its own before it.
  void words_stand_so_far_from_the_border() {
    Page page;
    QVERIFY(page.show());
    const auto within = [](QWidget* control, int least, int most) {
      const int at = first_ink(shot(*control), 4);
      QVERIFY2(at >= least && at <= most,
               qPrintable(QStringLiteral("%1: %2").arg(control->metaObject()->className()).arg(at)));
    };
    within(page.button, 12, 14);
    within(page.tool, 12, 15);
    for (QWidget* each :
         {static_cast<QWidget*>(page.field), static_cast<QWidget*>(page.list), static_cast<QWidget*>(page.written)})
      within(each, 9, 11);
    within(page.number, 9, 12);  // a 1 is narrower than its room
  }

  void the_keyboard_is_ink_data() {
    QTest::addColumn<int>("mode");
    QTest::newRow("light") << int(Theme::Mode::light);
    QTest::newRow("dark") << int(Theme::Mode::dark);
    QTest::newRow("projector") << int(Theme::Mode::projector);
  }
  void the_keyboard_is_ink() {
    QFETCH(int, mode);
    Theme::instance().set(static_cast<Theme::Mode>(mode), 1);
    Page page;
    QVERIFY(page.show());
    int rings = 0, fields = 0;
    for (QWidget* each : page.all()) {
      QWidget* stop = each->focusPolicy() & Qt::TabFocus ? each : nullptr;
      if (!stop) continue;
      stop->clearFocus();
      stop->setFocus(Qt::TabFocusReason);
      QCoreApplication::processEvents();
      const QRect around = QRect(each->mapTo(&page.window, QPoint()), each->size()).adjusted(-6, -6, 6, 6);
      const QImage image = page.window.grab(around).toImage();
      for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
          QVERIFY2(!is_orange(image.pixelColor(x, y)),
                   qPrintable(QStringLiteral("%1 has %2 at %3, %4")
                                  .arg(each->metaObject()->className(), image.pixelColor(x, y).name())
                                  .arg(x)
                                  .arg(y)));
      const bool field = each == page.field || each == page.number || each == page.written;
      const int middle = image.height() / 2;
      // Two pixels of ink: of a field at its edge, of all others four pixels outside, with two of the ground between.
      if (field) {
        QVERIFY2(!page.ring(), each->metaObject()->className());
        QCOMPARE(image.pixelColor(6, middle), tokens().ink);
        QCOMPARE(image.pixelColor(7, middle), tokens().ink);
        QCOMPARE(image.pixelColor(8, middle), tokens().paper);
        ++fields;
      } else if (each != page.check && each != page.radio && each != page.slider) {
        QVERIFY2(page.ring(), each->metaObject()->className());
        QCOMPARE(image.pixelColor(2, middle), tokens().ink);
        QCOMPARE(image.pixelColor(3, middle), tokens().ink);
        QCOMPARE(image.pixelColor(4, middle), tokens().paper);
        QCOMPARE(image.pixelColor(5, middle), tokens().paper);
        ++rings;
      } else {
        QVERIFY2(page.ring(), each->metaObject()->className());
        QVERIFY(page.ring()->width() == 16 + 8 && page.ring()->height() == 16 + 8);  // of the sign, not of its words
        ++rings;
      }
    }
    QCOMPARE(fields, 3);
    QCOMPARE(rings, 10);
  }

  void the_ring_comes_with_a_key_and_goes_with_the_mouse() {
    Page page;
    QVERIFY(page.show());
    QTest::mouseClick(page.button, Qt::LeftButton);
    page.button->setFocus(Qt::MouseFocusReason);
    QCoreApplication::processEvents();
    QVERIFY(page.button->hasFocus() && !page.ring());
    QTest::keyClick(page.button, Qt::Key_Tab);
    QCoreApplication::processEvents();
    QWidget* next = QApplication::focusWidget();
    QVERIFY(next && next != page.button && page.ring());
    const QRect at(next->mapTo(&page.window, QPoint()), next->size());
    QCOMPARE(page.ring()->geometry(), at.adjusted(-4, -4, 4, 4));
    // Where the control goes, it goes.
    page.window.layout()->setContentsMargins(40, 40, 0, 0);
    QTRY_COMPARE(page.ring()->geometry(),
                 QRect(next->mapTo(&page.window, QPoint()), next->size()).adjusted(-4, -4, 4, 4));
    QTest::mouseClick(&page.window, Qt::LeftButton, {}, QPoint(2, 2));
    QVERIFY(!page.ring());
    // A field needs none, however it got the keyboard.
    page.field->setFocus(Qt::MouseFocusReason);
    const QImage clicked = shot(*page.field);
    QCOMPARE(clicked.pixelColor(0, clicked.height() / 2), tokens().ink);
    QCOMPARE(clicked.pixelColor(1, clicked.height() / 2), tokens().ink);
  }

  void what_is_off_looks_so() {
    Page page;
    for (QWidget* each : page.all()) each->setEnabled(false);
    QVERIFY(page.show());
    QCOMPARE(page.button->palette().color(QPalette::Disabled, QPalette::ButtonText), tokens().off);
    const QImage image = shot(*page.button);
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x)
        QVERIFY(contrast(image.pixelColor(x, y), tokens().well) < contrast(tokens().ink2, tokens().well));
  }

  // One a page, and what a dialog is there for.
  void the_main_button_is_filled_with_ink() {
    Page page;
    QVERIFY(page.show());
    QCOMPARE(shot(*page.main).pixelColor(6, 4), tokens().ink);
    QDialogButtonBox box(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    box.show();
    QVERIFY(QTest::qWaitForWindowExposed(&box));
    QCOMPARE(shot(*box.button(QDialogButtonBox::Ok)).pixelColor(6, 4), tokens().ink);
    QVERIFY(shot(*box.button(QDialogButtonBox::Cancel)).pixelColor(6, 4) != tokens().ink);
  }

  void a_menu_has_its_form_data() {
    QTest::addColumn<bool>("composed");
    QTest::newRow("put together with what is below") << true;
    QTest::newRow("not") << false;
  }
  void a_menu_has_its_form() {
    QFETCH(bool, composed);
    Popups::set_composed(composed);
    QMenu menu;
    QAction* weights = menu.addAction(QStringLiteral("&Weights\t1"));
    weights->setCheckable(true);
    weights->setChecked(true);
    QAction* values = menu.addAction(QStringLiteral("&Values\t2"));
    values->setCheckable(true);
    menu.popup(QPoint(200, 200));
    QVERIFY(QTest::qWaitForWindowExposed(&menu));
    const int room = composed ? 24 : 0;
    for (const QAction* each : {weights, values}) {
      const QRect row = menu.actionGeometry(const_cast<QAction*>(each));
      QCOMPARE(row.height(), 28);
      QCOMPARE(row.left(), room + 6);
    }
    QCOMPARE(menu.actionGeometry(weights).top(), room + 6);
    QCOMPARE(menu.pos() + QPoint(room, room),
             QPoint(200, 200));  // the sheet, not its shadow, is where it was asked for
    const QImage image = shot(menu);
    QCOMPARE(image.pixelColor(0, 0).alpha(), composed ? 0 : 255);
    QCOMPARE(image.pixelColor(room + 1, room + 1).alpha() == 255, !composed);  // a round corner, or a square one
    // Below the sheet it is darker than above it, and fades.
    if (composed) {
      const int middle = image.width() / 2, bottom = image.height() - room;
      const auto dark = [&](int y) { return image.pixelColor(middle, y).alpha(); };
      QVERIFY(dark(bottom + 3) > dark(room - 4) && dark(bottom + 3) > dark(bottom + 12) && dark(bottom + 3) > 20);
      QVERIFY(dark(0) == 0 && dark(image.height() - 1) <= 1);
    }
    // The tick of the one in force, at the left of all words.
    const auto ink_in = [&](const QRect& part) {
      int count = 0;
      for (int y = part.top(); y <= part.bottom(); ++y)
        for (int x = part.left(); x <= part.right(); ++x) count += image.pixelColor(x, y).lightnessF() < 0.4 ? 1 : 0;
      return count;
    };
    const auto tick_of = [&](QAction* each) {
      QRect row = menu.actionGeometry(each);
      row.setWidth(30);
      return row.adjusted(4, 4, 0, -4);
    };
    QVERIFY(ink_in(tick_of(weights)) > 10);
    QCOMPARE(ink_in(tick_of(values)), 0);
    // A press on the shadow is one beside it.
    if (composed) {
      QTest::mousePress(&menu, Qt::LeftButton, {}, QPoint(menu.width() / 2, menu.height() - 4));
      QVERIFY(!menu.isVisible());
    }
  }

  void a_list_opens_below_its_field() {
    Popups::set_composed(true);
    Page page;
    page.window.move(100, 40);
    QVERIFY(page.show());
    page.list->showPopup();
    QWidget* popup = QApplication::activePopupWidget();
    QVERIFY(popup);
    const QPoint below = page.list->mapToGlobal(QPoint(0, page.list->height()));
    QCOMPARE(popup->pos() + QPoint(24, 24), below + QPoint(0, 4));
    QVERIFY(popup->width() - 48 >= page.list->width());
    const QAbstractItemView* view = page.list->view();
    for (int i = 0; i < page.list->count(); ++i)
      QCOMPARE(view->visualRect(page.list->model()->index(i, 0)).height(), 28);
    QCOMPARE(view->mapTo(popup, QPoint()), QPoint(24 + 6, 24 + 6));
    // Both entries are seen, and their words have room beside the tick.
    QVERIFY(view->viewport()->height() >= 2 * 28);
    QVERIFY(view->viewport()->width() >=
            page.list->fontMetrics().horizontalAdvance(QStringLiteral("a longer entry")) + 2 * 12 + 22);
  }

  void letters_to_choose_by_are_underlined_while_alt_is_down() {
    Page page;
    QVERIFY(page.show());
    QMenu menu;
    menu.addAction(QStringLiteral("&Weights"));
    menu.popup(QPoint(300, 200));
    QVERIFY(QTest::qWaitForWindowExposed(&menu));
    const QImage button = shot(*page.button), entry = shot(menu);
    press_alt(&page.window, true);
    QVERIFY(shot(*page.button) != button);
    QVERIFY(shot(menu) != entry);
    press_alt(&page.window, false);
    QCOMPARE(shot(*page.button), button);
    QCOMPARE(shot(menu), entry);
    // What differs is a line below the words.
    press_alt(&page.window, true);
    const QImage with = shot(*page.button);
    press_alt(&page.window, false);
    for (int y = 0; y < with.height(); ++y)
      for (int x = 0; x < with.width(); ++x)
        if (with.pixel(x, y) != button.pixel(x, y)) QVERIFY(y > with.height() / 2);
  }

  // In Chinese the letter stands in brackets behind the words.
  void letters_in_brackets_are_seen_while_alt_is_down() {
    const QString with = QStringLiteral("保存(&I)…"), without = QStringLiteral("保存…");
    const auto make = [](QWidget* window, const QString& words) -> QList<QWidget*> {
      auto* bar = new QMenuBar(window);
      bar->addMenu(words);
      auto* tabs = new QTabBar(window);
      tabs->addTab(words);
      auto* tool = new QToolButton(window);
      tool->setText(words);
      auto* label = new QLabel(words, window);
      label->setBuddy(tool);
      auto* menu = new QMenu(window);
      menu->addAction(words);
      return {new QPushButton(words, window),
              new QCheckBox(words, window),
              new QRadioButton(words, window),
              tool,
              tabs,
              bar,
              label,
              menu};
    };
    QWidget window;
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QWidget keyboard;  // Alt by itself would go to a menu bar
    const QList<QWidget*> lettered = make(&window, with), plain = make(&window, without);
    const auto seen = [](QWidget* control, QSize size) {
      control->resize(size);
      return shot(*control);
    };
    for (qsizetype i = 0; i < plain.size(); ++i) {
      QWidget *control = lettered[i], *words = plain[i];
      const char* kind = control->metaObject()->className();
      // Menus and labels keep its room behind their words.
      const bool keeps = qobject_cast<QMenu*>(control) || qobject_cast<QLabel*>(control);
      const QSize size = control->sizeHint();
      if (!keeps) QVERIFY2(size.width() <= words->sizeHint().width() + 6, kind);
      for (QWidget* each : {control, words}) {
        each->move(100, 60);  // away from the mouse
        each->show();
      }
      // In a menu bar the words stand in the middle of an entry that may be a little wider.
      const bool alike = !qobject_cast<QMenuBar*>(control);
      if (alike) QVERIFY2(seen(control, size) == seen(words, size), kind);
      press_alt(&keyboard, true);
      const QSize room = control->sizeHint();
      QVERIFY2(room.width() >= control->fontMetrics().horizontalAdvance(QStringLiteral("保存(I)…")), kind);
      QVERIFY2(seen(control, room) != seen(words, room), kind);
      press_alt(&keyboard, false);
      QCOMPARE(control->sizeHint(), size);
      if (alike) QVERIFY2(seen(control, size) == seen(words, size), kind);
    }
  }
};

HEADLIGHT_WIDGET_TEST(TestControlForms)

}  // namespace headlight::test_control_forms

#include "test_control_forms.moc"
