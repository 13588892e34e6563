// What of the scores of the first layer is due to tokens and what to positions, where these are added to each other
// (models.md 5, fact 6): four maps, what biases add, and their sum. For a long text it is worked out in a worker.
//
// Keys: see ScorePartsCanvas.
#pragma once

#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/attention_chooser.h"
#include "widgets/canvas/captioned.h"
#include "widgets/canvas/living_maker.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/views/score_parts/score_parts_canvas.h"

namespace headlight {

class ScorePartsView : public ViewPanel, public Captioned {
  Q_OBJECT
 public:
  explicit ScorePartsView(const ViewContext& context, QWidget* parent = nullptr);

  static bool offers(const AnalysedRun& run);
  ScorePartsCanvas* canvas() const { return canvas_; }
  const AttentionChooser& chooser() const { return *chooser_; }
  ColourKey colour_key() const override;

 protected:
  void refresh() override;
  void retranslate() override;
  Figure picture() override;

 private:
  const AttentionMap* map() const { return chooser_->map().get(); }
  void work_out();
  void show_split(std::shared_ptr<const ScoreSplit> split);
  void show_table();
  void show_texts();
  void select(int row, int column);
  void follow_selection();

  std::shared_ptr<const SplitHead> shown_;
  bool selecting_ = false;
  ColumnTable table_;  // a line for each pair
  AttentionChooser* chooser_;
  ScorePartsCanvas* canvas_;
  LivingMaker maker_;
};

}  // namespace headlight
