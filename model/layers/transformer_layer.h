// One layer of a Transformer (Vaswani et al. 2017, section 3.1): attention to its own text, attention to a source where
// there is one, and a feed-forward network, each with a residual and a normalisation.
#pragma once

#include <optional>

#include "model/layers/feed_forward.h"
#include "model/layers/multi_head.h"
#include "model/layers/norm.h"

namespace headlight {

struct TransformerLayerSettings {
  MultiHeadSettings attention, cross_attention;
  bool cross = false;  // attends to a source as well
  FeedForwardSettings feed_forward;
  NormSettings norm;
  bool pre = true;     // normalises what a sublayer reads (Xiong et al. 2020); else what it leaves behind
  double dropout = 0;  // of what each sublayer gives
};

class TransformerLayer {
 public:
  using KeysValues = MultiHeadAttention::KeysValues;
  using Reach = MultiHeadAttention::Reach;

  // self_attn.*, cross_attn.*, ffn.*, norm1.*, norm2.* and, with a source, norm3.*.
  TransformerLayer(const ParameterBuilder& parameters, const TransformerLayerSettings& settings);

  // Keys and values of a source [N x S x d]. Publishes place.cross_attn.head.{k, v}.
  KeysValues source(const Tensor& states, const SitePath& place, const Tap& tap) const;

  struct Input {
    Tensor x;           // [N x L x d]
    Tensor positions;   // [N x L]
    Tensor keep;        // [N x L] or undefined: which rows are tokens
    Reach own, cross;   // where the rows may look: in their own text, in the source
    bool room = false;  // keys and values are written where there is room (see KeysValues::append)
  };
  struct Output {
    Tensor x;           // [N x L x d]
    Tensor own, cross;  // attention weights [(N·H) x L x S]
  };
  // `text` holds the keys and values of what came before these rows and takes theirs; `source` only with a source.
  // Publishes place.{self_attn, cross_attn}.*, place.residual1, place.norm1.*, ... and place.ffn.*.
  Output operator()(const Input& input, KeysValues& text, const KeysValues* source, const SitePath& place,
                    const Pass& pass) const;

 private:
  template <class Sublayer>
  Tensor around(std::size_t i, const Tensor& x, const Tensor& keep, const SitePath& place, const Pass& pass,
                const Sublayer& sublayer) const;

  TransformerLayerSettings settings_;
  MultiHeadAttention own_;
  std::optional<MultiHeadAttention> cross_;
  FeedForward feed_forward_;
  std::vector<Norm> norms_;
};

}  // namespace headlight
