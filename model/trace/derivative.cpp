// Derivatives of one value of a trace by another, through the graph that explains it.

#include "model/trace/trace.h"

namespace headlight {

Tensor Trace::derivative(int of, const std::vector<Index>& cells, int by, const CancelToken& cancel) const {
  if (!graph_) throw UsageError("this run kept no graph: run it again with explanations on");
  const Tensor &above = (*this)[of].value, &below = (*this)[by].value;
  // Going backward writes into a graph: a copy of its nodes, which shares their values.
  const std::shared_ptr<Graph> graph = graph_->beginning(graph_->size());
  const Node *from = graph->find(above), *to = graph->find(below);
  Tensor rows = Tensor::zeros({static_cast<Index>(cells.size()), below.size()});
  if (!from || !to) return rows;
  const Tensor from_whole = from->output, to_whole = to->output;
  const Index first = above.offset() - from_whole.offset(), place = below.offset() - to_whole.offset();
  for (std::size_t row = 0; row < cells.size(); ++row) {
    cancel.check();
    Tensor seed = Tensor::zeros(from_whole.shape());
    seed[first + cells[row]] = 1;
    graph->backward(from_whole, seed);
    const Tensor gradient = graph->gradient(to_whole);
    if (!gradient) continue;
    for (Index i = 0; i < below.size(); ++i) rows[static_cast<Index>(row) * below.size() + i] = gradient[place + i];
  }
  return rows;
}

}  // namespace headlight
