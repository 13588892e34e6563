// Attention as lines between two lists of tokens: left who looks, right what is looked at. The stronger a line, the
// more weight; each head has a colour.
//
// Hover or the cursor isolates a token, click chooses it. Keys: up, down, left, right, Home, End, Enter, Esc.
#pragma once

#include <QAbstractScrollArea>
#include <memory>

#include "model/analysis/attention_maps.h"
#include "widgets/plot/heatmap.h"
#include "widgets/views/ribbons_layout.h"

namespace headlight {

class RibbonsCanvas : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit RibbonsCanvas(QWidget* parent = nullptr);

  // Heads may be kMean or kMax. Null: nothing.
  void set_map(std::shared_ptr<const AttentionMap> map, std::vector<Index> heads);
  const RibbonsLayout& ribbons_layout() const { return layout_; }
  RibbonsPlace cursor() const { return cursor_; }
  void set_cursor(RibbonsPlace place);  // does not emit
  void set_hover(RibbonsPlace place);   // does not emit
  RibbonsPlace isolated() const;        // the token whose lines alone are drawn
  // The largest weight of the shown heads between two tokens.
  double weight(int looks, int seen) const;
  QString description(const RibbonsPlace& place) const;
  // More lines than eyes can follow: only the strongest are drawn, until a token is isolated.
  static constexpr int kMostLines = 4000;
  bool is_limited() const { return faintest_ > kFaintestRibbon; }
  QColor head_colour(Index head) const;
  QSize picture_size() const;
  void paint_picture(QPainter& painter) const;

 signals:
  void hovered(const headlight::RibbonsPlace& place);
  void chosen(const headlight::RibbonsPlace& place, const headlight::RibbonsPlace& before);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  void arrange();
  void announce();
  void limit_lines();
  void move(int down, RibbonsPlace::Side side);
  const HeatmapLabel& label(const RibbonsPlace& place) const;
  QPointF scrolled(QPointF point) const;
  void paint(QPainter& painter, const QRectF& sight) const;
  void paint_lines(QPainter& painter, const QRectF& sight) const;
  void paint_legend(QPainter& painter) const;
  void paint_tokens(QPainter& painter, const QRectF& sight) const;

  std::shared_ptr<const AttentionMap> map_;
  std::vector<Index> heads_;
  std::vector<Tensor> weights_;  // [Q x K] of each shown head
  std::vector<HeatmapLabel> looks_, seen_;
  RibbonsLayout layout_;
  double faintest_ = kFaintestRibbon;
  RibbonsPlace cursor_, hover_;
};

}  // namespace headlight
