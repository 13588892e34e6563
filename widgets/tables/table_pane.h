// The table beside a picture: the same numbers to read, sort and copy, by mouse, keyboard and screen reader.
//
// Keys: arrows move, Shift with them selects, Ctrl+A selects all, Ctrl+C copies with tabs between the fields, S sorts
// by the column of the cursor (up, down, as it was), Escape closes. A click on a title sorts as well.
#pragma once

#include <QTableView>
#include <QWidget>

#include "widgets/tables/table.h"

class QLabel;
class QToolButton;

namespace headlight {

class TablePane : public QWidget {
  Q_OBJECT
 public:
  // The table is not owned.
  explicit TablePane(TableTwin* table, QWidget* parent = nullptr);

  QSize least_size() const;            // the names of rows and columns, and some numbers
  bool has_names() const;              // of rows, beside them
  void set_name(const QString& name);  // of the view
  QTableView* cells() const { return cells_; }
  void copy() const;
  void sort_by_cursor();

  QSize sizeHint() const override { return {320, 240}; }

 signals:
  void closed();

 protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void show_texts();
  void fit_columns();
  void show_first_columns();
  int first_columns() const;
  void open_menu(const QPoint& position);

  TableTwin* table_;
  QString name_;
  QLabel* size_;
  QToolButton* close_;
  QTableView* cells_;
};

}  // namespace headlight
