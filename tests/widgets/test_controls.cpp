// Small controls: signs are as sharp as the picture that they are painted into.

#include <QComboBox>
#include <QImage>
#include <QPainter>
#include <QTest>
#include <QToolButton>

#include "tests/test_program.h"
#include "widgets/base/controls.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/views/stepper/stepper_view.h"

namespace headlight {

class TestControls : public QObject {
  Q_OBJECT
 private slots:
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

}  // namespace headlight

HEADLIGHT_WIDGET_TEST(headlight::TestControls)
#include "test_controls.moc"
