// 'headlight analyse': what heads do, what they bring and what they are worth.

#include <charconv>
#include <map>

#include "app/cli/analyse/analyse_options.h"
#include "app/cli/analyse/golden.h"
#include "app/cli/analyse/methods.h"
#include "app/cli/commands.h"
#include "model/core/errors.h"

namespace headlight {

std::vector<Index> places_of_option(const std::string& text, const char* option) {
  std::vector<Index> places;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    int number = -1;
    const auto [rest, error] = std::from_chars(text.data() + at, text.data() + end, number);
    if (error != std::errc() || rest != text.data() + end || number < 0)
      throw UsageError(std::string(option) + ": expected whole numbers with commas between them, found '" +
                       text.substr(0, 60) + "'");
    places.push_back(number);
    at = end + 1;
  }
  return places;
}

int analyse_command(const AnalyseCommand& command) {
  tell_unused(command);
  if (command.method == "golden") {
    if (command.inputs.empty() || command.dump.empty())
      throw UsageError(std::string(command.inputs.empty() ? "--inputs" : "--dump") + " is required");
    const Interruptible interruptible;
    dump_golden(command.model, command.inputs, command.dump, interruptible.token());
    return 0;
  }
  static const std::map<std::string, void (*)(AnalysisRun&)> methods = {
      {"summary", analyse_summary},   {"norm", analyse_norm},         {"rollout", analyse_rollout},
      {"flow", analyse_flow},         {"repeated", analyse_repeated}, {"neurons", analyse_neurons},
      {"patterns", analyse_patterns}, {"rank", analyse_rank},         {"similarity", analyse_similarity},
      {"effect", analyse_effect},     {"align", analyse_align},       {"number", analyse_number}};
  AnalysisRun run(command);
  if (command.method != "repeated" && !run.bundle()->stored && command.texts.empty() && !command.has("--source"))
    throw UsageError("--source or --texts is required");
  methods.at(command.method)(run);
  return run.finish();
}

}  // namespace headlight
