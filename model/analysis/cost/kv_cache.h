// What a decoder of self-attention keeps of the tokens that it has read (KV cache): in each layer a row for each token,
// its keys and values. Counted from the configuration, so that the same model with other heads or windows is, too; the
// numbers of the rows: cache_rows.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/core/json.h"
#include "model/core/tensor.h"

namespace headlight {

struct Result;

inline constexpr Index kFloat32Bytes = 4, kFloat16Bytes = 2, kEightBits = 1;
// Of a number of that type; what is none of half precision is kept as this program computes, in float32.
Index number_bytes(const std::string& type);

struct CacheShape {
  Index heads = 1, key_value_heads = 1, head_size = 1;  // H that ask, G with keys and values of their own, k
  std::vector<Index> windows;  // of each layer: how many of the last tokens it still looks at; 0: all of them
  bool reads_source = false;   // each layer also has the keys and values of a source, which do not grow
  // Latent attention (DeepSeek-AI 2024): a row for all heads, of which they make their keys and values, and the part of
  // the keys that is turned; 0: there is none.
  Index latent = 0, latent_rope = 0;
  Index value_size = 0;  // of a head; 0: as many as its key

  Index layers() const { return static_cast<Index>(windows.size()); }
  Index kept_heads() const { return latent > 0 ? 1 : key_value_heads; }
  Index key_columns() const { return latent > 0 ? latent : head_size; }
  Index value_columns() const { return latent > 0 ? latent_rope : value_size > 0 ? value_size : head_size; }
  // The same model, if it had been made with other key heads, or with one window in every layer.
  CacheShape with_key_heads(Index count) const;
  CacheShape with_window(Index window) const;
  bool has_window() const;
};

// Of a complete configuration; none: it is no Transformer that writes.
std::optional<CacheShape> cache_shape(const Json& config);
// Of the model of a run; none too where its attention was stored.
std::optional<CacheShape> cache_shape(const Result& result);

// The rows that a layer still needs after so many tokens: the next one looks at itself and at w − 1 before it.
Index rows_kept(Index window, Index tokens);
// A key and a value of each head that has its own, of one token in one layer.
double row_bytes(const CacheShape& shape, Index number_bytes);
// Of one layer and of all after so many tokens.
double layer_bytes(const CacheShape& shape, Index layer, Index tokens, Index number_bytes);
double cache_bytes(const CacheShape& shape, Index tokens, Index number_bytes);
// Of the keys and values of a source of so many tokens; 0 where there is none.
double source_bytes(const CacheShape& shape, Index source_tokens, Index number_bytes);
// Numbers of key heads to compare, from one to one for each head, with those that the model has.
std::vector<Index> key_heads_to_compare(const CacheShape& shape);

// What the same text would take if the model had been made otherwise.
struct CacheChoice {
  enum class Kind { as_it_is, key_heads, no_window, window, eight_bits };
  Kind kind = Kind::as_it_is;
  Index count = 0;  // of key heads, or of tokens in the window
  double bytes = 0;
};
// From the smallest number of key heads on; a window of so many tokens last (0: none to compare).
std::vector<CacheChoice> cache_choices(const CacheShape& shape, Index tokens, Index number_bytes, Index window = 0);

// After so many tokens, as 'headlight run --json' says it: by layer and in all, in this type of numbers.
Json cache_json(const CacheShape& shape, Index tokens, Index source_tokens, const std::string& type);

// How many tokens the decoder has read when it writes at a step: its prompt, and what it was fed until then.
Index tokens_read(const Result& result, Index step);

}  // namespace headlight
