#include "widgets/tables/explanation_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "widgets/base/controls.h"
#include "widgets/base/theme.h"
#include "widgets/text/explanation_text.h"
#include "widgets/text/number_words.h"
#include "widgets/text/tensor_names.h"

namespace headlight {

void ExplanationModel::set_explanation(std::shared_ptr<const Trace> trace, Explanation explanation,
                                       TraceLabels labels) {
  beginResetModel();
  trace_ = std::move(trace);
  labels_ = std::move(labels);
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
  if (order_ == Order::position) {
    // The others in the order of the text; a share names its own term first.
    if (explanation_.kind == Explanation::Kind::share)
      std::stable_sort(rows_.begin() + 1, rows_.end(), [&](int a, int b) { return place_of(a) < place_of(b); });
    return;
  }
  // NaN first: nothing matters more. Equal terms keep their order.
  const auto size = [this](int i) {
    const double value = nth(explanation_.terms, i).value;
    return std::isnan(value) ? std::numeric_limits<double>::infinity() : std::abs(value);
  };
  const auto first = rows_.begin() + (own_row() == 0 ? 1 : 0);
  std::stable_sort(first, rows_.end(), [&](int a, int b) { return size(a) > size(b); });
}

Index ExplanationModel::place_of(int term) const {
  const Term& t = nth(explanation_.terms, term);
  if (t.cells.empty() || !trace_) return 0;
  const Location at = location(t.cells.front());
  if (at.entry < 0 || at.shape.rank() == 0) return t.cells.front().index;
  const SiteKind& kind = *(*trace_)[at.entry].site.kind;
  const Index columns = std::max<Index>(1, at.shape.last()), column = at.index % columns;
  return at.index - column + axis_labels(kind, at.shape.rank() - 1, labels_).place(column);
}

QString ExplanationModel::common_label() const {
  if (explanation_.terms.empty()) return {};
  const std::string& first = explanation_.terms.front().label;
  const bool all = std::ranges::all_of(explanation_.terms, [&](const Term& term) { return term.label == first; });
  return all ? QString::fromStdString(first) : QString();
}

// What attention brings back: values, mixed by their shares.
bool ExplanationModel::is_mix() const {
  if (factors_ != 2 || explanation_.terms.empty() || explanation_.terms.front().cells.size() != 2) return false;
  const Location at = location(explanation_.terms.front().cells[0]);
  return at.entry >= 0 && (*trace_)[at.entry].site.kind->role == SiteKind::Role::weights;
}

int ExplanationModel::own_row() const {
  return explanation_.kind == Explanation::Kind::share && rows_.size() > 1 ? 0 : -1;
}

const Term& ExplanationModel::term(int row) const { return nth(explanation_.terms, nth(rows_, row)); }

int ExplanationModel::factor_of_column(int column) const {
  return column >= 1 && column < value_column() ? column - 1 : -1;
}

const Cell* ExplanationModel::cell(const QModelIndex& index) const {
  if (!index.isValid()) return nullptr;
  const Term& t = term(index.row());
  const auto factor = static_cast<std::size_t>(std::max(0, factor_of_column(index.column())));
  return factor < t.cells.size() ? &t.cells[factor] : nullptr;
}

int ExplanationModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QString ExplanationModel::factor_tooltip(const Cell& cell) const {
  const Location place = location(cell);
  const QString text = QStringLiteral("%1 = %2").arg(QString::fromStdString(place.text()), exact_number(cell.value()));
  switch (place.kind) {
    case Location::Kind::activation:
      return wrapped_tooltip(text + tr(" – a double click shows where it came from"));
    case Location::Kind::parameter: {
      const QString in_file = place_in_file(place, labels_);
      return wrapped_tooltip(text + tr(" – a weight, learned in training") +
                             (in_file.isEmpty() ? QString() : '\n' + tr("In the file: %1").arg(in_file)));
    }
    default:
      return wrapped_tooltip(text);
  }
}

QVariant ExplanationModel::factor_data(const Term& term, int factor, int role) const {
  if (factor >= static_cast<int>(term.cells.size())) return role == kFactorRole ? QVariant(-1) : QVariant();
  const Cell& cell = nth(term.cells, factor);
  switch (role) {
    case Qt::DisplayRole:
      return short_number(cell.value());
    case Qt::ToolTipRole:
      return factor_tooltip(cell);
    case Qt::AccessibleTextRole:
      return tr("%1 from %2").arg(exact_number(cell.value()), short_place(location(cell), *trace_, labels_));
    case kFactorRole:
      return factor;
    case kPlaceRole:
      return short_place(location(cell), *trace_, labels_);
    case kLinkRole:
      return location(cell).kind != Location::Kind::unnamed;
    case kTimesRole:
      return factor > 0 && is_product(term);
    default:
      return {};
  }
}

QVariant ExplanationModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Term& t = term(index.row());
  if (role == kTermRole) return nth(rows_, index.row());
  if (role == kOwnRole) return index.row() == own_row();
  if (role == Qt::TextAlignmentRole)
    return int((index.column() == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  if (role == Qt::BackgroundRole && index.row() == own_row()) {
    QColor mark = theme().accent();
    mark.setAlphaF(0.14F);
    return mark;
  }
  if (role == Qt::FontRole && index.row() == own_row()) {
    QFont bold;  // the rest of it is the table's
    bold.setWeight(QFont::DemiBold);
    return bold;
  }
  if (const int factor = factor_of_column(index.column()); factor >= 0) return factor_data(t, factor, role);
  const bool value = index.column() == value_column();
  switch (role) {
    case Qt::DisplayRole:
      return value ? short_number(t.value) : QString::fromStdString(t.label);
    case Qt::ToolTipRole:
      return value ? QVariant(wrapped_tooltip(exact_number(t.value))) : QVariant();
    case Qt::AccessibleTextRole:
      return value ? QVariant(tr("term: %1").arg(exact_number(t.value))) : QVariant();
    case kFactorRole:
      return -1;
    case kShareRole:
      return value && largest_ > 0 && std::isfinite(t.value) ? t.value / largest_ : 0.0;
    default:
      return {};
  }
}

QVariant ExplanationModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role == Qt::TextAlignmentRole && orientation == Qt::Horizontal)
    return int((section == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section < rowCount() ? QVariant(nth(rows_, section)) : QVariant();
  if (section == 0) return tr("Term");
  if (section == value_column()) {
    const QString label = common_label();
    if (label.size() > 1) return label;
    return is_mix() ? tr("share × value") : factors_ > 1 ? tr("Product") : tr("Value");
  }
  const int factor = factor_of_column(section);
  if (factor < 0 || factor >= factors_) return {};
  if (is_mix()) return factor == 0 ? tr("share") : tr("value");
  return factors_ > 1 ? tr("Factor %1").arg(counted(factor)) : tr("Number");
}

}  // namespace headlight
