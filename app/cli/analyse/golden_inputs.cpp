#include "app/cli/analyse/golden_inputs.h"

#include "app/document/model_hash.h"
#include "app/messages.h"
#include "model/text/message_line.h"

namespace headlight {

void GoldenInputs::warn_of_other_weights(const std::filesystem::path& folder) const {
  const char* key = "sha256_of_weights";
  const std::filesystem::path file = folder / "model.safetensors";
  if (!has(key) || !std::filesystem::exists(file)) return;
  const std::string asked = text(key), found = file_hash(file).toHex().toStdString();
  if (asked != found)
    warn_line(where_ + " is of other weights than " + escaped_line(file.string()) + " (SHA-256 " + asked.substr(0, 8) +
              "…, found " + found.substr(0, 8) + "…): its values are not those of this model");
}

}  // namespace headlight
