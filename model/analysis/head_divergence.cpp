#include "model/analysis/head_divergence.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "model/analysis/difference.h"

namespace headlight {

namespace {

std::vector<double> weights_of_row(const Tensor& weights, Index row) {
  const Index keys = weights.shape().last();
  const Scalar* first = weights.data() + row * keys;
  return {first, first + keys};
}

// "cross_attentions.3" -> "cross_attentions" and 3; no layer: it is none.
bool is_attention(const NamedTensor& value, std::string& attention, Index& layer) {
  const std::size_t point = value.name.rfind('.');
  if (point == std::string::npos || value.value.rank() != 3) return false;
  attention = value.name.substr(0, point);
  const std::string number = value.name.substr(point + 1);
  if (!attention.ends_with("attentions") || number.empty() || number.size() > 6 ||
      number.find_first_not_of("0123456789") != std::string::npos)
    return false;
  layer = std::stol(number);
  return true;
}

}  // namespace

std::vector<HeadDivergence> head_divergences(const std::vector<NamedTensor>& one,
                                             const std::vector<NamedTensor>& other) {
  std::vector<HeadDivergence> found;
  std::string attention;
  Index layer = 0;
  for (const NamedTensor& a : one) {
    if (!is_attention(a, attention, layer)) continue;
    const auto b = std::ranges::find(other, a.name, &NamedTensor::name);
    if (b == other.end() || b->value.shape() != a.value.shape() || a.value.size() == 0) continue;
    const Index heads = a.value.shape()[0], rows = a.value.shape()[1];
    for (Index h = 0; h < heads; ++h) {
      double bits = 0;
      for (Index r = h * rows; r < (h + 1) * rows; ++r)
        bits += divergence(weights_of_row(a.value, r), weights_of_row(b->value, r));
      found.push_back({attention, layer, h, bits / static_cast<double>(rows) * std::numbers::ln2});
    }
  }
  std::ranges::stable_sort(found, [](const HeadDivergence& a, const HeadDivergence& b) {
    return std::tuple(a.attention, -a.nats) < std::tuple(b.attention, -b.nats);
  });
  return found;
}

}  // namespace headlight
