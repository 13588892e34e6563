#include "widgets/views/choosing/choosing_bar.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "model/core/errors.h"
#include "model/core/json_library.h"
#include "model/decode/token_chooser.h"
#include "widgets/base/controls.h"
#include "widgets/base/flow_layout.h"
#include "widgets/base/segments.h"
#include "widgets/base/tokens.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/number_words.h"
#include "widgets/views/choosing/choosing_step.h"
#include "widgets/views/choosing/choosing_words.h"

namespace headlight {

namespace {

using FieldFor = ChoosingBar::Field::For;

constexpr const char* kBeams = "num_beams";
constexpr const char* kMostNew = "max_new_tokens";

// In the order of the stages.
constexpr ChoosingBar::Field kFields[] = {
    {"temperature", FieldFor::sample, 0.01, 10, 0.1, 2, 1, 0.7, true},
    {"top_k", FieldFor::sample, 0, 100'000, 1, 0, 0, 20, true},
    {"top_p", FieldFor::sample, 0, 1, 0.05, 3, 1, 0.9, true},
    {"min_p", FieldFor::sample, 0, 1, 0.01, 3, 0, 0.05, true},
    {"typical_p", FieldFor::sample, 0, 1, 0.05, 3, 1, 0.9, true},
    {kBeams, FieldFor::beam, 2, 16, 1, 0, 1, 1, true},
    {"length_penalty", FieldFor::beam, -5, 5, 0.1, 2, 1, 1, true},
    {"repetition_penalty", FieldFor::all, 0.1, 10, 0.05, 2, 1, 1.2, true},
    {"no_repeat_ngram_size", FieldFor::all, 0, 100, 1, 0, 0, 3, true},
    {kMostNew, FieldFor::all, 1, 512, 1, 0, 0, 0, true},
    {"frequency_penalty", FieldFor::all, -10, 10, 0.1, 2, 0, 0.5, false},
    {"presence_penalty", FieldFor::all, -10, 10, 0.1, 2, 0, 0.5, false},
    {"min_new_tokens", FieldFor::all, 0, 512, 1, 0, 0, 5, false},
    {"top_h", FieldFor::sample, 0, 1, 0.05, 3, 0, 0.5, false},
    {"epsilon_cutoff", FieldFor::sample, 0, 1, 0.001, 4, 0, 0.01, false},
    {"eta_cutoff", FieldFor::sample, 0, 1, 0.001, 4, 0, 0.01, false},
};

double value_at(const Json& keys, const ChoosingBar::Field& field) {
  const auto found = keys.find(field.key);
  return found != keys.end() && found->is_number() ? found->get<double>() : field.nothing;
}

Json number_of(const ChoosingBar::Field& field, double value) {
  if (field.decimals == 0) return static_cast<std::int64_t>(std::llround(value));
  const double places = std::pow(10, field.decimals);
  return std::round(value * places) / places;
}

}  // namespace

std::span<const ChoosingBar::Field> ChoosingBar::fields() { return kFields; }

ChoosingBar::ChoosingBar(ViewRequests* requests, QWidget* parent)
    : QWidget(parent), requests_(requests), stages_(new QWidget(this)) {
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  auto* flow = new FlowLayout(this);
  flow->setContentsMargins(0, space::kTight, space::kMargin, space::kTight);
  kinds_ = new Segments(this);
  kinds_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  flow->addWidget(kinds_);
  build_stages();
  build_fields();
  connect(kinds_, &Segments::chosen, this, [this](int at) { choose_kind(static_cast<Kind>(at)); });
  connect(draw_again_, &QToolButton::clicked, this, [this] { emit requests_->decoding(settings_, seed_ + 1); });
  connect(more_, &QToolButton::toggled, this, [this](bool wanted) {
    if (showing_) return;
    more_wanted_ = wanted;
    show_settings();
  });
  connect(as_file_, &QPushButton::clicked, this, [this] { ask(Json::object()); });
  connect(as_model_, &QPushButton::clicked, this, [this] { emit requests_->decoding({}, seed_); });
  show_texts();
}

void ChoosingBar::build_stages() {
  stages_->setObjectName(QStringLiteral("choosing_stages"));
  auto *switches = new QWidget(stages_), *below = new QWidget(stages_);
  auto *flow = new FlowLayout(switches), *buttons = new FlowLayout(below);
  for (const Field& field : kFields) {
    Row& row = rows_.emplace_back();
    row.field = &field;
    if (!field.is_stage()) continue;
    flow->addWidget(row.on = new QCheckBox(switches));
    connect(row.on, &QCheckBox::toggled, this, [this, &field](bool on) {
      if (!showing_) set_key(field, on ? field.start : field.nothing);
    });
  }
  draw_again_ = new QToolButton(stages_);
  more_ = new QToolButton(switches);
  for (QToolButton* button : {draw_again_, more_}) button->setFocusPolicy(Qt::StrongFocus);
  more_->setCheckable(true);
  title_ = new QLabel(stages_);
  file_ = text_label(stages_);
  set_ink(file_, &Tokens::ink2);
  flow->addWidget(more_);
  buttons->addWidget(as_file_ = new QPushButton(below));
  buttons->addWidget(as_model_ = new QPushButton(below));
  QVBoxLayout* column = column_in(stages_, space::kSmall);
  column->setContentsMargins(0, space::kSmall, space::kMargin, space::kMedium);
  for (QWidget* each : std::initializer_list<QWidget*>{title_, switches, file_, below}) column->addWidget(each);
}

void ChoosingBar::build_fields() {
  for (Row& row : rows_) {
    const Field& field = *row.field;
    row.value = new QDoubleSpinBox(this);
    row.value->setObjectName(QLatin1String(field.key));
    row.value->setRange(field.low, field.high);
    row.value->setSingleStep(field.step);
    row.value->setDecimals(field.decimals);
    connect(row.value, &QDoubleSpinBox::valueChanged, this, [this, &field](double value) {
      if (!showing_) set_key(field, value);
    });
    if (row.on) {
      row.value->hide();  // until its column has a place for it
      continue;
    }
    row.box = new QWidget(this);
    QHBoxLayout* line = row_in(row.box, space::kTight);
    row.name = new QLabel(row.box);
    row.name->setTextFormat(Qt::PlainText);
    row.name->setBuddy(row.value);
    line->addWidget(row.name);
    line->addWidget(row.value);
    layout()->addWidget(row.box);
  }
}

QDoubleSpinBox* ChoosingBar::box(const std::string& key) const {
  const auto found = std::ranges::find_if(rows_, [&key](const Row& row) { return key == row.field->key; });
  return found == rows_.end() ? nullptr : found->value;
}

QCheckBox* ChoosingBar::stage_switch(const std::string& key) const {
  const auto found = std::ranges::find_if(rows_, [&key](const Row& row) { return key == row.field->key; });
  return found == rows_.end() ? nullptr : found->on;
}

std::set<std::string> ChoosingBar::stage_keys() const {
  std::set<std::string> keys;
  for (const Row& row : rows_)
    if (row.on) keys.insert(row.field->key);
  return keys;
}

bool ChoosingBar::serves(const Field& field) const {
  return field.kind == FieldFor::all ||
         (field.kind == FieldFor::sample ? kind() == Kind::sample : kind() == Kind::beam);
}

Json ChoosingBar::keys() const {
  Json keys = keys_asked(settings_);
  if (!settings_.generation) keys[kMostNew] = most_;  // as long as it is without settings
  return keys;
}

void ChoosingBar::choose_kind(Kind kind) {
  if (kind == settings_.kind) return;
  Json keys = this->keys();
  keys["do_sample"] = kind == Kind::sample;
  keys[kBeams] = kind == Kind::beam ? 4 : 1;
  ask(std::move(keys));
}

void ChoosingBar::set_key(const Field& field, double value) {
  Json keys = this->keys();
  const bool nothing = std::abs(value - field.nothing) < 1e-9;
  if (!nothing)
    keys[field.key] = number_of(field, value);
  else if (of_file_->contains(field.key))
    keys[field.key] = nullptr;
  else
    keys.erase(field.key);
  ask(std::move(keys));
}

void ChoosingBar::ask(Json keys) {
  if (!model_) return;
  DecodeSettings asked = settings_;
  asked.generation = SharedJson(keys);
  try {
    asked.kind = kind_of(generation_of(*model_, asked));
  } catch (const Error&) {  // the file asks for what there is not: the run says so
  }
  emit requests_->decoding(asked, seed_);
}

void ChoosingBar::set_result(const Result& result) {
  settings_ = result.decode;
  seed_ = result.seed;
  model_ = result.model;
  most_ = most_steps(result);
  edited_ = !result.interventions.empty();
  forced_ = result.target && !result.prefix;
  of_file_ = model_->next_token ? model_->next_token->settings() : SharedJson();
  in_force_ = SharedJson(keys_in_force(*model_, settings_));
  show_settings();
}

QString ChoosingBar::file_text() const {
  QStringList acting, resting;
  for (const Field& field : kFields) {
    if (!of_file_->contains(field.key) || std::abs(value_at(*of_file_, field) - field.nothing) < 1e-9) continue;
    const QString said =
        QStringLiteral("%1 %2").arg(QLatin1String(field.key), short_number(value_at(*of_file_, field)));
    const bool acts =
        serves(field) && in_force_->contains(field.key) && (*in_force_)[field.key] == (*of_file_)[field.key];
    (acts ? acting : resting) << said;
  }
  if (of_file_->value("do_sample", false))
    (in_force_->value("do_sample", false) ? acting : resting) << QStringLiteral("do_sample");
  QStringList said;
  if (!acting.isEmpty()) said << tr("generation_config.json acts: %1.").arg(acting.join(QStringLiteral(", ")));
  if (!resting.isEmpty()) said << tr("It also says, and that rests: %1.").arg(resting.join(QStringLiteral(", ")));
  if (acting.isEmpty() && !resting.isEmpty())
    said = {tr("generation_config.json says, and that rests: %1.").arg(resting.join(QStringLiteral(", ")))};
  return said.join(' ');
}

void ChoosingBar::show_settings() {
  showing_ = true;
  const bool beam = !edited_ || kind() == Kind::beam;
  kinds_->set_choices(
      {{tr("Greedy decoding"), tr("The most probable token that the stages leave."), true, tr("greedy")},
       {tr("Sampling"), tr("A token is drawn from what the stages leave."), true, tr("sample")},
       {tr("Beam search"), tr("The best few outputs are kept side by side."), beam, tr("beam")}});
  kinds_->set_words(tr("How the next token is chosen"), {});
  kinds_->set_current(static_cast<int>(kind()));
  bool hidden = false;
  for (const Row& row : rows_) {
    const Field& field = *row.field;
    double value = value_at(*in_force_, field);
    if (!qstrcmp(field.key, kMostNew) && value == 0) value = static_cast<double>(most_);
    if (std::abs(row.value->value() - value) > 0.5 * std::pow(10, -field.decimals)) row.value->setValue(value);
    const bool acts = std::abs(value - field.nothing) > 1e-9, serves = this->serves(field);
    hidden = hidden || (serves && !field.main && !acts);
    const bool shown = !forced_ && serves && (field.main || acts || more_wanted_);
    (row.on ? static_cast<QWidget*>(row.on) : row.box)->setVisible(shown);
    if (row.on) row.on->setChecked(acts);
  }
  more_->setVisible(!forced_ && hidden);
  more_->setChecked(more_wanted_);
  draw_again_->setVisible(!forced_ && kind() == Kind::sample);
  const QString file = file_text();
  file_->setText(file);
  file_->setVisible(!file.isEmpty());
  as_file_->setVisible(!of_file_->empty() && !file.isEmpty() &&
                       !(settings_.generation && settings_.generation->empty()));
  as_model_->setVisible(settings_ != DecodeSettings{});
  showing_ = false;
}

void ChoosingBar::show_texts() {
  for (const Row& row : rows_) {
    const std::string key = row.field->key;
    QString name = stage_title(key), help = stage_help(key);
    if (key == kBeams) name = tr("beams"), help = tr("How many outputs are kept side by side.");
    if (key == kMostNew) name = tr("new tokens at most"), help = tr("The output ends there at the latest.");
    if (key == "length_penalty")
      name = tr("length penalty"), help = tr("The sum of a finished output is divided by its length to this power.");
    if (row.on) {
      row.on->setText(name);
      describe(row.on, name, help);
    } else {
      row.name->setText(name);
    }
    describe(row.value, name, help + QStringLiteral(" (") + QString::fromStdString(key) + ')');
    if (row.field->low == row.field->nothing) row.value->setSpecialValueText(tr("off"));
  }
  title_->setText(tr("Stages"));
  title_->setFont(bold_font(type::kTitle));
  draw_again_->setText(tr("Draw again"));
  describe(draw_again_, tr("Draw again"), tr("Another seed, another output; this one stays as a branch."));
  more_->setText(tr("More stages"));
  describe(more_, tr("More stages"), tr("Settings that are seldom used, and do nothing now."));
  as_file_->setText(tr("As the file says"));
  describe(as_file_, tr("As the file says"),
           tr("All of generation_config.json acts, as where the library is called without settings."));
  as_model_->setText(tr("Without settings"));
  describe(as_model_, tr("Without settings"), tr("Back to the most probable token."));
  show_settings();
}

void ChoosingBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange) show_texts();
  QWidget::changeEvent(event);
}

}  // namespace headlight
