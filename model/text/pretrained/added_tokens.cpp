#include "model/text/pretrained/added_tokens.h"

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

bool is_within_word(std::string_view text, std::size_t first, std::size_t last) {
  return (first > 0 && is_word_character(character_at(text, before(text, first)))) ||
         (last < text.size() && is_word_character(character_at(text, last)));
}

}  // namespace

void AddedTokens::add(AddedToken token, const SubwordModel& model, std::optional<TokenNumber> id) {
  if (token.content.empty()) return;
  if (const auto known = by_content_.find(token.content); known != by_content_.end()) {
    token.id = id.value_or(known->second->id);
    by_id_[token.id] = known->second;
    token.special = token.special || known->second->special;
    *known->second = std::move(token);
    return;
  }
  if (!id) id = model.find(token.content);
  token.id = id ? *id : std::max(next_, model.size());
  next_ = std::max(next_, token.id + 1);
  AddedToken& kept = tokens_.emplace_back(std::move(token));
  by_content_[kept.content] = by_id_[kept.id] = &kept;
}

void AddedTokens::prepare(const Normalizer& normalizer) {
  std::vector<std::pair<std::string_view, std::uint32_t>> plain, normalized;
  // Where two are looked for alike, a special one wins.
  for (const bool special : {true, false})
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const AddedToken& token = tokens_[i];
      if (token.special != special) continue;
      AlignedText content(token.content);
      if (token.normalized && normalizer) normalizer(content);
      if (content.empty()) continue;
      const std::string& kept = contents_.emplace_back(content.text());
      (token.normalized ? normalized : plain).emplace_back(kept, static_cast<std::uint32_t>(i));
    }
  plain_ = Prefixes(std::move(plain));
  normalized_ = Prefixes(std::move(normalized));
}

const AddedToken* AddedTokens::find(const std::string& content) const {
  const auto found = by_content_.find(content);
  return found == by_content_.end() ? nullptr : found->second;
}
const AddedToken* AddedTokens::at(TokenNumber id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second;
}

std::vector<AddedTokens::Piece> AddedTokens::split(const AlignedText& aligned, bool normalized) const {
  const std::string& text = aligned.text();
  const Prefixes& table = normalized ? normalized_ : plain_;
  if (table.empty() || text.empty()) return {{aligned, {}}};
  std::vector<Piece> pieces;
  std::size_t done = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = 0;
    std::uint32_t which = 0;
    table.for_each(std::string_view(text).substr(at), [&](std::size_t size, std::uint32_t number) {
      length = size;
      which = number;
    });
    std::size_t first = at, last = at + length;
    at += std::max<std::size_t>(length, 1);
    if (length == 0) continue;
    const AddedToken& token = tokens_[which];
    if ((splits_special_ && token.special) || (token.single_word && is_within_word(text, first, last))) continue;
    if (token.lstrip) {
      while (first > done && is_white_space(character_at(text, before(text, first)))) first = before(text, first);
      first = std::max(first, done);
    }
    if (token.rstrip)
      while (last < text.size() && is_white_space(character_at(text, last))) last += code_point_length(text, last);
    if (first >= last) continue;
    if (done < first) pieces.push_back({aligned.slice(done, first), {}});
    pieces.push_back({aligned.slice(first, last), token.id});
    done = last;
  }
  if (done < text.size()) pieces.push_back({aligned.slice(done, text.size()), {}});
  return pieces;
}

}  // namespace headlight::pretrained
