#include <QFontMetricsF>
#include <algorithm>

#include "widgets/base/hatch.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"
#include "widgets/views/kv_cache/kv_cache_canvas.h"

namespace headlight {

namespace {

constexpr double kLeastWords = 48;  // pixels; in fewer, words say nothing
constexpr double kFilled = 0.14;    // of the colours of weights: a row that is there, of which nothing more is said

}  // namespace

void KvCacheCanvas::paint(QPainter& painter, const QRectF& sight, bool marks) const {
  if (!run_) return;
  painter.setRenderHint(QPainter::Antialiasing);
  paint_summary(painter);
  paint_bars(painter);
  if (const int own = run_->own_row(moment_); own >= 0)
    draw_box(painter, layout_.row(own), radius::kCell, Qt::NoPen, tokens().wash);
  paint_names(painter);
  for (int layer = 0; layer < layout_.metrics.layers; ++layer)
    if (layout_.label(layer).right() >= sight.left() && layout_.label(layer).left() <= sight.right())
      paint_layer(painter, layer, sight);
  if (const int own = run_->own_row(moment_); own >= 0) {
    const QRectF row = layout_.row(own);
    draw_ring(painter, QRectF(layout_.left, row.top(), layout_.right() - layout_.left, row.height()), tokens().accent);
  }
  if (marks && hovered().layer >= 0)
    draw_ring(painter,
              layout_.group(hovered().layer, hovered().part == KvCacheHit::Part::value, hovered().row, hovered().group),
              tokens().ink, 1.4);
}

void KvCacheCanvas::paint_summary(QPainter& painter) const {
  const Tokens& t = tokens();
  const QRectF words = layout_.summary();
  const QFont large = theme().ui_font(type::kNumber), text = theme().ui_font();
  const double high = QFontMetricsF(large).height(), line = QFontMetricsF(text).height();
  const QString bytes = byte_size(cache_bytes(run_->shape, run_->read(moment_), kFloat32Bytes));
  write(painter, QRectF(words.left(), words.top(), words.width(), high), kLeft, bytes, large, t.ink);
  const double beside = words.left() + text_width(bytes, large) + space::kMedium;
  if (const double room = words.right() - beside; room > kLeastWords)
    write_line(painter, QRectF(beside, words.top() + high - line - space::kTight, room, line), kLeft, summary(), text,
               t.ink2);
  write_line(painter, QRectF(words.left(), words.top() + high, words.width(), line), kLeft, formula(), text, t.ink2);
  write_line(painter, QRectF(words.left(), words.top() + high + line, words.width(), line), kLeft, sentence(), text,
             t.ink);
}

void KvCacheCanvas::paint_bars(QPainter& painter) const {
  const Tokens& t = tokens();
  const QFont small = theme().ui_font(type::kSource), bold = bold_font(type::kSource);
  const std::vector<Compared> all = compared();
  double largest = 1, name = 0, number = 0;
  for (const Compared& each : all) {
    largest = std::max(largest, each.bytes);
    name = std::max(name, text_width(each.name, bold));
    number = std::max(number, text_width(byte_size(each.bytes), bold));
  }
  name = std::min(name, layout_.summary().width() / 2);
  for (int which = 0; which < static_cast<int>(all.size()); ++which) {
    const Compared& each = nth(all, which);
    const QRectF line = layout_.bar(which);
    const QFont& font = each.own ? bold : small;
    const double from = line.left() + name + space::kMedium, to = line.right() - number - space::kMedium;
    write_line(painter, QRectF(line.left(), line.top(), name + space::kTight, line.height()), kLeft, each.name, font,
               each.own ? t.ink : t.ink2);
    const double length = std::max(0.0, to - from) * each.bytes / largest;
    draw_box(painter, QRectF(from, line.center().y() - 4, std::max(1.0, length), 8), radius::kCell, Qt::NoPen,
             theme().weight(each.own ? 0.8 : 0.35));
    write(painter, QRectF(from + length + space::kSmall, line.top(), number + space::kSmall, line.height()), kLeft,
          byte_size(each.bytes), font, each.own ? t.ink : t.ink2);
  }
}

void KvCacheCanvas::paint_names(QPainter& painter) const {
  const Tokens& t = tokens();
  const int own = run_->own_row(moment_), most = run_->most_read(moment_, head_);
  for (int row = 0; row < layout_.metrics.rows; ++row) {
    const AxisLabel& label = nth(labels_, row);
    const bool there = run_->is_there(moment_, row);
    QFont font = label.special ? special_font(theme().ui_font()) : theme().ui_font();
    if (row == own || row == most) font.setWeight(QFont::DemiBold);
    write_line(painter, layout_.name(row).adjusted(0, 0, -space::kSmall, 0), kRight, label.text, font,
               row == own ? t.accent
               : !there   ? t.off
                          : t.ink);
  }
}

void KvCacheCanvas::paint_layer(QPainter& painter, int layer, const QRectF& sight) const {
  const Tokens& t = tokens();
  const QRectF label = layout_.label(layer);
  const bool chosen = layer == this->layer();
  const QFont small = theme().ui_font(type::kSource);
  const double line = QFontMetricsF(small).height();
  write_line(painter, QRectF(label.left(), label.top(), label.width(), label.height() - line - space::kTight), kLeft,
             layer_name(layer), chosen ? bold_font() : theme().ui_font(), chosen ? t.accent : t.ink);
  for (const bool value : {false, true})
    write_line(
        painter,
        QRectF(layout_.part(layer, value, 0).left(), label.bottom() - line - space::kTight, layout_.part_width, line),
        kLeft, value ? tr("values") : tr("keys"), small, t.ink2);
  for (int row = 0; row < layout_.metrics.rows; ++row) {
    const QRectF at = layout_.row(row);
    if (at.bottom() >= sight.top() && at.top() <= sight.bottom()) paint_row(painter, layer, row);
  }
}

void KvCacheCanvas::paint_row(QPainter& painter, int layer, int row) const {
  const Tokens& t = tokens();
  const bool there = run_->is_there(moment_, row), outside = run_->is_outside(moment_, layer, row);
  const bool chosen = layer == this->layer();
  const int most = chosen ? run_->most_read(moment_, head_) : -1;
  for (const bool value : {false, true}) {
    for (int each = 0; each < layout_.metrics.groups; ++each) {
      const QRectF cell = layout_.group(layer, value, row, each);
      if (!there) {  // room for what comes
        draw_box(painter, cell.adjusted(1, 1, -1, -1), radius::kCell, QPen(t.line, 1, Qt::DotLine));
        continue;
      }
      const bool read = chosen && !outside && (group() < 0 || each == group());
      const double weight = read ? run_->weight(moment_, head_, row) : kFilled;
      draw_tile(painter, cell, outside ? t.bed : theme().weight(weight), read ? short_share(weight) : QString());
      if (outside) draw_hatch(painter, cell.adjusted(1, 1, -1, -1), t.ink2, 6);
      if (read && row == most) draw_ring(painter, cell, t.ink, 1.8);
    }
    if (!outside || !there) continue;  // struck out
    const QRectF part = layout_.part(layer, value, row);
    draw_line(painter, {part.left(), part.center().y()}, {part.right(), part.center().y()}, QPen(t.ink2, 1.3));
  }
}

}  // namespace headlight
