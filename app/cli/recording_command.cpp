// 'headlight recording': what a training was like, from its file.

#include <cmath>
#include <iostream>

#include "app/cli/commands.h"
#include "app/cli/printed/text_format.h"
#include "app/cli/unused_options.h"
#include "model/recording/recording_file.h"
#include "model/recording/recording_json.h"
#include "model/recording/story.h"
#include "model/text/csv.h"
#include "model/text/message_line.h"

namespace headlight {

namespace {

// A number of a moment: its column, and how it is told of the last one; empty where that is not told.
struct MomentColumn {
  const char* name;
  double Moment::*value;
  const char* told;
};
constexpr MomentColumn kMomentColumns[] = {
    {"seconds", &Moment::seconds, ""},
    {"loss", &Moment::loss, "loss %.4f nats a token"},
    {"right_trained", &Moment::right_trained, "right on what was trained on %.3f"},
    {"right_unseen", &Moment::right_unseen, "right on unseen %.3f"},
    {"perplexity", &Moment::perplexity, "perplexity %.4g"},
    {"looks_right", &Moment::looks_right, "looks at the right word %.3f"},
    {"concentration", &Moment::concentration, "largest weight of a row %.3f"},
    {"learning_rate", &Moment::learning_rate, ""},
    {"gradient_norm", &Moment::gradient_norm, ""},
};

std::string written_text(const Moment& moment, std::size_t probe) {
  std::string text;
  for (const ProbeToken& token : moment.probes[probe].output) text += (text.empty() ? "" : " ") + token.text;
  return text;
}

void print_csv(const Recording& recording) {
  std::cout << "update,read";
  for (const MomentColumn& column : kMomentColumns) std::cout << "," << column.name;
  for (std::size_t p = 0; p < recording.probes.size(); ++p) std::cout << ",output_" << p + 1;
  std::cout << "\n";
  for (const auto& moment : recording.moments) {
    std::cout << moment->update << "," << moment->read;
    for (const MomentColumn& column : kMomentColumns) {
      const double value = (*moment).*column.value;
      std::cout << "," << (is_measured(value) ? format("%.9g", value) : std::string());
    }
    for (std::size_t p = 0; p < recording.probes.size(); ++p) std::cout << "," << csv_cell(written_text(*moment, p));
    std::cout << "\n";
  }
}

void print_marks(const Recording& recording) {
  for (std::size_t p = 0; p < recording.probes.size(); ++p) {
    std::cout << escaped_line(recording.probes[p].source) << "\n";
    for (const Mark& mark : marks(recording, static_cast<int>(p))) {
      const Moment& moment = recording.at(mark.moment);
      std::cout << format("  from update %lld, after %lld examples: ", static_cast<long long>(moment.update),
                          static_cast<long long>(moment.read))
                << escaped_line(mark.word) << "\n";
    }
  }
}

Json with_marks(const Recording& recording) {
  Json json = recording_json(recording);
  json["marks"] = Json::array();
  for (std::size_t p = 0; p < recording.probes.size(); ++p) {
    Json list = Json::array();
    for (const Mark& mark : marks(recording, static_cast<int>(p)))
      list.push_back({{"moment", mark.moment}, {"token", mark.token}, {"word", mark.word}});
    json["marks"].push_back(std::move(list));
  }
  return json;
}

std::string state_line(const Recording& recording, const Moment& last) {
  if (const auto& failure = recording.failure)
    return format("no numbers any more from update %lld on", static_cast<long long>(failure->update)) +
           (is_measured(failure->loss_before) ? format(", the loss was %.4g", failure->loss_before) : std::string());
  if (recording.whole) return "trained to its end";
  return format("stopped after %lld of %lld updates", static_cast<long long>(last.update),
                static_cast<long long>(recording.updates));
}

void print_summary(const Recording& recording) {
  const TrainingSettings& settings = recording.settings;
  std::cout << escaped_line(recording.title) << "\n"
            << "task " << escaped_line(settings.task) << " (" << escaped_line(recording.task_title)
            << "), architecture " << escaped_line(settings.architecture) << ", " << recording.numbers
            << " parameters, seed " << settings.seed << "\n"
            << recording.examples << " examples for training, " << recording.held_out << " held out\n"
            << "recorded " << escaped_line(recording.recorded_at) << ", " << escaped_line(recording.machine) << "\n";
  if (recording.moments.empty()) return;
  const Moment& last = recording.at(recording.count() - 1);
  const bool weights = last.weights != nullptr;
  std::cout << recording.count() << " moments" << (recording.thinned ? " (every second one for want of memory)" : "")
            << ", " << (weights ? "with" : "without") << " weights of the last one; " << state_line(recording, last)
            << "\n"
            << format("%lld updates, %lld examples read, %.1f s", static_cast<long long>(last.update),
                      static_cast<long long>(last.read), last.seconds);
  for (const MomentColumn& column : kMomentColumns)
    if (const double value = last.*column.value; *column.told && is_measured(value))
      std::cout << "; " << format(column.told, value);
  std::cout << "\n";
  for (std::size_t p = 0; p < recording.probes.size(); ++p)
    std::cout << escaped_line(recording.probes[p].source) << " -> " << escaped_line(written_text(last, p)) << "\n";
}

}  // namespace

int recording_command(const RecordingCommand& command) {
  refuse_contradictions(command);
  const std::shared_ptr<const Recording> recording = find_recording(command.recording);
  if (command.json)
    std::cout << with_marks(*recording).dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
  else if (command.csv)
    print_csv(*recording);
  else if (command.marks)
    print_marks(*recording);
  else
    print_summary(*recording);
  return 0;
}

}  // namespace headlight
