// A value of a run with what its formula may speak of: other values, weights and settings, read as rows of numbers.
#pragma once

#include <QTest>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/core/json_library.h"
#include "model/io/model_folder.h"
#include "model/models/traits.h"
#include "model/trace/trace.h"

namespace headlight::formulas {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// One value of a run, and what its formula may speak of.
struct Reading {
  const ModelBundle& bundle;
  const Trace& trace;
  const TraceEntry& entry;

  static Rows rows_of(const Tensor& t) {
    const Index columns = t.rank() == 0 ? 1 : t.columns();
    Rows rows(t.size() / columns, columns);
    for (Index i = 0; i < t.size(); ++i) rows.data()[i] = static_cast<double>(t[i]);
    return rows;
  }
  Json config() const { return bundle.model->config(); }
  std::string name(const char* key, const char* otherwise) const { return config().value(key, otherwise); }
  bool has(const std::string& site) const { return trace.value(site).defined(); }
  Rows value(const std::string& site) const {
    const Tensor t = trace.value(site);
    if (!t.defined()) throw std::runtime_error("no value " + site);
    return rows_of(t);
  }
  Rows weight(const std::string& parameter) const {
    const Tensor* t = bundle.model->parameters().find(parameter);
    if (!t) throw std::runtime_error("no weight " + parameter);
    return rows_of(*t);
  }
  bool has_weight(const std::string& parameter) const { return bundle.model->parameters().find(parameter); }

  Index t() const { return entry.site.step; }
  std::string step(Index at) const { return "decoder.step[" + std::to_string(at) + "]."; }
  std::string step() const { return step(t()); }
  // What stands in front of the last `parts` parts of the name, with the point.
  std::string before(int parts) const {
    std::size_t end = entry.site.text.size();
    for (int i = 0; i < parts; ++i) end = entry.site.text.rfind('.', end - 1);
    return entry.site.text.substr(0, end + 1);
  }
  std::string side() const { return entry.site.text.starts_with("encoder") ? "encoder" : "decoder"; }
  Index layers() const { return config().value("layers", 1); }

  // --- recurrent
  std::string state_leaf(const char* symbol = "h") const {
    const std::string cell = name("cell", "lstm");
    return (cell.starts_with("gru") ? "gru" : cell) + "." + symbol;
  }
  std::string layer_of_query() const {
    return layers() > 1 && bundle.model->traits().architecture != "bahdanau"
               ? "layer[" + std::to_string(config().value("query_layer", 0)) + "]."
               : "";
  }
  Rows state() const { return value(step() + layer_of_query() + state_leaf()); }
  Rows top_state() const {
    const std::string layer = layers() > 1 ? "layer[" + std::to_string(layers() - 1) + "]." : "";
    return value(step() + layer + state_leaf());
  }
  Rows top_sum() const { return value(step() + "layer[" + std::to_string(layers() - 1) + "].residual.out"); }
  Rows previous_state() const { return t() == 0 ? value("decoder.init.h") : value(step(t() - 1) + state_leaf()); }
  Rows context() const {
    return value(step() + (has(step() + "attention.gated") ? "attention.gated" : "attention.context"));
  }
  Rows query() const { return value(step() + "attention.query"); }
  Rows keys() const { return value("encoder.states"); }
  Rows embedded() const { return value(step() + "embed.out"); }
  // The last state that an encoder layer made, in the order in which it read.
  Rows last(const char* leaf, const char* direction = "") const {
    const std::string layer =
        layers() > 1 && entry.site.layer >= 0 ? "layer[" + std::to_string(entry.site.layer) + "]." : "";
    const Index s = keys().rows();
    const std::string at = std::string(direction) == "bwd." ? "0" : std::to_string(s - 1);
    return value("encoder." + layer + direction + "step[" + at + "]." + state_leaf(leaf));
  }

  // --- Transformers
  std::string table() const { return has_weight("embed.W") ? "embed.W" : side() + ".embed.W"; }
  Rows index_select(const std::string& table_name, const Rows& ids) const {
    const Rows table = weight(table_name);
    Rows out(ids.size(), table.cols());
    for (Index i = 0; i < ids.size(); ++i) out.row(i) = table.row(static_cast<Index>(ids.data()[i]));
    return out;
  }
  Rows ids() const { return t() >= 0 ? value(step() + "input.id") : value("input.src.ids"); }
  // Token rows of an embedding: a prompt that is continued is one token shorter than the source.
  Rows tokens() const {
    const Rows all = index_select(table(), ids());
    return all.topRows(rows_of(entry.value).rows());
  }
  double root_d() const { return std::sqrt(config().at("model_size").get<double>()); }
  Index first_position() const {
    if (t() < 0) return 0;
    return t() + (has("decoder.embed.token") ? trace.value("decoder.embed.token").dim(0) : 0);
  }
  Rows sinusoids() const {
    Rows pe = rows_of(entry.value);
    const double d = static_cast<double>(pe.cols());
    for (Index r = 0; r < pe.rows(); ++r)
      for (Index c = 0; c < pe.cols(); ++c) {
        const double angle =
            static_cast<double>(first_position() + r) / std::pow(1e4, static_cast<double>(c / 2 * 2) / d);
        pe(r, c) = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
      }
    return pe;
  }
  Rows learned() const { return weight(side() + ".pos.W").middleRows(first_position(), rows_of(entry.value).rows()); }
  // Layer norm of each row, with the weights under `place`.
  Rows normed(const Rows& x, const std::string& place) const {
    const Rows gamma = weight(place + "gamma"), beta = weight(place + "beta");
    Rows y = x;
    for (Index r = 0; r < x.rows(); ++r) {
      const double mean = x.row(r).mean();
      const double deviation =
          std::sqrt((x.row(r).array() - mean).square().mean() + config().at("norm_epsilon").get<double>());
      for (Index c = 0; c < x.cols(); ++c) y(r, c) = (x(r, c) - mean) / deviation * gamma.data()[c] + beta.data()[c];
    }
    return y;
  }
  std::string layer_place() const { return before(1); }  // of a residual
  std::string layer_weights() const { return side() + ".layer[" + std::to_string(entry.site.layer) + "]."; }
  // x in front of the sum with this number.
  Rows residual_input(int number) const {
    if (number > 1) return value(layer_place() + "residual" + std::to_string(number - 1));
    if (entry.site.layer == 0) return value(replaced(layer_place(), "layer[0].", "") + "embed.out");
    const std::string below = replaced(layer_place(), "layer[" + std::to_string(entry.site.layer),
                                       "layer[" + std::to_string(entry.site.layer - 1));
    return value(below + (has(below + "residual3") ? "residual3" : "residual2"));
  }
  // x + sublayer(norm(x)): what the sublayer was given has to be that norm.
  Rows residual(const char* given) const {
    const int number = entry.site.text.back() - '0';
    const Rows x = residual_input(number);
    const std::string norm = "norm" + std::to_string(number) + ".";
    const Rows expected = normed(x, layer_weights() + norm), found = value(layer_place() + norm + "out");
    if (!(expected - found).isZero(1e-4)) throw std::runtime_error("norm(x) is not what the sublayer was given");
    return x + value(layer_place() + given);
  }
  // q · k_j of every head, [H·T x S].
  Rows head_products() const {
    const std::string place = before(1);
    const bool own = place.find("self_attn") != std::string::npos;
    std::vector<Rows> keys;
    const Tensor q = trace.value(place + "q");
    const Index heads = q.dim(0), k = q.columns(), rows = q.size() / heads / k;
    const std::string prompt = replaced(place, "step[" + std::to_string(t()) + "].", "");
    if (t() < 0) keys.push_back(value(place + "k"));
    if (t() >= 0 && has(prompt + "k")) keys.push_back(value(prompt + "k"));
    for (Index s = 0; own && s <= t(); ++s) keys.push_back(value(replaced(place, step(), step(s)) + "k"));
    Index count = 0;
    for (const Rows& part : keys) count += part.rows() / heads;
    Rows scores(heads * rows, count);
    const Rows queries = rows_of(q);
    for (Index h = 0; h < heads; ++h) {
      Index column = 0;
      for (const Rows& part : keys) {
        const Index n = part.rows() / heads;
        scores.block(h * rows, column, rows, n) =
            queries.middleRows(h * rows, rows) * part.middleRows(h * n, n).transpose();
        column += n;
      }
    }
    return scores;
  }
  double root_dk() const { return std::sqrt(static_cast<double>(trace.value(before(1) + "q").columns())); }
  Rows last_row() const {
    if (has(step() + "final_norm.out")) return value(step() + "final_norm.out");
    return value("encoder.head.norm.out").row(t());
  }
  // Weights stored as direction and length.
  Rows normalised_weight(const std::string& place) const {
    if (has_weight(place + "W")) return weight(place + "W");
    Rows v = weight(place + "v");
    const Rows g = weight(place + "g");
    for (Index c = 0; c < v.cols(); ++c) v.col(c) *= g.data()[c] / v.col(c).norm();
    return v;
  }
};

inline Rows as_row(const Rows& x) { return Eigen::Map<const Rows>(x.data(), 1, x.size()); }
inline Rows beside(const std::vector<Rows>& parts) {
  Index count = 0;
  for (const Rows& part : parts) count += part.size();
  Rows all(1, count);
  Index at = 0;
  for (const Rows& part : parts) {
    all.middleCols(at, part.size()) = as_row(part);
    at += part.size();
  }
  return all;
}
inline Rows tanh_of(const Rows& x) { return x.array().tanh().matrix(); }
// Of each row; −∞ has no share.
inline Rows softmax_of(const Rows& scores) {
  Rows a = scores;
  for (Index r = 0; r < a.rows(); ++r) {
    const double most = a.row(r).maxCoeff();
    a.row(r) = (a.row(r).array() - most).exp().matrix();
    a.row(r) /= a.row(r).sum();
  }
  return a;
}
inline Rows windowed(const Rows& scores, const Rows& keep) {
  Rows s = scores;
  for (Index i = 0; i < s.size(); ++i)
    if (keep.data()[i] == 0) s.data()[i] = -std::numeric_limits<double>::infinity();
  return softmax_of(s);
}

// A row of a test for each bundled model.
inline void add_bundled_models() {
  QTest::addColumn<QString>("folder");
  for (const auto& folder : bundled_models())
    QTest::newRow(folder.filename().c_str()) << QString::fromStdString(folder.string());
}

}  // namespace headlight::formulas
