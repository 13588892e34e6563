#include "model/analysis/cost/kv_cache.h"

#include <algorithm>

#include "model/core/json_library.h"
#include "model/decode/run.h"
#include "model/models/transformer_settings.h"

namespace headlight {

Index number_bytes(const std::string& type) {
  return type == "bfloat16" || type == "float16" ? kFloat16Bytes : kFloat32Bytes;
}

CacheShape CacheShape::with_key_heads(Index count) const {
  CacheShape other = *this;
  other.key_value_heads = count;
  other.latent = other.latent_rope = 0;
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
  CacheShape shape{
      attention.heads, attention.key_value_heads, attention.head_size, stack.windows, reads_source, 0, 0, 0};
  if (const Json latent = config.value("latent", Json::object()); !latent.empty()) {
    shape.latent = latent.value("latent_size", Index(16));
    shape.value_size = latent.value("value_size", Index(0));
    shape.latent_rope = config.value("rotary_size", Index(0));
  }
  if (shape.windows.empty()) shape.windows.assign(static_cast<std::size_t>(stack.layers), stack.window);
  return shape;
}

std::optional<CacheShape> cache_shape(const Result& result) {
  if (!result.model || !result.model->model || result.model->stored) return {};
  return cache_shape(result.model->model->config());
}

Index rows_kept(Index window, Index tokens) { return window > 0 ? std::min(window - 1, tokens) : tokens; }

double row_bytes(const CacheShape& shape, Index number_bytes) {
  return static_cast<double>(shape.kept_heads() * (shape.key_columns() + shape.value_columns()) * number_bytes);
}

double layer_bytes(const CacheShape& shape, Index layer, Index tokens, Index number_bytes) {
  const Index rows = rows_kept(shape.windows[static_cast<std::size_t>(layer)], tokens);
  return static_cast<double>(rows) * row_bytes(shape, number_bytes);
}

double cache_bytes(const CacheShape& shape, Index tokens, Index number_bytes) {
  double all = 0;
  for (Index layer = 0; layer < shape.layers(); ++layer) all += layer_bytes(shape, layer, tokens, number_bytes);
  return all;
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

std::vector<CacheChoice> cache_choices(const CacheShape& shape, Index tokens, Index number_bytes, Index window) {
  using Kind = CacheChoice::Kind;
  std::vector<CacheChoice> all;
  const auto add = [&](Kind kind, Index count, const CacheShape& other, Index bytes) {
    all.push_back({kind, count, cache_bytes(other, tokens, bytes)});
  };
  if (shape.latent > 0) add(Kind::as_it_is, 0, shape, number_bytes);
  for (const Index count : key_heads_to_compare(shape)) {
    const bool own = count == shape.key_value_heads && shape.latent == 0;
    add(own ? Kind::as_it_is : Kind::key_heads, count, own ? shape : shape.with_key_heads(count), number_bytes);
  }
  if (shape.has_window()) add(Kind::no_window, 0, shape.with_window(0), number_bytes);
  if (window > 0) add(Kind::window, window, shape.with_window(window), number_bytes);
  add(Kind::eight_bits, 0, shape, kEightBits);
  return all;
}

namespace {

// Of so many rows, from `first` on.
Json rows_json(const CacheShape& shape, Index rows, Index bytes) {
  return {{"tokens", rows},
          {"keys", {shape.kept_heads(), rows, shape.key_columns()}},
          {"values", {shape.kept_heads(), rows, shape.value_columns()}},
          {"bytes", static_cast<double>(rows) * row_bytes(shape, bytes)}};
}

const char* kind_name(const CacheShape& shape) {
  return shape.latent > 0 ? "latent" : shape.key_value_heads < shape.heads ? "grouped" : "whole";
}

}  // namespace

Json cache_json(const CacheShape& shape, Index tokens, Index source_tokens, const std::string& type) {
  using Kind = CacheChoice::Kind;
  const Index bytes = number_bytes(type);
  Json json{{"type", bytes == kFloat32Bytes ? "float32" : type},
            {"tokens", tokens},
            {"kind", kind_name(shape)},
            {"bytes", cache_bytes(shape, tokens, bytes)},
            {"source_bytes", source_bytes(shape, source_tokens, bytes)},
            {"layers", Json::array()},
            {"instead", Json::object()}};
  for (Index layer = 0; layer < shape.layers(); ++layer) {
    const Index window = shape.windows[static_cast<std::size_t>(layer)], rows = rows_kept(window, tokens);
    Json one = rows_json(shape, rows, bytes);
    one["window"] = window > 0 ? Json(window) : Json(nullptr);
    one["first"] = tokens - rows;
    if (shape.reads_source) one["cross"] = rows_json(shape, source_tokens, bytes);
    json["layers"].push_back(std::move(one));
  }
  Json& instead = json["instead"];
  for (const CacheChoice& choice : cache_choices(shape, tokens, bytes)) {
    if (choice.kind == Kind::key_heads) instead["key_value_heads"][std::to_string(choice.count)] = choice.bytes;
    if (choice.kind == Kind::no_window) instead["no_window"] = choice.bytes;
    if (choice.kind == Kind::eight_bits) instead["8_bits"] = choice.bytes;
  }
  return json;
}

Index tokens_read(const Result& result, Index step) { return result.prompt + step + 1; }

}  // namespace headlight
