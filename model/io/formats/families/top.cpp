#include "model/io/formats/families/top.h"

#include <algorithm>
#include <map>

#include "model/core/errors.h"
#include "model/ops/activations.h"
#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/normalise.h"

namespace headlight::families {

namespace {

using Function = Tensor (*)(const Tensor&);

// By our names of activations.
Function function_of(const std::string& name) {
  static const std::map<std::string, Function> known = {{"tanh", headlight::tanh}, {"relu", headlight::relu},
                                                        {"gelu", headlight::gelu}, {"gelu_tanh", headlight::gelu_tanh},
                                                        {"silu", headlight::silu}, {"relu2", headlight::relu_squared}};
  return known.at(name);
}

Tensor flat(const Tensor& x) { return x.view(0, {x.size()}); }

void check_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta) {
  if (gamma.size() != x.columns() || (beta.defined() && beta.size() != x.columns()))
    throw FormatError("a norm on top of the model has another width than its states: expected " +
                      std::to_string(x.columns()) + " numbers, found " + gamma.shape().text());
}

// The one that the file names: "cls" and "bos" are the first token.
std::string pooling_of(const Json& config, const Family& family) {
  // EuroBERT's first files call it clf_pooling.
  const std::string first = text(config, "clf_pooling", family.poolings.front()),
                    pooling = text(config, "classifier_pooling", first);
  if (given(config, "clf_pooling") && first != pooling)
    throw FormatError("config.json: clf_pooling and classifier_pooling are one setting: expected the same, found \"" +
                      first.substr(0, 60) + "\" and \"" + pooling.substr(0, 60) + "\"");
  std::string expected;
  for (const std::string& known : family.poolings) {
    if (pooling == known) return pooling;
    expected += (expected.empty() ? "\"" : known == family.poolings.back() ? " or \"" : ", \"") + known + "\"";
  }
  throw FormatError("config.json: classifier_pooling: expected " + expected + ", found \"" + pooling.substr(0, 60) +
                    "\"");
}

}  // namespace

Tensor Dense::operator()(const Tensor& x) const {
  if (x.columns() != W.columns() || (b.defined() && b.size() != W.rows()))
    throw FormatError("a tensor on top of the model has another width than its states: expected " +
                      std::to_string(x.columns()) + " columns, found " + W.shape().text());
  return linear_transposed(x, W, b);
}

OnTop::OnTop(const Json& config, const Json& settings, const Family& family, Weights& weights) {
  const auto taken = [&](const std::string& name) {
    tensors_.push_back({name, weights.take(name)});
    return tensors_.back().value;
  };
  const auto dense = [&](const std::string& name) {
    Dense made;
    if (name.empty() || !weights.has(name + ".weight")) return made;
    made.W = taken(name + ".weight");
    if (weights.has(name + ".bias")) made.b = taken(name + ".bias");
    return made;
  };
  pooler_ = dense(family.pooler);
  // −1 stands for none in some files.
  if (given(config, "pad_token_id") && config.at("pad_token_id") != -1)
    padding_ = static_cast<TokenId>(whole(config, "pad_token_id"));
  if (const auto end = config.find("eos_token_id"); end != config.end() && end->is_number_unsigned())
    end_ = end->get<TokenId>();
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
  several_ = text(config, "problem_type", "") == "multi_label_classification" && top_.of != Top::Of::each;
  if (top_.dense) dense_ = dense(top_.dense);
  if (top_.norm) {
    gamma_ = taken(std::string(top_.norm) + ".weight");
    if (weights.has(std::string(top_.norm) + ".bias")) beta_ = taken(std::string(top_.norm) + ".bias");
    epsilon_ = settings.value("norm_epsilon", 1e-5);
  }
  if (top_.of == Top::Of::as_configured) {
    const std::string pooling = pooling_of(config, family);
    top_.of = pooling == "mean" ? Top::Of::mean : pooling == "late" ? Top::Of::late : Top::Of::first;
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
    case Top::Act::pooler:
      act_ = function_of(activation(config, "pooler_hidden_act", "gelu"));
      break;
  }
}

OnTop OnTop::with(const std::function<Tensor(const NamedTensor&)>& other) const {
  OnTop changed(*this);
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const Tensor value = changed.tensors_[i].value = other(tensors_[i]);
    for (Tensor* place : {&changed.pooler_.W, &changed.pooler_.b, &changed.dense_.W, &changed.dense_.b, &changed.out_.W,
                          &changed.out_.b, &changed.gamma_, &changed.beta_})
      if (place->shares_storage(tensors_[i].value)) *place = value;
  }
  return changed;
}

// The last token that is no padding.
Index OnTop::row_of(const std::vector<TokenId>& ids) const {
  if (padding_ < 0) return static_cast<Index>(ids.size()) - 1;
  for (std::size_t i = ids.size(); i-- > 0;)
    if (ids[i] != padding_) return static_cast<Index>(i);
  return 0;
}

Tensor OnTop::pooled(const Tensor& last) const { return headlight::tanh(pooler_(rows(last, 0, 1))); }

Tensor OnTop::values_of(const Tensor& last, const std::vector<TokenId>& ids) const {
  Tensor x = last;
  switch (top_.of) {
    case Top::Of::pooled:
      x = pooler_ ? pooled(last) : rows(last, 0, 1);
      break;
    case Top::Of::first:
      x = rows(last, 0, 1);
      break;
    case Top::Of::last:
      x = rows(last, row_of(ids), 1);
      break;
    case Top::Of::end: {
      const auto found = std::find(ids.rbegin(), ids.rend(), end_);
      if (found == ids.rend())
        throw UsageError(
            "this model gives classes of texts that have an end mark, and this one has none: expected the number " +
            std::to_string(end_) + " among its tokens");
      x = rows(last, static_cast<Index>(std::distance(found, ids.rend())) - 1, 1);
      break;
    }
    case Top::Of::mean:
      x = mean_rows(reshape(last, {1, last.rows(), last.columns()}), {});
      break;
    case Top::Of::each:
    case Top::Of::late:
    case Top::Of::as_configured:
      break;
  }
  if (dense_) x = dense_(x);
  if (act_) x = act_(x);
  if (gamma_.defined()) {
    check_norm(x, gamma_, beta_);
    x = layer_norm(x, gamma_, beta_, epsilon_);
  }
  const Tensor y = out_(x);
  return top_.of == Top::Of::late ? mean_rows(reshape(y, {1, y.rows(), y.columns()}), {}) : y;
}

void OnTop::try_on(Index width) const {
  LibraryValues unused;
  if (top_.of != Top::Of::end || end_ >= 0) add(Tensor::zeros({2, width}), {end_, end_}, unused);
}

void OnTop::add(const Tensor& last, const std::vector<TokenId>& ids, LibraryValues& values) const {
  if (pooler_) values.push_back({"pooler_output", flat(pooled(last))});
  if (!out_) return;
  const Tensor y = values_of(last, ids);
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
