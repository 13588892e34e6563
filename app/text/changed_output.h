// What a change made of the output: the text as it is now, with what stood there before between it.
#pragma once

#include <QString>
#include <vector>

namespace headlight {

struct OutputPart {
  enum class Kind { same, now, before };
  Kind kind = Kind::same;
  QString text;
  bool operator==(const OutputPart&) const = default;
};

// In reading order, what was before in front of what came instead. Of texts of words a part is whole words.
std::vector<OutputPart> changed_output(const QString& before, const QString& now, bool characters);

}  // namespace headlight
