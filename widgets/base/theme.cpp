// Colours and fonts of the program.
#include "widgets/base/theme.h"

#include <QApplication>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "widgets/base/oklab.h"

namespace headlight {
namespace {

constexpr int kLevels = 256;

struct Colours {
  QColor window, background, raised, text, muted, grid, border;
  QColor accent, accent_text, hover, warning, edited, hatch, highlight, link;
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
    colours.push_back(even[static_cast<std::size_t>(std::lround(way * static_cast<double>(even.size() - 1)))]);
  }
  return colours;
}

// Relative luminance as in WCAG 2.
double luminance(const QColor& colour) {
  const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

// The first colour of `weights` is the background, so that nothing looks like nothing; lightness only falls from there.
Colours light_colours() {
  Colours c;
  c.window = QColor(0xf4f5f7);
  c.background = QColor(0xffffff);
  c.raised = QColor(0xfbfbfc);
  c.text = QColor(0x1c2128);
  c.muted = QColor(0x68707c);
  c.grid = QColor(0xe3e6ea);
  c.border = QColor(0xc9ced6);
  c.accent = QColor(0xd9560b);
  c.accent_text = QColor(0xffffff);
  c.hover = QColor(0xf2a35e);
  c.warning = QColor(0xc5221f);
  c.edited = QColor(0x9333b8);
  c.hatch = QColor(0x9aa2ae);
  c.highlight = QColor(0x2a6fc4);
  c.link = QColor(0x1d5fb4);
  c.weights = even_colours(
      {c.background, QColor(0xcfe2f4), QColor(0x7fb4e0), QColor(0x357fc2), QColor(0x14509a), QColor(0x0a2a5c)},
      kLevels);
  c.differences = around_zero({QColor(0x0f3f86), QColor(0x3f82c6), QColor(0xa9cbe8), c.background},
                              {c.background, QColor(0xf6c69a), QColor(0xdd7a2b), QColor(0x93430b)});
  return c;
}

// In the dark, lightness only rises.
Colours dark_colours() {
  Colours c;
  c.window = QColor(0x1d2127);
  c.background = QColor(0x15181d);
  c.raised = QColor(0x262b33);
  c.text = QColor(0xe4e8ee);
  c.muted = QColor(0x98a1ae);
  c.grid = QColor(0x2c323b);
  c.border = QColor(0x3d4550);
  c.accent = QColor(0xff9d4d);
  c.accent_text = QColor(0x1b1206);
  c.hover = QColor(0xb8743c);
  c.warning = QColor(0xff7b72);
  c.edited = QColor(0xd98cf5);
  c.hatch = QColor(0x66707d);
  c.highlight = QColor(0x3d7fcf);
  c.link = QColor(0x7db7f5);
  c.weights = even_colours(
      {c.background, QColor(0x17365c), QColor(0x22639f), QColor(0x3f9bd1), QColor(0x8fd0e6), QColor(0xecfaf5)},
      kLevels);
  c.differences = around_zero({QColor(0xa9dcf6), QColor(0x4f9fdc), QColor(0x224f80), c.background},
                              {c.background, QColor(0x7a4317), QColor(0xdb8538), QColor(0xffd9ab)});
  return c;
}

// Every colour that carries a meaning has 7:1 against white (WCAG 2, level AAA), and the maps end near black.
Colours projector_colours() {
  Colours c;
  c.window = QColor(0xffffff);
  c.background = QColor(0xffffff);
  c.raised = QColor(0xf2f3f5);
  c.text = Qt::black;
  c.muted = QColor(0x3a3f47);
  c.grid = QColor(0xb4bac3);
  c.border = QColor(0x6d7580);
  c.accent = QColor(0x963300);
  c.accent_text = QColor(0xffffff);
  c.hover = QColor(0xb35410);
  c.warning = QColor(0x9c0a0a);
  c.edited = QColor(0x6d1690);
  c.hatch = QColor(0x525963);
  c.highlight = QColor(0x0b4a94);
  c.link = QColor(0x0a3f85);
  c.weights = steep_below(even_colours(
      {c.background, QColor(0xc2dcf5), QColor(0x62a1dc), QColor(0x1f67b4), QColor(0x0b3778), QColor(0x04112c)},
      4 * kLevels));
  c.differences = around_zero({QColor(0x061f52), QColor(0x2468b4), QColor(0x8fbdea), c.background},
                              {c.background, QColor(0xf3b27a), QColor(0xb95a12), QColor(0x4a1c00)});
  return c;
}

const Colours& colours(Theme::Mode mode) {
  static const Colours kLight = light_colours(), kDark = dark_colours(), kProjector = projector_colours();
  switch (mode) {
    case Theme::Mode::dark:
      return kDark;
    case Theme::Mode::projector:
      return kProjector;
    case Theme::Mode::light:
      break;
  }
  return kLight;
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
  font_scale_ = std::clamp(std::isfinite(font_scale) ? font_scale : 1.0, 0.75, 2.5);
  if (qobject_cast<QApplication*>(QCoreApplication::instance())) {
    QApplication::setPalette(palette());
    // In the dark, the style's frames cannot be seen: fields stand out by their ground.
    QPalette field = palette();
    if (mode == Mode::dark) field.setColor(QPalette::Base, field.color(QPalette::Button));
    for (const char* kind : {"QLineEdit", "QAbstractSpinBox", "QCheckBox"}) QApplication::setPalette(field, kind);
    QApplication::setFont(ui_font());
    QToolTip::setPalette(palette());
    QToolTip::setFont(ui_font(0.95));
  }
  emit changed();
}

QPalette Theme::palette() const {
  const Colours& c = colours(mode_);
  const QColor faint = from_oklab({(to_oklab(c.muted).lightness + to_oklab(c.window).lightness) / 2, 0, 0});
  QPalette p;
  set_colour(p, QPalette::Window, c.window, c.window);
  set_colour(p, QPalette::WindowText, c.text, faint);
  set_colour(p, QPalette::Base, c.background, c.window);
  set_colour(p, QPalette::AlternateBase, c.raised, c.window);
  set_colour(p, QPalette::Text, c.text, faint);
  set_colour(p, QPalette::PlaceholderText, c.muted, faint);
  set_colour(p, QPalette::Button, c.raised, c.window);
  set_colour(p, QPalette::ButtonText, c.text, faint);
  set_colour(p, QPalette::BrightText, c.warning, c.warning);
  set_colour(p, QPalette::Highlight, c.highlight, c.border);
  set_colour(p, QPalette::HighlightedText, Qt::white, c.text);
  set_colour(p, QPalette::Link, c.link, faint);
  set_colour(p, QPalette::LinkVisited, c.link, faint);
  set_colour(p, QPalette::ToolTipBase, c.raised, c.raised);
  set_colour(p, QPalette::ToolTipText, c.text, c.text);
  const bool light = mode_ != Mode::dark;
  set_colour(p, QPalette::Light, light ? QColor(Qt::white) : c.border, c.raised);
  set_colour(p, QPalette::Midlight, c.grid, c.grid);
  set_colour(p, QPalette::Mid, c.border, c.border);
  set_colour(p, QPalette::Dark, light ? QColor(0xaab1bb) : QColor(0x0f1216), c.border);
  set_colour(p, QPalette::Shadow, light ? QColor(0x8c94a0) : QColor(0x08090b), c.border);
  return p;
}

QColor Theme::background() const { return colours(mode_).background; }
QColor Theme::panel() const { return colours(mode_).window; }
QColor Theme::text() const { return colours(mode_).text; }
QColor Theme::muted_text() const { return colours(mode_).muted; }
QColor Theme::grid() const { return colours(mode_).grid; }
QColor Theme::accent() const { return colours(mode_).accent; }
QColor Theme::accent_text() const { return colours(mode_).accent_text; }
QColor Theme::hover() const { return colours(mode_).hover; }
QColor Theme::warning() const { return colours(mode_).warning; }
QColor Theme::edited() const { return colours(mode_).edited; }
QColor Theme::hatch() const { return colours(mode_).hatch; }

QColor Theme::weight(double t) const {
  if (std::isnan(t)) return hatch();
  const auto level = std::lround(std::clamp(t, 0.0, 1.0) * (kLevels - 1));
  return colours(mode_).weights[static_cast<std::size_t>(level)];
}

QColor Theme::signed_value(double t) const {
  if (std::isnan(t)) return hatch();
  const auto level = std::lround((std::clamp(t, -1.0, 1.0) + 1) / 2 * kLevels);
  return colours(mode_).differences[static_cast<std::size_t>(level)];
}

QColor Theme::readable_on(const QColor& fill) {
  // On middle blues both inks have about 4:1, and eyes prefer the light one.
  constexpr double kEnough = 3.9;
  return 1.05 / (luminance(fill) + 0.05) >= kEnough ? QColor(Qt::white) : QColor(0x0b0e12);
}

QFont Theme::ui_font(double relative) const {
  return font({"DejaVu Sans", "Noto Sans CJK SC", "Noto Sans", "sans-serif"}, 9.5 * font_scale_ * relative,
              QFont::SansSerif);
}

QFont Theme::token_font(double relative) const {
  return font({"DejaVu Sans Mono", "Noto Sans Mono CJK SC", "Noto Sans CJK SC", "monospace"},
              10.5 * font_scale_ * relative, QFont::Monospace);
}

}  // namespace headlight
