#include "model/text/pretrained/tokenizer.h"

#include "model/core/budget.h"

namespace headlight::pretrained {

namespace {

// What tokenizers that people use stay far below: a text may become 16 times as long (a normal form makes 11 bytes of
// one at most, and byte-level vocabularies write two for one), short ones a megabyte, and 100 kB take a second.
class TextEffort : public Effort {
 public:
  explicit TextEffort(std::size_t bytes)
      : Effort("reading this text with the tokenizer of this model", 5 + static_cast<double>(bytes) / 1e5,
               16 * bytes + (std::size_t{1} << 20)) {}
};

WordCut* add_cut(std::vector<WordCut>& cuts, const AlignedText& word) {
  const Span span = word.span(0, word.text().size());
  cuts.push_back({.word = word.text(), .begin = span.begin, .end = span.end});
  return &cuts.back();
}

}  // namespace

std::optional<TokenNumber> Tokenizer::Parts::find(const std::string& token) const {
  const AddedToken* known = added.find(token);
  return known ? std::optional(known->id) : model->find(token);
}

Tokenizer::Tokenizer(Parts parts) : parts_(std::move(parts)) {
  const TextEffort effort(0);  // each of them is normalised
  parts_.added.prepare(parts_.normalizer);
}

Encoding Tokenizer::tokens_of(std::string_view text, int sequence, std::vector<WordCut>* cuts) const {
  std::vector<AddedTokens::Piece> pieces;
  // 1. Those that are looked for in the text as it is.
  for (AddedTokens::Piece& piece : parts_.added.split(AlignedText(text), false)) {
    if (piece.id) {
      pieces.push_back(std::move(piece));
      continue;
    }
    // 2.
    if (parts_.normalizer) parts_.normalizer(piece.text);
    // 1. The others.
    for (AddedTokens::Piece& part : parts_.added.split(piece.text, true)) pieces.push_back(std::move(part));
  }
  Encoding tokens;
  std::size_t bytes = 0;  // of their texts: one that stands for all that is unknown may be long
  const std::optional<TokenNumber> unknown = parts_.model->unknown();
  for (const AddedTokens::Piece& piece : pieces) {
    if (piece.text.empty()) continue;
    if (piece.id) {
      tokens.push_back(
          {*piece.id, piece.text.text(), piece.text.span(0, piece.text.text().size()), sequence, false, sequence});
      if (cuts) add_cut(*cuts, piece.text)->steps = {{.pieces = {{piece.text.text(), false}}}};
      continue;
    }
    // 3. Without a pre-tokenizer all is one piece.
    for (const AlignedText& word : parts_.pre_tokenizer ? parts_.pre_tokenizer(piece.text) : Pieces{piece.text})
      // 4.
      for (SubToken& token : parts_.model->tokenize(word.text(), cuts ? add_cut(*cuts, word) : nullptr)) {
        Effort::hold(bytes += token.text.size());
        tokens.push_back({token.id, std::move(token.text), word.span(token.first, token.last), sequence, false,
                          sequence, token.id == unknown});
      }
  }
  return tokens;
}

std::vector<WordCut> Tokenizer::cuts(std::string_view text) const {
  const TextEffort effort(text.size());
  std::vector<WordCut> cuts;
  tokens_of(text, 0, &cuts);
  std::erase_if(cuts, [](const WordCut& cut) { return cut.steps.empty() || cut.tokens().empty(); });
  return cuts;
}

Encoding Tokenizer::processed(std::vector<Encoding> texts, bool add_special) const {
  // 5. Without a post-processor a second text follows the first.
  if (parts_.post_processor) texts = parts_.post_processor(std::move(texts), add_special);
  Encoding all;
  for (Encoding& text : texts) std::move(text.begin(), text.end(), std::back_inserter(all));
  return all;
}

Encoding Tokenizer::encode(std::string_view text, bool add_special) const {
  const TextEffort effort(text.size());
  return processed({tokens_of(text, 0)}, add_special);
}
Encoding Tokenizer::encode_pair(std::string_view first, std::string_view second, bool add_special) const {
  const TextEffort effort(first.size() + second.size());
  return processed({tokens_of(first, 0), tokens_of(second, 1)}, add_special);
}

std::string Tokenizer::decode(const std::vector<TokenNumber>& ids, bool skip_special) const {
  Texts tokens;
  std::size_t bytes = 0;
  for (const TokenNumber id : ids)
    if (const std::string* token = text(id); token && !(skip_special && is_special(id))) {
      bytes += token->size();
      within_budget(static_cast<double>(bytes), budget::kUnpacked, "the text of these tokens",
                    "the vocabulary has tokens that are no words");
      tokens.push_back(*token);
    }
  const TextEffort effort(bytes);
  // 6. Without a decoder there is a blank between two tokens.
  if (parts_.decoder) tokens = parts_.decoder(std::move(tokens));
  std::string all;
  for (std::size_t i = 0; i < tokens.size(); ++i) all += (i > 0 && !parts_.decoder ? " " : "") + tokens[i];
  return all;
}

const std::string* Tokenizer::text(TokenNumber id) const {
  const AddedToken* added = parts_.added.at(id);
  return added ? &added->content : parts_.model->text(id);
}
bool Tokenizer::is_special(TokenNumber id) const {
  const AddedToken* added = parts_.added.at(id);
  return added && added->special;
}

}  // namespace headlight::pretrained
