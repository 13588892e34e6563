// A word bank: one pattern of sentences in two languages with words to choose from in each of its slots, so that
// missing combinations can be made. Built in, or from a JSON file of a teacher (docs/formats.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/training/tasks/own/sentences.h"

namespace headlight {

class WordBank {
 public:
  // One form of a word: "saw", "our teacher". Its parts are separated by spaces.
  struct Form {
    std::string text;
    std::vector<std::string> pieces, keys;  // as the tokenizer cuts it; as the task compares it
    std::vector<int> part;                  // of each piece
    int parts = 0;
  };
  struct Word {
    std::vector<Form> source, target;  // forms of both languages; what a word is called is the first
  };
  struct Slot {
    std::string name;  // "who"
    std::vector<Word> words;
  };
  // A word of a pattern: a form of what is chosen in a slot, or a text.
  struct Item {
    int slot = -1;
    std::size_t form = 0;
    Form text = {};
    int from = -1;  // of targets: the item of the source that it comes from; -1: none
  };
  struct Pattern {
    std::vector<std::vector<bool>> fits;  // for each slot, which words it is for
    std::vector<Item> source, target;
  };
  // For each slot which word.
  using Choice = std::vector<int>;
  // For each slot which words may be chosen.
  using Allowed = std::vector<std::vector<bool>>;

  const std::string& name() const { return name_; }
  const std::string& source_language() const { return source_language_; }
  const std::string& target_language() const { return target_language_; }
  const std::vector<Slot>& slot_list() const { return slots_; }

  Allowed all() const;
  std::size_t possible(const Allowed& allowed) const;
  // With links: Example::alignment.
  Example make(const Choice& choice) const;
  // Which sentence of the bank a text is; none: it is not one of it.
  std::optional<Choice> find(const std::string& source) const;
  // The links of a pair, where the bank knows it; else none.
  std::vector<Link> links(const std::string& source, const std::string& target) const;
  // So many sentences that the list does not have and that are not its probe, marked as made; fewer where there are not
  // so many. The same seed and the same list give the same.
  std::vector<SentenceLine> missing(const SentenceList& list, const Allowed& allowed, std::size_t count,
                                    std::uint64_t seed) const;

  // Throws FileError and FormatError that says what was expected, what was found and where.
  static WordBank read(const std::filesystem::path& file);
  static WordBank parse(const std::string& json, const std::string& name);

 private:
  friend class WordBankReader;
  struct Made;
  Choice choice_of(std::size_t number, const Allowed& allowed) const;
  const Pattern& pattern_of(const Choice& choice) const;
  const Form& form_of(const Item& item, const Choice& choice, bool target) const;
  Made made_of(const std::vector<Item>& items, const Choice& choice, bool target) const;
  bool match(const Pattern& pattern, std::size_t item, const std::vector<std::string>& words, std::size_t at,
             Choice& choice) const;

  std::string name_, source_language_, target_language_;
  std::vector<Slot> slots_;
  std::vector<Pattern> patterns_;  // the first that fits is taken; the last fits always
};

// The first is the class's: English and German, where the verb stands second, and with "gestern" at the end; the other
// English and Chinese.
const std::vector<WordBank>& word_banks();

}  // namespace headlight
