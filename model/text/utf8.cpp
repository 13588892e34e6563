#include "model/text/utf8.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

namespace headlight {

std::size_t code_point_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  const unsigned lead = byte(0);
  if (at >= text.size()) return 0;
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4) return 0;  // a continuation byte, an overlong form of ASCII, above U+10FFFF
  // The second byte's range rules out the other overlong forms, the surrogates, and the rest above U+10FFFF.
  const unsigned least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const unsigned most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (byte(1) < least || byte(1) > most) return 0;
  for (std::size_t i = 2; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  return length;
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = code_point_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::string valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = code_point_length(text, at);
    valid += length == 0 ? "\ufffd" : text.substr(at, length);
    at += length == 0 ? 1 : length;
  }
  return valid;
}

char32_t code_point(std::string_view bytes) {
  const auto lead = static_cast<unsigned char>(bytes[0]);
  char32_t value = bytes.size() == 1 ? lead : lead & (0x7fu >> bytes.size());
  for (std::size_t i = 1; i < bytes.size(); ++i) value = value << 6 | (static_cast<unsigned char>(bytes[i]) & 0x3fu);
  return value;
}

std::string lower_case(std::string_view text) {
  std::string lowered;
  lowered.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = code_point_length(text, at);
    const std::string_view bytes = text.substr(at, length == 0 ? 1 : length);
    char lower[U8_MAX_LENGTH];
    int32_t end = 0;
    if (length > 0) {
      const UChar32 c = u_tolower(static_cast<UChar32>(code_point(bytes)));
      U8_APPEND_UNSAFE(lower, end, c);
    }
    lowered += static_cast<std::size_t>(end) == length && length > 0 ? std::string_view(lower, length) : bytes;
    at += bytes.size();
  }
  return lowered;
}

}  // namespace headlight
