#include "model/io/formats/pretrained/model_on_top.h"

#include <limits>

#include "model/core/errors.h"
#include "model/models/transformer.h"
#include "model/ops/basic.h"
#include "model/ops/softmax.h"

namespace headlight {

namespace {

using families::OnTop;
using families::Top;

// Hands out logits that are there already, a row a step.
class Classes : public Decoding {
 public:
  explicit Classes(Tensor logits) : logits_(std::move(logits)) {}
  Tensor advance(const Tensor& ids, const Pass& pass) override {
    const Index count = ids.dim(0);
    if (step_ + count > logits_.rows())
      throw UsageError("this model gives " + std::to_string(logits_.rows()) + " rows of classes for this text");
    const SitePath decoder("decoder"), step(decoder, "step", step_);
    const Tensor rows = reshape(headlight::rows(logits_, step_, count), {1, count, logits_.columns()});
    step_ += count;
    const Tensor logits = pass.tap(step, "output.logits", rows, [] { return SiteWords{"z = x Wᵀ + b"}; });
    if (pass.tap.active()) pass.tap(step, "output.probs", softmax(logits));
    return logits;
  }
  void select(const std::vector<Index>&) override {}
  std::unique_ptr<Decoding> clone() const override { return std::make_unique<Classes>(*this); }

 private:
  Tensor logits_;
  Index step_ = 0;
};

// States alone: nothing is written from them.
class States : public Decoding {
 public:
  explicit States(Tensor states) : states_(std::move(states)) {}
  Tensor advance(const Tensor&, const Pass&) override { throw UsageError("this model writes nothing: it only reads"); }
  void select(const std::vector<Index>&) override {}
  Tensor read_states() const override { return states_; }
  std::unique_ptr<Decoding> clone() const override { return std::make_unique<States>(*this); }

 private:
  Tensor states_;
};

class ModelOnTop : public Model {
 public:
  ModelOnTop(std::shared_ptr<const Model> model, const OnTop& top, Index places, std::optional<TokenId> reads_again)
      : Model(model->config()), model_(std::move(model)), top_(top), places_(places), reads_again_(reads_again) {
    for (const Parameter& parameter : model_->parameters().all()) parameters_.add(parameter.name, parameter.value);
    for (const NamedTensor& tensor : top_.tensors()) parameters_.add("top." + tensor.name, tensor.value);
  }

  std::unique_ptr<Decoding> begin(const Source& source, const Pass& pass) const override {
    if (source.ids.dim(1) != 1) throw UsageError("models with classes on top run one text at a time");
    Source read(source.ids, source.keep);
    read.types = source.types;
    std::vector<TokenId> ids;
    for (Index i = 0; i < source.ids.size(); ++i) ids.push_back(static_cast<TokenId>(source.ids[i]));
    const auto decoding = model_->begin(read, pass);
    const Tensor states = reads_again_ ? read_at_once(*decoding, moved(ids), pass) : decoding->read_states();
    if (!top_) return std::make_unique<States>(states);
    const Tensor values = top_.values_of(reshape(states, {static_cast<Index>(ids.size()), states.columns()}), ids);
    const StepsOf steps = steps_of(top_);
    if (steps == StepsOf::answer) return std::make_unique<Classes>(places(values));
    if (steps == StepsOf::several) return std::make_unique<Classes>(each_class(values));
    const bool two_sided = steps == StepsOf::tokens && values.columns() == 1;
    return std::make_unique<Classes>(two_sided ? concat(Tensor::zeros({values.rows(), 1}), values) : values);
  }

 private:
  // One place later, behind the token that starts an output.
  Tensor moved(std::vector<TokenId> ids) const {
    ids.insert(ids.begin(), *reads_again_ == kLastToken ? ids.back() : *reads_again_);
    ids.pop_back();
    const Tensor column = Tensor::ids(ids);
    return column.view(0, {column.size(), 1});
  }

  // [1 x C] -> [C x 2 C]: in row c 0 stands beside z_c, so that the softmax of the two is the logistic function of it.
  static Tensor each_class(const Tensor& values) {
    const Index count = values.columns();
    Tensor rows = Tensor::full({count, 2 * count}, -std::numeric_limits<Scalar>::infinity());
    for (Index c = 0; c < count; ++c) {
      rows[c * 2 * count + 2 * c] = 0;
      rows[c * 2 * count + 2 * c + 1] = values[c];
    }
    return rows;
  }

  // [T x 2] -> [2 x places]: where it begins, where it ends; what lies behind the text is impossible.
  Tensor places(const Tensor& values) const {
    Tensor rows = Tensor::full({2, places_}, -std::numeric_limits<Scalar>::infinity());
    for (Index t = 0; t < std::min(values.rows(), places_); ++t)
      for (const Index end : {0, 1}) rows[end * places_ + t] = values[t * values.columns() + end];
    return rows;
  }

  std::shared_ptr<const Model> model_;
  OnTop top_;
  Index places_;
  std::optional<TokenId> reads_again_;
};

}  // namespace

StepsOf steps_of(const OnTop& top) {
  if (*top.top().value == 0) return StepsOf::answer;
  if (top.several()) return StepsOf::several;
  return top.top().of == Top::Of::each ? StepsOf::tokens : StepsOf::text;
}

std::shared_ptr<const Model> model_on_top(std::shared_ptr<const Model> model, const OnTop& top, Index places,
                                          std::optional<TokenId> reads_again) {
  return std::make_shared<const ModelOnTop>(std::move(model), top, places, reads_again);
}

}  // namespace headlight
