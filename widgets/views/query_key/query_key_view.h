// One weight of any attention, taken apart: the query and the key as numbers, what each number adds to the score, the
// scale, and the softmax among the other keys. Every number opens in the inspector.
//
// The pair is the weight that is selected anywhere; until then the strongest of the row in the middle. Keys: see
// QueryKeyCanvas.
#pragma once

#include "widgets/base/selection.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/text/axis_label.h"
#include "widgets/views/query_key/query_key_canvas.h"

class QComboBox;
class QToolButton;

namespace headlight {

class QueryKeyView : public ViewPanel {
  Q_OBJECT
 public:
  explicit QueryKeyView(const ViewContext& context, QWidget* parent = nullptr);

  static bool offers(const AnalysedRun& run);
  // What is shown; what the model lacks is replaced by the nearest that there is.
  void show_pair(AttentionMap::Kind kind, Index layer, Index head, Index row, Index column);

  AttentionMap::Kind kind() const { return kind_; }
  Index layer() const { return layer_; }
  Index head() const { return head_; }
  Index row() const { return row_; }
  Index column() const { return column_; }
  const AttentionMap* map() const { return map_; }
  QueryKeyCanvas* canvas() const { return canvas_; }

  QSize sizeHint() const override { return {640, 460}; }

 protected:
  void refresh() override;
  void retranslate() override;
  Figure picture() override { return figure_of(canvas_); }

 private:
  void find_map();
  void show_choices();
  void show_texts();
  void show_pair();
  void show_table(const std::shared_ptr<const QueryKeyPair>& pair);
  void move(int queries, int keys, int heads);
  void select_weight();
  void select(const SelectionState& state);
  void choose_number(const PlacedNumber& number);
  bool adopt(const SelectionState& state);  // whether another pair is to be shown
  void follow_selection();
  AxisLabel row_label(Index row) const;
  AxisLabel column_label(Index column) const;

  const std::vector<AttentionMap>& maps() const;
  const AttentionMap* map_ = nullptr;  // of maps()
  AttentionMap::Kind kind_ = AttentionMap::Kind::cross;
  Index layer_ = -1, head_ = 0, row_ = 0, column_ = 0;
  bool map_chosen_ = false, row_chosen_ = false, column_chosen_ = false;  // by a person, not by default
  bool selecting_ = false;
  ColumnTable table_;  // the units of the product, then the keys that compete
  QueryKeyCanvas* canvas_ = nullptr;
  QComboBox *kind_box_ = nullptr, *layer_box_ = nullptr, *head_box_ = nullptr, *query_box_ = nullptr;
  QToolButton* sort_ = nullptr;
};

}  // namespace headlight
