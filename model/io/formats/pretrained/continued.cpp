// Writing on greedily: one case of PretrainedModel::written.

#include "model/core/json_library.h"
#include "model/io/formats/pretrained/pretrained_models.h"

namespace headlight {

PretrainedModel::Continuation PretrainedModel::continued(const std::vector<TokenId>& ids, int count,
                                                         const CancelToken& cancel) const {
  WritingTask task;
  task.cancel = cancel;
  Json greedy{{"max_new_tokens", count}, {"do_sample", false}};
  for (const char* key : {"max_length", "num_beams", "num_beam_groups", "diversity_penalty", "num_return_sequences",
                          "length_penalty", "early_stopping"})
    greedy[key] = nullptr;
  Written made = written(ids, greedy, "--new-tokens", std::move(task));
  return {std::move(made.sequences.front().ids), made.not_numbers};
}

}  // namespace headlight
