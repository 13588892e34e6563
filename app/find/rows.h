// The list of what was found, as rows: headings of the groups, and below each what can be opened.
#pragma once

#include <QAbstractListModel>
#include <QStyledItemDelegate>
#include <vector>

#include "app/find/index.h"

namespace headlight {

struct FindRow {
  bool heading = false;
  QString title, second;
  QList<std::pair<int, int>> parts;  // of the title that were typed
  FindKind kind = FindKind::action;
  int entry = -1;  // of the index; a heading has none
  bool off = false;
};

class FindRows : public QAbstractListModel {
  Q_OBJECT
 public:
  using QAbstractListModel::QAbstractListModel;
  void set_rows(std::vector<FindRow> rows);
  const FindRow& operator[](int row) const { return rows_[static_cast<std::size_t>(row)]; }
  // The next that can be chosen; -1: there is none.
  int next(int row, int direction) const;
  int height() const;  // of all of them

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
  std::vector<FindRow> rows_;
};

class FindRowDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  static int height_of(const FindRow& row);
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace headlight
