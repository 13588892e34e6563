#include "widgets/views/local_window_view.h"

#include <QCheckBox>
#include <QEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/core/errors.h"
#include "widgets/base/export.h"
#include "widgets/base/utf8_text.h"
#include "widgets/base/view_requests.h"
#include "widgets/items/attention_words.h"

namespace headlight {

namespace {

constexpr double kTenth = 0.1;  // of a position: a step of the slider of σ

QString shown(double sigma) { return QString::number(sigma, 'g', 3); }

}  // namespace

LocalWindowView::LocalWindowView(const ViewContext& context, QWidget* parent)
    : QWidget(parent), selection_(context.selection), requests_(context.requests) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  canvas_ = new LocalWindowCanvas(this);
  message_ = new QLabel(this);
  make_controls();
  for (QWidget* each : std::initializer_list<QWidget*>{bar_, message_}) {
    each->setAutoFillBackground(true);
    each->setBackgroundRole(QPalette::Base);
  }
  message_->setTextFormat(Qt::PlainText);
  message_->setWordWrap(true);
  message_->setForegroundRole(QPalette::PlaceholderText);
  message_->setAlignment(Qt::AlignCenter);
  message_->setMargin(32);
  column->addWidget(canvas_, 1);
  column->addWidget(message_, 1);
  column->addWidget(bar_);
  setFocusProxy(canvas_);
  connect(canvas_, &LocalWindowCanvas::step_chosen, this,
          [this](int step) { select(step, windows_->steps[static_cast<std::size_t>(step)].centre_entry, -1); });
  connect(canvas_, &LocalWindowCanvas::weight_chosen, this, [this](int step, int position) {
    select(step, windows_->steps[static_cast<std::size_t>(step)].weights_entry, position);
  });
  connect(canvas_, &LocalWindowCanvas::hovered, this, [this](int step, int position) {
    const int token = windows_ && position >= 0 ? windows_->tokens[static_cast<std::size_t>(position)].token : -1;
    selection_->hover(token >= 0 ? std::optional(token) : std::nullopt, step >= 0 ? std::optional(step) : std::nullopt);
  });
  connect(selection_, &Selection::changed, this, &LocalWindowView::follow_selection);
  connect(selection_, &Selection::hovered, this, [this](std::optional<int> token, std::optional<int> step) {
    if (!windows_ || !taken_ || canvas_->underMouse()) return;
    const auto at = std::find_if(windows_->tokens.begin(), windows_->tokens.end(),
                                 [&](const AttentionToken& each) { return token && each.token == *token; });
    canvas_->set_hover(step.value_or(-1),
                       at == windows_->tokens.end() ? -1 : static_cast<int>(at - windows_->tokens.begin()));
  });
  show_texts();
}

void LocalWindowView::make_controls() {
  bar_ = new QWidget(this);
  auto* grid = new QGridLayout(bar_);
  grid->setContentsMargins(8, 2, 8, 6);
  grid->setVerticalSpacing(2);
  half_width_label_ = new QLabel(bar_);
  sigma_label_ = new QLabel(bar_);
  half_width_ = new QSlider(Qt::Horizontal, bar_);
  sigma_ = new QSlider(Qt::Horizontal, bar_);
  half_box_ = new QCheckBox(bar_);
  reset_ = new QPushButton(bar_);
  reset_->setAutoDefault(false);
  grid->addWidget(half_width_label_, 0, 0);
  grid->addWidget(half_width_, 0, 1);
  grid->addWidget(reset_, 0, 2);
  grid->addWidget(sigma_label_, 1, 0);
  grid->addWidget(sigma_, 1, 1);
  grid->addWidget(half_box_, 1, 2);
  grid->setColumnStretch(1, 1);
  half_width_->setMinimumWidth(60);
  sigma_->setMinimumWidth(60);
  connect(half_width_, &QSlider::valueChanged, this, &LocalWindowView::ask_half_width);
  connect(sigma_, &QSlider::valueChanged, this, [this](int tenths) { ask_sigma(tenths * kTenth); });
  connect(half_box_, &QCheckBox::toggled, this, [this](bool half) { ask_sigma(half ? 0 : windows_->sigma); });
  connect(reset_, &QPushButton::clicked, this, [this] {
    if (!windows_) return;
    const WindowSettings trained = windows_->trained;
    emit requests_->setting(QStringLiteral("attention.half_width"), Json(trained.half_width));
    if (windows_) emit requests_->setting(QStringLiteral("attention.sigma"), Json(trained.sigma));
  });
}

bool LocalWindowView::offers(const Result& result) {
  return result.trace && result.trace->find("decoder.step[0].attention.align") >= 0;
}

void LocalWindowView::set_result(std::shared_ptr<const Result> result) {
  result_ = std::move(result);
  taken_ = false;
  if (isVisible()) take_windows();
}

void LocalWindowView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  take_windows();
}

void LocalWindowView::take_windows() {
  if (taken_) return;
  taken_ = true;
  auto found = result_ ? local_windows(*result_) : std::nullopt;
  windows_ = found ? std::make_shared<const LocalWindows>(std::move(*found)) : nullptr;
  show_texts();
  canvas_->setVisible(windows_ != nullptr);
  bar_->setVisible(windows_ != nullptr);
  message_->setVisible(windows_ == nullptr);
  canvas_->set_windows(windows_);
  follow_selection();
}

// The sliders stand where the model is, but never jump away under a finger.
void LocalWindowView::show_settings() {
  if (!windows_) return;
  showing_ = true;
  const auto half_width = static_cast<int>(windows_->settings.half_width);
  const auto longest = std::max<int>(8, static_cast<int>(windows_->tokens.size()) - 1);
  if (!half_width_->isSliderDown()) {
    half_width_->setRange(0, std::max(longest, half_width));
    half_width_->setValue(half_width);
  }
  const auto tenths = static_cast<int>(std::lround(windows_->sigma / kTenth));
  if (!sigma_->isSliderDown()) {
    sigma_->setRange(1, std::max(100, tenths));
    sigma_->setPageStep(5);
    sigma_->setValue(tenths);
  }
  half_box_->setChecked(windows_->settings.sigma == 0);
  showing_ = false;
  for (QWidget* each : std::initializer_list<QWidget*>{sigma_label_, sigma_, half_box_})
    each->setVisible(windows_->predicted);
  half_width_label_->setText(tr("D = %1").arg(half_width));
  sigma_label_->setText(tr("σ = %1").arg(shown(windows_->sigma)));
  // Numbers of the same width, so that nothing moves under the finger.
  const QFontMetrics metrics(sigma_label_->font());
  const int wide = metrics.horizontalAdvance(tr("σ = %1").arg(QStringLiteral("0.00")));
  half_width_label_->setMinimumWidth(wide);
  sigma_label_->setMinimumWidth(wide);
  reset_->setText(tr("as trained: D = %1").arg(windows_->trained.half_width));
  reset_->setEnabled(windows_->settings != windows_->trained);
}

void LocalWindowView::ask_half_width(int value) {
  if (!showing_) emit requests_->setting(QStringLiteral("attention.half_width"), Json(value));
}

void LocalWindowView::ask_sigma(double value) {
  if (!showing_ && windows_) emit requests_->setting(QStringLiteral("attention.sigma"), Json(value));
}

void LocalWindowView::show_texts() {
  half_width_->setAccessibleName(tr("Half width D of the window"));
  half_width_->setToolTip(
      tr("How many positions to each side of its middle a step may read. The model runs again with "
         "each width; it was trained with one."));
  sigma_->setAccessibleName(tr("σ of the Gaussian, in tenths of a position"));
  sigma_->setToolTip(tr("How wide the bell is: the smaller, the more only the middle of the window counts."));
  half_box_->setText(tr("σ = D/2"));
  half_box_->setToolTip(tr("As in the paper: the bell is half as wide as the window’s half."));
  reset_->setToolTip(tr("Back to the window that the model was trained with."));
  message_->setText(!result_ ? tr("Type a source to see where the window stands.")
                             : tr("This model looks at the whole source in each step. Choose one with local attention, "
                                  "or set “attention.reach” to local_p or local_m."));
  show_settings();
}

void LocalWindowView::select(int step, int entry, int position) {
  SelectionState state;
  state.step = step;
  if (position >= 0) state.source_token = windows_->tokens[static_cast<std::size_t>(position)].token;
  if (entry >= 0) {
    state.entry = entry;
    state.cell = std::max(0, position);
  }
  selection_->set(state);
}

void LocalWindowView::follow_selection() {
  if (!windows_ || !taken_) return;
  const SelectionState& state = selection_->state();
  int position = -1;
  for (std::size_t j = 0; state.source_token && j < windows_->tokens.size(); ++j)
    if (windows_->tokens[j].token == *state.source_token) position = static_cast<int>(j);
  canvas_->set_place(state.step.value_or(canvas_->step()), position);
}

MatrixModel* LocalWindowView::table_model() {
  take_windows();
  std::vector<float> values;
  QStringList rows, columns;
  if (windows_) {
    for (const AttentionToken& token : windows_->tokens) columns << axis_label(token).name;
    for (std::size_t t = 0; t < windows_->steps.size(); ++t) {
      rows << axis_label(windows_->rows[t], true).name;
      for (const double weight : windows_->steps[t].weights) values.push_back(static_cast<float>(weight));
    }
  }
  table_.set_matrix(static_cast<int>(rows.size()), static_cast<int>(columns.size()), std::move(values));
  table_.set_labels(rows, columns);
  return &table_;
}

void LocalWindowView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) show_texts();
  QWidget::changeEvent(event);
}

void LocalWindowView::export_to(const QString& path) const {
  if (!canvas_->windows()) throw UsageError(message_->text().toStdString());
  if (QFileInfo(path).suffix().compare("csv", Qt::CaseInsensitive) == 0) {
    QString text = "step,writes,centre,position,token,inside,before,gaussian,weight\r\n";
    for (std::size_t t = 0; t < windows_->steps.size(); ++t) {
      const LocalWindowStep& step = windows_->steps[t];
      for (std::size_t j = 0; j < windows_->tokens.size(); ++j)
        text += QStringList{QString::number(t),
                            csv_field(from_utf8(windows_->rows[t].written)),
                            csv_number(step.centre),
                            QString::number(j),
                            csv_field(from_utf8(windows_->tokens[j].text)),
                            step.inside[j] ? QStringLiteral("1") : QStringLiteral("0"),
                            csv_number(step.before[j]),
                            step.gaussian.empty() ? QString() : csv_number(step.gaussian[j]),
                            csv_number(step.weights[j])}
                    .join(',') +
                "\r\n";
    }
    return export_bytes(path, text.toUtf8());
  }
  PictureOptions options;
  options.title = canvas_->accessibleName();
  export_picture(
      path, canvas_->picture_size(), [this](QPainter& painter) { canvas_->paint_picture(painter); }, options);
}

}  // namespace headlight
