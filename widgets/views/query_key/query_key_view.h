// The weights of one query of any attention, taken apart: what each number of the two vectors adds to each score, the
// sums, what becomes of them, and their shares. Every number opens in the inspector.
//
// The pair is the weight that is selected anywhere; until then the strongest of the row in the middle. Keys: see
// QueryKeyCanvas.
#pragma once

#include "widgets/base/selection.h"
#include "widgets/canvas/attention_chooser.h"
#include "widgets/canvas/captioned.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/text/axis_label.h"
#include "widgets/views/query_key/query_key_canvas.h"

class QComboBox;

namespace headlight {

class QueryKeyView : public ViewPanel, public Captioned {
  Q_OBJECT
 public:
  explicit QueryKeyView(const ViewContext& context, QWidget* parent = nullptr);

  static bool offers(const AnalysedRun& run);
  const AttentionChooser& chooser() const { return *chooser_; }
  Index row() const { return row_; }
  Index column() const { return column_; }
  const AttentionMap* map() const { return chooser_->map().get(); }
  QueryKeyCanvas* canvas() const { return canvas_; }
  ColourKey colour_key() const override;

 protected:
  void refresh() override;
  void retranslate() override;

 private:
  void find_pair();
  void show_queries();
  void show_texts();
  void show_pair();
  void show_table(const std::shared_ptr<const QueryKeyPair>& pair);
  void move(int queries, int keys, int heads);
  void select_weight();
  void select(const SelectionState& state);
  void choose_number(const PlacedNumber& number);
  bool adopt(const SelectionState& state);  // whether another pair is to be shown
  void follow_selection();
  QString query_text(Index row) const;
  AxisLabel row_label(Index row) const;
  AxisLabel column_label(Index column) const;

  AttentionMap::Kind kind_ = AttentionMap::Kind::cross;  // of the pair
  Index row_ = 0, column_ = 0;
  bool row_chosen_ = false, column_chosen_ = false;  // by a person, not by default
  bool selecting_ = false;
  ColumnTable table_;  // the units of the product, then the keys that compete
  AttentionChooser* chooser_ = nullptr;
  QueryKeyCanvas* canvas_ = nullptr;
  QComboBox* query_box_ = nullptr;
};

}  // namespace headlight
