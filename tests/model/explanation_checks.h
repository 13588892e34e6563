// Explanations: the arithmetic behind every cell of every site, done again, and followed down to where it starts.
#pragma once

#include <map>
#include <set>

#include "model/trace/trace.h"
#include "tests/model/gradient_cases.h"

namespace headlight::testing {

inline std::shared_ptr<const Trace> explained_trace(const Model& model, std::vector<Intervention> edits = {}) {
  Recorder recorder({}, std::move(edits));
  const auto decoding = model.begin(Tensor::of({4, 1}, {3, 1, 4, 1}), recorder.tap());
  for (const Scalar id : {Scalar(0), Scalar(2), Scalar(5)}) decoding->advance(Tensor::full({1, 1}, id), recorder.tap());
  std::vector<NamedTensor> parameters;
  for (const Parameter& p : model.parameters().all()) parameters.push_back({p.name, p.value});
  return recorder.finish(std::move(parameters));
}

inline double function_of(const std::string& name, double x) {
  if (name == "σ") return 1 / (1 + std::exp(-x));
  if (name == "tanh") return std::tanh(x);
  if (name == "exp") return std::exp(x);
  if (name == "cos") return std::cos(x);
  if (name == "sin") return std::sin(x);
  if (name == "log") return std::log(x);
  if (name == "relu") return std::max(x, 0.0);
  if (name == "relu2") return x > 0 ? x * x : 0;
  if (name == "gelu") return x * std::erfc(-x / std::sqrt(2)) / 2;
  if (name == "gelu_tanh") return x / (1 + std::exp(-std::sqrt(8 / std::acos(-1)) * (x + 0.044715 * x * x * x)));
  if (name == "silu") return x / (1 + std::exp(-x));
  if (name == "1/√") return std::pow(x, -0.5);
  if (name == "softplus") return std::log1p(std::exp(x));
  if (name == "1 + softplus") return 1 + std::log1p(std::exp(x));
  return std::nan("");  // a function that nobody knows
}

// What the terms of an explanation come to, by its kind.
inline double total_of(const Explanation& e) {
  double sum = 0;
  for (const Term& term : e.terms) sum += term.value;
  switch (e.kind) {
    case Explanation::Kind::function_of_sum:
      return function_of(e.function, sum);
    case Explanation::Kind::share:
      return sum == 0 ? 0 : e.terms.at(0).value / sum;  // a fully masked row
    case Explanation::Kind::leaf:
      return e.value;
    default:
      return sum;
  }
}

inline bool is_product(const std::string& label) {
  static const std::set<std::string> labels = {"x·W", "q·k", "a·v", "f⊙c′", "g⊙i", "a⊙b", "x⊙m", "z⊙b", "k_n·x", "x·E"};
  return labels.contains(label);
}

// Empty when the arithmetic of this cell holds.
inline QString arithmetic_error(const Explanation& e, const Cell& cell, double tolerance) {
  const auto differs = [&](double got, double expected) {
    return !difference(std::vector<double>{got}, std::vector<double>{expected}, tolerance).isEmpty();
  };
  if (differs(e.value, cell.value())) return QString("explains %1").arg(e.value);
  if (differs(e.recomputed, cell.value())) return QString("recomputed %1").arg(e.recomputed);
  if (differs(total_of(e), cell.value())) return QString("its terms make %1").arg(total_of(e));
  if (e.terms.empty() != (e.kind == Explanation::Kind::leaf)) return "a leaf with terms, or terms of nothing";
  for (const Term& term : e.terms) {
    const QString label = QString::fromStdString(term.label);
    if (label.isEmpty() || term.cells.empty()) return "a term without a label or without cells";
    if (!is_product(term.label)) continue;
    if (term.cells.size() != 2) return label + ": not two factors";
    if (differs(term.value, term.cells[0].value() * term.cells[1].value())) return label + ": not its product";
  }
  return {};
}

inline QString arithmetic_error(const Trace& trace, const Cell& cell, double tolerance) {
  return arithmetic_error(trace.explain(cell), cell, tolerance);
}

// All operations behind `output`, each for every cell: also what no model of today does, and batches.
inline bool every_node_adds_up(const Graph& graph, const Tensor& output, double tolerance) {
  const Node* node = graph.find(output);
  if (!node || !node->op) return true;
  bool ok = true;
  for (Index cell = 0; cell < node->output.size(); ++cell)
    ok = same(arithmetic_error(node->op->explain(*node, cell), {node->output, cell}, tolerance), node->op->id) && ok;
  for (const Tensor& input : node->inputs)
    if (input.defined()) ok = every_node_adds_up(graph, input, tolerance) && ok;
  return ok;
}

inline bool every_cell_adds_up(const Trace& trace, double tolerance) {
  bool ok = trace.size() > 0;
  for (int i = 0; i < trace.size(); ++i)
    for (Index cell = 0; cell < trace[i].value.size(); ++cell)
      ok = same(arithmetic_error(trace, {trace[i].value, cell}, tolerance), trace[i].site.text.c_str()) && ok;
  return ok;
}

// Follows the terms of a cell down, depth first.
class Walk {
 public:
  // Ways may also end at the sites `inputs`, without indices.
  explicit Walk(const Trace& trace, std::set<std::string> inputs = {}) : trace_(trace), inputs_(std::move(inputs)) {}

  // False when a way ends where nothing is explained, leads back to itself, or passes a number without a name.
  bool down(const Cell& cell) {
    const Key key{cell.tensor.storage_id(), cell.tensor.offset() + cell.index};
    if (const auto seen = state_.find(key); seen != state_.end())
      return seen->second == State::done || same("a circle", trace_.locate(cell).text().c_str());
    state_[key] = State::open;
    const Location at = trace_.locate(cell);
    const std::string name = at.text();
    const Explanation e = trace_.explain(cell);
    bool ok = true;
    if (at.kind == Location::Kind::unnamed && at.name != "constant") ok = same("has no name", name.c_str());
    if (e.terms.empty()) {
      ends.insert(at.kind == Location::Kind::parameter ? "parameter" : without_indices(at.name));
      ok = (may_end(at) || same("a dead end", name.c_str())) && ok;
    }
    for (const Term& term : e.terms)
      for (const Cell& c : term.cells) ok = down(c) && ok;
    state_[key] = State::done;
    return ok;
  }

  std::set<std::string> ends;  // where ways ended: "parameter", or a site without indices

 private:
  enum class State { open, done };
  using Key = std::pair<const void*, Index>;

  bool may_end(const Location& at) const {
    if (at.kind == Location::Kind::parameter) return true;
    if (at.kind == Location::Kind::unnamed) return at.name == "constant";  // the encoder's zeros before the first token
    const std::string site = without_indices(at.name);
    return site == "input.src.ids" || site == "decoder.step.input.id" || site == "decoder.init.c" ||
           inputs_.contains(site);
  }

  const Trace& trace_;
  std::set<std::string> inputs_;
  std::map<Key, State> state_;
};

inline void add_model_rows() {
  QTest::addColumn<std::string>("architecture");
  QTest::addColumn<bool>("reverse");
  for (const char* architecture : kArchitectures)
    for (const bool reverse : {false, true})
      QTest::newRow((std::string(architecture) + (reverse ? " reversed" : "")).c_str())
          << std::string(architecture) << reverse;
}
inline std::unique_ptr<Model> fetch_model() {
  QFETCH(std::string, architecture);
  QFETCH(bool, reverse);
  return tiny_model(architecture.c_str(), reverse);
}

inline bool walks_reach_the_ground() {
  const auto model = fetch_model();
  const auto trace = explained_trace(*model);
  Walk walk(*trace);
  const Tensor probabilities = trace->value("decoder.step[2].output.probs");
  bool ok = true;
  for (Index v = 0; v < probabilities.size(); ++v) ok = walk.down({probabilities, v}) && ok;
  // All of them were met: a prediction rests on the weights, both texts, and the zeros it starts from.
  const std::set<std::string> expected = {"parameter", "input.src.ids", "decoder.step.input.id", "decoder.init.c",
                                          "constant"};
  return ok && (walk.ends == expected || same("other ends than expected", "walk"));
}

inline bool operation_row_adds_up(double tolerance) {
  QFETCH(int, row);
  const Differentiable function = all_gradient_cases()[static_cast<std::size_t>(row)];
  Graph graph(Graph::Keep::everything);
  const Graph::Scope scope(&graph);
  const Tensor y = function.f(function.inputs);
  return graph.find(y) && every_node_adds_up(graph, y, tolerance);
}

}  // namespace headlight::testing
