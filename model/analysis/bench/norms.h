// What heads bring, not only where they look: lengths of weighted values (Kobayashi et al. 2020, 2021) and ALTI
// (Ferrando et al. 2022).
#pragma once

#include "model/analysis/bench/reading.h"

namespace headlight {

// Of each layer of one kind of attention. A token brings f_h(x_j) = v_hj W_O^h, and row t of it a_tj f_h(x_j).
struct BroughtByTokens {
  std::vector<DoubleMatrix> fx;       // ‖f_h(x_j)‖ [H x S]
  std::vector<DoubleMatrix> afx;      // a_tj ‖f_h(x_j)‖, heads one above the other [H·T x S]
  std::vector<DoubleMatrix> sum_afx;  // ‖Σ_h a f‖ [T x S]
  // With the residual in column t, or, of cross-attention, in a last column "own past".
  std::vector<DoubleMatrix> sub_norm;  // behind the norm of what the attention gives; none: there is no such norm
  std::vector<DoubleMatrix> res;       // [T x S or S + 1]
  std::vector<DoubleMatrix> resln;     // behind the norm of the sum; none: there is no such norm
  std::vector<DoubleMatrix> mixing;    // what others bring as a share [1 x T]
  std::vector<DoubleMatrix> alti;      // contributions, rows add up to 1
  std::vector<DoubleMatrix> sink;      // the share that no key gets [H x T]; none: rows add up to 1
  // How far all parts and biases are from what the layer has computed, in shares of its largest number.
  double off = 0;
};
// Throws UsageError where the model's values do not go through an output matrix as they are (it names the kind).
BroughtByTokens brought_by_tokens(const SideReading& side, const CancelToken& cancel = {});

// ‖a_tj h_j W_c‖ of a recurrent model: what the readout gets of each state [T x S].
DoubleMatrix brought_to_readout(const LayerReading& layer);

// The vectors that head h brings from each key, v_hj W_O^h [S x d].
DoubleMatrix head_vectors(const LayerReading& layer, Index head);

// What is a share of no key: a sink of the softmax, as of gpt-oss.
bool has_sink(const LayerReading& layer);

}  // namespace headlight
