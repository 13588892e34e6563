#include "model/analysis/masks.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string_view>
#include <unordered_set>

namespace headlight {

namespace {

using Role = SiteKind::Role;

constexpr Scalar kHidden = -std::numeric_limits<Scalar>::infinity();

// "….layer[2]…" -> "….layer[*]…", "step[3]" -> "step[*]".
std::string any(std::string site, std::string_view name) {
  const std::size_t at = site.find(name);
  if (at == std::string::npos) return site;
  const std::size_t begin = at + name.size();
  return site.replace(begin, site.find(']', begin) - begin, "*");
}
std::string any_layer(const std::string& site) { return any(site, "layer["); }
std::string any_step(const std::string& site) { return any(site, "step["); }

void add_once(std::vector<std::string>& list, std::string text) {
  if (std::ranges::find(list, text) == list.end()) list.push_back(std::move(text));
}

// The mask behind a site of weights, or the scores that they are made from; empty: neither. What recurrent models call
// their window comes and goes with a setting, the scores are always there.
std::string mask_site(const Trace& trace, const std::string& weights) {
  const bool heads = find_site_kind(weights)->of_heads();
  std::string keep = heads ? sibling(weights, Role::keep) : std::string();
  if (!keep.empty() && trace.find(keep) >= 0) return keep;
  std::string scores = sibling(weights, Role::scores);
  return !scores.empty() && trace.find(scores) >= 0 ? scores : std::string();
}

// The keys of a row that an edit covers: what it names, or what is left and right of a band.
struct Covered {
  Index begin = 0, end = 0;  // outside: all but these
  bool outside = false;
  bool contains(Index key) const { return (key >= begin && key < end) != outside; }
};

// `number`: of the row for bands; `row`: within its matrix.
Covered covered(const Intervention& edit, Index number, Index row, Index keys) {
  const auto within = [&](Index begin, Index end) {
    return Covered{std::clamp<Index>(begin, 0, keys), std::clamp<Index>(end, 0, keys)};
  };
  if (const auto& band = edit.outside) {
    const Index begin = band->both_sides ? number - band->width : 0, end = number + band->width + 1;
    Covered all = band->from_end ? within(keys - end, keys - begin) : within(begin, end);
    all.outside = true;
    return all;
  }
  if (edit.row >= 0 && edit.row != row) return {};
  if (edit.cell < 0) return within(0, keys);
  const Index from = edit.cell - (edit.row == Intervention::kFlat ? row * keys : 0);
  return within(from, from + edit.count);
}

}  // namespace

void EditChange::join(EditChange other) {
  std::ranges::move(other.added, std::back_inserter(added));
  std::unordered_set<Intervention, CellsHash> known(withdrawn.begin(), withdrawn.end());
  for (Intervention& edit : other.withdrawn)
    if (known.insert(edit).second) withdrawn.push_back(std::move(edit));
}

bool AttentionMask::Row::is_open(Index key) const {
  const Scalar here = value[first + key];
  if (window.defined() && window[key] == 0) return false;
  return scores ? here != kHidden : here != 0;
}

bool AttentionMask::take(AttentionMap map, const Trace& trace) {
  std::vector<Row> rows;
  for (const AttentionRow& at : map.row_sources) {
    const Site& weights = trace[at.entry].site;
    Row row;
    row.site = mask_site(trace, weights.text);
    if (row.site.empty()) return false;
    row.value = trace.value(row.site);
    row.first = at.first;
    row.keys = at.keys;
    row.whole = weights.step < 0;
    row.in_matrix = row.whole ? at.first / at.keys : 0;
    row.number = row.whole ? row.in_matrix : map.is_self() ? at.keys - 1 : weights.step;
    row.scores = find_site_kind(row.site)->role == Role::scores;
    if (row.scores && !weights.kind->of_heads()) row.window = trace.value(sibling(row.site, Role::keep));
    rows.push_back(std::move(row));
  }
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    while (end < rows.size() && rows[end].site == rows[begin].site) ++end;
    take_edits(std::span(rows).subspan(begin, end - begin));
  }
  maps_.push_back(std::move(map));
  rows_.push_back(std::move(rows));
  return true;
}

// An edit of one row of a matrix goes to that row alone, so that many edits of many rows take no longer than there are
// edits.
void AttentionMask::take_edits(std::span<Row> rows) const {
  std::vector<Row*> in_matrix;
  for (Row& row : rows) {
    row.edited.resize(static_cast<std::size_t>(row.keys));
    in_matrix.resize(std::max(in_matrix.size(), static_cast<std::size_t>(row.in_matrix) + 1));
    in_matrix[static_cast<std::size_t>(row.in_matrix)] = &row;
  }
  const auto count = static_cast<Index>(in_matrix.size());
  for (const EditIndex::Match& match : edits_->index.of(rows.front().site)) {
    if (match.slice >= 0) continue;  // of one head: no mask
    const Intervention& edit = edits_->all[match.edit];
    const bool flat = edit.row == Intervention::kFlat && edit.cell >= 0 && !edit.outside;
    const bool one = edit.row >= 0 && !edit.outside;
    const Index keys = std::max<Index>(1, rows.front().keys);
    const Index begin = one ? edit.row : flat ? edit.cell / keys : 0;
    const Index end = one ? edit.row + 1 : flat ? (edit.cell + edit.count - 1) / keys + 1 : count;
    for (Index r = begin; r < std::min(end, count); ++r) {
      Row* row = in_matrix[static_cast<std::size_t>(r)];
      if (!row) continue;
      const Covered cells = covered(edit, row->number, row->in_matrix, row->keys);
      if (!cells.outside && cells.begin == cells.end) continue;
      row->edits.push_back(match.edit);
      for (Index key = cells.outside ? 0 : cells.begin; key < (cells.outside ? row->keys : cells.end); ++key)
        if (cells.contains(key)) row->edited[static_cast<std::size_t>(key)] = true;
    }
  }
}

std::vector<AttentionMask> AttentionMask::of(const Result& result, std::vector<AttentionMap> maps) {
  std::vector<AttentionMask> masks;
  std::vector<std::string> sites;
  for (const Intervention& edit : result.interventions) sites.push_back(edit.site);
  const auto edits = std::make_shared<const Edits>(result.interventions, EditIndex(sites));
  for (AttentionMap& map : maps) {
    if (map.kind == AttentionMap::Kind::summary) continue;
    const bool known = !masks.empty() && masks.back().kind() == map.kind;
    AttentionMask fresh(edits);
    AttentionMask& mask = known ? masks.back() : fresh;
    if (mask.take(std::move(map), *result.trace) && !known) masks.push_back(std::move(fresh));
  }
  return masks;
}

std::vector<Index> AttentionMask::layers() const {
  std::vector<Index> layers;
  for (const AttentionMap& map : maps_) layers.push_back(map.layer);
  return layers;
}

template <class F>
void AttentionMask::each_map(Index layer, F f) const {
  for (std::size_t m = 0; m < maps_.size(); ++m)
    if (layer == kAllLayers || maps_[m].layer == layer) f(m);
}

AttentionMask::State AttentionMask::state(Index layer, Index at, Index column) const {
  State state = State::absent;
  each_map(layer, [&](std::size_t m) {
    if (!maps_[m].has(at, column)) return;
    const bool open = row(m, at).is_open(maps_[m].key_of_column[static_cast<std::size_t>(column)]);
    if (state != State::open) state = open ? State::open : State::hidden;
  });
  return state;
}

std::vector<Intervention> AttentionMask::covering(Index layer, Index at, Index column) const {
  std::vector<bool> hit(edits_->all.size());
  each_map(layer, [&](std::size_t m) {
    const AttentionMap& map = maps_[m];
    const Index key = column < 0 ? -1 : map.key_of_column[static_cast<std::size_t>(column)];
    for (Index r = at < 0 ? 0 : at; r < (at < 0 ? map.row_count() : at + 1); ++r) {
      const Row& one = row(m, r);
      if (column >= 0 && !map.has(r, column)) continue;
      for (const std::size_t e : one.edits)
        if (key < 0 || covered(edits_->all[e], one.number, one.in_matrix, one.keys).contains(key)) hit[e] = true;
    }
  });
  return chosen(hit);
}

// Of the edits those that are marked.
std::vector<Intervention> AttentionMask::chosen(const std::vector<bool>& marked) const {
  std::vector<Intervention> found;
  for (std::size_t e = 0; e < marked.size(); ++e)
    if (marked[e]) found.push_back(edits_->all[e]);
  return found;
}

bool AttentionMask::is_edited(Index layer, Index at, Index column) const {
  bool edited = false;
  each_map(layer, [&](std::size_t m) {
    const auto key = static_cast<std::size_t>(maps_[m].key_of_column[static_cast<std::size_t>(column)]);
    edited = edited || (maps_[m].has(at, column) && row(m, at).edited[key]);
  });
  return edited;
}

EditChange AttentionMask::change(Intervention wanted, Index layer, Index at, Index column, bool open,
                                 bool scores) const {
  for (const Intervention& edit : edits_->all)
    if (same_cells(edit, wanted)) {
      const bool opens = edit.value != 0 && edit.value != kHidden;
      return opens == open ? EditChange{} : EditChange{{}, {edit}};
    }
  if (open && scores) return {{}, covering(layer, at, column)};
  wanted.kind = Intervention::Kind::set;
  wanted.value = open ? Scalar(1) : scores ? kHidden : Scalar(0);
  return {{std::move(wanted)}, {}};
}

EditChange AttentionMask::set(Index layer, Index at, Index column, bool open) const {
  const State now = state(layer, at, column);
  EditChange all;
  if (now == State::absent || (now == State::open) == open) return all;
  each_map(layer, [&](std::size_t m) {
    if (!all.empty() || !maps_[m].has(at, column)) return;
    const Row& one = row(m, at);
    Intervention wanted;
    wanted.site = layer == kAllLayers ? any_layer(one.site) : one.site;
    wanted.cell = maps_[m].key_of_column[static_cast<std::size_t>(column)];
    if (one.whole) wanted.row = one.in_matrix;
    all = change(std::move(wanted), layer, at, column, open, one.scores);
  });
  return all;
}

EditChange AttentionMask::set_row(Index layer, Index at, bool open) const {
  EditChange all;
  each_map(layer, [&](std::size_t m) {
    if (!all.empty()) return;
    const Row& one = row(m, at);
    Intervention wanted;
    wanted.site = layer == kAllLayers ? any_layer(one.site) : one.site;
    wanted.row = one.whole ? one.in_matrix : Intervention::kEveryRow;
    all = change(std::move(wanted), layer, at, -1, open, one.scores);
  });
  return all;
}

// The sites of all rows, whatever their step: at most what is read at once, and the steps.
std::vector<std::string> AttentionMask::sites(Index layer) const {
  std::vector<std::string> all;
  each_map(layer, [&](std::size_t m) {
    for (const Row& one : rows_[m]) {
      const std::string site = any_step(one.site);
      add_once(all, layer == kAllLayers ? any_layer(site) : site);
    }
  });
  return all;
}

EditChange AttentionMask::set_column(Index layer, Index column, bool open) const {
  EditChange all;
  const bool scores = rows_.front().front().scores;
  for (const std::string& site : sites(layer)) {
    Intervention wanted;
    wanted.site = site;
    wanted.row = Intervention::kEveryRow;
    wanted.cell = maps_.front().key_of_column[static_cast<std::size_t>(column)];
    all.join(change(std::move(wanted), layer, -1, column, open, scores));
  }
  return all;
}

EditChange AttentionMask::set_band(Index layer, Intervention::Band band) const {
  EditChange all;
  for (const Intervention& edit : as_trained(layer).withdrawn)
    if (edit.outside) all.withdrawn.push_back(edit);
  for (const std::string& site : sites(layer)) {
    Intervention wanted;
    wanted.site = site;
    wanted.kind = Intervention::Kind::set;
    wanted.value = rows_.front().front().scores ? kHidden : Scalar(0);
    wanted.outside = band;
    std::erase(all.withdrawn, wanted);
    all.added.push_back(std::move(wanted));
  }
  return all;
}

EditChange AttentionMask::as_trained(Index layer) const {
  std::vector<bool> ours(edits_->all.size());
  each_map(layer, [&](std::size_t m) {
    const std::string* before = nullptr;
    for (const Row& one : rows_[m]) {
      if (!before || *before != one.site)
        for (const auto& [e, slice] : edits_->index.of(one.site)) ours[e] = ours[e] || slice < 0;
      before = &one.site;
    }
  });
  return {{}, chosen(ours)};
}

namespace {

bool reads_at_once(const Result& result) {
  return result.model->model && result.model->model->traits().kind == ModelTraits::Kind::decoder_only;
}

// The places where an attention of that kind is computed.
std::vector<std::string> places(const Result& result, AttentionMap::Kind kind, Index layer) {
  const std::string at = "layer[" + std::to_string(layer) + "].";
  if (kind == AttentionMap::Kind::encoder_self) return {"encoder." + at + "self_attn."};
  // A decoder behind an encoder that reads the text at once, too.
  const bool whole = result.trace->find("decoder." + at + "cross_attn.head.weights") >= 0;
  const std::string decoder = whole ? "decoder." : "decoder.step[*].";
  if (kind == AttentionMap::Kind::cross) return {decoder + at + "cross_attn."};
  std::vector<std::string> all = {decoder + at + "self_attn."};
  if (reads_at_once(result)) all.insert(all.begin(), "decoder." + at + "self_attn.");
  return all;
}

Intervention zero(std::string site) {
  Intervention edit;
  edit.site = std::move(site);
  edit.kind = Intervention::Kind::zero;
  return edit;
}

}  // namespace

std::optional<Intervention> blank_token(const Result& result, int token) {
  if (!result.trace || token < 0 || token >= static_cast<int>(result.position_of_token.size())) return {};
  const int position = result.position_of_token[static_cast<std::size_t>(token)];
  if (position < 0) return {};
  Intervention edit;
  edit.row = position;
  for (const char* site : {"encoder.embed.out", "encoder.channels", "decoder.embed.out"}) {
    const bool own = site[0] == 'd';
    const bool behind = reads_at_once(result) && position >= result.prompt;
    if (behind || (own ? !reads_at_once(result) : result.trace->find(site) < 0)) continue;
    edit.site = site;
    return edit;
  }
  if (!reads_at_once(result)) return {};
  return zero("decoder.step[" + std::to_string(position - result.prompt) + "].embed.out");
}

EditChange hide_token(const Result& result, int token, bool open) {
  EditChange all;
  for (const AttentionMask& mask : AttentionMask::of(result)) {
    const auto& columns = mask.map().columns;
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (columns[c].token == token) all.join(mask.set_column(AttentionMask::kAllLayers, static_cast<Index>(c), open));
  }
  return all;
}

std::vector<Intervention> head_off(const Result& result, AttentionMap::Kind kind, Index layer, Index head) {
  std::vector<Intervention> edits;
  for (const std::string& place : places(result, kind, layer))
    edits.push_back(zero(place + "head[" + std::to_string(head) + "].out"));
  return edits;
}

bool is_head_off(const Result& result, AttentionMap::Kind kind, Index layer, Index head) {
  return std::ranges::all_of(head_off(result, kind, layer, head), [&](const Intervention& edit) {
    return std::ranges::find(result.interventions, edit) != result.interventions.end();
  });
}

bool is_head_off(const Result& result, const AttentionMap& map, Index head) {
  if (result.interventions.empty() || map.is_merged() || map.rows.empty() || head < 0) return false;
  return (*map.trace)[map.entry(0)].site.kind->of_heads() && is_head_off(result, map.kind, map.layer, head);
}

std::vector<Intervention> group_off(const Result& result, const AttentionMap& map, Index group, bool values) {
  std::vector<Intervention> edits;
  std::vector<std::string> all = places(result, map.kind, map.layer);
  if (map.kind == AttentionMap::Kind::cross)  // a source is read once
    all = {"decoder.layer[" + std::to_string(map.layer) + "].cross_attn."};
  for (const std::string& place : all)
    edits.push_back(zero(place + "head[" + std::to_string(group) + "]." + (values ? "v" : "k")));
  return edits;
}

std::vector<Intervention> head_even(const Result& result, AttentionMap::Kind kind, Index layer, Index head) {
  std::vector<Intervention> edits;
  for (const AttentionMap& map : attention_maps(result)) {
    if (map.kind != kind || map.layer != layer) continue;
    if (const Site& weights = (*result.trace)[map.entry(0)].site; !weights.kind->of_heads()) {
      std::string scores = sibling(weights.text, Role::scores);
      if (!scores.empty()) edits.push_back(zero(any_step(scores)));
      return edits;
    }
    for (const std::string& place : places(result, kind, layer))
      edits.push_back(zero(place + "head[" + std::to_string(head) + "].scores"));
  }
  return edits;
}

}  // namespace headlight
