// The trainer: settings, losses of padded batches, and figures of a model that is known by construction.

#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <limits>

#include "model/core/errors.h"
#include "model/decode/run.h"
#include "model/io/safetensors.h"
#include "model/training/trainer.h"
#include "tests/model/helpers.h"
#include "tests/model/small_training.h"
#include "tests/test_program.h"

namespace headlight::test_training {

using namespace trainings;
using testing::message_of;

namespace {

// Writes the source again; its attention is on the token that it copies, in the order in which the source is read, or
// on the first token.
class Copier : public Model {
 public:
  explicit Copier(const Json& config, bool looks = true) : Model(config), looks_(looks) {}
  std::unique_ptr<Decoding> begin(const Source& source, const Pass&) const override {
    return std::make_unique<Steps>(*this, source);
  }

 private:
  class Steps : public Decoding {
   public:
    Steps(const Copier& model, const Source& source) : model_(model), source_(source) {}
    Tensor advance(const Tensor& ids, const Pass&) override {
      const Index count = ids.dim(1), steps = ids.dim(0), s_count = source_.ids.dim(0);
      Tensor logits = Tensor::zeros({count, steps, model_.config().at("target_vocabulary_size").get<Index>()});
      attention_ = Tensor::zeros({count, steps, s_count});
      for (Index n = 0; n < count; ++n) {
        Index length = 0;
        while (length < s_count && (!source_.keep.defined() || source_.keep[n * s_count + length] != 0)) ++length;
        for (Index t = 0; t < steps; ++t) {
          const Index at = step_ + t;
          const auto id = at < length ? static_cast<Index>(source_.ids[at * count + n]) : kEndId;
          logits.matrix()(n * steps + t, id) = 9;
          if (at >= length) continue;
          const Index read = model_.config().value("reverse_source", false) ? length - 1 - at : at;
          attention_.matrix()(n * steps + t, model_.looks_ ? read : 0) = 1;
        }
      }
      step_ += steps;
      return logits;
    }
    void select(const std::vector<Index>&) override {}
    Tensor attention() const override { return attention_; }

   private:
    const Copier& model_;
    Source source_;
    Tensor attention_;
    Index step_ = 0;
  };
  static constexpr Index kEndId = 2;
  bool looks_;
};

}  // namespace

class TestTraining : public QObject {
  Q_OBJECT

 private slots:
  void settings_go_to_their_places() {
    TrainingSettings s =
        small({"optimiser=nag", "schedule=plateau", "learning_rate=0.5", "momentum=0.8", "warmup=10", "clip_value=3",
               "label_smoothing=0.1", "teacher_forcing=0.5", "patience=4", "cell=gru", "dropout=0.25"});
    QCOMPARE(s.optimiser, std::string("nag"));
    QCOMPARE(*s.constants.learning_rate, 0.5);
    QCOMPARE(s.rates.warmup, 10.0);
    QCOMPARE(s.clip_value, 3.0);
    QCOMPARE(s.patience, 4);
    QCOMPARE(s.model["cell"].get<std::string>(), std::string("gru"));
    QCOMPARE(s.model["dropout"].get<double>(), 0.25);
    QVERIFY(TrainingSettings::from_json(s.to_json()).to_json() == s.to_json());
    QVERIFY(TrainingSettings::from_json(s.to_json()).resolved().constants.momentum == 0.8);
  }

  // The rates that nobody asked for: those of the optimiser, and 1 for the factor of noam.
  void open_constants_are_filled_in() {
    QCOMPARE(*small().resolved().constants.learning_rate, 1e-3);
    QCOMPARE(*small({"optimiser=adadelta"}).resolved().constants.learning_rate, 1.0);
    QCOMPARE(*small({"schedule=noam"}).resolved().constants.learning_rate, 1.0);
    QCOMPARE(*small({"schedule=noam", "learning_rate=2"}).resolved().constants.learning_rate, 2.0);
    QCOMPARE(*small({"optimiser=nag"}).resolved().constants.momentum, 0.99);
  }

  // Vaswani et al. 2017, eq. 3: the width is that of the model. With 16 and a factor of ½, ⅛ min(s^−½, s w^−3/2).
  void noam_knows_the_width_of_a_transformer() {
    TrainingSettings settings;
    settings.task = "copy";
    settings.architecture = "transformer";
    for (const char* setting : {"model_size=16", "heads=2", "ff_size=8", "encoder_layers=1", "decoder_layers=1",
                                "train_size=64", "test_size=5", "batch=16", "optimiser=adam", "beta2=0.98",
                                "schedule=noam", "warmup=4", "learning_rate=0.5", "clip=1"})
      settings.set(setting);
    Trainer trainer(settings);
    QVERIFY(std::abs(trainer.learning_rate() - 0.125 / 8) < 1e-12);
    trainer.run_epoch();                                                        // four updates
    QVERIFY(std::abs(trainer.history()[0].learning_rate - 0.125 / 2) < 1e-12);  // the peak
    QVERIFY(std::abs(trainer.learning_rate() - 0.125 / std::sqrt(5.0)) < 1e-12);
  }

  void settings_that_do_not_fit_are_refused_data() {
    QTest::addColumn<QString>("setting");
    QTest::addColumn<QString>("message");
    QTest::newRow("no value") << "batch"
                              << "--set takes KEY=VALUE, found 'batch'";
    QTest::newRow("not whole") << "batch=1.5"
                               << "'batch' must be a whole number from 1 to 10000000, found 1.5";
    QTest::newRow("negative") << "clip=-1"
                              << "'clip' must be a number from 0 to 10000000, found -1";
    QTest::newRow("above 1") << "teacher_forcing=1.01"
                             << "'teacher_forcing' must be a number from 0 to 1, found 1.01";
    QTest::newRow("no number") << "learning_rate=fast"
                               << "'learning_rate' must be a number from 1e-12 to 1000, found \"fast\"";
    QTest::newRow("no word") << "schedule=fall"
                             << "'schedule' must be one of constant, noam, halve_after, plateau, found \"fall\"";
    QTest::newRow("another task's") << "bpe_merges=10"
                                    << "there is no setting 'bpe_merges'; known: batch, ";
  }
  void settings_that_do_not_fit_are_refused() {
    QFETCH(QString, setting);
    QFETCH(QString, message);
    const QString found = message_of<UsageError>([&] { small({setting.toStdString()}); });
    QVERIFY2(found.startsWith(message), qPrintable(found));
  }

  // -log softmax by hand: logits (0, ln 3) give 1/4 and 3/4; masked tokens are 0 whatever they hold.
  void token_losses_by_hand() {
    const auto ln3 = static_cast<Scalar>(std::log(3.0));
    const Tensor nll = token_nll(Tensor::of({1, 3, 2}, {0, ln3, 0, ln3, 5, 5}), Tensor::of({1, 3}, {0, 1, 9}),
                                 Tensor::of({1, 3}, {1, 1, 0}));
    QVERIFY(std::abs(static_cast<double>(nll[0]) - std::log(4.0)) < 1e-6);
    QVERIFY(std::abs(static_cast<double>(nll[1]) - std::log(4.0 / 3)) < 1e-6);
    QVERIFY(nll[2] == Scalar(0));
  }

  // Lengths differ, so that the parts of a batch hold different numbers of tokens: each token weighs the same.
  void the_parts_of_a_batch_make_no_difference() {
    Trainer one(small({"parts=1"})), three(small({"parts=3"}));
    const auto cut = one.train_data().batches(1, 1, 32);
    for (int b = 0; b < 3; ++b) {
      const double a = one.step(one.train_data().batch(cut[static_cast<std::size_t>(b)]));
      const double c = three.step(three.train_data().batch(cut[static_cast<std::size_t>(b)]));
      QVERIFY(std::abs(a - c) < 1e-5);
    }
    // Adam divides by the size of the gradient, so rounding shows most where gradients are smallest.
    QVERIFY2(distance(weights(one), weights(three)) < 2e-4, "weights");
  }

  // An untrained model is sure of nothing: about ln V nats for each token, however much padding there is.
  void the_loss_is_per_token() {
    Trainer trainer(small());
    const double loss = trainer.step(trainer.train_data().batch(trainer.train_data().batches(1, 1, 100)[0]));
    const auto size = static_cast<double>(trainer.task().text.target.vocabulary().size());
    QVERIFY2(std::abs(loss - std::log(size)) < 0.2, qPrintable(QString::number(loss)));
  }

  // Fed the right tokens with (almost) certainty, step by step, the loss is that of all steps at once.
  void teacher_forcing_step_by_step_is_the_same() {
    Trainer whole(small()), steps(small({"teacher_forcing=0.999999999"})), free(small({"teacher_forcing=0"}));
    const Batch batch = whole.train_data().batch(whole.train_data().batches(1, 1, 32)[0]);
    for (int i = 0; i < 3; ++i) QVERIFY(std::abs(whole.step(batch) - steps.step(batch)) < 1e-5);
    QVERIFY(distance(weights(whole), weights(steps)) < 2e-4);
    for (int i = 0; i < 3; ++i) free.step(batch);
    QVERIFY(distance(weights(whole), weights(free)) > 1e-5);
  }

  // Smoothing changes what is learned, not what is reported: the log-likelihood of the right tokens.
  void smoothing_is_not_reported_as_loss() {
    Trainer plain(small()), smooth(small({"label_smoothing=0.3"}));
    const Batch batch = plain.train_data().batch(plain.train_data().batches(1, 1, 32)[0]);
    QCOMPARE(plain.step(batch), smooth.step(batch));
    QVERIFY(weights(plain) != weights(smooth));
  }

  // Xu et al. 2015: b = 0.9 b + 0.1 log p, the mean over the targets of the batch, from 0 on.
  void the_baseline_is_a_moving_average() {
    Trainer trainer(small());
    const auto cut = trainer.train_data().batches(1, 1, 32);
    double baseline = 0;
    for (std::size_t b = 0; b < 3; ++b) {
      const Batch batch = trainer.train_data().batch(cut[b]);
      const double tokens = static_cast<double>(batch.mask.array().sum());
      baseline = 0.9 * baseline + 0.1 * -trainer.step(batch) * tokens / 32;
    }
    const QTemporaryDir dir;
    const std::string file = dir.filePath("checkpoint.safetensors").toStdString();
    trainer.save_checkpoint(file);
    const double kept = std::stod(SafetensorsFile(file).metadata().at("baseline"));
    QVERIFY2(kept < 0 && std::abs(kept - baseline) < 1e-9, qPrintable(QString::number(kept)));
  }

  // Vaswani et al. 2017, section 6.1. The training itself goes on as without.
  void the_mean_of_the_last_epochs_is_measured() {
    Trainer plain(small()), averaged(small({"average=2"}));
    std::vector<std::vector<Scalar>> after;
    for (std::size_t epoch = 0; epoch < 3; ++epoch) {
      const EpochRecord own = plain.run_epoch(), mean = averaged.run_epoch();
      after.push_back(weights(plain));
      const std::vector<Scalar> found = weights(averaged);
      QCOMPARE(mean.loss, own.loss);
      for (std::size_t i = 0; i < found.size(); ++i) {
        const Scalar expected = epoch == 0 ? after[0][i] : (after[epoch - 1][i] + after[epoch][i]) / 2;
        QVERIFY(std::abs(static_cast<double>(found[i] - expected)) < 1e-6);
      }
      QCOMPARE(mean.nll, evaluate(averaged.model(), averaged.test_data()).nll);
      QCOMPARE(mean.nll == own.nll, epoch == 0);
    }
    QVERIFY(distance(weights(averaged), weights(plain)) > 1e-4);
  }

  // The copier is wrong about the second of three tokens.
  void only_marked_tokens_are_measured() {
    const Task& task = find_task("copy");
    const Copier model({{"target_vocabulary_size", task.text.target.vocabulary().size()}}, true);
    TextRules rules = task.text;
    rules.eos.reset();
    const auto figures = [&](std::vector<bool> counted) {
      return evaluate(model, Dataset(rules, {{"123", "193", {}, 0, std::move(counted)}}));
    };
    QVERIFY(std::abs(figures({}).token_accuracy - 2.0 / 3) < 1e-12);
    QCOMPARE(figures({}).exact_match, 0.0);
    QCOMPARE(figures({true, false, true}).token_accuracy, 1.0);
    QCOMPARE(figures({true, false, true}).exact_match, 1.0);
    QCOMPARE(figures({false, true, false}).token_accuracy, 0.0);
    // Logits are 9 for the choice and 0 for the others: the loss of a wrong token is 9 more than that of a right one.
    QVERIFY(std::abs(figures({false, true, false}).nll - figures({true, false, false}).nll - 9) < 1e-5);
  }

  void numbers_that_overflow_end_the_training() {
    Trainer trainer(small({"learning_rate=0.25"}));
    trainer.run_epoch();
    trainer.model().parameters().all().back().value[0] = std::numeric_limits<Scalar>::quiet_NaN();
    const QString message = message_of<Error>([&] { trainer.run_epoch(); });
    QVERIFY2(message.startsWith("the loss is no longer a number in epoch 2, batch 1 of 6: "), qPrintable(message));
    QVERIFY2(message.contains("learning_rate (now 0.25)"), qPrintable(message));
    QCOMPARE(trainer.epochs_done(), 1);
  }

  void patience_counts_epochs_without_progress() {
    const auto history = [](const std::vector<double>& losses) {
      std::vector<EpochRecord> epochs;
      for (const double loss : losses) {
        epochs.emplace_back();
        epochs.back().epoch = static_cast<int>(epochs.size());
        epochs.back().nll = loss;
      }
      return epochs;
    };
    QCOMPARE(best_epoch({}), -1);
    QCOMPARE(best_epoch(history({3, 1, 2, 1})), 1);
    QVERIFY(!out_of_patience({}, 1));
    QVERIFY(!out_of_patience(history({3, 2, 1}), 1));
    QVERIFY(!out_of_patience(history({3, 2, 2.5}), 2));
    QVERIFY(out_of_patience(history({3, 2, 2.5, 2}), 2));
    QVERIFY(!out_of_patience(history({3, 2, 2.5, 2, 9, 9}), 0));
    QVERIFY(!out_of_patience(history({3, 2, 2.5, 1.9}), 2));
  }

  void the_log_has_a_column_for_each_figure() {
    EpochRecord r;
    r.epoch = 7;
    r.loss = 0.5;
    r.exact_match = 0.25;
    r.learning_rate = 1e-3;
    r.nll = std::log(2.0);
    r.nll_free = std::log(4.0);
    QCOMPARE(QString::fromStdString(history_csv({r})),
             QString("epoch,loss,exact_match,gradient_norm,seconds,examples_per_second,learning_rate,token_accuracy,"
                     "ppl_tf,ppl_free\n7,0.500000,0.250000,0.000000,0.000,0.0,0.001,0.000000,2,4\n"));
    const std::vector<EpochRecord> again = read_history(Json::parse(history_json({r}).dump()));
    QCOMPARE(again.size(), std::size_t{1});
    QCOMPARE(again[0].nll_free, r.nll_free);
    // A log of before there were perplexities.
    const auto old = read_history(Json::parse("[{\"epoch\": 1, \"loss\": 2.0}]"));
    QVERIFY(std::isinf(old[0].nll));
  }

  // The same examples, one at a time, through the traced run: probabilities and outputs must give the same figures.
  void evaluation_agrees_with_single_runs() {
    Trainer trainer(small({"train_size=400"}));
    for (int i = 0; i < 2; ++i) trainer.run_epoch();
    const Evaluation figures = evaluate(trainer.model(), trainer.test_data());
    auto bundle = std::make_shared<ModelBundle>();
    bundle->model = trainer.shared_model();
    bundle->text = trainer.task().text;
    double nll = 0, right = 0, tokens = 0, exact = 0;
    const std::vector<std::string> outputs = greedy_outputs(trainer.model(), bundle->text, trainer.test_data());
    for (std::size_t i = 0; i < trainer.test_examples().size(); ++i) {
      const Example& example = trainer.test_examples()[i];
      Request request;
      request.model = bundle;
      request.trace = false;
      request.source = example.source;
      const Result own = run(request);
      QCOMPARE(own.output, outputs[i]);
      exact += own.output == example.target ? 1 : 0;
      request.target = example.target;
      const Result forced = run(request);
      for (std::size_t t = 0; t < forced.steps.size(); ++t) {
        nll -= std::log(forced.steps[t].probability);
        right += t < own.steps.size() && own.steps[t].id == forced.steps[t].id ? 1 : 0;
        ++tokens;
      }
    }
    QCOMPARE(figures.examples, static_cast<Index>(trainer.test_examples().size()));
    QVERIFY(std::abs(figures.nll - nll / tokens) < 1e-5);
    QVERIFY(std::abs(figures.exact_match * static_cast<double>(figures.examples) - exact) < 1e-9);
    // A greedy output that ended early has nothing to compare later tokens with, so this is a lower bound.
    QVERIFY(figures.token_accuracy >= right / tokens - 1e-9);
    QVERIFY(figures.nll_free > 0);
  }

  void a_model_that_copies_is_right_about_everything() {
    const Task& task = find_task("copy");
    const std::vector<Example> examples = {{"12", "12", {{0, 0}, {1, 1}}, 2},
                                           {"907", "907", {{0, 0}, {1, 1}, {2, 2}}, 3},
                                           {"345", "543", {{2, 0}, {1, 1}, {0, 2}}, 3}};
    for (const bool reversed : {false, true}) {
      const Copier model(
          {{"target_vocabulary_size", task.text.target.vocabulary().size()}, {"reverse_source", reversed}});
      const Dataset data(task, examples);
      const Evaluation figures = evaluate(model, data);
      QVERIFY(std::abs(figures.exact_match - 2.0 / 3) < 1e-12);
      QVERIFY(std::abs(figures.token_accuracy - 9.0 / 11) < 1e-12);  // 3 + 4 + 4 tokens with EOS; 3 and 5 are swapped
      // The copier does not listen, so what it is fed changes nothing.
      QVERIFY(std::abs(figures.nll - figures.nll_free) < 1e-6);
      QVERIFY((figures.right == std::vector<bool>{true, true, false}));
      const std::vector<GroupQuality> groups = by_group(figures.right, data.groups());
      QCOMPARE(groups.size(), std::size_t{2});
      QCOMPARE(groups[0].group, 2);
      QCOMPARE(groups[0].exact_match, 1.0);
      QCOMPARE(groups[1].examples, 2);
      QCOMPARE(groups[1].exact_match, 0.5);
      QVERIFY((greedy_outputs(model, task.text, data) == std::vector<std::string>{"12", "907", "345"}));
      // It looks at what it copies; in the last example only the middle is where it should be: 6 of 8 links.
      const AlignmentQuality quality = evaluate_alignment(model, task.text, examples);
      QCOMPARE(quality.found, 8);
      QCOMPARE(quality.sure, 8);
      QCOMPARE(quality.right_sure, 6);
      QVERIFY(std::abs(quality.error_rate() - 0.25) < 1e-12);
      // The same from one forced pass: two of three are right as a whole, and every weight is 1.
      const ForcedEvaluation forced = evaluate_forced(model, task.text, data, examples);
      QVERIFY(std::abs(forced.exact_match - 2.0 / 3) < 1e-12);
      QCOMPARE(forced.tokens, 11.0);
      QVERIFY(std::abs(forced.nll / forced.tokens - figures.nll) < 1e-6);
      QCOMPARE(forced.linked, 8);
      QCOMPARE(forced.right, 6);
      QCOMPARE(forced.rows, 8);
      QCOMPARE(forced.largest, 8.0);
    }
    // Always at the token that was read first: right once in each example.
    const Copier staring({{"target_vocabulary_size", task.text.target.vocabulary().size()}}, false);
    QCOMPARE(evaluate_alignment(staring, task.text, examples).right_sure, 3);
    QCOMPARE(evaluate_forced(staring, task.text, Dataset(task, examples), examples).right, 3);
  }
};

HEADLIGHT_TEST(TestTraining)

}  // namespace headlight::test_training

#include "test_training.moc"
