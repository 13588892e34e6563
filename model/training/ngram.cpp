#include "model/training/ngram.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/core/errors.h"
#include "model/core/slices.h"
#include "model/text/utf8.h"
#include "model/training/tasks/own/text_task.h"

namespace headlight {

Ngrams::Ngrams(Index symbols, int most_order) : symbols_(symbols), most_order_(most_order), nodes_(1) {
  if (most_order < 1 || most_order > kMostOrder)
    throw UsageError("n-grams: expected an order from 1 to " + std::to_string(kMostOrder) + ", got " +
                     std::to_string(most_order));
}

void Ngrams::count(std::span<const TokenId> text, const CancelToken& cancel) {
  constexpr std::size_t kOften = 1u << 14;
  const auto orders = static_cast<std::size_t>(most_order_);
  std::vector<std::uint32_t> before = {0}, now;  // the nodes of the last 0, 1, 2, … symbols
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (at % kOften == 0) {
      cancel.check();
      slice_point();
    }
    now.assign(1, 0);
    for (const std::uint32_t history : before) {
      const auto [found, is_new] =
          children_.emplace(child(history, text[at]), static_cast<std::uint32_t>(nodes_.size()));
      if (is_new) {
        nodes_.emplace_back();
        ++nodes_[history].kinds;
      }
      ++nodes_[history].followed;
      ++nodes_[found->second].times;
      if (now.size() < orders) now.push_back(found->second);
    }
    before.swap(now);
  }
}

double Ngrams::probability(std::span<const TokenId> text, std::size_t at, int order) const {
  double p = 1 / static_cast<double>(symbols_);
  const std::size_t longest = std::min(at, static_cast<std::size_t>(std::min(order, most_order_)) - 1);
  for (std::size_t length = 0; length <= longest; ++length) {
    std::uint32_t history = 0;
    for (std::size_t i = at - length; i < at; ++i) {
      const auto next = children_.find(child(history, text[i]));
      if (next == children_.end()) return p;  // nor did any longer one come
      history = next->second;
    }
    const Node& node = nodes_[history];
    if (node.followed == 0) return p;
    const auto found = children_.find(child(history, text[at]));
    const double times = found == children_.end() ? 0 : nodes_[found->second].times;
    p = (times + node.kinds * p) / (static_cast<double>(node.followed) + node.kinds);
  }
  return p;
}

namespace {

// Characters as symbols; 0 stands for all that are not known.
class CharacterSymbols {
 public:
  explicit CharacterSymbols(const TextRules& rules) : rules_(rules) {
    known_ = rules.target.kind() == TokenizerKind::characters;
    if (!known_) return;
    for (const std::string& token : rules.target.vocabulary().tokens())
      if (token != kPadding && token != kStart && token != kEnd && token != kUnknown) add(token);
  }

  // `learns`: what is not known yet becomes so, unless the model's vocabulary says what is.
  std::vector<TokenId> read(const std::string& window, bool learns) {
    const std::string text = spelled(rules_, window);
    const bool lower = known_ && rules_.target.lower_case();
    std::vector<TokenId> symbols;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t length = std::max<std::size_t>(1, code_point_length(text, at));
      std::string letter = text.substr(at, length);
      if (lower) letter = normal_form(letter, TokenizerKind::characters, true);
      if (learns && !known_) add(letter);
      const auto found = symbols_.find(letter);
      symbols.push_back(found == symbols_.end() ? 0 : found->second);
      at += length;
    }
    return symbols;
  }
  Index size() const { return static_cast<Index>(symbols_.size()) + 1; }

 private:
  void add(const std::string& letter) { symbols_.emplace(letter, static_cast<TokenId>(symbols_.size()) + 1); }
  const TextRules& rules_;
  bool known_ = false;
  std::unordered_map<std::string, TokenId> symbols_;
};

// Windows as one running text again: between those of words there was white space.
std::string running_text(const TextRules& rules, const std::vector<Example>& windows) {
  const char* between = rules.target.kind() == TokenizerKind::characters ? "" : " ";
  std::string text;
  for (const Example& window : windows) text += (text.empty() ? "" : between) + window.target;
  return text;
}

}  // namespace

std::vector<NgramPerplexity> ngram_perplexities(const TextRules& rules, const TaskData& data, int most_order,
                                                const CancelToken& cancel) {
  CharacterSymbols symbols(rules);
  const std::vector<TokenId> text = symbols.read(running_text(rules, data.train), true);
  Ngrams ngrams(symbols.size(), most_order);
  ngrams.count(text, cancel);
  std::vector<double> nll(static_cast<std::size_t>(most_order));
  double characters = 0;
  for (const Example& window : data.test) {
    cancel.check();
    slice_point();
    const std::vector<TokenId> read = symbols.read(window.target, false);
    characters += static_cast<double>(read.size());
    for (std::size_t at = 0; at < read.size(); ++at)
      for (int order = 1; order <= most_order; ++order)
        nll[static_cast<std::size_t>(order - 1)] -= std::log(ngrams.probability(read, at, order));
  }
  std::vector<NgramPerplexity> table;
  for (int order = 1; order <= most_order; ++order)
    table.push_back({order, std::exp(nll[static_cast<std::size_t>(order - 1)] / std::max(1.0, characters))});
  return table;
}

}  // namespace headlight
