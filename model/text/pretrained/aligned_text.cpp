#include "model/text/pretrained/aligned_text.h"

#include <algorithm>

#include "model/core/effort.h"
#include "model/text/pretrained/unicode.h"
#include "model/text/utf8.h"

namespace headlight::pretrained {

void for_each_character(std::string_view text,
                        const std::function<void(char32_t c, std::size_t at, std::size_t length)>& take) {
  Effort::spend(10 * text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = code_point_length(text, at);
    take(length == 0 ? U'\ufffd' : code_point(text.substr(at, length)), at, std::max<std::size_t>(length, 1));
    at += std::max<std::size_t>(length, 1);
  }
}

AlignedText::AlignedText(std::string_view original) : text_(original) {
  spans_.reserve(original.size());
  std::uint32_t number = 0;
  for_each_character(original, [&](char32_t, std::size_t, std::size_t length) {
    spans_.insert(spans_.end(), length, Span{number, number + 1});
    ++number;
  });
}

std::u32string AlignedText::characters() const {
  std::u32string all;
  for_each_character(text_, [&](char32_t c, std::size_t, std::size_t) { all += c; });
  return all;
}

Span AlignedText::span(std::size_t first, std::size_t last) const {
  last = std::min(last, spans_.size());
  if (first >= last) return {begin_, begin_};
  return {spans_[first].begin, spans_[last - 1].end};
}

AlignedText AlignedText::slice(std::size_t first, std::size_t last) const {
  AlignedText part;
  part.text_ = text_.substr(first, last - first);
  part.spans_.assign(spans_.begin() + static_cast<std::ptrdiff_t>(first),
                     spans_.begin() + static_cast<std::ptrdiff_t>(last));
  part.begin_ = part.spans_.empty() ? begin_ : part.spans_.front().begin;
  return part;
}

void AlignedText::add_behind(const AlignedText& behind) {
  text_ += behind.text_;
  spans_.insert(spans_.end(), behind.spans_.begin(), behind.spans_.end());
}

void AlignedText::transform(const Changes& changes, std::size_t removed) {
  Effort::hold(changes.size());
  std::string text;
  std::vector<Span> spans;
  std::size_t at = 0;
  const auto skip = [&] {
    if (at < text_.size()) at += std::max<std::size_t>(code_point_length(text_, at), 1);
  };
  while (removed-- > 0) skip();
  for (const auto& [c, change] : changes) {
    const std::size_t from = change > 0 ? at - std::min<std::size_t>(at, 1) : at;
    Span span{begin_, begin_};
    if (!(change > 0 && at == 0) && !spans_.empty()) span = spans_[std::min(from, spans_.size() - 1)];
    if (change <= 0)
      for (int i = change; i <= 0; ++i) skip();
    append(text, c);
    spans.insert(spans.end(), utf8_length(c), span);
  }
  text_ = std::move(text);
  spans_ = std::move(spans);
}

void AlignedText::keep_if(const std::function<bool(char32_t)>& keep) {
  std::string text;
  std::vector<Span> spans;
  for_each_character(text_, [&](char32_t c, std::size_t at, std::size_t length) {
    if (!keep(c)) return;
    text.append(text_, at, length);
    spans.insert(spans.end(), length, spans_[at]);
  });
  text_ = std::move(text);
  spans_ = std::move(spans);
}

void AlignedText::map(const std::function<char32_t(char32_t)>& one) {
  Changes changes;
  for_each_character(text_, [&](char32_t c, std::size_t, std::size_t) { changes.emplace_back(one(c), 0); });
  transform(changes);
}

void AlignedText::lower_case() {
  Changes changes;
  for_each_character(text_, [&](char32_t c, std::size_t, std::size_t) {
    int change = 0;
    for (const char32_t small : lower(c)) changes.emplace_back(small, std::exchange(change, 1));
  });
  transform(changes);
}

void AlignedText::prepend(const std::string& text) {
  if (text_.empty()) return;
  Effort::hold(text_.size() + text.size());
  text_.insert(0, text);
  spans_.insert(spans_.begin(), text.size(), Span(spans_.front()));
}

void AlignedText::replace(const std::vector<std::pair<std::size_t, std::size_t>>& ranges, const std::string& content) {
  if (ranges.empty()) return;
  std::size_t bytes = text_.size() + ranges.size() * content.size();
  for (const auto& [first, last] : ranges) bytes -= last - first;
  Effort::hold(bytes);
  std::string text;
  std::vector<Span> spans;
  std::size_t at = 0;
  const auto copy = [&](std::size_t end) {
    text.append(text_, at, end - at);
    spans.insert(spans.end(), spans_.begin() + static_cast<std::ptrdiff_t>(at),
                 spans_.begin() + static_cast<std::ptrdiff_t>(end));
  };
  for (const auto& [first, last] : ranges) {
    copy(first);
    text += content;
    spans.insert(spans.end(), content.size(), last == 0 ? Span{begin_, begin_} : spans_[last - 1]);
    at = last;
  }
  copy(text_.size());
  text_ = std::move(text);
  spans_ = std::move(spans);
}

}  // namespace headlight::pretrained
