// What a head looks at, in shares and in one word, over many texts; and which texts it treats unlike the others
// (analysis.md 11).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "model/analysis/bench/summaries.h"

namespace headlight {

inline constexpr std::array kPatternNames = {"previous",  "self",     "next",    "first", "separators",
                                             "same word", "one word", "entropy", "reach"};
inline constexpr Index kPatternCount = static_cast<Index>(kPatternNames.size());

// One word for a head: broad from an entropy of 0.9, else the largest share from a half on, else one word from a half.
enum class Pattern { mixed, previous, self, next, first, separators, same_word, one_word, broad };
inline constexpr std::array kPatternWords = {"mixed",      "previous",  "self",     "next", "first",
                                             "separators", "same word", "one word", "broad"};
inline constexpr double kShareOfPattern = 0.5, kBroad = 0.9;

// A text as patterns need it. `separators`: signs other than the first token, and punctuation; `special`: signs.
struct PatternText {
  std::vector<TokenId> ids;
  std::vector<Index> separators, special;
};

using PatternShares = std::array<double, static_cast<std::size_t>(kPatternCount)>;  // NaN: the text has no such row
// One head, a map [T x T].
PatternShares pattern_shares(const ConstMatrixMap& map, const PatternText& text, bool causal);
Pattern pattern_of(const PatternShares& mean);

// Over texts, one after the other: memory is that of a row a text and head.
class PatternsOverTexts {
 public:
  // Texts of fewer tokens are unlike all others whatever the head: they get no rank.
  explicit PatternsOverTexts(Index least_tokens = 6) : least_tokens_(least_tokens) {}
  void add(const HeadMaps& maps, const PatternText& text);
  void append(const PatternsOverTexts& more);  // of the same model
  Index texts() const { return static_cast<Index>(lengths_.size()); }
  Index layers() const { return layers_; }
  Index heads() const { return heads_; }  // of a layer
  Index length(Index text) const { return lengths_[static_cast<std::size_t>(text)]; }
  const PatternShares& shares(Index text, Index layer, Index head) const {
    return shares_[static_cast<std::size_t>((text * layers_ + layer) * heads_ + head)];
  }
  // Of each text how unlike the others one head treats it; −1: no rank.
  std::vector<double> unlike(Index layer, Index head) const;

  struct Found {
    NumberArray mean, sd;     // [L x H x 9]
    NumberArray count;        // [9]: texts that have such a row
    NumberArray even;         // [texts x 9]: what even rows would give; −1: none
    NumberArray unlike;       // [texts x L x H]: root mean square of deviations in standard deviations; −1: no rank
    NumberArray most_unlike;  // [L x H]: which text
    NumberArray kind;         // [L x H]: Pattern
    NumberArray first_text;   // [L x H x 9], −1: none
  };
  Found found() const;

 private:
  bool is_ranked(Index text) const { return length(text) >= least_tokens_; }
  // What exceeds an even row: short texts would differ from all others by their length alone. NaN: no rank.
  double excess(Index text, Index head, std::size_t k) const;
  Index least_tokens_, layers_ = 0, heads_ = 0;
  std::vector<PatternShares> shares_;  // text, layer, head
  std::vector<PatternShares> even_;    // text
  std::vector<Index> lengths_;
};

}  // namespace headlight
