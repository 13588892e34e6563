#include "model/recording/live_training.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <mutex>
#include <set>
#include <utility>

#include "model/core/clock.h"
#include "model/core/errors.h"
#include "model/core/parallel.h"
#include "model/io/json_file.h"
#include "model/models/registry.h"
#include "model/recording/live_folder.h"
#include "model/recording/measuring.h"
#include "model/recording/moment_weights.h"
#include "model/recording/probing.h"
#include "model/training/trainer.h"

namespace headlight {

namespace {

constexpr Index kFirstUpdates[] = {0, 1, 2, 4, 8, 16, 24, 32, 40};
constexpr std::size_t kStarts = 3;
constexpr Index kLongestOpenEnded = 12;  // tokens of the picture; what it goes on writing is longer

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &local);
  return text;
}

std::string machine_text() {
  const int cores = thread_count();
  return std::to_string(cores) + (cores == 1 ? " core" : " cores");
}

// "encoder", and of a Transformer "encoder.layer[0]".
std::string group_of(const std::string& parameter) {
  const std::size_t first = parameter.find('.');
  if (first == std::string::npos) return parameter;
  const std::size_t second = parameter.find('.', first + 1);
  const bool layer = parameter.compare(first + 1, 5, "layer") == 0;
  return parameter.substr(0, layer ? second : first);
}

// The probes that are asked for; else the first held-out example, or how a text may begin.
std::vector<Probe> chosen_probes(const TrainingSettings& settings, const LiveOptions& options, const Task& task) {
  if (!options.probes.empty()) return options.probes;
  std::vector<Probe> probes;
  for (const std::string& source : settings.probes) probes.push_back({source, {}});
  if (!probes.empty()) return probes;
  if (task.open_ended && !task.examples.empty()) return {{task.examples.front(), {}}};
  const TaskData data = generate(task, 1, 1, kDataSeed, 0);
  if (data.test.empty()) throw UsageError("the task '" + task.name + "' holds out no example that could be a probe");
  const Example& example = data.test.front();
  return {{example.source, example.target, example.alignment}};
}

std::unique_ptr<Trainer> make_trainer(TrainingSettings settings, const LiveOptions& options,
                                      std::vector<Probe>& probes) {
  const std::shared_ptr<const Task> task = find_task(settings.task, settings.data);
  probes = chosen_probes(settings, options, *task);
  // A held-out example is not trained on anyway: without a wish the numbers are those of the same settings.
  if (!options.probes.empty()) settings.probes.clear();
  for (const Probe& probe : options.probes) settings.probes.push_back(probe.source);
  auto trainer = std::make_unique<Trainer>(std::move(settings), task);
  // What is right is known of an example that was taken out of the data.
  for (Probe& probe : probes)
    for (const Example& example : trainer->left_out())
      if (probe.target.empty() && example.source == probe.source) {
        probe.target = example.target;
        probe.alignment = example.alignment;
      }
  return trainer;
}

// Every second update of the plan, as often as it takes for the weights to fit; the first and the last stay.
bool thin_out(std::vector<Index>& plan, std::size_t bytes_each, std::size_t most) {
  const auto fits = [&] { return plan.size() <= 2 || plan.size() * bytes_each <= most; };
  if (fits()) return false;
  while (!fits()) {
    std::vector<Index> half;
    for (std::size_t i = 0; i + 1 < plan.size(); i += 2) half.push_back(plan[i]);
    half.push_back(plan.back());
    plan = std::move(half);
  }
  return true;
}

}  // namespace

std::vector<Index> moment_updates(Index updates, int most) {
  std::vector<Index> plan;
  for (const Index update : kFirstUpdates)
    if (update <= updates) plan.push_back(update);
  const Index begin = kFirstUpdates[std::size(kFirstUpdates) - 1], usual = begin - *(std::end(kFirstUpdates) - 2);
  if (updates > begin) {
    const Index room = std::max<Index>(1, most - static_cast<Index>(std::size(kFirstUpdates)));
    const Index step = std::max(usual, (updates - begin + room - 1) / room);
    for (Index update = begin + step; update < updates; update += step) plan.push_back(update);
  }
  if (plan.back() != updates) plan.push_back(updates);
  return plan;
}

struct LiveTraining::State {
  State(TrainingSettings settings, LiveOptions asked);

  void describe(Recording& first) const;
  void restore();
  std::shared_ptr<const Recording> newest() const {
    const std::lock_guard lock(mutex);
    return recording;
  }
  // Changes a copy of the newest recording, which is the newest then.
  template <class Change>
  std::shared_ptr<const Recording> change(const Change& make) {
    auto newer = std::make_shared<Recording>(*newest());
    make(*newer);
    const std::lock_guard lock(mutex);
    recording = newer;
    return newer;
  }
  ModelBundle bundle() const;
  Moment make_moment() const;
  std::shared_ptr<const Recording> keep(bool planned);
  void save();
  bool train(const std::function<void(const LiveProgress&)>& progress, const CancelToken& cancel);
  LiveProgress now() const;
  Index read() const {
    return static_cast<Index>(std::llround(static_cast<double>(trainer->updates() * trainer->examples_in_batch()) *
                                           measuring->reads_of_an_example()));
  }

  LiveOptions options;
  std::vector<Probe> probes;
  std::unique_ptr<Trainer> trainer;
  std::unique_ptr<Measuring> measuring;
  std::unique_ptr<LiveFolder> folder;
  std::vector<Index> plan;  // updates at which moments are kept
  std::size_t next = 0;     // of them
  bool stopped = false;     // the newest moment is one at which it was stopped; the next takes its place
  // Since the last moment of the plan.
  double nll = 0, tokens = 0;
  UpdateRecord last;  // update
  double saved_at = -1e9;

  mutable std::mutex mutex;
  std::shared_ptr<const Recording> recording;
};

LiveTraining::State::State(TrainingSettings settings, LiveOptions asked)
    : options(std::move(asked)), trainer(make_trainer(std::move(settings), options, probes)) {
  trainer->keep_gradient_norms();
  measuring = std::make_unique<Measuring>(*trainer, options.sample);
  auto first = std::make_shared<Recording>();
  plan = moment_updates(trainer->settings().epochs * trainer->updates_in_epoch(), options.moments);
  if (options.weights)
    first->thinned =
        thin_out(plan, static_cast<std::size_t>(trainer->model().parameters().count()) * 2, options.most_bytes);
  describe(*first);
  recording = first;
  if (!options.folder.empty()) {
    folder = std::make_unique<LiveFolder>(options.folder);
    restore();
  }
}

void LiveTraining::State::describe(Recording& first) const {
  const Task& task = trainer->task();
  first.settings = trainer->settings();
  first.task = trainer->shared_task();
  first.title = options.title.empty() ? find_architecture(first.settings.architecture).label : options.title;
  first.task_title = task.title;
  first.recorded_at = now_text();
  first.machine = machine_text();
  first.numbers = trainer->model().parameters().count();
  first.examples = trainer->train_data().size();
  first.held_out = trainer->test_data().size();
  first.longest = task.open_ended ? kLongestOpenEnded : trainer->train_data().target_length() - (task.text.eos ? 1 : 0);
  first.updates = plan.back();
  first.reads = static_cast<Index>(std::llround(static_cast<double>(first.updates * trainer->examples_in_batch()) *
                                                measuring->reads_of_an_example()));
  for (const Parameter& p : trainer->model().parameters().all()) {
    first.parameters.push_back({p.name, p.value.shape()});
    const std::string group = group_of(p.name);
    if (std::find(first.layers.begin(), first.layers.end(), group) == first.layers.end()) first.layers.push_back(group);
  }
  const ModelBundle untrained = bundle();
  for (const Probe& probe : probes) first.probes.push_back(read_probe(untrained, probe));
  first.maps = maps_of(untrained, probes.front().source);
  if (!task.open_ended) return;
  first.starts = options.starts;
  if (first.starts.empty())
    first.starts.assign(task.examples.begin(),
                        task.examples.begin() + static_cast<std::ptrdiff_t>(std::min(kStarts, task.examples.size())));
}

// The plan says which moments there must be up to the state that was read.
void LiveTraining::State::restore() {
  auto restored = folder->restore(*trainer);
  if (!restored) return;
  const auto refuse = [&](const std::string& what) { throw FormatError(options.folder.string() + ": " + what); };
  next = restored->moments.size();
  for (std::size_t i = 0; i < next; ++i)
    if (i >= plan.size() || restored->moments[i]->update != plan[i])
      refuse("expected a moment at update " + (i < plan.size() ? std::to_string(plan[i]) : "none") + ", found " +
             std::to_string(restored->moments[i]->update));
  if (next < plan.size() && plan[next] < trainer->updates())
    refuse("the moment at update " + std::to_string(plan[next]) + " is missing");
  const auto number = [&](const char* key) {
    const auto found = restored->notes.find(key);
    const Json value = found == restored->notes.end() ? Json() : typed_value(found->second);
    if (!value.is_number()) refuse("the state's " + std::string(key) + " cannot be read");
    return value.get<double>();
  };
  nll = number("nll");
  tokens = number("tokens");
  last = {number("last_nll"), number("last_tokens"), number("learning_rate"), number("gradient_norm")};
  change([&](Recording& r) {
    r.moments = restored->moments;
    stopped = restored->stopped != nullptr;
    if (stopped) r.moments.push_back(restored->stopped);
    if (!restored->recorded_at.empty()) r.recorded_at = restored->recorded_at;
    r.whole = trainer->finished() && !r.moments.empty() && r.moments.back()->update == trainer->updates();
  });
}

// Until the end of a training that takes the mean of its last weights, moments are of the weights that it trains.
ModelBundle LiveTraining::State::bundle() const {
  ModelBundle made;
  made.model = trainer->finished() ? trainer->shared_model() : trainer->trained_model();
  made.text = trainer->task().text;
  return made;
}

Moment LiveTraining::State::make_moment() const {
  const ModelBundle model = bundle();
  const std::shared_ptr<const Recording> before = newest();
  Moment moment;
  moment.update = trainer->updates();
  moment.read = read();
  moment.seconds = trainer->seconds();
  if (tokens > 0) moment.loss = nll / tokens;
  moment.learning_rate = moment.update > 0 ? last.learning_rate : trainer->learning_rate();
  if (moment.update > 0) moment.gradient_norm = last.gradient_norm;
  const std::vector<double>& norms = trainer->gradient_norms();
  if (!norms.empty()) {
    moment.layer_gradients.assign(before->layers.size(), 0);
    for (std::size_t i = 0; i < norms.size(); ++i) {
      const auto layer = std::find(before->layers.begin(), before->layers.end(), group_of(before->parameters[i].name));
      moment.layer_gradients[static_cast<std::size_t>(layer - before->layers.begin())] += norms[i] * norms[i];
    }
    for (double& norm : moment.layer_gradients) norm = std::sqrt(norm);
  }
  measuring->measure(*model.model, moment);
  for (const Probe& probe : before->probes)
    moment.probes.push_back(ask_model(model, probe, before->maps, {}, before->longest));
  for (const std::string& start : before->starts) moment.written.push_back(goes_on_writing(model, start));
  if (options.weights) moment.weights = weights_of(model.model->parameters());
  return moment;
}

std::shared_ptr<const Recording> LiveTraining::State::keep(bool planned) {
  auto moment = std::make_shared<const Moment>(make_moment());
  const auto kept = change([&](Recording& r) {
    if (stopped) r.moments.pop_back();
    r.moments.push_back(std::move(moment));
  });
  stopped = !planned;
  if (planned) nll = tokens = 0;
  return kept;
}

void LiveTraining::State::save() {
  if (!folder) return;
  const auto text = [](double number) { return Json(number).dump(); };
  folder->save(*newest(), stopped, *trainer,
               {{"nll", text(nll)},
                {"tokens", text(tokens)},
                {"last_nll", text(last.nll)},
                {"last_tokens", text(last.tokens)},
                {"learning_rate", text(last.learning_rate)},
                {"gradient_norm", text(last.gradient_norm)}});
  saved_at = steady_seconds();
}

LiveProgress LiveTraining::State::now() const {
  LiveProgress now;
  now.update = trainer->updates();
  now.updates = plan.back();
  now.read = read();
  now.seconds = trainer->seconds();
  now.seconds_left = now.update > 0 ? now.seconds / static_cast<double>(now.update) *
                                          static_cast<double>(std::max<Index>(0, now.updates - now.update))
                                    : 0;
  now.loss = last.tokens > 0 ? last.nll / last.tokens : kNotMeasured;
  return now;
}

// One update, with the end of its epoch; false where the numbers are none any more.
bool LiveTraining::State::train(const std::function<void(const LiveProgress&)>& progress, const CancelToken& cancel) {
  try {
    if (trainer->batches_left() > 0) {
      last = trainer->advance();
      nll += last.nll;
      tokens += last.tokens;
      if (progress) progress(now());
    }
    if (trainer->batches_left() == 0) trainer->end_epoch(cancel);
    return true;
  } catch (const Error& error) {
    const bool whole_epoch = trainer->batches_left() == 0;
    change([&](Recording& r) { r.failure = {trainer->updates() + (whole_epoch ? 0 : 1), now().loss, error.what()}; });
    return false;
  }
}

LiveTraining::LiveTraining(TrainingSettings settings, LiveOptions options)
    : state_(std::make_unique<State>(std::move(settings), std::move(options))) {}
LiveTraining::~LiveTraining() = default;

Trainer& LiveTraining::trainer() { return *state_->trainer; }
std::shared_ptr<const Recording> LiveTraining::recording() const { return state_->newest(); }
bool LiveTraining::finished() const { return state_->newest()->whole || state_->newest()->failure.has_value(); }

void LiveTraining::run(const std::function<void(std::shared_ptr<const Recording>)>& kept,
                       const std::function<void(const LiveProgress&)>& progress, const CancelToken& cancel) {
  State& s = *state_;
  const auto keep = [&](bool planned) {
    const auto recording = s.keep(planned);
    if (kept) kept(recording);
  };
  if (finished()) return;
  try {
    while (true) {
      // A moment at the end of an epoch is one behind its evaluation, on which the next rate may depend.
      const bool due = s.next < s.plan.size() && s.plan[s.next] == s.trainer->updates();
      if (due && s.trainer->batches_left() > 0) {
        keep(true);
        ++s.next;
        if (steady_seconds() - s.saved_at >= s.options.save_every) s.save();
      }
      if (s.trainer->finished()) break;
      cancel.check();
      const int epochs = s.trainer->epochs_done();
      if (!s.train(progress, cancel)) break;
      if (s.options.epoch_ended && s.trainer->epochs_done() > epochs) s.options.epoch_ended(*s.trainer);
    }
  } catch (const Cancelled&) {
    const auto recording = s.newest();
    if (recording->moments.empty() || recording->moments.back()->update != s.trainer->updates()) keep(false);
    s.save();
    return;
  }
  if (!s.newest()->failure) {
    // Patience may have ended it before its last update.
    if (s.newest()->moments.back()->update != s.trainer->updates()) keep(false);
    s.change([](Recording& r) { r.whole = true; });
  }
  if (kept) kept(s.newest());
  s.save();
}

ProbeRun LiveTraining::ask(const Probe& probe, int moment, const CancelToken& cancel) const {
  return ask_recording(*state_->newest(), probe, moment, cancel);
}

}  // namespace headlight
