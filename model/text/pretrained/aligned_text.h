// A text that is changed step by step, and knows of each of its bytes which part of the original it stands for.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight::pretrained {

// Code points of the original text: `begin` up to, not including, `end`.
struct Span {
  std::uint32_t begin = 0, end = 0;
  bool operator==(const Span&) const = default;
};

class AlignedText {
 public:
  using Changes = std::vector<std::pair<char32_t, int>>;

  AlignedText() = default;
  explicit AlignedText(std::string_view original);  // valid UTF-8

  const std::string& text() const { return text_; }
  std::u32string characters() const;
  bool empty() const { return text_.empty(); }
  // Where in the original it begins.
  std::uint32_t begin() const { return begin_; }
  // What the bytes from `first` up to `last` stand for.
  Span span(std::size_t first, std::size_t last) const;

  AlignedText slice(std::size_t first, std::size_t last) const;
  void add_behind(const AlignedText& behind);  // of the same original

  // The new characters. Beside each: 0 takes the place of the next old one, -n that of the next and of n behind it; 1
  // is put in behind the old one before. `removed` old ones at the beginning go without replacement.
  void transform(const Changes& changes, std::size_t removed = 0);
  void keep_if(const std::function<bool(char32_t)>& keep);
  void map(const std::function<char32_t(char32_t)>& one);
  void lower_case();
  // In front of the first character, with its span; nothing in front of an empty text.
  void prepend(const std::string& text);
  // What these [first, last) byte ranges hold becomes `content`, with the span of the last character of each.
  void replace(const std::vector<std::pair<std::size_t, std::size_t>>& ranges, const std::string& content);

 private:
  std::string text_;
  std::vector<Span> spans_;  // of each byte
  std::uint32_t begin_ = 0;
};

// Calls with each character, its place and its length in bytes. Bytes of broken UTF-8 are U+FFFD.
void for_each_character(std::string_view text,
                        const std::function<void(char32_t c, std::size_t at, std::size_t length)>& take);

}  // namespace headlight::pretrained
