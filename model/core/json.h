// JSON values in headers that do not show the library, which takes most of a second of every file that includes it.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

namespace headlight {

using Json = nlohmann::ordered_json;

// An immutable JSON value, an empty object at first. Copies share it.
class SharedJson {
 public:
  SharedJson();
  SharedJson(const Json& json);  // NOLINT: a value is a value
  const Json& operator*() const { return *json_; }
  const Json* operator->() const { return json_.get(); }
  bool operator==(const SharedJson& other) const;
  bool empty() const;  // of an object or a list: it has nothing in it

 private:
  std::shared_ptr<const Json> json_;
};

}  // namespace headlight
