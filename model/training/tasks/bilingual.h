// Sentences in two languages, made together, so that it is known which words mean the same.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/training/tasks/task.h"

namespace headlight {

// Words of one language, each with the meaning that it carries (0: none of its own). Words with the same meaning in
// both languages are linked.
using Marked = std::vector<std::pair<std::string, int>>;

struct Phrase {
  Marked source, target;
};

inline void append(Marked& words, const Marked& more) { words.insert(words.end(), more.begin(), more.end()); }

// The texts, and the links in the order of the target.
Example example_of(const Phrase& phrase);

}  // namespace headlight
