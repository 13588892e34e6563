// The parts of the stepper view: transport buttons, heading, pictures.

#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "widgets/base/controls.h"
#include "widgets/base/flow_layout.h"
#include "widgets/base/text_button.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/views/stepper/stepper_parts.h"
#include "widgets/views/stepper/stepper_view.h"

namespace headlight {

StepperView::StepperView(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  auto* layout = column_in(this, 2);
  layout->setContentsMargins(space::kMargin, 4, space::kMargin, 2);
  controls_ = build_controls();
  controls_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);  // the pictures give way
  layout->addWidget(controls_);
  scroll_ = new TallArea(this);
  body_ = new QWidget(scroll_);
  auto* column = column_in(body_, 2);
  column->setContentsMargins(0, 0, 4, 0);
  heading_ = build_heading();
  column->addWidget(heading_);
  column->addWidget(build_pictures());
  column->addStretch(1);
  scroll_->setWidget(body_);
  scroll_->setMinimumHeight(1);  // it scrolls: what stands above it keeps its height
  layout->addWidget(scroll_, 1);
  empty_ = text_label(this);
  empty_->setAlignment(Qt::AlignCenter);
  layout->addWidget(empty_, 1);

  timer_.setTimerType(Qt::PreciseTimer);
  connect(&timer_, &QTimer::timeout, this, [this] {
    next();
    if (!trace_ || position_ + 1 >= trace_->size()) pause();
  });
  theme().restyles(this, [this] { retranslate(); });
  retranslates(this, [this] {
    history_kind_.clear();
    retranslate();
  });
  retranslate();
  set_speed(speed_);
  stride_box_->setCurrentIndex(stride_ == Stride::value ? 0 : 1);
  refresh();
}

QWidget* StepperView::build_controls() {
  auto* box = new QWidget(this);
  auto* column = column_in(box, 1);
  auto* row = new QHBoxLayout;
  row->setSpacing(2);
  const auto button = [&](void (StepperView::*slot)()) {
    auto* b = new QToolButton(box);
    b->setAutoRaise(true);
    b->setIconSize({16, 16});
    connect(b, &QToolButton::clicked, this, slot);
    row->addWidget(b);
    return b;
  };
  first_ = button(&StepperView::first);
  previous_ = button(&StepperView::previous);
  play_ = button(&StepperView::toggle_play);
  next_ = button(&StepperView::next);
  last_ = button(&StepperView::last);
  row->addSpacing(6);
  stride_box_ = new QComboBox(box);
  stride_box_->addItems({QString(), QString()});
  stride_box_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  connect(stride_box_, &QComboBox::activated, this,
          [this](int i) { set_stride(i == 0 ? Stride::value : Stride::output_step); });
  row->addWidget(stride_box_);
  row->addSpacing(6);
  speed_slider_ = new QSlider(Qt::Horizontal, box);
  speed_slider_->setRange(0, 100);
  speed_slider_->setMinimumWidth(36);
  speed_slider_->setMaximumWidth(130);
  speed_label_ = new QLabel(box);
  speed_label_->setTextFormat(Qt::PlainText);
  speed_label_->setMinimumWidth(speed_label_->fontMetrics().horizontalAdvance(QStringLiteral("0.55 / s")));
  connect(speed_slider_, &QSlider::valueChanged, this,
          [this](int place) { set_speed(kSlowest * std::pow(kFastest / kSlowest, place / 100.0)); });
  row->addWidget(speed_slider_, 1);
  row->addWidget(speed_label_);
  row->addStretch(1);
  count_ = new QLabel(box);
  count_->setTextFormat(Qt::PlainText);
  count_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  column->addLayout(row);
  auto* second = new QHBoxLayout;
  second->setSpacing(10);
  position_slider_ = new QSlider(Qt::Horizontal, box);
  position_slider_->setMinimumWidth(60);
  connect(position_slider_, &QSlider::valueChanged, this, &StepperView::set_position);
  second->addWidget(position_slider_, 1);
  second->addWidget(count_);
  column->addLayout(second);
  return box;
}

QWidget* StepperView::build_heading() {
  auto* box = new QWidget(this);
  auto* column = column_in(box, 1);
  auto* first = new FlowLayout(nullptr, 10, 1);
  title_ = new LineLabel(box);
  site_ = new LineLabel(box);
  first->addWidget(title_);
  first->addWidget(site_);
  auto* second = new FlowLayout(nullptr, 12, 1);
  formula_ = new QLabel(box);
  formula_->setTextFormat(Qt::RichText);  // only ever a formula of the catalogue
  formula_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  flow_ = new LineLabel(box);
  second->addWidget(formula_);
  second->addWidget(flow_);
  help_ = new LineLabel(box);
  column->addLayout(first);
  column->addLayout(second);
  column->addWidget(help_);
  return box;
}

void StepperView::set_icons() {
  const QColor color = theme().text();
  first_->setIcon(transport_icon("|<", color));
  previous_->setIcon(transport_icon("<|", color));
  play_->setIcon(transport_icon(playing() ? "||" : ">", color));
  next_->setIcon(transport_icon("|>", color));
  last_->setIcon(transport_icon(">|", color));
  describe(play_, playing() ? tr("Pause") : tr("Play"),
           playing() ? tr("Pause (Space)") : tr("Play: walk through the computation (Space)"));
}

// Everything that depends on language, theme or font size.
void StepperView::retranslate() {
  describe(first_, tr("First operation"), tr("To the first operation (Home)"));
  describe(previous_, tr("Previous operation"), tr("One step back (Left)"));
  describe(next_, tr("Next operation"), tr("One step on (Right)"));
  describe(last_, tr("Last operation"), tr("To the end: everything is computed (End)"));
  describe(stride_box_, tr("Size of a step"),
           tr("How far one step goes: to the next value, or until the next token is written"));
  stride_box_->setItemText(0, tr("by value"));
  stride_box_->setItemText(1, tr("by output step"));
  describe(speed_slider_, tr("Speed"), tr("Steps per second while playing (Ctrl+Up, Ctrl+Down)"));
  describe(position_slider_, tr("Position in the computation"),
           tr("Where in the computation you are. Page Up and Page Down go to the next written token."));
  empty_->setText(tr("Type a source text. Then walk through its computation here, one operation at a time."));
  title_->setFont(theme().ui_font(type::kTitle));
  site_->setFont(theme().token_font(type::kSource));
  help_->setFont(theme().ui_font(type::kSource));
  formula_->setFont(theme().ui_font());
  for (QWidget* widget : {static_cast<QWidget*>(flow_), static_cast<QWidget*>(given_),
                          static_cast<QWidget*>(result_name_), static_cast<QWidget*>(history_name_)})
    widget->setFont(theme().ui_font(type::kSource));
  for (QLabel* label : {static_cast<QLabel*>(site_), static_cast<QLabel*>(flow_), given_, empty_, count_, speed_label_})
    set_ink(label, &Tokens::ink2);
  for (QLabel* label : {static_cast<QLabel*>(title_), static_cast<QLabel*>(help_), formula_})
    set_ink(label, &Tokens::ink);
  for (InputPanel& panel : inputs_) panel.name->setFont(theme().ui_font(type::kSource));
  set_speed(speed_);
  set_icons();
  refresh();
}

}  // namespace headlight
