#include "model/text/text_rules.h"

#include <algorithm>

namespace headlight {

std::vector<TokenId> TextRules::never_written() const {
  std::vector<TokenId> ids;
  if (pad) ids = {*pad, bos};
  if (mask) ids.push_back(*mask);
  return ids;
}

void TextRules::finish_source(std::vector<TextToken>& tokens, std::size_t text_size) const {
  const auto add = [&](const std::string& text, std::optional<TokenId> id, bool padding) {
    tokens.push_back({text, text_size, text_size, id, padding});
  };
  const bool signs = source_bos || source_eos;
  const auto known = std::count_if(tokens.begin(), tokens.end(), [](const TextToken& t) { return t.id.has_value(); });
  if (const auto space = source.vocabulary().find(" "))
    for (Index width = known; width < std::max<Index>(source_width, signs ? 0 : 1); ++width) add(" ", space, true);
  if (source_eos && eos) add(source.vocabulary().text(*eos), eos, false);
  if (source_bos) tokens.insert(tokens.begin(), {source.vocabulary().text(bos), 0, 0, bos, false});
}

std::vector<TextToken> TextRules::source_tokens(const std::string& text) const {
  std::vector<TextToken> tokens = source.split(text);
  finish_source(tokens, text.size());
  return tokens;
}

Index TextRules::target_limit(Index source_count) const {
  if (!writes) return 0;
  if (target_length > 0) return target_length;
  const Index count = source_count - source_signs();
  return eos ? 2 * count + 10 : count;
}

TextRules rules_of_width(const std::vector<std::string>& tokens, Index source_width, Index target_length,
                         const std::string& bos) {
  TextRules rules;
  rules.source = rules.target = Tokenizer(Vocabulary(tokens));
  rules.source_width = rules.longest_source = source_width;
  rules.target_length = target_length;
  rules.bos = rules.target.vocabulary().find(bos).value();
  return rules;
}

TextRules rules_with_end(TokenizerKind kind, const std::vector<std::string>& source,
                         const std::vector<std::string>& target, bool lower_case) {
  TextRules rules;
  rules.source = Tokenizer(Vocabulary(with_special_tokens(source)), kind, lower_case);
  rules.target = Tokenizer(Vocabulary(with_special_tokens(target)), kind, lower_case);
  rules.pad = rules.target.vocabulary().find(kPadding);
  rules.bos = *rules.target.vocabulary().find(kStart);
  rules.eos = rules.target.vocabulary().find(kEnd);
  return rules;
}

}  // namespace headlight
