// What-if edits: their text form, and what they do to a value.

#include "model/trace/intervention.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "model/ops/explaining.h"

namespace headlight {

namespace {

Explanation edit_explain(const Node& node, Index cell) {
  if (node.output[cell] == node.inputs[0][cell]) return explaining::copy(node, cell, {node.inputs[0], cell});
  Explanation explanation;
  explanation.op = node.op;
  explanation.value = explanation.recomputed = static_cast<double>(node.output[cell]);
  explanation.terms.push_back(explaining::itself("was", {node.inputs[0], cell}));
  return explanation;
}

const Op kEdit{"edit", "set by you", "", nullptr, edit_explain};

Scalar number(const std::string& text, const std::string& whole) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end)
    throw UsageError("'" + whole + "': '" + text + "' is not a number; write for example " +
                     "'decoder.step[3].attention.weights[7]=0.5'");
  return static_cast<Scalar>(value);
}

Index cell_number(const std::string& text, const std::string& whole) {
  Index value = -1;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < 0)
    throw UsageError("'" + whole + "': '" + text + "' is not a cell; cells count from 0");
  return value;
}

// The sign between what is edited and the number, outside of brackets.
std::size_t sign_of(const std::string& text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[') ++depth;
    if (text[i] == ']') --depth;
    if (depth == 0 && std::string_view("=~*+").find(text[i]) != std::string_view::npos) return i;
  }
  return std::string::npos;
}

// "7", "8:12", and of a matrix ":", into the edit.
void read_span(const std::string& cells, const std::string& whole, Intervention& edit) {
  if (cells == ":" && edit.row != Intervention::kFlat) return;
  const std::size_t colon = cells.find(':');
  edit.cell = cell_number(cells.substr(0, colon), whole);
  if (colon != std::string::npos) edit.count = cell_number(cells.substr(colon + 1), whole) - edit.cell;
  if (edit.count < 1) throw UsageError("'" + whole + "': [" + cells + "] holds no cell");
}

// What stands in the brackets behind a site.
void read_cells(std::string cells, const std::string& whole, Intervention& edit) {
  if (const std::size_t more = cells.find('>'); more != std::string::npos) {
    Intervention::Band band;
    band.width = cell_number(cells.substr(more + 1), whole);
    const std::string distance = cells.substr(0, more);
    band.both_sides = distance.starts_with('|');
    band.from_end = distance.find('~') != std::string::npos;
    const std::string side = band.both_sides ? "|" : "", key = band.from_end ? "~j" : "j";
    if (distance != side + key + "-i" + side)
      throw UsageError("'" + whole + "': cells outside a band are written [j-i>2] or [|j-i|>2]");
    edit.outside = band;
    return;
  }
  if (const std::size_t comma = cells.find(','); comma != std::string::npos) {
    const std::string row = cells.substr(0, comma);
    edit.row = row == ":" ? Intervention::kEveryRow : cell_number(row, whole);
    cells.erase(0, comma + 1);
  }
  read_span(cells, whole, edit);
}

// The shortest text that reads back as the same number, whatever the locale.
std::string exact(Scalar value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

}  // namespace

Intervention parse_intervention(const std::string& text) {
  const std::size_t at = sign_of(text);
  if (at == std::string::npos || at == 0)
    throw UsageError("'" + text + "' is not an edit; write for example 'decoder.step[3].attention.weights[7]=0.5' " +
                     "(= sets, ~ sets and rescales the others, * scales, + adds)");
  Intervention edit;
  edit.site = text.substr(0, at);
  edit.value = number(text.substr(at + 1), text);
  if (edit.site.ends_with(']') && !find_site_kind(edit.site))
    throw UsageError("'" + text + "': there is no site '" + edit.site + "'");
  // A trailing index that does not belong to the name is the cell: "….weights[7]".
  const std::size_t bracket = edit.site.rfind('[');
  if (edit.site.ends_with(']') && bracket != std::string::npos && !edit.site.ends_with("[*]")) {
    read_cells(edit.site.substr(bracket + 1, edit.site.size() - bracket - 2), text, edit);
    edit.site.resize(bracket);
  }
  parse_site(edit.site);
  switch (text[at]) {
    case '=':
      edit.kind = Intervention::Kind::set;
      break;
    case '~':
      edit.kind = Intervention::Kind::pin;
      break;
    case '*':
      edit.kind = Intervention::Kind::scale;
      break;
    default:
      edit.kind = Intervention::Kind::add;
      break;
  }
  const bool whole = edit.cell < 0 && edit.row == Intervention::kFlat && !edit.outside;
  if (whole && edit.kind == Intervention::Kind::set) {
    if (edit.value != 0) throw UsageError("'" + text + "': name one cell, for example '" + edit.site + "[0]'");
    edit.kind = Intervention::Kind::zero;
  }
  if ((edit.cell < 0 || edit.count != 1) && edit.kind == Intervention::Kind::pin)
    throw UsageError("'" + text + "': name one cell, for example '" + edit.site + "[0]'");
  return edit;
}

namespace {

// "[7]", "[8:12]", "[2,7]", "[:,7]", "[|j-i|>2]", or nothing: the whole tensor.
std::string cells_text(const Intervention& edit) {
  const auto number = [](Index value) { return std::to_string(value); };
  if (const auto& band = edit.outside) {
    const std::string side = band->both_sides ? "|" : "";
    return "[" + side + (band->from_end ? "~j" : "j") + "-i" + side + ">" + number(band->width) + "]";
  }
  const bool in_row = edit.row != Intervention::kFlat;
  if (edit.cell < 0 && !in_row) return {};
  std::string span = edit.cell < 0 ? ":" : number(edit.cell);
  if (edit.cell >= 0 && edit.count != 1) span += ":" + number(edit.cell + edit.count);
  const std::string row = edit.row == Intervention::kEveryRow ? ":" : number(edit.row);
  return "[" + (in_row ? row + "," : "") + span + "]";
}

}  // namespace

std::string to_text(const Intervention& edit) {
  const std::string text = edit.site + cells_text(edit);
  const std::string value = exact(edit.value);
  switch (edit.kind) {
    case Intervention::Kind::set:
      return text + "=" + value;
    case Intervention::Kind::pin:
      return text + "~" + value;
    case Intervention::Kind::scale:
      return text + "*" + value;
    case Intervention::Kind::add:
      return text + "+" + value;
    case Intervention::Kind::zero:
      return text + "=0";
    case Intervention::Kind::replace:
      return text + "=[" + std::to_string(edit.values.size()) + " values]";
  }
  return text;
}

bool names_site(std::string_view edit, std::string_view site) {
  std::size_t i = 0, j = 0;
  while (i < edit.size() && j < site.size()) {
    if (edit[i] == '*' && site[j] != '*') {
      while (j < site.size() && site[j] != ']') ++j;
      ++i;
    } else if (edit[i++] != site[j++]) {
      return false;
    }
  }
  return i == edit.size() && j == site.size();
}

bool same_cells(const Intervention& a, const Intervention& b) {
  return a.site == b.site && a.cell == b.cell && a.count == b.count && a.row == b.row && a.outside == b.outside;
}

namespace {

struct Range {
  Index begin, end;  // flat
};

// A tensor as matrices, and the part of it that an edit is of.
struct Matrices {
  Index columns, rows, first, begin, size;
  Matrices(const Tensor& value, MatrixRows given, Index from, Index count)
      : columns(std::max<Index>(1, value.columns())),
        rows(given.count > 0     ? given.count
             : value.rank() >= 2 ? std::max<Index>(1, value.dim(-2))
                                 : 1),
        first(given.first),
        begin(from),
        size(count) {}
  Index row_count() const { return size / columns; }
};

bool has_cells(const Intervention& edit, const Matrices& m) {
  if (edit.outside) return true;
  const Index room = edit.row == Intervention::kFlat ? m.size : m.columns;
  if (edit.row >= m.rows || edit.count < 1) return false;
  return edit.cell < 0 || (edit.cell < room && edit.count <= room - edit.cell);
}

// Of the row of query i, what is left and right of the band.
std::vector<Range> outside(const Intervention::Band& band, Index i, Index columns) {
  Index first = band.both_sides ? i - band.width : 0, end = i + band.width + 1;
  if (band.from_end) {
    const Index mirrored = columns - end;
    end = columns - first;
    first = mirrored;
  }
  return {{0, std::clamp<Index>(first, 0, columns)}, {std::clamp<Index>(end, 0, columns), columns}};
}

std::vector<Range> cells_of(const Intervention& edit, const Matrices& m) {
  if (!edit.outside && edit.row == Intervention::kFlat) {
    const Index from = m.begin + std::max<Index>(0, edit.cell);
    return {{from, edit.cell < 0 ? m.begin + m.size : from + edit.count}};
  }
  std::vector<Range> cells;
  for (Index r = 0; r < m.row_count(); ++r) {
    const Index i = r % m.rows, from = m.begin + r * m.columns;
    std::vector<Range> parts;
    if (edit.outside)
      parts = outside(*edit.outside, m.first + i, m.columns);
    else if (edit.row == Intervention::kEveryRow || edit.row == i)
      parts = {edit.cell < 0 ? Range{0, m.columns} : Range{edit.cell, edit.cell + edit.count}};
    for (const Range& part : parts)
      if (part.begin < part.end) cells.push_back({from + part.begin, from + part.end});
  }
  return cells;
}

// One weight becomes `value`; the others of its row are scaled so that the sum stays.
void pin(Tensor& changed, Index cell, Scalar value) {
  const Index n = changed.columns(), from = cell / n * n;
  double sum = 0, others = 0;
  for (Index j = from; j < from + n; ++j) {
    sum += static_cast<double>(changed[j]);
    if (j != cell) others += static_cast<double>(changed[j]);
  }
  const double rest = sum - static_cast<double>(value);
  // With nothing left to scale, the rest is shared out evenly.
  for (Index j = from; j < from + n; ++j) {
    if (j == cell) continue;
    changed[j] = static_cast<Scalar>(others != 0 ? static_cast<double>(changed[j]) * (rest / others)
                                                 : rest / static_cast<double>(n - 1));
  }
  changed[cell] = value;
}

// The value with the edit of the cells in [begin, begin + count).
Tensor edited(const Intervention& edit, const Tensor& value, MatrixRows rows, Index begin, Index count) {
  using Kind = Intervention::Kind;
  const Matrices matrices(value, rows, begin, count);
  const bool fits =
      edit.kind == Kind::replace ? static_cast<Index>(edit.values.size()) == count : has_cells(edit, matrices);
  if (!fits)
    throw UsageError("'" + to_text(edit) + "': the tensor has " + std::to_string(count) + " cells here" +
                     (edit.row == Intervention::kFlat ? "" : ", " + std::to_string(matrices.columns) + " in a row"));
  Tensor changed = value.clone();
  if (edit.kind == Kind::replace) {
    std::copy(edit.values.begin(), edit.values.end(), changed.data() + begin);
    return recorded(kEdit, {value}, std::move(changed));
  }
  for (const Range& range : cells_of(edit, matrices)) {
    ArrayMap cells(changed.data() + range.begin, range.end - range.begin);
    switch (edit.kind) {
      case Kind::set:
        cells.setConstant(edit.value);
        break;
      case Kind::zero:
        cells.setZero();
        break;
      case Kind::scale:
        cells *= edit.value;
        break;
      case Kind::add:
        cells += edit.value;
        break;
      case Kind::pin:
        pin(changed, range.begin, edit.value);
        break;
      case Kind::replace:
        break;
    }
  }
  return recorded(kEdit, {value}, std::move(changed));
}

// The batch axis is still there: [1 x ..] or, of heads, [H x ..].
Index slice_size(const Tensor& value) { return value.dim(0) == 0 ? 0 : value.size() / value.dim(0); }

}  // namespace

bool has_cells(const Intervention& edit, const Tensor& value, bool head, MatrixRows rows) {
  return has_cells(edit, Matrices(value, rows, 0, head ? slice_size(value) : value.size()));
}

Tensor apply(const Intervention& edit, const Tensor& value, MatrixRows rows) {
  return edited(edit, value, rows, 0, value.size());
}

Tensor apply_to_head(const Intervention& edit, const Tensor& value, Index slice, MatrixRows rows) {
  const Index size = slice_size(value);
  if (slice >= value.dim(0))
    throw UsageError("'" + to_text(edit) + "': there are " + std::to_string(value.dim(0)) + " heads, counted from 0");
  return edited(edit, value, rows, slice * size, size);
}

}  // namespace headlight
