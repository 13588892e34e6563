// Geometry of a heatmap.
#include "widgets/matrix/heatmap_layout.h"

#include <QTextBoundaryFinder>
#include <algorithm>
#include <cmath>

#include "model/core/scalar.h"

namespace headlight {
namespace {

constexpr double kEdge = 8, kStripEdge = 2, kBareEdge = 24;  // around everything, or only at the left
constexpr double kBareTop = 2;       // what it begins with stands where the headings of other pictures do
constexpr double kLabelGap = 6;      // between labels and cells
constexpr double kBeside = 2;        // between names of columns
constexpr double kStep = 6;          // before and behind a name on stairs
constexpr double kLargestCell = 88;  // of a matrix that is shown whole
constexpr QSizeF kLargestBare(200, 110);
constexpr double kBarWidth = 12, kBarGap = 16;
constexpr double kSmallestSpan = 3;      // cells across when zoomed in
constexpr double kRowLabelShare = 0.25;  // of the width, at most
constexpr double kColumnLabelShare = 0.34;

double clamp_start(double start, double span, double whole) {
  return std::clamp(start, 0.0, std::max(0.0, whole - span));
}

double widest(const std::vector<QString>& labels, const std::function<double(const QString&)>& text_width,
              double known) {
  if (known >= 0) return known;
  double width = 0;
  for (const QString& label : labels) width = std::max(width, text_width(label));
  return width;
}

int stride_for(double needed, double cell) {
  return cell <= 0 ? 1 : std::max(1, static_cast<int>(std::ceil(needed / cell - 1e-9)));
}

// Sizes that the labels take from the cells.
struct Frame {
  double left = 0, top = 0, right = 0, bottom = 0;
  double row_labels = 0, column_labels = 0;
};

Frame frame_of(const HeatmapInput& in, double row_labels, double column_labels, double beside = 0) {
  const double caption = in.captions ? in.text_height + 4 : 0, edge = in.strip ? kStripEdge : kEdge;
  Frame frame;
  frame.row_labels = row_labels;
  frame.column_labels = column_labels;
  frame.left = (in.bare ? kBareEdge : edge) + caption + (row_labels > 0 ? row_labels + kLabelGap : 0);
  frame.top =
      (in.bare ? kBareTop : edge) + caption + (column_labels > 0 ? column_labels + (in.strip ? edge : kLabelGap) : 0);
  frame.right = edge + beside + (in.colour_bar ? kBarGap + kBarWidth + 4 + in.colour_bar_labels : 0);
  frame.bottom = edge + 2;
  // A line for the note, where not each cell has a pixel.
  const QSizeF room = in.size - QSizeF(frame.left + frame.right, frame.top + frame.bottom);
  if ((in.strip || in.bare) && (in.window.width() > room.width() || in.window.height() > room.height()))
    frame.bottom += in.text_height;
  return frame;
}

void place_cells(HeatmapLayout& layout, const HeatmapInput& in, const Frame& frame) {
  const double free_width = std::max(1.0, in.size.width() - frame.left - frame.right);
  const double free_height = std::max(1.0, in.size.height() - frame.top - frame.bottom);
  const QSizeF largest =
      in.strip  ? QSizeF(1.5 * layout.numbered.width(), (in.rows == 1 ? 1.6 : 1.25) * layout.numbered.height())
      : in.bare ? in.text_height / 14 * kLargestBare
                : QSizeF(kLargestCell, kLargestCell);
  const double width = std::min(free_width, in.columns * largest.width());
  const double height = std::min(free_height, in.rows * largest.height());
  // On whole pixels, so that the lines between cells are sharp.
  layout.cells = QRectF(std::floor(frame.left + (in.strip || in.bare ? 0 : (free_width - width) / 2)),
                        std::floor(frame.top), std::floor(width), std::floor(height));
  layout.cell_width = layout.cells.width() / std::max(layout.window.width(), 1e-9);
  layout.cell_height = layout.cells.height() / std::max(layout.window.height(), 1e-9);
}

void place_sides(HeatmapLayout& layout, const HeatmapInput& in, const Frame& frame) {
  const QRectF& cells = layout.cells;
  if (in.captions) {
    const double label_left = cells.left() - (frame.left - kEdge);
    layout.row_caption = QRectF(label_left, cells.top(), in.text_height, cells.height());
    layout.column_caption = QRectF(cells.left(), kEdge, cells.width(), in.text_height);
  }
  if (in.strip) layout.column_caption = QRectF(cells.left(), cells.bottom() + 2, cells.width(), in.text_height);
  if (in.bare)
    layout.column_caption = QRectF(cells.left(), in.size.height() - in.text_height, cells.width(), in.text_height);
  if (!in.colour_bar) return;
  layout.colour_bar = QRectF(cells.right() + layout.beside + kBarGap, cells.top(), kBarWidth, cells.height());
  layout.colour_bar_labels = QRectF(layout.colour_bar.right() + 4, cells.top(), in.colour_bar_labels, cells.height());
}

void place_row_labels(HeatmapLayout& layout, const HeatmapInput& in, const Frame& frame) {
  layout.row_stride = stride_for((in.strip || in.close_rows ? kInkOfLine : 1) * in.text_height, layout.cell_height);
  const int first = static_cast<int>(std::floor(layout.window.top));
  for (int row = first; row < layout.window.bottom && row < static_cast<int>(in.row_labels.size()); ++row) {
    const double middle = layout.cell_rect(row, 0).center().y();
    if (row % layout.row_stride != 0 || middle < layout.cells.top() || middle > layout.cells.bottom()) continue;
    const QString text = elided_to(nth(in.row_labels, row), frame.row_labels, in.text_width);
    const QRectF rect(layout.cells.left() - kLabelGap - frame.row_labels, middle - in.text_height / 2, frame.row_labels,
                      in.text_height);
    layout.row_labels.push_back({row, rect, text});
  }
}

// Over a strip each cell has what there is room for of its label; where there is none for all of them, those that stand
// there are whole.
double strip_label(const HeatmapInput& in, const HeatmapLayout& layout, double widest) {
  constexpr double kWhole = 8;  // lines of text: longer ones are cut anyway
  const double least = std::min(widest, in.shortest_label);
  return stride_for(least + kBeside, layout.cell_width) == 1 ? least : std::min(widest, kWhole * in.text_height);
}

// Each in the row above the column's first cell, where that row has none.
void place_on_stairs(HeatmapLayout& layout, const HeatmapInput& in) {
  for (int column = 0; column < in.columns && column < static_cast<int>(in.column_labels.size()); ++column) {
    const QRectF cell = layout.cell_rect(column, column);
    const double middle = column == 0 ? cell.top() - kLabelGap - in.text_height / 2 : cell.top() - cell.height() / 2;
    const double left = cell.left(), room = layout.size.width() - left;
    const QString text = elided_to(nth(in.column_labels, column), room - 2 * kStep, in.text_width);
    layout.column_labels.push_back({column,
                                    QRectF(left, middle - in.text_height / 2,
                                           std::min(room, std::ceil(in.text_width(text)) + 2 * kStep), in.text_height),
                                    text});
  }
}

// How far the names of the last columns stand out at the right.
double beside_stairs(const HeatmapInput& in, double cell_width, double most) {
  double beside = 0;
  for (int column = 0; column < in.columns && column < static_cast<int>(in.column_labels.size()); ++column)
    beside =
        std::max(beside, in.text_width(nth(in.column_labels, column)) + 2 * kStep - (in.columns - column) * cell_width);
  return std::ceil(std::min(beside, most));
}

void place_column_labels(HeatmapLayout& layout, const HeatmapInput& in, const Frame& frame, double label_width) {
  if (layout.column_style == HeatmapLayout::ColumnLabels::stairs) return place_on_stairs(layout, in);
  const bool turned = layout.column_style == HeatmapLayout::ColumnLabels::turned;
  layout.column_stride = stride_for(turned ? in.text_height : label_width + kBeside, layout.cell_width);
  const double across = turned ? in.text_height : std::max(layout.cell_width * layout.column_stride, label_width);
  const double bottom = layout.cells.top() - (in.strip ? kStripEdge : kLabelGap);
  const int first = static_cast<int>(std::floor(layout.window.left));
  for (int column = first; column < layout.window.right && column < static_cast<int>(in.column_labels.size());
       ++column) {
    const double middle = layout.cell_rect(0, column).center().x();
    if ((column % layout.column_stride != 0 && column != in.folded) || middle < layout.cells.left() ||
        middle > layout.cells.right())
      continue;
    const auto text_width = [&in](const QString& text) { return in.column_scale * in.text_width(text); };
    const QString& name = nth(in.column_labels, column);
    // What stands for several may stand out at the right.
    const double from = layout.cell_rect(0, column).left();
    const bool out = column == in.folded && !turned && text_width(name) > across;
    const bool all = out && from + text_width(name) <= layout.size.width();
    const double wide = all ? text_width(name) : across;
    const QString text = elided_to(name, turned ? frame.column_labels : wide, text_width);
    const double left = all ? from : middle - wide / 2;
    QRectF rect(left, bottom - frame.column_labels, wide, frame.column_labels);
    const auto touches = [&](const HeatmapLayout::Label& before) {
      return before.rect.center().x() + text_width(before.text) / 2 > rect.center().x() - text_width(text) / 2;
    };
    while (column == in.folded && !turned && !layout.column_labels.empty() && touches(layout.column_labels.back()))
      layout.column_labels.pop_back();
    if (in.strip) {  // those at the ends stay within it
      const double width = std::min(across, std::ceil(text_width(text)) + 1);
      rect.setLeft(std::clamp(middle - width / 2, 0.0, std::max(0.0, layout.size.width() - width)));
      rect.setWidth(width);
      if (!layout.column_labels.empty() && rect.left() < layout.column_labels.back().rect.right()) continue;
    }
    layout.column_labels.push_back({column, rect, text});
  }
}

}  // namespace

HeatmapWindow HeatmapWindow::whole(int rows, int columns) {
  return {0, static_cast<double>(columns), 0, static_cast<double>(rows)};
}

HeatmapWindow HeatmapWindow::clamped(int rows, int columns) const {
  const double across =
      std::clamp(width(), std::min(kSmallestSpan, static_cast<double>(columns)), static_cast<double>(columns));
  const double down =
      std::clamp(height(), std::min(kSmallestSpan, static_cast<double>(rows)), static_cast<double>(rows));
  const double x = clamp_start(left, across, columns), y = clamp_start(top, down, rows);
  return {x, x + across, y, y + down};
}

HeatmapWindow HeatmapWindow::zoomed(double factor, QPointF around, int rows, int columns) const {
  const auto span = [factor](double now, int count) {
    return std::clamp(now / factor, std::min(kSmallestSpan, static_cast<double>(count)), static_cast<double>(count));
  };
  const double across = span(width(), columns), down = span(height(), rows);
  const double x = around.x() - (around.x() - left) * across / std::max(width(), 1e-9);
  const double y = around.y() - (around.y() - top) * down / std::max(height(), 1e-9);
  return HeatmapWindow{x, x + across, y, y + down}.clamped(rows, columns);
}

HeatmapWindow HeatmapWindow::moved(double columns_right, double rows_down, int rows, int columns) const {
  return HeatmapWindow{left + columns_right, right + columns_right, top + rows_down, bottom + rows_down}.clamped(
      rows, columns);
}

HeatmapWindow HeatmapWindow::showing(int row, int column, int rows, int columns) const {
  const auto step = [](double start, double end, int cell) {
    return cell < start ? cell - start : cell + 1 > end ? cell + 1 - end : 0.0;
  };
  return moved(column < 0 ? 0 : step(left, right, column), row < 0 ? 0 : step(top, bottom, row), rows, columns);
}

HeatmapLayout HeatmapLayout::of(const HeatmapInput& in) {
  HeatmapLayout layout;
  layout.size = in.size;
  layout.rows = in.rows;
  layout.columns = in.columns;
  if (in.rows <= 0 || in.columns <= 0) return layout;
  layout.window = in.window.clamped(in.rows, in.columns);
  layout.numbered = QSizeF(in.value_width + 6, in.value_height + 4);
  const double row_width = std::min(std::ceil(widest(in.row_labels, in.text_width, in.widest_row)),
                                    std::floor(in.size.width() * kRowLabelShare));
  const double column_width = std::ceil(widest(in.column_labels, in.text_width, in.widest_column));
  // Once with upright labels; turned ones need more room, so they are tried only when these do not fit.
  Frame frame = frame_of(in, row_width, column_width > 0 ? in.text_height : 0);
  place_cells(layout, in, frame);
  const bool fits = in.strip || column_width + kBeside <= layout.cell_width ||
                    (column_width <= 2.2 * in.text_height && in.short_names);
  layout.rising = in.stairs && in.rows == in.columns && layout.window == HeatmapWindow::whole(in.rows, in.columns);
  const bool stairs = layout.rising && column_width > 0 && layout.cell_height >= in.text_height;
  layout.column_style = column_width <= 0 ? ColumnLabels::none
                        : stairs          ? ColumnLabels::stairs
                        : fits            ? ColumnLabels::upright
                                          : ColumnLabels::turned;
  if (stairs) {
    layout.beside = beside_stairs(in, layout.cell_width, std::floor(in.size.width() * kRowLabelShare));
    frame = frame_of(in, row_width, in.text_height, layout.beside);
    place_cells(layout, in, frame);
  } else if (fits && !in.strip && !in.lines.isEmpty() && in.lines.width() <= layout.cell_width) {
    layout.two_lines = true;
    frame = frame_of(in, row_width, std::max(in.text_height, in.lines.height()));
    place_cells(layout, in, frame);
  } else if (layout.column_style == ColumnLabels::turned) {
    frame = frame_of(in, row_width, std::min(column_width, std::floor(in.size.height() * kColumnLabelShare)));
    place_cells(layout, in, frame);
  }
  place_sides(layout, in, frame);
  if (row_width > 0) place_row_labels(layout, in, frame);
  if (column_width > 0)
    place_column_labels(layout, in, frame, in.strip ? strip_label(in, layout, column_width) : column_width);
  constexpr double kExact = 1e-6;  // of a window that was chosen for its cells
  layout.values_shown =
      layout.cell_width >= layout.numbered.width() - kExact && layout.cell_height >= layout.numbered.height() - kExact;
  layout.gaps = layout.cell_width >= 7 && layout.cell_height >= 7;
  return layout;
}

QSize HeatmapLayout::cells_of_point(double ratio) const {
  const auto each = [ratio](double count, double pixels) {
    int shown = 1;
    while (shown * std::max(1.0, pixels * ratio) < count - 1e-6) shown *= 2;
    return shown;
  };
  return {each(window.width(), cells.width()), each(window.height(), cells.height())};
}

QRectF HeatmapLayout::cell_rect(int row, int column) const {
  return {cells.left() + (column - window.left) * cell_width, cells.top() + (row - window.top) * cell_height,
          cell_width, cell_height};
}

QRectF HeatmapLayout::row_band(int row) const {
  const double left = row_labels.empty() ? cells.left() : row_labels.front().rect.left() - 3;
  const double top = std::max(cells.top(), cell_rect(row, 0).top());
  const double bottom = std::min(cells.bottom(), cell_rect(row, 0).bottom());
  const double right = column_style == ColumnLabels::stairs ? cell_rect(row, row).right() : cells.right();
  return bottom <= top ? QRectF() : QRectF(left, top, right - left, bottom - top);
}

double HeatmapLayout::column_top(int column) const {
  return column_style == ColumnLabels::stairs ? std::max(cells.top(), cell_rect(column, column).top()) : cells.top();
}

QRectF HeatmapLayout::corner(double width) const {
  if (!rising) return {};
  constexpr double kAir = 12;
  const double left = cells.right() - width;
  double bottom = cells.bottom();
  for (int column = 0; column < columns; ++column) {
    QRectF used = cell_rect(column, column);
    if (column_style == ColumnLabels::stairs && column < static_cast<int>(column_labels.size()))
      used |= nth(column_labels, column).rect;
    if (used.right() + kAir > left) bottom = std::min(bottom, used.top());
  }
  return bottom - kAir <= cells.top() || left < cells.left()
             ? QRectF()
             : QRectF(left, cells.top(), width, bottom - kAir - cells.top());
}

QRectF HeatmapLayout::column_band(int column) const {
  const bool own =
      column_style == ColumnLabels::stairs && column >= 0 && column < static_cast<int>(column_labels.size());
  const Label* label = column_labels.empty() ? nullptr : &column_labels[own ? static_cast<std::size_t>(column) : 0];
  const double top = label ? label->rect.top() - (own ? 0 : 3) : cells.top();
  const double left = std::max(cells.left(), cell_rect(0, column).left());
  const double right = std::min(cells.right(), cell_rect(0, column).right());
  return right <= left ? QRectF() : QRectF(left, top, right - left, cells.bottom() - top);
}

QPointF HeatmapLayout::matrix_point(QPointF point) const {
  return {window.left + (point.x() - cells.left()) / cell_width, window.top + (point.y() - cells.top()) / cell_height};
}

std::optional<HeatmapCell> HeatmapLayout::cell_at(QPointF point) const {
  if (rows <= 0 || columns <= 0 || point.x() < cells.left() || point.x() >= cells.right() || point.y() < cells.top() ||
      point.y() >= cells.bottom())
    return std::nullopt;
  const QPointF place = matrix_point(point);
  return HeatmapCell{std::clamp(static_cast<int>(std::floor(place.y())), 0, rows - 1),
                     std::clamp(static_cast<int>(std::floor(place.x())), 0, columns - 1)};
}

std::optional<int> HeatmapLayout::row_label_at(QPointF point) const {
  for (const Label& label : row_labels)
    if (label.rect.adjusted(0, 0, kLabelGap, 0).contains(point)) return label.index;
  return std::nullopt;
}

std::optional<int> HeatmapLayout::column_label_at(QPointF point) const {
  for (const Label& label : column_labels)
    if (label.rect.adjusted(0, 0, 0, kLabelGap).contains(point)) return label.index;
  return std::nullopt;
}

QRectF HeatmapLayout::readout_rect(int row, int column, QSizeF readout) const {
  constexpr double kAway = 8;
  const QRectF cell = cell_rect(row, column);
  // Beside its neighbours: they, its row and its column stay free.
  const double aside = std::max(kAway, cell.width() + 2), off = std::max(kAway, cell.height() + 2);
  const double sides[] = {cell.right() + aside, cell.left() - aside - readout.width()};
  for (const double top : {cell.top() - off - readout.height(), cell.bottom() + off})
    for (const double left : sides)
      if (top >= kEdge && top + readout.height() <= size.height() - kEdge && left >= kEdge &&
          left + readout.width() <= size.width() - kEdge)
        return {QPointF(left, top), readout};
  const double x = std::clamp(cell.center().x() - readout.width() / 2, std::min(kEdge, size.width()),
                              std::max(kEdge, size.width() - kEdge - readout.width()));
  const QRectF above(QPointF(x, cell.top() - kAway - readout.height()), readout);
  if (above.top() >= cells.top()) return above;
  const QRectF below(QPointF(x, cell.bottom() + kAway), readout);
  if (below.bottom() <= cells.bottom()) return below;
  const double y = std::clamp(cell.center().y() - readout.height() / 2, kEdge,
                              std::max(kEdge, size.height() - kEdge - readout.height()));
  const QRectF right(QPointF(cell.right() + kAway, y), readout);
  if (right.right() <= size.width() - kEdge) return right;
  const QRectF left(QPointF(cell.left() - kAway - readout.width(), y), readout);
  return left.left() >= kEdge ? left : QRectF(QPointF(x, kEdge), readout);
}

QString elided_to(const QString& text, double width, const std::function<double(const QString&)>& text_width) {
  constexpr qsizetype kMost = 256;  // code units of an end: more fit no label, and long texts take long to measure
  if (text.size() <= 2 * kMost && text_width(text) <= width) return text;
  const auto boundaries = [](const QString& part) {
    QTextBoundaryFinder finder(QTextBoundaryFinder::Grapheme, part);
    std::vector<qsizetype> ends{0};
    for (qsizetype end = finder.toNextBoundary(); end > 0; end = finder.toNextBoundary()) ends.push_back(end);
    return ends;
  };
  const QString tail = text.right(kMost);
  const std::vector<qsizetype> from_start = boundaries(text.left(kMost)), from_end = boundaries(tail);
  // `kept` characters: a third of them is the end.
  const auto candidate = [&](std::size_t kept) {
    const std::size_t behind = std::min(kept / 3, from_end.size() - 1), before = kept - behind;
    return text.left(from_start[before]) + QChar(0x2026) + tail.mid(from_end[from_end.size() - 1 - behind]);
  };
  std::size_t least = 0, most = from_start.size() - 1;
  if (text.size() <= kMost && most > 0) --most;  // not all of it: that did not fit
  while (least < most) {
    const std::size_t middle = (least + most + 1) / 2;
    if (text_width(candidate(middle)) <= width)
      least = middle;
    else
      most = middle - 1;
  }
  return candidate(least);
}

}  // namespace headlight
