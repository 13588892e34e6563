#include "app/lab/setup/lab_runs.h"

#include <algorithm>
#include <utility>

#include "app/lab/setup/training_words.h"
#include "model/models/registry.h"
#include "model/recording/story.h"
#include "widgets/text/number_words.h"

namespace headlight {

namespace {

// The same training but for its dice.
bool differ_in_seed_only(const Recording& first, const Recording& second) {
  const auto found = setting_differences(first.settings, second.settings);
  return std::all_of(found.begin(), found.end(), [](const SettingDifference& each) { return each.key == "seed"; });
}

}  // namespace

LabRuns::LabRuns(LabTraining* training, LabShown* shown, QObject* parent)
    : QObject(parent), training_(training), shown_(shown) {
  connect(training_, &LabTraining::stateChanged, this, [this] {
    if (training_->state() == LabTraining::State::preparing && !training_->recording()) running_ = removed_ = false;
    emit changed();
  });
  connect(training_, &LabTraining::momentKept, this, &LabRuns::grow);
}

int LabRuns::front() const {
  if (shown_->runs().empty()) return -1;
  const auto found = std::find(runs_.begin(), runs_.end(), shown_->runs().front());
  return found == runs_.end() ? -1 : static_cast<int>(found - runs_.begin());
}

void LabRuns::add(LabShown::Run run) {
  const bool grows = std::exchange(running_, false);
  runs_.insert(runs_.begin() + (grows ? 1 : 0), std::move(run));
  running_ = grows;
  if (runs_.size() > kMost) runs_.resize(kMost);
  choose(grows ? 1 : 0);
}

void LabRuns::grow() {
  if (removed_) return;
  const LabShown::Run now = training_->recording();
  if (!std::exchange(running_, true)) {
    runs_.insert(runs_.begin(), now);
    if (runs_.size() > kMost) runs_.resize(kMost);
    return choose(0);
  }
  const LabShown::Run before = std::exchange(runs_.front(), now);
  const auto& shown = shown_->runs();
  for (std::size_t side = 0; side < shown.size(); ++side)
    if (shown[side] == before) shown_->grow(static_cast<int>(side), now);
  emit changed();
}

void LabRuns::choose(int at) {
  if (at < 0 || at >= static_cast<int>(runs_.size())) return;
  if (front() >= 0 && at != front()) before_ = shown_->runs().front();
  shown_->show({runs_[static_cast<std::size_t>(at)]});
  show_thin();
  emit changed();
  emit chosen();
}

// A click on a run brings it to the front: then it is compared with what stood there.
int LabRuns::beside(int at) const {
  if (front() < 0 || at < 0 || at >= static_cast<int>(runs_.size())) return -1;
  if (at != front()) return at;
  const auto found = std::find(runs_.begin(), runs_.end(), before_.lock());
  if (found != runs_.end() && *found != shown_->runs().front()) return static_cast<int>(found - runs_.begin());
  return runs_.size() < 2 ? -1 : at == 0 ? 1 : 0;
}

void LabRuns::compare(int at) {
  const int other = beside(at);
  if (other < 0) return;
  shown_->show({shown_->runs().front(), runs_[static_cast<std::size_t>(other)]});
  shown_->set_thin({});
  emit changed();
  emit compared();
}

void LabRuns::remove(int at) {
  if (at < 0 || at >= static_cast<int>(runs_.size())) return;
  if (at == 0 && running_) training_->stop();
  const bool in_front = at == front();
  if (at == 0) removed_ = std::exchange(running_, false);
  runs_.erase(runs_.begin() + at);
  if (in_front)
    runs_.empty() ? shown_->show({}) : choose(0);
  else
    show_thin();
  emit changed();
}

void LabRuns::forget_of_people() {
  for (int at = static_cast<int>(runs_.size()) - 1; at >= 0; --at)
    if (is_of_people(runs_[static_cast<std::size_t>(at)]->settings)) remove(at);
}

void LabRuns::show_thin() {
  if (shown_->runs().size() != 1) return;
  std::vector<LabShown::Run> thin;
  for (const LabShown::Run& run : runs_)
    if (run != shown_->runs().front() && differ_in_seed_only(*run, *shown_->runs().front())) thin.push_back(run);
  shown_->set_thin(std::move(thin));
}

QString run_words(const Recording& run) {
  QStringList parts = {LabRuns::tr("Seed %1").arg(run.settings.seed)};
  for (const Architecture& each : architectures())
    if (each.name == run.settings.architecture) parts << architecture_words(each);
  if (!run.moments.empty()) {
    const Moment& last = *run.moments.back();
    if (is_measured(last.right_unseen))
      parts << LabRuns::tr("%1 right on unseen").arg(share_percent(last.right_unseen));
    else if (is_measured(last.perplexity))
      parts << LabRuns::tr("perplexity %1").arg(short_number(last.perplexity, 3));
    parts << duration_words(last.seconds);
  }
  return parts.join(QStringLiteral(" · "));
}

}  // namespace headlight
