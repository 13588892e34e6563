// What stands beside a vocabulary: tokenizer_config.json, special_tokens_map.json and added_tokens.json say how it is
// read and which tokens somebody added.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/io/json_file.h"
#include "model/text/pretrained/tokenizer.h"

namespace headlight {

// The largest number of a token that is believed; that of a real vocabulary is hundreds of times smaller.
inline constexpr pretrained::TokenNumber kMaxTokenNumber = 100'000'000;
// Throws FormatError "WHERE: ..." for what is none.
pretrained::TokenNumber token_number(const Json& value, const std::string& where);

// The tokens of a class by the keys that name them, "bos_token", as they are where no file says it.
using NamedTokens = std::map<std::string, pretrained::AddedToken>;
// {{"pad_token", "<pad>"}, ...}; the mask token takes the white space before it where `lstrip`.
NamedTokens named_tokens(std::initializer_list<std::pair<const char*, std::string>> tokens, bool lstrip = false);

class TokenizerConfig {
 public:
  explicit TokenizerConfig(const std::filesystem::path& folder);

  // "T5" of "T5Tokenizer" and "T5TokenizerFast"; of config.json where no file says the class.
  std::string family() const;
  bool flag(const char* key, bool fallback) const { return optional_flag(key).value_or(fallback); }
  std::optional<bool> optional_flag(const char* key) const;
  std::int64_t number(const char* key, std::int64_t fallback, std::int64_t most) const;
  std::string text(const char* key, const std::string& fallback) const;
  // Whether a language stands in front of its texts or behind them: mBART, NLLB.
  bool has_languages() const;
  // Special tokens that the files list beside the named ones.
  std::vector<std::string> further() const;
  // The content of a named token.
  std::string token(const char* key, const std::string& fallback) const;

  // What was added later, then the named tokens, then further special ones, each once, as the library adds them. `own`:
  // those of the class; none beside a tokenizer.json. `as_numbered`: with the numbers that the files give, and looked
  // for in no text but the given one (Marian).
  void add_tokens(pretrained::Tokenizer::Parts& parts, const NamedTokens& own, bool as_numbered = false) const;

 private:
  void read_named(const Json& tokens);
  void read_special_tokens_map(const std::filesystem::path& path);
  void read_added_tokens(const std::filesystem::path& folder);

  std::string file_;  // tokenizer_config.json
  Json json_, config_;
  std::map<pretrained::TokenNumber, pretrained::AddedToken> added_;  // by the numbers of the file
  NamedTokens named_;
  std::vector<std::string> order_;  // of their keys, in the files
  std::set<std::string> plain_;     // keys of those of which only the content is said
  std::vector<pretrained::AddedToken> further_;
  bool map_lists_further_ = false;
};

}  // namespace headlight
