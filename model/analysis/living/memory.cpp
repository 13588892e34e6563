// Neural Turing Machines (Graves et al. 2014). Time runs through the lanes of the text; every slot of the memory is a
// lane of its own, and every moment a station: M = M′ ∘ (1 − w eᵀ) + w aᵀ. What was read comes from slots, each unit of
// a slot from the moments that wrote it, and what was written from the controller of that moment.

#include "model/analysis/living/memory.h"

#include "model/core/slices.h"

namespace headlight::living_memory {

std::vector<MemoryRule::Part> MemoryRule::candidate_parts(Index t) const {
  const Tensor input = value(t, "controller.input");
  const Index channels = input.size() - heads_ * W_;
  std::vector<Part> parts = {{Kind::token, -1, whole(input).head(channels), 0, &Wx_}};
  for (Index r = 0; r < heads_; ++r)
    parts.push_back({Kind::context, r, whole(input).segment(channels + r * W_, W_), channels + r * W_, &Wx_});
  if (lstm_) parts.push_back({Kind::recurrent, -1, hidden_before(t), 0, &Wh_});
  return parts;
}

Vec MemoryRule::bits_above_mean(TokenId token, Index count) const {
  Vec bits(count);
  for (Index k = 0; k < count; ++k) {
    Index ones = 0;
    for (Index other = 0; other < tokens_; ++other) ones += other >> (count - 1 - k) & 1;
    bits[k] = Scalar(token >> (count - 1 - k) & 1) - static_cast<Scalar>(ones) / static_cast<Scalar>(tokens_);
  }
  return bits;
}

std::vector<double> MemoryRule::scores(Index step, TokenId token, double* score) const {
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

void MemoryRule::make(LivingMap& map, const CancelToken& cancel) {
  map.family = LivingMap::Family::memory;
  if (!read_run()) return map.stations.clear();
  // What the controller is given of the text: bits of a token, the sign that ends the source, then nothing.
  add(map, Station::embedding, {0, static_cast<int>(S_ + 1)}, value(0, "controller.input").size() - heads_ * W_,
      [&](Index t) { return place(t) + "controller.input"; });
  add_controller(map);
  cancel.check();
  slice_point();
  moments_ = static_cast<int>(map.stations.size());
  for (Index m = 0; m < T_ * heads_; ++m) {
    add_moment(map, m);
    cancel.check();
    slice_point();
  }
  reads_ = static_cast<int>(map.stations.size());
  for (Index r = 0; r < heads_; ++r) add_read(map, r);
  add_readout(map);
}

bool MemoryRule::read_run() {
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
  return Wx_.defined() && first_.defined();
}

LivingStation& MemoryRule::add(LivingMap& map, Station kind, std::pair<int, int> lanes, Index units,
                               const std::function<std::string(Index)>& site) const {
  LivingStation& station = living::add_station(map, kind, map.lanes[at_place(lanes.first)].side);
  std::tie(station.first, station.count) = lanes;
  station.units = units;
  for (Index i = 0; i < station.count; ++i) station.places.push_back({trace_->find(site(i)), 0});
  return station;
}

void MemoryRule::add_controller(LivingMap& map) {
  const Index H = state(0).size();
  LivingStation& controller = add(map, Station::cell, {0, static_cast<int>(T_)}, H,
                                  [&](Index t) { return place(t) + (lstm_ ? "lstm.c" : "controller.h"); });
  controller_ = 1;
  Tensor s({T_, H}), kept_part = Tensor::zeros({T_, H}), start = Tensor::zeros({T_, H}), own({T_, H}), sum({T_, H});
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
  std::vector<LivingPart> made;
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
    made.push_back(living::lane_by_lane(kinds[p].kind, station, std::move(from), living::shares_of(q, sum)));
  }
  made.push_back(living::bias(living::shares_of(rest, sum)));
  if (lstm_) {
    controller.parts = {living::lane_by_lane(Kind::carried, controller_, before, living::shares_of(kept_part, s)),
                        living::lane_by_lane(Kind::written, -1, none, living::shares_of(own, s)),
                        living::lane_by_lane(Kind::start, -1, none, living::shares_of(start, s))};
    controller.candidate = std::move(made);
  } else {
    controller.parts = std::move(made);
  }
}

// The memory at one moment: what it kept, and what was written to it.
void MemoryRule::add_moment(LivingMap& map, Index m) {
  const std::string pair = place(m / heads_) + head(m % heads_);
  LivingStation& station =
      add(map, Station::memory, map.range(Side::memory), W_, [&](Index) { return pair + "write.M"; });
  for (Index n = 0; n < N_; ++n) station.places[at_place(n)].first = n * W_;
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
  wrote.place = pair + "write";
  station.parts = {std::move(carried), std::move(wrote)};
}

// What a head read at every time.
void MemoryRule::add_read(LivingMap& map, Index r) {
  LivingStation& station = add(map, Station::read, {0, static_cast<int>(T_)}, W_,
                               [&](Index t) { return place(t) + head(r) + "read.vector"; });
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
      share[t * N_ + n] =
          size > 0 ? static_cast<Scalar>(static_cast<double>(w[n]) * product(row(memory(m), n), v) / size) : Scalar(0);
  }
  LivingPart part = living::dense(Kind::attention, -1, map.range(Side::memory), std::move(share));
  part.from_each = std::move(from);
  part.heads = 1;
  part.place = head(r) + "read";
  station.parts = {std::move(part)};
}

void MemoryRule::add_readout(LivingMap& map) {
  LivingStation& readout = add(map, Station::readout, {static_cast<int>(S_ + 1), static_cast<int>(U_)}, 1,
                               [&](Index t) { return place(S_ + 1 + t) + "output.logits"; });
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
  return living::copied(s);
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
  return living::copied(q);
}

namespace {

bool is_memory_run(const Result& result) {
  const auto read = static_cast<Index>(result.token_of_position.size());
  for (const std::string& place : {living::last_step(result), "encoder.step[" + std::to_string(read) + "]."})
    if (!living::has_all(result, place, {"controller.input", "memory.head[0].write.M", "memory.head[0].read.vector"}))
      return false;
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
  living::make_by<MemoryRule>(map, cancel);
}

}  // namespace

}  // namespace headlight::living_memory

namespace headlight {

const LivingFamily kLivingMemory{living_memory::is_memory_run, living_memory::make_memory};

}  // namespace headlight
