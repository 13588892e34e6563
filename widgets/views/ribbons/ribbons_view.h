// The ribbons of a result: which attention, which layer, which head, and from which token they go.
#pragma once

#include <memory>

#include "widgets/canvas/attention_chooser.h"
#include "widgets/canvas/captioned.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/views/ribbons/ribbons_canvas.h"

namespace headlight {

class WeightDrag;

class RibbonsView : public ViewPanel, public Captioned {
  Q_OBJECT
 public:
  explicit RibbonsView(const ViewContext& context, QWidget* parent = nullptr);

  static bool offers(const AnalysedRun& run);
  // What is shown; what the model lacks is replaced by its first.
  void show_head(AttentionMap::Kind kind, Index layer, Index head);
  const AttentionChooser& chooser() const { return *chooser_; }
  RibbonsCanvas* canvas() const { return canvas_; }
  ColourKey colour_key() const override { return {map_ ? ColourKey::Kind::shares : ColourKey::Kind::none}; }
  QString what_to_do(bool changing) const override;
  ShownAttention attention() const override { return {map_.get(), chooser_->head()}; }

 protected:
  void refresh() override;
  void retranslate() override;

 private:
  void show_texts();
  void show_map();
  void show_table();
  void show_candidates();
  void show_changes();
  void mark_chosen();
  void open_menu(int map, Index head, const MapCell& cell, const QPoint& global_position);
  RibbonsToken first_token() const;
  void choose(const RibbonsToken& token);
  void follow_selection();
  void follow_hover();

  std::shared_ptr<const AttentionMap> map_;
  bool asked_ = false;     // a person has chosen a token
  bool choosing_ = false;  // the selection changes by what is chosen here
  ColumnTable table_;      // of the heads of the chosen layer
  AttentionChooser* chooser_ = nullptr;
  RibbonsCanvas* canvas_ = nullptr;
  WeightDrag* drag_ = nullptr;
};

}  // namespace headlight
