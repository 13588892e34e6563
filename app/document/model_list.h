// The texts that models begin with, and the document of the first start.
#pragma once

#include <string>
#include <utility>

#include "app/document/session.h"

namespace headlight {

// The text that a model starts with: today's date in words for a model that reads dates, else its first example.
QString first_text(const ModelBundle& model);
// An example of a model that takes pairs may have a second sentence, behind a line break.
std::pair<std::string, std::string> sentences_of(const std::string& example);

// Opens `name` (empty: the bundled model with attention on dates, else the first bundled one). Throws Error.
Document first_document(const std::string& name);

}  // namespace headlight
