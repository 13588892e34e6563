// Painting the cards of the history view.
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/token_text.h"
#include "widgets/views/history/history_view.h"

namespace headlight {

void HistoryView::paint(QPainter& painter, const QRectF&, bool marks) const {
  const double ratio = devicePixelRatioF() * scale();
  for (std::size_t i = 0; i < shown_.size() && marks; ++i) {
    Shown& shown = shown_[i];
    if (shown.map.rows == 0) continue;
    const QSizeF size = layout_.cards[i].map.size();
    if (!shown.picture.isNull() && shown.picture.deviceIndependentSize() == (size * ratio).toSize() / ratio) continue;
    shown.picture = QPixmap((size * ratio).toSize());
    shown.picture.setDevicePixelRatio(ratio);
    shown.picture.fill(theme().background());
    QPainter into(&shown.picture);
    shown.map.points = ratio;
    paint_map(into, shown, QRectF(QPointF(), size));
  }
  if (layout_.strip) {
    for (int i = 0; i < static_cast<int>(cards_.size()); ++i) paint_in_strip(painter, i, marks);
    return;
  }
  for (int i = 0; i < static_cast<int>(cards_.size()); ++i) {
    const QRectF frame = nth(layout_.cards, i).frame;
    const bool lit = nth(cards_, i).open;
    painter.setRenderHint(QPainter::Antialiasing);
    draw_box(painter, frame.adjusted(0.5, 0.5, -0.5, -0.5), 5,
             QPen(lit                            ? theme().text()
                  : marks && i == hovered().card ? theme().hover()
                                                 : theme().palette().color(QPalette::Mid),
                  lit ? 2 : 1),
             theme().background());
    paint_card(painter, i);
  }
}

// In as many lines as there is room for; what does not find room in the last of them is shortened.
void HistoryView::write_title(QPainter& painter, const QRectF& rect, const QString& text, const QFont& font,
                              const QColor& colour) const {
  const bool in_one = layout_.metrics.title_lines == 1 || text_width(text, font) <= rect.width();
  if (in_one) {
    QRectF line = rect;
    line.setHeight(rect.height() / layout_.metrics.title_lines);
    return write_line(painter, line, kLeft, text, font, colour);
  }
  const QRectF needed = QFontMetricsF(font).boundingRect(rect, Qt::AlignLeft | Qt::TextWordWrap, text);
  const bool fits = needed.height() <= rect.height() + 2 && needed.width() <= rect.width() + 1;
  write(painter, rect, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
        fits ? text : elided_text(text, font, Qt::ElideRight, static_cast<int>(1.7 * rect.width())), font, colour);
}

// Without a frame: a year on a line, and below it what that model makes of the text.
void HistoryView::paint_in_strip(QPainter& painter, int card, bool marks) const {
  const Tokens& t = tokens();
  const auto at = static_cast<std::size_t>(card);
  const HistoryLayout::Card& rects = layout_.cards[at];
  const Shown& shown = shown_[at];
  const bool open = cards_[at].open;
  painter.setRenderHint(QPainter::Antialiasing);
  if (marks && card == hovered().card)
    draw_box(painter, rects.frame.adjusted(-5, -1, 1, 1), radius::kButton, QPen(Qt::NoPen), t.well);
  const QFont bold = bold_font();
  const QFont small = theme().ui_font(type::kSource);
  const int year = cards_[at].year;
  const bool first = card == 0 || cards_[at - 1].year != year;
  if (year > 0 && first) write_line(painter, rects.title, kLeft, QString::number(year), bold, t.ink);
  const double y = rects.title.bottom() + layout_.metrics.inset / 2;
  const double end = at + 1 < layout_.cards.size() ? layout_.cards[at + 1].frame.left() : rects.frame.right();
  draw_line(painter, {rects.frame.left(), y}, {end, y}, QPen(t.line, 1));
  draw_dot(painter, {rects.frame.left() + 4, y}, open ? 5 : 4, t.ink);
  write_title(painter, rects.paper, title(cards_[at]), open ? bold : small, open ? t.ink : t.ink2);
  painter.setOpacity(is_stale(shown) ? 0.45 : 1);
  if (shown.map.rows == 0) {
    draw_box(painter, rects.map, radius::kCell, QPen(Qt::NoPen), t.bed);
    write(painter, rects.map.adjusted(4, 0, -4, 0), Qt::AlignCenter | Qt::TextWordWrap, map_text(shown), small, t.ink2);
  } else if (shown.picture.isNull() || painter.device()->devType() != QInternal::Widget) {
    paint_map(painter, shown, rects.map);
  } else {
    painter.drawPixmap(rects.map.topLeft(), shown.picture);
  }
  if (shown.result) paint_output(painter, shown, rects.output);
  const QString said = verdict(card);
  if (!said.isEmpty())
    write_line(painter, rects.note, kLeft, (shown.differences == 0 ? "✓ " : "≠ ") + said, small,
               shown.differences == 0 ? t.ink2 : t.edited);
  painter.setOpacity(1);
}

void HistoryView::paint_tiles(QPainter& painter, const Shown& shown, const QRectF& rect) const {
  const HeatmapScene& map = shown.map;
  const double wide = rect.width() / map.columns, high = rect.height() / map.rows;
  const double gap = std::min(wide, high) >= 5 ? 1 : 0;
  double most = 1;
  if (map.range == HeatmapScene::Range::automatic) {
    most = 1e-9;
    for (int row = 0; row < map.rows; ++row)
      for (int column = 0; column < map.columns; ++column)
        most = std::max(most, static_cast<double>(map.value(row, column)));
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (int row = 0; row < map.rows; ++row)
    for (int column = 0; column < map.columns; ++column) {
      const QPointF corner(std::round(rect.left() + column * wide), std::round(rect.top() + row * high));
      const QPointF next(std::round(rect.left() + (column + 1) * wide), std::round(rect.top() + (row + 1) * high));
      painter.fillRect(QRectF(corner, next - QPointF(gap, gap)), theme().weight(map.value(row, column) / most));
    }
}

void HistoryView::paint_card(QPainter& painter, int card) const {
  const HistoryLayout::Card& rects = nth(layout_.cards, card);
  const Shown& shown = nth(shown_, card);
  QFont bold = theme().ui_font();
  bold.setWeight(QFont::DemiBold);
  const QFont small = theme().ui_font(type::kHead);
  write_title(painter, rects.title, title(nth(cards_, card)), bold, theme().text());
  const QString said = verdict(card);
  const QString mark = said.isEmpty() ? QString() : (shown.differences == 0 ? "✓ " : "≠ ") + said;
  const double wide = mark.isEmpty() ? 0 : text_width(mark, small) + 8;
  write_line(painter, rects.paper.adjusted(0, 0, -wide, 0), kLeft, paper(nth(cards_, card)), small,
             theme().muted_text());
  painter.setOpacity(is_stale(shown) ? 0.45 : 1);
  write_line(painter, rects.paper, kRight, mark, small,
             shown.differences == 0 ? theme().muted_text() : theme().edited());
  if (shown.map.rows == 0) {
    write(painter, rects.map.adjusted(8, 0, -8, 0), Qt::AlignCenter | Qt::TextWordWrap, map_text(shown),
          theme().ui_font(type::kSource), theme().muted_text());
  } else if (shown.picture.isNull() || painter.device()->devType() != QInternal::Widget) {
    painter.save();
    painter.translate(rects.map.topLeft());
    paint_map(painter, shown, QRectF(QPointF(), rects.map.size()));
    painter.restore();
  } else {
    painter.drawPixmap(rects.map.topLeft(), shown.picture);
  }
  if (shown.result) paint_output(painter, shown, rects.output);
  write_line(painter, rects.note, kLeft, note(card), small, theme().muted_text());
  painter.setOpacity(1);
}

void HistoryView::paint_map(QPainter& painter, const Shown& shown, const QRectF& rect) const {
  if (layout_.strip) return paint_tiles(painter, shown, rect);
  const HeatmapWindow whole = HeatmapWindow::whole(shown.map.rows, shown.map.columns);
  const HeatmapLayout layout = painter_.layout(shown.map, whole, rect.size());
  painter_.paint_cells(painter, shown.map, layout);
  painter_.paint_frame(painter, shown.map, layout);
}

// The tokens one after the other, in lines; what most models write otherwise is underlined.
void HistoryView::paint_output(QPainter& painter, const Shown& shown, const QRectF& rect) const {
  const bool characters = shown.result->model->text.target.kind() == TokenizerKind::characters;
  const QFont font = theme().text_font(characters);
  const double space = characters ? 0 : text_width(QStringLiteral(" "), font);
  const double line = layout_.metrics.chip_line;
  const double ellipsis = text_width(QStringLiteral("…"), font);
  painter.setFont(font);
  QPointF at = rect.topLeft();
  for (const PlacePair& place : shown.output) {
    if (place.after < 0) continue;  // what others write here: a struck-out digit would be read as one of the number
    const TokenText token = token_text(nth(shown.result->steps, place.after).text);
    const double width = text_width(token.text, font);
    const bool last_line = at.y() + 1.5 * line > rect.bottom();
    if (at.x() > rect.left() && at.x() + width > rect.right() - (last_line ? ellipsis : 0)) {
      painter.setPen(theme().muted_text());
      if (last_line) return draw_text(painter, QRectF(at, QSizeF(ellipsis + 2, line)), kTopLeft, QStringLiteral("…"));
      at = QPointF(rect.left(), at.y() + line);
    }
    const QRectF box(at, QSizeF(std::min(width, rect.right() - at.x()), line));
    painter.setPen(place.same ? (token.stand_in ? theme().muted_text() : theme().text()) : theme().edited());
    write_line(painter, box, kLeft, token.text);
    if (!place.same) {
      painter.setPen(QPen(theme().edited(), 2));
      painter.drawLine(QPointF(box.left(), box.bottom() - 2), QPointF(box.right(), box.bottom() - 2));
    }
    at.rx() += width + space;
  }
}

}  // namespace headlight
