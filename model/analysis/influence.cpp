#include "model/analysis/influence.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <numeric>

namespace headlight {

namespace {

using LaneSide = LivingLane::Side;
using StationKind = LivingStation::Kind;

constexpr const char* kMemory = ".lstm.c";

std::size_t at_index(Index index) { return static_cast<std::size_t>(index); }

// The bottleneck that is shown again at every step is one state, of no step.
bool is_shared(const LivingStation& station) {
  return station.count > 1 && station.places.size() > 1 && station.places[0].entry == station.places[1].entry &&
         station.places[0].first == station.places[1].first;
}

bool has_states(const LivingStation& station) {
  return !is_shared(station) && station.kind != StationKind::readout && station.kind != StationKind::memory &&
         station.kind != StationKind::read && station.count > 0 && station.places.size() == at_index(station.count) &&
         std::ranges::all_of(station.places, [](const LivingPlace& place) { return place.entry >= 0; });
}

std::string step_site(int step, const char* leaf) { return "decoder.step[" + std::to_string(step) + "]." + leaf; }

// Who is asked stands at the lane of a token or of a step.
bool stands_at(const AttentionToken& token, const LivingLane& lane) {
  if (lane.side == LaneSide::target && lane.step >= 0 && token.step >= 0) return token.step == lane.step;
  return lane.token >= 0 && token.token == lane.token;
}

const AttentionMap* map_behind(const std::vector<AttentionMap>& maps, const LivingStation& station, LaneSide columns) {
  const auto kind = columns != station.side            ? AttentionMap::Kind::cross
                    : station.side == LaneSide::source ? AttentionMap::Kind::encoder_self
                                                       : AttentionMap::Kind::decoder_self;
  const auto fits = [&](const AttentionMap& map) {
    return map.kind == kind && (map.layer == station.layer || map.layer < 0 || station.layer < 0);
  };
  const auto found = std::ranges::find_if(maps, fits);
  return found == maps.end() ? nullptr : &*found;
}

// Of each lane in a range the row or column of a map; -1: it has none.
std::vector<int> places_in(const std::vector<AttentionToken>& tokens, const LivingMap& map, int first, Index count) {
  std::vector<int> places;
  for (Index i = 0; i < count; ++i) {
    const LivingLane& lane = map.lanes[at_index(first + i)];
    const auto found = std::ranges::find_if(tokens, [&](const AttentionToken& each) { return stands_at(each, lane); });
    places.push_back(found == tokens.end() ? -1 : static_cast<int>(found - tokens.begin()));
  }
  return places;
}

}  // namespace

bool has_influence(const Result& result) {
  return has_living_map(result) && result.trace->has_graph() &&
         result.trace->find("encoder.step[0].controller.input") < 0;
}

std::vector<int> influence_layers(const LivingMap& map) {
  std::vector<int> layers;
  for (int s = 0; s < static_cast<int>(map.stations.size()); ++s)
    if (has_states(map.stations[at_index(s)])) layers.push_back(s);
  return layers;
}

int layer_station(const LivingMap& map, LaneSide side, Index layer) {
  std::vector<int> inputs, layers;
  for (const int s : influence_layers(map)) {
    const LivingStation& station = map.stations[at_index(s)];
    if (station.side != side || station.kind == StationKind::start || station.kind == StationKind::context) continue;
    (station.kind == StationKind::embedding ? inputs : layers).push_back(s);
  }
  const auto layer_of = [&](int s) { return map.stations[at_index(s)].layer; };
  // A model with one layer does not number it.
  const bool numbered = std::ranges::any_of(layers, [&](int s) { return layer_of(s) >= 0; });
  if (layer < 0) return inputs.empty() ? -1 : inputs.back();
  std::erase_if(layers, [&](int s) { return numbered ? layer_of(s) != layer : layer > 0; });
  return layers.empty() ? -1 : layers.back();
}

TraceRange numbers_of(const LivingMap& map, StateAt state) {
  const LivingStation& station = map.stations.at(at_index(state.station));
  const LivingPlace& place = station.places.at(at_index(state.lane - station.first));
  const Trace& trace = *map.result->trace;
  if (std::string site = trace[place.entry].site.text; site.ends_with(kMemory)) {
    site.back() = 'h';
    if (const int entry = trace.find(site); entry >= 0) return {entry, place.first, station.units};
  }
  return {place.entry, place.first, station.units};
}

TraceRange output_score(const LivingMap& map, int lane) {
  const int step = map.lanes.at(at_index(lane)).step;
  if (step < 0) return {};
  const int entry = map.result->trace->find(step_site(step, "output.logits"));
  const TokenId written = map.result->steps.at(at_index(step)).id;
  if (entry < 0 || written < 0 || written >= (*map.result->trace)[entry].value.size()) return {};
  return {entry, written, 1};
}

StateNumbers influences(const LivingMap& map, const TraceRange& of, const CancelToken& cancel) {
  std::vector<TraceRange> by;
  const std::vector<int> layers = influence_layers(map);
  for (const int s : layers)
    for (const LivingPlace& place : map.stations[at_index(s)].places)
      by.push_back({place.entry, place.first, map.stations[at_index(s)].units});
  const std::vector<double> lengths = map.result->trace->gradient_lengths(of, by, cancel);
  StateNumbers numbers(map.stations.size());
  auto next = lengths.begin();
  for (const int s : layers) {
    const auto end = next + map.stations[at_index(s)].count;
    numbers[at_index(s)].assign(next, end);
    next = end;
  }
  return numbers;
}

std::vector<double> layer_means(const StateNumbers& numbers) {
  std::vector<double> means;
  for (const std::vector<double>& row : numbers)
    means.push_back(row.empty() ? std::numeric_limits<double>::quiet_NaN()
                                : std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(row.size()));
  return means;
}

// --- what can reach what

StateLinks::StateLinks(const LivingMap& map, const std::vector<AttentionMap>& maps) {
  int rows = 0;
  for (const LivingStation& station : map.stations) {
    first_.push_back(rows);
    first_lane_.push_back(station.first);
    rows += station.count;
  }
  links_.resize(at_index(rows));
  for (const LivingStation& station : map.stations)
    for (const auto* parts : {&station.parts, &station.candidate})
      for (const LivingPart& part : *parts) add(map, maps, station, part);
  for (const LivingStation& station : map.stations)
    if (station.kind == StationKind::context && std::ranges::any_of(station.parts, &LivingPart::dense))
      add_queries(map, station);
  for (std::vector<StateAt>& links : links_) {  // a lane may stand in several parts
    std::ranges::sort(links);
    links.erase(std::unique(links.begin(), links.end()), links.end());
  }
}

void StateLinks::add(const LivingMap& map, const std::vector<AttentionMap>& maps, const LivingStation& station,
                     const LivingPart& part) {
  if (part.kind == LivingPart::Kind::bias || part.kind == LivingPart::Kind::other) return;
  const int first = first_[at_index(&station - map.stations.data())];
  const auto link = [&](int row, int from, int lane) {
    if (from < 0 || lane < 0 || !map.stations[at_index(from)].has(lane)) return;
    links_[at_index(first + row)].push_back({from, lane});
  };
  if (!part.dense()) {
    for (int row = 0; row < station.count && at_index(row) < part.from_lane.size(); ++row)
      link(row, part.station(row), part.from_lane[at_index(row)]);
    return;
  }
  const LivingLane& column = map.lanes[at_index(part.first_column)];
  const AttentionMap* mask = map_behind(maps, station, column.side);
  const auto rows = mask ? places_in(mask->rows, map, station.first, station.count) : std::vector<int>();
  const auto columns = mask ? places_in(mask->columns, map, part.first_column, part.columns) : std::vector<int>();
  for (int row = 0; row < station.count; ++row) {
    const int asks = mask ? rows[at_index(row)] : -1;
    const std::vector<bool> kept = asks >= 0 ? mask->kept_columns(asks) : std::vector<bool>();
    for (int c = 0; c < static_cast<int>(part.columns); ++c) {
      const int key = mask ? columns[at_index(c)] : -1;
      if (key < 0 || kept.empty() || kept[at_index(key)]) link(row, part.station(row), part.first_column + c);
    }
  }
}

// What was looked up depends on who asked as well, through the weights: the state whose numbers the query is, of this
// step (Luong et al. 2015) or of the one before (Bahdanau et al. 2015).
void StateLinks::add_queries(const LivingMap& map, const LivingStation& context) {
  const Trace& trace = *map.result->trace;
  std::map<int, StateAt> states;  // by the entry of their numbers
  for (const int s : influence_layers(map))
    if (const LivingStation& each = map.stations[at_index(s)]; each.side == context.side)
      for (int lane = each.first; lane < each.first + each.count; ++lane)
        states[numbers_of(map, {s, lane}).entry] = {s, lane};
  const int first = first_[at_index(&context - map.stations.data())];
  for (int row = 0; row < context.count; ++row) {
    const int query = trace.find(step_site(map.lanes[at_index(context.first + row)].step, "attention.query"));
    if (query < 0) continue;
    for (const int asks : trace.inputs(query))
      if (const auto found = states.find(asks); found != states.end())
        links_[at_index(first + row)].push_back(found->second);
  }
}

std::span<const StateAt> StateLinks::of(StateAt state) const {
  const int row = state.lane - first_lane_.at(at_index(state.station));
  return links_.at(at_index(first_.at(at_index(state.station)) + row));
}

// The shortest ways back, where only another lane is a step.
ReceptiveField receptive_field(const LivingMap& map, const StateLinks& links, StateAt state) {
  ReceptiveField field;
  for (const LivingStation& station : map.stations) field.steps.emplace_back(at_index(station.count), -1);
  const auto steps = [&](StateAt at) -> int& {
    return field.steps[at_index(at.station)][at_index(at.lane - map.stations[at_index(at.station)].first)];
  };
  std::deque<std::pair<StateAt, int>> open = {{state, 0}};
  while (!open.empty()) {
    const auto [at, taken] = open.front();
    open.pop_front();
    if (steps(at) >= 0) continue;
    steps(at) = taken;
    for (const StateAt& from : links.of(at)) {
      if (steps(from) >= 0) continue;
      if (from.lane == at.lane)
        open.emplace_front(from, taken);
      else
        open.emplace_back(from, taken + 1);
    }
  }
  for (std::size_t s = 0; s < map.stations.size(); ++s) {
    if (map.stations[s].kind != StationKind::embedding) continue;
    const auto reached = static_cast<int>(std::ranges::count_if(field.steps[s], [](int each) { return each >= 0; }));
    field.inputs += reached;
    if (reached > 0) field.of += map.stations[s].count;
    for (const int each : field.steps[s]) field.farthest = std::max(field.farthest, each);
  }
  return field;
}

}  // namespace headlight
