#include "model/layers/rotary.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight {

namespace {

// From 0 at `begin` to 1 at `end`.
double ramp(double at, double begin, double end) {
  return std::clamp((at - begin) / (begin == end ? 0.001 : end - begin), 0.0, 1.0);
}

}  // namespace

double Rotary::base(Index length) const {
  if (scaling.kind != RotaryScaling::Kind::dynamic || length <= scaling.original) return theta;
  const double longer = static_cast<double>(length) / static_cast<double>(scaling.original);
  const auto width = static_cast<double>(size);
  return theta * std::pow(scaling.factor * longer - (scaling.factor - 1), width / (width - 2));
}

std::vector<double> Rotary::frequencies(Index length) const {
  using Kind = RotaryScaling::Kind;
  const RotaryScaling& s = scaling;
  if (s.kind == Kind::listed) return s.frequencies;
  const auto width = static_cast<double>(size), original = static_cast<double>(s.original);
  // The pair that turns so often within the original length.
  const auto pair_of = [&](double turns) {
    return width * std::log(original / (turns * 2 * std::numbers::pi)) / (2 * std::log(theta));
  };
  double begin = 0, end = 0;
  if (s.kind == Kind::yarn) {
    begin = pair_of(s.fast);
    end = pair_of(s.slow);
    if (s.truncate) begin = std::floor(begin), end = std::ceil(end);
    begin = std::max(begin, 0.0);
    end = std::min(end, width - 1);
  }
  const std::vector<double>& factors = length > s.original ? s.long_factors : s.short_factors;
  std::vector<double> all;
  for (Index i = 0; i < size / 2; ++i) {
    const double w = std::pow(base(length), -2 * static_cast<double>(i) / width);
    const double turns = original * w / (2 * std::numbers::pi);
    double share = 1;  // of the frequency as it is; the rest is divided by the factor
    if (s.kind == Kind::linear) share = 0;
    if (s.kind == Kind::llama3) share = std::clamp((turns - s.low) / (s.high - s.low), 0.0, 1.0);
    if (s.kind == Kind::yarn) share = 1 - ramp(static_cast<double>(i), begin, end);
    all.push_back(s.kind == Kind::longrope ? w / factors[static_cast<std::size_t>(i)]
                                           : w * share + w / s.factor * (1 - share));
  }
  return all;
}

}  // namespace headlight
