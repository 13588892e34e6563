#include "app/classroom/lesson_chart_picture.h"

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QSlider>
#include <algorithm>
#include <cmath>

#include "app/classroom/answers/typed_fields.h"
#include "app/classroom/lesson_curve_picture.h"
#include "widgets/base/controls.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/plot/line_chart.h"
#include "widgets/text/number_words.h"

namespace headlight {

namespace {

QString shown(double value) { return plain_number(value, std::abs(value) < 9.995 ? 2 : 1); }

LineChart lines_of(const ChartResult& result, const LessonChart& measured, const StepWords& words) {
  LineChart chart;
  if (measured.measure == LessonChart::Measure::exact_match) chart.y_range = {0, 1};  // shares
  chart.title = chart_word(words, "title");
  chart.x_title = chart_word(words, "x");
  chart.y_title = chart_word(words, "y");
  for (const ChartSeries& series : result.series) {
    chart.series.push_back({chart_word(words, series.name, series.name), series.x, series.y});
    if (!chart.x_labels.empty()) continue;
    for (std::size_t i = 0; i < std::min(series.labels.size(), series.x.size()); ++i)
      chart.x_labels.emplace_back(series.x[i],
                                  series.labels[i] == " " ? QStringLiteral("␣") : from_utf8(series.labels[i]));
  }
  // Between tokens, rules or the classes of a histogram there is nothing that a line could say.
  chart.bars = result.histogram || !chart.x_labels.empty();
  return chart;
}

QString widest_number() { return QStringLiteral("−0.00"); }

// From zero to the value, on a bed that ends at `most` (and begins at -most where something is negative).
void paint_bar(QPainter& painter, const QRectF& place, double value, double most, bool has_minus) {
  const Tokens& t = tokens();
  const Theme& theme = Theme::instance();
  const QString text = shown(value);
  painter.setFont(theme.ui_font());
  const double number = text_width(widest_number(), painter.font()) + 6;
  const QRectF bed(place.left(), place.center().y() - 7, std::max(8.0, place.width() - number), 14);
  painter.fillRect(bed, t.bed);
  const double zero = has_minus ? bed.center().x() : bed.left(), unit = (has_minus ? 0.5 : 1) * bed.width() / most;
  const double end = zero + std::clamp(value, -most, most) * unit;
  painter.fillRect(QRectF(QPointF(std::min(zero, end), bed.top()), QPointF(std::max(zero, end), bed.bottom())),
                   theme.weight(0.75));
  if (has_minus) painter.fillRect(QRectF(zero - 0.5, bed.top() - 2, 1, bed.height() + 4), t.edge);
  painter.setPen(t.ink);
  painter.drawText(QRectF(bed.right(), place.top(), number, place.height()), Qt::AlignRight | Qt::AlignVCenter, text);
}

// One scale for all bars: shares end at 1.
std::pair<double, bool> scale_of(const ChartResult& result) {
  double most = 1;
  bool has_minus = false;
  for (const ChartSeries& series : result.series)
    for (const double y : series.y) {
      most = std::max(most, std::abs(y));
      has_minus = has_minus || y < 0;
    }
  return {most, has_minus};
}

void paint_sliders(const ChartResult& result, const LessonChart& chart, const StepWords& words, QPainter& painter,
                   QSize size) {
  const Tokens& t = tokens();
  const QFont font = Theme::instance().ui_font(), strong = Theme::instance().ui_font(type::kTitle);
  const double line = QFontMetricsF(font).height() + 10, left = 0.3 * size.width(), middle = 0.3 * size.width();
  double y = 0;
  painter.setPen(t.ink);
  painter.setFont(strong);
  painter.drawText(QRectF(0, y, size.width(), line), Qt::AlignLeft | Qt::AlignVCenter, chart_word(words, "title"));
  y += line;
  const auto [most, has_minus] = scale_of(result);
  const auto text = [&](double x, double width, const QString& what) {
    painter.setFont(font);
    painter.setPen(t.ink);
    painter.drawText(QRectF(x, y, width - 8, line), Qt::AlignLeft | Qt::AlignVCenter, what);
  };
  const auto bar = [&](const std::string& name) {
    const auto found = std::ranges::find(result.series, name, &ChartSeries::name);
    if (found == result.series.end()) return false;
    paint_bar(painter, QRectF(left + middle, y, size.width() - left - middle, line), found->y.front(), most, has_minus);
    return true;
  };
  for (const LessonChart::Slider& slider : chart.sliders) {
    const auto at = result.sliders.find(slider.name);
    const double value = at == result.sliders.end() ? slider.from : at->second;
    text(0, left, chart_word(words, slider.name, slider.name));
    const double width = middle - 70, x = left + width * (value - slider.from) / (slider.to - slider.from);
    painter.fillRect(QRectF(left, y + line / 2 - 1, width, 2), t.edge);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.ink);
    painter.drawEllipse(QPointF(x, y + line / 2), 5, 5);
    text(left + width + 12, 60, shown(value));
    bar(slider.name);
    y += line;
  }
  for (const ChartSeries& series : result.series) {
    if (std::ranges::find(chart.sliders, series.name, &LessonChart::Slider::name) != chart.sliders.end()) continue;
    text(0, left + middle, chart_word(words, series.name, series.name));
    bar(series.name);
    y += line;
  }
}

}  // namespace

constexpr double kLeast = 360;  // pixels across that a chart needs in letters of usual size

// Curves have a row of bars below them.
double lesson_chart_height(const LessonChart& chart) {
  constexpr double kHigh = 230, kWithBars = 340;
  return chart.measure == LessonChart::Measure::curve ? kWithBars : kHigh;
}

void paint_lesson_chart(const ChartResult& result, const LessonChart& chart, const StepWords& words, QPainter& painter,
                        QSize size) {
  if (chart.measure == LessonChart::Measure::sliders)
    paint_sliders(result, chart, words, painter, size);
  else if (chart.measure == LessonChart::Measure::curve)
    paint_lesson_curve(result, chart, words, painter, size);
  else
    paint_line_chart(lines_of(result, chart, words), painter, size);
}

LessonChartPicture::LessonChartPicture(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("lesson_chart"));
  fit();
  connect(&Theme::instance(), &Theme::changed, this, &LessonChartPicture::fit);
}

// Title, axes and legend grow with the letters, and the lines want room as well.
void LessonChartPicture::fit() {
  const double letters = Theme::instance().font_scale(), usual = lesson_chart_height(chart_);
  const int high =
      static_cast<int>(std::max(usual * (0.6 + 0.4 * letters), usual * std::min(letters, width() / kLeast)));
  if (minimumHeight() != high) setMinimumHeight(high);
}

void LessonChartPicture::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

void LessonChartPicture::set(const ChartResult& result, const LessonChart& chart, const StepWords& words) {
  result_ = result;
  chart_ = chart;
  words_ = words;
  fit();
  setCursor(asks() ? Qt::SizeHorCursor : Qt::ArrowCursor);
  if (chart.measure == LessonChart::Measure::curve) {
    setAccessibleName(chart_word(words, "title"));
    setAccessibleDescription(curve_in_words(result, chart, words));
    return update();
  }
  const LineChart lines = lines_of(result, chart, words);
  QString all = lines.title;
  for (std::size_t k = 0; k < lines.series.size(); ++k) {
    const LineSeries& series = lines.series[k];
    all += QStringLiteral("\n") + series.name + QStringLiteral(":");
    for (std::size_t i = 0; i < std::min<std::size_t>(series.x.size(), 30); ++i)
      all += QStringLiteral(" %1 %2;")
                 .arg(i < lines.x_labels.size() ? lines.x_labels[i].second : short_number(series.x[i]))
                 .arg(short_number(series.y[i], 3));
  }
  setAccessibleName(lines.title);
  setAccessibleDescription(all);
  update();
}

void LessonChartPicture::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const double scale = this->scale();
  painter.scale(scale, scale);
  if (result_) paint_lesson_chart(*result_, chart_, words_, painter, (QSizeF(size()) / scale).toSize());
}

// Beside a picture there is less room than large letters need: lines come before letters.
double LessonChartPicture::scale() const { return std::min(1.0, width() / (kLeast * Theme::instance().font_scale())); }

// A slider "x" is the line in a picture of curves.
bool LessonChartPicture::asks() const {
  return chart_.measure == LessonChart::Measure::curve &&
         std::ranges::find(chart_.sliders, "x", &LessonChart::Slider::name) != chart_.sliders.end();
}

void LessonChartPicture::mousePressEvent(QMouseEvent* event) { ask(*event); }
void LessonChartPicture::mouseMoveEvent(QMouseEvent* event) { ask(*event); }

void LessonChartPicture::ask(const QMouseEvent& event) {
  if (!asks() || !(event.buttons() & Qt::LeftButton)) return;
  emit asked(asked_at(chart_, words_, (QSizeF(size()) / scale()).toSize(), event.position().x() / scale()));
}

namespace {

class Bar : public QWidget {
 public:
  Bar(const QString& name, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("lesson_bar"));
    setAccessibleName(name);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  }
  void set(double value, double most, bool has_minus) {
    value_ = value, most_ = most, has_minus_ = has_minus;
    setAccessibleDescription(shown(value));
    update();
  }
  QSize sizeHint() const override {
    const QFontMetrics metrics(Theme::instance().ui_font());
    return {metrics.horizontalAdvance(widest_number()) + 50, metrics.height() + 6};
  }
  QSize minimumSizeHint() const override { return {sizeHint().width() - 30, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    paint_bar(painter, rect(), value_, most_, has_minus_);
  }

 private:
  double value_ = 0, most_ = 1;
  bool has_minus_ = false;
};

}  // namespace

LessonSliders::LessonSliders(const LessonChart& chart, const StepWords& words, QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("lesson_sliders"));
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(space::kSmall);
  grid->setVerticalSpacing(space::kTight);
  grid->setColumnStretch(1, 1);
  grid->setColumnStretch(3, 2);
  const auto words_label = [this](const QString& text) {
    QLabel* label = text_label(this);
    label->setText(text);
    return label;
  };
  int row = 0;
  // Curves stand above, with the title.
  const bool bars = chart.measure == LessonChart::Measure::sliders;
  if (!bars) grid->setColumnStretch(3, 0);
  if (const QString title = chart_word(words, "title"); bars && !title.isEmpty()) {
    grid->addWidget(words_label(title), row++, 0, 1, 4);
  }
  for (const LessonChart::Slider& each : chart.sliders) {
    const QString name = chart_word(words, each.name, each.name);
    QLabel* label = words_label(name);
    auto* control = new QSlider(Qt::Horizontal, this);
    control->setObjectName(QStringLiteral("slider_") + QString::fromStdString(each.name));
    control->setRange(0, static_cast<int>(std::lround((each.to - each.from) / each.step)));
    control->setPageStep(std::max(1, control->maximum() / 10));
    control->setAccessibleName(name);
    auto* field = new QDoubleSpinBox(this);
    field->setObjectName(QStringLiteral("field_") + QString::fromStdString(each.name));
    field->setRange(each.from, each.to);
    field->setSingleStep(each.step);
    field->setDecimals(decimals_of(each.step));
    field->setAccessibleName(name);
    field->setKeyboardTracking(false);  // a number that is half typed is none
    grid->addWidget(label, row, 0, 1, 2);
    grid->addWidget(field, row, 2);
    if (bars && std::ranges::find(chart.y, each.name, &NamedExpression::name) != chart.y.end())
      bars_[each.name] = add_bar(grid, row, name);
    grid->addWidget(control, ++row, 0, 1, 4);  // as long as there is room: a hand finds a place on it
    ++row;
    rows_.push_back({each, control, field});
    connect(control, &QSlider::valueChanged, this, [this, at = rows_.size() - 1] {
      const Row& moved_row = rows_[at];
      const QSignalBlocker block(moved_row.field);
      moved_row.field->setValue(moved_row.slider.from + moved_row.control->value() * moved_row.slider.step);
      if (!showing_) emit moved();
    });
    connect(field, &QDoubleSpinBox::valueChanged, this, [this, at = rows_.size() - 1](double value) {
      const Row& typed_row = rows_[at];
      const QSignalBlocker block(typed_row.control);
      typed_row.control->setValue(
          static_cast<int>(std::lround((value - typed_row.slider.from) / typed_row.slider.step)));
      if (!showing_) emit moved();
    });
  }
  for (const NamedExpression& each : chart.y) {
    if (!bars || bars_.contains(each.name)) continue;
    const QString name = chart_word(words, each.name, each.name);
    grid->addWidget(words_label(name), row, 0, 1, 3);
    bars_[each.name] = add_bar(grid, row++, name);
  }
}

QWidget* LessonSliders::add_bar(QGridLayout* grid, int row, const QString& name) {
  auto* bar = new Bar(name, this);
  grid->addWidget(bar, row, 3);
  return bar;
}

void LessonSliders::show_result(const ChartResult& result) {
  showing_ = true;
  for (const Row& row : rows_) {
    const auto found = result.sliders.find(row.slider.name);
    if (found == result.sliders.end() || row.control->isSliderDown()) continue;
    const int at = static_cast<int>(std::lround((found->second - row.slider.from) / row.slider.step));
    // A start between two places of the slider stays what it is until it is moved.
    row.control->setValue(at);
    if (!row.field->hasFocus()) row.field->setValue(found->second);
  }
  showing_ = false;
  const auto [most, has_minus] = scale_of(result);
  for (const ChartSeries& series : result.series)
    if (const auto found = bars_.find(series.name); found != bars_.end())
      static_cast<Bar*>(found->second)->set(series.y.front(), most, has_minus);
}

void LessonSliders::move(const std::string& name, double value) {
  for (const Row& row : rows_)
    if (row.slider.name == name)
      row.control->setValue(static_cast<int>(std::lround((value - row.slider.from) / row.slider.step)));
}

std::map<std::string, double> LessonSliders::values() const {
  std::map<std::string, double> values;
  for (const Row& row : rows_) values[row.slider.name] = row.field->value();
  return values;
}

}  // namespace headlight
