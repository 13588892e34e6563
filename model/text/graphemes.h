// Characters as readers see them: what several code points make together (Unicode standard annex 29).
#pragma once

#include <cstddef>
#include <string_view>

namespace headlight {

// Bytes of the grapheme cluster that begins at `at`: a letter with its accents, a syllable of Hangul letters, a flag, a
// family of emoji, CR LF. A broken byte stands alone; 0 at the end of the text. The tables are those of the ICU
// that is installed (72: Unicode 15).
std::size_t grapheme_length(std::string_view text, std::size_t at);

}  // namespace headlight
