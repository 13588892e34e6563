// How a tokenizer cuts a text into tokens, step by step: for views and lessons. Tokenizers tell it while they work, so
// that the last step is what they give.
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

struct CutPiece {
  std::string text;
  bool unknown = false;  // not in the vocabulary
  bool operator==(const CutPiece&) const = default;
};

// What a word is after one step.
struct CutStep {
  std::vector<CutPiece> pieces = {};
  std::vector<int> made = {};           // those of them that are new
  long rank = -1;                       // of two that were merged: the place of their rule, from 0
  std::string left = {}, right = {};    // and what they were
  std::vector<std::string> tried = {};  // longer pieces that are not in the vocabulary, the longest first
  bool rest = false;                    // the last piece is still to be cut
  std::vector<double> scores = {};      // of the pieces of a path: their logarithms of probability
  double score = std::numeric_limits<double>::quiet_NaN();  // their sum
};

// A piece that may stand there, in characters of the word.
struct CutArc {
  std::size_t begin = 0, end = 0;
  std::string text;
  double score = 0;
  bool unknown = false;
};

struct WordCut {
  enum class Rule {
    whole,          // it is one token, or unknown
    characters,     // one token for each
    merges,         // byte-pair encoding: the rule of lowest rank first
    longest_match,  // WordPiece: from the left, the longest piece that is in the vocabulary
    best_path,  // Unigram: the pieces with the largest product of probabilities; the step before it is the runner-up
  };
  // A longer word tells only what it becomes.
  static constexpr std::size_t kLongest = 160;

  Rule rule = Rule::whole;
  std::string word = {};            // what the rule reads
  std::size_t begin = 0, end = 0;   // bytes of the text
  std::vector<CutStep> steps = {};  // the first: as it was; the last: its tokens
  std::vector<CutArc> arcs = {};    // of best_path: all that may stand there, by their beginning

  const std::vector<CutPiece>& tokens() const { return steps.back().pieces; }
  // How often two pieces were joined; a rule may do that in several places.
  std::size_t merges() const {
    std::size_t count = 0;
    for (const CutStep& step : steps) count += step.rank < 0 ? 0 : step.made.size();
    return count;
  }
  // The step of a merge by the rule of the step before belongs to that.
  void add_merge(CutStep step) {
    if (!steps.empty() && steps.back().rank == step.rank) {
      step.made.insert(step.made.begin(), steps.back().made.begin(), steps.back().made.end());
      steps.back() = std::move(step);
    } else {
      steps.push_back(std::move(step));
    }
  }
};

}  // namespace headlight
