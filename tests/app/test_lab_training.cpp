// The training behind the lab: what it tells, when it pauses, stops and goes on; and that it is the one that the
// command line makes.

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <cmath>
#include <thread>

#include "app/jobs/hurry.h"
#include "app/lab/lab_training.h"
#include "model/training/trainer.h"
#include "tests/test_program.h"

namespace headlight::test_lab_training {

namespace {

using State = LabTraining::State;
constexpr int kSoon = 60'000;  // milliseconds; on a machine that builds beside the tests

// So small that an update takes milliseconds.
TrainingSettings small(int epochs) {
  TrainingSettings settings;
  settings.task = "copy";
  settings.architecture = "attn_seq2seq";
  settings.epochs = epochs;
  settings.seed = 3;
  for (const char* key : {"hidden_size=8", "embedding_size=8", "batch=16", "train_size=160", "test_size=20",
                          "optimiser=adam", "learning_rate=0.01"})
    settings.set(key);
  return settings;
}

LiveOptions asked() {
  LiveOptions options;
  options.probes = {{"31415926", "31415926"}};
  options.sample = 10;
  return options;
}

}  // namespace

class TestLabTraining : public QObject {
  Q_OBJECT

 private slots:
  void moments_come_until_the_end() {
    LabTraining training;
    QSignalSpy kept(&training, &LabTraining::momentKept);
    training.start(small(2), asked());
    QCOMPARE(training.state(), State::preparing);
    QTRY_COMPARE_WITH_TIMEOUT(training.state(), State::finished, kSoon);
    QVERIFY(!kept.isEmpty());
    const Recording& recording = *training.recording();
    QVERIFY(recording.whole);
    // 160 examples, 16 at a time, twice.
    QCOMPARE(recording.moments.back()->update, Index{20});
    QCOMPARE(recording.moments.back()->read, Index{320});
    QCOMPARE(training.progress().update, Index{20});
    QCOMPARE(training.progress().updates, Index{20});
  }

  // The weights at the end are those of the trainer alone, to what a float16 can hold.
  void its_numbers_are_those_of_the_trainer() {
    LabTraining training;
    training.start(small(2), asked());
    QTRY_COMPARE_WITH_TIMEOUT(training.state(), State::finished, kSoon);
    TrainingSettings settings = small(2);
    settings.probes = {asked().probes[0].source};
    Trainer alone(settings);
    while (!alone.finished()) alone.run_epoch();
    const std::shared_ptr<const ModelBundle> made = model_at(*training.recording(), training.recording()->count() - 1);
    const auto &ours = made->model->parameters().all(), &theirs = alone.model().parameters().all();
    QCOMPARE(ours.size(), theirs.size());
    for (std::size_t i = 0; i < ours.size(); ++i)
      for (Index at = 0; at < ours[i].value.size(); ++at) {
        const double own = theirs[i].value[at], half = ours[i].value[at];
        QVERIFY2(std::abs(own - half) <= std::abs(own) / 2048 + 1e-7, ours[i].name.c_str());
      }
  }

  void a_pause_stops_the_updates() {
    LabTraining training;
    training.start(small(5000), asked());
    QTRY_VERIFY_WITH_TIMEOUT(training.progress().update > 0, kSoon);
    training.pause();
    QCOMPARE(training.state(), State::paused);
    QTest::qWait(300);  // an update that was being made ends
    const Index before = training.progress().update;
    QTest::qWait(300);
    QCOMPARE(training.progress().update, before);
    training.go_on();
    QCOMPARE(training.state(), State::running);
    QTRY_VERIFY_WITH_TIMEOUT(training.progress().update > before, kSoon);
  }

  void stopping_keeps_a_moment_and_goes_on_from_there() {
    LabTraining training;
    training.start(small(5000), asked());
    QTRY_VERIFY_WITH_TIMEOUT(training.progress().update > 2, kSoon);
    training.stop();
    QTRY_COMPARE_WITH_TIMEOUT(training.state(), State::stopped, kSoon);
    const Index last = training.recording()->moments.back()->update;
    QVERIFY(last >= 2);
    QVERIFY(!training.recording()->whole);
    training.go_on();
    QTRY_VERIFY_WITH_TIMEOUT(training.progress().update > last, kSoon);
  }

  void who_ends_it_does_not_wait_for_it() {
    auto training = std::make_unique<LabTraining>();
    training->start(small(5000), asked());
    QTRY_VERIFY_WITH_TIMEOUT(training->progress().update > 0, kSoon);
    QElapsedTimer clock;
    clock.start();
    training.reset();
    QVERIFY(clock.elapsed() < 2000);  // patience is 200 ms
  }

  void what_cannot_be_trained_is_said() {
    LabTraining training;
    TrainingSettings settings = small(1);
    settings.task = "nothing";
    training.start(settings, asked());
    QTRY_COMPARE_WITH_TIMEOUT(training.state(), State::failed, kSoon);
    QVERIFY(training.error().contains("nothing"));
    QVERIFY(!training.recording());
  }

  // A file where a folder should be: as a disk that cannot be written.
  void without_a_disk_it_goes_on_in_memory() {
    const QTemporaryDir dir;
    QFile file(dir.filePath("file"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    LabTraining training;
    QSignalSpy not_kept(&training, &LabTraining::notKept);
    LiveOptions options = asked();
    options.folder = dir.filePath("file/training").toStdString();
    training.start(small(1), options);
    QTRY_COMPARE_WITH_TIMEOUT(training.state(), State::finished, kSoon);
    QCOMPARE(not_kept.count(), 1);
  }

  void a_typed_probe_is_answered() {
    LabTraining training;
    QSignalSpy kept(&training, &LabTraining::momentKept);
    training.start(small(1), asked());
    QTRY_COMPARE_WITH_TIMEOUT(training.state(), State::finished, kSoon);
    Probe answered;
    int moment = -1;
    connect(&training, &LabTraining::probed, this, [&](const Probe& probe, int at, const ProbeRun&) {
      answered = probe;
      moment = at;
    });
    training.ask({"2718", ""}, 0);
    training.ask({"1618", ""}, 1);  // the newest counts
    QTRY_COMPARE_WITH_TIMEOUT(moment, 1, kSoon);
    QCOMPARE(answered.source, std::string("1618"));
  }

  // Between two updates a training waits while somebody waits for a run, but not for ever.
  void it_steps_aside_for_a_run() {
    QElapsedTimer clock;
    clock.start();
    {
      const Hurry hurry;
      Hurry::let_pass(std::chrono::milliseconds(80));
    }
    QVERIFY(clock.elapsed() >= 80);
    std::atomic<bool> passed = false;
    auto hurry = std::make_unique<Hurry>();
    std::thread waits([&] {
      Hurry::let_pass(std::chrono::seconds(60));
      passed = true;
    });
    QTest::qWait(50);
    QVERIFY(!passed);
    hurry.reset();
    QTRY_VERIFY_WITH_TIMEOUT(passed, 10'000);
    waits.join();
  }
};

HEADLIGHT_CORE_TEST(TestLabTraining)

}  // namespace headlight::test_lab_training

#include "test_lab_training.moc"
