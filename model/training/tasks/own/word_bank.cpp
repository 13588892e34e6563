#include "model/training/tasks/own/word_bank.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "model/core/random.h"
#include "model/text/words.h"
#include "model/training/tasks/own/pairs.h"

namespace headlight {

// A sentence of one side while it is put together.
struct WordBank::Made {
  std::vector<std::string> pieces, keys;
  std::vector<int> item, part;  // of each piece: where it comes from
};

WordBank::Allowed WordBank::all() const {
  Allowed allowed;
  for (const Slot& slot : slots_) allowed.emplace_back(slot.words.size(), true);
  return allowed;
}

std::size_t WordBank::possible(const Allowed& allowed) const {
  std::size_t count = 1;
  for (const std::vector<bool>& words : allowed)
    count *= static_cast<std::size_t>(std::count(words.begin(), words.end(), true));
  return count;
}

// Sentences are numbered like digits: the last slot changes fastest.
WordBank::Choice WordBank::choice_of(std::size_t number, const Allowed& allowed) const {
  Choice choice(slots_.size(), 0);
  for (std::size_t s = slots_.size(); s-- > 0;) {
    std::vector<int> words;
    for (std::size_t w = 0; w < allowed[s].size(); ++w)
      if (allowed[s][w]) words.push_back(static_cast<int>(w));
    choice[s] = words[number % words.size()];
    number /= words.size();
  }
  return choice;
}

const WordBank::Pattern& WordBank::pattern_of(const Choice& choice) const {
  const auto fits = [&](const Pattern& pattern) {
    for (std::size_t s = 0; s < choice.size(); ++s)
      if (!pattern.fits[s][static_cast<std::size_t>(choice[s])]) return false;
    return true;
  };
  const auto found = std::ranges::find_if(patterns_, fits);
  return found == patterns_.end() ? patterns_.back() : *found;
}

const WordBank::Form& WordBank::form_of(const Item& item, const Choice& choice, bool target) const {
  if (item.slot < 0) return item.text;
  const auto slot = static_cast<std::size_t>(item.slot);
  const Word& word = slots_[slot].words[static_cast<std::size_t>(choice[slot])];
  return (target ? word.target : word.source)[item.form];
}

WordBank::Made WordBank::made_of(const std::vector<Item>& items, const Choice& choice, bool target) const {
  Made made;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Form& form = form_of(items[i], choice, target);
    made.pieces.insert(made.pieces.end(), form.pieces.begin(), form.pieces.end());
    made.keys.insert(made.keys.end(), form.keys.begin(), form.keys.end());
    made.part.insert(made.part.end(), form.part.begin(), form.part.end());
    made.item.insert(made.item.end(), form.pieces.size(), static_cast<int>(i));
  }
  return made;
}

Example WordBank::make(const Choice& choice) const {
  const Pattern& pattern = pattern_of(choice);
  const Made source = made_of(pattern.source, choice, false), target = made_of(pattern.target, choice, true);
  Example example{join_words(source.pieces), join_words(target.pieces)};
  for (std::size_t t = 0; t < target.pieces.size(); ++t) {
    const Item& item = pattern.target[static_cast<std::size_t>(target.item[t])];
    if (item.from < 0) continue;
    // Parts belong together one by one; where there are not as many, all come from the last: "the girl" -> 女孩.
    const int parts = form_of(pattern.source[static_cast<std::size_t>(item.from)], choice, false).parts;
    const int part = parts == form_of(item, choice, true).parts ? target.part[t] : parts - 1;
    for (std::size_t s = 0; s < source.pieces.size(); ++s)
      if (source.item[s] == item.from && source.part[s] == part)
        example.alignment.push_back({static_cast<Index>(s), static_cast<Index>(t)});
  }
  return example;
}

// Whether the words from `at` on are the items from `item` on, and with which choice.
bool WordBank::match(const Pattern& pattern, std::size_t item, const std::vector<std::string>& words, std::size_t at,
                     Choice& choice) const {
  if (item == pattern.source.size()) return at == words.size();
  const Item& now = pattern.source[item];
  const auto goes_on = [&](const Form& form) {
    const std::size_t count = form.keys.size();
    return count <= words.size() - at &&
           std::equal(form.keys.begin(), form.keys.end(), words.begin() + static_cast<std::ptrdiff_t>(at)) &&
           match(pattern, item + 1, words, at + count, choice);
  };
  if (now.slot < 0) return goes_on(now.text);
  const auto slot = static_cast<std::size_t>(now.slot);
  if (choice[slot] >= 0) return goes_on(form_of(now, choice, false));
  for (std::size_t w = 0; w < slots_[slot].words.size(); ++w) {
    if (!pattern.fits[slot][w]) continue;
    choice[slot] = static_cast<int>(w);
    if (goes_on(form_of(now, choice, false))) return true;
  }
  choice[slot] = -1;
  return false;
}

std::optional<WordBank::Choice> WordBank::find(const std::string& source) const {
  const std::vector<std::string> words = pair_pieces(source, {});
  for (const Pattern& pattern : patterns_) {
    Choice choice(slots_.size(), -1);
    if (match(pattern, 0, words, 0, choice) && &pattern_of(choice) == &pattern) return choice;
  }
  return std::nullopt;
}

std::vector<Link> WordBank::links(const std::string& source, const std::string& target) const {
  const std::optional<Choice> choice = find(source);
  if (!choice) return {};
  Example made = make(*choice);
  if (pair_pieces(made.target, {}) != pair_pieces(target, {})) return {};
  return std::move(made.alignment);
}

std::vector<SentenceLine> WordBank::missing(const SentenceList& list, const Allowed& allowed, std::size_t count,
                                            std::uint64_t seed) const {
  std::vector<std::uint32_t> numbers(possible(allowed));
  std::iota(numbers.begin(), numbers.end(), 0u);
  Random random(seed, Random::Stream::data, 0xba2c);
  std::vector<SentenceLine> made;
  std::unordered_set<std::string> seen;
  // A shuffle that ends where there are enough.
  for (std::size_t i = 0; i < numbers.size() && made.size() < count; ++i) {
    std::swap(numbers[i], numbers[i + random.below(static_cast<std::uint32_t>(numbers.size() - i))]);
    const Choice choice = choice_of(numbers[i], allowed);
    if (list.has_source(made_of(pattern_of(choice).source, choice, false).keys)) continue;
    Example example = make(choice);
    if (seen.insert(example.source).second)
      made.push_back({std::move(example.source), std::move(example.target), true});
  }
  return made;
}

}  // namespace headlight
