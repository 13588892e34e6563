// The computing thread: a slow old request never overwrites a fast new one, and failures keep what was there.

#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <atomic>

#include "app/jobs/run_worker.h"
#include "model/core/clock.h"
#include "tests/test_program.h"

namespace headlight::test_run_worker {

class TestRunWorker : public QObject {
  Q_OBJECT

  // A run that takes as long as its source says, in milliseconds, and looks at its token like a model does.
  static Result slow(const Request& request) {
    if (request.source == "error") throw UsageError("nothing named 'error'");
    if (request.source == "defect") throw ShapeError("linear: expected [3], got [4]");
    const int milliseconds = QString::fromStdString(request.source).toInt();
    for (int i = 0; i < milliseconds; ++i) {
      request.cancel.check();
      QThread::msleep(1);
      if (request.progress) request.progress(static_cast<double>(i) / milliseconds);
    }
    Result result;
    result.id = request.id;
    result.source = request.source;
    return result;
  }
  // A run that never looks at its token.
  static Result deaf(const Request& request) {
    QThread::msleep(static_cast<unsigned long>(QString::fromStdString(request.source).toInt()));
    Result result;
    result.id = request.id;
    result.source = request.source;
    return result;
  }
  static Request asking(const char* source) {
    Request request;
    request.source = source;
    return request;
  }

 private slots:
  void only_the_newest_result_arrives_data() {
    QTest::addColumn<bool>("listens");
    QTest::newRow("cancelled") << true;
    QTest::newRow("cannot be cancelled") << false;
  }
  void only_the_newest_result_arrives() {
    QFETCH(bool, listens);
    RunWorker worker(nullptr, listens ? slow : deaf);
    QStringList seen;
    connect(&worker, &RunWorker::finished, this,
            [&](const std::shared_ptr<const Result>& r) { seen << QString::fromStdString(r->source); });
    worker.submit(asking("300"));
    QTest::qWait(30);  // it runs
    worker.submit(asking("200"));
    const std::uint64_t last = worker.submit(asking("1"));
    QVERIFY(worker.busy());
    QTRY_VERIFY_WITH_TIMEOUT(!worker.busy(), 5000);
    QTest::qWait(400);  // the slow one would have been here by now
    QCOMPARE(seen, QStringList{"1"});
    QCOMPARE(last, std::uint64_t{3});
  }

  // The slow one has finished its work, but its delivery still waits in the event queue.
  void a_result_that_waits_for_delivery_is_dropped() {
    RunWorker worker(nullptr, slow);
    QStringList seen;
    connect(&worker, &RunWorker::finished, this,
            [&](const std::shared_ptr<const Result>& r) { seen << QString::fromStdString(r->source); });
    worker.submit(asking("2"));
    QThread::msleep(200);  // no event loop here
    worker.submit(asking("1"));
    QTRY_VERIFY_WITH_TIMEOUT(!worker.busy(), 5000);
    QTest::qWait(50);
    QCOMPARE(seen, QStringList{"1"});
  }

  void a_slow_progress_function_of_the_request_is_called() {
    RunWorker worker(nullptr, slow);
    QSignalSpy progress(&worker, &RunWorker::progress), finished(&worker, &RunWorker::finished);
    std::atomic<int> calls = 0;
    Request request = asking("5");
    request.progress = [&](double) {
      ++calls;
      QThread::msleep(20);
    };
    worker.submit(request);
    QVERIFY(finished.wait(5000));
    QCOMPARE(calls.load(), 5);
    QCOMPARE(progress.size(), 5);
  }

  void the_window_is_not_told_of_steps_that_it_could_not_show() {
    static std::atomic<int> asked;
    asked = 0;
    run_clock = [] { return 0.004 * ++asked; };  // four milliseconds from one look at the clock to the next
    RunWorker worker(nullptr, slow);
    QSignalSpy progress(&worker, &RunWorker::progress), finished(&worker, &RunWorker::finished);
    std::atomic<int> calls = 0;
    Request request = asking("20");
    request.progress = [&](double) { ++calls; };
    worker.submit(request);
    const bool ended = finished.wait(5000);
    run_clock = &steady_seconds;
    QVERIFY(ended);
    QCOMPARE(calls.load(), 20);
    QCOMPARE(progress.size(), 4);  // of 20 steps of 4 ms, every fifth: a screen shows 60 pictures a second
  }

  void failures_are_told_with_whose_fault_it_is() {
    RunWorker worker(nullptr, slow);
    QSignalSpy failed(&worker, &RunWorker::failed), finished(&worker, &RunWorker::finished);
    worker.submit(asking("error"));
    QVERIFY(failed.wait(5000));
    QCOMPARE(failed[0][0].toString(), QString("nothing named 'error'"));
    QCOMPARE(failed[0][1].toBool(), false);
    worker.submit(asking("defect"));
    QVERIFY(failed.wait(5000));
    QCOMPARE(failed[1][1].toBool(), true);
    QVERIFY(finished.isEmpty());
    worker.submit(asking("1"));  // and the thread is still alive
    QVERIFY(finished.wait(5000));
  }

  void a_failure_of_an_old_request_is_not_told() {
    RunWorker worker(nullptr, slow);
    QSignalSpy failed(&worker, &RunWorker::failed), finished(&worker, &RunWorker::finished);
    worker.submit(asking("error"));
    QThread::msleep(100);
    worker.submit(asking("1"));
    QVERIFY(finished.wait(5000));
    QVERIFY(failed.isEmpty());
  }

  void stop_delivers_nothing() {
    RunWorker worker(nullptr, slow);
    QSignalSpy finished(&worker, &RunWorker::finished), stopped(&worker, &RunWorker::stopped);
    worker.submit(asking("200"));
    QTest::qWait(20);
    worker.stop();
    QCOMPARE(stopped.size(), 1);
    QVERIFY(!worker.busy());
    QTest::qWait(300);
    QVERIFY(finished.isEmpty());
    worker.stop();  // nothing runs: nothing to say
    QCOMPARE(stopped.size(), 1);
  }

  void destruction_cancels() {
    static std::atomic<int> cancelled = 0;  // the run may outlive this function
    {
      RunWorker worker(nullptr, [](const Request& request) {
        try {
          return slow(request);
        } catch (const Cancelled&) {
          ++cancelled;
          throw;
        }
      });
      worker.submit(asking("100000"));
      QTest::qWait(20);
      worker.submit(asking("100000"));
    }
    QTRY_COMPARE(cancelled.load(), 1);
  }
};

HEADLIGHT_WIDGET_TEST(TestRunWorker)

}  // namespace headlight::test_run_worker

#include "test_run_worker.moc"
