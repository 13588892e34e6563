#include "model/analysis/living/inside.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

namespace {

using StationKind = LivingStation::Kind;
using Part = LivingPart::Kind;
using Scale = LivingValues::Scale;

constexpr double kGap = 0.5;  // cells between values

// "decoder.step[0].layer[1].residual1" -> "decoder.step[0].layer[1]."
std::string in_front_of_leaf(const std::string& site, const char* last) {
  const std::size_t found = site.rfind(last);
  if (found == std::string::npos) return {};
  const std::size_t dot = site.find('.', found);
  return dot == std::string::npos ? std::string() : site.substr(0, dot + 1);
}

class Inside {
 public:
  Inside(const LivingMap& map, int station, Index row)
      : map_(map), trace_(*map.result->trace), station_(map.stations[static_cast<std::size_t>(station)]), row_(row) {}

  LivingInside make() {
    switch (station_.kind) {
      case StationKind::attention:
      case StationKind::cross:
        attention();
        break;
      case StationKind::mlp:
        mlp();
        break;
      case StationKind::cell:
        cell();
        break;
      case StationKind::context:
        lookup();
        break;
      case StationKind::memory:
        memory();
        break;
      case StationKind::convolution:
        convolution();
        break;
      default:
        break;
    }
    for (const LivingValues& value : made_.values) {
      made_.columns = std::max(made_.columns, value.left + static_cast<double>(value.columns));
      made_.rows = std::max(made_.rows, value.top + static_cast<double>(value.rows.size()));
    }
    return std::move(made_);
  }

 private:
  // Where the trace has the state of a lane of a station.
  static LivingPlace place_of(const LivingStation& station, int lane) {
    const int row = lane - station.first;
    return row >= 0 && row < static_cast<int>(station.places.size()) ? station.places[static_cast<std::size_t>(row)]
                                                                     : LivingPlace{};
  }
  int own_lane() const { return station_.first + static_cast<int>(row_); }
  const std::string& site_of(const LivingPlace& place) const { return trace_[place.entry].site.text; }

  // The layer of a lane's own values: "decoder.step[0].layer[1]."
  std::string layer_of(int lane) const {
    const LivingPlace place = place_of(station_, lane);
    return place.entry < 0 ? std::string() : in_front_of_leaf(site_of(place), "layer[");
  }
  // In a value with rows (computed at once, [Q x n]) or without (a step, [n]).
  Index row_in(const LivingPlace& place) const {
    const Tensor& value = trace_[place.entry].value;
    return value.rank() > 1 ? place.first / value.columns() : 0;
  }
  const Tensor* find(const std::string& site, int* entry) const {
    *entry = trace_.find(site);
    return *entry < 0 ? nullptr : &trace_[*entry].value;
  }

  // The next value, with its first cell there; its rows are still to come.
  LivingValues& add(const std::string& symbol, double left, double top, Index columns, Scale scale) {
    LivingValues& value = made_.values.emplace_back();
    value.symbol = symbol;
    value.left = left;
    value.top = top;
    value.columns = columns;
    value.scale = scale;
    return value;
  }
  // A value of numbers in a row, wrapped at `width`; false where there is none.
  bool strip(const std::string& symbol, const LivingPlace& first, Index count, Index width, double top,
             Scale scale = Scale::signed_values) {
    if (first.entry < 0 || count <= 0) return false;
    LivingValues& value = add(symbol, 0, top, std::min(count, width), scale);
    for (Index at = 0; at + value.columns <= count; at += value.columns)
      value.rows.push_back({first.entry, first.first + at});
    value.strip = true;
    return true;
  }
  // The own row of a site beside the state; false where there is none.
  bool strip_of(const std::string& symbol, const std::string& site, Index row, Index width, double* top) {
    int entry = -1;
    const Tensor* value = find(site, &entry);
    if (!value) return false;
    const Index n = value->columns();
    if (!strip(symbol, {entry, value->rank() > 1 ? row * n : 0}, n, width, *top)) return false;
    *top += static_cast<double>(made_.values.back().rows.size()) + kGap / 2;
    return true;
  }

  // Of queries, keys and values: what scores and outputs are computed from.
  std::string as_scored(const std::string& heads, const char* of) const {
    for (const char* how : {"_rotated", "_clipped", "_normed"})
      if (trace_.find(heads + of + how) >= 0) return of + std::string(how);
    return of;
  }

  void attention() {
    const int own = own_lane();
    const LivingPart* part = nullptr;
    for (const LivingPart& each : station_.parts)
      if (each.dense() && each.kind == Part::attention) part = &each;
    const std::string layer = layer_of(own);
    if (!part || layer.empty()) return;
    const std::string own_name = part->place.substr(part->place.rfind('.') + 1) + '.', name = own_name + "head.";
    const bool itself = part->first_column == station_.first;
    const Index own_row = row_in(place_of(station_, own));
    int q_entry = -1, s_entry = -1, w_entry = -1, o_entry = -1, m_entry = -1;
    const Tensor* q = find(layer + name + as_scored(layer + name, "q"), &q_entry);
    const Tensor* weights = find(layer + name + "weights", &w_entry);
    const Tensor* scores = find(layer + name + "scores", &s_entry);
    const Tensor* out = find(layer + name + "out", &o_entry);
    const Tensor* masked = find(layer + name + "scores_masked", &m_entry);
    if (!q || !weights || !out) return;
    // [H x Q x n] or [H x n]: the first number of a head's row.
    const auto first = [&](const Tensor& value, Index head) {
      return value.rank() == 3 ? (head * value.dim(1) + own_row) * value.columns() : head * value.columns();
    };
    const Index heads = weights->dim(0), k = q->columns(), keys = weights->columns();
    // What can be looked at, in the order of the text.
    std::vector<int> lanes;
    for (Index column = 0; column < part->columns; ++column) {
      const int lane = part->first_column + static_cast<int>(column);
      const Index key = map_.lanes[static_cast<std::size_t>(lane)].position;
      if (key >= keys) continue;
      if (masked && !std::isfinite(static_cast<double>((*masked)[first(*masked, 0) + key]))) continue;
      lanes.push_back(lane);
    }
    if (lanes.empty()) return;
    // Of all lanes; head -1: of what all heads have in common.
    const auto of_keys = [&](const std::string& leaf, Index head) {
      std::vector<LivingPlace> rows;
      int entry = -1;
      const Tensor* whole = itself ? nullptr : find("decoder." + layer.substr(layer.rfind("layer[")) + leaf, &entry);
      for (const int lane : lanes) {
        const Tensor* value = whole;
        Index key = map_.lanes[static_cast<std::size_t>(lane)].position;
        if (itself) {
          const LivingPlace place = place_of(station_, lane);
          value = place.entry < 0 ? nullptr : find(layer_of(lane) + leaf, &entry);
          if (value) key = row_in(place);
        }
        if (!value || value->rank() < (head < 0 ? 1 : 2)) return std::vector<LivingPlace>();
        const Index n = value->columns();
        const Index of = head < 0 ? 0 : head / std::max<Index>(1, heads / value->dim(0));
        const bool at_once = value->rank() == (head < 0 ? 2 : 3);
        rows.push_back({entry, (at_once ? of * value->dim(-2) + key : of) * n});
      }
      return rows;
    };
    const auto width_of = [&](const std::vector<LivingPlace>& rows) {
      return rows.empty() ? Index(0) : trace_[rows.front().entry].value.columns();
    };
    const double height = static_cast<double>(lanes.size());
    double left = 0;
    // Latent attention: the short row that keys and values of all heads are computed from, and what turns.
    const auto add_latent = [&](const char* symbol, std::vector<LivingPlace> rows, double top, bool named) {
      if (rows.empty()) return;
      LivingValues& value = add(symbol, left, top, width_of(rows), Scale::signed_values);
      value.rows = std::move(rows);
      if (named) value.lanes = lanes;
    };
    if (const std::vector<LivingPlace> latents = of_keys(own_name + "latent", -1); !latents.empty()) {
      int entry = -1;
      const Tensor* asked = find(layer + own_name + "q_latent", &entry);
      if (asked) add_latent("latent q", {{entry, (asked->rank() > 1 ? own_row : 0) * asked->columns()}}, 1, false);
      add_latent("latent", latents, 3, true);
      left += static_cast<double>(width_of(latents)) + kGap;
      const std::vector<LivingPlace> turned = of_keys(own_name + "latent_rope", -1);
      add_latent("turned part", turned, 3, true);
      const auto beside = left + static_cast<double>(width_of(turned));
      left = std::max(beside, asked ? static_cast<double>(asked->columns()) : 0) + 3 * kGap;
    }
    const std::string of_read = (itself ? layer : "decoder." + layer.substr(layer.rfind("layer["))) + name;
    const std::string key_leaf = name + as_scored(of_read, "k"), value_leaf = name + as_scored(of_read, "v");
    for (Index h = 0; h < heads; ++h) {
      const auto add_of_head = [&](const char* symbol, std::vector<LivingPlace> rows, Index columns, double top,
                                   bool named, Scale scale = Scale::signed_values) {
        if (rows.empty()) return;
        LivingValues& value = add(symbol, left, top, columns, scale);
        value.rows = std::move(rows);
        if (named) value.lanes = lanes;
        value.head = h;
      };
      const auto down = [&](int entry, const Tensor& value) {  // one number a lane
        std::vector<LivingPlace> rows;
        for (const int lane : lanes)
          rows.push_back({entry, first(value, h) + map_.lanes[static_cast<std::size_t>(lane)].position});
        return rows;
      };
      const Index n = out->columns();
      add_of_head("q", {{q_entry, first(*q, h)}}, k, 1, false);
      if (std::vector<LivingPlace> rows = of_keys(key_leaf, h); width_of(rows) == k)
        add_of_head("k", std::move(rows), k, 3, true);
      left += static_cast<double>(k) + kGap;
      if (scores) add_of_head("s", down(s_entry, *scores), 1, 3, true);
      left += 1 + kGap;
      add_of_head("α", down(w_entry, *weights), 1, 3, true, Scale::weights);
      left += 1 + kGap;
      add_of_head("v", of_keys(value_leaf, h), n, 3, true);
      add_of_head("Σ α v", {{o_entry, first(*out, h)}}, n, 4 + height, false);
      left += static_cast<double>(n) + 3 * kGap;
    }
  }

  void mlp() {
    const LivingPlace state = place_of(station_, own_lane());
    const std::string layer = layer_of(own_lane());
    if (layer.empty()) return;
    const Index row = row_in(state), width = station_.units;
    double top = 0;
    // What the hidden layer reads is the norm in front of it, where there is one.
    for (const char* norm : {"norm3.out", "norm2.out"})
      if (trace_.find(layer + norm) >= 0 && trace_.find(layer + norm) < trace_.find(layer + "ffn.pre")) {
        strip_of("x", layer + norm, row, width, &top);
        break;
      }
    strip_of("gate", layer + "ffn.gate", row, width, &top);
    strip_of("W₁", layer + "ffn.pre", row, width, &top);
    strip_of("h", layer + "ffn.act", row, width, &top);
    strip_of("W₂", layer + "ffn.out", row, width, &top);
    if (!made_.values.empty()) strip("Σ", state, width, width, top);
  }

  // Gates in the order in which they are used, then what is kept and written.
  void cell() {
    const LivingPlace state = place_of(station_, own_lane());
    if (state.entry < 0) return;
    const std::string& site = site_of(state);
    const std::size_t dot = site.rfind('.');
    std::string place = site.substr(0, dot + 1);
    if (place.ends_with("controller."))
      place = place.substr(0, place.size() - 11);
    else if (const std::size_t before = place.rfind('.', place.size() - 2); before != std::string::npos)
      place = place.substr(0, before + 1);
    double top = 0;
    const Index width = station_.units;
    static const std::pair<const char*, const char*> kLeaves[] = {
        {"f", "lstm.gate.f"}, {"i", "lstm.gate.i"},  {"g", "lstm.cand.g"}, {"z", "gru.gate.z"},
        {"r", "gru.gate.r"},  {"r∘h′", "gru.reset"}, {"h̃", "gru.cand"},    {"A", "rnn.pre"}};
    for (const auto& [symbol, leaf] : kLeaves) strip_of(symbol, place + leaf, 0, width, &top);
    // What it was one step before.
    for (const LivingPart& part : station_.parts)
      if ((part.kind == Part::carried || part.kind == Part::recurrent) && !part.from_lane.empty())
        if (const int from = part.from_lane[static_cast<std::size_t>(row_)]; station_.has(from))
          if (strip(site.ends_with(".c") ? "c′" : "h′", place_of(station_, from), width, width, top))
            top += 1 + kGap / 2;
    if (strip(site.ends_with(".c") ? "c" : "h", state, width, width, top)) top += 1 + kGap / 2;
    strip_of("o", place + "lstm.gate.o", 0, width, &top);
    if (site.ends_with(".c")) strip_of("h", place + "lstm.h", 0, width, &top);
  }

  // Scores beside weights beside what each lane brings.
  void lookup() {
    const LivingPlace state = place_of(station_, own_lane());
    if (state.entry < 0) return;
    const std::string& site = site_of(state);
    const std::string place = site.substr(0, site.rfind('.') + 1);
    int s_entry = -1, w_entry = -1, b_entry = -1;
    const Tensor* scores = find(place + "scores", &s_entry);
    const Tensor* weights = find(place + "weights", &w_entry);
    const Tensor* weighted = find(place + "weighted", &b_entry);
    if (!weights) return;
    const auto [first, count] = map_.range(LivingLane::Side::source);
    std::vector<int> lanes;
    for (int i = 0; i < count; ++i)
      if (map_.lanes[static_cast<std::size_t>(first + i)].position < weights->size()) lanes.push_back(first + i);
    double left = 0;
    const auto add_of_lanes = [&](const char* symbol, int entry, Index columns, Scale scale) {
      LivingValues& value = add(symbol, left, 1, columns, scale);
      for (const int lane : lanes)
        value.rows.push_back({entry, map_.lanes[static_cast<std::size_t>(lane)].position * columns});
      value.lanes = lanes;
      left += static_cast<double>(columns) + kGap;
    };
    if (scores && scores->size() == weights->size()) add_of_lanes("s", s_entry, 1, Scale::signed_values);
    add_of_lanes("α", w_entry, 1, Scale::weights);
    if (!weighted || weighted->rank() != 2 || weighted->dim(0) != weights->size()) return;
    add_of_lanes("α h", b_entry, weighted->columns(), Scale::signed_values);
    if (trace_[state.entry].value.columns() != weighted->columns()) return;
    const double below = 2 + static_cast<double>(lanes.size());
    add("c", made_.values.back().left, below, weighted->columns(), Scale::signed_values).rows = {state};
  }

  // How each head found its slots, above the memory itself: a column for each slot.
  void memory() {
    const LivingPlace state = place_of(station_, station_.first);
    if (state.entry < 0) return;
    const std::string& site = site_of(state);
    const std::size_t heads = site.rfind("memory.head[");
    if (heads == std::string::npos) return;
    const std::string step = site.substr(0, heads);
    const Index slots = station_.count, width = station_.units;
    constexpr double kVectors = 3;
    double top = 0;
    made_.first_slot = kVectors;
    // Row r begins `row_step` numbers behind the one before.
    const auto add_rows = [&](const std::string& symbol, int entry, Index rows, Index columns, Index row_step,
                              double left, Scale scale) -> LivingValues& {
      LivingValues& value = add(symbol, left, top, columns, scale);
      for (Index r = 0; r < rows; ++r) value.rows.push_back({entry, r * row_step});
      return value;
    };
    for (Index h = 0;; ++h) {
      const std::string head = step + "memory.head[" + std::to_string(h) + "].";
      if (trace_.find(head + "write.w") < 0) break;
      const std::string number = trace_.find(step + "memory.head[1].write.w") < 0 ? "" : " " + std::to_string(h + 1);
      for (const char* what : {"write", "read"}) {
        static const std::pair<const char*, const char*> kRows[] = {
            {"content", ".w_content"}, {"gate", ".w_gated"}, {"shift", ".w_shifted"}, {"", ".w"}};
        for (const auto& [symbol, leaf] : kRows) {
          int entry = -1;
          const Tensor* value = find(head + what + leaf, &entry);
          if (!value || value->size() != slots) continue;
          add_rows(std::string(what) + number + (*symbol ? " " : "") + symbol, entry, 1, slots, slots, kVectors,
                   Scale::weights)
              .strip = true;
          top += 1;
        }
        top += kGap;
      }
    }
    int entry = -1;
    // Upright, beside the numbers of each slot: what is erased and what is added.
    const std::string writer = site.substr(0, site.rfind('.') + 1);
    if (const Tensor* erase = find(writer + "erase", &entry); erase && erase->size() == width)
      add_rows("e", entry, width, 1, 1, 0, Scale::weights);
    if (const Tensor* added = find(writer + "add", &entry); added && added->size() == width)
      add_rows("a", entry, width, 1, 1, 1, Scale::signed_values);
    LivingValues& all = add("M", kVectors, top, slots, Scale::signed_values);
    for (Index r = 0; r < width; ++r) all.rows.push_back({state.entry, state.first + r});
    all.step = width;
    all.strip = true;
  }

  // The window, its taps below each other, then the two halves of the sum: what the gate lets through.
  void convolution() {
    const LivingPlace state = place_of(station_, own_lane());
    const std::string layer = layer_of(own_lane());
    if (layer.empty()) return;
    const Index row = row_in(state);
    double top = 0;
    std::vector<LivingPlace> window;
    std::vector<int> lanes;
    for (const LivingPart& part : station_.parts) {
      if (part.kind != Part::tap || part.from_lane.empty()) continue;
      const int lane = part.from_lane[static_cast<std::size_t>(row_)], from = part.station(row_);
      if (lane < 0 || from < 0) continue;
      const LivingPlace place = place_of(map_.stations[static_cast<std::size_t>(from)], lane);
      if (place.entry < 0) continue;
      window.push_back(place);
      lanes.push_back(lane);
    }
    const Index width = station_.units;
    if (!window.empty()) {
      LivingValues& value = add("x", 0, 0, width, Scale::signed_values);
      value.rows = std::move(window);
      value.lanes = std::move(lanes);
      value.strip = true;
      top += static_cast<double>(value.rows.size()) + kGap;
    }
    strip_of("a", layer + "glu.a", row, width, &top);
    if (strip_of("σ(b)", layer + "glu.gate", row, width, &top)) made_.values.back().scale = Scale::weights;
    strip_of("a∘σ(b)", layer + "glu.out", row, width, &top);
    // One number for each lane of the source.
    strip_of("s", layer + "attn.scores", row, width, &top);
    if (strip_of("α", layer + "attn.weights", row, width, &top)) made_.values.back().scale = Scale::weights;
    strip_of("c", layer + "attn.context", row, width, &top);
    strip("Σ", state, width, width, top);
  }

  const LivingMap& map_;
  const Trace& trace_;
  const LivingStation& station_;
  const Index row_;
  LivingInside made_;
};

}  // namespace

LivingInside living_inside(const LivingMap& map, int station, Index row) {
  if (station < 0 || station >= static_cast<int>(map.stations.size()) || !map.result->trace) return {};
  const LivingStation& of = map.stations[static_cast<std::size_t>(station)];
  return row < 0 || row >= of.count ? LivingInside() : Inside(map, station, row).make();
}

}  // namespace headlight
