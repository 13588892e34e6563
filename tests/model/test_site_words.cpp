// What is shown of a value differs where the models differ, and what is said of sums of weights is true.

#include <QtTest>
#include <cmath>

#include "model/decode/run.h"
#include "model/io/model_folder.h"
#include "tests/model/formula_reading.h"
#include "tests/test_program.h"

namespace headlight::test_site_words {

using namespace formulas;

class TestSiteWords : public QObject {
  Q_OBJECT

 private slots:
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

  void sentences_about_sums_of_weights_are_true_data() { add_bundled_models(); }
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
};

HEADLIGHT_TEST(TestSiteWords)

}  // namespace headlight::test_site_words

#include "test_site_words.moc"
