// Texts that come with the program (sample_models/texts.py).
#include <cstdlib>
#include <vector>

#include "model/core/errors.h"
#include "model/training/tasks/own/text_files.h"

namespace headlight {

std::filesystem::path bundled_text(const std::string& name) {
  namespace fs = std::filesystem;
  std::vector<fs::path> folders;
  if (const char* chosen = std::getenv("HEADLIGHT_TEXTS"); chosen && *chosen) folders.emplace_back(chosen);
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back(program.parent_path().parent_path() / "share/headlight/texts");
  folders.emplace_back(HEADLIGHT_SOURCE_TEXTS);
  for (const fs::path& folder : folders)
    if (const fs::path file = folder / (name + ".txt"); fs::is_regular_file(file, error)) return file;
  throw FileError("there is no bundled text '" + name + "'");
}

}  // namespace headlight
