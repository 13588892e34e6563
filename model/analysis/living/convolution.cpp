// Convolutional models (Gehring et al. 2017). With its gate held, a layer is a sum: what is carried on, one part for
// each tap of the convolution, in the decoder what each source lane brings, and the biases.

#include "model/ops/convolution.h"

#include <cmath>

#include "model/analysis/living/rule.h"
#include "model/core/json_library.h"
#include "model/core/slices.h"

namespace headlight {

namespace {

using Side = LivingLane::Side;
using Kind = LivingPart::Kind;
using living::Vec;

const Scalar kHalf = std::sqrt(Scalar(0.5));  // of every sum: half of the variance

struct Layer {
  Side side = Side::source;
  std::string place;  // "layer[2]."; empty: an embedding
  Tensor x, s, gate;  // [T x d]
  Tensor W, b;        // of the half that is not the gate: [k d x d], [d]
  Index taps = 0, left = 0;
  Scalar scale = 1;              // of the convolution in the sum
  Tensor alpha;                  // [T x S], with the factor of the context; undefined: no attention
  Tensor brought, brought_bias;  // v W_O [S x d], b_O [d]
};

class ConvolutionRule : public LivingRule {
 public:
  explicit ConvolutionRule(const LivingMap& map) : sites_(map), config_(map.result->model->model->config()) {}

  void make(LivingMap& map, const CancelToken& cancel) {
    map.family = LivingMap::Family::convolution;
    add_side(map, Side::source, "encoder.", config_.at("encoder_layers").get<Index>(), cancel);
    encoder_end_ = static_cast<int>(map.stations.size()) - 1;
    add_side(map, Side::target, "decoder.", config_.at("decoder_layers").get<Index>(), cancel);
  }

  Tensor head_weights(const LivingMap& map, int station, int part) const override {
    const Layer& layer = layers_.at(index(station));
    if (!map.stations[index(station)].parts.at(index(part)).dense()) return {};
    Tensor weights({1, layer.alpha.dim(0), layer.alpha.dim(1)});
    weights.array() = layer.alpha.array() / context_factor();
    return weights;
  }
  Tensor state_vector(const LivingMap&, int station, Index row) const override {
    const Tensor& s = layers_.at(index(station)).s;
    return s.view(row * s.columns(), {s.columns()});
  }
  Tensor stream(const LivingMap& map, int station, Index row) const override { return state_vector(map, station, row); }
  Tensor part_vector(const LivingMap& map, const LivingShare& share) const override {
    const Layer& layer = layers_.at(index(share.station));
    const LivingPart& part = map.stations[index(share.station)].parts.at(index(share.part));
    const Index d = layer.s.columns();
    Vec q = Vec::Zero(d);
    const Index row = share.row;
    if (part.kind == Kind::carried) q = kHalf * living::row(layer.x, row);
    if (part.kind == Kind::tap) q = tapped(layer, part.offset + layer.left, row);
    if (part.kind == Kind::bias) q = biased(layer, row);
    if (part.kind == Kind::attention)
      for (Index j = 0; j < part.columns; ++j)
        if (share.column < 0 || share.column == j)
          q += layer.scale * layer.alpha[row * part.columns + j] * living::row(layer.brought, j);
    return living::copied(q);
  }
  std::vector<Intervention> cut(const LivingMap& map, const LivingShare& share) const override {
    const Layer& layer = layers_.at(index(share.station));
    if (!map.stations[index(share.station)].parts.at(index(share.part)).dense()) return {};
    const auto at = sites_.at(layer.side, share.row, layer.place + "attn.weights");
    if (!at) return {};
    return {living::zeroed(*at, share.column < 0 ? -1 : sites_.key(Side::source, share.column))};
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  Scalar context_factor() const {
    const Scalar m = static_cast<Scalar>(sites_.count(Side::source));
    return config_.at("scale_context").get<bool>() ? m * std::sqrt(1 / m) : Scalar(1);
  }
  // W, or g v / ‖v‖ by columns (Salimans & Kingma 2016).
  Tensor matrix(const std::string& place) const {
    const Tensor v = sites_.parameter(place + "v"), g = sites_.parameter(place + "g");
    if (!v.defined()) return sites_.parameter(place + "W");
    return weight_norm(v, g);
  }
  // The row of x that a tap meets; -1 outside of the text.
  Index met(const Layer& layer, Index tap, Index row) const {
    const Index key = sites_.key(layer.side, row) + tap - layer.left;
    return key < 0 || key >= layer.s.rows() ? -1 : sites_.lane_of_key(layer.side, key);
  }
  Vec tapped(const Layer& layer, Index tap, Index row) const {
    const Index d = layer.s.columns(), from = met(layer, tap, row);
    Vec x = from >= 0 ? Vec(living::row(layer.x, from)) : Vec(Vec::Constant(d, padding(layer)));
    Vec q = layer.W.matrix().middleRows(tap * d, d).transpose() * x;
    return layer.scale * q.cwiseProduct(living::row(layer.gate, row));
  }
  // In front of the decoder's first token; what is outside of a source is 0.
  Scalar padding(const Layer& layer) const {
    return layer.side == Side::target ? static_cast<Scalar>(config_.at("padding_value").get<double>()) : Scalar(0);
  }
  Vec biased(const Layer& layer, Index row) const {
    Vec q = layer.scale * Vec(living::row(layer.b, 0).cwiseProduct(living::row(layer.gate, row)));
    if (layer.brought_bias.defined()) q += layer.scale * living::row(layer.brought_bias, 0);
    return q;
  }
  template <class Part>
  Tensor shares(const Layer& layer, const Part& part) const {
    Tensor q(layer.s.shape());
    for (Index t = 0; t < q.rows(); ++t) Eigen::Map<Vec>(q.data() + t * q.columns(), q.columns()) = part(t);
    return living::shares_of(q, layer.s);
  }

  LivingStation& add_station(LivingMap& map, LivingStation::Kind kind, Index number, const std::string& leaf,
                             Layer layer) {
    LivingStation& station = living::add_station(map, kind, layer.side, number);
    station.units = layer.s.columns();
    for (int i = 0; i < station.count; ++i) station.places.push_back(sites_.place(layer.side, i, leaf));
    layers_.push_back(std::move(layer));
    return station;
  }

  void add_side(LivingMap& map, Side side, const std::string& name, Index count, const CancelToken& cancel) {
    const Index k = config_.at("kernel_size").get<Index>();
    Layer embedding;
    embedding.side = side;
    embedding.s = sites_.rows(side, "in_proj.out");
    Tensor x = embedding.s;
    if (!x.defined()) return map.stations.clear();
    add_station(map, LivingStation::Kind::embedding, -1, "in_proj.out", std::move(embedding));
    for (Index l = 0; l < count; ++l) {
      const Index d = x.columns();
      Layer layer;
      layer.side = side;
      layer.place = "layer[" + std::to_string(l) + "].";
      layer.x = x;
      layer.s = sites_.rows(side, layer.place + "out");
      layer.gate = sites_.rows(side, layer.place + "glu.gate");
      const std::string parameters = name + layer.place;
      const Tensor W = matrix(parameters + "conv."), b = sites_.parameter(parameters + "conv.b");
      if (!layer.s.defined() || !layer.gate.defined() || !W.defined()) return map.stations.clear();
      layer.W = Tensor({W.rows(), d});
      layer.W.matrix() = W.matrix().leftCols(d);
      layer.b = b.view(0, {d});
      layer.taps = k;
      layer.left = side == Side::source ? (k - 1) / 2 : k - 1;
      layer.scale = kHalf;
      const Tensor out = side == Side::target ? matrix(parameters + "attn.out_proj.") : Tensor();
      if (out.defined()) {
        layer.scale *= kHalf;
        layer.brought_bias = sites_.parameter(parameters + "attn.out_proj.b");
        const Tensor values = sites_.by_lane(Side::source, sites_.value("encoder.values"));
        layer.brought = Tensor({values.rows(), d});
        layer.brought.matrix().noalias() = values.matrix() * out.matrix();
        layer.alpha = attended(layer.place);
        if (!layer.alpha.defined()) return map.stations.clear();
      }
      x = layer.s;
      const std::string leaf = layer.place + "out";  // first: the layer moves away
      share_out(map, add_station(map, LivingStation::Kind::convolution, l, leaf, std::move(layer)));
      cancel.check();
      slice_point();
    }
  }

  Tensor attended(const std::string& place) const {
    const Tensor rows = sites_.rows(Side::target, place + "attn.weights");
    if (!rows.defined()) return {};
    Tensor alpha(rows.shape());
    for (Index t = 0; t < rows.rows(); ++t)
      for (Index j = 0; j < rows.columns(); ++j)
        alpha[t * rows.columns() + sites_.lane_of_key(Side::source, j)] =
            rows[t * rows.columns() + j] * context_factor();
    return alpha;
  }

  void share_out(LivingMap& map, LivingStation& station) {
    const Layer& layer = layers_.back();
    const int before = static_cast<int>(map.stations.size()) - 2;
    const std::string place = std::string(layer.side == Side::source ? "encoder." : "decoder.") + layer.place;
    station.parts.push_back(
        living::lane_by_lane(Kind::carried, before, living::own_lanes(station),
                             shares(layer, [&](Index t) { return Vec(kHalf * living::row(layer.x, t)); })));
    for (Index tap = 0; tap < layer.taps; ++tap) {
      std::vector<int> from;
      for (Index t = 0; t < station.count; ++t) {
        const Index lane = met(layer, tap, t);
        from.push_back(lane < 0 ? -1 : station.first + static_cast<int>(lane));
      }
      station.parts.push_back(living::lane_by_lane(Kind::tap, before, std::move(from),
                                                   shares(layer, [&](Index t) { return tapped(layer, tap, t); })));
      station.parts.back().offset = static_cast<int>(tap - layer.left);
      station.parts.back().place = place + "conv";
    }
    if (layer.alpha.defined()) {
      const Index S = layer.alpha.columns();
      Tensor share({station.count, S});
      for (Index t = 0; t < station.count; ++t) {
        const Vec s = living::row(layer.s, t);
        const double whole = living::dot(s.data(), s.data(), s.size());
        const Vec brought = layer.brought.matrix() * s;
        for (Index j = 0; j < S; ++j)
          share[t * S + j] =
              whole > 0
                  ? static_cast<Scalar>(static_cast<double>(layer.scale * layer.alpha[t * S + j] * brought[j]) / whole)
                  : Scalar(0);
      }
      station.parts.push_back(living::dense(Kind::attention, encoder_end_, map.range(Side::source), std::move(share)));
      station.parts.back().heads = 1;
      station.parts.back().place = place + "attn";
    }
    station.parts.push_back(living::bias(shares(layer, [&](Index t) { return biased(layer, t); })));
  }

  LivingSites sites_;
  const Json& config_;
  std::vector<Layer> layers_;  // by station
  int encoder_end_ = -1;
};

bool is_convolution_run(const Result& result) {
  for (const std::string& side : {living::last_step(result), std::string("encoder.")})
    if (!living::has_all(result, side, {"in_proj.out", "layer[0].glu.gate", "layer[0].out"})) return false;
  return living::has_all(result, "encoder.", {"values"});
}

}  // namespace

const LivingFamily kLivingConvolution{is_convolution_run, living::make_by<ConvolutionRule>};

}  // namespace headlight
