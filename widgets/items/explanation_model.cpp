#include "widgets/items/explanation_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "widgets/base/theme.h"

namespace headlight {

namespace {
QString plain_tooltip(const QString& text) { return QStringLiteral("<p>%1</p>").arg(text.toHtmlEscaped()); }
}  // namespace

void ExplanationModel::set_explanation(std::shared_ptr<const Trace> trace, Explanation explanation) {
  beginResetModel();
  trace_ = std::move(trace);
  explanation_ = std::move(explanation);
  factors_ = 0;
  largest_ = 0;
  for (const Term& term : explanation_.terms) {
    factors_ = std::max(factors_, static_cast<int>(term.cells.size()));
    if (std::isfinite(term.value)) largest_ = std::max(largest_, std::abs(term.value));
  }
  sort_terms();
  endResetModel();
}

void ExplanationModel::set_order(Order order) {
  if (order == order_) return;
  beginResetModel();
  order_ = order;
  sort_terms();
  endResetModel();
}

void ExplanationModel::sort_terms() {
  rows_.resize(explanation_.terms.size());
  std::iota(rows_.begin(), rows_.end(), 0);
  if (order_ == Order::position) return;
  // NaN first: nothing matters more. Equal terms keep their order.
  const auto size = [this](int i) {
    const double value = explanation_.terms[static_cast<std::size_t>(i)].value;
    return std::isnan(value) ? std::numeric_limits<double>::infinity() : std::abs(value);
  };
  std::stable_sort(rows_.begin(), rows_.end(), [&](int a, int b) { return size(a) > size(b); });
}

const Term& ExplanationModel::term(int row) const {
  return explanation_.terms[static_cast<std::size_t>(rows_[static_cast<std::size_t>(row)])];
}

int ExplanationModel::factor_of_column(int column) const {
  return column >= 1 && column < value_column() ? (column - 1) / 2 : -1;
}

const Cell* ExplanationModel::cell(const QModelIndex& index) const {
  if (!index.isValid()) return nullptr;
  const Term& t = term(index.row());
  const auto factor = static_cast<std::size_t>(std::max(0, factor_of_column(index.column())));
  return factor < t.cells.size() ? &t.cells[factor] : nullptr;
}

Location ExplanationModel::location(const Cell& cell) const { return trace_->locate(cell); }

int ExplanationModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ExplanationModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : value_column() + 1; }

QVariant ExplanationModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Term& t = term(index.row());
  const int factor = factor_of_column(index.column());
  const bool has_cell = factor >= 0 && factor < static_cast<int>(t.cells.size());
  const Cell* at = has_cell ? &t.cells[static_cast<std::size_t>(factor)] : nullptr;
  const bool is_place = factor >= 0 && (index.column() - 1) % 2 == 1;
  switch (role) {
    case Qt::DisplayRole:
      if (index.column() == 0) return QString::fromStdString(t.label);
      if (index.column() == value_column()) return short_number(t.value);
      if (!at) return {};
      return is_place ? QString::fromStdString(location(*at).text()) : short_number(at->value());
    case Qt::ToolTipRole: {
      if (index.column() == value_column()) return plain_tooltip(exact_number(t.value));
      if (!at) return {};
      const Location place = location(*at);
      const QString text =
          QStringLiteral("%1 = %2").arg(QString::fromStdString(place.text()), exact_number(at->value()));
      switch (place.kind) {
        case Location::Kind::activation:
          return plain_tooltip(text + tr(" – click to see where it came from"));
        case Location::Kind::parameter:
          return plain_tooltip(text + tr(" – a weight, learned in training"));
        default:
          return plain_tooltip(text);
      }
    }
    case Qt::TextAlignmentRole:
      return int((index.column() == 0 || is_place ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
      return at && is_place && location(*at).kind != Location::Kind::unnamed ? QVariant(Theme::instance().accent())
                                                                             : QVariant();
    case Qt::AccessibleTextRole:
      if (index.column() == value_column()) return tr("term: %1").arg(exact_number(t.value));
      return at && !is_place ? QVariant(exact_number(at->value())) : QVariant();
    case kFactorRole:
      return has_cell ? factor : -1;
    case kShareRole:
      if (index.column() != value_column() || largest_ <= 0 || !std::isfinite(t.value)) return 0.0;
      return t.value / largest_;
    case kTermRole:
      return rows_[static_cast<std::size_t>(index.row())];
    default:
      return {};
  }
}

QVariant ExplanationModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role == Qt::TextAlignmentRole && orientation == Qt::Horizontal) {
    const bool text = section == 0 || (section < value_column() && section % 2 == 0);
    return int((text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  }
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical)
    return section < rowCount() ? QVariant(rows_[static_cast<std::size_t>(section)]) : QVariant();
  if (section == 0) return tr("Term");
  if (section == value_column()) return factors_ > 1 ? tr("Product") : tr("Value");
  const int factor = factor_of_column(section);
  if (factor < 0 || factor >= factors_) return {};
  if ((section - 1) % 2 == 1) return tr("from");
  return factors_ > 1 ? tr("Factor %1").arg(factor + 1) : tr("Number");
}

}  // namespace headlight
