#include "model/core/graph.h"

#include <atomic>

#include "model/core/slices.h"

namespace headlight {

namespace {
thread_local Graph* current_graph = nullptr;
std::atomic<std::uint64_t> next_serial{1};
const OnePerWork graph_of_work(&current_graph, sizeof(current_graph));
}  // namespace

Graph::Graph(Keep keep) : keep_(keep), serial_(next_serial.fetch_add(1)) {
  constexpr std::size_t kUsual = 1024;  // nodes of a run; while they grow they are moved
  if (keep_ == Keep::everything) nodes_.reserve(kUsual);
}

Graph::Scope::Scope(Graph* graph) : previous_(current_graph) { current_graph = graph; }
Graph::Scope::~Scope() { current_graph = previous_; }
Graph* Graph::current() { return current_graph; }

std::int32_t Graph::index_of(const Tensor& tensor) const {
  if (tensor.node().graph == serial_) return tensor.node().node;
  if (!tensor.is_parameter()) return -1;
  const auto found = parameters_.find(tensor.address());
  return found == parameters_.end() ? -1 : found->second;
}

const Node* Graph::find(const Tensor& tensor) const {
  const std::int32_t index = index_of(tensor);
  return index < 0 ? nullptr : &nodes_[static_cast<std::size_t>(index)];
}

std::shared_ptr<Graph> Graph::beginning(std::size_t count) const {
  auto graph = std::make_shared<Graph>(keep_);
  graph->serial_ = serial_;
  graph->nodes_.assign(nodes_.begin(), nodes_.begin() + static_cast<std::ptrdiff_t>(count));
  for (const auto& [values, node] : parameters_)
    if (static_cast<std::size_t>(node) < count) graph->parameters_.emplace(values, node);
  return graph;
}

std::int32_t Graph::leaf(const Tensor& tensor) {
  const auto index = static_cast<std::int32_t>(nodes_.size());
  nodes_.emplace_back().output = tensor;
  return index;
}

void Graph::watch(Tensor& tensor) { tensor.set_node({serial_, leaf(tensor)}); }

void Graph::append(const Op& op, std::span<const Tensor> inputs, Tensor& output, const Attributes& attributes,
                   const Tensor& saved) {
  bool tracked = keep_ == Keep::everything;
  for (const Tensor& input : inputs) {
    if (input.is_parameter() && input.node().graph != serial_ && !parameters_.contains(input.address()))
      parameters_.emplace(input.address(), leaf(input));
    tracked = tracked || index_of(input) >= 0;
  }
  if (!tracked) return;
  const auto index = static_cast<std::int32_t>(nodes_.size());
  Node& node = nodes_.emplace_back();
  node.op = &op;
  node.inputs.assign(inputs.begin(), inputs.end());
  node.attributes = attributes;
  node.saved = saved;
  output.set_node({serial_, index});
  node.output = output;
}

void Graph::backward(const Tensor& output, const Tensor& seed) {
  const std::int32_t last = index_of(output);
  require_shape(last >= 0 && seed.shape() == output.shape(), "backward", "a tensor of this graph and its seed",
                seed.shape());
  gradients_.assign(nodes_.size(), {});
  gradients_[static_cast<std::size_t>(last)] = {seed, false};
  for (std::int32_t i = last; i >= 0; --i) {
    const Node& node = nodes_[static_cast<std::size_t>(i)];
    Gradient& gradient = gradients_[static_cast<std::size_t>(i)];
    if (!node.op || !gradient.sum) continue;
    if (node.op->backward) node.op->backward(node, gradient.sum, *this);
    slice_point();
    if (keep_ == Keep::gradients) gradient = {};  // nobody asks for an inner gradient again
  }
  compute_outer_products();
}

void Graph::add_outer_product(const Tensor& weight, const Tensor& x, const Tensor& g) {
  const std::int32_t index = index_of(weight);
  if (index < 0) return;
  if (!weight.is_parameter()) {  // its node runs backward before the end
    target(weight).matrix().noalias() += x.matrix().transpose() * g.matrix();
    return;
  }
  OuterProducts& products = outer_products_[index];
  products.weight = weight;
  products.pairs.emplace_back(x, g);
}

const PackedMatrix* Graph::packed(const Tensor& weight, bool transposed) {
  if (!weight.is_parameter() || weight.halves()) return nullptr;
  Packing& packing = packings_[transposed][weight.address()];
  if (++packing.uses == 2) packing.matrix = std::make_unique<PackedMatrix>(weight, transposed);
  return packing.matrix.get();
}

void Graph::compute_outer_products() {
  for (auto& [index, products] : outer_products_) {
    if (products.pairs.size() == 1) {
      const auto& [x, g] = products.pairs.front();
      target(products.weight).matrix().noalias() += x.matrix().transpose() * g.matrix();
      continue;
    }
    Index rows = 0;
    for (const auto& [x, g] : products.pairs) rows += x.rows();
    Tensor xs({rows, products.weight.dim(0)}), gs({rows, products.weight.dim(1)});
    Index at = 0;
    for (const auto& [x, g] : products.pairs) {
      xs.matrix().middleRows(at, x.rows()) = x.matrix();
      gs.matrix().middleRows(at, x.rows()) = g.matrix();
      at += x.rows();
    }
    target(products.weight).matrix().noalias() += xs.matrix().transpose() * gs.matrix();
  }
  outer_products_.clear();
}

Tensor Graph::gradient(const Tensor& tensor) const {
  const std::int32_t index = index_of(tensor);
  if (index < 0 || static_cast<std::size_t>(index) >= gradients_.size()) return {};
  return gradients_[static_cast<std::size_t>(index)].sum;
}

void Graph::add(const Tensor& input, const Tensor& gradient) {
  const std::int32_t index = index_of(input);
  if (index < 0) return;
  require_shape(gradient.shape().size() == input.size(), "gradient", input.shape().text(), gradient.shape());
  Gradient& g = gradients_[static_cast<std::size_t>(index)];
  if (!g.sum) {
    g = {gradient.view(0, input.shape()), false};
  } else {
    target(input).array() += gradient.array();
  }
}

Tensor& Graph::target(const Tensor& input) {
  const std::int32_t index = index_of(input);
  if (index < 0) throw std::logic_error("gradient target of a tensor that wants none");
  Gradient& g = gradients_[static_cast<std::size_t>(index)];
  if (!g.sum) {
    g = {Tensor::zeros(input.shape()), true};
  } else if (!g.owned) {
    g = {g.sum.clone(), true};
  }
  return g.sum;
}

Tensor recorded(const Op& op, std::span<const Tensor> inputs, Tensor output, const Attributes& attributes,
                const Tensor& saved) {
  if (Graph* graph = Graph::current()) graph->append(op, inputs, output, attributes, saved);
  slice_point();
  return output;
}

}  // namespace headlight
