#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/number_words.h"
#include "widgets/views/query_key/query_key_canvas.h"

namespace headlight {

namespace {

constexpr double kBar = 0.45;  // strength of the bars at the right

// Sums of tens have one place, others two.
int places_of(double largest) { return largest >= 9.95 ? 1 : 2; }

}  // namespace

void QueryKeyCanvas::paint(QPainter& painter, const QRectF& sight, bool marks) const {
  if (!pair_) return;
  painter.setRenderHint(QPainter::Antialiasing);
  const double left = std::max(0.0, sight.left());
  paint_head(painter, marks);
  paint_units(painter, marks);
  paint_opened(painter, marks);
  paint_totals(painter, marks);
  // Names stay where they are seen, on paper.
  if (left > 0) painter.fillRect(QRectF(left, 0, layout_.columns.left(), layout_.height), tokens().paper);
  paint_names(painter, left, marks);
  if (layout_.beside) paint_side(painter);
}

void QueryKeyCanvas::paint_head(QPainter& painter, bool marks) const {
  const int chosen = shown_column(static_cast<int>(pair_->column));
  const double top = layout_.metrics.head - 2;
  const double bottom = layout_.totals.empty() ? layout_.height : layout_.totals.back().bottom();
  if (chosen >= 0) painter.fillRect(layout_.columns.cell(chosen, top, bottom - top), tokens().wash);
  head_.paint(painter, layout_.columns, labels_, 0, chosen, marks ? shown_column(marked_rival_) : -1);
}

void QueryKeyCanvas::paint_units(QPainter& painter, bool marks) const {
  for (int i = 0; i < static_cast<int>(units_.size()); ++i) {
    if (i == layout_.metrics.opened) continue;
    const QRectF row = nth(layout_.units, i);
    for (int c = 0; c < layout_.columns.count(); ++c) {
      const int column = nth(columns_, c);
      if (nth(pair_->score.rivals, column).hidden || at(column).products.empty()) continue;
      const double product = nth(at(column).products, nth(units_, i));
      const QRectF cell = layout_.columns.cell(c, row.top(), row.height());
      // Its column is the sum to add up: the numbers of the others only when they are asked for.
      draw_tile(painter, cell, theme().signed_value(product / products_),
                column == pair_->column ? fitting_signed(product, cell.width()) : QString(), true);
      if (marks && hovered() == QueryKeyHit{QueryKeyHit::Part::unit, c, i}) draw_ring(painter, cell, tokens().ink, 1.4);
    }
  }
  if (!layout_.metrics.rest) return;
  for (int c = 0; c < layout_.columns.count(); ++c) {
    const int column = nth(columns_, c);
    if (nth(pair_->score.rivals, column).hidden || at(column).products.empty()) continue;
    const double value = rest(column);
    const QRectF cell = layout_.columns.cell(c, layout_.rest.top(), layout_.rest.height());
    draw_tile(painter, cell, theme().signed_value(value / sums_), fitting_signed(value, cell.width(), places_of(sums_)));
  }
}

// The question times the key's own number is the product; of additive scores the two are added up and squashed before.
void QueryKeyCanvas::paint_opened(QPainter& painter, bool marks) const {
  if (opened_ < 0) return;
  const Tokens& t = tokens();
  const auto parts = static_cast<int>(layout_.opened.size());
  for (int part = 0; part < parts; ++part)
    for (int c = 0; c < layout_.columns.count(); ++c) {
      const int column = nth(columns_, c);
      if (nth(pair_->score.rivals, column).hidden || at(column).products.empty()) continue;
      const QRectF row = nth(layout_.opened, part);
      const QRectF cell = layout_.columns.cell(c, row.top(), row.height());
      const bool last = part + 1 == parts;
      const double value =
          last ? nth(at(column).products, opened_) : operand(static_cast<std::size_t>(part) + 1, opened_, column);
      draw_tile(painter, cell, theme().signed_value(value / (last ? products_ : numbers_)),
                fitting_signed(value, cell.width()), last);
      if (marks && column == pair_->column) draw_ring(painter, cell, t.accent);
      if (marks && hovered() == QueryKeyHit{QueryKeyHit::Part::opened, c, part}) draw_ring(painter, cell, t.ink, 1.4);
    }
}

void QueryKeyCanvas::paint_totals(QPainter& painter, bool marks) const {
  const Tokens& t = tokens();
  painter.fillRect(layout_.rule, t.ink);
  for (std::size_t r = 0; r < totals_.size(); ++r) {
    const Total& total_row = totals_[r];
    const bool weights = total_row.what == Total::What::share || total_row.what == Total::What::weight;
    for (int c = 0; c < layout_.columns.count(); ++c) {
      const int column = nth(columns_, c);
      const double value = total(total_row, column);
      if (std::isnan(value)) continue;
      const QRectF cell = layout_.columns.cell(c, layout_.totals[r].top(), layout_.totals[r].height());
      if (weights)
        draw_tile(painter, cell, theme().weight(value), short_share(value));
      else
        draw_tile(painter, cell, theme().signed_value(value / sums_),
                  fitting_signed(value, cell.width(), places_of(sums_)), true);
      if (marks && column == pair_->column) draw_ring(painter, cell, t.accent);
      if (marks && hovered() == QueryKeyHit{QueryKeyHit::Part::total, c, static_cast<int>(r)})
        draw_ring(painter, cell, t.ink, 1.4);
    }
  }
}

void QueryKeyCanvas::paint_names(QPainter& painter, double left, bool marks) const {
  const Tokens& t = tokens();
  const QFont small = theme().ui_font(type::kSource);
  const QueryKeyLayout::Metrics& m = layout_.metrics;
  const auto name = [&](const QRectF& row, const QString& text, const QFont& font, const QColor& colour) {
    write(painter, row.translated(left, 0), kLeft, text, font, colour);
  };
  if (!units_.empty()) {
    const int wrap = Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap;
    if (m.rest)
      write(painter, QRectF(left + m.margin, 0, m.name - m.margin - 6, m.head - 6), wrap, first_text(), small, t.ink2);
    write(painter, QRectF(left + m.name - 6, 0, m.tile + 12, m.head - 6), Qt::AlignCenter | Qt::TextWordWrap,
          tr("the ‘%1’ asks").arg(pair_->query.text), small, t.ink2);
  }
  for (int i = 0; i < static_cast<int>(units_.size()); ++i) {
    const Index unit = nth(units_, i);
    const QRectF tile = layout_.query(i).translated(left, 0);
    const double asked = nth(pair_->score.operands[0].numbers, unit).value;
    draw_tile(painter, tile, theme().signed_value(asked / numbers_), short_signed(asked));
    if (marks && hovered() == QueryKeyHit{QueryKeyHit::Part::query, -1, i}) draw_ring(painter, tile, t.ink, 1.4);
    const QRectF row(m.margin, tile.top(), m.name - m.margin, tile.height());
    const bool open = i == m.opened;
    const bool over = marks && hovered().part == QueryKeyHit::Part::unit && hovered().row == i;
    QFont font = open ? bold_font(type::kTitle) : theme().ui_font();
    font.setUnderline(over);
    name(row, tr("Unit %1").arg(counted(unit)), font, open ? t.accent : t.ink);
    if (!open) continue;
    const QRectF& whole = nth(layout_.units, i);
    draw_opened(painter, left + std::max(2.0, m.margin - space::kSmall), whole.top() + 2, whole.bottom() - 2);
    const QString sign = pair_->score.form == PairScore::Form::product ||
                                 pair_->score.form == PairScore::Form::cosine ||
                                 pair_->score.form == PairScore::Form::location
                             ? QStringLiteral("×")
                             : QStringLiteral("+");
    const double gap = layout_.columns.left() - m.name - m.tile;
    write(painter, QRectF(tile.right(), tile.top(), gap, tile.height()), kCentre, sign, bold_font(), t.ink);
    const double wide = layout_.columns.left() - m.margin - gap / 2;
    for (std::size_t part = 1; part < layout_.opened.size(); ++part) {
      const bool last = part + 1 == layout_.opened.size();
      QString text = last                                         ? tr("= what it adds")
                     : pair_->score.form == PairScore::Form::tanh ? QStringLiteral("tanh(q + k)")
                     : pair_->score.form == PairScore::Form::relu ? QStringLiteral("relu(q + k)")
                                                                  : QStringLiteral("q + k");
      if (last && pair_->score.operands.size() == 4)
        text = tr("× %1 = it adds").arg(short_signed(operand(3, unit, static_cast<int>(pair_->column))));
      const QRectF line = layout_.opened[part];
      write(painter, QRectF(left + m.margin, line.top(), wide, line.height()), kRight, text, bold_font(), t.ink);
    }
  }
  if (m.rest) {
    QFont font = theme().ui_font();
    font.setUnderline(marks && hovered().part == QueryKeyHit::Part::rest);
    name(layout_.rest, tr("The other %1").arg(ranked_.size() - units_.size()), font, t.ink);
  }
  for (std::size_t r = 0; r < totals_.size(); ++r) {
    const QFont font = r == 0 ? bold_font() : theme().ui_font();
    name(layout_.totals[r], totals_[r].name, font, t.ink);
    name(layout_.totals[r].adjusted(text_width(totals_[r].name, font) + 8, 0, 0, 0), totals_[r].detail, small, t.ink2);
  }
}

void QueryKeyCanvas::paint_side(QPainter& painter) const {
  if (units_.empty()) return;
  const Tokens& t = tokens();
  const double number = text_width(QStringLiteral("−00.00"), bold_font());
  const double largest = std::max(1e-12, *std::ranges::max_element(lifts_));
  const auto line = [&](const QRectF& row, double lift, bool bold, bool bar) {
    const QRectF side = layout_.side(row);
    write(painter, QRectF(side.left(), side.top(), number, side.height()), kRight, plain_number(lift),
          bold ? bold_font() : theme().ui_font(), t.ink);
    if (!bar || !(lift > 0)) return;
    const double wide = std::max(3.0, (side.width() - number - 14) * lift / largest);
    draw_box(painter, QRectF(side.left() + number + 10, side.center().y() - 4, wide, 8), 4, Qt::NoPen,
             theme().signed_value(kBar));
  };
  const QRectF head = layout_.side(QRectF(0, 0, 0, layout_.metrics.head - 6));
  write(painter, head, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap,
        tr("speaks for ‘%1’ by").arg(pair_->key.text), theme().ui_font(type::kSource), t.ink2);
  for (int i = 0; i < static_cast<int>(units_.size()); ++i) {
    const bool open = i == layout_.metrics.opened;
    const QRectF row = open ? layout_.opened.back() : nth(layout_.units, i);
    line(row, nth(lifts_, nth(units_, i)), open, true);
  }
  double rest_lift = std::accumulate(lifts_.begin(), lifts_.end(), 0.0);
  const double whole = rest_lift;
  for (const Index unit : units_) rest_lift -= nth(lifts_, unit);
  if (layout_.metrics.rest) line(layout_.rest, rest_lift, false, false);
  const QRectF side = layout_.side(layout_.rule);
  painter.fillRect(QRectF(side.left(), side.top(), side.width(), 2), t.ink);
  if (!layout_.totals.empty()) line(layout_.totals.front(), whole, true, false);
}

}  // namespace headlight
