#include "widgets/views/texts/texts_histogram.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/base/ink.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/text/number_words.h"

namespace headlight {

namespace {

constexpr double kBarsHigh = 40, kLeastBar = 2;  // pixels

double line_height() { return QFontMetricsF(theme().ui_font(type::kHead)).height(); }

}  // namespace

TextsSpread TextsSpread::of(const std::vector<double>& values) {
  TextsSpread made;
  made.bars.assign(kBars, 0);
  double sum = 0, squares = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    made.low = made.count == 0 ? value : std::min(made.low, value);
    made.high = made.count == 0 ? value : std::max(made.high, value);
    ++made.count;
    sum += value;
  }
  if (made.count == 0) return made;
  made.mean = sum / made.count;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    squares += (value - made.mean) * (value - made.mean);
    const double share = made.high > made.low ? (value - made.low) / (made.high - made.low) : 0;
    ++made.bars[static_cast<std::size_t>(std::clamp(static_cast<int>(share * kBars), 0, kBars - 1))];
  }
  made.sd = std::sqrt(squares / made.count);
  return made;
}

std::pair<double, double> TextsSpread::ends(int bar) const {
  const double step = (high - low) / kBars;
  return {low + bar * step, bar == kBars - 1 ? high : low + (bar + 1) * step};
}

TextsHistogram::TextsHistogram(QWidget* parent) : PlaceCanvas(Layout::scrolled, parent) {
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void TextsHistogram::set_values(const QString& name, const std::vector<double>& values) {
  name_ = name;
  spread_ = TextsSpread::of(values);
  chosen_ = -1;
  lay_out_at_once();
  announce();
}

QSize TextsHistogram::sizeHint() const {
  return {200, static_cast<int>(std::ceil(kBarsHigh + line_height() + space::kTight))};
}

QSizeF TextsHistogram::arrange(QSizeF view) {
  view_ = {view.width(), static_cast<double>(sizeHint().height())};
  return {view.width(), std::min<double>(view.height(), view_.height())};
}

QRectF TextsHistogram::bar_rect(int bar) const {
  const double wide = view_.width() / TextsSpread::kBars;
  return {bar * wide, 0, wide, kBarsHigh};
}

int TextsHistogram::place_at(QPointF point) const {
  if (spread_.count == 0 || point.x() < 0 || point.x() >= view_.width() || point.y() < 0 || point.y() > kBarsHigh)
    return 0;
  return 1 + static_cast<int>(point.x() / view_.width() * TextsSpread::kBars);
}

QString TextsHistogram::place_tooltip(const int& place) const {
  if (place <= 0 || spread_.count == 0) return {};
  const auto [from, to] = spread_.ends(place - 1);
  return tr("%1 to %2: %3 texts")
      .arg(short_number(from, 3), short_number(to, 3))
      .arg(spread_.bars[static_cast<std::size_t>(place - 1)]);
}

void TextsHistogram::paint(QPainter& painter, const QRectF&, bool marks) const {
  if (spread_.count == 0) return;
  const Tokens& t = tokens();
  const double most = *std::ranges::max_element(spread_.bars);
  for (int bar = 0; bar < TextsSpread::kBars; ++bar) {
    const int count = spread_.bars[static_cast<std::size_t>(bar)];
    QRectF rect = bar_rect(bar).adjusted(1, 0, -1, 0);
    if (count > 0) rect.setTop(kBarsHigh - std::max(kLeastBar, kBarsHigh * count / most));
    const bool chosen = bar == chosen_, under = marks && hovered() == bar + 1;
    if (count > 0) painter.fillRect(rect, chosen || under ? t.accent : theme().weight(0.7));
  }
  draw_line(painter, {0, kBarsHigh}, {view_.width(), kBarsHigh}, QPen(t.edge, 1));
  const QFont font = theme().ui_font(type::kHead);
  const QRectF line(0, kBarsHigh + space::kTight / 2, view_.width(), line_height());
  write(painter, line, kLeft, short_number(spread_.low, 3), font, t.ink2);
  write(painter, line, kRight, short_number(spread_.high, 3), font, t.ink2);
  write(painter, line, kCentre, tr("mean %1 ± %2").arg(short_number(spread_.mean, 3), short_number(spread_.sd, 3)),
        font, t.ink2);
}

void TextsHistogram::choose(int bar) {
  chosen_ = bar == chosen_ ? -1 : bar;
  choice_changed();
  if (chosen_ < 0) return emit betweenChosen({});
  emit betweenChosen(spread_.ends(chosen_));
}

void TextsHistogram::press_place(const int& place) {
  cursor_ = place - 1;
  choose(cursor_);
}

bool TextsHistogram::go(int right, int) {
  if (spread_.count == 0) return false;
  cursor_ = std::clamp(cursor_ + right, 0, TextsSpread::kBars - 1);
  choice_changed();
  return true;
}

bool TextsHistogram::activate() {
  if (spread_.count == 0) return false;
  choose(cursor_);
  return true;
}

}  // namespace headlight
