#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/heads.h"
#include "model/ops/softmax.h"

namespace headlight {

Tensor attention_weights(const Tensor& q, const Tensor& k, Scalar factor, const Tensor& keep, const Tensor& bias) {
  const Tensor scores = scale(dot_scores(q, k), factor);
  return softmax(mask_scores(bias.defined() ? add_bias(scores, bias) : scores, keep));
}

}  // namespace headlight
