// Where the material lies that other libraries wrote: the few files of tests/data, and all of it where HEADLIGHT_HF
// says (default: ../shared/hf beside the sources).
#pragma once

#include <QTest>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace headlight::testing {

inline std::filesystem::path made_elsewhere() {
  const char* chosen = std::getenv("HEADLIGHT_HF");
  return chosen && *chosen
             ? std::filesystem::path(chosen)
             : std::filesystem::path(HEADLIGHT_TEST_DATA).parent_path().parent_path().parent_path() / "shared" / "hf";
}

// Beside it, folders of more families.
inline std::filesystem::path more_families() { return made_elsewhere().parent_path() / "models" / "families"; }

// The few families of tests/data.
inline std::filesystem::path committed() { return std::filesystem::path(HEADLIGHT_TEST_DATA) / "families"; }

}  // namespace headlight::testing

#define SKIP_WITHOUT_MATERIAL()                                             \
  if (!std::filesystem::is_directory(headlight::testing::made_elsewhere())) \
  QSKIP(("the material is not at " + headlight::testing::made_elsewhere().string() + "; HEADLIGHT_HF names it").c_str())
