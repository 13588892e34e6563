// Translated sentences; the English of the command line is in model/decode/run.cpp.

#include "app/document/run_texts.h"

#include <QCoreApplication>
#include <QLocale>

#include "app/language.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

QString text(const char* source) { return QCoreApplication::translate("RunTexts", source); }

QString number(Index value) { return QLocale(current_language()).toString(static_cast<qlonglong>(value)); }

bool is_characters(const Tokenizer& tokenizer) { return tokenizer.kind() == TokenizerKind::characters; }

// `characters`: the tokens of the text are single characters, and called so.
QString text_of(const RunNote& note, bool characters) {
  switch (note.kind) {
    case RunNote::Kind::cut:
      return text(characters ? QT_TRANSLATE_NOOP("RunTexts", "Only the first %1 of %2 characters are run.")
                             : QT_TRANSLATE_NOOP("RunTexts", "Only the first %1 of %2 tokens are run."))
          .arg(number(note.count), number(note.of));
    case RunNote::Kind::unknown:
      if (!characters)
        return note.count == 1
                   ? text(QT_TRANSLATE_NOOP("RunTexts", "1 token is not in this model's vocabulary and left out."))
                   : text(QT_TRANSLATE_NOOP("RunTexts", "%1 tokens are not in this model's vocabulary and left out."))
                         .arg(number(note.count));
      return note.count == 1
                 ? text(QT_TRANSLATE_NOOP("RunTexts", "1 character is not in this model's vocabulary and left out."))
                 : text(QT_TRANSLATE_NOOP("RunTexts", "%1 characters are not in this model's vocabulary and left out."))
                       .arg(number(note.count));
    case RunNote::Kind::read_as_unknown:
      return note.count == 1
                 ? text(QT_TRANSLATE_NOOP("RunTexts", "1 token is not in this model's vocabulary and read as <unk>."))
                 : text(
                       QT_TRANSLATE_NOOP("RunTexts", "%1 tokens are not in this model's vocabulary and read as <unk>."))
                       .arg(number(note.count));
    case RunNote::Kind::longer_than_trained:
      return text(characters
                      ? QT_TRANSLATE_NOOP("RunTexts",
                                          "The model was trained on at most %1 characters; this text has %2.")
                      : QT_TRANSLATE_NOOP("RunTexts", "The model was trained on at most %1 tokens; this text has %2."))
          .arg(number(note.of), number(note.count));
    case RunNote::Kind::edits_not_reached:
      return note.count == 1
                 ? text(QT_TRANSLATE_NOOP("RunTexts", "1 edit is of a step or token that this run does not have."))
                 : text(QT_TRANSLATE_NOOP("RunTexts", "%1 edits are of steps or tokens that this run does not have."))
                       .arg(number(note.count));
    case RunNote::Kind::not_finite:
      return text(QT_TRANSLATE_NOOP("RunTexts",
                                    "The probabilities of %1 of %2 output steps are not numbers: the model's "
                                    "values became infinite or NaN."))
          .arg(number(note.count), number(note.of));
    case RunNote::Kind::nothing:
      break;
  }
  return text(QT_TRANSLATE_NOOP("RunTexts", "There is nothing to read: the model sees padding only."));
}

// Of the bundled models' config.json.
[[maybe_unused]] constexpr const char* kModelTexts[] = {
    QT_TRANSLATE_NOOP("ModelCard", "Dates, attention"),
    QT_TRANSLATE_NOOP("ModelCard", "Dates, Peeky"),
    QT_TRANSLATE_NOOP("ModelCard", "Dates, no attention"),
    QT_TRANSLATE_NOOP("ModelCard", "Addition, attention"),
    QT_TRANSLATE_NOOP(
        "ModelCard", "Reads a sum of two numbers of up to three digits as text and writes the result, digit by digit."),
    QT_TRANSLATE_NOOP("ModelCard",
                      "Reads a date between 1950 and 2049 in one of fourteen forms (English names, US m/d/y, European "
                      "d.m.y, ISO) and writes it as YYYY-MM-DD."),
    QT_TRANSLATE_NOOP("ModelCard", "Tatoeba, Bahdanau"),
    QT_TRANSLATE_NOOP("ModelCard", "Dates, dot score"),
    QT_TRANSLATE_NOOP("ModelCard", "Dates, scaled dot score"),
    QT_TRANSLATE_NOOP("ModelCard", "Dates, general score"),
    QT_TRANSLATE_NOOP("ModelCard", "Dates, additive score"),
    QT_TRANSLATE_NOOP("ModelCard", "Dates, MLP score"),
    QT_TRANSLATE_NOOP("ModelCard", "Dates, location score"),
    QT_TRANSLATE_NOOP("ModelCard", "Dates, cosine score"),
    QT_TRANSLATE_NOOP("ModelCard", "A small language, local attention"),
    QT_TRANSLATE_NOOP("ModelCard", "A small language, Bahdanau"),
    QT_TRANSLATE_NOOP("ModelCard", "A small language, Luong"),
    QT_TRANSLATE_NOOP("ModelCard", "A small language, three layers"),
    QT_TRANSLATE_NOOP("ModelCard", "A small language, convolutions"),
    QT_TRANSLATE_NOOP(
        "ModelCard",
        "Translates from English words in an order of their own (in clauses after 'that', 'because' and 'when' the "
        "verb comes last) into an invented language, where adjectives follow their noun and agree with it."),
    QT_TRANSLATE_NOOP("ModelCard", "A glimpse at a grid, hard attention"),
    QT_TRANSLATE_NOOP("ModelCard",
                      "Reads a grid of four rows of four letters (a to j), row by row, and a place such as r2c3 (row "
                      "2, column 3), and writes the letter that stands there: one look at the right cell is enough."),
    QT_TRANSLATE_NOOP("ModelCard", "English to French, Bahdanau"),
    QT_TRANSLATE_NOOP("ModelCard", "English to French, convolutions"),
    QT_TRANSLATE_NOOP("ModelCard",
                      "Translates simple English sentences into French: adjectives move behind their noun and agree "
                      "with it, pronouns stand before the verb, 'not' becomes two words."),
    QT_TRANSLATE_NOOP("ModelCard", "Translates like the pairs of sentences that it was trained on."),
    QT_TRANSLATE_NOOP("ModelCard", "Copying, 6 bits, NTM"),
    QT_TRANSLATE_NOOP("ModelCard",
                      "Reads up to twenty characters of 6 bits each and writes them again. Longer inputs show whether "
                      "a way to copy was learned, or twenty places."),
    QT_TRANSLATE_NOOP("ModelCard", "Copying, Transformer"),
    QT_TRANSLATE_NOOP("ModelCard", "Copying, learned positions"),
    QT_TRANSLATE_NOOP("ModelCard", "Copying, no positions"),
    QT_TRANSLATE_NOOP("ModelCard", "Copying, one head"),
    QT_TRANSLATE_NOOP("ModelCard", "Copying, one head, not scaled"),
    QT_TRANSLATE_NOOP("ModelCard", "Reversing, Transformer"),
    QT_TRANSLATE_NOOP("ModelCard", "Sorting, Transformer"),
    QT_TRANSLATE_NOOP("ModelCard", "Addition, Transformer"),
    QT_TRANSLATE_NOOP("ModelCard", "Dates, Transformer"),
    QT_TRANSLATE_NOOP("ModelCard", "English to French, Transformer"),
    QT_TRANSLATE_NOOP("ModelCard", "Hidden words, mini BERT"),
    QT_TRANSLATE_NOOP("ModelCard", "Small stories, mini GPT"),
    QT_TRANSLATE_NOOP("ModelCard", "Tatoeba, Transformer"),
    QT_TRANSLATE_NOOP("ModelCard",
                      "Reads up to ten digits and writes them again. Longer inputs show what was learned."),
    QT_TRANSLATE_NOOP("ModelCard",
                      "Goes on with a story of short English sentences, word by word: verbs agree with their subjects "
                      "over what stands between them, and 'she', 'it' or a name goes back to a sentence before."),
    QT_TRANSLATE_NOOP("ModelCard",
                      "Guesses the words of a text that are hidden behind [MASK] (or typed as ___) from what stands "
                      "before and behind them."),
    QT_TRANSLATE_NOOP("ModelCard", "Reads up to ten digits and writes them from the last to the first."),
    QT_TRANSLATE_NOOP("ModelCard", "Reads up to ten digits and writes them in ascending order."),
};

}  // namespace

QString model_text(const std::string& text) {
  if (text.empty()) return {};
  return QCoreApplication::translate("ModelCard", text.c_str());
}

QStringList note_texts(const Result& result) {
  QStringList texts;
  const bool characters = is_characters(result.model->text.source);
  for (const RunNote& note : result.notes) texts << text_of(note, characters);
  return texts;
}

QString size_text(const Result& result) {
  Index numbers = 0;
  if (result.trace)
    for (const TraceEntry& entry : result.trace->entries()) numbers += entry.value.size();
  return text(QT_TRANSLATE_NOOP("RunTexts", "%1 parameters, %2 numbers in this run"))
      .arg(number(result.model->model->parameters().count()), number(numbers));
}

QString target_problem(const Document& document) {
  if (!document.model || !document.target) return {};
  const auto tokens = document.model->text.target.split(*document.target);
  for (const TextToken& token : tokens)
    if (token.unknown)
      return text(QT_TRANSLATE_NOOP("RunTexts", "‘%1’ is unknown to the model")).arg(token_text(token.text).text);
  const Index limit = document.model->text.target_length;
  if (limit > 0 && static_cast<Index>(tokens.size()) > limit)
    return text(is_characters(document.model->text.target)
                    ? QT_TRANSLATE_NOOP("RunTexts", "Too long: %1 characters, at most %2")
                    : QT_TRANSLATE_NOOP("RunTexts", "Too long: %1 tokens, at most %2"))
        .arg(number(static_cast<Index>(tokens.size())), number(limit));
  return {};
}

double output_probability(const Result& result) {
  double probability = 1;
  for (const OutputStep& step : result.steps) probability *= step.probability;
  return probability;
}

}  // namespace headlight
