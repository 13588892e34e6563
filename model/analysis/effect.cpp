#include "model/analysis/effect.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

std::optional<double> cosine(const Scalar* a, const Scalar* b, Index size) {
  using Row = Eigen::Map<const Eigen::Matrix<Scalar, Eigen::Dynamic, 1>>;
  const Eigen::VectorXd x = Row(a, size).cast<double>(), y = Row(b, size).cast<double>();
  const double lengths = x.norm() * y.norm();
  if (!(lengths > 0)) return {};
  return std::clamp(x.dot(y) / lengths, -1.0, 1.0);
}

}  // namespace

std::optional<double> cosine(const TextVector& a, const TextVector& b) {
  const bool is_vector = a.kind == TextVector::Kind::pooled || a.kind == TextVector::Kind::sentence;
  if (a.kind != b.kind || !is_vector || a.value.size() != b.value.size()) return {};
  return cosine(a.value.data(), b.value.data(), a.value.size());
}

double follows_probability(const TextVector& follows) {
  return 1 / (1 + std::exp(static_cast<double>(follows.value[1]) - static_cast<double>(follows.value[0])));
}

int last_states(const Trace& trace) {
  for (int i = trace.size() - 1; i >= 0; --i) {
    const SiteKind* kind = trace[i].site.kind;
    if (!kind || kind->derived || kind->side != SiteKind::Side::encoder) continue;
    const bool of_layers = trace[i].site.layer >= 0 || trace[i].site.text.starts_with("encoder.final_norm") ||
                           trace[i].site.text.starts_with("encoder.project");
    if (of_layers && kind->axes == std::vector{Axis::source, Axis::unit}) return i;
  }
  return -1;
}

std::optional<double> states_cosine(const Result& a, const Result& b) {
  if (!a.trace || !b.trace) return {};
  const int in_a = last_states(*a.trace), in_b = last_states(*b.trace);
  if (in_a < 0 || in_b < 0 || (*a.trace)[in_a].site.text != (*b.trace)[in_b].site.text) return {};
  const Tensor &x = (*a.trace)[in_a].value, &y = (*b.trace)[in_b].value;
  if (x.shape() != y.shape() || x.rows() == 0) return {};
  double sum = 0;
  for (Index row = 0; row < x.rows(); ++row) {
    const auto one = cosine(x.data() + row * x.columns(), y.data() + row * x.columns(), x.columns());
    if (!one) return {};
    sum += *one;
  }
  return sum / static_cast<double>(x.rows());
}

}  // namespace headlight
