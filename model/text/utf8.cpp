#include "model/text/utf8.h"

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

namespace {

// Only pairs whose UTF-8 forms are equally long, so that places in the text stay what they are.
char32_t lower(char32_t c) {
  const auto in = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  if (in('A', 'Z') || (in(0xc0, 0xde) && c != 0xd7) || in(0x391, 0x3a1) || in(0x3a3, 0x3ab) || in(0x410, 0x42f))
    return c + 0x20;
  if (in(0x400, 0x40f)) return c + 0x50;
  if (c == 0x178) return 0xff;
  if (c == 0x386) return 0x3ac;
  if (in(0x388, 0x38a)) return c + 0x25;
  if (c == 0x38c) return 0x3cc;
  if (in(0x38e, 0x38f)) return c + 0x3f;
  const bool upper_is_odd = in(0x139, 0x148) || in(0x179, 0x17e);
  const bool upper_is_even = (in(0x100, 0x137) && c != 0x130 && c != 0x131) || in(0x14a, 0x177) || in(0x460, 0x481) ||
                             in(0x48a, 0x4bf) || in(0x4d0, 0x52f) || in(0x1e00, 0x1e95) || in(0x1ea0, 0x1eff);
  if ((upper_is_odd && c % 2 == 1) || (upper_is_even && c % 2 == 0)) return c + 1;
  return c;
}

void append(std::string& text, char32_t c) {  // of the lengths that lower() changes: one to three bytes
  const auto byte = [&](char32_t value) { text += static_cast<char>(static_cast<unsigned char>(value)); };
  if (c < 0x80) return byte(c);
  if (c < 0x800) {
    byte(0xc0 | c >> 6);
  } else {
    byte(0xe0 | c >> 12);
    byte(0x80 | (c >> 6 & 0x3f));
  }
  byte(0x80 | (c & 0x3f));
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lowered;
  lowered.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = code_point_length(text, at);
    const std::string_view bytes = text.substr(at, length == 0 ? 1 : length);
    if (length == 0 || length == 4) {
      lowered += bytes;
    } else {
      append(lowered, lower(code_point(bytes)));
    }
    at += bytes.size();
  }
  return lowered;
}

}  // namespace headlight
