// How every encoder begins: the ids in the order in which it reads.
#pragma once

#include "model/trace/tap.h"

namespace headlight {

// Rows of ids [S x N] in opposite order; where `keep` [N x S] says that a column is padded at its end, the padding
// stays there.
Tensor reversed(const Tensor& ids, const Tensor& keep);

// The ids [S x N], turned round if asked for. Publishes input.src.ids and input.src.display_index.
Tensor read_source(const Tensor& ids, const Tensor& keep, bool reverse, const Tap& tap);

// One row for each sentence: [L x N] -> [N x L]. Of one sentence the same cells, so that a trace finds them.
Tensor by_sentence(const Tensor& ids);

}  // namespace headlight
