// Cells, and how an encoder is made of them.

#include "model/analysis/living/recurrent.h"
#include "model/core/slices.h"

namespace headlight::living_recurrent {

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
      place(map, made, [&](Index i) {
        return own + ".step[" + std::to_string(sites_.key(Side::source, i)) + "]." + state_leaf();
      });
      (backward ? layer.backward : layer.forward) = made;
      cancel.check();
      slice_point();
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

// The last state that a cell of the encoder has read to.
Edge RecurrentRule::last_state(int station, Index rows, bool memory) const {
  Edge edge = taken(Kind::start, station, rows);
  edge.memory = memory;
  edge.count = settings_.encoder.hidden;
  std::ranges::fill(edge.rows, nodes_[at(station)].order.back());
  return edge;
}

// State j of the encoder.
Edge RecurrentRule::one_state(Index j, Index rows) const {
  Edge edge = taken(Kind::start, states_, rows);
  std::ranges::fill(edge.rows, static_cast<int>(j));
  return edge;
}

std::vector<Edge> RecurrentRule::mean_state(Index rows) const {
  std::vector<Edge> edges;
  for (Index j = 0; j < S_; ++j) {
    edges.push_back(one_state(j, rows));
    edges.back().scale = Scalar(1) / static_cast<Scalar>(S_);
  }
  return edges;
}

// Encoder::bottleneck in front of its bridge.
std::vector<Edge> RecurrentRule::summary(Index rows) const {
  const EncoderSettings& e = settings_.encoder;
  Edge last = last_state(layers_.back().last(), rows);
  if (e.layers > 1) return {last};
  if (e.pooling == Pooling::last) {
    if (layers_.back().backward < 0) return {last};
    Edge forward = last_state(layers_.back().forward, rows);
    if (e.merge == Merge::concat) last.place = e.hidden;
    if (e.merge == Merge::mean) forward.scale = last.scale = Scalar(0.5);
    return {forward, last};
  }
  if (e.pooling == Pooling::mean) return mean_state(rows);
  const Tensor& states = outward(states_);
  std::vector<Edge> edges;
  for (Index j = 0; j < S_; ++j) {  // the largest of each unit, the first of equal ones
    Edge& edge = edges.emplace_back(one_state(j, rows));
    edge.before = Tensor::zeros({rows, states.columns()});
    for (Index u = 0; u < states.columns(); ++u) {
      Index best = 0;
      states.matrix().col(u).maxCoeff(&best);
      if (best == j) edge.before.matrix().col(u).setOnes();
    }
  }
  return edges;
}

}  // namespace headlight::living_recurrent
