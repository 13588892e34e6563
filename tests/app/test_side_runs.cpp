// Runs beside the main one: in order, one at a time, after the painting, and never in the way of the main run.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <atomic>

#include "app/jobs/side_runs.h"
#include "fixture.h"
#include "tests/test_program.h"

namespace headlight::test_side_runs {

namespace {

std::atomic<int> runs_begun = 0;

// As long as its source says, in milliseconds.
Result slow(const Request& request) {
  ++runs_begun;
  if (request.source == "error") throw UsageError("nothing named 'error'");
  for (int i = 0; i < QString::fromStdString(request.source).toInt(); ++i) {
    request.cancel.check();
    QThread::msleep(1);
  }
  Result result;
  result.source = request.source;
  result.model = request.model;
  return result;
}

std::vector<Request> asking(const std::vector<std::string>& sources) {
  static const auto model = small_model();
  std::vector<Request> requests;
  for (const std::string& source : sources) {
    requests.emplace_back();
    requests.back().source = source;
    requests.back().model = model;
  }
  return requests;
}

// What arrives, as "owner index source".
struct Log {
  QStringList lines;
  Log(SideRuns& side_runs, const std::vector<QObject*>& owners) {
    const auto name = [owners](QObject* owner) {
      return QString::number(std::find(owners.begin(), owners.end(), owner) - owners.begin());
    };
    QObject::connect(&side_runs, &SideRuns::arrived, &side_runs,
                     [this, name](QObject* owner, int index, const std::shared_ptr<const Result>& result) {
                       lines << QStringLiteral("%1 %2 %3").arg(name(owner)).arg(index).arg(result->source.c_str());
                     });
    QObject::connect(&side_runs, &SideRuns::failed, &side_runs,
                     [this, name](QObject* owner, int index, const QString& message) {
                       lines << QStringLiteral("%1 %2 failed: %3").arg(name(owner)).arg(index).arg(message);
                     });
  }
};

}  // namespace

class TestSideRuns : public QObject {
  Q_OBJECT

 private slots:
  void init() { runs_begun = 0; }

  void results_come_in_order() {
    QObject owner;
    SideRuns side_runs(nullptr, slow);
    Log log(side_runs, {&owner});
    side_runs.ask(&owner, asking({"30", "1", "error", "2"}));
    QVERIFY(side_runs.busy());
    QTRY_COMPARE(log.lines.size(), 4);
    QCOMPARE(log.lines, (QStringList{"0 0 30", "0 1 1", "0 2 failed: nothing named 'error'", "0 3 2"}));
    QVERIFY(!side_runs.busy());
  }

  void a_new_question_of_an_owner_takes_the_place_of_its_old_one() {
    QObject first, second;
    SideRuns side_runs(nullptr, slow);
    Log log(side_runs, {&first, &second});
    side_runs.ask(&first, asking({"5000", "1"}));
    side_runs.ask(&second, asking({"2"}));
    QTRY_COMPARE(runs_begun.load(), 1);
    side_runs.ask(&first, asking({"3"}));
    QTRY_COMPARE(log.lines.size(), 2);
    QCOMPARE(log.lines, (QStringList{"1 0 2", "0 0 3"}));
    side_runs.ask(&first, asking({"5000"}));
    side_runs.ask(&first, {});
    QVERIFY(!side_runs.busy());
  }

  void nothing_runs_while_the_main_run_does() {
    QObject owner;
    SideRuns side_runs(nullptr, slow);
    Log log(side_runs, {&owner});
    side_runs.pause();
    side_runs.ask(&owner, asking({"1"}));
    QTest::qWait(120);
    QCOMPARE(runs_begun.load(), 0);
    side_runs.resume();
    QCOMPARE(runs_begun.load(), 0);  // not before the window has painted
    QTRY_COMPARE(log.lines.size(), 1);
  }

  void an_interrupted_run_begins_anew() {
    QObject owner;
    SideRuns side_runs(nullptr, slow);
    Log log(side_runs, {&owner});
    side_runs.ask(&owner, asking({"400", "1"}));
    QTRY_COMPARE(runs_begun.load(), 1);
    side_runs.pause();
    QTest::qWait(600);  // it would have arrived by now
    QVERIFY(log.lines.isEmpty());
    side_runs.resume();
    QTRY_COMPARE(log.lines.size(), 2);
    QCOMPARE(log.lines, (QStringList{"0 0 400", "0 1 1"}));
    QCOMPARE(runs_begun.load(), 3);
  }

  void an_owner_that_is_gone_gets_nothing() {
    auto owner = std::make_unique<QObject>();
    QObject other;
    SideRuns side_runs(nullptr, slow);
    Log log(side_runs, {nullptr, &other});
    side_runs.ask(owner.get(), asking({"50", "1"}));
    side_runs.ask(&other, asking({"1"}));
    QTRY_COMPARE(runs_begun.load(), 1);
    owner.reset();
    QTRY_COMPARE(log.lines.size(), 1);
    QCOMPARE(log.lines, QStringList{"1 0 1"});
  }

  void models_are_opened_in_the_background_and_kept() {
    const QTemporaryDir dir;
    const ModelDescription described = describe_model(small_model_folder(dir).toStdString());
    QVERIFY(!described.bundle->model);
    QCOMPARE(described.traits.width, 16);
    QCOMPARE(described.bundle->task, std::string("date"));
    QObject owner;
    std::vector<std::shared_ptr<const Result>> results;
    SideRuns side_runs;
    connect(&side_runs, &SideRuns::arrived, this,
            [&](QObject*, int, const std::shared_ptr<const Result>& result) { results.push_back(result); });
    Request request;
    request.model = described.bundle;
    request.source = "1994-09-27";
    side_runs.ask(&owner, {request, request});
    QTRY_COMPARE(results.size(), std::size_t(2));
    QVERIFY(results[0]->model->model && results[0]->model == results[1]->model);
    QCOMPARE(results[0]->steps.size(), std::size_t(10));
  }

  void lists_the_bundled_models() {
    SideRuns side_runs;
    std::vector<ModelDescription> listed;
    connect(&side_runs, &SideRuns::modelsListed, this,
            [&](const std::vector<ModelDescription>& models) { listed = models; });
    side_runs.list_models();
    QTRY_COMPARE(listed.size(), bundled_models().size());
    for (const ModelDescription& each : listed)
      QVERIFY(!each.bundle->model && !each.bundle->title.empty() && !each.traits.architecture.empty());
  }

  void a_folder_that_is_gone_is_told() {
    auto gone = std::make_shared<ModelBundle>();
    gone->folder = "/nowhere/at/all";
    Request request;
    request.model = gone;
    QObject owner;
    SideRuns side_runs;
    Log log(side_runs, {&owner});
    side_runs.ask(&owner, {request});
    QTRY_COMPARE(log.lines.size(), 1);
    QVERIFY(log.lines[0].contains("/nowhere/at/all"));
  }
};

HEADLIGHT_CORE_TEST(TestSideRuns)

}  // namespace headlight::test_side_runs

#include "test_side_runs.moc"
