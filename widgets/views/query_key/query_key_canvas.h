// How one weight came about, as a sentence that reads from top to bottom: the query, the key, what each of their
// numbers adds to the score, the sum, what is done with it, and the softmax among all keys.
//
// Up and down choose the query, left and right the key, Ctrl+up and Ctrl+down the head; Shift with left and right walks
// along the units, Enter selects the number, S sorts, Esc lets go.
#pragma once

#include <memory>

#include "model/analysis/score_terms.h"
#include "widgets/canvas/canvas.h"
#include "widgets/text/axis_label.h"
#include "widgets/views/query_key/query_key_layout.h"

namespace headlight {

// What the picture is made from.
struct QueryKeyPair {
  PairScore score;
  AxisLabel query, key;
  std::vector<AxisLabel> rivals;  // by column of the map
  Index column = 0;               // of the key
  bool slots_of_memory = false;   // the keys are places of a memory, not tokens
};

class QueryKeyCanvas : public Canvas {
  Q_OBJECT
 public:
  explicit QueryKeyCanvas(QWidget* parent = nullptr);

  void set_pair(std::shared_ptr<const QueryKeyPair> pair);  // null: nothing
  const QueryKeyPair* pair() const { return pair_.get(); }
  void set_sorted(bool sorted);
  bool is_sorted() const { return sorted_; }
  const QueryKeyLayout& query_key_layout() const { return layout_; }
  Index unit_at(int place) const { return order_[static_cast<std::size_t>(place)]; }
  int cursor() const { return cursor_; }  // place of a unit; -1: none
  void set_cursor(int place);
  void set_hovered_rival(int column);  // from outside; does not emit

  QString sentence() const;  // the pair, its score, its weight and its rank
  QString unit_sentence(Index unit) const;
  QString largest_units() const;
  QString place_tooltip(const QueryKeyHit& place) const;
  QStringList chip_texts() const;

 signals:
  void moved(int queries, int keys, int heads);
  void rival_chosen(int column);
  void rival_hovered(int column);  // -1: none
  void number_chosen(const headlight::PlacedNumber& number);
  void sorting_asked();

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString name() const override;
  QString description() const override;
  QString tooltip(QPointF point) const override { return place_tooltip(layout_.place_at(point)); }
  Qt::CursorShape hover(QPointF point) override;
  void press(QPointF point, Qt::KeyboardModifiers) override;
  bool go(int right, int down) override;
  bool go_to_other(int by) override;
  bool activate() override;
  bool press_key(const QKeyEvent& event) override;

 private:
  // A part of the line that leads from the sum to the weight.
  struct Chip {
    QString text, help;
    PlacedNumber number;
    bool result = false, edited = false;
  };
  std::vector<Chip> chips() const;
  void add_steps(std::vector<Chip>& all, const std::vector<ScoreStep>& steps) const;
  void order_units();
  QString form_text() const;
  QString operand_text(std::size_t operand) const;
  QString operand_help(std::size_t operand) const;
  PlacedNumber number_at(const QueryKeyHit& place) const;
  int shown_unit() const { return hover_.index >= 0 && over_units() ? hover_.index : cursor_; }
  bool over_units() const;
  void paint_operand(QPainter& painter, std::size_t operand) const;
  void paint_products(QPainter& painter) const;
  void paint_running(QPainter& painter) const;
  void paint_chips(QPainter& painter) const;
  void paint_rivals(QPainter& painter) const;
  void paint_scores(QPainter& painter) const;
  void paint_weights(QPainter& painter) const;
  void paint_tokens(QPainter& painter) const;
  void paint_side(QPainter& painter, const QRectF& row, const QString& label, const QString& value) const;

  std::shared_ptr<const QueryKeyPair> pair_;
  std::vector<Index> order_;  // unit of each place
  std::vector<Chip> chips_;
  QueryKeyLayout layout_;
  bool sorted_ = false;
  int cursor_ = -1, marked_rival_ = -1;
  QueryKeyHit hover_;
};

}  // namespace headlight
