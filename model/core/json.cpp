#include "model/core/json.h"

#include <nlohmann/json.hpp>

namespace headlight {

SharedJson::SharedJson() {
  static const auto nothing = std::make_shared<const Json>(Json::object());
  json_ = nothing;
}
SharedJson::SharedJson(const Json& json) : json_(std::make_shared<const Json>(json)) {}
bool SharedJson::operator==(const SharedJson& other) const { return json_ == other.json_ || *json_ == *other.json_; }
bool SharedJson::empty() const { return json_->empty(); }

}  // namespace headlight
