// Choosing words: stage by stage which tokens are left and why, and the outputs that another token, or other settings,
// would give. The chosen step is the one of the selection.
//
// The stages are made again from the logits of the run (told_choice). Another token becomes the beginning of the
// output, and the model goes on from it; the output that was there stays as a branch.
#pragma once

#include <memory>

#include "widgets/canvas/captioned.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/views/choosing/choosing_bar.h"
#include "widgets/views/choosing/choosing_branches.h"
#include "widgets/views/choosing/choosing_branches_canvas.h"
#include "widgets/views/choosing/choosing_canvas.h"

namespace headlight {

class ChoosingView : public ViewPanel, public Captioned {
  Q_OBJECT
 public:
  explicit ChoosingView(const ViewContext& context, QWidget* parent = nullptr);

  static bool offers(const AnalysedRun& run);  // a model that writes token after token

  ChoosingCanvas* canvas() const { return canvas_; }
  ChoosingBranchesCanvas* branches() const { return tree_; }
  ChoosingBar* settings() const { return settings_; }
  ColourKey colour_key() const override { return {}; }
  QString caption() const override;

 protected:
  void run_arrived() override;
  void refresh() override;
  void retranslate() override;
  Figure picture() override;
  QVariantMap own_choices() const override;
  void set_own_choices(const QVariantMap& choices) override;

 private:
  void own_fields();
  void place_fields();
  void show_step();
  void show_branches();
  void show_table();
  void choose_step(int step);
  void write_instead(TokenId id);
  void go_to(int branch);

  std::shared_ptr<const ChosenStep> step_;
  ChoosingBranches kept_;
  ColumnTable table_;  // a row for each token
  ChoosingBar* settings_;
  ChoosingCanvas* canvas_;
  ChoosingBranchesCanvas* tree_;
};

}  // namespace headlight
