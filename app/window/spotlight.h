// A sheet over the window that darkens everything but one place, or everything.
#pragma once

#include <QRectF>
#include <QWidget>

namespace headlight {

// Draws the sheet over `area`: dark, with a hole that has soft edges around `hole` and a line around it. An empty hole:
// nothing is drawn.
void paint_spotlight(QPainter& painter, const QRectF& area, const QRectF& hole);

// Lets the mouse through: what lies below works as always.
class Spotlight : public QWidget {
  Q_OBJECT
 public:
  explicit Spotlight(QWidget* window);
  // In coordinates of the window.
  void set_hole(const QRectF& hole);
  QRectF hole() const { return hole_; }
  void set_blank(bool blank);  // all black
  bool is_blank() const { return blank_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QRectF hole_;
  bool blank_ = false;
};

}  // namespace headlight
