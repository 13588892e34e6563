// Splitting texts into words and putting them together again. Characters, letters and signs are ICU's; the borders of
// words are rules of our own, for the vocabularies of trained models depend on them ("l'" is a word of its own, which
// it is not in Unicode's).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// A word, a number, or a sign.
struct Word {
  std::size_t begin = 0, end = 0;  // bytes
};
// Splits at white space and around signs. An apostrophe between letters ends the first part (l'eau -> l' eau); hyphens
// between letters, and points and commas between digits, stay within the word. Ideographs, kana and broken bytes stand
// alone.
std::vector<Word> split_words(std::string_view text);
// With spaces between them, but none before "." and after "l'", and none between ideographs.
std::string join_words(const std::vector<std::string>& words);

}  // namespace headlight
