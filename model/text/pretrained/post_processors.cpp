// 5. of tokenizer.h: post-processors.

#include <algorithm>

#include "model/core/effort.h"
#include "model/text/pretrained/parts.h"

namespace headlight::pretrained {

namespace {

// White space at the ends of a token, also as bytes of a byte-level vocabulary, is no part of what it stands for.
void trim(Encoding& tokens, bool add_prefix_space) {
  const auto is_space = [](char32_t c) { return c == character_of_byte(' ') || is_white_space(c); };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::u32string text;
    for_each_character(tokens[i].text, [&](char32_t c, std::size_t, std::size_t) { text += c; });
    auto leading = static_cast<std::uint32_t>(std::find_if_not(text.begin(), text.end(), is_space) - text.begin());
    const auto trailing =
        static_cast<std::uint32_t>(std::find_if_not(text.rbegin(), text.rend(), is_space) - text.rbegin());
    Span& offsets = tokens[i].offsets;
    if (leading > 0) {
      // The one space that was put in front of the text has no place of its own; several were there.
      if ((i == 0 || offsets.begin == 0) && add_prefix_space && leading == 1) leading = 0;
      offsets.begin = std::min(offsets.begin + leading, offsets.end);
    }
    if (trailing > 0 && offsets.end >= trailing) offsets.end = std::max(offsets.end - trailing, offsets.begin);
  }
}

EncodedToken special_token(const std::pair<std::string, TokenNumber>& token, int type_id) {
  return {token.second, token.first, {0, 0}, type_id, true};
}

}  // namespace

PostProcessor in_sequence(std::vector<PostProcessor> steps) {
  return [steps = std::move(steps)](std::vector<Encoding> texts, bool add_special) {
    for (const PostProcessor& step : steps) texts = step(std::move(texts), add_special);
    return texts;
  };
}

PostProcessor by_template(std::vector<TemplatePiece> single, std::vector<TemplatePiece> pair) {
  return [single = std::move(single), pair = std::move(pair)](std::vector<Encoding> texts, bool add_special) {
    std::vector<Encoding> result;
    std::size_t count = 0;
    for (const TemplatePiece& piece : texts.size() == 2 ? pair : single) {
      Encoding part;
      if (piece.sequence >= 0 && piece.sequence < static_cast<int>(texts.size())) {
        const Encoding& of = texts[static_cast<std::size_t>(piece.sequence)];
        Effort::hold(count += of.size());
        part = of;
        for (EncodedToken& token : part) token.type_id = piece.type_id;
      } else if (piece.sequence < 0 && add_special) {
        for (const auto& [id, text] : piece.tokens) part.push_back(special_token({text, id}, piece.type_id));
      }
      result.push_back(std::move(part));
    }
    return result;
  };
}

PostProcessor bert_processing(std::pair<std::string, TokenNumber> sep, std::pair<std::string, TokenNumber> cls) {
  return [sep = std::move(sep), cls = std::move(cls)](std::vector<Encoding> texts, bool add_special) {
    if (!add_special) return texts;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const int type = i == 0 ? 0 : 1;
      for (EncodedToken& token : texts[i]) token.type_id = type;
      if (i == 0) texts[i].insert(texts[i].begin(), special_token(cls, type));
      texts[i].push_back(special_token(sep, type));
    }
    return texts;
  };
}

PostProcessor roberta_processing(std::pair<std::string, TokenNumber> sep, std::pair<std::string, TokenNumber> cls,
                                 bool trim_offsets, bool add_prefix_space) {
  return [=](std::vector<Encoding> texts, bool add_special) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (trim_offsets) trim(texts[i], add_prefix_space);
      for (EncodedToken& token : texts[i]) token.type_id = 0;
      if (!add_special) continue;
      texts[i].insert(texts[i].begin(), special_token(i == 0 ? cls : sep, 0));
      texts[i].push_back(special_token(sep, 0));
    }
    return texts;
  };
}

PostProcessor trimming_offsets(bool add_prefix_space) {
  return [add_prefix_space](std::vector<Encoding> texts, bool) {
    for (Encoding& text : texts) trim(text, add_prefix_space);
    return texts;
  };
}

}  // namespace headlight::pretrained
