// All heads of a model as thumbnails, a row for each layer: the part of the heads view that is painted.
//
// Arrow keys move the cursor, click or Enter opens a head.
#pragma once

#include <QAbstractScrollArea>
#include <QImage>

#include "widgets/items/heads_model.h"
#include "widgets/views/heads_layout.h"

namespace headlight {

// Which map of the model, and which head of it (or kMean, kMax).
struct HeadChoice {
  int map = -1;
  Index head = 0;
  bool operator==(const HeadChoice&) const = default;
};

class HeadsGrid : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit HeadsGrid(const HeadsModel* model, QWidget* parent = nullptr);

  void set_own_scale(bool own);  // colours up to the largest weight of each picture, instead of up to 1
  const HeadsLayout& heads_layout() const { return layout_; }
  HeadsPlace cursor() const { return cursor_; }
  void set_cursor(HeadsPlace place);
  HeadChoice choice(const HeadsPlace& place) const;  // map -1: none
  HeadsPlace place_of(const HeadChoice& choice) const;
  QString description(const HeadsPlace& place) const;
  // The cells that a point of a thumbnail stands for, at most; 1 x 1: every weight has a point.
  QSize cells_of_point() const;
  // Everything, in the size it has on the screen.
  QSize picture_size() const;
  void paint_picture(QPainter& painter) const;

 signals:
  void activated(headlight::HeadChoice choice);
  void menuRequested(headlight::HeadChoice choice, const QPoint& global_position);
  void arranged();  // sizes may be others

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  void reset();
  void arrange();
  void announce();
  bool in_one_row() const;  // layers of one head each stand side by side
  QString column_name(int column) const;
  QString row_name(int row) const;
  const AttentionMap& map(const HeadChoice& choice) const;
  void make_thumbnails(const QRectF& sight) const;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const;
  void paint_head(QPainter& painter, const HeadsPlace& place) const;
  void paint_words(QPainter& painter, const HeadsPlace& place) const;
  QPointF scrolled(QPointF point) const;
  QImage& image(const HeadsPlace& place) const {
    return thumbnails_[static_cast<std::size_t>(place.row * layout_.columns + place.column)];
  }

  const HeadsModel* model_;
  HeadsLayout layout_;
  HeadsPlace cursor_, hover_;
  bool own_scale_ = false;
  mutable std::vector<QImage> thumbnails_;  // by place; null: not made yet
};

}  // namespace headlight
