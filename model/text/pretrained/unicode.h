// Properties of characters, as the tokenizers that models were trained with see them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight::pretrained {

// Appends the UTF-8 form.
void append(std::string& text, char32_t c);
std::size_t utf8_length(char32_t c);

bool is_white_space(char32_t c);          // Unicode's White_Space
bool is_numeric(char32_t c);              // Nd, Nl, No
bool is_mark(char32_t c);                 // Mn, Mc, Me
bool is_word_character(char32_t c);       // \w: letters, marks, digits, connecting punctuation, joiners
bool is_punctuation(char32_t c);          // ASCII punctuation, and P of Unicode 8
bool is_old_nonspacing_mark(char32_t c);  // Mn of Unicode 8
bool is_dropped_by_cleaning(char32_t c);  // Cc, Cf (Unicode 8), Co, but not tab, LF, CR
bool is_ideograph(char32_t c);            // what BERT puts spaces around

// The script of a character; kNoScript: it has none yet.
constexpr int kNoScript = -1;
int script_of(char32_t c);
bool is_kana(int script);
int han_script();

// Lower case without context; U+0130 alone becomes two characters.
std::u32string lower(char32_t c);

enum class NormalForm { nfc, nfd, nfkc, nfkd };
// The characters of a normal form. With each: 0 when it stands for one character, -n when it stands for n more as well,
// 1 when it stands for none of its own (transform() of AlignedText).
std::vector<std::pair<char32_t, int>> normal_form(const std::u32string& text, NormalForm form);

}  // namespace headlight::pretrained
