// The Neural Turing Machine (Graves et al. 2014): a controller that reads and writes an external memory.
//
// Tokens and bits. A token of a vocabulary of V is the b = ⌈log₂ V⌉ bits of its id, the highest first. The machine
// reads one token a step as these bits and one channel more, the delimiter, which is 1 only at an extra step after the
// source. Then it gets nothing but zeros and writes one token a step: the token that is fed to a step, as to any
// decoder, is published but not used. Its outputs are b numbers z, and a token's logit is the sum of those z whose bit
// is 1. Where V = 2^b, as in the paper, softmax over the tokens is the product of b independent bits with probabilities
// σ(z), and the cross-entropy of a token is the sum of the binary cross-entropies of its bits; of a smaller vocabulary
// it is that product, given that the bits are those of a token (tests/model/test_ntm.cpp).
//
// Names. The reading phase publishes under encoder.step[j], j = 0 .. S (S is the delimiter), the writing phase under
// decoder.step[t]: .controller.input, .lstm.* or .controller.h, then for every pair of heads .memory.head[r].read.* and
// .memory.head[r].write.*, of which .write.M is the memory after it (the last head's: after the step).

#include "model/models/ntm.h"

#include <bit>
#include <cmath>
#include <optional>

#include "model/layers/lstm.h"
#include "model/layers/memory_head.h"
#include "model/layers/memory_origin.h"
#include "model/layers/source_ids.h"
#include "model/models/settings.h"
#include "model/ops/activations.h"
#include "model/ops/basic.h"
#include "model/ops/softmax.h"

namespace headlight {

namespace {

struct MachineSizes {
  Index tokens = 0, bits = 0, hidden = 0, heads = 0;
  bool lstm = true;
  HeadSettings head;

  Index channels() const { return bits + 1; }
  Index input() const { return channels() + heads * head.width; }
  Index readout() const { return hidden + heads * head.width; }
};

// What one step hands to the next.
struct MachineState {
  CellState controller;                     // c: LSTM only
  Tensor memory;                            // [N x N_m x W]
  std::vector<Tensor> reads;                // [N x W], of each read head
  std::vector<Tensor> read_from, write_to;  // [N x N_m], weightings of each head

  std::vector<Tensor*> all() {
    std::vector<Tensor*> tensors = {&controller.h, &controller.c, &memory};
    for (auto* list : {&reads, &read_from, &write_to})
      for (Tensor& tensor : *list) tensors.push_back(&tensor);
    return tensors;
  }
};

class Ntm : public Model {
 public:
  Ntm(const Json& config, const MachineSizes& sizes, InitialValues values);
  std::unique_ptr<Decoding> begin(const Source& source, const Pass& pass) const override;

 private:
  class Steps;
  MachineState start(Index batch, const Tap& tap) const;
  // h [N x H] and c from the input [N x (b + 1 + R·W)].
  CellState control(const Tensor& input, const CellState& previous, const SitePath& place, const Tap& tap) const;

  MachineSizes sizes_;
  Random random_;
  ParameterBuilder build_;
  std::optional<Lstm> lstm_;  // the controller is one of the two
  Tensor W_controller_, b_controller_;
  Tensor init_h_, init_c_, init_memory_;
  std::vector<ReadHead> read_heads_;
  std::vector<WriteHead> write_heads_;
  Tensor W_, b_;            // readout [(H + R·W) x b]
  Tensor channels_, bits_;  // of each token: [V x (b + 1)] as it is read, [b x V] as it is written
};

Init glorot(Index rows, Index columns) { return Init::uniform(std::sqrt(6 / static_cast<double>(rows + columns))); }

// How a controller starts: its gates or units well apart from each other.
Init controller_init(const MachineSizes& sizes) {
  return Init::uniform(5 / std::sqrt(static_cast<double>(sizes.input() + sizes.hidden)));
}

// Column k of row `token` holds bit k of the token, the highest first; the delimiter's channel stays 0.
Tensor table_of_bits(Index tokens, Index bits, Index columns) {
  Tensor table = Tensor::zeros({tokens, columns});
  for (Index token = 0; token < tokens; ++token)
    for (Index k = 0; k < bits; ++k) table[token * columns + k] = static_cast<Scalar>(token >> (bits - 1 - k) & 1);
  return table;
}

Ntm::Ntm(const Json& config, const MachineSizes& sizes, InitialValues values)
    : Model(config), sizes_(sizes), random_(values.seed, Random::Stream::init), build_(parameters_, values, random_) {
  constexpr Init kSmall = {Init::Kind::normal, 0.01}, kState = {Init::Kind::normal, 0.05};
  const HeadSettings& head = sizes.head;
  const ParameterBuilder controller = build_ / "controller", memory = build_ / "memory", output = build_ / "output";
  const Init init = controller_init(sizes);
  if (sizes.lstm) {
    lstm_.emplace(controller / "lstm", sizes.input(), sizes.hidden, CellInit{init, init});
    init_h_ = (controller / "init").make("h", {sizes.hidden}, kState);
    init_c_ = (controller / "init").make("c", {sizes.hidden}, kState);
  } else {
    W_controller_ = controller.make("W", {sizes.input(), sizes.hidden}, init);
    b_controller_ = controller.make("b", {sizes.hidden}, Init::zeros());
  }
  init_memory_ = memory.make("init", {head.slot_count, head.width},
                             Init::uniform(1 / std::sqrt(static_cast<double>(head.slot_count + head.width))));
  for (Index r = 0; r < sizes.heads; ++r) {
    const ParameterBuilder pair = memory / ("head[" + std::to_string(r) + "]");
    read_heads_.emplace_back(pair / "read", head);
    write_heads_.emplace_back(pair / "write", head);
  }
  W_ = output.make("W", {sizes.readout(), sizes.bits}, glorot(sizes.readout(), sizes.bits));
  b_ = output.make("b", {sizes.bits}, kSmall);
  if (values.kind == InitialValues::Kind::none) return;
  channels_ = table_of_bits(sizes.tokens, sizes.bits, sizes.channels());
  bits_ = Tensor({sizes.bits, channels_.dim(0)});
  bits_.matrix() = channels_.matrix().leftCols(sizes.bits).transpose();
}

MachineState Ntm::start(Index batch, const Tap& tap) const {
  const auto for_each_row = [&](const Tensor& x) { return reshape(repeated(x, batch), {batch, x.size()}); };
  MachineState state;
  if (sizes_.lstm) state.controller = {for_each_row(init_h_), for_each_row(init_c_)};
  state.memory = reshape(repeated(init_memory_, batch), {batch, sizes_.head.slot_count, sizes_.head.width});
  const SitePath memory("memory");
  for (Index r = 0; r < sizes_.heads; ++r) {
    const SitePath head(memory, "head", r);
    const auto at = static_cast<std::size_t>(r);
    state.reads.push_back(read_heads_[at].first_read(batch));
    state.read_from.push_back(read_heads_[at].start(batch, SitePath(head, "read"), tap));
    state.write_to.push_back(write_heads_[at].start(batch, SitePath(head, "write"), tap));
  }
  return state;
}

CellState Ntm::control(const Tensor& input, const CellState& previous, const SitePath& place, const Tap& tap) const {
  if (lstm_) return lstm_->step(lstm_->project(input), previous, place, tap);
  return {tap(place, "controller.h", tanh(linear(input, W_controller_, b_controller_))), {}};
}

// A machine at work.
class Ntm::Steps : public Decoding {
 public:
  Steps(const Ntm& model, Index s_count, Index batch, const Tap& tap)
      : model_(model), state_(model.start(batch, tap)), origin_(state_.memory, s_count, model.sizes_.heads) {}

  // One step with the external input x [N x (b + 1)], of source token `source` or of none (−1). Where `keep` [N] is 0
  // everything stays as it was; undefined: nowhere.
  void step(const Tensor& x, Index source, const Tensor& keep, const SitePath& place, const Tap& tap);
  Tensor advance(const Tensor& ids, const Pass& pass) override;
  std::unique_ptr<Decoding> clone() const override { return std::make_unique<Steps>(*this); }
  void select(const std::vector<Index>& rows) override;
  // How much of what the first head read stems from each source token: see MemoryOrigin.
  Tensor attention() const override { return origin_.shares(); }

 private:
  void use_heads(MachineState& next, Index source, const Tensor& keep, const SitePath& place, const Tap& tap);

  const Ntm& model_;
  MachineState state_;
  MemoryOrigin origin_;
  Index step_ = 0;
};

void Ntm::Steps::use_heads(MachineState& next, Index source, const Tensor& keep, const SitePath& place,
                           const Tap& tap) {
  const SitePath memory(place, "memory");
  for (Index r = 0; r < model_.sizes_.heads; ++r) {
    const SitePath head(memory, "head", r);
    const auto at = static_cast<std::size_t>(r);
    const ReadHead::Read read =
        model_.read_heads_[at].read(next.controller.h, next.memory, next.read_from[at], SitePath(head, "read"), tap);
    next.reads[at] = read.vector;
    next.read_from[at] = read.weights;
    if (r == 0) origin_.add_read(read.weights);
    const WriteHead::Written written =
        model_.write_heads_[at].write(next.controller.h, next.memory, next.write_to[at], SitePath(head, "write"), tap);
    next.write_to[at] = written.weights;
    next.memory = written.memory;
    origin_.add_write(written, source, keep);
  }
}

void Ntm::Steps::step(const Tensor& x, Index source, const Tensor& keep, const SitePath& place, const Tap& tap) {
  Tensor input = x;
  for (const Tensor& read : state_.reads) input = concat(input, read);
  MachineState next = state_;
  next.controller = model_.control(tap(place, "controller.input", input), state_.controller, place, tap);
  use_heads(next, source, keep, place, tap);
  if (keep.defined()) {
    const std::vector<Tensor*> before = state_.all(), after = next.all();
    for (std::size_t i = 0; i < after.size(); ++i)
      if (before[i]->defined()) *after[i] = where(keep, *after[i], *before[i]);
  }
  state_ = std::move(next);
}

Tensor Ntm::Steps::advance(const Tensor& ids, const Pass& pass) {
  const Tap& tap = pass.tap;
  const Index t_count = ids.dim(0), batch = ids.dim(1);
  require_shape(!tap.active() || t_count == 1, "decoder", "one step at a time while a tap listens", ids.shape());
  const SitePath decoder("decoder"), place(decoder, "step", step_);
  tap(place, "input.id", ids);
  origin_.forget_reads();
  const Tensor nothing = Tensor::zeros({batch, model_.sizes_.channels()});
  std::vector<Tensor> readouts;
  for (Index t = 0; t < t_count; ++t) {
    step(nothing, -1, {}, place, tap);
    Tensor readout = state_.controller.h;
    for (const Tensor& read : state_.reads) readout = concat(readout, read);
    readouts.push_back(readout);
  }
  step_ += t_count;
  const Tensor readout = tap(place, "output.readout", stack(readouts));                  // [N x T x (H + R·W)]
  const Tensor bits = tap(place, "output.bits", linear(readout, model_.W_, model_.b_));  // [N x T x b]
  if (tap.active()) tap(place, "output.bit_probs", sigmoid(bits));
  const Tensor logits = tap(place, "output.logits", linear(bits, model_.bits_), [] {
    return SiteWords{"z_v = Σ_k bit_k(v) z_k", nullptr, "Graves et al. 2014, section 4.1"};
  });  // [N x T x V]
  if (tap.active()) {
    tap(place, "output.probs", softmax(logits));
    tap(place, "memory.origin", attention());
  }
  return logits;
}

void Ntm::Steps::select(const std::vector<Index>& rows) {
  for (Tensor* tensor : state_.all()) *tensor = index_select(*tensor, rows);
  origin_.select(rows);
}

std::unique_ptr<Decoding> Ntm::begin(const Source& source, const Pass& pass) const {
  const Tap& tap = pass.tap;
  const Index s_count = source.ids.dim(0), batch = source.ids.dim(1);
  const SitePath encoder("encoder");
  const Tensor ids = read_source(source.ids, source.keep, false, tap);
  const Tensor channels = tap(encoder, "channels", embedding(ids, channels_));  // [S x N x (b + 1)]
  auto steps = std::make_unique<Steps>(*this, s_count, batch, tap);
  for (Index j = 0; j < s_count; ++j) {
    Tensor keep;
    if (source.keep.defined()) {
      keep = Tensor({batch});
      keep.array() = source.keep.matrix().col(j).array();
    }
    steps->step(row(channels, j), j, keep, SitePath(encoder, "step", j), tap);
  }
  Tensor delimiter = Tensor::zeros({batch, sizes_.channels()});
  delimiter.matrix().col(sizes_.bits).setOnes();
  steps->step(delimiter, -1, {}, SitePath(encoder, "step", s_count), tap);
  return steps;
}

std::unique_ptr<Model> make_ntm(const Json& config, InitialValues values) {
  const Index source = read_index(config, "source_vocabulary_size", 2, 65'536),
              target = read_index(config, "target_vocabulary_size", 2, 65'536);
  if (source != target)
    throw FormatError("both vocabularies of an NTM must have the same number of tokens; found " +
                      std::to_string(source) + " and " + std::to_string(target));
  MachineSizes sizes;
  sizes.tokens = source;
  sizes.bits = std::bit_width(static_cast<std::uint64_t>(source - 1));
  sizes.lstm = read_choice(config, "controller", {"lstm", "feedforward"}) == 0;
  sizes.hidden = read_index(config, "hidden_size", 1, 16'384);
  sizes.heads = read_index(config, "memory.heads", 1, 16);
  sizes.head = {sizes.hidden, read_index(config, "memory.slots", 1, 4'096),
                read_index(config, "memory.width", 1, 1'024), read_flag(config, "memory.tanh"),
                read_flag(config, "memory.learned_start")};
  return std::make_unique<Ntm>(config, sizes, values);
}

}  // namespace

Architecture ntm_architecture() {
  return {"ntm",
          "NTM",
          "Neural Turing Machine: a controller with an external memory",
          "Graves et al. 2014",
          {2014, 10, "Graves et al."},
          {"memory", "map", "states", "outputs"},
          {{"source_vocabulary_size", 0},
           {"target_vocabulary_size", 0},
           {"controller", "lstm"},
           {"hidden_size", 100},
           {"memory.slots", 128},
           {"memory.width", 20},
           {"memory.heads", 1},
           {"memory.tanh", false},
           {"memory.learned_start", false}},
          make_ntm};
}

}  // namespace headlight
