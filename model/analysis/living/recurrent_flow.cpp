// The flow of an output, backwards through time and depth.

#include "model/analysis/living/recurrent.h"

namespace headlight::living_recurrent {

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
    const TokenId token = token_of(map_, t, flow_.choice.candidate);
    std::vector<Tensor> shares = row_of_shares(map_);
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

}  // namespace headlight::living_recurrent
