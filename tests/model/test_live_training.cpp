// Trainings that are watched: the numbers are those of a training that nobody watches, however often it is stopped,
// killed and gone on with; what is asked is never trained on; memory is bounded.

#include <QTest>
#include <limits>
#include <stdexcept>

#include "model/core/errors.h"
#include "model/recording/live_training.h"
#include "model/recording/recording_file.h"
#include "model/recording/story.h"
#include "tests/model/io_helpers.h"
#include "tests/model/small_training.h"
#include "tests/test_program.h"

namespace headlight::test_live_training {

namespace {

using namespace trainings;
using testing::Folder;
using testing::message_of;

constexpr int kEpochs = 3;
constexpr Index kUpdates = 18;  // 200 examples in batches of 32: six in each of three epochs

// Everything that has a memory or draws.
TrainingSettings watched(const std::vector<std::string>& more = {}) {
  std::vector<std::string> all = {"dropout=0.3", "layers=2", "teacher_forcing=0.7", "schedule=plateau"};
  all.insert(all.end(), more.begin(), more.end());
  TrainingSettings settings = small(all);
  settings.epochs = kEpochs;
  return settings;
}

LiveOptions asking(const std::string& probe = "314159") {
  LiveOptions options;
  options.probes = {{probe, probe}};
  options.sample = 20;
  options.save_every = 0;
  return options;
}

// Runs until so many updates are made, and stops there.
void run_to(LiveTraining& live, Index update) {
  const CancelToken cancel = CancelToken::make();
  if (update == 0) cancel.cancel();
  live.run(
      {},
      [&](const LiveProgress& now) {
        if (now.update >= update) cancel.cancel();
      },
      cancel);
}

struct Killed : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// As if the program had ended there: nothing is written on the way.
void kill_at(LiveTraining& live, Index update) {
  try {
    live.run({}, [&](const LiveProgress& now) {
      if (now.update >= update) throw Killed("killed");
    });
    QFAIL("it went to its end");
  } catch (const Killed&) {
  }
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// All that depends on the numbers of a training; not how long it took.
QString difference_of(const Recording& a, const Recording& b) {
  if (a.count() != b.count()) return QString("%1 and %2 moments").arg(a.count()).arg(b.count());
  for (int m = 0; m < a.count(); ++m) {
    const Moment &x = a.at(m), &y = b.at(m);
    const QString place = QString(" at moment %1").arg(m);
    if (x.update != y.update || x.read != y.read) return "another update" + place;
    for (double Moment::*number :
         {&Moment::loss, &Moment::right_trained, &Moment::right_unseen, &Moment::perplexity, &Moment::looks_right,
          &Moment::concentration, &Moment::learning_rate, &Moment::gradient_norm})
      if (!same(x.*number, y.*number)) return "another number" + place;
    if (x.layer_gradients != y.layer_gradients) return "other gradients" + place;
    for (std::size_t i = 0; i < x.weights->parameters.size(); ++i) {
      const Halves &v = *x.weights->parameters[i], &w = *y.weights->parameters[i];
      if (!std::equal(v.bits(), v.bits() + v.count(), w.bits(), w.bits() + w.count())) return "other weights" + place;
    }
    const ProbeRun &p = x.probes.at(0), &q = y.probes.at(0);
    if (p.output.size() != q.output.size()) return "another output" + place;
    for (std::size_t t = 0; t < p.output.size(); ++t)
      if (p.output[t].text != q.output[t].text || p.output[t].probability != q.output[t].probability)
        return "another token" + place;
    for (std::size_t i = 0; i < p.attention.size(); ++i)
      if (p.attention[i].values() != q.attention[i].values()) return "another picture" + place;
  }
  return {};
}

std::vector<Index> updates_of(const Recording& recording) {
  std::vector<Index> updates;
  for (const auto& moment : recording.moments) updates.push_back(moment->update);
  return updates;
}

}  // namespace

class TestLiveTraining : public QObject {
  Q_OBJECT

  // The same training without an interruption.
  const Recording& whole() {
    static const std::shared_ptr<const Recording> made = [] {
      LiveTraining live(watched(), asking());
      live.run({});
      return live.recording();
    }();
    return *made;
  }

 private slots:
  // 0, 1, 2, 4, 8, 16, 24, 32, 40 and then every 15: 69 from 55 to 1,075, and the end. 79.
  void moments_are_denser_at_first() {
    const std::vector<Index> plan = moment_updates(1090);
    QCOMPARE(plan.size(), 79u);
    const std::vector<Index> first(plan.begin(), plan.begin() + 12);
    QCOMPARE(first, (std::vector<Index>{0, 1, 2, 4, 8, 16, 24, 32, 40, 55, 70, 85}));
    QCOMPARE(plan[77], Index{1075});
    QCOMPARE(plan[78], Index{1090});
    QCOMPARE(moment_updates(0), std::vector<Index>{0});
    QCOMPARE(moment_updates(3), (std::vector<Index>{0, 1, 2, 3}));
    QCOMPARE(moment_updates(41), (std::vector<Index>{0, 1, 2, 4, 8, 16, 24, 32, 40, 41}));
    QCOMPARE(moment_updates(60), (std::vector<Index>{0, 1, 2, 4, 8, 16, 24, 32, 40, 48, 56, 60}));
    for (const Index updates : {100, 607, 609, 1000, 99'999, 100'000'000}) {
      const std::vector<Index> any = moment_updates(updates);
      QVERIFY(any.size() <= 80 && any.back() == updates);
      QVERIFY(std::adjacent_find(any.begin(), any.end(), std::greater_equal<>()) == any.end());
    }
    QVERIFY(moment_updates(100'000, 20).size() <= 20);
  }

  void the_numbers_are_those_of_a_training_that_nobody_watches() {
    TrainingSettings settings = watched();
    settings.probes = {"314159"};
    Trainer alone(settings);
    while (!alone.finished()) alone.run_epoch();
    LiveTraining live(watched(), asking());
    live.run({});
    QVERIFY(live.finished() && live.recording()->whole);
    QVERIFY(weights(live.trainer()) == weights(alone));
    for (std::size_t e = 0; e < kEpochs; ++e) {
      QCOMPARE(live.trainer().history()[e].loss, alone.history()[e].loss);
      QCOMPARE(live.trainer().history()[e].nll_free, alone.history()[e].nll_free);
      QCOMPARE(live.trainer().history()[e].gradient_norm, alone.history()[e].gradient_norm);
    }
    QVERIFY(live.recording()->settings.to_json() == alone.settings().to_json());
    QCOMPARE(updates_of(*live.recording()), (std::vector<Index>{0, 1, 2, 4, 8, 16, 18}));
    QCOMPARE(live.recording()->updates, kUpdates);
    QCOMPARE(live.recording()->reads, kUpdates * 32);
    QCOMPARE(live.recording()->at(4).read, Index{8 * 32});
  }
  // What is measured at the end is what is measured of the model on the same examples.
  void figures_are_those_of_an_evaluation() {
    LiveTraining live(watched(), asking());
    live.run({});
    const Recording& r = *live.recording();
    const Moment& end = r.at(r.count() - 1);
    Trainer& trainer = live.trainer();
    const auto first = [](const std::vector<Example>& all) {
      return std::vector<Example>(all.begin(), all.begin() + 20);
    };
    const Evaluation unseen = evaluate(trainer.model(), Dataset(trainer.task(), first(trainer.test_examples()))),
                     trained = evaluate(trainer.model(), Dataset(trainer.task(), first(trainer.train_examples())));
    QCOMPARE(end.right_unseen, unseen.exact_match);
    QCOMPARE(end.right_trained, trained.exact_match);
    QVERIFY(std::abs(end.perplexity - std::exp(unseen.nll)) < 1e-4 * end.perplexity);
    double squares = 0;
    for (const double norm : end.layer_gradients) squares += norm * norm;
    QVERIFY(std::abs(std::sqrt(squares) - end.gradient_norm) < 1e-4 * end.gradient_norm);
    QString layers;
    for (const std::string& layer : r.layers) layers += QString::fromStdString(layer) + " ";
    QCOMPARE(layers, QString("encoder encoder.layer[0] encoder.layer[1] decoder decoder.layer[0] decoder.layer[1] "));
    QVERIFY(end.looks_right >= 0 && end.looks_right <= 1 && end.concentration > 0 && end.concentration <= 1);
    QVERIFY(std::isnan(r.at(0).loss) && r.at(1).loss > 0);
  }

  void it_goes_on_from_where_it_was_stopped_data() {
    QTest::addColumn<QList<int>>("stops");
    QTest::newRow("before the first update") << QList<int>{0};
    QTest::newRow("between two moments") << QList<int>{3};
    QTest::newRow("at a moment") << QList<int>{4};
    QTest::newRow("at the end of an epoch") << QList<int>{6};
    QTest::newRow("again and again") << QList<int>{1, 2, 5, 6, 7, 12, 13, 17};
    QTest::newRow("at the last update") << QList<int>{18};
  }
  void it_goes_on_from_where_it_was_stopped() {
    QFETCH(QList<int>, stops);
    LiveTraining live(watched(), asking());
    for (const int stop : stops) {
      run_to(live, stop);
      const auto now = live.recording();
      QVERIFY(!live.finished());
      QVERIFY(now->at(now->count() - 1).update >= stop);
      QVERIFY(!now->at(now->count() - 1).probes.empty());
    }
    live.run({});
    QVERIFY(live.finished());
    QCOMPARE(difference_of(*live.recording(), whole()), QString());
  }
  void it_goes_on_after_a_kill_data() { it_goes_on_from_where_it_was_stopped_data(); }
  void it_goes_on_after_a_kill() {
    QFETCH(QList<int>, stops);
    const Folder folder;
    LiveOptions options = asking();
    options.folder = folder / "training";
    bool stopped = false;
    for (const int stop : stops) {  // in turns killed and stopped
      LiveTraining live(watched(), options);
      if (stopped || stop == 0)
        run_to(live, stop);
      else
        kill_at(live, stop);
      stopped = !stopped;
    }
    LiveTraining live(watched(), options);
    live.run({});
    QCOMPARE(difference_of(*live.recording(), whole()), QString());
    // And once more: it is at its end already.
    const LiveTraining again(watched(), [&] {
      LiveOptions other = options;
      other.folder = folder / "copy";
      std::filesystem::copy(options.folder, other.folder, std::filesystem::copy_options::recursive);
      return other;
    }());
    QVERIFY(again.finished());
    QCOMPARE(difference_of(*again.recording(), whole()), QString());
  }
  void a_folder_is_of_one_training() {
    const Folder folder;
    LiveOptions options = asking();
    options.folder = folder / "training";
    {
      LiveTraining live(watched(), options);
      run_to(live, 5);
      const QString twice = message_of<UsageError>([&] { LiveTraining(watched(), options); });
      QVERIFY2(twice.contains("another training keeps its moments in this folder"), qPrintable(twice));
    }
    const QString other = message_of<FormatError>([&] { LiveTraining(watched({"optimiser=sgd"}), options); });
    QVERIFY2(other.contains("belongs to other settings: optimiser"), qPrintable(other));
    const QString probe = message_of<FormatError>([&] {
      LiveOptions asked = asking("27182");
      asked.folder = options.folder;
      LiveTraining(watched(), asked);
    });
    QVERIFY2(probe.contains("belongs to other settings: probes"), qPrintable(probe));
    testing::put_file(options.folder / "letter.txt", "x");
    const QString foreign = message_of<FormatError>([&] { LiveTraining(watched(), options); });
    QVERIFY2(foreign.contains("expected a new folder or that of a training, found letter.txt in it"),
             qPrintable(foreign));
    std::filesystem::remove(options.folder / "letter.txt");
    testing::put_file(options.folder / "state.safetensors", "x");
    QVERIFY(!message_of<FormatError>([&] { LiveTraining(watched(), options); }).contains("exception"));
  }

  // The others stay what they were, in their order.
  void a_probe_is_not_in_the_data() {
    const Trainer before(small());
    TrainingSettings settings = small();
    settings.probes = {before.train_examples()[7].source, before.test_examples()[3].source};
    const Trainer after(settings);
    auto train = before.train_examples();
    auto test = before.test_examples();
    train.erase(train.begin() + 7);
    test.erase(test.begin() + 3);
    const auto sources = [](const std::vector<Example>& examples) {
      std::vector<std::string> all;
      for (const Example& example : examples) all.push_back(example.source + " " + example.target);
      return all;
    };
    QCOMPARE(sources(after.train_examples()), sources(train));
    QCOMPARE(sources(after.test_examples()), sources(test));
    QCOMPARE(after.left_out().size(), 2u);
    QCOMPARE(after.left_out()[0].source, before.train_examples()[7].source);
  }
  // However it is written: as the model reads it.
  void a_probe_is_what_the_model_reads() {
    TrainingSettings settings = small({}, "attn_seq2seq", "class");
    const Trainer before(settings);
    std::string probe = "  " + before.train_examples()[0].source;
    for (char& letter : probe) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    settings.probes = {probe};
    const Trainer after(settings);
    QCOMPARE(after.left_out().size(), 1u);
    QCOMPARE(after.train_examples()[0].source, before.train_examples()[1].source);
  }
  // Without a wish a held-out example is asked, and what is right is known of it.
  void a_probe_is_found() {
    LiveOptions options;
    options.sample = 10;
    LiveTraining live(small(), options);
    const Probe& probe = live.recording()->probes.at(0);
    QCOMPARE(probe.source, live.trainer().test_examples()[0].source);
    QCOMPARE(probe.target, probe.source);  // of the task "copy"
    QCOMPARE(probe.source_tokens.size(), probe.source.size());
    QVERIFY(live.trainer().settings().probes.empty());
  }
  void pictures_have_the_size_of_their_texts() {
    const Recording& r = whole();
    QCOMPARE(r.maps.size(), 1u);
    QCOMPARE(r.maps[0].name, std::string("decoder.attention.weights"));
    QCOMPARE(r.probes[0].source_tokens, (std::vector<std::string>{"3", "1", "4", "1", "5", "9"}));
    for (const auto& moment : r.moments) {
      const ProbeRun& run = moment->probes[0];
      QVERIFY(static_cast<Index>(run.output.size()) <= r.longest);
      if (run.output.empty()) continue;
      QCOMPARE(run.attention[0].shape(), Shape({static_cast<Index>(run.output.size()), 6}));
      for (std::size_t t = 0; t < run.output.size(); ++t) {
        QVERIFY(run.output[t].text.size() == 1);  // never padding or a sign
        QCOMPARE(run.output[t].right, t < 6 && run.output[t].text == r.probes[0].target_tokens[t]);
        QVERIFY(run.attention[0].matrix().row(static_cast<Index>(t)).sum() < Scalar(1.01));
      }
    }
  }
  void a_text_is_asked_later() {
    LiveTraining live(watched(), asking());
    live.run({});
    const ProbeRun run = live.ask({"27182", {}}, 3);
    QVERIFY(static_cast<Index>(run.output.size()) <= live.recording()->longest);
    QCOMPARE(run.attention.size(), 1u);
    if (!run.output.empty()) QCOMPARE(run.attention[0].dim(1), Index{5});
    const auto model = model_at(*live.recording(), live.recording()->count() - 1);
    const std::vector<Scalar> trained = weights(live.trainer());
    std::vector<Scalar> kept;
    for (const Parameter& p : model->model->parameters().all())
      kept.insert(kept.end(), p.value.data(), p.value.data() + p.value.size());
    QVERIFY(distance(kept, trained) < 2e-3);  // float16
    const CancelToken cancelled = CancelToken::make();
    cancelled.cancel();
    QVERIFY_EXCEPTION_THROWN(live.ask({"27182", {}}, 3, cancelled), Cancelled);
  }

  void memory_is_bounded() {
    LiveOptions options = asking();
    LiveTraining all(watched(), options);
    const auto each = static_cast<std::size_t>(all.recording()->numbers) * 2;
    options.most_bytes = 4 * each;
    LiveTraining live(watched(), options);
    live.run({});
    const Recording& r = *live.recording();
    QVERIFY(r.thinned && !whole().thinned);
    // Of 0 1 2 4 8 16 18 every second one, and the last: 0 2 8 18.
    QCOMPARE(updates_of(r), (std::vector<Index>{0, 2, 8, 18}));
    std::size_t bytes = 0;
    for (const auto& moment : r.moments) bytes += moment->weights->bytes();
    QCOMPARE(bytes, 4 * each);
    options.weights = false;
    LiveTraining without(watched(), options);
    without.run({});
    QCOMPARE(without.recording()->count(), whole().count());
    QVERIFY(!without.recording()->at(0).weights);
    const QString none = message_of<UsageError>([&] { without.ask({"1", {}}, 0); });
    QCOMPARE(none, QString("the weights of this moment were not kept"));
  }

  // Numbers that are none: where it happened, and what came before stays.
  void a_failure_says_where() {
    LiveTraining live(watched(), asking());
    double loss = 0;
    live.run({}, [&](const LiveProgress& now) {
      loss = now.loss;
      if (now.update == 9)
        live.trainer().trained_model()->parameters().all().back().value[0] = std::numeric_limits<Scalar>::quiet_NaN();
    });
    const Recording& r = *live.recording();
    QVERIFY(r.failure && live.finished() && !r.whole);
    QCOMPARE(r.failure->update, Index{10});
    QCOMPARE(r.failure->loss_before, loss);
    QVERIFY2(r.failure->message.find("is no longer a number in epoch 2, batch 4 of 6") != std::string::npos,
             r.failure->message.c_str());
    QCOMPARE(updates_of(r), (std::vector<Index>{0, 1, 2, 4, 8}));
    live.run({});  // it stays where it is
    QCOMPARE(live.recording()->count(), 5);
  }

  void a_recording_is_kept_in_a_file() {
    const Folder folder;
    save_recording(folder / "live.training", whole());
    const auto read = load_recording(folder / "live.training");
    QCOMPARE(difference_of(*read, whole()), QString());
    QVERIFY(marks(*read, 0) == marks(whole(), 0));
    // The model of a moment needs nothing but the file.
    const ProbeRun run = ask_recording(*read, {"27182", {}}, 2);
    QVERIFY(static_cast<Index>(run.output.size()) <= read->longest);
  }
};

HEADLIGHT_TEST(TestLiveTraining)

}  // namespace headlight::test_live_training

#include "test_live_training.moc"
