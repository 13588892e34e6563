#include "model/io/parameter_shapes.h"

#include <map>

namespace headlight {

namespace {

constexpr Index kTiny = 1;
constexpr Index kLargest = Index{1} << 40;  // products with the few multiples of a layer stay far from overflow

using Sizes = std::map<std::string, Index>;

std::vector<ExpectedTensor> shapes_of(Json config, const Sizes& sizes) {
  for (const auto& [key, size] : sizes) config[key] = size;
  const std::unique_ptr<Model> model = make_model(config, 0);
  std::vector<ExpectedTensor> shapes;
  for (const Parameter& parameter : model->parameters().all())
    shapes.push_back({parameter.name, parameter.value.shape()});
  return shapes;
}

// How much each dimension grows with one setting.
struct Slopes {
  std::vector<ExpectedTensor> base;
  std::map<std::string, std::vector<std::vector<Index>>> by_setting;

  std::optional<std::vector<ExpectedTensor>> at(const Sizes& sizes) const {
    std::vector<ExpectedTensor> shapes = base;
    for (std::size_t i = 0; i < base.size(); ++i) {
      std::vector<Index> dims = base[i].shape.vector();
      for (std::size_t axis = 0; axis < dims.size(); ++axis)
        for (const auto& [key, slopes] : by_setting) dims[axis] += slopes[i][axis] * (sizes.at(key) - kTiny);
      for (const Index dim : dims)
        if (dim < 0) return {};
      shapes[i].shape = Shape(dims);
    }
    return shapes;
  }
};

std::optional<Slopes> measure(const Json& config, const Sizes& tiny) {
  Slopes slopes{shapes_of(config, tiny), {}};
  for (const auto& [key, size] : tiny) {
    Sizes larger = tiny;
    larger[key] = size + 1;
    const std::vector<ExpectedTensor> grown = shapes_of(config, larger);
    auto& rows = slopes.by_setting[key];
    if (grown.size() != slopes.base.size()) return {};
    for (std::size_t i = 0; i < grown.size(); ++i) {
      if (grown[i].shape.rank() != slopes.base[i].shape.rank()) return {};
      std::vector<Index> row;
      for (int axis = 0; axis < grown[i].shape.rank(); ++axis)
        row.push_back(grown[i].shape[axis] - slopes.base[i].shape[axis]);
      rows.push_back(std::move(row));
    }
  }
  return slopes;
}

bool same(const std::vector<ExpectedTensor>& a, const std::vector<ExpectedTensor>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].name != b[i].name || a[i].shape != b[i].shape) return false;
  return true;
}

}  // namespace

std::optional<std::vector<ExpectedTensor>> expected_shapes(const Json& config) {
  Sizes wanted, tiny, probe;
  Index next = 2;
  for (const auto& [key, value] : find_architecture(config.at("model_type").get<std::string>()).defaults.items()) {
    if (!key.ends_with("_size")) continue;
    const Json& given = config.contains(key) ? config[key] : value;
    if (!given.is_number_integer() || given.get<std::int64_t>() < 1 || given.get<std::int64_t>() > kLargest) return {};
    wanted[key] = given.get<std::int64_t>();
    tiny[key] = kTiny;
    probe[key] = next++;
  }
  try {
    const std::optional<Slopes> slopes = measure(config, tiny);
    if (!slopes) return {};
    const auto predicted = slopes->at(probe);
    if (!predicted || !same(*predicted, shapes_of(config, probe))) return {};
    return slopes->at(wanted);
  } catch (const Error&) {
    return {};  // the architecture does not go that small; its own bounds must do
  }
}

}  // namespace headlight
