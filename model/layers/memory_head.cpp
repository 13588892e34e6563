#include "model/layers/memory_head.h"

#include <cmath>

#include "model/ops/activations.h"
#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/memory.h"
#include "model/ops/softmax.h"

namespace headlight {

namespace {

constexpr double kSmall = 0.01;
constexpr Index kShifts = 3;  // −1, 0, +1

// β, g, s(−1), s(0), s(+1), γ behind the key.
constexpr Index kAddressing = 3 + kShifts;

Init head_init(Index rows, Index columns) {
  return Init::uniform(1.4 * std::sqrt(6 / static_cast<double>(rows + columns)));
}

}  // namespace

MemoryHead::MemoryHead(const ParameterBuilder& parameters, const HeadSettings& settings, Index extra)
    : settings_(settings) {
  const Index columns = settings.width + kAddressing + extra;
  W_ = parameters.make("W", {settings.controller, columns}, head_init(settings.controller, columns));
  b_ = parameters.make("b", {columns}, Init::normal(kSmall));
  if (settings.learned_start) start_ = parameters.make("start", {settings.slot_count}, Init::zeros());
}

Tensor MemoryHead::start(Index batch, const SitePath& place, const Tap& tap) const {
  const Tensor first = softmax(settings_.learned_start ? start_ : Tensor::zeros({settings_.slot_count}));
  return tap(place, "w_start", reshape(repeated(first, batch), {batch, settings_.slot_count}),
             [&] { return SiteWords{settings_.learned_start ? "w_0 = softmax(start)" : "w_0 = 1 / N"}; });
}

Tensor MemoryHead::head_projection(const Tensor& controller, const SitePath& place, const Tap& tap) const {
  return tap(place, "pre", linear(controller, W_, b_));
}

Tensor MemoryHead::squashed(const Tensor& x) const { return settings_.squash ? tanh(x) : x; }

SiteWords MemoryHead::squashed_words(const std::string& symbol) const {
  const std::string sum = "h W_" + symbol + " + b_" + symbol;
  return {symbol + " = " + (settings_.squash ? "tanh(" + sum + ")" : sum)};
}

Tensor MemoryHead::extra_columns(const Tensor& projection, Index begin) const {
  return columns(projection, settings_.width + kAddressing + begin, settings_.width);
}

Tensor MemoryHead::address(const Tensor& projection, const Tensor& memory, const Tensor& previous,
                           const SitePath& place, const Tap& tap) const {
  const Index width = settings_.width, batch = memory.dim(0), slots = memory.dim(1);
  const Tensor key =  // [N x W]
      tap(place, "key", squashed(columns(projection, 0, width)), [&] { return squashed_words("k"); });
  const Tensor beta = tap(place, "beta", softplus(columns(projection, width, 1)));                 // [N x 1]
  const Tensor gate = tap(place, "gate", sigmoid(columns(projection, width + 1, 1)));              // [N x 1]
  const Tensor shift = tap(place, "shift", softmax(columns(projection, width + 2, kShifts)));      // [N x 3]
  const Tensor gamma = tap(place, "gamma", one_plus_softplus(columns(projection, width + 5, 1)));  // [N x 1]

  const Tensor cosine = cosine_scores(reshape(key, {batch, 1, width}), memory, Tensor::full({1}, 1));  // [N x 1 x N_m]
  const Tensor similarity = tap(place, "similarity", reshape(cosine, {batch, slots}));
  const Tensor content = tap(place, "w_content", content_weights(similarity, beta));
  const Tensor gated = tap(place, "w_gated", gated_weights(gate, content, previous));
  const Tensor shifted = tap(place, "w_shifted", shifted_weights(gated, shift));
  return tap(place, "w", sharpened_weights(shifted, gamma));
}

ReadHead::ReadHead(const ParameterBuilder& parameters, const HeadSettings& settings)
    : MemoryHead(parameters, settings, 0), init_(parameters.make("init", {settings.width}, Init::normal(kSmall))) {}

Tensor ReadHead::first_read(Index batch) const { return reshape(repeated(init_, batch), {batch, init_.size()}); }

ReadHead::Read ReadHead::read(const Tensor& controller, const Tensor& memory, const Tensor& previous,
                              const SitePath& place, const Tap& tap) const {
  const Index batch = memory.dim(0), slots = memory.dim(1), width = memory.dim(2);
  const Tensor weights = address(head_projection(controller, place, tap), memory, previous, place, tap);
  const Tensor sum = weighted_sum(reshape(weights, {batch, 1, slots}), memory);  // [N x 1 x W]
  return {weights, tap(place, "vector", reshape(sum, {batch, width}))};
}

WriteHead::WriteHead(const ParameterBuilder& parameters, const HeadSettings& settings)
    : MemoryHead(parameters, settings, 2 * settings.width) {}

WriteHead::Written WriteHead::write(const Tensor& controller, const Tensor& memory, const Tensor& previous,
                                    const SitePath& place, const Tap& tap) const {
  const Tensor all = head_projection(controller, place, tap);
  Written written;
  written.weights = address(all, memory, previous, place, tap);
  written.erase = tap(place, "erase", sigmoid(extra_columns(all, 0)));
  written.add = tap(place, "add", squashed(extra_columns(all, memory.dim(2))), [&] { return squashed_words("a"); });
  written.memory = tap(place, "M", write_memory(memory, written.weights, written.erase, written.add));
  return written;
}

}  // namespace headlight
