// 'headlight choose': what each stage of choosing a token does to given logits.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/overrides.h"
#include "app/cli/run_pretrained.h"
#include "model/core/errors.h"
#include "model/decode/choosing.h"
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

// The tokens that are left, most probable first.
Json stage_json(const char* name, const Tensor& scores) {
  const std::vector<double> shares = shares_of(scores);
  std::vector<TokenId> ids;
  for (TokenId id = 0; id < scores.size(); ++id)
    if (!(std::isinf(scores[id]) && scores[id] < 0)) ids.push_back(id);
  std::stable_sort(ids.begin(), ids.end(), [&](TokenId a, TokenId b) { return scores[a] > scores[b]; });
  Json probabilities = Json::array();
  for (const TokenId id : ids) probabilities.push_back(shares[static_cast<std::size_t>(id)]);
  return {{"name", name}, {"ids", ids}, {"probabilities", std::move(probabilities)}};
}

void print_stage(const Json& stage, Index all) {
  constexpr std::size_t kShown = 8;
  const Json &ids = stage["ids"], &shares = stage["probabilities"];
  std::printf("%-34s %6zu of %lld:", stage["name"].get<std::string>().c_str(), ids.size(), static_cast<long long>(all));
  for (std::size_t i = 0; i < std::min(ids.size(), kShown); ++i)
    std::printf(" %lld %.4f%s", static_cast<long long>(ids[i].get<TokenId>()),
                shares[i].is_number() ? shares[i].get<double>() : std::nan(""),
                i + 1 < std::min(ids.size(), kShown) ? "," : "");
  std::printf("%s\n", ids.size() > kShown ? ", …" : "");
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
  Json stages = Json::array({stage_json("logits", scores)});
  const auto prompt = command.prompt_length < 0 ? prefix.size() : static_cast<std::size_t>(command.prompt_length);
  choose(scores, {prefix, prompt, encoder, most}, settings,
         [&](const char* name, const Tensor& now) { stages.push_back(stage_json(name, now)); });
  if (command.json) {
    std::cout << Json{{"stages", stages}, {"most_probable", largest_of(scores)}}.dump(2) << "\n";
  } else {
    for (const Json& stage : stages) print_stage(stage, scores.size());
  }
  return 0;
}

}  // namespace headlight
