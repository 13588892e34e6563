// The logits that writing.h asks for, from a model.
#pragma once

#include <memory>
#include <vector>

#include "model/decode/writing.h"
#include "model/models/model.h"

namespace headlight {

class FollowingModel : public Following {
 public:
  // A decoding that has just begun with one source. `turns_at`: texts that are longer are read anew, for the model then
  // turns all of its queries and keys otherwise; 0: it does not.
  FollowingModel(const Model& model, std::unique_ptr<Decoding> begun, const Pass& pass, Index turns_at = 0)
      : model_(model), decoding_(std::move(begun)), pass_(pass), turns_at_(turns_at) {}
  Tensor after(const std::vector<std::vector<TokenId>>& texts, const std::vector<Index>& from) override;

 private:
  const Model& model_;
  std::unique_ptr<Decoding> decoding_;
  const Pass& pass_;
  Index turns_at_, rows_ = 0;  // of the last call; 0: there was none
};

}  // namespace headlight
