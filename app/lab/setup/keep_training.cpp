#include "app/lab/setup/keep_training.h"

#include <cstdio>

#include "app/lab/setup/training_words.h"
#include "model/io/file.h"
#include "model/io/model_folder.h"
#include "model/models/registry.h"
#include "model/recording/live_training.h"
#include "model/recording/recording_file.h"
#include "model/text/message_line.h"

namespace headlight {

namespace {

std::string four_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", value);
  return text;
}

std::string quality_line(const Recording& recording, const Moment& moment) {
  std::string line = "- Quality after " + std::to_string(moment.update) + " of " + std::to_string(recording.updates) +
                     " updates (" + std::to_string(moment.read) + " examples read), on the held-out examples:";
  if (is_measured(moment.right_unseen)) line += " exact match " + four_digits(moment.right_unseen) + ",";
  if (is_measured(moment.perplexity)) line += " perplexity " + four_digits(moment.perplexity) + ",";
  line.back() = '\n';
  return line;
}

}  // namespace

std::string model_card_of(const std::string& name, const Recording& recording, int moment) {
  const Architecture& architecture = find_architecture(recording.settings.architecture);
  const bool last = moment + 1 == recording.count() && recording.whole;
  std::string card = "# " + escaped_line(name) + "\n\n" + escaped_line(recording.title) + "\n\n";
  card += std::string("- Architecture: ") + architecture.title + " (" + architecture.paper + "), " +
          std::to_string(recording.numbers) + " parameters\n";
  card += "- Data: " + escaped_line(recording.task_title) + ", " + std::to_string(recording.examples) +
          " examples for training and " + std::to_string(recording.held_out) +
          " held out, none of which was trained on\n";
  if (is_of_people(recording.settings))
    card += "- The words of these texts, names of people among them, stand in vocabulary.json\n";
  card += quality_line(recording, recording.at(moment));
  card += "- Weights: " + std::string(last ? "of the end of the training" : "of a moment of the training") +
          ", kept as float16 while it ran\n";
  return card + "- Training command: `" + command_line(recording.settings, recording.probes) + "`" +
         (last ? "" : ", whose numbers at this update these are") + "\n";
}

void keep_model(const std::filesystem::path& folder, const Recording& recording, int moment) {
  if (is_there(folder) && !entries_of(folder).empty())
    throw UsageError(folder.string() + ": expected a new or an empty folder, found one with files in it");
  ModelBundle bundle = *model_at(recording, moment);
  bundle.name = escaped_line(last_part(folder));
  save_model(folder, bundle, model_card_of(bundle.name, recording, moment), StorageType::f32);
}

void keep_recording(const std::filesystem::path& file, const Recording& recording) { save_recording(file, recording); }

}  // namespace headlight
