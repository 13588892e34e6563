// A decoder whose answers are given, for tests of beam search.
#pragma once

#include <cmath>
#include <functional>
#include <stdexcept>
#include <vector>

#include "model/decode/beam.h"

namespace headlight::beams {

using Ids = std::vector<TokenId>;
inline constexpr double kTolerance = 1e-6;
inline constexpr TokenId kStart = 0, kEnd = 1, kA = 2, kB = 3;

// A decoder that looks its answers up by what was written so far (the start sign not counted).
class Script : public Decoding {
 public:
  using Rule = std::function<std::vector<double>(const Ids& prefix)>;
  explicit Script(Rule probabilities, Rule attention = {})
      : probabilities_(std::move(probabilities)), attention_(std::move(attention)) {}

  Tensor advance(const Tensor& ids, const Pass&) override {
    if (ids.size() != static_cast<Index>(prefixes_.size())) throw std::logic_error("another number of rows");
    std::vector<Scalar> logits;
    shown_.clear();
    for (std::size_t k = 0; k < prefixes_.size(); ++k) {
      const auto id = static_cast<TokenId>(ids[static_cast<Index>(k)]);
      if (begun_) {
        prefixes_[k].push_back(id);
      } else if (id != kStart) {
        throw std::logic_error("does not begin with the start sign");
      }
      for (const double p : probabilities_(prefixes_[k])) logits.push_back(static_cast<Scalar>(std::log(p)));
      if (attention_)
        for (const double a : attention_(prefixes_[k])) shown_.push_back(static_cast<Scalar>(a));
    }
    begun_ = true;
    const auto n = static_cast<Index>(prefixes_.size());
    return Tensor::of({n, 1, static_cast<Index>(logits.size()) / n}, logits);
  }
  void select(const std::vector<Index>& rows) override {
    std::vector<Ids> chosen;
    for (const Index row : rows) chosen.push_back(prefixes_.at(static_cast<std::size_t>(row)));
    prefixes_ = std::move(chosen);
  }
  Tensor attention() const override {
    if (!attention_) return {};
    const auto n = static_cast<Index>(prefixes_.size());
    return Tensor::of({n, 1, static_cast<Index>(shown_.size()) / n}, shown_);
  }

 private:
  Rule probabilities_, attention_;
  std::vector<Ids> prefixes_ = {{}};
  std::vector<Scalar> shown_;
  bool begun_ = false;
};

// Any probabilities of V tokens, different after every prefix.
inline std::vector<double> some_probabilities(const Ids& prefix, Index v_count) {
  double s = 1;
  for (const TokenId id : prefix) s = 7.3 * s + 3.1 * id + 1;
  std::vector<double> p;
  double sum = 0;
  for (Index v = 0; v < v_count; ++v) {
    p.push_back(std::exp(2 * std::sin(s * static_cast<double>(v + 1))));
    sum += p.back();
  }
  for (double& x : p) x /= sum;
  return p;
}
inline std::vector<double> some_attention(const Ids& prefix) { return some_probabilities(prefix, 3); }

inline BeamSettings beam(Index width, Index max_len) {
  BeamSettings settings;
  settings.width = width;
  settings.max_len = max_len;
  return settings;
}
inline const BeamTokens kTokens{kStart, kEnd, {kStart}};

inline BeamTree search(const Script::Rule& rule, const BeamSettings& settings, const BeamTokens& tokens = kTokens,
                       const Script::Rule& attention = {}) {
  Script script(rule, attention);
  return beam_search(script, settings, tokens);
}

}  // namespace headlight::beams
