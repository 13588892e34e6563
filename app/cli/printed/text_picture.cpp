// Draws with shade blocks, two terminal columns for each token, so that wide characters stand above their own column.

#include "app/cli/printed/text_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "model/analysis/alignment.h"
#include "model/analysis/attention_maps.h"
#include "model/text/message_line.h"
#include "model/text/utf8.h"

namespace headlight {

namespace {

struct Range {
  char32_t first, last;
};
// Unicode's East Asian Width W and F, in blocks; single narrow code points inside them do not matter here.
constexpr std::array<Range, 13> kWide = {{{0x1100, 0x115F},
                                          {0x231A, 0x231B},
                                          {0x2E80, 0x303E},
                                          {0x3041, 0x33FF},
                                          {0x3400, 0x4DBF},
                                          {0x4E00, 0x9FFF},
                                          {0xA000, 0xA4CF},
                                          {0xAC00, 0xD7A3},
                                          {0xF900, 0xFAFF},
                                          {0xFE30, 0xFE6F},
                                          {0xFF00, 0xFF60},
                                          {0x1F300, 0x1FAFF},
                                          {0x20000, 0x3FFFD}}};
constexpr std::array<Range, 6> kZero = {
    {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x202A, 0x202E}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}}};

template <std::size_t N>
bool contains(const std::array<Range, N>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(), [c](const Range& r) { return c >= r.first && c <= r.last; });
}

// The code point that starts at `i`, and moves `i` behind it. Broken bytes come back one by one as U+FFFD.
char32_t next_code_point(std::string_view text, std::size_t& i) {
  const std::size_t begin = i, length = code_point_length(text, begin);
  i += std::max<std::size_t>(1, length);
  return length == 0 ? 0xFFFD : code_point(text.substr(begin, length));
}

std::string padded(const std::string& text, int width) {
  return text + std::string(static_cast<std::size_t>(std::max(0, width - display_width(text))), ' ');
}

const char* shade(double weight) {
  if (!std::isfinite(weight)) return "??";
  if (weight < 0.02) return " ·";
  if (weight < 0.15) return "░░";
  if (weight < 0.40) return "▒▒";
  if (weight < 0.70) return "▓▓";
  return "██";
}

std::string number(const char* format, double value) {
  std::array<char, 32> buffer{};
  if (std::isnan(value)) value = std::abs(value);  // never "-nan"
  std::snprintf(buffer.data(), buffer.size(), format, value);
  return buffer.data();
}

// How many columns are worth showing: the padding behind the text is left out while nothing looks at it.
Index shown_columns(const Alignment& alignment, const Result& result) {
  const Index rows = alignment.weights.rows(), columns = alignment.weights.columns();
  Index last = 0;
  for (Index s = 0; s < columns; ++s) {
    const int token = alignment.token_of_column[static_cast<std::size_t>(s)];
    bool seen = token < 0 || !result.tokens[static_cast<std::size_t>(token)].padding;
    for (Index t = 0; t < rows && !seen; ++t) seen = !(alignment.weights[t * columns + s] < Scalar(0.02));
    if (seen) last = s + 1;
  }
  return last;
}

std::string row_text(const Alignment& alignment, Index t, Index shown, const OutputStep& step, int label_width) {
  const Index columns = alignment.weights.columns();
  std::string line =
      "  " + padded(terminal_token(step.text), label_width) + number(" %6.1f %% ", 100 * step.probability) + "│";
  Index best = -1;
  bool finite = true;
  for (Index s = 0; s < columns; ++s) {
    const Scalar weight = alignment.weights[t * columns + s];
    finite = finite && std::isfinite(weight);
    if (best < 0 || weight > alignment.weights[t * columns + best]) best = s;
    const bool hidden = !alignment.hidden.empty() && alignment.hidden[static_cast<std::size_t>(t * columns + s)];
    if (s < shown) line += hidden && weight == 0 ? "  " : shade(static_cast<double>(weight));
  }
  if (!finite) return line + "│ the weights are not numbers\n";
  const auto peak = static_cast<double>(alignment.weights[t * columns + best]);
  const std::string peak_token = terminal_token(alignment.column_labels[static_cast<std::size_t>(best)]);
  return line + "│ " + padded(peak_token, 2) + number(" %.3f", peak) + " at " + std::to_string(best + 1) + "\n";
}

// Column labels of at most two columns stand side by side; longer ones (words) from top to bottom, 14 characters of
// them.
std::string header_text(const std::vector<std::string>& labels, const std::string& margin) {
  int longest = 0;
  for (const std::string& label : labels) longest = std::max(longest, display_width(label));
  std::string text = margin;
  if (longest <= 2) {
    for (const std::string& label : labels) text += display_width(label) < 2 ? " " + label : label;
    return text;
  }
  const int height = std::min(longest, 14);
  std::vector<std::vector<std::string>> lines(static_cast<std::size_t>(height));
  for (const std::string& label : labels) {
    std::vector<std::string> characters;
    for (std::size_t i = 0; i < label.size();) {
      const std::size_t begin = i;
      next_code_point(label, i);
      characters.push_back(label.substr(begin, i - begin));
    }
    if (static_cast<int>(characters.size()) > height) {
      characters.resize(static_cast<std::size_t>(height));
      characters.back() = "…";
    }
    const std::size_t above = static_cast<std::size_t>(height) - characters.size();
    for (std::size_t y = 0; y < lines.size(); ++y) lines[y].push_back(y < above ? " " : characters[y - above]);
  }
  for (std::size_t y = 0; y < lines.size(); ++y) {
    if (y > 0) text += "\n" + margin;
    for (const std::string& character : lines[y]) text += display_width(character) < 2 ? " " + character : character;
  }
  return text;
}

std::string alignment_text(const Alignment& alignment, const Result& result) {
  const Index shown = shown_columns(alignment, result);
  int label_width = 2;
  for (const OutputStep& step : result.steps)
    label_width = std::max(label_width, display_width(terminal_token(step.text)));
  const std::string margin(static_cast<std::size_t>(label_width) + 12, ' ');
  std::vector<std::string> labels;
  for (Index s = 0; s < shown; ++s)
    labels.push_back(terminal_token(alignment.column_labels[static_cast<std::size_t>(s)]));
  std::string text = "\n" + header_text(labels, margin);
  text += "    looks most at\n";
  for (Index t = 0; t < alignment.weights.rows() && t < static_cast<Index>(result.steps.size()); ++t)
    text += row_text(alignment, t, shown, result.steps[static_cast<std::size_t>(t)], label_width);
  text += margin + "weights:  · < 0.02   ░░ < 0.15   ▒▒ < 0.40   ▓▓ < 0.70   ██ to 1\n";
  return text;
}

std::string steps_text(const Result& result) {
  std::string text = "\n  output   probability   next best\n";
  for (const OutputStep& step : result.steps) {
    text += "  " + padded(terminal_token(step.text), 9) + number("%9.1f %%", 100 * step.probability) + "   ";
    for (const Candidate& other : step.top) {
      if (other.id == step.id) continue;
      text += terminal_token(other.text) + number(" %.1f %%", 100 * other.probability) + "  ";
      break;
    }
    text += "\n";
  }
  return text;
}

}  // namespace

int display_width(std::string_view utf8) {
  int width = 0;
  for (std::size_t i = 0; i < utf8.size();) {
    const char32_t c = next_code_point(utf8, i);
    if (c < 0x20 || c == 0x7F || contains(kZero, c)) continue;
    width += contains(kWide, c) ? 2 : 1;
  }
  return width;
}

std::string terminal_token(const std::string& token) {
  if (token == " ") return "␣";
  std::string text;
  for (std::size_t i = 0; i < token.size();) {
    const std::size_t begin = i;
    const char32_t c = next_code_point(token, i);
    if (c < 0x20) {  // U+2400.. are the pictures of the control characters
      const auto picture = static_cast<unsigned>(0x2400 + c);
      text += {static_cast<char>(0xE2), static_cast<char>(0x80 | ((picture >> 6) & 0x3F)),
               static_cast<char>(0x80 | (picture & 0x3F))};
    } else if (c == 0xFFFD || is_harmful(c) || contains(kZero, c)) {
      text += "�";
    } else {
      text += token.substr(begin, i - begin);
    }
  }
  return text;
}

// A text for one line: control characters as pictures, spaces as they are.
std::string plain_line(const std::string& text) {
  std::string line;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i;
    next_code_point(text, i);
    const std::string character = text.substr(begin, i - begin);
    line += character == " " ? " " : terminal_token(character);
  }
  return line;
}

// The outputs that a beam search found, best first.
std::string beam_text(const BeamTree& tree, const TextRules& rules) {
  std::string text = "\n  beam search     score    log p\n";
  for (const BeamEnd& end : tree.best) {
    std::vector<TokenId> tokens = end.tokens;
    if (rules.eos && !tokens.empty() && tokens.back() == *rules.eos) tokens.pop_back();
    text += "            " + number("%9.4f", end.score) + number("%9.4f", end.logp) + "   " +
            plain_line(rules.target.join(tokens)) + (end.truncated ? " …" : "") + "\n";
  }
  return text;
}

std::string text_picture(const Result& result) {
  double probability = 1;
  for (const OutputStep& step : result.steps) probability *= step.probability;
  std::string text = "source  " + plain_line(result.source) + "\noutput  " + plain_line(result.output) +
                     number("   (probability %.4f)\n", probability);
  if (result.beam) text += beam_text(*result.beam, result.model->text);
  const Alignment weights = alignment(result);
  if (weights.empty())
    text += steps_text(result);
  else if (weights.are_shares)
    text += alignment_text(weights, result);
  else
    text += "\n  What is stored are no shares of attention; 'headlight render' with --view alignment draws it.\n";
  if (weights.empty() && result.trace)
    text += attention_maps(result).empty() ? "\n  This model has no attention, so there is no alignment to show.\n"
                                           : "\n  No output attends to the text by itself, so there is no alignment to "
                                             "show; 'headlight render' with --view "
                                             "heads draws every attention.\n";
  for (const RunNote& note : result.notes) text += "note: " + note_text(note) + "\n";
  return text;
}

}  // namespace headlight
