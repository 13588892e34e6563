// What-if edits: a change of one site in the middle of a run, and its text form. What it does to a value: edit_value.h.
//
// Masks, hidden tokens and heads that are switched off are edits, too (model/analysis/masks.h). An edit of a step or
// token that a run lacks waits for a longer one (Result::not_reached); one of a site that no run of the model has is an
// error. Of thousands of edits those of a site are found by an EditIndex, and all edits of one value are one node of
// the graph, so that the work is linear in their number.
#pragma once

#include <cstddef>
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
  std::optional<Band> outside = {};
  bool operator==(const Intervention& other) const;  // numbers by their bits: a NaN is itself
};

// Edits of one run: a mask drawn cell by cell over a hundred tokens. And the largest number of a step, a layer, a row
// or a cell.
inline constexpr std::size_t kMaxEdits = 10'000;
inline constexpr Index kMaxIndex = 0x7fffffff;

// Reads "decoder.step[3].attention.weights[7]=0.5" (set), "...[7]~0.5" (pin), "...[7]*2", "...[7]+0.1", "...[8:12]=0"
// (cells 8 to 11), "...[2,7]=0" (row 2), "...[2,:]=0", "...[:,7]=0" (every row), "...[1,2,7]=0" (of head 1),
// "...[j-i>0]=0" and "...[|j-i|>2]=0" (outside a band; ~j counts from the end); without a cell "SITE*2", "SITE+0.1",
// "SITE=0" act on the whole tensor. The number may be inf, -inf (a score that hides a token) or nan. Throws UsageError.
Intervention parse_intervention(const std::string& text);
// All of them; more than kMaxEdits are refused.
std::vector<Intervention> parse_interventions(const std::vector<std::string>& texts);
std::string to_text(const Intervention& intervention);

// Throw UsageError for what no run of any model can do: an index that is none, a value that is only shown, a pin of
// several cells, too many edits.
void check(const Intervention& intervention);
void check_count(std::size_t edits);
// The nearest Scalar; nothing for a number beyond its range.
std::optional<Scalar> to_scalar(double number);

// Whether two edits are of the same cells, whatever they make of them; and a hash of the cells.
bool same_cells(const Intervention& a, const Intervention& b);
struct CellsHash {
  std::size_t operator()(const Intervention& edit) const;
};

}  // namespace headlight
