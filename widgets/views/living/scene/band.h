// The shape of everything that flows: a band whose edges are cubics with level ends. The picture, the field of
// thousands of bands, files and the mouse all ask the same curve.
#pragma once

#include <QPainterPath>
#include <QPointF>
#include <cmath>

namespace headlight {

// How far across a band has come at `u` (0 .. 1) of its length: a cubic with control points at thirds, so that u is
// linear in x.
inline double band_way(double u) { return u * u * (3 - 2 * u); }

// Pixels. y is the middle of the band, w its width, at its left (0) and its right end (1).
struct Band {
  double x0 = 0, y0 = 0, w0 = 0, x1 = 0, y1 = 0, w1 = 0;

  double y_at(double x) const { return y0 + (y1 - y0) * band_way((x - x0) / (x1 - x0)); }
  double width_at(double x) const { return w0 + (w1 - w0) * band_way((x - x0) / (x1 - x0)); }
  double area() const { return (x1 - x0) * (w0 + w1) / 2; }
  // Under a point, or so near that it is meant.
  bool hit(QPointF point, double slack = 3) const {
    return point.x() >= x0 && point.x() <= x1 &&
           std::abs(point.y() - y_at(point.x())) <= width_at(point.x()) / 2 + slack;
  }
  QPainterPath path() const {
    const double third = (x1 - x0) / 3;
    QPainterPath edge(QPointF(x0, y0 - w0 / 2));
    edge.cubicTo(x0 + third, y0 - w0 / 2, x1 - third, y1 - w1 / 2, x1, y1 - w1 / 2);
    edge.lineTo(x1, y1 + w1 / 2);
    edge.cubicTo(x1 - third, y1 + w1 / 2, x0 + third, y0 + w0 / 2, x0, y0 + w0 / 2);
    edge.closeSubpath();
    return edge;
  }
  Band mixed(const Band& other, double t) const {
    const auto mix = [t](double a, double b) { return a + (b - a) * t; };
    return {mix(x0, other.x0), mix(y0, other.y0), mix(w0, other.w0),
            mix(x1, other.x1), mix(y1, other.y1), mix(w1, other.w1)};
  }
};

}  // namespace headlight
