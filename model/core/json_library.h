// The library behind Json, for what looks into it. What every file that does so would instantiate for itself stands in
// json.cpp.
#pragma once

#include <nlohmann/json.hpp>

#include "model/core/json.h"

extern template class nlohmann::basic_json<nlohmann::ordered_map>;
extern template class std::vector<nlohmann::ordered_json>;
extern template struct nlohmann::ordered_map<std::string, nlohmann::ordered_json>;
extern template class nlohmann::detail::serializer<nlohmann::ordered_json>;
