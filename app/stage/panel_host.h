// What the dock of a panel holds: the panel, and its table when that is open.
#pragma once

#include <QPointer>
#include <QWidget>

#include "widgets/tables/table_pane.h"

namespace headlight {

// Without a layout of its own: a label that changes in a panel would have the whole window laid out again at every
// keystroke.
class PanelHost : public QWidget {
  Q_OBJECT
 public:
  explicit PanelHost(QWidget* panel);
  QSize sizeHint() const override { return panel_ ? panel_->sizeHint() : QSize(); }

  TablePane* table() const { return table_; }  // null: it is closed
  void open_table(TableTwin* twin, const QString& name);
  void close_table();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  bool across() const { return 2 * width() > 3 * height(); }  // the table stands beside the picture, not below
  double picture_share() const;
  void lay_out();

  QPointer<QWidget> panel_;
  TablePane* table_ = nullptr;
  QWidget* divider_ = nullptr;
  double share_ = 0.5;  // of the picture
  bool dragged_ = false;
};

}  // namespace headlight
