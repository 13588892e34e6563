// Optimisers, clipping and schedules, step by step against PyTorch and calculations by hand.

#include <QTest>

#include "helpers.h"
#include "model/core/errors.h"
#include "model/training/optimiser.h"
#include "model/training/schedule.h"
#include "tests/test_program.h"

namespace headlight::test_optimisers_double {

using testing::difference;
using testing::message_of;
using testing::same;

class TestOptimisers : public QObject {
  Q_OBJECT

  // Where two parameters, 1 and -2 in one tensor, stand after each of three gradients.
  static std::vector<double> path(const char* optimiser, const OptimiserConstants& constants,
                                  const std::vector<double>& rates) {
    const double gradients[3][2] = {{0.1, -3}, {0.4, 2}, {-0.2, 0.5}};
    ParameterTable table;
    table.add("x", Tensor::vector({1, -2}));
    Optimiser o(optimiser, constants, table);
    std::vector<double> path;
    for (std::size_t i = 0; i < 3; ++i) {
      o.update(table, {Tensor::vector({gradients[i][0], gradients[i][1]})}, rates[i]);
      path.push_back(table.all()[0].value[0]);
      path.push_back(table.all()[0].value[1]);
    }
    return path;
  }
  static double rate(const char* schedule, const ScheduleSettings& settings, const ScheduleMoment& now) {
    return find_schedule(schedule).rate(settings, now);
  }

 private slots:
  void steps_agree_with_independent_ones_data() {
    QTest::addColumn<QString>("optimiser");
    QTest::addColumn<QList<double>>("rates");
    QTest::addColumn<double>("mu");  // 0: the default
    QTest::addColumn<QList<double>>("expected");
    // torch.optim.SGD(lr=.1)
    QTest::newRow("sgd") << "sgd" << QList<double>{.1, .1, .1} << 0.0
                         << QList<double>{.99, -1.7, .95, -1.9, .97, -1.95};
    // torch.optim.SGD(lr=.01, momentum=.9): the same path as long as the rate is constant
    QTest::newRow("momentum") << "momentum" << QList<double>{.01, .01, .01} << 0.0
                              << QList<double>{.999, -1.97, .9941, -1.963, .99169, -1.9617};
    // By hand in exact fractions from the formula; the third rate is half, so v is halved with it.
    QTest::newRow("nag") << "nag" << QList<double>{.1, .1, .05} << .9
                         << QList<double>{.981, -1.43, .8969, -1.567, .896055, -1.58615};
    // torch.optim.Adam(lr=1e-3)
    QTest::newRow("adam") << "adam" << QList<double>{1e-3, 1e-3, 1e-3} << 0.0
                          << QList<double>{0.9990000001,       -1.9990000000033334, 0.9981156236397511,
                                           -1.998855479474184, 0.9977795242472229,  -1.9988326460911319};
    // torch.optim.Adadelta(lr=1, rho=.95, eps=1e-6)
    QTest::newRow("adadelta") << "adadelta" << QList<double>{1, 1, 1} << 0.0
                              << QList<double>{0.9955323294839123,  -1.9955278690140321, 0.989390995827061,
                                               -1.9990984389267286, 0.9932968758706345,  -2.000129371903452};
    // The formula in plain Python, one number at a time
    QTest::newRow("rmsprop_graves") << "rmsprop_graves" << QList<double>{.01, .01, .01} << 0.0
                                    << QList<double>{0.958297117188585,   -1.9541222187345038, 0.8759378015544775,
                                                     -1.9381143877915274, 0.8218458289865566,  -1.9301171295986865};
  }
  void steps_agree_with_independent_ones() {
    QFETCH(QString, optimiser);
    QFETCH(QList<double>, rates);
    QFETCH(double, mu);
    QFETCH(QList<double>, expected);
    OptimiserConstants constants;
    if (mu != 0) constants.momentum = mu;
    const std::vector<double> got = path(optimiser.toUtf8().constData(), constants, {rates.begin(), rates.end()});
    QVERIFY(same(difference(got, {expected.begin(), expected.end()}, 1e-12), "path"));
  }

  // The first step for g = .1 and lr = 1e-3 in decimal arithmetic: 1e-3/(1 + 1e-7/(.1·sqrt(.001))) and 1e-3/(1 +
  // 1e-8/.1); both forms differ by where epsilon stands.
  void adam_has_two_forms() {
    const auto first = [](const char* name) {
      ParameterTable table;
      table.add("x", Tensor::zeros({1}));
      Optimiser(name, {}, table).update(table, {Tensor::full({1}, 0.1)});
      return -table.all()[0].value[0];
    };
    QVERIFY(std::abs(first("adam_epsilon_hat") - 0.000999968378223366694) < 1e-15);
    QVERIFY(std::abs(first("adam") - 0.00099999990000001) < 1e-15);
  }

  // Two updates, the state carried over to a new optimiser, and a third: as if it had never been moved.
  void the_state_is_all_that_an_optimiser_remembers() {
    for (const OptimiserRow& row : optimisers()) {
      const auto gradient = [](int i) { return std::vector<Tensor>{Tensor::vector({0.3 * i - 0.5, 0.2})}; };
      ParameterTable whole, parts;
      whole.add("x", Tensor::vector({1, -2}));
      parts.add("x", Tensor::vector({1, -2}));
      Optimiser a(row.name, {}, whole), b(row.name, {}, parts), c(row.name, {}, parts);
      for (int i = 0; i < 2; ++i) a.update(whole, gradient(i), 0.01);
      for (int i = 0; i < 2; ++i) b.update(parts, gradient(i), 0.01);
      for (NamedTensor& to : c.state())
        for (const NamedTensor& from : b.state())
          if (from.name == to.name) to.value.array() = from.value.array();
      c.restore(b.updates(), b.last_rate());
      a.update(whole, gradient(2), 0.004);
      c.update(parts, gradient(2), 0.004);
      QVERIFY2(whole.all()[0].value.values() == parts.all()[0].value.values(), row.name);
      QCOMPARE(b.state().size(), row.kept.size());
    }
  }

  void unknown_names_are_told_with_the_known_ones() {
    QCOMPARE(
        message_of<UsageError>([] { find_optimiser("adm"); }),
        "there is no optimiser 'adm'; known: adam_epsilon_hat, adam, sgd, momentum, nag, adadelta, rmsprop_graves");
    QCOMPARE(message_of<UsageError>([] { find_schedule("fall"); }),
             "there is no schedule 'fall'; known: constant, noam, halve_after, plateau");
  }

  // ‖(3, 4)‖ = 5, cut to 1: factor 1/(5 + 1e-6).
  void clipping_by_hand() {
    std::vector<Tensor> g = {Tensor::vector({3}), Tensor::vector({4})};
    QCOMPARE(clip_global_norm(g, 10), 5.0);
    QCOMPARE(g[0][0], 3.0);
    QCOMPARE(clip_global_norm(g, 1), 5.0);
    QVERIFY(std::abs(g[0][0] - 3 / 5.000001) < 1e-15);
    QVERIFY(std::abs(g[1][0] - 4 / 5.000001) < 1e-15);
    std::vector<Tensor> h = {Tensor::vector({-11, 10, 0.5, 12})};
    clip_values(h, 10);
    QVERIFY(h[0].values() == (std::vector<double>{-10, 10, 0.5, 10}));
  }

  // models.md 15.2, d = 512, warmup 4000.
  void noam_is_as_published() {
    ScheduleSettings s;
    s.learning_rate = 1;
    s.width = 512;
    const auto at = [&](std::int64_t update) { return rate("noam", s, {update, 1, {}}); };
    for (const double warmup : {0.0, 4000.0}) {
      s.warmup = warmup;
      QVERIFY(std::abs(at(1) - 1.74693e-07) < 1e-12);
      QVERIFY(std::abs(at(4000) - 0.000698771) < 1e-9);
      QVERIFY(std::abs(at(16000) - 0.000349386) < 1e-9);
    }
    s.learning_rate = 2;
    QVERIFY(std::abs(at(4000) - 2 * 0.000698771) < 2e-9);
  }

  void constant_rates_rise_during_the_warmup_only() {
    ScheduleSettings s;
    s.learning_rate = 0.3;
    QCOMPARE(rate("constant", s, {1, 1, {}}), 0.3);
    s.warmup = 10;
    QCOMPARE(rate("constant", s, {1, 1, {}}), 0.03);
    QCOMPARE(rate("constant", s, {5, 1, {}}), 0.15);
    QCOMPARE(rate("constant", s, {10, 1, {}}), 0.3);
    QCOMPARE(rate("constant", s, {1000, 7, {}}), 0.3);
  }

  // Luong et al. 2015: after 5 epochs the rate is halved every epoch.
  void halving_begins_after_its_epoch() {
    ScheduleSettings s;
    s.learning_rate = 1;
    const auto in_epoch = [&](int epoch) { return rate("halve_after", s, {1, epoch, {}}); };
    QCOMPARE(in_epoch(1), 1.0);
    QCOMPARE(in_epoch(5), 1.0);
    QCOMPARE(in_epoch(6), 0.5);
    QCOMPARE(in_epoch(8), 0.125);
  }

  void a_plateau_divides_down_to_its_floor() {
    ScheduleSettings s;
    s.learning_rate = 0.25;
    s.plateau_divide = 10;
    s.plateau_floor = 1e-3;
    const auto after = [&](std::vector<double> losses) { return rate("plateau", s, {1, 1, std::move(losses)}); };
    QCOMPARE(after({}), 0.25);
    QCOMPARE(after({3, 2, 1}), 0.25);
    QCOMPARE(after({3, 2, 2}), 0.025);          // as good as before is no progress
    QCOMPARE(after({3, 2, 2.5, 2.2}), 0.0025);  // better than the last, not than the best
    QCOMPARE(after({3, 2, 2.5, 1.9}), 0.025);
    QCOMPARE(after({3, 4, 4, 4, 4, 4}), 1e-3);
    s.learning_rate = 1e-4;
    QCOMPARE(after({3, 4, 4}), 1e-4);
  }
};

HEADLIGHT_TEST(TestOptimisers)

}  // namespace headlight::test_optimisers_double

#include "test_optimisers_double.moc"
