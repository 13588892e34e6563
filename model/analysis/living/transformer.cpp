// Transformers: encoder and decoder, encoder only, decoder only. A layer is a station behind each of its attentions and
// one behind its MLP. What head h brings from lane j to lane t is q = α_tj v_j W_O, the rest is carried on or bias.

#include <algorithm>

#include "model/analysis/living/rule.h"
#include "model/analysis/masks.h"
#include "model/core/parallel.h"
#include "model/core/product.h"
#include "model/core/slices.h"
#include "model/models/transformer_settings.h"

namespace headlight {

namespace {

using Side = LivingLane::Side;
using Kind = LivingPart::Kind;

TransformerShape shape_of(const Result& result) {
  switch (result.model->model->traits().kind) {
    case ModelTraits::Kind::encoder_only:
      return TransformerShape::encoder_only;
    case ModelTraits::Kind::decoder_only:
      return TransformerShape::decoder_only;
    case ModelTraits::Kind::encoder_decoder:
      break;
  }
  return TransformerShape::both;
}

// How one station came about, as leaves of the trace ("layer[1].residual1") and names of parameters.
struct Sublayer {
  Side side = Side::target;
  Side columns = Side::target;  // of an attention: what it reads
  std::string carried, sum;     // x and s = x + given
  std::string stream;           // what goes on: s, or norm(s)
  std::string attention;        // "layer[1].self_attn"; empty: an MLP
  std::string given;            // of an MLP: what it writes
  std::string post;             // the norm of what is given: "layer[1].post_norm1"; empty: none
  std::string parameters;       // of the attention: "decoder.layer[1].self_attn."
  std::string post_parameters;  // "decoder.layer[1].post_norm1."
};

class TransformerRule : public LivingRule {
 public:
  TransformerRule(const LivingMap& map) : sites_(map), settings_(living::transformer_settings(*map.result)) {}

  void make(LivingMap& map, const CancelToken& cancel) {
    map.family = settings_.shape == TransformerShape::both           ? LivingMap::Family::encoder_decoder
                 : settings_.shape == TransformerShape::encoder_only ? LivingMap::Family::encoder_only
                                                                     : LivingMap::Family::decoder_only;
    if (settings_.shape != TransformerShape::decoder_only) add_side(map, Side::source, settings_.encoder, cancel);
    encoder_end_ = static_cast<int>(map.stations.size()) - 1;
    if (settings_.shape != TransformerShape::encoder_only) add_side(map, Side::target, settings_.decoder, cancel);
    if (incomplete_) map.stations.clear();
  }

  Tensor head_shares(const LivingMap& map, int station, int part) const override {
    const Sublayer& one = sublayers_[index(station)];
    if (!is_attention(map, station, part)) return {};
    const Terms terms = terms_of(one);
    const Tensor alpha = read_weights(one);
    const Index heads = alpha.dim(0), rows = alpha.dim(1), keys = alpha.dim(2);
    Tensor all({heads, rows, keys});
    parallel_for(heads, 1, [&](Index begin, Index end) {
      for (Index h = begin; h < end; ++h) {
        MatrixMap out(all.data() + h * rows * keys, rows, keys);
        out.noalias() = terms.asked(h) * terms.values(h).transpose();
        out.array() *= ConstMatrixMap(alpha.data() + h * rows * keys, rows, keys).array();
        for (Index t = 0; t < rows; ++t) out.row(t) *= terms.inverse[static_cast<std::size_t>(t)];
      }
    });
    return all;
  }

  Tensor head_weights(const LivingMap& map, int station, int part) const override {
    const Sublayer& one = sublayers_[index(station)];
    return is_attention(map, station, part) ? sites_.weights(one.side, one.attention + ".head.weights", one.columns)
                                            : Tensor();
  }

  Tensor state_vector(const LivingMap&, int station, Index row) const override {
    return row_of(sites_.rows(sublayers_[index(station)].side, sublayers_[index(station)].sum), row);
  }
  Tensor stream(const LivingMap&, int station, Index row) const override {
    const Sublayer& one = sublayers_[index(station)];
    const auto at = sites_.at(one.side, row, one.stream);
    if (!at) return {};
    const Tensor value = sites_.value(at->site);
    return at->step ? value.view(0, {value.size()}) : value.view(at->row * value.columns(), {value.columns()});
  }

  Tensor part_vector(const LivingMap& map, const LivingShare& share) const override {
    const Sublayer& one = sublayers_[index(share.station)];
    const LivingPart& part = map.stations[index(share.station)].parts[index(share.part)];
    if (part.kind == Kind::carried) return row_of(sites_.rows(one.side, one.carried), share.row);
    if (part.kind == Kind::written) return row_of(scaled(sites_.rows(one.side, one.given)), share.row);
    if (part.kind == Kind::bias) {
      Tensor q = sites_.parameter(one.parameters + "b_o");
      if (!q.defined()) q = Tensor::zeros({map.stations[index(share.station)].units});
      return normed(one, share.row, q, true);
    }
    const Tensor alpha = read_weights(one), v = values_of(one), W = sites_.parameter(one.parameters + "W_o");
    const Index heads = alpha.dim(0), keys = alpha.dim(2), k = v.dim(2), d = W.columns(), times = heads / v.dim(0);
    Tensor joined = Tensor::zeros({1, heads * k});
    for (Index h = 0; h < heads; ++h) {
      if (share.head >= 0 && share.head != h) continue;
      for (Index j = 0; j < keys; ++j) {
        if (share.column >= 0 && share.column != j) continue;
        ArrayMap(joined.data() + h * k, k) +=
            alpha[(h * alpha.dim(1) + share.row) * keys + j] * ConstArrayMap(v.data() + (h / times * keys + j) * k, k);
      }
    }
    Tensor q({1, d});
    product(joined, W, false, {}, q);
    return normed(one, share.row, q.view(0, {d}), false);
  }

  std::vector<Intervention> cut(const LivingMap& map, const LivingShare& share) const override {
    const Sublayer& one = sublayers_[index(share.station)];
    const LivingStation& station = map.stations[index(share.station)];
    const LivingPart& part = station.parts[index(share.part)];
    if (part.kind == Kind::written) {
      const auto at = sites_.at(one.side, share.row, one.given);
      return at ? std::vector{living::zeroed(*at, -1)} : std::vector<Intervention>{};
    }
    if (part.kind != Kind::attention) return {};
    if (share.column < 0 && share.head >= 0)
      return head_off(*map.result,
                      one.side == Side::source      ? AttentionMap::Kind::encoder_self
                      : one.columns == Side::source ? AttentionMap::Kind::cross
                                                    : AttentionMap::Kind::decoder_self,
                      station.layer, share.head);
    auto at = sites_.at(one.side, share.row, one.attention + ".head.weights");
    if (!at) return {};
    if (share.head >= 0)
      at->site.replace(at->site.rfind("head.weights"), 5, "head[" + std::to_string(share.head) + "].");
    return {living::zeroed(*at, share.column < 0 ? -1 : sites_.key(one.columns, share.column))};
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  static bool is_attention(const LivingMap& map, int station, int part) {
    return map.stations.at(index(station)).parts.at(index(part)).kind == Kind::attention;
  }
  static Tensor row_of(const Tensor& rows, Index row) {
    return rows.defined() ? rows.view(row * rows.columns(), {rows.columns()}) : Tensor();
  }
  // Of an attention, what the shares of its pairs are computed from: share_h = α (s' W_Oᵀ)_h · v / <s, s>.
  struct Terms {
    Tensor all;  // s' W_Oᵀ [T x H k]
    Tensor v;    // [G x K x k]
    Index heads = 1;
    std::vector<Scalar> inverse;  // 1 / <s, s>
    ConstStridedMatrixMap asked(Index h) const {
      const Index k = v.dim(2);
      return {all.data() + h * k, all.rows(), k, Eigen::OuterStride<>(all.columns())};
    }
    ConstMatrixMap values(Index h) const {
      const Index size = v.dim(1) * v.dim(2), g = h / (heads / v.dim(0));
      return {v.data() + g * size, v.dim(1), v.dim(2)};
    }
  };

  Tensor values_of(const Sublayer& one) const {
    // The source is read once, and its values stand in front of the steps.
    const std::string leaf = stack().layer.attention.clip > 0 ? ".head.v_clipped" : ".head.v";
    if (one.columns == one.side) return sites_.heads(one.side, one.attention + leaf);
    return sites_.by_lane(Side::source, sites_.value("decoder." + one.attention + leaf));
  }

  // Of each lane and head [lanes x H]: whether somebody has switched it off behind its weights. Empty: nobody has.
  std::vector<bool> heads_off(const Sublayer& one, Index heads) const {
    const std::string leaf = one.attention + ".head.out";
    const Index lanes = sites_.count(one.side);
    std::vector<bool> off;
    Tensor out;
    for (Index t = 0; t < lanes; ++t) {
      if (!sites_.edited(one.side, t, leaf)) continue;
      if (!out.defined()) out = sites_.heads(one.side, leaf);
      if (off.empty()) off.assign(static_cast<std::size_t>(lanes * heads), false);
      for (Index h = 0; h < heads; ++h)
        off[static_cast<std::size_t>(t * heads + h)] =
            (ConstArrayMap(out.data() + (h * out.dim(1) + t) * out.dim(2), out.dim(2)) == Scalar(0)).all();
    }
    return off;
  }

  // The weights with which values were added up [H x lanes x columns].
  Tensor read_weights(const Sublayer& one) const {
    Tensor alpha = sites_.weights(one.side, one.attention + ".head.weights", one.columns);
    const Index heads = alpha.dim(0), lanes = alpha.dim(1);
    const std::vector<bool> off = heads_off(one, heads);
    for (Index t = 0; !off.empty() && t < lanes; ++t)
      for (Index h = 0; h < heads; ++h)
        if (off[static_cast<std::size_t>(t * heads + h)])
          ArrayMap(alpha.data() + (h * lanes + t) * alpha.dim(2), alpha.dim(2)).setZero();
    return alpha;
  }

  Terms terms_of(const Sublayer& one) const {
    Terms terms;
    terms.v = values_of(one);
    const Tensor W = sites_.parameter(one.parameters + "W_o"), s = sites_.rows(one.side, one.sum);
    terms.heads = W.rows() / terms.v.dim(2);
    terms.all = Tensor({s.rows(), W.rows()});
    product(asking(one, s), W, true, {}, terms.all);
    for (Index t = 0; t < s.rows(); ++t) {
      const double whole = living::dot(s.data() + t * s.columns(), s.data() + t * s.columns(), s.columns());
      terms.inverse.push_back(whole > 0 ? static_cast<Scalar>(1 / whole) : Scalar(0));
    }
    return terms;
  }

  // Where a norm stands between what is given and the sum: s' with <norm(q), s> = <q, s'>, its scale held as it was.
  // What is given enters the sum by a factor.
  Tensor asking(const Sublayer& one, const Tensor& s) const { return scaled(asking_of_given(one, s)); }
  Tensor scaled(const Tensor& x) const {
    const double factor = stack().layer.residual_scale;
    if (factor == 1 || !x.defined()) return x;
    Tensor made = x.clone();
    made.array() *= static_cast<Scalar>(factor);
    return made;
  }
  Tensor asking_of_given(const Sublayer& one, const Tensor& s) const {
    if (one.post.empty()) return s;
    const Tensor gamma = sites_.parameter(one.post_parameters + "gamma"),
                 rstd = sites_.rows(one.side, one.post + ".rstd");
    if (!rstd.defined()) return Tensor::zeros(s.shape());
    Tensor asked(s.shape());
    const Index d = s.columns();
    for (Index t = 0; t < s.rows(); ++t) {
      ArrayMap row(asked.data() + t * d, d);
      row = ConstArrayMap(s.data() + t * d, d);
      if (gamma.defined()) row *= gamma.array();
      if (centred()) row -= row.mean();
      row *= rstd[t];
    }
    return asked;
  }

  // q behind that norm; `bias`: with what the norm adds itself.
  Tensor normed(const Sublayer& one, Index row, const Tensor& q, bool bias) const {
    return scaled(normed_given(one, row, q, bias));
  }
  Tensor normed_given(const Sublayer& one, Index row, const Tensor& q, bool bias) const {
    if (one.post.empty()) return q;
    const Tensor gamma = sites_.parameter(one.post_parameters + "gamma"),
                 rstd = sites_.rows(one.side, one.post + ".rstd");
    if (!rstd.defined()) return Tensor::zeros(q.shape());
    Tensor out = q.clone();
    if (centred()) out.array() -= out.array().mean();
    out.array() *= rstd[row];
    if (gamma.defined()) out.array() *= gamma.array();
    const Tensor beta = bias ? sites_.parameter(one.post_parameters + "beta") : Tensor();
    if (beta.defined()) out.array() += beta.array();
    return out;
  }
  bool centred() const { return stack().layer.norm.kind != NormKind::rms; }
  const TransformerStackSettings& stack() const {
    return settings_.shape == TransformerShape::encoder_only ? settings_.encoder : settings_.decoder;
  }

  LivingStation& add_station(LivingMap& map, LivingStation::Kind kind, Side side, Index layer, Sublayer sublayer) {
    LivingStation& station = living::add_station(map, kind, side, layer);
    for (int i = 0; i < station.count; ++i) {
      const LivingPlace place = sites_.place(side, i, sublayer.sum);
      if (place.entry >= 0) station.units = (*map.result->trace)[place.entry].value.columns();
      station.places.push_back(place);
    }
    sublayers_.push_back(std::move(sublayer));
    return station;
  }

  void add_side(LivingMap& map, Side side, const TransformerStackSettings& stack, const CancelToken& cancel) {
    const std::string name = side == Side::source ? "encoder." : "decoder.";
    const bool projected = settings_.input.projection == TokenInputSettings::Projection::sum;
    std::string x = projected ? "embed.projected" : "embed.out";
    Sublayer embedding;
    embedding.side = side;
    embedding.sum = embedding.stream = x;
    add_station(map, LivingStation::Kind::embedding, side, -1, embedding);
    for (Index l = 0; l < stack.layers; ++l) {
      const std::string layer = "layer[" + std::to_string(l) + "].";
      const Index owner = stack.shared.empty() ? l : stack.shared[static_cast<std::size_t>(l)];
      const std::string parameters = name + "layer[" + std::to_string(owner) + "].";
      int i = 1;
      const auto next = [&] {
        Sublayer one;
        const std::string number = std::to_string(i++);
        one.side = one.columns = side;
        one.carried = stack.layer.sum_of_normed ? layer + "norm" + number + ".out" : x;
        one.sum = layer + "residual" + number;
        const bool normed = stack.layer.place == NormPlace::post && (i > 2 || l > 0 || stack.first_norm);
        one.stream = x = normed ? layer + "norm" + number + ".out" : one.sum;
        if (gives_normed(stack.layer.place)) {
          one.post = layer + "post_norm" + number;
          one.post_parameters = parameters + "post_norm" + number + ".";
        }
        return one;
      };
      const auto attention = [&](LivingStation::Kind kind, const char* leaf, Side columns) {
        Sublayer one = next();
        one.columns = columns;
        one.attention = layer + leaf;
        one.parameters = parameters + leaf + ".";
        add_attention(map, kind, l, std::move(one));
        cancel.check();
        slice_point();
      };
      attention(LivingStation::Kind::attention, "self_attn", side);
      if (stack.layer.cross) attention(LivingStation::Kind::cross, "cross_attn", Side::source);
      Sublayer mlp = next();
      mlp.given = mlp.post.empty() ? layer + "ffn.out" : mlp.post + ".out";
      add_mlp(map, l, name + layer + "ffn", std::move(mlp));
      cancel.check();
      slice_point();
    }
  }

  void add_attention(LivingMap& map, LivingStation::Kind kind, Index layer, Sublayer sublayer) {
    const int before = static_cast<int>(map.stations.size()) - 1;
    LivingStation& station = add_station(map, kind, sublayer.side, layer, sublayer);
    const Sublayer& one = sublayers_.back();
    const Tensor s = sites_.rows(one.side, one.sum), x = sites_.rows(one.side, one.carried);
    incomplete_ = incomplete_ || !s.defined() || !x.defined() || !values_of(one).defined() ||
                  sites_.weight_rows(one.side, one.attention + ".head.weights", one.columns).rows.empty() ||
                  !sites_.parameter(one.parameters + "W_o").defined();
    if (incomplete_) return;
    station.parts.push_back(
        living::lane_by_lane(Kind::carried, before, living::own_lanes(station), living::shares_of(x, s)));
    const int from = one.columns == one.side ? before : encoder_end_;
    LivingPart brought = living::dense(Kind::attention, from, map.range(one.columns), brought_by(one));
    brought.heads = (one.columns == Side::source && one.side == Side::target ? settings_.decoder.layer.cross_attention
                     : one.side == Side::source                              ? settings_.encoder.layer.attention
                                                                             : settings_.decoder.layer.attention)
                        .heads;
    brought.place = (one.side == Side::source ? "encoder." : "decoder.") + one.attention;
    station.parts.push_back(std::move(brought));
    // What a norm adds, and the bias of W_O in front of it.
    Tensor q({s.rows(), s.columns()});
    const Tensor b = sites_.parameter(one.parameters + "b_o");
    const Tensor start = b.defined() ? b : Tensor::zeros({s.columns()});
    if (!b.defined() && one.post.empty()) return;
    for (Index t = 0; t < s.rows(); ++t)
      q.view(t * s.columns(), {s.columns()}).array() = normed(one, t, start, true).array();
    station.parts.push_back(living::bias(living::shares_of(q, s)));
  }

  // The sum over the heads [T x K]. The weights stay where the run put them; a piece of rows looks at all heads, and no
  // further than its last row does, so that nothing larger than itself is kept.
  Tensor brought_by(const Sublayer& one) const {
    const LivingSites::Weights alpha = sites_.weight_rows(one.side, one.attention + ".head.weights", one.columns);
    const std::vector<bool> off = heads_off(one, alpha.heads);
    const Terms terms = terms_of(one);
    const auto rows = static_cast<Index>(alpha.rows.size());
    const Index heads = alpha.heads, keys = sites_.count(one.columns), k = terms.v.dim(2);
    std::vector<Index> lane_of;
    for (Index key = 0; key < keys; ++key) lane_of.push_back(sites_.lane_of_key(one.columns, key));
    const bool in_order = std::is_sorted(lane_of.begin(), lane_of.end());
    constexpr Index kPiece = 32;
    Tensor all = Tensor::zeros({rows, keys});
    const Index pieces = (rows + kPiece - 1) / kPiece;
    parallel_for(pieces, grain_for(pieces, kPiece * heads * keys * k), [&](Index first, Index last) {
      Matrix part;
      for (Index begin = first * kPiece; begin < std::min(rows, last * kPiece); begin += kPiece) {
        const Index end = std::min(rows, begin + kPiece);
        Index reach = 0;  // lanes from the first on
        for (Index t = begin; t < end; ++t) reach = std::max(reach, alpha.rows[static_cast<std::size_t>(t)].keys);
        if (!in_order) reach = keys;
        part.resize(end - begin, reach);
        for (Index h = 0; h < heads; ++h) {
          part.noalias() = terms.asked(h).middleRows(begin, end - begin) * terms.values(h).topRows(reach).transpose();
          for (Index t = begin; t < end; ++t) {
            if (!off.empty() && off[static_cast<std::size_t>(t * heads + h)]) continue;
            const LivingSites::WeightRow& row = alpha.rows[static_cast<std::size_t>(t)];
            const Scalar *weight = row.first + h * row.stride, *asked = part.data() + (t - begin) * reach;
            Scalar* out = all.data() + t * keys;
            if (in_order) {
              ArrayMap(out, row.keys) += ConstArrayMap(asked, row.keys) * ConstArrayMap(weight, row.keys);
              continue;
            }
            for (Index key = 0; key < row.keys; ++key) {
              const Index lane = lane_of[static_cast<std::size_t>(key)];
              out[lane] += asked[lane] * weight[key];
            }
          }
        }
        for (Index t = begin; t < end; ++t)
          ArrayMap(all.data() + t * keys, keys) *= terms.inverse[static_cast<std::size_t>(t)];
      }
    });
    return all;
  }

  void add_mlp(LivingMap& map, Index layer, const std::string& place, Sublayer sublayer) {
    const int before = static_cast<int>(map.stations.size()) - 1;
    LivingStation& station = add_station(map, LivingStation::Kind::mlp, sublayer.side, layer, sublayer);
    const Sublayer& one = sublayers_.back();
    const Tensor s = sites_.rows(one.side, one.sum), x = sites_.rows(one.side, one.carried),
                 given = scaled(sites_.rows(one.side, one.given));
    incomplete_ = incomplete_ || !s.defined() || !x.defined() || !given.defined();
    if (incomplete_) return;
    const std::vector<int> lanes = living::own_lanes(station);
    station.parts.push_back(living::lane_by_lane(Kind::carried, before, lanes, living::shares_of(x, s)));
    station.parts.push_back(living::lane_by_lane(Kind::written, before, lanes, living::shares_of(given, s)));
    station.parts.back().place = place;
    station.experts = expert_shares(one.side, "layer[" + std::to_string(layer) + "].ffn.router.");
  }

  // Undefined where there is no router.
  Tensor expert_shares(Side side, const std::string& router) const {
    const Tensor logits = sites_.rows(side, router + "logits"), experts = sites_.rows(side, router + "experts"),
                 shares = sites_.rows(side, router + "shares");
    if (!logits.defined() || !experts.defined() || !shares.defined() || shares.shape() != experts.shape()) return {};
    Tensor all = Tensor::zeros(logits.shape());
    for (Index i = 0; i < shares.size(); ++i) {
      const auto expert = static_cast<Index>(experts[i]);
      if (expert >= 0 && expert < all.columns()) all[i / shares.columns() * all.columns() + expert] = shares[i];
    }
    return all;
  }

  LivingSites sites_;
  TransformerSettings settings_;
  std::vector<Sublayer> sublayers_;  // by station
  int encoder_end_ = -1;
  bool incomplete_ = false;  // the run lacks a site: somebody has captured a part of it
};

// The sums, weights and values of the first and the last layer of each side: a capture without them has no map.
bool is_transformer_run(const Result& result) {
  // A convolution between the layers is no part that the map knows.
  if (!result.model->model->config().value("convolution", Json::object()).empty()) return false;
  const auto side = [&](const std::string& name) {
    return living::has_all(result, name,
                           {"layer[0].residual2", "layer[0].self_attn.head.weights", "layer[0].self_attn.head.v"});
  };
  const std::string step = living::last_step(result);
  switch (shape_of(result)) {
    case TransformerShape::encoder_only:
      return side("encoder.");
    case TransformerShape::decoder_only:
      return (side(step) || !living::has_all(result, step, {"input.id"})) && (result.prompt == 0 || side("decoder."));
    case TransformerShape::both:
      return side("encoder.") && side(step);
  }
  return false;
}

}  // namespace

TransformerSettings living::transformer_settings(const Result& result) {
  return read_transformer_settings(result.model->model->config(), shape_of(result));
}

const LivingFamily kLivingTransformer{is_transformer_run, living::make_by<TransformerRule>};

}  // namespace headlight
