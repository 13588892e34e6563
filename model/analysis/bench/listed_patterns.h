// What every head looks at in each text of a list, text by text: for whatever shows or writes many texts.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/analysis/bench/patterns.h"
#include "model/analysis/bench/reading.h"
#include "model/decode/run.h"

namespace headlight {

// A text as patterns need it, by the texts of its tokens.
PatternText pattern_text(std::vector<TokenId> ids, const std::vector<std::string>& words, std::vector<Index> special);
PatternText pattern_text(const std::vector<std::string>& words);
PatternText pattern_text(const TextReader& reader, const TextIds& text);

// Some texts of a list, with what heads look at in them.
struct ListedPart {
  std::vector<int> texts;  // their places in the list
  PatternsOverTexts patterns;
  std::vector<double> numbers;     // of each text, where one number was asked for instead
  std::vector<std::string> words;  // of what was stored, each text as a line
  int done = 0, left_out = 0;      // of the list until now; of these, that could not be read
  std::string problem;             // of the first of those
};

// Reads the texts of a list, one after the other, with a model or from what was stored.
class ListedReader {
 public:
  // Throws UsageError for a model without attention of a text to itself.
  explicit ListedReader(std::shared_ptr<const ModelBundle> bundle);

  struct Text {
    std::vector<std::string> words;  // of its tokens
    HeadMaps maps;                   // of the first kind of attention of a text to itself
    PatternText pattern;
    AttentionMap::Kind kind = AttentionMap::Kind::encoder_self;
  };
  // `written`: what a decoder behind an encoder is to write. Throws UsageError for a text that the model cannot read,
  // and Cancelled.
  Text read(const std::string& text, const std::string& second, const std::string& written,
            const CancelToken& cancel) const;
  Text read_stored(std::size_t at, const CancelToken& cancel) const;
  bool is_stored() const { return bundle_->stored != nullptr; }

 private:
  std::shared_ptr<const ModelBundle> bundle_;
  std::shared_ptr<const TextReader> reader_;  // null: stored
};

}  // namespace headlight
