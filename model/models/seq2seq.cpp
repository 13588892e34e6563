// LSTM encoder-decoders. One definition serves all three: what differs is what the decoder is shown of the source.
//   none       the encoder's last hidden state starts the decoder (Sutskever et al. 2014)
//   peeky      that vector is shown again at every step, to the LSTM and to the readout (Cho et al. 2014)
//   attention  every step reads all encoder states (dot attention: Luong et al. 2015)

#include "model/models/seq2seq.h"

#include <cmath>

#include "model/layers/attention.h"
#include "model/layers/lstm.h"
#include "model/models/settings.h"
#include "model/ops/basic.h"
#include "model/ops/softmax.h"

namespace headlight {

namespace {

enum class Link { none, peeky, attention };

struct Sizes {
  Index source_vocabulary, target_vocabulary, embedding, hidden;
};

class Seq2Seq : public Model {
 public:
  Seq2Seq(Json config, Link link, const Sizes& sizes, InitialValues values)
      : Model(std::move(config)),
        link_(link),
        reverse_(config_.at("reverse_source").get<bool>()),
        random_(values.seed, Random::Stream::init),
        build_(parameters_, values.kind, random_),
        source_embedding_((build_ / "encoder" / "embed").make("W", {sizes.source_vocabulary, sizes.embedding}, kEmbed)),
        encoder_(build_ / "encoder" / "lstm", sizes.embedding, sizes.hidden),
        target_embedding_((build_ / "decoder" / "embed").make("W", {sizes.target_vocabulary, sizes.embedding}, kEmbed)),
        decoder_(build_ / "decoder" / "lstm", sizes.embedding + (link == Link::peeky ? sizes.hidden : 0), sizes.hidden),
        W_((build_ / "decoder" / "affine")
               .make("W", {readout_size(link, sizes), sizes.target_vocabulary}, fan_in(readout_size(link, sizes)))),
        b_((build_ / "decoder" / "affine").make("b", {sizes.target_vocabulary}, Init::zeros())) {}

  std::unique_ptr<Decoding> begin(const Source& source, const Pass& pass) const override;

 private:
  class Steps;
  static constexpr Init kEmbed{Init::Kind::normal, 0.01};
  static Init fan_in(Index n) { return Init::normal(1 / std::sqrt(static_cast<double>(n))); }
  static Index readout_size(Link link, const Sizes& sizes) { return (link == Link::none ? 1 : 2) * sizes.hidden; }

  Link link_;
  bool reverse_;
  Random random_;
  ParameterBuilder build_;
  Tensor source_embedding_;
  Lstm encoder_;
  Tensor target_embedding_;
  Lstm decoder_;
  Tensor W_, b_;
};

class Seq2Seq::Steps : public Decoding {
 public:
  Steps(const Seq2Seq& model, Tensor states, Tensor bottleneck, LstmState state)
      : model_(model), states_(std::move(states)), bottleneck_(std::move(bottleneck)), state_(std::move(state)) {}

  Tensor advance(const Tensor& ids, const Pass& pass) override;
  void select(const std::vector<Index>& rows) override;

 private:
  // What the output is computed from: hidden states [N x T x H], beside what was looked up.
  Tensor readout(const Tensor& hidden, const Place& step, const Tap& tap) const {
    if (model_.link_ == Link::none) return hidden;
    const Tensor beside = model_.link_ == Link::peeky ? bottleneck_ : attend(hidden, states_, states_, step, tap);
    return tap(step, "readout", concat(beside, hidden));
  }

  const Seq2Seq& model_;
  Tensor states_;      // [N x S x H]
  Tensor bottleneck_;  // [N x H]
  LstmState state_;
  Index step_ = 0;
};

// Rows of [S x N] in opposite order.
Tensor reversed(const Tensor& ids) {
  Tensor out(ids.shape());
  out.matrix() = ids.matrix().colwise().reverse();
  return out;
}

std::unique_ptr<Decoding> Seq2Seq::begin(const Source& source, const Pass& pass) const {
  const Tensor& source_ids = source.ids;
  const Tap& tap = pass.tap;
  const Index s_count = source_ids.dim(0), batch = source_ids.dim(1);
  require_shape(s_count > 0 && batch > 0, "encoder", "at least one source token", source_ids.shape());
  const Place input("input"), src(input, "src"), encoder("encoder"), decoder("decoder");
  const Tensor ids = tap(src, "ids", reverse_ ? reversed(source_ids) : source_ids);  // [S x N]
  if (tap.active()) {
    Tensor display({s_count});
    for (Index j = 0; j < s_count; ++j) display[j] = static_cast<Scalar>(reverse_ ? s_count - 1 - j : j);
    tap(src, "display_index", display);
  }
  const Tensor embedded = tap(encoder, "embed.out", embedding(ids, source_embedding_));  // [S x N x D]
  const Tensor projected = encoder_.project(embedded);                                   // [S x N x 4H]
  LstmState state = encoder_.zero_state(batch);
  std::vector<Tensor> hidden;
  for (Index j = 0; j < s_count; ++j) {
    state = encoder_.step(row(projected, j), state, Place(encoder, "step", j), tap);
    hidden.push_back(state.h);
  }
  Tensor states, bottleneck = state.h;
  if (link_ == Link::attention || tap.active()) states = tap(encoder, "states", stack(hidden));  // [N x S x H]
  if (link_ != Link::attention) bottleneck = tap(encoder, "bottleneck", state.h);
  LstmState first;
  first.h = tap(decoder, "init.h", bottleneck);
  first.c = tap(decoder, "init.c", Tensor::zeros({batch, decoder_.hidden_size()}));
  return std::make_unique<Steps>(*this, std::move(states), std::move(bottleneck), std::move(first));
}

void Seq2Seq::Steps::select(const std::vector<Index>&) {}

Tensor Seq2Seq::Steps::advance(const Tensor& ids, const Pass& pass) {
  const Tap& tap = pass.tap;
  const Index t_count = ids.dim(0), batch = ids.dim(1);
  require_shape(!tap.active() || t_count == 1, "decoder", "one step at a time while a tap listens", ids.shape());
  const Place decoder("decoder"), step(decoder, "step", step_);
  const Tensor fed = tap(step, "input.id", ids);
  Tensor x = tap(step, "embed.out", embedding(fed, model_.target_embedding_));  // [T x N x D]
  if (model_.link_ == Link::peeky) x = tap(step, "lstm.input", concat(repeated(bottleneck_, t_count), x));
  const Tensor projected = model_.decoder_.project(x);  // [T x N x 4H]
  std::vector<Tensor> hidden;
  for (Index t = 0; t < t_count; ++t) {
    state_ = model_.decoder_.step(row(projected, t), state_, step, tap);
    hidden.push_back(state_.h);
  }
  step_ += t_count;
  const Tensor read = readout(stack(hidden), step, tap);  // [N x T x R]
  const Tensor logits = tap(step, "output.logits", linear(read, model_.W_, model_.b_));
  if (tap.active()) tap(step, "output.probs", softmax(logits));
  require_shape(logits.dim(0) == batch, "decoder", "logits [N x T x V]", logits.shape());
  return logits;
}

template <Link link>
std::unique_ptr<Model> make(const Json& config, InitialValues values) {
  Sizes sizes{};
  sizes.source_vocabulary = setting(config, "source_vocabulary_size", 1, 1'000'000);
  sizes.target_vocabulary = setting(config, "target_vocabulary_size", 1, 1'000'000);
  sizes.embedding = setting(config, "embedding_size", 1, 16'384);
  sizes.hidden = setting(config, "hidden_size", 1, 16'384);
  flag(config, "reverse_source");
  return std::make_unique<Seq2Seq>(config, link, sizes, values);
}

Json defaults(bool reverse) {
  return {{"source_vocabulary_size", 0},
          {"target_vocabulary_size", 0},
          {"embedding_size", 16},
          {"hidden_size", 128},
          {"reverse_source", reverse}};
}

}  // namespace

Architecture seq2seq_architecture() {
  return {"seq2seq",       "no attention",  "LSTM encoder-decoder without attention", "Sutskever et al. 2014",
          defaults(false), make<Link::none>};
}

Architecture peeky_architecture() {
  return {"seq2seq_peeky",   "Peeky",        "LSTM encoder-decoder that sees the encoder's vector at every step",
          "Cho et al. 2014", defaults(true), make<Link::peeky>};
}

Architecture attention_architecture() {
  return {"attn_seq2seq",
          "attention",
          "LSTM encoder-decoder with dot attention",
          "Luong et al. 2015; Bahdanau et al. 2015",
          defaults(true),
          make<Link::attention>};
}

}  // namespace headlight
