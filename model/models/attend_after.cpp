// Recurrent encoder-decoders. One definition serves all of them: what differs is what the decoder is shown of the
// source, and where.
//   none       the encoder's last h starts the decoder, c starts at 0 (Sutskever et al. 2014)
//   peeky      that vector is shown again at every step, to the first layer and to the readout (Cho et al. 2014)
//   attention  every step reads all encoder states with the state of one of its layers (Luong et al. 2015)

#include "model/models/attend_after.h"

#include <optional>

#include "model/models/recurrent_settings.h"
#include "model/ops/activations.h"
#include "model/ops/basic.h"
#include "model/ops/softmax.h"
#include "model/trace/site_sentences.h"

namespace headlight {

namespace {

enum class Link { none, peeky, attention };
// Where the context goes beside the layers above the one that asks (models.md 4.6).
enum class ContextUse { to_affine, to_next, both };
const std::vector<std::string> kContextNames = {"to_affine", "to_next", "both"};

struct DecoderSettings {
  ContextUse context_use = ContextUse::to_affine;
  bool input_feeding = false;  // h̃ of the step before is fed beside the embedding (Luong et al. 2015, section 3.3)
  bool combine = false;        // h̃ = tanh([c ; h] W_c) is the readout (Luong et al. 2015, eq. 5)
  bool embedding_in_readout = false;  // of peeky: E y′ stands in the readout too (Cho et al. 2014, section 2.2)
  Index query_layer = 0;              // whose output asks; -1: the top one
  bool upward_is_fresh = true;        // the layers above read the context of this step, not of the step before
};

constexpr const char* kInputLeaf[] = {"lstm.input", "gru.input", "gru.input", "rnn.input"};

class Seq2Seq : public Model {
 public:
  Seq2Seq(const Json& config, Link link, const RecurrentSettings& settings, const DecoderSettings& decoder,
          InitialValues values);

  std::unique_ptr<Decoding> begin(const Source& source, const Pass& pass) const override;

 private:
  class Steps;
  Index context_size() const { return link_ == Link::attention ? encoder_.state_size() : 0; }
  bool feeds_context() const { return link_ == Link::attention && decoder_.context_use != ContextUse::to_affine; }
  bool context_in_readout() const {
    return link_ == Link::attention && (decoder_.combine || decoder_.context_use != ContextUse::to_next);
  }
  Index fed_size() const {
    return (feeds_context() ? context_size() : 0) + (decoder_.input_feeding ? settings_.encoder.hidden : 0);
  }
  // Without anything fed back, all steps of a target are computed layer by layer.
  bool parallel() const { return fed_size() == 0 && decoder_.upward_is_fresh; }
  Index beside_size() const;
  bool has_residual(std::size_t l) const {
    const EncoderSettings& e = settings_.encoder;
    return e.residual && static_cast<Index>(l) >= e.residual_from && (l > 0 || e.embedding == e.hidden);
  }
  // What the values are, in formulas.
  std::string input_formula(std::size_t l) const;
  const char* top_formula() const { return has_residual(cells_.size() - 1) ? "x_t" : "h_t"; }
  std::string readout_formula() const;

  Link link_;
  RecurrentSettings settings_;
  DecoderSettings decoder_;
  AttentionLosses losses_;
  Random random_;
  ParameterBuilder build_;
  Encoder encoder_;
  Tensor embedding_;
  std::vector<std::unique_ptr<RecurrentCell>> cells_;
  std::optional<Attention> attention_;
  Tensor W_c_, W_, b_;
};

// What stands beside the top state in the readout.
Index Seq2Seq::beside_size() const {
  if (link_ == Link::peeky) return encoder_.bottleneck_size();
  return context_in_readout() ? context_size() : 0;
}

Seq2Seq::Seq2Seq(const Json& config, Link link, const RecurrentSettings& settings, const DecoderSettings& decoder,
                 InitialValues values)
    : Model(config),
      link_(link),
      settings_(settings),
      decoder_(decoder),
      random_(values.seed, Random::Stream::init),
      build_(parameters_, values, random_),
      encoder_(build_ / "encoder", settings.encoder),
      embedding_((build_ / "decoder" / "embed")
                     .make("W", {settings.target_vocabulary, settings.encoder.embedding}, settings.init.embed)) {
  const EncoderSettings& e = settings.encoder;
  const ParameterBuilder decoder_build = build_ / "decoder";
  if (decoder_.query_layer < 0) decoder_.query_layer = e.layers - 1;
  if (decoder_.query_layer >= e.layers)
    throw FormatError("\"query_layer\" must be below \"layers\" (" + std::to_string(e.layers) + "), found " +
                      std::to_string(decoder_.query_layer));
  if (decoder_.input_feeding && !decoder_.combine)
    throw FormatError("\"input_feeding\" feeds what \"combine\" makes: set combine to true too");
  for (Index l = 0; l < e.layers; ++l) {
    Index width = l == 0 ? e.embedding + fed_size() : e.hidden;
    if (l == 0 && link_ == Link::peeky) width += encoder_.bottleneck_size();
    if (l > decoder_.query_layer) width += context_size();
    cells_.push_back(make_cell(e.cell,
                               e.layers > 1 ? decoder_build / ("layer[" + std::to_string(l) + "]") : decoder_build,
                               width, e.hidden, e.cell_init));
  }
  if (link_ == Link::attention) {
    AttentionSettings attention = attention_settings(config);
    if (has_residual(static_cast<std::size_t>(decoder_.query_layer))) attention.query = "x_t, the residual sum";
    attention_.emplace(build_ / "attention", attention, e.hidden, encoder_.state_size(), settings.init.attention);
    losses_ = attention_losses(config);
  }
  if (decoder_.combine)
    W_c_ = (decoder_build / "combine").make("W", {context_size() + e.hidden, e.hidden}, settings.init.matrix);
  const Index readout =
      decoder_.combine ? e.hidden : beside_size() + e.hidden + (decoder_.embedding_in_readout ? e.embedding : 0);
  W_ = (decoder_build / "affine").make("W", {readout, settings.target_vocabulary}, settings.init.matrix);
  b_ = (decoder_build / "affine").make("b", {settings.target_vocabulary}, Init::zeros());
}

std::string Seq2Seq::input_formula(std::size_t l) const {
  if (l == 0)
    return std::string("x = [") + (link_ == Link::peeky ? "z ; " : "") + "E[y_{t−1}]" +
           (feeds_context() ? " ; c_{t−1}" : "") + (decoder_.input_feeding ? " ; h̃_{t−1}" : "") + "]";
  return std::string("x = [") + (has_residual(l - 1) ? "x_t" : "h_t") + " of the layer below ; " +
         (decoder_.upward_is_fresh ? "c_t]" : "c_{t−1}]");
}

std::string Seq2Seq::readout_formula() const {
  if (link_ == Link::peeky || context_in_readout())
    return std::string(link_ == Link::peeky ? "[z ; " : "[c_t ; ") + top_formula() +
           (decoder_.embedding_in_readout ? " ; E[y_{t−1}]]" : "]");
  return top_formula();
}

class Seq2Seq::Steps : public Decoding {
 public:
  Steps(const Seq2Seq& model, Encoded encoded, std::vector<CellState> states, const Pass& pass)
      : model_(model), encoded_(std::move(encoded)), states_(std::move(states)) {
    const Index batch = encoded_.bottleneck.dim(0);
    if (model.attention_)
      memory_ = model.attention_->prepare(encoded_.states, encoded_.states, encoded_.keep, SitePath("decoder"), pass);
    if (model.fed_size() > 0) fed_ = Tensor::zeros({batch, model.fed_size()});
    if (!model.decoder_.upward_is_fresh) past_context_ = Tensor::zeros({batch, 1, model.context_size()});
  }

  Tensor advance(const Tensor& ids, const Pass& pass) override;
  std::unique_ptr<Decoding> clone() const override { return std::make_unique<Steps>(*this); }
  void select(const std::vector<Index>& rows) override;
  Tensor attention() const override { return history_.shown(); }
  Tensor additional_loss(const LossContext& context) override {
    return history_.loss(model_.losses_, context.sequence_nll, context.mask, context.baseline, context.scale);
  }

 private:
  Tensor block(const Tensor& embedded, const Pass& pass);
  Tensor run_layer(std::size_t l, Tensor x, const Tensor& upward, const SitePath& step, const Pass& pass);
  Tensor readout(const Tensor& top, const Tensor& context, const Tensor& embedded, const SitePath& step,
                 const Pass& pass);
  Tensor dropped(const Tensor& x, const Pass& pass) const {
    const double p = model_.settings_.encoder.dropout;
    return pass.training && p > 0 ? dropout(x, p, *pass.random) : x;
  }

  const Seq2Seq& model_;
  Encoded encoded_;
  std::vector<CellState> states_;  // of each layer
  Attention::Memory memory_;
  Tensor fed_;           // [N x F]: what the step before hands to the first layer
  Tensor past_context_;  // [N x 1 x A]: of the step before, where the layers above read that
  AttentionHistory history_;
  Index step_ = 0;
};

void Seq2Seq::Steps::select(const std::vector<Index>& rows) {
  encoded_.bottleneck = index_select(encoded_.bottleneck, rows);
  memory_ = memory_.select(rows);
  for (CellState& state : states_) state = {index_select(state.h, rows), index_select(state.c, rows)};
  fed_ = index_select(fed_, rows);
  past_context_ = index_select(past_context_, rows);
}

// x [T x N x I] through layer l, with the context `upward` [N x T x A] beside it where it gets one. Returns [T x N x
// H].
Tensor Seq2Seq::Steps::run_layer(std::size_t l, Tensor x, const Tensor& upward, const SitePath& step,
                                 const Pass& pass) {
  const RecurrentCell& cell = *model_.cells_[l];
  const EncoderSettings& e = model_.settings_.encoder;
  const SitePath place = model_.cells_.size() > 1 ? SitePath(step, "layer", static_cast<Index>(l)) : step;
  const Tensor below = x;
  if (upward.defined()) x = concat(x, transpose01(upward));
  if (x.columns() != (l == 0 ? e.embedding : e.hidden))
    x = pass.tap(place, kInputLeaf[static_cast<std::size_t>(e.cell)], x,
                 [&] { return SiteWords{model_.input_formula(l)}; });
  const Tensor projected = cell.project(x);
  std::vector<Tensor> hidden;
  for (Index t = 0; t < x.dim(0); ++t) {
    states_[l] = cell.step(row(projected, t), states_[l], place, pass.tap);
    hidden.push_back(states_[l].h);
  }
  const Tensor out = stack0(hidden);
  const bool residual = e.residual && static_cast<Index>(l) >= e.residual_from && below.columns() == e.hidden;
  return residual ? pass.tap(place, "residual.out", add(out, below)) : out;
}

// What the output is computed from [N x T x R]: the top state [N x T x H], beside what was looked up.
Tensor Seq2Seq::Steps::readout(const Tensor& top, const Tensor& context, const Tensor& embedded, const SitePath& step,
                               const Pass& pass) {
  const auto words = [&] { return SiteWords{"r = " + model_.readout_formula()}; };
  if (model_.link_ == Link::peeky) {
    const Tensor both = concat(encoded_.bottleneck, top);
    return pass.tap(step, "readout", model_.decoder_.embedding_in_readout ? concat(both, transpose01(embedded)) : both,
                    words);
  }
  if (!model_.context_in_readout()) return top;
  const Tensor both = pass.tap(step, "readout", concat(context, top), words);
  if (!model_.decoder_.combine) return both;
  return pass.tap(step, "attentional", tanh(linear(both, model_.W_c_)),
                  [&] { return SiteWords{"h̃_t = tanh(" + model_.readout_formula() + " W_c)"}; });
}

// T steps at once [T x N x D]; one at a time where something is fed back. Returns readouts [N x T x R].
Tensor Seq2Seq::Steps::block(const Tensor& embedded, const Pass& pass) {
  const Index t_count = embedded.dim(0);
  const DecoderSettings& settings = model_.decoder_;
  const SitePath decoder("decoder"), step(decoder, "step", step_);
  Tensor x = embedded;
  if (model_.link_ == Link::peeky) x = concat(repeated(encoded_.bottleneck, t_count), x);
  if (fed_.defined()) x = concat(x, reshape(fed_, {1, fed_.dim(0), fed_.dim(1)}));
  Tensor context, upward;
  for (std::size_t l = 0; l < model_.cells_.size(); ++l) {
    x = run_layer(l, l == 0 ? x : dropped(x, pass), upward, step, pass);
    if (!model_.attention_ || static_cast<Index>(l) != settings.query_layer) continue;
    const Attention::Read read = model_.attention_->read(transpose01(x), step_, memory_, step, pass);
    history_.add(read);
    context = read.context;
    upward = settings.upward_is_fresh ? context : past_context_;
  }
  const Tensor out = readout(transpose01(x), context, embedded, step, pass);
  if (!settings.upward_is_fresh) past_context_ = context;
  if (fed_.defined()) {
    const Index batch = fed_.dim(0);
    Tensor next;
    if (model_.feeds_context()) next = reshape(context, {batch, context.columns()});
    if (settings.input_feeding) {
      const Tensor attentional = reshape(out, {batch, out.columns()});
      next = next.defined() ? concat(next, attentional) : attentional;
    }
    fed_ = next;
  }
  step_ += t_count;
  return out;
}

Tensor Seq2Seq::Steps::advance(const Tensor& ids, const Pass& pass) {
  const Index t_count = ids.dim(0), batch = ids.dim(1);
  require_shape(!pass.tap.active() || t_count == 1, "decoder", "one step at a time while a tap listens", ids.shape());
  const SitePath decoder("decoder"), step(decoder, "step", step_);
  history_.clear_shown();
  const Tensor fed = pass.tap(step, "input.id", ids);
  const Tensor x = dropped(
      pass.tap(step, "embed.out", embedding(fed, model_.embedding_), [] { return SiteWords{"x_t = E[y_{t−1}]"}; }),
      pass);  // [T x N x D]
  Tensor read;
  if (model_.parallel() || t_count == 1) {
    read = block(x, pass);
  } else {
    std::vector<Tensor> readouts;
    for (Index t = 0; t < t_count; ++t) {
      const Tensor one = block(rows(x, t, 1), pass);
      readouts.push_back(reshape(one, {batch, one.columns()}));
    }
    read = stack(readouts);
  }
  const Tensor logits = pass.tap(step, "output.logits", linear(dropped(read, pass), model_.W_, model_.b_), [&] {
    return SiteWords{"z = " + (model_.decoder_.combine ? "h̃_t" : model_.readout_formula()) + " W + b"};
  });
  if (pass.tap.active()) pass.tap(step, "output.probs", softmax(logits));
  return logits;
}

// The same numbers as a value of its own in the graph: a gradient by a decoder's start is then not one by the state of
// the encoder that it is, which attention and the encoder's next layer read as well.
Tensor of_its_own(const Tensor& state) { return reshape(state, state.shape()); }

std::unique_ptr<Decoding> Seq2Seq::begin(const Source& source, const Pass& pass) const {
  Encoded encoded = encoder_.run(source.ids, source.keep, pass);
  const SitePath decoder("decoder");
  const std::string z = encoder_.bottleneck_formula();
  if (link_ != Link::attention)
    encoded.bottleneck =
        pass.tap(SitePath("encoder"), "bottleneck", encoded.bottleneck, [&] { return SiteWords{"z = " + z}; });
  const Index batch = encoded.bottleneck.dim(0);
  const bool pass_cell = config().at("pass_cell").get<bool>();
  std::vector<CellState> states;
  for (std::size_t l = 0; l < cells_.size(); ++l) {
    CellState state = cells_[l]->zero_state(batch);
    state.h = of_its_own(cells_.size() == 1 ? encoded.bottleneck : encoded.last[l].h);
    if (pass_cell && state.c.defined()) state.c = of_its_own(encoded.last[l].c);
    const SitePath place = cells_.size() > 1 ? SitePath(decoder, "layer", static_cast<Index>(l)) : decoder;
    const auto of = [&](const char* symbol) { return encoder_.last_formula(symbol, l) + " of the encoder"; };
    state.h = pass.tap(place, "init.h", state.h, [&] {
      const bool last = cells_.size() > 1 || z == encoder_.last_formula("h", 0);
      return SiteWords{"h_{−1} = " + (last ? of("h") : z), last ? sentences::kFromLast : sentences::kFromWhole};
    });
    if (!state.c.defined()) {
      states.push_back(std::move(state));
      continue;
    }
    state.c = pass.tap(place, "init.c", state.c, [&] {
      return SiteWords{"c_{−1} = " + (pass_cell ? of("c") : "0"),
                       pass_cell ? sentences::kPassedMemory : sentences::kEmptyMemory};
    });
    states.push_back(std::move(state));
  }
  return std::make_unique<Steps>(*this, std::move(encoded), std::move(states), pass);
}

template <Link link>
std::unique_ptr<Model> make_attend_after(const Json& config, InitialValues values) {
  RecurrentSettings settings = recurrent_settings(config);
  DecoderSettings decoder;
  settings.encoder.bridge_start = true;
  if constexpr (link == Link::peeky) decoder.embedding_in_readout = read_flag(config, "embedding_in_readout");
  if constexpr (link == Link::attention) {
    decoder.context_use = static_cast<ContextUse>(read_choice(config, "context_use", kContextNames));
    decoder.query_layer = read_index(config, "query_layer", -1, 63);
    decoder.input_feeding = read_flag(config, "input_feeding");
    decoder.combine = read_flag(config, "combine");
    decoder.upward_is_fresh = read_choice(config, "attention_step", {"fresh", "past"}) == 0;
  }
  return std::make_unique<Seq2Seq>(config, link, settings, decoder, values);
}

Json with(Json base, const Json& changes) {
  base.update(changes);
  return base;
}

Json attention_model_defaults() {
  Json json = with(recurrent_defaults(), {{"reverse_source", true},
                                          {"context_use", "to_affine"},
                                          {"query_layer", 0},
                                          {"input_feeding", false},
                                          {"combine", false},
                                          {"attention_step", "fresh"}});
  json.update(attention_defaults());
  return json;
}

}  // namespace

Architecture seq2seq_architecture() {
  return {"seq2seq",
          "no attention",
          "recurrent encoder-decoder without attention",
          "Sutskever et al. 2014",
          {2014, 9, "Sutskever et al."},
          {"alignment", "states", "map", "outputs"},
          recurrent_defaults(),
          make_attend_after<Link::none>};
}

Architecture peeky_architecture() {
  return {"seq2seq_peeky",
          "one vector at every step",
          "recurrent encoder-decoder that sees the encoder's vector at every step",
          "Cho et al. 2014",
          {2014, 6, "Cho et al."},
          {"alignment", "states", "map", "outputs"},
          with(recurrent_defaults(), {{"reverse_source", true}, {"embedding_in_readout", false}}),
          make_attend_after<Link::peeky>};
}

Architecture attention_architecture() {
  return {"attn_seq2seq",
          "attention",
          "recurrent encoder-decoder with attention",
          "Luong et al. 2015; Bahdanau et al. 2015",
          {2015, 8, "Luong et al."},
          {"alignment", "local-window", "ribbons", "map", "states"},
          attention_model_defaults(),
          make_attend_after<Link::attention>};
}

Architecture luong_architecture() {
  return {"luong",
          "Luong",
          "stacked LSTM with attention and input feeding",
          "Luong et al. 2015",
          {2015, 8, "Luong et al."},
          {"alignment", "local-window", "ribbons", "map", "states"},
          with(attention_model_defaults(), {{"embedding_size", 32},
                                            {"hidden_size", 64},
                                            {"init", "uniform"},
                                            {"pass_cell", true},
                                            {"input_feeding", true},
                                            {"combine", true},
                                            {"query_layer", -1},
                                            {"attention.score", "general"}}),
          make_attend_after<Link::attention>};
}

Architecture gnmt_architecture() {
  return {"gnmt",
          "GNMT",
          "deep residual LSTM; the bottom decoder layer asks, all layers above read the answer",
          "Wu et al. 2016",
          {2016, 9, "Wu et al."},
          {"alignment", "ribbons", "map", "states"},
          with(attention_model_defaults(), {{"embedding_size", 48},
                                            {"hidden_size", 48},
                                            {"layers", 4},
                                            {"bidirectional", "first"},
                                            {"residual", true},
                                            {"residual_from", 2},
                                            {"pass_cell", true},
                                            {"reverse_source", false},
                                            {"init", "uniform"},
                                            {"context_use", "to_next"},
                                            {"attention_step", "past"},
                                            {"forget_bias", 1.0},
                                            {"attention.score", "additive"}}),
          make_attend_after<Link::attention>};
}

}  // namespace headlight
