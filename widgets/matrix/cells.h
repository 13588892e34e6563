// Numbers as coloured cells: one scale from numbers to colours, and pictures with a point for each cell, or for
// several.
#pragma once

#include <QColor>
#include <QImage>
#include <QPainter>
#include <array>
#include <cmath>
#include <limits>

#include "model/core/tensor.h"

namespace headlight {

// From numbers to colours. Signed numbers have 0 in the middle, in the colour of the background.
struct CellScale {
  bool is_signed = false;
  double low = 0, high = 1;
  bool logarithmic = false;  // as much colour for each factor; what is below `low` is like it

  static CellScale up_to(double largest) { return {false, 0, largest}; }
  static CellScale around_zero(double largest) { return {true, -largest, largest}; }
  // Three factors of ten.
  static CellScale logarithmic_to(double largest) { return {false, largest / 1000, largest, true}; }
  // As wide as the finite values; around zero where any is negative.
  static CellScale of(const Tensor& values);

  // 0 .. 1 from low to high, NaN of what is not a number, among shares also of what is infinite
  double share(double value) const;
  double at(double share) const;  // the value there
  QColor colour(double value) const;
  QString text() const;  // "0 … 1", "±1.37"
};

// The colours of a scale for pictures of many cells. An odd number of levels: zero has one of its own.
class CellColours {
 public:
  static constexpr int kLevels = 257;
  CellColours() = default;
  explicit CellColours(bool is_signed);
  // Of a share of the scale; the last one of what is not a number.
  QRgb at(double share) const {
    return colours_[std::isnan(share) ? kLevels : static_cast<std::size_t>(share * (kLevels - 1) + 0.5)];
  }
  const QRgb* data() const { return colours_.data(); }

 private:
  std::array<QRgb, kLevels + 1> colours_{};
};

// A point for each cell, to be drawn larger without smoothing. value(column, row).
template <class Value>
QImage cell_picture(int columns, int rows, const CellScale& scale, const CellColours& colours, const Value& value) {
  QImage image(std::max(1, columns), std::max(1, rows), QImage::Format_RGB32);
  image.fill(colours.at(scale.share(0)));
  for (int y = 0; y < rows; ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < columns; ++x) line[x] = colours.at(scale.share(value(x, y)));
  }
  return image;
}

template <class Value>
QImage cell_picture(int columns, int rows, const CellScale& scale, const Value& value) {
  return cell_picture(columns, rows, scale, CellColours(scale.is_signed), value);
}

// Of the cells that share a point, the finite value farthest from 0; NaN where one is NaN, or none is finite.
template <class Value>
double farthest_value(int left, int right, int top, int bottom, const Value& value) {
  double best = std::numeric_limits<double>::quiet_NaN();
  for (int row = top; row < bottom; ++row)
    for (int column = left; column < right; ++column) {
      const double each = value(column, row);
      if (std::isnan(each)) return each;
      if (std::isfinite(each) && !(std::abs(each) <= std::abs(best))) best = each;
    }
  return best;
}

// The cells of a rectangle in at most `most` points, each with the farthest value of those that fall on it.
template <class Value>
QImage pooled_picture(const QRect& cells, QSize most, const CellScale& scale, const Value& value) {
  const QSize size = cells.size().boundedTo(most);
  const auto edge = [](int first, int count, int point, int points) {
    return first + static_cast<int>(static_cast<qint64>(point) * count / points);
  };
  return cell_picture(size.width(), size.height(), scale, [&](int x, int y) {
    return farthest_value(edge(cells.left(), cells.width(), x, size.width()),
                          edge(cells.left(), cells.width(), x + 1, size.width()),
                          edge(cells.top(), cells.height(), y, size.height()),
                          edge(cells.top(), cells.height(), y + 1, size.height()), value);
  });
}

// What is painted can be enlarged: SVG, PDF.
bool is_vector(const QPainter& painter);

// A picture with a point for each cell, without smoothing. In a file that can be enlarged every cell is a rectangle;
// where `most` are not enough, the picture has several points for each cell, so that no viewer blurs it. Over what is
// not a number lie lines, where its cell is large enough for them. Whoever makes a cell_picture() draws it by this.
inline constexpr int kMostRectangles = 4096, kMostRectanglesOfAll = 1 << 16;  // of one picture, of a whole file
void paint_cells(QPainter& painter, const QRectF& rect, const QImage& picture, int most = kMostRectangles);

}  // namespace headlight
