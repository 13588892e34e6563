// The window shows what a run has written while it still writes: of a run that takes its time, and of the newest only.

#include <QSemaphore>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

#include "app/document/model_list.h"
#include "app/text/source_bar.h"
#include "app/window/main_window.h"
#include "model/core/clock.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"

namespace headlight::test_streaming {

namespace {

std::atomic<double> now = 0;
double pinned_clock() { return now; }

// Writes "1", "12", "123", each when it may.
class Writer {
 public:
  Result run(const Request& request) {
    ++begun;
    const Vocabulary& vocabulary = request.model->target_vocabulary();
    for (const char* digit : {"1", "2", "3"}) {
      while (!may.tryAcquire(1, 5)) request.cancel.check();
      now = now + seconds_each;
      OutputStep step;
      step.id = *vocabulary.find(digit);
      step.text = digit;
      if (request.wrote) request.wrote(step);
    }
    while (!may.tryAcquire(1, 5)) request.cancel.check();
    return headlight::run(request);
  }
  QSemaphore may;
  std::atomic<double> seconds_each = 1;
  std::atomic<int> begun = 0;
};

}  // namespace

class TestStreaming : public QObject {
  Q_OBJECT

  QTemporaryDir models_;

 private slots:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("HeadlightTest");
    QCoreApplication::setApplicationName("HeadlightTest");
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, models_.path());
    run_clock = &pinned_clock;
  }
  void cleanupTestCase() { run_clock = &steady_seconds; }

  void each_token_is_there_before_the_next() {
    Writer writer;
    RunWorker worker(nullptr, [&writer](const Request& request) { return writer.run(request); });
    QSignalSpy wrote(&worker, &RunWorker::wrote), finished(&worker, &RunWorker::finished);
    Request request;
    request.model = small_model();
    request.source = "5/5/01";
    worker.submit(request);
    for (const char* text : {"1", "12", "123"}) {
      writer.may.release();
      QVERIFY(wrote.wait(20000));
      QCOMPARE(wrote.takeFirst().front().toString(), QString(text));
      QVERIFY(finished.isEmpty());
    }
    writer.may.release();
    QVERIFY(finished.wait(20000));
  }

  // Nobody can read what stands there for less than a tenth of a second, nor more than a screen shows.
  void what_is_done_soon_is_shown_as_a_whole() {
    Writer writer;
    writer.seconds_each = 0.001;
    RunWorker worker(nullptr, [&writer](const Request& request) { return writer.run(request); });
    QSignalSpy wrote(&worker, &RunWorker::wrote), finished(&worker, &RunWorker::finished);
    Request request;
    request.model = small_model();
    request.source = "5/5/01";
    worker.submit(request);
    writer.may.release(4);
    QVERIFY(finished.wait(20000));
    QVERIFY(wrote.isEmpty());
  }

  // What a run has written that is not wanted any more is not shown.
  void a_stale_run_is_not_told_of() {
    Writer writer;
    RunWorker worker(nullptr, [&writer](const Request& request) { return writer.run(request); });
    QSignalSpy wrote(&worker, &RunWorker::wrote), finished(&worker, &RunWorker::finished);
    Request request;
    request.model = small_model();
    request.source = "5/5/01";
    worker.submit(request);
    writer.may.release();
    QVERIFY(wrote.wait(20000));
    wrote.clear();
    worker.submit(request);
    QTRY_COMPARE_WITH_TIMEOUT(writer.begun.load(), 2, 20000);
    writer.may.release(2);
    QTRY_COMPARE_WITH_TIMEOUT(wrote.size(), 2, 20000);
    QCOMPARE(wrote.at(0).front().toString(), QString("1"));
    QCOMPARE(wrote.at(1).front().toString(), QString("12"));
    worker.stop();
    writer.may.release(5);
    QTest::qWait(50);
    QCOMPARE(wrote.size(), 2);
    QVERIFY(finished.isEmpty());
  }

  // In the window it stands where the output does, until the whole is there or the run is given up.
  void the_window_shows_it_and_takes_it_back() {
    MainWindow window(MainWindow::Remember::no);
    QSignalSpy shown(&window, &MainWindow::resultShown);
    window.start(first_document(small_model_folder(models_).toStdString()));
    window.show();
    QVERIFY(shown.wait(20000));
    const SourceBar* bar = window.views().source_bar();
    const QString before = bar->output();
    emit window.worker().wrote(QStringLiteral("19"));
    QCOMPARE(bar->output(), QString("19"));
    const QString many(300, QLatin1Char('7'));
    emit window.worker().wrote(many + QStringLiteral("89"));
    QVERIFY(bar->output().startsWith(QChar(0x2026)) && bar->output().endsWith("789") && bar->output().size() < 120);
    emit window.worker().stopped();
    QCOMPARE(bar->output(), before);
    emit window.worker().wrote(QStringLiteral("19"));
    window.session().set_source(QStringLiteral("6/6/02"));
    QVERIFY(bar->output() != QString("19"));
    QVERIFY(shown.wait(20000));
    QCOMPARE(bar->output(), QString::fromStdString(window.result()->output));
  }
};

HEADLIGHT_WIDGET_TEST(TestStreaming)

}  // namespace headlight::test_streaming

#include "test_streaming.moc"
