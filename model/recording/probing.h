// What a model makes of a probe: its greedy output, and where it looks meanwhile.
#pragma once

#include <string>
#include <vector>

#include "model/core/cancel.h"
#include "model/models/bundle.h"
#include "model/recording/recording.h"

namespace headlight {

// The maps that are recorded of a model, found by running it once on a text: those between the text that is written and
// the one that is read; of models with one text, those of the text on itself. Empty without attention.
std::vector<RecordedMap> maps_of(const ModelBundle& bundle, const std::string& source);
// The probe with the tokens that the model reads and writes. Throws UsageError for a text that it reads nothing of.
Probe read_probe(const ModelBundle& bundle, Probe probe);
// What the model goes on writing, with dice that fall the same each time.
std::string goes_on_writing(const ModelBundle& bundle, const std::string& start, const CancelToken& cancel = {});

}  // namespace headlight
