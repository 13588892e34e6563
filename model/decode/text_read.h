// The text of a run as the model reads it, before anything is computed.
#pragma once

#include "model/decode/run.h"

namespace headlight {

// Tokens, their positions, the length of the prompt and what has to be said of the text; the rest of the result is
// empty. Takes microseconds a token, so that tokens can be shown while a long run goes on. Of a model that computes
// (ModelBundle::stored is null). Throws Error where the text cannot be read, as run() does.
Result read_text(const Request& request);

}  // namespace headlight
