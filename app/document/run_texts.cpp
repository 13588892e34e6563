// Translated sentences; the English of the command line is in model/decode/run.cpp.

#include "app/document/run_texts.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
#include <algorithm>

#include "app/document/learned_texts.h"
#include "app/document/opened_text.h"
#include "app/language.h"
#include "app/messages.h"
#include "widgets/base/utf8_text.h"
#include "widgets/text/output_text.h"
#include "widgets/text/token_text.h"
#include "widgets/views/choosing/choosing_step.h"

namespace headlight {

namespace {

struct RunWords {
  Q_DECLARE_TR_FUNCTIONS(RunTexts)
};

QString number(Index value) { return QLocale(current_language()).toString(static_cast<qlonglong>(value)); }

bool is_characters(const Tokenizer& tokenizer) { return tokenizer.kind() == TokenizerKind::characters; }

bool left_out(const TextToken& token) { return !token.id; }
bool read_otherwise(const TextToken& token) { return token.unknown && token.id; }

// "‘q’, ‘z’ and 3 others": each once, in the order of the text.
QString names(const Result& result, bool (*wanted)(const TextToken&)) {
  constexpr qsizetype kMost = 4;
  QStringList all;
  for (const TextToken& token : result.tokens) {
    if (!wanted(token)) continue;
    const QString name = RunWords::tr("‘%1’").arg(token_text(token.text).text);
    if (!all.contains(name)) all << name;
  }
  const qsizetype others = all.size() - kMost;
  const QString named = all.mid(0, others == 1 ? kMost + 1 : kMost).join(RunWords::tr(", "));
  return others > 1 ? RunWords::tr("%1 and %2 others").arg(named, number(others)) : named;
}

// What an unknown token was read as.
QString unknown_sign(const Result& result) {
  for (const TextToken& token : result.tokens)
    if (read_otherwise(token)) return from_utf8(result.model->source_vocabulary().text(*token.id));
  return {};
}

// `characters`: the tokens of the text are single characters, and called so.
QString text_of(const RunNote& note, const Result& result, bool characters) {
  switch (note.kind) {
    case RunNote::Kind::cut:
      if (result.chat_text)
        return RunWords::tr("%1 of the %2 tokens of this chat are run: what was said first is left out.")
            .arg(number(note.count), number(note.of));
      return (characters ? RunWords::tr("Only the first %1 of %2 characters are run.")
                         : RunWords::tr("Only the first %1 of %2 tokens are run."))
          .arg(number(note.count), number(note.of));
    case RunNote::Kind::unknown:
      return note.count == 1 ? RunWords::tr("%1 is unknown to this model and left out.").arg(names(result, left_out))
                             : RunWords::tr("%1 are unknown to this model and left out.").arg(names(result, left_out));
    case RunNote::Kind::read_as_unknown:
      return (note.count == 1 ? RunWords::tr("%1 is unknown to this model and read as %2.")
                              : RunWords::tr("%1 are unknown to this model and read as %2."))
          .arg(names(result, read_otherwise), unknown_sign(result));
    case RunNote::Kind::longer_than_trained:
      return (characters ? RunWords::tr("The model was trained on at most %1 characters; this text has %2.")
                         : RunWords::tr("The model was trained on at most %1 tokens; this text has %2."))
          .arg(number(note.of), number(note.count));
    case RunNote::Kind::edits_not_reached:
      return note.count == 1
                 ? RunWords::tr("1 edit is of a step or token that this run does not have.")
                 : RunWords::tr("%1 edits are of steps or tokens that this run does not have.").arg(number(note.count));
    case RunNote::Kind::not_finite:
      return RunWords::tr(
                 "The probabilities of %1 of %2 output steps are not numbers: the model's "
                 "values became infinite or NaN.")
          .arg(number(note.count), number(note.of));
    case RunNote::Kind::rows_not_numbers:
      return RunWords::tr("%1 of %2 rows of attention hold values that are not numbers.")
          .arg(number(note.count), number(note.of));
    case RunNote::Kind::rows_negative:
      return RunWords::tr("%1 of %2 rows of attention have negative values: scores, perhaps, but no weights.")
          .arg(number(note.count), number(note.of));
    case RunNote::Kind::rows_percent:
      return RunWords::tr("The rows of attention add up to 100: they are percentages, not shares of 1.");
    case RunNote::Kind::rows_on_their_side:
      return RunWords::tr("The columns of attention add up to 1, not its rows: queries and keys seem to be swapped.");
    case RunNote::Kind::rows_other_sum:
      return RunWords::tr("%1 of %2 rows of attention do not add up to 1: they are not what a softmax gives.")
          .arg(number(note.count), number(note.of));
    case RunNote::Kind::mask_leaves_nothing:
      return RunWords::tr("The stored mask leaves out every token: it is not applied.");
    case RunNote::Kind::mask_is_added:
      return RunWords::tr(
          "The stored mask is one that is added to scores: 0 is read as a token, what is below as padding.");
    case RunNote::Kind::mask_has_other_values:
      return RunWords::tr("The stored mask holds values other than 0 and 1: what is above 0 is read as a token.");
    case RunNote::Kind::mask_hides_attention:
      return RunWords::tr(
                 "The stored mask leaves out tokens that get %1 % of the attention (is 1 its sign for padding?): it is "
                 "not applied.")
          .arg(number(note.count));
    case RunNote::Kind::nothing:
      break;
  }
  return RunWords::tr("There is nothing to read: the model sees padding only.");
}

}  // namespace

// Titles and descriptions stand in the config.json of each bundled model; a test holds their translations.
QString model_text(const std::string& text) {
  if (text.empty()) return {};
  const QString translated = QCoreApplication::translate("ModelCard", text.c_str());
  return translated == from_utf8(text) ? opened_text(translated) : translated;
}

QString first_words(const QString& text) {
  static const QRegularExpression end(QStringLiteral("[.:;,](?= |$)| ?[(（]|[。：；，]"));
  return text.section(end, 0, 0);
}

QStringList note_texts(const Result& result) {
  QStringList texts;
  const bool characters = is_characters(result.model->text.source);
  for (const RunNote& note : result.notes) texts << text_of(note, result, characters);
  // What is wrong with single tokens says more than that they make no text of its kind.
  if (result.notes.empty())
    if (const QString misfit = misfit_text(*result.model, result.source); !misfit.isEmpty()) texts << misfit;
  // A model that guesses hidden words has nothing to guess: what one sees is what it finds probable in place of each.
  const auto is_hidden = [&](const TextToken& token) { return token.id == result.model->text.mask; };
  if (guesses_hidden_words(result) && !result.source.empty() && std::ranges::none_of(result.tokens, is_hidden))
    texts << RunWords::tr("No word is hidden. Write %1 in place of one, and the model guesses it.")
                 .arg(from_utf8(result.model->source_vocabulary().text(*result.model->text.mask)));
  return texts;
}

QString size_text(const Result& result) {
  Index numbers = 0;
  if (result.trace)
    for (const TraceEntry& entry : result.trace->entries()) numbers += entry.value.size();
  const QString size = RunWords::tr("%1 parameters, %2 numbers in this run")
                           .arg(number(result.model->model->parameters().count()), number(numbers));
  // Of what came from elsewhere, what it is: nobody has seen its card.
  const ModelBundle& model = *result.model;
  if (model.text.source.kind() != TokenizerKind::other || model.description.empty()) return size;
  const QString what = message_text(opened_text(from_utf8(model.description)));
  return model.stored ? what : what + QStringLiteral(" · ") + size;
}

QString target_problem(const Document& document) {
  if (!document.model || !document.target) return {};
  std::vector<TextToken> tokens;
  try {
    tokens = document.model->text.target.split(*document.target);
  } catch (const Error& error) {  // of a tokenizer from elsewhere
    return message_text(from_utf8(error.what()));
  }
  for (const TextToken& token : tokens)
    if (token.unknown) return RunWords::tr("‘%1’ is unknown to the model").arg(token_text(token.text).text);
  const Index limit = document.model->text.target_length;
  if (limit > 0 && static_cast<Index>(tokens.size()) > limit)
    return (is_characters(document.model->text.target) ? RunWords::tr("Too long: %1 characters, at most %2")
                                                       : RunWords::tr("Too long: %1 tokens, at most %2"))
        .arg(number(static_cast<Index>(tokens.size())), number(limit));
  return {};
}

double output_probability(const Result& result) {
  const auto given = std::min(result.steps.size(), static_cast<std::size_t>(forced_steps(result)));
  double probability = 1;
  for (std::size_t t = 0; t < given; ++t) probability *= result.steps[t].probability;
  return probability;
}

}  // namespace headlight
