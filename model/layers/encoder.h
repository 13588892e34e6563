// Recurrent encoders: one or several layers, one or two directions.
#pragma once

#include "model/layers/cell.h"
#include "model/trace/pass.h"

namespace headlight {

enum class Directions { forward, first, all };  // which layers read in both directions
inline const std::vector<std::string> kDirectionNames = {"none", "first", "all"};
enum class Merge { concat, sum, mean };  // of the two directions
inline const std::vector<std::string> kMergeNames = {"concat", "sum", "mean"};
enum class Pooling { last, mean, max };  // of the states, to the bottleneck
inline const std::vector<std::string> kPoolingNames = {"last", "mean", "max"};

struct EncoderSettings {
  Index vocabulary = 0, embedding = 0, hidden = 0;
  CellKind cell = CellKind::lstm;
  Index layers = 1;
  Directions directions = Directions::forward;
  Merge merge = Merge::concat;
  bool bridge = false;        // the states pass through tanh(h W_bridge) [A x H]
  bool bridge_start = false;  // the decoder's first state does, where it is wider than H
  Pooling pooling = Pooling::last;
  bool residual = false;
  Index residual_from = 1;  // the first layer that its input is added to
  double dropout = 0;       // of the embeddings and between layers
  bool reverse = false;     // reads the source from its end
  Init embed = Init::normal(0.01);
  Init matrix = Init::fan_in();
  CellInit cell_init;
};

// What an encoder knows of a batch of sources.
struct Encoded {
  Tensor states;                // [N x S x A]
  Tensor keep;                  // [N x S] in the order in which it read, or undefined
  std::vector<CellState> last;  // of each layer, after its last token; of the backward direction where there are two
  Tensor forward_last;          // [N x H]: top layer, forward direction
  Tensor bottleneck;            // [N x A], or [N x H] behind a bridge
};

class Encoder {
 public:
  // Embedding embed.W [V x D]; cells lstm.*, or fwd.lstm.* and bwd.lstm.*, under layer[l]. where there are several
  // layers; bridge.W [A x H] where it is needed. Throws FormatError for settings that do not go together.
  Encoder(const ParameterBuilder& parameters, const EncoderSettings& settings);
  ~Encoder();

  // Publishes input.src.*, encoder.embed.out, encoder[.layer[l]][.fwd|.bwd].step[j].*, encoder.states and, where it
  // passes the bridge, encoder.bottleneck.pre.
  Encoded run(const Tensor& ids, const Tensor& keep, const Pass& pass) const;
  // The same from ids in the order in which it reads: all but input.src.*.
  Encoded read(const Tensor& ids, const Tensor& keep, const Pass& pass) const;
  // What it reads with, for who writes with the same weights.
  const Tensor& embeddings() const { return embedding_; }
  const RecurrentCell& cell(Index layer) const;
  bool has_residual(Index layer) const;
  Index state_size() const { return state_size_; }  // A
  // The formula of the bottleneck, from the states h_j.
  std::string bottleneck_formula() const;
  // Of the last state in a layer, of `h` or `c`: that of the backward direction where there are two.
  std::string last_formula(const char* symbol, std::size_t layer) const;
  Index bottleneck_size() const { return bottleneck_size_; }  // H behind a bridge, else A

 private:
  struct Layer;
  std::vector<Tensor> run_layer(const Layer& layer, const Tensor& x, const Tensor& keep, const SitePath& place,
                                const Pass& pass, Encoded& encoded) const;
  Tensor bridged(const Tensor& x) const;
  std::string pooled_formula() const;  // in front of the bridge
  bool passes_bridge() const { return bridge_.rank() > 0 && (settings_.pooling == Pooling::last || !settings_.bridge); }
  Tensor pooled(const Encoded& encoded, const Tap& tap) const;

  EncoderSettings settings_;
  Tensor embedding_, bridge_;
  std::vector<Layer> layers_;
  Index state_size_ = 0, bottleneck_size_ = 0;
};

}  // namespace headlight
