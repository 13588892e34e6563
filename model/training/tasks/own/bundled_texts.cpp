// Texts that come with the program (sample_models/texts.py).
#include <system_error>

#include "model/core/errors.h"
#include "model/io/bundled.h"
#include "model/training/tasks/own/text_files.h"

namespace headlight {

std::filesystem::path bundled_text(const std::string& name) {
  namespace fs = std::filesystem;
  const fs::path folder = bundled_folder(Bundled::texts), file = folder / (name + ".txt");
  std::error_code error;
  if (!folder.empty() && fs::is_regular_file(file, error)) return file;
  throw FileError("there is no bundled text '" + name + "'");
}

}  // namespace headlight
