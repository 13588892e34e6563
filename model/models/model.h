// Models: parameters, a configuration and a forward definition that inference, training and attribution share.
//
// Recurrent code is time-major, ids [S x N]; attention works on [N x S x H]. A run that is traced has N = 1 and takes
// one step of the decoder at a time; training computes all steps at once, through the same code.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/core/json.h"
#include "model/layers/parameters.h"
#include "model/models/traits.h"
#include "model/trace/pass.h"

namespace headlight {

struct PrefixCache;  // prefix_cache.h

// Sources of a batch. Shorter ones are padded at their end and masked there, which changes nothing (tested for every
// model).
struct Source {
  Tensor ids;      // [S x N]
  Tensor keep;     // [N x S], 1 = a token, 0 = padding at the end; undefined: all are tokens
  Tensor types{};  // [S x N]: the kind of sentence that each token is of; undefined: all are of the first
  // What an earlier run of the same model keeps (N = 1): the first rows need not be computed again.
  const PrefixCache* cache = nullptr;
  Index cached_rows = 0;

  Source(Tensor tokens, Tensor kept = {})
      : ids(std::move(tokens)), keep(std::move(kept)) {}  // NOLINT: ids are a source
};

// What the trainer knows when it asks for the losses that a decoding adds to its cross-entropy.
struct LossContext {
  Tensor sequence_nll;  // [N]: −log p of each target, summed over its tokens
  Tensor mask;          // [N x T], 1 = a token that counts
  double baseline = 0;  // moving average of log p (Xu et al. 2015, section 4.1)
  double scale = 1;     // what the cross-entropy of a token is multiplied by: 1 / counted tokens of the batch
};

// One decoding in progress: the encoded source and the decoder's state.
class Decoding {
 public:
  virtual ~Decoding() = default;
  // Feeds T input tokens [T x N] (teacher forcing: all at once; generation: T = 1) and returns logits [N x T x V].
  // With an active tap T and N must be 1, so that every value has the name of its step.
  virtual Tensor advance(const Tensor& ids, const Pass& pass) = 0;
  // Goes on with these rows of the batch, in this order; a row may repeat (beam search). The source's side may be left
  // as it is when it has one row.
  virtual void select(const std::vector<Index>& rows) = 0;
  // The attention to show and to count coverage by, of the last advance(): [N x T x S]; undefined where there is none.
  virtual Tensor attention() const { return {}; }
  // The last states of the text that was read at once [N x S x d], for what stands on top of them; undefined where
  // there are none.
  virtual Tensor read_states() const { return {}; }
  // The same decoding once more, from where it stands; null where it cannot be gone on with twice.
  virtual std::unique_ptr<Decoding> clone() const { return nullptr; }
  // For runs to come (N = 1); null where there is nothing to resume from.
  virtual std::shared_ptr<const PrefixCache> prefix_cache() const { return nullptr; }
  // Losses beside the cross-entropy (REINFORCE, doubly stochastic attention), of all advances so far; undefined: none.
  virtual Tensor additional_loss(const LossContext& context) {
    (void)context;
    return {};
  }
};

class Model {
 public:
  virtual ~Model() = default;
  const Json& config() const { return *config_; }
  const ModelTraits& traits() const { return traits_; }
  ParameterTable& parameters() { return parameters_; }
  const ParameterTable& parameters() const { return parameters_; }
  // Encodes sources and makes the decoder ready for step 0. The model has to outlive the decoding.
  virtual std::unique_ptr<Decoding> begin(const Source& source, const Pass& pass) const = 0;
  // What would be written if the layers ended with these states [N x S x d]: final norm and output matrix, logits
  // [N x S x V] (the logit lens). Undefined where states of a layer are not what the output is read from.
  virtual Tensor lens(const Tensor& states) const {
    (void)states;
    return {};
  }

 protected:
  explicit Model(const Json& config);
  ParameterTable parameters_;

 private:
  SharedJson config_;
  ModelTraits traits_;
};

}  // namespace headlight
