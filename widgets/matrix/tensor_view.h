// Any tensor of a trace as a strip: the last two axes are the rows and columns of a heatmap, a vector is one row, and
// of the axes before them one slice is chosen.
#pragma once

#include "widgets/matrix/heatmap.h"
#include "widgets/text/trace_labels.h"

class QComboBox;

namespace headlight {

struct TensorContent {
  Tensor values;                     // any rank
  AxisLabels rows, columns;          // of the last two axes; positions without names are not labelled
  QString title;                     // "attention weights of step 3 ('0')"
  bool edited = false;               // the whole tensor was changed by the user
  std::vector<qint64> edited_cells;  // flat indices, where it is known which ones
};

class TensorView : public Heatmap {
  Q_OBJECT
 public:
  explicit TensorView(QWidget* parent = nullptr);

  // Content of the same shape keeps slice, zoom and cursor. Shares between 0 and 1 have a scale of their own, other
  // numbers are shown around 0; the scale is that of the whole tensor, so that slices can be compared.
  void set_content(TensorContent content);
  const TensorContent& content() const { return content_; }
  // The first `count` rows of the tensor are there, and the last one of them is the current one.
  void show_rows(int count);

  // Flat index into content().values; -1: none. Shows its slice; does not emit.
  void set_current_cell(qint64 index);
  qint64 current_cell() const { return index_of(selected_cell()); }
  qint64 slice() const { return slice_; }  // of the leading axes, folded
  qint64 slices() const;
  void set_slice(qint64 slice);
  QString cell_text(qint64 index, int digits = 9) const;  // "[3], source token ‘U’ (2) = 0.774612345"
  QString readout(int row, int column) const override { return cell_text(index_of({row, column}), 4); }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void numberActivated(qint64 index);  // clicked, or Enter on the cursor; not in rows that are not there

 protected:
  void forget() override;
  QString name() const override;
  bool press_space() override { return false; }  // it belongs to the panel around: the stepper plays

 private:
  bool reversed_rows() const { return !content_.rows.order.empty() && content_.rows.order[0] != 0; }
  qint64 index_of(HeatmapCell cell) const;
  HeatmapCell cell_of(qint64 index) const;
  void show_slice();
  void update_selector();

  TensorContent content_;
  QComboBox* selector_;
  qint64 slice_ = 0;
};

}  // namespace headlight
