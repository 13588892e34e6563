// A mapping for a state dict of a recurrent encoder and decoder, from what its names and shapes say: nn.GRU, nn.LSTM or
// nn.RNN on both sides, with the last state alone, with that state at every step, or with additive attention.
#pragma once

#include <optional>

#include "model/io/formats/mapping/mapping_guess.h"

namespace headlight {

// MappingAnswers::model_type of these models.
inline constexpr const char* kRecurrent = "recurrent";

// Whether there are two recurrent layers with a table of embeddings each.
bool is_recurrent(const TensorFile& tensors);

// The mapping, and the questions that only its owner can answer: in which order things were put side by side. Throws
// FormatError, which says what is not as in one of our models.
Json recurrent_mapping(const TensorFile& tensors, const MappingAnswers& answers,
                       std::vector<MappingQuestion>& questions);

}  // namespace headlight
