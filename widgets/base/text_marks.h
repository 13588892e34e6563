// What marks tokens wherever a text stands: a bar at those of the second of two sentences, a tint behind an answer.
#pragma once

#include "widgets/base/theme.h"

namespace headlight {

inline constexpr double kSecondBar = 2.5;  // its width
inline QColor second_tint() { return theme().weight(0.5); }
inline QColor answer_tint() {
  QColor tint = theme().weight(0.62);
  tint.setAlphaF(0.28F);
  return tint;
}

}  // namespace headlight
