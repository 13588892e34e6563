#include "app/lab/lab.h"

#include <QAction>
#include <QApplication>
#include <algorithm>
#include <utility>

#include "app/lab/data/sentences_model.h"
#include "app/lab/data/sentences_page.h"
#include "app/lab/lab_panel.h"
#include "app/lab/lab_picture.h"
#include "app/lab/lab_still.h"
#include "app/lab/line/story_panel.h"
#include "app/lab/line/story_words.h"
#include "app/lab/line/time_line.h"
#include "app/lab/line/training_film.h"
#include "app/lab/needed_sizes.h"
#include "app/lab/setup/lab_runs.h"
#include "app/lab/text_page.h"
#include "app/lab/two_runs.h"
#include "app/messages.h"
#include "app/panels/message_banner.h"
#include "app/stage/panel_host.h"
#include "model/core/errors.h"
#include "model/recording/live_training.h"
#include "model/recording/presets.h"
#include "model/recording/recording_file.h"
#include "widgets/base/controls.h"
#include "widgets/base/segments.h"
#include "widgets/base/spoken.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

// The preset that trains the same, whatever its seed; null: none does.
const Preset* preset_of(const Recording& run) {
  for (const Preset& each : presets()) {
    TrainingSettings same = each.settings().resolved();
    same.seed = run.settings.seed;
    if (same.to_json() == run.settings.to_json()) return &each;
  }
  return nullptr;
}

}  // namespace

Lab::Lab(QWidget* window)
    : QObject(window),
      probe_(new LabProbe(&shown_, this)),
      page_(new LabPage(&shown_, probe_, window)),
      needed_(new NeededSizes(this)),
      opening_([this](const LabShown::Run& run) { show_run(run); },
               [this](const QString& message, bool) { say(message, tr("What was shown before is still shown.")); }) {
  make_parts();
  connect_page();
  connect_panel();
  connect_data();
  connect_story();
  connect(&training_, &LabTraining::stateChanged, this, &Lab::training_changed);
  connect(&training_, &LabTraining::progressed, this, &Lab::trainingChanged);
  retranslates(page_, [this] {
    offer_sentences();
    panel_->offer(texts_->data());
    emit titleChanged();
  });
  plan_changed();
  panel_->offer_interrupted();
}

// Nothing that still runs reaches the page, and the page goes before what it shows.
Lab::~Lab() {
  training_.disconnect();
  needed_->disconnect();
  needed_->stop();
  delete page_.data();
}

void Lab::make_parts() {
  banner_ = new MessageBanner(page_);
  panel_ = new LabPanel(&training_, &shown_);
  line_ = new TimeLine(&shown_);
  line_host_ = new PanelHost(line_);
  line_host_->setFocusProxy(line_);
  story_ = new StoryPanel(&shown_);
  two_ = new TwoRuns(&shown_);
  sentences_ = new SentencesPage;
  texts_ = new TextPage(&shown_);
  line_->set_facts_shown(false);
  two_->set_probe(probe_);
  page_->set_top(banner_);
  page_->set_panel(panel_);
  page_->set_below(line_host_);
  page_->set_beside(story_);
  page_->set_mode_page(LabPage::Mode::two, two_);
  page_->set_in_head(two_->together());
  page_->set_mode_page(LabPage::Mode::sentences, sentences_);
  page_->set_mode_page(LabPage::Mode::text, texts_);
}

void Lab::connect_page() {
  connect(page_, &LabPage::leaveAsked, this, [this] {
    if (banner_->isVisible()) return banner_->dismiss();
    emit left();
  });
  connect(page_, &LabPage::openAsked, this, &Lab::open_moment);
  // Each page starts its own; a second Ctrl+Enter does not throw away what runs.
  connect(page_, &LabPage::startAsked, this, [this] {
    if (page_->mode() == LabPage::Mode::text) return texts_->train();
    if (page_->mode() == LabPage::Mode::sentences) return sentences_->train();
    if (training_.state() == LabTraining::State::paused) return panel_->pause_or_go_on();
    if (!training_.busy()) panel_->start();
  });
  connect(page_, &LabPage::pauseAsked, panel_, &LabPanel::pause_or_go_on);
  connect(page_, &LabPage::stopAsked, this, &Lab::stop);
  connect(page_, &LabPage::againAsked, panel_, &LabPanel::again);
  connect(page_, &LabPage::keepAsked, panel_, &LabPanel::keep);
  connect(page_, &LabPage::modeChanged, this, [this] {
    if (page_->mode() == LabPage::Mode::text) texts_->open_examples();
    if (page_->mode() == LabPage::Mode::run) {
      two_->compare_moments(false);
      panel_->runs().show_thin();
    }
    emit titleChanged();
  });
  connect(&shown_, &LabShown::runsChanged, this, [this] {
    if (shown_.runs().size() < 2 && page_->mode() == LabPage::Mode::two) page_->set_mode(LabPage::Mode::run);
    const Preset* same = shown_.empty() ? nullptr : preset_of(*shown_.runs()[0]);
    recorded_same_ = same ? same->recording : "";
    story_->set_recorded_offered(!recorded_same_.empty() && !shown_.runs()[0]->bundled);
    emit titleChanged();
  });
  // What somebody types before a training is what it will be asked, and is kept out of its data.
  connect(probe_, &LabProbe::changed, this, [this] {
    if (!probe_->is_typed()) return;
    Probe asked;
    asked.source = probe_->source().toStdString();
    panel_->set_probes({asked});
  });
}

void Lab::connect_panel() {
  connect(panel_, &LabPanel::started, this, [this] {
    opened_.clear();
    banner_->dismiss();
    page_->set_mode(LabPage::Mode::run);
  });
  connect(panel_, &LabPanel::compared, this, [this] {
    two_->compare_moments(false);
    page_->set_mode(LabPage::Mode::two);
    page_->set_panel_shown(false);  // two pictures need its room
  });
  connect(panel_, &LabPanel::dataWanted, this, [this](LabData::Kind kind) {
    page_->set_mode(kind == LabData::Kind::text ? LabPage::Mode::text : LabPage::Mode::sentences);
    page_->focus_first();
  });
  connect(panel_, &LabPanel::setupChanged, this, &Lab::plan_changed);
  connect(panel_, &LabPanel::kept, this, &Lab::written);
  connect(panel_, &LabPanel::chosen, this, [this] { page_->set_mode(LabPage::Mode::run); });
  connect(panel_, &LabPanel::problem, this,
          [this](const QString& sentence) { Spoken::instance().say(page_, sentence); });
  // One more of the same stands beside the two as a thin line.
  connect(two_, &TwoRuns::seedTrained, this, [this](const LabShown::Run& run) {
    std::vector<LabShown::Run> thin = shown_.thin();
    thin.push_back(run);
    shown_.set_thin(std::move(thin));
  });
}

void Lab::connect_data() {
  connect(sentences_, &SentencesPage::changed, this, &Lab::offer_sentences);
  connect(sentences_, &SentencesPage::trainWanted, this, &Lab::train_sentences);
  connect(sentences_, &SentencesPage::neededWanted, this,
          [this](const FileOptions& pairs, const std::vector<int>& sizes) {
            TrainingSettings settings = panel_->setup().settings;
            settings.task = "pairs";
            settings.data = pairs;
            needed_->measure(settings, sizes);
          });
  connect(sentences_, &SentencesPage::stopMeasuringWanted, needed_, &NeededSizes::stop);
  connect(sentences_, &SentencesPage::forgetWanted, panel_, &LabPanel::forget_own);
  connect(sentences_, &SentencesPage::failed, this, [this](const QString& message) { say(message); });
  connect(needed_, &NeededSizes::measured, sentences_, &SentencesPage::set_needed);
  connect(needed_, &NeededSizes::progressed, sentences_, &SentencesPage::set_measuring);
  connect(needed_, &NeededSizes::failed, this, [this](const QString& message) { say(message); });
  offer_sentences();
  connect(texts_, &TextPage::textChanged, this, [this] { panel_->offer(texts_->data()); });
  panel_->offer(texts_->data());
}

void Lab::connect_story() {
  connect(story_, &StoryPanel::recordedWanted, this, [this] { open_recording(from_utf8(recorded_same_)); });
  connect(story_, &StoryPanel::momentsWanted, this, &Lab::compare_moments);
  connect(line_, &TimeLine::filmWanted, this, &Lab::export_film);
  connect(line_, &TimeLine::tableWanted, this, [this] {
    line_host_->table() ? line_host_->close_table() : line_host_->open_table(line_->table(), line_->accessibleName());
  });
  connect(line_, &TimeLine::failed, this, [this](const QString& problem) {
    say(problem, tr("Nothing was written. Choose another place and try again."));
  });
  connect(line_, &TimeLine::written, this, &Lab::written);
}

// --- data

void Lab::offer_sentences() {
  LabData data;
  data.kind = LabData::Kind::sentences;
  data.title = tr("Our sentences");
  if (const std::size_t usable = sentences_->usable(); usable >= SentencesPage::kLeast) {
    const FileOptions pairs = sentences_->pairs();
    data.line = tr("%1 pairs").arg(usable);
    data.text = pairs.text;
    data.put = [pairs, usable](TrainingSettings& settings, const std::filesystem::path& file) {
      if (settings.task != "pairs") settings.epochs = epochs_for(usable);
      settings.task = "pairs";
      settings.data = pairs;
      if (file.empty()) return;
      settings.data.text.clear();
      settings.data.files = {file};
    };
  }
  panel_->offer(data);
}

void Lab::train_sentences(const FileOptions&, const Probe& probe) {
  offer_sentences();
  panel_->choose_data(LabData::Kind::sentences);
  panel_->set_probes(probe.source.empty() ? std::vector<Probe>() : std::vector{probe});
  page_->set_mode(LabPage::Mode::run);
  panel_->start();
}

void Lab::plan_changed() {
  const auto setup = panel_->setup();
  const TrainingSettings& settings = setup.settings;
  probe_->propose(setup.options.probes.empty() ? QString() : from_utf8(setup.options.probes[0].source));
  TimeLinePlan plan;
  plan.characters = plan.perplexity = settings.task == "text";
  // What there is of our own sentences is known; of a text the training says it.
  const double examples =
      settings.task == "pairs" ? static_cast<double>(sentences_->usable()) : static_cast<double>(settings.train_size);
  if (!plan.characters) plan.reads = settings.epochs * examples;
  line_->set_plan(plan);
}

// --- what is in front

void Lab::set_presenting(bool presenting) {
  line_->set_facts_shown(presenting);
  page_->set_presenting(presenting);
}

void Lab::open_recording(const QString& name_or_path) {
  opened_ = name_or_path;
  page_->set_mode(LabPage::Mode::run);
  opening_.start([name = name_or_path.toStdString()](const CancelToken&) { return find_recording(name); });
}

void Lab::show_run(const LabShown::Run& run) {
  banner_->dismiss();
  panel_->runs().add(run);
  if (shown_.runs().empty() || shown_.runs()[0] != run) shown_.show({run});
  if (wanted_read_ >= 0) shown_.go_to_read(std::exchange(wanted_read_, -1));
  page_->set_panel_shown(false);
  page_->focus_first();
}

void Lab::show_preset(const QString& name) {
  try {
    panel_->set_preset(name.toStdString());
    page_->set_mode(LabPage::Mode::run);
    page_->set_panel_shown(true);
  } catch (const Error& error) {
    say(QString::fromUtf8(error.what()));
  }
}

// This moment, or where it is the newest the first one, beside the newest.
void Lab::compare_moments() {
  if (shown_.empty()) return;
  const LabShown::Run run = shown_.runs()[0];
  const int then = shown_.at_end() ? 0 : shown_.moment();
  shown_.set_thin({});
  shown_.show({run, run});
  two_->compare_moments(true);
  page_->set_mode(LabPage::Mode::two);
  shown_.set_side(1);
  shown_.go_to(run->count() - 1);
  shown_.set_side(0);
  shown_.go_to(then);
}

void Lab::open_moment() {
  if (shown_.empty()) return;
  const Recording& run = *shown_.runs()[static_cast<std::size_t>(shown_.side())];
  try {
    const QString source = probe_->source();
    emit modelWanted(model_at(run, shown_.moment(shown_.side())),
                     source.isEmpty() && !run.starts.empty() ? from_utf8(run.starts.front()) : source);
  } catch (const Error& error) {
    say(QString::fromUtf8(error.what()), tr("Train it again here: then the model of each moment is kept."));
  }
}

void Lab::training_changed() {
  using State = LabTraining::State;
  const State state = training_.state();
  page_->set_state(state);
  line_->set_running(training_.busy());
  sentences_->set_busy(training_.busy() ? tr("A training runs.") : QString());
  if (state == State::failed) say(training_.error());
  // When it is trained, one looks at what it has become.
  if (std::exchange(was_running_, training_.busy()) && state == State::finished) page_->set_panel_shown(false);
  emit trainingChanged();
}

QString Lab::training_text() const {
  using State = LabTraining::State;
  if (training_.state() == State::preparing) return tr("training: preparing");
  if (training_.state() == State::paused) return tr("training: paused");
  if (training_.state() != State::running) return {};
  const LiveProgress& at = training_.progress();
  const auto run = training_.recording();
  const int epochs = run ? run->settings.epochs : 0;
  const auto done = at.updates > 0 ? static_cast<int>(epochs * at.update / at.updates) : 0;
  return tr("training: %1 of %2 · %3 left").arg(done).arg(epochs).arg(seconds_words(at.seconds_left));
}

void Lab::stop() { page_->mode() == LabPage::Mode::text ? texts_->stop() : panel_->stop(); }

void Lab::undo() {
  if (page_->mode() == LabPage::Mode::sentences) sentences_->model()->undo()->undo();
}

void Lab::say(const QString& what, const QString& advice, QAction* action) {
  banner_->show_message(message_text(what), advice, action);
}

// --- tables and files

PanelHost* Lab::host_in_use() const {
  return line_host_->isAncestorOf(QApplication::focusWidget()) ? line_host_ : page_->host();
}

void Lab::toggle_table() {
  PanelHost* host = host_in_use();
  if (host->table()) return host->close_table();
  if (host == line_host_)
    host->open_table(line_->table(), line_->accessibleName());
  else
    host->open_table(page_->picture()->table(), page_->picture()->accessibleName());
  host->table()->setFocus(Qt::ShortcutFocusReason);
}

Figure Lab::figure() {
  if (page_->mode() == LabPage::Mode::text) return texts_->figure();
  if (page_->mode() == LabPage::Mode::two) return two_->figure();
  if (shown_.empty()) throw UsageError("nothing was trained yet: there is no picture to write");
  return host_in_use() == line_host_ ? line_->figure() : page_->picture()->figure();
}

QString Lab::figure_name() const {
  const QString source = probe_->source();
  return source.isEmpty() ? QStringLiteral("training") : source;
}

void Lab::export_film() {
  const auto still = std::make_shared<LabStill>(shown_, line_);
  export_training(
      page_, &shown_, [still](QPainter& painter, int moment, QSize size) { still->paint(painter, moment, size); },
      [this](const QString& problem, const QString& path) {
        if (!problem.isEmpty()) say(problem, tr("Nothing was written. Choose another place and try again."));
        if (!path.isEmpty()) emit written(path);
      });
}

// --- sessions

QVariantMap Lab::choices() const {
  QVariantMap choices;
  choices[QStringLiteral("texts")] = texts_->choices();
  if (!opened_.isEmpty()) choices[QStringLiteral("recording")] = opened_;
  if (!shown_.empty()) choices[QStringLiteral("read")] = static_cast<double>(shown_.now().read);
  if (probe_->is_typed()) choices[QStringLiteral("probe")] = probe_->source();
  return choices;
}

void Lab::set_choices(const QVariantMap& choices) {
  texts_->set_choices(choices.value(QStringLiteral("texts")).toMap());
  const double read = choices.value(QStringLiteral("read"), -1.0).toDouble();
  wanted_read_ = read >= 0 && read < 1e15 ? read : -1;
  if (const QString probe = choices.value(QStringLiteral("probe")).toString(); !probe.isEmpty()) probe_->type(probe);
  if (const QString opened = choices.value(QStringLiteral("recording")).toString(); !opened.isEmpty())
    open_recording(opened);
}

}  // namespace headlight
