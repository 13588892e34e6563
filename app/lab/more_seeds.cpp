#include "app/lab/more_seeds.h"

#include <set>
#include <utility>

namespace headlight {

std::vector<WantedSeed> missing_seeds(const RunsCompared& compared) {
  std::vector<WantedSeed> wanted;
  for (int side = 0; side < 2; ++side) {
    const Recording& run = compared.run(side);
    std::set<std::uint64_t> there = whole_seeds(compared, side);
    for (std::uint64_t seed = 1; there.size() < static_cast<std::size_t>(kSeedsNeeded); ++seed) {
      if (!there.insert(seed).second) continue;
      WantedSeed one{run.settings, {}, run.moments.empty() ? 0 : run.moments.back()->seconds};
      one.settings.seed = seed;
      for (const Probe& probe : run.probes) one.options.probes.push_back({probe.source, probe.target, probe.alignment});
      one.options.starts = run.starts;
      one.options.title = run.title;
      one.options.weights = false;
      wanted.push_back(std::move(one));
    }
  }
  return wanted;
}

MoreSeeds::MoreSeeds(LabShown* shown, QObject* parent) : QObject(parent), shown_(shown) {
  connect(&training_, &LabTraining::stateChanged, this, &MoreSeeds::follow);
}

void MoreSeeds::train(const std::vector<WantedSeed>& wanted) {
  if (left_ > 0) return;
  queue_.assign(wanted.begin(), wanted.end());
  next();
}

void MoreSeeds::stop() {
  queue_.clear();
  left_ = 0;
  training_.stop();
  emit changed();
}

void MoreSeeds::next() {
  left_ = static_cast<int>(queue_.size());
  if (!queue_.empty()) {
    const WantedSeed one = std::move(queue_.front());
    queue_.pop_front();
    training_.start(one.settings, one.options);
  }
  emit changed();
}

void MoreSeeds::follow() {
  using State = LabTraining::State;
  if (left_ == 0) return;
  if (training_.state() == State::failed) {
    const QString message = training_.error();
    stop();
    emit failed(message);
  } else if (training_.state() == State::finished) {
    std::vector<LabShown::Run> thin = shown_->thin();
    thin.push_back(training_.recording());
    shown_->set_thin(std::move(thin));
    emit trained(training_.recording());
    next();
  }
}

}  // namespace headlight
