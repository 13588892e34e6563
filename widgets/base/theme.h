// One owner of colours and fonts: light, dark, and for projectors.
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>
#include <QPalette>
#include <array>
#include <functional>

class QWidget;

namespace headlight {

// The sizes of type, relative to the text of the interface, of kBody pixels at 100 %: heads of columns and the numbers
// of small cells; captions, keys and second lines, which in a wide window are as large as the text; text; titles;
// questions; the one large number. There are no others.
namespace type {
inline constexpr double kBody = 13;
inline constexpr double kHead = 11 / kBody, kSource = 12 / kBody, kText = 1, kTitle = 15 / kBody,
                        kQuestion = 20 / kBody, kNumber = 28 / kBody;
inline constexpr std::array kScale = {kHead, kSource, kText, kTitle, kQuestion, kNumber};
}  // namespace type

class Theme : public QObject {
  Q_OBJECT
 public:
  // projector: black on white with strong colours, for a picture on a wall in a room that is not dark.
  enum class Mode { light, dark, projector };
  static Theme& instance();

  Mode mode() const { return mode_; }
  void set_mode(Mode mode) { set(mode, font_scale_); }
  double font_scale() const { return font_scale_; }
  void set_font_scale(double scale) { set(mode_, scale); }  // 0.75 .. 2.5
  // Of the main window.
  void set_window_width(int pixels);
  // Both at once: applies palette and fonts to the application, then emits changed().
  void set(Mode mode, double font_scale);

  // Calls `restyle` after each change: at once where `widget` is seen, or its window is not yet; else when it is shown,
  // for what is hidden behind other panels costs as much as what is seen: each size of type has its letters loaded from
  // every font that a text needs, tens of milliseconds for a text in several scripts. So nothing is measured in a size
  // that it will not be painted in, either.
  void restyles(QWidget* widget, std::function<void()> restyle);

  // Hidden behind other panels: what would be fitted to other letters waits until it is seen.
  static bool may_wait(const QWidget& widget);

  QPalette palette() const;
  QPalette palette_of_lists() const;
  QColor background() const;  // of painted views
  QColor text() const;
  QColor muted_text() const;
  QColor grid() const;
  QColor accent() const;  // selection
  QColor accent_text() const;
  QColor hover() const;    // around what is under the mouse
  QColor warning() const;  // unknown characters, errors
  QColor edited() const;   // values changed by the user
  QColor panel() const;    // of windows and bars around painted views
  QColor hatch() const;    // lines over values that are not numbers
  // Perceptually uniform, safe for colour-blind eyes. t in [0, 1]; NaN gives the hatch colour. For projectors, which
  // wash out what is nearly white, the map is uniform in t^0.8: small weights stand out more.
  QColor weight(double t) const;        // sequential: 0 is the background
  QColor signed_value(double t) const;  // diverging, t in [-1, 1]
  // A light or a dark ink, whichever reads better on `fill`.
  static QColor readable_on(const QColor& fill);
  // How wide a line of `width` pixels has to be here: wider on a wall.
  double line(double width) const { return mode_ == Mode::projector ? 1.6 * width : width; }
  // `relative` to the text of the interface, of 13 pixels at 100 %; taken down to the next size of type::kScale, so
  // that there are no others. On a wall nothing is smaller than the text.
  QFont ui_font(double relative = 1) const;
  // From one line of running text to the next, in whole pixels. Titles have the lines of their font.
  static double line_height(const QFont& font);
  QFont token_font(double relative = type::kTitle) const;  // CJK-safe, fixed pitch where possible
  // Of texts that a model reads and writes: characters stand in a fixed pitch, one size larger; words read better in
  // the interface's type.
  QFont text_font(bool characters, double relative = 1) const {
    return characters ? token_font(type::kTitle * relative) : ui_font(relative);
  }
  // What a text_font() may be relative to its size, and still be one of the scale.
  static double smallest(bool characters) { return type::kHead / (characters ? type::kTitle : 1); }

 signals:
  void changed();

 private:
  Theme();
  double on_scale(double relative) const;
  Mode mode_ = Mode::light;
  double font_scale_ = 1;
  int window_width_ = 0;
};

inline Theme& theme() { return Theme::instance(); }

}  // namespace headlight
