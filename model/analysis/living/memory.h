// Neural Turing Machines in the living map. For memory*.cpp of this folder only:
//   memory.cpp       the family, its stations, shares and vectors
//   memory_flow.cpp  the flow of an output, backwards through time
#pragma once

#include "model/analysis/living/rule.h"
#include "model/core/json_library.h"

namespace headlight::living_memory {

using Side = LivingLane::Side;
using Kind = LivingPart::Kind;
using Station = LivingStation::Kind;
using living::ConstVec, living::Vec, living::product, living::row, living::token_of;

inline ConstVec whole(const Tensor& t) { return {t.data(), t.size()}; }

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

  void make(LivingMap& map, const CancelToken& cancel);
  LivingFlow flow(const LivingMap& map, LivingChoice choice) const override;

  std::vector<Tensor> readout_shares(const LivingMap& map, LivingChoice choice) const override {
    std::vector<Tensor> shares;
    const Index t = choice.lane - map.stations.back().first;
    for (const double part : scores(t, token_of(map, t, choice.candidate)))
      shares.push_back(Tensor::full({1}, static_cast<Scalar>(part)));
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
    return t <= S_ ? "encoder.step[" + std::to_string(t) + "]." : living::decoder_step(t - S_ - 1);
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
  std::vector<Part> candidate_parts(Index t) const;
  Vec brought(const Part& part) const {
    return part.W->matrix().block(part.first, candidate_column(), part.x.size(), hidden(0).size()).transpose() * part.x;
  }
  Vec pulled(const Part& part, const Vec& R) const {
    return part.W->matrix().block(part.first, candidate_column(), part.x.size(), R.size()) * R;
  }

  // --- the readout: bits from [h; reads], the score of a token from its bits
  // The bits of a token above their mean over all tokens; where all 2^b patterns are tokens, that mean is a half.
  Vec bits_above_mean(TokenId token, Index count) const;
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
  std::vector<double> scores(Index step, TokenId token, double* score = nullptr) const;

  // --- the stations; false where the run lacks a value that they need
  bool read_run();
  LivingStation& add(LivingMap& map, Station kind, std::pair<int, int> lanes, Index units,
                     const std::function<std::string(Index)>& site) const;
  void add_controller(LivingMap& map);
  void add_moment(LivingMap& map, Index m);
  void add_read(LivingMap& map, Index r);
  void add_readout(LivingMap& map);

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

}  // namespace headlight::living_memory
