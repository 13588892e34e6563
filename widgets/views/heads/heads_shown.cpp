#include "widgets/views/heads/heads_shown.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "widgets/text/attention_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

struct HeadsWords {
  Q_DECLARE_TR_FUNCTIONS(HeadsShown)
};

std::optional<Pattern> pattern_in(const SideHeads* heads, const HeadPlace& head) {
  if (!heads || heads->kind == AttentionMap::Kind::cross) return std::nullopt;
  const auto found = std::ranges::find(heads->layers, head.layer);
  if (found == heads->layers.end() || head.head >= heads->heads) return std::nullopt;
  return nth(heads->patterns, (found - heads->layers.begin()) * heads->heads + head.head);
}

// The place of a row among those of the reading: of self-attention that of its own token.
Index position_of(const AttentionMap& map, Index row) {
  const AttentionRow& source = map.source(row);
  if (!map.is_self()) return row;
  return source.column < 0 ? -1 : nth(map.key_of_column, source.column);
}

// The map with these numbers [H x T x S]; false: they are of another text.
bool put_numbers(AttentionMap& map, const Tensor& numbers) {
  const Index rows = numbers.dim(1), keys = numbers.dim(2);
  for (Index row = 0; row < map.row_count(); ++row) {
    AttentionRow& source = nth(map.row_sources, row);
    const Index at = position_of(map, row);
    if (at < 0 || at >= rows || source.keys > keys) return false;
    source.entry = source.sink = -1;
    source.first = at * keys;
    source.head_stride = rows * keys;
  }
  map.own = numbers;
  map.heads = numbers.dim(0);
  return true;
}

double largest_of(const std::vector<Tensor>& layers) {
  double largest = 0;
  for (const Tensor& each : layers)
    for (Index i = 0; i < each.size(); ++i) largest = std::max(largest, static_cast<double>(each[i]));
  return largest;
}

}  // namespace

QString shown_name(HeadsShown shown) {
  switch (shown) {
    case HeadsShown::weights:
      return HeadsWords::tr("weights");
    case HeadsShown::values:
      return HeadsWords::tr("with values");
    case HeadsShown::alti:
      return HeadsWords::tr("ALTI");
    case HeadsShown::rollout:
      return HeadsWords::tr("all layers");
    case HeadsShown::without_first:
      return HeadsWords::tr("without the first token");
    case HeadsShown::entropy:
      return HeadsWords::tr("entropy");
    case HeadsShown::reach:
      return HeadsWords::tr("distance");
    case HeadsShown::effect:
      return HeadsWords::tr("effect when off");
    case HeadsShown::pair:
      return HeadsWords::tr("a pair of words");
    default:
      return pattern_name(static_cast<Pattern>(static_cast<int>(shown) - static_cast<int>(HeadsShown::previous) + 1));
  }
}

QString shown_help(HeadsShown shown) {
  switch (shown) {
    case HeadsShown::weights:
      return HeadsWords::tr("Where the heads look: shares of each row.");
    case HeadsShown::values:
      return HeadsWords::tr(
          "What the heads bring: weight × length of the value behind the output matrix (Kobayashi et al. 2020).");
    case HeadsShown::alti:
      return HeadsWords::tr(
          "What a layer brings of each token, the token's own way included; last, all layers as one (Ferrando et al. "
          "2022).");
    case HeadsShown::rollout:
      return HeadsWords::tr(
          "All layers as one, the residual as half of each (Abnar & Zuidema 2020): no values, no feed-forward "
          "networks.");
    case HeadsShown::without_first:
      return HeadsWords::tr("Where the heads look besides the first token, often a place to rest.");
    case HeadsShown::entropy:
      return HeadsWords::tr("How spread the weight of a row is: 0 one token, 1 all alike.");
    case HeadsShown::reach:
      return HeadsWords::tr("How far a head looks, as a share of the text.");
    case HeadsShown::effect:
      return HeadsWords::tr("The text is run again without each head: how much the target changes.");
    case HeadsShown::pair:
      return HeadsWords::tr("How much each head looks from one word at another.");
    default:
      return HeadsWords::tr("The share of its weight that a head gives there.");
  }
}

std::vector<AttentionMap> maps_shown(HeadsShown shown, const std::vector<AttentionMap>& maps, const SideHeads& heads) {
  std::vector<AttentionMap> made;
  const auto add = [&](const AttentionMap& like, const Tensor& numbers, Index layer) {
    AttentionMap map = like;
    if (!put_numbers(map, numbers)) return false;
    map.layer = layer;
    made.push_back(std::move(map));
    return true;
  };
  if (maps.empty()) return {};
  if (shown == HeadsShown::rollout)
    return heads.rollout.defined() && add(maps.front(), heads.rollout, kAllLayers) ? made : std::vector<AttentionMap>{};
  const std::vector<Tensor>& layers = shown == HeadsShown::alti ? heads.alti : heads.brought;
  if (layers.size() != maps.size()) return {};
  for (std::size_t i = 0; i < maps.size(); ++i)
    if (!add(maps[i], layers[i], maps[i].layer)) return {};
  if (shown == HeadsShown::alti) {
    if (heads.alti_rollout.defined() && !add(maps.front(), heads.alti_rollout, kAllLayers)) return {};
    return made;
  }
  const double largest = largest_of(layers);
  for (AttentionMap& map : made) {
    map.are_shares = false;
    map.highest = largest;
  }
  return made;
}

WithoutFirst without_first(const std::vector<AttentionMap>& maps) {
  WithoutFirst made;
  double left_out = 0, all = 0, largest = 0;
  for (const AttentionMap& map : maps) {
    const Index rows = map.row_count(), keys = static_cast<Index>(map.key_of_column.size());
    Tensor numbers = Tensor::zeros({map.heads, rows, keys});
    AttentionMap other = map;
    for (Index row = 0; row < rows; ++row) {
      AttentionRow& source = nth(other.row_sources, row);
      source.keys = std::min(source.keys, keys);
      for (Index head = 0; head < map.heads; ++head)
        for (Index key = 0; key < source.keys; ++key) {
          const Scalar weight = map.weights(head, row)[key];
          all += static_cast<double>(weight);
          (key == 0 ? left_out : largest) =
              key == 0 ? left_out + static_cast<double>(weight) : std::max(largest, static_cast<double>(weight));
          if (key > 0) numbers[(head * rows + row) * keys + key] = weight;
        }
      source.entry = source.sink = -1;
      source.first = row * keys;
      source.head_stride = rows * keys;
    }
    other.own = numbers;
    other.are_shares = false;
    made.maps.push_back(std::move(other));
  }
  for (AttentionMap& map : made.maps) map.highest = largest;
  made.share = all > 0 ? left_out / all : 0;
  return made;
}

namespace {

void add_heads(MeasuredHeads& measured, const SideHeads& heads) {
  for (const Index layer : heads.layers)
    for (Index head = 0; head < heads.heads; ++head) {
      measured.heads.push_back({heads.kind, layer, head});
      measured.patterns.push_back(pattern_in(&heads, measured.heads.back()));
    }
}

}  // namespace

MeasuredHeads measured_share(HeadsShown shown, const SideHeads& heads) {
  MeasuredHeads measured;
  const auto at = static_cast<std::size_t>(static_cast<int>(shown) - static_cast<int>(HeadsShown::previous));
  const std::size_t which = shown == HeadsShown::entropy ? 7 : shown == HeadsShown::reach ? 8 : at;
  measured.value = shown_name(shown);
  measured.title = shown == HeadsShown::entropy ? HeadsWords::tr("How spread the weight of each head is")
                   : shown == HeadsShown::reach ? HeadsWords::tr("How far each head looks")
                                                : HeadsWords::tr("Share of the weight: %1").arg(shown_name(shown));
  measured.note = HeadsWords::tr("Where a head looks, not why: other weights can give the same output.");
  add_heads(measured, heads);
  for (const PatternShares& shares : heads.shares) measured.values.push_back(shares[which]);
  return measured;
}

MeasuredHeads measured_pair(const HeadPair& pair, const std::vector<AttentionMap>& maps, const SideHeads* heads) {
  MeasuredHeads measured;
  measured.value = HeadsWords::tr("weight");
  measured.note = HeadsWords::tr("Where a head looks, not why: other weights can give the same output.");
  for (const AttentionMap& map : maps) {
    if (pair.query >= map.row_count() || pair.key >= map.column_count() || !map.has(pair.query, pair.key)) continue;
    measured.title = HeadsWords::tr("Heads that look from %1 to %2")
                         .arg(in_quotes(row_labels(map)[static_cast<std::size_t>(pair.query)].text),
                              in_quotes(column_labels(map)[static_cast<std::size_t>(pair.key)].text));
    for (Index head = 0; head < map.heads; ++head) {
      measured.heads.push_back({map.kind, map.layer, head});
      measured.patterns.push_back(pattern_in(heads, measured.heads.back()));
      measured.values.push_back(static_cast<double>(map.weight(head, pair.query, pair.key)));
    }
  }
  const std::vector<AttentionMap> brought =
      heads ? maps_shown(HeadsShown::values, maps, *heads) : std::vector<AttentionMap>{};
  if (brought.empty()) return measured;
  measured.second = HeadsWords::tr("brings");
  for (const AttentionMap& map : brought)
    if (map.has(pair.query, pair.key))
      for (Index head = 0; head < map.heads; ++head)
        measured.seconds.push_back(static_cast<double>(map.weight(head, pair.query, pair.key)));
  if (measured.seconds.size() != measured.heads.size() || measured.heads.empty()) return measured;
  const auto most = std::ranges::max_element(measured.seconds) - measured.seconds.begin();
  const auto first = std::ranges::max_element(measured.values) - measured.values.begin();
  if (most != first)
    measured.note = HeadsWords::tr("By weight %1 is first, by what it brings %2.")
                        .arg(head_place(nth(measured.heads, first)), head_place(nth(measured.heads, most))) +
                    ' ' + measured.note;
  return measured;
}

MeasuredHeads measured_effect(const HeadEffects& effects, AttentionMap::Kind kind, const SideHeads* heads) {
  MeasuredHeads measured;
  measured.is_effect = true;
  measured.value = HeadsWords::tr("effect");
  measured.second = effects.target.kind == Target::Kind::embedding || effects.target.kind == Target::Kind::similarity
                        ? HeadsWords::tr("cosine")
                        : HeadsWords::tr("without it");
  measured.texts = static_cast<int>(effects.texts);
  measured.title =
      effects.of_texts == 0
          ? HeadsWords::tr("What each head is worth: the change when it is switched off in this text")
          : HeadsWords::tr("What each head is worth: the mean change when it is switched off, over %1 texts")
                .arg(effects.texts);
  measured.note = HeadsWords::tr("Later layers repair: effects understate what a head does.");
  for (std::size_t i = 0; i < effects.heads.size(); ++i) {
    if (effects.heads[i].kind != kind) continue;
    const double without = i < effects.without.size() ? effects.without[i] : std::nan("");
    measured.heads.push_back(effects.heads[i]);
    measured.patterns.push_back(pattern_in(heads, effects.heads[i]));
    measured.values.push_back(without - effects.base);
    measured.seconds.push_back(without);
    if (effects.texts == 0) continue;
    measured.sds.push_back(effects.sd[i]);
    measured.firsts.push_back(effects.first[i]);
  }
  return measured;
}

}  // namespace headlight
