// The computation graph: what ops did, in order. One mechanism serves gradients, traces and explanations.
//
// Ops are free functions on const tensors (model/ops). Each has one `Op` row: its name, formula and paper, how it
// passes gradients back, and how it explains a cell. While a Graph is current on a thread, ops append nodes to it;
// without one they only compute, and pay one null check.
#pragma once

#include <array>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/core/packed.h"
#include "model/core/tensor.h"

namespace headlight {

class Graph;
struct Node;

// One number of one tensor.
struct Cell {
  Tensor tensor;
  Index index = 0;
  double value() const { return static_cast<double>(tensor[index]); }
};

// One term of the arithmetic behind a cell: a product of cells, or a function of one.
struct Term {
  std::string label;        // what this term is, in symbols: "x·W", "b", "exp(s − max)", "f⊙c′"
  double value = 0;         // of the whole term
  std::vector<Cell> cells;  // the cells that it was made from, in the order of the label
};

// How one number came about. `recomputed` is the arithmetic done again in double from the terms: tests compare it with
// `value` for every cell of every site.
struct Explanation {
  // How the terms make the result: the sum of all terms; a function of the sum (named by `function`, for example "σ");
  // the first term divided by the sum of all terms (softmax); or the same number under another name.
  enum class Kind { sum, function_of_sum, share, copy, leaf };
  Kind kind = Kind::leaf;
  const struct Op* op = nullptr;
  std::string function;  // function_of_sum only
  std::vector<Term> terms;
  double value = 0;
  double recomputed = 0;
};

// The registry row of an operation.
struct Op {
  const char* id;       // "linear", "softmax": stable, shown in the window
  const char* formula;  // in the notation of the papers, row convention: "y = x W + b"
  const char* paper;    // "Bahdanau et al. 2015, eq. 6"; empty where the formula is common knowledge
  // Adds the gradients of the node's inputs to the graph, given the gradient of its output. Null: no gradient flows.
  void (*backward)(const Node&, const Tensor& gradient, Graph&);
  // The arithmetic of one cell of the node's output.
  Explanation (*explain)(const Node&, Index cell);
};

// Small constants of a node: sizes, offsets, a factor. Their meaning is the op's own.
struct Attributes {
  std::array<Index, 4> i{};
  double x = 0;
};

struct Node {
  const Op* op = nullptr;  // null: a leaf (parameter or input)
  std::vector<Tensor> inputs;
  Tensor output;
  Attributes attributes;
  Tensor saved;  // what backward needs beyond inputs and output
};

class Graph {
 public:
  enum class Keep {
    gradients,   // only what depends on a parameter (or a tensor that was watched): training
    everything,  // all ops: traces that explain themselves
  };
  explicit Graph(Keep keep);
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // Makes a graph current on this thread while it lives. Null switches recording off.
  class Scope {
   public:
    explicit Scope(Graph* graph);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Graph* previous_;
  };
  static Graph* current();

  // The node that made `tensor` (or stands for it as a leaf), or null.
  const Node* find(const Tensor& tensor) const;
  std::size_t size() const { return nodes_.size(); }
  // A graph that goes on behind the first `count` nodes of this one: what they made is known to it.
  std::shared_ptr<Graph> beginning(std::size_t count) const;

  // Called by ops, through recorded().
  void append(const Op& op, std::span<const Tensor> inputs, Tensor& output, const Attributes& attributes,
              const Tensor& saved);

  // Wants the gradient of a tensor that is no parameter.
  void watch(Tensor& tensor);

  // Runs backward from `output`, whose gradient is `seed` (same shape).
  void backward(const Tensor& output, const Tensor& seed);
  // dLoss/dtensor after backward(); an undefined tensor where none arrived.
  Tensor gradient(const Tensor& tensor) const;

  // For Op::backward. `wants` says whether a gradient for this input is needed at all. `add` hands one over: it may be
  // kept as it is, so it must not be written afterwards. `target` is the zero-filled sum itself, for in-place products.
  bool wants(const Tensor& input) const { return index_of(input) >= 0; }
  void add(const Tensor& input, const Tensor& gradient);
  Tensor& target(const Tensor& input);
  // Adds xᵀ g to the gradient of a weight. The products of a weight that is used at every time step are gathered, and
  // computed as one large product at the end of backward().
  void add_outer_product(const Tensor& weight, const Tensor& x, const Tensor& g);
  // The weight (or its transpose) laid out for many products, from its second use in this graph on; null for a first
  // use, for a tensor that is no parameter and for one in half precision. Parameters do not change while a graph lives.
  const PackedMatrix* packed(const Tensor& weight, bool transposed);

 private:
  struct Gradient {
    Tensor sum;
    bool owned = false;  // false: `sum` is shared with somebody and must be copied before it is added to
  };
  struct OuterProducts {
    Tensor weight;
    std::vector<std::pair<Tensor, Tensor>> pairs;
  };
  struct Packing {
    int uses = 0;
    std::unique_ptr<PackedMatrix> matrix;
  };
  void compute_outer_products();
  std::int32_t index_of(const Tensor& tensor) const;
  std::int32_t leaf(const Tensor& tensor);

  Keep keep_;
  std::uint64_t serial_;
  std::vector<Node> nodes_;
  std::vector<Gradient> gradients_;
  std::unordered_map<std::int32_t, OuterProducts> outer_products_;
  std::array<std::unordered_map<const Scalar*, Packing>, 2> packings_;  // as it is, transposed
  std::unordered_map<const Scalar*, std::int32_t> parameters_;  // leaves of this graph by the address of their values
};

// Every op ends with this: registers the node when a graph listens, and returns the output.
Tensor recorded(const Op& op, std::span<const Tensor> inputs, Tensor output, const Attributes& attributes = {},
                const Tensor& saved = {});
inline Tensor recorded(const Op& op, std::initializer_list<Tensor> inputs, Tensor output,
                       const Attributes& attributes = {}, const Tensor& saved = {}) {
  return recorded(op, std::span<const Tensor>(inputs.begin(), inputs.size()), std::move(output), attributes, saved);
}

}  // namespace headlight
