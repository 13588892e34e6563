// 6. of tokenizer.h: decoders.

#include <unicode/unistr.h>

#include <algorithm>
#include <unordered_map>

#include "model/core/effort.h"
#include "model/text/pretrained/parts.h"
#include "model/text/utf8.h"

namespace headlight::pretrained {

namespace {

std::string replaced_in(const std::string& text, const Ranges& ranges, const std::string& content) {
  std::string result;
  std::size_t at = 0;
  for (const auto& [first, last] : ranges) {
    result.append(text, at, first - at).append(content);
    at = last;
  }
  return result.append(text, at);
}

// Each longest part that is the beginning of a character, and each other byte, is one U+FFFD (Unicode 3.9).
std::string lossy(const std::string& bytes) {
  std::string text;
  return icu::UnicodeString::fromUTF8(bytes).toUTF8String(text);
}

const std::unordered_map<char32_t, char>& bytes_of_characters() {
  static const auto table = [] {
    std::unordered_map<char32_t, char> made;
    for (int byte = 0; byte < 256; ++byte)
      made[character_of_byte(static_cast<unsigned char>(byte))] = static_cast<char>(byte);
    return made;
  }();
  return table;
}

std::string without(std::string text, const std::string& what, const std::string& with) {
  return replaced_in(text, literal(what)(text), with);
}

// Blanks that stand between words and signs only because the tokens were joined with them.
std::string cleaned(std::string text) {
  for (const auto& [from, to] : {std::pair(" .", "."),
                                 {" ?", "?"},
                                 {" !", "!"},
                                 {" ,", ","},
                                 {" ' ", "'"},
                                 {" n't", "n't"},
                                 {" 'm", "'m"},
                                 {" do not", " don't"},
                                 {" 's", "'s"},
                                 {" 've", "'ve"},
                                 {" 're", "'re"}})
    text = without(std::move(text), from, to);
  return text;
}

}  // namespace

std::string as_bytes(const std::string& token) {
  std::string bytes;
  bool known = true;
  for_each_character(token, [&](char32_t c, std::size_t, std::size_t) {
    const auto found = bytes_of_characters().find(c);
    known = known && found != bytes_of_characters().end();
    if (known) bytes += found->second;
  });
  return known ? bytes : token;
}

Decoder in_sequence(std::vector<Decoder> steps) {
  return [steps = std::move(steps)](Texts tokens) {
    for (const Decoder& step : steps) {
      for (const std::string& token : tokens) Effort::spend(10 * (token.size() + 1));
      tokens = step(std::move(tokens));
    }
    return tokens;
  };
}

Decoder decode_word_piece(std::string prefix, bool cleanup) {
  return [prefix = std::move(prefix), cleanup](Texts tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (i > 0) tokens[i] = tokens[i].starts_with(prefix) ? tokens[i].substr(prefix.size()) : " " + tokens[i];
      if (cleanup) tokens[i] = cleaned(std::move(tokens[i]));
    }
    return tokens;
  };
}

Decoder decode_byte_level() {
  return [](const Texts& tokens) {
    std::string bytes;
    for (const std::string& token : tokens) bytes += as_bytes(token);
    return Texts{lossy(bytes)};
  };
}

Decoder decode_metaspace(std::string replacement, bool prepended) {
  return [replacement = std::move(replacement), prepended](Texts tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i)
      tokens[i] = without(tokens[i], replacement, i == 0 && prepended ? "" : " ");
    return tokens;
  };
}

Decoder decode_replace(Pattern pattern, std::string content) {
  return [pattern = std::move(pattern), content = std::move(content)](Texts tokens) {
    std::size_t bytes = 0;
    for (std::string& token : tokens) {
      const Ranges ranges = pattern(token);
      Effort::hold(bytes += token.size() + ranges.size() * content.size());
      token = replaced_in(token, ranges, content);
    }
    return tokens;
  };
}

Decoder decode_bytes() {
  return [](const Texts& tokens) {
    Texts result;
    std::string bytes;
    const auto flush = [&] {
      if (bytes.empty()) return;
      if (is_utf8(bytes))
        result.push_back(bytes);
      else
        result.insert(result.end(), bytes.size(), "\xef\xbf\xbd");
      bytes.clear();
    };
    for (const std::string& token : tokens) {
      const auto digit = [&](std::size_t i) {
        const char c = token[i];
        return c >= '0' && c <= '9'   ? c - '0'
               : c >= 'A' && c <= 'F' ? c - 'A' + 10
               : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                      : -1;
      };
      if (token.size() == 6 && token.starts_with("<0x") && token[5] == '>' && digit(3) >= 0 && digit(4) >= 0) {
        bytes += static_cast<char>(digit(3) * 16 + digit(4));
      } else {
        flush();
        result.push_back(token);
      }
    }
    flush();
    return result;
  };
}

Decoder decode_fuse() {
  return [](const Texts& tokens) {
    std::string all;
    for (const std::string& token : tokens) all += token;
    return Texts{all};
  };
}

Decoder decode_strip(char32_t character, std::size_t start, std::size_t stop) {
  return [character, start, stop](Texts tokens) {
    std::string one;
    append(one, character);
    for (std::string& token : tokens) {
      for (std::size_t i = 0; i < start && token.starts_with(one); ++i) token.erase(0, one.size());
      for (std::size_t i = 0; i < stop && token.ends_with(one); ++i) token.erase(token.size() - one.size());
    }
    return tokens;
  };
}

Decoder decode_suffix(std::string suffix) {
  return [suffix = std::move(suffix)](Texts tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i)
      tokens[i] = without(tokens[i], suffix, i + 1 == tokens.size() ? "" : " ");
    return tokens;
  };
}

Decoder decode_ctc(std::string padding, std::string delimiter, bool cleanup) {
  return [=](const Texts& tokens) {
    Texts result;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (i > 0 && tokens[i] == tokens[i - 1]) continue;
      std::string text = without(tokens[i], padding, "");
      if (cleanup) text = without(cleaned(std::move(text)), delimiter, " ");
      if (!text.empty()) result.push_back(std::move(text));
    }
    return result;
  };
}

}  // namespace headlight::pretrained
