// The attention read of an encoder-decoder: score, reach, normaliser and selection are parts that combine freely.
#pragma once

#include "model/layers/parameters.h"
#include "model/trace/pass.h"

namespace headlight {

// How well a key fits a query (models.md 3.1).
enum class Score { dot, scaled_dot, general, additive, location, cosine, mlp, linear_concat };
inline const std::vector<std::string> kScoreNames = {"dot",      "scaled_dot", "general", "additive",
                                                     "location", "cosine",     "mlp",     "linear_concat"};
// What is done with the weights: all values in their shares, the heaviest one, or one that is drawn.
enum class ReadSelection { soft, hard_argmax, hard_sample };
inline const std::vector<std::string> kSelectionNames = {"soft", "hard_argmax", "hard_sample"};
// Which positions may be read (Luong et al. 2015, sections 3.1 and 3.2).
enum class Reach { global, local_m, local_p };
inline const std::vector<std::string> kReachNames = {"global", "local_m", "local_p"};

// Biases of the additive score: b_a inside of tanh (Bahdanau et al. 2015, as in their code), and b_v behind it, which
// moves all scores alike (Xu et al. 2015, as in their code).
enum class ScoreBias { none, hidden, both };
inline const std::vector<std::string> kScoreBiasNames = {"none", "hidden", "both"};

struct AttentionSettings {
  Score score = Score::dot;
  ReadSelection selection = ReadSelection::soft;
  Reach reach = Reach::global;
  Index hidden = 32;          // n′ of additive, mlp
  Index longest_source = 64;  // S_max of location
  Index half_width = 4;       // D of the local reaches
  double sigma = 0;           // of the Gaussian; 0: D / 2, as in the paper
  double beta = 5;            // sharpness of cosine
  bool learn_beta = false;    // then β = softplus(beta_raw), and `beta` is where it starts
  double temperature = 1;     // the scores are divided by it
  ScoreBias bias = ScoreBias::none;
  bool reversed = false;      // the source is read from its end; local-m follows the text all the same
  const char* query = "h_t";  // what asks, in formulas
  double semi_sampling = 0;   // share of training sequences that read softly although the selection is sampled
};

struct AttentionInit {
  Init matrix = Init::fan_in();
  Init vector = Init::fan_in();  // v of additive and mlp
};

class Attention {
 public:
  // Makes the parameters that the score and the reach need: W_a [Q x K] (general), W_a [Q x n′], U_a [K x n′], v_a [n′]
  // (additive), with b_a [n′], b_v [1] (mlp, additive as far as `bias` says); w_q [Q x 1], w_k [K x 1] (linear_concat);
  // W_loc [Q x S_max] (location); beta_raw [1] (cosine, learned); W_p [Q x Q], v_p [Q x 1] (local-p). Throws
  // FormatError when a product of query and key is asked for and their sizes differ.
  Attention(const ParameterBuilder& parameters, const AttentionSettings& settings, Index query_size, Index key_size,
            const AttentionInit& init = {});

  // What is read, and what can be computed of it once for all steps.
  struct Memory {
    Tensor keys;       // [N x S x K]
    Tensor values;     // [N x S x A]
    Tensor keep;       // [N x S] or undefined
    Tensor projected;  // [N x S x n′]: additive, mlp, linear_concat
    Tensor lengths;    // [N]: number of kept positions
    Tensor sampled;    // [N]: 0 where a sequence reads softly in training although the selection is sampled

    Memory select(const std::vector<Index>& rows) const;
  };
  // Draws which sequences read softly (semi_sampling). Publishes place.attention.keys_proj.
  Memory prepare(const Tensor& keys, const Tensor& values, const Tensor& keep, const SitePath& place,
                 const Pass& pass) const;

  struct Read {
    Tensor context;  // [N x T x A]
    Tensor weights;  // [N x T x S], before a hard selection
    Tensor indices;  // [N x T], of a hard selection
    Tensor sampled;  // [N], 1 where the position was drawn and read; undefined where none was drawn
    Tensor keep;     // [N x S] or undefined
  };
  // Reads with the queries [N x T x Q] of steps `first_step` and following. Publishes place.attention.{query,
  // query_proj, products, beta, scores, scaled, position.hidden, position.share, position, keep, align, gauss, weights,
  // sample.u, sample.index, sample.onehot, weighted, context}, those that the settings have.
  Read read(const Tensor& queries, Index first_step, const Memory& memory, const SitePath& place,
            const Pass& pass) const;

  const AttentionSettings& settings() const { return settings_; }

 private:
  Tensor scores(const Tensor& queries, const Memory& memory, const SitePath& place, const Tap& tap) const;
  SiteWords score_words() const;
  const char* shares_paper() const;
  const char* context_paper() const;
  Tensor location_scores(const Tensor& queries, Index s_count) const;
  Tensor positions(const Tensor& queries, Index first_step, const Memory& memory, const SitePath& place,
                   const Tap& tap) const;
  Tensor normalised(const Tensor& scores, const Tensor& queries, Index first_step, const Memory& memory,
                    const SitePath& place, const Tap& tap) const;
  Tensor selected(Read& read, const Memory& memory, const SitePath& place, const Pass& pass) const;

  AttentionSettings settings_;
  Tensor W_a_, U_a_, v_a_, b_a_, b_v_, beta_raw_, W_p_, v_p_;
};

}  // namespace headlight
