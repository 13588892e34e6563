// Time and cost of a run: what waits for what, and what is computed, counted from the model's settings; beside it the
// clock. Sliders say what it would be for other lengths and numbers of heads; nothing of the run changes.
//
// The canvas (cost_canvas.h) has the keys.
#pragma once

#include <memory>

#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/views/cost/cost_canvas.h"

class QLabel;
class QPushButton;
class QSlider;

namespace headlight {

class Segments;

class CostView : public ViewPanel {
  Q_OBJECT
 public:
  explicit CostView(const ViewContext& context, QWidget* parent = nullptr);

  static bool offers(const Result& result);

  CostCanvas* canvas() const { return canvas_; }
  // Does not tell what a person chose.
  void show_picture(CostCanvas::Picture picture, Pace pace);
  QSlider* length_slider() const { return length_; }
  QSlider* heads_slider() const { return heads_; }
  QPushButton* measure_button() const { return measure_; }

  // Runs that were wanted (SideRuns::serve).
  void set_run(int index, const std::shared_ptr<const Result>& result);
  void set_run_failed(int index, const QString& message);

 signals:
  void runsWanted(const std::vector<headlight::Request>& requests);

 protected:
  void refresh() override;
  void retranslate() override;
  QVariantMap own_choices() const override;
  void set_own_choices(const QVariantMap& choices) override;

 private:
  void make_bar();
  void show_run();
  void show_bar();
  void show_texts();
  void show_table();
  void show_boxes();
  void show_parts();
  void measure();
  std::vector<AxisLabel> row_labels() const;
  bool is_padding(int row) const;
  void find_padding(CostRun& run) const;
  SelectionState place_of(int row) const;
  int row_of(const SelectionState& state) const;
  void follow_selection();

  std::shared_ptr<const CostRun> cost_;
  std::vector<MeasuredLength> measured_;
  int awaited_ = 0;  // runs that are on their way
  CostCanvas::Picture picture_ = CostCanvas::Picture::time;
  Pace pace_ = Pace::writes;
  Index length_wanted_ = 0, heads_wanted_ = 0;  // 0: as they are
  ColumnTable table_;                           // a line for each box, or for each part
  CostCanvas* canvas_ = nullptr;
  Segments *pictures_ = nullptr, *paces_ = nullptr;
  QSlider *length_ = nullptr, *heads_ = nullptr;
  QLabel *length_name_ = nullptr, *heads_name_ = nullptr;
  QPushButton *reset_ = nullptr, *measure_ = nullptr;
};

}  // namespace headlight
