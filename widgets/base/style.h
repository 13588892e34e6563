// How controls look: Fusion, without frames, in the colours and corners of the tokens. No style sheets.
#pragma once

#include <QProxyStyle>

#include "widgets/base/focus.h"

namespace headlight {

// A widget says by a property of this name that it wants a look of its own:
// "field": a line edit on the ground of the well, without a border;
// "main": the one filled button of a window; "switch": a tab bar whose tabs are the halves of one switch.
inline constexpr auto kLook = "headlightLook";
bool looks(const QWidget* widget, const char* look);
// True of a tab bar: what is shown is none of its tabs.
inline constexpr auto kNone = "headlightNone";

class Style : public QProxyStyle {
  Q_OBJECT
 public:
  Style();
  // Nothing moves, whatever the desktop says; else as the desktop has it. Who moves asks SH_Widget_Animation_Duration.
  static void set_less_motion(bool less);
  static bool less_motion();
  void polish(QWidget* widget) override;
  void polish(QApplication* application) override;
  void polish(QPalette&) override {}  // the theme's, untouched
  QPalette standardPalette() const override;
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget = nullptr) const override;
  void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                   const QWidget* widget = nullptr) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget = nullptr) const override;
  int pixelMetric(PixelMetric metric, const QStyleOption* option = nullptr,
                  const QWidget* widget = nullptr) const override;
  QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                         const QWidget* widget) const override;
  int styleHint(StyleHint hint, const QStyleOption* option = nullptr, const QWidget* widget = nullptr,
                QStyleHintReturn* more = nullptr) const override;
  void drawItemText(QPainter* painter, const QRect& rect, int flags, const QPalette& palette, bool enabled,
                    const QString& text, QPalette::ColorRole role = QPalette::NoRole) const override;
  QRect subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const override;
  QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                       const QWidget* widget) const override;

 private:
  Keyboard keyboard_;
};

// A line of 1.5 pixels in a 16 × 16 box, scaled into `rect`.
enum class Sign { down, right, left, close, more, arrow };
void draw_sign(QPainter& painter, const QRectF& rect, Sign sign, const QColor& colour);

}  // namespace headlight
