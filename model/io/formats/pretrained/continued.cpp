// Writing on greedily: one case of PretrainedModel::written.

#include "model/core/json_library.h"
#include "model/io/formats/pretrained/pretrained_models.h"

namespace headlight {

PretrainedModel::Continuation PretrainedModel::continued(const std::vector<TokenId>& ids, int count,
                                                         const CancelToken& cancel, const Json* rules) const {
  WritingTask task;
  task.cancel = cancel;
  Json greedy = rules ? *rules : Json::object();
  for (const char* key : WritingSettings::keys_of_search()) greedy[key] = nullptr;
  greedy["max_new_tokens"] = count;
  WrittenTexts made = written(ids, greedy, "--new-tokens", std::move(task));
  return {std::move(made.sequences.front().ids), made.not_numbers};
}

}  // namespace headlight
