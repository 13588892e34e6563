#include "model/io/bundled.h"

#include <array>
#include <cstdlib>
#include <string>
#include <system_error>
#include <vector>

#include "model/core/system.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

struct BundledRow {
  const char *variable, *installed, *source;
};
constexpr std::array kBundledRows = {
    BundledRow{"HEADLIGHT_MODELS", "models", "sample_models"},
    BundledRow{"HEADLIGHT_LESSONS", "lessons", "resources/lessons"},
    BundledRow{"HEADLIGHT_RECORDINGS", "recordings", "resources/recordings"},
    BundledRow{"HEADLIGHT_TEXTS", "texts", "resources/texts"},
    BundledRow{"HEADLIGHT_FONTS", "fonts", "resources/fonts"},
};

}  // namespace

fs::path bundled_folder(Bundled kind) {
  const BundledRow& row = kBundledRows[static_cast<std::size_t>(kind)];
  std::vector<fs::path> candidates;
  if (const char* chosen = std::getenv(row.variable); chosen && *chosen) candidates.emplace_back(chosen);
  std::error_code error;
  if (const fs::path program = program_file(); !program.empty())
    candidates.push_back(program.parent_path().parent_path() / "share/headlight" / row.installed);
  // A package knows nothing of the place where it was built.
  if (const std::string sources = HEADLIGHT_SOURCES; !sources.empty())
    candidates.push_back(fs::path(sources) / row.source);
  for (const fs::path& candidate : candidates)
    if (fs::is_directory(candidate, error)) return candidate;
  return {};
}

}  // namespace headlight
