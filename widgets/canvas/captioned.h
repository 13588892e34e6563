// What the line below a picture says of the run that is shown, where that is more than its row in the table of views.
#pragma once

#include <QString>

namespace headlight {

// The colours of a picture: shares go from 0 to 1, signed numbers from -largest to largest.
struct ColourKey {
  enum class Kind { none, shares, signs };
  Kind kind = Kind::none;
  double largest = 1;
  bool operator==(const ColourKey&) const = default;
};

// To be inherited by the widget of a view, beside it.
class Captioned {
 public:
  virtual ~Captioned() = default;
  virtual ColourKey colour_key() const = 0;
  // What it shows, and what one does with it (`changing`: in *Change*); empty: as the table says.
  virtual QString caption() const { return {}; }
  virtual QString what_to_do(bool /*changing*/) const { return {}; }
};

}  // namespace headlight
