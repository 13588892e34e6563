#include "model/training/tasks/bilingual.h"

#include "model/text/words.h"

namespace headlight {

Example example_of(const Phrase& phrase) {
  const auto text = [](const Marked& words) {
    std::vector<std::string> texts;
    for (const auto& [word, meaning] : words) texts.push_back(word);
    return join_words(texts);
  };
  Example example{text(phrase.source), text(phrase.target)};
  for (std::size_t t = 0; t < phrase.target.size(); ++t)
    for (std::size_t s = 0; s < phrase.source.size(); ++s)
      if (phrase.target[t].second != 0 && phrase.target[t].second == phrase.source[s].second)
        example.alignment.push_back({static_cast<Index>(s), static_cast<Index>(t)});
  return example;
}

}  // namespace headlight
