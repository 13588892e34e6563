#include "model/text/pretrained/tokenizer.h"

#include <algorithm>

#include "model/text/utf8.h"

namespace headlight::pretrained {

namespace {

char32_t character_at(std::string_view text, std::size_t at) {
  const std::size_t length = code_point_length(text, at);
  return length == 0 ? U'\ufffd' : code_point(text.substr(at, length));
}
// Where the character before `at` begins.
std::size_t before(std::string_view text, std::size_t at) {
  do --at;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80);
  return at;
}

}  // namespace

Tokenizer::Tokenizer(Parts parts) : parts_(std::move(parts)) {
  for (const AddedToken& token : parts_.added) {
    by_id_[token.id] = &token;
    by_text_[token.content] = &token;
    AlignedText content(token.content);
    if (token.normalized && parts_.normalizer) parts_.normalizer(content);
    if (!content.empty()) (token.normalized ? normalized_ : plain_).emplace_back(content.text(), &token);
  }
  for (Finder* finder : {&plain_, &normalized_})
    std::stable_sort(finder->begin(), finder->end(), [](const auto& a, const auto& b) {
      const auto first = [](const auto& entry) { return static_cast<unsigned char>(entry.first[0]); };
      return first(a) != first(b) ? first(a) < first(b) : a.first.size() > b.first.size();
    });
}

// The leftmost added token, of those that begin there the longest, and so on.
std::vector<Tokenizer::Piece> Tokenizer::split(const AlignedText& aligned, const Finder& finder) const {
  const std::string& text = aligned.text();
  std::vector<Piece> pieces;
  std::size_t done = 0;
  const auto plain = [&](std::size_t end) {
    if (done < end) pieces.push_back({aligned.slice(done, end), {}});
  };
  for (std::size_t at = 0; at < text.size();) {
    const auto by_byte = [](const auto& entry, unsigned char byte) {
      return static_cast<unsigned char>(entry.first[0]) < byte;
    };
    auto found = std::lower_bound(finder.begin(), finder.end(), static_cast<unsigned char>(text[at]), by_byte);
    while (found != finder.end() && found->first[0] == text[at] &&
           text.compare(at, found->first.size(), found->first) != 0)
      ++found;
    if (found == finder.end() || found->first[0] != text[at]) {
      ++at;
      continue;
    }
    const AddedToken& token = *found->second;
    std::size_t first = at, last = at + found->first.size();
    at = last;
    if (token.single_word && ((first > 0 && is_word_character(character_at(text, before(text, first)))) ||
                              (last < text.size() && is_word_character(character_at(text, last)))))
      continue;
    if (token.lstrip)
      while (first > done && is_white_space(character_at(text, before(text, first)))) first = before(text, first);
    if (token.rstrip)
      while (last < text.size() && is_white_space(character_at(text, last))) last += code_point_length(text, last);
    first = std::max(first, done);
    if (first >= last) continue;
    plain(first);
    pieces.push_back({aligned.slice(first, last), token.id});
    done = last;
    at = std::max(at, last);
  }
  plain(text.size());
  return pieces;
}

Encoding Tokenizer::tokens_of(std::string_view text, int sequence) const {
  std::vector<Piece> pieces;
  for (Piece& piece : split(AlignedText(text), plain_)) {
    if (piece.id) {
      pieces.push_back(std::move(piece));
      continue;
    }
    if (parts_.normalizer) parts_.normalizer(piece.text);
    for (Piece& part : split(piece.text, normalized_)) pieces.push_back(std::move(part));
  }
  Encoding tokens;
  for (const Piece& piece : pieces) {
    if (piece.text.empty()) continue;
    if (piece.id) {
      tokens.push_back(
          {*piece.id, piece.text.text(), piece.text.span(0, piece.text.text().size()), sequence, false, sequence});
      continue;
    }
    for (const AlignedText& word : parts_.pre_tokenizer ? parts_.pre_tokenizer(piece.text) : Pieces{piece.text})
      for (SubToken& token : parts_.model->tokenize(word.text()))
        tokens.push_back(
            {token.id, std::move(token.text), word.span(token.first, token.last), sequence, false, sequence});
  }
  return tokens;
}

Encoding Tokenizer::processed(std::vector<Encoding> texts, bool add_special) const {
  if (parts_.post_processor) texts = parts_.post_processor(std::move(texts), add_special);
  Encoding all;
  for (Encoding& text : texts) std::move(text.begin(), text.end(), std::back_inserter(all));
  return all;
}

Encoding Tokenizer::encode(std::string_view text, bool add_special) const {
  return processed({tokens_of(text, 0)}, add_special);
}
Encoding Tokenizer::encode_pair(std::string_view first, std::string_view second, bool add_special) const {
  return processed({tokens_of(first, 0), tokens_of(second, 1)}, add_special);
}

std::string Tokenizer::decode(const std::vector<TokenNumber>& ids, bool skip_special) const {
  Texts tokens;
  for (const TokenNumber id : ids)
    if (const std::string* token = text(id); token && !(skip_special && is_special(id))) tokens.push_back(*token);
  if (parts_.decoder) tokens = parts_.decoder(std::move(tokens));
  std::string all;
  for (std::size_t i = 0; i < tokens.size(); ++i) all += (i > 0 && !parts_.decoder ? " " : "") + tokens[i];
  return all;
}

const std::string* Tokenizer::text(TokenNumber id) const {
  const auto added = by_id_.find(id);
  return added != by_id_.end() ? &added->second->content : parts_.model->text(id);
}
std::optional<TokenNumber> Tokenizer::find(const std::string& token) const {
  const auto added = by_text_.find(token);
  return added != by_text_.end() ? std::optional(added->second->id) : parts_.model->find(token);
}
bool Tokenizer::is_special(TokenNumber id) const {
  const auto added = by_id_.find(id);
  return added != by_id_.end() && added->second->special;
}

}  // namespace headlight::pretrained
