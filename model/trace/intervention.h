// What-if edits: a change of one site in the middle of a run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/trace/site.h"

namespace headlight {

// Later values are computed from the edited one.
struct Intervention {
  enum class Kind {
    set,      // the cell becomes `value`
    pin,      // one cell of a row of weights becomes `value`; the others are scaled so that the sum stays what it was
    scale,    // the cell (or, with cell < 0, every cell) is multiplied by `value`
    add,      // `value` is added to the cell (or to every cell)
    zero,     // the cell (or every cell) becomes 0
    replace,  // the whole tensor becomes `values`
  };
  std::string site;  // "[*]" in place of an index: whatever index there is ("decoder.step[*].attention.scores")
  Kind kind = Kind::set;
  Index cell = -1;
  Scalar value = 0;
  std::vector<Scalar> values;
  Index count = 1;  // cells from `cell` on: a row of a matrix, say; not for `pin`
  bool operator==(const Intervention&) const = default;
};

// Reads "decoder.step[3].attention.weights[7]=0.5" (set), "...[7]~0.5" (pin), "...[7]*2", "...[7]+0.1", "...[8:12]=0"
// (cells 8 to 11); without a cell "SITE*2", "SITE+0.1", "SITE=0" act on the whole tensor. Throws UsageError.
Intervention parse_intervention(const std::string& text);
std::string to_text(const Intervention& intervention);

// Whether a site of a run is the one that an edit names, "[*]" standing for any index.
bool names_site(std::string_view edit, std::string_view site);

// The edited value, as a new tensor. Throws UsageError for a cell that does not exist.
Tensor apply(const Intervention& intervention, const Tensor& value);
// The same for slice `slice` of the leading axis: the edit's cell counts within it.
Tensor apply(const Intervention& intervention, const Tensor& value, Index slice);

}  // namespace headlight
