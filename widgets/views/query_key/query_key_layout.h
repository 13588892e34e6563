// Geometry of the query-key view, from the two vectors at the top to the rivals at the bottom. Pure: no window.
#pragma once

#include <QRectF>
#include <vector>

namespace headlight {

struct QueryKeyHit {
  enum class Part { none, operand, product, running, chip, rival };
  Part part = Part::none;
  int index = -1;    // column of units, number of the chip, or column of rivals
  int operand = -1;  // which vector
  bool operator==(const QueryKeyHit&) const = default;
};

struct QueryKeyLayout {
  struct Metrics {
    QSizeF view;
    double line = 16, token_line = 18;  // heights of texts
    double label = 100, value = 52;     // wanted widths left and right of the pictures
    double margin = 8, gap = 5;
    int operands = 0, units = 0, rivals = 0;
    std::vector<double> chips;  // widths of the parts of the sum, in order
  };
  Metrics metrics;
  QRectF title, readout, rivals_caption;
  std::vector<QRectF> operands, chips;
  QRectF products, running;        // empty where there are no units
  QRectF scores, weights, tokens;  // of the rivals, above each other
  double width = 0, height = 0;    // of everything; larger than the view: it scrolls

  static QueryKeyLayout of(const Metrics& metrics);
  double unit_width() const { return metrics.units > 0 ? products.width() / metrics.units : 0; }
  double slot_width() const;                    // of a rival
  QRectF unit(const QRectF& row, int i) const;  // column i of a row of units
  QRectF slot(const QRectF& row, int i) const;  // the same for rivals
  QRectF rival(int i) const;                    // from its score to its token
  QRectF label(const QRectF& row) const;        // left of a row
  QRectF value(const QRectF& row) const;        // right of it
  QueryKeyHit place_at(QPointF point) const;

 private:
  double place_chips(double top);
};

}  // namespace headlight
