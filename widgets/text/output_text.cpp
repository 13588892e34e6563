// Outputs in words.
#include "widgets/text/output_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "widgets/base/utf8_text.h"
#include "widgets/text/token_text.h"

namespace headlight {
namespace {

// Of a result that has no model, as tests make them, what most models are.
ModelTraits traits(const Result& result) { return result.model->model ? result.model->model->traits() : ModelTraits(); }

// Bytes that make no character are no text: read again, they would be other tokens.
bool is_whole_text(const Result& result, const std::vector<TokenId>& ids) {
  if (!spelled(result, ids).contains(QChar::ReplacementCharacter)) return true;
  const std::vector<TextToken> read = result.model->text.target.split(result.model->text.target.join(ids));
  return std::ranges::equal(read, ids, [](const TextToken& token, TokenId id) { return token.id == id; });
}

}  // namespace

bool guesses_hidden_words(const Result& result) {
  return result.model->text.mask && traits(result).kind == ModelTraits::Kind::encoder_only;
}

QString spelled(const Result& result, std::vector<TokenId> ids) {
  const TextRules& rules = result.model->text;
  std::erase_if(ids, [&](TokenId id) { return id == rules.eos; });
  if (traits(result).writes_reversed) std::ranges::reverse(ids);
  return from_utf8(rules.target.join(ids));
}

std::optional<QString> with_candidate(const Result& result, int step, TokenId id) {
  std::vector<TokenId> ids;
  for (const OutputStep& each : result.steps) ids.push_back(each.id);
  const auto at = static_cast<std::size_t>(step);
  if (at >= ids.size()) return std::nullopt;
  ids[at] = id;
  if (id == result.model->text.eos) ids.resize(at);
  if (!is_whole_text(result, ids)) return std::nullopt;
  const QString text = spelled(result, std::move(ids));
  return text.isEmpty() ? std::nullopt : std::optional(text);
}

QString with_guess(const Result& result, int token, TokenId id) {
  const TextToken& hidden = result.tokens.at(static_cast<std::size_t>(token));
  std::string text = result.source;
  text.replace(hidden.begin, hidden.end - hidden.begin, result.model->target_vocabulary().text(id));
  return from_utf8(text);
}

QString quoted(const std::string& token) {
  const TokenText text = token_text(token);
  return text.name == text.text ? in_quotes(text.text) : text.name;
}

QString quoted_text(const QString& text) {
  return text.isEmpty() ? QCoreApplication::translate("OutputText", "no text")
                        : in_quotes(shown_text(text.toStdString()));
}

QString beginning_with(const Result& result, int step, TokenId token) {
  std::vector<TokenId> ids;
  for (int i = 0; i < step; ++i) ids.push_back(nth(result.steps, i).id);
  ids.push_back(token);
  return is_whole_text(result, ids) ? spelled(result, ids) : QString();
}

bool is_half_character(const Result& result, int step, TokenId token) {
  std::vector<TokenId> ids;
  for (int i = 0; i < step; ++i) ids.push_back(nth(result.steps, i).id);
  ids.push_back(token);
  return !is_whole_text(result, ids);
}

QString half_character_note() {
  return QCoreApplication::translate(
      "OutputText",
      "A beginning is a text, and this one would hold only a part of a character: the model cannot go on from it.");
}

}  // namespace headlight
