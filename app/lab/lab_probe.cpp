#include "app/lab/lab_probe.h"

#include <algorithm>
#include <utility>

#include "model/recording/live_training.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

std::vector<std::string> read_tokens(const ModelBundle& bundle, const std::string& text) {
  std::vector<std::string> tokens;
  for (const TextToken& token : bundle.text.source_tokens(text))
    if (token.id && !token.padding) tokens.push_back(token.text);
  return tokens;
}

}  // namespace

std::vector<std::string> map_names(const Probe& probe, const ProbeRun& run, Index count, bool rows) {
  const auto wanted = static_cast<std::size_t>(count);
  // Rows are the output, columns the source; a map of any other size is of all that was read and written.
  const bool output_alone = rows && run.output.size() == wanted;
  std::vector<std::string> names = output_alone ? std::vector<std::string>() : probe.source_tokens;
  if (output_alone || names.size() < wanted)
    for (const ProbeToken& token : run.output) names.push_back(token.text);
  names.resize(wanted);
  return names;
}

LabProbe::Answer LabProbe::ask_recording(const Recording& recording, int moment, const Probe& probe,
                                         const CancelToken& cancel) {
  const std::shared_ptr<const ModelBundle> bundle = model_at(recording, moment);
  Answer answer{probe, {}};
  answer.probe.source_tokens = read_tokens(*bundle, probe.source);
  answer.run = ask_model(*bundle, answer.probe, recording.maps, cancel, recording.longest);
  return answer;
}

LabProbe::LabProbe(LabShown* shown, QObject* parent, Ask ask)
    : QObject(parent),
      shown_(shown),
      ask_(std::move(ask)),
      asking_([this](const Made& made) { take(made.answer, made.key); },
              [this](const QString& message, bool) {
                // Not once more by itself: what failed stays asked.
                patience_.stop();
                set_waiting(false, message);
              }) {
  patience_.setSingleShot(true);
  patience_.setInterval(kPatience);
  connect(&patience_, &QTimer::timeout, this, [this] { set_waiting(true); });
  connect(shown_, &LabShown::runsChanged, this, &LabProbe::follow);
  connect(shown_, &LabShown::moved, this, &LabProbe::follow);
  connect(shown_, &LabShown::chosenChanged, this, &LabProbe::follow);
}

QString LabProbe::source() const {
  const Probe* asked = probe();
  return asked ? from_utf8(asked->source) : proposed_;
}

void LabProbe::propose(const QString& source) {
  if (std::exchange(proposed_, source) != source) emit changed();
}

// Where the training was asked the same, all of it is there already.
bool LabProbe::choose_recorded(const std::string& text) {
  if (shown_->runs().empty()) return false;
  const std::vector<Probe>& own = shown_->runs()[0]->probes;
  const auto known = std::ranges::find(own, text, &Probe::source);
  if (known == own.end()) return false;
  shown_->set_probe(static_cast<int>(known - own.begin()));
  return true;
}

void LabProbe::type(const QString& source) {
  std::string text = source.trimmed().toStdString();
  if (choose_recorded(text)) text.clear();
  if (text == typed_.source) return;
  typed_ = Probe{std::move(text), {}};
  answers_.clear();
  last_.clear();
  asking_.stop();
  asked_.reset();
  patience_.stop();
  set_waiting(false);
  follow();
  emit changed();
}

// Of recordings of one training the first moment is the same.
LabProbe::Key LabProbe::key(int side) const {
  const Recording& run = *shown_->runs()[static_cast<std::size_t>(side)];
  return {run.moments.front().get(), shown_->now(side).update};
}

const Probe* LabProbe::probe(int side) const {
  if (is_typed()) return &typed_;
  if (side >= static_cast<int>(shown_->runs().size())) return nullptr;
  const std::vector<Probe>& own = shown_->runs()[static_cast<std::size_t>(side)]->probes;
  return shown_->probe() < static_cast<int>(own.size()) ? &own[static_cast<std::size_t>(shown_->probe())] : nullptr;
}

const ProbeRun* LabProbe::run(int side) const {
  if (side >= static_cast<int>(shown_->runs().size())) return nullptr;
  if (shown_->runs()[static_cast<std::size_t>(side)]->moments.empty()) return nullptr;
  if (!is_typed()) {
    const std::vector<ProbeRun>& own = shown_->now(side).probes;
    return shown_->probe() < static_cast<int>(own.size()) ? &own[static_cast<std::size_t>(shown_->probe())] : nullptr;
  }
  if (const auto found = answers_.find(key(side)); found != answers_.end()) return &found->second;
  const auto last = last_.find(side);
  return last == last_.end() ? nullptr : &answers_.at(last->second);
}

LabProbe::Size LabProbe::size(int map, int side) const {
  Size most;
  const auto reckon = [&](const ProbeRun& run) {
    most.rows = std::max(most.rows, static_cast<int>(run.output.size()));
    if (map < 0 || map >= static_cast<int>(run.attention.size())) return;
    const Tensor& weights = run.attention[static_cast<std::size_t>(map)];
    if (weights.rank() != 2) return;
    most.rows = std::max(most.rows, static_cast<int>(weights.dim(0)));
    most.columns = std::max(most.columns, static_cast<int>(weights.dim(1)));
  };
  if (const Probe* asked = probe(side)) most.rows = static_cast<int>(asked->target_tokens.size());
  if (is_typed()) {
    for (const auto& [at, run] : answers_) reckon(run);
  } else if (side < static_cast<int>(shown_->runs().size())) {
    for (const auto& moment : shown_->runs()[static_cast<std::size_t>(side)]->moments)
      if (const auto at = static_cast<std::size_t>(shown_->probe()); at < moment->probes.size())
        reckon(moment->probes[at]);
  }
  return most;
}

// One question at a time: a newer moment waits until the older one is answered, else a training that runs would be
// asked and never heard.
void LabProbe::follow() {
  if (!is_typed()) return;
  if (choose_recorded(typed_.source)) return type({});
  if (asking_.busy()) return;
  for (int side = 0; side < static_cast<int>(shown_->runs().size()); ++side) {
    if (shown_->runs()[static_cast<std::size_t>(side)]->moments.empty()) continue;
    const Key at = key(side);
    if (answers_.contains(at) || asked_ == at) continue;
    return ask(side);
  }
  patience_.stop();
  if (waiting_) set_waiting(false);
}

void LabProbe::ask(int side) {
  asked_ = key(side);
  if (!patience_.isActive() && !waiting_) patience_.start();
  asking_.start([ask = ask_, run = shown_->runs()[static_cast<std::size_t>(side)], moment = shown_->moment(side),
                 probe = typed_, key = *asked_](const CancelToken& cancel) {
    return Made{ask(*run, moment, probe, cancel), key};
  });
}

void LabProbe::take(const Answer& answer, Key at) {
  if (answer.probe.source != typed_.source) return;
  typed_.source_tokens = answer.probe.source_tokens;
  answers_[at] = answer.run;
  for (int side = 0; side < static_cast<int>(shown_->runs().size()); ++side)
    if (!shown_->runs()[static_cast<std::size_t>(side)]->moments.empty() && key(side).first == at.first)
      last_[side] = at;
  asked_.reset();
  if (!problem_.isEmpty()) set_waiting(waiting_);
  follow();
  emit changed();
}

void LabProbe::set_waiting(bool waiting, const QString& problem) {
  const bool other = waiting_ != waiting || problem_ != problem;
  waiting_ = waiting;
  problem_ = problem;
  if (other) emit waitingChanged();
}

}  // namespace headlight
