#include "model/analysis/cost/kv_cache.h"

#include <algorithm>

#include "model/core/json_library.h"
#include "model/decode/run.h"
#include "model/models/transformer_settings.h"

namespace headlight {

CacheShape CacheShape::with_key_heads(Index count) const {
  CacheShape other = *this;
  other.key_value_heads = count;
  return other;
}

CacheShape CacheShape::with_window(Index window) const {
  CacheShape other = *this;
  std::ranges::fill(other.windows, window);
  return other;
}

bool CacheShape::has_window() const {
  return std::ranges::any_of(windows, [](Index window) { return window > 0; });
}

std::optional<CacheShape> cache_shape(const Json& config) {
  const std::string type = config.value("model_type", std::string());
  const bool reads_source = type == "transformer";
  if (!reads_source && type != "decoder_only") return {};
  const TransformerSettings settings =
      read_transformer_settings(config, reads_source ? TransformerShape::both : TransformerShape::decoder_only);
  const TransformerStackSettings& stack = settings.decoder;
  const MultiHeadSettings& attention = stack.layer.attention;
  CacheShape shape{attention.heads, attention.key_value_heads, attention.head_size, stack.windows, reads_source};
  if (shape.windows.empty()) shape.windows.assign(static_cast<std::size_t>(stack.layers), stack.window);
  return shape;
}

std::optional<CacheShape> cache_shape(const Result& result) {
  if (!result.model || !result.model->model || result.model->stored) return {};
  return cache_shape(result.model->model->config());
}

Index rows_kept(Index window, Index tokens) { return window > 0 ? std::min(window, tokens) : tokens; }

double row_bytes(const CacheShape& shape, Index number_bytes) {
  return 2.0 * static_cast<double>(shape.key_value_heads * shape.head_size * number_bytes);
}

double cache_bytes(const CacheShape& shape, Index tokens, Index number_bytes) {
  Index rows = 0;
  for (const Index window : shape.windows) rows += rows_kept(window, tokens);
  return static_cast<double>(rows) * row_bytes(shape, number_bytes);
}

double source_bytes(const CacheShape& shape, Index source_tokens, Index number_bytes) {
  return shape.reads_source ? static_cast<double>(shape.layers() * source_tokens) * row_bytes(shape, number_bytes) : 0;
}

std::vector<Index> key_heads_to_compare(const CacheShape& shape) {
  std::vector<Index> counts = {1, shape.key_value_heads, shape.heads};
  const bool has_own = shape.key_value_heads > 1 && shape.key_value_heads < shape.heads;
  if (!has_own && shape.heads % 2 == 0) counts.push_back(shape.heads / 2);
  std::ranges::sort(counts);
  counts.erase(std::ranges::unique(counts).begin(), counts.end());
  return counts;
}

Index tokens_read(const Result& result, Index step) { return result.prompt + step + 1; }

}  // namespace headlight
