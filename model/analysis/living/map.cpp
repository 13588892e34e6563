#include "model/analysis/living/map.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "model/analysis/living/rule.h"
#include "model/core/errors.h"

namespace headlight {

namespace {

using Side = LivingLane::Side;
using Kind = LivingPart::Kind;

// Every family that has a picture.
const LivingFamily* const kFamilies[] = {&kLivingTransformer, &kLivingRecurrent, &kLivingConvolution, &kLivingMemory};

const LivingFamily* family_of(const Result& result) {
  if (!result.trace || !result.model || !result.model->model || result.model->stored) return nullptr;
  // A model that only reads has states of its words, and no outputs.
  const bool reads = result.model->model->traits().kind == ModelTraits::Kind::encoder_only;
  if (result.steps.empty() && !reads) return nullptr;
  for (const LivingFamily* family : kFamilies)
    if (family->knows(result)) return family;
  return nullptr;
}

// Whether its steps are computed one after the other, each from what it is given; else they are read off states that
// are there already (masked words, classes).
bool writes_step_by_step(const Result& result) {
  const auto is_given = [&](const char* leaf) { return living::has_all(result, living::last_step(result), {leaf}); };
  return is_given("input.id") || is_given("embed.out") || is_given("controller.input") ||
         is_given("layer[0].residual2");
}

bool reads_text_itself(const Result& result) {
  return result.model->model->traits().kind == ModelTraits::Kind::decoder_only;
}

// Classes on top of a model are read off one state of the text: its row, by the arithmetic of the class that was
// chosen; -1: there are several such states, or the run kept no arithmetic.
Index row_of_class(const Result& result, int step) {
  const TokenId chosen = result.steps[static_cast<std::size_t>(step)].id;
  if (result.model->text.answers) return chosen;  // a place of the text
  const Trace& trace = *result.trace;
  const Tensor logits = trace.value(living::decoder_step(step) + "output.logits");
  if (!logits.defined() || chosen < 0 || chosen >= logits.size()) return -1;
  const auto positions = static_cast<Index>(result.token_of_position.size());
  constexpr int kSteps = 12;  // a layer between, its activation, a norm, a choice of rows
  Index row = -1;
  std::vector<Cell> open = {{logits, chosen}};
  try {
    for (int i = 0; i < kSteps && !open.empty(); ++i) {
      std::vector<Cell> behind;
      for (const Cell& cell : open) {
        const Location at = trace.locate(cell);
        if (at.kind == Location::Kind::parameter) continue;
        if (at.kind == Location::Kind::activation && trace[at.entry].value.rank() > 1 &&
            trace[at.entry].value.rows() == positions && positions > 1) {
          const Index found = at.index / trace[at.entry].value.columns();
          if (row >= 0 && found != row) return -1;
          row = found;
          continue;
        }
        const std::vector<Term> terms = trace.explain(cell).terms;
        if (terms.empty()) continue;
        for (const Term* term : {&terms.front(), &terms[terms.size() / 2]})
          behind.insert(behind.end(), term->cells.begin(), term->cells.end());
      }
      if (behind.size() > 64) behind.resize(64);
      open = std::move(behind);
    }
  } catch (const Error&) {
    return -1;
  }
  return row;
}

void add_read_lanes(LivingMap& map) {
  const Result& result = *map.result;
  const bool own = reads_text_itself(result);
  const bool each = !writes_step_by_step(result) && result.steps.size() == result.token_of_position.size();
  for (std::size_t i = 0; i < result.tokens.size(); ++i) {
    const int position = result.position_of_token[i];
    if (position < 0 || (own && position >= result.prompt)) continue;
    LivingLane lane;
    lane.side = own ? Side::target : Side::source;
    lane.text = result.tokens[i].text;
    lane.token = static_cast<int>(i);
    lane.position = position;
    lane.padding = result.tokens[i].padding;
    lane.prompt = own;
    if (each) {
      lane.step = position;
      lane.written = result.steps[static_cast<std::size_t>(position)].text;
    }
    map.lanes.push_back(std::move(lane));
  }
  if (each || writes_step_by_step(result)) return;
  for (int step = 0; step < static_cast<int>(result.steps.size()); ++step) {
    const Index row = row_of_class(result, step);
    for (LivingLane& lane : map.lanes)
      if (lane.position == row && lane.step < 0) {
        lane.step = step;
        lane.written = result.steps[static_cast<std::size_t>(step)].text;
      }
  }
}

void add_written_lanes(LivingMap& map) {
  const Result& result = *map.result;
  if (!writes_step_by_step(result)) return;
  for (std::size_t t = 0; t < result.steps.size(); ++t) {
    LivingLane lane;
    lane.side = Side::target;
    lane.text = t < result.fed.size() ? result.fed[t] : std::string();
    lane.written = result.steps[t].text;
    lane.step = static_cast<int>(t);
    lane.position = result.prompt + static_cast<Index>(t);
    if (t == 0 && reads_text_itself(result) &&
        static_cast<std::size_t>(result.prompt) < result.token_of_position.size()) {
      lane.token = result.token_of_position[static_cast<std::size_t>(result.prompt)];
      lane.prompt = true;
    }
    map.lanes.push_back(std::move(lane));
  }
}

const LivingPart& part_of(const LivingMap& map, const LivingShare& share) {
  return map.stations.at(at_place(share.station)).parts.at(at_place(share.part));
}

}  // namespace

double LivingPart::total(Index row) const {
  if (!dense()) return static_cast<double>(share[row]);
  double sum = 0;
  for (Index k = 0; k < columns; ++k) sum += static_cast<double>(share[row * columns + k]);
  return sum;
}

int LivingStation::part(LivingPart::Kind wanted) const {
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i].kind == wanted) return static_cast<int>(i);
  return -1;
}

std::pair<int, int> LivingMap::range(LivingLane::Side side) const {
  int first = 0, count = 0;
  for (std::size_t i = 0; i < lanes.size(); ++i)
    if (lanes[i].side == side && count++ == 0) first = static_cast<int>(i);
  return {first, count};
}

int LivingMap::lane_of_step(int step) const {
  for (std::size_t i = 0; i < lanes.size(); ++i)
    if (step >= 0 && lanes[i].step == step) return static_cast<int>(i);
  return -1;
}

int LivingMap::lane_of_token(int token) const {
  for (std::size_t i = 0; i < lanes.size(); ++i)
    if (token >= 0 && lanes[i].token == token) return static_cast<int>(i);
  return -1;
}

int LivingMap::embedding(LivingLane::Side side) const {
  for (std::size_t i = 0; i < stations.size(); ++i)
    if (stations[i].kind == LivingStation::Kind::embedding && stations[i].side == side) return static_cast<int>(i);
  return -1;
}

bool has_living_map(const Result& result) { return family_of(result) != nullptr; }

std::shared_ptr<const LivingMap> living_map(std::shared_ptr<const Result> result, const CancelToken& cancel) {
  const LivingFamily* family = result ? family_of(*result) : nullptr;
  if (!family) return nullptr;
  const Graph::Scope unrecorded(nullptr);
  auto map = std::make_shared<LivingMap>();
  map->result = std::move(result);
  add_read_lanes(*map);
  add_written_lanes(*map);
  family->make(*map, cancel);
  if (map->stations.empty()) return nullptr;
  for (LivingStation& station : map->stations) living::add_other(station);
  return map;
}

Tensor head_shares(const LivingMap& map, int station, int part) { return map.rule->head_shares(map, station, part); }
Tensor head_weights(const LivingMap& map, int station, int part) { return map.rule->head_weights(map, station, part); }

Tensor LivingRule::head_shares(const LivingMap&, int, int) const { return {}; }
Tensor LivingRule::head_weights(const LivingMap&, int, int) const { return {}; }
Tensor LivingRule::stream(const LivingMap&, int, Index) const { return {}; }

LivingFlow living_flow(const LivingMap& map, LivingChoice choice) {
  if (map.stations.empty() || !map.stations.back().has(choice.lane))
    throw UsageError("no output is read off lane " + std::to_string(choice.lane));
  const Graph::Scope unrecorded(nullptr);
  return map.rule->flow(map, choice);
}

std::vector<Tensor> readout_shares(const LivingMap& map, LivingChoice choice) {
  const Graph::Scope unrecorded(nullptr);
  return map.rule->readout_shares(map, choice);
}

LivingFlow LivingRule::flow(const LivingMap& map, LivingChoice choice) const {
  LivingFlow flow = living::empty_flow(map, choice);
  const int last = map.output_station();
  flow.at[at_place(last)][at_place(choice.lane - map.stations.back().first)] = 1;
  for (int s = last; s >= 0; --s) {
    flow.totals[at_place(s)] = living::total_before(flow, s);
    std::vector<Tensor> shares;
    for (const LivingPart& part : map.stations[at_place(s)].parts) shares.push_back(part.share);
    living::hand_back(map, s, shares, flow);
  }
  return flow;
}

std::vector<int> whole_percent(const std::vector<double>& shares) {
  std::vector<int> whole(shares.size(), 0);
  double sum = 0;
  for (const double share : shares) sum += share;
  if (!(sum > 0)) return whole;
  std::vector<double> left(shares.size());
  int given = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double exact = 100 * shares[i] / sum;
    whole[i] = static_cast<int>(std::floor(exact + 1e-9));
    left[i] = exact - whole[i];
    given += whole[i];
  }
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return left[a] > left[b]; });
  for (std::size_t i = 0; given < 100 && i < order.size(); ++i, ++given) ++whole[order[i]];
  return whole;
}

std::vector<LivingOrigin> living_origins(const LivingMap& map, const LivingFlow& flow) {
  std::vector<LivingOrigin> origins;
  std::vector<double> shares;
  for (std::size_t i = 0; i < map.lanes.size(); ++i) {
    if (map.lanes[i].side == Side::memory) continue;
    origins.push_back({static_cast<int>(i), flow.origin[i], 0});
    shares.push_back(flow.origin[i]);
  }
  if (flow.rest > 0) {
    origins.push_back({-1, flow.rest, 0});
    shares.push_back(flow.rest);
  }
  const std::vector<int> percent = whole_percent(shares);
  for (std::size_t i = 0; i < origins.size(); ++i) origins[i].percent = percent[i];
  return origins;
}

namespace {

// The most probable tokens of a row of logits.
LivingLens said(const Tensor& logits, Index row, int station, TokenId chosen, const Vocabulary& vocabulary) {
  const Index size = logits.columns();
  const Scalar* z = logits.data() + row * size;
  const Scalar top = *std::max_element(z, z + size);
  double sum = 0;
  for (Index i = 0; i < size; ++i) sum += std::exp(static_cast<double>(z[i] - top));
  const auto probability = [&](Index i) { return std::exp(static_cast<double>(z[i] - top)) / sum; };
  std::vector<Index> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), Index{0});
  const Index shown = std::min<Index>(5, size);
  std::partial_sort(order.begin(), order.begin() + shown, order.end(),
                    [&](Index a, Index b) { return z[a] != z[b] ? z[a] > z[b] : a < b; });
  LivingLens lens;
  lens.station = station;
  for (Index i = 0; i < shown; ++i) {
    const auto id = static_cast<TokenId>(order[static_cast<std::size_t>(i)]);
    lens.top.push_back({id, vocabulary.text(id), probability(id)});
  }
  if (chosen >= 0 && chosen < size) lens.chosen = probability(chosen);
  return lens;
}

}  // namespace

std::vector<LivingLens> living_lens(const LivingMap& map, LivingChoice choice) {
  const Graph::Scope unrecorded(nullptr);
  std::vector<int> stations;
  std::vector<Tensor> rows;
  for (std::size_t s = 0; s < map.stations.size(); ++s) {
    const LivingStation& station = map.stations[s];
    if (!station.has(choice.lane) || station.side != map.stations.back().side) continue;
    const Tensor row = map.rule->stream(map, static_cast<int>(s), choice.lane - station.first);
    if (!row.defined() || (!rows.empty() && row.size() != rows[0].size())) continue;
    stations.push_back(static_cast<int>(s));
    rows.push_back(row);
  }
  if (rows.empty()) return {};
  Tensor all({1, static_cast<Index>(rows.size()), rows[0].size()});
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::copy_n(rows[i].data(), rows[i].size(), all.data() + static_cast<Index>(i) * rows[i].size());
  const Tensor logits = map.result->model->model->lens(all);
  if (!logits.defined()) return {};
  const int step = map.lanes[at_place(choice.lane)].step;
  const TokenId chosen = choice.candidate >= 0 ? choice.candidate
                         : step >= 0           ? map.result->steps[at_place(step)].id
                                               : -1;
  std::vector<LivingLens> lens;
  for (std::size_t i = 0; i < stations.size(); ++i)
    lens.push_back(said(logits, static_cast<Index>(i), stations[i], chosen, map.result->model->target_vocabulary()));
  return lens;
}

namespace {

// The same numbers where the run published them, so that each is a cell of its trace.
Tensor as_published(const LivingMap& map, const Tensor& vector, int station, int lane) {
  if (station < 0 || !vector.defined()) return vector;
  const LivingStation& from = map.stations[at_place(station)];
  const int row = lane - from.first;
  if (row < 0 || row >= static_cast<int>(from.places.size())) return vector;
  const LivingPlace& place = from.places[at_place(row)];
  if (place.entry < 0) return vector;
  const Tensor& value = (*map.result->trace)[place.entry].value;
  if (place.first + vector.size() > value.size()) return vector;
  const Tensor published = value.view(place.first, {vector.size()});
  return (published.array() == vector.array()).all() ? published : vector;
}

}  // namespace

Tensor part_vector(const LivingMap& map, const LivingShare& share) {
  const Graph::Scope unrecorded(nullptr);
  const LivingPart& part = part_of(map, share);
  if (part.kind == Kind::other) return {};
  const Tensor q = map.rule->part_vector(map, share);
  return part.dense()
             ? q
             : as_published(map, q, part.station(share.row), part.from_lane[static_cast<std::size_t>(share.row)]);
}

Tensor state_vector(const LivingMap& map, int station, Index row) {
  const Graph::Scope unrecorded(nullptr);
  return as_published(map, map.rule->state_vector(map, station, row), station,
                      map.stations[at_place(station)].first + static_cast<int>(row));
}

std::vector<Intervention> cut_of(const LivingMap& map, const LivingShare& share) { return map.rule->cut(map, share); }

TrueChange true_change(const LivingMap& map, LivingChoice choice, const Result& after) {
  TrueChange change{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  const int step = map.lanes.at(at_place(choice.lane)).step;
  if (step < 0) return change;
  const TokenId token = living::token_of(map, step, choice.candidate);
  const auto probability = [&](const Result& result) {
    if (step >= static_cast<int>(result.steps.size())) return std::numeric_limits<double>::quiet_NaN();
    const Tensor all = result.trace ? result.trace->value(living::decoder_step(step) + "output.probs") : Tensor();
    if (all.defined() && token < all.size()) return static_cast<double>(all[token]);
    for (const Candidate& one : result.steps[at_place(step)].top)
      if (one.id == token) return one.probability;
    return result.steps[at_place(step)].id == token ? result.steps[at_place(step)].probability
                                                    : std::numeric_limits<double>::quiet_NaN();
  };
  return {probability(*map.result), probability(after)};
}

}  // namespace headlight
