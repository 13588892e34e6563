// A stack of Transformer layers with its final norm: an encoder or a decoder.
#pragma once

#include <optional>

#include "model/layers/token_input.h"
#include "model/layers/transformer_layer.h"

namespace headlight {

struct RelativePositions {  // Raffel et al. 2020, section 2.1
  Index buckets = 32, distance = 128;
  bool both_directions = true;
};

struct SlopedPositions {  // Press et al. 2022
  bool rounded = false;   // to bfloat16, as Falcon does
  double scale = 1;
};

// Of what the first layer reads, added behind that layer with an activation and a norm of its own (DeBERTa-v2).
struct ConvolutionSettings {
  Index kernel = 3;  // odd
  Activation activation = Activation::tanh;
};

struct TransformerStackSettings {
  TransformerLayerSettings layer;
  Index layers = 1;
  bool final_norm = true;
  bool scale_by_layer = false;  // the scores of layer l are also divided by l + 1
  bool causal = false;
  Index window = 0;                    // of how many tokens a query sees the last ones, itself counted; 0: all
  std::vector<Index> windows;          // the same for each layer; empty: `window` for all
  std::optional<Rotary> local_rotary;  // of the layers with a window; else those of `layer`
  std::vector<Index> shared;           // whose parameters each layer has, none behind itself; empty: its own
  bool first_norm = true;              // of the first layer
  std::vector<Index> dense;            // 1: this layer has a feed-forward network, no experts; empty: none of them
  Index out_size = 0;                  // columns that its rows are brought to at last; 0: those that they have
  std::optional<RelativePositions> relative;
  std::optional<SlopedPositions> slopes;
  std::vector<Index> turned;  // 0 for layers without rotation; empty: all have that of `layer`
  std::optional<ConvolutionSettings> convolution;
};

class TransformerStack {
 public:
  using KeysValues = TransformerLayer::KeysValues;

  // layer[l].*, final_norm.*, relative.W [buckets x H], project.W [d x out_size], distance.W [2·span x d],
  // distance.norm.*, convolution.W [kernel·d x d], convolution.b, convolution.norm.*.
  TransformerStack(const ParameterBuilder& side, const TransformerStackSettings& settings);

  // What has been read so far; grows with each run.
  struct State {
    std::vector<KeysValues> text;    // of each layer
    std::vector<KeysValues> source;  // of each layer, with a source
    Tensor keep;                     // [N x S] or undefined: tokens of the text so far
    Tensor source_keep;              // [N x S] or undefined
    Index length = 0;                // rows so far
    Index known = 0;                 // tokens of the text that are known already, read or not
    Tensor weights;  // of the last run and the last layer [(N·H) x L x S]: to the source where there is one, else own
    void select(const std::vector<Index>& rows, Index batch);
  };
  State start() const;
  // Lets the layers read a source [N x S x d], keep [N x S] or undefined.
  void read_source(const Tensor& states, const Tensor& keep, State& state, const SitePath& side, const Tap& tap) const;
  // Rows x [N x L x d] at positions [N x L] after those of `state`; keep [N x L] or undefined: which are tokens.
  // `place` stands before layer[l]: the side, or a step of it.
  Tensor run(Tensor x, const Tensor& positions, const Tensor& keep, State& state, const SitePath& place,
             const Pass& pass) const;
  // What stands behind the last layer: final norm and projection of rows x [N x L x d].
  Tensor finish(const Tensor& x, const Tensor& keep, const SitePath& place, const Pass& pass) const;

 private:
  Tensor distances_of(Index batch, Index count) const;
  // norm(x + f(windows W + b)), the windows those of what the first layer read.
  Tensor convolved(const Tensor& read, const Tensor& x, const Tensor& keep, const SitePath& side,
                   const Pass& pass) const;

  TransformerStackSettings settings_;
  std::vector<TransformerLayer> layers_;
  std::optional<Norm> final_norm_, distance_norm_, convolution_norm_;
  Tensor relative_, project_, distance_, W_convolution_, b_convolution_;
};

}  // namespace headlight
