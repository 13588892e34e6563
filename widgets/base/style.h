// How controls look: Fusion, without frames, in the colours and corners of the tokens. No style sheets.
//
// Buttons, fields, lists, rows of menus: 28 pixels high at 100 % of the type, text 12 (in fields 9) from their border.
// A button is filled with ink (the main one of a page), grey, or words alone. What is current is ink, never orange. The
// keyboard is seen by the ring of focus.h; a field turns its own edge to ink.
#pragma once

#include <QProxyStyle>

#include "widgets/base/focus.h"
#include "widgets/base/style_popups.h"

class QStyleOptionToolButton;
class QToolButton;

namespace headlight {

// A widget says by a property of this name that it wants a look of its own:
// "main": the one filled button of a page; "switch": a tab bar whose tabs are the parts of one switch; "twin": a table
// beside a picture, "terms": one on a panel; "quiet": a list without a ground; "sign": a button whose text says already
// that it opens a menu.
inline constexpr auto kLook = "headlightLook";
bool looks(const QWidget* widget, const char* look);
// True of a tab bar: what is shown is none of its tabs.
inline constexpr auto kNone = "headlightNone";

inline constexpr int kFieldMargin = 9;  // of text from the border of its field
// Of a button, a field, a row of a list, at the size of the type that there is.
int control_height();
// How far the icon and the words of a button stand from its left edge.
int beside_words(const QStyleOptionToolButton& button);
int beside_words(const QToolButton& button);

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
  Popups popups_;
};

// Without the letter that chooses it, which in Chinese stands in brackets behind the words: "保存(&S)…".
QString without_letter(QString text);

// A rounded box, its border inside.
void draw_round(QPainter* painter, const QRectF& rect, double corner, const QColor& fill, const QColor& border = {},
                double width = 1);

// A line of 1.5 pixels in a 16 × 16 box, scaled into `rect`.
enum class Sign { down, up, right, left, close, more, arrow, tick, minus, plus, fit };
void draw_sign(QPainter& painter, const QRectF& rect, Sign sign, const QColor& colour);

}  // namespace headlight
