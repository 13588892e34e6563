#include "model/analysis/living/score_split.h"

#include <algorithm>

#include "model/analysis/living/rule.h"
#include "model/core/product.h"
#include "model/models/transformer_settings.h"

namespace headlight {

namespace {

using LaneOf = LivingLane::Side;

constexpr int kSummands = 3;  // of each row: token, position, what else is added

std::string side_name(LaneOf side) { return side == LaneOf::source ? "encoder." : "decoder."; }

// The rows that the first layer's attention reads, summand by summand.
class Summands {
 public:
  Summands(const LivingSites& sites, LaneOf side) : sites_(sites), side_(side) {}

  bool begin(const TransformerSettings& settings) {
    const bool projected = settings.input.projection == TokenInputSettings::Projection::tokens;
    Tensor token = sites_.rows(side_, projected ? "embed.projected" : "embed.token"),
           position = sites_.rows(side_, "embed.position");
    if (!token.defined() || !position.defined()) return false;
    if (settings.input.positions == Positions::concat) {
      const Index d = token.columns() + position.columns();
      token = widened(token, 0, d);
      position = widened(position, d - position.columns(), d);
    }
    if (token.shape() != position.shape()) return false;
    const Tensor type = sites_.rows(side_, "embed.type");
    rows = {token.clone(), position.clone(), type.defined() ? type.clone() : Tensor::zeros(token.shape())};
    has_rest = type.defined();
    return true;
  }

  // Its mean is linear in the row, its scale is that of the run.
  bool norm(const NormSettings& settings, const std::string& place, const std::string& parameters) {
    const Tensor rstd = sites_.rows(side_, place + "rstd"), gamma = sites_.parameter(parameters + "gamma"),
                 beta = sites_.parameter(parameters + "beta");
    if (settings.kind == NormKind::batch || !rstd.defined()) return false;
    for (Tensor& part : rows)
      for (Index t = 0; t < part.rows(); ++t) {
        ArrayMap row(part.data() + t * part.columns(), part.columns());
        if (settings.kind == NormKind::layer) row -= row.mean();
        row *= rstd[t];
        if (gamma.defined()) row *= gamma.array();
      }
    add_to_rest(beta);
    return true;
  }

  void project(const Tensor& W, const Tensor& bias) {
    if (!W.defined()) return;
    for (Tensor& part : rows) {
      Tensor made({part.rows(), W.columns()});
      product(part, W, false, {}, made);
      part = std::move(made);
    }
    add_to_rest(bias);
  }

  std::array<Tensor, kSummands> rows;
  bool has_rest = false;

 private:
  void add_to_rest(const Tensor& bias) {
    if (!bias.defined()) return;
    rows.back().matrix().rowwise() += ConstMatrixMap(bias.data(), 1, bias.size()).row(0);
    has_rest = has_rest || (bias.array() != Scalar(0)).any();
  }
  static Tensor widened(const Tensor& part, Index from, Index columns) {
    Tensor made = Tensor::zeros({part.rows(), columns});
    made.matrix().middleCols(from, part.columns()) = part.matrix();
    return made;
  }

  const LivingSites& sites_;
  LaneOf side_;
};

// [Q x K] of a head: the products of its columns of two summands.
Tensor products_of(const Tensor& q, const Tensor& k, Index query_head, Index key_head, Index size, double scale) {
  Tensor made({q.rows(), k.rows()});
  made.matrix().noalias() =
      q.matrix().middleCols(query_head * size, size) * k.matrix().middleCols(key_head * size, size).transpose();
  made.array() *= static_cast<Scalar>(scale);
  return made;
}

const MultiHeadSettings& heads_of(const TransformerSettings& settings, LaneOf side) {
  return (side == LaneOf::source ? settings.encoder : settings.decoder).layer.attention;
}

bool score_splits(const TransformerSettings& settings, LaneOf side) {
  const MultiHeadSettings& heads = heads_of(settings, side);
  const Positions kind = settings.input.positions;
  const TokenInputSettings& input = side == LaneOf::source ? settings.input : settings.decoder_input;
  const TransformerStackSettings& stack = side == LaneOf::source ? settings.encoder : settings.decoder;
  return !input.norm_of_tokens && are_rows(kind) && !stack.relative && !heads.distances && !heads.qk_norm &&
         heads.clip == 0 && !heads.rotary;
}

}  // namespace

std::vector<LivingLane::Side> split_sides(const Result& result) {
  std::vector<LivingLane::Side> sides;
  if (!result.trace || !result.model || !result.model->model || result.model->stored) return sides;
  const std::string& name = result.model->model->traits().architecture;
  if (name != "transformer" && name != "encoder_only" && name != "decoder_only") return sides;
  const TransformerSettings settings = living::transformer_settings(result);
  if (settings.shape != TransformerShape::decoder_only && score_splits(settings, LaneOf::source))
    sides.push_back(LaneOf::source);
  if (settings.shape != TransformerShape::encoder_only && score_splits(settings, LaneOf::target))
    sides.push_back(LaneOf::target);
  return sides;
}

std::optional<ScoreSplit> score_split(const LivingMap& map, LivingLane::Side side, Index head) {
  const std::vector<LivingLane::Side> sides = split_sides(*map.result);
  if (std::ranges::find(sides, side) == sides.end()) return {};
  const TransformerSettings settings = living::transformer_settings(*map.result);
  const TransformerStackSettings& stack = side == LaneOf::source ? settings.encoder : settings.decoder;
  const MultiHeadSettings& heads = heads_of(settings, side);
  const LivingSites sites(map);
  const std::string own = side_name(side), layer = "layer[0].";
  Summands queries(sites, side);
  if (head < 0 || head >= heads.heads || !queries.begin(settings)) return {};
  ScoreSplit split;
  if (settings.input.norm) {
    split.norm = true;
    if (!queries.norm(*settings.input.norm, "embed.", own + "embed.norm.")) return {};
  }
  if (settings.input.projection == TokenInputSettings::Projection::sum)
    queries.project(sites.parameter(own + "embed.W_project"), sites.parameter(own + "embed.b_project"));
  if (reads_normed(stack.layer.place) && stack.first_norm) {
    split.norm = true;
    if (!queries.norm(stack.layer.norm, layer + "norm1.", own + layer + "norm1.")) return {};
  }
  Summands keys = queries;
  const std::string attention = own + layer + "self_attn.";
  queries.project(sites.parameter(attention + "W_q"), sites.parameter(attention + "b_q"));
  keys.project(sites.parameter(attention + "W_k"), sites.parameter(attention + "b_k"));
  split.has_rest = queries.has_rest || keys.has_rest;
  const Tensor all = sites.weights(side, layer + "self_attn.head.scores", side);
  if (!all.defined() || head >= all.dim(0)) return {};
  split.scores = all.view(head * all.dim(1) * all.dim(2), {all.dim(1), all.dim(2)}).clone();
  const Index key_head = head / (heads.heads / heads.key_value_heads);
  for (int a = 0; a < kSummands; ++a)
    for (int b = 0; b < kSummands; ++b) {
      const Tensor each =
          products_of(queries.rows[at_place(a)], keys.rows[at_place(b)], head, key_head, heads.head_size, heads.scale);
      Tensor& part = split.parts[at_place(a == 2 || b == 2 ? ScoreSplit::rest : 2 * a + b)];
      if (part.defined())
        part.array() += each.array();
      else
        part = each;
    }
  return split;
}

}  // namespace headlight
