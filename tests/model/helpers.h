// What the tests of the core share: tensors by formula, tiny models, edits, and comparing numbers.
#pragma once

#include <QString>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "model/layers/attention.h"
#include "model/models/registry.h"
#include "model/trace/intervention.h"

namespace headlight::testing {

// The deterministic fill of the golden numbers (models.md 15.2): F(s; r, c)[i][j] = sin(1 + 3i + 5j + s) / 2.
inline Tensor fill(double s, const Shape& shape) {
  Tensor tensor(shape);
  const Index columns = tensor.columns();
  for (Index n = 0; n < tensor.size(); ++n) {
    const auto i = static_cast<double>(n / columns), j = static_cast<double>(n % columns);
    tensor[n] = static_cast<Scalar>(0.5 * std::sin(1 + 3 * i + 5 * j + s));
  }
  return tensor;
}

// 1, 2, 3, …: [[1, 2, 3], [4, 5, 6]]
inline Tensor counting(const Shape& shape) {
  Tensor t(shape);
  for (Index i = 0; i < t.size(); ++i) t[i] = static_cast<Scalar>(i + 1);
  return t;
}

inline std::vector<double> doubles(const Tensor& tensor) { return {tensor.data(), tensor.data() + tensor.size()}; }

// Empty when every number is within `tolerance` of what is expected, absolutely and relative to its size; otherwise
// what is wrong first. Two NaN, or two equal infinities, agree.
inline QString difference(const std::vector<double>& got, const std::vector<double>& expected, double tolerance) {
  if (got.size() != expected.size()) return QString("expected %1 numbers, got %2").arg(expected.size()).arg(got.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] == expected[i] || (std::isnan(got[i]) && std::isnan(expected[i]))) continue;
    const double error = std::abs(got[i] - expected[i]);
    if (!(error <= tolerance * std::max(1.0, std::abs(expected[i]))))
      return QString("number %1: expected %2, got %3").arg(i).arg(expected[i], 0, 'g', 17).arg(got[i], 0, 'g', 17);
  }
  return {};
}
inline QString difference(const Tensor& got, const std::vector<double>& expected, double tolerance) {
  return difference(doubles(got), expected, tolerance);
}
inline QString difference(const Tensor& got, const Tensor& expected, double tolerance) {
  if (got.shape() != expected.shape())
    return QString::fromStdString("expected " + expected.shape().text() + ", got " + got.shape().text());
  return difference(doubles(got), doubles(expected), tolerance);
}

// Fails the test with the difference, if there is one.
inline bool same(const QString& difference, const char* what) {
  if (!difference.isEmpty()) qWarning("%s: %s", what, qPrintable(difference));
  return difference.isEmpty();
}

// The text of the exception of type E that `call` throws; a remark when it throws none.
template <class E, class Call>
QString message_of(Call call) {
  try {
    call();
  } catch (const E& e) {
    return QString::fromUtf8(e.what());
  } catch (const std::exception& e) {
    return QString("another exception: ") + e.what();
  }
  return "no exception";
}

// An attention read without parameters: dot scores over everything.
inline Tensor attend(const Tensor& queries, const Tensor& keys, const Tensor& values, const SitePath& place,
                     const Tap& tap) {
  ParameterTable table;
  Random random(1, Random::Stream::init);
  const Attention attention(ParameterBuilder(table, {}, random), {}, keys.columns(), keys.columns());
  return attention.read(queries, 0, attention.prepare(keys, values, {}, place, tap), place, tap).context;
}

struct TinySizes {
  Index embedding = 3, hidden = 4, source_vocabulary = 7, target_vocabulary = 7;
};

// A model with weights large enough that no gate sits at its middle.
inline std::unique_ptr<Model> tiny_model(const char* architecture, bool reverse, const TinySizes& sizes = {}) {
  auto model = make_model({{"model_type", architecture},
                           {"source_vocabulary_size", sizes.source_vocabulary},
                           {"target_vocabulary_size", sizes.target_vocabulary},
                           {"embedding_size", sizes.embedding},
                           {"hidden_size", sizes.hidden},
                           {"reverse_source", reverse}},
                          1);
  double s = 0;
  for (Parameter& parameter : model->parameters().all())
    parameter.value.array() = fill(s += 1, parameter.value.shape()).array() * Scalar(1.4);
  return model;
}

inline Intervention edit_of(const char* site, Intervention::Kind kind, Index cell, Scalar value,
                            std::vector<Scalar> values = {}) {
  return {site, kind, cell, value, std::move(values)};
}

inline const char* const kArchitectures[] = {"seq2seq", "seq2seq_peeky", "attn_seq2seq"};

inline Tensor single_id(Scalar id) { return Tensor::full({1, 1}, id); }

}  // namespace headlight::testing
