// Stepping through the computation: one operation at a time, with its inputs, its formula and its result.
#pragma once

#include <QTimer>
#include <QWidget>

#include "widgets/base/selection.h"
#include "widgets/items/trace_labels.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QSlider;
class QToolButton;

namespace headlight {

class MatrixView;

class StepperView : public QWidget {
  Q_OBJECT
 public:
  enum class Stride { value, output_step };
  static constexpr double kSlowest = 0.5, kFastest = 60;  // operations per second

  explicit StepperView(QWidget* parent = nullptr);

  void set_selection(Selection* selection);  // not owned; may be null
  // Keeps the place by its site text; who stood at the end stays at the end.
  void set_trace(std::shared_ptr<const Trace> trace, TraceLabels labels);

  int position() const { return position_; }  // trace entry, -1 without a trace
  void set_position(int entry);
  void set_stride(Stride stride);
  Stride stride() const { return stride_; }
  void set_speed(double operations_per_second);
  double speed() const { return speed_; }
  bool playing() const { return timer_.isActive(); }

 public slots:
  void first();
  void previous();
  void next();
  void last();
  void play();  // from the start when at the end
  void pause();
  void toggle_play();

 signals:
  void stepChanged(int entry);
  // How many rows of the alignment exist at this point of the computation; -1: all, nobody is stepping.
  void attentionRowsChanged(int rows);
  void playingChanged(bool playing);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  enum class Cause { stepping, selection, trace };
  void build_controls();
  void build_panels();
  void move_to(int entry, Cause cause);
  int neighbour(int direction) const;
  void refresh();
  void refresh_texts();
  void refresh_inputs();
  void refresh_history();
  void publish(Cause cause);
  void open_cell(int entry, qint64 cell);
  void retranslate();

  std::shared_ptr<const Trace> trace_;
  TraceLabels labels_;
  Selection* selection_ = nullptr;
  int position_ = -1;
  Stride stride_ = Stride::value;
  double speed_ = 4;
  bool growing_ = false;
  bool publishing_ = false;
  QTimer timer_;

  QToolButton *first_, *previous_, *play_, *next_, *last_;
  QComboBox* stride_box_;
  QSlider *speed_slider_, *position_slider_;
  QLabel *speed_label_, *count_, *title_, *site_, *help_, *formula_, *flow_, *history_title_;
  QLabel *inputs_title_, *result_title_;
  QWidget* inputs_;
  MatrixView *result_, *history_;
  struct InputPanel {
    QWidget* box;
    QToolButton* name;
    MatrixView* matrix;
    int entry;
  };
  std::vector<InputPanel> input_panels_;
};

// Entries that `entry` was computed from, in the order of the arithmetic (at most `limit`); parameters are left out.
std::vector<int> inputs_of(const Trace& trace, int entry, int limit = 4);
// Names of the parameters that it was computed with.
std::vector<std::string> parameters_of(const Trace& trace, int entry);
// How many attention rows exist once `entry` was computed.
int attention_rows(const Trace& trace, int entry);

}  // namespace headlight
