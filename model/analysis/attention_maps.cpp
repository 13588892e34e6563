#include "model/analysis/attention_maps.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "model/core/parallel.h"
#include "model/decode/attention_rows.h"
#include "model/models/transformer_settings.h"

namespace headlight {

namespace {

using MapKind = AttentionMap::Kind;

constexpr Index kCostOfToken = 200;  // of its name in a map, and of the names of its sites

std::atomic<std::size_t> maps_made = 0;

// What the weights of a kind of site are of; none for what holds no weights.
std::optional<MapKind> kind_of(const SiteKind& site) {
  switch (site.role) {
    case SiteKind::Role::weights:
      if (!is_self_attention(site.pattern)) return MapKind::cross;
      return site.side == SiteKind::Side::encoder ? MapKind::encoder_self : MapKind::decoder_self;
    case SiteKind::Role::origin:
      return MapKind::cross;
    case SiteKind::Role::mean:
      return MapKind::summary;
    default:
      return {};
  }
}

// The trace entries of one map: all rows at once, or one entry for each step.
struct Entries {
  int whole = -1;
  std::vector<int> steps;
};

// [heads x rows x keys] of an entry: the axes that a site leaves out are 1.
struct Extent {
  Index heads = 1, rows = 1, keys = 0;
};
Extent extent_of(const Tensor& value, bool whole) {
  const int rank = value.rank();
  Extent extent;
  extent.keys = value.columns();
  if (whole && rank >= 2) extent.rows = value.dim(-2);
  if (rank > (whole ? 2 : 1)) extent.heads = value.dim(0);
  return extent;
}

// The mask of an entry [rows x keys]; undefined when its site has none.
Tensor mask_of(const Trace& trace, int entry) {
  const Site& site = trace[entry].site;
  return site.kind->of_heads() ? trace.value(sibling(site.text, SiteKind::Role::keep)) : Tensor();
}

const std::pair<std::string, TransformerShape> kShapes[] = {{"transformer", TransformerShape::both},
                                                            {"encoder_only", TransformerShape::encoder_only},
                                                            {"decoder_only", TransformerShape::decoder_only}};

// A mask of one row is that of every row.
Index mask_row(const Tensor& mask, Index row) { return mask.rows() > row ? row : 0; }

// Of a row of the entry, how many keys its mask leaves.
Index kept_keys(const Tensor& mask, Index row, Index keys) {
  if (!mask.defined() || mask.columns() != keys || mask.size() == 0) return keys;
  const ConstArrayMap kept(mask.data() + mask_row(mask, row) * keys, keys);
  return (kept != Scalar(0)).count();
}

}  // namespace

class MapBuilder {
 public:
  explicit MapBuilder(const Result& result) : result_(result), trace_(*result.trace), answer_(answer_tokens(result)) {
    std::map<std::pair<MapKind, Index>, Entries> found;
    for (int i = 0; i < trace_.size(); ++i) {
      const Site& site = trace_[i].site;
      has_encoder_ = has_encoder_ || (site.kind && site.kind->side == SiteKind::Side::encoder);
      has_masks_ = has_masks_ || (site.kind && site.kind->role == SiteKind::Role::keep);
      has_sinks_ = has_sinks_ || site.text.ends_with("sink");
      const std::optional<MapKind> kind = site.kind ? kind_of(*site.kind) : std::nullopt;
      if (!kind) continue;
      Entries& entries = found[{*kind, site.layer}];
      if (site.step < 0)
        entries.whole = i;
      else if (site.step == static_cast<Index>(entries.steps.size()))
        entries.steps.push_back(i);
    }
    const auto has = [&](MapKind kind) {
      return std::ranges::any_of(found, [&](const auto& map) { return map.first.first == kind; });
    };
    find_settings();
    alone_ = has(MapKind::decoder_self) && !has(MapKind::cross);
    // Each for itself: in a text of many tokens the names of their masks are many.
    const std::vector<std::pair<std::pair<MapKind, Index>, Entries>> all(found.begin(), found.end());
    const auto count = static_cast<Index>(all.size());
    std::vector<std::optional<AttentionMap>> made(all.size());
    parallel_for(count, grain_for(count, kCostOfToken * static_cast<Index>(result.tokens.size() + result.steps.size())),
                 [&](Index begin, Index end) {
                   for (Index i = begin; i < end; ++i) {
                     const auto& [key, entries] = all[static_cast<std::size_t>(i)];
                     made[static_cast<std::size_t>(i)] = map_of(key.first, key.second, entries);
                   }
                 });
    for (std::optional<AttentionMap>& map : made)
      if (map) maps_.push_back(std::move(*map));
  }
  std::vector<AttentionMap> take() { return std::move(maps_); }

 private:
  AttentionToken source_token(int token) const {
    const TextToken& at = result_.tokens[static_cast<std::size_t>(token)];
    AttentionToken made{at.text, {}, token, -1, at.padding};
    made.voice = at.voice();
    made.answer = answer_ && token >= answer_->first && token <= answer_->second;
    return made;
  }

  AttentionToken step_token(int step) const {
    const auto t = static_cast<std::size_t>(step);
    const std::string fed = t < result_.fed.size() ? result_.fed[t]
                            : t > 0                ? result_.steps[t - 1].text
                                                   : result_.model->target_vocabulary().text(result_.model->text.bos);
    AttentionToken made{fed, result_.steps[t].text, -1, step, false};
    if (result_.chat_text) made.voice = Voice::assistant;
    return made;
  }

  // What a decoder that reads the source too, at once, is given at a position.
  AttentionToken token_read_again(Index position) const {
    AttentionToken token;
    if (position > 0)
      token = source_token(result_.token_of_position[static_cast<std::size_t>(position - 1)]);
    else
      token.text = result_.model->source_vocabulary().text(result_.model->text.bos);
    token.written = token.text;
    return token;
  }

  // The label of what a step looked up: the token that it helped to write.
  AttentionToken row_token(int step) const {
    AttentionToken token = step_token(step);
    const auto& model = result_.model->model;
    if (!model || !model->traits().attends_ahead) return token;
    const auto next = static_cast<std::size_t>(step) + 1;
    token.text = token.written;
    token.written = next < result_.steps.size() ? result_.steps[next].text : std::string();
    return token;
  }

  // The source in reading order: the tokens at the first `limit` positions of the run.
  void add_source_columns(AttentionMap& map, Index limit) const {
    for (std::size_t i = 0; i < result_.tokens.size(); ++i) {
      const int position = result_.position_of_token[i];
      if (position < 0 || position >= limit) continue;
      map.columns.push_back(source_token(static_cast<int>(i)));
      map.key_of_column.push_back(position);
    }
  }

  void add_step_columns(AttentionMap& map, Index prompt) const {
    const auto read = static_cast<Index>(result_.token_of_position.size());
    for (std::size_t t = 0; t < result_.steps.size(); ++t) {
      const Index position = prompt + static_cast<Index>(t);
      AttentionToken token = step_token(static_cast<int>(t));
      if (!has_encoder_ && position < read) {  // a text that is continued: its last token is what step 0 is fed
        token.token = result_.token_of_position[static_cast<std::size_t>(position)];
        token.text = result_.tokens[static_cast<std::size_t>(token.token)].text;
      }
      map.columns.push_back(std::move(token));
      map.key_of_column.push_back(position);
    }
  }

  // What else the run recorded of an entry with weights.
  struct Beside {
    int entry = -1;
    Tensor mask;
    int sink = -1;
  };
  Beside beside(int entry) const {
    Beside found{entry, has_masks_ ? mask_of(trace_, entry) : Tensor(), -1};
    if (!has_sinks_ || !trace_[entry].site.kind->of_heads()) return found;
    const std::string& weights = trace_[entry].site.text;
    if (const std::size_t leaf = weights.rfind("weights"); leaf != std::string::npos)
      found.sink = trace_.find(weights.substr(0, leaf) + "sink");
    return found;
  }

  // `of`: of the row before, which is often one of the same entry.
  AttentionRow row_of(int entry, Index row, bool whole, Beside& of) const {
    if (entry != of.entry) of = beside(entry);
    const Extent extent = extent_of(trace_[entry].value, whole);
    const Index kept = kept_keys(of.mask, row, extent.keys);
    AttentionRow made{entry, row * extent.keys, extent.rows * extent.keys, extent.keys, kept};
    if (of.sink >= 0 && trace_[of.sink].value.size() == extent.heads * extent.rows) made.sink = of.sink;
    made.sink_first = row;
    made.sink_stride = extent.rows;
    return made;
  }

  // What the settings of a Transformer say of such a layer.
  void read_settings(AttentionMap& map) const {
    const TransformerStackSettings* stack = map.kind == MapKind::encoder_self ? encoder_ : decoder_;
    if (!stack || map.heads != stack->layer.attention.heads) return;
    map.key_heads = stack->layer.attention.key_value_heads;
    if (map.kind == MapKind::cross) return;
    const auto layer = static_cast<std::size_t>(std::max<Index>(0, map.layer));
    map.window = layer < stack->windows.size() ? stack->windows[layer] : stack->window;
  }

  void find_settings() {
    if (!result_.model || !result_.model->model || result_.model->stored) return;
    const Json& config = result_.model->model->config();
    const std::string type = config.value("model_type", std::string());
    const auto shape = std::ranges::find(kShapes, type, &std::pair<std::string, TransformerShape>::first);
    if (shape == std::ranges::end(kShapes)) return;
    settings_ = read_transformer_settings(config, shape->second);
    if (shape->second != TransformerShape::decoder_only) encoder_ = &settings_->encoder;
    if (shape->second != TransformerShape::encoder_only) decoder_ = &settings_->decoder;
  }

  // A row for each column whose position was computed: all at once, or as a step. What has fewer rows than keys has
  // those of its last positions.
  void add_own_rows(AttentionMap& map, const Entries& entries, Index prompt) const {
    Beside of;
    const Extent at_once = entries.whole < 0 ? Extent{} : extent_of(trace_[entries.whole].value, true);
    const Index first = at_once.keys - at_once.rows;
    for (std::size_t c = 0; c < map.columns.size(); ++c) {
      const Index position = map.key_of_column[c], step = position - prompt;
      if (step < 0 && (entries.whole < 0 || position < first)) continue;
      AttentionRow row = step < 0 ? row_of(entries.whole, position - first, true, of)
                                  : row_of(entries.steps[static_cast<std::size_t>(step)], 0, false, of);
      row.column = static_cast<Index>(c);
      map.row_sources.push_back(row);
      map.rows.push_back(map.columns[c]);
    }
  }

  std::optional<AttentionMap> map_of(MapKind kind, Index layer, const Entries& entries) const {
    AttentionMap map;
    Beside of;
    map.kind = kind;
    map.layer = layer;
    map.trace = result_.trace;
    // A text that was read at once and not written on has no steps.
    const bool by_step = kind != MapKind::encoder_self && !(entries.steps.empty() && entries.whole >= 0);
    if (by_step && (entries.steps.empty() || entries.steps.size() != result_.steps.size())) return {};
    const int first = by_step ? entries.steps.front() : entries.whole;
    const Extent extent = extent_of(trace_[first].value, !by_step);
    map.heads = extent.heads;
    const std::size_t most = result_.tokens.size() + result_.steps.size() + 1;  // and the start sign
    map.rows.reserve(most);
    map.columns.reserve(most);
    map.row_sources.reserve(most);
    map.key_of_column.reserve(most);
    if (!by_step && kind != MapKind::encoder_self && has_encoder_) {
      const bool own = map.is_self();
      for (Index p = 0; own && p < extent.keys; ++p) {
        map.columns.push_back(token_read_again(p));
        map.key_of_column.push_back(p);
      }
      if (!own) add_source_columns(map, extent.keys);
      for (Index p = 0; p < extent.rows; ++p) {
        map.rows.push_back(token_read_again(p));
        map.row_sources.push_back(row_of(entries.whole, p, true, of));
        if (own) map.row_sources.back().column = p;
      }
    } else if (!map.is_self()) {
      const Index prompt = alone_ ? extent.keys - 1 : extent.keys;
      add_source_columns(map, prompt);
      if (alone_) add_step_columns(map, prompt);
      for (std::size_t t = 0; t < entries.steps.size(); ++t) {
        map.rows.push_back(row_token(static_cast<int>(t)));
        map.row_sources.push_back(row_of(entries.steps[t], 0, false, of));
      }
    } else {
      const Index prompt = by_step ? extent.keys - 1 : extent.keys;
      add_source_columns(map, prompt);
      if (by_step) add_step_columns(map, prompt);
      add_own_rows(map, entries, prompt);
    }
    for (std::size_t c = 0; c < map.key_of_column.size(); ++c)
      map.in_key_order_ = map.in_key_order_ && map.key_of_column[c] == static_cast<Index>(c);
    if (map.rows.empty() || map.columns.empty()) return {};
    read_settings(map);
    if (result_.model && result_.model->stored) measure(map);
    return map;
  }

  // What nobody computed here may be anything.
  static void measure(AttentionMap& map) {
    AttentionRows rows;
    for (Index row = 0; row < map.row_count(); ++row)
      for (Index head = 0; head < map.heads; ++head) rows.add_row(map.weights(head, row), map.source(row).keys);
    map.are_shares = rows.are_shares();
    if (map.are_shares) return;
    map.lowest = rows.lowest;
    map.highest = std::max(1.0, rows.highest);
  }

  const Result& result_;
  const Trace& trace_;
  bool has_encoder_ = false, has_masks_ = false, has_sinks_ = false;  // in the trace
  bool alone_ = false;  // a decoder without an encoder: what it wrote stands behind the text that it continues
  std::optional<std::pair<int, int>> answer_;
  std::optional<TransformerSettings> settings_;
  const TransformerStackSettings *encoder_ = nullptr, *decoder_ = nullptr;  // those that the model has
  std::vector<AttentionMap> maps_;
};

std::vector<std::string> attention_sites() {
  std::vector<std::string> sites;
  for (const SiteKind& kind : site_catalogue())
    if (kind_of(kind) || std::string_view(kind.pattern).ends_with("head.sink")) sites.emplace_back(kind.pattern);
  return sites;
}

std::size_t attention_maps_made() { return maps_made; }

std::vector<AttentionMap> attention_maps(const Result& result) {
  ++maps_made;
  return result.trace ? MapBuilder(result).take() : std::vector<AttentionMap>{};
}

namespace {

// The scores that hide something from a row: those that a person set to −∞, where a model has no mask of its own.
const Tensor* hiding_scores(const Trace& trace, int entry) {
  const Site& weights = trace[entry].site;
  if (weights.kind->of_heads()) return nullptr;
  const std::string scores = sibling(weights.text, SiteKind::Role::scores);
  const int found = scores.empty() ? -1 : trace.find(scores);
  return found >= 0 && trace[found].edited && trace[found].value.size() == trace[entry].value.size()
             ? &trace[found].value
             : nullptr;
}

}  // namespace

std::vector<bool> AttentionMap::kept_columns(Index row) const {
  const AttentionRow& at = source(row);
  const Tensor* scores = at.entry < 0 ? nullptr : hiding_scores(*trace, at.entry);
  const Tensor mask = at.entry < 0 ? Tensor() : mask_of(*trace, at.entry);
  const bool masked = mask.defined() && mask.size() > 0 && mask.columns() == at.keys;
  const Scalar* keep = masked ? mask.data() + mask_row(mask, at.first / at.keys) * at.keys : nullptr;
  std::vector<bool> kept(columns.size());
  for (Index c = 0; c < column_count(); ++c) {
    const Index key = key_of_column[static_cast<std::size_t>(c)];
    kept[static_cast<std::size_t>(c)] =
        key == kSink || (key < at.keys && (!keep || keep[key] != Scalar(0)) &&
                         !(scores && std::isinf((*scores)[at.first + key]) && (*scores)[at.first + key] < 0));
  }
  return kept;
}

std::vector<bool> AttentionMap::hidden_cells() const {
  std::vector<bool> hidden;
  for (Index row = 0; row < row_count(); ++row) {
    const AttentionRow& at = source(row);
    if (at.keys + (has_sink() ? 1 : 0) >= column_count() && at.kept >= at.keys &&
        (at.entry < 0 || !hiding_scores(*trace, at.entry)))
      continue;
    hidden.resize(static_cast<std::size_t>(row_count() * column_count()));
    const std::vector<bool> kept = kept_columns(row);
    for (Index c = 0; c < column_count(); ++c)
      hidden[static_cast<std::size_t>(row * column_count() + c)] = !kept[static_cast<std::size_t>(c)];
  }
  return hidden;
}

bool AttentionMap::is_dropped(Index row, Index column) const {
  const Index here = source(row).column;
  if (window == 0 || here < 0 || is_merged() || !has(row, column)) return false;
  // What lies ahead of a decoder's row is hidden from it, and no window drops it.
  const Index back = key_of_column[static_cast<std::size_t>(here)] - key_of_column[static_cast<std::size_t>(column)];
  return (kind == Kind::decoder_self ? back : std::abs(back)) >= window;
}

std::vector<bool> AttentionMap::dropped_cells() const {
  if (window == 0) return {};
  std::vector<bool> dropped(static_cast<std::size_t>(row_count() * column_count()));
  for (Index row = 0; row < row_count(); ++row)
    for (Index column = 0; column < column_count(); ++column)
      dropped[static_cast<std::size_t>(row * column_count() + column)] = is_dropped(row, column);
  return dropped;
}

bool AttentionMap::find(int entry, Index cell, Index* head, Index* row, Index* column) const {
  if (is_merged()) return false;
  for (Index r = 0; r < row_count(); ++r) {
    const AttentionRow& at = source(r);
    const Index stride = std::max<Index>(1, at.head_stride);
    if (at.entry != entry || cell < at.first) continue;
    const Index h = (cell - at.first) / stride, key = (cell - at.first) % stride;
    if (h >= heads || key >= at.keys) continue;
    const auto found = std::find(key_of_column.begin(), key_of_column.end(), key);
    if (found == key_of_column.end()) continue;
    *head = h;
    *row = r;
    *column = static_cast<Index>(found - key_of_column.begin());
    return true;
  }
  return false;
}

}  // namespace headlight
