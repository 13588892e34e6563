// Painting the cards of the history view.
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "widgets/base/ink.h"
#include "widgets/base/theme.h"
#include "widgets/text/token_text.h"
#include "widgets/views/history/history_view.h"

namespace headlight {

void HistoryView::paint(QPainter& painter, const QRectF&, bool marks) const {
  const Theme& theme = Theme::instance();
  const double ratio = devicePixelRatioF() * scale();
  for (std::size_t i = 0; i < shown_.size() && marks; ++i) {
    Shown& shown = shown_[i];
    if (shown.map.rows == 0) continue;
    const QSizeF size = layout_.cards[i].map.size();
    if (!shown.picture.isNull() && shown.picture.deviceIndependentSize() == (size * ratio).toSize() / ratio) continue;
    shown.picture = QPixmap((size * ratio).toSize());
    shown.picture.setDevicePixelRatio(ratio);
    shown.picture.fill(theme.background());
    QPainter into(&shown.picture);
    shown.map.points = ratio;
    paint_map(into, shown, QRectF(QPointF(), size));
  }
  for (int i = 0; i < static_cast<int>(cards_.size()); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const QRectF frame = layout_.cards[at].frame;
    const bool lit = cards_[at].open;
    painter.setRenderHint(QPainter::Antialiasing);
    draw_box(painter, frame.adjusted(0.5, 0.5, -0.5, -0.5), 5,
             QPen(lit                            ? theme.accent()
                  : marks && i == hovered().card ? theme.hover()
                                                 : theme.palette().color(QPalette::Mid),
                  lit ? 2 : 1),
             theme.background());
    if (marks && hasFocus() && i == cursor_) {
      draw_box(painter, frame.adjusted(-2.5, -2.5, 2.5, 2.5), 6, QPen(theme.accent(), 1, Qt::DotLine));
    }
    paint_card(painter, i);
  }
}

void HistoryView::paint_card(QPainter& painter, int card) const {
  const Theme& theme = Theme::instance();
  const auto at = static_cast<std::size_t>(card);
  const HistoryLayout::Card& rects = layout_.cards[at];
  const Shown& shown = shown_[at];
  QFont bold = theme.ui_font();
  bold.setBold(true);
  const QFont small = theme.ui_font(0.85);
  write_line(painter, rects.title, kLeft, QString::fromStdString(cards_[at].bundle->title), bold, theme.text());
  const QString said = verdict(card);
  const QString mark = said.isEmpty() ? QString() : (shown.differences == 0 ? "✓ " : "≠ ") + said;
  const double wide = mark.isEmpty() ? 0 : QFontMetricsF(small).horizontalAdvance(mark) + 8;
  write_line(painter, rects.paper.adjusted(0, 0, -wide, 0), kLeft, paper(cards_[at]), small, theme.muted_text());
  painter.setOpacity(is_stale(shown) ? 0.45 : 1);
  write_line(painter, rects.paper, kRight, mark, small, shown.differences == 0 ? theme.muted_text() : theme.edited());
  if (shown.map.rows == 0) {
    write(painter, rects.map.adjusted(8, 0, -8, 0), Qt::AlignCenter | Qt::TextWordWrap, map_text(shown),
          theme.ui_font(0.92), theme.muted_text());
  } else if (shown.picture.isNull() || painter.device()->devType() != QInternal::Widget) {
    painter.save();
    painter.translate(rects.map.topLeft());
    paint_map(painter, shown, QRectF(QPointF(), rects.map.size()));
    painter.restore();
  } else {
    painter.drawPixmap(rects.map.topLeft(), shown.picture);
  }
  if (shown.result) paint_output(painter, shown, rects.output);
  write_line(painter, rects.note, kLeft, note(card), small, theme.muted_text());
  painter.setOpacity(1);
}

void HistoryView::paint_map(QPainter& painter, const Shown& shown, const QRectF& rect) const {
  const HeatmapWindow whole = HeatmapWindow::whole(shown.map.rows, shown.map.columns);
  const HeatmapLayout layout = painter_.layout(shown.map, whole, rect.size());
  painter_.paint_cells(painter, shown.map, layout);
  painter_.paint_frame(painter, shown.map, layout);
}

// The tokens one after the other, in lines; what most models write otherwise is underlined.
void HistoryView::paint_output(QPainter& painter, const Shown& shown, const QRectF& rect) const {
  const Theme& theme = Theme::instance();
  const QFont font = theme.token_font();
  const QFontMetricsF metrics(font);
  const Tokenizer& tokenizer = shown.result->model->text.target;
  const double space = tokenizer.kind() == TokenizerKind::characters ? 0 : metrics.horizontalAdvance(' ');
  const double line = layout_.metrics.chip_line;
  const auto ellipsis = metrics.horizontalAdvance(QStringLiteral("…"));
  painter.setFont(font);
  QPointF at = rect.topLeft();
  for (const PlacePair& place : shown.output) {
    const bool gone = place.after < 0;  // most models write a token here
    const TokenText token = token_text(gone ? common_[static_cast<std::size_t>(place.before)]
                                            : shown.result->steps[static_cast<std::size_t>(place.after)].text);
    const double width = metrics.horizontalAdvance(token.text);
    const bool last_line = at.y() + 1.5 * line > rect.bottom();
    if (at.x() > rect.left() && at.x() + width > rect.right() - (last_line ? ellipsis : 0)) {
      painter.setPen(theme.muted_text());
      if (last_line) return painter.drawText(QRectF(at, QSizeF(ellipsis + 2, line)), QStringLiteral("…"));
      at = QPointF(rect.left(), at.y() + line);
    }
    const QRectF box(at, QSizeF(std::min(width, rect.right() - at.x()), line));
    painter.setPen(place.same ? (token.stand_in ? theme.muted_text() : theme.text()) : theme.edited());
    write_line(painter, box, kLeft, token.text);
    if (!place.same) {
      painter.setPen(QPen(theme.edited(), 2));
      const double y = gone ? box.center().y() : box.bottom() - 2;  // struck out
      painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
    }
    at.rx() += width + space;
  }
}

}  // namespace headlight
