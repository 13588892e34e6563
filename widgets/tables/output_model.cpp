// The output of a run as a table.
#include "widgets/tables/output_model.h"

#include <cmath>

#include "widgets/base/utf8_text.h"
#include "widgets/tables/table.h"
#include "widgets/text/token_text.h"

namespace headlight {

QString percent(double probability) {
  if (std::isnan(probability)) return QStringLiteral("NaN");
  const double hundredths = probability * 100;
  if (probability > 0 && hundredths < 0.1) return QStringLiteral("< 0.1 %");
  // Rounding must not turn "almost sure" into "sure".
  if (probability < 1 && hundredths >= 99.95) return QStringLiteral("> 99.9 %");
  if (hundredths == 0 || hundredths == 100) return QStringLiteral("%1 %").arg(hundredths);
  return QStringLiteral("%1 %").arg(hundredths, 0, 'f', 1);
}

void OutputModel::set_result(std::shared_ptr<const Result> result) {
  const int before = rowCount(), after = result ? static_cast<int>(result->steps.size()) : 0;
  if (before == after) {  // views keep their place while the numbers change
    result_ = std::move(result);
    if (after > 0) emit dataChanged(index(0, 0), index(after - 1, kColumns - 1));
    return;
  }
  beginResetModel();
  result_ = std::move(result);
  endResetModel();
}

int OutputModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !result_ ? 0 : static_cast<int>(result_->steps.size());
}

int OutputModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant OutputModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const OutputStep& step = result_->steps[static_cast<std::size_t>(index.row())];
  const int rank = index.column() / 2 - 1;
  const bool probability = index.column() % 2 == kProbability;
  if (rank >= static_cast<int>(step.top.size())) return {};
  const Candidate written{step.id, step.text, step.probability};
  const Candidate& shown = rank < 0 ? written : step.top[static_cast<std::size_t>(rank)];
  const TokenText token = token_text(shown.text);
  switch (role) {
    case Qt::DisplayRole:
      return probability ? percent(shown.probability) : token.text;
    case Qt::EditRole:
      return probability ? QVariant(shown.probability) : QVariant(from_utf8(shown.text));
    case Qt::TextAlignmentRole:
      return probability ? QVariant(static_cast<int>(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
      return plain_tooltip(rank < 0 ? tr("Step %1 wrote %2 with probability %3.")
                                          .arg(index.row())
                                          .arg(token.name, QString::number(shown.probability, 'g', 6))
                                    : tr("Step %1, choice %2: %3, probability %4.")
                                          .arg(index.row())
                                          .arg(rank + 1)
                                          .arg(token.name, QString::number(shown.probability, 'g', 6)));
    case kProbabilityRole:
      return shown.probability;
    case kTokenIdRole:
      return static_cast<int>(shown.id);
    case kTokenRole:
      return token.text;
    case kChosenRole:
      return shown.id == step.id;
    default:
      return {};
  }
}

QVariant OutputModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role == kCornerRole) return tr("step");
  if (role != Qt::DisplayRole || section < 0) return {};
  if (orientation == Qt::Vertical) return section < rowCount() ? QVariant(section) : QVariant();
  if (section >= kColumns) return {};
  if (section == kToken) return tr("output");
  if (section == kProbability) return tr("probability");
  return (section % 2 == kToken ? tr("choice %1") : tr("probability %1")).arg(section / 2);
}

}  // namespace headlight
