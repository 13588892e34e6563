#include "app/lessons/rich_text.h"

#include <algorithm>
#include <charconv>

#include "model/core/errors.h"
#include "model/text/utf8.h"

namespace headlight {

namespace {

constexpr std::size_t kLongestTarget = 300;

bool is_space(char c) { return c == ' ' || c == '\t'; }

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (is_space(text.front()) || text.front() == '\r')) text.remove_prefix(1);
  while (!text.empty() && (is_space(text.back()) || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

// One paragraph or item: its text in one piece, and where its lines begin in it.
class SpanReader {
 public:
  SpanReader(const std::vector<TextLine>& lines, const std::string& file) : file_(file) {
    for (const TextLine& line : lines) {
      if (!text_.empty()) join(line.text);
      begins_.push_back({text_.size(), line.number});
      text_ += without_blanks(line.text);
    }
  }

  std::vector<TextSpan> read() {
    while (at_ < text_.size()) step();
    flush();
    if (strong_) fail(strong_at_, "'**' is not closed");
    if (meant_) fail(meant_at_, "'*' is not closed");
    return std::move(spans_);
  }

 private:
  // Lines of Chinese are joined without a space.
  void join(std::string_view next) {
    const std::string_view after = without_blanks(next);
    const auto wide = [](std::string_view c) { return !c.empty() && static_cast<unsigned char>(c[0]) >= 0xe3; };
    std::size_t last = text_.size();
    while (last > 0 && (static_cast<unsigned char>(text_[last - 1]) & 0xc0) == 0x80) --last;
    if (last > 0) --last;
    if (!(wide(std::string_view(text_).substr(last)) && wide(after))) text_ += ' ';
  }

  [[noreturn]] void fail(std::size_t at, const std::string& what) const {
    int line = begins_.front().second;
    for (const auto& [begin, number] : begins_)
      if (begin <= at) line = number;
    throw FormatError(file_ + ":" + std::to_string(line) + ": " + what);
  }

  void flush() {
    if (plain_.empty()) return;
    add(std::move(plain_));
    plain_.clear();
  }
  void add(std::string text) {
    TextSpan span;
    span.text = std::move(text);
    span.strong = strong_;
    span.meant = meant_;
    span.link = link_;
    spans_.push_back(std::move(span));
  }

  std::size_t find(std::string_view what, const char* mark) {
    const std::size_t end = text_.find(what, at_);
    if (end == std::string::npos) fail(at_, std::string("'") + mark + "' is not closed");
    return end;
  }

  void step() {
    const char c = text_[at_];
    static constexpr std::string_view kMarks = "\\`*[]{}";
    if (c == '\\' && at_ + 1 < text_.size() && kMarks.find(text_[at_ + 1]) != std::string_view::npos) {
      plain_ += text_[at_ + 1];
      at_ += 2;
    } else if (c == '`') {
      flush();
      ++at_;
      const std::size_t end = find("`", "`");
      add(text_.substr(at_, end - at_));
      spans_.back().code = true;
      at_ = end + 1;
    } else if (c == '*') {
      const bool twice = text_.compare(at_, 2, "**") == 0;
      flush();
      (twice ? strong_ : meant_) = twice ? !strong_ : !meant_;
      (twice ? strong_at_ : meant_at_) = at_;
      at_ += twice ? 2 : 1;
    } else if (c == '{') {
      read_value();
    } else if (c == '}') {
      fail(at_, "'}' without '{'; write \\} for the sign itself");
    } else if (c == '[') {
      read_link();
    } else {
      plain_ += c;
      ++at_;
    }
  }

  void read_value() {
    flush();
    const std::size_t begin = ++at_, end = find("}", "{");
    std::string name = text_.substr(begin, end - begin);
    TextSpan span;
    if (const std::size_t colon = name.find(':'); colon != std::string::npos) {
      const char* last = name.data() + name.size();
      const auto [stop, error] = std::from_chars(name.data() + colon + 1, last, span.decimals);
      if (error != std::errc() || stop != last || span.decimals < 0 || span.decimals > 9)
        fail(begin, "{" + name.substr(0, 40) + "}: expected a number of decimals from 0 to 9 behind ':'");
      name.resize(colon);
    }
    if (!is_name(name)) fail(begin, "{" + name.substr(0, 40) + "}: expected the name of a value");
    span.text = name;
    span.value = true;
    span.strong = strong_;
    span.meant = meant_;
    span.link = link_;
    spans_.push_back(std::move(span));
    at_ = end + 1;
  }

  // Where the ')' is that ends a target: brackets and texts within it are part of it.
  std::size_t end_of_target() const {
    int open = 0;
    bool quoted = false;
    for (std::size_t i = at_; i < text_.size(); ++i) {
      if (quoted && text_[i] == '\\') {
        ++i;
      } else if (text_[i] == '"') {
        quoted = !quoted;
      } else if (!quoted && text_[i] == '(') {
        ++open;
      } else if (!quoted && text_[i] == ')' && open-- == 0) {
        return i;
      }
    }
    return std::string::npos;
  }

  void read_link() {
    const std::size_t begin = at_;
    if (!link_.empty()) fail(begin, "a link within a link");
    // The words may have marks of their own: the target is found first.
    std::size_t close = at_ + 1;
    while (close < text_.size() && text_[close] != ']') close += text_[close] == '\\' ? 2 : 1;
    if (close >= text_.size()) fail(begin, "'[' is not closed");
    if (close + 1 >= text_.size() || text_[close + 1] != '(')
      fail(begin, "expected '(' with a target behind ']'; write \\[ for the sign itself");
    flush();
    at_ = close + 2;
    const std::size_t end = end_of_target();
    if (end == std::string::npos) fail(begin, "the target of a link is not closed");
    const std::string target(without_blanks(std::string_view(text_).substr(at_, end - at_)));
    if (target.empty()) fail(begin, "a link without a target");
    if (target.size() > kLongestTarget) fail(begin, "a target of more than 300 bytes");
    link_ = target;
    at_ = begin + 1;
    const std::size_t spans = spans_.size();
    while (at_ < close) step();
    flush();
    if (spans_.size() == spans) fail(begin, "a link without words");
    link_.clear();
    at_ = end + 1;
  }

  std::string file_, text_, plain_, link_;
  std::vector<std::pair<std::size_t, int>> begins_;
  std::vector<TextSpan> spans_;
  std::size_t at_ = 0, strong_at_ = 0, meant_at_ = 0;
  bool strong_ = false, meant_ = false;
};

bool is_fence(std::string_view line) { return without_blanks(line) == "```"; }

}  // namespace

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= 40 && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

std::vector<TextLine> lines_of(std::string_view text) {
  std::vector<TextLine> lines;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back({line, ++number});
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

RichText parse_markdown(const std::vector<TextLine>& lines, const std::string& file) {
  RichText blocks;
  std::vector<TextLine> open;
  bool item = false;
  const auto close = [&] {
    if (open.empty()) return;
    blocks.push_back({item ? TextBlock::Kind::item : TextBlock::Kind::paragraph, SpanReader(open, file).read(),
                      open.front().number});
    open.clear();
    item = false;
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = without_blanks(lines[i].text);
    if (is_fence(line)) {
      close();
      TextBlock formula{TextBlock::Kind::formula, {}, lines[i].number};
      std::string text;
      std::size_t j = i + 1;
      for (; j < lines.size() && !is_fence(lines[j].text); ++j)
        text += (text.empty() ? "" : "\n") + std::string(lines[j].text);
      if (j == lines.size())
        throw FormatError(file + ":" + std::to_string(lines[i].number) + ": the formula is not closed by a line ```");
      formula.spans.push_back({});
      formula.spans.back().text = std::move(text);
      formula.spans.back().code = true;
      blocks.push_back(std::move(formula));
      i = j;
    } else if (line.empty()) {
      close();
    } else if (line.starts_with("- ")) {
      close();
      item = true;
      open.push_back({line.substr(2), lines[i].number});
    } else {
      open.push_back({line, lines[i].number});
    }
  }
  close();
  return blocks;
}

TextBlock words_block(const std::string& text, bool strong) {
  TextBlock block;
  block.spans.push_back({});
  block.spans.back().text = text;
  block.spans.back().strong = strong;
  return block;
}

std::string plain_text(const TextBlock& block) {
  std::string text;
  for (const TextSpan& span : block.spans) text += span.text;
  return text;
}

std::string plain_text(const RichText& text) {
  std::string plain;
  for (const TextBlock& block : text) plain += (plain.empty() ? "" : "\n") + plain_text(block);
  return plain;
}

TextLength length_of(const RichText& text) {
  TextLength length;
  const std::string plain = plain_text(text);
  bool in_word = false;
  for (std::size_t i = 0; i < plain.size();) {
    const std::size_t bytes = std::max<std::size_t>(code_point_length(plain, i), 1);
    const char32_t c = bytes > 1 ? code_point(std::string_view(plain).substr(i, bytes)) : plain[i];
    const bool ideograph =
        (c >= 0x3040 && c <= 0x30ff) || (c >= 0x3400 && c <= 0x9fff) || (c >= 0x20000 && c <= 0x3ffff);
    const bool hangul = c >= 0xac00 && c <= 0xd7a3;  // stands in words with spaces between them
    const bool part = c > 0x7f ? hangul || (!ideograph && c >= 0xc0 && c < 0x2000)
                               : (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                                     (in_word && (c == '\'' || c == '-'));
    if (ideograph) ++length.characters;
    if (part && !in_word) ++length.words;
    in_word = part;
    i += bytes;
  }
  return length;
}

}  // namespace headlight
