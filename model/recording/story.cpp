#include "model/recording/story.h"

#include <algorithm>
#include <cmath>

#include "model/training/training_settings.h"

namespace headlight {

namespace {

using Output = std::vector<ProbeToken>;

const Output& output_at(const Recording& recording, int moment, int probe) {
  static const Output none;
  const std::vector<ProbeRun>& probes = recording.at(moment).probes;
  return probe >= 0 && static_cast<std::size_t>(probe) < probes.size() ? probes[static_cast<std::size_t>(probe)].output
                                                                       : none;
}

bool has_word(const Output& output, std::size_t place, const std::string& word) {
  return place < output.size() && output[place].text == word;
}

bool same_words(const Output& a, const Output& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ProbeToken& x, const ProbeToken& y) { return x.text == y.text; });
}

double weight_at(const ProbeRun& run, int map, Index row, Index column) {
  if (map < 0 || static_cast<std::size_t>(map) >= run.attention.size()) return 0;
  const Tensor& weights = run.attention[static_cast<std::size_t>(map)];
  if (!weights.defined() || row >= weights.rows() || column >= weights.columns()) return 0;
  return static_cast<double>(weights[row * weights.columns() + column]);
}

}  // namespace

std::vector<Mark> marks(const Recording& recording, int probe) {
  std::vector<Mark> found;
  if (recording.moments.empty()) return found;
  const int last = recording.count() - 1;
  const Output& end = output_at(recording, last, probe);
  for (std::size_t place = 0; place < end.size(); ++place) {
    int since = last;
    while (since > 0 && has_word(output_at(recording, since - 1, probe), place, end[place].text)) --since;
    if (since > 0) found.push_back({since, static_cast<int>(place), end[place].text});
  }
  std::stable_sort(found.begin(), found.end(), [](const Mark& a, const Mark& b) { return a.moment < b.moment; });
  return found;
}

std::vector<int> other_changes(const Recording& recording, int probe) {
  const std::vector<Mark> marked = marks(recording, probe);
  std::vector<int> changes;
  for (int moment = 1; moment < recording.count(); ++moment) {
    if (same_words(output_at(recording, moment - 1, probe), output_at(recording, moment, probe))) continue;
    if (std::none_of(marked.begin(), marked.end(), [&](const Mark& mark) { return mark.moment == moment; }))
      changes.push_back(moment);
  }
  return changes;
}

int next_mark(const Recording& recording, int probe, int moment, int direction) {
  int nearest = moment;
  for (const Mark& mark : marks(recording, probe)) {
    if (direction > 0 && mark.moment > moment) return mark.moment;
    if (direction < 0 && mark.moment < moment) nearest = mark.moment;
  }
  return nearest;
}

std::optional<int> first_at(const Recording& recording, double share) {
  for (int moment = 0; moment < recording.count(); ++moment)
    if (recording.at(moment).right_unseen >= share) return moment;  // what is not measured is not
  return {};
}

int moment_at(const Recording& recording, Index read) {
  int last = 0;
  while (last + 1 < recording.count() && recording.at(last + 1).read <= read) ++last;
  return last;
}

ProbeDifference difference(const ProbeRun& first, const ProbeRun& second, int map, double threshold) {
  ProbeDifference found;
  Index rows = 0, columns = 0;
  for (const ProbeRun* run : {&first, &second})
    if (map >= 0 && static_cast<std::size_t>(map) < run->attention.size()) {
      const Tensor& weights = run->attention[static_cast<std::size_t>(map)];
      if (!weights.defined()) continue;
      rows = std::max(rows, weights.rows());
      columns = std::max(columns, weights.columns());
    }
  const auto distance = [](const ProbeDifference::Cell& cell) { return std::abs(cell.first - cell.second); };
  for (Index row = 0; row < rows; ++row)
    for (Index column = 0; column < columns; ++column) {
      const ProbeDifference::Cell cell{static_cast<int>(row), static_cast<int>(column),
                                       weight_at(first, map, row, column), weight_at(second, map, row, column)};
      if (distance(cell) <= threshold) continue;
      found.cells.push_back(cell);
      if (!found.most || distance(cell) > distance(*found.most)) found.most = cell;
    }
  const std::size_t longest = std::max(first.output.size(), second.output.size());
  for (std::size_t place = 0; place < longest; ++place)
    if (place >= first.output.size() || !has_word(second.output, place, first.output[place].text))
      found.words.push_back(static_cast<int>(place));
  return found;
}

bool does_not_learn(const Recording& recording) {
  constexpr double kRight = 0.05, kFalls = 0.95;
  if (recording.moments.empty() || recording.failure) return false;
  const Moment& now = recording.at(recording.count() - 1);
  if (3 * now.update < recording.updates) return false;
  // The loss falls where the later half of the moments has gone below the earlier one.
  double lowest_before = std::numeric_limits<double>::infinity(), lowest_since = lowest_before;
  for (const auto& moment : recording.moments) {
    if (moment->right_unseen >= kRight) return false;
    if (!is_measured(moment->loss)) continue;
    double& lowest = 2 * moment->update < now.update ? lowest_before : lowest_since;
    lowest = std::min(lowest, moment->loss);
  }
  return lowest_since >= kFalls * lowest_before;
}

std::vector<SettingDifference> setting_differences(const TrainingSettings& first, const TrainingSettings& second) {
  std::vector<SettingDifference> found;
  const auto text = [](const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); };
  const auto compare = [&](const Json& a, const Json& b, const auto& skips) {
    for (const auto& [key, value] : a.items()) {
      if (skips(key)) continue;
      const Json other = b.contains(key) ? b[key] : Json();
      if (value != other) found.push_back({key, text(value), text(other)});
    }
    for (const auto& [key, value] : b.items())
      if (!a.contains(key) && !skips(key)) found.push_back({key, text(Json()), text(value)});
  };
  const Json a = first.to_json(), b = second.to_json();
  compare(a, b, [](const std::string& key) { return key == "model" || key == "probes"; });
  compare(a["model"], b["model"], [](const std::string&) { return false; });
  return found;
}

}  // namespace headlight
