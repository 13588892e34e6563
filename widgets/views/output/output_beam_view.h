// The tree of a beam search: what was tried at each step, what was dropped, and the finished outputs, best first.
//
// The winner runs along the top. Hover or the cursor lights a hypothesis with its way back, and a line below says its
// text. Left goes to the parent, right to the best child (from a finished one to the list), up and down within a step
// or the list, Home and End along the winner; Enter or a double click forces the text of the hypothesis.
#pragma once

#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/place_canvas.h"
#include "widgets/views/output/output_beam_layout.h"
#include "widgets/views/output/output_beam_model.h"

namespace headlight {

class BeamView : public PlaceCanvas<BeamHit, CanvasView> {
  Q_OBJECT
 public:
  explicit BeamView(const ViewContext& context, QWidget* parent = nullptr);

  static bool offers(const Result& result) { return result.beam != nullptr; }

  BeamHit cursor() const { return cursor_; }
  const BeamLayout& beam_layout() const { return layout_; }
  QString place_tooltip(const BeamHit& place) const override;
  QString caption() const;

  QSize sizeHint() const override { return {440, 280}; }
  QSize minimumSizeHint() const override { return {220, 140}; }

 protected:
  void refresh() override;
  Figure drawn() override;
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  void paint_fixed(QPainter& painter) const override;
  double footer() const override;
  void forget() override;
  QString empty_text() const override;
  void sight_changed() override;
  QString name() const override;
  QString description() const override;
  BeamHit place_at(QPointF point) const override;
  void press_place(const BeamHit& place) override { move_cursor(place); }
  void open_place(const BeamHit& place) override { force(place); }
  void hover_changed() override;
  bool is_pressable(const BeamHit&) const override { return false; }
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;
  bool activate() override;

 private:
  const BeamTree* tree() const { return result() ? result()->beam.get() : nullptr; }
  const BeamHypothesis& hypothesis(int step, int place) const;
  BeamHit hypothesis_of(const BeamHit& place) const;  // of a row of the list: where it ended
  BeamHit towards(int right, int down) const;
  QString score_in_words(const BeamHit& place) const;
  QString cut_in_words(const BeamHit& place) const;  // empty: it was not dropped
  BeamLayout layout_for(double width) const;
  void move_cursor(const BeamHit& place);
  void reveal(const BeamHit& place);
  void force(const BeamHit& place);
  void paint(QPainter& painter, const BeamLayout& layout, const QRectF& sight, bool marks) const;
  std::vector<int> lit_path() const;  // of each step: the hypothesis that is lit, -1: none
  void paint_links(QPainter& painter, const BeamLayout& layout, const std::vector<int>& lit, const QRectF& sight) const;
  void paint_box(QPainter& painter, const BeamLayout& layout, int step, int place, bool lit) const;
  void paint_list(QPainter& painter, const BeamLayout& layout, const BeamHit& lit) const;
  void paint_caption(QPainter& painter, const QRectF& rect) const;

  BeamModel model_;
  BeamLayout layout_;
  BeamHit cursor_;
};

}  // namespace headlight
