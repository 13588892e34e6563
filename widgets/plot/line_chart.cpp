#include "widgets/plot/line_chart.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/base/theme.h"
#include "widgets/plot/plot_parts.h"

namespace headlight {

namespace {

// Okabe & Ito 2008: told apart by colour-blind eyes, too. The dark ones are a little lighter.
QColor line_colour(std::size_t i) {
  static const char* const kLight[] = {"#0072b2", "#d55e00", "#009e73", "#aa4a8c", "#a66f00", "#333333", "#b0003a"};
  static const char* const kDark[] = {"#56b4e9", "#ff8b4a", "#2fc49a", "#e29ac4", "#e6b100", "#dddddd", "#ff6f91"};
  // Not in one expression: under the undefined-behaviour sanitizer GCC 12 forgets the index of a chosen array.
  const auto& colours = theme().mode() == Theme::Mode::dark ? kDark : kLight;
  return QColor(QLatin1String(colours[i % std::size(colours)]));
}

QPen line_pen(std::size_t i) {
  static const Qt::PenStyle kStyles[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
  return {line_colour(i), 2, kStyles[i % 4]};
}

QCPScatterStyle mark(std::size_t i) {
  static const QCPScatterStyle::ScatterShape kShapes[] = {QCPScatterStyle::ssDisc, QCPScatterStyle::ssSquare,
                                                          QCPScatterStyle::ssTriangle, QCPScatterStyle::ssDiamond,
                                                          QCPScatterStyle::ssCross};
  return {kShapes[i % 5], QPen(line_colour(i), 1.5), QBrush(line_colour(i)), 6};
}

void add_lines(QCustomPlot& plot, const LineChart& chart) {
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const LineSeries& series = chart.series[i];
    QCPGraph* graph = plot.addGraph();
    graph->setName(series.name);
    graph->setPen(line_pen(i));
    graph->setScatterStyle(mark(i));
    const auto fits = [&](double y) { return std::isfinite(y) && (y > 0 || !chart.log_y); };
    for (std::size_t k = 0; k < series.x.size(); ++k)
      graph->addData(series.x[k], fits(series.y[k]) ? series.y[k] : std::numeric_limits<double>::quiet_NaN());
  }
}

// Between the nearest places, which share it among their bars.
double room_of_bars(const LineChart& chart) {
  double gap = std::numeric_limits<double>::infinity();
  for (const LineSeries& series : chart.series)
    for (std::size_t k = 1; k < series.x.size(); ++k) gap = std::min(gap, std::abs(series.x[k] - series.x[k - 1]));
  return std::isfinite(gap) && gap > 0 ? gap : 1;
}

// As wide as the nearest places allow, one beside the other.
void add_bars(QCustomPlot& plot, const LineChart& chart) {
  static const Qt::BrushStyle kStyles[] = {Qt::SolidPattern, Qt::BDiagPattern, Qt::Dense4Pattern, Qt::CrossPattern};
  const double gap = room_of_bars(chart);
  auto* group = new QCPBarsGroup(&plot);  // owned by the plot
  group->setSpacingType(QCPBarsGroup::stPlotCoords);
  group->setSpacing(0);
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const LineSeries& series = chart.series[i];
    auto* bars = new QCPBars(plot.xAxis, plot.yAxis);  // owned by the plot, too
    bars->setName(series.name);
    bars->setWidth(0.8 * gap / static_cast<double>(chart.series.size()));
    bars->setBarsGroup(group);
    bars->setPen(QPen(line_colour(i), 1));
    bars->setBrush(QBrush(line_colour(i), kStyles[i % std::size(kStyles)]));
    for (std::size_t k = 0; k < series.x.size(); ++k)
      if (std::isfinite(series.y[k])) bars->addData(series.x[k], series.y[k]);
  }
}

void make_logarithmic(QCPAxis& axis) {
  axis.setScaleType(QCPAxis::stLogarithmic);
  axis.setTicker(QSharedPointer<QCPAxisTickerLog>(new QCPAxisTickerLog));
  axis.setNumberFormat("gbd");
  axis.setNumberPrecision(0);
}

// A little room around the values, so that no mark is cut.
QCPRange widened(QCPRange range, bool logarithmic = false) {
  if (logarithmic) {
    const double room = std::pow(range.upper / range.lower, 0.04);
    return {range.lower / room, range.upper * room};
  }
  const double room = range.size() > 0 ? 0.04 * range.size() : 0.5;
  return {range.lower - room, range.upper + room};
}

void set_ranges(QCustomPlot& plot, const LineChart& chart) {
  if (chart.log_x) make_logarithmic(*plot.xAxis);
  if (chart.log_y) make_logarithmic(*plot.yAxis);
  plot.rescaleAxes();
  plot.xAxis->setRange(widened(plot.xAxis->range(), chart.log_x));
  if (chart.bars) {  // whose own range knows nothing of the bars beside them
    double first = std::numeric_limits<double>::infinity(), last = -first;
    for (const LineSeries& series : chart.series)
      for (const double x : series.x) first = std::min(first, x), last = std::max(last, x);
    const double half = room_of_bars(chart) / 2;
    if (first <= last) plot.xAxis->setRange(first - half, last + half);
  }
  plot.yAxis->setRange(widened(
      chart.y_range ? QCPRange(chart.y_range->first, chart.y_range->second) : plot.yAxis->range(), chart.log_y));
  if (chart.whole_x && !chart.log_x) ticks_at_whole_numbers(*plot.xAxis, 10);
}

// Words that do not fit beside each other stand at a slope.
void write_labels(QCPAxis& axis, const LineChart& chart, int width) {
  const QSharedPointer<QCPAxisTickerText> words(new QCPAxisTickerText);
  const QFontMetricsF metrics(axis.tickLabelFont());
  double widest = 0;
  for (const auto& [x, text] : chart.x_labels) {
    words->addTick(x, text);
    widest = std::max(widest, metrics.horizontalAdvance(text) + 6);
  }
  axis.setTicker(words);
  axis.setSubTicks(false);
  if (widest * static_cast<double>(chart.x_labels.size()) > width - 80) axis.setTickLabelRotation(-55);
}

// Below the axes, where it hides no line.
void add_legend(QCustomPlot& plot, const LineChart& chart, int width) {
  constexpr int kMost = 4, kIcon = 36, kGap = 24;
  const QFontMetricsF metrics(theme().ui_font());
  double widest = 1;
  for (const LineSeries& series : chart.series)
    widest = std::max(widest, metrics.horizontalAdvance(series.name) + kIcon + kGap);
  QCPLegend& legend = *plot.legend;
  legend.setVisible(true);
  legend.setFont(theme().ui_font());
  legend.setTextColor(theme().text());
  legend.setBrush(Qt::NoBrush);
  legend.setBorderPen(Qt::NoPen);
  legend.setIconSize(kIcon, 14);
  legend.setWrap(std::clamp(static_cast<int>(width / widest), 1, kMost));
  legend.setFillOrder(QCPLayoutGrid::foColumnsFirst);  // and rearranges the lines that are there
  auto* below = new QCPLayoutGrid;                     // owned by the plot
  plot.plotLayout()->addElement(plot.plotLayout()->rowCount(), 0, below);
  below->addElement(0, 0, &legend);
  plot.plotLayout()->setRowStretchFactor(plot.plotLayout()->rowCount() - 1, 0.001);
}

}  // namespace

void paint_line_chart(const LineChart& chart, QPainter& painter, QSize size) {
  QCustomPlot plot;
  plot.setBackground(QBrush(theme().background()));
  style_axis(*plot.xAxis, chart.x_title, 0.9);
  style_axis(*plot.yAxis, chart.y_title, 0.9);
  chart.bars ? add_bars(plot, chart) : add_lines(plot, chart);
  set_ranges(plot, chart);
  if (!chart.x_labels.empty()) write_labels(*plot.xAxis, chart, size.width());
  if (!chart.title.isEmpty()) {
    plot.plotLayout()->insertRow(0);
    auto* title = new QCPTextElement(&plot, chart.title, theme().ui_font(type::kTitle));
    title->setTextColor(theme().text());
    plot.plotLayout()->addElement(0, 0, title);
  }
  add_legend(plot, chart, size.width());
  paint_plot(plot, painter, size);
}

Figure line_chart_figure(LineChart chart, QSize size) {
  const QString title = chart.title.isEmpty() ? chart.y_title : chart.title;
  return {size, [chart = std::move(chart), size](QPainter& painter) { paint_line_chart(chart, painter, size); }, title,
          nullptr};
}

}  // namespace headlight
