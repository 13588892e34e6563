// What marks tokens wherever a text stands: a bar at those of the second of two sentences, and of each speaker of a
// chat; a tint behind an answer.
#pragma once

#include <algorithm>

#include "model/text/vocabulary.h"
#include "widgets/base/tokens.h"

namespace headlight {

inline constexpr double kVoiceBar = 2.5;  // its width
// Not of Voice::none.
inline QColor voice_tint(Voice voice) {
  const auto at = static_cast<std::size_t>(std::max(1, static_cast<int>(voice)) - 1);
  return tokens().voices[at];
}
inline QColor answer_tint() {
  QColor tint = theme().weight(0.62);
  tint.setAlphaF(0.28F);
  return tint;
}

}  // namespace headlight
