#include "model/layers/parameters.h"

#include <Eigen/QR>
#include <cmath>

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

namespace {

void draw_orthogonal(Tensor& value, Random& random) {
  const Index n = value.dim(0);
  require_shape(value.columns() % n == 0, "orthogonal start", "square blocks", value.shape());
  for (Index block = 0; block < value.columns(); block += n) {
    Eigen::MatrixXd gaussian(n, n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) gaussian(i, j) = random.normal();
    const Eigen::MatrixXd q = Eigen::HouseholderQR<Eigen::MatrixXd>(gaussian).householderQ();
    value.matrix().middleCols(block, n) = q.cast<Scalar>();
  }
}

void draw(Tensor& value, const Init& init, Random& random) {
  if (init.kind == Init::Kind::orthogonal) return draw_orthogonal(value, random);
  const auto row_count = static_cast<double>(value.rank() < 2 ? value.size() : value.dim(0));
  const double glorot = std::sqrt(6 / (row_count + static_cast<double>(value.columns())));
  for (Index i = 0; i < value.size(); ++i) {
    double x = 0;
    if (init.kind == Init::Kind::constant) x = init.scale;
    if (init.kind == Init::Kind::first_quarter) x = i < value.size() / 4 ? init.scale : 0;
    if (init.kind == Init::Kind::normal) x = init.scale * random.normal();
    if (init.kind == Init::Kind::uniform) x = init.scale * (2 * random.uniform() - 1);
    if (init.kind == Init::Kind::fan_in) x = random.normal() / std::sqrt(row_count);
    if (init.kind == Init::Kind::glorot) x = glorot * (2 * random.uniform() - 1);
    value[i] = static_cast<Scalar>(x);
  }
}

// By its name; tables of one model have the same order, and a mixture of experts has thousands of parameters.
const Tensor* likely(const ParameterTable& table, std::size_t at, const std::string& name) {
  const std::vector<Parameter>& all = table.all();
  return at < all.size() && all[at].name == name ? &all[at].value : table.find(name);
}

}  // namespace

ParameterBuilder ParameterBuilder::operator/(const std::string& name) const {
  ParameterBuilder inner = *this;
  inner.prefix_ += name + ".";
  return inner;
}

Tensor ParameterBuilder::make(const std::string& name, const Shape& shape, Init init) const {
  if (values_.kind == InitialValues::Kind::none) {
    table_->add(prefix_ + name, Tensor::shape_only(shape));
    return Tensor::shape_only(shape);
  }
  const Tensor* shared = values_.shared ? likely(*values_.shared, table_->all().size(), prefix_ + name) : nullptr;
  if (shared && shared->shape() == shape) {
    table_->add(prefix_ + name, *shared);
    return *shared;
  }
  Tensor value = Tensor::zeros(shape);
  if (values_.kind == InitialValues::Kind::drawn) draw(value, init, *random_);
  value.mark_parameter();
  table_->add(prefix_ + name, value);
  return value;
}

}  // namespace headlight
