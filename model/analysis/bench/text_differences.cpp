#include "model/analysis/bench/text_differences.h"

#include <algorithm>
#include <map>
#include <utility>

#include "model/analysis/bench/head_effect.h"
#include "model/analysis/bench/text_heads.h"
#include "model/analysis/difference.h"
#include "model/core/errors.h"

namespace headlight {

namespace {

std::vector<double> row_weights(const Tensor& weights, Index row) {
  const Index keys = weights.dim(-1);
  const Scalar* first = weights.data() + row * keys;
  return {first, first + keys};
}

double bits_apart(const Tensor& a, const Tensor& b, Index head) {
  const Index rows = a.dim(1);
  double bits = 0;
  for (Index row = head * rows; row < (head + 1) * rows; ++row)
    bits += divergence(row_weights(a, row), row_weights(b, row));
  return bits / static_cast<double>(std::max<Index>(1, rows));
}

using HeadsApart = std::vector<std::pair<HeadPlace, double>>;

// Of the heads that both have, in order; none where the texts have other tokens.
HeadsApart heads_apart(const Reading& first, const Reading& second) {
  HeadsApart found;
  for (const SideReading& side : first.sides) {
    const SideReading* other = second.side(side.kind);
    if (!other) continue;
    for (const LayerReading& layer : side.layers) {
      const auto same = std::ranges::find(other->layers, layer.layer, &LayerReading::layer);
      if (same == other->layers.end()) continue;
      if (layer.weights.dim(1) != same->weights.dim(1) || layer.weights.dim(2) != same->weights.dim(2)) return {};
      for (Index head = 0; head < std::min(layer.heads(), same->heads()); ++head)
        found.push_back({{side.kind, layer.layer, head}, bits_apart(layer.weights, same->weights, head)});
    }
  }
  return found;
}

}  // namespace

void differences_over_texts(const TextReader& first, const TextReader& second, const std::vector<ListedText>& texts,
                            const std::function<void(const HeadDifferences&)>& tell, const CancelToken& cancel) {
  HeadDifferences made;
  made.of_texts = static_cast<Index>(texts.size());
  OverTexts bits;
  for (const ListedText& text : texts) {
    const auto read = [&](const TextReader& reader) {
      return reader.read(ids_of_listed(reader, text, cancel), TextReader::Keep::weights, {}, cancel);
    };
    HeadsApart found;
    try {
      found = heads_apart(read(first), read(second));
    } catch (const UsageError&) {  // one of them cannot read it
      if (made.left_out + 1 == made.of_texts) throw;
    }
    if (found.empty()) {
      ++made.left_out;
      continue;
    }
    std::vector<double> numbers;
    for (const auto& [head, apart] : found) {
      if (bits.texts() == 0) made.heads.push_back(head);
      numbers.push_back(apart);
    }
    bits.add(numbers);
    made.texts = bits.texts();
    made.mean = bits.mean();
    made.sd = bits.sd();
    tell(made);
  }
}

}  // namespace headlight
