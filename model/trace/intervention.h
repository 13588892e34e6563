// What-if edits: a change of one site in the middle of a run.
#pragma once

#include <optional>
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
  // Of matrices (the last two axes): `cell` counts within this row, and < 0 is all of it. So an edit keeps its place
  // when the text, and with it the matrix, grows.
  static constexpr Index kFlat = -2;      // no row: `cell` counts through the whole tensor
  static constexpr Index kEveryRow = -1;  // the same cells of each row
  Index row = kFlat;
  // Instead of cells: those of queries i and keys j with j − i > width, or also i − j > width. A step of a decoder is
  // the row of its number, and a token that looks at its own text the row of its place there.
  struct Band {
    Index width = 0;
    bool both_sides = true;
    bool from_end = false;  // j counts from the last key: a source that is read backwards
    bool operator==(const Band&) const = default;
  };
  std::optional<Band> outside;
  bool operator==(const Intervention&) const = default;
};

// Reads "decoder.step[3].attention.weights[7]=0.5" (set), "...[7]~0.5" (pin), "...[7]*2", "...[7]+0.1", "...[8:12]=0"
// (cells 8 to 11), "...[2,7]=0" (row 2), "...[2,:]=0", "...[:,7]=0" (every row), "...[j-i>0]=0" and "...[|j-i|>2]=0"
// (outside a band; ~j counts from the end); without a cell "SITE*2", "SITE+0.1", "SITE=0" act on the whole tensor.
// Throws UsageError.
Intervention parse_intervention(const std::string& text);
std::string to_text(const Intervention& intervention);

// Whether two edits are of the same cells, whatever they make of them.
bool same_cells(const Intervention& a, const Intervention& b);

// Whether a site of a run is the one that an edit names, "[*]" standing for any index.
bool names_site(std::string_view edit, std::string_view site);

// A tensor as matrices, one above the other: how many rows each has (0: as the last two axes say), and what number the
// first one is for bands.
struct MatrixRows {
  Index count = 0;
  Index first = 0;
};

// Whether the value has the cells of the edit; `head`: the edit is of one slice of the leading axis.
bool has_cells(const Intervention& intervention, const Tensor& value, bool head = false, MatrixRows rows = {});
// The edited value, as a new tensor. Throws UsageError for a cell that does not exist.
Tensor apply(const Intervention& intervention, const Tensor& value, MatrixRows rows = {});
// The same for slice `slice` of the leading axis: the edit's cell counts within it.
Tensor apply_to_head(const Intervention& intervention, const Tensor& value, Index slice, MatrixRows rows = {});

}  // namespace headlight
