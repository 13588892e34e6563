// The cache at one moment of a run: which rows are there, which one is new, which have left their window, and how much
// of the chosen head's attention each gets. On top its bytes, and those of the same model with other heads or windows.
//
// Arrow keys go to the moment before and after, Page up and Page down to another head; a click chooses a token's moment
// and a layer; Enter opens the weight of the row that is read most.
#pragma once

#include <algorithm>
#include <memory>

#include "model/analysis/attention_maps.h"
#include "model/analysis/cost/kv_cache.h"
#include "widgets/canvas/place_canvas.h"
#include "widgets/text/axis_label.h"
#include "widgets/views/kv_cache/kv_cache_layout.h"

namespace headlight {

// What is shown of a run.
struct KvCacheRun {
  CacheShape shape;
  std::shared_ptr<const AttentionMap> map;  // of the decoder's own text, of the chosen layer
  Index source_tokens = 0;                  // whose keys and values stand beside it

  int moments() const { return static_cast<int>(map->row_count()); }
  Index read(int moment) const;  // tokens, with that of this moment
  bool is_there(int moment, int row) const { return key(row) < read(moment); }
  bool is_outside(int moment, int layer, int row) const;  // of the window: it is not looked at any more
  Index key(int row) const { return map->key_of_column[static_cast<std::size_t>(row)]; }
  int own_row(int moment) const;
  // That the head (or kMean, kMax) reads most; -1: none.
  int most_read(int moment, Index head) const;
  double weight(int moment, Index head, int row) const;
};

class KvCacheCanvas : public PlaceCanvas<KvCacheHit> {
  Q_OBJECT
 public:
  explicit KvCacheCanvas(QWidget* parent = nullptr);

  void set_run(std::shared_ptr<const KvCacheRun> run, Index head);  // null: nothing
  const KvCacheRun* cache() const { return run_.get(); }
  int moment() const { return moment_; }
  void set_moment(int moment);    // the nearest that there is; does not emit
  void set_window(Index window);  // of the line that says what a window would save; 0: none
  const KvCacheLayout& cache_layout() const { return layout_; }

  // A model to compare with, and its bytes at this moment.
  struct Compared {
    QString name;
    double bytes = 0;
    bool own = false;  // it is this model
  };
  std::vector<Compared> compared() const;
  QString summary() const;   // its bytes, in words
  QString formula() const;   // where they come from
  QString sentence() const;  // which row the head reads most
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
  void paint_row(QPainter& painter, int layer, int row) const;

  std::shared_ptr<const KvCacheRun> run_;
  std::vector<AxisLabel> labels_;  // by row
  Index head_ = 0, window_ = 0;
  int moment_ = 0;
  KvCacheLayout layout_;
};

}  // namespace headlight
