// Painting the positions view.
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/oklab.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/matrix/cells.h"
#include "widgets/text/number_words.h"
#include "widgets/views/positions/positions_view.h"

namespace headlight {

// What is chosen is what the pictures are about: it is marked in files, too.
void PositionsView::paint(QPainter& painter, const QRectF&, bool) const {
  if (tables_.empty()) return biases_.empty() ? void() : paint_biases(painter);
  if (!rotation_) return paint_places(painter);
  for (int i = 0; i < static_cast<int>(tables_.size()); ++i) paint_table(painter, i);
  paint_rotation(painter);
  angles_shown_ ? paint_angles(painter) : paint_products(painter);
}

QColor PositionsView::table_colour(int table) const {
  const bool dark = theme().mode() == Theme::Mode::dark;
  const QColor green = from_oklab({dark ? 0.76 : 0.56, -0.12, 0.08});
  const QColor colours[] = {theme().weight(0.72), green, theme().text()};
  return colours[static_cast<std::size_t>(table) % std::size(colours)];
}

const QImage& PositionsView::picture(int index) const {
  QImage& image = nth(pictures_, index);
  if (!image.isNull()) return image;
  const PositionTable& table = nth(tables_, index);
  const auto top = static_cast<double>(table.values.array().abs().maxCoeff());
  image = cell_picture(static_cast<int>(table.size()), static_cast<int>(table.positions()), CellScale::around_zero(top),
                       [&](int column, int row) {
                         return static_cast<double>(table.values[static_cast<Index>(row) * table.size() + column]);
                       });
  return image;
}

void PositionsView::paint_caption(QPainter& painter, const QRectF& rect, const QString& text) const {
  write_line(painter, rect, kTopLeft, text, theme().ui_font(type::kSource), theme().text());
}

void PositionsView::paint_frame(QPainter& painter, const QRectF& rect, double top, double bottom) const {
  const QFont numbers = theme().ui_font(type::kHead);
  painter.setRenderHint(QPainter::Antialiasing, false);
  draw_box(painter, rect.adjusted(-1, -1, 0, 0), 0, QPen(theme().grid(), 1));
  painter.setFont(numbers);
  painter.setPen(theme().muted_text());
  const double line = QFontMetricsF(numbers).height(), axis = layout_.metrics.axis_width;
  const auto left = [&](double y, double number) {
    draw_text(painter, QRectF(rect.left() - axis, y, axis - 4, line), kRight,
              short_number(number, std::abs(number) < 1     ? 2
                                   : std::abs(number) < 100 ? 3
                                                            : 4));
  };
  left(rect.top() - 1, top);
  left(rect.bottom() - line + 1, bottom);
}

// The words of the rows, as many as have room; that of the chosen one always.
void PositionsView::paint_row_names(QPainter& painter, const QRectF& rect, int rows) const {
  const QFont plain = theme().ui_font(type::kHead), bold = bold_font(type::kHead);
  const double line = QFontMetricsF(plain).height(), axis = layout_.metrics.axis_width, down = rect.height() / rows;
  draw_box(painter, rect.adjusted(-1, -1, 0, 0), 0, QPen(theme().grid(), 1));
  const auto middle = [&](int row) { return rect.top() + (row + 0.5) * down; };
  double free_from = rect.top() - line;
  for (int row = 0; row < std::min(rows, static_cast<int>(rotation_->tokens.size())); ++row) {
    const double top = middle(row) - line / 2;
    const bool is_chosen = row == position_, is_near = std::abs(middle(row) - middle(position_)) < line;
    if (!is_chosen && (is_near || top < free_from)) continue;
    free_from = top + line;
    const QFont& font = is_chosen ? bold : plain;
    const QString name = elided_text(row_name(row), font, Qt::ElideRight, axis - space::kTight);
    write(painter, QRectF(rect.left() - axis, top, axis - space::kTight, line), kRight, name, font,
          is_chosen ? theme().text() : theme().muted_text());
  }
}

void PositionsView::paint_table(QPainter& painter, int index) const {
  const PositionTable& table = nth(tables_, index);
  const QRectF& rect = nth(layout_.tables, index);
  const QRectF& caption = nth(layout_.table_captions, index);
  const double key = tables_.size() > 1 ? 26 : 0;  // its line among the likenesses
  if (key > 0) {
    painter.setPen(QPen(table_colour(index), 2.4, Qt::SolidLine));
    const double y = caption.top() + QFontMetricsF(theme().ui_font(type::kSource)).height() / 2;
    painter.drawLine(QPointF(caption.left(), y), QPointF(caption.left() + key - 8, y));
  }
  paint_caption(painter, caption.adjusted(key, 0, 0, 0), table_name(table));
  paint_row_names(painter, rect, static_cast<int>(table.positions()));
  paint_cells(painter, rect, picture(index));
  const QFont numbers = theme().ui_font(type::kHead);
  const QRectF below(rect.left(), rect.bottom() + 1, rect.width(), layout_.metrics.axis);
  write(painter, below, kLeft, counted(0), numbers, theme().muted_text());
  draw_text(painter, below, kRight, counted(table.size() - 1));
  const QString axis = tr("number within the head");
  if (text_width(axis, numbers) < below.width() - 60) draw_text(painter, below, kCentre, axis);
  const double down = rect.height() / static_cast<double>(table.positions());
  const double across = rect.width() / static_cast<double>(table.size());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(rect.adjusted(-2, -2, 2, 2));
  const auto outline = [&](const QRectF& part, double width) {
    draw_box(painter, part, 0, QPen(theme().background(), width + 1.6));
    draw_box(painter, part, 0, QPen(theme().accent(), width));
  };
  const bool chosen = index == table_;
  if (position_ < table.positions())
    outline({rect.left(), rect.top() + position_ * down, rect.width(), std::max(1.0, down)}, chosen ? 1.6 : 0.8);
  for (const Index column : {rotation_->first(pair_), rotation_->second(pair_)})
    if (column < table.size())
      outline({rect.left() + static_cast<double>(column) * across, rect.top(), across, rect.height()}, 1);
  painter.setClipping(false);
}

}  // namespace headlight
