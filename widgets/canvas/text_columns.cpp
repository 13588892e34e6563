#include "widgets/canvas/text_columns.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/text_marks.h"
#include "widgets/base/tokens.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

// Letters begin one size of type higher than words.
constexpr double kSizes[] = {type::kQuestion, type::kQuestion / type::kTitle, type::kTitle,
                             type::kText,     type::kText / type::kTitle,     type::kHead};
constexpr double kTurned = type::kSource;

QFont label_font(const AxisLabel& label, const ColumnHead& head) {
  if (is_folded(label)) return head.folded_font;
  return label.special ? special_font(head.font) : head.font;
}

}  // namespace

TextColumns TextColumns::of(const std::vector<double>& shares, double from, double to, double least, double most) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  const double unit = sum > 0 ? std::clamp((to - from) / sum, least, std::max(least, most)) : 0;
  TextColumns columns;
  columns.edges = {from};
  for (const double share : shares) columns.edges.push_back(columns.edges.back() + share * unit);
  return columns;
}

int TextColumns::at(double x) const {
  if (count() == 0 || x < left() || x >= right()) return -1;
  return static_cast<int>(std::ranges::upper_bound(edges, x) - edges.begin()) - 1;
}

int TextColumns::nearest(double x) const { return at(std::clamp(x, left(), std::nextafter(right(), left()))); }

bool are_letters(const std::vector<AxisLabel>& labels) {
  return std::ranges::all_of(labels, [](const AxisLabel& label) {
    return label.special || is_folded(label) || !label.lines.isEmpty() || label.text.toUcs4().size() <= 1;
  });
}

std::vector<double> column_shares(const std::vector<AxisLabel>& labels) {
  const bool letters = are_letters(labels);
  std::vector<double> shares;
  for (const AxisLabel& label : labels)
    shares.push_back(is_folded(label) ? 1.25 : letters && label.muted && !label.special ? 0.5 : 1);
  return shares;
}

std::vector<double> column_shares(const std::vector<AxisLabel>& labels, double unit) {
  std::vector<double> shares = column_shares(labels);
  const QFont font = theme().ui_font(type::kSource);
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (is_folded(labels[i]))
      for (const QString& line : labels[i].text.split('\n'))
        shares[i] = std::max(shares[i], (text_width(line, font) + 2) / std::max(1.0, unit));
  return shares;
}

double widest_label(const std::vector<AxisLabel>& labels, const QFont& font) {
  double widest = 0;
  for (const AxisLabel& label : labels) widest = std::max(widest, text_width(label.text, font));
  return widest;
}

ColumnHead ColumnHead::of(const TextColumns& columns, const std::vector<AxisLabel>& labels, double largest,
                          double most) {
  const bool letters = are_letters(labels);
  ColumnHead head;
  head.folded_font = theme().ui_font(type::kSource);
  const double folded = std::ranges::any_of(labels, is_folded) ? 2 * QFontMetricsF(head.folded_font).height() : 0;
  for (const double size : kSizes) {
    if (size > largest) continue;
    head.font = theme().text_font(letters, size);
    const QFontMetricsF metrics(head.font);
    head.height = std::max(folded, std::ceil(metrics.height() + 8));
    bool fits = true;
    for (int i = 0; fits && i < columns.count(); ++i) {
      const AxisLabel& label = nth(labels, i);
      const double wide = text_width(label.text, label_font(label, head));
      // What is narrow on purpose may stand over its neighbours' edge.
      fits = is_folded(label) || wide <= columns.width(i) - (letters ? 0 : 8) || (letters && label.muted);
    }
    if (fits) return head;
  }
  head.turned = true;
  head.font = theme().text_font(letters, kTurned);
  double widest = 0;
  for (const AxisLabel& label : labels)
    if (!is_folded(label)) widest = std::max(widest, text_width(label.text, label_font(label, head)));
  head.height = std::max(folded, std::ceil(std::min(most, widest + 10)));
  return head;
}

void ColumnHead::paint(QPainter& painter, const TextColumns& columns, const std::vector<AxisLabel>& labels, double top,
                       int chosen, int hovered, double edge) const {
  const Tokens& t = tokens();
  const double line = QFontMetricsF(font).height();
  double free_from = -1e9;  // of turned labels, each is a line high
  for (int i = 0; i < columns.count(); ++i) {
    const AxisLabel& label = nth(labels, i);
    const QFont own = label_font(label, *this);
    const QRectF place = columns.cell(i, top, height);
    const QColor ink = i == chosen ? t.accent : label.muted || label.special || is_folded(label) ? t.ink2 : t.ink;
    painter.setFont(own);
    const double wide = text_width(label.text, own);
    // No name goes on behind the edge, where one is wider than its column.
    double widest = 0;
    for (const QString& each : label.text.split(QLatin1Char('\n'))) widest = std::max(widest, text_width(each, own));
    const double back = std::max(0.0, place.center().x() + widest / 2 - edge);
    if (is_folded(label)) {
      if (i == chosen) draw_box(painter, place.adjusted(1, 1, -1, -1), radius::kButton, QPen(t.accent, 2), t.wash);
      write(painter, place.adjusted(-2 - back, 0, 2 - back, -2), Qt::AlignHCenter | Qt::AlignBottom, label.text, own,
            ink);
      continue;
    }
    if (label.answer) draw_box(painter, place.adjusted(0, 1, 0, -3), 0, Qt::NoPen, answer_tint());
    if (label.voice != Voice::none)
      painter.fillRect(QRectF(place.left() + 1, place.bottom() - kVoiceBar, place.width() - 2, kVoiceBar),
                       voice_tint(label.voice));
    if (!turned) {
      if (i == chosen) {
        const double box = std::max(std::min(height - 2, line + 6), wide + 12);
        draw_box(painter, QRectF(place.center().x() - box / 2, top + 1, box, height - 2), radius::kButton,
                 QPen(t.accent, 2), t.wash);
      } else if (i == hovered) {
        draw_line(painter, {place.center().x() - wide / 2, place.bottom() - 2},
                  {place.center().x() + wide / 2, place.bottom() - 2}, QPen(t.ink, 2));
      }
      write(painter, place.adjusted(-9 - back, 0, 9 - back, 0), kCentre, label.text, own, ink);
      continue;
    }
    const double x = std::min(place.center().x(), edge - line / 2);
    if (i != chosen && x - line / 2 < free_from) continue;  // no room beside the one before
    if (i != chosen && chosen >= 0 && chosen < columns.count() && std::abs(columns.centre(chosen) - x) < line) continue;
    free_from = x + line / 2 - 1;
    painter.save();
    painter.translate(x, place.bottom() - 4);
    painter.rotate(-90);
    const QRectF turned_place(0, -line / 2, height - 6, line);
    if (i == chosen)
      draw_box(painter, QRectF(-3, -line / 2, std::min(wide, height - 6) + 6, line), radius::kButton,
               QPen(t.accent, 1.6), t.wash);
    write_line(painter, turned_place, kLeft, label.text, own, ink, Qt::ElideMiddle);
    painter.restore();
  }
}

}  // namespace headlight
