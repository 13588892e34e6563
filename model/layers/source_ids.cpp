#include "model/layers/source_ids.h"

namespace headlight {

Tensor reversed(const Tensor& ids, const Tensor& keep) {
  Tensor out = ids.clone();
  for (Index n = 0; n < ids.dim(1); ++n) {
    const Index count = keep.defined() ? static_cast<Index>(keep.matrix().row(n).sum()) : ids.dim(0);
    out.matrix().col(n).head(count) = ids.matrix().col(n).head(count).reverse();
  }
  return out;
}

Tensor read_source(const Tensor& ids, const Tensor& keep, bool reverse, const Tap& tap) {
  require_shape(ids.rank() == 2 && ids.size() > 0, "encoder", "at least one source token", ids.shape());
  const SitePath input("input"), src(input, "src");
  const Tensor read = tap(src, "ids", reverse ? reversed(ids, keep) : ids);
  if (tap.active()) {
    const Index s_count = ids.dim(0);
    Tensor display({s_count});
    for (Index j = 0; j < s_count; ++j) display[j] = static_cast<Scalar>(reverse ? s_count - 1 - j : j);
    tap(src, "display_index", display);
  }
  return read;
}

Tensor by_sentence(const Tensor& ids) {
  const Index length = ids.dim(0), batch = ids.dim(1);
  if (batch == 1) {
    Tensor same = ids.view(0, {1, length});
    same.set_node(ids.node());
    return same;
  }
  Tensor turned({batch, length});
  turned.matrix() = ids.matrix().transpose();
  return turned;
}

}  // namespace headlight
