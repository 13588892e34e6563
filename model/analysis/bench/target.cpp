#include "model/analysis/bench/target.h"

#include <algorithm>
#include <cmath>

#include "model/analysis/bench/word_pairs.h"

namespace headlight {

namespace {

Eigen::VectorXd logit_row(const Reading& reading, Index row) {
  return ConstMatrixMap(reading.logits.data(), reading.logits.rows(), reading.logits.columns())
      .row(row)
      .cast<double>()
      .transpose();
}

TokenId best_of(const Eigen::VectorXd& z, std::optional<TokenId> but = {}) {
  Index best = -1;
  for (Index i = 0; i < z.size(); ++i)
    if (i != but.value_or(-1) && (best < 0 || z[i] > z[best])) best = i;
  return static_cast<TokenId>(best);
}

// log σ(z)
double log_yes(double z) { return z > 0 ? -std::log1p(std::exp(-z)) : z - std::log1p(std::exp(z)); }

Eigen::VectorXd log_shares(const Eigen::VectorXd& z, bool several) {
  if (several) return z.unaryExpr(&log_yes);
  const double most = z.maxCoeff();
  return z.array() - most - std::log((z.array() - most).exp().sum());
}

}  // namespace

Index usual_row(const TextReader& reader, const TextIds& text, const Reading& reading) {
  const ModelBundle& bundle = reader.bundle();
  if (bundle.on_top) return 0;
  if (bundle.model->traits().kind != ModelTraits::Kind::encoder_only) return reading.logits.rows() - 1;
  const auto mask = bundle.text.mask ? std::ranges::find(text.ids, *bundle.text.mask) : text.ids.end();
  if (mask == text.ids.end())
    throw UsageError("the target: this text has no hidden word; hide one, or say at which token (--at)");
  return mask - text.ids.begin();
}

Target settled(Target target, const TextReader& reader, const TextIds& text, const Reading& reading) {
  if (target.of_embedding()) {
    const Index size = embedding_of(reading).size();
    if (target.kind == Target::Kind::unit && (target.unit < 0 || target.unit >= size))
      throw UsageError("the target: the embedding has units from 0 to " + std::to_string(size - 1) + ", found " +
                       std::to_string(target.unit));
    return target;
  }
  if (!reading.logits.defined())
    throw UsageError("the target: this model writes nothing; the targets embedding, similarity and unit are its own");
  if (target.row < 0) target.row = usual_row(reader, text, reading);
  if (target.row >= reading.logits.rows())
    throw UsageError("the target: there are rows from 0 to " + std::to_string(reading.logits.rows() - 1) + ", found " +
                     std::to_string(target.row));
  const Eigen::VectorXd z = logit_row(reading, target.row);
  for (const auto& id : {target.a, target.b})
    if (id && (*id < 0 || *id >= z.size()))
      throw UsageError("the target: expected numbers from 0 to " + std::to_string(z.size() - 1) + ", found " +
                       std::to_string(*id));
  if (!target.a) target.a = best_of(z, target.b);
  if (!target.b && target.kind == Target::Kind::diff) {
    if (z.size() < 2) throw UsageError("the target: this model gives one number; use --target logit");
    target.b = best_of(z, target.a);
  }
  return target;
}

Eigen::VectorXd embedding_of(const Reading& reading) {
  for (const TextVector::Kind kind : {TextVector::Kind::sentence, TextVector::Kind::pooled})
    for (const TextVector& vector : reading.vectors)
      if (vector.kind == kind) return vector.value.array().cast<double>().matrix();
  throw UsageError("the target: this model has no embedding of a text");
}

Eigen::VectorXd class_logits(const Reading& reading) {
  if (!reading.logits.defined()) throw UsageError("the target: this model has no classes");
  return logit_row(reading, 0);
}

Eigen::VectorXd class_shares(const Eigen::VectorXd& logits, bool several) {
  return log_shares(logits, several).array().exp();
}

double class_divergence(const Eigen::VectorXd& a, const Eigen::VectorXd& b, bool several) {
  const auto apart = [&](const Eigen::VectorXd& from, const Eigen::VectorXd& to) {
    const Eigen::VectorXd p = log_shares(from, several), q = log_shares(to, several);
    return (p.array().exp() * (p - q).array()).sum();
  };
  return apart(a, b) + (several ? apart(-a, -b) : 0);
}

double target_value(const Target& target, const Reading& reading, const Eigen::VectorXd& other) {
  if (target.kind == Target::Kind::unit) return embedding_of(reading)[target.unit];
  if (target.of_embedding()) return cosine_of(embedding_of(reading), other);
  const Eigen::VectorXd z = logit_row(reading, target.row);
  if (target.kind == Target::Kind::log_p) return log_shares(z, reading.several)[*target.a];
  return z[*target.a] - (target.kind == Target::Kind::diff ? z[*target.b] : 0);
}

std::string target_text(const Target& target, const TextReader& reader) {
  const std::string name = kTargetNames[static_cast<int>(target.kind)];
  if (target.kind == Target::Kind::unit) return name + " " + std::to_string(target.unit);
  if (target.of_embedding()) return name;
  const std::vector<std::string>& words = reader.bundle().target_vocabulary().tokens();
  // Of several classes the vocabulary has "not A" and "A".
  const auto word = [&](std::optional<TokenId> id) {
    const auto at = static_cast<std::size_t>(id.value_or(0));
    return at < words.size() ? words[at] : std::to_string(at);
  };
  return name + " " + word(target.a) + (target.kind == Target::Kind::diff ? " - " + word(target.b) : "") + " at " +
         std::to_string(target.row);
}

}  // namespace headlight
