#include "model/training/batch.h"

#include <algorithm>
#include <numeric>

#include "model/core/errors.h"
#include "model/core/random.h"

namespace headlight {

namespace {

// Appends the ids; padding that the rules add may have none (a vocabulary without a space).
Index append(const std::vector<TextToken>& tokens, const std::string& text, std::vector<TokenId>& ids) {
  for (const TextToken& token : tokens) {
    if (!token.id) throw FormatError("example '" + text + "': '" + token.text + "' is not in the vocabulary");
    ids.push_back(*token.id);
  }
  return static_cast<Index>(tokens.size());
}

void check_length(const std::string& text, Index count, Index most) {
  if (most > 0 && count > most)
    throw FormatError("example '" + text + "' has " + std::to_string(count) + " tokens, at most " +
                      std::to_string(most) + " fit");
}

void check_width(const TextRules& rules, const std::string& text, Index count) {
  if (rules.source_width == 0) return;
  check_length(text, count - rules.source_signs(), rules.source_width);
  if (count < rules.source_width)
    throw FormatError("example '" + text + "' is too short, and the vocabulary has no space to pad with");
}

Index append_target(const TextRules& rules, const std::string& text, bool reversed, std::vector<TokenId>& ids) {
  const std::size_t begin = ids.size();
  Index count = append(rules.target.split(text), text, ids);
  check_length(text, count, rules.target_length);
  if (!rules.eos && !rules.pad && count < rules.target_length) {
    const auto space = rules.target.vocabulary().find(" ");
    if (!space) throw FormatError("example '" + text + "' is too short, and the vocabulary has no space to pad with");
    for (; count < rules.target_length; ++count) ids.push_back(*space);
  }
  if (reversed) std::reverse(ids.begin() + static_cast<std::ptrdiff_t>(begin), ids.end());
  if (!rules.eos) return count;
  ids.push_back(*rules.eos);
  return count + 1;
}

std::vector<std::uint32_t> in_order(Index size) {
  std::vector<std::uint32_t> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

// Fisher-Yates.
template <class T>
void shuffle(std::vector<T>& items, std::size_t begin, std::size_t end, Random& random) {
  for (std::size_t i = end - begin; i > 1; --i)
    std::swap(items[begin + i - 1], items[begin + random.below(static_cast<std::uint32_t>(i))]);
}

}  // namespace

Dataset::Dataset(const TextRules& text, const std::vector<Example>& examples, bool reverse_target)
    : bos_(text.bos), pad_(text.pad.value_or(0)), never_written_(text.never_written()) {
  rows_.reserve(examples.size());
  for (const Example& example : examples) {
    Row row{sources_.size(), targets_.size(), 0, 0};
    row.source_count = append(text.source_tokens(example.source), example.source, sources_);
    check_width(text, example.source, row.source_count);
    row.target_count = append_target(text, example.target, reverse_target, targets_);
    mark_counted(text, example, row, reverse_target);
    if (row.source_count == 0 || row.target_count == 0)
      throw FormatError("example '" + example.source + "' -> '" + example.target + "' has an empty side");
    if (!rows_.empty() && (row.source_count != rows_[0].source_count || row.target_count != rows_[0].target_count))
      uniform_ = false;
    source_width_ = std::max(source_width_, row.source_count);
    target_length_ = std::max(target_length_, row.target_count);
    groups_.push_back(example.group);
    rows_.push_back(row);
  }
}

void Dataset::mark_counted(const TextRules& text, const Example& example, const Row& row, bool reversed) {
  counted_.resize(targets_.size(), true);
  if (example.counted.empty()) return;
  const Index tokens = row.target_count - (text.eos ? 1 : 0), marks = static_cast<Index>(example.counted.size());
  if (marks != tokens)
    throw FormatError("example '" + example.source + "': " + std::to_string(marks) + " marks of what counts for " +
                      std::to_string(tokens) + " target tokens");
  const auto begin = counted_.begin() + static_cast<std::ptrdiff_t>(row.target);
  std::copy(example.counted.begin(), example.counted.end(), begin);
  if (reversed) std::reverse(begin, begin + marks);
}

Batch Dataset::batch(std::span<const std::uint32_t> rows) const {
  const auto count = static_cast<Index>(rows.size());
  Index s_count = 0, t_count = 0, tokens = 0;
  for (const std::uint32_t at : rows) {
    s_count = std::max(s_count, rows_[at].source_count);
    t_count = std::max(t_count, rows_[at].target_count);
    tokens += rows_[at].source_count;
  }
  Batch batch{Tensor::full({s_count, count}, static_cast<Scalar>(pad_)),
              Tensor::full({t_count, count}, static_cast<Scalar>(pad_)),
              Tensor::full({count, t_count}, static_cast<Scalar>(pad_)), Tensor::zeros({count, t_count})};
  if (tokens < s_count * count) batch.source.keep = Tensor::zeros({count, s_count});
  for (Index n = 0; n < count; ++n) {
    const Row& row = rows_[rows[static_cast<std::size_t>(n)]];
    const TokenId *source = sources_.data() + row.source, *target = targets_.data() + row.target;
    for (Index j = 0; j < row.source_count; ++j) {
      batch.source.ids[j * count + n] = static_cast<Scalar>(source[j]);
      if (batch.source.keep.defined()) batch.source.keep[n * s_count + j] = 1;
    }
    for (Index t = 0; t < row.target_count; ++t) {
      batch.inputs[t * count + n] = static_cast<Scalar>(t == 0 ? bos_ : target[t - 1]);
      batch.targets[n * t_count + t] = static_cast<Scalar>(target[t]);
      batch.mask[n * t_count + t] = counted_[row.target + static_cast<std::size_t>(t)] ? 1 : 0;
    }
  }
  return batch;
}

bool Dataset::by_length(std::uint32_t a, std::uint32_t b) const {
  const Row &x = rows_[a], &y = rows_[b];
  return x.source_count != y.source_count ? x.source_count < y.source_count : x.target_count < y.target_count;
}

std::vector<std::vector<std::uint32_t>> Dataset::batches(std::uint64_t seed, std::uint32_t epoch, Index size) const {
  constexpr std::size_t kPool = 20;
  std::vector<std::uint32_t> order = in_order(this->size());
  // The epoch's own stream: the order of epoch 7 is the same whether 1-6 ran in this process or not.
  Random random(seed, Random::Stream::data, epoch);
  shuffle(order, 0, order.size(), random);
  const auto width = static_cast<std::size_t>(size);
  const std::size_t count = order.size() / width;
  if (!uniform_)
    for (std::size_t begin = 0; begin < count * width; begin += kPool * width)
      std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(begin),
                       order.begin() + static_cast<std::ptrdiff_t>(std::min(begin + kPool * width, count * width)),
                       [this](std::uint32_t a, std::uint32_t b) { return by_length(a, b); });
  std::vector<std::vector<std::uint32_t>> cut(count);
  for (std::size_t b = 0; b < count; ++b) {
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(b * width);
    cut[b].assign(begin, begin + size);
  }
  if (!uniform_)
    for (std::size_t begin = 0; begin < count; begin += kPool)
      shuffle(cut, begin, std::min(begin + kPool, count), random);
  return cut;
}

std::vector<std::vector<std::uint32_t>> Dataset::all_batches(Index size) const {
  std::vector<std::uint32_t> order = in_order(this->size());
  if (!uniform_)
    std::stable_sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) { return by_length(a, b); });
  std::vector<std::vector<std::uint32_t>> cut;
  const auto width = static_cast<std::size_t>(size);
  for (std::size_t begin = 0; begin < order.size(); begin += width) {
    const auto from = order.begin() + static_cast<std::ptrdiff_t>(begin);
    cut.emplace_back(from, from + static_cast<std::ptrdiff_t>(std::min(width, order.size() - begin)));
  }
  return cut;
}

}  // namespace headlight
