#include "model/analysis/bench/text_heads.h"

#include <algorithm>
#include <cmath>

#include "model/analysis/bench/listed_patterns.h"
#include "model/analysis/bench/norms.h"
#include "model/analysis/bench/rollout.h"
#include "model/core/effort.h"
#include "model/core/errors.h"
#include "model/decode/run.h"
#include "model/text/utf8.h"

namespace headlight {

namespace {

using MapKind = AttentionMap::Kind;

// [H·T x S] -> [H x T x S]
Tensor as_maps(const DoubleMatrix& numbers, Index heads) {
  Tensor made({heads, numbers.rows() / heads, numbers.cols()});
  for (Index i = 0; i < made.size(); ++i) made[i] = static_cast<Scalar>(numbers.data()[i]);
  return made;
}

HeadMaps maps_of(const SideReading& side) {
  HeadMaps maps{{}, side.kind != MapKind::cross, side.causal};
  for (const LayerReading& layer : side.layers) maps.layers.push_back(layer.weights);
  return maps;
}

void fill_shares(const HeadMaps& maps, const PatternText& text, const CancelToken& cancel, SideHeads& made) {
  const bool square = maps.self && maps.rows() == static_cast<Index>(text.ids.size());
  for (Index l = 0; l < static_cast<Index>(maps.layers.size()); ++l)
    for (Index h = 0; h < maps.heads(); ++h) {
      cancel.check();
      PatternShares shares;
      shares.fill(std::nan(""));
      if (square) shares = pattern_shares(maps.map(l, h), text, maps.causal);
      made.shares.push_back(shares);
      made.patterns.push_back(square ? pattern_of(shares) : Pattern::mixed);
    }
}

// Where the source is looked at there is one number of these.
void fill_entropy(const HeadMaps& maps, const CancelToken& cancel, SideHeads& made) {
  constexpr std::size_t kEntropy = 7;
  const HeadSummaries all = head_summaries(maps, {}, cancel);
  const auto rows = static_cast<std::size_t>(maps.rows());
  for (std::size_t head = 0; head < made.shares.size(); ++head) {
    double sum = 0;
    for (std::size_t t = 0; t < rows; ++t) sum += all.entropy_normalised.values[head * rows + t];
    made.shares[head][kEntropy] = sum / static_cast<double>(rows);
    if (made.shares[head][kEntropy] >= kBroad) made.patterns[head] = Pattern::broad;
  }
}

void fill_values(const SideReading& side, const CancelToken& cancel, SideHeads& made, double& off) {
  try {
    const BroughtByTokens all = brought_by_tokens(side, cancel);
    for (const DoubleMatrix& each : all.afx) made.brought.push_back(as_maps(each, made.heads));
    for (const DoubleMatrix& each : all.alti) made.alti.push_back(as_maps(each, 1));
    if (side.kind != MapKind::cross) made.alti_rollout = as_maps(rollout(all.alti).back(), 1);
    off = std::max(off, all.off);
  } catch (const UsageError& error) {
    made.no_values = error.what();
  }
}

}  // namespace

const SideHeads* TextHeads::side(MapKind kind) const {
  const auto found = std::ranges::find(sides, kind, &SideHeads::kind);
  return found == sides.end() ? nullptr : &*found;
}

TextHeads heads_of_text(const TextReader& reader, const TextIds& text, const CancelToken& cancel) {
  TextHeads made{text, {}, 0};
  const Reading reading = reader.read(text, TextReader::Keep::all, {}, cancel);
  for (const SideReading& side : reading.sides) {
    SideHeads& here = made.sides.emplace_back();
    here.kind = side.kind;
    here.heads = side.layers.front().heads();
    for (const LayerReading& layer : side.layers) here.layers.push_back(layer.layer);
    const HeadMaps maps = maps_of(side);
    const bool fed = side.kind == MapKind::decoder_self && !text.fed.empty();
    const std::vector<TokenId>& ids = fed ? text.fed : text.ids;
    fill_shares(maps, pattern_text(ids, reader.words(ids, fed), reader.special(ids)), cancel, here);
    if (side.kind == MapKind::cross) fill_entropy(maps, cancel, here);
    fill_values(side, cancel, here, made.off);
    if (side.kind != MapKind::cross && !std::ranges::any_of(side.layers, has_sink)) {
      std::vector<DoubleMatrix> layers;
      for (const DoubleMatrix& each : mean_maps(side)) layers.push_back(with_residual(each));
      here.rollout = as_maps(rollout(layers).back(), 1);
    }
  }
  return made;
}

TextIds ids_of_run(const TextReader& reader, const Result& run, bool written) {
  TextIds ids = reader.ids_of(run.source, run.second);
  std::vector<TokenId>& to = reader.writes_after_encoder() ? ids.fed : ids.ids;
  if (reader.writes_after_encoder() ||
      (written && reader.bundle().model->traits().kind == ModelTraits::Kind::decoder_only && !reader.bundle().on_top))
    for (std::size_t t = 0; t + 1 < run.steps.size(); ++t) to.push_back(run.steps[t].id);
  return ids;
}

Target usual_target(const TextReader& reader, const TextIds& text, const Reading& reading) {
  Target target;
  const bool embeds =
      std::ranges::any_of(reading.vectors, [](const TextVector& v) { return v.kind == TextVector::Kind::sentence; });
  const auto& mask = reader.bundle().text.mask;
  const bool hides = !mask || std::ranges::count(text.ids, *mask) > 0;
  if (embeds || !reading.logits.defined() || (!hides && !reading.vectors.empty()))
    target.kind = Target::Kind::embedding;
  return target;
}

TextIds ids_of_listed(const TextReader& reader, const ListedText& text, const CancelToken& cancel) {
  const Effort effort(cancel);
  const bool fed = reader.writes_after_encoder();
  TextIds ids =
      reader.ids_of(valid_utf8(text.text), valid_utf8(text.second), valid_utf8(fed ? text.written() : text.target));
  if (!fed || !text.written().empty()) return ids;
  Request request;
  request.model = reader.shared_bundle();
  request.source = valid_utf8(text.text);
  request.trace = false;
  request.cancel = cancel;
  const Result written = run(request);
  for (std::size_t t = 0; t + 1 < written.steps.size(); ++t) ids.fed.push_back(written.steps[t].id);
  return ids;
}

namespace {

// One text as it is, and what is asked of it.
struct AskedText {
  Reading whole;
  Eigen::VectorXd other;  // what an embedding is compared with
  Target target;
  double base = 0;
};

AskedText asked_text(const TextReader& reader, const TextIds& text, const EffectAsked& asked, const TextIds& second,
                     const CancelToken& cancel) {
  using Keep = TextReader::Keep;
  AskedText made;
  made.whole = reader.read(text, Keep::weights, {}, cancel);
  if (heads_of(made.whole).empty()) throw UsageError("this model has no heads that could be switched off");
  made.target =
      settled(asked.target ? *asked.target : usual_target(reader, text, made.whole), reader, text, made.whole);
  if (made.target.kind == Target::Kind::embedding) made.other = embedding_of(made.whole);
  if (made.target.kind == Target::Kind::similarity) {
    if (second.ids.empty()) throw UsageError("the target: expected a second text");
    made.other = embedding_of(reader.read(second, Keep::output, {}, cancel));
  }
  made.base = target_value(made.target, made.whole, made.other);
  return made;
}

HeadFindings taken_place(const TextReader& reader, const std::vector<TextIds>& texts, const EffectAsked& asked,
                         const CancelToken& cancel) {
  if (asked.off == HeadOff::zero) return HeadFindings::none();
  if (asked.off == HeadOff::mean) return HeadFindings::mean_of(reader, texts, cancel);
  if (asked.other.ids.empty()) throw UsageError("a head's other value: expected another text");
  return HeadFindings::of(reader, asked.other, cancel);
}

}  // namespace

void effects_of_heads(const TextReader& reader, const TextIds& text, const EffectAsked& asked,
                      const std::function<void(const HeadEffects&)>& tell, const CancelToken& cancel) {
  const AskedText here = asked_text(reader, text, asked, asked.second, cancel);
  HeadEffects found;
  found.heads = heads_of(here.whole);
  found.target = here.target;
  found.target_text = target_text(found.target, reader);
  found.base = here.base;
  tell(found);
  const HeadFindings instead = taken_place(reader, {text}, asked, cancel);
  without_each_head(
      reader, text, found.heads, instead,
      [&](std::size_t, const Reading& reading) {
        found.without.push_back(target_value(found.target, reading, here.other));
        tell(found);
      },
      cancel);
}

void effects_over_texts(const TextReader& reader, const std::vector<ListedText>& texts, const EffectAsked& asked,
                        const std::function<void(const HeadEffects&)>& tell, const CancelToken& cancel) {
  const bool pairs = asked.target && asked.target->kind == Target::Kind::similarity;
  const auto ids = [&](ListedText text) {
    if (pairs) text.second.clear();  // it is compared with, not read behind
    return ids_of_listed(reader, text, cancel);
  };
  std::vector<TextIds> all;
  for (const ListedText& text : asked.off == HeadOff::mean ? texts : std::vector<ListedText>()) {
    try {
      all.push_back(ids(text));
    } catch (const UsageError&) {  // left out below, too
    }
  }
  const HeadFindings instead = taken_place(reader, all, asked, cancel);
  HeadEffects found;
  found.of_texts = static_cast<Index>(texts.size());
  OverTexts changes;
  for (const ListedText& given : texts) {
    TextIds text;
    AskedText here;
    try {
      text = ids(given);
      const bool own = pairs && !given.second.empty();
      here = asked_text(reader, text, asked, own ? reader.ids_of(given.second) : asked.second, cancel);
    } catch (const UsageError&) {  // one that cannot be read is left out
      if (--found.of_texts == 0) throw;
      continue;
    }
    if (found.heads.empty()) {
      found.heads = heads_of(here.whole);
      found.target = here.target;
      found.target_text = target_text(found.target, reader);
      tell(found);
    }
    std::vector<double> numbers;
    without_each_head(
        reader, text, found.heads, instead,
        [&](std::size_t, const Reading& reading) {
          numbers.push_back(target_value(here.target, reading, here.other) - here.base);
        },
        cancel);
    changes.add(numbers);
    found.texts = changes.texts();
    found.base += (here.base - found.base) / static_cast<double>(found.texts);
    found.without = changes.mean();
    for (double& each : found.without) each += found.base;
    found.sd = changes.sd();
    found.first = changes.first();
    tell(found);
  }
}

}  // namespace headlight
