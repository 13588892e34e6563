// Colours and fonts of the program.
#include "widgets/base/theme.h"

#include <QApplication>
#include <QEvent>
#include <QFontInfo>
#include <QToolTip>
#include <QWidget>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "model/core/scalar.h"
#include "widgets/base/oklab.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"

namespace headlight {
namespace {

constexpr int kLevels = 256;
constexpr double kPoints = type::kBody * 72 / 96;
constexpr double kLargestOnWall = 5;  // of the type: a screen of four thousand lines
constexpr double kWide = 1600;        // pixels of a window at 100 %

struct Maps {
  std::vector<QColor> weights, differences;
};

// Both halves have the same number of levels, so that 0 is the colour in the middle.
std::vector<QColor> around_zero(const std::vector<QColor>& below, const std::vector<QColor>& above) {
  std::vector<QColor> colours = even_colours(below, kLevels / 2 + 1);
  const std::vector<QColor> rest = even_colours(above, kLevels / 2 + 1);
  colours.insert(colours.end(), rest.begin() + 1, rest.end());
  return colours;
}

// Even in t^0.8, so that small values stand out.
std::vector<QColor> steep_below(const std::vector<QColor>& even) {
  std::vector<QColor> colours;
  for (int i = 0; i < kLevels; ++i) {
    const double way = std::pow(static_cast<double>(i) / (kLevels - 1), 0.8);
    colours.push_back(nth(even, std::lround(way * static_cast<double>(even.size() - 1))));
  }
  return colours;
}

Maps maps_of(Theme::Mode mode) {
  const Tokens& t = tokens(mode);
  const bool steep = mode == Theme::Mode::projector;
  return {steep ? steep_below(even_colours(t.weights, 4 * kLevels)) : even_colours(t.weights, kLevels),
          around_zero(t.below, t.above)};
}

const Maps& maps(Theme::Mode mode) {
  static const std::array kMaps = {maps_of(Theme::Mode::light), maps_of(Theme::Mode::dark),
                                   maps_of(Theme::Mode::projector)};
  return nth(kMaps, mode);
}

QFont font(const QStringList& families, double points, QFont::StyleHint hint) {
  QFont f;
  f.setFamilies(families);
  f.setStyleHint(hint);
  f.setPointSizeF(points);
  return f;
}

void set_colour(QPalette& palette, QPalette::ColorRole role, const QColor& colour, const QColor& disabled) {
  palette.setColor(QPalette::Active, role, colour);
  palette.setColor(QPalette::Inactive, role, colour);
  palette.setColor(QPalette::Disabled, role, disabled);
}

}  // namespace

Theme::Theme() = default;

Theme& Theme::instance() {
  static Theme theme;
  return theme;
}

void Theme::set(Mode mode, double font_scale) {
  mode_ = mode;
  font_scale_ =
      std::clamp(std::isfinite(font_scale) ? font_scale : 1.0, 0.75, mode == Mode::projector ? kLargestOnWall : 2.5);
  if (qobject_cast<QApplication*>(QCoreApplication::instance())) {
    if (!qobject_cast<Style*>(QApplication::style())) QApplication::setStyle(new Style);
    QApplication::setPalette(palette());
    QApplication::setPalette(palette_of_lists(), "QAbstractItemView");
    QApplication::setFont(ui_font());
    QToolTip::setPalette(palette());
    QToolTip::setFont(ui_font());
  }
  emit changed();
}

void Theme::set_window_width(int pixels) {
  const double before = on_scale(type::kSource);
  window_width_ = pixels;
  if (on_scale(type::kSource) != before) emit changed();
}

void Theme::restyles(QWidget* widget, std::function<void()> restyle) {
  class Waiting : public QObject {
   public:
    Waiting(QWidget* widget, std::function<void()> restyle) : QObject(widget), restyle_(std::move(restyle)) {
      widget->installEventFilter(this);
    }
    void take() {
      waits_ = may_wait(*static_cast<const QWidget*>(parent()));
      if (!waits_) restyle_();
    }
    bool eventFilter(QObject* watched, QEvent* event) override {
      if (event->type() == QEvent::Show && waits_) take();
      return QObject::eventFilter(watched, event);
    }

   private:
    std::function<void()> restyle_;
    bool waits_ = false;
  };
  auto* waiting = new Waiting(widget, std::move(restyle));
  connect(this, &Theme::changed, waiting, &Waiting::take);
}

bool Theme::may_wait(const QWidget& widget) { return !widget.isVisible() && widget.window()->isVisible(); }

QPalette Theme::palette() const {
  const Tokens& c = tokens(mode_);
  QPalette p;
  set_colour(p, QPalette::Window, c.desk, c.desk);
  set_colour(p, QPalette::WindowText, c.ink, c.off);
  set_colour(p, QPalette::Base, c.paper, c.desk);
  set_colour(p, QPalette::AlternateBase, c.well, c.desk);
  set_colour(p, QPalette::Text, c.ink, c.off);
  set_colour(p, QPalette::PlaceholderText, c.ink2, c.off);
  set_colour(p, QPalette::Button, c.well, c.desk);
  set_colour(p, QPalette::ButtonText, c.ink, c.off);
  set_colour(p, QPalette::BrightText, c.bad, c.bad);
  set_colour(p, QPalette::Highlight, c.down, c.press);
  set_colour(p, QPalette::HighlightedText, c.ink, c.ink);
  set_colour(p, QPalette::Link, c.ink, c.off);
  set_colour(p, QPalette::LinkVisited, c.ink, c.off);
  set_colour(p, QPalette::ToolTipBase, c.sheet, c.sheet);
  set_colour(p, QPalette::ToolTipText, c.ink, c.ink);
  set_colour(p, QPalette::Light, c.paper, c.desk);
  set_colour(p, QPalette::Midlight, c.line, c.line);
  set_colour(p, QPalette::Mid, c.edge, c.line);
  set_colour(p, QPalette::Dark, c.edge, c.edge);
  set_colour(p, QPalette::Shadow, c.edge, c.edge);
  return p;
}

// What is chosen in a list or a table is chosen in the pictures, too.
QPalette Theme::palette_of_lists() const {
  const Tokens& c = tokens(mode_);
  QPalette p = palette();
  set_colour(p, QPalette::Highlight, c.wash, c.press);
  set_colour(p, QPalette::HighlightedText, c.accent, c.ink);
  return p;
}

QColor Theme::background() const { return tokens(mode_).paper; }
QColor Theme::panel() const { return tokens(mode_).desk; }
QColor Theme::text() const { return tokens(mode_).ink; }
QColor Theme::muted_text() const { return tokens(mode_).ink2; }
QColor Theme::grid() const { return tokens(mode_).line; }
QColor Theme::accent() const { return tokens(mode_).accent; }
QColor Theme::accent_text() const { return tokens(mode_).accent_ink; }
QColor Theme::hover() const { return tokens(mode_).ink; }
QColor Theme::warning() const { return tokens(mode_).bad; }
QColor Theme::edited() const { return tokens(mode_).edited; }
QColor Theme::hatch() const { return tokens(mode_).edge; }

QColor Theme::weight(double t) const {
  if (std::isnan(t)) return hatch();
  const auto level = std::lround(std::clamp(t, 0.0, 1.0) * (kLevels - 1));
  return nth(maps(mode_).weights, level);
}

QColor Theme::signed_value(double t) const {
  if (std::isnan(t)) return hatch();
  const auto level = std::lround((std::clamp(t, -1.0, 1.0) + 1) / 2 * kLevels);
  return nth(maps(mode_).differences, level);
}

QColor Theme::readable_on(const QColor& fill) {
  return contrast(fill, Qt::white) >= contrast(fill, Qt::black) ? QColor(Qt::white) : QColor(Qt::black);
}

// The largest size of the scale that is not larger than what is asked for: what was fitted to its room still fits.
double Theme::on_scale(double relative) const {
  if (mode_ == Mode::projector) relative = std::max(1.0, relative);
  // Only what asks for this size: what was fitted to its room would not fit.
  if (relative == type::kSource && window_width_ > kWide * std::max(1.0, font_scale_)) return type::kText;
  double found = type::kScale.front();
  for (const double size : type::kScale)
    if (size <= 1.01 * relative) found = size;
  return found;
}

// The lists are made once: fonts are asked for with each label, and those that share a list are compared at once. What
// Inter lacks comes from DejaVu Sans, which has the signs of formulas, and Chinese from Noto.
QFont Theme::ui_font(double relative) const {
  static const QStringList families = {"Inter", "DejaVu Sans", "Noto Sans CJK SC", "Noto Sans", "sans-serif"};
  const double size = on_scale(relative);
  QFont made = font(families, kPoints * font_scale_ * size, QFont::SansSerif);
  // Each letter as it is: Inter would make an arrow of "->" and a times sign of the x in "3x4", of tokens, too.
  made.setStyleStrategy(QFont::PreferNoShaping);
  // Large letters stand closer.
  if (size >= type::kNumber)
    made.setLetterSpacing(QFont::PercentageSpacing, 98.2);
  else if (size >= type::kQuestion)
    made.setLetterSpacing(QFont::PercentageSpacing, 98.8);
  return made;
}

double Theme::line_height(const QFont& font) { return std::round(1.46 * QFontInfo(font).pixelSize()); }

QFont Theme::token_font(double relative) const {
  static const QStringList families = {"DejaVu Sans Mono", "Noto Sans Mono CJK SC", "Noto Sans CJK SC", "monospace"};
  return font(families, kPoints * font_scale_ * on_scale(relative), QFont::Monospace);
}

}  // namespace headlight
