#include "app/classroom/lesson_curve_picture.h"

#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/text/number_words.h"

namespace headlight {

namespace {

constexpr const char* kAsked = "x";
constexpr double kBarShare = 0.24;  // of the height, for the bars

double line_of(const QFont& font) { return Theme::line_height(font); }

QString two_decimals(double value) { return plain_number(value, std::abs(value) < 99.5 ? 2 : 0); }

// A step of 1, 2 or 5 times a power of ten: the axis stays while the curves move a little.
std::pair<double, double> rounded_out(double least, double most) {
  if (!(most > least)) return {least - 1, least + 1};
  const double power = std::pow(10.0, std::floor(std::log10((most - least) / 4)));
  double step = power;
  for (const double factor : {2.0, 5.0, 10.0})
    if (step * 6 < most - least) step = factor * power;
  return {step * std::floor(least / step), step * std::ceil(most / step)};
}

std::pair<double, double> heights(const ChartResult& result, const LessonChart& chart) {
  double least = INFINITY, most = -INFINITY;
  const auto take = [&](const std::vector<double>& values) {
    for (const double y : values)
      if (std::isfinite(y)) least = std::min(least, y), most = std::max(most, y);
  };
  take(chart.curve.data_y);
  for (const ChartSeries& series : result.series) take(series.y);
  return least <= most ? rounded_out(least, most) : std::pair(0.0, 1.0);
}

QPen curve_pen(std::size_t k) {
  static constexpr Qt::PenStyle kStyles[] = {Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
  const Theme& t = Theme::instance();
  if (k == 0) return {t.weight(0.75), t.line(2.5)};
  return {t.muted_text(), t.line(1.5), kStyles[(k - 1) % std::size(kStyles)]};
}

// Where everything stands: title, names of the curves, axes, bars.
struct CurvePlaces {
  QRectF title, names, plot, bars;
};

CurvePlaces curve_places(const LessonChart& chart, const StepWords& words, QSize size) {
  const QFont font = Theme::instance().ui_font(), small = Theme::instance().ui_font(type::kHead);
  const double line = line_of(font), left = text_width(QStringLiteral("−00.0"), small) + space::kSmall;
  const double width = std::max(40.0, size.width() - left - space::kSmall);
  CurvePlaces made;
  made.title = {0, 0, static_cast<double>(size.width()), line};
  double y = line + space::kTight;
  made.names = {left, y, width, line};
  y += line + space::kSmall;
  // Below the plot stand the numbers of its axis, below the bars the words of x.
  const double ticks = line_of(small) + space::kSmall;
  const double below = line * (chart_word(words, "x").isEmpty() ? 0 : 1);
  const double rest = std::max(60.0, size.height() - y - ticks - below);
  const double bars = chart.curve.bars.empty() ? 0 : kBarShare * rest;
  made.plot = {left, y, width, rest - bars - (bars > 0 ? line : 0)};
  made.bars = {left, made.plot.bottom() + ticks + (bars > 0 ? line : 0), width, bars};
  return made;
}

double x_at(const LessonChart& chart, const QRectF& place, double x) {
  return place.left() + place.width() * (x - chart.curve.from) / (chart.curve.to - chart.curve.from);
}

// Of the first bars, the largest as 1; without bars all are alike.
std::vector<double> strengths(const ChartResult& result, const LessonChart& chart) {
  std::vector<double> made(chart.curve.data_x.size(), 0.75);
  if (result.bars.empty()) return made;
  const std::vector<double>& y = result.bars.front().y;
  const double most = y.empty() ? 0 : std::ranges::max(y);
  for (std::size_t i = 0; i < std::min(made.size(), y.size()); ++i)
    made[i] = most > 0 ? 0.12 + 0.88 * std::max(0.0, y[i]) / most : 0.12;
  return made;
}

void paint_axes(const ChartResult& result, const LessonChart& chart, QPainter& painter, const QRectF& place) {
  const Tokens& t = tokens();
  CurvePlot plot;
  plot.left = chart.curve.from;
  plot.right = chart.curve.to;
  plot.whole_x = false;
  std::tie(plot.bottom, plot.top) = heights(result, chart);
  for (std::size_t k = result.series.size(); k-- > 0;)  // the first one in front
    plot.curves.push_back({result.series[k].x, result.series[k].y, curve_pen(k), 0, Qt::NoBrush});
  const std::vector<double> strong = strengths(result, chart);
  for (std::size_t i = 0; i < strong.size(); ++i)
    plot.curves.push_back({{chart.curve.data_x[i]},
                           {chart.curve.data_y[i]},
                           QPen(t.edge),
                           3 + 2 * strong[i],
                           Theme::instance().weight(strong[i])});
  if (const auto asked = result.sliders.find(kAsked); asked != result.sliders.end()) {
    plot.uprights.emplace_back(asked->second, QPen(t.accent, Theme::instance().line(2)));
    if (!result.series.empty())
      if (const auto said = result.here.find(result.series.front().name);
          said != result.here.end() && std::isfinite(said->second))
        plot.curves.push_back({{asked->second}, {said->second}, QPen(t.paper), 6, QBrush(t.accent)});
  }
  paint_curve_plot(plot, painter, place);
}

// A piece of each line with its name, and what it says where it is asked.
void paint_names(const ChartResult& result, const StepWords& words, QPainter& painter, const QRectF& place) {
  const QFont font = Theme::instance().ui_font();
  painter.setFont(font);
  double x = place.left();
  for (std::size_t k = 0; k < result.series.size(); ++k) {
    QString name = chart_word(words, result.series[k].name, result.series[k].name);
    if (const auto said = result.here.find(result.series[k].name); said != result.here.end())
      name += QStringLiteral(" ") + two_decimals(said->second);
    painter.setPen(curve_pen(k));
    painter.drawLine(QPointF(x, place.center().y()), QPointF(x + space::kMargin, place.center().y()));
    painter.setPen(tokens().ink);
    x += space::kMargin + space::kTight;
    painter.drawText(QRectF(x, place.top(), std::max(0.0, place.right() - x), place.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, name);
    x += text_width(name, font) + space::kLarge;
  }
}

void paint_bars(const ChartResult& result, const LessonChart& chart, const StepWords& words, QPainter& painter,
                const QRectF& place) {
  const Tokens& t = tokens();
  const QFont font = Theme::instance().ui_font();
  const ChartSeries& bars = result.bars.front();
  double most = 1e-12, highest = 0;  // where the largest stands, with its number above it
  for (std::size_t i = 0; i < bars.y.size(); ++i)
    if (bars.y[i] > most) most = bars.y[i], highest = x_at(chart, place, chart.curve.data_x[i]);
  const double line = line_of(font);
  painter.setFont(font);
  painter.setPen(t.ink2);
  painter.drawText(QRectF(place.left(), place.top() - line, place.width(), line),
                   (highest < place.center().x() ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter,
                   chart_word(words, bars.name, bars.name));
  const double wide =
      std::clamp(place.width() / (2.5 * static_cast<double>(std::max<std::size_t>(bars.y.size(), 1))), 2.0, 16.0);
  for (std::size_t i = 0; i < bars.y.size(); ++i) {
    const double high = place.height() * std::max(0.0, bars.y[i]) / most, x = x_at(chart, place, chart.curve.data_x[i]);
    painter.fillRect(QRectF(x - wide / 2, place.bottom() - high, wide, high), Theme::instance().weight(0.75));
    if (bars.y[i] != most) continue;
    painter.setPen(t.ink);
    painter.drawText(QRectF(x - place.width(), place.top() - line, 2 * place.width(), line), Qt::AlignCenter,
                     two_decimals(most));
  }
  painter.fillRect(QRectF(place.left(), place.bottom(), place.width(), space::kHair), t.edge);
  if (const auto asked = result.sliders.find(kAsked); asked != result.sliders.end())
    painter.fillRect(QRectF(x_at(chart, place, asked->second) - 1, place.top(), 2, place.height()), t.accent);
}

}  // namespace

QString chart_word(const StepWords& words, const std::string& key, const std::string& fallback) {
  const auto found = words.chart.find(key);
  return from_utf8(found == words.chart.end() ? fallback : found->second);
}

double asked_at(const LessonChart& chart, const StepWords& words, QSize size, double left) {
  const QRectF plot = curve_places(chart, words, size).plot;
  const double part = std::clamp((left - plot.left()) / plot.width(), 0.0, 1.0);
  return chart.curve.from + part * (chart.curve.to - chart.curve.from);
}

void paint_lesson_curve(const ChartResult& result, const LessonChart& chart, const StepWords& words, QPainter& painter,
                        QSize size) {
  const CurvePlaces places = curve_places(chart, words, size);
  const QFont font = Theme::instance().ui_font();
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(font);
  painter.setPen(tokens().ink);
  painter.drawText(places.title, Qt::AlignLeft | Qt::AlignVCenter, chart_word(words, "title"));
  QStringList moved;
  for (const auto& [name, value] : result.sliders)
    moved << chart_word(words, name, name) + QStringLiteral(" ") + two_decimals(value);
  painter.setPen(tokens().ink2);
  painter.drawText(places.title, Qt::AlignRight | Qt::AlignVCenter, moved.join(QStringLiteral(" · ")));
  paint_names(result, words, painter, places.names);
  paint_axes(result, chart, painter, places.plot);
  if (!result.bars.empty()) paint_bars(result, chart, words, painter, places.bars);
  painter.setFont(font);
  painter.setPen(tokens().ink2);
  const double line = line_of(font);
  painter.drawText(QRectF(places.plot.left(), size.height() - line, places.plot.width(), line),
                   Qt::AlignHCenter | Qt::AlignVCenter, chart_word(words, "x"));
  painter.restore();
}

QString curve_in_words(const ChartResult& result, const LessonChart& chart, const StepWords& words) {
  QStringList lines = {chart_word(words, "title")};
  for (const auto& [name, value] : result.sliders)
    lines << chart_word(words, name, name) + QStringLiteral(": ") + two_decimals(value);
  for (const auto& [name, value] : result.here)
    lines << chart_word(words, name, name) + QStringLiteral(": ") + two_decimals(value);
  for (std::size_t i = 0; i < chart.curve.data_x.size(); ++i) {
    QString point =
        QStringLiteral("%1 %2").arg(two_decimals(chart.curve.data_x[i]), two_decimals(chart.curve.data_y[i]));
    for (const ChartSeries& bars : result.bars)
      point += QStringLiteral("; %1 %2").arg(chart_word(words, bars.name, bars.name), short_number(bars.y[i], 3));
    lines << point;
  }
  return lines.join(QLatin1Char('\n'));
}

}  // namespace headlight
