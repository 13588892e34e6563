// What the model of a moment goes on writing, with dice that fall the same each time.
#pragma once

#include <cstdint>
#include <string>

#include "model/core/cancel.h"
#include "model/recording/recording.h"

namespace headlight {

struct Written {
  std::string start = "the ";
  std::uint64_t dice = 1;
  Index tokens = 60;
  bool operator==(const Written&) const = default;
};

// The start and what follows it. A model reads no more than it was trained on at once: what is longer is written piece
// by piece, each going on from the end of the one before. Throws Cancelled and Error; UsageError where the weights of
// the moment were not kept.
std::string written_at(const Recording& recording, int moment, const Written& asked, const CancelToken& cancel = {});
// The same from what was recorded: of another start, of other dice, or where none was recorded, empty.
std::string written_in(const Recording& recording, int moment, const Written& asked);
// A start and what was written behind it, as one text.
std::string put_together(const Recording& recording, const std::string& start, const std::string& written);

}  // namespace headlight
