// The two senses of a word, told apart by another word at a distance.
// models.md 8.1: "bank" with a cue at distance 1-12, tested outside on 13-16.
#include <algorithm>

#include "model/training/tasks/draw.h"
#include "model/training/tasks/task.h"

namespace headlight {

namespace {

constexpr int kTrainedDistance = 12;

using WordList = std::vector<std::string>;

const WordList kPeople = {"we", "they", "she", "he", "i", "everybody", "somebody", "anna"};
const WordList kDeeds = {"asked", "talked", "wrote", "read", "thought", "heard"};
const WordList kShore = {"river", "lake", "canal", "stream"}, kMoney = {"savings", "credit", "investment", "mortgage"};
// Phrases that say nothing about the sense, by their number of words.
const std::vector<std::vector<WordList>> kFillers = {
    {{"yesterday"}, {"again"}, {"today"}, {"briefly"}, {"often"}},
    {{"at", "noon"}, {"last", "week"}, {"on", "monday"}, {"after", "lunch"}, {"in", "april"}},
    {{"in", "the", "morning"}, {"with", "my", "sister"}, {"before", "the", "rain"}, {"on", "the", "phone"}},
};

void append_words(WordList& words, const WordList& more) { words.insert(words.end(), more.begin(), more.end()); }

void fill(WordList& words, int count, Random& random) {
  while (count > 0) {
    const auto length = 1 + random.below(static_cast<std::uint32_t>(std::min(count, 3)));
    append_words(words, pick(kFillers[length - 1], random));
    count -= static_cast<int>(length);
  }
}

Example draw(Random& random, int distance) {
  const bool shore = random.below(2) == 0, cue_first = distance == 1 || random.below(2) == 0;
  const std::string cue = pick(shore ? kShore : kMoney, random);
  WordList words = {pick(kPeople, random), pick(kDeeds, random), "about", "the"};
  const std::size_t first = words.size();
  words.push_back(cue_first ? cue : "bank");
  if (distance == 2) {
    words.emplace_back("or");
  } else if (distance > 2) {
    fill(words, distance - 3, random);
    append_words(words, {"and", "the"});
  }
  const std::size_t second = words.size();
  words.push_back(cue_first ? "bank" : cue);
  fill(words, static_cast<int>(random.below(4)), random);
  Example example;
  for (const std::string& word : words) example.source += (example.source.empty() ? "" : " ") + word;
  example.target = shore ? "shore" : "money";
  example.alignment = {{static_cast<Index>(cue_first ? first : second), 0}};
  example.group = distance;
  return example;
}

}  // namespace

Task bank_task() {
  WordList source = {"about", "the", "and", "or", "bank"};
  for (const WordList* list : {&kPeople, &kDeeds, &kShore, &kMoney}) append_words(source, *list);
  for (const auto& phrases : kFillers)
    for (const WordList& phrase : phrases)
      for (const std::string& word : phrase)
        if (std::find(source.begin(), source.end(), word) == source.end()) source.push_back(word);
  Task task{"bank",
            "Two senses of a word",
            "Reads a sentence with the word 'bank' and says which bank is meant, 'shore' or 'money'. A single other "
            "word gives it away, up to twelve words off.",
            rules_with_end(TokenizerKind::words, source, {"shore", "money"}, true),
            {"we talked about the river bank", "she asked about the bank yesterday and the mortgage",
             "he wrote about the lake in the morning with my sister on the phone and the bank",
             "they heard about the credit or bank in april"},
            [](Random& random) { return draw(random, 1 + static_cast<int>(random.below(kTrainedDistance))); }};
  task.text.eos.reset();
  task.text.target_length = 1;
  task.text.longest_source = 4 + kTrainedDistance + 1 + 3;
  task.grouped_by = "distance";
  task.learned = learned_sentences(Learned::Kind::sentence, task.examples, "we talked about the elephant");
  test_outside(task, {13, 14, 15, 16}, draw);
  return task;
}

}  // namespace headlight
