// Texts in a small English for models of a language: going on with a text, and finding hidden words.
// story_task: the source is empty (its start sign alone), the target a text of two to four sentences with its end sign.
// masked_task: the source is a text of one or two sentences of which some words are hidden, the target the text; only
// the chosen places count (Devlin et al. 2019, section 3.1: 15 % of the words, 80 % of those [MASK], 10 % another word,
// 10 % as they are).
#include <algorithm>

#include "model/text/words.h"
#include "model/training/tasks/draw.h"
#include "model/training/tasks/english.h"
#include "model/training/tasks/english_words.h"
#include "model/training/tasks/task.h"

namespace headlight {

namespace {

using english::Sentence;

const std::vector<std::string>& lexicon() {
  static const std::vector<std::string> words = english::all_words();
  return words;
}

Sentence draw_words(Random& random, int sentences) {
  Sentence words;
  for (const Sentence& sentence : english::draw_text(random, sentences))
    words.insert(words.end(), sentence.begin(), sentence.end());
  return words;
}

Example draw_story(Random& random) {
  const int sentences = 2 + static_cast<int>(random.below(english::kMostSentences - 1));
  return {"", join_words(draw_words(random, sentences)), {}, sentences};
}

Example draw_masked(Random& random) {
  const Sentence words = draw_words(random, 1 + static_cast<int>(random.below(2)));
  Sentence source = words;
  std::vector<bool> counted(words.size(), false);
  std::vector<std::size_t> hideable;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] != ".") hideable.push_back(i);
  for (const std::size_t i : hideable) counted[i] = chance(0.15, random);
  if (std::find(counted.begin(), counted.end(), true) == counted.end()) counted[pick(hideable, random)] = true;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!counted[i]) continue;
    const double draw = random.uniform();
    if (draw < 0.8) {
      source[i] = kMask;
    } else if (draw < 0.9) {
      source[i] = pick(lexicon(), random);
    }
  }
  Example example{join_words(source), join_words(words)};
  example.counted = std::move(counted);
  return example;
}

}  // namespace

Task story_task() {
  Task task{"story",
            "Small stories",
            "Goes on with a story of short English sentences, word by word: verbs agree with their subjects over what "
            "stands between them, and 'she', 'it' or a name goes back to a sentence before.",
            rules_with_end(TokenizerKind::words, lexicon(), lexicon(), true),
            {"the keys to the old cabinet", "anna sees tom in the garden. he carries a red box. he gives",
             "there are two cats under the table. peter", "the girl who knows the kings", ""},
            draw_story};
  task.text.source_bos = true;
  task.text.target_length = english::kMostSentences * (english::kLongestSentence + 1);
  task.grouped_by = "sentences";
  task.learned = learned_sentences(Learned::Kind::story, task.examples, "the astronaut finds a red key");
  task.distinct_targets = task.open_ended = true;
  return task;
}

Task masked_task() {
  std::vector<std::string> words = {kMask};
  words.insert(words.end(), lexicon().begin(), lexicon().end());
  Task task{"masked",
            "Hidden words",
            "Guesses the words of a text that are hidden behind [MASK] (or typed as ___) from what stands before and "
            "behind them.",
            rules_with_end(TokenizerKind::words, words, words, true),
            {"the keys to the old cabinet [MASK] on the table.", "anna finds a red key. [MASK] hides it under the bed.",
             "two dogs follow the boy. he [MASK] them.", "the picture of the queens [MASK] beautiful.",
             "the girl [MASK] lives near the river likes the [MASK] birds."},
            draw_masked};
  task.text.eos.reset();  // as many words as the source
  task.text.mask = task.text.source.vocabulary().find(kMask);
  task.text.longest_source = 2 * (english::kLongestSentence + 1);
  task.learned = learned_sentences(Learned::Kind::hidden_words, task.examples, "the elephant [MASK] on the table.");
  task.distinct_targets = true;
  return task;
}

}  // namespace headlight
