#include "model/analysis/distance_bias.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr const char* kBias = "layer[0].self_attn.head.bias";

// From the last row of [H x T x S], or of the last step [H x S]; of both directions the first row says what lies ahead.
DistanceBias bias_of(const Tensor& bias, bool of_step, bool decoder, bool slopes) {
  const Index heads = bias.dim(0), keys = bias.columns(), rows = of_step ? 1 : bias.size() / (heads * keys);
  const Index ahead = decoder || of_step ? 0 : keys - 1;
  DistanceBias made{decoder, slopes, {}, Tensor({heads, keys + ahead})};
  for (Index d = 1 - keys; d <= ahead; ++d) made.distances.push_back(static_cast<double>(d));
  for (Index head = 0; head < heads; ++head) {
    const Scalar* first = bias.data() + head * rows * keys;
    const Scalar* last = first + (rows - 1) * keys;
    const Scalar own = slopes ? last[keys - 1] : Scalar(0), own_first = slopes ? first[0] : Scalar(0);
    Scalar* to = made.values.data() + head * (keys + ahead);
    for (Index key = 0; key < keys; ++key) to[key] = last[key] - own;
    for (Index key = 1; key <= ahead; ++key) to[keys - 1 + key] = first[key] - own_first;
  }
  return made;
}

}  // namespace

std::vector<DistanceBias> distance_biases(const Result& result) {
  std::vector<DistanceBias> all;
  if (!result.trace || !result.model || !result.model->model) return all;
  const bool slopes = result.model->model->traits().positions == "alibi";
  for (const bool decoder : {false, true}) {
    const std::string side = decoder ? "decoder" : "encoder";
    Tensor bias = result.trace->value(side + "." + kBias);
    bool of_step = false;
    for (Index step = static_cast<Index>(result.steps.size()) - 1; decoder && step >= 0 && !of_step; --step)
      if (const Tensor longer = result.trace->value("decoder.step[" + std::to_string(step) + "]." + kBias);
          longer.defined()) {
        bias = longer;
        of_step = true;
      }
    if (bias.defined() && bias.rank() >= 2 && bias.size() > 0) all.push_back(bias_of(bias, of_step, decoder, slopes));
  }
  return all;
}

}  // namespace headlight
