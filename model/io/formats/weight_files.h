// Single files of weights, without a model: what they hold can be looked at.
#pragma once

#include "model/io/formats/format.h"

namespace headlight {

Format safetensors_format();
Format torch_format();
Format pickle_format();
Format npz_format();
Format npy_format();
// What is known and not read: each is refused by its name.
Format other_format();

// The tensors of a single file of weights, and of nothing that leads to another file. Throws Error.
std::shared_ptr<const TensorFile> open_weight_file(const std::filesystem::path& path);

}  // namespace headlight
