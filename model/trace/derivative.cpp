// Derivatives of one value of a trace by others, through the graph that explains it.

#include <cmath>

#include "model/trace/trace.h"

namespace headlight {

namespace {

// Going backward writes into a graph: a copy of its nodes, which shares their values.
std::shared_ptr<Graph> walked(const std::shared_ptr<const Graph>& graph) {
  if (!graph) throw UsageError("this run kept no graph: run it again with explanations on");
  return graph->beginning(graph->size());
}

// Back from each of these cells of a value; `look(row)` sees the gradients of that walk. None where no op made it.
template <class Look>
void walk_back(Graph& graph, const Tensor& value, const std::vector<Index>& cells, const CancelToken& cancel,
               const Look& look) {
  const Node* node = graph.find(value);
  if (!node) return;
  const Tensor whole = node->output;
  const Index first = value.offset() - whole.offset();
  for (std::size_t row = 0; row < cells.size(); ++row) {
    cancel.check();
    Tensor seed = Tensor::zeros(whole.shape());
    seed[first + cells[row]] = 1;
    graph.backward(whole, seed);
    look(row);
  }
}

}  // namespace

Tensor Trace::derivative(int of, const std::vector<Index>& cells, int by, const CancelToken& cancel) const {
  const std::shared_ptr<Graph> graph = walked(graph_);
  const Tensor& below = (*this)[by].value;
  Tensor rows = Tensor::zeros({static_cast<Index>(cells.size()), below.size()});
  const Node* to = graph->find(below);
  if (!to) return rows;
  const Tensor whole = to->output;
  const Index place = below.offset() - whole.offset();
  walk_back(*graph, (*this)[of].value, cells, cancel, [&](std::size_t row) {
    const Tensor gradient = graph->gradient(whole);
    if (!gradient) return;
    for (Index i = 0; i < below.size(); ++i) rows[static_cast<Index>(row) * below.size() + i] = gradient[place + i];
  });
  return rows;
}

std::vector<double> Trace::gradient_lengths(const TraceRange& of, const std::vector<TraceRange>& by,
                                            const CancelToken& cancel) const {
  const std::shared_ptr<Graph> graph = walked(graph_);
  std::vector<double> lengths(by.size(), 0);
  std::vector<Tensor> wholes;  // undefined: no op made it
  for (const TraceRange& one : by) {
    const Node* node = one.entry >= 0 ? graph->find((*this)[one.entry].value) : nullptr;
    wholes.push_back(node ? node->output : Tensor());
  }
  std::vector<Index> cells;
  for (Index i = 0; i < of.count; ++i) cells.push_back(of.first + i);
  walk_back(*graph, (*this)[of.entry].value, cells, cancel, [&](std::size_t) {
    for (std::size_t k = 0; k < by.size(); ++k) {
      const Tensor gradient = wholes[k] ? graph->gradient(wholes[k]) : Tensor();
      if (!gradient) continue;
      const Index first = (*this)[by[k].entry].value.offset() - wholes[k].offset() + by[k].first;
      for (Index i = first; i < first + by[k].count; ++i)
        lengths[k] += static_cast<double>(gradient[i]) * static_cast<double>(gradient[i]);
    }
  });
  for (double& length : lengths) length = std::sqrt(length);
  return lengths;
}

}  // namespace headlight
