#include <QFontMetricsF>
#include <algorithm>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/text_marks.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/matrix/cells.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"
#include "widgets/views/kv_cache/kv_cache_canvas.h"

namespace headlight {

namespace {

constexpr double kLeastWords = 48;  // pixels; in fewer, words say nothing
constexpr double kFilled = 0.14;    // of the colours of weights: a row whose numbers the run did not record

}  // namespace

void KvCacheCanvas::paint(QPainter& painter, const QRectF& sight, bool marks) const {
  if (!run_) return;
  painter.setRenderHint(QPainter::Antialiasing);
  paint_summary(painter);
  paint_bars(painter);
  if (const int own = run_->own_row(moment_); own >= 0)
    draw_box(painter, layout_.row(own), radius::kCell, Qt::NoPen, tokens().wash);
  paint_names(painter);
  paint_titles(painter);
  for (int row = 0; row < layout_.rows(); ++row)
    if (const QRectF at = layout_.row(row); at.bottom() >= sight.top() && at.top() <= sight.bottom())
      paint_beside(painter, row);
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
  const QString bytes = byte_size(cache_bytes(run_->shape, run_->read(moment_), run_->bytes()));
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
  for (int row = 0; row < layout_.rows(); ++row) {
    const AxisLabel& label = nth(labels_, row);
    const bool there = run_->is_there(moment_, row);
    QFont font = label.special ? special_font(theme().ui_font()) : theme().ui_font();
    if (row == own || row == most) font.setWeight(QFont::DemiBold);
    const QRectF place = layout_.name(row);
    if (label.voice != Voice::none)
      painter.fillRect(QRectF(place.right() - kVoiceBar, place.top(), kVoiceBar, place.height()),
                       voice_tint(label.voice));
    write_line(painter, place.adjusted(0, 0, -space::kSmall, 0), kRight, label.text, font,
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
  const double line = QFontMetricsF(small).height(), name = label.height() - 2 * line - space::kTight;
  write_line(painter, QRectF(label.left(), label.top(), label.width(), name), kLeft, layer_name(layer),
             chosen ? bold_font() : theme().ui_font(), chosen ? t.accent : t.ink);
  write_line(painter, QRectF(label.left(), label.top() + name, label.width(), line), kLeft, kind_of(layer), small,
             t.ink2);
  const bool latent = run_->shape.latent > 0;
  for (const bool value : {false, true})
    write_line(painter,
               QRectF(layout_.part(layer, value, 0).left(), label.bottom() - line - space::kTight,
                      layout_.part_width(layer), line),
               kLeft,
               latent  ? (value ? tr("turned part") : tr("latent"))
               : value ? tr("values")
                       : tr("keys"),
               small, t.ink2);
  const CellColours colours(true);
  for (int row = 0; row < layout_.rows(); ++row) {
    const QRectF at = layout_.row(row);
    if (at.bottom() >= sight.top() && at.top() <= sight.bottom()) paint_row(painter, layer, row, colours);
  }
}

void KvCacheCanvas::paint_row(QPainter& painter, int layer, int row, const CellColours& colours) const {
  const Tokens& t = tokens();
  const bool there = run_->is_there(moment_, row), outside = there && run_->is_outside(moment_, layer, row);
  for (const bool value : {false, true}) {
    for (int each = 0; each < layout_.metrics.groups; ++each) {
      const QRectF cell = layout_.group(layer, value, row, each).adjusted(1, 1, -1, -1);
      const Scalar* numbers = there && !outside ? run_->number(layer, value, row, each) : nullptr;
      if (!there)  // room for what comes
        draw_box(painter, cell, radius::kCell, QPen(t.line, 1, Qt::DotLine));
      else if (numbers)
        paint_numbers(painter, cell, numbers, value ? run_->shape.value_columns() : run_->shape.key_columns(), colours);
      else
        draw_box(painter, cell, radius::kCell, Qt::NoPen, outside ? t.well : theme().weight(kFilled));
    }
  }
}

// Where there are more numbers than points, a point has the one that is farthest from 0.
void KvCacheCanvas::paint_numbers(QPainter& painter, const QRectF& cell, const Scalar* numbers, Index count,
                                  const CellColours& colours) const {
  const int all = static_cast<int>(count), points = std::max(1, static_cast<int>(cell.width() * devicePixelRatioF())),
            shown = std::min(all, points);
  const auto number = [&](int column, int) { return static_cast<double>(numbers[column]); };
  const auto farthest = [&](int x, int) {
    return farthest_value(x * all / shown, (x + 1) * all / shown, 0, 1, number);
  };
  paint_cells(painter, cell, cell_picture(shown, 1, CellScale::around_zero(largest_), colours, farthest), shown);
}

// How much of the row is read, and what was kept when it was new.
void KvCacheCanvas::paint_beside(QPainter& painter, int row) const {
  const Tokens& t = tokens();
  const QFont small = theme().ui_font(type::kSource);
  const QRectF share = layout_.share(row).adjusted(0, 0, -space::kMedium, 0), kept = layout_.kept(row);
  const bool there = run_->is_there(moment_, row), now = row == run_->own_row(moment_);
  if (there) {
    const double weight = run_->weight(moment_, head_, row);
    draw_tile(painter, share, theme().weight(weight), short_share(weight));
    if (row == run_->most_read(moment_, head_)) draw_ring(painter, share, t.ink, 1.8);
  }
  if (!run_->is_source(row))
    write_line(painter, kept, kRight, byte_size(cache_bytes(run_->shape, run_->key(row) + 1, run_->bytes())),
               now ? bold_font(type::kSource) : small,
               now     ? t.ink
               : there ? t.ink2
                       : t.off);
}

// What stands over the columns beside the blocks, and over the rows of the source.
void KvCacheCanvas::paint_titles(QPainter& painter) const {
  const Tokens& t = tokens();
  const QFont small = theme().ui_font(type::kSource);
  const double line = QFontMetricsF(small).height();
  const auto over = [&](const QRectF& first) {
    return QRectF(first.left(), first.top() - line - space::kTight, first.width(), line);
  };
  write_line(painter, over(layout_.share(0)).adjusted(0, 0, -space::kTight, 0), kLeft, tr("read"), small, t.ink2);
  write_line(painter, over(layout_.kept(0)), kRight, tr("kept by then"), small, t.ink2);
  if (layout_.metrics.source_rows > 0)
    write_line(painter, layout_.source_label(), static_cast<int>(Qt::AlignLeft | Qt::AlignBottom),
               tr("Of the source, computed once: they stay"), small, t.ink2);
}

}  // namespace headlight
