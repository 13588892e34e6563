#include "widgets/text/step_words.h"

#include <QCoreApplication>
#include <algorithm>

#include "widgets/text/output_text.h"

namespace headlight {

namespace {

constexpr double kNamed = 0.2, kMost = 0.5;
constexpr std::size_t kMostNamed = 3;

struct StepWords {
  Q_DECLARE_TR_FUNCTIONS(StepWords)

 public:
  static QString list(const QStringList& names) {
    if (names.size() == 1) return names[0];
    if (names.size() == 2) return tr("%1 and %2").arg(names[0], names[1]);
    return tr("%1, %2 and %3").arg(names[0], names[1], names[2]);
  }
};

}  // namespace

QString step_sentence(const std::string& written, const AttentionMap* map, Index row) {
  const QString token = quoted(written);
  if (!map || row < 0 || row >= map->row_count()) return StepWords::tr("writes %1").arg(token);
  double padding = 0;
  std::vector<std::pair<double, Index>> shares;
  for (Index column = 0; column < map->column_count(); ++column) {
    double share = 0;
    for (Index head = 0; head < map->heads; ++head) share += static_cast<double>(map->weight(head, row, column));
    share /= static_cast<double>(map->heads);
    if (nth(map->columns, column).padding)
      padding += share;
    else if (share >= kNamed)
      shares.emplace_back(share, column);
  }
  if (padding > kMost) return StepWords::tr("writes %1: looks behind the text").arg(token);
  if (shares.empty()) return StepWords::tr("writes %1: looks at much at once").arg(token);
  std::ranges::sort(shares, std::greater());
  if (shares.size() > kMostNamed) shares.resize(kMostNamed);
  std::ranges::sort(shares, {}, &std::pair<double, Index>::second);
  QStringList names;
  for (const auto& [share, column] : shares) names << quoted(nth(map->columns, column).text);
  return StepWords::tr("writes %1: looks at %2").arg(token, StepWords::list(names));
}

}  // namespace headlight
