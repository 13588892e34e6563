#include "model/training/evaluate.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
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

// The attention of one example between the tokens of its texts, whichever way the model reads and writes.
class TextAttention {
 public:
  // `attention` [N x T x S]; `tokens`: of the target, without its end sign. Keeps references.
  TextAttention(const Tensor& attention, const Batch& batch, Index n, Index tokens, const TextRules& text,
                const ModelTraits& model)
      : attention_(attention),
        n_(n),
        tokens_(tokens),
        length_(std::min(source_length(batch, n), attention.dim(2))),
        begin_(text.source_bos ? 1 : 0),
        model_(model) {}

  Index tokens() const { return tokens_; }
  // Whether a row served target token t: where rows are read a step later, none did for the one written first.
  bool has_row(Index t) const { return step(t) >= 0; }
  // The source token that t looks at most; −1 and beyond the text: a sign in front of it or behind.
  Index strongest(Index t) const {
    Index best = 0;
    row(t).maxCoeff(&best);
    return column(best) - begin_;
  }
  double largest(Index t) const { return static_cast<double>(row(t).maxCoeff()); }
  // The share of its attention on `count` source tokens from `first` on.
  double mass(Index t, Index first, Index count) const {
    double sum = 0;
    for (Index j = first + begin_; j < first + begin_ + count; ++j) sum += static_cast<double>(row(t)[column(j)]);
    return sum;
  }

 private:
  Index step(Index t) const { return (model_.writes_reversed ? tokens_ - 1 - t : t) - (model_.attends_ahead ? 1 : 0); }
  Index column(Index j) const { return model_.reads_reversed ? length_ - 1 - j : j; }
  Eigen::Ref<const Eigen::Matrix<Scalar, 1, Eigen::Dynamic>> row(Index t) const {
    return attention_.matrix().row(n_ * attention_.dim(1) + step(t)).head(length_);
  }

  const Tensor& attention_;
  Index n_, tokens_, length_, begin_;
  const ModelTraits& model_;
};

// Calls work(i, attention) for every example i of the data, with the right targets forced; not for models without
// attention.
void for_attention(const Model& model, const TextRules& text, const Dataset& data, const CancelToken& cancel,
                   const std::function<void(std::size_t, const TextAttention&)>& work) {
  const ModelTraits traits = model.traits();
  for_batches(model, data, cancel, [&](const std::vector<std::uint32_t>& rows, const Batch& batch) {
    const std::unique_ptr<Decoding> decoding = model.begin(batch.source, {});
    decoding->advance(batch.inputs, {});
    const Tensor attention = decoding->attention();
    if (!attention.defined()) return;
    for (std::size_t n = 0; n < rows.size(); ++n)
      work(rows[n],
           {attention, batch, static_cast<Index>(n), data.target_tokens(rows[n]) - (text.eos ? 1 : 0), text, traits});
  });
}

// Counts where the target tokens of one example look.
void look(const TextAttention& attention, const std::vector<Link>& links, ForcedEvaluation& sum) {
  for (Index t = 0; t < attention.tokens(); ++t) {
    if (!attention.has_row(t)) continue;
    ++sum.rows;
    sum.largest += attention.largest(t);
    if (std::none_of(links.begin(), links.end(), [&](const Link& link) { return link.target == t; })) continue;
    ++sum.linked;
    if (std::find(links.begin(), links.end(), Link{attention.strongest(t), t}) != links.end()) ++sum.right;
  }
}

// The examples of which something is known.
template <class Known>
std::vector<Example> those(const std::vector<Example>& examples, const Known& known) {
  std::vector<Example> chosen;
  std::copy_if(examples.begin(), examples.end(), std::back_inserter(chosen), known);
  return chosen;
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

double held_out_nll(const Model& model, const Dataset& data, const CancelToken& cancel) {
  std::vector<double> sums(static_cast<std::size_t>(data.size()));
  for_batches(model, data, cancel, [&](const std::vector<std::uint32_t>& rows, const Batch& batch) {
    const Tensor nll = token_nll(model.begin(batch.source, {})->advance(batch.inputs, {}), batch.targets, batch.mask);
    for (std::size_t n = 0; n < rows.size(); ++n)
      sums[rows[n]] = nll.matrix().row(static_cast<Index>(n)).cast<double>().sum();
  });
  double total = 0;
  for (const double sum : sums) total += sum;  // in the order of the examples, whatever the threads do
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
  const std::vector<Example> known = those(examples, [](const Example& e) { return !e.alignment.empty(); });
  const Dataset data(text, known, model.traits().writes_reversed);
  std::vector<std::vector<Link>> found(known.size());
  for_attention(model, text, data, cancel, [&](std::size_t i, const TextAttention& attention) {
    for (Index t = 0; t < attention.tokens(); ++t)
      if (attention.has_row(t)) found[i].push_back({attention.strongest(t), t});
  });
  AlignmentQuality quality;
  for (std::size_t i = 0; i < known.size(); ++i)
    if (!found[i].empty()) quality.add(found[i], known[i].alignment);
  return quality;
}

ForcedEvaluation evaluate_forced(const Model& model, const TextRules& text, const Dataset& data,
                                 const std::vector<Example>& examples, const CancelToken& cancel) {
  constexpr Index kAtOnce = 32;  // small enough for several threads to share a sample
  const ModelTraits traits = model.traits();
  const auto batches = data.all_batches(std::min(kAtOnce, batch_size(model, data)));
  std::vector<ForcedEvaluation> found(batches.size());
  parallel_parts(static_cast<int>(batches.size()), [&](int b) {
    cancel.check();
    const std::vector<std::uint32_t>& rows = batches[static_cast<std::size_t>(b)];
    ForcedEvaluation& sum = found[static_cast<std::size_t>(b)];
    const Batch batch = data.batch(rows);
    const std::unique_ptr<Decoding> decoding = model.begin(batch.source, {});
    const Tensor logits = decoding->advance(batch.inputs, {});
    const Tensor choice = greedy_choice(logits, data.never_written()), attention = decoding->attention();
    sum.nll = token_nll(logits, batch.targets, batch.mask).array().cast<double>().sum();
    sum.tokens = static_cast<double>(batch.mask.array().sum());
    const Index t_count = batch.targets.dim(1);
    for (std::size_t n = 0; n < rows.size(); ++n) {
      bool right = true;
      for (Index i = static_cast<Index>(n) * t_count; i < (static_cast<Index>(n) + 1) * t_count; ++i)
        right = right && (batch.mask[i] == 0 || choice[i] == batch.targets[i]);
      sum.exact_match += right ? 1 : 0;
      if (attention.defined())
        look({attention, batch, static_cast<Index>(n), data.target_tokens(rows[n]) - (text.eos ? 1 : 0), text, traits},
             examples[rows[n]].alignment, sum);
    }
  });
  ForcedEvaluation total;
  for (const ForcedEvaluation& part : found) {  // in their order, whatever the threads do
    for (double ForcedEvaluation::*number : {&ForcedEvaluation::exact_match, &ForcedEvaluation::nll,
                                             &ForcedEvaluation::tokens, &ForcedEvaluation::largest})
      total.*number += part.*number;
    for (Index ForcedEvaluation::*count :
         {&ForcedEvaluation::linked, &ForcedEvaluation::right, &ForcedEvaluation::rows})
      total.*count += part.*count;
  }
  total.exact_match /= static_cast<double>(std::max<Index>(1, data.size()));
  return total;
}

std::vector<FieldAttention> evaluate_fields(const Model& model, const TextRules& text,
                                            const std::vector<Example>& examples, const CancelToken& cancel) {
  const std::vector<Example> known = those(examples, [](const Example& e) { return !e.fields.empty(); });
  const Dataset data(text, known, model.traits().writes_reversed);
  struct Mass {
    const TextField* field;
    Index token;  // of the field
    double mass;
    bool is_0;
  };
  std::vector<std::vector<Mass>> found(known.size());
  for_attention(model, text, data, cancel, [&](std::size_t i, const TextAttention& attention) {
    for (const TextField& f : known[i].fields)
      for (Index k = 0; k < f.target_count; ++k)
        if (attention.has_row(f.target + k))
          found[i].push_back({&f, k, attention.mass(f.target + k, f.source, f.source_count),
                              known[i].target.compare(static_cast<std::size_t>(f.target + k), 1, "0") == 0});
  });
  std::map<Index, FieldAttention> fields;  // by their place in the target
  for (const std::vector<Mass>& example : found)
    for (const Mass& m : example) {
      FieldAttention& field = fields[m.field->target];
      field.field = m.field->name;
      for (auto* sums : {&field.mass, &field.mass_not_0}) sums->resize(static_cast<std::size_t>(m.field->target_count));
      for (auto* counts : {&field.counts, &field.counts_not_0}) counts->resize(field.mass.size());
      const auto k = static_cast<std::size_t>(m.token);
      field.mass[k] += m.mass;
      ++field.counts[k];
      if (m.is_0) continue;
      field.mass_not_0[k] += m.mass;
      ++field.counts_not_0[k];
    }
  std::vector<FieldAttention> table;
  for (auto& [place, field] : fields) {
    for (std::size_t k = 0; k < field.mass.size(); ++k) {
      field.mass[k] /= static_cast<double>(std::max<Index>(1, field.counts[k]));
      field.mass_not_0[k] /= static_cast<double>(std::max<Index>(1, field.counts_not_0[k]));
    }
    table.push_back(std::move(field));
  }
  return table;
}

}  // namespace headlight
