// What an output step did, in one line that a room can follow.
#pragma once

#include <QString>

#include "model/analysis/attention_maps.h"

namespace headlight {

// "writes ‘1’: looks at ‘o’ and ‘v’". Named are the tokens with at least a fifth of the attention (the mean of the
// heads), at most three, in reading order. Padding is not named: where it has more than half, the step looks behind the
// text; where nothing has a fifth, at much at once. `map` may be null, and a row may be -1: then only what was written.
QString step_sentence(const std::string& written, const AttentionMap* map, Index row);

}  // namespace headlight
