// What is shown of a value is what the model did: each formula that a bundled model shows is read here as it stands,
// with the numbers of the run and of the weights, and has to give the value beside it.

#include <QtTest>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "model/decode/run.h"
#include "model/io/model_folder.h"
#include "model/models/variant.h"
#include "tests/model/formula_reading.h"
#include "tests/test_program.h"

namespace headlight::test_site_formulas {

using namespace formulas;

namespace {

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

class TestSiteFormulas : public QObject {
  Q_OBJECT

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
  void formulas_are_those_of_the_model_data() { add_bundled_models(); }
  void formulas_are_those_of_the_model() {
    QFETCH(QString, folder);
    const auto bundle = load_model(folder.toStdString());
    QVERIFY(read_all(bundle, bundle->examples.at(0)) >= 2);
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

HEADLIGHT_TEST(TestSiteFormulas)

}  // namespace headlight::test_site_formulas

#include "test_site_formulas.moc"
