// The modules of a folder of sentence-transformers, which make one vector of a text (models/sentence_pooling.h).
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "model/core/cancel.h"
#include "model/models/sentence_pooling.h"

namespace headlight {

class PoolingModules {
 public:
  // As modules.json of the folder names its parts; nothing where there is no such file, or where it pools nothing.
  // Throws FileError, FormatError that names a part or a setting that is not implemented, BudgetError and Cancelled.
  static std::optional<SentencePooling> of_folder(const std::filesystem::path& folder, const CancelToken& cancel = {});
  // The weights of one folder "2_Dense", with this activation.
  SentencePooling::Step dense(const std::filesystem::path& folder, SentencePooling::Activation activation);

 private:
  using Step = SentencePooling::Step;
  void add_pooling(const std::filesystem::path& folder);
  void add_dense(const std::filesystem::path& folder);
  void add_norm(const std::filesystem::path& folder);
  Tensor weight_of(const std::filesystem::path& folder, const std::string& name);

  SentencePooling made_;
  double bytes_ = 0;  // of their weights
};

}  // namespace headlight
