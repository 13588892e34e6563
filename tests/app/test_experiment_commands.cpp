// `headlight experiment` as a process: tables, pictures, and what is refused.

#include <signal.h>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "tests/test_program.h"

namespace headlight::test_experiment_commands {

class TestExperimentCommands : public QObject {
  Q_OBJECT

  struct Outcome {
    int status = -1;
    QString out, error;
  };
  static Outcome headlight(const QStringList& arguments) {
    QProcess process;
    process.start(qEnvironmentVariable("HEADLIGHT_BINARY"), QStringList{"experiment"} + arguments);
    if (!process.waitForFinished(120000)) return {-1, {}, process.errorString()};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
  }
  QTemporaryDir dir_;

 private slots:
  void tables_and_pictures_are_written() {
    const QString out = dir_.filePath("scaling");
    const Outcome outcome = headlight({"scaling", "--trials", "3", "--seeds", "2", "--out", out, "--quiet"});
    QCOMPARE(outcome.error, QString());
    QCOMPARE(outcome.status, 0);
    QVERIFY(outcome.out.contains("max_raw"));
    QFile table(out + "/scaling.csv");
    QVERIFY(table.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = table.readAll().split('\n');
    QCOMPARE(lines.size(), 14);  // with the headings and the end of the last line
    QVERIFY(lines[0].startsWith("seed,d_k,variance,"));
    QVERIFY(lines[12].startsWith("2,1024,"));
    for (const char* name : {"max-weight", "entropy", "jacobian"}) {
      QFile picture(out + "/scaling-" + name + ".svg");
      QVERIFY(picture.open(QIODevice::ReadOnly));
      QVERIFY(picture.readAll().contains("<svg"));
    }
  }
  void an_interrupted_one_says_so_and_writes_nothing() {
    const QString out = dir_.filePath("interrupted");
    QProcess process;
    process.start(qEnvironmentVariable("HEADLIGHT_BINARY"),
                  {"experiment", "scaling", "--trials", "1000000", "--out", out});
    QVERIFY(process.waitForStarted());
    process.setReadChannel(QProcess::StandardError);
    QTRY_VERIFY_WITH_TIMEOUT((process.waitForReadyRead(50), process.canReadLine()), 60000);
    QCOMPARE(process.readLine(), QByteArray("headlight: seed 1, d_k = 1\n"));
    ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitStatus(), QProcess::CrashExit);
    QCOMPARE(process.exitCode(), SIGTERM);
    const QByteArray error = process.readAllStandardError();
    QVERIFY2(error.endsWith("headlight: interrupted; nothing was written\n"), error.constData());
    QVERIFY(process.readAllStandardOutput().isEmpty());
    QVERIFY(QDir(out).isEmpty());
  }
  void without_a_folder_there_are_tables_only() {
    const Outcome outcome = headlight({"complexity", "--limit", "16", "--trials", "1"});
    QCOMPARE(outcome.status, 0);
    QVERIFY2(outcome.out.contains("self-attention") && outcome.out.contains("n_by_formula"), qPrintable(outcome.out));
    QVERIFY2(outcome.error.contains("n = 16, d = 64"), qPrintable(outcome.error));
  }
  void what_does_not_fit_is_one_clear_error_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("message");
    QTest::newRow("no model") << QStringList{"ablation"}
                              << "the experiment 'ablation' is made on a model: headlight experiment ablation MODEL";
    QTest::newRow("a model") << QStringList{"scaling", "date-attention"}
                             << "the experiment 'scaling' needs no model, found 'date-attention'";
    QTest::newRow("no heads") << QStringList{"ablation", "date-attention", "--limit", "2"}
                              << "this model has no attention with several heads";
    QTest::newRow("no folder") << QStringList{"scaling", "--trials", "2", "--out", "/dev/null/x"} << "/dev/null/x";
  }
  void what_does_not_fit_is_one_clear_error() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, message);
    const Outcome outcome = headlight(arguments);
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.error.startsWith("headlight: ") && outcome.error.contains(message), qPrintable(outcome.error));
    QCOMPARE(outcome.error.count('\n'), 1);
  }
  void unknown_names_are_refused() {
    const Outcome outcome = headlight({"magic"});
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.error.contains("scaling"), qPrintable(outcome.error));
  }
};

HEADLIGHT_CORE_TEST(TestExperimentCommands)

}  // namespace headlight::test_experiment_commands

#include "test_experiment_commands.moc"
