#include "model/training/optimiser.h"

#include <cmath>
#include <numeric>

#include "model/core/parallel.h"
#include "model/text/nearest.h"

namespace headlight {

namespace {

void sgd(ParameterUpdate& u) { u.theta -= static_cast<Scalar>(u.rate) * u.gradient; }

void momentum(ParameterUpdate& u) {
  ArrayMap v = u.kept[0];
  v = u.factor(u.constants.momentum) * v - static_cast<Scalar>(u.rate) * u.gradient;
  u.theta += v;
}

// v is in units of the learning rate, so a new rate rescales it.
void nag(ParameterUpdate& u) {
  ArrayMap v = u.kept[0];
  const double mu = *u.constants.momentum, correction = u.last_rate == 0 ? 1 : u.rate / u.last_rate;
  u.theta += static_cast<Scalar>(mu * mu * correction) * v - static_cast<Scalar>((1 + mu) * u.rate) * u.gradient;
  v = static_cast<Scalar>(mu * correction) * v - static_cast<Scalar>(u.rate) * u.gradient;
}

void adam_averages(ParameterUpdate& u) {
  ArrayMap m = u.kept[0], v = u.kept[1];
  m += static_cast<Scalar>(1 - *u.constants.beta1) * (u.gradient - m);
  v += static_cast<Scalar>(1 - *u.constants.beta2) * (u.gradient.square() - v);
}

void adam(ParameterUpdate& u) {
  adam_averages(u);
  const auto mean = static_cast<Scalar>(u.rate / (1 - std::pow(*u.constants.beta1, u.number)));
  const auto square = static_cast<Scalar>(1 / (1 - std::pow(*u.constants.beta2, u.number)));
  u.theta -= mean * u.kept[0] / ((square * u.kept[1]).sqrt() + u.factor(u.constants.epsilon));
}

// The book's form: the correction of both averages is in the rate, so ε stands beside the uncorrected root.
void adam_epsilon_hat(ParameterUpdate& u) {
  adam_averages(u);
  const auto rate = static_cast<Scalar>(u.rate * std::sqrt(1 - std::pow(*u.constants.beta2, u.number)) /
                                        (1 - std::pow(*u.constants.beta1, u.number)));
  u.theta -= rate * u.kept[0] / (u.kept[1].sqrt() + u.factor(u.constants.epsilon));
}

void adadelta(ParameterUpdate& u) {
  ArrayMap square = u.kept[0], step = u.kept[1];
  const Scalar rho = u.factor(u.constants.beta2), epsilon = u.factor(u.constants.epsilon);
  square = rho * square + (1 - rho) * u.gradient.square();
  // The step before the learning rate is what is averaged, and it is needed twice.
  const Eigen::Array<Scalar, Eigen::Dynamic, 1> delta =
      (step + epsilon).sqrt() / (square + epsilon).sqrt() * u.gradient;
  step = rho * step + (1 - rho) * delta.square();
  u.theta -= static_cast<Scalar>(u.rate) * delta;
}

void rmsprop_graves(ParameterUpdate& u) {
  ArrayMap n = u.kept[0], m = u.kept[1], delta = u.kept[2];
  const Scalar beta1 = u.factor(u.constants.beta1), beta2 = u.factor(u.constants.beta2);
  n = beta2 * n + (1 - beta2) * u.gradient.square();
  m = beta1 * m + (1 - beta1) * u.gradient;
  // n − m² is a variance: rounding must not make it negative.
  delta = u.factor(u.constants.momentum) * delta -
          static_cast<Scalar>(u.rate) * u.gradient /
              ((n - m.square()).max(Scalar(0)) + u.factor(u.constants.epsilon)).sqrt();
  u.theta += delta;
}

OptimiserConstants with(double rate, std::optional<double> momentum = {}, std::optional<double> beta1 = {},
                        std::optional<double> beta2 = {}, std::optional<double> epsilon = {}) {
  return {rate, momentum, beta1, beta2, epsilon};
}

}  // namespace

OptimiserConstants OptimiserConstants::or_else(const OptimiserConstants& d) const {
  const auto either = [](const auto& a, const auto& b) { return a ? a : b; };
  return {either(learning_rate, d.learning_rate), either(momentum, d.momentum), either(beta1, d.beta1),
          either(beta2, d.beta2), either(epsilon, d.epsilon)};
}

const std::vector<OptimiserRow>& optimisers() {
  static const std::vector<OptimiserRow> rows = {
      {"adam_epsilon_hat",
       "m, v: running means of g, g²;  θ −= lr·sqrt(1−β2^t)/(1−β1^t) · m/(sqrt(v)+ε)",
       "Kingma & Ba 2015, section 2, last paragraph",
       with(1e-3, {}, 0.9, 0.999, 1e-7),
       {"m", "v"},
       adam_epsilon_hat},
      {"adam",
       "m, v: running means of g, g²;  θ −= lr · m̂/(sqrt(v̂)+ε)",
       "Kingma & Ba 2015, algorithm 1",
       with(1e-3, {}, 0.9, 0.999, 1e-8),
       {"m", "v"},
       adam},
      {"sgd", "θ −= lr·g", "Robbins & Monro 1951", with(0.1), {}, sgd},
      {"momentum", "v = μ·v − lr·g;  θ += v", "Polyak 1964", with(0.01, 0.9), {"v"}, momentum},
      {"nag",
       "c = lr/lr_before;  θ += μ²·c·v − (1+μ)·lr·g;  v = μ·c·v − lr·g",
       "Sutskever et al. 2013; Bengio et al. 2013",
       with(0.25, 0.99),
       {"v"},
       nag},
      {"adadelta",
       "G = ρ·G+(1−ρ)·g²;  Δ = −sqrt(D+ε)/sqrt(G+ε)·g;  D = ρ·D+(1−ρ)·Δ²;  θ += lr·Δ",
       "Zeiler 2012, algorithm 1",
       with(1, {}, {}, 0.95, 1e-6),
       {"square", "step"},
       adadelta},
      {"rmsprop_graves",
       "n = β2·n+(1−β2)·g²;  m = β1·m+(1−β1)·g;  Δ = μ·Δ − lr·g/sqrt(n−m²+ε);  θ += Δ",
       "Graves 2013, eqs. 38-41",
       with(1e-4, 0.9, 0.95, 0.95, 1e-4),
       {"n", "m", "step"},
       rmsprop_graves}};
  return rows;
}

std::string current_optimiser_name(const std::string& name) { return name == "adam_fish" ? "adam_epsilon_hat" : name; }

const OptimiserRow& find_optimiser(const std::string& name) {
  return row_named(optimisers(), current_optimiser_name(name), "optimiser");
}

Optimiser::Optimiser(const std::string& name, const OptimiserConstants& constants, const ParameterTable& parameters)
    : row_(find_optimiser(name)), constants_(constants.or_else(row_.defaults)) {
  for (const Parameter& p : parameters.all()) {
    names_.push_back(p.name);
    kept_.emplace_back();
    for (std::size_t k = 0; k < row_.kept.size(); ++k) kept_.back().push_back(Tensor::zeros(p.value.shape()));
  }
}

void Optimiser::update(ParameterTable& parameters, const std::vector<Tensor>& gradients, double rate) {
  ++updates_;
  if (updates_ == 1) last_rate_ = rate;
  // Every number is updated by itself, so that large parameters may be cut.
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    Tensor value = parameters.all()[i].value;
    parallel_for(value.size(), grain_for(value.size(), 8, 64), [&](Index begin, Index end) {
      const auto piece = [&](Tensor& t) { return ArrayMap(t.data() + begin, end - begin); };
      std::vector<ArrayMap> kept;
      for (Tensor& t : kept_[i]) kept.push_back(piece(t));
      ParameterUpdate step{constants_,   rate,
                           last_rate_,   static_cast<double>(updates_),
                           piece(value), ConstArrayMap(gradients[i].data() + begin, end - begin),
                           kept};
      row_.update(step);
    });
  }
  last_rate_ = rate;
}

std::vector<NamedTensor> Optimiser::state() const {
  std::vector<NamedTensor> state;
  for (std::size_t i = 0; i < names_.size(); ++i)
    for (std::size_t k = 0; k < row_.kept.size(); ++k)
      state.push_back({std::string(row_.name) + "." + row_.kept[k] + "." + names_[i], kept_[i][k]});
  return state;
}

double global_norm(const std::vector<Tensor>& gradients) {
  std::vector<double> sums(gradients.size());
  parallel_parts(static_cast<int>(sums.size()), [&](int i) {
    const auto at = static_cast<std::size_t>(i);
    sums[at] = gradients[at].array().cast<double>().square().sum();
  });
  return std::sqrt(std::accumulate(sums.begin(), sums.end(), 0.0));
}

double clip_global_norm(std::vector<Tensor>& gradients, double limit) {
  const double norm = global_norm(gradients);
  if (norm > limit)
    for (Tensor& g : gradients) g.array() *= static_cast<Scalar>(limit / (norm + 1e-6));
  return norm;
}

void clip_values(std::vector<Tensor>& gradients, double limit) {
  const auto bound = static_cast<Scalar>(limit);
  for (Tensor& g : gradients) g.array() = g.array().max(-bound).min(bound);
}

}  // namespace headlight
