// Which words made two sentences similar: the cosine of their embeddings as a matrix of pairs of words that adds up to
// it (analysis.md 11).
#pragma once

#include "model/analysis/bench/numbers.h"
#include "model/models/sentence_pooling.h"

namespace headlight {

// What each word brings to the vector of its text: a row each, and in the last row what no word brings (biases). The
// rows add up to the embedding. max: a word brings the units that it wins, the first of equals. Activations and norms
// are held at their real value: exact for this text.
DoubleMatrix embedding_parts(const SentencePooling& pooling, const Tensor& last);
// Whether a bias stands in the last row: without, it is 0.
bool has_own_part(const SentencePooling& pooling);
// Whether a single token makes the vector (cls, last): the matrix says little then.
bool is_one_vector(const SentencePooling& pooling);

struct WordPairs {
  DoubleMatrix shares;  // S_ij = c_i · c'_j / (‖e‖ ‖e'‖); biases, where there are any, in the last row and column
  Eigen::VectorXd first, second;
  double cosine = 0, sum = 0;
};
WordPairs word_pairs(const DoubleMatrix& first, const DoubleMatrix& second, bool own_part);

double cosine_of(const Eigen::VectorXd& a, const Eigen::VectorXd& b);

}  // namespace headlight
