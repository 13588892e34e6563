// What the line below a picture, and F1, say of the run that is shown, where that is more than its row in the table of
// views.
#pragma once

#include <QStringList>

#include "model/analysis/attention_maps.h"

namespace headlight {

// The colours of a picture: shares go from 0 to 1, signed numbers from -largest to largest.
struct ColourKey {
  enum class Kind { none, shares, signs };
  Kind kind = Kind::none;
  double largest = 1;
  bool logarithmic = false;  // shares from .001 on
  bool operator==(const ColourKey&) const = default;
};

// A map, and which of its heads (or kMean, kMax).
struct ShownAttention {
  const AttentionMap* map = nullptr;  // null: there is none, or there are several
  Index head = 0;
};

// To be inherited by the widget of a view, beside it.
class Captioned {
 public:
  virtual ~Captioned() = default;
  virtual ColourKey colour_key() const = 0;
  // What it shows, and what one does with it (`changing`: in *Change*); empty: as the table says.
  virtual QString caption() const { return {}; }
  virtual QString what_to_do(bool /*changing*/) const { return {}; }
  // The attention in the picture, for sentences with its numbers.
  virtual ShownAttention attention() const { return {}; }
  // How the picture is read, in paragraphs.
  virtual QStringList reading() const { return {}; }
};

}  // namespace headlight
