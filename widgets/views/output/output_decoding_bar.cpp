// The controls of decoding.
#include "widgets/views/output/output_decoding_bar.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "widgets/base/controls.h"
#include "widgets/base/flow_layout.h"
#include "widgets/base/segments.h"
#include "widgets/base/tokens.h"
#include "widgets/base/view_requests.h"

namespace headlight {

namespace {

constexpr double kColdest = 0.1, kHottest = 2;
constexpr int kWidest = 16;
constexpr int kLargestSeed = 9'999'999;  // that can be typed; others are kept, and shown as this one

}  // namespace

double DecodingBar::temperature_at(int place) {
  if (place <= 0) return 0;
  const double share = (place - 1.0) / (kLastPlace - 1.0);
  return std::round(100 * kColdest * std::pow(kHottest / kColdest, share)) / 100;
}

int DecodingBar::place_of_temperature(double temperature) {
  if (!(temperature > kColdest / 2)) return 0;
  const double share = std::log(std::clamp(temperature, kColdest, kHottest) / kColdest) / std::log(kHottest / kColdest);
  return 1 + static_cast<int>(std::lround(share * (kLastPlace - 1)));
}

DecodingBar::DecodingBar(ViewRequests* requests, QWidget* parent) : QWidget(parent), requests_(requests) {
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  auto* flow = new FlowLayout(this);
  flow->setContentsMargins(0, 4, space::kMargin, 2);
  build_kinds();
  build_sampling();
  build_beam();
  build_forced();
  show_texts();
  show_settings();
}

void DecodingBar::build_kinds() {
  kinds_ = new Segments(this);
  kinds_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  layout()->addWidget(kinds_);
  connect(kinds_, &Segments::chosen, this, [this](int kind) {
    if (settings_.kind == static_cast<Kind>(kind)) return;
    settings_.kind = static_cast<Kind>(kind);
    ask();
  });
}

// Beams cannot be followed while the run is edited.
void DecodingBar::name_kinds() {
  const bool beam = !edited_ || settings_.kind == Kind::beam;
  kinds_->set_choices(
      {{tr("Greedy decoding"), tr("Greedy: always writes the most probable next token."), true, tr("greedy")},
       {tr("Sampling"),
        tr("Sample: draws the next token, so that probable tokens come often and "
           "others now and then. The seed makes a draw repeatable."),
        true, tr("sample")},
       {tr("Beam search"),
        tr("Beam search: keeps the best few beginnings side by side and chooses the best whole output.\nNot while "
           "values of the run are edited: what was tried beside the winner is not recorded, so an edit could not "
           "reach it."),
        beam, tr("beam")}});
  kinds_->set_words(tr("Decoding"), {});
  kinds_->set_current(static_cast<int>(settings_.kind));
}

DecodingBar::Group& DecodingBar::add_group(Kind kind, const std::vector<QWidget*>& controls) {
  Group group;
  group.kind = kind;
  group.box = new QWidget(this);
  auto* row = row_in(group.box, 4);
  group.name = new QLabel(group.box);
  group.name->setTextFormat(Qt::PlainText);
  row->addWidget(group.name);
  for (QWidget* control : controls) row->addWidget(control);
  group.controls = controls;
  group.name->setBuddy(controls.front());
  layout()->addWidget(group.box);
  groups_.push_back(group);
  return groups_.back();
}

QDoubleSpinBox* DecodingBar::number_box(double largest, double step) {
  auto* box = new QDoubleSpinBox(this);
  box->setRange(0, largest);
  box->setSingleStep(step);
  box->setDecimals(2);
  return box;
}

// What stands in the box is asked for.
template <class Box, class Setting>
void DecodingBar::bind(Box* box, Setting* setting) {
  connect(box, &Box::valueChanged, this, [this, setting](auto value) {
    if (showing_) return;
    *setting = static_cast<Setting>(value);
    ask();
  });
}

void DecodingBar::build_sampling() {
  temperature_ = new QSlider(Qt::Horizontal, this);
  temperature_->setRange(0, kLastPlace);
  temperature_->setMinimumWidth(90);
  temperature_text_ = new QLabel(this);
  temperature_text_->setTextFormat(Qt::PlainText);
  add_group(Kind::sample, {temperature_, temperature_text_});
  top_k_ = new QSpinBox(this);
  top_k_->setRange(0, 999);
  add_group(Kind::sample, {top_k_});
  top_p_ = number_box(1, 0.05);
  top_p_->setMinimum(0.01);
  add_group(Kind::sample, {top_p_});
  seed_box_ = new QSpinBox(this);
  seed_box_->setRange(0, kLargestSeed);
  draw_again_ = new QToolButton(this);
  draw_again_->setFocusPolicy(Qt::StrongFocus);
  add_group(Kind::sample, {seed_box_, draw_again_});
  connect(temperature_, &QSlider::valueChanged, this, [this](int place) {
    if (showing_) return;
    settings_.sampling.temperature = temperature_at(place);
    ask();
  });
  bind(top_k_, &settings_.sampling.top_k);
  bind(top_p_, &settings_.sampling.top_p);
  bind(seed_box_, &seed_);
  connect(draw_again_, &QToolButton::clicked, this, [this] {
    ++seed_;
    ask();
  });
}

void DecodingBar::build_beam() {
  width_ = new QSpinBox(this);
  width_->setRange(1, kWidest);
  add_group(Kind::beam, {width_});
  norm_ = new QComboBox(this);
  for (const LengthNorm norm : {LengthNorm::wu16, LengthNorm::power, LengthNorm::none})
    norm_->addItem(QString(), static_cast<int>(norm));
  alpha_ = number_box(5, 0.1);
  add_group(Kind::beam, {norm_, alpha_});
  beta_ = number_box(5, 0.1);
  add_group(Kind::beam, {beta_});
  bind(width_, &settings_.beam.width);
  connect(norm_, &QComboBox::activated, this, [this](int at) {
    settings_.beam.length_norm = static_cast<LengthNorm>(norm_->itemData(at).toInt());
    ask();
  });
  bind(alpha_, &settings_.beam.alpha);
  bind(beta_, &settings_.beam.beta);
}

void DecodingBar::build_forced() {
  by_stages_ = new QLabel(this);
  by_stages_->setTextFormat(Qt::PlainText);
  by_stages_->setForegroundRole(QPalette::PlaceholderText);
  layout()->addWidget(by_stages_);
  forced_box_ = new QWidget(this);
  auto* row = row_in(forced_box_, 6);
  forced_text_ = new QLabel(forced_box_);
  forced_text_->setTextFormat(Qt::PlainText);
  forced_text_->setForegroundRole(QPalette::PlaceholderText);
  let_choose_ = new QPushButton(forced_box_);
  row->addWidget(forced_text_);
  row->addWidget(let_choose_);
  layout()->addWidget(forced_box_);
  connect(let_choose_, &QPushButton::clicked, this, [this] { emit requests_->target(std::nullopt); });
}

// What is chosen here takes the place of settings of generation_config.json.
void DecodingBar::ask() {
  settings_.generation.reset();
  show_settings();
  emit requests_->decoding(settings_, seed_);
}

void DecodingBar::set_result(const Result& result) {
  settings_ = result.decode;
  seed_ = result.seed;
  edited_ = !result.interventions.empty();
  forced_ = result.target.has_value();
  all_forced_ = forced_ && !result.prefix;
  show_settings();
}

void DecodingBar::show_settings() {
  showing_ = true;
  name_kinds();
  kinds_->setVisible(!all_forced_);
  forced_box_->setVisible(forced_);
  forced_text_->setText(all_forced_ ? tr("The output is forced.") : tr("Its beginning is forced."));
  by_stages_->setVisible(!all_forced_ && settings_.generation);
  for (const Group& group : groups_)
    group.box->setVisible(!all_forced_ && !settings_.generation && group.kind == settings_.kind);
  // Whoever drags keeps the slider: its place is finer than the rounded temperature.
  if (temperature_at(temperature_->value()) != settings_.sampling.temperature)
    temperature_->setValue(place_of_temperature(settings_.sampling.temperature));
  temperature_text_->setText(QString::number(settings_.sampling.temperature, 'f', 2));
  top_k_->setValue(static_cast<int>(settings_.sampling.top_k));
  // A number of more digits than the box shows is not rounded by being shown.
  const auto set = [](QDoubleSpinBox* box, double value) {
    if (std::abs(box->value() - value) > 0.004) box->setValue(value);
  };
  set(top_p_, settings_.sampling.top_p);
  seed_box_->setValue(static_cast<int>(std::min<std::uint64_t>(seed_, kLargestSeed)));
  width_->setValue(static_cast<int>(settings_.beam.width));
  norm_->setCurrentIndex(norm_->findData(static_cast<int>(settings_.beam.length_norm)));
  set(alpha_, settings_.beam.alpha);
  alpha_->setVisible(settings_.beam.length_norm != LengthNorm::none);
  set(beta_, settings_.beam.beta);
  showing_ = false;
}

void DecodingBar::explain(QWidget* control, const QString& name, const QString& help) {
  describe(control, name, help);
  control->setAccessibleDescription(help);
}

void DecodingBar::show_texts() {
  name_kinds();
  const auto name = [this](std::size_t group, const QString& text, const QString& help) {
    groups_[group].name->setText(text);
    groups_[group].name->setToolTip(help);
    explain(groups_[group].controls.front(), text, help);
  };
  name(0, tr("temperature"),
       tr("Temperature: below 1 the model is more sure of itself, above 1 it tries unlikely "
          "tokens. At 0 it always takes the most probable one."));
  name(1, tr("top-k"), tr("Top-k: draw only from the k most probable tokens."));
  name(2, tr("top-p"), tr("Top-p: draw only from the fewest tokens that together have at least this probability."));
  name(3, tr("seed"), tr("Seed: the same number draws the same output again."));
  explain(draw_again_, tr("Draw again"), tr("Draw again: another seed, another output."));
  draw_again_->setText(QStringLiteral("⚄"));
  top_k_->setSpecialValueText(tr("all"));
  name(4, tr("beams"), tr("Beams: how many beginnings are kept at each step. 1 is greedy decoding."));
  name(5, tr("length"),
       tr("Every token makes an output less probable, so plain beam search likes short ones. The score is divided by a "
          "length penalty: ((5 + length) / 6)^α (Wu et al. 2016), length^α (Gehring et al. 2017), or none."));
  const QString norms[] = {tr("Wu et al."), tr("power"), tr("none")};
  for (int i = 0; i < 3; ++i) norm_->setItemText(i, norms[i]);
  explain(alpha_, tr("α of the length penalty"),
          tr("α: the larger, the more long outputs are favoured. 0: no penalty."));
  alpha_->setPrefix(QStringLiteral("α "));
  name(6, tr("coverage"),
       tr("Coverage β: takes score away from outputs that hardly looked at some word of the source. "
          "0: no penalty (Wu et al. 2016)."));
  beta_->setPrefix(QStringLiteral("β "));
  explain(forced_text_, tr("The output is forced."),
          tr("You said what the model should write; it shows how probable that is."));
  by_stages_->setText(tr("By the stages that Choosing shows."));
  let_choose_->setText(tr("Let the model choose"));
  let_choose_->setToolTip(tr("Take the forced output back."));
  temperature_text_->setMinimumWidth(temperature_text_->fontMetrics().horizontalAdvance(QStringLiteral("0.00")));
}

void DecodingBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange) show_texts();
  QWidget::changeEvent(event);
}

}  // namespace headlight
