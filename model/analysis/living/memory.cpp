// Neural Turing Machines (Graves et al. 2014). Time runs through the lanes of the text; every slot of the memory is a
// lane of its own, and every moment a station: M = M′ ∘ (1 − w eᵀ) + w aᵀ. What was read comes from slots, each unit of
// a slot from the moments that wrote it, and what was written from the controller of that moment.

#include <algorithm>
#include <cmath>

#include "model/analysis/living/rule.h"
#include "model/core/json_library.h"

namespace headlight {

namespace {

using Side = LivingLane::Side;
using Kind = LivingPart::Kind;
using Station = LivingStation::Kind;
using Vec = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
using ConstVec = Eigen::Map<const Vec>;

constexpr Index kAddressing = 6;  // β, g, s (3), γ: between a head's key and what else it says

ConstVec whole(const Tensor& t) { return {t.data(), t.size()}; }
double product(const Vec& a, const Vec& b) { return a.cast<double>().dot(b.cast<double>()); }
Scalar slope(Scalar y, Scalar x, Scalar at_zero) { return std::abs(x) > Scalar(1e-12) ? y / x : at_zero; }

// An amount, and the weight of each unit that brings it.
struct Inflow {
  double amount = 0;
  Vec R;
  void add(double more, const Vec& weights) {
    amount += more;
    R = R.size() == 0 ? weights : Vec(R + weights);
  }
};

class MemoryRule : public LivingRule {
 public:
  explicit MemoryRule(const LivingMap& map)
      : trace_(map.result->trace), sites_(map), config_(map.result->model->model->config()) {
    S_ = map.range(Side::source).second - 1;
    U_ = map.range(Side::target).second;
    T_ = S_ + 1 + U_;
    N_ = config_.at("memory.slots").get<Index>();
    W_ = config_.at("memory.width").get<Index>();
    heads_ = config_.at("memory.heads").get<Index>();
    lstm_ = sites_.parameter("controller.lstm.Wx").defined();
    tokens_ = config_.at("target_vocabulary_size").get<Index>();
  }

  bool make(LivingMap& map, const CancelToken& cancel);
  LivingFlow flow(const LivingMap& map, LivingChoice choice) const override;

  std::vector<Tensor> readout_shares(const LivingMap& map, LivingChoice choice) const override {
    std::vector<Tensor> shares;
    const Index t = choice.lane - map.stations.back().first;
    for (const double part : scores(t, token_of(map, t, choice.candidate))) {
      shares.push_back(Tensor({1}));
      shares.back()[0] = static_cast<Scalar>(part);
    }
    return shares;
  }
  Tensor head_weights(const LivingMap& map, int station, int part) const override {
    const LivingStation& one = map.stations.at(at_place(station));
    if (!one.parts.at(at_place(part)).dense()) return {};
    Tensor weights({1, T_, N_});
    for (Index t = 0; t < T_; ++t) weights.matrix().row(t) = whole(read_weights(t, one.layer)).transpose();
    return weights;
  }
  Tensor state_vector(const LivingMap& map, int station, Index row) const override;
  Tensor part_vector(const LivingMap& map, const LivingShare& share) const override;
  std::vector<Intervention> cut(const LivingMap& map, const LivingShare& share) const override {
    const LivingStation& one = map.stations.at(at_place(share.station));
    if (!one.parts.at(at_place(share.part)).dense()) return {};
    return {living::zeroed({place(share.row) + head(one.layer) + "read.w", 0, true}, share.column)};
  }

 private:
  // --- values by time: the source, the delimiter, what is written
  std::string place(Index t) const {
    return t <= S_ ? "encoder.step[" + std::to_string(t) + "]." : "decoder.step[" + std::to_string(t - S_ - 1) + "].";
  }
  static std::string head(Index r) { return "memory.head[" + std::to_string(r) + "]."; }
  Tensor value(Index t, const std::string& leaf) const { return trace_->value(place(t) + leaf); }
  const Tensor& memory(Index moment) const { return moment < 0 ? first_ : memories_[at_place(moment)]; }  // [N x W]
  Tensor read_weights(Index t, Index r) const { return value(t, head(r) + "read.w"); }
  Tensor read(Index t, Index r) const { return value(t, head(r) + "read.vector"); }
  // The moment whose memory a head reads: moments are counted by time and pair.
  Index moment_read(Index t, Index r) const { return t * heads_ + r - 1; }

  struct Writing {
    Tensor w, erase, add;
  };
  const Writing& writing(Index moment) const { return writings_[at_place(moment)]; }
  // Of slot n at a moment: what it kept of itself, what was written to it [W].
  Vec kept(const Writing& by, Index moment, Index n) const {
    return (Scalar(1) - by.w[n] * whole(by.erase).array()).matrix().cwiseProduct(row(memory(moment - 1), n));
  }
  static Vec row(const Tensor& t, Index r) { return ConstVec(t.data() + r * t.columns(), t.columns()); }

  // --- the controller
  Tensor state(Index t) const { return value(t, lstm_ ? "lstm.c" : "controller.h"); }
  Tensor hidden(Index t) const { return value(t, lstm_ ? "lstm.h" : "controller.h"); }
  Vec hidden_before(Index t) const {
    return t > 0 ? Vec(whole(hidden(t - 1))) : Vec(whole(sites_.parameter("controller.init.h")));
  }
  Vec state_before(Index t) const {
    return t > 0 ? Vec(whole(state(t - 1))) : Vec(whole(sites_.parameter("controller.init.c")));
  }
  Vec written(Index t) const { return whole(value(t, "lstm.gate.i")).cwiseProduct(whole(value(t, "lstm.cand.g"))); }
  Tensor input_matrix() const { return sites_.parameter(lstm_ ? "controller.lstm.Wx" : "controller.W"); }
  Index candidate_column() const { return lstm_ ? hidden(0).size() : 0; }
  // Of what the controller computes from its input at one time, the sum in front of tanh.
  Vec candidate(Index t) const {
    const Index H = hidden(0).size();
    if (lstm_) return whole(value(t, "lstm.pre")).segment(H, H);
    return input_matrix().matrix().transpose() * whole(value(t, "controller.input")) +
           whole(sites_.parameter("controller.b"));
  }
  // The parts of that sum: token, each read, state before, bias.
  struct Part {
    Kind kind;
    Index head = -1;
    Vec x;            // what comes in
    Index first = 0;  // rows of the matrix that it meets
    const Tensor* W = nullptr;
  };
  std::vector<Part> candidate_parts(Index t) const {
    const Tensor input = value(t, "controller.input");
    const Index channels = input.size() - heads_ * W_;
    std::vector<Part> parts = {{Kind::token, -1, whole(input).head(channels), 0, &Wx_}};
    for (Index r = 0; r < heads_; ++r)
      parts.push_back({Kind::context, r, whole(input).segment(channels + r * W_, W_), channels + r * W_, &Wx_});
    if (lstm_) parts.push_back({Kind::recurrent, -1, hidden_before(t), 0, &Wh_});
    return parts;
  }
  Vec brought(const Part& part) const {
    return part.W->matrix().block(part.first, candidate_column(), part.x.size(), hidden(0).size()).transpose() * part.x;
  }
  Vec pulled(const Part& part, const Vec& R) const {
    return part.W->matrix().block(part.first, candidate_column(), part.x.size(), R.size()) * R;
  }

  // --- the readout: bits from [h; reads], the score of a token from its bits
  TokenId token_of(const LivingMap& map, Index t, TokenId candidate) const {
    return candidate >= 0 ? candidate : map.result->steps[at_place(t)].id;
  }
  // The bits of a token above their mean over all tokens; where all 2^b patterns are tokens, that mean is a half.
  Vec bits_above_mean(TokenId token, Index count) const {
    Vec bits(count);
    for (Index k = 0; k < count; ++k) {
      Index ones = 0;
      for (Index other = 0; other < tokens_; ++other) ones += other >> (count - 1 - k) & 1;
      bits[k] = Scalar(token >> (count - 1 - k) & 1) - static_cast<Scalar>(ones) / static_cast<Scalar>(tokens_);
    }
    return bits;
  }
  // The weight of each unit of the readout for a token above the mean of all tokens.
  Vec score_weights(TokenId token) const {
    const Tensor W = sites_.parameter("output.W");
    return W.matrix() * bits_above_mean(token, W.columns());
  }
  double score_bias(TokenId token) const {
    const Tensor b = sites_.parameter("output.b");
    return static_cast<double>(b.array().matrix().dot(bits_above_mean(token, b.size())));
  }
  // Controller, each read, bias, over the score; `score` is that.
  std::vector<double> scores(Index step, TokenId token, double* score = nullptr) const {
    const Index t = S_ + 1 + step, H = hidden(0).size();
    const Vec R = score_weights(token);
    std::vector<double> parts = {product(R.head(H), whole(hidden(t)))};
    for (Index r = 0; r < heads_; ++r) parts.push_back(product(R.segment(H + r * W_, W_), whole(read(t, r))));
    parts.push_back(score_bias(token));
    double sum = 0;
    for (const double part : parts) sum += part;
    for (double& part : parts) part = sum != 0 ? part / sum : 0;
    if (score) *score = sum;
    return parts;
  }

  class Flowing;

  std::shared_ptr<const Trace> trace_;
  LivingSites sites_;
  const Json& config_;
  Index S_ = 0, U_ = 0, T_ = 0, N_ = 0, W_ = 0, heads_ = 1, tokens_ = 0;
  bool lstm_ = true;
  Tensor Wx_, Wh_, first_;
  std::vector<Tensor> memories_;  // by moment
  std::vector<Writing> writings_;
  int controller_ = -1, moments_ = -1, reads_ = -1;
};

bool MemoryRule::make(LivingMap& map, const CancelToken& cancel) {
  map.family = LivingMap::Family::memory;
  Wx_ = input_matrix();
  Wh_ = sites_.parameter("controller.lstm.Wh");
  first_ = sites_.parameter("memory.init");
  const auto has = [&](Index t, const std::string& leaf) { return trace_->find(place(t) + leaf) >= 0; };
  for (Index t = 0; t < T_; ++t) {
    for (const char* leaf : {"controller.input", "lstm.pre", "lstm.gate.f", "lstm.gate.i", "lstm.gate.o", "lstm.cand.g",
                             "lstm.c", "lstm.h"})
      if ((lstm_ || leaf[0] == 'c') && !has(t, leaf)) return false;
    if (!lstm_ && !has(t, "controller.h")) return false;
    for (Index r = 0; r < heads_; ++r) {
      for (const char* leaf : {"write.M", "write.w", "write.erase", "write.add", "write.pre", "read.w", "read.vector"})
        if (!has(t, head(r) + leaf)) return false;
      memories_.push_back(value(t, head(r) + "write.M"));
      writings_.push_back(
          {value(t, head(r) + "write.w"), value(t, head(r) + "write.erase"), value(t, head(r) + "write.add")});
    }
  }
  if (!Wx_.defined() || !first_.defined()) return false;
  const auto [slots, slot_count] = map.range(Side::memory);
  const auto add = [&](Station kind, int first, int count,
                       const std::function<std::string(Index)>& site) -> LivingStation& {
    LivingStation& station = map.stations.emplace_back();
    station.kind = kind;
    station.first = first;
    station.count = count;
    station.side = map.lanes[at_place(first)].side;
    for (Index i = 0; i < count; ++i) station.places.push_back({trace_->find(site(i)), 0});
    return station;
  };
  // What the controller is given of the text: bits of a token, the sign that ends the source, then nothing.
  LivingStation& input =
      add(Station::embedding, 0, static_cast<int>(S_ + 1), [&](Index t) { return place(t) + "controller.input"; });
  input.units = value(0, "controller.input").size() - heads_ * W_;

  LivingStation& controller = add(Station::cell, 0, static_cast<int>(T_),
                                  [&](Index t) { return place(t) + (lstm_ ? "lstm.c" : "controller.h"); });
  controller_ = 1;
  controller.units = state(0).size();
  const Index H = controller.units;
  Tensor s({T_, H}), kept_part = Tensor::zeros({T_, H}), start = Tensor::zeros({T_, H}), own({T_, H}), sum({T_, H});
  std::vector<std::vector<Tensor>> parts;
  std::vector<int> before, none(at_place(T_), -1);
  for (Index t = 0; t < T_; ++t) {
    s.matrix().row(t) = whole(state(t)).transpose();
    sum.matrix().row(t) = candidate(t).transpose();
    before.push_back(static_cast<int>(t) - 1);
    if (!lstm_) continue;
    (t > 0 ? kept_part : start).matrix().row(t) =
        whole(value(t, "lstm.gate.f")).cwiseProduct(state_before(t)).transpose();
    own.matrix().row(t) = written(t).transpose();
  }
  std::vector<LivingPart> candidate;
  const std::vector<Part> kinds = candidate_parts(0);
  Tensor rest = sum.clone();
  for (std::size_t p = 0; p < kinds.size(); ++p) {
    Tensor q({T_, H});
    std::vector<int> from;
    for (Index t = 0; t < T_; ++t) {
      q.matrix().row(t) = brought(candidate_parts(t)[p]).transpose();
      from.push_back(kinds[p].kind == Kind::token ? (t <= S_ ? static_cast<int>(t) : -1) : static_cast<int>(t) - 1);
    }
    rest.array() -= q.array();
    const int station = kinds[p].kind == Kind::token     ? 0
                        : kinds[p].kind == Kind::context ? 2 + static_cast<int>(T_ * heads_ + kinds[p].head)
                                                         : controller_;
    candidate.push_back(living::lane_by_lane(kinds[p].kind, station, std::move(from), living::shares_of(q, sum)));
  }
  candidate.push_back(living::bias(living::shares_of(rest, sum)));
  if (lstm_) {
    controller.parts = {living::lane_by_lane(Kind::carried, controller_, before, living::shares_of(kept_part, s)),
                        living::lane_by_lane(Kind::written, -1, none, living::shares_of(own, s)),
                        living::lane_by_lane(Kind::start, -1, none, living::shares_of(start, s))};
    controller.candidate = std::move(candidate);
  } else {
    controller.parts = std::move(candidate);
  }
  cancel.check();

  // Every moment of the memory.
  moments_ = static_cast<int>(map.stations.size());
  for (Index m = 0; m < T_ * heads_; ++m) {
    LivingStation& station = add(Station::memory, slots, slot_count,
                                 [&](Index) { return place(m / heads_) + head(m % heads_) + "write.M"; });
    for (Index n = 0; n < N_; ++n) station.places[at_place(n)].first = n * W_;
    station.units = W_;
    station.moment = m / heads_;
    station.layer = heads_ > 1 ? m % heads_ : -1;
    const Writing& by = writing(m);
    Tensor stay({N_, W_}), come({N_, W_});
    for (Index n = 0; n < N_; ++n) {
      stay.matrix().row(n) = kept(by, m, n).transpose();
      come.matrix().row(n) = by.w[n] * whole(by.add).transpose();
    }
    LivingPart carried = living::lane_by_lane(
        m > 0 ? Kind::carried : Kind::start, m > 0 ? moments_ + static_cast<int>(m) - 1 : -1,
        m > 0 ? living::own_lanes(station) : std::vector<int>(at_place(N_), -1), living::shares_of(stay, memory(m)));
    LivingPart wrote =
        living::lane_by_lane(Kind::written, controller_, std::vector<int>(at_place(N_), static_cast<int>(m / heads_)),
                             living::shares_of(come, memory(m)));
    wrote.place = place(m / heads_) + head(m % heads_) + "write";
    station.parts = {std::move(carried), std::move(wrote)};
    cancel.check();
  }
  // What each head read.
  reads_ = static_cast<int>(map.stations.size());
  for (Index r = 0; r < heads_; ++r) {
    LivingStation& station =
        add(Station::read, 0, static_cast<int>(T_), [&](Index t) { return place(t) + head(r) + "read.vector"; });
    station.units = W_;
    station.layer = r;
    Tensor share({T_, N_});
    std::vector<int> from;
    for (Index t = 0; t < T_; ++t) {
      const Vec v = whole(read(t, r));
      const double size = product(v, v);
      const Tensor w = read_weights(t, r);
      const Index m = moment_read(t, r);
      from.push_back(m < 0 ? -1 : moments_ + static_cast<int>(m));
      for (Index n = 0; n < N_; ++n)
        share[t * N_ + n] = size > 0
                                ? static_cast<Scalar>(static_cast<double>(w[n]) * product(row(memory(m), n), v) / size)
                                : Scalar(0);
    }
    LivingPart part = living::dense(Kind::attention, -1, {slots, slot_count}, std::move(share));
    part.from_each = std::move(from);
    part.heads = 1;
    part.place = head(r) + "read";
    station.parts = {std::move(part)};
  }
  LivingStation& readout = add(Station::readout, static_cast<int>(S_ + 1), static_cast<int>(U_),
                               [&](Index t) { return place(S_ + 1 + t) + "output.logits"; });
  readout.units = 1;
  std::vector<int> lanes = living::own_lanes(readout);
  readout.parts.push_back(living::lane_by_lane(Kind::state, controller_, lanes, Tensor({U_})));
  for (Index r = 0; r < heads_; ++r)
    readout.parts.push_back(living::lane_by_lane(Kind::context, reads_ + static_cast<int>(r), lanes, Tensor({U_})));
  readout.parts.push_back(living::bias(Tensor({U_})));
  for (Index t = 0; t < U_; ++t) {
    const TokenId token = token_of(map, t, -1);
    readout.places[at_place(t)].first = token;
    const std::vector<double> shares = scores(t, token);
    for (std::size_t p = 0; p < shares.size(); ++p) readout.parts[p].share[t] = static_cast<Scalar>(shares[p]);
  }
  return true;
}

Tensor MemoryRule::state_vector(const LivingMap& map, int station, Index r) const {
  const LivingStation& one = map.stations.at(at_place(station));
  Vec s;
  if (one.kind == Station::readout) {
    double score = 0;
    scores(r, token_of(map, r, -1), &score);
    s = Vec::Constant(1, static_cast<Scalar>(score));
  } else if (one.kind == Station::memory) {
    s = row(memory(station - moments_), r);
  } else if (one.kind == Station::read) {
    s = whole(read(r, one.layer));
  } else if (one.kind == Station::cell) {
    s = lstm_ ? Vec(whole(state(r))) : candidate(r);
  } else {
    s = whole(value(r, "controller.input")).head(one.units);
  }
  Tensor out({s.size()});
  std::copy_n(s.data(), s.size(), out.data());
  return out;
}

Tensor MemoryRule::part_vector(const LivingMap& map, const LivingShare& share) const {
  const LivingStation& one = map.stations.at(at_place(share.station));
  const LivingPart& part = one.parts.at(at_place(share.part));
  const Index r = share.row;
  Vec q = Vec::Zero(one.units);
  if (one.kind == Station::readout) {
    q[0] = state_vector(map, share.station, r)[0] * part.share[r];
  } else if (one.kind == Station::memory) {
    const Index m = share.station - moments_;
    const Writing& by = writing(m);
    q = part.kind == Kind::written ? Vec(by.w[r] * whole(by.add)) : kept(by, m, r);
  } else if (one.kind == Station::read) {
    const Tensor w = read_weights(r, one.layer);
    for (Index n = 0; n < N_; ++n)
      if (share.column < 0 || share.column == n) q += w[n] * row(memory(moment_read(r, one.layer)), n);
  } else if (lstm_) {
    if (part.kind == Kind::written)
      q = written(r);
    else if ((part.kind == Kind::start) == (r == 0))
      q = whole(value(r, "lstm.gate.f")).cwiseProduct(state_before(r));
  } else if (part.kind == Kind::bias) {
    q = whole(sites_.parameter("controller.b"));
  } else {
    q = brought(candidate_parts(r)[at_place(share.part)]);
  }
  Tensor out({q.size()});
  std::copy_n(q.data(), q.size(), out.data());
  return out;
}

// Backwards through time.
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
    const TokenId token = rule_.token_of(map_, step, flow_.choice.candidate);
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

bool is_memory_run(const Result& result) {
  const std::string step = "decoder.step[" + std::to_string(result.steps.size() - 1) + "].";
  const std::string delimiter = "encoder.step[" + std::to_string(result.token_of_position.size()) + "].";
  for (const std::string& place : {step, delimiter})
    for (const char* leaf : {"controller.input", "memory.head[0].write.M", "memory.head[0].read.vector"})
      if (result.trace->find(place + leaf) < 0) return false;
  return true;
}

void make_memory(LivingMap& map, const CancelToken& cancel) {
  // The sign between source and output is a moment of its own, and every slot a lane.
  const auto sources = map.range(Side::source).second;
  LivingLane delimiter;
  delimiter.position = sources;
  map.lanes.insert(map.lanes.begin() + sources, delimiter);
  const Index slots = map.result->model->model->config().at("memory.slots").get<Index>();
  for (Index n = 0; n < slots; ++n) {
    LivingLane slot;
    slot.side = Side::memory;
    slot.text = std::to_string(n);
    slot.position = n;
    map.lanes.push_back(std::move(slot));
  }
  auto rule = std::make_shared<MemoryRule>(map);
  if (!rule->make(map, cancel)) map.stations.clear();
  map.rule = std::move(rule);
}

}  // namespace

const LivingFamily kLivingMemory{is_memory_run, make_memory};

}  // namespace headlight
