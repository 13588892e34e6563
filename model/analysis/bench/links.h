// WordLinks between the words of a text and those of its translation, read off attention; against links that are known:
// Pharaoh lines "0-0 1-2", source-target, from 0 (analysis.md 11).
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/analysis/bench/numbers.h"

namespace headlight {

struct Result;

using WordLink = std::pair<Index, Index>;  // source word, target word
using WordLinks = std::set<WordLink>;
using WordTokens = std::vector<std::vector<Index>>;  // of each word its tokens

// "0-0 1-2 2p3": sure links with "-", possible ones with "p" (or "?"). Throws UsageError that names the part.
struct KnownLinks {
  WordLinks sure, possible;  // possible holds the sure ones too
};
KnownLinks parse_links(const std::string& line);
std::string links_text(const WordLinks& links);  // by target, then source

// Weights [target tokens x source tokens] between words: the sum over the pieces of a source word, the mean over those
// of a target word.
DoubleMatrix between_words(const DoubleMatrix& weights, const WordTokens& target, const WordTokens& source);

enum class LinkRule { argmax, intersection, threshold };
inline constexpr const char* kLinkRules[] = {"argmax", "intersection", "threshold"};
// Of weights [target words x source words].
WordLinks links_of(const DoubleMatrix& weights, LinkRule rule, double threshold = 0.2);

// Whether it is one of the words that links count: no special token, and no space.
bool is_linked_word(std::string_view word);
// What each written word of a run looks at most, by the mean of all heads. Throws UsageError where no output attends to
// the text.
WordLinks links_of_run(const Result& result);

// Alignment error rate (Och & Ney 2003): counts over all texts first.
struct LinkErrors {
  double found = 0, sure = 0, found_sure = 0, found_possible = 0;
  void add(const WordLinks& links, const KnownLinks& known);
  double error() const { return found + sure > 0 ? 1 - (found_sure + found_possible) / (found + sure) : 0; }
  double precision() const { return found > 0 ? found_possible / found : 0; }
  double recall() const { return sure > 0 ? found_sure / sure : 0; }
};

}  // namespace headlight
