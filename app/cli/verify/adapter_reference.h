// What a reference of an adapter (cases.json beside reference.npz) says beside the runs: how much of the adapter each
// of them has, what is added to tensors of the base, and what they become.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/cli/command_line.h"
#include "model/core/tensor.h"
#include "model/io/tensor_file.h"

namespace headlight {

class AdapterReference {
 public:
  AdapterReference(const VerifyCommand& command, const std::filesystem::path& reference);

  // Of a run; nothing: it is of another one than --adapter-scale says.
  std::optional<double> strength(const std::string& run) const;
  // "delta.NAME" and "merged.NAME" are no runs.
  static bool is_of_weights(const std::string& name) { return name == "delta" || name == "merged"; }
  std::optional<Tensor> weights(const std::string& kind, const std::string& tensor) const;

 private:
  std::map<std::string, double> strengths_;
  std::optional<double> only_;  // as the command line says
  std::shared_ptr<const TensorFile> tensors_;
  std::string where_;
};

}  // namespace headlight
