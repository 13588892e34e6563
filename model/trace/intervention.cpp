// What-if edits: their text form, and what they do to a value.

#include "model/trace/intervention.h"

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

// The shortest text that reads back as the same number, whatever the locale.
std::string exact(Scalar value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

}  // namespace

Intervention parse_intervention(const std::string& text) {
  std::size_t at = text.find_first_of("=~*+");
  // "[*]" belongs to the name.
  while (at != std::string::npos && at > 0 && text.compare(at - 1, 3, "[*]") == 0)
    at = text.find_first_of("=~*+", at + 1);
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
    const std::string cells = edit.site.substr(bracket + 1, edit.site.size() - bracket - 2);
    const std::size_t colon = cells.find(':');
    edit.cell = cell_number(cells.substr(0, colon), text);
    if (colon != std::string::npos) edit.count = cell_number(cells.substr(colon + 1), text) - edit.cell;
    if (edit.count < 1) throw UsageError("'" + text + "': [" + cells + "] holds no cell");
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
  if (edit.cell < 0 && edit.kind == Intervention::Kind::set) {
    if (edit.value != 0) throw UsageError("'" + text + "': name one cell, for example '" + edit.site + "[0]'");
    edit.kind = Intervention::Kind::zero;
  }
  if ((edit.cell < 0 || edit.count != 1) && edit.kind == Intervention::Kind::pin)
    throw UsageError("'" + text + "': name one cell, for example '" + edit.site + "[0]'");
  return edit;
}

std::string to_text(const Intervention& edit) {
  std::string text = edit.site;
  if (edit.cell >= 0) {
    text += "[" + std::to_string(edit.cell);
    if (edit.count != 1) text += ":" + std::to_string(edit.cell + edit.count);
    text += "]";
  }
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

namespace {

// The value with the edit of the cells [begin, begin + count).
Tensor edited(const Intervention& edit, const Tensor& value, Index begin, Index count) {
  if (edit.cell >= 0 && (edit.count < 1 || edit.cell >= count || edit.count > count - edit.cell))
    throw UsageError("'" + to_text(edit) + "': the tensor has " + std::to_string(count) + " cells here");
  Tensor changed = value.clone();
  const Index cell = begin + edit.cell;
  const auto each = [&](auto f) {
    const Index from = edit.cell >= 0 ? cell : begin, cells = edit.cell >= 0 ? edit.count : count;
    for (Index i = from; i < from + cells; ++i) changed[i] = f(changed[i]);
  };
  switch (edit.kind) {
    case Intervention::Kind::set:
      each([&](Scalar) { return edit.value; });
      break;
    case Intervention::Kind::zero:
      each([](Scalar) { return Scalar(0); });
      break;
    case Intervention::Kind::scale:
      each([&](Scalar x) { return x * edit.value; });
      break;
    case Intervention::Kind::add:
      each([&](Scalar x) { return x + edit.value; });
      break;
    case Intervention::Kind::replace:
      if (static_cast<Index>(edit.values.size()) != count)
        throw UsageError("'" + to_text(edit) + "': the tensor has " + std::to_string(count) + " cells here");
      std::copy(edit.values.begin(), edit.values.end(), changed.data() + begin);
      break;
    case Intervention::Kind::pin: {
      const Index n = changed.columns(), from = cell / n * n;
      double sum = 0, others = 0;
      for (Index j = from; j < from + n; ++j) {
        sum += static_cast<double>(changed[j]);
        if (j != cell) others += static_cast<double>(changed[j]);
      }
      const double rest = sum - static_cast<double>(edit.value);
      // With nothing left to scale, the rest is shared out evenly.
      for (Index j = from; j < from + n; ++j) {
        if (j == cell) continue;
        changed[j] = static_cast<Scalar>(others != 0 ? static_cast<double>(changed[j]) * (rest / others)
                                                     : rest / static_cast<double>(n - 1));
      }
      changed[cell] = edit.value;
      break;
    }
  }
  return recorded(kEdit, {value}, std::move(changed));
}

}  // namespace

Tensor apply(const Intervention& edit, const Tensor& value) { return edited(edit, value, 0, value.size()); }

Tensor apply(const Intervention& edit, const Tensor& value, Index slice) {
  // The batch axis is still there: [1 x ..] or, of heads, [H x ..].
  const Index slices = value.dim(0), count = slices == 0 ? 0 : value.size() / slices;
  if (slice >= slices)
    throw UsageError("'" + to_text(edit) + "': there are " + std::to_string(slices) + " heads, counted from 0");
  return edited(edit, value, slice * count, count);
}

}  // namespace headlight
