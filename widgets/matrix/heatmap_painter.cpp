// Painting a heatmap.
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLinearGradient>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "widgets/base/hatch.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/style.h"
#include "widgets/base/text_marks.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/matrix/cells.h"
#include "widgets/matrix/heatmap_scene.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {
namespace {

constexpr double kMostPoints = 1 << 24;  // of cells that are written as a picture

struct Cells {
  int top = 0, bottom = 0, left = 0, right = 0;
};

Cells cells_in_sight(const HeatmapScene& scene, const HeatmapLayout& layout) {
  return {std::max(0, static_cast<int>(std::floor(layout.window.top))),
          std::min(scene.rows, static_cast<int>(std::ceil(layout.window.bottom))),
          std::max(0, static_cast<int>(std::floor(layout.window.left))),
          std::min(scene.columns, static_cast<int>(std::ceil(layout.window.right)))};
}

template <typename Visit>
void for_each_cell(const HeatmapScene& scene, const HeatmapLayout& layout, const Visit& visit) {
  const Cells sight = cells_in_sight(scene, layout);
  for (int row = sight.top; row < sight.bottom; ++row)
    for (int column = sight.left; column < sight.right; ++column) visit(row, column);
}

QColor faded(QColor colour, double alpha) {
  colour.setAlphaF(static_cast<float>(alpha));
  return colour;
}

QString limit_text(double value) { return short_number(value, 3); }

void mark_corner(QPainter& painter, const QRectF& cell) {
  const double size = std::clamp(std::min(cell.width(), cell.height()) * 0.45, 6.0, 11.0);
  QPainterPath corner(cell.topRight());
  corner.lineTo(cell.right() - size, cell.top());
  corner.lineTo(cell.right(), cell.top() + size);
  corner.closeSubpath();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme().background(), 0.8));
  painter.setBrush(theme().edited());
  painter.drawPath(corner);
}

// Small enough to leave the number alone.
void mark_moved(QPainter& painter, const QRectF& cell) {
  const double size = std::min(cell.width(), cell.height());
  const double radius = std::clamp(size / 10, std::min(1.5, size / 4), 4.0);
  const QPointF centre =
      size < 10 ? cell.center() : QPointF(cell.right() - 2 * radius - 1, cell.top() + 2 * radius + 1);
  painter.setRenderHint(QPainter::Antialiasing);
  draw_dot(painter, centre, radius + 1, theme().background());
  draw_dot(painter, centre, radius, theme().edited());
}

QString reduced_text(QSize cells, HeatmapScene::Range range) {
  const char* text = range == HeatmapScene::Range::symmetric
                         ? QT_TRANSLATE_NOOP("Heatmap", "reduced: each point is the largest by size of %1 × %2 cells")
                         : QT_TRANSLATE_NOOP("Heatmap", "reduced: each point is the largest of %1 × %2 cells");
  return QCoreApplication::translate("Heatmap", text).arg(cells.height()).arg(cells.width());
}

constexpr int kLine = static_cast<int>(Qt::AlignLeft | Qt::AlignTop) | Qt::TextSingleLine | Qt::TextDontClip;

// A line in the font of the painter, whose corner is at a whole pixel: so no letter is blurred.
void write_at(QPainter& painter, QPointF corner, const QString& text) {
  draw_text(painter, QRectF(corner, QSizeF()), kLine, text);
}

void write_row_label(QPainter& painter, const QRectF& place, const QString& text) {
  const QSizeF size = text_size(text, painter.font());
  write_at(painter, {std::round(place.right() - size.width()), std::round(place.center().y() - size.height() / 2)},
           text);
}

void write_column_label(QPainter& painter, const QRectF& place, const QString& text, bool turned) {
  const QSizeF size = text_size(text, painter.font());
  const QPointF middle = place.center();
  if (!turned)
    return write_at(painter, {std::round(middle.x() - size.width() / 2), std::round(middle.y() - size.height() / 2)},
                    text);
  painter.save();
  painter.translate(std::round(middle.x() - size.height() / 2), place.bottom());
  painter.rotate(-90);
  write_at(painter, {0, 0}, text);
  painter.restore();
}

}  // namespace

void HeatmapPainter::paint_cells(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout) {
  const bool many = layout.window.width() * layout.window.height() > kMostRectanglesOfAll;
  if (is_vector(painter) && (many || layout.cells_of_point(scene.points) != QSize(1, 1))) {
    HeatmapScene fine = scene;  // a point or more for each cell, as far as memory allows
    const double area = layout.cells.width() * layout.cells.height();
    while (layout.cells_of_point(fine.points / 4) != QSize(1, 1) && 4 * area * fine.points * fine.points < kMostPoints)
      fine.points *= 2;
    painter.setRenderHint(QPainter::LosslessImageRendering);
    return paint_screen(painter, fine, layout);
  }
  if (layout.cells_of_point(scene.points) != QSize(1, 1)) return paint_screen(painter, scene, layout);
  const CellScale scale = scene.scale();
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(Qt::NoPen);
  for_each_cell(scene, layout, [&](int row, int column) {
    const float value = scene.value(row, column);
    if (!scene.row_is_shown(row) || scene.is_hidden(row, column) || !std::isfinite(value)) return;
    painter.setBrush(scale.colour(static_cast<double>(value)));
    painter.drawRect(layout.cell_rect(row, column) & layout.cells);
  });
  painter.restore();
}

void HeatmapPainter::paint_frame(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout) {
  if (scene.rows == 0 || scene.columns == 0) return;
  painter.save();
  painter.setRenderHint(QPainter::TextAntialiasing);
  paint_grid(painter, scene, layout);
  if (layout.values_shown) paint_numbers(painter, scene, layout);
  if (scene.off) paint_off(painter, layout.cells);
  paint_changes(painter, scene, layout, [](const HeatmapCell&) { return true; });
  paint_labels(painter, scene, layout);
  paint_captions(painter, scene, layout);
  if (scene.colour_bar && !scene.bare) paint_colour_bar(painter, scene, layout);
  painter.restore();
}

bool HeatmapPainter::has_room_for_dots(const HeatmapLayout& layout) {
  return std::min(layout.cell_width, layout.cell_height) >= 4;
}

// What a person changed, and what that moved.
void HeatmapPainter::paint_changes(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout,
                                   const std::function<bool(HeatmapCell)>& wanted) const {
  const auto is_seen = [&](const HeatmapCell& cell) {
    return scene.has(cell.row, cell.column) && scene.row_is_shown(cell.row) && wanted(cell);
  };
  painter.save();
  painter.setClipRect(layout.cells);
  if (has_room_for_dots(layout))
    for (const HeatmapCell& cell : scene.moved)
      if (is_seen(cell)) mark_moved(painter, layout.cell_rect(cell.row, cell.column));
  for (const HeatmapCell& cell : scene.edited)
    if (is_seen(cell)) mark_corner(painter, layout.cell_rect(cell.row, cell.column));
  painter.restore();
}

void HeatmapPainter::paint_grid(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout) const {
  const Cells sight = cells_in_sight(scene, layout);
  if (!scene.values->all_finite() && std::min(layout.cell_width, layout.cell_height) >= kHatchedCell)
    for_each_cell(scene, layout, [&](int row, int column) {
      if (scene.row_is_shown(row) && !std::isfinite(scene.value(row, column)))
        draw_hatch(painter, layout.cell_rect(row, column) & layout.cells, theme().hatch(), 6);
    });
  // Cells are tiles: between them, and where a row cannot look, one sees the paper.
  painter.setRenderHint(QPainter::Antialiasing, false);
  // Where the colours change: a point has that of the cell in which its middle lies.
  const auto first_point = [&](double edge) { return std::ceil(edge * scene.points - 0.5) / scene.points; };
  for (int row = sight.top; row < sight.bottom && !scene.hidden.empty(); ++row)
    for (int from = sight.left, to = from; from < sight.right; from = to + 1) {
      for (to = from; to < sight.right && scene.is_hidden(row, to);) ++to;
      if (to == from) continue;
      const QRectF first = layout.cell_rect(row, from), last = layout.cell_rect(row, to - 1);
      const QRectF all(QPointF(first_point(first.left()), first_point(first.top())),
                       QPointF(first_point(last.right()), first_point(last.bottom())));
      painter.fillRect(all & layout.cells, theme().background());
    }
  paint_dropped(painter, scene, layout, {sight.left, sight.top, sight.right - sight.left, sight.bottom - sight.top});
  if (layout.gaps) {
    const double gap = std::min(layout.cell_width, layout.cell_height) >= 14 ? 2 : 1;
    const QColor paper = theme().background();
    for (int row = sight.top + 1; row < sight.bottom; ++row) {
      const double y = first_point(layout.cell_rect(row, 0).top());
      painter.fillRect(QRectF(layout.cells.left(), y - std::floor(gap / 2), layout.cells.width(), gap), paper);
    }
    for (int column = sight.left + 1; column < sight.right; ++column) {
      const double x = first_point(layout.cell_rect(0, column).left());
      painter.fillRect(QRectF(x - std::floor(gap / 2), layout.cells.top(), gap, layout.cells.height()), paper);
    }
  }
  if (scene.own_rows > sight.top && scene.own_rows < sight.bottom) {
    const double y = std::round(layout.cell_rect(scene.own_rows, 0).top()) - 0.5;
    const double left = layout.row_labels.empty() ? layout.cells.left() : layout.row_labels.front().rect.left();
    const bool stairs = layout.column_style == HeatmapLayout::ColumnLabels::stairs;
    painter.setPen(QPen(tokens().edge, 1, Qt::DashLine));
    painter.drawLine(QPointF(left, y),
                     QPointF(stairs ? layout.cell_rect(0, scene.own_rows).left() : layout.cells.right(), y));
  }
  if (!scene.all_edited) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().edited(), 2));
  painter.drawRect(layout.cells.adjusted(-1, -1, 0, 0));
}

void HeatmapPainter::paint_numbers(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout) {
  const QFont font = number_font(layout.number_scale);
  const bool strip = scene.form == HeatmapScene::Form::strip;
  const CellScale scale = scene.scale();
  painter.save();
  painter.setFont(font);
  painter.setClipRect(layout.cells);
  for_each_cell(scene, layout, [&](int row, int column) {
    const double value = static_cast<double>(scene.value(row, column));
    if (!scene.row_is_shown(row) || scene.is_hidden(row, column) || (!strip && !std::isfinite(value))) return;
    const QString number = scene.number(value);
    if (number.isEmpty()) return;
    const bool faint = strip && scene.range == HeatmapScene::Range::unit && value < 0.0005;
    painter.setPen(faint ? faded(theme().muted_text(), 0.55) : Theme::readable_on(scale.colour(value)));
    const QPointF middle = layout.cell_rect(row, column).center();
    const QSizeF size = text_size(number, font);
    if (size.width() > layout.cell_width) return;
    write_at(painter, {std::round(middle.x() - size.width() / 2), std::round(middle.y() - size.height() / 2)}, number);
  });
  painter.restore();
}

void HeatmapPainter::paint_labels(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout) const {
  QFont plain = label_font(scene, layout.label_scale), slanted = special_font(plain);
  const auto pen_for = [&](const std::vector<AxisLabel>& labels, int i, bool shown) {
    const AxisLabel& label = nth(labels, i);
    const QFont& font = label.special ? slanted : plain;
    if (painter.font() != font) painter.setFont(font);
    return label.muted || label.special || !shown ? faded(theme().muted_text(), shown ? 0.8 : 0.45) : theme().text();
  };
  const auto bar = [&](const AxisLabel& label, const QRectF& place, const QRectF& beside) {
    if (label.answer) painter.fillRect(place, answer_tint());
    if (label.voice != Voice::none) painter.fillRect(beside, voice_tint(label.voice));
  };
  for (const auto& label : layout.row_labels) {
    bar(nth(scene.row_labels, label.index), label.rect,
        {label.rect.right() + 1, label.rect.top(), kVoiceBar, label.rect.height()});
    painter.setPen(pen_for(scene.row_labels, label.index, scene.row_is_shown(label.index)));
    write_row_label(painter, label.rect, label.text);
  }
  plain = label_font(scene, layout.column_scale);
  slanted = special_font(plain);
  for (const auto& label : layout.column_labels) {
    bar(nth(scene.column_labels, label.index), label.rect,
        {label.rect.left(), label.rect.bottom() + 1, label.rect.width(), kVoiceBar});
    const bool shown = layout.column_style != HeatmapLayout::ColumnLabels::stairs || scene.row_is_shown(label.index);
    painter.setPen(pen_for(scene.column_labels, label.index, shown));
    if (const QString& lines = nth(scene.column_labels, label.index).lines; layout.two_lines && !lines.isEmpty()) {
      write(painter, label.rect, static_cast<int>(Qt::AlignHCenter | Qt::AlignBottom), lines, lines_font(),
            theme().muted_text());
      continue;
    }
    write_column_label(painter, label.rect, label.text, layout.column_style == HeatmapLayout::ColumnLabels::turned);
  }
}

void HeatmapPainter::paint_captions(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout) const {
  painter.setFont(theme().ui_font(type::kSource));
  painter.setPen(theme().muted_text());
  QString caption = scene.bare ? QString() : scene.with_subject(scene.column_caption);
  if (const QSize cells = layout.cells_of_point(scene.points); cells != QSize(1, 1))
    caption += (caption.isEmpty() ? QString() : QStringLiteral(" · ")) + reduced_text(cells, scene.range);
  write_line(painter, layout.column_caption, kCentre, caption);
  if (scene.bare) return;
  const QRectF& rect = layout.row_caption;
  painter.save();
  painter.translate(rect.left(), rect.bottom());
  painter.rotate(-90);
  // A part of its name would be none.
  if (text_width(scene.row_caption, painter.font()) <= rect.height())
    write_line(painter, {0, 0, rect.height(), rect.width()}, kCentre, scene.row_caption);
  painter.restore();
}

void HeatmapPainter::paint_colour_bar(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout) const {
  const CellScale scale = scene.scale();
  const QRectF& bar = layout.colour_bar;
  QLinearGradient gradient(bar.bottomLeft(), bar.topLeft());
  constexpr int kStops = 32;
  for (int i = 0; i <= kStops; ++i) {
    const double share = static_cast<double>(i) / kStops;
    gradient.setColorAt(share, scale.colour(scale.at(share)));
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.fillRect(bar, gradient);
  painter.setFont(theme().ui_font(type::kHead));
  painter.setPen(theme().muted_text());
  const double line = QFontMetricsF(painter.font()).height();
  const double middle = scale.at(0.5);
  const QRectF& labels = layout.colour_bar_labels;
  const auto write = [&](double y, const QString& text) {
    draw_text(painter, QRectF(labels.left(), y, labels.width(), line),
              static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextDontClip, text);
  };
  write(labels.top() - 2, limit_text(scale.high));
  if (labels.height() > 4 * line) write(labels.center().y() - line / 2, limit_text(middle));
  if (labels.height() > 2 * line) write(labels.bottom() - line + 2, limit_text(scale.low));
}

// The chosen row and column: cells of next to nothing are tinted. A tint on the
// others would change the colours, which are what is to be read; a frame around all of them would say that all are
// chosen.
void HeatmapPainter::paint_chosen(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout) {
  const Tokens& t = tokens();
  const CellScale scale = scene.scale();
  // Where the colours do not begin at 0, they say something of small numbers too.
  const double nothing =
      scale.is_signed || scale.low >= 0 ? HeatmapScene::kLeastWritten * std::max(scale.high, -scale.low) : 0;
  const auto is_faint = [&](int row, int column) {
    return scene.row_is_shown(row) && !scene.is_hidden(row, column) &&
           std::abs(static_cast<double>(scene.value(row, column))) < nothing;
  };
  const auto tint = [&](int row, int column) {
    if (!is_faint(row, column)) return;
    painter.fillRect((layout.cell_rect(row, column) & layout.cells).toAlignedRect().adjusted(1, 1, -1, -1), t.wash);
  };
  const Cells sight = cells_in_sight(scene, layout);
  const int chosen = scene.highlighted_row;
  painter.setRenderHint(QPainter::Antialiasing, false);
  if (chosen >= sight.top && chosen < sight.bottom)
    for (int column = sight.left; column < sight.right; ++column) tint(chosen, column);
  for (const int column : scene.highlighted_columns)
    if (column >= sight.left && column < sight.right)
      for (int row = sight.top; row < sight.bottom; ++row) tint(row, column);
  // What fell to nothing has moved, too: its dot lies above the tint.
  paint_changes(painter, scene, layout, [&](const HeatmapCell& cell) {
    return (cell.row == chosen || std::ranges::count(scene.highlighted_columns, cell.column) > 0) &&
           is_faint(cell.row, cell.column);
  });
}

std::optional<HeatmapLayout::Label> HeatmapPainter::label_of_row(const HeatmapScene& scene, const HeatmapLayout& layout,
                                                                 int row) const {
  for (const auto& label : layout.row_labels)
    if (label.index == row) return label;
  const double middle = layout.cell_rect(row, 0).center().y();
  if (layout.row_labels.empty() || row < 0 || row >= static_cast<int>(scene.row_labels.size()) ||
      middle < layout.cells.top() || middle > layout.cells.bottom())
    return std::nullopt;
  QRectF rect = layout.row_labels.front().rect;
  rect.moveCenter({rect.center().x(), middle});
  const auto width = [plain = label_font(scene, 1), &layout](const QString& text) {
    return layout.label_scale * text_width(text, plain);
  };
  return HeatmapLayout::Label{row, rect, elided_to(nth(scene.row_labels, row).text, rect.width(), width)};
}

std::optional<HeatmapLayout::Label> HeatmapPainter::label_of_column(const HeatmapScene& scene,
                                                                    const HeatmapLayout& layout, int column) const {
  const auto known = std::ranges::find(layout.column_labels, column, &HeatmapLayout::Label::index);
  const bool turned = layout.column_style == HeatmapLayout::ColumnLabels::turned;
  if (known != layout.column_labels.end() && !turned) return *known;
  const double middle = layout.cell_rect(0, column).center().x();
  if (layout.column_labels.empty() || column < 0 || column >= static_cast<int>(scene.column_labels.size()) ||
      middle < layout.cells.left() || middle > layout.cells.right())
    return std::nullopt;
  QRectF rect = layout.column_labels.front().rect;
  const auto width = [plain = label_font(scene, 1), &layout](const QString& text) {
    return layout.column_scale * text_width(text, plain);
  };
  const QString& text = nth(scene.column_labels, column).text;
  // One that is too long to be turned stands upright, over others.
  const bool upright = turned && width(text) > rect.height();
  if (known != layout.column_labels.end() && !upright) return *known;
  if (upright) {
    const double line = std::min(rect.width(), rect.height());
    rect = QRectF(0, rect.bottom() - line, std::min(width(text) + 12, layout.size.width()), line);
  } else if (!turned) {
    rect.setWidth(std::max(rect.width(), std::min(width(text) + 2, layout.cells.width())));
  }
  rect.moveCenter({middle, rect.center().y()});
  if (rect.left() < 0) rect.moveLeft(0);
  if (rect.right() > layout.size.width()) rect.moveRight(layout.size.width());
  return HeatmapLayout::Label{column, rect, elided_to(text, turned && !upright ? rect.height() : rect.width(), width),
                              upright};
}

// Others of which a part would be seen beside the chosen one are not seen at all.
void HeatmapPainter::cover(QPainter& painter, const std::vector<HeatmapLayout::Label>& labels, const QRectF& chosen,
                           const std::function<QRectF(const HeatmapLayout::Label&)>& ink) {
  for (const HeatmapLayout::Label& label : labels)
    if (const QRectF place = ink(label); place.intersects(chosen)) painter.fillRect(place, tokens().paper);
}

// The names of what is chosen are always there, whatever the others have room for.
void HeatmapPainter::paint_chosen_labels(QPainter& painter, const HeatmapScene& scene,
                                         const HeatmapLayout& layout) const {
  const Tokens& t = tokens();
  painter.setRenderHint(QPainter::Antialiasing);
  QFont bold = label_font(scene, layout.label_scale);
  bold.setWeight(QFont::DemiBold);
  painter.setFont(bold);
  if (const auto label = label_of_row(scene, layout, scene.highlighted_row);
      label && scene.row_is_shown(scene.highlighted_row)) {
    const double leading = 0.1 * label->rect.height();  // lines may come that close
    cover(painter, layout.row_labels, label->rect.adjusted(0, leading, 0, -leading),
          [](const HeatmapLayout::Label& each) { return each.rect; });
    painter.fillRect(label->rect.adjusted(-2, leading, 2, -leading), t.paper);
    painter.setPen(t.accent);
    write_row_label(painter, label->rect, label->text);
  }
  const bool turned = layout.column_style == HeatmapLayout::ColumnLabels::turned;
  painter.setFont(label_font(scene, layout.column_scale));
  for (const int column : scene.highlighted_columns) {
    const auto label = label_of_column(scene, layout, column);
    if (!label) continue;
    const double wide = text_width(label->text, painter.font());
    const bool lies = turned && !label->upright;
    const double across = std::min(label->rect.width(), lies ? label->rect.width() : wide + 12);
    const QRectF place(label->rect.center().x() - across / 2, label->rect.top(), across, label->rect.height());
    cover(painter, layout.column_labels, place, [&](const HeatmapLayout::Label& each) {
      const bool also = std::ranges::find(scene.highlighted_columns, each.index) != scene.highlighted_columns.end();
      const double ink = also ? 0 : turned ? each.rect.width() : text_width(each.text, painter.font());
      return QRectF(each.rect.center().x() - ink / 2, each.rect.top(), ink, each.rect.height());
    });
    painter.setPen(QPen(t.accent, 1.5));
    painter.setBrush(t.wash);
    painter.drawRoundedRect(place.adjusted(0, -1, 0, 1), radius::kButton, radius::kButton);
    painter.setPen(t.accent);
    write_column_label(painter, label->rect, label->text, lies);
  }
}

void HeatmapPainter::paint_marks(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout) {
  if (scene.rows == 0 || scene.columns == 0) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  // Over cells without room for a tint between them only an outline: it would change the colours, and they are what is
  // to be read.
  const auto band = [&](const QRectF& rect, const QRectF& label, const QColor& colour, double width, double fill) {
    if (rect.isEmpty()) return;
    painter.fillRect(label, faded(colour, fill));
    draw_box(painter, rect.adjusted(0.5, 0.5, -0.5, -0.5), 3, QPen(colour, width));
  };
  const auto mark_column = [&](int column, const QColor& colour, double width) {
    if (column < 0 || column >= scene.columns) return;
    QRectF rect = layout.column_band(column), label = rect;
    label.setBottom(layout.column_top(column) - 1);
    band(rect, label.adjusted(1, 1, -1, 0), colour, width, 0.14);
  };
  const auto mark_row = [&](int row, const QColor& colour, double width) {
    if (row < 0 || row >= scene.rows || !scene.row_is_shown(row)) return;
    QRectF rect = layout.row_band(row), label = rect;
    label.setRight(layout.cells.left() - 1);
    band(rect, label.adjusted(1, 1, 0, -1), colour, width, 0.14);
  };
  if (layout.gaps && scene.form == HeatmapScene::Form::figure) {
    paint_chosen(painter, scene, layout);
    paint_chosen_labels(painter, scene, layout);
  } else {
    for (const int column : scene.highlighted_columns) mark_column(column, theme().accent(), 1);
    mark_row(scene.highlighted_row, theme().accent(), 1.2);
    if (scene.form == HeatmapScene::Form::figure) paint_chosen_labels(painter, scene, layout);
  }
  mark_column(scene.hover.column, theme().hover(), 1);
  mark_row(scene.hover.row, theme().hover(), 1);
  if (scene.has(scene.selected.row, scene.selected.column) && scene.row_is_shown(scene.selected.row)) {
    painter.setClipRect(layout.cells.adjusted(-2, -2, 2, 2));
    QRectF cell = layout.cell_rect(scene.selected.row, scene.selected.column);
    const double x = std::max(0.0, 6 - cell.width()) / 2, y = std::max(0.0, 6 - cell.height()) / 2;
    cell.adjust(-x, -y, x, y);  // never smaller than what the eye finds
    draw_box(painter, cell, 0, QPen(theme().background(), 4));
    draw_box(painter, cell, 0, QPen(theme().accent(), 2));
    painter.setClipping(false);
  }
  const HeatmapCell read =
      scene.has(scene.hover.row, scene.hover.column) || !scene.focused ? scene.hover : scene.selected;
  if (scene.form == HeatmapScene::Form::figure && scene.has(read.row, read.column))  // it would cover a strip
    paint_readout(painter, scene, layout, read);
  painter.restore();
}

void HeatmapPainter::paint_readout(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout,
                                   HeatmapCell cell) const {
  const QFont font = theme().token_font();
  const QFontMetricsF metrics(font);
  const QString full = scene.readout(cell.row, cell.column);
  const QString text = elided_text(full, font, Qt::ElideMiddle, std::max(60.0, layout.size.width() - 40));
  const QSizeF size(text_width(text, font) + 18, metrics.height() + 10);
  const QRectF rect = layout.readout_rect(cell.row, cell.column, size).toAlignedRect();
  draw_shadow(&painter, rect, radius::kField);
  draw_round(&painter, rect, radius::kField, tokens().sheet, tokens().line);
  write(painter, rect, kCentre, text, font, theme().text());
}

}  // namespace headlight
