// What a change made of a run that writes nothing: of the embedding of the text, of its score, of the states of its
// words.
#pragma once

#include <optional>

#include "model/decode/run.h"

namespace headlight {

// Of two embeddings or pooled vectors; nothing of others, and where one has no length.
std::optional<double> cosine(const TextVector& a, const TextVector& b);

// Of a next-sentence head: how probable it is that the second sentence goes on with the first.
double follows_probability(const TextVector& follows);

// The entry of the trace with the last state of each word that an encoder read [S x d]; -1: there is none.
int last_states(const Trace& trace);

// The mean over the words of the cosine between their last states in two runs of one text; nothing where one of them
// has none.
std::optional<double> states_cosine(const Result& a, const Result& b);

}  // namespace headlight
