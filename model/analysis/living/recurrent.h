// Recurrent encoder-decoders in the living map: cells of every kind, one or two directions, stacks, with and without
// attention. For recurrent*.cpp only:
//   recurrent.cpp          the family, its shares, vectors and cuts
//   recurrent_encoder.cpp  cells, and how an encoder is made of them
//   recurrent_decoder.cpp  what a decoder starts from, its cells and what it looks up
//   recurrent_readout.cpp  the score of a token, in parts
//   recurrent_flow.cpp     the flow of an output, backwards through time and depth
//
// Every state is a sum of what others handed on, once gates, weights of the attention and the slopes of tanh are held
// as they were in this run: tanh(x) = (tanh(x) / x) x. So the score of the written token is a sum over everything in
// front of it, unit by unit, and so is each unit of a river over the steps that wrote it. The flow follows those sums:
// with a state goes a weight for each of its units (R, so that Σ R s is what runs through it).
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/analysis/living/rule.h"
#include "model/core/json_library.h"
#include "model/models/recurrent_settings.h"

namespace headlight::living_recurrent {

using Side = LivingLane::Side;
using Kind = LivingPart::Kind;
using Station = LivingStation::Kind;
using living::ConstVec, living::Vec, living::product, living::row, living::token_of;

inline std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// A bias is the same in all rows, or has a row of its own for each.
inline ConstVec bias_row(const Tensor& bias, Index r) { return row(bias, bias.rows() > 1 ? r : 0); }

inline Tensor columns_of(const Tensor& t, Index first, Index count) {
  Tensor part({t.rows(), count});
  part.matrix() = t.matrix().middleCols(first, count);
  return part;
}

// a / b, and `at_zero` where b is so small that the quotient says nothing.
inline Tensor quotient(const Tensor& a, const Tensor& b, const Tensor& at_zero = {}) {
  Tensor q(a.shape());
  for (Index i = 0; i < a.size(); ++i)
    q[i] = std::abs(b[i]) > Scalar(1e-12) ? a[i] / b[i] : at_zero.defined() ? at_zero[i] : Scalar(1);
  return q;
}

inline Tensor times(const Tensor& a, const Tensor& b) {
  Tensor q(a.shape());
  q.array() = a.array() * b.array();
  return q;
}

inline Tensor one_minus(const Tensor& a) {
  Tensor q(a.shape());
  q.array() = Scalar(1) - a.array();
  return q;
}

// What one station hands to another, all coefficients held: behind ∘ (Wᵀ (before ∘ x)) · scale.
struct Edge {
  Kind kind = Kind::state;
  int from = -1;
  std::vector<int> rows;                   // of `from`, for each row here; -1: `start`
  int start = -1;                          // the station whose only state stands in front of the first row; -1: zeros
  bool memory = false;                     // it takes the memory c itself, not h
  Tensor W;                                // undefined: x itself, from unit `place` of the target on
  Index first = 0, count = 0, column = 0;  // rows of W that x meets, its columns that the target takes
  Index place = 0;
  Tensor before, behind;  // [rows x units] or undefined
  Scalar scale = 1;
};

// The arithmetic of one station.
struct Node {
  Tensor state;              // s [rows x n]
  Tensor out, gain;          // what others read = gain ∘ s; undefined: s itself
  std::vector<Edge> edges;   // of `sum`
  Tensor sum, squash, bias;  // squash ∘ (edges + bias) is s; of a cell with a river it is what is written
  bool river = false;        // s = keep ∘ s′ + written
  Tensor keep, written;
  std::vector<int> earlier;  // the row before, -1: the start
  std::vector<int> order;    // rows as they are read
  int start_memory = -1;     // the station of s′ in front of the first row; -1: zeros
  bool own_token = false;    // what is written stays with the token of its lane (encoders)
  Tensor alpha;              // attention [rows x S] over the states of `over`
  int over = -1;
};

class RecurrentRule : public LivingRule {
 public:
  explicit RecurrentRule(const LivingMap& map)
      : sites_(map), config_(map.result->model->model->config()), settings_(recurrent_settings(config_)) {}

  void make(LivingMap& map, const CancelToken& cancel) {
    map.family = LivingMap::Family::recurrent;
    S_ = sites_.count(Side::source);
    U_ = sites_.count(Side::target);
    add_encoder(map, cancel);
    if (!map.stations.empty()) add_decoder(map, cancel);
    for (std::size_t s = 0; s < map.stations.size(); ++s) share_out(map, static_cast<int>(s));
  }

  LivingFlow flow(const LivingMap& map, LivingChoice choice) const override;
  std::vector<Tensor> readout_shares(const LivingMap& map, LivingChoice choice) const override {
    std::vector<Tensor> shares = row_of_shares(map);
    const Index t = choice.lane - map.stations.back().first;
    score_parts(map, t, token_of(map, t, choice.candidate), shares, 0);
    return shares;
  }
  Tensor head_weights(const LivingMap& map, int station, int part) const override {
    const LivingPart& dense = map.stations.at(at(station)).parts.at(at(part));
    if (!dense.dense()) return {};
    const Node& node = station == map.output_station() ? nodes_[at(context_)] : nodes_[at(station)];
    return node.alpha.view(0, {1, node.alpha.dim(0), node.alpha.dim(1)});
  }
  Tensor state_vector(const LivingMap& map, int station, Index r) const override;
  Tensor part_vector(const LivingMap& map, const LivingShare& share) const override;
  std::vector<Intervention> cut(const LivingMap& map, const LivingShare& share) const override;

 private:
  // --- how the run was made
  std::string side_place(const std::string& side, Index l, Index layers) const {
    return layers > 1 ? side + ".layer[" + std::to_string(l) + "]" : side;
  }
  bool flag(const char* key) const { return config_.value(key, false); }
  std::string word(const char* key, const char* usual) const { return config_.value(key, std::string(usual)); }
  std::vector<int> same_rows(Index count) const {
    std::vector<int> rows(at(count));
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
  }
  std::vector<int> rows_before(Index count) const {
    std::vector<int> rows = same_rows(count);
    for (int& r : rows) --r;
    return rows;
  }
  // What others read of a station [rows x units].
  const Tensor& outward(int station) const {
    const Node& node = nodes_[at(station)];
    return node.out.defined() ? node.out : node.state;
  }
  Index units(int station) const { return outward(station).columns(); }
  const Tensor& port(const Edge& edge, int station) const {
    const Node& node = nodes_[at(station)];
    return edge.memory || !node.out.defined() ? node.state : node.out;
  }

  int add(LivingMap& map, Station kind, Side side, Index layer, Node node,
          LivingStation::Direction direction = LivingStation::Direction::only) {
    LivingStation& station = living::add_station(map, kind, side, layer);
    station.direction = direction;
    if (node.state.defined() && node.state.rows() == 1) station.count = 1;
    station.units = node.state.defined() ? node.state.columns() : 1;
    station.own = node.state;
    nodes_.push_back(std::move(node));
    return static_cast<int>(nodes_.size()) - 1;
  }
  void place(LivingMap& map, int station, const std::function<std::string(Index)>& site, bool rows = false) const {
    LivingStation& one = map.stations[at(station)];
    for (Index i = 0; i < one.count; ++i) {
      const int entry = map.result->trace->find(site(i));
      const Index key = sites_.key(one.side, i);
      one.places.push_back({entry, rows && entry >= 0 ? key * (*map.result->trace)[entry].value.columns() : 0});
    }
    if (std::ranges::all_of(one.places, [](const LivingPlace& p) { return p.entry >= 0; })) one.own = {};
  }

  // Of a station of the decoder, whose states lie in its steps.
  void place_in_steps(LivingMap& map, int station, const std::string& leaf) const {
    place(map, station, [&](Index t) { return living::decoder_step(t) + leaf; });
  }

  Edge taken(Kind kind, int from, Index rows) const {
    Edge edge;
    edge.kind = kind;
    edge.from = from;
    edge.rows = same_rows(rows);
    edge.count = from >= 0 ? units(from) : 0;
    return edge;
  }
  // What a step of the decoder is handed by the one before.
  Edge fed_back(Kind kind, int from) const {
    Edge edge = taken(kind, from, U_);
    edge.rows = rows_before(U_);
    return edge;
  }
  // Edges that stand one behind the other go through one matrix, where there is one.
  std::vector<Edge> all_through(std::vector<Edge> edges, const Tensor& W) const {
    for (Edge& edge : edges)
      if (W.defined()) edge = through(edge, W, edge.place, edge.column);
    return edges;
  }
  Edge through(Edge edge, const Tensor& W, Index first, Index column) const {
    edge.W = W;
    edge.first = first;
    edge.column = column;
    return edge;
  }

  // --- one edge: its value in a row, and what a weight of the target's units becomes on its way back
  int source_row(const Edge& edge, Index r, int* station) const {
    const int from = edge.rows[at(r)];
    *station = from >= 0 ? edge.from : edge.start;
    return *station < 0 ? -1 : std::max(from, 0);
  }
  Vec value(const Edge& edge, Index r, Index width) const {
    Vec y = Vec::Zero(width);
    int station = -1;
    const int from = source_row(edge, r, &station);
    if (from < 0) return y;
    Vec x = row(port(edge, station), from);
    if (edge.before.defined()) x.array() *= row(edge.before, r).array();
    if (edge.W.defined())
      y.noalias() = edge.W.matrix().block(edge.first, edge.column, edge.count, width).transpose() * x;
    else
      y.segment(edge.place, x.size()) = x;
    if (edge.behind.defined()) y.array() *= row(edge.behind, r).array();
    return y * edge.scale;
  }
  Vec pull(const Edge& edge, Index r, const Vec& R) const {
    Vec back = R * edge.scale;
    if (edge.behind.defined()) back.array() *= row(edge.behind, r).array();
    if (edge.W.defined()) {
      Vec in(edge.count);
      in.noalias() = edge.W.matrix().block(edge.first, edge.column, edge.count, back.size()) * back;
      back = std::move(in);
    } else {
      back = Vec(back.segment(edge.place, edge.count));
    }
    if (edge.before.defined()) back.array() *= row(edge.before, r).array();
    return back;
  }
  // The value of all rows.
  Tensor values(const Edge& edge, Index rows, Index width) const {
    Tensor all({rows, width});
    for (Index r = 0; r < rows; ++r) Eigen::Map<Vec>(all.data() + r * width, width) = value(edge, r, width);
    return all;
  }
  Tensor summed(const std::vector<Edge>& edges, const Tensor& bias, Index rows, Index width) const {
    Tensor sum = Tensor::zeros({rows, width});
    for (const Edge& edge : edges) sum.array() += values(edge, rows, width).array();
    if (!bias.defined()) return sum;
    for (Index r = 0; r < rows; ++r) Eigen::Map<Vec>(sum.data() + r * width, width) += bias_row(bias, r);
    return sum;
  }

  // --- cells
  std::string cell_name() const {
    return settings_.encoder.cell == CellKind::lstm  ? "lstm."
           : settings_.encoder.cell == CellKind::rnn ? "rnn."
                                                     : "gru.";
  }
  // The leaf of the state that is handed from step to step.
  std::string state_leaf() const { return cell_name() + (settings_.encoder.cell == CellKind::lstm ? "c" : "h"); }
  Tensor Wx_of(const std::string& place) const { return sites_.parameter(place + "." + cell_name() + "Wx"); }
  Node cell(const std::string& place, const std::string& parameters, Side side, const std::vector<int>& earlier,
            std::vector<Edge> inputs, int start_h, std::vector<LivingStation::Gate>* gates,
            const std::string& prefix = {}) const;

  void add_encoder(LivingMap& map, const CancelToken& cancel);
  void add_decoder(LivingMap& map, const CancelToken& cancel);
  int add_start(LivingMap& map, Index layer, const std::string& site, const std::vector<Edge>& from, const Tensor& W,
                const Tensor& b);
  std::vector<Edge> summary(Index rows) const;
  Edge last_state(int station, Index rows, bool memory = false) const;
  Edge one_state(Index j, Index rows) const;
  std::vector<Edge> mean_state(Index rows) const;
  std::vector<Edge> first_state() const;
  struct Starts {
    std::vector<int> h, c;  // the station of each layer; -1: it has none
    bool complete = true;   // no site is missing
  };
  Starts add_starts(LivingMap& map, bool before, Index layers, const Tensor& bridge);
  bool add_attention(LivingMap& map);
  void add_bottleneck(LivingMap& map, const Tensor& bridge);
  std::vector<Edge> inputs_of(Index layer, Index layers, int below, bool before, bool attends) const;
  void add_readout(LivingMap& map, int top, bool before);

  // --- shares
  void share_out(LivingMap& map, int station) const;
  std::vector<LivingPart> edge_parts(const LivingMap& map, const Node& node, const LivingStation& station) const;
  LivingPart edge_part(const LivingMap& map, const Edge& edge, const LivingStation& station, Tensor share) const;

  // --- the readout
  // One row of shares of it, for score_parts().
  static std::vector<Tensor> row_of_shares(const LivingMap& map) {
    std::vector<Tensor> shares;
    for (const LivingPart& part : map.stations.back().parts)
      shares.push_back(Tensor::zeros({part.dense() ? part.columns : 1}));
    return shares;
  }
  // The weight of each unit of the readout's sum, for the score of a token above the mean score.
  Vec score_weights(Index t, TokenId token) const;
  double score_bias(TokenId token) const;
  // Into row `r` of each tensor: the parts of the score over the score. Returns the score.
  double score_parts(const LivingMap& map, Index t, TokenId token, std::vector<Tensor>& shares, Index r) const;
  class Flowing;

  LivingSites sites_;
  const Json& config_;
  RecurrentSettings settings_;
  std::vector<Node> nodes_;  // by station
  Index S_ = 0, U_ = 0;
  struct Layer {
    int forward = -1, backward = -1, out = -1;
    int last() const { return backward >= 0 ? backward : forward; }
  };
  std::vector<Layer> layers_;  // of the encoder
  int states_ = -1, context_ = -1, target_ = -1, fed_ = -1;
  Tensor W_out_, b_out_;  // output matrix [n x V] and bias
  Vec mean_out_;          // mean column of W_out_
  double mean_bias_ = 0;
};

}  // namespace headlight::living_recurrent
