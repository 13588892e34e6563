// What a decoder of self-attention keeps of the tokens that it has read (KV cache): in each layer a row for each token,
// its keys and values. Counted from the configuration, so that the same model with other heads or windows is, too.
#pragma once

#include <optional>
#include <vector>

#include "model/core/json.h"
#include "model/core/tensor.h"

namespace headlight {

struct Result;

inline constexpr Index kFloat32Bytes = 4, kFloat16Bytes = 2;  // this program keeps float32

struct CacheShape {
  Index heads = 1, key_value_heads = 1, head_size = 1;  // H that ask, G with keys and values of their own, k
  std::vector<Index> windows;  // of each layer: how many of the last tokens it still looks at; 0: all of them
  bool reads_source = false;   // each layer also has the keys and values of a source, which do not grow

  Index layers() const { return static_cast<Index>(windows.size()); }
  // The same model, if it had been made with other key heads, or with one window in every layer.
  CacheShape with_key_heads(Index count) const;
  CacheShape with_window(Index window) const;
  bool has_window() const;
};

// Of a complete configuration; none: it is no Transformer that writes.
std::optional<CacheShape> cache_shape(const Json& config);
// Of the model of a run; none too where its attention was stored.
std::optional<CacheShape> cache_shape(const Result& result);

// The rows that a layer still needs after so many tokens: those that left its window are not looked at any more.
Index rows_kept(Index window, Index tokens);
// A key and a value of each of the G heads, of one token in one layer.
double row_bytes(const CacheShape& shape, Index number_bytes);
// Of all layers after so many tokens.
double cache_bytes(const CacheShape& shape, Index tokens, Index number_bytes);
// Of the keys and values of a source of so many tokens; 0 where there is none.
double source_bytes(const CacheShape& shape, Index source_tokens, Index number_bytes);
// Numbers of key heads to compare, from one to one for each head, with those that the model has.
std::vector<Index> key_heads_to_compare(const CacheShape& shape);

// How many tokens the decoder has read when it writes at a step: its prompt, and what it was fed until then.
Index tokens_read(const Result& result, Index step);

}  // namespace headlight
