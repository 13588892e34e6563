// What-if edits: their text form, and what makes one impossible.

#include "model/trace/intervention.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>
#include <tuple>

#include "model/core/errors.h"
#include "model/core/numbers.h"

namespace headlight {

namespace {

constexpr const char* kExample = "write for example 'decoder.step[3].attention.weights[7]=0.5'";

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

[[noreturn]] void refuse(const std::string& edit, const std::string& what) {
  throw UsageError("'" + edit + "': " + what);
}

Scalar number(const std::string& text, const std::string& whole) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = parse_number(text.data(), end, value);
  if (error == std::errc::invalid_argument || stop != end || text.ends_with(')'))
    refuse(whole, "'" + text + "' is not a number; " + kExample);
  const std::optional<Scalar> scalar = to_scalar(value);
  if (error != std::errc() || !scalar) refuse(whole, "'" + text + "' is beyond the range of a 32-bit float");
  return *scalar;
}

// A whole number from 0 to kMaxIndex, written in one way only.
std::optional<Index> index_of(std::string_view text) {
  Index value = -1;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size() || value < 0 || value > kMaxIndex) return {};
  if (text.size() > 1 && text[0] == '0') return {};
  return value;
}

Index cell_number(const std::string& text, const std::string& whole) {
  const std::optional<Index> value = index_of(text);
  if (!value) refuse(whole, "'" + text + "' is not a cell; cells count from 0 to " + std::to_string(kMaxIndex));
  return *value;
}

// The indices of a site are numbers or stars.
void check_indices(const Intervention& edit) {
  const std::string_view site = edit.site;
  for (std::size_t at = site.find('['); at != std::string_view::npos; at = site.find('[', at + 1)) {
    const std::size_t end = std::min(site.find(']', at), site.size());
    const std::string_view index = site.substr(at + 1, end - at - 1);
    if (end == site.size() || (index != "*" && !index_of(index)))
      refuse(to_text(edit), joined({"'", index, "' is not an index; expected a number from 0 to ",
                                    std::to_string(kMaxIndex), ", or * for any"}));
  }
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
  if (edit.count < 1) refuse(whole, "[" + cells + "] holds no cell");
}

void read_band(const std::string& cells, std::size_t more, const std::string& whole, Intervention& edit) {
  Intervention::Band band;
  band.width = cell_number(cells.substr(more + 1), whole);
  const std::string distance = cells.substr(0, more);
  band.both_sides = distance.starts_with('|');
  band.from_end = distance.find('~') != std::string::npos;
  const std::string side = band.both_sides ? "|" : "", key = band.from_end ? "~j" : "j";
  if (distance != side + key + "-i" + side) refuse(whole, "cells outside a band are written [j-i>2] or [|j-i|>2]");
  edit.outside = band;
}

// What stands in the brackets behind a site.
void read_cells(std::string cells, const std::string& whole, Intervention& edit) {
  if (const std::size_t more = cells.find('>'); more != std::string::npos) return read_band(cells, more, whole, edit);
  const auto next = [&cells] {
    const std::size_t comma = cells.find(',');
    const std::string first = cells.substr(0, comma);
    cells.erase(0, comma + 1);
    return first;
  };
  constexpr std::string_view kHeads = ".head.";
  const auto commas = std::ranges::count(cells, ',');
  if (const std::size_t heads = edit.site.find(kHeads); commas == 2 && heads != std::string::npos)
    edit.site.insert(heads + kHeads.size() - 1, joined({"[", std::to_string(cell_number(next(), whole)), "]"}));
  else if (commas > 1)
    refuse(whole, "[" + cells + "] has too many numbers; cells are written [cell] or [row,cell]");
  if (commas > 0) {
    const std::string row = next();
    edit.row = row == ":" ? Intervention::kEveryRow : cell_number(row, whole);
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
    throw UsageError("'" + text + "' is not an edit; " + kExample +
                     " (= sets, ~ sets and rescales the others, * scales, + adds)");
  Intervention edit;
  edit.site = text.substr(0, at);
  edit.value = number(text.substr(at + 1), text);
  if (edit.site.ends_with(']') && !find_site_kind(edit.site)) refuse(text, "there is no site '" + edit.site + "'");
  // A trailing index that does not belong to the name is the cell: "….weights[7]".
  const std::size_t bracket = edit.site.rfind('[');
  if (edit.site.ends_with(']') && bracket != std::string::npos && !edit.site.ends_with("[*]")) {
    const std::string cells = edit.site.substr(bracket + 1, edit.site.size() - bracket - 2);
    edit.site.resize(bracket);
    read_cells(cells, text, edit);
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
    if (edit.value != 0) refuse(text, "name one cell, for example '" + edit.site + "[0]'");
    edit.kind = Intervention::Kind::zero;
  }
  check(edit);
  return edit;
}

std::vector<Intervention> parse_interventions(const std::vector<std::string>& texts) {
  check_count(texts.size());
  std::vector<Intervention> edits;
  edits.reserve(texts.size());
  for (const std::string& text : texts) edits.push_back(parse_intervention(text));
  return edits;
}

namespace {

// "[7]", "[8:12]", "[2,7]", "[:,7]", "[|j-i|>2]", or nothing: the whole tensor.
std::string cells_text(const Intervention& edit) {
  const auto number = [](Index value) { return std::to_string(value); };
  if (const auto& band = edit.outside) {
    const char* side = band->both_sides ? "|" : "";
    return joined({"[", side, band->from_end ? "~j" : "j", "-i", side, ">", number(band->width), "]"});
  }
  const bool in_row = edit.row != Intervention::kFlat;
  if (edit.cell < 0 && !in_row) return {};
  std::string span = edit.cell < 0 ? ":" : number(edit.cell);
  if (edit.cell >= 0 && edit.count != 1) span = joined({span, ":", number(edit.cell + edit.count)});
  const std::string row = edit.row == Intervention::kEveryRow ? ":" : number(edit.row);
  return joined({"[", in_row ? row : "", in_row ? "," : "", span, "]"});
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

void check(const Intervention& edit) {
  if (parse_site(edit.site).kind->derived)
    throw UsageError("'" + edit.site + "' is only shown, nothing is computed from it: edit what it comes from");
  check_indices(edit);
  if (edit.kind != Intervention::Kind::pin) return;
  if (edit.cell < 0 || edit.count != 1 || edit.outside)
    refuse(to_text(edit), "name one cell, for example '" + edit.site + "[0]'");
  if (!std::isfinite(edit.value)) refuse(to_text(edit), "expected a finite number: the others make room for it");
}

void check_count(std::size_t edits) {
  if (edits > kMaxEdits)
    throw UsageError("a run can have at most " + std::to_string(kMaxEdits) + " edits, found " + std::to_string(edits));
}

std::optional<Scalar> to_scalar(double number) {
  // From here on, float32 rounds to infinity.
  constexpr double kTooLarge = std::is_same_v<Scalar, float> ? 0x1.ffffffp127 : std::numeric_limits<double>::infinity();
  if (std::isfinite(number) && std::abs(number) >= kTooLarge) return {};
  return static_cast<Scalar>(number);
}

bool Intervention::operator==(const Intervention& other) const {
  using Bits = std::conditional_t<std::is_same_v<Scalar, float>, std::uint32_t, std::uint64_t>;
  const auto same = [](Scalar a, Scalar b) { return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b); };
  return same_cells(*this, other) && kind == other.kind && same(value, other.value) &&
         std::ranges::equal(values, other.values, same);
}

bool same_cells(const Intervention& a, const Intervention& b) {
  return a.site == b.site && a.cell == b.cell && a.count == b.count && a.row == b.row && a.outside == b.outside;
}

std::size_t CellsHash::operator()(const Intervention& edit) const {
  std::size_t hash = std::hash<std::string>()(edit.site);
  const Index band = edit.outside ? edit.outside->width + 1 : 0;
  for (const Index part : {edit.cell, edit.count, edit.row, band})
    hash = (hash ^ static_cast<std::size_t>(part)) * 0x9e3779b97f4a7c15;
  return hash;
}

}  // namespace headlight
