#include "app/cli/analyse/golden.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "app/cli/analyse/analysis_result.h"
#include "app/cli/analyse/golden_inputs.h"
#include "model/analysis/bench/attention_flow.h"
#include "model/analysis/bench/head_effect.h"
#include "model/analysis/bench/head_tree.h"
#include "model/analysis/bench/links.h"
#include "model/analysis/bench/norms.h"
#include "model/analysis/bench/patterns.h"
#include "model/analysis/bench/repeated.h"
#include "model/analysis/bench/rollout.h"
#include "model/analysis/bench/target.h"
#include "model/analysis/bench/word_pairs.h"
#include "model/core/errors.h"
#include "model/io/formats/pretrained/pooling_modules.h"
#include "model/io/json_file.h"
#include "model/io/model_folder.h"
#include "model/io/npz.h"

namespace headlight {

namespace {

using MapKind = AttentionMap::Kind;
using Keep = TextReader::Keep;

constexpr std::uint64_t kMostInputs = 64u << 20;

class Golden {
 public:
  Golden(TextReader reader, CancelToken cancel) : reader_(std::move(reader)), cancel_(std::move(cancel)) {}
  std::vector<NumberArray> of(const GoldenInputs& inputs);

 private:
  void put(NumberArray array, const std::string& name) {
    array.name = name;
    arrays_.push_back(std::move(array));
  }
  void put(const DoubleMatrix& matrix, const std::string& name) { arrays_.push_back(as_array(name, matrix)); }
  void put_vector(const Eigen::VectorXd& v, const std::string& name) {
    arrays_.push_back({name, {v.size()}, {v.data(), v.data() + v.size()}});
  }
  void put_links(const std::string& name, const std::vector<double>& numbers, Index heads);
  Reading read(const TextIds& text, Keep keep, const std::vector<HeadValue>& changed = {}) {
    return reader_.read(text, keep, changed, cancel_);
  }
  std::string side_name(const SideReading& side, const Reading& reading) const {
    if (reading.sides.size() == 1) return "s";
    return side.kind == MapKind::encoder_self ? "enc" : side.kind == MapKind::decoder_self ? "dec" : "cross";
  }
  HeadMaps maps(const SideReading& side) const {
    HeadMaps maps{{}, side.kind != MapKind::cross, side.causal};
    for (const LayerReading& layer : side.layers) maps.layers.push_back(layer.weights);
    return maps;
  }
  void one_text(const GoldenInputs& inputs);
  void summaries(const Reading& reading, const std::vector<Index>& special);
  void values(const SideReading& side, const std::string& prefix, bool with_rollout);
  void rollouts(const Reading& reading, const std::vector<Index>& rows);
  void repeated(const GoldenInputs& inputs);
  void recurrent(const GoldenInputs& inputs);
  void patterns(const GoldenInputs& inputs);
  void alignments(const GoldenInputs& inputs);
  void sentences(const GoldenInputs& inputs);
  void effect_on_embedding(const GoldenInputs& effect, const TextIds& first, const TextIds& second,
                           const SentencePooling& pooling);
  void effect_on_classes(const GoldenInputs& inputs);
  SentencePooling pooling_of(const Json& variant, const std::string& where) const;
  Eigen::VectorXd embedded(const Reading& reading, const SentencePooling& pooling) const {
    return embedding_parts(pooling, reading.states).colwise().sum().transpose();
  }

  TextReader reader_;
  CancelToken cancel_;
  std::vector<NumberArray> arrays_;
};

void Golden::summaries(const Reading& reading, const std::vector<Index>& special) {
  for (const SideReading& side : reading.sides) {
    if (side.kind == MapKind::cross) continue;
    const std::string prefix = "summary." + side_name(side, reading) + ".";
    const bool decoder = reading.sides.size() > 1 && side.kind == MapKind::decoder_self;
    const HeadMaps all = maps(side);
    const HeadSummaries found = head_summaries(all, decoder ? std::vector<Index>() : special, cancel_);
    for (const NumberArray* array : found.all()) put(*array, prefix + array->name);
    const DoubleMatrix js = head_divergences(all, cancel_);
    put(js, prefix + "js");
    put(average_linkage(js, cancel_), prefix + "js_linkage");
  }
}

void Golden::values(const SideReading& side, const std::string& prefix, bool with_rollout) {
  const BroughtByTokens brought = brought_by_tokens(side, cancel_);
  const auto layers = static_cast<Index>(side.layers.size());
  const auto add = [&](const char* name, const std::vector<DoubleMatrix>& matrices) {
    if (!matrices.empty()) arrays_.push_back(stacked(prefix + name, {layers}, matrices));
  };
  add("fx", brought.fx);
  add("afx", brought.afx);
  NumberArray& afx = arrays_.back();
  const Index heads = side.layers.front().heads();
  afx.shape = {layers, heads, afx.shape[1] / heads, afx.shape[2]};
  add("sum_afx", brought.sum_afx);
  add("sub_norm", brought.sub_norm);
  add("res", brought.res);
  add("resln", brought.resln);
  add("sink", brought.sink);
  add("alti", brought.alti);
  add("mixing", brought.mixing);
  arrays_.back().shape = {layers, arrays_.back().shape[2]};
  if (!with_rollout) return;
  put(rollout(brought.alti).back(), prefix + "alti_rollout");
  if (brought.sink.empty()) return;
  std::vector<DoubleMatrix> full;
  for (const DoubleMatrix& map : mean_maps(side)) full.push_back(headlight::with_residual(with_sink(map)));
  const DoubleMatrix all = rollout(full).back();
  put(DoubleMatrix(all.topRows(all.rows() - 1)), prefix + "rollout_with_sink");
}

void Golden::rollouts(const Reading& reading, const std::vector<Index>& rows) {
  const auto residual = [](const std::vector<DoubleMatrix>& maps) {
    std::vector<DoubleMatrix> all;
    for (const DoubleMatrix& map : maps) all.push_back(headlight::with_residual(map));
    return all;
  };
  const auto add = [&](const std::vector<DoubleMatrix>& matrices, const std::string& name) {
    arrays_.push_back(stacked(name, {static_cast<Index>(matrices.size())}, matrices));
  };
  const std::vector<DoubleMatrix> first = mean_maps(reading.sides.front());
  if (reading.sides.size() == 1) {
    const std::vector<DoubleMatrix> all = rollout(residual(first));
    add(all, "rollout.residual");
    add(rollout(first), "rollout.raw");
    if (reading.sides.front().causal) put(over_even(all), "rollout.over_even");
    if (rows.empty()) return;
    put(attention_flow(residual(first), rows, cancel_), "flow.residual");
    put(attention_flow(first, rows, cancel_), "flow.raw");
    return;
  }
  const SideReading *decoder = reading.side(MapKind::decoder_self), *cross = reading.side(MapKind::cross);
  if (!decoder || !cross) return;
  const std::vector<DoubleMatrix> own = mean_maps(*decoder), across = mean_maps(*cross);
  const Index s = first.front().rows(), t = own.front().rows();
  const auto joint = joint_maps(first, own, across), raw = joint_maps(first, own, across, false);
  put(DoubleMatrix(rollout(joint).back().bottomRows(t)), "rollout.joint");
  put(DoubleMatrix(rollout(raw).back().bottomRows(t)), "rollout.joint_raw");
  add(rollout(residual(first)), "rollout.encoder");
  std::vector<Index> nodes;
  for (const Index row : rows) nodes.push_back(s + row);
  if (!rows.empty()) put(attention_flow(joint, nodes, cancel_), "flow.joint");
}

void Golden::repeated(const GoldenInputs& inputs) {
  std::vector<std::vector<TokenId>> texts;
  for (const Json& text : inputs.list("repeated")) texts.push_back(inputs.numbers<TokenId>(text, "repeated"));
  const RepeatedScores scores = repeated_scores(reader_, texts, cancel_);
  put(scores.induction, "repeated.induction");
  put(scores.duplicate, "repeated.duplicate");
  put(scores.previous, "repeated.previous");
  put(scores.first, "repeated.first");
  arrays_.push_back({"repeated.chance", {2}, {scores.chance_of_copies, scores.chance}});
}

void Golden::one_text(const GoldenInputs& inputs) {
  TextIds text{inputs.ids("ids"), {}, {}};
  if (inputs.has("token_type_ids")) text.types = inputs.ids("token_type_ids");
  if (inputs.has("decoder_input_ids")) text.fed = inputs.ids("decoder_input_ids");
  const Reading reading = read(text, Keep::all);
  if (reading.sides.empty()) throw UsageError("this model has no heads");
  if (inputs.has("values")) {
    values(reading.sides.front(), "values.", true);
    return;
  }
  std::vector<Index> special;
  if (inputs.has("special")) {
    const std::vector<TokenId> signs = inputs.ids("special");
    for (std::size_t i = 0; i < text.ids.size(); ++i)
      if (std::ranges::count(signs, text.ids[i]) > 0) special.push_back(static_cast<Index>(i));
  }
  summaries(reading, special);
  for (const SideReading& side : reading.sides)
    values(side, "norm." + side_name(side, reading) + ".", &side == &reading.sides.front());
  rollouts(reading, inputs.places_or_none("flow_rows"));
}

void Golden::recurrent(const GoldenInputs& inputs) {
  const TextIds text = reader_.ids_of(inputs.text("clean"), {}, inputs.text("forced_output"));
  const Reading reading = read(text, Keep::all);
  if (reading.sides.empty()) throw UsageError("this model has no attention");
  put(brought_to_readout(reading.sides.front().layers.front()), "norm.afx");
}

void Golden::patterns(const GoldenInputs& inputs) {
  const GoldenInputs asked = inputs.object("patterns");
  const std::vector<TokenId> signs = asked.ids("special");
  PatternsOverTexts all;
  for (const Json& each : asked.list("texts")) {
    const GoldenInputs one(each, asked.where() + ".texts");
    PatternText text{one.ids("ids"), one.places("separators"), {}};
    for (std::size_t i = 0; i < text.ids.size(); ++i)
      if (std::ranges::count(signs, text.ids[i]) > 0) text.special.push_back(static_cast<Index>(i));
    for (const Index at : text.separators)
      if (at >= static_cast<Index>(text.ids.size())) throw FormatError(one.where() + ": separators: no such token");
    all.add(maps(read({text.ids, {}, {}}, Keep::weights).sides.at(0)), text);
  }
  const PatternsOverTexts::Found found = all.found();
  for (const NumberArray* array : {&found.mean, &found.sd, &found.count, &found.even, &found.unlike, &found.most_unlike,
                                   &found.kind, &found.first_text})
    put(*array, "patterns." + array->name);
}

void Golden::put_links(const std::string& name, const std::vector<double>& numbers, Index heads) {
  arrays_.push_back({name, {static_cast<Index>(numbers.size()) / heads, heads}, numbers});
}

void Golden::alignments(const GoldenInputs& inputs) {
  const auto threshold =
      inputs.has("threshold") && inputs.at("threshold").is_number() ? inputs.at("threshold").get<double>() : 0.2;
  const TokenId start = inputs.numbers<TokenId>(Json::array({inputs.at("start")}), "start").front();
  constexpr const char* kRows[] = {"awo", "awi", "norms"};
  std::vector<KnownLinks> known;
  std::vector<std::vector<DoubleMatrix>> words[3];  // by sentence, then head
  Index heads = 1;
  for (const Json& each : inputs.list("pairs")) {
    const GoldenInputs pair(each, inputs.where() + ": pairs");
    const std::vector<TokenId> written = pair.ids("target_ids");
    TextIds text{pair.ids("ids"), {}, {start}};
    text.fed.insert(text.fed.end(), written.begin(), written.end());
    const auto n = static_cast<Index>(written.size());
    const auto tokens = [&](const char* key, Index most) {
      WordTokens all;
      for (const Json& word : pair.list(key)) {
        all.push_back(pair.numbers<Index>(word, key));
        for (const Index at : all.back())
          if (at >= most) throw FormatError(pair.where() + ": " + key + ": no such token");
      }
      return all;
    };
    const WordTokens source = tokens("source_words", static_cast<Index>(text.ids.size())),
                     target = tokens("target_words", n);
    KnownLinks& links = known.emplace_back();
    for (const char* kind : {"sure", "possible"})
      for (const Json& link : pair.list(kind)) {
        const std::vector<Index> ends = pair.numbers<Index>(link, kind);
        if (ends.size() != 2) throw FormatError(pair.where() + ": " + kind + ": expected pairs of numbers");
        if (kind[0] == 's') links.sure.insert({ends[0], ends[1]});
        links.possible.insert({ends[0], ends[1]});
      }
    const Reading reading = read(text, Keep::all);
    const SideReading* cross = reading.side(MapKind::cross);
    if (!cross) throw UsageError("alignment: of models with an encoder and a decoder");
    const BroughtByTokens brought = brought_by_tokens(*cross, cancel_);
    for (auto& each_way : words) each_way.emplace_back();
    for (std::size_t l = 0; l < cross->layers.size(); ++l) {
      heads = cross->layers[l].heads();
      for (Index h = 0; h < heads; ++h) {
        const DoubleMatrix a = slice_of(cross->layers[l].weights, h), norms = brought.afx[l].middleRows(h * (n + 1), n);
        words[0].back().push_back(between_words(a.topRows(n), target, source));
        words[1].back().push_back(between_words(a.bottomRows(n), target, source));
        words[2].back().push_back(between_words(norms, target, source));
      }
    }
  }
  std::vector<double> best;
  const std::size_t count = words[0].empty() ? 0 : words[0].front().size();
  for (std::size_t way = 0; way < 3; ++way) {
    for (const LinkRule rule : {LinkRule::argmax, LinkRule::intersection, LinkRule::threshold}) {
      if (way == 2 && rule != LinkRule::argmax) continue;
      const std::string name = std::string("align.") + kRows[way] + "." + kLinkRules[static_cast<int>(rule)] + ".";
      std::vector<double> error, precision, recall, chosen;
      for (std::size_t head = 0; head < count; ++head) {
        LinkErrors errors;
        for (std::size_t s = 0; s < known.size(); ++s) {
          const DoubleMatrix& weights = words[way][s][head];
          errors.add(links_of(weights, rule, threshold), known[s]);
          for (Index t = 0; t < weights.rows(); ++t) {
            Index most = 0;
            weights.row(t).maxCoeff(&most);
            chosen.push_back(static_cast<double>(most));
          }
        }
        error.push_back(errors.error());
        precision.push_back(errors.precision());
        recall.push_back(errors.recall());
      }
      put_links(name + "aer", error, heads);
      put_links(name + "precision", precision, heads);
      put_links(name + "recall", recall, heads);
      if (rule != LinkRule::argmax) continue;
      const auto layers = static_cast<Index>(count) / heads;
      arrays_.push_back(
          {name + "source",
           {layers, heads, static_cast<Index>(chosen.size()) / static_cast<Index>(std::max<std::size_t>(1, count))},
           chosen});
      if (way == 0) best = error;
    }
  }
  std::vector<Index> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = static_cast<Index>(i);
  std::ranges::stable_sort(order, {}, [&](Index i) { return best[static_cast<std::size_t>(i)]; });
  NumberArray ranking{"align.ranking", {static_cast<Index>(count), 2}, {}};
  for (const Index head : order)
    for (const Index number : {head / heads, head % heads}) ranking.values.push_back(static_cast<double>(number));
  arrays_.push_back(std::move(ranking));
}

SentencePooling Golden::pooling_of(const Json& variant, const std::string& where) const {
  const GoldenInputs asked(variant, where);
  SentencePooling pooling;
  for (const Json& mode : asked.list("pooling")) {
    const auto pool = mode.is_string() ? SentencePooling::pool_named(mode.get<std::string>()) : std::nullopt;
    if (!pool) throw FormatError(where + ": pooling " + mode.dump().substr(0, 40) + " is not implemented");
    pooling.add(*pool);
  }
  for (const Json& module : asked.list("modules")) {
    const GoldenInputs one(module, where + ": modules");
    if (one.text("type") == "Normalize") {
      pooling.add(SentencePooling::Step{});
      continue;
    }
    const auto activation = SentencePooling::activation_named(one.text("activation"));
    const std::string folder = one.text("weights");
    if (one.text("type") != "Dense" || !activation || folder.find('/') != folder.npos || folder.starts_with("."))
      throw FormatError(one.where() + ": " + module.dump().substr(0, 80) + " is not implemented");
    pooling.add(PoolingModules().dense(reader_.bundle().folder / folder, *activation));
  }
  return pooling;
}

// The tokens that a mask leaves, and where they stand.
struct Unmasked {
  TextIds text;
  std::vector<Index> at;
  Index length = 0;
};
Unmasked unmasked(const GoldenInputs& text) {
  const std::vector<TokenId> ids = text.ids("ids");
  const std::vector<Index> mask = text.has("mask") ? text.places("mask") : std::vector<Index>(ids.size(), 1);
  if (mask.size() != ids.size()) throw FormatError(text.where() + ": mask: expected as many numbers as ids");
  Unmasked kept;
  kept.length = static_cast<Index>(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (mask[i] == 0) continue;
    kept.text.ids.push_back(ids[i]);
    kept.at.push_back(static_cast<Index>(i));
  }
  return kept;
}
// With rows for the tokens that a mask hides; the last row is what no word brings.
DoubleMatrix with_masked(const DoubleMatrix& parts, const Unmasked& text) {
  DoubleMatrix all = DoubleMatrix::Zero(text.length + 1, parts.cols());
  for (std::size_t i = 0; i < text.at.size(); ++i) all.row(text.at[i]) = parts.row(static_cast<Index>(i));
  all.row(text.length) = parts.row(parts.rows() - 1);
  return all;
}

void Golden::sentences(const GoldenInputs& inputs) {
  const Unmasked first = unmasked(inputs.object("first")), second = unmasked(inputs.object("second"));
  const Reading a = read(first.text, Keep::output), b = read(second.text, Keep::output);
  const GoldenInputs variants = inputs.object("variants");
  for (const auto& [name, variant] : inputs.at("variants").items()) {
    const SentencePooling pooling = pooling_of(variant, variants.where() + "." + name);
    const WordPairs pairs = word_pairs(with_masked(embedding_parts(pooling, a.states), first),
                                       with_masked(embedding_parts(pooling, b.states), second), has_own_part(pooling));
    const std::string prefix = "similarity." + name + ".";
    put(pairs.shares, prefix + "matrix");
    arrays_.push_back({prefix + "cosine_and_sum", {2}, {pairs.cosine, pairs.sum}});
    put_vector(pairs.first, prefix + "first");
    put_vector(pairs.second, prefix + "second");
  }
  if (!inputs.has("effect")) return;
  const GoldenInputs effect = inputs.object("effect");
  const std::string variant = effect.text("variant");
  effect_on_embedding(effect, first.text, second.text,
                      pooling_of(variants.at(variant.c_str()), variants.where() + "." + variant));
}

void Golden::effect_on_embedding(const GoldenInputs& effect, const TextIds& first, const TextIds& second,
                                 const SentencePooling& pooling) {
  std::vector<TextIds> texts;
  for (const Json& ids : effect.list("texts")) texts.push_back({effect.numbers<TokenId>(ids, "texts"), {}, {}});
  const TextIds longer{effect.object("longer").ids("ids"), {}, {}};
  const Reading whole = read(first, Keep::weights);
  const Eigen::VectorXd base = embedded(whole, pooling), other = embedded(read(second, Keep::output), pooling);
  const double similarity = cosine_of(base, other);
  arrays_.push_back({"effect.similarity", {}, {similarity}});
  const std::vector<HeadPlace> heads = heads_of(whole);
  const auto layers = static_cast<Index>(whole.sides.front().layers.size());
  const std::vector<Index> shape = {layers, static_cast<Index>(heads.size()) / layers};
  const auto off = [&](const TextIds& text, const HeadFindings& instead) {
    std::vector<Eigen::VectorXd> all(heads.size());
    without_each_head(
        reader_, text, heads, instead, [&](std::size_t i, const Reading& r) { all[i] = embedded(r, pooling); },
        cancel_);
    return all;
  };
  const auto add = [&](const std::string& name, const auto& number) {
    NumberArray array{"effect." + name, shape, {}};
    for (std::size_t i = 0; i < heads.size(); ++i) array.values.push_back(number(i));
    arrays_.push_back(std::move(array));
  };
  const std::pair<const char*, HeadFindings> ways[] = {{"zero", HeadFindings::none()},
                                                       {"mean", HeadFindings::mean_of(reader_, texts, cancel_)},
                                                       {"other", HeadFindings::of(reader_, second, cancel_)},
                                                       {"other_longer", HeadFindings::of(reader_, longer, cancel_)}};
  for (const auto& [name, instead] : ways) {
    const std::string prefix = std::string(name) + ".";
    const std::vector<Eigen::VectorXd> e = off(first, instead);
    add(prefix + "cosine", [&](std::size_t i) { return cosine_of(e[i], base); });
    if (prefix.starts_with("other")) continue;
    add(prefix + "similarity_change", [&](std::size_t i) { return cosine_of(e[i], other) - similarity; });
    if (prefix != "zero.") continue;
    const std::vector<Eigen::VectorXd> both = off(second, instead);
    add(prefix + "similarity_change_both", [&](std::size_t i) { return cosine_of(e[i], both[i]) - similarity; });
  }
  OverTexts all(true);
  for (const TextIds& text : texts) {
    const Eigen::VectorXd own = embedded(read(text, Keep::output), pooling);
    const std::vector<Eigen::VectorXd> e = off(text, HeadFindings::none());
    std::vector<double> cosines;
    for (const Eigen::VectorXd& each : e) cosines.push_back(cosine_of(each, own));
    all.add(cosines);
  }
  arrays_.push_back({"effect.zero.cosine_over_texts_mean", shape, all.mean()});
  arrays_.push_back({"effect.zero.cosine_over_texts_sd", shape, all.sd()});
}

void Golden::effect_on_classes(const GoldenInputs& inputs) {
  const TextIds text{inputs.ids("ids"), {}, {}}, other{inputs.ids("other"), {}, {}};
  std::vector<TextIds> texts;
  for (const Json& ids : inputs.list("texts")) texts.push_back({inputs.numbers<TokenId>(ids, "texts"), {}, {}});
  const Reading whole = read(text, Keep::weights);
  const Eigen::VectorXd z = class_logits(whole), p = class_shares(z, whole.several);
  put_vector(z, "effect.logits");
  put_vector(p, "effect.probability");
  const std::vector<HeadPlace> heads = heads_of(whole);
  const auto layers = static_cast<Index>(whole.sides.front().layers.size());
  const std::vector<Index> shape = {layers, static_cast<Index>(heads.size()) / layers};
  std::vector<Index> of_classes = shape;
  of_classes.push_back(z.size());
  const std::pair<const char*, HeadFindings> ways[] = {{"zero", HeadFindings::none()},
                                                       {"mean", HeadFindings::mean_of(reader_, texts, cancel_)},
                                                       {"other", HeadFindings::of(reader_, other, cancel_)}};
  for (const auto& [name, instead] : ways) {
    const std::string prefix = std::string("effect.") + name + ".";
    NumberArray logits{prefix + "logit_change", of_classes, {}}, shares{prefix + "probability_change", of_classes, {}},
        apart{prefix + "kl", shape, {}};
    without_each_head(
        reader_, text, heads, instead,
        [&](std::size_t, const Reading& r) {
          const Eigen::VectorXd y = class_logits(r), q = class_shares(y, r.several);
          for (Index c = 0; c < y.size(); ++c) {
            logits.values.push_back(y[c] - z[c]);
            shares.values.push_back(q[c] - p[c]);
          }
          apart.values.push_back(class_divergence(z, y, r.several));
        },
        cancel_);
    for (NumberArray* array : {&logits, &shares, &apart}) arrays_.push_back(std::move(*array));
  }
}

std::vector<NumberArray> Golden::of(const GoldenInputs& inputs) {
  if (inputs.has("clean")) recurrent(inputs);
  if (inputs.has("ids")) one_text(inputs);
  if (inputs.has("repeated")) repeated(inputs);
  if (inputs.has("variants")) sentences(inputs);
  if (inputs.has("other") && inputs.has("texts")) effect_on_classes(inputs);
  if (inputs.has("patterns")) patterns(inputs);
  if (inputs.has("pairs")) alignments(inputs);
  if (arrays_.empty()) throw FormatError(inputs.where() + ": it has no inputs that are known here");
  return std::move(arrays_);
}

}  // namespace

void dump_golden(const std::string& model, const std::string& inputs, const std::string& dump,
                 const CancelToken& cancel) {
  const Json json = read_json(inputs, kMostInputs);
  const GoldenInputs given(json, inputs);
  const auto bundle = load_model(model);
  given.warn_of_other_weights(bundle->folder);
  Golden golden(TextReader(bundle), cancel);
  write_npz(dump, as_tensors(golden.of(given)), NpyType::f4);
}

}  // namespace headlight
