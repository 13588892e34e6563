// One layer of a Transformer (Vaswani et al. 2017, section 3.1): attention to its own text, attention to a source where
// there is one, and a feed-forward network, each with a residual and a normalisation.
#pragma once

#include <optional>

#include "model/layers/experts.h"
#include "model/layers/feed_forward.h"
#include "model/layers/multi_head.h"
#include "model/layers/norm.h"

namespace headlight {

// What is normalised: what a sublayer reads (Xiong et al. 2020), the sum that it leaves behind, what it reads and what
// it gives (Ding et al. 2021), or only what it gives (Liu et al. 2022).
enum class NormPlace { pre, post, both, output };
inline const std::vector<std::string> kNormPlaceNames = {"pre", "post", "both", "output"};
inline bool reads_normed(NormPlace place) { return place == NormPlace::pre || place == NormPlace::both; }
inline bool gives_normed(NormPlace place) { return place == NormPlace::both || place == NormPlace::output; }

struct TransformerLayerSettings {
  MultiHeadSettings attention, cross_attention;
  bool cross = false;  // attends to a source as well
  FeedForwardSettings feed_forward;
  std::optional<ExpertSettings> experts;  // in place of the feed-forward network
  NormSettings norm;
  NormPlace place = NormPlace::pre;
  bool first_norm = true;      // the attention to its own text has a norm (ModernBERT's first layer has none)
  bool parallel = false;       // the feed-forward network reads what the attention reads (Wang & Komatsuzaki 2021)
  bool shared_norm = false;    // parallel: both read the same normalised rows (Wang & Komatsuzaki 2021)
  bool sum_of_normed = false;  // a sum starts from the normalised rows that the sublayer read
  double residual_scale = 1;   // of what each sublayer gives
  double dropout = 0;          // of what each sublayer gives
};

class TransformerLayer {
 public:
  using KeysValues = MultiHeadAttention::KeysValues;
  using Reach = MultiHeadAttention::Reach;

  // self_attn.*, cross_attn.*, ffn.*, norm1.*, norm2.* and, with a source, norm3.*; norms of what sublayers give are
  // post_norm1.* and so on.
  TransformerLayer(const ParameterBuilder& parameters, const TransformerLayerSettings& settings);

  // Keys and values of a source [N x S x d]. Publishes place.cross_attn.head.{k, v}.
  KeysValues source(const Tensor& states, const SitePath& place, const Tap& tap) const;

  struct Input {
    Tensor x;           // [N x L x d]
    Tensor positions;   // [N x L]
    Index length = 0;   // of the text with these rows
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
  Tensor around(std::size_t i, const char* name, const Tensor& x, const Tensor& read, const Tensor& keep,
                const SitePath& place, const Pass& pass, const Sublayer& sublayer) const;

  TransformerLayerSettings settings_;
  MultiHeadAttention own_;
  std::optional<MultiHeadAttention> cross_;
  std::optional<FeedForward> feed_forward_;
  std::optional<Experts> experts_;
  std::vector<std::optional<Norm>> norms_;
  std::vector<Norm> post_norms_;
};

}  // namespace headlight
