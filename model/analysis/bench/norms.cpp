#include "model/analysis/bench/norms.h"

#include <algorithm>
#include <cmath>

#include "model/core/errors.h"

namespace headlight {

namespace {

using RowVector = Eigen::RowVectorXd;
constexpr double kNoSink = 1e-3;

RowVector row_of(const Tensor& tensor, Index row) {
  return ConstMatrixMap(tensor.data(), tensor.rows(), tensor.columns()).row(row).cast<double>();
}

// A norm at one row with its σ held: its linear part.
class HeldNorm {
 public:
  HeldNorm(const NormAt& norm, Index row) : centred_(norm.centred), scale_(static_cast<double>(norm.rstd[row])) {
    if (norm.gain.defined()) gain_ = norm.gain.array().cast<double>().transpose();
    if (norm.shift.defined()) shift_ = norm.shift.array().cast<double>().transpose();
  }
  void apply(DoubleMatrix& rows) const {
    if (centred_) rows.colwise() -= rows.rowwise().mean().eval();
    rows *= scale_;
    if (gain_.size() > 0) rows.array().rowwise() *= gain_.array();
  }
  RowVector operator()(const RowVector& row) const {
    DoubleMatrix one = row;
    apply(one);
    return one;
  }
  RowVector shifted(RowVector row) const { return shift_.size() > 0 ? RowVector(row + shift_) : row; }

 private:
  bool centred_;
  double scale_;
  RowVector gain_, shift_;
};

// One row: vectors of all keys, and of the row's own past.
class RowParts {
 public:
  RowParts(const LayerReading& layer, bool cross, const std::vector<DoubleMatrix>& vectors, Index row)
      : layer_(layer), cross_(cross), row_(row) {
    const Index keys = layer.weights.dim(2), heads = layer.heads(), rows = layer.weights.dim(1);
    parts_ = DoubleMatrix::Zero(keys, vectors.front().cols());
    for (Index h = 0; h < heads; ++h) {
      const Scalar* a = layer.weights.data() + (h * rows + row) * keys;
      for (Index j = 0; j < keys; ++j)
        if (a[j] != 0) parts_.row(j) += static_cast<double>(a[j]) * vectors[static_cast<std::size_t>(h)].row(j);
    }
  }
  void measure(Index l, BroughtByTokens& to) {
    const auto at = static_cast<std::size_t>(l);
    const auto put = [&](std::vector<DoubleMatrix>& all) { all[at].row(row_) = parts_.rowwise().norm().transpose(); };
    put(to.sum_afx);
    RowVector given = row_of(layer_.given, row_), sum = row_of(layer_.sum, row_), y = sum,
              bias = RowVector::Zero(given.size());
    if (layer_.b_o.defined()) bias = row_of(layer_.b_o, 0);
    if (layer_.sub.there()) {
      const HeldNorm norm(layer_.sub, row_);
      norm.apply(parts_);
      bias = norm.shifted(norm(bias));
      given = row_of(layer_.sub.out, row_);
      put(to.sub_norm);
    }
    RowVector own = sum - given;  // the residual
    if (cross_) {
      parts_.conservativeResize(parts_.rows() + 1, Eigen::NoChange);
      parts_.bottomRows(1) = own;
    } else {
      parts_.row(row_) += own;
    }
    put(to.res);
    if (layer_.post.there()) {
      const HeldNorm norm(layer_.post, row_);
      norm.apply(parts_);
      bias = norm.shifted(norm(bias));
      y = row_of(layer_.post.out, row_);
      put(to.resln);
    }
    const RowVector all = parts_.colwise().sum();
    own = parts_.row(cross_ ? parts_.rows() - 1 : row_);
    const double others = (all - own).norm(), own_norm = own.norm(), both = others + own_norm;
    to.mixing[at](0, row_) = both > 0 ? others / both : 0;
    to.off = std::max(to.off, (all + bias - y).cwiseAbs().maxCoeff() / std::max(1e-30, y.cwiseAbs().maxCoeff()));
    const double length = y.lpNorm<1>();
    Eigen::VectorXd kept = (parts_.rowwise() - y).rowwise().lpNorm<1>();
    kept = (length - kept.array()).max(0.0);
    const double total = kept.sum();
    to.alti[at].row(row_) = total > 0 ? RowVector(kept.transpose() / total) : RowVector(kept.transpose());
  }

 private:
  const LayerReading& layer_;
  bool cross_;
  Index row_;
  DoubleMatrix parts_;
};

void check_parts(const SideReading& side) {
  for (const LayerReading& layer : side.layers)
    if (!layer.values.defined() || !layer.given.defined() || !layer.sum.defined() || !layer.W_o.defined() ||
        layer.W_o.rows() * layer.values.dim(0) == 0)
      throw UsageError(std::string(side_kind(side.kind)) +
                       ": the values of these heads do not reach the states through an output matrix as they are");
}

}  // namespace

DoubleMatrix head_vectors(const LayerReading& layer, Index head) {
  const Index size = layer.values.columns(), width = layer.W_o.columns();
  const DoubleMatrix W = ConstMatrixMap(layer.W_o.data() + head * size * width, size, width).cast<double>();
  return slice_of(layer.values, layer.group(head)) * W;
}

bool has_sink(const LayerReading& layer) {
  const Index keys = layer.weights.columns();
  for (Index i = 0; i < layer.weights.rows(); ++i) {
    const double sum = ConstArrayMap(layer.weights.data() + i * keys, keys).cast<double>().sum();
    if (sum > 0 && sum < 1 - kNoSink) return true;
  }
  return false;
}

BroughtByTokens brought_by_tokens(const SideReading& side, const CancelToken& cancel) {
  check_parts(side);
  const bool cross = side.kind == AttentionMap::Kind::cross;
  const bool sinks = std::ranges::any_of(side.layers, has_sink);
  BroughtByTokens all;
  for (std::size_t l = 0; l < side.layers.size(); ++l) {
    const LayerReading& layer = side.layers[l];
    const Index heads = layer.heads(), rows = layer.weights.dim(1), keys = layer.weights.dim(2),
                columns = keys + (cross ? 1 : 0);
    std::vector<DoubleMatrix> vectors;
    DoubleMatrix fx(heads, keys), afx(heads * rows, keys), sink(heads, rows);
    for (Index h = 0; h < heads; ++h) {
      vectors.push_back(head_vectors(layer, h));
      fx.row(h) = vectors.back().rowwise().norm().transpose();
      const DoubleMatrix a = slice_of(layer.weights, h);
      afx.middleRows(h * rows, rows) = a.array().rowwise() * fx.row(h).array();
      sink.row(h) = (1 - a.rowwise().sum().array()).transpose();
    }
    all.fx.push_back(std::move(fx));
    all.afx.push_back(std::move(afx));
    if (sinks) all.sink.push_back(std::move(sink));
    all.sum_afx.emplace_back(rows, keys);
    if (layer.sub.there()) all.sub_norm.emplace_back(rows, keys);
    all.res.emplace_back(rows, columns);
    if (layer.post.there()) all.resln.emplace_back(rows, columns);
    all.mixing.emplace_back(1, rows);
    all.alti.emplace_back(rows, columns);
    for (Index t = 0; t < rows; ++t) {
      cancel.check();
      RowParts(layer, cross, vectors, t).measure(static_cast<Index>(l), all);
    }
  }
  return all;
}

DoubleMatrix brought_to_readout(const LayerReading& layer) {
  if (!layer.values.defined() || !layer.W_o.defined() || layer.W_o.rows() != layer.values.columns())
    throw UsageError("the readout of this model does not read the context as it is");
  const Eigen::VectorXd lengths = head_vectors(layer, 0).rowwise().norm();
  return slice_of(layer.weights, 0).array().rowwise() * lengths.transpose().array();
}

}  // namespace headlight
