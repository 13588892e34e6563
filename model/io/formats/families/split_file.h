// Tensors that hold the matrices of all experts, as one tensor each: "X" [E x a x b] becomes "X[0]" to "X[E−1]".
#pragma once

#include <memory>
#include <string>

#include "model/io/formats/families/family.h"
#include "model/io/tensor_file.h"

namespace headlight::families {

// The file with those tensors cut that the family names with "[@]" at their end; null where it has none of them. Of
// quantised ones (OCP Microscaling 2023, MXFP4) "X_blocks" [E x a x b/32 x 16] and "X_scales" [E x a x b/32] are
// one, in blocks of 32 numbers. `file` has to stay. Throws FormatError "WHERE: ..." where these do not go together.
std::shared_ptr<const TensorFile> split_by_experts(const TensorFile& file, const Family& family,
                                                   const std::string& where);

}  // namespace headlight::families
