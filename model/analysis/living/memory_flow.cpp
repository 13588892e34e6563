// The flow of an output of a machine, backwards through time.

#include <algorithm>
#include <cmath>

#include "model/analysis/living/memory.h"

namespace headlight::living_memory {

namespace {

constexpr Index kAddressing = 6;  // β, g, s (3), γ: between a head's key and what else it says

Scalar slope(Scalar y, Scalar x, Scalar at_zero) { return std::abs(x) > Scalar(1e-12) ? y / x : at_zero; }

}  // namespace

// An amount, and the weight of each unit that brings it.
struct Inflow {
  double amount = 0;
  Vec R;
  void add(double more, const Vec& weights) {
    amount += more;
    R = R.size() == 0 ? weights : Vec(R + weights);
  }
};

class MemoryRule::Flowing {
 public:
  Flowing(const MemoryRule& rule, const LivingMap& map, LivingChoice choice)
      : rule_(rule),
        map_(map),
        flow_(living::empty_flow(map, choice)),
        hidden_(at_place(rule.T_)),
        written_(at_place(rule.T_)),
        added_(at_place(rule.T_ * rule.heads_)),
        read_(at_place(rule.T_ * rule.heads_)) {}

  LivingFlow run() {
    const int readout = map_.output_station(), first = map_.stations.back().first;
    const Index step = flow_.choice.lane - first, now = rule_.S_ + 1 + step;
    const TokenId token = token_of(map_, step, flow_.choice.candidate);
    flow_.at[at_place(readout)][at_place(step)] = 1;
    flow_.totals[at_place(readout)] = 1;
    const std::vector<double> shares = rule_.scores(step, token);
    const Vec R = rule_.score_weights(token);
    double positive = 0;
    for (std::size_t p = 0; p + 1 < shares.size(); ++p) positive += std::max(0.0, shares[p]);
    for (const double share : shares) flow_.against += std::min(0.0, share);
    if (!(positive > 0)) flow_.rest = 1;
    const Index H = rule_.hidden(0).size();
    double score = 0;
    rule_.scores(step, token, &score);
    for (std::size_t p = 0; p + 1 < shares.size() && positive > 0; ++p) {
      if (!(shares[p] > 0)) continue;
      const double handed = shares[p] / positive;
      const auto scale = static_cast<Scalar>(handed / (shares[p] * score));
      flow_.parts[at_place(readout)][p][step] = static_cast<Scalar>(handed);
      if (p == 0)
        hidden_[at_place(now)].add(handed, R.head(H) * scale);
      else
        read_[at_place(now * rule_.heads_ + static_cast<Index>(p) - 1)].add(
            handed, R.segment(H + (static_cast<Index>(p) - 1) * rule_.W_, rule_.W_) * scale);
    }
    for (Index t = now; t >= 0; --t) {
      for (Index r = rule_.heads_ - 1; r >= 0; --r) {
        // A head writes after it has read, so what it wrote is read later only.
        write(t, r);
        read(t, r);
      }
      control(t);
    }
    const double sum = total();
    for (int s = 0; s < readout; ++s) flow_.totals[at_place(s)] = sum;
    return std::move(flow_);
  }

 private:
  double total() const {
    double sum = flow_.rest;
    for (const double origin : flow_.origin) sum += origin;
    for (const auto* all : {&hidden_, &written_, &added_, &read_})
      for (const Inflow& one : *all) sum += one.amount;
    return sum;
  }

  // What was read, from the slots, and from there to the moments that wrote them.
  void read(Index t, Index r) {
    const Inflow in = std::exchange(read_[at_place(t * rule_.heads_ + r)], {});
    if (!(in.amount > 0)) return;
    const int station = rule_.reads_ + static_cast<int>(r);
    flow_.at[at_place(station)][at_place(t)] += in.amount;
    const Tensor w = rule_.read_weights(t, r);
    const Index moment = rule_.moment_read(t, r), N = rule_.N_;
    std::vector<double> brought(at_place(N));
    double positive = 0;
    for (Index n = 0; n < N; ++n) {
      brought[at_place(n)] = static_cast<double>(w[n]) * product(in.R, row(rule_.memory(moment), n));
      positive += std::max(0.0, brought[at_place(n)]);
    }
    if (!(positive > 0)) {
      flow_.rest += in.amount;
      return;
    }
    for (Index n = 0; n < N; ++n) {
      if (!(brought[at_place(n)] > 0)) continue;
      const double handed = in.amount * brought[at_place(n)] / positive;
      flow_.parts[at_place(station)][0][t * N + n] += static_cast<Scalar>(handed);
      unroll(moment, n, handed, in.R * static_cast<Scalar>(static_cast<double>(w[n]) * handed / brought[at_place(n)]));
    }
  }

  void unroll(Index moment, Index n, double amount, Vec left) {
    std::vector<double> brought;
    std::vector<Vec> weights;
    double positive = 0;
    for (Index m = moment; m >= 0; --m) {
      const Writing& by = rule_.writing(m);
      weights.push_back(left * by.w[n]);
      brought.push_back(product(weights.back(), whole(by.add)));
      positive += std::max(0.0, brought.back());
      left = left.cwiseProduct((Scalar(1) - by.w[n] * whole(by.erase).array()).matrix());
    }
    const double start = std::max(0.0, product(left, row(rule_.first_, n)));
    positive += start;
    if (!(positive > 0)) {
      flow_.rest += amount;
      return;
    }
    double runs = amount;
    for (std::size_t i = 0; i < brought.size(); ++i) {
      const Index m = moment - static_cast<Index>(i);
      const int station = rule_.moments_ + static_cast<int>(m);
      flow_.at[at_place(station)][at_place(n)] += runs;
      const double own = amount * std::max(0.0, brought[i]) / positive;
      runs = std::max(0.0, runs - own);
      flow_.parts[at_place(station)][0][n] += static_cast<Scalar>(runs);
      flow_.parts[at_place(station)][1][n] += static_cast<Scalar>(own);
      if (own > 0) added_[at_place(m)].add(own, weights[i] * static_cast<Scalar>(own / brought[i]));
    }
    flow_.rest += amount * start / positive;
  }

  // What was written, from the controller: a = h W + b, or its tanh.
  void write(Index t, Index r) {
    const Inflow in = std::exchange(added_[at_place(t * rule_.heads_ + r)], {});
    if (!(in.amount > 0)) return;
    const Tensor W = rule_.sites_.parameter(head(r) + "write.W"), pre = rule_.value(t, head(r) + "write.pre"),
                 add = rule_.value(t, head(r) + "write.add");
    const Index column = 2 * rule_.W_ + kAddressing;
    Vec back = in.R;
    for (Index u = 0; u < back.size(); ++u) back[u] *= slope(add[u], pre[column + u], Scalar(1));
    enter(hidden_[at_place(t)], in.amount, W.matrix().middleCols(column, rule_.W_) * back, whole(rule_.hidden(t)));
  }

  // The controller's river, and what it wrote at this time.
  void control(Index t) {
    const Inflow in = std::exchange(hidden_[at_place(t)], {});
    if (!rule_.lstm_) {
      if (!(in.amount > 0)) return;
      flow_.at[at_place(rule_.controller_)][at_place(t)] += in.amount;
      Vec R = in.R;
      const Vec pre = rule_.candidate(t);
      for (Index u = 0; u < R.size(); ++u) R[u] *= slope(rule_.hidden(t)[u], pre[u], Scalar(1));
      return give(t, in.amount, R, flow_.parts[at_place(rule_.controller_)]);
    }
    if (in.amount > 0) river(t, in);
    const Inflow own = std::exchange(written_[at_place(t)], {});
    if (!(own.amount > 0)) return;
    const Vec pre = rule_.candidate(t), wrote = rule_.written(t);
    const Tensor gate = rule_.value(t, "lstm.gate.i");
    Vec R = own.R;
    for (Index u = 0; u < R.size(); ++u) R[u] *= slope(wrote[u], pre[u], gate[u]);
    give(t, own.amount, R, flow_.candidate[at_place(rule_.controller_)]);
  }

  void river(Index t, const Inflow& in) {
    Vec left = in.R;
    const Tensor h = rule_.hidden(t), c = rule_.state(t), o = rule_.value(t, "lstm.gate.o");
    for (Index u = 0; u < left.size(); ++u) left[u] *= slope(h[u], c[u], o[u]);
    std::vector<double> brought;
    std::vector<Vec> weights;
    double positive = 0;
    for (Index k = t; k >= 0; --k) {
      weights.push_back(left);
      brought.push_back(product(left, rule_.written(k)));
      positive += std::max(0.0, brought.back());
      left = left.cwiseProduct(whole(rule_.value(k, "lstm.gate.f")));
    }
    const double start = std::max(0.0, product(left, rule_.state_before(0)));
    positive += start;
    if (!(positive > 0)) {
      flow_.rest += in.amount;
      return;
    }
    const auto s = at_place(rule_.controller_);
    double runs = in.amount;
    for (std::size_t i = 0; i < brought.size(); ++i) {
      const Index k = t - static_cast<Index>(i);
      flow_.at[s][at_place(k)] += runs;
      const double own = in.amount * std::max(0.0, brought[i]) / positive;
      runs = std::max(0.0, runs - own);
      flow_.parts[s][1][k] += static_cast<Scalar>(own);
      flow_.parts[s][k > 0 ? 0 : 2][k] += static_cast<Scalar>(runs);
      if (own > 0) written_[at_place(k)].add(own, weights[i] * static_cast<Scalar>(own / brought[i]));
    }
    flow_.rest += in.amount * start / positive;
  }

  // While the source is read, what the controller writes stays with its token; then it is from what came in.
  void give(Index t, double amount, const Vec& R, std::vector<Tensor>& parts) {
    if (t <= rule_.S_) {
      parts[0][t] += static_cast<Scalar>(amount);
      flow_.at[0][at_place(t)] += amount;
      flow_.origin[at_place(t)] += amount;
      return;
    }
    const std::vector<Part> all = rule_.candidate_parts(t);
    std::vector<Vec> back;
    std::vector<double> brought;
    double positive = 0;
    for (const Part& part : all) {
      back.push_back(rule_.pulled(part, R));
      brought.push_back(product(back.back(), part.x));
      positive += std::max(0.0, brought.back());
    }
    if (!(positive > 0)) {
      flow_.rest += amount;
      return;
    }
    for (std::size_t p = 0; p < all.size(); ++p) {
      if (!(brought[p] > 0)) continue;
      const double handed = amount * brought[p] / positive;
      parts[p][t] += static_cast<Scalar>(handed);
      const Vec scaled = back[p] * static_cast<Scalar>(handed / brought[p]);
      if (all[p].kind == Kind::context)
        read_[at_place((t - 1) * rule_.heads_ + all[p].head)].add(handed, scaled);
      else if (all[p].kind == Kind::recurrent)
        hidden_[at_place(t - 1)].add(handed, scaled);
      else
        flow_.rest += handed;
    }
  }

  // By these weights where they bring something, else by the size of each unit.
  void enter(Inflow& to, double amount, const Vec& R, const Vec& x) {
    const double through = product(R, x), size = product(R.cwiseAbs(), x.cwiseAbs()), squares = product(x, x);
    if (through > 1e-6 * size && through > 0)
      to.add(amount, R * static_cast<Scalar>(amount / through));
    else if (squares > 0)
      to.add(amount, x * static_cast<Scalar>(amount / squares));
    else
      flow_.rest += amount;
  }

  const MemoryRule& rule_;
  const LivingMap& map_;
  LivingFlow flow_;
  std::vector<Inflow> hidden_, written_;  // by time
  std::vector<Inflow> added_, read_;      // by time and pair
};

LivingFlow MemoryRule::flow(const LivingMap& map, LivingChoice choice) const {
  return Flowing(*this, map, choice).run();
}

}  // namespace headlight::living_memory
