// Tokenizers made on the spot: JSON without backslashes, and the bytes of a sentencepiece model.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace headlight::testing {

// JSON with ' for ": moc does not read raw strings.
inline std::string quoted(std::string json) {
  std::replace(json.begin(), json.end(), '\'', '"');
  return json;
}

// A tokenizer.json of four words, with these parts.
inline std::string small(
    const std::string& parts,
    const std::string& model = quoted(
        "'type': 'WordLevel', 'vocab': {'a': 0, 'b': 1, '<unk>': 2, 'a b': 3}, 'unk_token': '<unk>'")) {
  return "{\"model\": {" + model + "}" + (parts.empty() ? "" : ", ") + parts + "}";
}

inline std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}
inline std::string field(int number, const std::string& content) {
  return varint(static_cast<std::uint64_t>(number) << 3 | 2) + varint(content.size()) + content;
}
inline std::string piece(const std::string& text, float score, int type) {
  return field(1, field(1, text) + "\x15" + std::string(reinterpret_cast<const char*>(&score), 4) + "\x18" +
                      varint(static_cast<std::uint64_t>(type)));
}

}  // namespace headlight::testing
