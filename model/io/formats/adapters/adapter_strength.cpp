#include "model/io/formats/adapters/adapter_strength.h"

#include <algorithm>

#include "model/core/json_library.h"
#include "model/core/parallel.h"
#include "model/io/formats/families/family.h"

namespace headlight {

Tensor at_strength(const Tensor& without, const Tensor& with, double strength) {
  if (strength == 0) return without;
  if (strength == 1) return with;
  constexpr Index kAtOnce = 1 << 16;
  Tensor mixed(with.shape());
  Scalar* to = mixed.data();
  const Index count = mixed.size(), pieces = (count + kAtOnce - 1) / kAtOnce;
  const auto share = static_cast<Scalar>(strength);
  parallel_for(pieces, 1, [&](Index begin, Index end) {
    std::vector<Scalar> full(static_cast<std::size_t>(kAtOnce));
    for (Index piece = begin; piece < end; ++piece) {
      const Index first = piece * kAtOnce, here = std::min(kAtOnce, count - first);
      without.read(first, here, to + first);
      with.read(first, here, full.data());
      for (Index i = 0; i < here; ++i) to[first + i] += share * (full[static_cast<std::size_t>(i)] - to[first + i]);
    }
  });
  mixed.mark_parameter();
  return mixed;
}

Json with_task(Json config, const std::string& task) {
  struct Head {
    const char *task, *sign, *kind;
  };
  static constexpr Head kHeads[] = {{"SEQ_CLS", "ForSequenceClassification", "ForSequenceClassification"},
                                    {"TOKEN_CLS", "ForTokenClassification", "ForTokenClassification"},
                                    {"QUESTION_ANS", "ForQuestionAnswering", "ForQuestionAnswering"},
                                    {"CAUSAL_LM", "LM", "ForCausalLM"},
                                    {"SEQ_2_SEQ_LM", "For", "ForConditionalGeneration"}};
  const std::string now = families::architecture_of(config);
  for (const Head& head : kHeads)
    if (task == head.task && now.find(head.sign) == now.npos && !now.ends_with("MTModel"))
      config["architectures"] = Json::array({head.kind});
  return config;
}

}  // namespace headlight
