// How choices are spelled in session files.
#pragma once

#include <algorithm>
#include <array>

#include "model/decode/run.h"

namespace headlight::session_names {

template <typename Value>
struct Named {
  const char* name;
  Value value;
};

inline constexpr const char* kVersionKey = "headlight_session";

inline constexpr std::array kEditKinds = {
    Named{"set", Intervention::Kind::set},     Named{"pin", Intervention::Kind::pin},
    Named{"scale", Intervention::Kind::scale}, Named{"add", Intervention::Kind::add},
    Named{"zero", Intervention::Kind::zero},   Named{"replace", Intervention::Kind::replace}};
inline constexpr std::array kDecodeKinds = {Named{"greedy", DecodeSettings::Kind::greedy},
                                            Named{"sample", DecodeSettings::Kind::sample},
                                            Named{"beam", DecodeSettings::Kind::beam}};
inline constexpr std::array kLengthNorms = {Named{"wu16", LengthNorm::wu16}, Named{"power", LengthNorm::power},
                                            Named{"none", LengthNorm::none}};
inline constexpr std::array kBeamStops = {Named{"best_possible", BeamStop::best_possible},
                                          Named{"first_b", BeamStop::first_b}};

template <typename Value, std::size_t n>
const char* name_of(const std::array<Named<Value>, n>& names, Value value) {
  return std::find_if(names.begin(), names.end(), [&](const auto& row) { return row.value == value; })->name;
}

}  // namespace headlight::session_names
