// What a family of models has to say for the living map (map.h). For the files of this folder only.
#pragma once

#include <optional>
#include <unordered_map>

#include "model/analysis/living/map.h"

namespace headlight {

struct TransformerSettings;

inline std::size_t at_place(Index index) { return static_cast<std::size_t>(index); }

// How the states of one run are made, for what is computed when somebody asks. Immutable.
class LivingRule {
 public:
  virtual ~LivingRule() = default;
  // By shares alone, from the output station backwards.
  virtual LivingFlow flow(const LivingMap& map, LivingChoice choice) const;
  virtual Tensor head_shares(const LivingMap&, int station, int part) const;
  virtual Tensor head_weights(const LivingMap&, int station, int part) const;
  virtual Tensor part_vector(const LivingMap& map, const LivingShare& share) const = 0;
  virtual Tensor state_vector(const LivingMap& map, int station, Index row) const = 0;
  virtual std::vector<Tensor> readout_shares(const LivingMap&, LivingChoice) const { return {}; }
  // What the layers behind are given [units]; undefined where a state cannot end the model.
  virtual Tensor stream(const LivingMap&, int station, Index row) const;
  virtual std::vector<Intervention> cut(const LivingMap&, const LivingShare&) const { return {}; }
};

// A family: whether a run is one of it (cheap, by its sites), and its map. `lanes` and `result` are there already.
struct LivingFamily {
  bool (*knows)(const Result& result);
  void (*make)(LivingMap& map, const CancelToken& cancel);
};
extern const LivingFamily kLivingTransformer, kLivingRecurrent, kLivingConvolution, kLivingMemory;

// The values of sites by lane. Sides have their lanes in the order of the text; values have theirs in the order of the
// computation: rows that are read at once, then one value for each step.
class LivingSites {
 public:
  using Side = LivingLane::Side;
  explicit LivingSites(const LivingMap& map);

  Index count(Side side) const { return map_range(side).second; }
  // "encoder." or "decoder." (rows at once), then steps: [lanes x n]. Undefined where a lane lacks it.
  Tensor rows(Side side, const std::string& leaf) const;
  // Of a site that has only steps under a place of its own: "encoder.fwd" -> "encoder.fwd.step[j].lstm.h".
  Tensor steps(Side side, const std::string& place, const std::string& leaf) const;
  // All heads of each lane [H x lanes x k].
  Tensor heads(Side side, const std::string& leaf) const;
  // The weights of a lane where they lie, in the order of their keys: those of head h begin at first + h * stride.
  struct WeightRow {
    const Scalar* first = nullptr;
    Index stride = 0, keys = 0;
  };
  struct Weights {
    Index heads = 0;
    std::vector<WeightRow> rows;  // by lane; empty: a lane lacks them
    std::vector<Tensor> values;   // that they lie in
  };
  Weights weight_rows(Side side, const std::string& leaf, Side columns) const;
  // Weights [H x lanes x columns], columns in the order of their lanes; 0 where a row has no such key.
  Tensor weights(Side side, const std::string& leaf, Side columns) const;
  // Rows [.. x S x k] of one value in the order of computation, by lane.
  Tensor by_lane(Side side, const Tensor& value) const;

  // Where the row of a lane is: the site, and the row within it (0 in a step).
  struct At {
    std::string site;
    Index row = 0;
    bool step = false;
  };
  std::optional<At> at(Side side, Index row, const std::string& leaf) const;
  LivingPlace place(Side side, Index row, const std::string& leaf) const;
  bool edited(Side side, Index row, const std::string& leaf) const;
  // The lane's place among the keys.
  Index key(Side side, Index row) const { return position_[side == Side::target][static_cast<std::size_t>(row)]; }
  Index lane_of_key(Side side, Index key) const { return lane_[side == Side::target][static_cast<std::size_t>(key)]; }

  Tensor parameter(const std::string& name) const;  // undefined where there is none
  Tensor value(const std::string& site) const { return trace_->value(site); }

 private:
  std::pair<int, int> map_range(Side side) const { return side == Side::target ? target_ : source_; }
  std::shared_ptr<const Trace> trace_;
  std::pair<int, int> source_, target_;
  std::vector<Index> position_[2], lane_[2];  // by side: of a lane, of a position
  Index prompt_ = 0;
  std::unordered_map<std::string, Tensor> parameters_;
};

namespace living {

using Vec = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
using ConstVec = Eigen::Map<const Vec>;

inline ConstVec row(const Tensor& t, Index r) { return {t.data() + r * t.columns(), t.columns()}; }
inline double product(const Vec& a, const Vec& b) { return a.cast<double>().dot(b.cast<double>()); }
Tensor copied(const Vec& v);  // [n]

// "decoder.step[3]."; of what the run wrote last.
inline std::string decoder_step(Index t) { return "decoder.step[" + std::to_string(t) + "]."; }
inline std::string last_step(const Result& result) { return decoder_step(static_cast<Index>(result.steps.size()) - 1); }
// Whether a run has all of these sites under a place.
bool has_all(const Result& result, const std::string& place, std::initializer_list<const char*> leaves);
TransformerSettings transformer_settings(const Result& result);
// What a choice is about: the candidate, or what step `step` wrote.
inline TokenId token_of(const LivingMap& map, Index step, TokenId candidate) {
  return candidate >= 0 ? candidate : map.result->steps[at_place(step)].id;
}

// LivingFamily::make of a rule that makes the stations itself.
template <class Rule>
void make_by(LivingMap& map, const CancelToken& cancel) {
  auto rule = std::make_shared<Rule>(map);
  rule->make(map, cancel);
  map.rule = std::move(rule);
}

// The next station, of all lanes of a side.
LivingStation& add_station(LivingMap& map, LivingStation::Kind kind, LivingLane::Side side, Index layer = -1);
double dot(const Scalar* a, const Scalar* b, Index n);
// <q, s> / <s, s> for each row of q and s [Q x n] -> [Q]; 0 where s is 0.
Tensor shares_of(const Tensor& q, const Tensor& s);
std::vector<int> own_lanes(const LivingStation& station);
LivingPart lane_by_lane(LivingPart::Kind kind, int from, std::vector<int> from_lane, Tensor share);
LivingPart dense(LivingPart::Kind kind, int from, std::pair<int, int> columns, Tensor share);
LivingPart bias(Tensor share);
// Adds the part `other` where the shares of a state do not add up to 1.
void add_other(LivingStation& station);
// Edits of a site's row, all of it or one cell.
Intervention zeroed(const LivingSites::At& at, Index cell);
// A flow with its shape, all 0.
LivingFlow empty_flow(const LivingMap& map, LivingChoice choice);
// Hands what runs through a station back by its shares: into `flow.parts` and the stations in front.
void hand_back(const LivingMap& map, int station, const std::vector<Tensor>& shares, LivingFlow& flow);
// What runs through the cut in front of station `station`.
double total_before(const LivingFlow& flow, int station);

}  // namespace living
}  // namespace headlight
