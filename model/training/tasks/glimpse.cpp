// A grid of symbols and a place: which symbol stands there?
// models.md 8.1: 4 x 4 cells, for hard attention
#include <algorithm>
#include <sstream>

#include "model/training/tasks/task.h"

namespace headlight {

namespace {

constexpr std::uint32_t kSide = 4, kSymbols = 10;

std::string symbol(std::uint32_t number) { return std::string(1, static_cast<char>('a' + number)); }
std::string place(std::uint32_t row, std::uint32_t column) {
  return "r" + std::to_string(row + 1) + "c" + std::to_string(column + 1);
}

Example draw_digits(Random& random) {
  Example example;
  const std::uint32_t row = random.below(kSide), column = random.below(kSide), asked = row * kSide + column;
  for (std::uint32_t cell = 0; cell < kSide * kSide; ++cell) {
    const std::string text = symbol(random.below(kSymbols));
    if (cell == asked) example.target = text;
    example.source += text + " ";
  }
  example.source += place(row, column);
  example.alignment = {{static_cast<Index>(asked), 0}};
  return example;
}

bool is_symbol(const std::string& word) {
  return word.size() == 1 && word[0] >= 'a' && word[0] < static_cast<char>('a' + kSymbols);
}

// Sixteen symbols and a place, and what stands there. Letters of any case: the tokenizer makes them small.
std::pair<Misfit, std::string> seen_in(const std::string& text) {
  std::istringstream words(text);
  std::vector<std::string> symbols;
  for (std::string word; words >> word;) {
    std::transform(word.begin(), word.end(), word.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (symbols.size() < kSide * kSide && is_symbol(word)) {
      symbols.push_back(word);
      continue;
    }
    for (std::uint32_t cell = 0; symbols.size() == kSide * kSide && cell < kSide * kSide; ++cell)
      if (word == place(cell / kSide, cell % kSide) && !(words >> word)) return {Misfit::none, symbols[cell]};
    return {Misfit::form, {}};
  }
  return {symbols.empty() ? Misfit::none : Misfit::unfinished, {}};
}

}  // namespace

Task glimpse_task() {
  std::vector<std::string> symbols, all;
  for (std::uint32_t i = 0; i < kSymbols; ++i) symbols.push_back(symbol(i));
  all = symbols;
  for (std::uint32_t row = 0; row < kSide; ++row)
    for (std::uint32_t column = 0; column < kSide; ++column) all.push_back(place(row, column));
  Task task{"glimpse",
            "A glimpse at a grid",
            "Reads a grid of four rows of four letters (a to j), row by row, and a place such as r2c3 (row 2, column "
            "3), and writes the letter that stands there: one look at the right cell is enough.",
            rules_with_end(TokenizerKind::words, all, symbols, true),
            {"a b c d e f g h i j a b c d e f r2c3", "j j j j j a j j j j j j j j j j r2c2",
             "d a h b i c e g a f j b c d h e r4c1"},
            draw_digits};
  task.text.eos.reset();
  task.text.target_length = 1;
  task.text.longest_source = kSide * kSide + 1;
  task.learned.kind = Learned::Kind::grid;
  task.learned.first = task.learned.last = kSide;
  task.learned.misfit = [](const std::string& text) { return seen_in(text).first; };
  task.learned.tries = [examples = task.examples](const std::string&) {
    std::vector<Learned::Text> texts;
    for (const std::string& each : examples) texts.push_back({each, seen_in(each).second});
    return texts;
  };
  return task;
}

}  // namespace headlight
