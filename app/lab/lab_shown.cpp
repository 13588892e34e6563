#include "app/lab/lab_shown.h"

#include <algorithm>
#include <utility>

#include "model/recording/story.h"

namespace headlight {

namespace {

constexpr double kBothReached = 0.95;  // of held-out outputs that are right: Together::same_score

int newest_of(const LabShown::Run& run) { return std::max(0, run->count() - 1); }

// The moment of another state of the same training: memory may have given up every second one.
int same_update(const Recording& run, Index update) {
  int found = 0;
  for (int k = 0; k < run.count() && run.at(k).update <= update; ++k) found = k;
  return found;
}

}  // namespace

int LabShown::moment(int side) const {
  return side < static_cast<int>(moments_.size()) ? moments_[static_cast<std::size_t>(side)] : 0;
}

bool LabShown::at_end() const {
  return runs_.empty() || moment(side_) >= newest_of(runs_[static_cast<std::size_t>(side_)]);
}

void LabShown::show(std::vector<Run> runs) {
  std::erase(runs, nullptr);
  const bool end = at_end();
  const Index read = end || empty() ? 0 : now(side_).read;
  runs_ = std::move(runs);
  moments_.clear();
  for (const Run& run : runs_) moments_.push_back(end || run->moments.empty() ? newest_of(run) : moment_at(*run, read));
  side_ = std::clamp(side_, 0, std::max(0, static_cast<int>(runs_.size()) - 1));
  const Recording none, &first = runs_.empty() ? none : *runs_[0];
  probe_ = std::clamp(probe_, 0, std::max(0, static_cast<int>(first.probes.size()) - 1));
  map_ = std::clamp(map_, 0, std::max(0, static_cast<int>(first.maps.size()) - 1));
  if (runs_.size() < 2) together_ = Together::same_moment;
  follow();
  emit runsChanged();
  emit moved();
}

void LabShown::grow(int side, Run run) {
  const auto at = static_cast<std::size_t>(side);
  if (!run || at > runs_.size()) return;
  if (at == runs_.size()) {
    std::vector<Run> runs = runs_;
    runs.push_back(std::move(run));
    return show(std::move(runs));
  }
  const bool end = runs_[at]->moments.empty() || moments_[at] >= newest_of(runs_[at]);
  const Index update = end ? 0 : runs_[at]->at(moments_[at]).update;
  const std::vector<int> before = moments_;
  runs_[at] = std::move(run);
  moments_[at] = end ? newest_of(runs_[at]) : same_update(*runs_[at], update);
  follow();
  emit runsChanged();
  if (end || moments_ != before) emit moved();
}

void LabShown::set_thin(std::vector<Run> runs) {
  std::erase(runs, nullptr);
  thin_ = std::move(runs);
  emit runsChanged();
}

void LabShown::set_probe(int probe) {
  const int most = runs_.empty() ? 0 : static_cast<int>(runs_[0]->probes.size()) - 1;
  if (std::exchange(probe_, std::clamp(probe, 0, std::max(0, most))) != probe_) emit chosenChanged();
}

void LabShown::set_map(int map) {
  const int most = runs_.empty() ? 0 : static_cast<int>(runs_[0]->maps.size()) - 1;
  if (std::exchange(map_, std::clamp(map, 0, std::max(0, most))) != map_) emit chosenChanged();
}

void LabShown::set_together(Together together) {
  if (runs_.size() < 2 || std::exchange(together_, together) == together) return;
  follow();
  emit chosenChanged();
  emit moved();
}

void LabShown::set_side(int side) {
  const int most = static_cast<int>(runs_.size()) - 1;
  if (std::exchange(side_, std::clamp(side, 0, std::max(0, most))) != side_) emit chosenChanged();
}

// A handle that is moved by hand is the same count for both again.
void LabShown::go_to(int moment) {
  if (runs_.empty()) return;
  int& mine = moments_[static_cast<std::size_t>(side_)];
  const int wanted = std::clamp(moment, 0, newest_of(runs_[static_cast<std::size_t>(side_)]));
  const bool free =
      together_ != Together::apart && std::exchange(together_, Together::same_moment) != Together::same_moment;
  if (std::exchange(mine, wanted) == wanted && !free) return;
  follow();
  if (free) emit chosenChanged();
  emit moved();
}

void LabShown::go_to_read(double read) {
  if (empty()) return;
  go_to(moment_at(*runs_[static_cast<std::size_t>(side_)], static_cast<Index>(std::max(0.0, read))));
}

void LabShown::go_by(int moments) { go_to(moment(side_) + moments); }

void LabShown::go_to_mark(int direction) {
  if (empty()) return;
  go_to(next_mark(*runs_[static_cast<std::size_t>(side_)], probe_, moment(side_), direction));
}

void LabShown::follow() {
  if (runs_.size() < 2) return;
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    const Recording& run = *runs_[k];
    if (run.moments.empty()) continue;
    if (together_ == Together::end) moments_[k] = newest_of(runs_[k]);
    if (together_ == Together::same_score) moments_[k] = first_at(run, kBothReached).value_or(newest_of(runs_[k]));
    if (together_ == Together::same_moment && static_cast<int>(k) != side_ && !empty())
      moments_[k] = moment_at(run, now(side_).read);
  }
}

}  // namespace headlight
