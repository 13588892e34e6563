// Attention as lines between two lists of tokens: left who looks, right what is looked at. The stronger a line, the
// more weight; each head has a colour.
//
// Hover or the cursor isolates a token, a click chooses it; up and down go along a list, left and right to the other
// one, Esc lets go.
#pragma once

#include <memory>

#include "model/analysis/attention_maps.h"
#include "widgets/canvas/canvas.h"
#include "widgets/text/axis_label.h"
#include "widgets/views/ribbons/ribbons_layout.h"

namespace headlight {

class RibbonsCanvas : public Canvas {
  Q_OBJECT
 public:
  explicit RibbonsCanvas(QWidget* parent = nullptr);

  // Heads may be kMean or kMax. Null: nothing.
  void set_map(std::shared_ptr<const AttentionMap> map, std::vector<Index> heads);
  const RibbonsLayout& ribbons_layout() const { return layout_; }
  RibbonsHit cursor() const { return cursor_; }
  void set_cursor(RibbonsHit place);  // does not emit
  void set_hover(RibbonsHit place);   // does not emit
  RibbonsHit isolated() const;        // the token whose lines alone are drawn
  // The largest weight of the shown heads between two tokens.
  double weight(int query, int key) const;
  QString description(const RibbonsHit& place) const;
  // More lines than eyes can follow: only the strongest are drawn, until a token is isolated.
  static constexpr int kMostLines = 4000;
  bool is_limited() const { return faintest_ > kFaintestRibbon; }
  QColor head_colour(Index head) const;

 signals:
  void hovered(const headlight::RibbonsHit& place);
  void chosen(const headlight::RibbonsHit& place, const headlight::RibbonsHit& before);

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString name() const override;
  QString description() const override;
  QString tooltip(QPointF point) const override;
  Qt::CursorShape hover(QPointF point) override;
  void press(QPointF point, Qt::KeyboardModifiers) override;
  bool go(int right, int down) override;
  bool activate() override;
  bool press_key(const QKeyEvent& event) override;

 private:
  void limit_lines();
  void walk(int down, RibbonsHit::Side side);
  const AxisLabel& label(const RibbonsHit& place) const;
  void paint_lines(QPainter& painter, const QRectF& sight) const;
  void paint_legend(QPainter& painter) const;
  void paint_tokens(QPainter& painter, const QRectF& sight) const;

  std::shared_ptr<const AttentionMap> map_;
  std::vector<Index> heads_;
  std::vector<Tensor> weights_;  // [Q x K] of each shown head
  std::vector<AxisLabel> queries_, keys_;
  RibbonsLayout layout_;
  double faintest_ = kFaintestRibbon;
  RibbonsHit cursor_, hover_;
};

}  // namespace headlight
