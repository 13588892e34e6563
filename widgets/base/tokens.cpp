// The colours. Contrasts are tested in tests/widgets/test_theme.cpp; both halves of the signed map and all of the map
// of weights are even in CIE lightness.
#include "widgets/base/tokens.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

QColor c(QRgb rgb) { return QColor(rgb); }

Tokens light_tokens() {
  Tokens t;
  t.paper = c(0xffffff), t.desk = c(0xf3f4f6), t.well = c(0xeff1f4), t.press = c(0xe3e6ea);
  t.hover = c(0xe3e6ea), t.down = c(0xd3d8df), t.pill = c(0xffffff), t.sheet = c(0xffffff);
  t.line = c(0xe1e4e9), t.edge = c(0x858d99);
  t.ink = c(0x171b21), t.ink2 = c(0x565e6a), t.off = c(0x9aa1ab);
  t.accent = c(0xc2410c), t.accent_ink = c(0xffffff), t.wash = c(0xfdefe6);
  t.edited = c(0x7e22a8), t.edited_wash = c(0xf6ebfb);
  t.good = c(0x1a7046), t.bad = c(0xb3201c);
  t.bed = c(0xf0f3f7), t.bank = c(0xaeb7c3);
  t.weights = {t.bed, c(0xcfe2f4), c(0x7fb4e0), c(0x357fc2), c(0x14509a), c(0x0a2a5c)};
  t.voices = {t.weights[2], c(0x808995), c(0x0f8374), t.weights[3], c(0xa06f00)};
  t.below = {c(0x0f3f86), c(0x3f82c6), c(0xa9cbe8), t.bed};
  t.above = {t.bed, c(0xe0d0a0), c(0xb0801c), c(0x604000)};
  return t;
}

Tokens dark_tokens() {
  Tokens t;
  t.paper = c(0x14171c), t.desk = c(0x1c2027), t.well = c(0x232831), t.press = c(0x323944);
  t.hover = c(0x323944), t.down = c(0x3e4653), t.pill = c(0x4a5364), t.sheet = c(0x20252d);
  t.line = c(0x2b313a), t.edge = c(0x78828f);
  t.ink = c(0xe9edf3), t.ink2 = c(0xa5aebb), t.off = c(0x616b78);
  t.accent = c(0xff9a4a), t.accent_ink = c(0x14171c), t.wash = c(0x2d2722);
  t.edited = c(0xd994f5), t.edited_wash = c(0x30223a);
  t.good = c(0x5cc492), t.bad = c(0xff8079);
  t.bed = c(0x1d2229), t.bank = c(0x454f5d);
  t.weights = {t.bed, c(0x1d3a5e), c(0x22639f), c(0x3f9bd1), c(0x8fd0e6), c(0xecfaf5)};
  t.voices = {t.weights[2], c(0x8b95a3), c(0x35b3a0), t.weights[3], c(0xc39a35)};
  t.below = {c(0xa9dcf6), c(0x4f9fdc), c(0x25507c), t.bed};
  t.above = {t.bed, c(0x5c4a1c), c(0xc39a35), c(0xf6e3a6)};
  return t;
}

// Black on white with strong colours: what carries a meaning has 7:1, and the maps end near black.
Tokens projector_tokens() {
  Tokens t;
  t.paper = c(0xffffff), t.desk = c(0xffffff), t.well = c(0xf0f1f3), t.press = c(0xd9dce0);
  t.hover = c(0xd9dce0), t.down = c(0xc6cbd1), t.pill = c(0xffffff), t.sheet = c(0xffffff);
  t.line = c(0xaab0b9), t.edge = c(0x5a626c);
  t.ink = c(0x000000), t.ink2 = c(0x333941), t.off = c(0x8a929c);
  t.accent = c(0x963300), t.accent_ink = c(0xffffff), t.wash = c(0xfbe6d8);
  t.edited = c(0x6d1690), t.edited_wash = c(0xf2e3f8);
  t.good = c(0x0e5232), t.bad = c(0x8f0d0a);
  t.bed = c(0xe9edf3), t.bank = c(0x8d97a5);
  t.weights = {t.bed, c(0xb5d3f0), c(0x5d9cd8), c(0x1f67b4), c(0x0b3778), c(0x04112c)};
  t.voices = {t.weights[2], c(0x5a626c), c(0x00594d), t.weights[3], c(0x704c00)};
  t.below = {c(0x061f52), c(0x2468b4), c(0x8fbdea), t.bed};
  t.above = {t.bed, c(0xd9c48c), c(0x8e650c), c(0x382500)};
  return t;
}

// Relative luminance as in WCAG 2.
double luminance(const QColor& colour) {
  const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

}  // namespace

const Tokens& tokens(Theme::Mode mode) {
  static const Tokens kLight = light_tokens(), kDark = dark_tokens(), kProjector = projector_tokens();
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

double contrast(const QColor& a, const QColor& b) {
  const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
  return std::max(x, y) / std::min(x, y);
}

}  // namespace headlight
