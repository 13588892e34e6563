// headlight --no-threads: the window computes in slices of its own thread, and nobody else notices.

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <utility>

#include "app/jobs/listed_runs.h"
#include "app/jobs/no_threads.h"
#include "app/lab/lab_training.h"
#include "app/window/main_window.h"
#include "model/core/clock.h"
#include "model/core/graph.h"
#include "model/core/parallel.h"
#include "model/core/slices.h"
#include "model/core/work_queue.h"
#include "model/io/model_folder.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"

namespace headlight::test_no_threads {

namespace {

qsizetype threads() {
  return QDir(QStringLiteral("/proc/self/task")).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size();
}

// Work without end, as a loop of the core is.
void spin(const CancelToken& cancel) {
  while (true) {
    cancel.check();
    slice_point();
  }
}

// How often the loop of events came round, and the longest time between, in seconds of the processor: what else the
// machine does is not counted.
class Heart : public QObject {
 public:
  Heart() {
    connect(&timer_, &QTimer::timeout, this, [this] {
      ++beats;
      longest = std::max(longest, thread_seconds() - std::exchange(last_, thread_seconds()));
    });
    timer_.start(5);
  }
  int beats = 0;
  double longest = 0;

 private:
  QTimer timer_;
  double last_ = thread_seconds();
};

}  // namespace

class TestNoThreads : public QObject {
  Q_OBJECT

  QTemporaryDir home_;
  qsizetype before_ = 0;

 private slots:
  void initTestCase() {
    qputenv("XDG_DATA_HOME", home_.filePath("data").toUtf8());
    { const MainWindow window(MainWindow::Remember::no); }  // Qt has what it wants
    before_ = threads();
    compute_without_threads();
    QVERIFY(!has_threads());
    QCOMPARE(thread_count(), 1);
  }
  void cleanup() { QCOMPARE(threads(), before_); }

  void a_job_without_end_leaves_the_window_its_time() {
    int progress = 0;
    BackgroundThread job(nullptr);
    job.start([&](std::uint64_t, const BackgroundThread::Report& report) -> BackgroundThread::Job {
      return [&progress, report](const CancelToken& cancel) -> BackgroundThread::Delivery {
        report([&progress] { ++progress; });
        spin(cancel);
        return {};
      };
    });
    const Heart heart;
    QTRY_VERIFY_WITH_TIMEOUT(heart.beats > 20, 20000);
    QVERIFY2(heart.longest < 0.1, qPrintable(QString::number(heart.longest)));
    QCOMPARE(progress, 1);
    QVERIFY(job.busy());
    job.stop();
    job.finish();  // waits: and drives what it waits for
    QVERIFY(!job.busy());
  }

  void the_newest_job_wins() {
    std::vector<int> done;
    Latest<int> latest([&](const int& made) { done.push_back(made); });
    latest.start([](const CancelToken& cancel) {
      spin(cancel);
      return 1;
    });
    QTest::qWait(30);
    latest.start([](const CancelToken&) { return 2; });
    latest.start([](const CancelToken&) { return 3; });
    QTRY_COMPARE(done, std::vector<int>{3});
    QString told;
    Latest<int> fails([](const int&) {}, [&](const QString& message, bool) { told = message; });
    fails.start([](const CancelToken&) -> int { throw UsageError("no such thing"); });
    QTRY_COMPARE(told, QString("no such thing"));
  }

  void a_job_whose_owner_goes_is_ended() {
    {
      BackgroundThread job(nullptr);
      job.start([](const CancelToken& cancel) -> BackgroundThread::Delivery {
        spin(cancel);
        return {};
      });
      QTest::qWait(20);
    }
    QCOMPARE(BackgroundThread::left(), 0);
  }

  // What C++ and the core keep for a thread is that of the piece of work: exceptions that are handled, the graph.
  void pieces_of_work_do_not_see_each_other() {
    std::vector<std::string> seen;
    const auto piece = [&seen](const char* name) {
      return [&seen, name] {
        Graph graph(Graph::Keep::everything);
        const Graph::Scope scope(&graph);
        try {
          throw std::runtime_error(name);
        } catch (const std::exception&) {
          for (int i = 0; i < 3; ++i)
            wait_in_slices([] { return false; }, SliceClock::now() + std::chrono::milliseconds(3));
          try {
            throw;
          } catch (const std::exception& again) {
            seen.push_back(Graph::current() == &graph ? again.what() : "another graph");
          }
        }
      };
    };
    begin_sliced(piece("a"));
    begin_sliced(piece("b"));
    QTRY_COMPARE(seen.size(), std::size_t(2));
    std::ranges::sort(seen);
    QCOMPARE(seen, (std::vector<std::string>{"a", "b"}));
    QVERIFY(!Graph::current());
    QVERIFY(!std::current_exception());
  }

  void a_queue_does_one_thing_after_the_other() {
    std::vector<int> done;
    WorkQueue queue;
    for (int i = 0; i < 3; ++i)
      queue.start([&done, i] {
        wait_in_slices([] { return false; }, SliceClock::now() + std::chrono::milliseconds(2));
        done.push_back(i);
      });
    QVERIFY(done.empty());
    queue.wait();
    QCOMPARE(done, (std::vector<int>{0, 1, 2}));
  }

  // The same as the core gives when nobody cuts it.
  void typing_gives_the_same_numbers() {
    MainWindow window(MainWindow::Remember::no);
    Document document;
    document.model = small_model();
    document.source = "1/2/03";
    window.start(document);
    window.show();
    for (const char* text : {"1/2/03", "11/2/03", "11/2/034"}) {
      window.session().set_source(QString::fromUtf8(text));
      QTRY_VERIFY_WITH_TIMEOUT(!window.worker().busy() && window.result() && window.result()->source == text, 20000);
      Request request;
      request.model = document.model;
      request.source = text;
      const Result wanted = run(request);
      const Trace &is = *window.result()->trace, &should = *wanted.trace;
      QCOMPARE(window.result()->output, wanted.output);
      QCOMPARE(is.size(), should.size());
      for (int i = 0; i < should.size(); ++i) {
        QCOMPARE(is[i].site.text, should[i].site.text);
        QVERIFY(std::ranges::equal(is[i].value.array(), should[i].value.array(),
                                   [](Scalar a, Scalar b) { return a == b || (std::isnan(a) && std::isnan(b)); }));
      }
    }
  }

  void a_model_is_opened() {
    MainWindow window(MainWindow::Remember::no);
    const QTemporaryDir folder;
    window.open_model(small_model_folder(folder));
    QTRY_VERIFY_WITH_TIMEOUT(window.result(), 20000);
  }

  // A training goes on while the window answers, pauses, and stops within half a second.
  void a_training_leaves_the_window_its_time() {
    LabTraining training;
    TrainingSettings settings;
    settings.task = "copy";
    settings.architecture = "attn_seq2seq";
    settings.epochs = 100'000;
    for (const char* key : {"hidden_size=32", "embedding_size=16", "batch=64", "train_size=640", "test_size=20"})
      settings.set(key);
    training.start(settings, {});
    QTRY_VERIFY_WITH_TIMEOUT(training.state() == LabTraining::State::running && training.progress().update > 2, 60000);
    {
      const Heart heart;
      const Index update = training.progress().update;
      QTRY_VERIFY_WITH_TIMEOUT(training.progress().update > update + 20 && heart.beats > 10, 60000);
      QVERIFY2(heart.longest < 0.1, qPrintable(QString::number(heart.longest)));
    }
    training.pause();
    QTest::qWait(50);
    const Index paused = training.progress().update;
    QTest::qWait(100);
    QCOMPARE(training.progress().update, paused);
    training.go_on();
    QTRY_VERIFY_WITH_TIMEOUT(training.progress().update > paused, 20000);
    const double asked = thread_seconds();
    training.stop();
    QTRY_COMPARE_WITH_TIMEOUT(training.state(), LabTraining::State::stopped, 20000);
    QVERIFY2(thread_seconds() - asked < 0.5, qPrintable(QString::number(thread_seconds() - asked)));
  }

  void a_list_of_texts_is_read() {
    ListedRuns runs(nullptr);
    int read = 0;
    bool finished = false;
    connect(&runs, &ListedRuns::part, &runs,
            [&](const ListedPart& part) { read += static_cast<int>(part.texts.size()); });
    QString refused;
    connect(&runs, &ListedRuns::finished, &runs, [&] { finished = true; });
    connect(&runs, &ListedRuns::refused, &runs, [&](const QString& why) { refused = why; });
    auto texts = std::make_shared<std::vector<ListedText>>();
    for (int i = 0; i < 40; ++i) texts->push_back({std::to_string(i % 12 + 1) + "/2/03", {}, {}, {}});
    runs.run(load_model("date-transformer"), texts);
    QTRY_VERIFY_WITH_TIMEOUT(finished || !refused.isEmpty(), 30000);
    QCOMPARE(refused, QString());
    QCOMPARE(read, 40);
  }
};

HEADLIGHT_WIDGET_TEST(TestNoThreads)

}  // namespace headlight::test_no_threads

#include "test_no_threads.moc"
