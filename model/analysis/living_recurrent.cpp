// Recurrent encoder-decoders: cells of every kind, one or two directions, stacks, with and without attention.
//
// Every state is a sum of what others handed on, once gates, weights of the attention and the slopes of tanh are held
// as they were in this run: tanh(x) = (tanh(x) / x) x. So the score of the written token is a sum over everything in
// front of it, unit by unit, and so is each unit of a river over the steps that wrote it. The flow follows those sums:
// with a state goes a weight for each of its units (R, so that Σ R s is what runs through it).

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "model/analysis/living_rule.h"
#include "model/models/recurrent_settings.h"

namespace headlight {

namespace {

using Side = LivingLane::Side;
using Kind = LivingPart::Kind;
using Station = LivingStation::Kind;
using Vec = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
using ConstVec = Eigen::Map<const Vec>;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

ConstVec row(const Tensor& t, Index r) { return {t.data() + r * t.columns(), t.columns()}; }
double product(const Vec& a, const Vec& b) { return a.cast<double>().dot(b.cast<double>()); }

Tensor columns_of(const Tensor& t, Index first, Index count) {
  Tensor part({t.rows(), count});
  part.matrix() = t.matrix().middleCols(first, count);
  return part;
}

// a / b, and `at_zero` where b is so small that the quotient says nothing.
Tensor quotient(const Tensor& a, const Tensor& b, const Tensor& at_zero = {}) {
  Tensor q(a.shape());
  for (Index i = 0; i < a.size(); ++i)
    q[i] = std::abs(b[i]) > Scalar(1e-12) ? a[i] / b[i] : at_zero.defined() ? at_zero[i] : Scalar(1);
  return q;
}

Tensor times(const Tensor& a, const Tensor& b) {
  Tensor q(a.shape());
  q.array() = a.array() * b.array();
  return q;
}

Tensor one_minus(const Tensor& a) {
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
    std::vector<Tensor> shares;
    const Index t = choice.lane - map.stations.back().first;
    for (const LivingPart& part : map.stations.back().parts)
      shares.push_back(Tensor::zeros({part.dense() ? part.columns : 1}));
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
    LivingStation& station = map.stations.emplace_back();
    station.kind = kind;
    station.side = side;
    station.layer = layer;
    station.direction = direction;
    std::tie(station.first, station.count) = map.range(side);
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

  Edge taken(Kind kind, int from, Index rows) const {
    Edge edge;
    edge.kind = kind;
    edge.from = from;
    edge.rows = same_rows(rows);
    edge.count = from >= 0 ? units(from) : 0;
    return edge;
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
    for (Index r = 0; r < rows; ++r)
      Eigen::Map<Vec>(sum.data() + r * width, width) += bias.rows() > 1 ? row(bias, r) : row(bias, 0);
    return sum;
  }

  // --- cells
  std::string cell_name() const {
    return settings_.encoder.cell == CellKind::lstm  ? "lstm."
           : settings_.encoder.cell == CellKind::rnn ? "rnn."
                                                     : "gru.";
  }
  Tensor Wx_of(const std::string& place) const { return sites_.parameter(place + "." + cell_name() + "Wx"); }
  Node cell(const std::string& place, const std::string& parameters, Side side, const std::vector<int>& earlier,
            std::vector<Edge> inputs, int start_h, std::vector<LivingStation::Gate>* gates,
            const std::string& prefix = {}) const;

  void add_encoder(LivingMap& map, const CancelToken& cancel);
  void add_decoder(LivingMap& map, const CancelToken& cancel);
  int add_start(LivingMap& map, Index layer, const std::string& site, const std::vector<Edge>& from, const Tensor& W,
                const Tensor& b);
  std::vector<Edge> summary(Index rows) const;
  std::vector<Edge> last_states(Index layer, Index rows, bool memory) const;
  void add_readout(LivingMap& map, int top, bool before);

  // --- shares
  void share_out(LivingMap& map, int station) const;
  std::vector<LivingPart> edge_parts(const LivingMap& map, const Node& node, const LivingStation& station) const;
  LivingPart edge_part(const LivingMap& map, const Edge& edge, const LivingStation& station, Tensor share) const;

  // --- the readout
  TokenId token_of(const LivingMap& map, Index t, TokenId candidate) const {
    return candidate >= 0 ? candidate : map.result->steps[at(t)].id;
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

// A cell along its rows; `inputs` are the edges of its input, with the rows of Wx that they meet.
Node RecurrentRule::cell(const std::string& place, const std::string& parameters, Side side,
                         const std::vector<int>& earlier, std::vector<Edge> inputs, int start_h,
                         std::vector<LivingStation::Gate>* gates, const std::string& prefix) const {
  const auto leaf = [&](const char* name) { return sites_.steps(side, place, prefix + name); };
  const Index H = settings_.encoder.hidden, rows = static_cast<Index>(earlier.size());
  const CellKind kind = settings_.encoder.cell;
  Node node;
  node.earlier = earlier;
  const auto mean = [&](const char* symbol, const Tensor& gate) {
    Tensor average({rows});
    for (Index r = 0; r < rows; ++r) average[r] = gate.defined() ? row(gate, r).mean() : Scalar(0);
    gates->push_back({symbol, std::move(average)});
  };
  Edge back;
  back.kind = Kind::recurrent;
  back.from = static_cast<int>(nodes_.size());  // itself
  back.rows = earlier;
  back.start = start_h;
  back.count = H;
  const std::string name = cell_name(), own = parameters + "." + name;
  const Tensor Wx = sites_.parameter(own + "Wx"), b = sites_.parameter(own + "b");
  const Index column = kind == CellKind::lstm ? H : kind == CellKind::rnn ? 0 : 2 * H;
  for (Edge& edge : inputs) {
    edge.column = column;
    if (!edge.W.defined()) edge.W = Wx;
  }
  const Tensor h = sites_.steps(side, place, prefix + name + "h");
  if (!h.defined() || !Wx.defined()) return {};
  node.bias = b.view(column, {H});
  if (kind == CellKind::lstm) {
    const Tensor f = leaf("lstm.gate.f"), i = leaf("lstm.gate.i"), o = leaf("lstm.gate.o"), g = leaf("lstm.cand.g"),
                 c = leaf("lstm.c"), pre = leaf("lstm.pre");
    if (!f.defined() || !i.defined() || !o.defined() || !g.defined() || !c.defined() || !pre.defined()) return {};
    node.state = c;
    node.out = h;
    node.gain = quotient(h, c, o);
    node.river = true;
    node.keep = f;
    node.written = times(i, g);
    node.sum = columns_of(pre, column, H);
    node.squash = quotient(node.written, node.sum, i);
    back.W = sites_.parameter(own + "Wh");
    back.column = column;
    mean("f", f);
    mean("i", i);
    mean("o", o);
  } else if (kind == CellKind::rnn) {
    node.state = h;
    node.sum = leaf("rnn.pre");
    if (!node.sum.defined()) return {};
    node.squash = quotient(h, node.sum);
    back.W = sites_.parameter(own + "Wh");
  } else {
    const Tensor z = leaf("gru.gate.z"), r = leaf("gru.gate.r"), n = leaf("gru.cand");
    if (!z.defined() || !r.defined() || !n.defined()) return {};
    const bool after = kind == CellKind::gru_reset_after;
    const Tensor writes = after ? one_minus(z) : z;
    node.state = h;
    node.river = true;
    node.keep = after ? z : one_minus(z);
    node.written = times(writes, n);
    back.W = sites_.parameter(own + "U");
    (after ? back.behind : back.before) = r;
    if (after) {  // r ∘ (h′ U + c): the bias behind the reset gate
      Tensor bias({rows, H});
      const Tensor c = sites_.parameter(own + "c");
      for (Index t = 0; t < rows; ++t)
        Eigen::Map<Vec>(bias.data() + t * H, H) = row(node.bias, 0) + Vec(row(r, t).cwiseProduct(row(c, 0)));
      node.bias = bias;
    }
    // The pre-activation is not published.
    node.sum = Tensor({rows, H});
    const auto earlier_state = [&](Index t) -> Vec {
      if (earlier[at(t)] >= 0) return row(h, earlier[at(t)]);
      return start_h >= 0 ? Vec(row(port(back, start_h), 0)) : Vec(Vec::Zero(H));
    };
    node.sum.array() = summed(inputs, node.bias, rows, H).array();
    for (Index t = 0; t < rows; ++t) {
      Vec x = earlier_state(t);
      if (!after) x.array() *= row(r, t).array();
      Vec y = back.W.matrix().transpose() * x;
      if (after) y.array() *= row(r, t).array();
      Eigen::Map<Vec>(node.sum.data() + t * H, H) += y;
    }
    node.squash = quotient(node.written, node.sum, writes);
    mean("z", z);
    mean("r", r);
  }
  node.edges = std::move(inputs);
  node.edges.push_back(std::move(back));
  return node;
}

void RecurrentRule::add_encoder(LivingMap& map, const CancelToken& cancel) {
  const EncoderSettings& e = settings_.encoder;
  Node embedded;
  embedded.state = sites_.rows(Side::source, "embed.out");
  if (!embedded.state.defined()) return;
  int x = add(map, Station::embedding, Side::source, -1, std::move(embedded));
  place(
      map, x, [](Index) { return "encoder.embed.out"; }, true);
  // The row before each row, in the order in which the direction reads.
  const auto earlier = [&](bool backward) {
    std::vector<int> rows;
    for (Index i = 0; i < S_; ++i) {
      const Index key = sites_.key(Side::source, i) + (backward ? 1 : -1);
      rows.push_back(key >= 0 && key < S_ ? static_cast<int>(sites_.lane_of_key(Side::source, key)) : -1);
    }
    return rows;
  };
  for (Index l = 0; l < e.layers; ++l) {
    const std::string where = side_place("encoder", l, e.layers);
    const bool both = e.directions == Directions::all || (e.directions == Directions::first && l == 0);
    const Index shown = e.layers > 1 ? l : -1;
    Layer layer;
    for (const bool backward : {false, true}) {
      if (backward && !both) continue;
      const std::string own = !both ? where : where + (backward ? ".bwd" : ".fwd");
      std::vector<LivingStation::Gate> gates;
      const Edge input = through(taken(l == 0 ? Kind::token : Kind::state, x, S_), {}, 0, 0);
      Node node = cell(own, own, Side::source, earlier(backward), {input}, -1, &gates);
      if (!node.state.defined()) {
        map.stations.clear();
        return;
      }
      node.own_token = node.river;
      for (Index k = 0; k < S_; ++k)
        node.order.push_back(static_cast<int>(sites_.lane_of_key(Side::source, backward ? S_ - 1 - k : k)));
      const int made = add(map, Station::cell, Side::source, shown, std::move(node),
                           !both      ? LivingStation::Direction::only
                           : backward ? LivingStation::Direction::backward
                                      : LivingStation::Direction::forward);
      map.stations.back().gates = std::move(gates);
      const char* state = e.cell == CellKind::lstm ? "].lstm.c" : e.cell == CellKind::rnn ? "].rnn.h" : "].gru.h";
      place(map, made, [&](Index i) { return own + ".step[" + std::to_string(sites_.key(Side::source, i)) + state; });
      (backward ? layer.backward : layer.forward) = made;
      cancel.check();
    }
    layer.out = layer.forward;
    const auto joined = [&](std::vector<Edge> edges, const char* name) {
      Node node;
      node.state = sites_.steps(Side::source, where, name);
      node.edges = std::move(edges);
      const int made = add(map, Station::states, Side::source, shown, std::move(node));
      place(map, made,
            [&](Index i) { return where + ".step[" + std::to_string(sites_.key(Side::source, i)) + "]." + name; });
      return made;
    };
    if (both) {
      Edge forward = taken(Kind::state, layer.forward, S_), backward = taken(Kind::state, layer.backward, S_);
      if (e.merge == Merge::concat) backward.place = e.hidden;
      if (e.merge == Merge::mean) forward.scale = backward.scale = Scalar(0.5);
      layer.out = joined({forward, backward}, "merged");
    }
    if (e.residual && l >= e.residual_from && units(layer.out) == units(x))
      layer.out = joined({taken(Kind::state, layer.out, S_), taken(Kind::carried, x, S_)}, "residual.out");
    layers_.push_back(layer);
    x = layer.out;
  }
  states_ = x;
  if (!e.bridge) return;
  Node bridged;
  bridged.edges = {through(taken(Kind::state, x, S_), sites_.parameter("encoder.bridge.W"), 0, 0)};
  bridged.state = sites_.rows(Side::source, "states");
  bridged.sum = summed(bridged.edges, {}, S_, bridged.state.columns());
  bridged.squash = quotient(bridged.state, bridged.sum);
  states_ = add(map, Station::states, Side::source, -1, std::move(bridged));
  place(
      map, states_, [](Index) { return "encoder.states"; }, true);
}

// The last state that a layer of the encoder has read to: of the direction that goes back where there are two.
std::vector<Edge> RecurrentRule::last_states(Index layer, Index rows, bool memory) const {
  const int from = layers_[at(layer)].last();
  Edge edge = taken(Kind::start, from, rows);
  edge.memory = memory;
  edge.count = settings_.encoder.hidden;
  std::fill(edge.rows.begin(), edge.rows.end(), nodes_[at(from)].order.back());
  return {edge};
}

// Encoder::bottleneck in front of its bridge.
std::vector<Edge> RecurrentRule::summary(Index rows) const {
  const EncoderSettings& e = settings_.encoder;
  std::vector<Edge> edges = last_states(e.layers - 1, rows, false);
  if (e.layers > 1) return edges;
  if (e.pooling == Pooling::last) {
    if (layers_.back().backward < 0) return edges;
    Edge forward = edges[0];
    forward.from = layers_.back().forward;
    std::fill(forward.rows.begin(), forward.rows.end(), nodes_[at(forward.from)].order.back());
    if (e.merge == Merge::concat) edges[0].place = e.hidden;
    if (e.merge == Merge::mean) forward.scale = edges[0].scale = Scalar(0.5);
    return {forward, edges[0]};
  }
  edges.clear();
  const Tensor& states = outward(states_);
  for (Index j = 0; j < S_; ++j) {
    Edge edge = taken(Kind::start, states_, rows);
    std::fill(edge.rows.begin(), edge.rows.end(), static_cast<int>(j));
    if (e.pooling == Pooling::mean) {
      edge.scale = Scalar(1) / static_cast<Scalar>(S_);
    } else {  // the largest of each unit, the first of equal ones
      edge.before = Tensor::zeros({rows, states.columns()});
      for (Index u = 0; u < states.columns(); ++u) {
        Index best = 0;
        states.matrix().col(u).maxCoeff(&best);
        if (best == j) edge.before.matrix().col(u).setOnes();
      }
    }
    edges.push_back(std::move(edge));
  }
  return edges;
}

// One state in front of the decoder's first step: tanh(Σ W + b), or the sum itself. -1 where the run has no such site.
int RecurrentRule::add_start(LivingMap& map, Index layer, const std::string& site, const std::vector<Edge>& from,
                             const Tensor& W, const Tensor& b) {
  const Tensor value = sites_.value(site);
  if (!value.defined()) return -1;
  Node node;
  node.state = value.view(0, {1, value.size()});
  node.edges = from;
  for (Edge& edge : node.edges) {
    if (!W.defined()) continue;
    edge.first = edge.place;
    edge.W = W;
  }
  if (W.defined()) {
    node.bias = b;
    node.sum = summed(node.edges, b, 1, value.size());
    node.squash = quotient(node.state, node.sum);
  }
  const int made = add(map, Station::start, Side::target, layer, std::move(node));
  place(map, made, [&](Index) { return site; });
  return made;
}

void RecurrentRule::add_decoder(LivingMap& map, const CancelToken& cancel) {
  const EncoderSettings& e = settings_.encoder;
  const bool before = sites_.parameter("decoder.context.C").defined();  // attention asks before the cell (Bahdanau)
  const bool attends = map.result->trace->find("decoder.step[0].attention.context") >= 0;
  const Index layers = before ? 1 : e.layers;
  const bool bridged = layers == 1 && e.layers == 1 && (e.pooling == Pooling::last || !e.bridge);
  const Tensor bridge = bridged ? sites_.parameter("encoder.bridge.W") : Tensor();

  // What the decoder starts from.
  std::vector<int> start_h(at(layers), -1), start_c(at(layers), -1);
  for (Index l = 0; l < layers; ++l) {
    const std::string where = side_place("decoder", l, layers) + ".init.";
    const Index shown = layers > 1 ? l : -1;
    if (before) {
      const std::string start = word("start", "backward");
      std::vector<Edge> from = last_states(e.layers - 1, 1, false);
      if (start == "both") {
        Edge forward = from[0];
        forward.from = layers_.back().forward;
        std::fill(forward.rows.begin(), forward.rows.end(), nodes_[at(forward.from)].order.back());
        from[0].place = e.hidden;
        from = {forward, from[0]};
      } else if (start == "mean") {
        from.clear();
        for (Index j = 0; j < S_; ++j) {
          Edge edge = taken(Kind::start, states_, 1);
          edge.rows[0] = static_cast<int>(j);
          edge.scale = Scalar(1) / static_cast<Scalar>(S_);
          from.push_back(std::move(edge));
        }
      }
      start_h[0] = add_start(map, shown, where + "h", from, sites_.parameter("decoder.init.W_s"),
                             sites_.parameter("decoder.init.b_s"));
      start_c[0] = add_start(map, shown, where + "c", from, sites_.parameter("decoder.init.W_c"),
                             sites_.parameter("decoder.init.b_c"));
    } else {
      start_h[at(l)] = layers == 1 ? add_start(map, shown, where + "h", summary(1), bridge, {})
                                   : add_start(map, shown, where + "h", last_states(l, 1, false), {}, {});
      if (flag("pass_cell") && e.cell == CellKind::lstm) {
        start_c[at(l)] = add_start(map, shown, where + "c", last_states(l, 1, true), {}, {});
      }
    }
  }

  const bool carries_memory = e.cell == CellKind::lstm && (before || flag("pass_cell"));
  for (Index l = 0; l < layers; ++l)
    if (start_h[at(l)] < 0 || (carries_memory && start_c[at(l)] < 0)) return map.stations.clear();

  // What is looked up.
  if (attends) {
    Node node;
    node.over = states_;
    node.alpha = Tensor::zeros({U_, S_});
    node.state = sites_.rows(Side::target, "attention.context");
    for (Index t = 0; t < U_; ++t) {
      const std::string step = "decoder.step[" + std::to_string(t) + "].";
      Tensor alpha = sites_.value(step + "attention.sample.onehot");
      if (!alpha.defined()) alpha = sites_.value(step + "attention.weights");
      const Tensor gate = sites_.value(step + "attention.gate");
      if (!alpha.defined() || alpha.size() != S_) return map.stations.clear();
      for (Index j = 0; j < S_; ++j)
        node.alpha[t * S_ + sites_.lane_of_key(Side::source, j)] = alpha[j] * (gate.defined() ? gate[0] : Scalar(1));
    }
    const bool gated = sites_.value("decoder.step[0].attention.gated").defined();
    const char* leaf = gated ? "attention.gated" : "attention.context";
    if (gated) node.state = sites_.rows(Side::target, leaf);
    context_ = add(map, Station::context, Side::target, -1, std::move(node));
    place(map, context_, [&](Index t) { return "decoder.step[" + std::to_string(t) + "]." + leaf; });
  } else if (sites_.value("encoder.bottleneck").defined()) {
    const Tensor z = sites_.value("encoder.bottleneck");
    // It is shown again at every step where the first cell has room for it.
    if (Wx_of(side_place("decoder", 0, layers)).rows() > e.embedding) {
      Node node;
      node.state = Tensor({U_, z.size()});
      for (Index t = 0; t < U_; ++t) std::copy_n(z.data(), z.size(), node.state.data() + t * z.size());
      node.edges = summary(U_);
      for (Edge& edge : node.edges) {
        if (!bridge.defined()) continue;
        edge.first = edge.place;
        edge.W = bridge;
      }
      if (bridge.defined()) {
        node.sum = summed(node.edges, {}, U_, z.size());
        node.squash = quotient(node.state, node.sum);
      }
      context_ = add(map, Station::context, Side::target, -1, std::move(node));
      place(map, context_, [](Index) { return "encoder.bottleneck"; });
    }
  }
  Node embedded;
  embedded.state = sites_.rows(Side::target, "embed.out");
  if (!embedded.state.defined()) return map.stations.clear();
  target_ = add(map, Station::embedding, Side::target, -1, std::move(embedded));
  place(map, target_, [](Index t) { return "decoder.step[" + std::to_string(t) + "].embed.out"; });
  cancel.check();

  const std::string use = attends && !before ? word("context_use", "to_affine") : "to_affine";
  const bool feeds_context = use != "to_affine", feeding = !before && flag("input_feeding");
  const bool fresh = word("attention_step", "fresh") == "fresh";
  Index query = before ? 0 : config_.value("query_layer", 0);
  if (query < 0) query = layers - 1;
  // h̃ of the step before is fed to the first layer; what it is made of is known when all layers are there.
  if (feeding) {
    Node node;
    node.state = sites_.rows(Side::target, "attentional");
    if (!node.state.defined()) return map.stations.clear();
    fed_ = add(map, Station::states, Side::target, -1, std::move(node));
    place(map, fed_, [](Index t) { return "decoder.step[" + std::to_string(t) + "].attentional"; });
  }
  int below = target_;
  for (Index l = 0; l < layers; ++l) {
    const std::string leaf = layers > 1 ? "layer[" + std::to_string(l) + "]." : "";
    const std::string parameters = side_place("decoder", l, layers);
    std::vector<Edge> inputs;
    Index first = 0;
    const auto take = [&](Edge edge) {
      edge.first = first;
      first += edge.count;
      inputs.push_back(std::move(edge));
    };
    if (l == 0 && context_ >= 0 && !attends) take(taken(Kind::context, context_, U_));
    take(taken(l == 0 ? Kind::token : Kind::state, below, U_));
    if (l == 0 && feeds_context) {
      Edge edge = taken(Kind::context, context_, U_);
      edge.rows = rows_before(U_);
      take(std::move(edge));
    }
    if (l == 0 && feeding) {
      Edge edge = taken(Kind::state, fed_, U_);
      edge.rows = rows_before(U_);
      take(std::move(edge));
    }
    if (attends && !before && l > query) {
      Edge edge = taken(Kind::context, context_, U_);
      if (!fresh) edge.rows = rows_before(U_);
      take(std::move(edge));
    }
    if (before) {
      Edge edge = taken(Kind::context, context_, U_);
      edge.W = sites_.parameter("decoder.context.C");
      inputs.push_back(std::move(edge));
    }
    std::vector<LivingStation::Gate> gates;
    Node node = cell("decoder", parameters, Side::target, rows_before(U_), inputs, start_h[at(l)], &gates, leaf);
    if (!node.state.defined()) return map.stations.clear();
    node.start_memory = e.cell == CellKind::lstm ? start_c[at(l)] : start_h[at(l)];
    for (Index t = 0; t < U_; ++t) node.order.push_back(static_cast<int>(t));
    const int made = add(map, Station::cell, Side::target, layers > 1 ? l : -1, std::move(node));
    map.stations.back().gates = std::move(gates);
    const char* state = e.cell == CellKind::lstm ? "lstm.c" : e.cell == CellKind::rnn ? "rnn.h" : "gru.h";
    place(map, made, [&](Index t) { return "decoder.step[" + std::to_string(t) + "]." + leaf + state; });
    int out = made;
    if (sites_.value("decoder.step[0]." + leaf + "residual.out").defined()) {
      Node sum;
      sum.state = sites_.rows(Side::target, leaf + "residual.out");
      sum.edges = {taken(Kind::state, made, U_), taken(Kind::carried, below, U_)};
      out = add(map, Station::states, Side::target, layers > 1 ? l : -1, std::move(sum));
      place(map, out, [&](Index t) { return "decoder.step[" + std::to_string(t) + "]." + leaf + "residual.out"; });
    }
    below = out;
    cancel.check();
  }
  add_readout(map, below, before);
}

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
  place(map, made, [](Index t) { return "decoder.step[" + std::to_string(t) + "].output.logits"; });
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

LivingPart RecurrentRule::edge_part(const LivingMap& map, const Edge& edge, const LivingStation& station,
                                    Tensor share) const {
  LivingPart part;
  part.kind = edge.kind;
  part.from = edge.from;
  part.share = std::move(share);
  for (int r = 0; r < station.count; ++r) {
    int number = -1;
    const int row = source_row(edge, r, &number);
    part.from_lane.push_back(row < 0 ? -1 : map.stations[at(number)].first + row);
    if (number != edge.from && part.from_each.empty()) part.from_each.assign(at(station.count), edge.from);
    if (number != edge.from) part.from_each[at(r)] = number;
  }
  return part;
}

// <q, sum> / <sum, sum> of every edge, and of the bias.
std::vector<LivingPart> RecurrentRule::edge_parts(const LivingMap& map, const Node& node,
                                                  const LivingStation& station) const {
  const Tensor& s = node.sum.defined() ? node.sum : node.state;
  std::vector<LivingPart> parts;
  for (const Edge& edge : node.edges)
    parts.push_back(edge_part(map, edge, station, living::shares_of(values(edge, s.rows(), s.columns()), s)));
  if (!node.bias.defined()) return parts;
  Tensor bias(s.shape());
  for (Index r = 0; r < s.rows(); ++r)
    Eigen::Map<Vec>(bias.data() + r * s.columns(), s.columns()) =
        node.bias.rows() > 1 ? row(node.bias, r) : row(node.bias, 0);
  parts.push_back(living::bias(living::shares_of(bias, s)));
  return parts;
}

void RecurrentRule::share_out(LivingMap& map, int number) const {
  LivingStation& station = map.stations[at(number)];
  const Node& node = nodes_[at(number)];
  if (station.kind == Station::readout || station.kind == Station::embedding) return;
  if (node.over >= 0) {  // what was looked up
    Tensor share({U_, S_});
    for (Index t = 0; t < U_; ++t) {
      const Vec s = row(node.state, t);
      const double whole = product(s, s);
      for (Index j = 0; j < S_; ++j)
        share[t * S_ + j] = whole > 0 ? static_cast<Scalar>(static_cast<double>(node.alpha[t * S_ + j]) *
                                                            product(row(outward(node.over), j), s) / whole)
                                      : Scalar(0);
    }
    station.parts.push_back(living::dense(Kind::attention, node.over, map.range(Side::source), std::move(share)));
    station.parts.back().heads = 1;
    station.parts.back().place = "decoder.attention";
    return;
  }
  if (!node.river) {
    station.parts = edge_parts(map, node, station);
    return;
  }
  station.candidate = edge_parts(map, node, station);
  const Index H = node.state.columns();
  Tensor kept = Tensor::zeros(node.state.shape()), start = kept.clone();
  std::vector<int> from_lane, start_lane;
  bool starts = false;
  for (Index r = 0; r < station.count; ++r) {
    const int earlier = node.earlier[at(r)];
    from_lane.push_back(earlier < 0 ? -1 : station.first + earlier);
    start_lane.push_back(-1);
    if (earlier >= 0) {
      Eigen::Map<Vec>(kept.data() + r * H, H) = row(node.keep, r).cwiseProduct(row(node.state, earlier));
    } else if (node.start_memory >= 0) {
      starts = true;
      start_lane.back() = map.stations[at(node.start_memory)].first;
      Eigen::Map<Vec>(start.data() + r * H, H) =
          row(node.keep, r).cwiseProduct(row(nodes_[at(node.start_memory)].state, 0));
    }
  }
  station.parts.push_back(living::lane_by_lane(Kind::carried, number, from_lane, living::shares_of(kept, node.state)));
  station.parts.push_back(living::lane_by_lane(Kind::written, -1, std::vector<int>(at(station.count), -1),
                                               living::shares_of(node.written, node.state)));
  if (starts)
    station.parts.push_back(
        living::lane_by_lane(Kind::start, node.start_memory, start_lane, living::shares_of(start, node.state)));
}

Tensor RecurrentRule::state_vector(const LivingMap& map, int station, Index r) const {
  const Node& node = nodes_.at(at(station));
  if (map.stations[at(station)].kind == Station::readout) {
    Tensor score({1});
    std::vector<Tensor> shares;
    for (const LivingPart& part : map.stations.back().parts)
      shares.push_back(Tensor::zeros({part.dense() ? part.columns : 1}));
    score[0] = static_cast<Scalar>(score_parts(map, r, token_of(map, r, -1), shares, 0));
    return score;
  }
  const Tensor& s = node.river || !node.sum.defined() ? node.state : node.sum;
  return s.view(r * s.columns(), {s.columns()});
}

Tensor RecurrentRule::part_vector(const LivingMap& map, const LivingShare& share) const {
  const LivingStation& station = map.stations.at(at(share.station));
  const LivingPart& part = station.parts.at(at(share.part));
  const Node& node = nodes_[at(share.station)];
  if (station.kind == Station::readout) {
    Tensor score = state_vector(map, share.station, share.row).clone();
    score[0] *= share.column >= 0 && part.dense() ? part.share[share.row * part.columns + share.column]
                                                  : static_cast<Scalar>(part.total(share.row));
    return score;
  }
  Vec q;
  if (part.dense()) {
    q = Vec::Zero(station.units);
    for (Index j = 0; j < S_; ++j)
      if (share.column < 0 || share.column == j) q += node.alpha[share.row * S_ + j] * row(outward(node.over), j);
  } else if (!node.river) {
    const Tensor& s = node.sum.defined() ? node.sum : node.state;
    q = part.kind == Kind::bias ? Vec(node.bias.rows() > 1 ? row(node.bias, share.row) : row(node.bias, 0))
                                : value(node.edges[at(share.part)], share.row, s.columns());
  } else if (part.kind == Kind::written) {
    q = row(node.written, share.row);
  } else {
    const int earlier = node.earlier[at(share.row)];
    q = Vec::Zero(node.state.columns());
    if (part.kind == Kind::carried && earlier >= 0)
      q = row(node.keep, share.row).cwiseProduct(row(node.state, earlier));
    if (part.kind == Kind::start && earlier < 0)
      q = row(node.keep, share.row).cwiseProduct(row(nodes_[at(node.start_memory)].state, 0));
  }
  Tensor out({q.size()});
  std::copy_n(q.data(), q.size(), out.data());
  return out;
}

std::vector<Intervention> RecurrentRule::cut(const LivingMap& map, const LivingShare& share) const {
  const LivingStation& station = map.stations.at(at(share.station));
  const LivingPart& part = station.parts.at(at(share.part));
  if (!part.dense()) return {};
  // A hard choice is cut where it is made.
  const std::string step = "decoder.step[" + std::to_string(share.row) + "].attention.";
  const bool hard = map.result->trace->find(step + "sample.onehot") >= 0;
  const LivingSites::At at_step{step + (hard ? "sample.onehot" : "weights"), 0, true};
  return {living::zeroed(at_step, share.column < 0 ? -1 : sites_.key(Side::source, share.column))};
}

// --- The flow, backwards through time and depth.

class RecurrentRule::Flowing {
 public:
  Flowing(const RecurrentRule& rule, const LivingMap& map, LivingChoice choice)
      : rule_(rule), map_(map), flow_(living::empty_flow(map, choice)) {
    for (std::size_t s = 0; s < map.stations.size(); ++s) {
      const Node& node = rule.nodes_[s];
      const Index rows = map.stations[s].count;
      amount_.emplace_back(at(rows), 0.0);
      written_.emplace_back(at(rows), 0.0);
      weights_.push_back(node.state.defined() ? Tensor::zeros({rows, node.state.columns()}) : Tensor());
      written_weights_.push_back(node.river ? Tensor::zeros({rows, node.state.columns()}) : Tensor());
    }
  }

  LivingFlow run() {
    const LivingStation& last = map_.stations.back();
    const int readout = map_.output_station(), t = flow_.choice.lane - last.first;
    flow_.at[at(readout)][at(t)] = 1;
    flow_.totals[at(readout)] = 1;
    read_out(t);
    // The decoder, a step at a time: what is fed back comes from the step behind.
    const int first = first_of_decoder();
    for (int r = t; r >= 0; --r) {
      if (rule_.fed_ >= 0) handed(rule_.fed_, r);
      for (int s = readout - 1; s >= first; --s) {
        if (s == rule_.fed_ || map_.stations[at(s)].side != Side::target || map_.stations[at(s)].kind == Station::start)
          continue;
        handed(s, r);
        if (r == 0) flow_.totals[at(s)] = total();
      }
    }
    if (rule_.fed_ >= 0) flow_.totals[at(rule_.fed_)] = total();
    for (int s = readout - 1; s >= 0; --s) {
      const LivingStation& station = map_.stations[at(s)];
      if (station.side == Side::target && station.kind != Station::start) continue;
      const Node& node = rule_.nodes_[at(s)];
      if (node.order.empty()) {
        for (int r = 0; r < station.count; ++r) handed(s, r);
      } else {
        for (auto r = node.order.rbegin(); r != node.order.rend(); ++r) handed(s, *r);
      }
      flow_.totals[at(s)] = total();
    }
    return std::move(flow_);
  }

 private:
  int first_of_decoder() const {
    for (std::size_t s = 0; s < map_.stations.size(); ++s)
      if (map_.stations[s].side == Side::target) return static_cast<int>(s);
    return map_.output_station();
  }
  double total() const {
    double sum = flow_.rest;
    for (const double origin : flow_.origin) sum += origin;
    for (const auto& station : amount_) sum += std::accumulate(station.begin(), station.end(), 0.0);
    for (const auto& station : written_) sum += std::accumulate(station.begin(), station.end(), 0.0);
    return sum;
  }

  // `amount` runs through the state of a row, by these weights of what others read of it (or of its memory).
  void enter(int station, int r, double amount, Vec R, bool memory) {
    const Node& node = rule_.nodes_[at(station)];
    const bool gained = !memory && node.gain.defined();
    if (gained) R.array() *= row(node.gain, r).array();
    const Vec s = row(node.state, r);
    const double through = product(R, s), size = R.cwiseProduct(s).cwiseAbs().cast<double>().sum();
    // Weights that say nothing about this amount: by the size of each unit.
    const bool says = through > 1e-6 * size && through > 0;
    const double whole = product(s, s);
    if (!says && !(whole > 0)) {
      flow_.rest += amount;
      return;
    }
    const Vec scaled =
        says ? Vec(R * static_cast<Scalar>(amount / through)) : Vec(s * static_cast<Scalar>(amount / whole));
    amount_[at(station)][at(r)] += amount;
    Eigen::Map<Vec>(weights_[at(station)].data() + r * s.size(), s.size()) += scaled;
  }

  // Shares an amount out among edges by what each brings under the weights R of their target.
  void share_out(const std::vector<Edge>& edges, int r, double amount, const Vec& R, std::vector<Tensor>* parts) {
    std::vector<Vec> back;
    std::vector<double> brought;
    double positive = 0;
    for (const Edge& edge : edges) {
      int station = -1;
      const int from = rule_.source_row(edge, r, &station);
      back.push_back(from < 0 ? Vec() : rule_.pull(edge, r, R));
      brought.push_back(from < 0 ? 0 : product(back.back(), row(rule_.port(edge, station), from)));
      positive += std::max(0.0, brought.back());
    }
    if (!(positive > 0)) {
      flow_.rest += amount;
      return;
    }
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (!(brought[e] > 0)) continue;
      int station = -1;
      const int from = rule_.source_row(edges[e], r, &station);
      const double handed = amount * brought[e] / positive;
      if (parts) (*parts)[e][r] += static_cast<Scalar>(handed);
      enter(station, from, handed, back[e], edges[e].memory);
    }
  }

  void read_out(int t) {
    const int readout = map_.output_station();
    const LivingStation& station = map_.stations.back();
    const TokenId token = rule_.token_of(map_, t, flow_.choice.candidate);
    std::vector<Tensor> shares;
    for (const LivingPart& part : station.parts) shares.push_back(Tensor::zeros({part.dense() ? part.columns : 1}));
    rule_.score_parts(map_, t, token, shares, 0);
    const std::vector<Edge>& edges = rule_.nodes_.back().edges;
    const Vec R = rule_.score_weights(t, token);
    double positive = 0;
    for (std::size_t e = 0; e < edges.size(); ++e)
      for (Index k = 0; k < shares[e].size(); ++k) positive += std::max(0.0, static_cast<double>(shares[e][k]));
    for (std::size_t p = 0; p < shares.size(); ++p)
      for (Index k = 0; k < shares[p].size(); ++k) flow_.against += std::min(0.0, static_cast<double>(shares[p][k]));
    if (!(positive > 0)) {
      flow_.rest = 1;
      return;
    }
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const LivingPart& part = station.parts[e];
      const Vec back = rule_.pull(edges[e], t, R);
      for (Index k = 0; k < shares[e].size(); ++k) {
        const auto share = static_cast<double>(shares[e][k]);
        if (!(share > 0)) continue;
        const double handed = share / positive;
        flow_.parts[at(readout)][e][(part.dense() ? t * part.columns : t) + k] = static_cast<Scalar>(handed);
        if (part.dense()) {
          enter(rule_.states_, static_cast<int>(k), handed, back, false);
          continue;
        }
        int from = -1;
        const int r = rule_.source_row(edges[e], t, &from);
        enter(from, r, handed, back, edges[e].memory);
      }
    }
  }

  // Hands back what runs through one row of a station.
  void handed(int s, int r) {
    const LivingStation& station = map_.stations[at(s)];
    const Node& node = rule_.nodes_[at(s)];
    double& amount = amount_[at(s)][at(r)];
    if (amount > 0) {
      const double now = std::exchange(amount, 0);
      const Vec R = row(weights_[at(s)], r);
      if (!node.river) flow_.at[at(s)][at(r)] += now;
      if (station.kind == Station::embedding) {
        flow_.origin[at(station.first + r)] += now;
      } else if (node.over >= 0) {
        looked_up(s, r, now, R);
      } else if (node.river) {
        unroll(s, r, now, R);
      } else {
        Vec back = R;
        if (node.squash.defined()) back.array() *= row(node.squash, r).array();
        share_out(node.edges, r, now, back, &flow_.parts[at(s)]);
      }
    }
    if (node.river) hand_written(s, r);
  }

  void looked_up(int s, int r, double amount, const Vec& R) {
    const Node& node = rule_.nodes_[at(s)];
    const Index S = rule_.S_;
    std::vector<double> brought(at(S));
    double positive = 0;
    for (Index j = 0; j < S; ++j) {
      brought[at(j)] = static_cast<double>(node.alpha[r * S + j]) * product(R, row(rule_.outward(node.over), j));
      positive += std::max(0.0, brought[at(j)]);
    }
    if (!(positive > 0)) {
      flow_.rest += amount;
      return;
    }
    for (Index j = 0; j < S; ++j) {
      if (!(brought[at(j)] > 0)) continue;
      const double handed = amount * brought[at(j)] / positive;
      flow_.parts[at(s)][0][r * S + j] += static_cast<Scalar>(handed);
      enter(node.over, static_cast<int>(j), handed, R, false);
    }
  }

  // s_j = Σ_k keep_j … keep_{k+1} written_k + keep_j … keep_0 start: each unit by itself.
  void unroll(int s, int r, double amount, const Vec& R) {
    const Node& node = rule_.nodes_[at(s)];
    std::vector<int> path;
    std::vector<Vec> left;
    std::vector<double> brought;
    double positive = 0;
    Vec now = R;
    for (int k = r; k >= 0; k = node.earlier[at(k)]) {
      path.push_back(k);
      brought.push_back(product(now, row(node.written, k)));
      positive += std::max(0.0, brought.back());
      left.push_back(now);
      now.array() *= row(node.keep, k).array();
    }
    double start = 0;
    if (node.start_memory >= 0) start = product(now, row(rule_.nodes_[at(node.start_memory)].state, 0));
    positive += std::max(0.0, start);
    if (!(positive > 0)) {
      flow_.rest += amount;
      flow_.at[at(s)][at(r)] += amount;
      return;
    }
    const LivingStation& station = map_.stations[at(s)];
    const int carried = station.part(Kind::carried), written = station.part(Kind::written),
              begin = station.part(Kind::start);
    double runs = amount;
    for (std::size_t i = 0; i < path.size(); ++i) {
      const int k = path[i];
      flow_.at[at(s)][at(k)] += runs;
      if (brought[i] > 0) {
        const double own = amount * brought[i] / positive;
        runs -= own;
        flow_.parts[at(s)][at(written)][k] += static_cast<Scalar>(own);
        written_[at(s)][at(k)] += own;
        Eigen::Map<Vec>(written_weights_[at(s)].data() + k * now.size(), now.size()) +=
            left[i] * static_cast<Scalar>(own / brought[i]);
      }
      if (node.earlier[at(k)] >= 0) flow_.parts[at(s)][at(carried)][k] += static_cast<Scalar>(std::max(0.0, runs));
    }
    if (!(start > 0)) return;
    const double own = amount * start / positive;
    if (begin >= 0) flow_.parts[at(s)][at(begin)][path.back()] += static_cast<Scalar>(own);
    enter(node.start_memory, 0, own, now * static_cast<Scalar>(own / start), true);
  }

  // What a cell wrote at one step, to what it was given there.
  void hand_written(int s, int r) {
    const Node& node = rule_.nodes_[at(s)];
    const double amount = std::exchange(written_[at(s)][at(r)], 0.0);
    if (!(amount > 0)) return;
    Vec R = row(written_weights_[at(s)], r);
    R.array() *= row(node.squash, r).array();
    if (!node.own_token) return share_out(node.edges, r, amount, R, &flow_.candidate[at(s)]);
    int station = -1;
    const int from = rule_.source_row(node.edges[0], r, &station);
    flow_.candidate[at(s)][0][r] += static_cast<Scalar>(amount);
    enter(station, from, amount, rule_.pull(node.edges[0], r, R), false);
  }

  const RecurrentRule& rule_;
  const LivingMap& map_;
  LivingFlow flow_;
  std::vector<std::vector<double>> amount_, written_;  // still to be handed back
  std::vector<Tensor> weights_, written_weights_;
};

LivingFlow RecurrentRule::flow(const LivingMap& map, LivingChoice choice) const {
  return Flowing(*this, map, choice).run();
}

bool knows(const Result& result) {
  const Trace& trace = *result.trace;
  const std::string step = "decoder.step[" + std::to_string(result.steps.size() - 1) + "].";
  const auto cell = [&](const std::string& place) {
    for (const char* leaf : {"lstm.c", "gru.cand", "rnn.pre"})
      if (trace.find(place + leaf) >= 0 || trace.find(place + "layer[0]." + leaf) >= 0) return true;
    return false;
  };
  return cell(step) && trace.find("encoder.states") >= 0 && trace.find("encoder.embed.out") >= 0 &&
         trace.find(step + "embed.out") >= 0;
}

void make(LivingMap& map, const CancelToken& cancel) {
  auto rule = std::make_shared<RecurrentRule>(map);
  rule->make(map, cancel);
  map.rule = std::move(rule);
}

}  // namespace

const LivingFamily kLivingRecurrent{knows, make};

}  // namespace headlight
