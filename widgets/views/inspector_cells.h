// How the inspector's table draws its terms.
#pragma once

#include <QStyledItemDelegate>

namespace headlight {

// A factor: its number, and where it comes from beside it or, in two lines, below it.
class FactorDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  static int row_height(const QFont& font, bool two_lines);
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// Draws the magnitude of a term as a bar behind its value: to the right of the middle when positive, to the left when
// not.
class BarDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace headlight
