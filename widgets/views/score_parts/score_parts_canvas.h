// The scores of a head, split into what tokens and positions add: maps of one scale, and their sum.
//
// Left and right choose the key, up and down the query, Ctrl+up and Ctrl+down the head; Enter opens the weight.
#pragma once

#include <QImage>
#include <memory>

#include "model/analysis/attention_maps.h"
#include "model/analysis/living/score_split.h"
#include "widgets/canvas/place_canvas.h"
#include "widgets/canvas/text_columns.h"
#include "widgets/text/axis_label.h"
#include "widgets/views/score_parts/score_parts_layout.h"

namespace headlight {

// What the picture is made from: the parts of a head, between the tokens of its map.
struct SplitHead {
  ScoreSplit split;
  std::vector<AxisLabel> rows, columns;
  std::vector<bool> hidden;  // [Q · K]; empty: none is
  int row_count() const { return static_cast<int>(rows.size()); }
  int column_count() const { return static_cast<int>(columns.size()); }
  bool is_hidden(int row, int column) const {
    return !hidden.empty() && hidden[static_cast<std::size_t>(row) * columns.size() + static_cast<std::size_t>(column)];
  }
  double value(int map, int row, int column) const;  // maps as they are shown; the last one is the sum
};

class ScorePartsCanvas : public PlaceCanvas<ScorePartsHit> {
  Q_OBJECT
 public:
  // In the order in which the maps stand: tokens and positions make a square, with the rest and the sum beside it.
  static constexpr int kRest = 2, kSum = 5;
  static int part_of(int map);  // of ScoreSplit; -1: the sum

  explicit ScorePartsCanvas(QWidget* parent);

  void set_head(std::shared_ptr<const SplitHead> head);  // null: nothing
  const SplitHead* head() const { return head_.get(); }
  const ScorePartsLayout& parts_layout() const { return layout_; }
  static QString part_name(int map);
  static QString part_help(int map);
  bool shows(int map) const { return head_ && (map != kRest || head_->split.has_rest); }
  int row() const { return row_; }
  int column() const { return column_; }
  void set_place(int row, int column);  // -1: as it was; does not emit
  double largest() const { return largest_; }
  QString sentence() const;  // of the chosen pair
  QString description() const override { return sentence(); }
  QString place_tooltip(const ScorePartsHit& place) const override;

 signals:
  void moved(int row, int column);
  void opened(int row, int column);
  void other_head_wanted(int by);

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  void forget() override;
  QString name() const override;
  ScorePartsHit place_at(QPointF point) const override {
    const ScorePartsHit hit = head_ ? layout_.place_at(point) : ScorePartsHit{};
    return shows(hit.part) ? hit : ScorePartsHit{};
  }
  void press_place(const ScorePartsHit& place) override { choose(place.row, place.column); }
  void open_place(const ScorePartsHit&) override { emit opened(row_, column_); }
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;
  bool go_to_other(int by) override;
  bool activate() override;

 private:
  void choose(int row, int column);
  const QImage& picture(int map) const;
  TextColumns columns_of(int map) const;
  void paint_names(QPainter& painter, int map, bool marks) const;
  void paint_map(QPainter& painter, int map) const;

  std::shared_ptr<const SplitHead> head_;
  double largest_ = 0;
  int row_ = 0, column_ = 0;
  ScorePartsLayout layout_;
  ColumnHead head_names_;
  mutable std::vector<QImage> pictures_;
};

}  // namespace headlight
