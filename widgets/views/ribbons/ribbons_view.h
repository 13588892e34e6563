// The ribbons of a result: which attention, which layer, which head, and the lines between the tokens.
#pragma once

#include <memory>

#include "widgets/base/selection.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/views/ribbons/ribbons_canvas.h"

class QCheckBox;
class QComboBox;

namespace headlight {

class RibbonsView : public ViewPanel {
  Q_OBJECT
 public:
  static constexpr Index kAllHeads = -3;

  explicit RibbonsView(const ViewContext& context, QWidget* parent = nullptr);

  static bool offers(const AnalysedRun& run);
  // What is shown; what the model lacks is replaced by its first.
  void show_head(AttentionMap::Kind kind, Index layer, Index head);
  Index head() const { return head_; }
  Index layer() const { return layer_; }
  AttentionMap::Kind kind() const { return kind_; }

  RibbonsCanvas* canvas() const { return canvas_; }

  QSize sizeHint() const override { return {420, 360}; }

 protected:
  void refresh() override;
  void retranslate() override;
  Figure picture() override { return figure_of(canvas_); }

 private:
  void show_choices();
  void show_texts();
  void show_map();
  void show_table();
  void choose(const RibbonsPlace& place, const RibbonsPlace& before);
  void hover(const RibbonsPlace& place);
  void follow_selection();
  void follow_hover();

  std::vector<AttentionMap> maps_;
  std::shared_ptr<const AttentionMap> map_;
  AttentionMap::Kind kind_ = AttentionMap::Kind::cross;
  Index layer_ = -1, head_ = kAllHeads;
  bool chosen_ = false;  // somebody has said what to show
  ColumnTable table_;    // of the heads that are drawn
  RibbonsCanvas* canvas_ = nullptr;
  QComboBox *kind_box_ = nullptr, *layer_box_ = nullptr, *head_box_ = nullptr;
  QCheckBox* words_box_ = nullptr;
};

}  // namespace headlight
