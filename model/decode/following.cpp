#include "model/decode/following.h"

namespace headlight {

Tensor FollowingModel::after(const std::vector<std::vector<TokenId>>& texts, const std::vector<Index>& from) {
  const auto count = static_cast<Index>(texts.size()), length = static_cast<Index>(texts.front().size());
  if (rows_ > 0 && turns_at_ > 0 && length == turns_at_ + 1) {
    Tensor all({length, count});
    for (Index k = 0; k < count; ++k)
      for (Index t = 0; t < length; ++t)
        all[t * count + k] = static_cast<Scalar>(texts[static_cast<std::size_t>(k)][static_cast<std::size_t>(t)]);
    decoding_ = model_.begin(Source(all), pass_);
  } else if (rows_ > 0) {
    bool as_they_are = count == rows_;
    for (Index k = 0; k < count; ++k) as_they_are = as_they_are && from[static_cast<std::size_t>(k)] == k;
    if (!as_they_are) decoding_->select(from);
  }
  rows_ = count;
  Tensor last({1, count});
  for (Index k = 0; k < count; ++k) last[k] = static_cast<Scalar>(texts[static_cast<std::size_t>(k)].back());
  const Tensor logits = decoding_->advance(last, pass_);  // [K x 1 x V]
  return logits.view(0, {count, logits.columns()});
}

}  // namespace headlight
