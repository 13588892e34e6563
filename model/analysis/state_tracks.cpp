#include "model/analysis/state_tracks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace headlight {

namespace {

using TrackKind = StateCell::Kind;
using Side = StateCell::Side;
using Direction = StateCell::Direction;
using TrackRole = StateTrack::Role;

// What a cell publishes under its place, in the order in which it is shown.
struct Leaf {
  const char* name;
  const char* symbol;
  TrackRole role;
  TrackKind kind;
};
constexpr Leaf kLeaves[] = {
    {"lstm.gate.f", "f", TrackRole::gate, TrackKind::lstm},   {"lstm.gate.i", "i", TrackRole::gate, TrackKind::lstm},
    {"lstm.gate.o", "o", TrackRole::gate, TrackKind::lstm},   {"lstm.cand.g", "g", TrackRole::value, TrackKind::lstm},
    {"lstm.c", "c", TrackRole::state, TrackKind::lstm},       {"lstm.h", "h", TrackRole::state, TrackKind::lstm},
    {"gru.gate.z", "z", TrackRole::gate, TrackKind::gru},     {"gru.gate.r", "r", TrackRole::gate, TrackKind::gru},
    {"gru.cand", "h̃", TrackRole::value, TrackKind::gru},      {"gru.h", "h", TrackRole::state, TrackKind::gru},
    {"rnn.pre", "A", TrackRole::value, TrackKind::rnn},       {"rnn.h", "h", TrackRole::state, TrackKind::rnn},
    {"controller.h", "h", TrackRole::state, TrackKind::tanh}, {"glu.gate", "σ(B)", TrackRole::gate, TrackKind::glu},
    {"glu.a", "A", TrackRole::value, TrackKind::glu},         {"glu.out", "y", TrackRole::value, TrackKind::glu},
};

struct Source {
  Side side;
  Direction direction;
  const Leaf* leaf;
};

// The kinds of sites that belong to cells, by their patterns: a run may have its own words for a kind.
const std::unordered_map<std::string_view, Source>& sources() {
  static const auto table = [] {
    std::unordered_map<std::string_view, Source> made;
    for (const SiteKind& kind : site_catalogue()) {
      const std::string_view pattern = kind.pattern;
      for (const Leaf& leaf : kLeaves) {
        const std::string_view name = leaf.name;
        if (!pattern.ends_with(name) || pattern.size() == name.size() ||
            pattern[pattern.size() - name.size() - 1] != '.')
          continue;
        const auto within = [&](std::string_view part) { return pattern.find(part) != std::string_view::npos; };
        made[pattern] = {kind.side == SiteKind::Side::encoder ? Side::encoder : Side::decoder,
                         within(".fwd.")   ? Direction::forward
                         : within(".bwd.") ? Direction::backward
                                           : Direction::only,
                         &leaf};
      }
    }
    return made;
  }();
  return table;
}

const Source* source_of(const Site& site) {
  const auto found = site.kind ? sources().find(site.kind->pattern) : sources().end();
  return found == sources().end() ? nullptr : &found->second;
}

// One cell's way through a trace: the entries of each leaf by step, or one entry with all positions.
struct Found {
  std::map<const Leaf*, std::vector<int>> steps;
  std::map<const Leaf*, int> whole;
};

}  // namespace

class StateBuilder {
 public:
  explicit StateBuilder(const Result& result) : result_(result), trace_(*result.trace) {
    const bool machine = trace_.find("encoder.step[0].controller.input") >= 0;
    std::map<std::tuple<Side, Index, Direction>, Found> found;
    for (int i = 0; i < trace_.size(); ++i) {
      const Site& site = trace_[i].site;
      const auto* source = source_of(site);
      if (!source) continue;
      const auto& [side, direction, leaf] = *source;
      Found& cell = found[{machine ? Side::controller : side, site.layer, direction}];
      if (site.step < 0) {
        cell.whole[leaf] = i;
        continue;
      }
      // The machine counts its steps anew when it begins to write.
      const Index step = site.step + (machine && side == Side::decoder ? machine_reads() : 0);
      auto& steps = cell.steps[leaf];
      if (static_cast<Index>(steps.size()) <= step) steps.resize(static_cast<std::size_t>(step) + 1, -1);
      steps[static_cast<std::size_t>(step)] = i;
    }
    for (const auto& [key, entries] : found) add(key, entries);
  }

  std::vector<StateCell> take() { return std::move(cells_); }

 private:
  bool alone() const {
    return result_.model && result_.model->model &&
           result_.model->model->traits().kind == ModelTraits::Kind::decoder_only;
  }
  Index machine_reads() const { return static_cast<Index>(result_.token_of_position.size()) + 1; }

  StatePlace source_place(int token) const {
    const TextToken& at = result_.tokens[static_cast<std::size_t>(token)];
    return {StatePlace::Kind::source, at.text, {}, token, -1, at.padding};
  }

  // The source in reading order, and for each place the position of the run. Of a text that is continued the last token
  // is read by step 0.
  void add_source(StateCell& cell, std::vector<Index>& positions) const {
    for (std::size_t i = 0; i < result_.tokens.size(); ++i) {
      if (result_.position_of_token[i] < 0 || (alone() && result_.position_of_token[i] >= result_.prompt)) continue;
      cell.places.push_back(source_place(static_cast<int>(i)));
      positions.push_back(result_.position_of_token[i]);
    }
  }

  void add_output(StateCell& cell, std::vector<Index>& positions, Index first) const {
    for (std::size_t t = 0; t < result_.steps.size(); ++t) {
      const std::string fed = t < result_.fed.size() ? result_.fed[t] : std::string();
      cell.places.push_back({StatePlace::Kind::output, result_.steps[t].text, fed, -1, static_cast<int>(t), false});
      positions.push_back(first + static_cast<Index>(t));
    }
  }

  // The place that holds the position before, in the order in which the cell goes.
  static std::vector<int> places_before(const std::vector<Index>& positions, bool backward) {
    std::vector<int> place_of(positions.size(), -1);
    for (std::size_t i = 0; i < positions.size(); ++i)
      place_of[static_cast<std::size_t>(positions[i])] = static_cast<int>(i);
    std::vector<int> before;
    for (const Index position : positions) {
      const Index earlier = backward ? position + 1 : position - 1;
      before.push_back(earlier >= 0 && earlier < static_cast<Index>(positions.size())
                           ? place_of[static_cast<std::size_t>(earlier)]
                           : -1);
    }
    return before;
  }

  void add(const std::tuple<Side, Index, Direction>& key, const Found& found) {
    StateCell cell;
    std::tie(cell.side, cell.layer, cell.direction) = key;
    cell.trace = result_.trace;
    std::vector<Index> positions;
    if (cell.side != Side::decoder) add_source(cell, positions);
    if (cell.side == Side::controller) {
      cell.places.push_back({StatePlace::Kind::delimiter, {}, {}, -1, -1, false});
      positions.push_back(machine_reads() - 1);
    }
    if (cell.side != Side::encoder) add_output(cell, positions, cell.side == Side::controller ? machine_reads() : 0);
    if (positions.empty()) return;
    cell.before = places_before(positions, cell.direction == Direction::backward);
    for (const Leaf& leaf : kLeaves) add_track(cell, leaf, found, positions);
    if (cell.tracks.empty()) return;
    if (cell.kind == TrackKind::gru && reset_after(cell)) cell.kind = TrackKind::gru_reset_after;
    name_initial_states(cell);
    cells_.push_back(std::move(cell));
  }

  // Left out where the trace lacks a step.
  void add_track(StateCell& cell, const Leaf& leaf, const Found& found, const std::vector<Index>& positions) const {
    StateTrack track;
    track.symbol = leaf.symbol;
    track.role = leaf.role;
    const auto whole = found.whole.find(&leaf);
    const auto steps = found.steps.find(&leaf);
    for (const Index position : positions) {
      StateTrack::Row row;
      if (whole != found.whole.end()) {
        const Tensor& value = trace_[whole->second].value;
        if (position >= value.rows()) return;
        row = {whole->second, position * value.columns()};
      } else if (steps != found.steps.end() && position < static_cast<Index>(steps->second.size())) {
        row = {steps->second[static_cast<std::size_t>(position)], 0};
      }
      if (row.entry < 0) return;
      track.rows.push_back(row);
    }
    const TraceEntry& first = trace_[track.rows.front().entry];
    track.kind = first.site.kind;
    cell.units = first.value.columns();
    cell.kind = leaf.kind;
    cell.tracks.push_back(std::move(track));
  }

  void name_initial_states(StateCell& cell) const {
    if (cell.side == Side::encoder) return;  // zeros
    const std::string layer = cell.layer >= 0 ? "layer[" + std::to_string(cell.layer) + "]." : "";
    const std::string place = cell.side == Side::controller ? "controller.init." : "decoder." + layer + "init.";
    cell.initial_h_ = place + "h";
    cell.initial_c_ = place + "c";
  }

  // The form of the GRU that multiplies before it resets publishes the product.
  bool reset_after(const StateCell& cell) const {
    std::string site = trace_[cell.tracks.back().rows.front().entry].site.text;  // "… .gru.h"
    return trace_.find(site.replace(site.size() - 1, 1, "recurrent")) >= 0;
  }

  const Result& result_;
  const Trace& trace_;
  std::vector<StateCell> cells_;
};

std::vector<StateCell> state_cells(const Result& result) {
  return result.trace ? StateBuilder(result).take() : std::vector<StateCell>{};
}

bool has_state_cells(const Result& result) {
  if (!result.trace) return false;
  const auto& entries = result.trace->entries();
  return std::any_of(entries.begin(), entries.end(),
                     [](const TraceEntry& entry) { return source_of(entry.site) != nullptr; });
}

int StateCell::track(const std::string& symbol) const {
  for (std::size_t i = 0; i < tracks.size(); ++i)
    if (tracks[i].symbol == symbol) return static_cast<int>(i);
  return -1;
}

int StateCell::main_gate() const {
  for (std::size_t i = 0; i < tracks.size(); ++i)
    if (tracks[i].role == TrackRole::gate) return static_cast<int>(i);
  return -1;
}

double StateCell::value_before(const std::string& symbol, int place, Index unit) const {
  const int earlier = before[static_cast<std::size_t>(place)], at = track(symbol);
  if (earlier >= 0) return at < 0 ? 0 : static_cast<double>(value(at, earlier, unit));
  const std::string& name = symbol == "c" ? initial_c_ : initial_h_;
  if (name.empty()) return 0;
  if (const int entry = trace->find(name); entry >= 0) return static_cast<double>((*trace)[entry].value[unit]);
  for (const NamedTensor& parameter : trace->parameters())
    if (parameter.name == name) return static_cast<double>(parameter.value[unit]);
  return 0;
}

bool StateCell::find(int entry, Index index, int* track, int* place, Index* unit) const {
  for (std::size_t t = 0; t < tracks.size(); ++t)
    for (std::size_t p = 0; p < tracks[t].rows.size(); ++p) {
      const StateTrack::Row& row = tracks[t].rows[p];
      if (row.entry != entry || index < row.first || index >= row.first + units) continue;
      *track = static_cast<int>(t);
      *place = static_cast<int>(p);
      *unit = index - row.first;
      return true;
    }
  return false;
}

double StateCell::mean(int track, int place) const {
  const StateTrack::Row& row = tracks[static_cast<std::size_t>(track)].rows[static_cast<std::size_t>(place)];
  const ConstArrayMap values((*trace)[row.entry].value.data() + row.first, units);
  return static_cast<double>(values.abs().mean());
}

double StateCell::largest(int track) const {
  Scalar most = 0;
  for (const StateTrack::Row& row : tracks[static_cast<std::size_t>(track)].rows)
    most = std::max(most, ConstArrayMap((*trace)[row.entry].value.data() + row.first, units).abs().maxCoeff());
  return static_cast<double>(most);
}

std::vector<StateUpdate> StateCell::updates(int place, Index unit) const {
  const auto has = [&](std::initializer_list<const char*> symbols) {
    return std::all_of(symbols.begin(), symbols.end(), [&](const char* symbol) { return track(symbol) >= 0; });
  };
  const auto at = [&](const char* symbol) { return static_cast<double>(value(track(symbol), place, unit)); };
  std::vector<StateUpdate> all;
  const auto add = [&](const char* result, const char* symbols, const char* pattern, std::vector<double> values,
                       double computed) {
    const double held = at(result);
    const bool edited = (*trace)[entry(track(result), place)].edited && std::abs(held - computed) > 1e-5;
    all.push_back({result, symbols, pattern, std::move(values), computed, held, edited});
  };
  if (kind == TrackKind::lstm && has({"f", "i", "g", "c"})) {
    const double f = at("f"), i = at("i"), g = at("g"), c = value_before("c", place, unit);
    add("c", "f·c′ + i·g", "%1·%2 + %3·%4", {f, c, i, g}, f * c + i * g);
  }
  if (kind == TrackKind::lstm && has({"o", "c", "h"})) {
    const double o = at("o"), c = at("c");
    add("h", "o·tanh(c)", "%1·tanh(%2)", {o, c}, o * std::tanh(c));
  }
  if (kind == TrackKind::gru && has({"z", "h̃", "h"})) {
    const double z = at("z"), n = at("h̃"), h = value_before("h", place, unit);
    add("h", "(1 − z)·h′ + z·h̃", "(1 − %1)·%2 + %3·%4", {z, h, z, n}, (1 - z) * h + z * n);
  }
  if (kind == TrackKind::gru_reset_after && has({"z", "h̃", "h"})) {
    const double z = at("z"), n = at("h̃"), h = value_before("h", place, unit);
    add("h", "(1 − z)·h̃ + z·h′", "(1 − %1)·%2 + %3·%4", {z, n, z, h}, (1 - z) * n + z * h);
  }
  if (kind == TrackKind::rnn && has({"A", "h"})) add("h", "tanh(A)", "tanh(%1)", {at("A")}, std::tanh(at("A")));
  if (kind == TrackKind::glu && has({"A", "σ(B)", "y"}))
    add("y", "A·σ(B)", "%1·%2", {at("A"), at("σ(B)")}, at("A") * at("σ(B)"));
  if (all.empty() && has({"h"})) add("h", "", "", {}, at("h"));
  return all;
}

std::vector<double> StateCell::changes() const {
  std::vector<double> all(static_cast<std::size_t>(units), 0);
  const int h = track("h");
  const int at = h >= 0 ? h : static_cast<int>(tracks.size()) - 1;
  for (int place = 0; place < place_count(); ++place) {
    const int earlier = before[static_cast<std::size_t>(place)];
    for (Index unit = 0; unit < units; ++unit) {
      const double from = earlier >= 0 ? static_cast<double>(value(at, earlier, unit))
                          : h >= 0     ? value_before("h", place, unit)
                                       : static_cast<double>(value(at, place, unit));
      all[static_cast<std::size_t>(unit)] += std::abs(static_cast<double>(value(at, place, unit)) - from);
    }
  }
  return all;
}

std::vector<double> StateCell::openness() const {
  std::vector<double> all(static_cast<std::size_t>(units), 0);
  const int gate = main_gate();
  if (gate < 0) return all;
  for (int place = 0; place < place_count(); ++place)
    for (Index unit = 0; unit < units; ++unit)
      all[static_cast<std::size_t>(unit)] += static_cast<double>(value(gate, place, unit)) / place_count();
  return all;
}

ReceptiveCone receptive_cone(Index position, Index layer, Index kernel, bool causal, Index length) {
  const Index back = causal ? kernel - 1 : (kernel - 1) / 2, ahead = kernel - 1 - back;
  ReceptiveCone cone;
  cone.reach = 1 + (layer + 1) * (kernel - 1);
  cone.levels.resize(static_cast<std::size_t>(layer) + 2);
  for (Index level = layer + 1; level >= 0; --level) {
    const Index down = layer + 1 - level;
    cone.levels[static_cast<std::size_t>(level)] = {std::max<Index>(0, position - down * back),
                                                    std::min(length - 1, position + down * ahead)};
  }
  return cone;
}

}  // namespace headlight
