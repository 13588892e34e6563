// Experiments: figures against hand calculation and the table of the specification, counts against the paper's table,
// and tables as text.

#include <cmath>

#include "model/decode/run.h"
#include "model/experiments/ablation.h"
#include "model/experiments/complexity.h"
#include "model/experiments/rotations.h"
#include "model/experiments/scaling.h"
#include "model/experiments/share_and_cause.h"
#include "model/experiments/trainings.h"
#include "model/io/model_folder.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_experiments {

using headlight::testing::message_of;

namespace {

std::shared_ptr<Model> small_transformer() {
  const Index size = find_task("copy").text.target.vocabulary().size();
  return make_model({{"model_type", "transformer"},
                     {"source_vocabulary_size", size},
                     {"target_vocabulary_size", size},
                     {"model_size", 8},
                     {"heads", 2},
                     {"ff_size", 8},
                     {"encoder_layers", 1},
                     {"decoder_layers", 1}},
                    7);
}

std::shared_ptr<const ModelBundle> bundle_of(std::shared_ptr<const Model> model) {
  auto bundle = std::make_shared<ModelBundle>();
  bundle->model = std::move(model);
  bundle->text = find_task("copy").text;
  return bundle;
}

}  // namespace

class TestExperiments : public QObject {
  Q_OBJECT

 private slots:
  // diag(a) − a aᵀ by hand: (½, ½) gives four entries of ±¼; 64 equal weights give 63/4096 under the root.
  void the_norm_of_the_derivative_by_hand() {
    const auto norm = [](const std::vector<Scalar>& a) {
      return softmax_jacobian_norm(a.data(), static_cast<Index>(a.size()));
    };
    QVERIFY(std::abs(norm({0.5, 0.5}) - 0.5) < 1e-7);
    QVERIFY(std::abs(norm(std::vector<Scalar>(64, Scalar(1) / 64)) - std::sqrt(63.0) / 64) < 1e-7);
    QCOMPARE(norm({0, 1, 0}), 0.0);
    // Almost one-hot: 1 − a is lost in float, but not the sum of the others.
    const double tiny = norm({1, Scalar(1e-10)});
    QVERIFY2(std::abs(tiny - 2e-10) < 1e-12, qPrintable(QString::number(tiny)));
  }

  // The measured reference of 64 keys; bounds are five standard errors or more of so many trials.
  void scaling_is_as_in_the_reference_data() {
    QTest::addColumn<int>("size");
    QTest::addColumn<QList<double>>("raw");     // mean largest weight, bits, median norm, share of one-hot
    QTest::addColumn<QList<double>>("scaled");  // the first three
    const auto row = [](int size, const QList<double>& raw, const QList<double>& scaled) {
      QTest::newRow(qPrintable(QString::number(size))) << size << raw << scaled;
    };
    row(1, {0.099, 5.40, 0.149, 0}, {0.099, 5.40, 0.150});
    row(4, {0.277, 4.05, 0.260, 0.001}, {0.106, 5.33, 0.170});
    row(16, {0.579, 1.99, 0.330, 0.02}, {0.107, 5.32, 0.178});
    row(64, {0.789, 0.85, 0.190, 0.19}, {0.107, 5.32, 0.179});
    row(256, {0.898, 0.38, 0.021, 0.48}, {0.108, 5.31, 0.179});
    row(1024, {0.949, 0.18, 0, 0.70}, {0.107, 5.32, 0.181});
  }
  void scaling_is_as_in_the_reference() {
    QFETCH(int, size);
    QFETCH(QList<double>, raw);
    QFETCH(QList<double>, scaled);
    ScalingSettings settings;
    settings.trials = size > 100 ? 150 : 600;
    const double trials = static_cast<double>(settings.trials), root = std::sqrt(trials);
    const ScalingRow row = measure_scaling(size, settings);
    const auto near = [](double found, double expected, double room, const char* what) {
      const bool fits = std::abs(found - expected) <= room;
      if (!fits) qWarning("%s: expected %g within %g, found %g", what, expected, room, found);
      return fits;
    };
    QVERIFY(near(row.variance / size, 1, 5 * std::sqrt((2.0 / size + 2.0 / 64) / trials), "variance"));
    QVERIFY(near(row.raw.max_weight, raw[0], 1.25 / root, "largest, raw"));
    QVERIFY(near(row.scaled.max_weight, scaled[0], 0.5 / root, "largest, scaled"));
    QVERIFY(near(row.raw.entropy_bits, raw[1], 6 / root, "bits, raw"));
    QVERIFY(near(row.scaled.entropy_bits, scaled[1], 4 / root, "bits, scaled"));
    QVERIFY(near(row.raw.jacobian, raw[2], size > 200 ? 0.02 : 1 / root, "norm, raw"));
    QVERIFY(near(row.scaled.jacobian, scaled[2], 0.5 / root, "norm, scaled"));
    QVERIFY(near(row.raw.one_hot, raw[3], 0.01 + 2.5 * std::sqrt(raw[3]) / root, "one-hot"));
    QVERIFY(row.scaled.one_hot < 0.01);
    // NumPy, 2 000 trials: median 2.4e-4, 45th to 55th percentile 6e-5 to 7e-4.
    if (size == 1024) QVERIFY2(row.raw.jacobian < 2e-3, qPrintable(QString::number(row.raw.jacobian)));
  }
  void the_same_seed_gives_the_same_figures() {
    ScalingSettings settings;
    settings.trials = 60;
    const ScalingRow a = measure_scaling(4, settings), b = measure_scaling(4, settings);
    settings.seed = 2;
    const ScalingRow c = measure_scaling(4, settings);
    QCOMPARE(a.raw.max_weight, b.raw.max_weight);
    QCOMPARE(a.variance, b.variance);
    QVERIFY(a.raw.max_weight != c.raw.max_weight);
  }
  void scaling_as_a_command() {
    ExperimentOptions options;
    options.trials = 2;
    options.seeds = 2;
    const ExperimentResult result = find_experiment("scaling").run(options);
    QCOMPARE(result.tables[0].rows.size(), std::size_t{12});  // six lengths for each seed
    for (const auto& row : result.tables[0].rows) QCOMPARE(row.size(), result.tables[0].columns.size());
    QCOMPARE(result.charts.size(), std::size_t{3});
    QCOMPARE(result.charts[0].series[1].x, (std::vector<double>{1, 4, 16, 64, 256, 1024}));
  }

  // By hand: of (1, 2), (2, 1), (3, 3) the deviations are (-1, 0), (0, -1), (1, 1), so r = 1 / (√2 √2).
  void correlations_and_ranks() {
    QCOMPARE(correlation({1, 2, 3}, {2, 1, 3}), 0.5);
    QCOMPARE(correlation({1, 2, 3}, {-2, -4, -6}), -1.0);
    QVERIFY(std::isnan(correlation({1, 2, 3}, {5, 5, 5})));
    QVERIFY(std::isnan(correlation({1}, {1})));
    QCOMPARE(ranks({0.1, 7, 0.1, -3}), (std::vector<double>{2.5, 4, 2.5, 1}));
    QCOMPARE(ranks({}), std::vector<double>{});
  }
  // Cut pairs are those that a row can look at: the words in front of it, for each row that an output is read off.
  void shares_and_causes_as_a_command() {
    ExperimentOptions options;
    options.model = load_model("story-gpt");
    options.limit = 1;
    const ExperimentResult result = find_experiment("share-and-cause").run(options);
    Request request;
    request.model = options.model;
    request.source = options.model->examples.front();
    request.trace = false;
    const Result run = headlight::run(request);
    const auto prompt = static_cast<double>(run.prompt), steps = static_cast<double>(run.steps.size());
    QCOMPARE(result.tables[0].rows.size(), std::size_t{2});
    for (const auto& row : result.tables[0].rows) {
      QCOMPARE(std::get<double>(row[1]), steps * prompt + steps * (steps + 1) / 2);
      for (std::size_t c = 2; c < row.size(); ++c) QVERIFY(std::abs(std::get<double>(row[c])) <= 1);
    }
    options.model = load_model("date-plain");
    QVERIFY(message_of<UsageError>([&] { find_experiment("share-and-cause").run(options); }).contains("no attention"));
  }

  // Vaswani et al. 2017, table 1, with its factors; n²d = 51 200 for n = 10 and d = 512.
  void costs_are_counted() {
    const auto cost = [](CostedLayer layer, Index n) { return multiply_adds(layer, n, 512); };
    QCOMPARE(cost(CostedLayer::attention, 10), 2 * 51'200.0);
    QCOMPARE(cost(CostedLayer::recurrent, 10), 2 * 2'621'440.0);
    QCOMPARE(cost(CostedLayer::convolution, 10), 7'864'320.0);
    QCOMPARE(cost(CostedLayer::attention, 1000), 2 * 512e6);
    QCOMPARE(cost(CostedLayer::projections, 10) + cost(CostedLayer::feed_forward, 10), 12 * 2'621'440.0);
    for (const Index d : {64, 512}) {
      QCOMPARE(crossing(CostedLayer::attention, {CostedLayer::recurrent}, d), static_cast<double>(d));
      QCOMPARE(crossing(CostedLayer::attention, {CostedLayer::projections, CostedLayer::feed_forward}, d),
               6 * static_cast<double>(d));
    }
  }
  // Heads of 16 numbers: frequencies of shared/models/rotary.json, with 6 figures, and llama3 by its formula.
  void rotations_are_those_of_the_library() {
    const std::vector<std::pair<std::string, std::pair<Index, std::vector<double>>>> wanted = {
        {"none", {256, {1, 0.316227764, 0.1, 0.0316227786, 0.01, 0.00316227786, 0.001, 0.000316227786}}},
        {"linear", {256, {0.25, 0.079057, 0.025, 0.007906, 0.0025, 0.000791, 0.00025, 7.9e-05}}},
        {"dynamic", {150, {1.0, 0.262445, 0.068877, 0.018077, 0.004744, 0.001245, 0.000327, 8.6e-05}}},
        {"dynamic", {64, {1, 0.316228, 0.1, 0.031623, 0.01, 0.003162, 0.001, 0.000316}}},
        {"yarn", {256, {1.0, 0.237171, 0.05, 0.007906, 0.0025, 0.000791, 0.00025, 7.9e-05}}},
        {"longrope", {64, {1.0, 0.301169, 0.090909, 0.026352, 0.007692, 0.002108, 0.000556, 0.000158}}},
        {"longrope", {65, {1.0, 0.210818, 0.05, 0.007906, 0.00125, 0.000198, 4.2e-05, 1e-05}}},
        // 64 w / 2 pi turns: 10.2, 3.22, 1.02, below 1: (turns - 1) / 3 stays as it is, the rest is a quarter
        {"llama3", {256, {1, 0.254648, 0.025465, 0.007906, 0.0025, 0.000791, 0.00025, 7.9e-05}}}};
    for (const auto& [name, at] : wanted) {
      const std::vector<StretchedRotary> all = stretched_rotaries();
      const auto each = std::ranges::find_if(all, [&](const StretchedRotary& one) { return name == one.name; });
      QVERIFY2(each != all.end(), name.c_str());
      const std::vector<double> found = each->rotary.frequencies(at.first);
      QCOMPARE(found.size(), at.second.size());
      for (std::size_t i = 0; i < found.size(); ++i)
        QVERIFY2(std::abs(found[i] - at.second[i]) < 1e-6, (name + " " + std::to_string(i)).c_str());
    }
    const ExperimentResult result = find_experiment("rotations").run({});
    QCOMPARE(result.charts.size(), std::size_t(4));
    const ExperimentChart& slow = result.charts[2];
    QCOMPARE(slow.name, std::string("rotations-pair-7"));
    QCOMPARE(slow.series.size(), std::size_t(7));  // six ways, and where the learned positions end
    QVERIFY(slow.series.back().x == (std::vector<double>{64, 64}));
    // Linear: a quarter of what it would be, at each position.
    for (std::size_t i = 0; i < slow.series[0].y.size(); ++i)
      QVERIFY(std::abs(slow.series[1].y[i] - slow.series[0].y[i] / 4) < 1e-12);
    QCOMPARE(result.tables[0].rows.size(), std::size_t(48));
  }

  void complexity_as_a_command() {
    ExperimentOptions options;
    options.trials = 1;
    options.limit = 16;
    const ExperimentResult result = find_experiment("complexity").run(options);
    QCOMPARE(result.tables[0].rows.size(), std::size_t{15});  // five layers of three widths
    for (const auto& row : result.tables[0].rows) QVERIFY(std::get<double>(row[4]) > 0);
    QCOMPARE(result.tables[1].rows.size(), std::size_t{6});
    QCOMPARE(result.charts.size(), std::size_t{3});
  }

  // The rows of W_o that are set to zero do what an edit of the head's output does.
  void a_silenced_head_is_an_edit_of_its_output_data() {
    QTest::addColumn<QString>("attention");
    QTest::addColumn<QString>("site");  // %1: the step
    QTest::newRow("encoder") << "encoder.layer[0].self_attn"
                             << "encoder.layer[0].self_attn.head[1].out";
    QTest::newRow("decoder") << "decoder.layer[0].self_attn"
                             << "decoder.step[%1].layer[0].self_attn.head[1].out";
    QTest::newRow("cross") << "decoder.layer[0].cross_attn"
                           << "decoder.step[%1].layer[0].cross_attn.head[1].out";
  }
  void a_silenced_head_is_an_edit_of_its_output() {
    QFETCH(QString, attention);
    QFETCH(QString, site);
    const std::shared_ptr<const Model> model = small_transformer();
    Request request;
    request.model = bundle_of(model);
    request.source = "31415";
    request.target = "314";
    request.trace = false;
    const Result whole = run(request);
    const int steps = site.contains("%1") ? 4 : 1;  // three digits and the end sign
    for (int t = 0; t < steps; ++t)
      request.interventions.push_back(
          parse_intervention((site.contains("%1") ? site.arg(t) : site).toStdString() + "=0"));
    const Result edited = run(request);
    request.interventions.clear();
    request.model = bundle_of(without_heads(*model, {attention.toStdString(), {1}}));
    const Result silenced = run(request);
    QCOMPARE(silenced.steps.size(), std::size_t{4});
    double change = 0;
    for (std::size_t t = 0; t < 4; ++t) {
      QVERIFY(std::abs(silenced.steps[t].probability - edited.steps[t].probability) < 1e-6);
      change += std::abs(silenced.steps[t].probability - whole.steps[t].probability);
    }
    QVERIFY2(change > 1e-4, qPrintable(QString::number(change)));
  }
  void heads_are_ranked_by_what_is_lost() {
    const auto model = small_transformer();
    const Task& task = find_task("copy");
    const Dataset data(task, generate(task, 0, 30).test);
    const Ablation found = ablate(*model, data);
    QCOMPARE(found.heads.size(), std::size_t{6});  // two of each attention
    QCOMPARE(found.whole.nll, evaluate(*model, data).nll);
    for (std::size_t i = 0; i < found.heads.size(); ++i) {
      const HeadFigures& h = found.heads[i];
      if (i > 0) QVERIFY(found.heads[i - 1].without.nll >= h.without.nll);
      QCOMPARE(h.without.nll, evaluate(*without_heads(*model, {h.attention, {h.head}}), data).nll);
      QCOMPARE(h.alone.nll, evaluate(*without_heads(*model, {h.attention, {1 - h.head}}), data).nll);
    }
    const auto plain = make_model({{"model_type", "seq2seq"},
                                   {"source_vocabulary_size", 14},
                                   {"target_vocabulary_size", 14},
                                   {"hidden_size", 4},
                                   {"embedding_size", 4}},
                                  1);
    QCOMPARE(message_of<UsageError>([&] { ablate(*plain, data); }),
             QString("this model has no attention with several heads"));
  }

  static ExperimentOptions tiny() {
    ExperimentOptions options;
    options.epochs = 1;
    options.limit = 3;
    options.settings = {"train_size=64", "test_size=20", "batch=16",         "model_size=8",
                        "heads=2",       "ff_size=8",    "encoder_layers=1", "decoder_layers=1"};
    return options;
  }
  void training_without_the_mask_as_a_command() {
    const ExperimentResult result = find_experiment("no-causal-mask").run(tiny());
    const auto& rows = result.tables[0].rows;
    QCOMPARE(rows.size(), std::size_t{2});
    const auto number = [&](std::size_t row, std::size_t column) { return std::get<double>(rows[row][column]); };
    QCOMPARE(number(0, 2), number(0, 3));  // trained under the mask: the same weights, the same loss
    QVERIFY(std::abs(number(1, 2) - number(1, 3)) > 1e-6);
    QCOMPARE(result.charts[0].series.size(), std::size_t{2});
  }
  void lengths_as_a_command() {
    const ExperimentResult result = find_experiment("lengths").run(tiny());
    QCOMPARE(result.tables[0].columns.size(), std::size_t{6});
    std::vector<double> lengths;
    for (const auto& row : result.tables[0].rows) {
      QCOMPARE(row.size(), std::size_t{6});
      lengths.push_back(std::get<double>(row[0]));
    }
    QVERIFY(std::is_sorted(lengths.begin(), lengths.end()));
    QCOMPARE(lengths.back(), 20.0);  // far beyond the ten of the training
  }
  void weights_go_to_another_configuration() {
    const auto model = small_transformer();
    const auto other = with_config(*model, {{"causal", false}});
    QVERIFY(!other->config().at("causal").get<bool>());
    for (const Parameter& p : model->parameters().all())
      QVERIFY((other->parameters().find(p.name)->array() == p.value.array()).all());
    const QString refused = message_of<UsageError>([&] { with_config(*model, {{"ff_size", 9}}); });
    QVERIFY2(refused.startsWith("with these settings "), qPrintable(refused));
  }

  void tables_are_written_as_text() {
    const ExperimentTable table{
        "t",
        {"name", "value"},
        {{std::string("a, \"b\""), 0.1}, {std::string("c"), 1e6}, {std::string("d"), std::nan("")}}};
    QCOMPARE(csv_text(table), std::string("name,value\n\"a, \"\"b\"\"\",0.1\nc,1000000\nd,\n"));
    QCOMPARE(plain_text(table), std::string("  name  value\na, \"b\"    0.1\n     c  1e+06\n     d       \n"));
  }
  void an_experiment_that_there_is_not() {
    QCOMPARE(message_of<UsageError>([] { find_experiment("magic"); }),
             QString("there is no experiment 'magic'; known: scaling, complexity, ablation, no-causal-mask, lengths, "
                     "share-and-cause, rotations"));
  }
  void what_is_cancelled_stops() {
    ExperimentOptions options;
    options.cancel = CancelToken::make();
    options.cancel.cancel();
    QVERIFY_THROWS_EXCEPTION(Cancelled, find_experiment("scaling").run(options));
  }
};

HEADLIGHT_TEST(TestExperiments)

}  // namespace headlight::test_experiments

#include "test_experiments.moc"
