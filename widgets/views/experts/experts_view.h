// Which experts a token went to, with what share, and how that came about: of models with a router in place of the
// feed-forward network.
//
// The canvas (experts_canvas.h) has the keys; the box chooses a layer.
#pragma once

#include <memory>

#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/captioned.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/views/experts/experts_canvas.h"

class QComboBox;

namespace headlight {

class ExpertsView : public ViewPanel, public Captioned {
  Q_OBJECT
 public:
  explicit ExpertsView(const ViewContext& context, QWidget* parent = nullptr);

  static bool offers(const Result& result) { return has_experts(result); }
  const std::vector<ExpertLayer>& layers() const { return layers_; }
  int layer() const { return layer_; }  // of layers(); -1: none
  void show_layer(int layer);
  ExpertsCanvas* canvas() const { return canvas_; }
  ColourKey colour_key() const override;

 protected:
  void refresh() override;
  void retranslate() override;
  QVariantMap own_choices() const override;
  void set_own_choices(const QVariantMap& choices) override;

 private:
  void show_choices();
  void show_experts();
  void show_table();
  std::vector<AxisLabel> names() const;
  void select(int row, int expert);
  // The number behind a cell: its share, or of an expert that was not chosen its logit.
  std::pair<int, Index> number_at(int row, int expert) const;
  void follow_selection();

  std::vector<ExpertLayer> layers_;
  int layer_ = -1;
  Index wanted_ = 0;  // layer of the model
  std::shared_ptr<const ExpertLayer> shown_;
  bool selecting_ = false;
  ColumnTable table_;  // a line for each token and expert
  ExpertsCanvas* canvas_ = nullptr;
  QComboBox* layer_box_ = nullptr;
};

}  // namespace headlight
