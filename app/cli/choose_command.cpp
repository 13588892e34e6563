// 'headlight choose': what each stage of choosing a token does to given logits.

#include <iostream>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/overrides.h"
#include "app/cli/printed/choice_text.h"
#include "app/cli/run_pretrained.h"
#include "model/core/errors.h"
#include "model/core/json_library.h"
#include "model/decode/choice.h"
#include "model/io/json_file.h"
#include "model/io/npz.h"

namespace headlight {

namespace {

constexpr std::uint64_t kLargestSettings = 64u << 20;

Tensor logits_of(const ChooseCommand& command) {
  std::string names;
  for (const NamedTensor& each : read_npz(command.logits)) {
    if (each.name == command.key || (command.key.empty() && names.empty())) {
      if (each.value.size() == 0)
        throw FormatError(command.logits + ": " + each.name + ": expected logits, found none");
      return each.value.view(0, {each.value.size()}).clone();
    }
    names += (names.empty() ? "" : ", ") + each.name;
  }
  throw UsageError("--key: " + command.logits + " has no array '" + command.key + "'; there are: " + names);
}

}  // namespace

int choose_command(const ChooseCommand& command) {
  Tensor scores = logits_of(command);
  const std::vector<TokenId> prefix = numbers_of_option(command.prefix, "--prefix"),
                             encoder = numbers_of_option(command.encoder_ids, "--encoder-ids");
  if (command.prompt_length > static_cast<int>(prefix.size()))
    throw UsageError("--prompt-length: expected at most " + std::to_string(prefix.size()) + ", the length of --prefix");
  std::optional<std::size_t> most;
  if (command.max_length > 0) most = static_cast<std::size_t>(command.max_length);
  const ChoosingSettings settings =
      ChoosingSettings::from_json(read_json(command.settings, kLargestSettings), command.settings);
  const auto prompt = command.prompt_length < 0 ? prefix.size() : static_cast<std::size_t>(command.prompt_length);
  const TokenChoice choice = choose_and_tell(scores, {prefix, prompt, encoder, most}, settings);
  if (command.json) {
    Json stages = Json::array();
    for (const ChoiceStage& stage : choice.stages) stages.push_back(stage_json(stage));
    std::cout << Json{{"stages", std::move(stages)}, {"most_probable", choice.chosen}}.dump(2) << "\n";
  } else {
    for (const ChoiceStage& stage : choice.stages) print_stage(stage, scores.size());
  }
  return 0;
}

}  // namespace headlight
