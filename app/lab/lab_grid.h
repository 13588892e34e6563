// Where the squares of the lab's picture stand: pure geometry. It is made for the whole film of a training, so that
// nothing moves while one goes through its moments.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <algorithm>

namespace headlight {

struct LabPlace {
  int row = -1, column = -1;  // of which one alone: the name of a row or of a column
  bool operator==(const LabPlace&) const = default;
};

struct LabGrid {
  int rows = 0, columns = 0;
  double left = 0, head = 0;    // the room of the names of rows and of columns
  double across = 0, down = 0;  // of a cell with its gap

  // Cells as large as the room allows, no smaller than can be read and no larger than looks well. `names`: the widest
  // name of a row; `line`: the height of one.
  static LabGrid of(int rows, int columns, double names, QSizeF room, double line, double scale) {
    constexpr double kLeastAcross = 16, kMostAcross = 250, kMostDown = 64, kGap = 10, kLeastLeft = 96;
    LabGrid made{rows, columns};
    made.left = std::max(kLeastLeft * scale, names + kGap * scale);
    made.head = columns > 0 ? line + kGap * scale : 0;
    const double wide = room.width() - made.left, high = room.height() - made.head;
    made.across = std::clamp(wide / std::max(1, columns), kLeastAcross * scale, kMostAcross * scale);
    made.down = std::clamp(high / std::max(1, rows), line, kMostDown * scale);
    return made;
  }
  QRectF cell(int row, int column) const { return {left + column * across, head + row * down, across, down}; }
  QRectF row(int row) const { return {left, head + row * down, columns * across, down}; }
  QRectF row_name(int row) const { return {0, head + row * down, left, down}; }
  QRectF column_name(int column) const { return {left + column * across, 0, across, head}; }
  QRectF rect(const LabPlace& place) const {
    if (place.row < 0) return place.column < 0 ? QRectF() : column_name(place.column);
    return place.column < 0 ? row_name(place.row) : cell(place.row, place.column);
  }
  QSizeF size() const { return {left + columns * across, head + rows * down}; }
  LabPlace at(QPointF point) const {
    const auto index = [](double from, double each, int count) {
      const int found = each > 0 && from >= 0 ? static_cast<int>(from / each) : -1;
      return found < count ? found : -1;
    };
    LabPlace place{index(point.y() - head, down, rows), index(point.x() - left, across, columns)};
    const bool inside = point.x() >= 0 && point.y() >= 0 && point.x() < size().width() && point.y() < size().height();
    return inside ? place : LabPlace{};
  }
  bool operator==(const LabGrid&) const = default;
};

}  // namespace headlight
