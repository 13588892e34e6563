#include "model/analysis/bench/attention_flow.h"

#include <algorithm>
#include <limits>
#include <queue>

#include "model/core/errors.h"

namespace headlight {

namespace {

// The largest flow from one node to another, by the shortest ways that are left (Dinic 1970).
class FlowGraph {
 public:
  // Node (l, i) is l·n + i; edges lead from (l + 1, i) to (l, j).
  explicit FlowGraph(const std::vector<DoubleMatrix>& maps)
      : n_(maps.front().rows()), edges_of_((maps.size() + 1) * static_cast<std::size_t>(n_)) {
    for (std::size_t l = 0; l < maps.size(); ++l)
      for (Index i = 0; i < n_; ++i)
        for (Index j = 0; j < n_; ++j)
          if (maps[l](i, j) > 0) add(node(l + 1, i), node(l, j), maps[l](i, j));
  }
  std::size_t node(std::size_t level, Index i) const {
    return level * static_cast<std::size_t>(n_) + static_cast<std::size_t>(i);
  }

  double flow(std::size_t from, std::size_t to, const CancelToken& cancel) {
    for (Edge& edge : edges_) edge.left = edge.capacity;
    double sum = 0;
    while (reaches(from, to)) {
      cancel.check();
      next_.assign(edges_of_.size(), 0);
      for (double more = push(from, to, std::numeric_limits<double>::infinity()); more > kNothing;
           more = push(from, to, std::numeric_limits<double>::infinity()))
        sum += more;
    }
    return sum;
  }

 private:
  static constexpr double kNothing = 1e-13;
  struct Edge {
    std::size_t to;
    double capacity, left;
  };
  void add(std::size_t from, std::size_t to, double capacity) {
    edges_of_[from].push_back(edges_.size());
    edges_.push_back({to, capacity, 0});
    edges_of_[to].push_back(edges_.size());
    edges_.push_back({from, 0, 0});
  }
  bool reaches(std::size_t from, std::size_t to) {
    level_.assign(edges_of_.size(), -1);
    level_[from] = 0;
    std::queue<std::size_t> waiting({from});
    while (!waiting.empty()) {
      const std::size_t at = waiting.front();
      waiting.pop();
      for (const std::size_t e : edges_of_[at])
        if (edges_[e].left > kNothing && level_[edges_[e].to] < 0) {
          level_[edges_[e].to] = level_[at] + 1;
          waiting.push(edges_[e].to);
        }
    }
    return level_[to] >= 0;
  }
  double push(std::size_t at, std::size_t to, double most) {
    if (at == to) return most;
    for (std::size_t& i = next_[at]; i < edges_of_[at].size(); ++i) {
      const std::size_t e = edges_of_[at][i];
      if (edges_[e].left <= kNothing || level_[edges_[e].to] != level_[at] + 1) continue;
      const double sent = push(edges_[e].to, to, std::min(most, edges_[e].left));
      if (sent <= kNothing) continue;
      edges_[e].left -= sent;
      edges_[e ^ 1].left += sent;
      return sent;
    }
    return 0;
  }

  Index n_;
  std::vector<std::vector<std::size_t>> edges_of_;
  std::vector<Edge> edges_;
  std::vector<int> level_;
  std::vector<std::size_t> next_;
};

}  // namespace

DoubleMatrix attention_flow(const std::vector<DoubleMatrix>& maps, const std::vector<Index>& rows,
                            const CancelToken& cancel) {
  const Index n = maps.front().rows();
  if (n > kMostFlowNodes)
    throw UsageError("flow: at most " + std::to_string(kMostFlowNodes) + " tokens, found " + std::to_string(n));
  for (const Index row : rows)
    if (row < 0 || row >= n)
      throw UsageError("flow: rows are from 0 to " + std::to_string(n - 1) + ", found " + std::to_string(row));
  FlowGraph graph(maps);
  DoubleMatrix flows(static_cast<Index>(rows.size()), n);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto at = static_cast<Index>(r);
    for (Index j = 0; j < n; ++j) flows(at, j) = graph.flow(graph.node(maps.size(), rows[r]), graph.node(0, j), cancel);
    if (const double sum = flows.row(at).sum(); sum > 0) flows.row(at) /= sum;
  }
  return flows;
}

}  // namespace headlight
