// Painting the states view.
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "widgets/base/ink.h"
#include "widgets/base/theme.h"
#include "widgets/text/attention_words.h"
#include "widgets/views/states/states_canvas.h"

namespace headlight {

void StatesCanvas::paint(QPainter& painter, const QRectF&, bool) const {
  if (!cell_ || layout_.panels.empty()) return;
  const Theme& theme = Theme::instance();
  for (int track = 0; track < static_cast<int>(cell_->tracks.size()); ++track) {
    paint_panel(painter, track);
    paint_marks(painter, track);
  }
  for (const QRectF& rect : layout_.tokens) draw_tokens(painter, rect, labels_, cursor_.place);
  if (layout_.levels > 0) paint_cone(painter);
  paint_chart(painter);
  write(painter, layout_.arithmetic.adjusted(0, 4, 0, 0), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
        arithmetic().join('\n'), theme.ui_font(0.95), theme.text());
}

const StatesCanvas::Picture& StatesCanvas::picture(int track) const {
  Picture& made = pictures_[static_cast<std::size_t>(track)];
  if (!made.image.isNull()) return made;
  const bool gate = cell_->tracks[static_cast<std::size_t>(track)].role == StateTrack::Role::gate;
  made.scale = gate ? CellScale::up_to(1) : CellScale::around_zero(cell_->largest(track));
  made.image = cell_picture(cell_->place_count(), layout_.rows(), made.scale, [&](int place, int row) {
    return static_cast<double>(cell_->value(track, place, unit_shown(track, place, row)));
  });
  for (int place = 0; place < cell_->place_count(); ++place) made.means.push_back(cell_->mean(track, place));
  return made;
}

QPen StatesCanvas::track_pen(int track, double width) const {
  const auto role = cell_->tracks[static_cast<std::size_t>(track)].role;
  return {series_colour(track, static_cast<int>(cell_->tracks.size())), width,
          role == StateTrack::Role::gate    ? Qt::DashLine
          : role == StateTrack::Role::state ? Qt::SolidLine
                                            : Qt::DotLine};
}

void StatesCanvas::paint_panel(QPainter& painter, int track) const {
  const Theme& theme = Theme::instance();
  const StatesLayout::Panel& panel = layout_.panels[static_cast<std::size_t>(track)];
  const Picture& made = picture(track);
  const QFont words = theme.ui_font(0.9), small = theme.ui_font(0.82);
  const double key = 20, middle = panel.caption.top() + QFontMetricsF(words).height() / 2;
  painter.setRenderHint(QPainter::Antialiasing);
  draw_line(painter, QPointF(panel.caption.left(), middle), QPointF(panel.caption.left() + key - 5, middle),
            track_pen(track, 2.2));
  const QString range = made.scale.text();
  write(painter, panel.caption, kTopRight, range, small, theme.muted_text());
  const double room = QFontMetricsF(small).horizontalAdvance(range) + 8;
  write_line(painter, panel.caption.adjusted(key, 0, -room, 0), kTopLeft,
             track_name(cell_->tracks[static_cast<std::size_t>(track)]), words,
             track == cursor_.track ? theme.accent() : theme.text());
  draw_line(painter, panel.mean.bottomLeft(), panel.mean.bottomRight(), QPen(theme.grid(), 1));
  const double top = made.scale.is_signed ? std::max(1e-9, *std::max_element(made.means.begin(), made.means.end())) : 1;
  draw_steps(painter, panel.mean, made.means, 0, top, QPen(theme.muted_text(), 1.4));
  draw_cells(painter, panel.cells, made.image);
}

void StatesCanvas::paint_marks(QPainter& painter, int track) const {
  const Theme& theme = Theme::instance();
  const StatesLayout::Panel& panel = layout_.panels[static_cast<std::size_t>(track)];
  const QRectF cell = layout_.cell(track, cursor_.place, row_of(cursor_.unit));
  painter.setRenderHint(QPainter::Antialiasing);
  const auto column = [&](int place) {
    const QRectF at = layout_.cell(track, place, 0);
    return QRectF(at.left(), panel.mean.top(), at.width(), panel.cells.bottom() - panel.mean.top());
  };
  if (hover_place_ >= 0 && hover_place_ != cursor_.place)
    draw_box(painter, column(hover_place_), 0, QPen(theme.hover(), 1.2));
  draw_box(painter, column(cursor_.place), 0, theme.accent());
  const QRectF row(panel.cells.left(), cell.top(), panel.cells.width(), std::max(2.0, cell.height()));
  painter.drawRect(row);
  if (track == cursor_.track)
    draw_outline(painter, QRectF(cell.left(), cell.top(), cell.width(), row.height()).adjusted(-1, -1, 1, 1),
                 hasFocus() ? 2.2 : 1.6);
}

// Which line is what, each with its number at the chosen step; as many as there is room for.
void StatesCanvas::paint_legend(QPainter& painter) const {
  const Theme& theme = Theme::instance();
  const QFont font = theme.ui_font(0.9);
  const QFontMetricsF metrics(font);
  const QRectF& caption = layout_.chart_caption;
  const QString unit = metrics.elidedText(tr("unit %1").arg(cursor_.unit), Qt::ElideRight, caption.width());
  write(painter, caption, kTopLeft, unit, font, theme.text());
  double x = caption.left() + metrics.horizontalAdvance(unit) + 14;
  const double middle = caption.top() + metrics.height() / 2;
  for (int track = 0; track < static_cast<int>(cell_->tracks.size()); ++track) {
    const QString text = QStringLiteral("%1 %2").arg(
        QString::fromStdString(cell_->tracks[static_cast<std::size_t>(track)].symbol),
        fixed_number(static_cast<double>(cell_->value(track, cursor_.place, cursor_.unit)), 2));
    const double width = metrics.horizontalAdvance(text);
    if (x + 18 + width > caption.right()) break;
    draw_line(painter, QPointF(x, middle), QPointF(x + 14, middle), track_pen(track, 2.2));
    write(painter, QRectF(x + 18, caption.top(), width + 2, metrics.height()), kTopLeft, text, font, theme.text());
    x += 18 + width + 12;
  }
}

void StatesCanvas::paint_chart(QPainter& painter) const {
  const Theme& theme = Theme::instance();
  const QRectF& rect = layout_.chart;
  const auto tracks = static_cast<int>(cell_->tracks.size());
  double low = 0, high = 1;
  std::vector<std::vector<double>> lines(static_cast<std::size_t>(tracks));
  for (int track = 0; track < tracks; ++track)
    for (int place = 0; place < cell_->place_count(); ++place) {
      const auto value = static_cast<double>(cell_->value(track, place, cursor_.unit));
      lines[static_cast<std::size_t>(track)].push_back(value);
      low = std::min(low, value);
      high = std::max(high, value);
    }
  paint_legend(painter);
  const QRectF inner = rect.adjusted(0, 3, 0, -3);
  painter.setRenderHint(QPainter::Antialiasing, false);
  draw_box(painter, rect, 0, QPen(theme.grid(), 1));
  for (const double level : {0.0, 1.0}) {
    const double y = inner.bottom() - (level - low) / (high - low) * inner.height();
    painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y));
  }
  const double x = layout_.x_of(rect, cursor_.place);
  draw_line(painter, QPointF(x, rect.top()), QPointF(x, rect.bottom()), QPen(theme.accent(), 1.4));
  for (int track = 0; track < tracks; ++track) {
    const auto& line = lines[static_cast<std::size_t>(track)];
    draw_steps(painter, inner, line, low, high, track_pen(track, track == cursor_.track ? 2.4 : 1.5));
    const double y =
        inner.bottom() - (line[static_cast<std::size_t>(cursor_.place)] - low) / (high - low) * inner.height();
    draw_dot(painter, QPointF(x, y), 3, track_pen(track, 1).color());
  }
  write(painter, rect.adjusted(3, 1, -3, -1), kTopLeft, fixed_number(high, 2), theme.ui_font(0.78), theme.muted_text());
  painter.drawText(rect.adjusted(3, 1, -3, -1), Qt::AlignLeft | Qt::AlignBottom, fixed_number(low, 2));
  draw_tokens(painter, layout_.chart_tokens, labels_, cursor_.place);
}

// From what each level of the cone spans to what the level below spans.
void StatesCanvas::paint_cone_edges(QPainter& painter, const ReceptiveCone& cone) const {
  const Theme& theme = Theme::instance();
  QPolygonF outline;
  const auto edge = [&](int level, bool right) {
    const ReceptiveCone::Span& span = cone.levels[static_cast<std::size_t>(level)];
    const QRectF node = level > 0 ? layout_.node(static_cast<int>(right ? span.last : span.first), level)
                                  : QRectF(layout_.node(static_cast<int>(right ? span.last : span.first), 0).left(),
                                           layout_.cone.bottom(), layout_.node(0, 0).width(), 1);
    return QPointF(right ? node.right() + 1 : node.left() - 1, node.center().y());
  };
  const auto top = static_cast<int>(cone.levels.size()) - 1;
  for (int level = 0; level <= top; ++level) outline << edge(level, false);
  for (int level = top; level >= 0; --level) outline << edge(level, true);
  QColor fill = theme.accent();
  fill.setAlphaF(0.12f);
  painter.setBrush(fill);
  painter.setPen(QPen(theme.accent(), 1.2));
  painter.drawPolygon(outline);
}

void StatesCanvas::paint_cone(QPainter& painter) const {
  const Theme& theme = Theme::instance();
  const ReceptiveCone seen = cone();
  const QFont words = theme.ui_font(0.9);
  write_line(painter, layout_.cone_caption, kTopLeft, cone_text(), words, theme.text());
  painter.setRenderHint(QPainter::Antialiasing);
  paint_cone_edges(painter, seen);
  const auto in_cone = [&](int place, int level) {
    if (level >= static_cast<int>(seen.levels.size())) return false;
    const ReceptiveCone::Span& span = seen.levels[static_cast<std::size_t>(level)];
    return place >= span.first && place <= span.last;
  };
  for (int level = 1; level < layout_.levels; ++level) {
    const auto& open = cone_.openness[static_cast<std::size_t>(level - 1)];
    for (int place = 0; place < layout_.places; ++place) {
      const QRectF node = layout_.node(place, level);
      const bool lit = in_cone(place, level);
      draw_box(painter, node, 3, QPen(lit ? theme.muted_text() : theme.grid(), 1),
               lit ? theme.weight(open[static_cast<std::size_t>(place)]) : theme.background());
    }
    painter.setPen(level - 1 == cell_->layer ? theme.accent() : theme.muted_text());
    const QRectF row = layout_.node(0, level);
    painter.drawText(QRectF(layout_.cone_names.left(), row.center().y() - 20, layout_.cone_names.width() - 6, 40),
                     kLeft, layer_name(level - 1));
  }
  const Node node = cone_node();
  draw_outline(painter, layout_.node(node.place, node.layer + 1), 1.8);
  draw_tokens(painter, layout_.cone_tokens, cone_.causal ? fed_ : labels_, node.place);
}

}  // namespace headlight
