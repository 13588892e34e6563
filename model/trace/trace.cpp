#include "model/trace/trace.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace headlight {

namespace {
constexpr const char* kConstant = "constant";
}  // namespace

std::string Location::text() const {
  std::string text = name + "[";
  // The flat index as one number for each axis.
  std::vector<Index> position(static_cast<std::size_t>(shape.rank()));
  Index rest = index;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    position[static_cast<std::size_t>(axis)] = rest % shape[axis];
    rest /= shape[axis];
  }
  for (std::size_t i = 0; i < position.size(); ++i) text += (i ? ", " : "") + std::to_string(position[i]);
  return text + "]";
}

int Trace::find(const std::string& site) const {
  const auto found = by_site_.find(site);
  return found == by_site_.end() ? -1 : found->second;
}

Tensor Trace::value(const std::string& site) const {
  if (const int i = find(site); i >= 0) return (*this)[i].value;
  const HeadSite head(site);
  const int i = head.all.empty() ? -1 : find(head.all);
  if (i < 0 || head.index >= (*this)[i].value.dim(0)) return {};
  const Tensor& all = (*this)[i].value;
  Tensor one = all.view(head.index * all.shape().without(0).size(), all.shape().without(0));
  one.set_node(all.node());
  return one;
}

Location Trace::locate(const Cell& cell) const {
  const Index address = cell.tensor.offset() + cell.index;
  Location best;
  if (const auto found = by_storage_.find(cell.tensor.storage_id()); found != by_storage_.end()) {
    // The smallest tensor that holds the cell names it best (a gate rather than all gates); of several the first one is
    // where the value was made.
    for (const int i : found->second) {
      const Tensor& value = (*this)[i].value;
      if (address < value.offset() || address >= value.offset() + value.size()) continue;
      if (best.entry >= 0 && value.size() >= best.shape.size()) continue;
      best = {Location::Kind::activation, i, (*this)[i].site.text, value.shape(), address - value.offset()};
    }
  }
  if (best.entry >= 0) return best;
  if (const auto found = parameter_by_storage_.find(cell.tensor.storage_id()); found != parameter_by_storage_.end()) {
    const NamedTensor& parameter = parameters_[static_cast<std::size_t>(found->second)];
    return {Location::Kind::parameter, -1, parameter.name, parameter.value.shape(), address - parameter.value.offset()};
  }
  const Node* node = graph_ ? graph_->find(cell.tensor) : nullptr;
  // A copy of something that has a name goes by that name (a gate within gates that were joined after an edit).
  if (node && node->op) {
    const Explanation made = node->op->explain(*node, cell.index);
    if (made.kind == Explanation::Kind::copy) {
      const Location source = locate(made.terms[0].cells[0]);
      if (source.kind != Location::Kind::unnamed || source.name == kConstant) return source;
    }
    // What an operation put there itself, like the zeros around a sequence.
    if (made.kind == Explanation::Kind::leaf && made.terms.empty()) node = nullptr;
  }
  return {Location::Kind::unnamed, -1, node && node->op ? node->op->id : kConstant, cell.tensor.shape(), cell.index};
}

const Op* Trace::operation(int entry) const {
  const TraceEntry& e = (*this)[entry];
  if (!graph_ || e.value.size() == 0) return nullptr;
  return explain(entry, 0).op;
}

std::vector<int> Trace::inputs(int entry) const {
  std::vector<int> found;
  if (!graph_) return found;
  // An entry goes by its storage: a block of columns, or a head, is a view of what was computed as a whole.
  const Tensor& own = (*this)[entry].value;
  const auto within = [](const Tensor& part, const Tensor& whole) {
    return whole.offset() <= part.offset() && part.offset() + part.size() <= whole.offset() + whole.size();
  };
  const auto add_named = [&](const Tensor& input) {
    const auto named = by_storage_.find(input.storage_id());
    if (named == by_storage_.end()) return false;
    const std::size_t before = found.size();
    for (const int other : named->second) {
      const Tensor& value = (*this)[other].value;
      // Its neighbours within the same whole are not what a block was made from.
      const bool read = input.storage_id() == own.storage_id() ? within(own, value)
                                                               : value.offset() < input.offset() + input.size() &&
                                                                     input.offset() < value.offset() + value.size();
      if (other < entry && read) found.push_back(other);
    }
    return found.size() > before;
  };
  std::vector<const Node*> open = {graph_->find(own)};
  std::unordered_set<const Node*> seen;
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    if (!node || !seen.insert(node).second) continue;
    for (const Tensor& input : node->inputs)
      if (input.defined() && !add_named(input)) open.push_back(graph_->find(input));
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

namespace {

// Whether a term is the number of its one cell, unchanged (a NaN is, too).
bool is_itself(const Term& term) {
  const double cell = term.cells[0].value();
  return term.value == cell || (std::isnan(term.value) && std::isnan(cell));
}

bool additive(const Explanation& e) { return e.kind == Explanation::Kind::sum; }

}  // namespace

Explanation Trace::explain(const Cell& cell) const {
  if (!graph_) throw UsageError("this run kept no graph: run it again with explanations on");
  const auto one = [&](const Cell& c) -> Explanation {
    const Node* node = graph_->find(c.tensor);
    if (node && node->op) return node->op->explain(*node, c.index);
    Explanation leaf;
    leaf.value = leaf.recomputed = c.value();
    return leaf;
  };
  const Location here = locate(cell);
  if (here.kind == Location::Kind::parameter) {  // also through a view, which is the same cell
    Explanation leaf;
    leaf.value = leaf.recomputed = cell.value();
    return leaf;
  }
  const int self = here.entry;
  // Whether the reader knows this cell by a name other than the one that is being explained.
  const auto named_elsewhere = [&](const Cell& c) {
    const Location at = locate(c);
    return at.kind == Location::Kind::parameter || (at.entry >= 0 && at.entry != self);
  };
  Explanation result = one(cell);
  // A view of something without a name: what counts is how that was computed.
  while (result.kind == Explanation::Kind::copy && !named_elsewhere(result.terms[0].cells[0])) {
    Explanation next = one(result.terms[0].cells[0]);
    if (next.kind == Explanation::Kind::leaf && next.terms.empty()) break;
    result = std::move(next);
  }
  // A number that an unnamed copy brought along (an embedding, before it is scaled) leads on to all that chose it.
  for (Term& term : result.terms) {
    if (term.cells.size() != 1 || !graph_->find(term.cells[0].tensor) || locate(term.cells[0]).entry >= 0) continue;
    const Explanation made = one(term.cells[0]);
    if (made.kind == Explanation::Kind::copy && made.terms[0].cells.size() > 1) term.cells = made.terms[0].cells;
  }
  // A plain sum within a sum is opened: "h′Wh + (x Wx + b)" reads as one sum.
  if (result.kind != Explanation::Kind::sum && result.kind != Explanation::Kind::function_of_sum) return result;
  std::vector<Term> open;
  for (Term& term : result.terms) {
    if (term.cells.size() != 1 || !is_itself(term) || named_elsewhere(term.cells[0])) {
      open.push_back(std::move(term));
      continue;
    }
    Explanation inner = explain(term.cells[0]);
    if (!additive(inner)) {
      open.push_back(std::move(term));
      continue;
    }
    for (Term& t : inner.terms) open.push_back(std::move(t));
  }
  result.terms = std::move(open);
  return result;
}

}  // namespace headlight
