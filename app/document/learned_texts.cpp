#include "app/document/learned_texts.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>

#include "app/language.h"
#include "model/core/errors.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

using Kind = Learned::Kind;

struct LearnedWords {
  Q_DECLARE_TR_FUNCTIONS(LearnedTexts)
};

// With the separators of the language.
QString grouped(qsizetype count) { return QLocale(current_language()).toString(static_cast<qlonglong>(count)); }

// Of words, and of other tokens that somebody can type.
bool is_word(const std::string& token) {
  return !token.empty() && token.front() != '<' && token != kMask &&
         std::ranges::any_of(from_utf8(token), [](QChar c) { return c.isLetter(); });
}

QString word_count(const ModelBundle& model) { return grouped(known_words(model).size()); }

// Of somebody's own model: what its tokenizer says, and no more.
QString any_text(const ModelBundle& model) {
  const Tokenizer& tokenizer = model.text.source;
  if (model.stored) return LearnedWords::tr("texts that were stored");
  if (tokenizer.takes_pairs()) return LearnedWords::tr("any text, or two");
  if (tokenizer.kind() == TokenizerKind::other || tokenizer.kind() == TokenizerKind::bpe)
    return LearnedWords::tr("any text");
  if (tokenizer.kind() == TokenizerKind::words) return LearnedWords::tr("texts from %1 words").arg(word_count(model));
  return LearnedWords::tr("texts from %1 characters").arg(grouped(tokenizer.vocabulary().size()));
}

}  // namespace

QString reads_text(const ModelBundle& model) {
  const Learned& learned = learned_by(model.task);
  switch (learned.kind) {
    case Kind::date:
      return LearnedWords::tr("a date, %1 to %2").arg(learned.first).arg(learned.last);
    case Kind::sum:
      return LearnedWords::tr("a sum of two numbers");
    case Kind::digits:
      return LearnedWords::tr("up to %1 digits").arg(learned.last);
    case Kind::characters:
      return LearnedWords::tr("up to %1 letters and digits").arg(learned.last);
    case Kind::grid:
      return LearnedWords::tr("a grid of letters and a place");
    case Kind::sentence:
      return LearnedWords::tr("English, from %1 words").arg(word_count(model));
    case Kind::pairs:
      return LearnedWords::tr("sentences, from %1 words").arg(word_count(model));
    case Kind::story:
      return LearnedWords::tr("the beginning of a story, from %1 words").arg(word_count(model));
    case Kind::hidden_words:
      return LearnedWords::tr("English with a hidden word, from %1 words").arg(word_count(model));
    case Kind::unknown:
      break;
  }
  return any_text(model);
}

QString learned_text(const ModelBundle& model) {
  const Learned& learned = learned_by(model.task);
  const QString longest = grouped(model.text.longest_source);
  switch (learned.kind) {
    case Kind::date:
      return LearnedWords::tr("Dates from %1 to %2, in %3 forms.")
          .arg(learned.first)
          .arg(learned.last)
          .arg(learned.forms);
    case Kind::sum:
      return LearnedWords::tr("Sums of two numbers of up to %1 digits.").arg(learned.last);
    case Kind::digits:
      return LearnedWords::tr("Rows of up to %1 digits.").arg(learned.last);
    case Kind::characters:
      return LearnedWords::tr("Up to %1 letters, digits, spaces and full stops.").arg(learned.last);
    case Kind::grid:
      return LearnedWords::tr("A grid of %1 letters, row by row, and the place of one: r2c3 is row 2, column 3.")
          .arg(learned.first * learned.last);
    case Kind::sentence:
      return LearnedWords::tr("English sentences of up to %1 words and signs, made of %2 words.")
          .arg(longest, word_count(model));
    case Kind::pairs:
      return LearnedWords::tr("Sentences of up to %1 words and signs, made of %2 words.")
          .arg(longest, word_count(model));
    case Kind::story:
      return LearnedWords::tr("Stories of a few short English sentences, made of %1 words.").arg(word_count(model));
    case Kind::hidden_words:
      return LearnedWords::tr("One or two short English sentences, made of %1 words, some of them hidden.")
          .arg(word_count(model));
    case Kind::unknown:
      break;
  }
  return LearnedWords::tr("Nobody has said here what it was trained on. It reads: %1.").arg(any_text(model));
}

QStringList known_words(const ModelBundle& model) {
  QStringList words;
  if (model.text.source.kind() != TokenizerKind::words) return words;
  for (const std::string& token : model.source_vocabulary().tokens())
    if (is_word(token)) words << from_utf8(token);
  return words;
}

QString misfit_text(const ModelBundle& model, const std::string& text) {
  const Learned& learned = learned_by(model.task);
  if (!learned.misfit) return {};
  const Misfit misfit = learned.misfit(text);
  if (misfit == Misfit::none) return {};
  const bool unfinished = misfit == Misfit::unfinished;
  switch (learned.kind) {
    case Kind::sum:
      return unfinished ? LearnedWords::tr("This is no whole sum yet; the model writes a result all the same.")
                        : LearnedWords::tr(
                              "The model has learned sums of two numbers of up to %1 digits; this is "
                              "none.")
                              .arg(learned.last);
    case Kind::grid:
      return unfinished ? LearnedWords::tr("The grid needs %1 letters and a place such as r2c3.")
                              .arg(learned.first * learned.last)
                        : LearnedWords::tr("The model has learned a grid of %1 letters and a place; this is none.")
                              .arg(learned.first * learned.last);
    case Kind::digits:
      return LearnedWords::tr("The model has learned rows of digits; this is none.");
    default:
      break;
  }
  switch (misfit) {
    case Misfit::unfinished:
      return LearnedWords::tr("This is no whole date yet; the model writes one all the same.");
    case Misfit::other:
      return LearnedWords::tr("The model reads dates only, and this is none; it writes one all the same.");
    case Misfit::day:
      return LearnedWords::tr("There is no such day; the model never saw one.");
    case Misfit::weekday:
      return LearnedWords::tr("The day of the week is not the one of this date; the model never saw that.");
    case Misfit::year:
      return LearnedWords::tr("The model has learned the years %1 to %2; this one is outside.")
          .arg(learned.first)
          .arg(learned.last);
    default:
      return LearnedWords::tr("The model never saw a date in this form; it writes one all the same.");
  }
}

bool suits(const ModelBundle& model, const ModelBundle* before, const std::string& text, bool typed) {
  std::vector<TextToken> tokens;
  try {
    tokens = model.text.source.split(text);
  } catch (const Error&) {  // of a tokenizer from elsewhere: the run says it
    return false;
  }
  // What one model of a task was given to read, odd or not, the others are given as well.
  const bool same_task = before && before->task == model.task;
  if (const auto& misfit = learned_by(model.task).misfit; misfit && !same_task && misfit(text) != Misfit::none)
    return false;
  const auto unknown = std::ranges::count_if(tokens, [](const TextToken& token) { return token.unknown; });
  return !tokens.empty() && (typed ? 2 * unknown < static_cast<std::ptrdiff_t>(tokens.size()) : unknown == 0);
}

}  // namespace headlight
