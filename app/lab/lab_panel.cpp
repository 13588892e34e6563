#include "app/lab/lab_panel.h"

#include <QAction>
#include <QLabel>
#include <QShowEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/lab/setup/interrupted_offer.h"
#include "app/lab/setup/kept_trainings.h"
#include "app/lab/setup/lab_acts.h"
#include "app/lab/setup/lab_fields.h"
#include "app/lab/setup/lab_runs.h"
#include "app/lab/setup/run_list.h"
#include "app/lab/setup/training_estimate.h"
#include "app/lab/setup/training_words.h"
#include "app/panels/message_banner.h"
#include "app/parts.h"
#include "model/recording/presets.h"
#include "model/recording/recording_file.h"
#include "model/recording/story.h"
#include "widgets/base/controls.h"
#include "widgets/base/sheet.h"
#include "widgets/base/spoken.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/text/number_words.h"

namespace headlight {

LabPanel::LabPanel(LabTraining* training, LabShown* shown, QWidget* parent, const QString& folder)
    : QWidget(parent),
      training_(training),
      shown_(shown),
      folder_(folder.isEmpty() ? KeptTraining::default_folder() : folder),
      runs_(new LabRuns(training, shown, this)),
      title_(new QLabel(this)),
      banner_(new MessageBanner(this)),
      interrupted_(new InterruptedOffer(this)),
      fields_(new LabFields),
      list_(new RunList(runs_)),
      acts_(new LabActs(training, this)),
      estimate_(new TrainingEstimate(this)),
      recorded_(new QAction(this)),
      saver_(
          [this](const QString& path) {
            tell(tr("Saved: %1").arg(path), {});
            emit kept(path);
          },
          [this](const QString& message, bool) { tell(tr("This was not saved."), message); }) {
  make_layout();
  connect_parts();
  retranslate();
  retranslates(this, [this] { retranslate(); });
  if (!presets().empty())
    set_preset(presets().front().name);
  else
    settings_changed();
}

LabPanel::~LabPanel() = default;

void LabPanel::make_layout() {
  title_->setFont(strong_font());
  auto* inside = new QWidget;
  auto* column = column_in(inside, space::kLarge);
  column->setContentsMargins(space::kMargin, 0, space::kMargin, space::kLarge);
  column->addWidget(interrupted_);
  column->addWidget(fields_);
  column->addWidget(list_);
  column->addStretch(1);
  auto* sheet = new Sheet(this);
  sheet->setWidget(inside);
  sheet->setWidgetResizable(true);
  auto* whole = column_in(this, space::kMedium);
  whole->setContentsMargins(0, space::kLarge, 0, space::kLarge);
  const auto at_margin = [&](QWidget* widget) {
    auto* row = new QVBoxLayout;
    row->setContentsMargins(space::kMargin, 0, space::kMargin, 0);
    row->addWidget(widget);
    whole->addLayout(row);
  };
  at_margin(title_);
  whole->addWidget(banner_);
  whole->addWidget(sheet, 1);
  at_margin(acts_);
}

void LabPanel::connect_parts() {
  connect(fields_, &LabFields::changed, this, &LabPanel::settings_changed);
  connect(fields_, &LabFields::dataWanted, this, &LabPanel::dataWanted);
  connect(fields_, &LabFields::presetChosen, this, [this](const QString& name) { set_preset(bytes_of(name)); });
  connect(acts_, &LabActs::startAsked, this, &LabPanel::start);
  connect(acts_, &LabActs::pauseAsked, this, &LabPanel::pause_or_go_on);
  connect(acts_, &LabActs::stopAsked, this, &LabPanel::stop);
  connect(acts_, &LabActs::againAsked, this, &LabPanel::again);
  connect(acts_, &LabActs::keepAsked, this, &LabPanel::keep);
  connect(acts_, &LabActs::commandAsked, this, &LabPanel::show_command);
  connect(runs_, &LabRuns::compared, this, &LabPanel::compared);
  connect(runs_, &LabRuns::chosen, this, &LabPanel::chosen);
  connect(estimate_, &TrainingEstimate::measured, this, &LabPanel::show_estimate);
  connect(estimate_, &TrainingEstimate::failed, this, [this](const QString& message) { acts_->set_estimate(message); });
  connect(interrupted_, &InterruptedOffer::goOnAsked, this, &LabPanel::go_on_interrupted);
  connect(training_, &LabTraining::stateChanged, this, &LabPanel::state_changed);
  connect(training_, &LabTraining::momentKept, this, &LabPanel::moment_kept);
  connect(training_, &LabTraining::notKept, this, [this](const QString& message) {
    tell(tr("The disk does not keep this training: it goes on in memory, and is lost with the window."), message);
  });
  connect(recorded_, &QAction::triggered, this, &LabPanel::show_recorded);
}

void LabPanel::retranslate() {
  title_->setText(tr("What is trained"));
  recorded_->setText(tr("Show the recorded run"));
  setAccessibleName(title_->text());
}

// ---- what is to be trained

LabSetup LabPanel::setup() const {
  LabSetup setup{fields_->settings(), {}};
  setup.options.probes = probes_;
  setup.options.starts = starts_;
  setup.options.most_bytes = LabRuns::kMostBytes;
  return setup;
}

bool LabPanel::is_valid() const { return fields_->is_valid(); }

void LabPanel::set_setup(const LabSetup& setup) {
  preset_.clear();
  probes_ = setup.options.probes;
  starts_ = setup.options.starts;
  fields_->set_settings(setup.settings);
}

void LabPanel::set_preset(const std::string& name) {
  const Preset& preset = find_preset(name);
  filling_ = true;
  probes_ = {preset.probe()};
  starts_.clear();
  fields_->set_settings(preset.settings());
  filling_ = false;
  preset_ = name;
  acts_->set_estimate(tr("about %1 on two cores").arg(duration_words(preset.seconds)));
  emit setupChanged();
}

void LabPanel::set_probes(std::vector<Probe> probes) { probes_ = std::move(probes); }
void LabPanel::set_starts(std::vector<std::string> starts) { starts_ = std::move(starts); }
void LabPanel::offer(const LabData& offered) { fields_->offer(offered); }
void LabPanel::choose_data(LabData::Kind kind) { fields_->choose_data(kind); }

void LabPanel::settings_changed() {
  if (!filling_) {
    preset_.clear();
    acts_->set_estimate({});
  }
  ask_estimate();
  if (!filling_) emit setupChanged();
}

// Nothing is measured for a panel that nobody sees, nor beside a training.
void LabPanel::ask_estimate() {
  if (isVisible() && !training_->busy())
    estimate_->ask(fields_->settings());
  else
    estimate_->stop();
}

void LabPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  ask_estimate();
}

void LabPanel::show_estimate(const TrainingMeasured& measured) {
  fields_->set_numbers(measured.numbers);
  fields_->set_examples(measured.examples, measured.kept);
  acts_->set_estimate(measured.problem.isEmpty()
                          ? tr("about %1 on this machine, from a few updates").arg(duration_words(measured.seconds))
                          : measured.problem);
}

// ---- how it is trained

void LabPanel::start() {
  const QString wrong = fields_->show_first_wrong();
  if (!wrong.isEmpty()) {
    Spoken::instance().say(this, wrong);
    emit problem(wrong);
    return;
  }
  begin(setup());
}

void LabPanel::begin(LabSetup setup) {
  if (kept_) kept_->set_done(true);  // what ran before is not gone on with
  kept_.reset();
  try {
    // Each has a text of its own, so that one may go without the other.
    const std::string own = fields_->own_text(),
                      text = own.empty() ? KeptTraining::kept_text(folder_, setup.settings) : own;
    kept_ = KeptTraining::begin(folder_, {setup.settings, probes_, starts_, 0, false}, text);
    if (!own.empty())
      fields_->put_own_data(setup.settings, kept_->text_file());
    else if (!text.empty())
      setup.settings = KeptTraining::reading(setup.settings, kept_->text_file());
    if (!text.empty()) kept_->set_settings(setup.settings);
    setup.options.folder = kept_->state_folder();
  } catch (const Error& error) {
    tell(tr("The disk does not keep this training: it goes on in memory, and is lost with the window."),
         from_utf8(error.what()));
  }
  if (kept_) banner_->dismiss();
  estimate_->stop();
  training_->start(setup.settings, setup.options);
  emit started();
}

void LabPanel::pause_or_go_on() {
  if (training_->busy())
    training_->pause();
  else
    training_->go_on();
}

void LabPanel::stop() { training_->stop(); }

// The same as the run in front, with a seed that none of its kind had.
void LabPanel::again() {
  const int front = std::max(0, runs_->front());
  if (training_->busy() || runs_->all().empty()) return start();
  const Recording& before = *runs_->all()[static_cast<std::size_t>(front)];
  std::uint64_t seed = before.settings.seed;
  for (const LabShown::Run& run : runs_->all()) {
    const auto different = setting_differences(run->settings, before.settings);
    const bool same =
        std::all_of(different.begin(), different.end(), [](const auto& each) { return each.key == "seed"; });
    if (same) seed = std::max(seed, run->settings.seed);
  }
  LabSetup setup{before.settings, {}};
  setup.settings.seed = seed + 1;
  setup.options.probes = before.probes;
  setup.options.starts = before.starts;
  set_setup(setup);
  start();
}

void LabPanel::state_changed() {
  using State = LabTraining::State;
  const State state = training_->state();
  if (state == State::preparing) told_slow_ = told_thinned_ = false;
  interrupted_->set_possible(!training_->busy() && state != State::paused);
  if (kept_) kept_->set_done(state == State::finished || state == State::stopped || state == State::failed);
  if (forgetting_ && !training_->busy() && state != State::paused) return forget_own();
  if (state != State::failed) return;
  const auto recording = training_->recording();
  if (recording && recording->failure)
    tell(tr("From here on no numbers (update %L1, the loss was %2).")
             .arg(qlonglong{recording->failure->update})
             .arg(short_number(recording->failure->loss_before, 3)),
         tr("The steps are too long: try a smaller step size, or a warm-up."));
  else
    tell(tr("This training has ended."), training_->error());
}

void LabPanel::moment_kept() {
  const Recording& recording = *training_->recording();
  if (kept_) kept_->tell_read(recording.moments.back()->read);
  if (recording.thinned && !std::exchange(told_thinned_, true))
    tell(tr("Every second moment is given up: all of them take more memory than there is for them."), {});
  if (recording.whole || told_slow_ || !does_not_learn(recording)) return;
  told_slow_ = true;
  const auto found = std::find_if(presets().begin(), presets().end(), [&](const Preset& preset) {
    const TrainingSettings settings = preset.settings();
    return *preset.recording && settings.task == recording.settings.task &&
           settings.architecture == recording.settings.architecture;
  });
  if (found == presets().end()) return tell(tr("It does not learn yet."), tr("Another step size may help."));
  recorded_->setData(QString::fromUtf8(found->recording));
  tell(tr("It does not learn yet; the recorded run does."), {}, recorded_);
}

void LabPanel::tell(const QString& what, const QString& advice, QAction* action) {
  banner_->show_message(what, advice, action);
  Spoken::instance().say(this, what);
  emit problem(what);
}

void LabPanel::show_recorded() {
  try {
    runs_->add(find_recording(bytes_of(recorded_->data().toString())));
  } catch (const Error& error) {
    tell(tr("The recorded run cannot be opened."), from_utf8(error.what()));
  }
}

// ---- what was interrupted

void LabPanel::offer_interrupted() { interrupted_->show_all(KeptTraining::interrupted(folder_)); }

void LabPanel::go_on_interrupted(const std::filesystem::path& folder) {
  auto taken = KeptTraining::take(folder);
  if (!taken) return tell(tr("Another window goes on with this training."), {});
  if (kept_) kept_->set_done(true);
  kept_ = std::move(taken);
  const KeptNote note = kept_->note();
  LabSetup setup{note.settings, {}};
  setup.options.probes = note.probes;
  setup.options.starts = note.starts;
  set_setup(setup);
  setup = this->setup();
  setup.options.folder = kept_->state_folder();
  estimate_->stop();
  training_->start(note.settings, setup.options);
  emit started();
}

// What is trained on them writes into its folder until it has ended.
void LabPanel::forget_own() {
  const bool own = kept_ && is_of_people(kept_->note().settings);
  const bool runs = training_->busy() || training_->state() == LabTraining::State::paused;
  forgetting_ = runs && (own || (training_->recording() && is_of_people(training_->recording()->settings)));
  if (forgetting_) return training_->stop();
  runs_->forget_of_people();
  if (training_->recording() && is_of_people(training_->recording()->settings)) training_->forget();
  if (own) {
    const std::filesystem::path folder = kept_->folder();
    kept_.reset();
    KeptTraining::discard(folder);
  }
  KeptTraining::forget_of_people(folder_);
  offer_interrupted();
}

}  // namespace headlight
