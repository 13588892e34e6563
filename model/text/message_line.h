// Messages on their way out: whatever stood in the names and values that they quote, each is one line that harms no
// terminal and no label.
#pragma once

#include <string>
#include <string_view>

namespace headlight {

// Whether a character starts a line, moves the cursor, reorders what stands beside it, or cannot be seen. Joiners and
// variation selectors are a part of the shape of letters and emoji: they do no harm.
bool is_harmful(char32_t c);

// Such characters are written as escapes ("\n", "\x1b", "\u202e"), and so is each byte of broken UTF-8 ("\xe9").
std::string escaped_line(std::string_view text);

// The same, and short. Of a word that is too long (a name, a number) and of a line that still is, the beginning and the
// end are kept: one says what it is about, the other what is wrong.
std::string message_line(std::string_view text);

}  // namespace headlight
