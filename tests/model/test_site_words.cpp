// What is shown of a value is what the model did: each formula that a bundled model shows is read here as it stands,
// with the numbers of the run and of the weights, and has to give the value beside it.

#include <QtTest>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "model/decode/run.h"
#include "model/io/model_folder.h"
#include "model/models/registry.h"
#include "model/models/variant.h"
#include "tests/test_program.h"

namespace headlight::test_site_words {

namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
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

Rows as_row(const Rows& x) { return Eigen::Map<const Rows>(x.data(), 1, x.size()); }
Rows beside(const std::vector<Rows>& parts) {
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
Rows tanh_of(const Rows& x) { return x.array().tanh().matrix(); }
// Of each row; −∞ has no share.
Rows softmax_of(const Rows& scores) {
  Rows a = scores;
  for (Index r = 0; r < a.rows(); ++r) {
    const double most = a.row(r).maxCoeff();
    a.row(r) = (a.row(r).array() - most).exp().matrix();
    a.row(r) /= a.row(r).sum();
  }
  return a;
}
Rows windowed(const Rows& scores, const Rows& keep) {
  Rows s = scores;
  for (Index i = 0; i < s.size(); ++i)
    if (keep.data()[i] == 0) s.data()[i] = -std::numeric_limits<double>::infinity();
  return softmax_of(s);
}

const std::map<std::string, std::function<Rows(const Reading&)>>& readings() {
  using R = const Reading&;
  static const std::map<std::string, std::function<Rows(R)>> table = {
      // embeddings
      {"x_j = E[id_j]", [](R r) { return r.index_select("encoder.embed.W", r.value("input.src.ids")); }},
      {"x_t = E[y_{t−1}]", [](R r) { return r.index_select("decoder.embed.W", r.ids()); }},
      {"e_j = E[id_j] + P[j]",
       [](R r) {
         const Rows e = r.index_select("encoder.embed.W", r.value("input.src.ids"));
         return Rows(e + r.weight("encoder.pos.W").topRows(e.rows()));
       }},
      {"g_t = E[y_{t−1}] + P[t]",
       [](R r) { return Rows(r.index_select("decoder.embed.W", r.ids()) + r.weight("decoder.pos.W").row(r.t())); }},
      {"√d · E[id]", [](R r) { return Rows(r.root_d() * r.tokens()); }},
      {"E[id]", [](R r) { return r.tokens(); }},
      {"PE[p]", [](R r) { return r.sinusoids(); }},
      {"P[p]", [](R r) { return r.learned(); }},
      {"x = √d · E[id] + PE[p]", [](R r) { return Rows(r.root_d() * r.tokens() + r.sinusoids()); }},
      {"x = √d · E[id] + P[p]", [](R r) { return Rows(r.root_d() * r.tokens() + r.learned()); }},
      {"x = E[id] + PE[p]", [](R r) { return Rows(r.tokens() + r.sinusoids()); }},
      {"x = √d · E[id]", [](R r) { return Rows(r.root_d() * r.tokens()); }},
      // how a decoder starts
      {"h_{−1} = h_{S−1} of the encoder", [](R r) { return r.last("h"); }},
      {"c_{−1} = 0", [](R r) { return Rows(Rows::Zero(1, r.entry.value.size())); }},
      {"c_{−1} = c_{S−1} of the encoder", [](R r) { return r.last("c"); }},
      {"h_{−1} = tanh(h←_0 W_s + b_s)",
       [](R r) { return tanh_of(r.last("h", "bwd.") * r.weight("decoder.init.W_s") + r.weight("decoder.init.b_s")); }},
      {"h_{−1} = tanh([h→_{S−1} ; h←_0] W_s + b_s)",
       [](R r) {
         return tanh_of(beside({r.last("h", "fwd."), r.last("h", "bwd.")}) * r.weight("decoder.init.W_s") +
                        r.weight("decoder.init.b_s"));
       }},
      {"c_{−1} = tanh([h→_{S−1} ; h←_0] W_c + b_c)",
       [](R r) {
         return tanh_of(beside({r.last("h", "fwd."), r.last("h", "bwd.")}) * r.weight("decoder.init.W_c") +
                        r.weight("decoder.init.b_c"));
       }},
      {"h_{−1} = tanh(m W_s + b_s)",
       [](R r) {
         return tanh_of(r.keys().colwise().mean() * r.weight("decoder.init.W_s") + r.weight("decoder.init.b_s"));
       }},
      {"c_{−1} = tanh(m W_c + b_c)",
       [](R r) {
         return tanh_of(r.keys().colwise().mean() * r.weight("decoder.init.W_c") + r.weight("decoder.init.b_c"));
       }},
      {"z = h_{S−1}", [](R r) { return r.last("h"); }},
      // queries and scores
      {"q = h_t", [](R r) { return r.state(); }},
      {"q = h_{t−1}", [](R r) { return r.previous_state(); }},
      {"s_j = q · k_j",
       [](R r) {
         return r.has(r.step() + "attention.query") ? Rows(r.query() * r.keys().transpose()) : r.head_products();
       }},
      {"s_j = q · k_j / √d_k",
       [](R r) {
         if (!r.has(r.step() + "attention.query")) return Rows(r.head_products() / r.root_dk());
         const Rows q = r.query();
         return Rows(q * r.keys().transpose() / std::sqrt(static_cast<double>(q.cols())));
       }},
      {"s_j = q W_a · k_j", [](R r) { return Rows(r.query() * r.weight("attention.W_a") * r.keys().transpose()); }},
      {"s_j = v_a · tanh(q W_a + k_j U_a)",
       [](R r) {
         const Rows k = r.keys() * r.weight("attention.U_a");
         return Rows((tanh_of(k.rowwise() + (r.query() * r.weight("attention.W_a")).row(0)) *
                      as_row(r.weight("attention.v_a")).transpose())
                         .transpose());
       }},
      {"s_j = v_a · relu(q W_a + k_j U_a + b_a) + b_v",
       [](R r) {
         const Rows k = r.keys() * r.weight("attention.U_a"),
                    q = r.query() * r.weight("attention.W_a") + as_row(r.weight("attention.b_a"));
         return Rows(((k.rowwise() + q.row(0)).cwiseMax(0.0) * as_row(r.weight("attention.v_a")).transpose())
                         .transpose()
                         .array() +
                     r.weight("attention.b_v")(0, 0));
       }},
      {"s_j = (q W_loc)_j, j < S_max",
       [](R r) { return Rows((r.query() * r.weight("attention.W_loc")).leftCols(r.keys().rows())); }},
      {"s_j = β q · k_j / (‖q‖ ‖k_j‖)",
       [](R r) {
         const Rows q = r.query(), k = r.keys();
         const double beta = r.has(r.step() + "attention.beta") ? r.value(r.step() + "attention.beta")(0, 0)
                                                                : r.config().at("attention.beta").get<double>();
         return Rows((beta * q * k.transpose()).array() / (q.norm() * k.rowwise().norm().transpose().array()));
       }},
      {"s_j = d · z_j", [](R r) { return Rows(r.value(r.before(1) + "query") * r.value("encoder.keys").transpose()); }},
      // weights and what they bring
      {"a_j = exp(s_j) / Σ_k exp(s_k)",
       [](R r) {
         const std::string place = r.before(1);
         return softmax_of(r.value(place + (r.has(place + "scores_masked") ? "scores_masked" : "scores")));
       }},
      {"a_j = exp(s_j) / Σ_k exp(s_k), k in the window",
       [](R r) { return windowed(r.value(r.before(1) + "scores"), r.value(r.before(1) + "keep")); }},
      {"a_j = exp(s_j) / Σ_k exp(s_k) · exp(−(j − p_t)² / 2σ²), k in the window",
       [](R r) {
         Rows a = windowed(r.value(r.before(1) + "scores"), r.value(r.before(1) + "keep"));
         const double p = r.value(r.before(1) + "position")(0, 0),
                      sigma = r.config().at("attention.half_width").get<double>() / 2;
         for (Index j = 0; j < a.cols(); ++j)
           a(0, j) *= std::exp(-std::pow(static_cast<double>(j) - p, 2) / (2 * sigma * sigma));
         return a;
       }},
      {"p_t = (S − 1) σ(tanh(q W_p) v_p)",
       [](R r) {
         const double x = (tanh_of(r.query() * r.weight("attention.W_p")) * r.weight("attention.v_p"))(0, 0);
         return Rows(Rows::Constant(1, 1, static_cast<double>(r.keys().rows() - 1) / (1 + std::exp(-x))));
       }},
      {"p_t = min(t, S − 1)",
       [](R r) {
         return Rows(Rows::Constant(1, 1, static_cast<double>(std::min<Index>(r.t(), r.keys().rows() - 1))));
       }},
      {"min { j : a_0 + … + a_j > u }",
       [](R r) {
         const Rows a = r.value(r.step() + "attention.weights");
         double sum = 0, u = r.value(r.step() + "attention.sample.u")(0, 0);
         Index j = 0;
         while (j + 1 < a.size() && (sum += a.data()[j]) <= u) ++j;
         return Rows(Rows::Constant(1, 1, static_cast<double>(j)));
       }},
      {"argmax_j a_j",
       [](R r) {
         Index row, j;
         r.value(r.step() + "attention.weights").maxCoeff(&row, &j);
         return Rows(Rows::Constant(1, 1, static_cast<double>(j)));
       }},
      {"c_t = Σ_j a_j v_j", [](R r) { return Rows(r.value(r.step() + "attention.weights") * r.keys()); }},
      {"c_t = v_j, j the chosen position",
       [](R r) { return Rows(r.keys().row(static_cast<Index>(r.value(r.step() + "attention.sample.index")(0, 0)))); }},
      {"c = m √(1/m) Σ_j a_j v_j",
       [](R r) {
         const Rows v = r.value("encoder.values");
         return Rows(std::sqrt(static_cast<double>(v.rows())) * r.value(r.before(1) + "weights") * v);
       }},
      // what the output is computed from
      {"r = [z ; h_t]",
       [](R r) {
         return beside({r.value("encoder.bottleneck"), r.top_state()});
       }},
      {"r = [c_t ; h_t]",
       [](R r) {
         return beside({r.context(), r.top_state()});
       }},
      {"r = [c_t ; x_t]",
       [](R r) {
         return beside({r.context(), r.top_sum()});
       }},
      {"r = tanh(x)", [](R r) { return tanh_of(r.value(r.step() + "readout.pre")); }},
      {"h̃_t = tanh([c_t ; h_t] W_c)",
       [](R r) {
         return tanh_of(beside({r.context(), r.top_state()}) * r.weight("decoder.combine.W"));
       }},
      {"x = h_{t−1} U_o + E[y_{t−1}] V_o + c_t C_o + b_o",
       [](R r) {
         return Rows(r.previous_state() * r.weight("decoder.readout.U_o") +
                     r.embedded() * r.weight("decoder.readout.V_o") + r.context() * r.weight("decoder.readout.C_o") +
                     r.weight("decoder.readout.b_o"));
       }},
      {"x = h_t U_o + E[y_{t−1}] + c_t C_o + b_o",
       [](R r) {
         return Rows(r.top_state() * r.weight("decoder.readout.U_o") + r.embedded() +
                     r.context() * r.weight("decoder.readout.C_o") + r.weight("decoder.readout.b_o"));
       }},
      {"y_k = max(x_{2k}, x_{2k+1})",
       [](R r) {
         const Rows x = r.value(r.step() + "readout.pre");
         Rows y(1, x.cols() / 2);
         for (Index k = 0; k < y.cols(); ++k) y(0, k) = std::max(x(0, 2 * k), x(0, 2 * k + 1));
         return y;
       }},
      {"z = h_t W + b",
       [](R r) { return Rows(r.top_state() * r.weight("decoder.affine.W") + r.weight("decoder.affine.b")); }},
      {"z = [z ; h_t] W + b",
       [](R r) {
         return Rows(beside({r.value("encoder.bottleneck"), r.top_state()}) * r.weight("decoder.affine.W") +
                     r.weight("decoder.affine.b"));
       }},
      {"z = [c_t ; h_t] W + b",
       [](R r) {
         return Rows(beside({r.context(), r.top_state()}) * r.weight("decoder.affine.W") +
                     r.weight("decoder.affine.b"));
       }},
      {"z = [c_t ; x_t] W + b",
       [](R r) {
         return Rows(beside({r.context(), r.top_sum()}) * r.weight("decoder.affine.W") + r.weight("decoder.affine.b"));
       }},
      {"z = h̃_t W + b",
       [](R r) {
         return Rows(r.value(r.step() + "attentional") * r.weight("decoder.affine.W") + r.weight("decoder.affine.b"));
       }},
      {"z = y W_o + b",
       [](R r) {
         return Rows(r.value(r.step() + "readout.maxout") * r.weight("decoder.output.W_o") +
                     r.weight("decoder.output.b"));
       }},
      {"z = r W_o + b",
       [](R r) {
         return Rows(r.value(r.step() + "readout") * r.weight("decoder.output.W_o") + r.weight("decoder.output.b"));
       }},
      {"z = r W + b",
       [](R r) {
         return Rows(r.value(r.step() + "out_proj.out") * r.normalised_weight("decoder.output.") +
                     r.weight("decoder.output.b"));
       }},
      {"z = x Eᵀ", [](R r) { return Rows(r.last_row() * r.weight(r.table()).transpose()); }},
      {"z = x Eᵀ + b", [](R r) { return Rows(r.last_row() * r.weight(r.table()).transpose() + r.weight("output.b")); }},
      {"z_v = Σ_k bit_k(v) z_k",
       [](R r) {
         const Rows bits = r.value(r.step() + "output.bits");
         Rows z = Rows::Zero(1, r.entry.value.size());
         for (Index v = 0; v < z.cols(); ++v)
           for (Index k = 0; k < bits.cols(); ++k)
             if (v >> (bits.cols() - 1 - k) & 1) z(0, v) += bits(0, k);
         return z;
       }},
      // sums
      {"x + attention(norm(x))", [](R r) { return r.residual("self_attn.out"); }},
      {"x + cross-attention(norm(x))", [](R r) { return r.residual("cross_attn.out"); }},
      {"x + ffn(norm(x))", [](R r) { return r.residual("ffn.out"); }},
      {"x^{l+1} = h^l + x^l",
       [](R r) {
         const std::string place = r.before(2), below = replaced(place, "layer[" + std::to_string(r.entry.site.layer),
                                                                 "layer[" + std::to_string(r.entry.site.layer - 1));
         const Rows x = r.value(below + (r.has(below + "residual.out") ? "residual.out" : r.state_leaf()));
         return Rows(r.value(place + r.state_leaf()) + x);
       }},
      {"x = [z ; E[y_{t−1}]]",
       [](R r) {
         return beside({r.value("encoder.bottleneck"), r.embedded()});
       }},
      {"x = [E[y_{t−1}] ; h̃_{t−1}]",
       [](R r) {
         const Rows back =
             r.t() == 0 ? Rows(Rows::Zero(1, r.top_state().cols())) : r.value(r.step(r.t() - 1) + "attentional");
         return beside({r.embedded(), back});
       }},
      {"x = [h_t of the layer below ; c_t]",
       [](R r) {
         const std::string below = "layer[" + std::to_string(r.entry.site.layer - 1) + "].";
         return beside({r.value(r.step() + below + r.state_leaf()), r.context()});
       }},
      {"x = [x_t of the layer below ; c_t]",
       [](R r) {
         const std::string below = "layer[" + std::to_string(r.entry.site.layer - 1) + "].residual.out";
         return beside({r.value(r.step() + below), r.context()});
       }},
  };
  return table;
}

// The sites whose formulas are read.
bool is_read(const std::string& site) {
  if (site.find("weighted") != std::string::npos) return false;
  for (const char* ending :
       {".embed.out",         ".embed.token",    ".embed.position", ".init.h",     ".init.c",
        "encoder.bottleneck", "attention.query", ".scores",         ".weights",    "attention.position",
        "sample.index",       ".context",        ".readout",        "readout.pre", "readout.maxout",
        ".attentional",       "output.logits",   ".residual1",      ".residual2",  ".residual3",
        "residual.out",       "lstm.input",      "gru.input"})
    if (site.ends_with(ending)) return site.find("output.readout") == std::string::npos;
  return false;
}

}  // namespace

class TestSiteWords : public QObject {
  Q_OBJECT

 private:
  // Reads every formula of a run; returns how many.
  static int read_all(const std::shared_ptr<const ModelBundle>& bundle, const std::string& source) {
    Request request;
    request.model = bundle;
    request.source = source;
    const Result result = run(request);
    int count = 0;
    for (const TraceEntry& entry : result.trace->entries()) {
      if (!is_read(entry.site.text)) continue;
      const std::string formula = entry.site.kind->formula, what = entry.site.text + " shows " + formula;
      const auto row = readings().find(formula);
      if (row == readings().end()) {
        qWarning("%s, which this test cannot read", what.c_str());
        return -1;
      }
      try {
        const Rows expected = row->second({*bundle, *result.trace, entry});
        const Rows found = Reading::rows_of(entry.value);
        if (expected.size() != found.size()) {
          qWarning("%s: %d numbers, expected %d", what.c_str(), int(found.size()), int(expected.size()));
          return -1;
        }
        const double scale = std::max(1.0, found.array().isInf().any() ? 1.0 : found.cwiseAbs().maxCoeff());
        for (Index i = 0; i < found.size(); ++i)
          if (!(std::abs(found.data()[i] - expected.data()[i]) <= 2e-4 * scale)) {
            qWarning("%s: it is %g, the formula gives %g", what.c_str(), found.data()[i], expected.data()[i]);
            return -1;
          }
      } catch (const std::runtime_error& error) {
        qWarning("%s: %s", what.c_str(), error.what());
        return -1;
      }
      ++count;
    }
    return count;
  }

 private slots:
  void formulas_are_those_of_the_model_data() {
    QTest::addColumn<QString>("folder");
    for (const auto& folder : bundled_models())
      QTest::newRow(folder.filename().c_str()) << QString::fromStdString(folder.string());
  }
  void formulas_are_those_of_the_model() {
    QFETCH(QString, folder);
    const auto bundle = load_model(folder.toStdString());
    QVERIFY(read_all(bundle, bundle->examples.at(0)) >= 2);
  }

  // What was wrong: the words of one model on the values of another.
  void models_that_differ_show_other_formulas_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("site");
    QTest::addColumn<QString>("formula");
    const auto row = [](const char* model, const char* site, const char* formula) {
      QTest::addRow("%s %s", model, site) << model << site << formula;
    };
    row("copy-transformer", "encoder.embed.out", "x = √d · E[id] + PE[p]");
    row("copy-nowhere", "encoder.embed.out", "x = √d · E[id]");
    row("copy-learned", "decoder.step[1].embed.out", "x = √d · E[id] + P[p]");
    row("toy-mt-convs2s", "encoder.embed.out", "e_j = E[id_j] + P[j]");
    row("date-attention", "encoder.embed.out", "x_j = E[id_j]");
    row("toy-mt-bahdanau", "decoder.step[1].attention.query", "q = h_{t−1}");
    row("toy-mt-luong", "decoder.step[1].attention.query", "q = h_t");
    row("glimpse-hard", "decoder.step[0].attention.query", "q = h_{t−1}");
    row("toy-mt-bahdanau", "decoder.init.h", "h_{−1} = tanh(h←_0 W_s + b_s)");
    row("date-attention", "decoder.init.c", "c_{−1} = 0");
    row("toy-mt-luong", "decoder.init.c", "c_{−1} = c_{S−1} of the encoder");
    row("toy-mt-local", "decoder.step[0].attention.weights",
        "a_j = exp(s_j) / Σ_k exp(s_k) · exp(−(j − p_t)² / 2σ²), k in the window");
    row("date-peeky", "decoder.step[0].readout", "r = [z ; h_t]");
    row("date-attention", "decoder.step[0].readout", "r = [c_t ; h_t]");
    row("copy-unscaled", "encoder.layer[0].self_attn.head.scores", "s_j = q · k_j");
    row("copy-one-head", "encoder.layer[0].self_attn.head.scores", "s_j = q · k_j / √d_k");
    row("copy-transformer", "encoder.layer[0].residual1", "x + attention(norm(x))");
  }
  void models_that_differ_show_other_formulas() {
    QFETCH(QString, model);
    QFETCH(QString, site);
    QFETCH(QString, formula);
    Request request;
    request.model = load_model(model.toStdString());
    request.source = request.model->examples.at(0);
    const Result result = run(request);
    const int entry = result.trace->find(site.toStdString());
    QVERIFY(entry >= 0);
    QCOMPARE(QString((*result.trace)[entry].site.kind->formula), formula);
  }

  void sentences_about_sums_of_weights_are_true_data() { formulas_are_those_of_the_model_data(); }
  void sentences_about_sums_of_weights_are_true() {
    QFETCH(QString, folder);
    Request request;
    request.model = load_model(folder.toStdString());
    request.source = request.model->examples.at(0);
    const Result result = run(request);
    for (const TraceEntry& entry : result.trace->entries()) {
      if (entry.site.kind->role != SiteKind::Role::weights) continue;
      const QString help = entry.site.kind->help;
      const bool one = help.contains("add up to 1"), less = help.contains("less than 1");
      QVERIFY2(one != less, entry.site.text.c_str());
      const Rows rows = Reading::rows_of(entry.value);
      for (Index r = 0; r < rows.rows(); ++r) {
        const double sum = rows.row(r).sum();
        QVERIFY2(one ? std::abs(sum - 1) < 1e-5 : sum < 1 - 1e-6, entry.site.text.c_str());
      }
    }
  }

  // The same for what the panel Mechanism can make of a model.
  void switched_models_show_what_they_do_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::newRow("dot") << "toy-mt-luong"
                         << "attention.score"
                         << "\"dot\"";
    QTest::newRow("scaled") << "toy-mt-luong"
                            << "attention.score"
                            << "\"scaled_dot\"";
    QTest::newRow("cosine") << "toy-mt-luong"
                            << "attention.score"
                            << "\"cosine\"";
    QTest::newRow("local-m") << "toy-mt-bahdanau"
                             << "attention.reach"
                             << "\"local_m\"";
    QTest::newRow("argmax") << "toy-mt-bahdanau"
                            << "attention.selection"
                            << "\"hard_argmax\"";
    QTest::newRow("unscaled") << "copy-transformer"
                              << "scale_scores"
                              << "false";
    QTest::newRow("embeddings") << "copy-transformer"
                                << "scale_embeddings"
                                << "false";
  }
  void switched_models_show_what_they_do() {
    QFETCH(QString, model);
    QFETCH(QString, key);
    QFETCH(QString, value);
    const auto bundle = load_model(model.toStdString());
    const auto changed = variant(bundle, Json{{key.toStdString(), Json::parse(value.toStdString())}});
    QVERIFY(read_all(changed, bundle->examples.at(0)) >= 2);
  }
};

HEADLIGHT_TEST(TestSiteWords)

}  // namespace headlight::test_site_words

#include "test_site_words.moc"
