// One text read at once by a model, with what its heads did, and with heads whose findings are replaced.
//
// For analyses of many texts and many changed runs: nothing is recorded but what they ask for. What a person looks at
// comes from run() (model/decode/run.h); both give the same numbers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/analysis/attention_maps.h"
#include "model/analysis/bench/numbers.h"
#include "model/core/cancel.h"
#include "model/models/bundle.h"

namespace headlight {

// A text as a model reads it. `fed`: what a decoder behind an encoder is given, its start sign first.
struct TextIds {
  std::vector<TokenId> ids, types, fed;
};

// A head. Layers and heads count from 0; a model without layers or heads has one.
struct HeadPlace {
  AttentionMap::Kind kind = AttentionMap::Kind::encoder_self;
  Index layer = 0, head = 0;
  bool operator==(const HeadPlace&) const = default;
};

// What a head has found (z) is replaced: by zeros (undefined), by one row [k], or row by row [T x k].
struct HeadValue {
  HeadPlace at;
  Tensor value;
};

// A norm on the way: of rows [T x d], y = (x − mean x) ⊙ gain / σ_t + shift, without the mean where it is not centred.
struct NormAt {
  bool centred = false;
  Tensor rstd;         // [T]; undefined: there is no such norm
  Tensor gain, shift;  // [d] or undefined
  Tensor out;          // [T x d]
  bool there() const { return rstd.defined(); }
};

// The attention of one layer.
struct LayerReading {
  Index layer = 0;   // of the model
  Tensor weights;    // [H x T x S]
  Tensor values;     // [G x S x k], heads H / G share one
  Tensor found;      // [H x T x k], z
  Tensor given;      // [T x d]: what the attention gives, its bias included
  Tensor sum;        // [T x d]: that and the residual
  NormAt sub, post;  // of what it gives, before the residual; of the sum
  Tensor W_o, b_o;   // [H·k x d], [d] or undefined

  Index heads() const { return weights.dim(0); }
  Index group(Index head) const { return head * values.dim(0) / heads(); }
};

struct SideReading {
  AttentionMap::Kind kind = AttentionMap::Kind::encoder_self;
  bool causal = false;
  std::vector<LayerReading> layers;  // those that have this attention
};

// What enters the last matrix of a feed-forward network [T x D].
struct NeuronReading {
  std::string side;  // "encoder" or "decoder"
  Index layer = 0;
  Tensor values;
};

struct Reading {
  std::vector<SideReading> sides;  // in the order of AttentionMap::Kind
  Tensor states;                   // the last ones of what was read [T x d]; undefined where classes stand on top
  Tensor logits;                   // a row each token, or the classes [1 x C]; undefined: the model writes nothing
  bool several = false;            // the classes are yes or no each
  std::vector<TextVector> vectors;
  std::vector<NeuronReading> neurons;

  const SideReading* side(AttentionMap::Kind kind) const;
};

class TextReader {
 public:
  // Throws UsageError for stored attention.
  explicit TextReader(std::shared_ptr<const ModelBundle> bundle);

  enum class Keep {
    output,   // logits, states and vectors
    weights,  // and the weights
    neurons,  // and the neurons
    all
  };
  // Throws UsageError for ids that the model does not have, and Cancelled.
  Reading read(const TextIds& text, Keep keep, const std::vector<HeadValue>& changed = {},
               const CancelToken& cancel = {}) const;

  // A text as the model's own rules cut it. The output that a decoder behind an encoder is forced to write is
  // `written`. Throws UsageError where the vocabulary lacks something.
  TextIds ids_of(const std::string& source, const std::string& second = {}, const std::string& written = {}) const;
  // The text of each token, and whether it is a sign that stands for no text.
  std::vector<std::string> words(const std::vector<TokenId>& ids, bool written = false) const;
  std::vector<Index> special(const std::vector<TokenId>& ids) const;

  const ModelBundle& bundle() const { return *bundle_; }
  std::shared_ptr<const ModelBundle> shared_bundle() const { return bundle_; }
  bool writes_after_encoder() const;  // a decoder behind an encoder
  bool by_steps() const { return by_steps_; }

 private:
  class Listener;
  void check(const std::vector<TokenId>& ids, Index vocabulary) const;
  void fill_neurons(const Listener& kept, Reading& reading) const;
  void fill_layers(const Listener& kept, const TextIds& text, Reading& reading) const;
  void fill_steps(const Listener& kept, const TextIds& text, Reading& reading) const;
  Tensor parameter(const std::string& side, Index layer, const std::string& name) const;

  std::shared_ptr<const ModelBundle> bundle_;
  bool by_steps_ = false;  // a model without heads whose decoder reads one step after the other
};

const char* side_kind(AttentionMap::Kind kind);  // "encoder", "decoder", "cross"

}  // namespace headlight
