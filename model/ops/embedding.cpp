// Rows of a table by id.

#include <cmath>
#include <sstream>

#include "model/ops/basic.h"
#include "model/ops/explaining.h"
#include "model/ops/gradients.h"

namespace headlight {

namespace {

void embedding_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor& ids = node.inputs[0];
  add_to_rows(graph, node.inputs[1], gradient, [&](Index i) { return static_cast<Index>(ids[i]); });
}

Explanation embedding_explain(const Node& node, Index cell) {
  const Tensor &ids = node.inputs[0], &table = node.inputs[1];
  const Index d = table.columns(), i = cell / d;
  Explanation explanation = explaining::copy(node, cell, {table, static_cast<Index>(ids[i]) * d + cell % d});
  explanation.terms[0].label = "E[id]";
  explanation.terms[0].cells.push_back({ids, i});
  return explanation;
}

// Ids may have been edited by hand, so they may be anything, also no number.
[[noreturn]] void refuse(Scalar id, Index count) {
  std::ostringstream text;
  text << "token id " << id << " is outside the vocabulary of " << count;
  throw UsageError(text.str());
}

const Op kEmbedding{"embedding", "y = E[id]", "", embedding_backward, embedding_explain};

}  // namespace

Tensor embedding(const Tensor& ids, const Tensor& table) {
  const Index d = table.columns();
  std::vector<Index> dims = ids.shape().vector();
  dims.push_back(d);
  Tensor y{Shape(dims)};
  for (Index i = 0; i < ids.size(); ++i) {
    const Scalar id = ids[i];
    if (!(id >= 0 && id < static_cast<Scalar>(table.dim(0)) && id == std::floor(id))) refuse(id, table.dim(0));
    table.read(static_cast<Index>(id) * d, d, y.data() + i * d);
  }
  return recorded(kEmbedding, {ids, table}, std::move(y));
}

}  // namespace headlight
