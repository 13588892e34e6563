// All heads of a model as thumbnails, a row for each layer: the part of the heads view that is painted.
//
// A click or Enter opens a head.
#pragma once

#include <QImage>

#include "widgets/canvas/place_canvas.h"
#include "widgets/matrix/folded_map.h"
#include "widgets/tables/heads_model.h"
#include "widgets/views/heads/heads_layout.h"

namespace headlight {

// Which map of the model, and which head of it (or kMean, kMax).
struct HeadChoice {
  int map = -1;
  Index head = 0;
  bool operator==(const HeadChoice&) const = default;
};

class HeadsGrid : public PlaceCanvas<HeadsHit> {
  Q_OBJECT
 public:
  explicit HeadsGrid(const HeadsModel* model, QWidget* parent = nullptr);

  void set_colours(MapColours colours);
  void set_show_padding(bool show);  // else it is left out, where there is more than one and something else
  const HeadsLayout& heads_layout() const { return layout_; }
  HeadsHit cursor() const { return cursor_; }
  void set_cursor(HeadsHit place);
  void set_opened(HeadChoice choice);  // that stands large beside the thumbnails; map -1: none
  void set_chosen(HeadChoice choice);  // of all views: it has a ring
  int least_width() const;             // of all heads beside a large one
  // The largest that all of them can be in one of these rooms; empty: they fit in none.
  QRectF largest_in(const std::vector<QRectF>& rooms) const;
  HeadChoice choice(const HeadsHit& place) const;  // map -1: none
  HeadsHit place_of(const HeadChoice& choice) const;
  QString place_tooltip(const HeadsHit& place) const override;
  // The cells that a point of a thumbnail stands for, at most; 1 x 1: every weight has a point.
  QSize cells_of_point() const;

 signals:
  void activated(headlight::HeadChoice choice);
  void menuRequested(headlight::HeadChoice choice, const QPoint& global_position);
  void groupRequested(int group, const QPoint& global_position);  // of heads that share their keys
  void arranged();                                                // sizes may be others

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  void forget() override;
  QString name() const override;
  QString description() const override { return place_tooltip(cursor_); }
  HeadsHit place_at(QPointF point) const override { return layout_.place_at(point); }
  void press_place(const HeadsHit& place) override;
  bool is_pressable(const HeadsHit& place) const override {
    return choice(place).map >= 0 || place.row == HeadsHit::kGroup;
  }
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;
  bool activate() override;
  bool menu(std::optional<QPointF> point, const QPoint& global) override;

 private:
  void reset();
  HeadsLayout layout_in(QSizeF view) const;
  HeadsLayout::Metrics metrics() const;
  std::pair<int, int> rows_and_columns() const;
  double below() const;     // for what is said of the large one
  bool in_one_row() const;  // layers of one head each stand side by side
  QString column_name(int column) const;
  QString row_name(int row) const;
  const AttentionMap& map(const HeadChoice& choice) const;
  const AttentionMap& pictured(int map) const;
  void make_thumbnails(const QRectF& sight) const;
  bool has_windows() const;
  void paint_head(QPainter& painter, const HeadsHit& place) const;
  static void paint_dropped(QPainter& painter, const QRectF& rect, const AttentionMap& map);
  void paint_layer(QPainter& painter, int row) const;
  void paint_bracket(QPainter& painter, int group, bool marked) const;
  void paint_opened(QPainter& painter) const;
  void paint_words(QPainter& painter, const HeadsHit& place) const;
  QImage& image(const HeadsHit& place) const { return nth(thumbnails_, place.row * layout_.columns + place.column); }

  const HeadsModel* model_;
  HeadsLayout layout_;
  HeadsHit cursor_;
  HeadChoice opened_, chosen_;
  MapColours colours_ = MapColours::whole;
  bool show_padding_ = false;
  std::vector<AttentionMap> pictured_;      // the maps without padding; empty: as they are
  mutable std::vector<QImage> thumbnails_;  // by place; null: not made yet
};

}  // namespace headlight
