// Small controls: signs are as sharp as the picture that they are painted into.

#include <QComboBox>
#include <QHBoxLayout>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QToolButton>
#include <cmath>

#include "tests/test_program.h"
#include "widgets/base/controls.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/views/stepper/stepper_view.h"

namespace headlight::test_controls {

class TestControls : public QObject {
  Q_OBJECT
 private slots:
  // 1.46 of the size of the letters, of titles less; whatever is written later, and in whatever size.
  void lines_of_running_text_stand_apart() {
    QWidget window;
    QLabel* label = text_label(&window);
    const auto line = [label] {
      label->setText("one\ntwo");
      const int two = label->sizeHint().height();
      label->setText("one\ntwo\nthree");
      return label->sizeHint().height() - two;
    };
    label->setFont(theme().ui_font());
    QCOMPARE(line(), 19);  // 13 pixels
    label->setFont(theme().ui_font(type::kHead));
    QCOMPARE(line(), 16);  // 11
    QFont title = theme().ui_font(type::kQuestion);
    label->setFont(title);
    QVERIFY(std::abs(line() - QFontMetricsF(title).lineSpacing()) <= 1);
    label->setFont(theme().ui_font());
    label->clear();
    label->setText("one");
    QCoreApplication::processEvents();
    QCOMPARE(line(), 19);
    // Also where the text wraps.
    label->setText(QString("word ").repeated(60));
    const int few = label->heightForWidth(400), many = label->heightForWidth(200);
    QCOMPARE((many - few) % 19, 0);
    QVERIFY(many > few);
  }

  // Edges that lie between two pixels of the screen, but on one of a picture with twice as many.
  void a_drawn_sign_is_sharp() {
    Style style;
    QToolButton button;
    button.setStyle(&style);
    button.setAutoRaise(true);
    button.setIconSize({16, 16});
    button.setIcon(drawn_icon([](QPainter& painter) { painter.fillRect(QRectF(4.5, 4.5, 7, 7), QColor(255, 0, 0)); }));
    button.resize(24, 24);
    QImage image(48, 48, QImage::Format_ARGB32);
    image.setDevicePixelRatio(2);
    image.fill(Qt::white);
    button.render(&image, {}, {}, {});
    int red = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) {
        const QColor colour = image.pixelColor(x, y);
        const bool full = colour == QColor(255, 0, 0);
        red += full ? 1 : 0;
        QVERIFY2(full || colour.saturation() == 0,
                 qPrintable(QStringLiteral("%1 %2 %3").arg(x).arg(y).arg(colour.name())));
      }
    QCOMPARE(red, 14 * 14);
    // And fainter where there is nothing to press.
    button.setEnabled(false);
    image.fill(Qt::white);
    button.render(&image, {}, {}, {});
    QVERIFY(image.pixelColor(24, 24).saturation() > 0 && image.pixelColor(24, 24) != QColor(255, 0, 0));
  }

  // Text that changes at every key has room for all of it, and has what stands beside it laid out anew only now and
  // then.
  void room_for_a_text_grows_and_shrinks_in_steps() {
    QWidget box;
    QHBoxLayout* row = row_in(&box, 0);
    auto *label = new QLabel(&box), *rest = new QLabel(&box);
    auto* button = new QToolButton(&box);
    row->addWidget(rest, 1);
    row->addWidget(label);
    row->addWidget(button);
    box.resize(600, 40);
    box.show();
    QVERIFY(QTest::qWaitForWindowExposed(&box));
    const auto write = [&](const QString& text) {
      label->setText(text);
      button->setText(text);
      keep_room(label);
      keep_room(button);
      QCoreApplication::processEvents();
      QVERIFY2(label->width() >= label->fontMetrics().horizontalAdvance(text), qPrintable(text));
      QVERIFY2(button->width() >= button->fontMetrics().horizontalAdvance(text), qPrintable(text));
    };
    write(QStringLiteral("12 ms"));
    const int label_before = label->width(), button_before = button->width();
    struct : QObject {
      int requests = 0;
      bool eventFilter(QObject*, QEvent* event) override {
        requests += event->type() == QEvent::LayoutRequest ? 1 : 0;
        return false;
      }
    } spy;
    box.installEventFilter(&spy);
    write(QStringLiteral("13 ms"));
    QCOMPARE(spy.requests, 0);
    write(QStringLiteral("a long text of many words"));
    QVERIFY(spy.requests > 0);
    QVERIFY(label->width() > label_before && button->width() > button_before);
    write(QStringLiteral("12 ms"));
    QCOMPARE(label->width(), label_before);
    QCOMPARE(button->width(), button_before);
  }

  // Letters that come from another font stand as high in a list in which one can write as in one beside it.
  void letters_of_another_font_stand_on_one_line() {
    const auto ink = [](bool editable, const QString& text) {
      Style style;
      QComboBox box;
      box.setStyle(&style);
      QFont font = Theme::instance().ui_font(type::kNumber);
      box.setFont(font);
      box.setEditable(editable);
      if (editable) box.lineEdit()->setStyle(&style);
      box.addItem(text);
      box.setCurrentIndex(0);
      box.resize(300, 60);
      box.show();
      if (!QTest::qWaitForWindowExposed(&box)) return std::pair{-1, -1};
      if (editable) box.lineEdit()->deselect();
      if (QWidget* focused = QApplication::focusWidget()) focused->clearFocus();
      QImage image(box.size(), QImage::Format_ARGB32);
      image.fill(Qt::white);
      box.render(&image, {}, {}, QWidget::DrawChildren);
      std::pair<int, int> rows{-1, -1};
      for (int y = 5; y < image.height() - 5; ++y)
        for (int x = 5; x < 200; ++x)
          if (image.pixelColor(x, y).lightness() < 110) {
            if (rows.first < 0) rows.first = y;
            rows.second = y;
          }
      return rows;
    };
    for (const char* text : {"where it looks", "关注的位置"}) {
      const auto list = ink(false, QString::fromUtf8(text)), field = ink(true, QString::fromUtf8(text));
      QVERIFY2(list.first >= 0 && std::abs(list.first - field.first) <= 1 && std::abs(list.second - field.second) <= 1,
               qPrintable(QStringLiteral("%1: %2-%3, %4-%5")
                              .arg(QString::fromUtf8(text))
                              .arg(list.first)
                              .arg(list.second)
                              .arg(field.first)
                              .arg(field.second)));
    }
  }

  void a_scroll_bar_stands_on_the_ground_of_its_page() {
    Style style;
    QScrollArea area;
    QPalette palette;
    palette.setColor(QPalette::Window, Qt::red);
    palette.setColor(QPalette::Base, Qt::blue);
    area.setPalette(palette);
    area.setFrameShape(QFrame::NoFrame);
    area.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    area.setWidget(new QWidget);
    area.verticalScrollBar()->setStyle(&style);
    area.resize(200, 100);
    area.show();
    QVERIFY(QTest::qWaitForWindowExposed(&area));
    const QRect bar(area.verticalScrollBar()->mapTo(&area, QPoint()), area.verticalScrollBar()->size());
    QVERIFY(bar.width() > 2 && bar.height() > 50);
    QCOMPARE(area.grab().toImage().pixelColor(bar.center()), QColor(Qt::red));
    area.verticalScrollBar()->setStyle(nullptr);
  }

  // What can be chosen is written whole, also where there is little room.
  void the_stride_is_whole() {
    StepperView view;
    view.resize(640, 440);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    bool found = false;
    for (const QComboBox* box : view.findChildren<QComboBox*>()) {
      if (!box->isVisible()) continue;
      found = true;
      QStyleOptionComboBox option;
      option.initFrom(box);
      option.editable = false;
      const QRect room = box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box);
      for (int i = 0; i < box->count(); ++i)
        QVERIFY2(box->fontMetrics().horizontalAdvance(box->itemText(i)) <= room.width(), qPrintable(box->itemText(i)));
    }
    QVERIFY(found);
  }
};

HEADLIGHT_WIDGET_TEST(TestControls)

}  // namespace headlight::test_controls

#include "test_controls.moc"
