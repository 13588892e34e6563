// The words of choosing: what stages are called, what each does, and why a token fell.
#pragma once

#include <QString>

#include "widgets/views/choosing/choosing_step.h"

namespace headlight {

// "top-k"; of "logits" what the model itself says.
QString stage_title(const std::string& stage);
// What it does, in a few words.
QString stage_help(const std::string& stage);
// The number that was set for it; empty: it has none.
QString stage_setting(const ChosenStep& step, const std::string& stage);
// What became of a token, in sentences.
QString fate_of(const ChosenStep& step, int row);
// Why this one: what the line above the stages says.
QString reason_for(const ChosenStep& step);
// How many were there, and how many are left.
QString left_of(const ChosenStep& step);

}  // namespace headlight
