// Painting of the query-key view, on the screen and into files.
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/theme.h"
#include "widgets/views/query_key/query_key_canvas.h"

namespace headlight {

namespace {

QString brief(double value) {
  return QString::number(value, 'f',
                         std::abs(value) < 10    ? 2
                         : std::abs(value) < 100 ? 1
                                                 : 0)
      .replace(QLatin1Char('-'), QStringLiteral("−"));
}

// Where a number stands in a row: nought is a line, and everything between the lowest and the highest is in sight.
struct Scale {
  double low = 0, high = 0, top = 0, height = 0;
  Scale(const QRectF& row, double lowest, double highest)
      : low(std::min(0.0, lowest)), high(std::max(0.0, highest)), top(row.top()), height(row.height()) {
    if (high - low <= 0) high = low + 1;
  }
  double y(double value) const { return top + height * (high - value) / (high - low); }
};

}  // namespace

void QueryKeyCanvas::paint(QPainter& painter, const QRectF&, bool) const {
  if (!pair_) return;
  const Theme& theme = Theme::instance();
  QFont title = word_font();
  title.setBold(true);
  write_line(painter, layout_.title, kLeft, sentence(), title, theme.text());
  for (std::size_t i = 0; i < layout_.operands.size(); ++i) paint_operand(painter, i);
  painter.setFont(word_font());
  painter.setPen(theme.muted_text());
  const int unit = shown_unit();
  const PairScore& score = pair_->score;
  write_line(painter, layout_.readout, kLeft,
             score.units() == 0 ? tr("This run did not keep the parts of this score.")
             : unit >= 0        ? unit_sentence(unit_at(unit))
                                : largest_units());
  if (score.units() > 0) {
    paint_products(painter);
    paint_running(painter);
  }
  paint_chips(painter);
  if (!score.rivals.empty()) paint_rivals(painter);
}

void QueryKeyCanvas::paint_side(QPainter& painter, const QRectF& row, const QString& label,
                                const QString& value) const {
  write_line(painter, layout_.label(row), kRight, label, word_font(), Theme::instance().text());
  write_line(painter, layout_.value(row), kLeft, value, digit_font(), Theme::instance().muted_text());
}

void QueryKeyCanvas::paint_operand(QPainter& painter, std::size_t operand) const {
  const Theme& theme = Theme::instance();
  const auto& numbers = pair_->score.operands[operand].numbers;
  const QRectF& row = layout_.operands[operand];
  double top = 0;
  for (const PlacedNumber& number : numbers) top = std::max(top, std::abs(number.value));
  painter.setRenderHint(QPainter::Antialiasing, false);
  const bool written =
      layout_.unit_width() >= QFontMetricsF(digit_font()).horizontalAdvance(QStringLiteral("−0.00")) + 4;
  for (int i = 0; i < static_cast<int>(order_.size()); ++i) {
    const double value = numbers[static_cast<std::size_t>(unit_at(i))].value;
    const QRectF cell = layout_.unit(row, i);
    const QColor fill = theme.signed_value(top > 0 ? value / top : 0);
    painter.fillRect(cell, fill);
    if (written) write(painter, cell, kCentre, brief(value), digit_font(), Theme::readable_on(fill));
  }
  draw_box(painter, row.adjusted(-1, -1, 0, 0), 0, QPen(theme.grid(), 1));
  if (const int unit = shown_unit(); unit >= 0)
    draw_box(painter, layout_.unit(row, unit).adjusted(-0.5, -0.5, 0.5, 0.5), 0, QPen(theme.accent(), 1.4));
  paint_side(painter, row, operand_text(operand), QStringLiteral("±") + brief(top));
}

void QueryKeyCanvas::paint_products(QPainter& painter) const {
  const Theme& theme = Theme::instance();
  const QRectF& row = layout_.products;
  const auto& products = pair_->score.products;
  const auto [low, high] = std::minmax_element(products.begin(), products.end());
  const Scale scale(row, *low, *high);
  const double width = layout_.unit_width(), zero = scale.y(0);
  painter.setRenderHint(QPainter::Antialiasing, false);
  if (const int unit = shown_unit(); unit >= 0) painter.fillRect(layout_.unit(row, unit), theme.grid());
  for (int i = 0; i < static_cast<int>(order_.size()); ++i) {
    const double value = products[static_cast<std::size_t>(unit_at(i))], y = scale.y(value);
    const QRectF cell = layout_.unit(row, i);
    const double bar = width >= 4 ? std::min(0.76 * width, 42.0) : std::max(1.0, width);
    painter.fillRect(QRectF(cell.center().x() - bar / 2, std::min(y, zero), bar, std::max(1.0, std::abs(y - zero))),
                     theme.signed_value(value < 0 ? -0.62 : 0.62));
  }
  draw_line(painter, QPointF(row.left(), zero), QPointF(row.right(), zero), QPen(theme.muted_text(), 1));
  paint_side(painter, row, tr("product"), {});
  const double line = QFontMetricsF(digit_font()).height();
  QRectF value = layout_.value(row);
  value.setHeight(line);
  if (scale.high > 0) write_line(painter, value, kLeft, brief(scale.high));
  value.moveBottom(row.bottom());
  if (scale.low < 0) write_line(painter, value, kLeft, brief(scale.low));
}

void QueryKeyCanvas::paint_running(QPainter& painter) const {
  const Theme& theme = Theme::instance();
  const QRectF& row = layout_.running;
  std::vector<double> sums = {0};
  for (const Index unit : order_) sums.push_back(sums.back() + pair_->score.products[static_cast<std::size_t>(unit)]);
  const auto [low, high] = std::minmax_element(sums.begin(), sums.end());
  const Scale scale(row, *low, *high);
  painter.setRenderHint(QPainter::Antialiasing, false);
  if (const int unit = shown_unit(); unit >= 0) painter.fillRect(layout_.unit(row, unit), theme.grid());
  draw_line(painter, QPointF(row.left(), scale.y(0)), QPointF(row.right(), scale.y(0)), QPen(theme.grid(), 1));
  QPainterPath path(QPointF(row.left(), scale.y(0)));
  for (std::size_t i = 1; i < sums.size(); ++i) {  // steps, so that each unit can be seen
    const QRectF cell = layout_.unit(row, static_cast<int>(i) - 1);
    path.lineTo(cell.left() + cell.width() / 2, scale.y(sums[i - 1]));
    path.lineTo(cell.left() + cell.width() / 2, scale.y(sums[i]));
  }
  path.lineTo(row.right(), scale.y(sums.back()));
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme.weight(0.7), 1.6));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(path);
  draw_dot(painter, QPointF(row.right(), scale.y(sums.back())), 3, theme.accent());
  paint_side(painter, row, tr("sum so far"), {});
  const double line = QFontMetricsF(digit_font()).height();
  QRectF value = layout_.value(row);
  value.setTop(std::clamp(scale.y(sums.back()) - line / 2, row.top(), std::max(row.top(), row.bottom() - line)));
  value.setHeight(line);
  write_line(painter, value, kLeft, brief(sums.back()), digit_font(), theme.text());
}

void QueryKeyCanvas::paint_chips(QPainter& painter) const {
  const Theme& theme = Theme::instance();
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t i = 0; i < chips_.size() && i < layout_.chips.size(); ++i) {
    const Chip& chip = chips_[i];
    const QRectF& rect = layout_.chips[i];
    const bool hovered = hover_ == QueryKeyHit{QueryKeyHit::Part::chip, static_cast<int>(i), -1};
    draw_box(painter, rect.adjusted(0.5, 0.5, -0.5, -0.5), 5,
             QPen(hovered       ? theme.hover()
                  : chip.edited ? theme.edited()
                                : theme.grid(),
                  hovered ? 1.6 : 1),
             chip.result ? theme.weight(0.14) : QBrush(Qt::NoBrush));
    write_line(painter, rect.adjusted(6, 0, -6, 0), kCentre, chip.text, word_font(),
               chip.edited ? theme.edited() : theme.text());
  }
}

void QueryKeyCanvas::paint_rivals(QPainter& painter) const {
  const Theme& theme = Theme::instance();
  write_line(painter, layout_.rivals_caption, kLeft,
             pair_->slots_of_memory ? tr("The scores of all slots of the memory compete in the softmax:")
                                    : tr("The scores of all keys compete in the softmax:"),
             word_font(), theme.muted_text());
  painter.setRenderHint(QPainter::Antialiasing, false);
  const int marked = hover_.part == QueryKeyHit::Part::rival ? hover_.index : marked_rival_;
  if (marked >= 0 && marked < layout_.metrics.rivals) painter.fillRect(layout_.rival(marked), theme.grid());
  paint_scores(painter);
  paint_weights(painter);
  paint_tokens(painter);
  painter.setRenderHint(QPainter::Antialiasing);
  draw_box(painter, layout_.rival(static_cast<int>(pair_->column)).adjusted(-0.5, -1, 0.5, 1), 3,
           QPen(theme.accent(), hasFocus() ? 2 : 1.3));
}

void QueryKeyCanvas::paint_scores(QPainter& painter) const {
  const Theme& theme = Theme::instance();
  const auto& rivals = pair_->score.rivals;
  const QFontMetricsF metrics(digit_font());
  const double line = metrics.height(), width = layout_.slot_width();
  double low = 0, high = 0;
  for (const ScoreRival& rival : rivals)
    if (!rival.hidden && std::isfinite(rival.score)) {
      low = std::min(low, rival.score);
      high = std::max(high, rival.score);
    }
  // Room for a number above the highest bar and below the lowest.
  const QRectF row = layout_.scores.adjusted(0, high > 0 ? line : 0, 0, low < 0 ? -line : 0);
  const Scale scale(row, low, high);
  const double zero = scale.y(0), bar = std::min(width * 0.7, 42.0);
  const bool written = width >= metrics.horizontalAdvance(QStringLiteral("−0.00"));
  for (int i = 0; i < static_cast<int>(rivals.size()); ++i) {
    const ScoreRival& rival = rivals[static_cast<std::size_t>(i)];
    if (rival.hidden || !std::isfinite(rival.score)) continue;
    const QRectF slot = layout_.slot(layout_.scores, i);
    const double y = scale.y(rival.score);
    const bool own = i == pair_->column;
    painter.fillRect(
        QRectF(slot.center().x() - bar / 2, std::min(y, zero), std::max(1.0, bar), std::max(1.0, std::abs(y - zero))),
        theme.signed_value((rival.score < 0 ? -1 : 1) * (own ? 0.75 : 0.35)));
    if (!written && !own) continue;
    const double wide = std::max(slot.width(), metrics.horizontalAdvance(brief(rival.score)) + 4);
    write(painter, {slot.center().x() - wide / 2, rival.score < 0 ? y : y - line, wide, line}, kCentre,
          brief(rival.score), digit_font(), own ? theme.text() : theme.muted_text());
  }
  draw_line(painter, QPointF(row.left(), zero), QPointF(row.right(), zero), QPen(theme.muted_text(), 1));
  paint_side(painter, layout_.scores, tr("score"), {});
}

void QueryKeyCanvas::paint_weights(QPainter& painter) const {
  const Theme& theme = Theme::instance();
  const auto& rivals = pair_->score.rivals;
  const QFontMetricsF metrics(digit_font());
  const double line = metrics.height(), width = layout_.slot_width(), bar = std::min(width * 0.7, 42.0);
  const QRectF row = layout_.weights.adjusted(0, line, 0, 0);
  const bool written = width >= metrics.horizontalAdvance(QStringLiteral("0.00"));
  double top = 0;
  for (const ScoreRival& rival : rivals) top = std::max({top, rival.weight.value, rival.share});
  const Scale scale(row, 0, top > 0 ? top : 1);
  for (int i = 0; i < static_cast<int>(rivals.size()); ++i) {
    const ScoreRival& rival = rivals[static_cast<std::size_t>(i)];
    const QRectF slot = layout_.slot(row, i);
    const QRectF place(slot.center().x() - bar / 2, row.top(), std::max(1.0, bar), row.height());
    if (rival.hidden) {
      painter.fillRect(place, QBrush(theme.hatch(), Qt::BDiagPattern));
      continue;
    }
    const double y = scale.y(rival.weight.value);
    const bool own = i == pair_->column;
    painter.fillRect(QRectF(place.left(), y, place.width(), row.bottom() - y), theme.weight(own ? 0.82 : 0.42));
    const double said = scale.y(rival.share);  // by the softmax, before a Gaussian or an edit
    if (std::abs(said - y) >= 1.5)
      draw_line(painter, {place.left() - 1, said}, {place.right() + 1, said}, QPen(theme.edited(), 1.2));
    if (!written && !own) continue;
    const double wide = std::max(slot.width(), metrics.horizontalAdvance(QStringLiteral("0.00")) + 4);
    write(painter, {slot.center().x() - wide / 2, y - line, wide, line}, kCentre, brief(rival.weight.value),
          digit_font(), own ? theme.text() : theme.muted_text());
  }
  draw_line(painter, row.bottomLeft(), row.bottomRight(), QPen(theme.muted_text(), 1));
  paint_side(painter, layout_.weights, tr("weight"), {});
}

void QueryKeyCanvas::paint_tokens(QPainter& painter) const {
  const Theme& theme = Theme::instance();
  const QFont font = theme.token_font(0.9);
  const QFontMetricsF metrics(font);
  const double width = layout_.slot_width();
  const bool all = width >= metrics.horizontalAdvance(QLatin1Char('m')) + 1;
  for (int i = 0; i < static_cast<int>(pair_->rivals.size()); ++i) {
    const bool own = i == pair_->column;
    if (!all && !own) continue;
    const AxisLabel& label = pair_->rivals[static_cast<std::size_t>(i)];
    const double inset = width > 24 ? 3 : 0;  // words keep apart
    QRectF slot = layout_.slot(layout_.tokens, i).adjusted(inset, 0, -inset, 0);
    if (!all) {  // the chosen one, where there is room for no other
      const double wide = metrics.horizontalAdvance(label.text) + 4;
      slot = QRectF(std::clamp(slot.center().x() - wide / 2, layout_.tokens.left(),
                               std::max(layout_.tokens.left(), layout_.tokens.right() - wide)),
                    slot.top(), wide, slot.height());
    }
    const bool hidden = pair_->score.rivals[static_cast<std::size_t>(i)].hidden;
    write_line(painter, slot, kCentre, label.text, font, label.muted || hidden ? theme.muted_text() : theme.text());
  }
}

}  // namespace headlight
