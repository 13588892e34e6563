// A run as JSON, as 'headlight run --json' prints it.
#pragma once

#include <memory>

#include "model/core/json.h"
#include "model/decode/run.h"

namespace headlight {

// The steps of its output: each with the ten most probable tokens, and where its word comes from ("origins"; null for a
// model without a living map).
Json steps_json(const std::shared_ptr<const Result>& run);
Json result_json(const std::shared_ptr<const Result>& run);
// The KV cache of a decoder of these settings, when it has read so many ids (behind an encoder: so many of its own) and
// written so many; null for what keeps none.
Json cache_of_settings(const Json& settings, std::size_t ids, std::size_t target, std::size_t written,
                       const std::string& type);
// The tree of a beam search: what each step tried, and the outputs that came of it, best first. Without a vocabulary
// tokens are their numbers.
Json beam_json(const BeamTree& tree, const Vocabulary* vocabulary);

}  // namespace headlight
