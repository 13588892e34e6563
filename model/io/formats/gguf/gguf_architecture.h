// Architectures of GGUF files in terms of the folders that they were made from: which model_type they are, how tensors
// are called there, and what the converter did with them. A row each; the families (formats/families) do the rest.
#pragma once

#include <string>
#include <vector>

#include "model/core/json_library.h"
#include "model/io/formats/gguf/gguf_file.h"

namespace headlight::gguf {

// What undoes the converter.
enum class Undo {
  nothing,
  pairs,           // of the rows of each query head: neighbours turn together, in the folder halves of the head
  pairs_of_keys,   // the same of the heads of keys
  parts_of_heads,  // rows q ‖ k ‖ v of all heads; in the folder each head, or group of heads, has its three parts
  plus_one,        // stored as 1 + w
  row,             // one row, stored as a vector
  no_ending,       // stored as NAME.weight or NAME.bias, and called NAME
  transposed,
  heads_apart,  // of latent attention: keys [heads x latent x k], their values in the tensor called "..v_b"
  in_another    // those values
};

// Names without ".weight" and ".bias"; "#" is the number of a layer.
struct TensorName {
  std::string here, there;
  Undo undo = Undo::nothing;
};

struct Architecture {
  const char* name;        // general.architecture
  const char* model_type;  // of the folder
  std::vector<TensorName> (*names)(const GgufFile& file);
};

// Null: not known.
const Architecture* architecture_of(const std::string& name);

// config.json of the folder. Throws FormatError for keys that are missing or of another kind.
Json config_of(const GgufFile& file, const Architecture& architecture);
// generation_config.json: the tokens that end a text, and the one that begins it.
Json generation_of(const GgufFile& file);
// "KEY" as it is called there: "block_count" is "llama.block_count".
std::string key_of(const GgufFile& file, const char* key);

}  // namespace headlight::gguf
