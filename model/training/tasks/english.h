// Short texts in a small English: subjects and verbs agree over what stands between them, pronouns and repeated nouns
// refer to what was said before.
#pragma once

#include <string>
#include <vector>

#include "model/core/random.h"

namespace headlight::english {

// Sentences of one text, each a list of words that ends with ".": 4 to 16 words without it.
using Sentence = std::vector<std::string>;
inline constexpr int kShortestSentence = 4, kLongestSentence = 16, kMostSentences = 4;

// One to kMostSentences sentences of one story.
std::vector<Sentence> draw_text(Random& random, int sentences);

}  // namespace headlight::english
