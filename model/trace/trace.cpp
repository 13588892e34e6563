#include "model/trace/trace.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string_view>
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
  return by_site_.find(std::hash<std::string_view>()(site), [&](int i) { return (*this)[i].site.text == site; });
}

int Trace::first_sharing(const Tensor& tensor) const {
  const void* id = tensor.storage_id();
  return by_storage_.find(std::hash<const void*>()(id), [&](int i) { return (*this)[i].value.storage_id() == id; });
}

void Trace::add(TraceEntry entry) {
  const int index = size();
  const int first = first_sharing(entry.value);
  if (first < 0) {
    by_storage_.add(std::hash<const void*>()(entry.value.storage_id()), index);
  } else {
    next_sharing_[static_cast<std::size_t>(last_sharing_[static_cast<std::size_t>(first)])] = index;
    last_sharing_[static_cast<std::size_t>(first)] = index;
  }
  next_sharing_.push_back(-1);
  last_sharing_.push_back(index);
  by_site_.add(std::hash<std::string_view>()(entry.site.text), index);
  entries_.push_back(std::move(entry));
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
  const Node* maker = graph_ ? graph_->find(cell.tensor) : nullptr;
  const Location unnamed{Location::Kind::unnamed, -1, maker && maker->op ? maker->op->id : kConstant,
                         cell.tensor.shape(), cell.index};
  // A copy of something that has a name goes by that name (a gate within gates that were joined after an edit).
  for (Cell at = cell;;) {
    if (const Location named = named_location(at); named.kind != Location::Kind::unnamed) return named;
    const Node* node = graph_ ? graph_->find(at.tensor) : nullptr;
    const bool made = node && node->op;
    const Explanation how = made ? node->op->explain(*node, at.index) : Explanation{};
    if (made && how.kind == Explanation::Kind::copy) {
      at = how.terms[0].cells[0];
      continue;
    }
    // What an operation put there itself, like the zeros around a sequence.
    if (!made || (how.kind == Explanation::Kind::leaf && how.terms.empty()))
      return {Location::Kind::unnamed, -1, kConstant, at.tensor.shape(), at.index};
    return unnamed;
  }
}

Location Trace::named_location(const Cell& cell) const {
  const Index address = cell.tensor.offset() + cell.index;
  Location best;
  // The smallest tensor that holds the cell names it best (a gate rather than all gates); of several the first one is
  // where the value was made.
  each_sharing(cell.tensor, [&](int i) {
    const Tensor& value = (*this)[i].value;
    if (address < value.offset() || address >= value.offset() + value.size()) return;
    if (best.entry >= 0 && value.size() >= best.shape.size()) return;
    best = {Location::Kind::activation, i, {}, value.shape(), address - value.offset()};
  });
  if (best.entry >= 0) {
    best.name = (*this)[best.entry].site.text;
    return best;
  }
  const auto found = parameter_by_storage_.find(cell.tensor.storage_id());
  if (found == parameter_by_storage_.end()) return best;
  const NamedTensor& parameter = parameters_[static_cast<std::size_t>(found->second)];
  return {Location::Kind::parameter, -1, parameter.name, parameter.value.shape(), address - parameter.value.offset()};
}

const Op* Trace::operation(int entry) const {
  const TraceEntry& e = (*this)[entry];
  if (!graph_ || e.value.size() == 0) return nullptr;
  return explain(entry, 0).op;
}

namespace {

bool overlap(const Tensor& a, const Tensor& b) {
  return a.offset() < b.offset() + b.size() && b.offset() < a.offset() + a.size();
}

bool holds(const Tensor& whole, const Tensor& part) {
  return whole.offset() <= part.offset() && part.offset() + part.size() <= whole.offset() + whole.size();
}

// A second name for the same cells stands for the first one, unless it belongs to another step: the joined heads rather
// than the heads, but the last state of a cell beside the query that it becomes.
void drop_older_names(const Trace& trace, std::set<int>& names) {
  std::erase_if(names, [&](int older) {
    return std::any_of(names.begin(), names.end(), [&](int newer) {
      const TraceEntry &a = trace[older], &b = trace[newer];
      return newer > older && a.value.storage_id() == b.value.storage_id() && holds(a.value, b.value) &&
             holds(b.value, a.value) && (b.site.step < 0 || b.site.step == a.site.step);
    });
  });
}

// Of several parts of one tensor (the gates of an LSTM), the operation may read only some: its arithmetic says which.
void keep_what_is_read(const Trace& trace, int entry, std::vector<int>& names) {
  bool parts = false;
  for (std::size_t i = 1; i < names.size(); ++i)
    parts = parts || !overlap(trace[names[0]].value, trace[names[i]].value);
  if (!parts) return;
  std::set<int> read;
  for (const Index index : {Index{0}, trace[entry].value.size() - 1})
    for (const Term& term : trace.explain(entry, index).terms)
      for (const Cell& cell : term.cells) read.insert(trace.locate(cell).entry);
  std::vector<int> kept;
  for (const int name : names)
    if (read.contains(name)) kept.push_back(name);
  if (!kept.empty()) names = std::move(kept);
}

}  // namespace

std::vector<int> Trace::inputs(int entry) const {
  std::set<int> found;
  if (!graph_) return {};
  std::vector<Tensor> open = {(*this)[entry].value};
  // Another name for cells that had one (the first state of a decoder, a gate's columns) comes from there.
  int whole = -1;
  each_sharing(open[0], [&](int other) {
    if (other < entry && holds((*this)[other].value, open[0])) whole = other;
  });
  if (whole >= 0) return {whole};
  std::unordered_set<const Node*> seen;
  while (!open.empty()) {
    const Tensor tensor = open.back();
    open.pop_back();
    const Node* node = graph_->find(tensor);
    if (!node || !seen.insert(node).second) continue;
    for (const Tensor& input : node->inputs) {
      if (!input.defined()) continue;
      // A view (a block of columns, a head) comes from what holds all of it, not from its neighbours.
      const bool view = input.storage_id() == tensor.storage_id();
      std::vector<int> names;
      each_sharing(input, [&](int other) {
        const Tensor& value = (*this)[other].value;
        if (other < entry && (view ? holds(value, tensor) : overlap(value, input))) names.push_back(other);
      });
      if (names.empty()) open.push_back(input);
      keep_what_is_read(*this, entry, names);
      found.insert(names.begin(), names.end());
    }
  }
  drop_older_names(*this, found);
  return {found.begin(), found.end()};
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
