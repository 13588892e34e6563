// A model in a line, for lists of them: what tells it from the others of its group.
#pragma once

#include <QString>

#include "model/models/bundle.h"

namespace headlight {

// Of a bundled model a line of its own, else the first sentence of its description.
QString model_line(const ModelBundle& bundle);
// Of a model that is known to be bundled: to find that out, the descriptions of all of them are read.
QString bundled_line(const ModelBundle& bundle);

}  // namespace headlight
