// Windows of local attention read from a trace, against the paper's equations done here.
#include <QTest>
#include <cmath>

#include "model/analysis/local_window.h"
#include "model/io/model_folder.h"
#include "model/models/variant.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_local_window {

using namespace headlight::testing;

namespace {

Result result_of(const std::shared_ptr<const ModelBundle>& model) {
  Request request;
  request.model = model;
  request.source = "the girl sees the big red house";
  return run(request);
}

std::shared_ptr<const ModelBundle> with(const Json& settings) { return variant(load_model("toy-mt-local"), settings); }

// Every step by sections 3.2 of Luong et al. 2015: the window, a softmax within it, and eq. 10.
void check(const Result& result, double half_width, double sigma, bool predicted) {
  const auto windows = local_windows(result);
  QVERIFY(windows);
  QCOMPARE(windows->predicted, predicted);
  QCOMPARE(windows->steps.size(), result.steps.size());
  QCOMPARE(windows->tokens.size(), std::size_t{8});  // with the end sign
  if (predicted) QCOMPARE(windows->sigma, sigma);
  for (std::size_t t = 0; t < windows->steps.size(); ++t) {
    const LocalWindowStep& step = windows->steps[t];
    if (!predicted) QCOMPARE(step.centre, 7 - std::min(static_cast<double>(t), 7.0));  // read from its end
    const std::string place = "decoder.step[" + std::to_string(t) + "].attention.";
    const std::vector<double> scores = doubles(result.trace->value(place + "scores"));
    double total = 0, kept = 0;
    for (std::size_t j = 0; j < 8; ++j) {
      const bool inside = std::abs(static_cast<double>(j) - std::floor(step.centre)) <= half_width;
      QCOMPARE(step.inside[j], inside);
      QCOMPARE(inside, static_cast<Index>(j) >= step.first && static_cast<Index>(j) <= step.last);
      total += inside ? std::exp(scores[j]) : 0;
    }
    for (std::size_t j = 0; j < 8; ++j) {
      const double distance = static_cast<double>(j) - step.centre;
      const double before = step.inside[j] ? std::exp(scores[j]) / total : 0;
      const double bell = predicted ? std::exp(-distance * distance / (2 * sigma * sigma)) : 1;
      QVERIFY(std::abs(step.before[j] - before) < 1e-5);
      if (predicted) QVERIFY(std::abs(step.gaussian[j] - bell) < 1e-5);
      QVERIFY(std::abs(step.weights[j] - before * bell) < 1e-5);
      kept += before * bell;
    }
    QVERIFY(std::abs(step.kept() - kept) < 1e-5);
    QCOMPARE(static_cast<double>((*result.trace)[step.centre_entry].value[0]), step.centre);
  }
}

}  // namespace

class TestLocalWindow : public QObject {
  Q_OBJECT

 private slots:
  // D = 5 and σ = D / 2, as its card says.
  void the_bundled_model() {
    const Result result = result_of(load_model("toy-mt-local"));
    check(result, 5, 2.5, true);
    QVERIFY(local_windows(result)->settings == local_windows(result)->trained);
  }

  void another_width_and_another_bell() {
    const Result result = result_of(with({{"attention.half_width", 1}, {"attention.sigma", 0.7}}));
    check(result, 1, 0.7, true);
    const auto windows = local_windows(result);
    QVERIFY((windows->trained == WindowSettings{5, 0}));
    QVERIFY((windows->settings == WindowSettings{1, 0.7}));
  }

  // σ is never less than half a position.
  void a_window_of_one_position() { check(result_of(with({{"attention.half_width", 0}})), 0, 0.5, true); }

  void a_window_that_moves_on_by_itself() { check(result_of(with({{"attention.reach", "local_m"}})), 5, 0, false); }

  void global_attention_has_none() {
    QVERIFY(!local_windows(result_of(with({{"attention.reach", "global"}}))));
    Request request;
    request.model = load_model("toy-mt-local");
    request.source = "the girl";
    request.capture.sites = {"decoder.step.attention.align"};
    QVERIFY(!local_windows(run(request)));  // without what belongs to it
    request.trace = false;
    QVERIFY(!local_windows(run(request)));
  }
};

HEADLIGHT_CORE_TEST(TestLocalWindow)

}  // namespace headlight::test_local_window

#include "test_local_window.moc"
