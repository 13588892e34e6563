#include "model/io/formats/pretrained/pretrained_text.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "model/text/pretrained/languages.h"
#include "model/text/utf8.h"

namespace headlight {

namespace {

constexpr std::string_view kSpace = "▁";

std::string with_spaces(const std::string& token) {
  std::string text;
  for (std::size_t at = 0; at < token.size();) {
    const bool space = token.compare(at, kSpace.size(), kSpace) == 0;
    text += space ? ' ' : token[at];
    at += space ? kSpace.size() : 1;
  }
  return text;
}

class LibraryTokenizer : public OtherTokenizer {
 public:
  LibraryTokenizer(std::shared_ptr<const pretrained::Tokenizer> tokenizer, std::vector<std::string> shown, bool signs)
      : tokenizer_(std::move(tokenizer)), shown_(std::move(shown)), signs_(signs) {
    // A template without a place for a second text leaves it out, and one without signs runs the two into one.
    const pretrained::Encoding pair = tokenizer_->encode_pair("a", "b", true);
    const auto first = [](const pretrained::EncodedToken& token) { return !token.special && token.sequence == 0; };
    const auto second = [](const pretrained::EncodedToken& token) { return !token.special && token.sequence == 1; };
    const auto from = std::ranges::find_if(pair, first), to = std::ranges::find_if(pair, second);
    for (std::size_t id = 0; id < shown_.size() && !byte_level_; ++id)
      if (const std::string* text = tokenizer_->text(static_cast<pretrained::TokenNumber>(id)))
        byte_level_ = text->find("Ġ") != text->npos;
    pairs_ = signs_ && from < to && to != pair.end() &&
             std::any_of(from, to, [](const pretrained::EncodedToken& token) { return token.special; });
  }

  std::vector<TextToken> split(std::string_view text) const override {
    const std::string valid = valid_utf8(text);
    return placed(pretrained::encode_in_language(*tokenizer_, valid, signs_), {valid, {}});
  }
  std::vector<WordCut> cuts(std::string_view text) const override {
    const std::string valid = valid_utf8(text);
    const std::vector<std::size_t> starts = starts_of(valid);
    std::vector<WordCut> cuts = tokenizer_->cuts(valid);
    const auto byte = [&](std::size_t point) { return starts[std::min(point, starts.size() - 1)]; };
    for (WordCut& cut : cuts) {
      cut.begin = byte(cut.begin);
      cut.end = byte(cut.end);
      show(cut.word);
      for (CutStep& step : cut.steps) {
        for (CutPiece& piece : step.pieces) show(piece.text);
        for (std::string& each : step.tried) show(each);
        show(step.left);
        show(step.right);
      }
      for (CutArc& arc : cut.arcs) show(arc.text);
    }
    return cuts;
  }
  bool takes_pairs() const override { return pairs_; }
  std::vector<TextToken> split_pair(std::string_view first, std::string_view second) const override {
    const std::string valid_first = valid_utf8(first), valid_second = valid_utf8(second);
    return placed(tokenizer_->encode_pair(valid_first, valid_second, signs_), {valid_first, valid_second});
  }

  std::string join(const std::vector<TokenId>& ids) const override {
    return tokenizer_->decode({ids.begin(), ids.end()});
  }

 private:
  // As people read it, like shown_tokens().
  void show(std::string& token) const { token = byte_level_ ? pretrained::as_bytes(token) : with_spaces(token); }
  // Where each code point of a text begins, and where it ends.
  static std::vector<std::size_t> starts_of(const std::string& text) {
    std::vector<std::size_t> starts;
    for (std::size_t at = 0; at < text.size(); at += std::max<std::size_t>(1, code_point_length(text, at)))
      starts.push_back(at);
    starts.push_back(text.size());
    return starts;
  }
  // A sign stands behind the text that ends in front of it.
  std::vector<TextToken> placed(const pretrained::Encoding& encoded, const std::array<std::string, 2>& texts) const {
    const std::array starts = {starts_of(texts[0]), starts_of(texts[1])};
    std::vector<TextToken> tokens;
    std::array<std::size_t, 2> ends{};
    int sentence = 0;
    for (const pretrained::EncodedToken& token : encoded) {
      if (!token.special) sentence = token.sequence == 1 ? 1 : 0;
      const auto of = static_cast<std::size_t>(sentence);
      const auto byte = [&](std::uint32_t point) {
        return starts[of][std::min<std::size_t>(point, starts[of].size() - 1)];
      };
      TextToken made;
      const bool known = token.id >= 0 && token.id < static_cast<pretrained::TokenNumber>(shown_.size());
      made.text = known ? shown_[static_cast<std::size_t>(token.id)] : token.text;
      made.begin = token.special ? ends[of] : byte(token.offsets.begin);
      made.end = token.special ? ends[of] : byte(token.offsets.end);
      ends[of] = std::max(ends[of], made.end);
      if (known) made.id = static_cast<TokenId>(token.id);
      made.unknown = !known || token.unknown;
      made.sentence = sentence;
      made.type = token.type_id;
      tokens.push_back(std::move(made));
    }
    return tokens;
  }

  std::shared_ptr<const pretrained::Tokenizer> tokenizer_;
  std::vector<std::string> shown_;
  bool signs_, pairs_ = false, byte_level_ = false;
};

// "12 7 3": numbers, however they are parted.
class Numbers : public OtherTokenizer {
 public:
  explicit Numbers(std::vector<std::string> shown) : shown_(std::move(shown)) {}

  std::vector<TextToken> split(std::string_view text) const override {
    std::vector<TextToken> tokens;
    for (std::size_t at = 0; at < text.size();) {
      if (text[at] == ' ' || text[at] == ',' || text[at] == '\t') {
        ++at;
        continue;
      }
      const std::size_t end = std::min(text.find_first_of(" ,\t", at), text.size());
      TextToken token;
      token.begin = at;
      token.end = end;
      token.text = std::string(text.substr(at, end - at));
      TokenId id = 0;
      const auto [after, error] = std::from_chars(text.data() + at, text.data() + end, id);
      if (error == std::errc() && after == text.data() + end && id >= 0 && id < static_cast<TokenId>(shown_.size())) {
        token.id = id;
        token.text = shown_[static_cast<std::size_t>(id)];
      }
      token.unknown = !token.id;
      tokens.push_back(std::move(token));
      at = end;
    }
    return tokens;
  }
  bool takes_pairs() const override { return true; }
  std::vector<TextToken> split_pair(std::string_view first, std::string_view second) const override {
    std::vector<TextToken> tokens = split(first);
    for (TextToken& token : split(second)) {
      token.sentence = token.type = 1;
      tokens.push_back(std::move(token));
    }
    return tokens;
  }

  std::string join(const std::vector<TokenId>& ids) const override {
    std::string text;
    for (const TokenId id : ids) {
      if (!text.empty()) text += ' ';
      text += std::to_string(id);
    }
    return text;
  }

 private:
  std::vector<std::string> shown_;
};

}  // namespace

std::vector<std::string> shown_tokens(const pretrained::Tokenizer* tokenizer, Index count) {
  std::vector<std::string> shown(static_cast<std::size_t>(count));
  bool byte_level = false;
  for (Index id = 0; tokenizer && id < count; ++id)
    if (const std::string* text = tokenizer->text(id)) byte_level = byte_level || text->find("Ġ") != text->npos;
  for (Index id = 0; id < count; ++id) {
    const std::string* text = tokenizer ? tokenizer->text(id) : nullptr;
    std::string& to = shown[static_cast<std::size_t>(id)];
    if (!text || text->empty())
      to.append(1, '<').append(std::to_string(id)).append(1, '>');
    else
      to = tokenizer->is_special(id) ? *text : byte_level ? pretrained::as_bytes(*text) : with_spaces(*text);
  }
  return shown;
}

std::vector<std::string> readable_tokens(std::vector<std::string> tokens) {
  const bool byte_level = std::ranges::any_of(tokens, [](const std::string& t) { return t.find("Ġ") != t.npos; });
  for (std::string& token : tokens) {
    token = byte_level ? pretrained::as_bytes(token) : with_spaces(token);
    if (token.empty()) token.push_back('?');
  }
  return tokens;
}

std::shared_ptr<const OtherTokenizer> as_tokenizer(std::shared_ptr<const pretrained::Tokenizer> tokenizer,
                                                   std::vector<std::string> shown, bool signs) {
  if (!tokenizer) return std::make_shared<const Numbers>(std::move(shown));
  return std::make_shared<const LibraryTokenizer>(std::move(tokenizer), std::move(shown), signs);
}

void tell_languages(ModelBundle& bundle, const pretrained::Tokenizer& tokenizer, Index count) {
  const std::vector<std::string> codes = pretrained::language_codes(tokenizer, static_cast<TokenId>(count));
  if (codes.empty()) return;
  for (std::string& text : bundle.examples) text.insert(0, codes.front() + " ");
  constexpr std::size_t kNamed = 4;
  std::string named;
  for (std::size_t i = 0; i < std::min(kNamed, codes.size()); ++i) named += (i > 0 ? ", " : "") + codes[i];
  if (codes.size() > kNamed) named += " and " + std::to_string(codes.size() - kNamed) + " more";
  bundle.description +=
      ". The code of the text's language may stand in front of it, that of the output's begins the output: " + named;
}

}  // namespace headlight
