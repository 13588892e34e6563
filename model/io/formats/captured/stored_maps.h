// Which arrays of a file hold attention, and how many tokens they say that it is of.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/core/errors.h"
#include "model/io/tensor_file.h"

namespace headlight {

[[noreturn]] inline void unreadable(const std::string& where, const std::string& what) {
  throw FormatError(where + ": " + what);
}

// Where the maps of one kind lie in a file: in one tensor, or a tensor a layer.
struct StoredMaps {
  // Whose attention they are. Of a text that looks at itself and nothing else it is `self`, whatever its name.
  enum class Kind { self, encoder, decoder, cross };

  std::vector<std::size_t> tensors;  // by layer; one: all layers
  bool by_layer = false;
  bool batched = false;  // the first axis counts texts
  std::uint64_t texts = 1, layers = 1, heads = 1, queries = 0, keys = 0;
};

using MapsByKind = std::map<StoredMaps::Kind, StoredMaps>;
// Null where there are none of it.
const StoredMaps* maps_of(const MapsByKind& maps, StoredMaps::Kind kind);

// Empty where no tensor is attention. All that is in there fits each other: a text that looks at itself is square, or
// one query of its last token, and cross-attention has the rows of the decoder and the columns of the encoder. Throws
// FormatError "WHERE: ..." where arrays that are named as attention do not.
MapsByKind stored_maps(const TensorFile& file, const std::string& where);
// A bare array without a name, the only tensor of its file, by its shape. Empty where that is none of attention.
MapsByKind bare_maps(const TensorFile& file);
// Whether the names of these maps could be those of anything: "0", "1", or none.
bool names_say_little(const TensorFile& file, const MapsByKind& maps);

// What keeps a file whose names are those of attention, or almost, from being stored attention: a sentence; empty: it
// is, or nothing in it looks as if it should be.
std::string why_no_attention(const TensorFile& file);

}  // namespace headlight
