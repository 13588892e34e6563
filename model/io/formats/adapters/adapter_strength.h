// How much of an adapter's change weights have.
#pragma once

#include "model/core/json.h"
#include "model/core/tensor.h"

namespace headlight {

// W + S · (W' − W) [of the shape of both]: `without` itself at 0, `with` itself at 1.
Tensor at_strength(const Tensor& without, const Tensor& with, double strength);

// The configuration of a base with the head that an adapter of this task_type ("SEQ_CLS") has.
Json with_task(Json config, const std::string& task);

}  // namespace headlight
