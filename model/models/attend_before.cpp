// One step: attention with the state s′ of the step before, then the cell, then the readout.
//   maxout  readout of Bahdanau et al. 2015, appendix A.2.2: from s′ (or the new state), E y′ and c
//   linear  [s ; c ; E y′] W + b
//   deep    readout of Xu et al. 2015, eq. 7: tanh(E y′ + s L_s + c L_c) L_o

#include "model/models/attend_before.h"

#include "model/models/recurrent_settings.h"
#include "model/ops/activations.h"
#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/softmax.h"
#include "model/trace/site_sentences.h"

namespace headlight {

namespace {

enum class Readout { maxout, linear, deep };
const std::vector<std::string> kReadoutNames = {"maxout", "linear", "deep"};
// What the decoder's first state is made from, by one tanh layer.
enum class Start { backward, both, mean };
const std::vector<std::string> kStartNames = {"backward", "both", "mean"};

struct EarlySettings {
  Readout readout = Readout::maxout;
  bool from_previous = true;  // the readout sees s′, not the new state
  Start start = Start::backward;
  bool selector = false;  // c ← β c, β = σ(s′ w_β + b_β) (Xu et al. 2015, section 4.2.1)
  Index maxout = 64;      // l
};

AttentionSettings asking_with_previous_state(AttentionSettings settings) {
  settings.query = "h_{t−1}";
  return settings;
}

class AttentionFirst : public Model {
 public:
  AttentionFirst(const Json& config, const RecurrentSettings& settings, const EarlySettings& decoder,
                 InitialValues values);
  std::unique_ptr<Decoding> begin(const Source& source, const Pass& pass) const override;

 private:
  class Steps;
  Tensor start(const Encoded& encoded, const Tap& tap) const;
  Tensor output(const Tensor& states, const Tensor& contexts, const Tensor& embedded, const SitePath& step,
                const Pass& pass) const;
  Index start_size() const;
  void make_readout(const ParameterBuilder& build);

  RecurrentSettings settings_;
  EarlySettings decoder_;
  AttentionLosses losses_;
  Random random_;
  ParameterBuilder build_;
  Encoder encoder_;
  Tensor embedding_;
  std::unique_ptr<RecurrentCell> cell_;
  Tensor C_;  // [A x projected_size]: the context's way into the cell
  Tensor W_s_, b_s_, W_m_, b_m_;
  Attention attention_;
  Tensor w_beta_, b_beta_;
  Tensor U_o_, V_o_, C_o_, b_o_, W_o_, b_;
};

Index AttentionFirst::start_size() const {
  const Index h = settings_.encoder.hidden;
  return decoder_.start == Start::backward ? h : decoder_.start == Start::both ? 2 * h : encoder_.state_size();
}

AttentionFirst::AttentionFirst(const Json& config, const RecurrentSettings& settings, const EarlySettings& decoder,
                               InitialValues values)
    : Model(config),
      settings_(settings),
      decoder_(decoder),
      losses_(attention_losses(config)),
      random_(values.seed, Random::Stream::init),
      build_(parameters_, values, random_),
      encoder_(build_ / "encoder", settings.encoder),
      embedding_((build_ / "decoder" / "embed")
                     .make("W", {settings.target_vocabulary, settings.encoder.embedding}, settings.init.embed)),
      cell_(make_cell(settings.encoder.cell, build_ / "decoder", settings.encoder.embedding, settings.encoder.hidden,
                      settings.init.cell)),
      C_((build_ / "decoder" / "context")
             .make("C", {encoder_.state_size(), cell_->projected_size()}, settings.init.cell.input)),
      W_s_((build_ / "decoder" / "init").make("W_s", {start_size(), settings.encoder.hidden}, settings.init.matrix)),
      b_s_((build_ / "decoder" / "init").make("b_s", {settings.encoder.hidden}, Init::zeros())),
      W_m_(
          cell_->has_memory()
              ? (build_ / "decoder" / "init").make("W_c", {start_size(), settings.encoder.hidden}, settings.init.matrix)
              : Tensor()),
      b_m_(cell_->has_memory() ? (build_ / "decoder" / "init").make("b_c", {settings.encoder.hidden}, Init::zeros())
                               : Tensor()),
      attention_(build_ / "attention", asking_with_previous_state(attention_settings(config)), settings.encoder.hidden,
                 encoder_.state_size(), settings.init.attention) {
  const EncoderSettings& e = settings.encoder;
  const bool both = e.directions == Directions::all || (e.directions == Directions::first && e.layers == 1);
  if (!both && decoder.start != Start::mean)
    throw FormatError("\"start\": " + kStartNames[static_cast<std::size_t>(decoder.start)] +
                      " needs an encoder whose last layer reads in both directions; set bidirectional to all, or start "
                      "to mean");
  if (decoder_.selector) {
    w_beta_ = (build_ / "attention").make("w_beta", {settings.encoder.hidden, 1}, settings.init.matrix);
    b_beta_ = (build_ / "attention").make("b_beta", {1}, Init::zeros());
  }
  make_readout(build_ / "decoder");
}

void AttentionFirst::make_readout(const ParameterBuilder& build) {
  const Index h = settings_.encoder.hidden, d = settings_.encoder.embedding, a = encoder_.state_size();
  const Init init = settings_.init.matrix;
  const Index wide = decoder_.readout == Readout::maxout ? 2 * decoder_.maxout : d;
  if (decoder_.readout != Readout::linear) {
    U_o_ = (build / "readout").make("U_o", {h, wide}, init);
    if (decoder_.readout == Readout::maxout) V_o_ = (build / "readout").make("V_o", {d, wide}, init);
    C_o_ = (build / "readout").make("C_o", {a, wide}, init);
    b_o_ = (build / "readout").make("b_o", {wide}, Init::zeros());
  }
  const Index in = decoder_.readout == Readout::maxout ? decoder_.maxout
                   : decoder_.readout == Readout::deep ? d
                                                       : h + a + d;
  W_o_ = (build / "output").make("W_o", {in, settings_.target_vocabulary}, init);
  b_ = (build / "output").make("b", {settings_.target_vocabulary}, Init::zeros());
}

// Logits from states [N x T x H] (previous or new), contexts [N x T x A] and embeddings [N x T x D].
Tensor AttentionFirst::output(const Tensor& states, const Tensor& contexts, const Tensor& embedded,
                              const SitePath& step, const Pass& pass) const {
  const Tap& tap = pass.tap;
  const auto dropped = [&](const Tensor& x) {
    const double p = settings_.encoder.dropout;
    return pass.training && p > 0 ? dropout(x, p, *pass.random) : x;
  };
  const std::string state = decoder_.from_previous ? "h_{t−1}" : "h_t";
  const auto words = [](std::string formula) { return [formula = std::move(formula)] { return SiteWords{formula}; }; };
  Tensor read;
  if (decoder_.readout == Readout::linear) {
    read = tap(step, "readout", concat(concat(states, contexts), embedded),
               words("r = [" + state + " ; c_t ; E[y_{t−1}]]"));
  } else if (decoder_.readout == Readout::maxout) {
    const Tensor from_words = linear(embedded, V_o_, linear(states, U_o_, b_o_));
    read = tap(step, "readout.maxout",
               maxout(tap(step, "readout.pre", linear(contexts, C_o_, from_words),
                          words("x = " + state + " U_o + E[y_{t−1}] V_o + c_t C_o + b_o"))));
  } else {
    const Tensor pre = linear(contexts, C_o_, add(linear(states, U_o_, b_o_), embedded));
    read = tap(step, "readout",
               tanh(tap(step, "readout.pre", pre, words("x = " + state + " U_o + E[y_{t−1}] + c_t C_o + b_o"))),
               words("r = tanh(x)"));
  }
  return linear(dropped(read), W_o_, b_);
}

class AttentionFirst::Steps : public Decoding {
 public:
  Steps(const AttentionFirst& model, Attention::Memory memory, CellState state)
      : model_(model), memory_(std::move(memory)), state_(std::move(state)) {}

  Tensor advance(const Tensor& ids, const Pass& pass) override;
  std::unique_ptr<Decoding> clone() const override { return std::make_unique<Steps>(*this); }
  void select(const std::vector<Index>& rows) override {
    memory_ = memory_.select(rows);
    state_ = {index_select(state_.h, rows), index_select(state_.c, rows)};
  }
  Tensor attention() const override { return history_.shown(); }
  Tensor additional_loss(const LossContext& context) override {
    return history_.loss(model_.losses_, context.sequence_nll, context.mask, context.baseline, context.scale);
  }

 private:
  Tensor look(const SitePath& step, const Pass& pass);

  const AttentionFirst& model_;
  Attention::Memory memory_;
  CellState state_;
  AttentionHistory history_;
  Index step_ = 0;
};

// The context [N x A] that the state of the step before asks for.
Tensor AttentionFirst::Steps::look(const SitePath& step, const Pass& pass) {
  const Index batch = state_.h.dim(0);
  const Attention::Read read =
      model_.attention_.read(reshape(state_.h, {batch, 1, state_.h.columns()}), step_, memory_, step, pass);
  history_.add(read);
  Tensor context = read.context;  // [N x 1 x A]
  if (model_.w_beta_.defined()) {
    const Tensor gate = pass.tap(step, "attention.gate", sigmoid(linear(state_.h, model_.w_beta_, model_.b_beta_)));
    context = pass.tap(step, "attention.gated", weighted_sum(reshape(gate, {batch, 1, 1}), context));
  }
  return reshape(context, {batch, context.columns()});
}

Tensor AttentionFirst::Steps::advance(const Tensor& ids, const Pass& pass) {
  const Index t_count = ids.dim(0);
  require_shape(!pass.tap.active() || t_count == 1, "decoder", "one step at a time while a tap listens", ids.shape());
  const SitePath decoder("decoder"), first(decoder, "step", step_);
  history_.clear_shown();
  const Tensor fed = pass.tap(first, "input.id", ids);
  Tensor x = pass.tap(first, "embed.out", embedding(fed, model_.embedding_),
                      [] { return SiteWords{"x_t = E[y_{t−1}]"}; });  // [T x N x D]
  const double p = model_.settings_.encoder.dropout;
  if (pass.training && p > 0) x = dropout(x, p, *pass.random);
  const Tensor projected = model_.cell_->project(x);
  std::vector<Tensor> states, contexts;
  for (Index t = 0; t < t_count; ++t, ++step_) {
    const SitePath step(decoder, "step", step_);
    const Tensor context = look(step, pass);
    const Tensor previous = state_.h;
    state_ = model_.cell_->step(linear(context, model_.C_, row(projected, t)), state_, step, pass.tap);
    states.push_back(model_.decoder_.from_previous ? previous : state_.h);
    contexts.push_back(context);
  }
  const Tensor logits = pass.tap(
      first, "output.logits", model_.output(stack(states), stack(contexts), transpose01(x), first, pass),
      [&] { return SiteWords{model_.decoder_.readout == Readout::maxout ? "z = y W_o + b" : "z = r W_o + b"}; });
  if (pass.tap.active()) pass.tap(first, "output.probs", softmax(logits));
  return logits;
}

// What the first state is made from.
Tensor AttentionFirst::start(const Encoded& encoded, const Tap& tap) const {
  if (decoder_.start == Start::mean)
    return tap(SitePath("decoder"), "init.mean", mean_rows(encoded.states, encoded.keep));
  const Tensor& backward = encoded.last.back().h;
  return decoder_.start == Start::backward ? backward : concat(encoded.forward_last, backward);
}

std::unique_ptr<Decoding> AttentionFirst::begin(const Source& source, const Pass& pass) const {
  const SitePath decoder("decoder");
  const Encoded encoded = encoder_.run(source.ids, source.keep, pass);
  Attention::Memory memory = attention_.prepare(encoded.states, encoded.states, encoded.keep, decoder, pass);
  const Tensor from = start(encoded, pass.tap);
  CellState state;
  const auto words = [&](const char* symbol, const char* weights) {
    const char* read[] = {"h←_0", "[h→_{S−1} ; h←_0]", "m"};
    return SiteWords{
        symbol + std::string("_{−1} = tanh(") + read[static_cast<int>(decoder_.start)] + weights, sentences::kFromTanh,
        decoder_.start == Start::mean ? "Xu et al. 2015, section 3.1.2" : "Bahdanau et al. 2015, appendix A.2.2"};
  };
  state.h = pass.tap(decoder, "init.h", tanh(linear(from, W_s_, b_s_)), [&] { return words("h", " W_s + b_s)"); });
  if (cell_->has_memory())
    state.c = pass.tap(decoder, "init.c", tanh(linear(from, W_m_, b_m_)), [&] { return words("c", " W_c + b_c)"); });
  return std::make_unique<Steps>(*this, std::move(memory), std::move(state));
}

std::unique_ptr<Model> make_attend_before(const Json& config, InitialValues values) {
  EarlySettings decoder;
  decoder.readout = static_cast<Readout>(read_choice(config, "readout", kReadoutNames));
  decoder.from_previous = read_choice(config, "readout_state", {"previous", "current"}) == 0;
  decoder.start = static_cast<Start>(read_choice(config, "start", kStartNames));
  decoder.selector = read_flag(config, "selector");
  decoder.maxout = read_index(config, "maxout_size", 1, 16'384);
  return std::make_unique<AttentionFirst>(config, recurrent_settings(config), decoder, values);
}

Json defaults(const Json& changes) {
  Json json = recurrent_defaults();
  json.update(attention_defaults());
  json.update({{"embedding_size", 32},
               {"hidden_size", 64},
               {"cell", "gru"},
               {"bidirectional", "all"},
               {"attention.score", "additive"},
               {"readout", "maxout"},
               {"readout_state", "previous"},
               {"start", "backward"},
               {"selector", false},
               {"maxout_size", 64},
               {"init", "bahdanau"}});
  json.update(changes);
  return json;
}

}  // namespace

Architecture bahdanau_architecture() {
  return {"bahdanau",
          "Bahdanau",
          "bidirectional GRU encoder, additive attention from the previous state, maxout readout (RNNsearch)",
          "Bahdanau et al. 2015",
          {2014, 9, "Bahdanau et al."},
          {"alignment", "ribbons", "map", "states"},
          defaults({{"attention.bias", "hidden"}}),  // all affine maps of the authors have one
          make_attend_before};
}

Architecture bahdanau_m30k_architecture() {
  return {"bahdanau_m30k",
          "Bahdanau (GRU, linear readout)",
          "additive attention with a linear readout from the new state, the context and the embedding",
          "Bahdanau et al. 2015, a variant",
          {2014, 9, "Bahdanau et al."},
          {"alignment", "ribbons", "map", "states"},
          defaults({{"cell", "gru_reset_after"},
                    {"readout", "linear"},
                    {"readout_state", "current"},
                    {"start", "both"},
                    {"attention.bias", "hidden"},
                    {"init", "normal"}}),
          make_attend_before};
}

Architecture hard_attention_architecture() {
  return {"hard_attention",
          "hard attention",
          "attention that chooses one position, trained by REINFORCE",
          "Xu et al. 2015",
          {2015, 2, "Xu et al."},
          {"alignment", "ribbons", "map", "states"},
          defaults({{"cell", "lstm"},
                    {"bidirectional", "none"},
                    {"readout", "deep"},
                    {"readout_state", "current"},
                    {"start", "mean"},
                    {"init", "fan_in"},
                    {"attention.bias", "both"},
                    {"attention.selection", "hard_sample"},
                    {"attention.semi_sampling", 0.5},
                    {"attention.entropy", 0.01}}),
          make_attend_before};
}

}  // namespace headlight
