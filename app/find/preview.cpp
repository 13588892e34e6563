#include "app/find/preview.h"

#include <QPainter>
#include <algorithm>

#include "app/parts.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {

constexpr int kWrapped = static_cast<int>(Qt::AlignLeft | Qt::AlignTop) | Qt::TextWordWrap;
constexpr double kBar = 8;

int scaled(int pixels) { return qRound(pixels * Theme::instance().font_scale()); }

// Writes a paragraph at the top of the room, and leaves what is below it.
void write_paragraph(QPainter& painter, QRect& room, const QString& text, const QFont& font, const QColor& ink,
                     int gap) {
  if (text.isEmpty()) return;
  const int high = QFontMetrics(font).boundingRect(room, kWrapped, text).height();
  write(painter, room, kWrapped, text, font, ink);
  room.setTop(room.top() + high + gap);
}

}  // namespace

void FindPreviewPane::show_preview(const FindPreview& preview) {
  preview_ = preview;
  QStringList words = {preview.title, preview.line, preview.text};
  for (const FindPreview::Row& row : preview.rows)
    words << QStringList{row.label, row.left, row.right}.join(QLatin1Char(' ')).simplified();
  words.removeAll(QString());
  setAccessibleName(words.join(QLatin1Char('\n')));
  update();
}

void FindPreviewPane::paintEvent(QPaintEvent*) {
  const Tokens& t = tokens();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QRect room = rect().adjusted(scaled(20), scaled(18), -scaled(20), -scaled(10));
  painter.setClipRect(room);
  write_paragraph(painter, room, preview_.title, strong_font(type::kTitle), t.ink, scaled(3));
  write_paragraph(painter, room, preview_.line, Theme::instance().ui_font(type::kSource), t.ink2, scaled(9));
  write_paragraph(painter, room, preview_.text, Theme::instance().ui_font(), t.ink, scaled(10));
  paint_rows(painter, room);
}

// As many as there is room for.
void FindPreviewPane::paint_rows(QPainter& painter, QRect room) const {
  if (preview_.rows.empty()) return;
  const Tokens& t = tokens();
  const Theme& theme = Theme::instance();
  const int high = scaled(24), left_end = scaled(88);
  const auto line = [&](int at) { return QRect(room.left(), room.top() + at * high, room.width(), high); };
  const auto write_row = [&](const QRect& at, const QString& left, const QString& right, const QFont& font,
                             const QColor& ink) {
    write(painter, QRect(at.left(), at.top(), left_end, high), kRight, left, font, ink);
    write(painter, at, kRight, right, font, ink);
  };
  int widest = 0;
  for (const FindPreview::Row& row : preview_.rows)
    widest = std::max(widest, qRound(text_width(row.right, theme.ui_font())));
  const double bar_from = room.left() + left_end + scaled(16), bar_room = room.right() - widest - scaled(12) - bar_from;
  int at = 0;
  if (!preview_.left_head.isEmpty() || !preview_.right_head.isEmpty())
    write_row(line(at++), preview_.left_head, preview_.right_head, theme.ui_font(type::kSource), t.ink2);
  for (const FindPreview::Row& row : preview_.rows) {
    const QRect here = line(at++);
    if (here.bottom() > room.bottom()) return;
    const int label = row.left.isEmpty() ? here.width() - widest - scaled(12)
                                         : left_end - qRound(text_width(row.left, theme.ui_font())) - scaled(6);
    write_line(painter, QRect(here.left(), here.top(), label, high), kLeft, row.label, theme.token_font(), t.ink);
    write_row(here, row.left, row.right, theme.ui_font(), t.ink);
    if (row.bar < 0 || bar_room < kBar) continue;
    const double tall = scaled(static_cast<int>(kBar));
    draw_box(painter, QRectF(bar_from, here.center().y() - tall / 2 + 0.5, std::max(tall, row.bar * bar_room), tall),
             tall / 2, QPen(Qt::NoPen), theme.weight(0.7));
  }
}

}  // namespace headlight
