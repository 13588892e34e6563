// The Markdown of lessons: paragraphs, lists, formulas; strong, meant, code, links and values. Nothing else is read as
// anything but text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

struct TextSpan {
  std::string text;  // of a value: its name
  bool strong = false, meant = false, code = false, value = false;
  std::string link;   // its target; empty: none
  int decimals = -1;  // of a value; negative: as many as it needs
  bool operator==(const TextSpan&) const = default;
};

struct TextBlock {
  enum class Kind { paragraph, item, formula };
  Kind kind = Kind::paragraph;
  std::vector<TextSpan> spans;
  int line = 0;  // of the file, from 1
  bool operator==(const TextBlock&) const = default;
};

using RichText = std::vector<TextBlock>;

// A line of a file with its number.
struct TextLine {
  std::string_view text;
  int number = 0;
};
std::vector<TextLine> lines_of(std::string_view text);

// Throws FormatError "FILE:LINE: ..." for a mark that is not closed, a link without a target, a name that is none.
RichText parse_markdown(const std::vector<TextLine>& lines, const std::string& file);
// One paragraph of plain words.
TextBlock words_block(const std::string& text, bool strong = false);
// The words alone; in place of a value its name.
std::string plain_text(const TextBlock& block);
std::string plain_text(const RichText& text);
// Words, and characters of scripts that are written without spaces: what is read aloud.
struct TextLength {
  int words = 0, characters = 0;
};
TextLength length_of(const RichText& text);

// Letters, digits, '-' and '_', at most 40 of them: a name of a value, a step, a word of the glossary.
bool is_name(std::string_view text);

}  // namespace headlight
