#include "model/analysis/difference.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <utility>

namespace headlight {

namespace {

constexpr Scalar kNoValue = std::numeric_limits<Scalar>::quiet_NaN();

std::vector<PlacePair> by_index(Index before, Index after) {
  std::vector<PlacePair> places;
  for (Index i = 0; i < std::max(before, after); ++i)
    places.push_back({i < before ? i : -1, i < after ? i : -1, i < before && i < after});
  return places;
}

// cost[i][j]: changes between what follows position i of one and position j of the other.
std::vector<std::uint16_t> costs(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const std::size_t n = a.size(), m = b.size(), width = m + 1;
  std::vector<std::uint16_t> cost((n + 1) * width);
  for (std::size_t i = n + 1; i-- > 0;)
    for (std::size_t j = m + 1; j-- > 0;) {
      std::uint16_t& here = cost[i * width + j];
      if (i == n || j == m) {
        here = static_cast<std::uint16_t>(n - i + m - j);
        continue;
      }
      const int change = cost[(i + 1) * width + j + 1] + (a[i] == b[j] ? 0 : 1);
      const int one_sided = std::min(cost[(i + 1) * width + j], cost[i * width + j + 1]) + 1;
      here = static_cast<std::uint16_t>(std::min(change, one_sided));
    }
  return cost;
}

}  // namespace

std::vector<PlacePair> aligned(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  std::size_t head = 0;
  while (head < before.size() && head < after.size() && before[head] == after[head]) ++head;
  const std::vector<std::string> a(before.begin() + static_cast<std::ptrdiff_t>(head), before.end());
  const std::vector<std::string> b(after.begin() + static_cast<std::ptrdiff_t>(head), after.end());
  const std::vector<std::uint16_t> cost = costs(a, b);
  const std::size_t width = b.size() + 1;
  std::vector<PlacePair> places;
  for (std::size_t i = 0; i < head; ++i) places.push_back({static_cast<Index>(i), static_cast<Index>(i), true});
  const auto place = [&](std::size_t i, std::size_t j, bool first, bool second) {
    places.push_back({first ? static_cast<Index>(head + i) : -1, second ? static_cast<Index>(head + j) : -1,
                      first && second && a[i] == b[j]});
  };
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    const int here = cost[i * width + j];
    if (i < a.size() && cost[(i + 1) * width + j] + 1 == here) {
      place(i++, j, true, false);
    } else if (j < b.size() && cost[i * width + j + 1] + 1 == here) {
      place(i, j++, false, true);
    } else {
      place(i, j, true, true);
      ++i;
      ++j;
    }
  }
  return places;
}

namespace {

// Padding stands behind what was typed, and is never taken for a token that changed.
std::vector<PlacePair> aligned_apart(const std::vector<std::string>& before, std::size_t typed_before,
                                     const std::vector<std::string>& after, std::size_t typed_after) {
  const auto part = [](const std::vector<std::string>& texts, std::size_t begin, std::size_t end) {
    return std::vector<std::string>(texts.begin() + static_cast<std::ptrdiff_t>(begin),
                                    texts.begin() + static_cast<std::ptrdiff_t>(end));
  };
  std::vector<PlacePair> places = aligned(part(before, 0, typed_before), part(after, 0, typed_after));
  for (PlacePair place : aligned(part(before, typed_before, before.size()), part(after, typed_after, after.size()))) {
    if (place.before >= 0) place.before += static_cast<Index>(typed_before);
    if (place.after >= 0) place.after += static_cast<Index>(typed_after);
    places.push_back(place);
  }
  return places;
}

// The source positions in reading order.
struct SourceTexts {
  std::vector<std::string> texts;
  std::vector<Index> positions;
  std::size_t typed = 0;  // in front of the padding
};
SourceTexts source_texts(const Result& result) {
  SourceTexts found;
  for (std::size_t i = 0; i < result.tokens.size(); ++i) {
    if (result.position_of_token[i] < 0) continue;
    found.texts.push_back(result.tokens[i].text);
    found.positions.push_back(result.position_of_token[i]);
    if (!result.tokens[i].padding) found.typed = found.texts.size();
  }
  return found;
}

std::vector<std::string> output_texts(const Result& result) {
  std::vector<std::string> texts;
  for (const OutputStep& step : result.steps) texts.push_back(step.text);
  return texts;
}

}  // namespace

TokenPlaces token_places(const Result& before, const Result& after) {
  TokenPlaces found;
  const SourceTexts a = source_texts(before), b = source_texts(after);
  found.source = aligned_apart(a.texts, a.typed, b.texts, b.typed);
  for (PlacePair& place : found.source) {
    if (place.before >= 0) place.before = a.positions[static_cast<std::size_t>(place.before)];
    if (place.after >= 0) place.after = b.positions[static_cast<std::size_t>(place.after)];
  }
  found.output = aligned(output_texts(before), output_texts(after));
  return found;
}

namespace {

// "decoder.step[3].lstm.h" -> "decoder.step[*].lstm.h"
std::string without_step(const std::string& site) {
  const std::size_t at = site.find("step[");
  if (at == std::string::npos || (at > 0 && site[at - 1] != '.')) return site;
  const std::size_t end = site.find(']', at);
  return site.substr(0, at) + "step[*" + site.substr(end);
}

}  // namespace

std::vector<SiteTable> site_tables(const Trace& trace) {
  std::vector<SiteTable> tables;
  std::unordered_map<std::string, std::size_t> place;
  for (int i = 0; i < trace.size(); ++i) {
    const TraceEntry& entry = trace[i];
    const Index columns = entry.value.columns();
    if (entry.value.size() == 0) continue;
    std::string name = without_step(entry.site.text);
    const auto [found, is_new] = place.try_emplace(std::move(name), tables.size());
    if (is_new) tables.push_back({found->first, entry.site.kind, {}, 0});
    SiteTable& table = tables[found->second];
    table.columns = std::max(table.columns, columns);
    const Index inner = entry.value.rank() >= 2 ? entry.value.dim(-2) : 1;
    for (Index row = 0; row < entry.value.rows(); ++row)
      table.rows.push_back({i, row * columns, columns, entry.site.step, row / inner, row % inner});
  }
  return tables;
}

Tensor SiteTable::values(const Trace& trace) const {
  Tensor all = Tensor::full({static_cast<Index>(rows.size()), columns}, kNoValue);
  for (std::size_t r = 0; r < rows.size(); ++r)
    std::copy_n(trace[rows[r].entry].value.data() + rows[r].first, rows[r].count,
                all.data() + static_cast<Index>(r) * columns);
  return all;
}

TableDifference table_difference(const Tensor& before, const Tensor& after, std::vector<PlacePair> rows,
                                 std::vector<PlacePair> columns) {
  TableDifference found;
  const auto height = static_cast<Index>(rows.size()), width = static_cast<Index>(columns.size());
  if (height == 0 || width == 0) return found;
  found.before = Tensor::full({height, width}, kNoValue);
  found.after = Tensor::full({height, width}, kNoValue);
  found.change = Tensor({height, width});
  for (Index r = 0; r < height; ++r) {
    const PlacePair& row = rows[static_cast<std::size_t>(r)];
    for (Index c = 0; c < width; ++c) {
      const PlacePair& column = columns[static_cast<std::size_t>(c)];
      const Index cell = r * width + c;
      if (row.before >= 0 && column.before >= 0)
        found.before[cell] = before[row.before * before.columns() + column.before];
      if (row.after >= 0 && column.after >= 0) found.after[cell] = after[row.after * after.columns() + column.after];
    }
  }
  found.change.array() = found.after.array() - found.before.array();
  found.rows = std::move(rows);
  found.columns = std::move(columns);
  return found;
}

namespace {

// Lays tables of two runs side by side.
class TablePlaces {
 public:
  TablePlaces(const Result& before, const Result& after, const TokenPlaces& tokens)
      : tokens_(tokens),
        source_before_(static_cast<Index>(before.token_of_position.size())),
        source_after_(static_cast<Index>(after.token_of_position.size())),
        steps_before_(static_cast<Index>(before.steps.size())),
        steps_after_(static_cast<Index>(after.steps.size())) {}

  // Axis `axis` of a site, counted from the end: which of its places belong together.
  std::optional<std::vector<PlacePair>> axis(const SiteTable& table, int axis, Index before, Index after) const {
    const auto& axes = table.kind ? table.kind->axes : std::vector<Axis>{};
    const int at = static_cast<int>(axes.size()) + axis;
    const Axis counts = at >= 0 ? axes[static_cast<std::size_t>(at)] : Axis::single;
    const bool of_tokens = counts == Axis::source || counts == Axis::query || counts == Axis::key;
    if (of_tokens && before == source_before_ && after == source_after_) return tokens_.source;
    if (counts == Axis::target && before == steps_before_ && after == steps_after_) return tokens_.output;
    if (!of_tokens && counts != Axis::target && before != after) return std::nullopt;
    return by_index(before, after);
  }

  std::optional<std::vector<PlacePair>> rows(const SiteTable& before, const SiteTable& after) const {
    const Extent first(before), second(after);
    const auto inner = axis(before, -2, first.inner, second.inner);
    if (!inner || first.outer != second.outer) return std::nullopt;
    std::vector<PlacePair> places;
    for (const PlacePair& step : steps(before, first.steps, second.steps))
      for (Index outer = 0; outer < first.outer; ++outer)
        for (const PlacePair& row : *inner) {
          PlacePair place{first.at(step.before, outer, row.before), second.at(step.after, outer, row.after), false};
          place.same = place.in_both() && step.same && row.same;
          if (place.before >= 0 || place.after >= 0) places.push_back(place);
        }
    return places;
  }

 private:
  // How many steps and rows a table has, and which of its rows is which.
  struct Extent {
    Index steps = 0, outer = 0, inner = 0;
    std::vector<Index> rows;
    explicit Extent(const SiteTable& table) {
      for (const SiteTable::Row& row : table.rows) {
        steps = std::max(steps, row.step + 1);
        outer = std::max(outer, row.outer + 1);
        inner = std::max(inner, row.inner + 1);
      }
      rows.assign(static_cast<std::size_t>(std::max<Index>(steps, 1) * outer * inner), -1);
      for (std::size_t r = 0; r < table.rows.size(); ++r)
        rows[index(table.rows[r].step, table.rows[r].outer, table.rows[r].inner)] = static_cast<Index>(r);
    }
    std::size_t index(Index step, Index o, Index i) const {
      return static_cast<std::size_t>((std::max<Index>(step, 0) * outer + o) * inner + i);
    }
    Index at(Index step, Index o, Index i) const {
      const bool inside = step >= 0 && step < std::max<Index>(steps, 1) && o < outer && i >= 0 && i < inner;
      return inside ? rows[index(step, o, i)] : -1;
    }
  };

  std::vector<PlacePair> steps(const SiteTable& table, Index before, Index after) const {
    if (before == 0 && after == 0) return {{0, 0, true}};
    if (table.kind->side != SiteKind::Side::encoder) return tokens_.output;
    return before == source_before_ && after == source_after_ ? tokens_.source : by_index(before, after);
  }

  const TokenPlaces& tokens_;
  Index source_before_, source_after_, steps_before_, steps_after_;
};

}  // namespace

std::optional<TableDifference> site_difference(const Result& before, const SiteTable& table_before, const Result& after,
                                               const SiteTable& table_after, const TokenPlaces& tokens) {
  const TablePlaces places(before, after, tokens);
  auto rows = places.rows(table_before, table_after);
  auto columns = places.axis(table_before, -1, table_before.columns, table_after.columns);
  if (!rows || !columns || rows->empty()) return std::nullopt;
  return table_difference(table_before.values(*before.trace), table_after.values(*after.trace), std::move(*rows),
                          std::move(*columns));
}

namespace {

std::vector<std::string> axis_texts(const std::vector<AttentionToken>& tokens, bool written) {
  std::vector<std::string> texts;
  for (const AttentionToken& token : tokens) texts.push_back(written ? token.written : token.text);
  return texts;
}

// How many tokens stand in front of the padding behind them.
std::size_t typed(const std::vector<AttentionToken>& tokens) {
  std::size_t count = tokens.size();
  while (count > 0 && tokens[count - 1].padding) --count;
  return count;
}

double row_divergence(const Tensor& before, const Tensor& after, Index row_before, Index row_after,
                      const std::vector<PlacePair>& columns) {
  std::vector<double> p, q;
  for (const PlacePair& column : columns) {
    const auto weight = [](const Tensor& map, Index row, Index at) {
      return at < 0 ? 0.0 : static_cast<double>(map[row * map.columns() + at]);
    };
    p.push_back(weight(before, row_before, column.before));
    q.push_back(weight(after, row_after, column.after));
  }
  return divergence(p, q);
}

void add_heads(Difference& found, const std::vector<AttentionMap>& maps_before,
               const std::vector<AttentionMap>& maps_after) {
  for (const AttentionMap& second : maps_after) {
    if (second.kind == AttentionMap::Kind::summary) continue;
    const auto first = std::find_if(maps_before.begin(), maps_before.end(), [&](const AttentionMap& map) {
      return map.kind == second.kind && map.layer == second.layer;
    });
    if (first == maps_before.end()) continue;
    const MapPlaces places = map_places(*first, second);
    for (Index head = 0; head < std::min(first->heads, second.heads); ++head) {
      const Tensor a = first->matrix(head), b = second.matrix(head);
      double sum = 0;
      Index rows = 0;
      for (const PlacePair& row : places.rows) {
        if (!row.in_both()) continue;
        sum += row_divergence(a, b, row.before, row.after, places.columns);
        ++rows;
      }
      if (rows > 0) found.heads.push_back({second.kind, second.layer, head, sum / static_cast<double>(rows)});
    }
  }
  std::stable_sort(found.heads.begin(), found.heads.end(),
                   [](const HeadChange& a, const HeadChange& b) { return a.bits > b.bits; });
}

}  // namespace

MapPlaces map_places(const AttentionMap& before, const AttentionMap& after) {
  const auto along = [](const std::vector<AttentionToken>& a, const std::vector<AttentionToken>& b, bool written) {
    return aligned_apart(axis_texts(a, written), typed(a), axis_texts(b, written), typed(b));
  };
  return {along(before.rows, after.rows, !before.is_self() && !after.is_self()),
          along(before.columns, after.columns, false)};
}

const AttentionMap* telling_map(const std::vector<AttentionMap>& maps) {
  const AttentionMap* found = nullptr;
  const auto rank = [](const AttentionMap& map) {
    switch (map.kind) {
      case AttentionMap::Kind::summary:
        return 3;
      case AttentionMap::Kind::cross:
        return 2;
      case AttentionMap::Kind::decoder_self:
        return 1;
      default:
        return 0;
    }
  };
  for (const AttentionMap& map : maps)
    if (!found || std::pair(rank(map), map.layer) > std::pair(rank(*found), found->layer)) found = &map;
  return found;
}

TableDifference map_difference(const AttentionMap& before, const AttentionMap& after, Index head) {
  MapPlaces places = map_places(before, after);
  return table_difference(before.matrix(std::min(head, before.heads - 1)),
                          after.matrix(std::min(head, after.heads - 1)), std::move(places.rows),
                          std::move(places.columns));
}

double divergence(const std::vector<double>& p, const std::vector<double>& q) {
  double sum_p = 0, sum_q = 0;
  for (const double v : p) sum_p += v;
  for (const double v : q) sum_q += v;
  if (!(sum_p > 0) || !(sum_q > 0)) return 0;
  const auto term = [](double v) { return v > 0 ? v * std::log2(v) : 0.0; };
  double bits = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double a = p[i] / sum_p, b = q[i] / sum_q;
    bits += (term(a) + term(b)) / 2 - term((a + b) / 2);
  }
  return std::max(0.0, bits);
}

SiteChange site_change(const std::string& name, const TableDifference& difference) {
  SiteChange found;
  found.name = name;
  double squares = 0, first = 0, second = 0;
  const Index width = static_cast<Index>(difference.columns.size());
  for (Index i = 0; i < difference.change.size(); ++i) {
    const auto change = static_cast<double>(difference.change[i]);
    if (!std::isfinite(change)) continue;
    const auto a = static_cast<double>(difference.before[i]), b = static_cast<double>(difference.after[i]);
    ++found.cells;
    squares += change * change;
    first += a * a;
    second += b * b;
    if (found.row >= 0 && std::abs(change) <= found.largest) continue;
    found.largest = std::abs(change);
    found.row = i / width;
    found.column = i % width;
  }
  if (found.cells > 0) found.rms = std::sqrt(squares / static_cast<double>(found.cells));
  if (squares > 0) found.relative = std::sqrt(squares / std::max(first, second));
  return found;
}

Difference difference(const Result& before, const Result& after) {
  return difference(before, attention_maps(before), after, attention_maps(after));
}

Difference difference(const Result& before, const std::vector<AttentionMap>& maps_before, const Result& after,
                      const std::vector<AttentionMap>& maps_after) {
  Difference found;
  found.tokens = token_places(before, after);
  if (!before.trace || !after.trace) return found;
  const std::vector<SiteTable> first = site_tables(*before.trace), second = site_tables(*after.trace);
  std::unordered_map<std::string, const SiteTable*> by_name;
  for (const SiteTable& table : first) by_name[table.name] = &table;
  for (const SiteTable& table : second) {
    const auto at = by_name.find(table.name);
    if (at == by_name.end()) {
      found.only_after.push_back(table.name);
      continue;
    }
    if (const auto laid = site_difference(before, *at->second, after, table, found.tokens))
      found.sites.push_back(site_change(table.name, *laid));
    else
      found.unalike.push_back(table.name);
    by_name.erase(at);
  }
  for (const SiteTable& table : first)
    if (by_name.count(table.name)) found.only_before.push_back(table.name);
  std::stable_sort(found.sites.begin(), found.sites.end(),
                   [](const SiteChange& a, const SiteChange& b) { return a.relative > b.relative; });
  add_heads(found, maps_before, maps_after);
  return found;
}

}  // namespace headlight
