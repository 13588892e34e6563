// The cache at one moment of a run: the numbers of the rows that are there, which one is new, which a window has
// dropped (grey), what was kept by then, and how much of the chosen head's attention each row gets. Behind an encoder
// also the rows of the source, which stay. On top its bytes, and those of the same model with other heads or windows,
// or in 8 bits.
//
// Arrow keys go to the moment before and after, Page up and Page down to another head; a click chooses a token's moment
// and a layer; Enter opens the weight of the row that is read most.
#pragma once

#include <algorithm>
#include <memory>

#include "model/analysis/attention_maps.h"
#include "model/analysis/cost/cache_rows.h"
#include "widgets/canvas/place_canvas.h"
#include "widgets/text/axis_label.h"
#include "widgets/views/kv_cache/kv_cache_layout.h"

namespace headlight {

class CellColours;

// What is shown of a run.
struct KvCacheRun {
  CacheShape shape;
  std::shared_ptr<const AttentionMap> map, cross;  // of the chosen layer: of its own text; of the source, or null
  std::shared_ptr<const CacheRows> numbers;
  std::string number_type;

  int moments() const { return static_cast<int>(map->row_count()); }
  int own_rows() const { return static_cast<int>(map->column_count()); }
  int rows() const { return own_rows() + (cross ? static_cast<int>(cross->column_count()) : 0); }
  bool is_source(int row) const { return row >= own_rows(); }
  Index source_tokens() const { return cross ? cross->column_count() : 0; }
  Index read(int moment) const;  // tokens, with that of this moment
  bool is_there(int moment, int row) const { return is_source(row) || key(row) < read(moment); }
  bool is_outside(int moment, int layer, int row) const;  // of the window: the next token does not look at it
  Index key(int row) const;
  int own_row(int moment) const;
  // That the head (or kMean, kMax) reads most; -1: none.
  int most_read(int moment, Index head) const;
  double weight(int moment, Index head, int row) const;
  const Scalar* number(int layer, bool value, int row, int group) const {
    return numbers->row(layer, is_source(row), value, key(row), group);
  }
  Index bytes() const { return number_bytes(number_type); }  // of a number
};

class KvCacheCanvas : public PlaceCanvas<KvCacheHit> {
  Q_OBJECT
 public:
  explicit KvCacheCanvas(QWidget* parent = nullptr);

  void set_run(std::shared_ptr<const KvCacheRun> run, Index head);  // null: nothing
  const KvCacheRun* cache() const { return run_.get(); }
  int moment() const { return moment_; }
  void set_moment(int moment);                 // the nearest that there is; does not emit
  void set_window(Index window);               // of the line that says what a window would save; 0: none
  double largest() const { return largest_; }  // number in the chosen layer, by which all are coloured
  const KvCacheLayout& cache_layout() const { return layout_; }

  // A model to compare with, and its bytes at this moment.
  struct Compared {
    QString name;
    double bytes = 0;
    bool own = false;  // it is this model
  };
  std::vector<Compared> compared() const;
  QString summary() const;           // its bytes, in words
  QString formula() const;           // where they come from
  QString sentence() const;
  QString first_message() const;          // which row the head reads most
  QString kind_of(int layer) const;  // "grouped, window of 6: 320 B"
  QString place_tooltip(const KvCacheHit& place) const override;

 signals:
  void moved(int moment);
  void layer_chosen(int layer);
  void other_head(int by);
  void opened();
  void hovered_row(int row);  // -1: none

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString name() const override;
  QString description() const override;
  KvCacheHit place_at(QPointF point) const override { return run_ ? layout_.place_at(point) : KvCacheHit{}; }
  void press_place(const KvCacheHit& place) override;
  bool is_pressable(const KvCacheHit& place) const override {
    return place != KvCacheHit{} && place.part != KvCacheHit::Part::bar;
  }
  void hover_changed() override;
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;
  bool go_to_other(int by) override;
  bool activate() override;

 private:
  int layer() const { return static_cast<int>(std::max<Index>(0, run_->map->layer)); }
  int group() const;  // whose keys the head asks; -1: of all heads
  QString token(int row) const;
  void choose(int moment);
  void paint_summary(QPainter& painter) const;
  void paint_bars(QPainter& painter) const;
  void paint_names(QPainter& painter) const;
  void paint_layer(QPainter& painter, int layer, const QRectF& sight) const;
  void paint_row(QPainter& painter, int layer, int row, const CellColours& colours) const;
  void paint_numbers(QPainter& painter, const QRectF& cell, const Scalar* numbers, Index count,
                     const CellColours& colours) const;
  void paint_beside(QPainter& painter, int row) const;
  void paint_titles(QPainter& painter) const;

  std::shared_ptr<const KvCacheRun> run_;
  std::vector<AxisLabel> labels_;  // by row
  Index head_ = 0, window_ = 0;
  int moment_ = 0;
  double largest_ = 1;
  KvCacheLayout layout_;
};

}  // namespace headlight
