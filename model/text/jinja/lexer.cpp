#include "model/text/jinja/lexer.h"

#include <algorithm>
#include <cstdlib>

#include "model/core/numbers.h"
#include "model/text/jinja/letters.h"
#include "model/text/utf8.h"

namespace headlight::jinja {

void fail_syntax(int line, const std::string& what) { throw TemplateError(TemplateError::Kind::syntax, what, line); }

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_begin(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0; }
bool is_name(char c) { return is_name_begin(c) || is_digit(c); }

// CR LF and CR are LF; one newline at the end is dropped.
std::string normalised(std::string source) {
  std::string made;
  made.reserve(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] != '\r') {
      made += source[i];
      continue;
    }
    made += '\n';
    if (i + 1 < source.size() && source[i + 1] == '\n') ++i;
  }
  if (!made.empty() && made.back() == '\n') made.pop_back();
  return made;
}

class Lexer {
 public:
  explicit Lexer(std::string source) : source_(normalised(std::move(source))) {}

  std::vector<Token> all() {
    while (at_ < source_.size()) next_data();
    add(Token::Kind::end);
    return std::move(tokens_);
  }

 private:
  bool here(std::string_view text) const { return std::string_view(source_).substr(at_, text.size()) == text; }
  void go(std::size_t count) {
    line_ += static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         source_.begin() + static_cast<std::ptrdiff_t>(at_ + count), '\n'));
    at_ += count;
  }
  void add(Token::Kind kind, std::string text = {}, Value value = {}) {
    tokens_.push_back({kind, std::move(text), std::move(value), line_});
  }
  std::size_t space_at(std::size_t at) const {  // bytes of the white space there; 0: none
    const std::size_t bytes = at < source_.size() ? code_point_length(source_, at) : 0;
    return bytes > 0 && is_space(code_point(std::string_view(source_).substr(at, bytes))) ? bytes : 0;
  }
  void skip_space() {
    std::size_t end = at_;
    while (const std::size_t bytes = space_at(end)) end += bytes;
    go(end - at_);
  }

  // Text until the next tag; what the tag's signs take of it is gone.
  void next_data() {
    std::size_t tag = at_;
    while (true) {
      tag = source_.find('{', tag);
      if (tag == std::string::npos || tag + 1 >= source_.size()) {
        tag = std::string::npos;
        break;
      }
      const char c = source_[tag + 1];
      if (c == '{' || c == '%' || c == '#') break;
      ++tag;
    }
    std::string text = source_.substr(at_, tag == std::string::npos ? tag : tag - at_);
    if (tag == std::string::npos) {
      if (!text.empty()) add(Token::Kind::data, text);
      at_ = source_.size();
      return;
    }
    const char kind = source_[tag + 1], sign = tag + 2 < source_.size() ? source_[tag + 2] : 0;
    strip_before(text, kind, sign);
    if (!text.empty()) add(Token::Kind::data, text);
    go(tag - at_ + 2);
    if (sign == '-' || (sign == '+' && kind != '{')) go(1);
    starts_line_ = false;
    if (kind == '#') return comment();
    if (kind == '%' && raw()) return;
    add(kind == '{' ? Token::Kind::print_begin : Token::Kind::block_begin);
    inside(kind == '{' ? "}}" : "%}", kind == '{');
  }

  void strip_before(std::string& text, char kind, char sign) const {
    if (sign == '-') {
      text = stripped(text, Side::right);
    } else if (sign != '+' && kind != '{') {
      const std::size_t newline = text.rfind('\n');
      const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
      if ((newline != std::string::npos || starts_line_) && begin < text.size() && stripped(text.substr(begin)).empty())
        text.resize(begin);
    }
  }

  // Behind the end of a block or comment: `-` takes white space, else one newline goes.
  void end_of_tag(bool strips, bool trims) {
    const std::size_t before = at_;
    if (strips) {
      skip_space();
    } else if (trims && at_ < source_.size() && source_[at_] == '\n') {
      go(1);
    }
    starts_line_ = at_ > before && source_[at_ - 1] == '\n';
  }

  void comment() {
    const std::size_t end = source_.find("#}", at_);
    if (end == std::string::npos) fail_syntax(line_, "Missing end of comment tag");
    const char sign = end > at_ ? source_[end - 1] : 0;
    go(end + 2 - at_);
    end_of_tag(sign == '-', sign != '+');
  }

  // {% raw %} … {% endraw %}: everything between is text.
  bool raw() {
    const std::size_t begin = at_;
    const int line = line_;
    skip_space();
    if (!here("raw")) return at_ = begin, line_ = line, false;
    std::size_t end = at_ + 3;
    while (const std::size_t bytes = space_at(end)) end += bytes;
    const bool strips = end < source_.size() && source_[end] == '-';
    if (strips) ++end;
    if (std::string_view(source_).substr(end, 2) != "%}") return at_ = begin, line_ = line, false;
    go(end + 2 - at_);
    if (strips) skip_space();
    for (std::size_t tag = at_; (tag = source_.find("{%", tag)) != std::string::npos; ++tag) {
      std::size_t word = tag + 2;
      const char sign = word < source_.size() ? source_[word] : 0;
      if (sign == '-' || sign == '+') ++word;
      while (const std::size_t bytes = space_at(word)) word += bytes;
      if (std::string_view(source_).substr(word, 6) != "endraw") continue;
      word += 6;
      while (const std::size_t bytes = space_at(word)) word += bytes;
      const char closing = word < source_.size() ? source_[word] : 0;
      if (closing == '-' || closing == '+') ++word;
      if (std::string_view(source_).substr(word, 2) != "%}") continue;
      std::string text = source_.substr(at_, tag - at_);
      strip_before(text, '%', sign);
      if (!text.empty()) add(Token::Kind::data, text);
      go(word + 2 - at_);
      end_of_tag(closing == '-', closing != '+');
      return true;
    }
    fail_syntax(line_, "Missing end of raw directive");
  }

  void inside(std::string_view closing, bool prints) {
    std::string open;  // brackets
    while (true) {
      skip_space();
      if (at_ >= source_.size()) fail_syntax(line_, "a tag has no end");
      if (open.empty()) {
        const char sign = source_[at_];
        const bool signed_end = sign == '-' || (sign == '+' && !prints);
        if (signed_end && std::string_view(source_).substr(at_ + 1, 2) == closing) return close(prints, 3, sign);
        if (here(closing)) return close(prints, 2, 0);
      }
      one(open);
    }
  }

  void close(bool prints, std::size_t bytes, char sign) {
    add(prints ? Token::Kind::print_end : Token::Kind::block_end);
    go(bytes);
    end_of_tag(sign == '-', !prints && sign != '+');
  }

  void one(std::string& open) {
    const char c = source_[at_];
    if (c == '\'' || c == '"') return quoted(c);
    if (is_digit(c)) return number();
    if (is_name_begin(c)) {
      std::size_t end = at_;
      while (end < source_.size() && is_name(source_[end])) ++end;
      add(Token::Kind::name, source_.substr(at_, end - at_));
      return go(end - at_);
    }
    for (const std::string_view two : {"==", "!=", ">=", "<=", "//", "**"})
      if (here(two)) return add(Token::Kind::sign, std::string(two)), go(2);
    if (std::string_view("+-*/%~[](){}<>=.:|,;").find(c) == std::string_view::npos)
      fail_syntax(line_, std::string("unexpected char '") + c + "'");
    if (c == '(' || c == '[' || c == '{') open += c;
    if (c == ')' || c == ']' || c == '}') {
      const char opening = c == ')' ? '(' : c == ']' ? '[' : '{';
      if (open.empty() || open.back() != opening) fail_syntax(line_, std::string("unexpected '") + c + "'");
      open.pop_back();
    }
    add(Token::Kind::sign, std::string(1, c));
    go(1);
  }

  // Digits with single underscores between them.
  std::size_t digits(std::size_t at, const char* allowed) const {
    const std::string_view set = allowed;
    while (at < source_.size() &&
           (set.find(source_[at]) != std::string_view::npos ||
            (source_[at] == '_' && at + 1 < source_.size() && set.find(source_[at + 1]) != std::string_view::npos)))
      ++at;
    return at;
  }

  void number() {
    constexpr const char* kDigits = "0123456789";
    if (source_[at_] == '0' && at_ + 1 < source_.size()) {
      const char base = static_cast<char>(source_[at_ + 1] | 0x20);
      const int radix = base == 'x' ? 16 : base == 'b' ? 2 : base == 'o' ? 8 : 0;
      const std::size_t end = radix == 0 ? 0
                                         : digits(at_ + 2, radix == 16  ? "0123456789abcdefABCDEF"
                                                           : radix == 8 ? "01234567"
                                                                        : "01");
      if (radix != 0 && end > at_ + 2) return whole(at_ + 2, end, radix);
    }
    std::size_t end = digits(at_, kDigits);
    bool real = false;
    const bool after_dot = !tokens_.empty() && tokens_.back().kind == Token::Kind::sign && tokens_.back().text == ".";
    if (!after_dot && end + 1 < source_.size() && source_[end] == '.' && is_digit(source_[end + 1]))
      end = digits(end + 1, kDigits), real = true;
    if (!after_dot && end < source_.size() && (source_[end] | 0x20) == 'e') {
      std::size_t exponent = end + 1;
      if (exponent < source_.size() && (source_[exponent] == '+' || source_[exponent] == '-')) ++exponent;
      if (exponent < source_.size() && is_digit(source_[exponent])) end = digits(exponent, kDigits), real = true;
    }
    if (!real) return whole(at_, end, 10);
    std::string text = source_.substr(at_, end - at_);
    std::erase(text, '_');
    double number = 0;
    parse_number(text.data(), text.data() + text.size(), number);
    add(Token::Kind::real, {}, number);
    go(end - at_);
  }

  void whole(std::size_t begin, std::size_t end, int radix) {
    Whole value = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (source_[i] == '_') continue;
      const char c = static_cast<char>(source_[i] | 0x20);
      const int digit = is_digit(source_[i]) ? source_[i] - '0' : c - 'a' + 10;
      if (__builtin_mul_overflow(value, static_cast<Whole>(radix), &value) ||
          __builtin_add_overflow(value, static_cast<Whole>(digit), &value))
        Limits::refuse("it has a very large number");
    }
    add(Token::Kind::whole, {}, value);
    go(end - at_);
  }

  // As Python reads what stands between quotes.
  void quoted(char quote) {
    std::string text;
    std::size_t at = at_ + 1;
    for (; at < source_.size() && source_[at] != quote; ++at) {
      if (source_[at] != '\\' || at + 1 >= source_.size()) {
        text += source_[at];
        continue;
      }
      at = escape(at + 1, text);
    }
    if (at >= source_.size()) fail_syntax(line_, std::string("unexpected char ") + quote + ": a text has no end");
    add(Token::Kind::text, text);
    go(at + 1 - at_);
  }

  // Of what stands behind a backslash; its last byte.
  std::size_t escape(std::size_t at, std::string& text) const {
    constexpr std::pair<char, char> kShort[] = {{'n', '\n'}, {'t', '\t'}, {'r', '\r'}, {'\\', '\\'}, {'\'', '\''},
                                                {'"', '"'},  {'a', '\a'}, {'b', '\b'}, {'f', '\f'},  {'v', '\v'}};
    const char c = source_[at];
    for (const auto& [name, letter] : kShort)
      if (name == c) return text += letter, at;
    if (c == '\n') return at;
    const std::size_t size = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (size > 0) {
      const std::string code = source_.substr(at + 1, size);
      if (code.size() != size || code.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
        fail_syntax(line_, std::string("truncated \\") + c + " escape");
      const auto letter = static_cast<char32_t>(std::strtoul(code.c_str(), nullptr, 16));
      if (letter > 0x10ffff || (letter >= 0xd800 && letter < 0xe000)) fail_syntax(line_, "illegal Unicode character");
      return text += utf8({&letter, 1}), at + size;
    }
    if (c >= '0' && c <= '7') {
      char32_t letter = 0;
      std::size_t end = at;
      for (; end < source_.size() && end < at + 3 && source_[end] >= '0' && source_[end] <= '7'; ++end)
        letter = letter * 8 + static_cast<char32_t>(source_[end] - '0');
      return text += utf8({&letter, 1}), end - 1;
    }
    return text += '\\', text += c, at;
  }

  std::string source_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool starts_line_ = true;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string source) { return Lexer(std::move(source)).all(); }

}  // namespace headlight::jinja
