// Steps that show a training: what a lesson says of them, and the recordings at their moments.

#include <algorithm>
#include <cmath>

#include "app/lessons/expressions/shown_training.h"
#include "app/lessons/lesson_runs.h"
#include "app/lessons/lesson_values.h"
#include "app/lessons/rich_text.h"
#include "model/core/json_library.h"
#include "model/io/json_file.h"
#include "model/recording/recording_file.h"
#include "model/recording/story.h"
#include "model/text/nearest.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr double kSameScore = 0.95;  // where "same_score" puts both
constexpr std::size_t kMostThin = 6;

bool is_own(const std::string& name) { return name.starts_with("./"); }

// A file of the lesson's own folder itself, which is no link.
fs::path own_recording(const fs::path& folder, const std::string& name) {
  const fs::path file = folder / name.substr(2);
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(file, error)))
    throw FileError("the recording " + name + " is missing in the lesson's folder");
  return file;
}

std::shared_ptr<const Recording> bundled_recording(const std::string& name) {
  for (const BundledRecording& each : bundled_recordings())
    if (each.name == name) return find_recording(name);
  throw FileError("the recording '" + name + "' is missing: it is made by sample_models/record-trainings.sh");
}

std::vector<std::string> one_or_more(const Settings& at, const char* key, std::size_t most) {
  if (!at.has(key)) return {};
  if (at.at(key).is_string()) return {at.text(key)};
  LessonValues::list(at, key, 1, most);
  return at.texts(key);
}

}  // namespace

void LessonValues::check_recording(const Settings& at, const char* key, const std::string& name) {
  const std::string file = is_own(name) ? name.substr(2) : name;
  const bool ends = file.ends_with(kRecordingExtension);
  const std::string plain = ends ? file.substr(0, file.size() - std::string(kRecordingExtension).size()) : file;
  if (!is_name(plain) || ends != is_own(name))
    at.fail(key, "expected the name of a bundled recording, or \"./NAME" + std::string(kRecordingExtension) +
                     "\" in the lesson's own folder, found '" + name.substr(0, 60) + "'");
}

void LessonValues::read_training(const Settings& at, LessonTraining& training) {
  at.at("recording");
  training.recordings = one_or_more(at, "recording", 2);
  training.thin = one_or_more(at, "thin", kMostThin);
  for (const std::string& each : training.recordings) check_recording(at, "recording", each);
  for (const std::string& each : training.thin) check_recording(at, "thin", each);
  training.preset = text(at, "preset", 40);
  if (at.has("preset") && !is_name(training.preset)) at.fail("preset", "expected the name of a preset");
  if (at.has("preset") && training.recordings.size() > 1) at.fail("preset", "two trainings are not trained here");
  training.to = expression(at, "to");
  training.before = expression(at, "before");
  training.probe = static_cast<int>(at.integer("probe", 0, 31, 0));
  if (at.has("curves")) training.curves = flag(at, "curves");
  static const std::vector<std::string> kTogether = {"same_moment", "same_score", "end"};
  const std::string together = word(at, "together", kTogether, kTogether[0]);
  training.together = static_cast<LessonTraining::Together>(std::ranges::find(kTogether, together) - kTogether.begin());
  if (at.has("together") && training.recordings.size() < 2)
    at.fail("together", "there is one recording; 'together' says where the second of two stands");
}

std::shared_ptr<const Recording> LessonRuns::recording(const std::string& name) {
  auto& kept = recordings_[name];
  if (!kept) kept = is_own(name) ? load_recording(own_recording(lesson_->folder, name)) : bundled_recording(name);
  if (kept->moments.empty()) throw FormatError("the recording '" + name + "' has no moments");
  return kept;
}

std::shared_ptr<const ShownTraining> LessonRuns::training(int step, const Expression& at) {
  const LessonTraining& wanted = lesson_->steps[static_cast<std::size_t>(step)].training;
  ShownTraining made;
  made.probe = wanted.probe;
  for (const std::string& name : wanted.recordings) made.runs.push_back(recording(name));
  for (const std::string& name : wanted.thin) made.thin.push_back(recording(name));
  for (const auto& run : made.runs) {
    made.moments.push_back(run->count() - 1);
    if (static_cast<std::size_t>(wanted.probe) >= run->probes.size())
      throw UsageError("the recording has " + std::to_string(run->probes.size()) + " probes, none is number " +
                       std::to_string(wanted.probe));
  }
  using Together = LessonTraining::Together;
  ExpressionScope scope;
  scope.step = step;
  scope.others = this;
  const auto moment = [&](const Expression& expression, int side) {
    made.side = side;
    scope.training = std::make_shared<const ShownTraining>(made);
    const int last = made.run().count() - 1;
    const double found = expression.number(scope, cancel_), from_start = found < 0 ? last + 1 + found : found;
    if (from_start != std::floor(from_start) || from_start < 0 || from_start > last)
      throw UsageError("\"" + expression.text() + "\": expected a moment from 0 to " + std::to_string(last) +
                       ", found " + value_text(ExpressionValue(found)));
    made.side = 0;
    return static_cast<int>(from_start);
  };
  if (!at.empty()) made.moments[0] = moment(at, 0);
  const bool same_score = wanted.together == Together::same_score;
  for (std::size_t side = 0; same_score && side < made.runs.size(); ++side) {
    const std::optional<int> found = first_at(*made.runs[side], kSameScore);
    if (!found) throw UsageError("the recording '" + wanted.recordings[side] + "' never had 95 % right");
    made.moments[side] = *found;
  }
  if (made.runs.size() > 1 && wanted.together == Together::same_moment)
    made.moments[1] = moment_at(*made.runs[1], made.runs[0]->at(made.moments[0]).read);
  return std::make_shared<const ShownTraining>(std::move(made));
}

std::shared_ptr<const ShownTraining> LessonRuns::training(int step) {
  const LessonStep& here = lesson_->steps[static_cast<std::size_t>(step)];
  if (!here.trains()) return nullptr;
  auto& kept = trainings_[step];
  if (!kept) kept = training(step, here.training.to);
  return kept;
}

std::shared_ptr<const ShownTraining> LessonRuns::training_before(int step) {
  const LessonStep& here = lesson_->steps[static_cast<std::size_t>(step)];
  return here.trains() && !here.training.before.empty() ? training(step, here.training.before) : nullptr;
}

}  // namespace headlight
