// How the inspector's table draws its terms.
#pragma once

#include <QStyledItemDelegate>

namespace headlight {

// A factor: its number, and where it comes from beside it or on lines of its own below it.
class FactorDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  static constexpr int kSide = 5;  // of a cell, beside what is written in it
  static int row_height(const QFont& font, int lines);
  // How many lines a cell of this width needs so that nothing of the place is left out.
  static int lines_for(const QFont& font, const QString& place, int number_width, int width);
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// Draws the magnitude of a term as a bar below its value: to the right of the middle when positive, to the left when
// not.
class BarDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace headlight
