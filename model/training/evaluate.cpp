#include "model/training/evaluate.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "model/core/parallel.h"
#include "model/models/greedy.h"
#include "model/text/utf8.h"

namespace headlight {

namespace {

// So many examples that a batch's logits stay in the tens of megabytes.
Index batch_size(const Model& model, const Dataset& data) {
  const Index per_example = data.target_length() * std::max<Index>(1, model.traits().target_vocabulary);
  return std::clamp<Index>(4'000'000 / std::max<Index>(1, per_example), 8, 250);
}

// Calls work(rows, batch) for every batch of the data, side by side.
void for_batches(const Model& model, const Dataset& data, const CancelToken& cancel,
                 const std::function<void(const std::vector<std::uint32_t>&, const Batch&)>& work) {
  const auto batches = data.all_batches(batch_size(model, data));
  parallel_parts(static_cast<int>(batches.size()), [&](int b) {
    cancel.check();
    const std::vector<std::uint32_t>& rows = batches[static_cast<std::size_t>(b)];
    work(rows, data.batch(rows));
  });
}

// Figures of one example.
struct Scores {
  double nll = 0, nll_free = 0;
  Index right = 0, tokens = 0;
};

void score(const Model& model, const Batch& batch, const std::vector<std::uint32_t>& rows,
           const std::vector<TokenId>& never, std::vector<Scores>& scores) {
  const Index count = batch.targets.dim(0), t_count = batch.targets.dim(1);
  const auto of = [&](Index n) -> Scores& { return scores[rows[static_cast<std::size_t>(n)]]; };
  const Tensor forced = token_nll(model.begin(batch.source, {})->advance(batch.inputs, {}), batch.targets, batch.mask);
  const std::unique_ptr<Decoding> decoding = model.begin(batch.source, {});
  Tensor ids = batch.inputs.view(0, {1, count}), target({count, 1}), mask({count, 1});
  for (Index t = 0; t < t_count; ++t) {
    const Tensor logits = decoding->advance(ids, {});  // [N x 1 x V]
    target.matrix() = batch.targets.matrix().col(t);
    mask.matrix() = batch.mask.matrix().col(t);
    const Tensor free = token_nll(logits, target, mask);
    ids = greedy_choice(logits, never);
    for (Index n = 0; n < count; ++n) {
      if (mask[n] == 0) continue;
      Scores& s = of(n);
      ++s.tokens;
      s.right += ids[n] == target[n];
      s.nll += static_cast<double>(forced[n * t_count + t]);
      s.nll_free += static_cast<double>(free[n]);
    }
  }
}

Index source_length(const Batch& batch, Index n) {
  return batch.source.keep.defined() ? static_cast<Index>(batch.source.keep.matrix().row(n).sum())
                                     : batch.source.ids.dim(0);
}

// The model's own choices [N] of tokens, each up to its end sign.
std::vector<std::vector<TokenId>> write(const Model& model, const TextRules& text, const Batch& batch) {
  const Index count = batch.targets.dim(0), end = text.eos ? 1 : 0;
  const std::vector<TokenId> never = text.never_written();
  const Index longest = text.target_limit(batch.source.ids.dim(0)) + end;
  std::vector<std::vector<TokenId>> outputs(static_cast<std::size_t>(count));
  std::vector<bool> ended(static_cast<std::size_t>(count));
  const std::unique_ptr<Decoding> decoding = model.begin(batch.source, {});
  Tensor ids = batch.inputs.view(0, {1, count});
  for (Index t = 0; t < longest && !std::all_of(ended.begin(), ended.end(), [](bool e) { return e; }); ++t) {
    ids = greedy_choice(decoding->advance(ids, {}), never);
    for (Index n = 0; n < count; ++n) {
      const auto at = static_cast<std::size_t>(n);
      const auto id = static_cast<TokenId>(ids[n]);
      ended[at] = ended[at] || id == text.eos || t >= text.target_limit(source_length(batch, n)) + end;
      if (!ended[at]) outputs[at].push_back(id);
    }
  }
  return outputs;
}

Words words_of(const std::string& text, bool lower) {
  const std::string read = lower ? lower_case(text) : text;
  constexpr std::string_view kUnknown = "<unk>";  // one word, not three signs
  Words words;
  std::size_t done = 0;
  for (const Word& word : split_words(read)) {
    if (word.begin < done) continue;
    const bool unknown = std::string_view(read).substr(word.begin).starts_with(kUnknown);
    done = unknown ? word.begin + kUnknown.size() : word.end;
    words.push_back(read.substr(word.begin, done - word.begin));
  }
  return words;
}

// The source position, in reading order, that each step of example n looks at most; empty without attention.
std::vector<Link> strongest_links(const Tensor& attention, const Batch& batch, Index n, Index tokens,
                                  const ModelTraits& model) {
  const Index s_count = attention.dim(2), t_count = attention.dim(1);
  const Index length = source_length(batch, n);
  const bool reverse_source = model.reads_reversed;
  const bool reverse_target = model.writes_reversed;
  std::vector<Link> links;
  const Index ahead = model.attends_ahead ? 1 : 0;  // the first token was written before anything had been looked up
  for (Index t = ahead; t < tokens; ++t) {
    Index best = 0;
    attention.matrix().row(n * t_count + t - ahead).head(std::min(length, s_count)).maxCoeff(&best);
    links.push_back({reverse_source ? length - 1 - best : best, reverse_target ? tokens - 1 - t : t});
  }
  return links;
}

}  // namespace

Tensor token_nll(const Tensor& logits, const Tensor& targets, const Tensor& mask) {
  Tensor nll(targets.shape());
  for (Index r = 0; r < targets.size(); ++r) {
    if (mask[r] == 0) {
      nll[r] = 0;
      continue;
    }
    const ConstArrayMap z(logits.data() + r * logits.columns(), logits.columns());
    const Scalar maximum = z.maxCoeff();
    nll[r] = maximum - z[static_cast<Index>(targets[r])] + std::log((z - maximum).exp().sum());
  }
  return nll;
}

Evaluation evaluate(const Model& model, const Dataset& data, const CancelToken& cancel) {
  std::vector<Scores> scores(static_cast<std::size_t>(data.size()));
  for_batches(model, data, cancel, [&](const std::vector<std::uint32_t>& rows, const Batch& batch) {
    score(model, batch, rows, data.never_written(), scores);
  });
  Evaluation total;
  total.examples = data.size();
  const auto examples = static_cast<double>(std::max<Index>(1, data.size())),
             tokens = static_cast<double>(std::max<Index>(1, data.counted_tokens()));
  for (const Scores& s : scores) {
    total.right.push_back(s.right == s.tokens);
    total.exact_match += total.right.back() ? 1 : 0;
    total.token_accuracy += static_cast<double>(s.right);
    total.nll += s.nll;
    total.nll_free += s.nll_free;
  }
  total.exact_match /= examples;
  for (double* sum : {&total.token_accuracy, &total.nll, &total.nll_free}) *sum /= tokens;
  return total;
}

std::vector<GroupQuality> by_group(const std::vector<bool>& right, const std::vector<int>& groups) {
  std::map<int, GroupQuality> found;
  for (std::size_t i = 0; i < right.size(); ++i) {
    GroupQuality& g = found[groups[i]];
    g.group = groups[i];
    ++g.examples;
    g.exact_match += right[i] ? 1 : 0;
  }
  std::vector<GroupQuality> table;
  for (auto& [group, quality] : found) {
    quality.exact_match /= static_cast<double>(quality.examples);
    table.push_back(quality);
  }
  return table;
}

std::vector<std::string> greedy_outputs(const Model& model, const TextRules& text, const Dataset& data,
                                        const CancelToken& cancel) {
  const bool reversed = model.traits().writes_reversed;
  std::vector<std::string> outputs(static_cast<std::size_t>(data.size()));
  for_batches(model, data, cancel, [&](const std::vector<std::uint32_t>& rows, const Batch& batch) {
    std::vector<std::vector<TokenId>> written = write(model, text, batch);
    for (std::size_t n = 0; n < rows.size(); ++n) {
      if (reversed) std::reverse(written[n].begin(), written[n].end());
      outputs[rows[n]] = text.target.join(written[n]);
    }
  });
  return outputs;
}

bool has_words(const TextRules& text) { return text.target.kind() != TokenizerKind::characters; }

Bleu evaluate_bleu(const std::vector<std::string>& outputs, const std::vector<Example>& examples,
                   const TextRules& text) {
  const bool lower = text.target.lower_case();
  std::vector<Words> written;
  std::vector<std::vector<Words>> references;
  std::map<std::string, std::size_t> known;  // source -> its place
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const auto [at, is_new] = known.emplace(examples[i].source, written.size());
    if (is_new) {
      written.push_back(words_of(outputs[i], lower));
      references.emplace_back();
    }
    std::vector<Words>& right = references[at->second];
    right.push_back(words_of(examples[i].target, lower));
    for (const std::string& other : examples[i].also) right.push_back(words_of(other, lower));
  }
  return corpus_bleu(written, references);
}

AlignmentQuality evaluate_alignment(const Model& model, const TextRules& text, const std::vector<Example>& examples,
                                    const CancelToken& cancel) {
  std::vector<Example> known;
  for (const Example& example : examples)
    if (!example.alignment.empty()) known.push_back(example);
  const Dataset data(text, known, model.traits().writes_reversed);
  std::vector<std::vector<Link>> found(known.size());
  for_batches(model, data, cancel, [&](const std::vector<std::uint32_t>& rows, const Batch& batch) {
    const std::unique_ptr<Decoding> decoding = model.begin(batch.source, {});
    decoding->advance(batch.inputs, {});
    const Tensor attention = decoding->attention();  // [N x T x S]
    if (!attention.defined()) return;
    for (std::size_t n = 0; n < rows.size(); ++n) {
      const auto row = static_cast<Index>(n);
      const Index tokens = data.target_tokens(rows[n]) - (text.eos ? 1 : 0);
      found[rows[n]] = strongest_links(attention, batch, row, tokens, model.traits());
      if (text.source_bos)  // links count the tokens of the text alone
        for (Link& link : found[rows[n]]) --link.source;
    }
  });
  AlignmentQuality quality;
  for (std::size_t i = 0; i < known.size(); ++i)
    if (!found[i].empty()) quality.add(found[i], known[i].alignment);
  return quality;
}

}  // namespace headlight
