#include "model/text/vocabulary.h"

#include "model/core/errors.h"
#include "model/text/utf8.h"

namespace headlight {

Vocabulary::Vocabulary(std::vector<std::string> tokens) : tokens_(std::move(tokens)) {
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const std::string place = "vocabulary: token " + std::to_string(i);
    if (tokens_[i].empty()) throw FormatError(place + " is empty");
    if (!is_utf8(tokens_[i])) throw FormatError(place + " is not valid UTF-8");
    const auto [same, fresh] = ids_.emplace(tokens_[i], static_cast<TokenId>(i));
    if (!fresh)
      throw FormatError(place + " repeats token " + std::to_string(same->second) + " (\"" + tokens_[i] + "\")");
  }
}

const std::string& Vocabulary::text(TokenId id) const {
  if (id < 0 || id >= size())
    throw UsageError("vocabulary: expected an id from 0 to " + std::to_string(size() - 1) + ", got " +
                     std::to_string(id));
  return tokens_[static_cast<std::size_t>(id)];
}

std::optional<TokenId> Vocabulary::find(std::string_view token) const {
  const auto found = ids_.find(std::string(token));
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<TextToken> Vocabulary::split_characters(std::string_view text) const {
  std::vector<TextToken> pieces;
  pieces.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = code_point_length(text, at);
    TextToken piece;
    piece.begin = at;
    piece.end = at + (length == 0 ? 1 : length);
    piece.text = std::string(text.substr(piece.begin, piece.end - piece.begin));
    if (length > 0) piece.id = find(piece.text);
    piece.unknown = !piece.id;
    at = piece.end;
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

}  // namespace headlight
