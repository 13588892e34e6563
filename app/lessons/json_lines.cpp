#include "app/lessons/json_lines.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace headlight {

namespace {

// Where a value stands in a text of valid JSON: "steps[3].state.source" -> its line; of what is not there, the line of
// what it would be in.
class JsonLines {
 public:
  explicit JsonLines(const std::string& text) : text_(text) {}

  int line(const std::string& path) {
    at_ = 0;
    std::size_t best = 0;
    for (std::size_t i = 0; i < path.size();) {
      space();
      best = at_;
      if (path[i] == '.') ++i;
      if (path[i] == '[') {
        const std::size_t close = path.find(']', i);
        if (close == std::string::npos || !element(std::strtoul(path.c_str() + i + 1, nullptr, 10))) break;
        i = close + 1;
      } else {
        const std::size_t end = path.find_first_of(".[", i);
        if (!member(path.substr(i, end == std::string::npos ? end : end - i))) break;
        i = end == std::string::npos ? path.size() : end;
      }
      space();
      best = at_;
    }
    return line_at(best);
  }
  int line_at(std::size_t byte) const {
    return 1 + static_cast<int>(std::count(
                   text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text_.size())), '\n'));
  }

 private:
  void space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  std::string quoted() {
    const std::size_t begin = ++at_;
    for (; at_ < text_.size() && text_[at_] != '"'; ++at_)
      if (text_[at_] == '\\') ++at_;
    const std::string found = text_.substr(begin, std::min(at_, text_.size()) - begin);
    ++at_;
    return found;
  }
  void skip() {  // a value
    int open = 0;
    do {
      space();
      if (at_ >= text_.size()) return;
      const char c = text_[at_];
      if (c == '"') {
        quoted();
      } else {
        open += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
        ++at_;
        if (open == 0 && c != '}' && c != ']')
          while (at_ < text_.size() && std::string_view(",]} \t\r\n").find(text_[at_]) == std::string_view::npos) ++at_;
      }
    } while (open > 0);
  }
  bool member(const std::string& key) {
    if (at_ >= text_.size() || text_[at_] != '{') return false;
    for (++at_;;) {
      space();
      if (at_ >= text_.size() || text_[at_] != '"') return false;
      const bool found = quoted() == key;
      space();
      ++at_;  // ':'
      if (found) return true;
      skip();
      space();
      if (at_ >= text_.size() || text_[at_] != ',') return false;
      ++at_;
    }
  }
  bool element(std::size_t index) {
    if (at_ >= text_.size() || text_[at_] != '[') return false;
    for (++at_; index > 0; --index) {
      skip();
      space();
      if (at_ >= text_.size() || text_[at_] != ',') return false;
      ++at_;
    }
    space();
    return at_ < text_.size() && text_[at_] != ']';
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string with_line(const std::string& message, const std::string& file, const std::string& text) {
  const std::string head = file + ": ";
  if (!message.starts_with(head)) return message;
  const std::string rest = message.substr(head.size());
  JsonLines lines(text);
  int line = 1;
  if (const std::size_t byte = rest.find("(byte "); byte != std::string::npos)
    line = lines.line_at(std::strtoul(rest.c_str() + byte + 6, nullptr, 10));
  else if (const std::size_t colon = rest.find(": "); colon != std::string::npos)
    line = lines.line(rest.substr(0, colon));
  return file + ":" + std::to_string(line) + ": " + rest;
}

}  // namespace headlight
