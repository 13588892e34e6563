#include "model/io/formats/families/top.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "model/core/errors.h"

namespace headlight::families {

namespace {

using Function = Scalar (*)(Scalar);

// By our names of activations.
Function function_of(const std::string& name) {
  static const std::map<std::string, Function> known = {
      {"tanh", [](Scalar x) { return std::tanh(x); }},
      {"relu", [](Scalar x) { return std::max(x, Scalar(0)); }},
      {"gelu",
       [](Scalar x) {
         return static_cast<Scalar>(0.5 * static_cast<double>(x) *
                                    (1 + std::erf(static_cast<double>(x) / std::numbers::sqrt2)));
       }},
      {"gelu_tanh",
       [](Scalar given) {
         const auto x = static_cast<double>(given);
         return static_cast<Scalar>(0.5 * x *
                                    (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x))));
       }},
      {"silu", [](Scalar x) { return x / (1 + std::exp(-x)); }}};
  return known.at(name);
}

Tensor one_row(const Tensor& x, Index row) {
  Tensor one({1, x.columns()});
  one.matrix() = x.matrix().row(row);
  return one;
}

Tensor mean_row(const Tensor& x) {
  Tensor one({1, x.columns()});
  one.matrix() = x.matrix().colwise().mean();
  return one;
}

Tensor flat(const Tensor& x) { return x.view(0, {x.size()}); }

Tensor mapped(Tensor x, Function f) {
  for (Index i = 0; i < x.size(); ++i) x[i] = f(x[i]);
  return x;
}

Tensor normalised(const Tensor& x, const Tensor& gamma, const Tensor& beta, double epsilon) {
  if (gamma.size() != x.columns() || (beta.defined() && beta.size() != x.columns()))
    throw FormatError("a norm on top of the model has another width than its states: expected " +
                      std::to_string(x.columns()) + " numbers, found " + gamma.shape().text());
  Tensor y(x.shape());
  for (Index r = 0; r < x.rows(); ++r) {
    const auto row = x.matrix().row(r).array();
    const Scalar mean = row.mean(), variance = (row - mean).square().mean();
    y.matrix().row(r) = ((row - mean) / std::sqrt(variance + static_cast<Scalar>(epsilon))).matrix();
    y.matrix().row(r).array() *= gamma.array().transpose();
    if (beta.defined()) y.matrix().row(r).array() += beta.array().transpose();
  }
  return y;
}

}  // namespace

Tensor Dense::operator()(const Tensor& x) const {
  if (x.columns() != W.columns() || (b.defined() && b.size() != W.rows()))
    throw FormatError("a tensor on top of the model has another width than its states: expected " +
                      std::to_string(x.columns()) + " columns, found " + W.shape().text());
  Tensor y({x.rows(), W.rows()});
  y.matrix() = x.matrix() * W.matrix().transpose();
  if (b.defined())
    y.matrix().rowwise() += Eigen::Map<const Eigen::Matrix<Scalar, 1, Eigen::Dynamic>>(b.data(), b.size());
  return y;
}

OnTop::OnTop(const Json& config, const Json& settings, const Family& family, Weights& weights) {
  const auto dense = [&](const std::string& name) {
    Dense made;
    if (name.empty() || !weights.has(name + ".weight")) return made;
    made.W = weights.take(name + ".weight");
    if (weights.has(name + ".bias")) made.b = weights.take(name + ".bias");
    return made;
  };
  pooler_ = dense(family.pooler);
  // −1 stands for none in some files.
  if (given(config, "pad_token_id") && config.at("pad_token_id") != -1)
    padding_ = static_cast<TokenId>(whole(config, "pad_token_id"));
  const std::string kind = architecture_of(config);
  // Where the file does not say what it is, what is there tells.
  const auto fits = [&](bool named) {
    return std::find_if(family.tops.begin(), family.tops.end(), [&](const Top& top) {
      return (!named || kind.ends_with(top.kind)) && weights.has(std::string(top.out) + ".weight");
    });
  };
  auto chosen = fits(true);
  if (chosen == family.tops.end() && kind.empty()) chosen = fits(false);
  if (chosen == family.tops.end()) return;
  top_ = *chosen;
  out_ = dense(top_.out);
  if (top_.dense) dense_ = dense(top_.dense);
  if (top_.norm) {
    gamma_ = weights.take(std::string(top_.norm) + ".weight");
    if (weights.has(std::string(top_.norm) + ".bias")) beta_ = weights.take(std::string(top_.norm) + ".bias");
    epsilon_ = settings.value("norm_epsilon", 1e-5);
  }
  if (top_.of == Top::Of::as_configured) {
    const std::string pooling = text(config, "classifier_pooling", "cls");
    if (pooling != "cls" && pooling != "mean")
      throw FormatError("config.json: classifier_pooling: expected \"cls\" or \"mean\", found \"" +
                        pooling.substr(0, 60) + "\"");
    top_.of = pooling == "cls" ? Top::Of::first : Top::Of::mean;
  }
  switch (top_.act) {
    case Top::Act::none:
      break;
    case Top::Act::tanh:
      act_ = function_of("tanh");
      break;
    case Top::Act::relu:
      act_ = function_of("relu");
      break;
    case Top::Act::gelu:
      act_ = function_of("gelu");
      break;
    case Top::Act::hidden:
      act_ = function_of(settings.at("activation").get<std::string>());
      break;
    case Top::Act::classifier:
      act_ = function_of(settings.at("head_activation").get<std::string>());
      break;
  }
}

// The last token that is no padding.
Index OnTop::row_of(const std::vector<TokenId>& ids) const {
  if (padding_ < 0) return static_cast<Index>(ids.size()) - 1;
  for (std::size_t i = ids.size(); i-- > 0;)
    if (ids[i] != padding_) return static_cast<Index>(i);
  return 0;
}

void OnTop::add(const Tensor& last, const std::vector<TokenId>& ids, LibraryValues& values) const {
  Tensor pooled;
  if (pooler_) {
    pooled = mapped(pooler_(one_row(last, 0)), function_of("tanh"));
    values.push_back({"pooler_output", flat(pooled)});
  }
  if (!out_) return;
  Tensor x = last;
  switch (top_.of) {
    case Top::Of::pooled:
      x = pooled.defined() ? pooled : one_row(last, 0);
      break;
    case Top::Of::first:
      x = one_row(last, 0);
      break;
    case Top::Of::last:
      x = one_row(last, row_of(ids));
      break;
    case Top::Of::mean:
      x = mean_row(last);
      break;
    case Top::Of::each:
    case Top::Of::as_configured:
      break;
  }
  if (dense_) x = dense_(x);
  if (act_) x = mapped(x.clone(), act_);
  if (gamma_.defined()) x = normalised(x, gamma_, beta_, epsilon_);
  const Tensor y = out_(x);
  if (*top_.value == 0) {
    if (y.columns() < 2) throw FormatError("an answer needs a start and an end, found " + y.shape().text());
    for (const Index end : {0, 1}) {
      Tensor one({y.rows()});
      for (Index t = 0; t < y.rows(); ++t) one[t] = y[t * y.columns() + end];
      values.push_back({end == 0 ? "start_logits" : "end_logits", one});
    }
    return;
  }
  values.push_back({top_.value, top_.of == Top::Of::each && !top_.flat ? y : flat(y)});
}

}  // namespace headlight::families
