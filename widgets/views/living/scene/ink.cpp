#include "widgets/views/living/scene/ink.h"

#include <QFontMetricsF>
#include <QLinearGradient>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "model/core/scalar.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/text/number_words.h"

namespace headlight {

namespace {

constexpr double kStripe = 4.3;  // pixels from a stripe to the next
constexpr double kThin = 9;      // bands of less have upright stripes

double top_at(const Band& band, double x) { return band.y_at(x) - band.width_at(x) / 2; }
double bottom_at(const Band& band, double x) { return band.y_at(x) + band.width_at(x) / 2; }

}  // namespace

QFont small_font() { return theme().ui_font(type::kHead); }

double LivingInk::depth(double flow) const { return std::pow(std::clamp(flow, 0.0, 1.0), root); }

LivingInk LivingInk::now(double root) {
  LivingInk ink;
  ink.root = root;
  ink.faint = theme().mode() == Theme::Mode::dark ? 0.11 : 0.13;
  ink.paper = tokens().paper;
  ink.bed = tokens().bed;
  ink.bank = tokens().bank;
  ink.wash = tokens().wash;
  // Straight between the anchors, of which the first two are near each other: what is weak stays light.
  const std::vector<QColor>& anchors = tokens().weights;
  for (std::size_t i = 0; i < ink.colours.size(); ++i) {
    const double at = static_cast<double>(i) / 255 * static_cast<double>(anchors.size() - 1);
    const auto from = std::min(static_cast<std::size_t>(at), anchors.size() - 2);
    const double t = at - static_cast<double>(from);
    const auto mix = [t](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * t)); };
    const QColor &a = anchors[from], &b = anchors[from + 1];
    ink.colours[i] = qRgb(mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()));
  }
  return ink;
}

QColor LivingInk::at(double depth) const {
  return QColor(nth(colours, std::lround(std::clamp(depth, 0.0, 1.0) * 255)));
}

void LivingInk::draw_key(QPainter& painter, const QRectF& rect) const {
  painter.save();
  QLinearGradient strip(rect.topLeft(), rect.topRight());
  for (int i = 0; i <= 32; ++i) strip.setColorAt(i / 32.0, at(i / 32.0));
  draw_box(painter, rect, 3, Qt::NoPen, strip);
  const QFont font = theme().ui_font(type::kHead);
  double edge = rect.right();
  for (const double tick : {1.0, 0.4, 0.1, 0.01}) {
    const QString text = tick == 1 ? QStringLiteral("100 %") : QString::number(100 * tick);
    const double wide = text_width(text, font);
    const double x = std::min(rect.left() + depth(tick) * rect.width(), rect.right() - 5 - wide / 2);
    if (x + wide / 2 + 4 > edge) continue;
    edge = x - wide / 2;
    write(painter, {x - wide, rect.top(), 2 * wide, rect.height()}, kCentre, text, font,
          Theme::readable_on(water(tick)));
  }
  painter.restore();
}

QString sure_words(double probability) { return std::isnan(probability) ? QString() : bare_percent(probability); }

void LivingInk::draw_stripes(QPainter& painter, const Band& band) const {
  const double most = std::max(band.w0, band.w1);
  if (most < 1 || band.x1 - band.x0 < 3) return;
  painter.save();
  QColor over = paper;
  over.setAlphaF(0.75F);
  painter.setPen(QPen(over, most < kThin ? 1 : 1.4, Qt::SolidLine, Qt::FlatCap));
  std::vector<QLineF> lines;
  if (most < kThin) {
    for (double x = band.x0 + kStripe / 2; x < band.x1; x += kStripe)
      if (band.width_at(x) > 0.6) lines.emplace_back(x, top_at(band, x), x, bottom_at(band, x));
  } else {
    // Lines that rise to the right: each from where it enters the band to where it leaves it.
    const double highest = std::min(band.y0 - band.w0 / 2, band.y1 - band.w1 / 2);
    const double lowest = std::max(band.y0 + band.w0 / 2, band.y1 + band.w1 / 2);
    const double step = std::clamp((lowest - highest) / 40, 0.5, 4.0);
    for (double sum = band.x0 + highest; sum < band.x1 + lowest; sum += kStripe * std::sqrt(2.0)) {
      std::optional<QPointF> from;
      QPointF last;
      for (double y = lowest; y >= highest; y -= step) {
        const double x = sum - y;
        const bool inside = x >= band.x0 && x <= band.x1 && y >= top_at(band, x) && y <= bottom_at(band, x);
        if (inside && !from) from = QPointF(x, y);
        if (inside) last = {x, y};
        if (!inside && from) {
          lines.emplace_back(*from, last);
          from.reset();
        }
      }
      if (from) lines.emplace_back(*from, last);
    }
  }
  painter.drawLines(lines.data(), static_cast<int>(lines.size()));
  painter.restore();
}

void LivingInk::draw_wedge(QPainter& painter, const Band& band, const QColor& colour, bool lower) const {
  painter.fillPath(band.path(), colour);
  draw_stripes(painter, band);
  const double third = (band.x1 - band.x0) / 3, side = lower ? 0.5 : -0.5;
  const double from = band.y0 + side * band.w0, to = band.y1 + side * band.w1;
  QPainterPath edge({band.x0, from});
  edge.cubicTo(band.x0 + third, from, band.x1 - third, to, band.x1, to);
  painter.strokePath(edge, QPen(paper, std::max(band.w0, band.w1) < kThin ? 0.8 : 1.3));
}

QFont bold(QFont font) {
  font.setWeight(QFont::DemiBold);
  return font;
}

}  // namespace headlight
