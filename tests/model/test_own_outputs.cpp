// What heads do in models of other libraries, against the same models with the rows of W_o that read the head set to 0.

#include <cmath>
#include <set>

#include "model/analysis/effect.h"
#include "model/decode/run.h"
#include "model/experiments/ablation.h"
#include "model/experiments/own_outputs.h"
#include "model/io/formats/format.h"
#include "tests/bare_encoder.h"
#include "tests/model/io_helpers.h"
#include "tests/test_program.h"

namespace headlight::test_own_outputs {

using namespace headlight::testing;

class TestOwnOutputs : public QObject {
  Q_OBJECT

 private slots:
  void a_head_that_is_off_is_one_whose_output_is_not_read_data() {
    QTest::addColumn<QString>("family");
    for (const char* name : {"gpt2", "bert-mlm", "bart-forced-start"}) QTest::newRow(name) << QString(name);
  }
  void a_head_that_is_off_is_one_whose_output_is_not_read() {
    QFETCH(QString, family);
    const auto model = open_path(fs::path(HEADLIGHT_TEST_DATA) / "families" / family.toStdString());
    const std::string text = "7 9 12 31";  // without a tokenizer, numbers
    const OwnOutputs found = ablate_own_outputs(model, {text});
    QCOMPARE(found.texts, Index(1));
    std::set<std::string> names;
    for (const std::string& name : attentions_with_heads(*model->model)) names.insert(name);
    QCOMPARE(found.heads.size(), names.size() * static_cast<std::size_t>(head_count(*model->model)));
    // The whole model, forced to what it writes, and the same with a head cut out of its weights.
    Request request;
    request.model = model;
    request.source = text;
    const auto probabilities = [&](const Result& result, Index step) {
      return result.trace->value("decoder.step[" + std::to_string(step) + "].output.probs");
    };
    Result whole = run(request);
    if (model->model->traits().kind != ModelTraits::Kind::encoder_only) {
      QStringList written = QString::fromStdString(whole.output).split(' ', Qt::SkipEmptyParts);
      written.resize(std::min(written.size(), static_cast<qsizetype>(whole.steps.size()) - 1));
      request.target = written.join(' ').toStdString();
      whole = run(request);
    }
    QCOMPARE(found.steps, static_cast<Index>(whole.steps.size()));
    for (std::size_t i = 0; i < found.heads.size(); i += 3) {
      const HeadEffect& head = found.heads[i];
      QVERIFY2(names.count(head.attention), head.attention.c_str());
      auto cut = std::make_shared<ModelBundle>(*model);
      cut->model = without_heads(*model->model, {head.attention, {head.head}});
      Request again = request;
      again.model = cut;
      const Result less = run(again);
      double divergence = 0, changed = 0;
      for (Index t = 0; t < found.steps; ++t) {
        const Tensor p = probabilities(whole, t), q = probabilities(less, t);
        Index best_p = 0, best_q = 0;
        for (Index v = 0; v < p.size(); ++v) {
          divergence += static_cast<double>(p[v]) * std::log(static_cast<double>(p[v]) / static_cast<double>(q[v]));
          if (p[v] > p[best_p]) best_p = v;
          if (q[v] > q[best_q]) best_q = v;
        }
        changed += best_p != best_q;
      }
      divergence /= static_cast<double>(found.steps);
      changed /= static_cast<double>(found.steps);
      QVERIFY2(std::abs(divergence - head.without) < 1e-3 * std::max(0.1, divergence),
               qPrintable(QString("%1, expected %2").arg(head.without).arg(divergence)));
      QVERIFY(divergence > 1e-4);
      QVERIFY(std::abs(changed - head.changed) < 1e-9);
    }
  }

  // A model that writes nothing has an effect, too: the cosine between the states of its words with and without a head,
  // against the same model with the rows of W_o that read it set to 0.
  void of_a_model_that_writes_nothing_it_is_the_states() {
    const QTemporaryDir folder;
    const auto bundle = open_path(bare_encoder(folder));
    const std::string text = "7 9 12 31";
    const OwnOutputs found = ablate_own_outputs(bundle, {text});
    QCOMPARE(found.measure, OwnOutputs::Measure::states);
    QCOMPARE(found.heads.size(), std::size_t(12));
    Request request;
    request.model = bundle;
    request.source = text;
    const Result whole = run(request);
    QVERIFY(whole.steps.empty());
    const Tensor states = (*whole.trace)[last_states(*whole.trace)].value;
    for (const HeadEffect& head : found.heads) {
      auto cut = std::make_shared<ModelBundle>(*bundle);
      cut->model = without_heads(*bundle->model, {head.attention, {head.head}});
      request.model = cut;
      const Result less = run(request);
      const Tensor now = (*less.trace)[last_states(*less.trace)].value;
      double sum = 0;
      for (Index row = 0; row < states.rows(); ++row) {
        double xy = 0, xx = 0, yy = 0;
        for (Index i = 0; i < states.columns(); ++i) {
          const double x = states[row * states.columns() + i], y = now[row * states.columns() + i];
          xy += x * y, xx += x * x, yy += y * y;
        }
        sum += xy / std::sqrt(xx * yy);
      }
      QVERIFY(std::abs(head.without - (1 - sum / static_cast<double>(states.rows()))) < 1e-5);
      QVERIFY(head.without > 1e-6);
    }
  }

  void the_experiment_takes_the_texts_of_the_model() {
    ExperimentOptions options;
    options.model = open_path(fs::path(HEADLIGHT_TEST_DATA) / "families" / "bert-mlm");
    options.limit = 1;
    const ExperimentResult result = ablation_experiment().run(options);
    QCOMPARE(result.tables.at(0).columns.size(), 5u);
    QCOMPARE(result.tables.at(0).rows.size(),
             ablate_own_outputs(options.model, {options.model->examples[0]}).heads.size());
  }
};

HEADLIGHT_TEST(TestOwnOutputs)

}  // namespace headlight::test_own_outputs

#include "test_own_outputs.moc"
