#include "model/text/bpe.h"

#include <algorithm>
#include <map>
#include <queue>
#include <unordered_map>
#include <unordered_set>

#include "model/text/utf8.h"

namespace headlight {

namespace {

using SymbolId = std::uint32_t;

struct Pair {
  SymbolId left, right;
  bool operator==(const Pair&) const = default;
};
struct PairHash {
  std::size_t operator()(const Pair& p) const {
    return std::hash<std::uint64_t>()(std::uint64_t{p.left} << 32 | p.right);
  }
};

class Learner {
 public:
  explicit Learner(const std::vector<std::pair<std::string, Index>>& words) {
    for (const auto& [text, frequency] : words) {
      if (text.empty()) continue;
      std::vector<SymbolId> symbols;
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = std::max<std::size_t>(1, code_point_length(text, at));
        std::string symbol = text.substr(at, length);
        characters_[symbol] += frequency;
        at += length;
        if (at == text.size()) symbol += kWordEnd;
        symbols.push_back(id_of(symbol));
      }
      words_.push_back({std::move(symbols), frequency});
    }
    for (std::size_t w = 0; w < words_.size(); ++w) count(w, words_[w].frequency);
    for (const auto& [pair, frequency] : counts_) queue_.push({frequency, pair, &texts_});
  }

  BpeModel learn(Index merges, Index min_frequency) {
    BpeModel model;
    add_characters(model, min_frequency);
    while (static_cast<Index>(model.merges.size()) < merges && !queue_.empty()) {
      const Entry best = queue_.top();
      queue_.pop();
      const Index now = counts_[best.pair];
      if (now != best.frequency) {  // it has changed since it was offered
        if (now > 0) queue_.push({now, best.pair, &texts_});
        continue;
      }
      if (now < std::max<Index>(2, min_frequency)) break;
      const std::string left = texts_[best.pair.left], right = texts_[best.pair.right];
      model.merges.emplace_back(left, right);
      if (known_.insert(left + right).second) model.tokens.push_back(left + right);
      merge(best.pair, id_of(left + right));
    }
    return model;
  }

 private:
  struct Word {
    std::vector<SymbolId> symbols;
    Index frequency;
  };
  struct Entry {
    Index frequency;
    Pair pair;
    const std::vector<std::string>* texts;
    bool operator<(const Entry& other) const {  // the queue gives the greatest: the most frequent, then the first
      if (frequency != other.frequency) return frequency < other.frequency;
      const std::string &a = (*texts)[pair.left], &b = (*texts)[other.pair.left];
      return a != b ? a > b : (*texts)[pair.right] > (*texts)[other.pair.right];
    }
  };

  SymbolId id_of(const std::string& text) {
    const auto [found, fresh] = ids_.emplace(text, static_cast<SymbolId>(texts_.size()));
    if (fresh) texts_.push_back(text);
    return found->second;
  }

  void add_characters(BpeModel& model, Index min_frequency) {
    std::vector<std::pair<std::string, Index>> order(characters_.begin(), characters_.end());
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    for (const auto& [character, frequency] : order) {
      if (frequency < min_frequency) continue;
      for (const std::string& token : {character, character + std::string(kWordEnd)})
        if (known_.insert(token).second) model.tokens.push_back(token);
    }
  }

  // Adds `change` for every pair of neighbours of a word.
  void count(std::size_t at, Index change) {
    const std::vector<SymbolId>& symbols = words_[at].symbols;
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      const Pair pair{symbols[i], symbols[i + 1]};
      counts_[pair] += change;
      if (change > 0) places_[pair].insert(at);
    }
  }

  void merge(const Pair& pair, SymbolId joined) {
    const std::unordered_set<std::size_t> places = std::move(places_[pair]);
    places_.erase(pair);
    for (const std::size_t at : places) {
      std::vector<SymbolId>& symbols = words_[at].symbols;
      count(at, -words_[at].frequency);
      std::size_t kept = 0;
      for (std::size_t i = 0; i < symbols.size(); ++i) {
        const bool both = i + 1 < symbols.size() && symbols[i] == pair.left && symbols[i + 1] == pair.right;
        symbols[kept++] = both ? joined : symbols[i];
        i += both;
      }
      symbols.resize(kept);
      count(at, words_[at].frequency);
      for (std::size_t i = 0; i + 1 < symbols.size(); ++i)
        if (symbols[i] == joined || symbols[i + 1] == joined) touched_.insert({symbols[i], symbols[i + 1]});
    }
    for (const Pair& changed : touched_) queue_.push({counts_[changed], changed, &texts_});
    touched_.clear();
  }

  std::vector<Word> words_;
  std::map<std::string, Index> characters_;
  std::vector<std::string> texts_;
  std::unordered_map<std::string, SymbolId> ids_;
  std::unordered_set<std::string> known_;
  std::unordered_map<Pair, Index, PairHash> counts_;
  std::unordered_map<Pair, std::unordered_set<std::size_t>, PairHash> places_;
  std::unordered_set<Pair, PairHash> touched_;
  std::priority_queue<Entry> queue_;
};

}  // namespace

BpeModel learn_bpe(const std::vector<std::pair<std::string, Index>>& words, Index count, Index min_frequency) {
  return Learner(words).learn(count, min_frequency);
}

}  // namespace headlight
