// What a model says of a text as a whole, in words: pooled vectors, embeddings of sentences, whether a sentence
// follows.
#pragma once

#include <QString>

#include "model/analysis/effect.h"

namespace headlight {

QString vector_title(TextVector::Kind kind);       // "Sentence embedding"
QString vector_help(TextVector::Kind kind);        // a sentence
const char* vector_site(TextVector::Kind kind);    // of the trace: "encoder.sentence"
QString vector_summary(const TextVector& vector);  // "384 numbers, length 1"; "yes, 97.2 %"
// The first of its numbers, with … behind them where there are more.
QString first_numbers(const TextVector& vector, int count);
// "Sentence embedding: 384 numbers, length 1"; empty where the model says nothing of the text as a whole.
QString vectors_summary(const Result& result);

// "Cosine of the two texts (sentence embedding): 0.6312."; empty where there is none.
QString cosine_text(const Result& a, const Result& b);

}  // namespace headlight
