// What a decoder starts from, its cells and what it looks up.

#include "model/analysis/living/recurrent.h"
#include "model/core/slices.h"

namespace headlight::living_recurrent {

// One state in front of the decoder's first step: tanh(Σ W + b), or the sum itself. -1 where the run has no such site.
int RecurrentRule::add_start(LivingMap& map, Index layer, const std::string& site, const std::vector<Edge>& from,
                             const Tensor& W, const Tensor& b) {
  const Tensor value = sites_.value(site);
  if (!value.defined()) return -1;
  Node node;
  node.state = value.view(0, {1, value.size()});
  node.edges = all_through(from, W);
  if (W.defined()) {
    node.bias = b;
    node.sum = summed(node.edges, b, 1, value.size());
    node.squash = quotient(node.state, node.sum);
  }
  const int made = add(map, Station::start, Side::target, layer, std::move(node));
  place(map, made, [&](Index) { return site; });
  return made;
}

// Of a decoder that asks before its cell: what its first state is made from.
std::vector<Edge> RecurrentRule::first_state() const {
  const std::string start = word("start", "backward");
  if (start == "mean") return mean_state(1);
  Edge backward = last_state(layers_.back().last(), 1);
  if (start != "both") return {backward};
  backward.place = settings_.encoder.hidden;
  return {last_state(layers_.back().forward, 1), backward};
}

RecurrentRule::Starts RecurrentRule::add_starts(LivingMap& map, bool before, Index layers, const Tensor& bridge) {
  const bool lstm = settings_.encoder.cell == CellKind::lstm, passes_memory = lstm && flag("pass_cell");
  Starts starts;
  for (Index l = 0; l < layers; ++l) {
    const std::string where = side_place("decoder", l, layers) + ".init.";
    const Index shown = layers > 1 ? l : -1;
    int h = -1, c = -1;
    if (before) {
      const std::vector<Edge> from = first_state();
      const auto parameter = [&](const char* leaf) { return sites_.parameter(std::string("decoder.init.") + leaf); };
      h = add_start(map, shown, where + "h", from, parameter("W_s"), parameter("b_s"));
      c = add_start(map, shown, where + "c", from, parameter("W_c"), parameter("b_c"));
    } else {
      const int last = layers_[at(l)].last();
      h = layers == 1 ? add_start(map, shown, where + "h", summary(1), bridge, {})
                      : add_start(map, shown, where + "h", {last_state(last, 1)}, {}, {});
      if (passes_memory) c = add_start(map, shown, where + "c", {last_state(last, 1, true)}, {}, {});
    }
    starts.complete = starts.complete && h >= 0 && (c >= 0 || !(passes_memory || (lstm && before)));
    starts.h.push_back(h);
    starts.c.push_back(c);
  }
  return starts;
}

// What attention looks up; false where the run lacks its weights.
bool RecurrentRule::add_attention(LivingMap& map) {
  Node node;
  node.over = states_;
  node.alpha = Tensor::zeros({U_, S_});
  for (Index t = 0; t < U_; ++t) {
    const std::string step = living::decoder_step(t);
    Tensor alpha = sites_.value(step + "attention.sample.onehot");
    if (!alpha.defined()) alpha = sites_.value(step + "attention.weights");
    const Tensor gate = sites_.value(step + "attention.gate");
    if (!alpha.defined() || alpha.size() != S_) return false;
    for (Index j = 0; j < S_; ++j)
      node.alpha[t * S_ + sites_.lane_of_key(Side::source, j)] = alpha[j] * (gate.defined() ? gate[0] : Scalar(1));
  }
  const bool gated = sites_.value("decoder.step[0].attention.gated").defined();
  const char* leaf = gated ? "attention.gated" : "attention.context";
  node.state = sites_.rows(Side::target, leaf);
  context_ = add(map, Station::context, Side::target, -1, std::move(node));
  place_in_steps(map, context_, leaf);
  return true;
}

// The vector that stands for the whole source, shown again at every step.
void RecurrentRule::add_bottleneck(LivingMap& map, const Tensor& bridge) {
  const Tensor z = sites_.value("encoder.bottleneck");
  Node node;
  node.state = Tensor({U_, z.size()});
  for (Index t = 0; t < U_; ++t) std::copy_n(z.data(), z.size(), node.state.data() + t * z.size());
  node.edges = all_through(summary(U_), bridge);
  if (bridge.defined()) {
    node.sum = summed(node.edges, {}, U_, z.size());
    node.squash = quotient(node.state, node.sum);
  }
  context_ = add(map, Station::context, Side::target, -1, std::move(node));
  place(map, context_, [](Index) { return "encoder.bottleneck"; });
}

// What a layer is given, one behind the other.
std::vector<Edge> RecurrentRule::inputs_of(Index layer, Index layers, int below, bool before, bool attends) const {
  std::vector<Edge> inputs;
  Index first = 0;
  const auto take = [&](Edge edge) {
    edge.first = first;
    first += edge.count;
    inputs.push_back(std::move(edge));
  };
  const bool lowest = layer == 0, after = attends && !before;
  Index query = before ? 0 : config_.value("query_layer", 0);
  if (query < 0) query = layers - 1;
  if (lowest && context_ >= 0 && !attends) take(taken(Kind::context, context_, U_));
  take(taken(lowest ? Kind::token : Kind::state, below, U_));
  if (lowest && after && word("context_use", "to_affine") != "to_affine") take(fed_back(Kind::context, context_));
  if (lowest && fed_ >= 0) take(fed_back(Kind::state, fed_));
  if (after && layer > query) {
    const bool fresh = word("attention_step", "fresh") == "fresh";
    take(fresh ? taken(Kind::context, context_, U_) : fed_back(Kind::context, context_));
  }
  if (before)
    inputs.push_back(through(taken(Kind::context, context_, U_), sites_.parameter("decoder.context.C"), 0, 0));
  return inputs;
}

void RecurrentRule::add_decoder(LivingMap& map, const CancelToken& cancel) {
  const EncoderSettings& e = settings_.encoder;
  const bool before = sites_.parameter("decoder.context.C").defined();  // attention asks before the cell (Bahdanau)
  const bool attends = map.result->trace->find("decoder.step[0].attention.context") >= 0;
  const Index layers = before ? 1 : e.layers;
  const bool bridged = layers == 1 && e.layers == 1 && (e.pooling == Pooling::last || !e.bridge);
  const Tensor bridge = bridged ? sites_.parameter("encoder.bridge.W") : Tensor();

  const Starts starts = add_starts(map, before, layers, bridge);
  if (!starts.complete) return map.stations.clear();
  if (attends) {
    if (!add_attention(map)) return map.stations.clear();
  } else if (sites_.value("encoder.bottleneck").defined()) {
    // It is shown again at every step where the first cell has room for it.
    if (Wx_of(side_place("decoder", 0, layers)).rows() > e.embedding) add_bottleneck(map, bridge);
  }
  Node embedded;
  embedded.state = sites_.rows(Side::target, "embed.out");
  if (!embedded.state.defined()) return map.stations.clear();
  target_ = add(map, Station::embedding, Side::target, -1, std::move(embedded));
  place_in_steps(map, target_, "embed.out");
  cancel.check();
  slice_point();

  // h̃ of the step before is fed to the first layer; what it is made of is known when all layers are there.
  if (!before && flag("input_feeding")) {
    Node node;
    node.state = sites_.rows(Side::target, "attentional");
    if (!node.state.defined()) return map.stations.clear();
    fed_ = add(map, Station::states, Side::target, -1, std::move(node));
    place_in_steps(map, fed_, "attentional");
  }
  int below = target_;
  for (Index l = 0; l < layers; ++l) {
    const std::string leaf = layers > 1 ? "layer[" + std::to_string(l) + "]." : "";
    const Index shown = layers > 1 ? l : -1;
    std::vector<LivingStation::Gate> gates;
    Node node = cell("decoder", side_place("decoder", l, layers), Side::target, rows_before(U_),
                     inputs_of(l, layers, below, before, attends), starts.h[at(l)], &gates, leaf);
    if (!node.state.defined()) return map.stations.clear();
    node.start_memory = (e.cell == CellKind::lstm ? starts.c : starts.h)[at(l)];
    node.order = same_rows(U_);
    const int made = add(map, Station::cell, Side::target, shown, std::move(node));
    map.stations.back().gates = std::move(gates);
    place_in_steps(map, made, leaf + state_leaf());
    int out = made;
    if (sites_.value("decoder.step[0]." + leaf + "residual.out").defined()) {
      Node sum;
      sum.state = sites_.rows(Side::target, leaf + "residual.out");
      sum.edges = {taken(Kind::state, made, U_), taken(Kind::carried, below, U_)};
      out = add(map, Station::states, Side::target, shown, std::move(sum));
      place_in_steps(map, out, leaf + "residual.out");
    }
    below = out;
    cancel.check();
    slice_point();
  }
  add_readout(map, below, before);
}

}  // namespace headlight::living_recurrent
