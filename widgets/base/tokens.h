// One table of what everything looks like: the colours of the three themes, spaces and corners
// (sizes of type: theme.h).
//
// Blue belongs to the model, orange to what the person has chosen in a picture, violet to what the person changed, ink
// to where one is (the mode, the name in front, the keyboard), grey to the program. Never colour alone: violet has its
// ring, dot or bar. test_theme.cpp checks the contrast of every pair in use.
#pragma once

#include <QColor>
#include <vector>

#include "widgets/base/theme.h"

namespace headlight {

struct Tokens {
  QColor paper, desk, well, press;  // grounds: of pictures, of the window, of fields, of what is pressed
  QColor hover, down, pill, sheet;  // under the mouse, while it is down; the one of several; what opens
  QColor line, edge;                // hairlines (decoration), and the borders of controls
  QColor ink, ink2, off;            // texts; ink2: captions, sources; off: of what cannot be used now
  QColor accent, accent_ink, wash;  // what is chosen: ink on it, its tint
  QColor edited, edited_wash;       // what the person changed
  QColor good, bad;                 // only with a sign beside them
  QColor bed, bank;                 // a weight of 0; a line along a lane of the map
  // Bars at the words of a second text, and of the system, the user, the assistant and a tool in a chat.
  std::vector<QColor> voices;
  // Anchors of the colour maps: weights from 0, and signed numbers from −1 to 0 and from 0 to 1.
  std::vector<QColor> weights, below, above;
};

const Tokens& tokens(Theme::Mode mode);
inline const Tokens& tokens() { return tokens(theme().mode()); }

// Pixels.
namespace space {
inline constexpr int kHair = 1, kTight = 4, kSmall = 8, kMedium = 12, kLarge = 16, kMargin = 24;
}
namespace radius {
inline constexpr double kCell = 3, kButton = 6, kField = 8, kList = 10;
}

// Contrast of two colours as in WCAG 2: 1 .. 21.
double contrast(const QColor& a, const QColor& b);

}  // namespace headlight
