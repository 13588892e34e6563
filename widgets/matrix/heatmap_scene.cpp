// What a heatmap shows: limits, colours, words, and the layout with real fonts.
#include "widgets/matrix/heatmap_scene.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/canvas.h"
#include "widgets/canvas/text_columns.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

void HeatmapScene::set_labels(std::vector<AxisLabel> of_rows, std::vector<AxisLabel> of_columns) {
  row_labels = std::move(of_rows);
  column_labels = std::move(of_columns);
  const bool characters = are_letters(column_labels);
  letters = characters && are_letters(row_labels);
  short_names = characters || std::ranges::all_of(column_labels, [](const AxisLabel& label) {
                  return std::ranges::all_of(label.text, [](QChar each) { return each.isDigit(); });
                });
  widest_row = widest_column = -1;
}

bool HeatmapScene::has_stairs() const {
  if (hidden.empty() || rows != columns || rows < 3) return false;
  const auto hides = [&](int row, int column) { return nth(hidden, Index{row} * columns + column); };
  for (int row = 0; row < rows; ++row) {
    if (hides(row, row)) return false;
    for (int column = row + 1; column < columns; ++column)
      if (!hides(row, column)) return false;
  }
  return true;
}

CellScale HeatmapScene::scale() const {
  const bool is_signed = range == Range::symmetric;
  if (fixed_limits) return {is_signed, fixed_limits->first, fixed_limits->second};
  if (range == Range::logarithmic) return CellScale::logarithmic_to(1);
  if (range == Range::unit || !values) return {is_signed, 0, 1};
  const auto lowest = static_cast<double>(values->lowest()), highest = static_cast<double>(values->highest());
  if (lowest > highest) return {is_signed, 0, 1};  // nothing is finite
  if (is_signed) {
    const double largest = std::max(std::abs(lowest), std::abs(highest));
    return CellScale::around_zero(largest > 0 ? largest : 1);
  }
  return {false, lowest, lowest < highest ? highest : lowest + 1};
}

namespace {

constexpr double kThousandth = 0.001;

// Numbers of which three places say enough, and the rest is too long for a cell.
bool is_thousandths(const CellScale& scale) { return scale.high <= 1 && scale.high >= 50 * kThousandth; }

}  // namespace

QString HeatmapScene::number(double value) const {
  if (form == Form::figure &&
      (range == Range::unit || range == Range::logarithmic)) {  // ".98", "1"; nothing where it would be 0.00
    if (value < kLeastWritten) return {};
    const QString text = QString::number(value, 'f', 2);
    return text == QLatin1String("1.00") ? QStringLiteral("1") : text.startsWith('0') ? text.mid(1) : text;
  }
  if (form == Form::figure && range == Range::symmetric && is_thousandths(scale())) {  // "−.075"
    if (std::abs(value) < 0.5 * kThousandth) return {};
    const QString text = plain_number(value, 3);
    return std::abs(value) < 1 ? QString(text).replace(QLatin1String("0."), QLatin1String(".")) : text;
  }
  if (form == Form::figure) return short_number(value, 2);
  const double size = std::abs(value);
  return !std::isfinite(value) || (values->all_integral() && size < 1e6) || value == 0 ? exact_number(value)
         : size >= 9999.5                                                              ? short_number(value, 2)
                          : plain_number(value, size < 9.9995   ? 3
                                                : size < 99.995 ? 2
                                                : size < 999.95 ? 1
                                                                : 0);
}

QString HeatmapScene::readout(int row, int column) const {
  if (!has(row, column)) return {};
  const auto name = [](const std::vector<AxisLabel>& labels, int i) {
    if (i >= static_cast<int>(labels.size())) return counted(i);
    const AxisLabel& label = nth(labels, i);
    return label.words() == label.text ? in_quotes(label.text) : label.name;
  };
  const bool closed = is_closed(row);
  const QString number = closed               ? Canvas::covered_text()
                         : !row_is_shown(row) ? QCoreApplication::translate("Heatmap", "not computed yet")
                         : is_dropped(row, column)
                             ? QCoreApplication::translate("Heatmap", "outside the window, not kept")
                         : is_hidden(row, column) ? QCoreApplication::translate("Heatmap", "cannot be seen from here")
                                                  : short_number(static_cast<double>(value(row, column)));
  const QString words =
      looks ? QCoreApplication::translate("Heatmap", "%1 looks at %2: %3") : QStringLiteral("%1, %2: %3");
  const QString unknown = in_quotes(QStringLiteral("?"));
  return words.arg(closed ? unknown : name(row_labels, row),
                   is_closed_column(column) ? unknown : name(column_labels, column), number);
}

namespace {

QSizeF lines_size(const AxisLabel& label) {
  const QFont font = HeatmapPainter::lines_font();
  double width = 0, height = 0;
  for (const QString& line : label.lines.split('\n')) {
    width = std::max(width, text_width(line, font));
    height += QFontMetricsF(font).height();
  }
  return {width + 2, std::ceil(height)};
}

double widest_of(const std::vector<AxisLabel>& labels, const QFont& font) {
  constexpr qsizetype kMost = 256;  // wider than any place for it
  double width = 0;
  // What stands for several columns may stand out over its own.
  for (const AxisLabel& label : labels)
    if (label.lines.isEmpty()) width = std::max(width, text_width(label.text.left(kMost), font));
  return width;
}

}  // namespace

QFont HeatmapPainter::label_font(const HeatmapScene& scene, double scale) {
  return theme().text_font(scene.letters, scale);
}
QFont HeatmapPainter::lines_font() { return theme().ui_font(type::kHead); }
QFont HeatmapPainter::number_font(double scale) { return theme().ui_font(type::kHead * scale); }

// Letters and numbers grow with the cells: each time by a step of the scale of type.
std::pair<double, double> HeatmapPainter::type_scales(const HeatmapScene& scene, const HeatmapWindow& window,
                                                      QSizeF size) {
  if (scene.form == HeatmapScene::Form::strip || scene.rows == 0 || scene.columns == 0) return {1, 1};
  const QFont font = label_font(scene, 1);
  const double cell = std::min(0.85 * size.height() / std::max(1.0, window.height()),
                               0.85 * size.width() / std::max(1.0, window.width()));
  const double pixels = cell / theme().font_scale();
  const std::size_t step = pixels >= 70 ? 2 : pixels >= 44 ? 1 : 0;
  constexpr std::array kLetters = {1.0, type::kQuestion / type::kTitle, type::kNumber / type::kTitle};
  constexpr std::array kWords = {type::kText, type::kTitle, type::kQuestion};
  constexpr std::array kNumbers = {1.0, type::kText / type::kHead, type::kTitle / type::kHead};
  const double grown = scene.letters ? kLetters[step] : kWords[step];
  // But not so far that words which fit above their columns have to be turned.
  double widest = 1;
  for (const AxisLabel& label : scene.column_labels)
    if (label.lines.isEmpty()) widest = std::max(widest, text_width(label.text.left(64), font));
  const double upright = scene.stairs ? grown : 0.85 * size.width() / std::max(1.0, window.width()) / widest;
  return {std::max(1.0, std::min(grown, upright)), kNumbers[step]};
}

HeatmapLayout HeatmapPainter::layout(const HeatmapScene& scene, const HeatmapWindow& window, QSizeF size) {
  const auto [labels, numbers] = type_scales(scene, window, size);
  HeatmapLayout layout = layout_in(scene, window, size, labels, numbers);
  // Numbers that do not grow with their cells are better than none.
  if (!layout.values_shown && numbers > 1)
    if (HeatmapLayout small = layout_in(scene, window, size, labels, 1); small.values_shown) layout = std::move(small);
  // Names that are a little too wide for their columns are rather smaller than turned.
  const bool wall = theme().mode() == Theme::Mode::projector;
  const double smallest = !wall           ? Theme::smallest(scene.letters)
                          : scene.letters ? type::kText / type::kTitle
                                          : type::kText;
  if (layout.column_style == HeatmapLayout::ColumnLabels::turned && scene.widest_column > 0) {
    const double fits = std::floor(100 * (layout.cell_width - 2) / (labels * scene.widest_column)) / 100;
    if (fits < 1 && fits * labels >= smallest)
      if (HeatmapLayout upright = layout_in(scene, window, size, labels, layout.number_scale, fits);
          upright.column_style == HeatmapLayout::ColumnLabels::upright)
        layout = std::move(upright);
  }
  // Where rows are a little too low for their labels, these are smaller: that reads better than every second one.
  constexpr double kAir = 0.97;
  if (layout.row_stride == 1 || layout.row_labels.empty() || scene.form == HeatmapScene::Form::strip) return layout;
  // Smaller names of the columns leave more height to the rows, too.
  const double line = (wall ? kInkOfLine : 1) * layout.row_labels.front().rect.height();
  const double fits = kAir * labels * layout.cell_height / line;
  if (fits < 0.8 * smallest) return layout;
  HeatmapLayout smaller = layout_in(scene, window, size, std::max(fits, smallest), layout.number_scale);
  return smaller.row_stride == 1 ? smaller : layout;
}

HeatmapLayout HeatmapPainter::layout_in(const HeatmapScene& scene, const HeatmapWindow& window, QSizeF size,
                                        double labels, double numbers, double columns) {
  const QFont plain = label_font(scene, 1), number = number_font(numbers);
  const QFontMetricsF label_metrics(label_font(scene, labels)), cell_metrics(number);
  HeatmapInput input;
  input.size = size;
  input.rows = scene.rows;
  input.columns = scene.columns;
  input.window = window;
  for (const AxisLabel& label : scene.row_labels) input.row_labels.push_back(label.text);
  for (const AxisLabel& label : scene.column_labels) input.column_labels.push_back(label.text);
  input.text_width = [&plain, labels](const QString& text) { return labels * text_width(text, plain); };
  if (scene.widest_row < 0) scene.widest_row = widest_of(scene.row_labels, plain);
  if (scene.widest_column < 0) scene.widest_column = widest_of(scene.column_labels, plain);
  input.widest_row = labels * scene.widest_row;
  input.widest_column = columns * labels * scene.widest_column;
  input.column_scale = columns;
  input.colour_bar_labels = std::max(input.colour_bar_labels,
                                     std::ceil(text_width(QStringLiteral("−0.00"), theme().ui_font(type::kHead))) + 2);
  input.text_height = std::ceil(label_metrics.height());
  input.strip = scene.form == HeatmapScene::Form::strip;
  // From the last row a name is rather close to the next one than missing.
  input.close_rows = theme().mode() == Theme::Mode::projector;
  input.short_names = scene.short_names;
  input.stairs = scene.stairs && !input.strip;
  if (!scene.column_labels.empty() && !scene.column_labels.back().lines.isEmpty())
    input.lines = lines_size(scene.column_labels.back());
  input.folded = input.lines.isEmpty() ? -1 : scene.columns - 1;
  input.shortest_label = label_metrics.averageCharWidth() * 2.2;
  input.value_width =
      text_width(input.strip ? QStringLiteral("−9.999")
                 : scene.range == HeatmapScene::Range::unit || scene.range == HeatmapScene::Range::logarithmic
                     ? QStringLiteral(".00")
                     : QStringLiteral("-0.000"),
                 number);
  input.value_height = cell_metrics.height();
  input.bare = scene.bare;
  input.captions = !scene.bare && (!scene.row_caption.isEmpty() || !scene.column_caption.isEmpty());
  input.colour_bar = scene.colour_bar && !scene.bare;
  HeatmapLayout layout = HeatmapLayout::of(input);
  layout.label_scale = labels;
  layout.column_scale = columns * labels;
  layout.number_scale = numbers;
  return layout;
}

const CellColours& HeatmapPainter::colours(const HeatmapScene& scene) {
  if (!colours_) colours_.emplace(scene.range == HeatmapScene::Range::symmetric);
  return *colours_;
}

}  // namespace headlight
