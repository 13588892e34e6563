// What stands beside a row or over a column of a picture of values.
#pragma once

#include <QString>

#include "model/text/vocabulary.h"

namespace headlight {

struct AxisLabel {
  QString text;               // as painted (see token_text.h)
  bool muted = false;         // padding, stand-ins for spaces
  QString name;               // in words, for the readout and screen readers; empty: the text
  bool special = false;       // a sign of the vocabulary, such as the end of the text
  Voice voice = Voice::none;  // of the second text of a pair, or of a speaker in a chat: has a bar
  bool answer = false;        // of an answer that was found: stands on a tint
  QString lines = {};         // of what stands for several: what it is in two lines, where there is room for them

  const QString& words() const { return name.isEmpty() ? text : name; }
  bool operator==(const AxisLabel&) const = default;
};

}  // namespace headlight
