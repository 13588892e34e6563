// Stepping through the computation: one operation at a time, with its inputs, its formula and its result.
#pragma once

#include <QTimer>
#include <QVariantMap>
#include <QWidget>
#include <span>

#include "widgets/base/selection.h"
#include "widgets/matrix/operation_inputs.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QSlider;
class QToolButton;

namespace headlight {

class LineLabel;
class TallArea;
class TextButton;

class StepperView : public QWidget {
  Q_OBJECT
 public:
  enum class Stride { value, output_step };
  static constexpr int kMostInputs = 6;
  static constexpr double kSlowest = 0.25, kFastest = 60;  // steps per second
  static constexpr double kForARoom = 0.5, kForAnExpert = 4;

  enum class Command { previous, next, first, last, play, row_before, row_behind, slower, faster };
  // Its keys, as Help > Keyboard shows them.
  struct Key {
    int key = 0;
    bool control = false;
    Command command = Command::next;
  };
  struct KeyRow {
    const char* keys;
    const char* what;  // untranslated: see key_text()
    std::span<const Key> bindings;
  };
  static std::span<const KeyRow> key_table();
  static QString key_text(const char* text) { return tr(text); }

  explicit StepperView(QWidget* parent = nullptr);

  void set_selection(Selection* selection);  // not owned; may be null
  // Keeps the place by its site text; who stood at the end stays at the end.
  void set_trace(std::shared_ptr<const Trace> trace, TraceLabels labels);

  int position() const { return position_; }  // trace entry, -1 without a trace
  void set_position(int entry);
  void set_stride(Stride stride);
  Stride stride() const { return stride_; }
  void set_speed(double steps_per_second);
  double speed() const { return speed_; }
  bool playing() const { return timer_.isActive(); }
  QVariantMap choices() const;  // stride and speed, for sessions and the next start
  void set_choices(const QVariantMap& choices);
  // Rows of the output that the run wrote one after another, and as if it had written so many of them only; 0: none.
  int written_rows() const;
  void show_rows(int count);

 public slots:
  void first() { set_position(0); }
  void previous();
  void next();
  void last();
  void play();  // from the start when at the end
  void pause();
  void leave();  // nobody is stepping any more: all of the run is there, and nothing else is selected
  void toggle_play() { playing() ? pause() : play(); }

 signals:
  void stepChanged(int entry);
  // How many rows of the alignment exist at this point of the computation; -1: all, nobody is stepping.
  void attentionRowsChanged(int rows);
  void playingChanged(bool playing);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  enum class Cause { stepping, selection };
  struct InputPanel {
    TextButton* name = nullptr;
    TensorView* matrix = nullptr;
    int entry = -1;
  };
  QWidget* build_controls();
  QWidget* build_heading();
  QWidget* build_pictures();
  InputPanel build_input();
  void move_to(int entry, Cause cause);
  int landmark(int direction) const;
  void obey(Command command);
  void refresh();
  void refresh_controls();
  void refresh_texts();
  void refresh_inputs(const std::vector<int>& inputs);
  void refresh_history();
  void fit_pictures();
  void follow(const SelectionState& state);
  void open_cell(int entry, qint64 cell);
  QString flow_text(const std::vector<int>& inputs) const;
  void set_icons();
  void retranslate();

  std::shared_ptr<const Trace> trace_;
  TraceLabels labels_;
  Selection* selection_ = nullptr;
  int position_ = -1;
  Stride stride_ = Stride::output_step;
  double speed_ = kForARoom;
  bool growing_ = false;     // the person is stepping: later rows are not there yet
  bool publishing_ = false;  // the selection is being set from here
  bool stale_ = false;       // hidden while the trace or the position changed
  QTimer timer_;
  SiteHistory shown_history_;
  std::string history_kind_;

  QToolButton *first_, *previous_, *play_, *next_, *last_;
  QComboBox* stride_box_;
  QSlider *speed_slider_, *position_slider_;
  QLabel *speed_label_, *count_, *formula_, *given_, *empty_;
  LineLabel *title_, *site_, *help_, *flow_;
  QWidget *controls_, *body_, *heading_;
  TallArea* scroll_;
  QGridLayout* grid_;
  TextButton *result_name_, *history_name_;
  TensorView *result_, *history_;
  std::vector<InputPanel> inputs_;
};

}  // namespace headlight
