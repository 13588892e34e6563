#include "model/models/recurrent_lm.h"

#include <algorithm>
#include <utility>

#include "model/layers/source_ids.h"
#include "model/models/recurrent_settings.h"
#include "model/ops/activations.h"
#include "model/ops/basic.h"
#include "model/ops/softmax.h"

namespace headlight {

namespace {

// Sources without the last token of each [S − 1 x N] (undefined: there is no other), and those tokens [N].
struct Beginning {
  Tensor ids, keep, last;
};

Beginning without_last(const Tensor& ids, const Tensor& keep) {
  const Index s_count = ids.dim(0), batch = ids.dim(1);
  Beginning made{{}, {}, Tensor({batch})};
  if (s_count > 1)
    made.ids = ids.view(0, {s_count - 1, batch});  // no op: these are the numbers of the source themselves
  if (s_count > 1 && keep.defined()) made.keep = columns(keep, 0, s_count - 1).clone();
  for (Index n = 0; n < batch; ++n) {
    const Index count = keep.defined() ? static_cast<Index>(keep.matrix().row(n).sum()) : s_count;
    made.last[n] = ids[std::max<Index>(0, count - 1) * batch + n];
    if (made.keep.defined() && count > 0 && count < s_count) made.keep[n * (s_count - 1) + count - 1] = 0;
  }
  return made;
}

class RecurrentLm : public Model {
 public:
  RecurrentLm(const Json& config, const RecurrentSettings& settings, bool tie, InitialValues values);
  std::unique_ptr<Decoding> begin(const Source& source, const Pass& pass) const override;

 private:
  class Steps;
  SitePath place_of(const SitePath& side, Index layer) const {
    return settings_.encoder.layers > 1 ? SitePath(side, "layer", layer) : side;
  }
  CellState start(const Encoded* read, Index layer, Index batch, const Pass& pass) const;
  Tensor logits(const Tensor& top) const {
    return W_.defined() ? linear(top, W_, b_) : linear_transposed(top, network_.embeddings(), b_);
  }
  Tensor dropped(const Tensor& x, const Pass& pass) const {
    const double p = settings_.encoder.dropout;
    return pass.training && p > 0 ? dropout(x, p, *pass.random) : x;
  }

  RecurrentSettings settings_;
  Random random_;
  ParameterBuilder build_;
  Encoder network_;
  Tensor W_, b_;  // W undefined: the embeddings once more
};

RecurrentLm::RecurrentLm(const Json& config, const RecurrentSettings& settings, bool tie, InitialValues values)
    : Model(config),
      settings_(settings),
      random_(values.seed, Random::Stream::init),
      build_(parameters_, values, random_),
      network_(build_ / "decoder", settings.encoder) {
  const EncoderSettings& e = settings.encoder;
  const ParameterBuilder output = build_ / "decoder" / "affine";
  if (!tie) W_ = output.make("W", {e.hidden, settings.target_vocabulary}, settings.init.matrix);
  b_ = output.make("b", {settings.target_vocabulary}, Init::zeros());
}

class RecurrentLm::Steps : public Decoding {
 public:
  Steps(const RecurrentLm& model, std::vector<CellState> states, Tensor first)
      : model_(model), states_(std::move(states)), first_(std::move(first)) {}

  Tensor advance(const Tensor& ids, const Pass& pass) override;
  std::unique_ptr<Decoding> clone() const override { return std::make_unique<Steps>(*this); }
  void select(const std::vector<Index>& rows) override {
    for (CellState& state : states_) state = {index_select(state.h, rows), index_select(state.c, rows)};
    first_ = index_select(first_, rows);
  }

 private:
  Tensor run_layer(Index layer, const Tensor& x, const SitePath& step, const Pass& pass);

  const RecurrentLm& model_;
  std::vector<CellState> states_;  // of each layer
  Tensor first_;                   // [N]: what step 0 reads instead of the start sign; undefined once it has
  Index step_ = 0;
};

// x [T x N x I] through a layer. Returns [T x N x H].
Tensor RecurrentLm::Steps::run_layer(Index layer, const Tensor& x, const SitePath& step, const Pass& pass) {
  const RecurrentCell& cell = model_.network_.cell(layer);
  const SitePath place = model_.place_of(step, layer);
  CellState& state = states_[static_cast<std::size_t>(layer)];
  const Tensor projected = cell.project(x);
  std::vector<Tensor> hidden;
  for (Index t = 0; t < x.dim(0); ++t) {
    state = cell.step(row(projected, t), state, place, pass.tap);
    hidden.push_back(state.h);
  }
  const Tensor out = stack0(hidden);
  return model_.network_.has_residual(layer) ? pass.tap(place, "residual.out", add(out, x)) : out;
}

Tensor RecurrentLm::Steps::advance(const Tensor& ids, const Pass& pass) {
  const Tap& tap = pass.tap;
  const Index t_count = ids.dim(0);
  require_shape(!tap.active() || t_count == 1, "decoder", "one step at a time while a tap listens", ids.shape());
  const SitePath decoder("decoder"), step(decoder, "step", step_);
  Tensor fed = ids;
  if (first_.defined()) {
    fed = ids.clone();
    fed.view(0, {ids.dim(1)}).array() = std::exchange(first_, {}).array();
  }
  fed = tap(step, "input.id", fed);
  Tensor x = tap(step, "embed.out", embedding(fed, model_.network_.embeddings()),
                 [] { return SiteWords{"x_t = E[y_{t−1}]"}; });  // [T x N x D]
  const Index layers = model_.settings_.encoder.layers;
  for (Index l = 0; l < layers; ++l) x = run_layer(l, model_.dropped(x, pass), step, pass);
  step_ += t_count;
  const Tensor logits = tap(step, "output.logits", model_.logits(model_.dropped(transpose01(x), pass)), [&] {
    const std::string top = model_.network_.has_residual(layers - 1) ? "x_t" : "h_t";
    return SiteWords{"z = " + top + (model_.W_.defined() ? " W + b" : " Eᵀ + b")};
  });
  if (tap.active()) tap(step, "output.probs", softmax(logits));
  return logits;
}

// The state of a layer behind what was read; nothing read: zeros. Values of their own, for a derivative by a start is
// not one by the state of the reading that it is.
CellState RecurrentLm::start(const Encoded* read, Index layer, Index batch, const Pass& pass) const {
  CellState state = network_.cell(layer).zero_state(batch);
  if (read) {
    const CellState& last = read->last[static_cast<std::size_t>(layer)];
    state.h = reshape(last.h, last.h.shape());
    if (last.c.defined()) state.c = reshape(last.c, last.c.shape());
  }
  const SitePath decoder("decoder"), place = place_of(decoder, layer);
  const auto words = [&](const char* symbol) {
    return SiteWords{symbol + std::string("_{−1} = ") + (read ? symbol + std::string("_{S−2} of the text") : "0")};
  };
  state.h = pass.tap(place, "init.h", state.h, [&] { return words("h"); });
  if (state.c.defined()) state.c = pass.tap(place, "init.c", state.c, [&] { return words("c"); });
  return state;
}

std::unique_ptr<Decoding> RecurrentLm::begin(const Source& source, const Pass& pass) const {
  const Beginning text = without_last(read_source(source.ids, source.keep, false, pass.tap), source.keep);
  Encoded read;
  const bool reads = text.ids.defined();
  if (reads) read = network_.read(text.ids, text.keep, pass);
  std::vector<CellState> states;
  for (Index l = 0; l < settings_.encoder.layers; ++l)
    states.push_back(start(reads ? &read : nullptr, l, source.ids.dim(1), pass));
  return std::make_unique<Steps>(*this, std::move(states), text.last);
}

std::unique_ptr<Model> make_recurrent_lm(const Json& config, InitialValues values) {
  Json all = recurrent_defaults();  // of what a network that only reads forward does not have
  all.update(config);
  const RecurrentSettings settings = recurrent_settings(all);
  const bool tie = read_flag(config, "tie");
  if (settings.encoder.vocabulary != settings.target_vocabulary)
    throw FormatError(
        "\"source_vocabulary_size\" and \"target_vocabulary_size\" must be the same for a model that "
        "continues a text");
  if (tie && settings.encoder.embedding != settings.encoder.hidden)
    throw FormatError("\"tie\" needs an \"embedding_size\" that is the \"hidden_size\" (" +
                      std::to_string(settings.encoder.hidden) + "), found " +
                      std::to_string(settings.encoder.embedding));
  return std::make_unique<RecurrentLm>(config, settings, tie, values);
}

}  // namespace

Architecture recurrent_lm_architecture() {
  Json defaults;
  const Json all = recurrent_defaults();
  for (const char* key : {"source_vocabulary_size", "target_vocabulary_size", "embedding_size", "hidden_size", "cell",
                          "layers", "residual", "residual_from", "dropout", "init", "forget_bias"})
    defaults[key] = all.at(key);
  defaults["tie"] = false;
  return {"recurrent_lm",
          "recurrent language model",
          "Recurrent network that continues a text",
          "Mikolov et al. 2010",
          {2010, 9, "Mikolov et al."},
          {"states", "outputs", "cost", "history"},
          std::move(defaults),
          make_recurrent_lm};
}

}  // namespace headlight
