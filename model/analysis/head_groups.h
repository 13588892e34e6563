// Heads that share keys and values (Ainslie et al. 2023): found in a trace, from the sites of one of them.
#pragma once

#include <string>

#include "model/trace/trace.h"

namespace headlight {

struct HeadGroup {
  Index shared = 1;  // heads that have the same keys and values; 1: each has its own, or nothing is known
  Index group = 0;   // which of them
};
// Of a site of heads and one of its heads: a key and value head, or one that asks. "decoder.layer[0].self_attn.head.k",
// "decoder.step[*].layer[0].self_attn.head[1].v".
HeadGroup head_group(const Trace& trace, const std::string& site, Index head);

// Of the self-attention of a layer: how many heads share a key-value head.
Index shared_heads(const Trace& trace, bool encoder, Index layer);

}  // namespace headlight
