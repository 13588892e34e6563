// What a decoder starts from, its cells and what it looks up.

#include "model/analysis/living/recurrent.h"

namespace headlight::living_recurrent {

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

}  // namespace headlight::living_recurrent
