// What the model wrote, and for each step the most probable tokens with their probabilities: five, or as many as there
// is room for, up to ten. Of a sampled output also how each token was drawn.
//
// Hover marks a step everywhere, a click or the cursor selects it; a click on a candidate, or Enter, activates it.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "widgets/base/selection.h"
#include "widgets/canvas/figure.h"
#include "widgets/canvas/place_canvas.h"
#include "widgets/tables/output_model.h"
#include "widgets/views/output/output_draw.h"
#include "widgets/views/output/output_layout.h"

namespace headlight {

class OutputView : public PlaceCanvas<OutputHit> {
  Q_OBJECT
 public:
  explicit OutputView(Selection* selection, QWidget* parent = nullptr);
  ~OutputView() override;

  void set_result(std::shared_ptr<const Result> result);
  // Steps from `count` on are shown as not written yet (stepping); -1: all.
  void set_visible_steps(int count);
  OutputHit cursor() const { return cursor_; }
  const OutputLayout& output_layout() const { return layout_; }
  OutputModel* table_model() { return &model_; }
  QString place_tooltip(const OutputHit& place) const override;
  Figure figure() const;

  QSize sizeHint() const override { return {440, 280}; }
  QSize minimumSizeHint() const override { return {220, 140}; }

 signals:
  void menuRequested(int step, int token_id, const QPoint& global_position);
  void candidateActivated(int step, int token_id);

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString name() const override;
  QString description() const override;
  OutputHit place_at(QPointF point) const override { return layout_.place_at(point); }
  void press_place(const OutputHit& place) override;
  void hover_changed() override;
  bool is_pressable(const OutputHit&) const override { return false; }
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;
  bool activate() override;
  bool menu(std::optional<QPointF> point, const QPoint& global) override;

 private:
  void move_cursor(OutputHit place);
  void select_step(int step);
  void reveal(const OutputHit& place);
  struct CandidateLook {
    bool percent_signs = true;  // in all columns or in none
    double zoom = 1;
  };
  OutputLayout layout_for(QSizeF size) const;
  OutputLayout layout_at(QSizeF size, double zoom) const;
  int most_candidates() const;
  const OutputStep* step_at(int step) const;
  const std::optional<OutputDraw>& draw_at(int step) const;
  bool is_visible(int step) const { return visible_steps_ < 0 || step < visible_steps_; }
  void paint(QPainter& painter, const OutputLayout& layout, const QRectF& sight, bool marks) const;
  void paint_written(QPainter& painter, const OutputLayout& layout, int step) const;
  void paint_candidate(QPainter& painter, const QRectF& rect, const OutputStep& step, int rank,
                       CandidateLook look) const;
  void paint_draw(QPainter& painter, const QRectF& rect, const OutputDraw& draw, double zoom) const;
  void paint_caption(QPainter& painter, const OutputLayout& layout, const QRectF& sight) const;
  void paint_marks(QPainter& painter, const OutputLayout& layout) const;

  Selection* selection_;
  OutputModel model_;
  OutputLayout layout_;
  OutputHit cursor_;
  struct Needs;
  const Needs& needs(int candidates) const;  // measured once for a result
  mutable std::unique_ptr<Needs> needs_;
  int visible_steps_ = -1;
  mutable std::map<int, std::optional<OutputDraw>> draws_;  // of steps that were looked at
};

}  // namespace headlight
