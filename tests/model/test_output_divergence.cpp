// How far apart two runs are in what they expect next.

#include <QTest>
#include <cmath>

#include "model/analysis/output_divergence.h"
#include "model/io/model_folder.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_output_divergence {

using namespace headlight::testing;

namespace {

Result written(std::vector<Intervention> edits) {
  Request request;
  request.model = load_model((committed() / "gpt2").string());
  request.source = "5 17 3";
  request.interventions = std::move(edits);
  return run(request);
}

// log p of a step, from its logits.
std::vector<double> log_p(const Result& result, std::size_t step) {
  const Tensor z = result.trace->value("decoder.step[" + std::to_string(step) + "].output.logits");
  double most = -INFINITY, sum = 0;
  for (Index i = 0; i < z.size(); ++i) most = std::max(most, static_cast<double>(z[i]));
  for (Index i = 0; i < z.size(); ++i) sum += std::exp(static_cast<double>(z[i]) - most);
  std::vector<double> all;
  for (Index i = 0; i < z.size(); ++i) all.push_back(static_cast<double>(z[i]) - most - std::log(sum));
  return all;
}

}  // namespace

class TestOutputDivergence : public QObject {
  Q_OBJECT

 private slots:
  void a_run_is_as_itself() {
    const Result run = written({});
    const auto found = output_divergence(run, run);
    QVERIFY(found && !found->parts_at);
    QCOMPARE(found->kl.size(), run.steps.size());
    for (const double kl : found->kl) QVERIFY(kl == 0);
  }

  // Only as long as both have written the same is it one question.
  void divergence_is_that_of_the_logits() {
    Intervention turned;
    turned.site = "decoder.step[1].output.logits";
    turned.kind = Intervention::Kind::scale;
    turned.value = -1;
    const Result one = written({}), other = written({turned});
    const auto found = output_divergence(one, other);
    QVERIFY(found && found->parts_at == std::size_t{1});
    QCOMPARE(found->kl.size(), std::size_t{2});
    QVERIFY(found->kl[0] == 0);
    const std::vector<double> p = log_p(one, 1), q = log_p(other, 1);
    double expected = 0;
    for (std::size_t i = 0; i < p.size(); ++i) expected += std::exp(p[i]) * (p[i] - q[i]);
    QVERIFY(expected > 0.01 && std::abs(found->kl[1] - expected) < 1e-4 * expected);
  }

  void other_vocabularies_are_not_compared() {
    Request request;
    request.model = load_model((committed() / "bert-mlm").string());
    request.source = "5 17 3";
    QVERIFY(!output_divergence(written({}), run(request)));
  }
};

HEADLIGHT_TEST(TestOutputDivergence)

}  // namespace headlight::test_output_divergence

#include "test_output_divergence.moc"
