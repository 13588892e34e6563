// The score of a token above the mean score, as a sum of what stands in front of it.

#include "model/analysis/living/recurrent.h"

namespace headlight::living_recurrent {

// The readout's sum, from which the score of a token is read: [c ; h], tanh of a mix, maxout.
void RecurrentRule::add_readout(LivingMap& map, int top, bool before) {
  Node node;
  const auto from_context = [&] { return taken(Kind::context, context_, U_); };
  const bool attends = context_ >= 0 && nodes_[at(context_)].over >= 0;
  const auto beside = [&](Edge edge) {  // one behind the other
    edge.place = node.edges.empty() ? 0 : node.edges.back().place + node.edges.back().count;
    node.edges.push_back(std::move(edge));
  };
  if (!before) {
    W_out_ = sites_.parameter("decoder.affine.W");
    b_out_ = sites_.parameter("decoder.affine.b");
    const Tensor mixed = sites_.parameter("decoder.combine.W");
    const Index room = mixed.defined() ? mixed.rows() : W_out_.defined() ? W_out_.rows() : 0;
    if (context_ >= 0 && room > units(top)) beside(from_context());
    beside(taken(Kind::state, top, U_));
    const Index taken_so_far = node.edges.back().place + node.edges.back().count;
    if (room > taken_so_far) beside(taken(Kind::token, target_, U_));
    if (mixed.defined()) {
      for (Edge& edge : node.edges) edge = through(edge, mixed, edge.place, 0);
      node.sum = summed(node.edges, {}, U_, mixed.columns());
      node.squash = quotient(sites_.rows(Side::target, "attentional"), node.sum);
      if (fed_ >= 0) {
        nodes_[at(fed_)].edges = node.edges;
        nodes_[at(fed_)].sum = node.sum;
        nodes_[at(fed_)].squash = node.squash;
      }
    }
  } else {
    W_out_ = sites_.parameter("decoder.output.W_o");
    b_out_ = sites_.parameter("decoder.output.b");
    Edge state = taken(Kind::state, top, U_);
    if (word("readout_state", "previous") == "previous") {
      state.rows = rows_before(U_);
      state.start = nodes_[at(top)].edges.back().start;
    }
    const std::string readout = word("readout", "maxout");
    if (readout == "linear") {
      beside(state);
      beside(from_context());
      beside(taken(Kind::token, target_, U_));
    } else {
      const std::string place = "decoder.readout.";
      node.edges = {through(from_context(), sites_.parameter(place + "C_o"), 0, 0),
                    through(state, sites_.parameter(place + "U_o"), 0, 0), taken(Kind::token, target_, U_)};
      if (readout == "maxout") node.edges.back() = through(node.edges.back(), sites_.parameter(place + "V_o"), 0, 0);
      node.bias = sites_.parameter(place + "b_o");
      node.sum = sites_.rows(Side::target, "readout.pre");
      if (readout == "deep") {
        node.squash = quotient(sites_.rows(Side::target, "readout"), node.sum);
      } else {  // of each pair of numbers the larger one passes
        node.squash = Tensor::zeros(node.sum.shape());
        for (Index i = 0; i + 1 < node.sum.size(); i += 2) node.squash[node.sum[i + 1] > node.sum[i] ? i + 1 : i] = 1;
      }
    }
  }
  if (!W_out_.defined() || node.edges.empty()) return map.stations.clear();
  mean_out_ = W_out_.matrix().rowwise().mean();
  mean_bias_ = b_out_.defined() ? static_cast<double>(b_out_.array().mean()) : 0;
  if (!node.sum.defined()) node.sum = summed(node.edges, {}, U_, W_out_.rows());
  const std::vector<Edge> edges = node.edges;
  const int made = add(map, Station::readout, Side::target, -1, std::move(node));
  LivingStation& station = map.stations[at(made)];
  station.count = map.range(Side::target).second;
  place_in_steps(map, made, "output.logits");
  for (Index t = 0; t < U_; ++t) station.places[at(t)].first = map.result->steps[at(t)].id;
  std::vector<Tensor> shares;
  for (const Edge& edge : edges) {
    if (edge.from == context_ && attends) {
      station.parts.push_back(
          living::dense(Kind::attention, states_, map.range(Side::source), Tensor::zeros({U_, S_})));
      station.parts.back().heads = 1;
      station.parts.back().place = "decoder.attention";
    } else {
      station.parts.push_back(edge_part(map, edge, station, Tensor::zeros({U_})));
    }
    shares.push_back(station.parts.back().share);
  }
  station.parts.push_back(living::bias(Tensor::zeros({U_})));
  shares.push_back(station.parts.back().share);
  for (Index t = 0; t < U_; ++t) score_parts(map, t, token_of(map, t, -1), shares, t);
}

Vec RecurrentRule::score_weights(Index t, TokenId token) const {
  const Vec of_token = W_out_.matrix().col(token);
  const Vec w = of_token - mean_out_;
  const Node& node = nodes_.back();
  if (!node.squash.defined()) return w;
  Vec R = row(node.squash, t);
  if (R.size() == w.size()) return R.cwiseProduct(w);
  for (Index i = 0; i < R.size(); ++i) R[i] *= w[i / 2];  // maxout
  return R;
}

double RecurrentRule::score_bias(TokenId token) const {
  return b_out_.defined() ? static_cast<double>(b_out_[token]) - mean_bias_ : 0;
}

double RecurrentRule::score_parts(const LivingMap& map, Index t, TokenId token, std::vector<Tensor>& shares,
                                  Index r) const {
  const Node& node = nodes_.back();
  const std::vector<LivingPart>& parts = map.stations.back().parts;
  const Vec R = score_weights(t, token);
  std::vector<std::vector<double>> scores;
  double total = score_bias(token) + (node.bias.defined() ? product(R, row(node.bias, 0)) : 0);
  const double own = total;
  for (std::size_t e = 0; e < node.edges.size(); ++e) {
    const Edge& edge = node.edges[e];
    const Vec back = pull(edge, t, R);
    std::vector<double>& of = scores.emplace_back();
    if (parts[e].dense()) {
      const Node& read = nodes_[at(context_)];
      for (Index j = 0; j < S_; ++j)
        of.push_back(static_cast<double>(read.alpha[t * S_ + j]) * product(back, row(outward(states_), j)));
    } else {
      int station = -1;
      const int from = source_row(edge, t, &station);
      of.push_back(from < 0 ? 0 : product(back, row(port(edge, station), from)));
    }
    for (const double score : of) total += score;
  }
  scores.push_back({own});
  for (std::size_t p = 0; p < scores.size(); ++p)
    for (std::size_t k = 0; k < scores[p].size(); ++k)
      shares[p][r * static_cast<Index>(scores[p].size()) + static_cast<Index>(k)] =
          total != 0 ? static_cast<Scalar>(scores[p][k] / total) : Scalar(0);
  return total;
}

}  // namespace headlight::living_recurrent
