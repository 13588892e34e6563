#include "model/models/sentence_pooling.h"

#include <cmath>
#include <utility>

#include "model/core/errors.h"
#include "model/ops/activations.h"
#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/normalise.h"

namespace headlight {

namespace {

[[noreturn]] void wrong_pooled_width(const char* part, Index expected, const Tensor& W) {
  throw FormatError(std::string("modules.json: ") + part + ": expected weights for " + std::to_string(expected) +
                    " numbers, found " + W.shape().text());
}

}  // namespace

std::optional<SentencePooling::Pool> SentencePooling::pool_named(std::string_view name) {
  static constexpr std::pair<std::string_view, Pool> kModes[] = {{"cls", Pool::cls},
                                                                 {"max", Pool::max},
                                                                 {"mean", Pool::mean},
                                                                 {"mean_sqrt_len", Pool::mean_sqrt_length},
                                                                 {"weightedmean", Pool::weighted_mean},
                                                                 {"lasttoken", Pool::last}};
  for (const std::string_view ending : {"_tokens", "_token"})
    if (name.ends_with(ending)) name.remove_suffix(ending.size());
  for (const auto& [mode, pool] : kModes)
    if (mode == name) return pool;
  return {};
}

std::optional<SentencePooling::Activation> SentencePooling::activation_named(std::string_view name) {
  static const std::pair<std::string_view, Activation> kActivations[] = {
      {"Identity", nullptr}, {"Tanh", headlight::tanh}, {"ReLU", headlight::relu}, {"GELU", headlight::gelu}};
  for (const auto& [known, activation] : kActivations)
    if (known == name) return activation;
  return {};
}

template <class Column>
Scalar SentencePooling::pooled_column(Pool pool, const Column& column) {
  const Index length = column.size();
  switch (pool) {
    case Pool::cls:
      return column[0];
    case Pool::max:
      return column.maxCoeff();
    case Pool::mean:
      return column.mean();
    case Pool::mean_sqrt_length:
      return column.sum() / std::sqrt(static_cast<Scalar>(length));
    case Pool::weighted_mean: {  // later tokens have seen more
      Scalar sum = 0;
      for (Index t = 0; t < length; ++t) sum += static_cast<Scalar>(t + 1) * column[t];
      return sum / (static_cast<Scalar>(length) * static_cast<Scalar>(length + 1) / 2);
    }
    case Pool::last:
      break;
  }
  return column[length - 1];
}

Tensor SentencePooling::operator()(const Tensor& last) const {
  const Index length = last.rows(), width = last.columns();
  Tensor sentence;
  // The two that nearly all have are operations, so that they can be explained.
  const bool first = pools_ == std::vector{Pool::cls}, mean = pools_ == std::vector{Pool::mean};
  if (first || mean)
    sentence = reshape(first ? rows(last, 0, 1) : mean_rows(reshape(last, {1, length, width})), {width});
  else
    sentence = Tensor({pooled_width(width)});
  for (std::size_t i = 0; i < pools_.size() && !first && !mean; ++i)
    for (Index d = 0; d < width; ++d)
      sentence[static_cast<Index>(i) * width + d] = pooled_column(pools_[i], last.matrix().col(d));
  for (const Step& step : steps_) {
    switch (step.kind) {
      case Step::Kind::dense: {
        if (step.W.columns() != sentence.size()) wrong_pooled_width("Dense", sentence.size(), step.W);
        Tensor y({step.W.rows()});
        y.array() = (step.W.matrix() * sentence.matrix().transpose()).array();
        if (step.b.defined()) y.array() += step.b.array();
        sentence = step.activation ? step.activation(y) : y;
        break;
      }
      case Step::Kind::norm: {
        if (step.W.size() != sentence.size()) wrong_pooled_width("LayerNorm", sentence.size(), step.W);
        const Scalar average = sentence.array().mean(), variance = (sentence.array() - average).square().mean();
        sentence.array() =
            (sentence.array() - average) / std::sqrt(variance + static_cast<Scalar>(kNormEpsilon)) * step.W.array() +
            step.b.array();
        break;
      }
      case Step::Kind::unit_length:
        // x / |x| is x / √(mean(x²)) / √n.
        sentence = rms_norm(
            sentence, Tensor::full({sentence.size()}, 1 / std::sqrt(static_cast<Scalar>(sentence.size()))), 1e-24);
        break;
    }
  }
  return sentence;
}

std::string SentencePooling::formula() const {
  // In the order of Pool.
  constexpr const char* kFormulas[] = {
      "x_0", "max_t x_t", "Σ_t x_t / T", "Σ_t x_t / √T", "Σ_t (t + 1) x_t / Σ_t (t + 1)", "x_{T−1}"};
  std::string all;
  for (const Pool pool : pools_) all += (all.empty() ? "" : "; ") + std::string(kFormulas[static_cast<int>(pool)]);
  if (pools_.size() > 1) all = "[" + all + "]";
  if (steps_.empty()) return all;
  std::string text = "m = " + all, now = "m";
  for (const Step& step : steps_)
    now = step.kind == Step::Kind::dense  ? "dense(" + now + ")"
          : step.kind == Step::Kind::norm ? "norm(" + now + ")"
                                          : now + " / |" + now + "|";
  return text + "; " + now;
}

}  // namespace headlight
