#include "app/classroom/answers/typed_answer.h"

#include <QRegularExpression>
#include <QStringList>
#include <QTextBoundaryFinder>
#include <algorithm>

namespace headlight {

namespace {

bool is_dash(QChar c) {
  return (c >= QChar(0x2010) && c <= QChar(0x2015)) || c == QChar(0x2212) || c == QLatin1Char('-');
}

// Any dash is a hyphen; and so is what stands between the three numbers of a date.
QString with_hyphens(QString text) {
  static const QRegularExpression date(QStringLiteral("^(\\d+)[-/.年](\\d+)[-/.月](\\d+)日?$"));
  std::ranges::replace_if(text, is_dash, QLatin1Char('-'));
  return text.replace(date, QStringLiteral("\\1-\\2-\\3"));
}

QString without_quotes(QString text) {
  static const QString kQuotes = QStringLiteral("\"'“”‘’„«»「」");
  while (text.size() > 2 && kQuotes.contains(text.front()) && kQuotes.contains(text.back()))
    text = text.mid(1, text.size() - 2).trimmed();
  return text;
}

QStringList letters_of(const QString& text) {
  QStringList all;
  QTextBoundaryFinder finder(QTextBoundaryFinder::Grapheme, text);
  for (qsizetype from = 0, to = finder.toNextBoundary(); to >= 0; from = to, to = finder.toNextBoundary())
    if (to > from) all << text.mid(from, to - from);
  return all;
}

}  // namespace

QString comparable(const QString& text, bool has_spaces) {
  QString made = without_quotes(text.normalized(QString::NormalizationForm_KC).simplified()).toCaseFolded();
  if (!has_spaces) made.remove(QLatin1Char(' '));
  const bool stops = made.endsWith(QLatin1Char('.')) || made.endsWith(QChar(0x3002));
  if (stops && made.size() > 1 && made[made.size() - 2].isLetter()) made.chop(1);
  if (stops && made.size() > 2 && made.endsWith(QLatin1String(" ."))) made.chop(2);
  return with_hyphens(made);
}

bool is_same_answer(const QString& mine, const QString& truth) {
  const bool has_spaces = truth.trimmed().contains(QLatin1Char(' '));
  return comparable(mine, has_spaces) == comparable(truth, has_spaces);
}

// The fewest letters to be changed, put in or taken out (Wagner and Fischer 1974), walked back from the end.
std::vector<TypedLetter> typed_letters(const QString& mine, const QString& truth) {
  constexpr qsizetype kMost = 400;
  const QStringList a = letters_of(with_hyphens(mine.trimmed().left(kMost))),
                    b = letters_of(with_hyphens(truth.trimmed().left(kMost)));
  const bool has_spaces = truth.trimmed().contains(QLatin1Char(' '));
  const auto same = [&](qsizetype i, qsizetype j) {
    return a[i] == b[j] ||
           (!comparable(a[i], has_spaces).isEmpty() && comparable(a[i], has_spaces) == comparable(b[j], has_spaces));
  };
  const auto columns = static_cast<std::size_t>(b.size()) + 1;
  std::vector<int> cost((static_cast<std::size_t>(a.size()) + 1) * columns);
  const auto at = [&](qsizetype i, qsizetype j) -> int& {
    return cost[static_cast<std::size_t>(i) * columns + static_cast<std::size_t>(j)];
  };
  for (qsizetype i = 0; i <= a.size(); ++i)
    for (qsizetype j = 0; j <= b.size(); ++j)
      at(i, j) =
          i == 0 ? static_cast<int>(j)
          : j == 0
              ? static_cast<int>(i)
              : std::min<int>({at(i - 1, j - 1) + (same(i - 1, j - 1) ? 0 : 1), at(i - 1, j) + 1, at(i, j - 1) + 1});
  std::vector<TypedLetter> letters;
  for (qsizetype i = a.size(), j = b.size(); i > 0 || j > 0;) {
    const bool both = i > 0 && j > 0;
    if (both && at(i, j) == at(i - 1, j - 1) + (same(i - 1, j - 1) ? 0 : 1)) {
      --i, --j;
      letters.push_back({same(i, j) ? TypedLetter::Kind::right : TypedLetter::Kind::wrong, a[i]});
    } else if (i > 0 && at(i, j) == at(i - 1, j) + 1) {
      letters.push_back({TypedLetter::Kind::wrong, a[--i]});
    } else {
      letters.push_back({TypedLetter::Kind::missing, b[--j]});
    }
  }
  std::ranges::reverse(letters);
  return letters;
}

}  // namespace headlight
