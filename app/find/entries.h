// All that can be found in a window as it is now: made when somebody looks for something.
#pragma once

#include <vector>

#include "app/find/index.h"
#include "app/find/searched_window.h"

namespace headlight {

std::vector<FindEntry> entries_of(const SearchedWindow& window);

// How the ids of entries begin that are none of a table: a switch of the mechanism, one of its pages, a file, a
// training to begin with, one that was recorded.
inline constexpr auto kSwitchId = "switch:", kPageId = "page:", kSessionId = "session:", kPresetId = "preset:",
                      kRecordingId = "recording:";

}  // namespace headlight
