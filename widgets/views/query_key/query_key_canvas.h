// Why a query looks at a key: a sum as on paper. A column for each key of the query, a row for each unit, those first
// that lift the chosen key most above the others; at the bottom the total, which is the score, and its share.
//
// Left and right choose the key, up and down the query, Shift with up and down the unit that is opened, Ctrl+up and
// Ctrl+down the head; Enter selects the weight, Esc lets go of the unit.
#pragma once

#include <memory>

#include "model/analysis/score_terms.h"
#include "widgets/canvas/place_canvas.h"
#include "widgets/text/axis_label.h"
#include "widgets/views/query_key/query_key_layout.h"

namespace headlight {

// What the picture is made from.
struct QueryKeyPair {
  PairScore score;                 // of the chosen key, with its rivals
  std::vector<PairScore> columns;  // row_scores()
  AxisLabel query, key;
  std::vector<AxisLabel> rivals;  // by column of the map
  std::vector<bool> padding;      // the same
  Index column = 0;               // of the key
  bool slots_of_memory = false;   // the keys are places of a memory, not tokens

  std::vector<bool> hidden() const;
};

class QueryKeyCanvas : public PlaceCanvas<QueryKeyHit> {
  Q_OBJECT
 public:
  static constexpr int kUnits = 8;  // that are shown, and more of them at a time

  explicit QueryKeyCanvas(QWidget* parent = nullptr);

  void set_pair(std::shared_ptr<const QueryKeyPair> pair);  // null: nothing
  const QueryKeyPair* pair() const { return pair_.get(); }
  const QueryKeyLayout& query_key_layout() const { return layout_; }
  const std::vector<Index>& units() const { return units_; }    // that have a row, from top to bottom
  const std::vector<double>& lifts() const { return lifts_; }   // by unit
  const std::vector<int>& columns() const { return columns_; }  // of the map, as they are shown
  Index opened() const { return opened_; }                      // unit; -1: the score has no units
  void open_unit(Index unit);                                   // -1: the one that lifts most
  void set_hovered_rival(int column);                           // from outside; does not emit
  double rest(int column) const;  // what the units without a row add to the score of a column of the map

  QString sentence() const;  // the pair, its score, its weight and its rank
  QString unit_sentence(Index unit, int column) const;
  QString place_tooltip(const QueryKeyHit& place) const override;
  QStringList total_names() const;
  double largest_sum() const { return sums_; }  // for the colours

 signals:
  void moved(int queries, int keys, int heads);
  void rival_chosen(int column);
  void rival_hovered(int column);  // -1: none
  void number_chosen(const headlight::PlacedNumber& number);

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString name() const override;
  QString description() const override;
  QueryKeyHit place_at(QPointF point) const override {
    return pair_ ? layout_.place_at(point, std::max(0.0, sight().left())) : QueryKeyHit{};
  }
  void press_place(const QueryKeyHit& place) override;
  void hover_changed() override;
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;
  bool go_to_other(int by) override;
  bool activate() override;
  bool press_key(const QKeyEvent& event) override;

 private:
  // A row below the line: the sum, and what becomes of it on the way to the weight.
  struct Total {
    enum class What { sum, score, share, weight };
    What what = What::sum;
    QString name, detail, help;
  };
  std::vector<Total> totals() const;
  double total(const Total& row, int column) const;  // NaN: there is none
  PlacedNumber total_number(const Total& row, int column) const;
  QString first_text() const;
  QString form_text() const;
  QString steps_text(const std::vector<ScoreStep>& steps) const;
  QString steps_help(const std::vector<ScoreStep>& steps) const;
  QString operand_help(std::size_t operand) const;
  void find_columns();
  void find_units();
  bool is_additive() const { return pair_->score.operands.size() > 2; }
  const PairScore& at(int column) const { return nth(pair_->columns, column); }
  int shown_column(int of_map) const;  // -1: none
  double operand(std::size_t which, Index unit, int column) const;
  void paint_head(QPainter& painter, bool marks) const;
  void paint_units(QPainter& painter, bool marks) const;
  void paint_opened(QPainter& painter, bool marks) const;
  void paint_totals(QPainter& painter, bool marks) const;
  void paint_names(QPainter& painter, double left, bool marks) const;
  void paint_side(QPainter& painter) const;

  std::shared_ptr<const QueryKeyPair> pair_;
  std::vector<double> lifts_;
  std::vector<Index> ranked_, units_;
  std::vector<int> columns_;
  std::vector<AxisLabel> labels_;
  int folded_ = -1;  // shown column that stands for several; -1: none
  bool unfolded_ = false;
  Index opened_ = -1, wanted_ = -1;  // wanted_: by a person
  int count_ = kUnits;
  int marked_rival_ = -1;
  double numbers_ = 1, products_ = 1, sums_ = 1;  // largest magnitudes, for the colours
  std::vector<Total> totals_;
  ColumnHead head_;
  QueryKeyLayout layout_;
};

}  // namespace headlight
