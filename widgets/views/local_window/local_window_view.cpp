#include "widgets/views/local_window/local_window_view.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <algorithm>
#include <cmath>

#include "model/core/json_library.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/map_cursor.h"
#include "widgets/text/number_words.h"

namespace headlight {

namespace {

constexpr double kTenth = 0.1;  // of a position: a step of the slider of σ

QString shown(double sigma) { return short_number(sigma, 3); }

}  // namespace

LocalWindowView::LocalWindowView(const ViewContext& context, QWidget* parent)
    : ViewPanel(context, parent), canvas_(new LocalWindowCanvas(this)) {
  make_controls();
  build(canvas_, {560, 420}, BarPlace::below);
  set_table(&table_);
  connect(canvas_, &LocalWindowCanvas::step_chosen, this,
          [this](int step) { select(step, nth(windows_->steps, step).centre_entry, -1); });
  connect(canvas_, &LocalWindowCanvas::weight_chosen, this,
          [this](int step, int position) { select(step, nth(windows_->steps, step).weights_entry, position); });
  connect(canvas_, &LocalWindowCanvas::hill_moved, this, [this](int step, double position) {
    const int entry = nth(windows_->steps, step).centre_entry;
    if (!result() || !result()->trace || entry < 0) return;
    Intervention edit;
    edit.site = (*result()->trace)[entry].site.text;
    edit.cell = 0;
    edit.value = static_cast<Scalar>(position);
    emit requests_->edit(edit);
  });
  connect(canvas_, &LocalWindowCanvas::hovered_at, this, [this](int step, int position) {
    if (windows_) cursor().hover({step, position}, selection_);
  });
  connect(selection_, &Selection::changed, this, &LocalWindowView::follow_selection);
  connect(selection_, &Selection::hovered, this, [this] {
    if (!windows_ || !is_fresh() || canvas_->underMouse()) return;
    const MapCell place = cursor().find_hovered(*selection_);
    canvas_->set_hover(place.row, place.column);
  });
  show_texts();
}

void LocalWindowView::make_controls() {
  auto* grid = new QGridLayout(bar());
  grid->setContentsMargins(space::kMargin, 2, space::kMargin, 6);
  grid->setVerticalSpacing(2);
  half_width_label_ = new QLabel(bar());
  sigma_label_ = new QLabel(bar());
  half_width_ = new QSlider(Qt::Horizontal, bar());
  sigma_ = new QSlider(Qt::Horizontal, bar());
  half_box_ = new QCheckBox(bar());
  reset_ = new QPushButton(bar());
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

void LocalWindowView::refresh() {
  auto found = run() ? local_windows(*result()) : std::nullopt;
  windows_ = found ? std::make_shared<const LocalWindows>(std::move(*found)) : nullptr;
  canvas_->set_windows(windows_);
  show_windows();
  follow_selection();
}

void LocalWindowView::show_windows() {
  show_texts();
  show_table();
  bar()->setVisible(windows_ != nullptr);
  show_message(windows_ ? QString()
                        : reason(tr("Type a source to see where the window stands."),
                                 tr("This model looks at the whole source in each step. Choose one with local "
                                    "attention, or set “attention.reach” to local_p or local_m.")));
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
  show_settings();
}

MapCursor LocalWindowView::cursor() const { return {windows_->rows, windows_->tokens}; }

void LocalWindowView::select(int step, int entry, int position) {
  SelectionState state = cursor().selection_at({step, position});
  if (entry >= 0) {
    state.entry = entry;
    state.cell = std::max(0, position);
  }
  selection_->set(state);
}

void LocalWindowView::follow_selection() {
  if (!windows_ || !is_fresh()) return;
  const MapCell place = cursor().find(selection_->state());
  canvas_->set_place(place.row < 0 ? canvas_->step() : place.row, place.column);
}

void LocalWindowView::show_table() {
  if (!windows_) return table_.clear();
  const auto tokens = static_cast<int>(windows_->tokens.size());
  const auto at = [windows = windows_, tokens](auto value) {
    return [windows, tokens, value](int line) {
      return QVariant(
          value(*windows, static_cast<std::size_t>(line / tokens), static_cast<std::size_t>(line % tokens)));
    };
  };
  using Of = const LocalWindows&;
  using At = std::size_t;
  table_.set(static_cast<int>(windows_->steps.size()) * tokens,
             {ColumnTable::counting(tr("step"), [tokens](int line) { return line / tokens; }),
              {tr("writes"), at([](Of of, At step, At) { return from_utf8(of.rows[step].written); })},
              {tr("centre"), at([](Of of, At step, At) { return of.steps[step].centre; })},
              ColumnTable::counting(tr("position"), [tokens](int line) { return line % tokens; }),
              {tr("token"), at([](Of of, At, At position) { return from_utf8(of.tokens[position].text); })},
              {tr("inside"), at([](Of of, At step, At position) { return of.steps[step].inside[position] ? 1 : 0; })},
              {tr("before"), at([](Of of, At step, At position) { return of.steps[step].before[position]; })},
              {tr("gaussian"), at([](Of of, At step, At position) {
                 const auto& gaussian = of.steps[step].gaussian;
                 return gaussian.empty() ? QVariant() : QVariant(gaussian[position]);
               })},
              {tr("weight"), at([](Of of, At step, At position) { return of.steps[step].weights[position]; })}});
}

}  // namespace headlight
