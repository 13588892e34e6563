#include <algorithm>
#include <cmath>
#include <limits>

#include "app/cli/analyse/methods.h"
#include "app/cli/printed/text_format.h"
#include "model/analysis/bench/head_effect.h"
#include "model/analysis/bench/links.h"
#include "model/analysis/bench/word_pairs.h"
#include "model/analysis/word_groups.h"
#include "model/core/errors.h"
#include "model/io/formats/pretrained/pooling_modules.h"
#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "model/io/text_file.h"

namespace headlight {

namespace {

using MapKind = AttentionMap::Kind;
using Keep = TextReader::Keep;

SentencePooling pooling_of(const ModelBundle& bundle, const CancelToken& cancel) {
  auto pooling = PoolingModules::of_folder(snapshot_of(bundle.folder), cancel);
  if (!pooling)
    throw UsageError(bundle.name + ": this folder has no modules.json: nothing says how its words become one vector");
  return std::move(*pooling);
}

void put_pairs(AnalysisRun& run, const WordPairs& pairs, std::vector<std::string> first,
               std::vector<std::string> second) {
  if (pairs.shares.rows() > static_cast<Index>(first.size())) first.emplace_back("(bias)");
  if (pairs.shares.cols() > static_cast<Index>(second.size())) second.emplace_back("(bias)");
  run.result().arrays.push_back(as_array("matrix", pairs.shares));
  ExperimentTable& table = run.result().table;
  table = {"similarity", {"first", "word", "second", "word_2", "share"}, {}};
  for (Index i = 0; i < pairs.shares.rows(); ++i)
    for (Index j = 0; j < pairs.shares.cols(); ++j)
      table.rows.push_back({static_cast<double>(i), first[static_cast<std::size_t>(i)], static_cast<double>(j),
                            second[static_cast<std::size_t>(j)], pairs.shares(i, j)});
  std::ranges::stable_sort(table.rows, std::greater(),
                           [](const auto& row) { return std::abs(std::get<double>(row[4])); });
  run.result().notes.push_back(format("cosine %.6f; all pairs add up to %.6f", pairs.cosine, pairs.sum));
}

// The settings of an effect, and what it asks.
class Effect {
 public:
  explicit Effect(AnalysisRun& run) : run_(run), command_(run.command()) {
    for (int kind = 0; kind <= static_cast<int>(Target::Kind::unit); ++kind)
      if (command_.target == kTargetNames[kind]) asked_.kind = static_cast<Target::Kind>(kind);
    if (command_.at) asked_.row = *command_.at;
    asked_.unit = command_.unit;
    for (std::size_t i = 0; i < std::size(kHeadOffNames); ++i)
      if (command_.off == kHeadOffNames[i]) off_ = static_cast<HeadOff>(i);
    if (off_ == HeadOff::mean) mean_ = HeadFindings::mean_of(run.reader(), run.reference(), run.cancel());
  }

  // Of one text: base and, for each head, the number without it; fewer where it was interrupted.
  struct Found {
    double base = 0;
    std::vector<double> without;
  };
  Found of(const AnalysedText& text, bool alone) {
    const Reading whole = run_.reader().read(text.ids, Keep::weights, {}, run_.cancel());
    if (heads_.empty()) {
      heads_ = heads_of(whole);
      if (heads_.empty()) throw UsageError("this model has no heads that could be switched off");
      for (const SideReading& side : whole.sides)
        sides_.push_back({side.kind, static_cast<Index>(side.layers.size()), side.layers.front().heads()});
    }
    const Target target = target_for(text, whole);
    Eigen::VectorXd other;
    if (target.kind == Target::Kind::embedding) other = embedding_of(whole);
    if (target.kind == Target::Kind::similarity) other = embedding_of(second(text, "--target similarity"));
    Found found{target_value(target, whole, other), {}};
    HeadFindings instead = off_ == HeadOff::mean ? mean_ : HeadFindings::none();
    if (off_ == HeadOff::other) instead = HeadFindings::of(run_.reader(), run_.ids_of(other_text(text)), run_.cancel());
    try {
      without_each_head(
          run_.reader(), text.ids, heads_, instead,
          [&](std::size_t i, const Reading& reading) {
            found.without.push_back(target_value(target, reading, other));
            if (alone) run_.progress(i + 1, heads_.size(), "heads");
            whole_.push_back(reading.logits);
          },
          run_.cancel());
    } catch (const Cancelled&) {
      if (!alone) throw;
      run_.interrupted_after(found.without.size(), heads_.size(), "heads");
    }
    if (alone && run_.reader().bundle().on_top && !target.of_embedding()) put_classes(whole);
    whole_.clear();
    return found;
  }

  // Numbers of all heads as arrays of each kind of attention.
  void put(const std::string& name, const std::vector<double>& numbers) const {
    std::size_t at = 0;
    for (const Side& side : sides_) {
      const auto count = static_cast<std::size_t>(side.layers * side.heads);
      NumberArray array{(sides_.size() > 1 ? std::string(side_kind(side.kind)) + "." : std::string()) + name,
                        {side.layers, side.heads},
                        {}};
      for (std::size_t i = 0; i < count; ++i, ++at)
        array.values.push_back(at < numbers.size() ? numbers[at] : std::nan(""));
      run_.result().arrays.push_back(std::move(array));
    }
  }
  std::vector<TableCell> place(std::size_t head) const {
    return {std::string(side_kind(heads_[head].kind)), run_.counted(heads_[head].layer),
            run_.counted(heads_[head].head)};
  }
  const std::vector<HeadPlace>& heads() const { return heads_; }
  bool of_cosine() const { return settled_ && settled_->kind == Target::Kind::embedding; }

 private:
  struct Side {
    MapKind kind;
    Index layers, heads;
  };

  Target target_for(const AnalysedText& text, const Reading& whole) {
    Target target = asked_;
    if (command_.target.empty()) {
      const bool embeds =
          std::ranges::any_of(whole.vectors, [](const TextVector& v) { return v.kind == TextVector::Kind::sentence; });
      if (embeds || !whole.logits.defined()) target.kind = Target::Kind::embedding;
    }
    if (!command_.a.empty()) target.a = run_.token_named(command_.a, whole.several);
    if (!command_.b.empty()) target.b = run_.token_named(command_.b, whole.several);
    target = settled(target, run_.reader(), text.ids, whole);
    if (!settled_) {
      run_.result().about["target"] = target_text(target, run_.reader());
      run_.result().notes.push_back("target: " + target_text(target, run_.reader()));
      if (target.kind == Target::Kind::logit)
        run_.result().notes.emplace_back("a single logit also counts what raises every token");
    }
    settled_ = target;
    return target;
  }
  Reading second(const AnalysedText& text, const char* why) const {
    if (text.given.second.empty()) throw UsageError(std::string(why) + ": expected a second text (--second)");
    return run_.reader().read(run_.ids_of(text.given.second), Keep::output, {}, run_.cancel());
  }
  std::string other_text(const AnalysedText& text) const {
    const std::string& other = command_.other.empty() ? text.given.second : command_.other;
    if (other.empty()) throw UsageError("--off other: expected another text (--other)");
    return other;
  }
  // Of classes also the change of every logit and probability, and the divergence.
  void put_classes(const Reading& whole) const {
    const Eigen::VectorXd z = class_logits(whole), p = class_shares(z, whole.several);
    NumberArray logits{"logit_change", {static_cast<Index>(whole_.size()), z.size()}, {}},
        shares{"probability_change", logits.shape, {}};
    std::vector<double> apart;
    for (const Tensor& each : whole_) {
      Reading off;
      off.logits = each;
      const Eigen::VectorXd y = class_logits(off), q = class_shares(y, whole.several);
      for (Index c = 0; c < y.size(); ++c) {
        logits.values.push_back(y[c] - z[c]);
        shares.values.push_back(q[c] - p[c]);
      }
      apart.push_back(class_divergence(z, y, whole.several));
    }
    run_.result().arrays.push_back(std::move(logits));
    run_.result().arrays.push_back(std::move(shares));
    put("kl", apart);
  }

  AnalysisRun& run_;
  const AnalyseCommand& command_;
  Target asked_;
  std::optional<Target> settled_;
  HeadOff off_ = HeadOff::zero;
  HeadFindings mean_;
  std::vector<HeadPlace> heads_;
  std::vector<Side> sides_;
  std::vector<Tensor> whole_;  // logits without each head
};

void effect_over_list(AnalysisRun& run, Effect& effect) {
  OverTexts cosines(true), changes;
  run.each_text([&](std::size_t i) {
    const Effect::Found found = effect.of(run.text(i), false);
    std::vector<double> numbers = found.without;
    if (!effect.of_cosine())
      for (double& number : numbers) number -= found.base;
    (effect.of_cosine() ? cosines : changes).add(numbers);
  });
  const OverTexts& all = effect.of_cosine() ? cosines : changes;
  const std::vector<double> mean = all.mean(), sd = all.sd(), first = all.first();
  const std::string name = effect.of_cosine() ? "cosine" : "change";
  effect.put(name + "_mean", mean);
  effect.put(name + "_sd", sd);
  effect.put("first_in_texts", first);
  ExperimentTable& table = run.result().table;
  table = {"effect", {"attention", "layer", "head", name + "_mean", name + "_sd", "first_in_texts"}, {}};
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < mean.size(); ++i) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return effect.of_cosine() ? mean[i] : -std::abs(mean[i]); });
  for (const std::size_t i : order) {
    auto& row = table.rows.emplace_back(effect.place(i));
    for (const std::vector<double>* numbers : {&mean, &sd, &first}) row.emplace_back((*numbers)[i]);
  }
  run.result().notes.push_back(format("over %td texts; the first head is first in %.0f of them", all.texts(),
                                      order.empty() ? 0.0 : first[order.front()]));
}

WordTokens words_of(const TextReader& reader, const std::vector<TokenId>& ids, bool written) {
  const Tokenizer& tokenizer = written ? reader.bundle().text.target : reader.bundle().text.source;
  const WordMarks marks = tokenizer.kind() == TokenizerKind::characters ? WordMarks::characters
                          : tokenizer.kind() == TokenizerKind::words    ? WordMarks::words
                                                                        : WordMarks::pieces;
  const std::vector<std::string> tokens = reader.words(ids, written);
  WordTokens words;
  for (const TokenGroup& group : word_groups(tokens, marks)) {
    if (group.count == 1 && !is_linked_word(tokens[static_cast<std::size_t>(group.first)])) continue;
    words.emplace_back();
    for (Index i = 0; i < group.count; ++i) words.back().push_back(group.first + i);
  }
  return words;
}

// Weights between words of one text: of each head, and their mean.
struct AlignedText {
  std::vector<DoubleMatrix> heads;
  DoubleMatrix mean;
};
AlignedText aligned_text(AnalysisRun& run, const AnalysedText& text, std::vector<HeadPlace>& heads) {
  const Reading reading = run.reader().read(text.ids, Keep::weights, {}, run.cancel());
  const SideReading* cross = reading.side(MapKind::cross);
  if (!cross) throw UsageError("align: of models with an encoder and a decoder that looks at it");
  std::vector<TokenId> written(text.ids.fed.begin() + 1, text.ids.fed.end());
  const WordTokens source = words_of(run.reader(), text.ids.ids, false), target = words_of(run.reader(), written, true);
  AlignedText made;
  heads.clear();
  for (const LayerReading& layer : cross->layers)
    for (Index h = 0; h < layer.heads(); ++h) {
      heads.push_back({MapKind::cross, layer.layer, h});
      made.heads.push_back(between_words(slice_of(layer.weights, h), target, source));
      made.mean = made.heads.size() == 1 ? made.heads.back() : DoubleMatrix(made.mean + made.heads.back());
    }
  made.mean /= static_cast<double>(made.heads.size());
  return made;
}

}  // namespace

void analyse_similarity(AnalysisRun& run) {
  const SentencePooling pooling = pooling_of(run.reader().bundle(), run.cancel());
  if (is_one_vector(pooling))
    run.result().notes.emplace_back("one token makes the vector: no other word is in it by itself");
  ExperimentTable table{"similarity", {"text", "cosine"}, {}};
  std::vector<double> cosines;
  run.each_text([&](std::size_t i) {
    const AnalysedText text = run.text(i);
    if (text.given.second.empty()) throw UsageError("similarity: expected a second text (--second)");
    const TextIds second = run.ids_of(text.given.second);
    const auto parts = [&](const TextIds& ids) {
      return embedding_parts(pooling, run.reader().read(ids, Keep::output, {}, run.cancel()).states);
    };
    const WordPairs pairs = word_pairs(parts(text.ids), parts(second), has_own_part(pooling));
    cosines.push_back(pairs.cosine);
    table.rows.push_back({static_cast<double>(i), pairs.cosine});
    if (!run.is_list()) put_pairs(run, pairs, run.reader().words(text.ids.ids), run.reader().words(second.ids));
  });
  run.result().arrays.push_back({"cosine", {static_cast<Index>(cosines.size())}, cosines});
  if (run.is_list()) run.result().table = std::move(table);
}

void analyse_effect(AnalysisRun& run) {
  Effect effect(run);
  if (run.is_list()) {
    effect_over_list(run, effect);
  } else {
    const Effect::Found found = effect.of(run.text(0), true);
    const std::string name = effect.of_cosine() ? "cosine" : "without";
    std::vector<double> change;
    for (const double number : found.without) change.push_back(number - found.base);
    effect.put(name, found.without);
    effect.put("change", change);
    run.result().arrays.push_back({"base", {}, {found.base}});
    ExperimentTable& table = run.result().table;
    table = {"effect", {"attention", "layer", "head", name, "change"}, {}};
    for (std::size_t i = 0; i < change.size(); ++i) {
      auto& row = table.rows.emplace_back(effect.place(i));
      row.emplace_back(found.without[i]);
      row.emplace_back(change[i]);
    }
    std::ranges::stable_sort(table.rows, std::greater(),
                             [](const auto& row) { return std::abs(std::get<double>(row[4])); });
    run.result().notes.push_back(
        format("%.6f as it is; later layers repair: effects understate importance", found.base));
  }
}

void analyse_align(AnalysisRun& run) {
  const AnalyseCommand& command = run.command();
  LinkRule rule = LinkRule::argmax;
  for (std::size_t i = 0; i < std::size(kLinkRules); ++i)
    if (command.rule == kLinkRules[i]) rule = static_cast<LinkRule>(i);
  std::vector<KnownLinks> known;
  if (!command.links.empty()) {
    constexpr std::uint64_t kMostLinks = 64u << 20;
    for (const std::string& line : read_lines(command.links, kMostLinks)) {
      try {
        known.push_back(parse_links(line));
      } catch (const UsageError& error) {
        throw FormatError(command.links + ":" + std::to_string(known.size() + 1) + ": " + error.what());
      }
    }
    if (known.size() != run.listed().size())
      throw FormatError(command.links + ": expected a line for each of " + std::to_string(run.listed().size()) +
                        " texts, found " + std::to_string(known.size()));
  }
  std::vector<HeadPlace> heads;
  std::vector<AlignedText> texts;
  std::vector<LinkErrors> errors;
  run.each_text([&](std::size_t i) {
    texts.push_back(aligned_text(run, run.text(i), heads));
    errors.resize(heads.size());
    for (std::size_t h = 0; h < heads.size() && !known.empty(); ++h)
      errors[h].add(links_of(texts.back().heads[h], rule, command.threshold), known[i]);
  });
  std::vector<std::size_t> order;
  for (std::size_t h = 0; h < heads.size(); ++h) order.push_back(h);
  std::ranges::stable_sort(order, {}, [&](std::size_t h) { return errors[h].error(); });
  std::optional<std::size_t> chosen = known.empty() ? std::nullopt : std::optional(order.front());
  if (!command.head.empty()) {
    const std::vector<Index> place = places_of_option(command.head, "--head");
    chosen.reset();
    for (std::size_t h = 0; h < heads.size() && place.size() == 2; ++h)
      if (run.counted(heads[h].layer) == static_cast<double>(place[0]) &&
          run.counted(heads[h].head) == static_cast<double>(place[1]))
        chosen = h;
    if (!chosen) throw UsageError("--head " + command.head + ": this model has no such head");
  }
  ExperimentTable& table = run.result().table;
  Json lines = Json::array();
  for (const AlignedText& text : texts)
    lines.push_back(links_text(links_of(chosen ? text.heads[*chosen] : text.mean, rule, command.threshold)));
  if (known.empty()) {
    table = {"align", {"text", "links"}, {}};
    for (std::size_t i = 0; i < lines.size(); ++i)
      table.rows.push_back({static_cast<double>(i), lines[i].get<std::string>()});
  } else {
    table = {"align", {"layer", "head", "error", "precision", "recall"}, {}};
    NumberArray error{"aer", {static_cast<Index>(heads.size())}, {}};
    for (const LinkErrors& each : errors) error.values.push_back(each.error());
    for (const std::size_t h : order)
      table.rows.push_back({run.counted(heads[h].layer), run.counted(heads[h].head), errors[h].error(),
                            errors[h].precision(), errors[h].recall()});
    run.result().arrays.push_back(std::move(error));
  }
  for (std::size_t i = 0; i < lines.size() && !known.empty(); ++i) run.result().notes.push_back(lines[i]);
  if (texts.size() == 1)
    run.result().arrays.push_back(as_array("weights", chosen ? texts[0].heads[*chosen] : texts[0].mean));
  run.result().about["links"] = std::move(lines);
  run.result().about["links_of"] =
      chosen ? Json{{"layer", run.counted(heads[*chosen].layer)}, {"head", run.counted(heads[*chosen].head)}}
             : Json("mean of all heads");
}

}  // namespace headlight
