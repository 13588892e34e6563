#include "model/layers/parameters.h"

namespace headlight {

void ParameterTable::add(std::string name, Tensor value) { rows_.push_back({std::move(name), std::move(value)}); }

const Tensor* ParameterTable::find(const std::string& name) const {
  for (const Parameter& row : rows_)
    if (row.name == name) return &row.value;
  return nullptr;
}

Index ParameterTable::count() const {
  Index count = 0;
  for (const Parameter& row : rows_) count += row.value.size();
  return count;
}

ParameterBuilder ParameterBuilder::operator/(const std::string& name) const {
  ParameterBuilder inner = *this;
  inner.prefix_ += name + ".";
  return inner;
}

Tensor ParameterBuilder::make(const std::string& name, const Shape& shape, Init init) const {
  if (kind_ == InitialValues::Kind::none) {
    table_->add(prefix_ + name, Tensor::shape_only(shape));
    return Tensor::shape_only(shape);
  }
  Tensor value = Tensor::zeros(shape);
  for (Index i = 0; i < value.size() && kind_ == InitialValues::Kind::drawn; ++i) {
    double draw = 0;
    if (init.kind == Init::Kind::normal) draw = init.scale * random_->normal();
    if (init.kind == Init::Kind::uniform) draw = init.scale * (2 * random_->uniform() - 1);
    value[i] = static_cast<Scalar>(draw);
  }
  value.mark_parameter();
  table_->add(prefix_ + name, value);
  return value;
}

}  // namespace headlight
