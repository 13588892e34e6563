// Work in the background: only the newest is delivered, and whoever ends waits for nobody.

#include <QCoreApplication>
#include <QTest>
#include <future>
#include <thread>

#include "app/jobs/latest.h"
#include "tests/test_program.h"

namespace headlight::test_latest {

class TestLatest : public QObject {
  Q_OBJECT

  struct Log {
    std::vector<int> done;
    QStringList failed;
    Latest<int> latest{[this](int made) { done.push_back(made); },
                       [this](const QString& message, bool defect) { failed << (defect ? "defect: " : "") + message; }};
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!latest.busy(), 30000); }
  };
  // Ends when it is cancelled, and not before.
  static int until_cancelled(const CancelToken& cancel, std::promise<void>* begun, std::promise<void>* ended) {
    begun->set_value();
    while (!cancel.cancelled()) std::this_thread::yield();
    ended->set_value();
    throw Cancelled();
  }

 private slots:
  void a_newer_job_takes_the_place_of_an_older_one() {
    Log log;
    std::promise<void> begun, ended;
    log.latest.start([&](const CancelToken& cancel) { return until_cancelled(cancel, &begun, &ended); });
    begun.get_future().wait();
    log.latest.start([](const CancelToken&) { return 2; });  // waits, and is replaced there
    log.latest.start([](const CancelToken&) { return 3; });
    ended.get_future().wait();
    log.settle();
    QCOMPARE(log.done.size(), std::size_t(1));
    QCOMPARE(log.done.front(), 3);
    QVERIFY(log.failed.isEmpty());
  }

  void failures_say_whose_fault_they_are() {
    Log log;
    log.latest.start([](const CancelToken&) -> int { throw FileError("no such file"); });
    log.settle();
    log.latest.start([](const CancelToken&) -> int { throw std::logic_error("oops"); });
    log.settle();
    QCOMPARE(log.failed, (QStringList{"no such file", "defect: oops"}));
  }

  // A result that was made but not delivered yet.
  void what_was_stopped_is_not_delivered() {
    Log log;
    log.latest.start([](const CancelToken&) { return 1; });
    log.latest.thread().finish();
    QVERIFY(log.latest.busy() && log.latest.stop() && !log.latest.busy() && !log.latest.stop());
    QCoreApplication::processEvents();
    QVERIFY(log.done.empty());
  }

  void ending_cancels_what_runs() {
    std::promise<void> begun, ended;
    {
      Log log;
      log.latest.start([&](const CancelToken& cancel) { return until_cancelled(cancel, &begun, &ended); });
      begun.get_future().wait();
    }
    ended.get_future().wait();
    QCOMPARE(BackgroundThread::left(), 0);
  }

  // The end of the owner does not wait for the end of the job, for that waits for it.
  void ending_does_not_wait_for_what_cannot_be_cancelled() {
    std::promise<void> begun, may_end;
    auto released = may_end.get_future().share();
    {
      Log log;
      log.latest.start([&begun, released](const CancelToken&) {
        begun.set_value();
        released.wait();
        return 1;
      });
      begun.get_future().wait();
    }
    QCOMPARE(BackgroundThread::left(), 1);
    may_end.set_value();
    QTRY_COMPARE_WITH_TIMEOUT(BackgroundThread::left(), 0, 30000);
  }

  // Two that cannot be cancelled cost no more patience than one.
  void several_are_waited_for_together() {
    using namespace std::chrono_literals;
    QCOMPARE(BackgroundThread::patience(), 200ms);
    std::promise<void> may_end;
    const auto released = may_end.get_future().share();
    {
      BackgroundThread::Ending ending;
      QCOMPARE(BackgroundThread::patience(), 200ms);
      for (int i = 0; i < 2; ++i) {
        std::promise<void> begun;
        Log log;
        log.latest.start([&begun, released](const CancelToken&) {
          begun.set_value();
          released.wait();
          return 1;
        });
        begun.get_future().wait();
        if (i == 0) ending.begin();
      }
      QCOMPARE(BackgroundThread::patience(), 0ms);
      QCOMPARE(BackgroundThread::left(), 2);
    }
    QCOMPARE(BackgroundThread::patience(), 200ms);
    may_end.set_value();
    QTRY_COMPARE_WITH_TIMEOUT(BackgroundThread::left(), 0, 30000);
  }
};

HEADLIGHT_CORE_TEST(TestLatest)

}  // namespace headlight::test_latest

#include "test_latest.moc"
