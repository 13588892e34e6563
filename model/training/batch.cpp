#include "model/training/batch.h"

#include "model/core/errors.h"

namespace headlight {

namespace {

void append(const Vocabulary& vocabulary, const std::string& text, Index width, std::vector<TokenId>& ids) {
  const std::vector<TextToken> tokens = vocabulary.split_characters(text);
  if (static_cast<Index>(tokens.size()) > width)
    throw FormatError("example '" + text + "' has " + std::to_string(tokens.size()) + " characters, at most " +
                      std::to_string(width) + " fit");
  for (const TextToken& token : tokens) {
    if (!token.id) throw FormatError("example '" + text + "': '" + token.text + "' is not in the vocabulary");
    ids.push_back(*token.id);
  }
  const auto space = vocabulary.find(" ");
  for (auto n = static_cast<Index>(tokens.size()); n < width; ++n) {
    if (!space) throw FormatError("example '" + text + "' is too short, and the vocabulary has no space to pad with");
    ids.push_back(*space);
  }
}

}  // namespace

Dataset::Dataset(const Task& task, const std::vector<Example>& examples)
    : size_(static_cast<Index>(examples.size())), source_width_(task.source_width), target_length_(task.target_length) {
  const Vocabulary vocabulary(task.tokens);
  bos_ = vocabulary.find(task.bos).value();
  for (const Example& example : examples) {
    append(vocabulary, example.source, source_width_, sources_);
    append(vocabulary, example.target, target_length_, targets_);
  }
}

Dataset::Batch Dataset::batch(const std::vector<std::uint32_t>& order, Index begin, Index count) const {
  Batch batch{Tensor({source_width_, count}), Tensor({target_length_, count}), Tensor({count, target_length_})};
  for (Index n = 0; n < count; ++n) {
    const auto example = static_cast<Index>(order[static_cast<std::size_t>(begin + n)]);
    const TokenId* source = sources_.data() + example * source_width_;
    const TokenId* target = targets_.data() + example * target_length_;
    for (Index j = 0; j < source_width_; ++j) batch.source[j * count + n] = static_cast<Scalar>(source[j]);
    for (Index t = 0; t < target_length_; ++t) {
      batch.inputs[t * count + n] = static_cast<Scalar>(t == 0 ? bos_ : target[t - 1]);
      batch.targets[n * target_length_ + t] = static_cast<Scalar>(target[t]);
    }
  }
  return batch;
}

}  // namespace headlight
