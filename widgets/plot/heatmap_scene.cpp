// What a heatmap shows: limits, colours, words, and the layout with real fonts.
#include "widgets/plot/heatmap_scene.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/base/theme.h"

namespace headlight {

HeatmapScene::Reduced HeatmapScene::reduced(QSize cells) const {
  Reduced small;
  small.cells = cells;
  small.rows = (rows + cells.height() - 1) / cells.height();
  small.columns = (columns + cells.width() - 1) / cells.width();
  small.values.assign(static_cast<std::size_t>(small.rows) * static_cast<std::size_t>(small.columns),
                      std::numeric_limits<float>::quiet_NaN());
  const bool both_ways = range == Heatmap::Range::symmetric;
  for (int row = 0; row < rows; ++row) {
    if (!row_is_shown(row)) continue;
    float* out = small.values.data() + static_cast<std::ptrdiff_t>(row / cells.height()) * small.columns;
    const float* in = values.data() + static_cast<std::ptrdiff_t>(row) * columns;
    for (int column = 0; column < columns; ++column) {
      float& most = out[column / cells.width()];
      const float v = in[column];
      if (!std::isfinite(v)) continue;
      if (std::isnan(most) || (both_ways ? std::abs(v) > std::abs(most) : v > most)) most = v;
    }
  }
  return small;
}

std::pair<double, double> HeatmapScene::limits() const {
  if (fixed_limits) return *fixed_limits;
  if (range == Heatmap::Range::unit) return {0, 1};
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  for (const float v : values) {
    if (!std::isfinite(v)) continue;
    lowest = std::min(lowest, static_cast<double>(v));
    highest = std::max(highest, static_cast<double>(v));
  }
  if (lowest > highest) return {0, 1};  // nothing is finite
  if (range == Heatmap::Range::symmetric) {
    const double largest = std::max(std::abs(lowest), std::abs(highest));
    return largest > 0 ? std::pair{-largest, largest} : std::pair{-1.0, 1.0};
  }
  return lowest < highest ? std::pair{lowest, highest} : std::pair{lowest, lowest + 1};
}

QColor HeatmapScene::colour(double value, const std::pair<double, double>& limits) const {
  const Theme& theme = Theme::instance();
  const double share = (value - limits.first) / (limits.second - limits.first);
  return range == Heatmap::Range::symmetric ? theme.signed_value(2 * share - 1) : theme.weight(share);
}

QString HeatmapScene::readout(int row, int column) const {
  if (!has(row, column)) return {};
  const auto name = [](const std::vector<HeatmapLabel>& labels, int i) {
    if (i >= static_cast<int>(labels.size())) return QString::number(i);
    const HeatmapLabel& label = labels[static_cast<std::size_t>(i)];
    return label.name.isEmpty() || label.name == label.text ? QStringLiteral("‘%1’").arg(label.text) : label.name;
  };
  const QString number = row_is_shown(row) ? QString::number(static_cast<double>(value(row, column)), 'g', 6)
                                           : QCoreApplication::translate("Heatmap", "not computed yet");
  return QStringLiteral("%1 × %2: %3").arg(name(row_labels, row), name(column_labels, column), number);
}

HeatmapLayout HeatmapPainter::layout(const HeatmapScene& scene, const HeatmapWindow& window, QSizeF size) {
  const Theme& theme = Theme::instance();
  const QFontMetricsF label_metrics(theme.token_font()), cell_metrics(theme.token_font(0.78));
  HeatmapInput input;
  input.size = size;
  input.rows = scene.rows;
  input.columns = scene.columns;
  input.window = window;
  for (const HeatmapLabel& label : scene.row_labels) input.row_labels.push_back(label.text);
  for (const HeatmapLabel& label : scene.column_labels) input.column_labels.push_back(label.text);
  input.text_width = [this](const QString& text) { return text_width(text); };
  input.text_height = std::ceil(label_metrics.height());
  input.value_width = cell_metrics.horizontalAdvance(scene.range == Heatmap::Range::unit ? "0.00" : "-0.000");
  input.value_height = cell_metrics.height();
  input.captions = !scene.row_caption.isEmpty() || !scene.column_caption.isEmpty();
  input.colour_bar = scene.colour_bar;
  return HeatmapLayout::of(input);
}

double HeatmapPainter::text_width(const QString& text) {
  const auto known = widths_.constFind(text);
  if (known != widths_.constEnd()) return *known;
  if (widths_.size() > 4096) widths_.clear();
  return *widths_.insert(text, QFontMetricsF(Theme::instance().token_font()).horizontalAdvance(text));
}

const QStaticText& HeatmapPainter::shaped(const QString& text, const QFont& font) {
  const QString key = QString::number(font.pointSizeF()) + '/' + text;
  const auto known = shaped_.constFind(key);
  if (known != shaped_.constEnd()) return *known;
  if (shaped_.size() > 4096) shaped_.clear();
  QStaticText made(text);
  made.setTextFormat(Qt::PlainText);
  made.setPerformanceHint(QStaticText::AggressiveCaching);
  made.prepare({}, font);
  return *shaped_.insert(key, made);
}

void HeatmapPainter::forget() {
  widths_.clear();
  shaped_.clear();
}

}  // namespace headlight
