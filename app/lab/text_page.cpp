#include "app/lab/text_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHideEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QShowEvent>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/lab/setup/training_words.h"
#include "app/lab/texts/text_side.h"
#include "widgets/base/controls.h"
#include "widgets/base/flow_layout.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

constexpr int kStartWidth = 12;  // letters that the field of the start has room for
constexpr std::size_t kSides = 2;

constexpr std::size_t nth_side(int side) { return static_cast<std::size_t>(side); }

}  // namespace

TextPage::TextPage(LabShown* shown, QWidget* parent)
    : QWidget(parent),
      shown_(shown),
      title_(text_label(this, false)),
      caption_(text_label(this)),
      sentence_(nullptr),
      hint_(nullptr),
      problem_(nullptr),
      export_(nullptr) {
  setObjectName(QStringLiteral("text_page"));
  make_fields();
  auto* rows = column_in(this, space::kSmall);
  rows->addWidget(title_);
  rows->addWidget(caption_);
  set_ink(caption_, &Tokens::ink2);
  rows->addWidget(make_field_row());
  auto* columns = new QHBoxLayout;
  columns->setSpacing(space::kMargin + space::kSmall);
  for (int at = 0; at < static_cast<int>(kSides); ++at) columns->addWidget(make_side(at), 1);
  rows->addLayout(columns, 1);
  rows->addWidget(make_foot());
  connect(shown_, &LabShown::runsChanged, this, &TextPage::follow_lab);
  connect(shown_, &LabShown::moved, this, [this] {
    if (isVisible()) refresh();
  });
  const auto restyle = [this] { title_->setFont(theme().ui_font(type::kQuestion)); };
  theme().restyles(this, restyle);
  restyle();
  retranslates(this, [this] { retranslate(); });
  retranslate();
}

TextPage::~TextPage() = default;

TextSide* TextPage::make_side(int at) {
  TextSide* made = sides_[nth_side(at)] = new TextSide(at, this);
  made->set_options(file_options(plan_, {}));
  connect(made, &TextSide::opened, this, [this, at] { text_opened(at); });
  connect(made, &TextSide::failed, this, &TextPage::show_words);
  connect(made, &TextSide::chosen, this, [this, at](int moment) { choose(at, moment); });
  connect(made, &TextSide::tableClosed, this, [this] { table_->setChecked(false); });
  trainings_[nth_side(at)] = std::make_unique<LabTraining>();
  LabTraining* training = trainings_[nth_side(at)].get();
  connect(training, &LabTraining::momentKept, this, [this, at] { trained(at); });
  connect(training, &LabTraining::stateChanged, this, [this, at] { training_changed(at); });
  connect(training, &LabTraining::progressed, this, &TextPage::show_words);
  auto* estimate = estimates_[nth_side(at)] = new TrainingEstimate(this);
  connect(estimate, &TrainingEstimate::measured, this, [this, at](const TrainingMeasured& measured) {
    measured_[nth_side(at)] = measured;
    show_words();
  });
  connect(estimate, &TrainingEstimate::failed, this, [this, at](const QString& message) {
    measured_[nth_side(at)] = {};
    measured_[nth_side(at)].problem = message;
    show_words();
  });
  return made;
}

// Of another text nothing was trained yet.
void TextPage::text_opened(int at) {
  const bool same = runs_[nth_side(at)] && side(at)->run();
  if (!same) runs_[nth_side(at)] = nullptr;
  feed();
  ask_estimate();
  refresh();
  emit textChanged();
}

// --- fields

void TextPage::make_fields() {
  const auto named = [](auto* field, const char* name) {
    field->setObjectName(QString::fromUtf8(name));
    return field;
  };
  for (QLabel** label : {&start_label_, &dice_label_, &tokens_label_, &model_label_, &width_label_, &layers_label_}) {
    *label = text_label(this, false);
    (*label)->setTextInteractionFlags(Qt::NoTextInteraction);
  }
  start_ = named(new QLineEdit(this), "text_start");
  start_->setMaximumWidth(start_->fontMetrics().averageCharWidth() * 2 * kStartWidth);
  dice_ = named(new QSpinBox(this), "text_dice");
  dice_->setRange(1, 9999);
  tokens_ = named(new QComboBox(this), "text_tokens");
  model_ = named(new QComboBox(this), "text_model");
  width_ = named(new QSpinBox(this), "text_width");
  width_->setRange(kLeastWidth, kMostWidth);
  width_->setSingleStep(kWidthStep);
  layers_ = named(new QSpinBox(this), "text_layers");
  layers_->setRange(1, kMostLayers);
  fill_fields();
  connect(start_, &QLineEdit::editingFinished, this, &TextPage::plan_changed);
  for (QSpinBox* each : {dice_, width_, layers_}) {
    each->setKeyboardTracking(false);
    connect(each, &QSpinBox::valueChanged, this, &TextPage::plan_changed);
  }
  for (QComboBox* each : {tokens_, model_})
    connect(each, &QComboBox::currentIndexChanged, this, &TextPage::plan_changed);
}

QWidget* TextPage::make_field_row() {
  auto* row = new QWidget(this);
  auto* flow = new FlowLayout(row, space::kSmall);
  const std::pair<QLabel*, QWidget*> pairs[] = {{start_label_, start_},   {dice_label_, dice_},
                                                {tokens_label_, tokens_}, {model_label_, model_},
                                                {width_label_, width_},   {layers_label_, layers_}};
  for (const auto& [label, field] : pairs) {
    auto* pair = new QWidget(row);
    auto* in_pair = row_in(pair, space::kTight);
    in_pair->addWidget(label);
    in_pair->addWidget(field);
    label->setBuddy(field);
    flow->addWidget(pair);
  }
  return row;
}

void TextPage::fill_fields() {
  const bool before = std::exchange(filling_, true);
  start_->setText(plan_.start);
  dice_->setValue(plan_.dice);
  tokens_->setCurrentIndex(plan_.tokens);
  model_->setCurrentIndex(plan_.recurrent ? 1 : 0);
  width_->setValue(plan_.width);
  layers_->setValue(plan_.layers);
  filling_ = before;
}

void TextPage::plan_changed() {
  if (filling_) return;
  TextPlan plan{tokens_->currentIndex(),
                model_->currentIndex() == 1,
                width_->value() / kWidthStep * kWidthStep,
                layers_->value(),
                start_->text(),
                dice_->value()};
  if (plan.start.isEmpty()) plan.start = plan_.start;
  if (plan == plan_) return fill_fields();
  const bool trains_otherwise = plan.tokens != plan_.tokens || plan.recurrent != plan_.recurrent ||
                                plan.width != plan_.width || plan.layers != plan_.layers;
  plan_ = plan;
  fill_fields();
  for (TextSide* each : sides_) {
    each->set_written({bytes_of(plan_.start), static_cast<std::uint64_t>(plan_.dice)});
    each->set_options(file_options(plan_, {}));
  }
  if (trains_otherwise) ask_estimate();
  show_words();
}

void TextPage::ask_estimate() {
  if (busy()) return;  // it would slow the training down
  measured_ = {};
  for (std::size_t at = 0; at < kSides; ++at)
    if (sides_[at]->has_text())
      estimates_[at]->ask(text_settings(plan_, sides_[at]->text().path, sides_[at]->text().characters));
}

// --- training

void TextPage::open(int at, const QString& path) { side(at)->open(path); }

void TextPage::open_examples() {
  if (std::ranges::any_of(sides_, [](const TextSide* side) { return side->has_text() || side->is_reading(); })) return;
  int at = 0;
  for (const BundledText& text : bundled_texts())
    if (at < static_cast<int>(kSides)) open(at++, text.path);
}

bool TextPage::busy() const {
  return !queue_.empty() || std::ranges::any_of(trainings_, [](const auto& each) { return each && each->busy(); });
}

void TextPage::train() {
  if (busy()) return;
  plan_changed();  // what is still being typed
  for (TrainingEstimate* each : estimates_) each->stop();
  for (int at = 0; at < static_cast<int>(kSides); ++at)
    if (side(at)->has_text()) queue_.push_back(at);
  train_next();
}

void TextPage::train_next() {
  if (queue_.empty()) return show_words();
  const int at = queue_.front();
  queue_.pop_front();
  LiveOptions options;
  options.starts = {bytes_of(plan_.start)};
  options.title = bytes_of(side(at)->title());
  const ReadText& text = side(at)->text();
  training(at).start(text_settings(plan_, text.path, text.characters), options);
}

void TextPage::pause_or_go_on() {
  for (const auto& each : trainings_) {
    if (each->state() == LabTraining::State::running) return each->pause();
    if (each->state() == LabTraining::State::paused || each->state() == LabTraining::State::stopped)
      return each->go_on();
  }
}

void TextPage::stop() {
  queue_.clear();
  for (const auto& each : trainings_)
    if (each->busy() || each->state() == LabTraining::State::paused) each->stop();
}

void TextPage::trained(int at) {
  runs_[nth_side(at)] = training(at).recording();
  feed();
  refresh();
}

void TextPage::training_changed(int at) {
  using State = LabTraining::State;
  const State state = training(at).state();
  if (training(at).recording() && state != State::preparing) trained(at);
  if (state == State::finished || state == State::failed) train_next();
  refresh();
}

QString TextPage::state(int at) const {
  using State = LabTraining::State;
  const LabTraining& training = *trainings_[nth_side(at)];
  const LabShown::Run& run = runs_[nth_side(at)];
  switch (training.state()) {
    case State::preparing:
      return tr("Making the model…");
    case State::running:
      if (training.progress().update == 0) return tr("Its training begins");
      return tr("Trains: about %1 left").arg(duration_words(training.progress().seconds_left));
    case State::paused:
      return tr("Paused");
    case State::failed:
      return training.error();
    default:
      break;
  }
  if (run && run->failure) return tr("From here on no numbers (step %1)").arg(run->failure->update);
  return std::ranges::find(queue_, at) != queue_.end() ? tr("Waits for the other side") : QString();
}

// --- the lab's handle

bool TextPage::ours_are_shown() const {
  std::vector<LabShown::Run> ours(runs_.begin(), runs_.end());
  std::erase(ours, nullptr);
  return !ours.empty() && ours == shown_->runs();
}

// What is trained here is what the lab shows, the left side first.
void TextPage::feed() {
  std::vector<LabShown::Run> ours(runs_.begin(), runs_.end());
  std::erase(ours, nullptr);
  if (!isVisible() || ours.empty() || ours == shown_->runs()) return;
  feeding_ = true;
  const std::vector<LabShown::Run> before = shown_->runs();
  const auto same = [](const LabShown::Run& one, const LabShown::Run& other) {
    return !one->moments.empty() && !other->moments.empty() && one->moments.front() == other->moments.front();
  };
  if (std::ranges::equal(ours, before, same)) {
    for (std::size_t at = 0; at < ours.size(); ++at)
      if (ours[at] != before[at]) shown_->grow(static_cast<int>(at), ours[at]);
  } else {
    if (std::ranges::any_of(before, [](const LabShown::Run& run) { return run->settings.task != "text"; }))
      before_ = before;
    shown_->show(ours);
  }
  feeding_ = false;
}

void TextPage::follow_lab() {
  if (feeding_ || ours_are_shown()) return refresh();
  const std::vector<LabShown::Run>& runs = shown_->runs();
  const bool texts = !runs.empty() && runs.size() <= kSides &&
                     std::ranges::all_of(runs, [](const LabShown::Run& run) { return run->settings.task == "text"; });
  if (texts && !busy()) {
    runs_ = {};
    std::ranges::copy(runs, runs_.begin());
  }
  refresh();
}

void TextPage::choose(int at, int moment) {
  feed();
  if (!ours_are_shown()) return;
  shown_->set_side(at == 1 && runs_[0] ? 1 : 0);
  shown_->go_to(moment);
}

// While the page is seen, the lab shows what it has; behind it what was there before comes back.
void TextPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (event->spontaneous()) return;
  feed();
  refresh();
}

void TextPage::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  if (event->spontaneous() || !shown_ || before_.empty() || !ours_are_shown()) return;
  feeding_ = true;
  shown_->show(std::exchange(before_, {}));
  feeding_ = false;
}

void TextPage::keyPressEvent(QKeyEvent* event) {
  const bool control = event->modifiers() == Qt::ControlModifier;
  if (control && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) return train();
  if (control && event->key() == Qt::Key_Period) return stop();
  if (event->key() == Qt::Key_Space && event->modifiers() == Qt::NoModifier) return pause_or_go_on();
  QWidget::keyPressEvent(event);
}

}  // namespace headlight
