#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/plot/line_chart.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"
#include "widgets/views/cost/cost_canvas.h"

namespace headlight {

namespace {

using BoxKind = TimelineBox::Kind;

constexpr double kLeastWords = 48;  // pixels; in fewer, words say nothing

// A tile of an encoder, a darker one of a decoder, a ring of an attention, a dot of an output: not by colour alone.
void draw_computed(QPainter& painter, const QRectF& rect, BoxKind kind, const QString& text) {
  const Tokens& t = tokens();
  const double radius = std::max(2.0, std::min(rect.width(), rect.height()) / 2 - 2);
  switch (kind) {
    case BoxKind::encoder:
      return draw_tile(painter, rect, theme().weight(0.3), text);
    case BoxKind::decoder:
      return draw_tile(painter, rect, theme().weight(0.7), text);
    case BoxKind::attention:
      painter.setBrush(Qt::NoBrush);
      painter.setPen(QPen(theme().weight(0.85), theme().line(2)));
      return painter.drawEllipse(rect.center(), radius, radius);
    case BoxKind::output:
      return draw_dot(painter, rect.center(), std::min(radius, 7.0), t.ink);
  }
}

}  // namespace

void CostCanvas::paint(QPainter& painter, const QRectF& sight, bool marks) const {
  if (!run_) return;
  painter.setRenderHint(QPainter::Antialiasing);
  if (picture_ == Picture::time)
    paint_time(painter, sight, marks);
  else
    paint_costs(painter, marks);
}

void CostCanvas::paint_words(QPainter& painter, const QRectF& words) const {
  const Tokens& t = tokens();
  const QFont large = theme().ui_font(type::kNumber), text = theme().ui_font();
  const double high = QFontMetricsF(large).height(), line = QFontMetricsF(text).height();
  write(painter, QRectF(words.left(), words.top(), words.width(), high), kLeft, headline(), large, t.ink);
  const double beside = words.left() + text_width(headline(), large) + space::kMedium;
  if (const double room = words.right() - beside; room > kLeastWords)
    write_line(painter, QRectF(beside, words.top() + high - line - space::kTight, room, line), kLeft, headline_words(),
               text, t.ink);
  write_line(painter, QRectF(words.left(), words.top() + high, words.width(), line), kLeft, second_line(), text,
             t.ink2);
}

void CostCanvas::paint_time(QPainter& painter, const QRectF& sight, bool marks) const {
  const Tokens& t = tokens();
  paint_words(painter, timeline_.words());
  paint_numbers(painter);
  paint_names(painter);
  for (std::size_t box = 0; box < timeline().boxes.size(); ++box)
    if (box_rect(box).intersects(sight.adjusted(-1, -1, 1, 1))) paint_box(painter, box);
  if (box_ < timeline().boxes.size()) draw_ring(painter, box_rect(box_), t.accent);
  if (marks && hovered().part == CostHit::Part::box)
    draw_ring(painter, timeline_.cell(hovered().row, hovered().column), t.ink, 1.4);
  paint_key(painter);
}

// Over the columns, where they have room.
void CostCanvas::paint_numbers(QPainter& painter) const {
  const QFont small = theme().ui_font(type::kHead);
  double free_from = 0;
  for (int column = 0; column < timeline().columns; ++column) {
    const QRectF at = timeline_.number(column);
    const double half = text_width(counted(column), small) / 2;
    if (at.center().x() - half < free_from || at.center().x() + half > timeline_.width - timeline_.metrics.margin)
      continue;
    free_from = at.center().x() + half + space::kSmall;
    write(painter, at.adjusted(-9, 0, 9, 0), kCentre, counted(column), small, tokens().ink2);
  }
}

// Of the rows, where they have room beside the one before, and of the chosen one. Padding has one name.
void CostCanvas::paint_names(QPainter& painter) const {
  const Tokens& t = tokens();
  const QFont names =
      theme().ui_font(timeline_.row_height >= QFontMetricsF(theme().ui_font()).height() ? 1 : type::kHead);
  const double least = QFontMetricsF(names).ascent();
  double below = 0;
  for (int row = 0; row < timeline_.rows(); ++row) {
    const QRectF at = timeline_.name(row);
    const bool here = row == row_;
    if (here)
      draw_box(painter, QRectF(at.left(), at.top(), timeline_.width - 2 * at.left(), at.height()), radius::kCell,
               Qt::NoPen, t.wash);
    if (run_->shares_name(row) && !here) continue;
    if (at.center().y() - least / 2 < below && !here) continue;
    below = at.center().y() + least / 2;
    QFont font = names;
    if (row >= run_->first_written) font.setWeight(QFont::DemiBold);
    write_line(painter, at.adjusted(0, -2, -space::kSmall, 2), kRight, nth(run_->labels, row).text, font,
               here                           ? t.accent
               : nth(run_->labels, row).muted ? t.ink2
                                              : t.ink);
  }
  if (run_->padding_rows == 0 || run_->shares_name(row_)) return;
  const QRectF all = timeline_.name(run_->padding_from)
                         .united(timeline_.name(run_->padding_from + run_->padding_rows - 1))
                         .adjusted(0, 0, -space::kSmall, 0);
  write_line(painter, all, kRight, padding_name(run_->padding_rows), names, t.ink2);
  draw_line(painter, all.topRight() + QPointF(4, 2), all.bottomRight() + QPointF(4, -2), QPen(t.edge, theme().line(1)));
}

void CostCanvas::paint_box(QPainter& painter, std::size_t box) const {
  const TimelineBox& at = timeline().boxes[box];
  const QRectF rect = box_rect(box);
  const bool has_room = rect.width() >= 14 && rect.height() >= 12;
  draw_computed(painter, rect, at.kind, has_room ? counted(at.layer) : QString());
}

void CostCanvas::paint_key(QPainter& painter) const {
  const Tokens& t = tokens();
  const QFont small = theme().ui_font(type::kSource);
  const QRectF key = timeline_.key();
  constexpr double kSign = 14;
  std::vector<BoxKind> kinds;
  for (const BoxKind kind : {BoxKind::encoder, BoxKind::decoder, BoxKind::attention, BoxKind::output})
    if (std::ranges::any_of(timeline().boxes, [kind](const TimelineBox& box) { return box.kind == kind; }))
      kinds.push_back(kind);
  // Where there is no room for all words, their names alone.
  const auto words = [](BoxKind kind, bool whole) {
    const bool layers = kind == BoxKind::encoder || kind == BoxKind::decoder;
    return layers && whole ? tr("%1, with the number of its layer").arg(box_name(kind)) : box_name(kind);
  };
  double all = 0;
  for (const BoxKind kind : kinds) all += kSign + space::kSmall + text_width(words(kind, true), small) + space::kLarge;
  double x = key.left();
  for (const BoxKind kind : kinds) {
    const QString text = words(kind, all - space::kLarge <= key.width());
    if (x + kSign + space::kSmall >= key.right()) return;
    draw_computed(painter, QRectF(x, key.center().y() - kSign / 2, kSign, kSign), kind, {});
    x += kSign + space::kSmall;
    write_line(painter, QRectF(x, key.top(), key.right() - x, key.height()), kLeft, text, small, t.ink2);
    x += text_width(text, small) + space::kLarge;
  }
}

void CostCanvas::paint_costs(QPainter& painter, bool marks) const {
  paint_words(painter, costs_.words());
  for (int which = 0; which < costs_.metrics.bars; ++which) paint_bar(painter, which, marks);
  const QStringList all = lines();
  for (int which = 0; which < static_cast<int>(all.size()); ++which)
    write_line(painter, costs_.line(which), kLeft, all[which], theme().ui_font(), tokens().ink);
  paint_chart(painter);
}

void CostCanvas::paint_bar(QPainter& painter, int which, bool marks) const {
  const Tokens& t = tokens();
  const CostPart part = nth(run_->parts, which);
  const QRectF line = costs_.bar(which);
  if (which == bar_) draw_box(painter, line, radius::kCell, Qt::NoPen, t.wash);
  if (marks && hovered().part == CostHit::Part::bar && hovered().row == which)
    draw_box(painter, line, radius::kCell, QPen(t.line, 1));
  const double own = products(part, false), other = products(part, true);
  write_line(painter, QRectF(line.left(), line.top(), costs_.metrics.name, line.height()), kLeft, part_name(part),
             which == bar_ ? bold_font() : theme().ui_font(), t.ink);
  const QString number =
      run_->is_what_if() ? tr("%1, what if %2").arg(large_number(own), large_number(other)) : large_number(own);
  const double from = line.left() + costs_.metrics.name;
  const double room = std::max(1.0, line.right() - from - std::max(170.0, text_width(number, theme().ui_font()) + 12));
  const auto bar = [&](double value, double top, double high, double shade) {
    draw_box(painter, QRectF(from, top, std::max(1.0, room * value / largest()), high), radius::kCell, Qt::NoPen,
             theme().weight(shade));
  };
  const double middle = line.center().y();
  if (run_->is_what_if()) {
    bar(own, middle - 8, 7, 0.7);
    bar(other, middle + 1, 7, 0.3);
  } else {
    bar(own, middle - 5, 10, 0.7);
  }
  const double end = from + room * std::max(own, run_->is_what_if() ? other : 0) / largest() + space::kSmall;
  write(painter, QRectF(end, line.top(), line.right() - end, line.height()), kLeft, number, theme().ui_font(), t.ink2);
}

// Layers of this width by themselves (Vaswani et al. 2017, table 1), with the lengths at which they cost the same.
void CostCanvas::paint_chart(QPainter& painter) const {
  const QRectF chart = costs_.chart();
  if (chart.height() < 60 || chart.width() < 160) return;
  const Index d = run_->cost.width;
  const std::vector<CostedLayer> rest = {CostedLayer::projections, CostedLayer::feed_forward};
  LineChart lines;
  lines.x_title = tr("tokens n, for layers of width d = %1").arg(d);
  lines.y_title = tr("multiplications");
  lines.log_x = lines.log_y = true;
  struct Curve {
    QString name;
    std::vector<CostedLayer> layers;
  };
  const Curve curves[] = {{tr("self-attention 2n²d"), {CostedLayer::attention}},
                          {tr("recurrent 2nd²"), {CostedLayer::recurrent}},
                          {tr("convolution 3nd²"), {CostedLayer::convolution}},
                          {tr("rest of its layer 12nd²"), rest}};
  const auto cost = [d](const std::vector<CostedLayer>& layers, double n) {
    double sum = 0;
    for (const CostedLayer layer : layers) sum += multiply_adds(layer, static_cast<Index>(n), d);
    return sum;
  };
  const double longest = 16 * static_cast<double>(d);
  for (const Curve& curve : curves) {
    LineSeries series{curve.name, {}, {}};
    for (double n = 4; n <= longest; n *= 2) {
      series.x.push_back(n);
      series.y.push_back(cost(curve.layers, n));
    }
    lines.series.push_back(std::move(series));
  }
  const auto mark = [&](const QString& name, double n, const std::vector<CostedLayer>& layers) {
    lines.series.push_back({name, {n}, {cost(layers, n)}});
  };
  const std::vector<CostedLayer> attention = {CostedLayer::attention};
  mark(tr("n = d"), crossing(CostedLayer::attention, {CostedLayer::recurrent}, d), attention);
  mark(tr("n = 6d"), crossing(CostedLayer::attention, rest, d), attention);
  mark(tr("this text"), static_cast<double>(std::max<Index>(1, run_->lengths.longest())), attention);
  painter.save();
  painter.translate(chart.topLeft());
  paint_line_chart(lines, painter, chart.size().toSize());
  painter.restore();
}

}  // namespace headlight
