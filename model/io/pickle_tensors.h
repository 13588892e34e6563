// Finds the tensors of PyTorch and the arrays of NumPy in a pickle, under the names of the way to them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/io/pickle.h"
#include "model/io/tensor_file.h"

namespace headlight {

struct PickledTensor {
  TensorEntry entry;
  StridedView view;
  std::string storage;        // of PyTorch: the key of its storage
  std::string_view buffer{};  // where its numbers lie within the pickle
};

struct PickledTensors {
  std::vector<PickledTensor> tensors;
  std::vector<std::pair<std::string, std::string>> values;  // everything else, as name and text
  std::vector<std::pair<std::string, std::string>> unread;  // tensors and arrays that are not read, and why
};

// What a storage outside the pickle has to be.
struct PickledStorage {
  std::string key, dtype;
  std::uint64_t count = 0;  // numbers
};

// `alone` is the name of a tensor that is the whole pickle. Names are the keys on the way, joined by points; the
// parameters and buffers of a pickled module have the names of its state dict. Types that are not known are named in
// `unread`. Throws FormatError "NAME: ..." for tensors that do not fit their storage, for more than 64 levels, 100,000
// tensors.
PickledTensors find_tensors(const Pickle& pickle, const std::string& alone, const std::string& name);

// "FloatStorage" -> "F32", "float16" -> "F16"; empty when it is not known.
std::string torch_dtype(std::string_view name);
// Bytes of one number of a dtype, 0 when it is not known.
std::size_t dtype_bytes(const std::string& dtype);

}  // namespace headlight
