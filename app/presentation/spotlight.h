// A sheet over the window that fades everything but some places, or has one colour everywhere.
#pragma once

#include <QColor>
#include <QList>
#include <QRectF>
#include <QWidget>
#include <optional>

namespace headlight {

// Draws the sheet over `area`, with holes that have soft edges and a line around them. No holes: nothing is drawn. On a
// wall it is of paper, which leaves what it covers to be guessed; elsewhere it is dark.
void paint_spotlight(QPainter& painter, const QRectF& area, const QList<QRectF>& holes);

// Lets the mouse through: what lies below works as always.
class Spotlight : public QWidget {
  Q_OBJECT
 public:
  explicit Spotlight(QWidget* window);
  // In coordinates of the window.
  void set_holes(const QList<QRectF>& holes);
  const QList<QRectF>& holes() const { return holes_; }
  void set_blank(std::optional<QColor> colour);  // all of it; none: what is below is seen
  bool is_blank() const { return blank_.has_value(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QList<QRectF> holes_;
  std::optional<QColor> blank_;
};

}  // namespace headlight
