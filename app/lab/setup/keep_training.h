// "Keep it…": the model of a moment as a folder that this program and the command line open, or the recording as one
// file.
#pragma once

#include <QString>
#include <filesystem>
#include <string>

#include "model/recording/recording.h"

namespace headlight {

// Each throws Error. On any thread.
void keep_model(const std::filesystem::path& folder, const Recording& recording, int moment);
void keep_recording(const std::filesystem::path& file, const Recording& recording);
// README.md of such a folder: what it is, what it was trained on, how good it is, and the command that gives the same.
std::string model_card_of(const std::string& name, const Recording& recording, int moment);

}  // namespace headlight
