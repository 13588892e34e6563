#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/number_words.h"
#include "widgets/views/states/states_canvas.h"

namespace headlight {

namespace {

constexpr double kNumberedColumn = 28;  // narrower ones have no numbers over their bars

}  // namespace

void StatesCanvas::paint(QPainter& painter, const QRectF& sight, bool marks) const {
  if (!cell_) return;
  painter.setRenderHint(QPainter::Antialiasing);
  const double left = held(sight);
  paint_units(painter, sight, marks);
  // Names stay where they are seen, on paper.
  if (left > 0) painter.fillRect(QRectF(sight.left(), 0, layout_.metrics.name, layout_.height), tokens().paper);
  paint_names(painter, left, marks);
  paint_map(painter, marks);
  paint_about(painter);
}

void StatesCanvas::paint_units(QPainter& painter, const QRectF&, bool marks) const {
  const Tokens& t = tokens();
  const int chosen = column();
  const int over = hover_place_ < 0 ? -1 : static_cast<int>(std::ranges::find(places_, hover_place_) - places_.begin());
  const double bottom = layout_.units.empty() ? layout_.metrics.head : layout_.units.back().bottom();
  if (chosen >= 0)
    painter.fillRect(layout_.columns.cell(chosen, layout_.metrics.head, bottom - layout_.metrics.head), t.wash);
  head_.paint(painter, layout_.columns, labels_, 0, chosen, marks ? over : -1);
  for (int i = 0; i < static_cast<int>(layout_.units.size()); ++i) {
    const Index unit = unit_at(i);
    if (i == layout_.metrics.opened) {
      paint_bars(painter, unit, layout_.bars, true, marks);
      paint_story(painter, marks);
    } else {
      paint_bars(painter, unit, nth(layout_.units, i), false, marks);
    }
  }
}

void StatesCanvas::paint_bars(QPainter& painter, Index unit, const QRectF& row, bool numbered, bool marks) const {
  const Tokens& t = tokens();
  const QFont font = theme().ui_font();
  const double line = numbered ? QFontMetricsF(font).height() : 0;
  const double half = row.height() / 2 - 3 - line, middle = row.center().y();
  const int track = shown_track(*cell_), chosen = column();
  painter.fillRect(QRectF(layout_.columns.left(), middle - 0.5, layout_.columns.right() - layout_.columns.left(), 1),
                   t.line);
  for (int i = 0; i < layout_.columns.count(); ++i) {
    const int place = place_of(i);
    const double value = static_cast<double>(cell_->value(track, place, unit));
    const double size = std::isfinite(value) ? std::clamp(value / largest_, -1.0, 1.0) : 0;
    const QRectF cell = layout_.columns.cell(i, row.top(), row.height());
    const double inset = cell.width() * 0.1;
    const QRectF bar(cell.left() + inset, size < 0 ? middle : middle - size * half, cell.width() - 2 * inset,
                     std::max(1.0, std::abs(size) * half));
    draw_box(painter, bar, std::min(2.0, bar.height() / 2), Qt::NoPen, theme().signed_value(size));
    const bool edited = (*cell_->trace)[cell_->entry(track, place)].edited;
    if (numbered && edited) draw_edited_dot(painter, cell);
    if (!numbered) continue;
    const bool here = i == chosen;
    if (here && marks && cursor_.track == track) draw_ring(painter, bar.adjusted(-3, -3, 3, 3), t.accent);
    QFont own = font;
    if (here) own.setWeight(QFont::DemiBold);
    const QString text = short_signed(value);
    if (cell.width() < kNumberedColumn || text_width(text, own) > cell.width()) continue;
    const double y = size < 0 ? bar.bottom() + 3 : bar.top() - line - 2;
    write(painter, QRectF(cell.left() - 6, y, cell.width() + 12, line), kCentre, text, own, here ? t.accent : t.ink);
  }
}

void StatesCanvas::paint_story(QPainter& painter, bool marks) const {
  const Tokens& t = tokens();
  const int chosen = column();
  if (!story_.empty())
    write_words(painter, layout_.sentence.adjusted(0, 2, 0, 0), story_caption(*cell_), theme().ui_font(type::kSource),
                t.ink2);
  double largest = 1e-9;
  for (const StoryRow& row : story_)
    if (!row.is_share())
      for (const int place : places_)
        if (const double value = story_value(*cell_, row, place, cursor_.unit); std::isfinite(value))
          largest = std::max(largest, std::abs(value));
  for (std::size_t r = 0; r < story_.size(); ++r) {
    const StoryRow& row = story_[r];
    const QRectF strip = layout_.story[r];
    for (int i = 0; i < layout_.columns.count(); ++i) {
      const QRectF cell = layout_.columns.cell(i, strip.top(), strip.height() - 2);
      const double value = story_value(*cell_, row, place_of(i), cursor_.unit);
      if (row.is_share())
        draw_level(painter, cell, value);
      else
        draw_tile(painter, cell, theme().signed_value(value / largest), fitting_signed(value, cell.width()));
      if ((*cell_->trace)[cell_->entry(row.track, place_of(i))].edited) draw_edited_dot(painter, cell);
      if (marks && i == chosen)
        draw_ring(painter, cell, row.track == cursor_.track ? t.accent : t.ink, row.track == cursor_.track ? 2.2 : 1.2);
    }
  }
  if (layout_.metrics.levels == 0) return;
  // What the chosen place sees, a line for each layer: the tokens at the bottom.
  const ReceptiveCone seen = cone();
  for (std::size_t level = 0; level < seen.levels.size(); ++level) {
    const auto span = seen.levels[level];
    const double y = layout_.cone.bottom() - static_cast<double>(level + 1) * layout_.metrics.level;
    const int first = layout_.columns.nearest(
        layout_.columns.left(std::clamp<int>(static_cast<int>(span.first), 0, layout_.columns.count() - 1)));
    const int last = std::clamp<int>(static_cast<int>(span.last), 0, layout_.columns.count() - 1);
    draw_box(painter,
             QRectF(layout_.columns.left(first) + 1, y,
                    layout_.columns.left(last) + layout_.columns.width(last) - layout_.columns.left(first) - 2,
                    layout_.metrics.level - 2),
             2, Qt::NoPen, t.edge);
  }
}

void StatesCanvas::paint_names(QPainter& painter, double left, bool marks) const {
  const Tokens& t = tokens();
  const double margin = layout_.metrics.margin, wide = layout_.metrics.name - margin - 6;
  if (cell_->reads_backward()) {
    const QRectF place(left + margin, 2, wide + 6 - kArrow, layout_.metrics.head - 4);
    write(painter, place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, direction_text(),
          theme().ui_font(type::kSource), t.ink2);
    const double y = place.center().y(), to = place.right() + 5;
    draw_line(painter, {to, y}, {to + 26, y}, QPen(t.ink2, 1.5));
    draw_line(painter, {to, y}, {to + 6, y - 5}, QPen(t.ink2, 1.5));
    draw_line(painter, {to, y}, {to + 6, y + 5}, QPen(t.ink2, 1.5));
  }
  std::size_t group = 0;
  for (const QRectF& title : layout_.titles)
    write(painter, title.translated(left, 0), kLeft, groups_[group++].title, theme().ui_font(type::kSource), t.ink2);
  for (int i = 0; i < static_cast<int>(layout_.units.size()); ++i) {
    const QRectF row = nth(layout_.units, i).translated(left, 0);
    const QString name = tr("Unit %1").arg(counted(unit_at(i)));
    if (i != layout_.metrics.opened) {
      const bool over = marks && hovered().part == StatesHit::Part::bars && hovered().unit == i;
      QFont font = theme().ui_font();
      font.setUnderline(over);
      write(painter, QRectF(row.left(), row.top(), wide, row.height()), kLeft, name, font, t.ink);
      continue;
    }
    draw_opened(painter, left + std::max(2.0, margin - space::kSmall), layout_.opened.top() + 3, layout_.opened.bottom() - 3);
    const QFont title = bold_font(type::kQuestion);
    const double line = QFontMetricsF(title).height();
    const QString habit = habit_text(unit_habit(*cell_, places_, cursor_.unit));
    const double words = words_height(habit, theme().ui_font(), wide);
    const double y = layout_.bars.center().y() - (line + words) / 2;
    write(painter, QRectF(row.left(), y, wide, line), kLeft, name, title, t.accent);
    write_words(painter, QRectF(row.left(), y + line + 2, wide, words), habit, theme().ui_font(), t.ink);
    for (std::size_t r = 0; r < story_.size(); ++r) {
      const QRectF strip = layout_.story[r].translated(left, -1);
      const QString text = story_name(story_[r].what);
      write(painter, QRectF(strip.left(), strip.top(), wide, strip.height()), kLeft, text, theme().ui_font(), t.ink);
      const double x = text_width(text, theme().ui_font()) + 7;
      write(painter, QRectF(strip.left() + x, strip.top(), wide - x + 6, strip.height()), kLeft,
            story_term(*cell_, story_[r].what), theme().ui_font(type::kSource), t.ink2);
    }
    if (layout_.metrics.levels > 0)
      write(painter, layout_.cone.translated(left, 0), kLeft, tr("sees"), theme().ui_font(), t.ink);
  }
}

void StatesCanvas::paint_map(QPainter& painter, bool marks) const {
  const Tokens& t = tokens();
  const int track = shown_track(*cell_);
  const QRectF title = layout_.map_title, map = layout_.map;
  write(painter, QRectF(title.left(), title.top(), title.width(), title.height() / 2), kLeft,
        tr("All %1 units").arg(cell_->units), bold_font(type::kTitle), t.ink);
  write(painter, QRectF(title.left(), title.center().y(), title.width(), title.height() / 2), kLeft,
        tr("one line each, similar ones together"), theme().ui_font(type::kSource), t.ink2);
  if (map_.isNull())
    map_ = cell_picture(
        layout_.columns.count(), static_cast<int>(cell_->units), CellScale::around_zero(largest_),
        [&](int x, int y) { return static_cast<double>(cell_->value(track, place_of(x), nth(telling_.order, y))); });
  painter.setRenderHint(QPainter::Antialiasing, false);
  const TextColumns& columns = layout_.columns;
  const double scale = map.width() / std::max(1.0, columns.right() - columns.left());
  for (int i = 0; i < columns.count(); ++i) {  // whole pixels: no seams
    const double from = std::round(map.left() + (columns.left(i) - columns.left()) * scale);
    const double to = std::round(map.left() + (columns.left(i) + columns.width(i) - columns.left()) * scale);
    paint_cells(painter, QRectF(from, map.top(), to - from, map.height()), map_.copy(i, 0, 1, map_.height()));
  }
  painter.setRenderHint(QPainter::Antialiasing);
  for (int i = 0; i < static_cast<int>(layout_.units.size()); ++i) {
    const auto at = std::ranges::find(telling_.order, unit_at(i)) - telling_.order.begin();
    const double y = layout_.map_line(static_cast<int>(at)).center().y();
    if (i != layout_.metrics.opened) {
      draw_line(painter, {map.right() + 3, y}, {map.right() + 9, y}, QPen(t.ink2, 1.5));
      continue;
    }
    const double half = std::max(4.0, layout_.map_line(0).height() / 2 + 2);
    draw_ring(painter, QRectF(map.left() - 3, y - half, map.width() + 6, 2 * half), t.accent, 2);
  }
  if (marks && hovered().part == StatesHit::Part::map) {
    const QRectF line = layout_.map_line(hovered().row);
    draw_box(painter, QRectF(map.left() - 2, line.center().y() - 3, map.width() + 4, 6), 3, QPen(t.ink, 1.2));
  }
}

void StatesCanvas::paint_about(QPainter& painter) const {
  const Tokens& t = tokens();
  const QRectF about = layout_.about;
  const double line = QFontMetricsF(bold_font(type::kTitle)).height();
  const AxisLabel label = place_label(nth(cell_->places, cursor_.place));
  write_line(painter, QRectF(about.left(), about.top(), about.width(), line), kLeft,
             tr("Unit %1 at this ‘%2’").arg(counted(cursor_.unit), label.words()), bold_font(type::kTitle), t.ink);
  const QString words = cone_.kernel > 0 ? cone_text() : story_sentence(*cell_, cursor_.place, cursor_.unit);
  write_words(painter, about.adjusted(0, line + 3, 0, 0), words, theme().ui_font(), t.ink);
  const auto lines = story_lines(*cell_, cursor_.place, cursor_.unit);
  double names = 0;
  for (const StoryLine& each : lines) names = std::max(names, text_width(each.name, theme().ui_font()));
  for (std::size_t i = 0; i < lines.size() && i < layout_.lines.size(); ++i) {
    const QRectF row = layout_.lines[i];
    write(painter, row, kLeft, lines[i].name, theme().ui_font(), t.ink2);
    const bool here = lines[i].track == cursor_.track;
    write(painter, row.adjusted(names + 12, 0, 0, 0), kLeft, lines[i].text,
          lines[i].is_result ? bold_font() : theme().ui_font(), here ? t.accent : t.ink);
  }
}

}  // namespace headlight
