// How token ids enter a Transformer: embeddings and positions (Vaswani et al. 2017, sections 3.4 and 3.5).
#pragma once

#include <optional>

#include "model/layers/norm.h"
#include "model/layers/parameters.h"
#include "model/trace/pass.h"

namespace headlight {

// Where the order of the tokens comes from (models.md section 5).
enum class Positions { sinusoid, sinusoid_halves, sinusoid_t2t, learned, rotary, relative, alibi, concat, none };
inline const std::vector<std::string> kPositionNames = {
    "sinusoid", "sinusoid_halves", "sinusoid_t2t", "learned", "rotary", "relative", "alibi", "concat", "none"};
// Whether they are rows of the input, not of the attention.
inline bool are_rows(Positions kind) { return kind <= Positions::learned || kind == Positions::concat; }

struct TokenInputSettings {
  Index model = 0;  // d
  Positions positions = Positions::sinusoid;
  Index max_positions = 512;  // rows of a learned table
  Index offset = 0;           // the row of the first token
  Index padding = -1;  // tokens of this id are not counted, and have the row in front (of sinusoids: none); -1: all
                       // are counted
  Index position_size = 0;    // concat: columns of the positions; the tokens have the other d − d_p
  double position_scale = 1;  // of sinusoids
  bool scale_embeddings = true;
  double embedding_scale = 0;  // of tokens, instead of √d; 0: as scale_embeddings says
  // Embeddings of another width than the model's are brought to it: all that enters (Lan et al. 2020, section 3.1), or
  // the tokens only, before positions are added.
  enum class Projection { none, sum, tokens } projection = Projection::none;
  Index embedding_size = 0;  // e, of sum and tokens
  bool projection_bias = true;
  Index width() const { return projection == Projection::sum ? embedding_size : model; }  // of what is added up
  std::optional<NormSettings> norm;                                                       // of the sum
  bool norm_of_tokens = false;  // it is of the tokens, before positions are added
  Index token_types = 0;        // kinds of sentences; 0: tokens are not told apart by them
  // Tokens of this id enter as zeros, and all are multiplied by 0.88 / (1 − their share of the text) (Lin et al. 2023);
  // -1: there are none.
  Index dropped = -1;
  double dropout = 0;
  Init table_init, position_init;
};

class TokenInput {
 public:
  // pos.W [P x d] (learned), type.W [types x d], embed.norm.*, embed.W_project [e x d], embed.b_project; e columns
  // instead of d where the sum is projected. `table` [V x d or e]: the embeddings, whoever made them.
  TokenInput(const ParameterBuilder& side, const TokenInputSettings& settings, Tensor table);
  // Shape of the embeddings of `vocabulary` tokens.
  static Shape table_shape(const TokenInputSettings& settings, Index vocabulary);

  // ids and positions [N x L], keep [N x L] or undefined, types [N x L] or undefined (all of the first kind) ->
  // [N x L x d]. Publishes side.embed.{token, token_norm, position, type, out,
  // projected}.
  // Throws UsageError for an id outside the vocabulary and a position outside a learned table.
  Tensor operator()(const Tensor& ids, const Tensor& positions, const Tensor& keep, const SitePath& side,
                    const Pass& pass, const Tensor& types = {}) const;
  const Tensor& table() const { return table_; }
  // Positions of ids [N x L] that stand behind `first` − shift[n] counted tokens: [N x L], −1 for those that are not
  // counted. `shift` [N] or undefined (0).
  Tensor positions_of(const Tensor& ids, Index first, const Tensor& shift) const;
  // How many ids of each row [N x L] are not counted [N]; undefined where all are.
  Tensor not_counted(const Tensor& ids) const;

 private:
  Tensor position_rows(const Tensor& positions) const;
  Tensor with_dropped(const Tensor& token, const Tensor& ids, const Tensor& keep) const;
  Tensor projected(const Tensor& x, const SitePath& side, const Tap& tap) const;
  std::string position_formula() const;  // of these rows; empty where there are none

  TokenInputSettings settings_;
  Tensor table_, learned_, types_, W_project_, b_project_;
  std::optional<Norm> norm_;
};

}  // namespace headlight
