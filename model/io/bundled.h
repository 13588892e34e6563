// What comes with the program: models, lessons, recordings, texts.
#pragma once

#include <filesystem>

namespace headlight {

// Fonts come only with what runs on machines that may have none.
enum class Bundled { models, lessons, recordings, texts, fonts };

// The first of these folders that exists: the one that a variable of the environment names (HEADLIGHT_MODELS,
// HEADLIGHT_LESSONS, HEADLIGHT_RECORDINGS, HEADLIGHT_TEXTS, HEADLIGHT_FONTS), that of the installed program
// (share/headlight beside its bin), that of the sources. Empty: there is none.
std::filesystem::path bundled_folder(Bundled kind);

}  // namespace headlight
