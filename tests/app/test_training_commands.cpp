// `headlight train` and `headlight evaluate` as processes: resuming, interruption, and folders that cannot be written.

#include <signal.h>

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace headlight {

class TestTrainingCommands : public QObject {
  Q_OBJECT

  struct Outcome {
    int status = -1;
    QString out, error;
  };
  static Outcome headlight(const QStringList& arguments) {
    QProcess process;
    process.start(qEnvironmentVariable("HEADLIGHT_BINARY"), arguments);
    if (!process.waitForFinished(200000)) return {-1, {}, process.errorString()};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
  }
  static QStringList training(const QString& out, int epochs, const QStringList& more = {}) {
    return QStringList{"train",          "addition",
                       "--architecture", "attn_seq2seq",
                       "--out",          out,
                       "--epochs",       QString::number(epochs),
                       "--set",          "hidden_size=8",
                       "--set",          "train_size=300",
                       "--set",          "test_size=50"} +
           more;
  }
  static QByteArray content(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  QTemporaryDir dir_;

 private slots:
  void a_resumed_training_ends_like_an_uninterrupted_one() {
    const QString whole = dir_.filePath("whole"), parts = dir_.filePath("parts");
    QCOMPARE(headlight(training(whole, 3)).status, 0);
    QCOMPARE(headlight(training(parts, 1)).status, 0);
    const QByteArray after_one = content(parts + "/model.safetensors");
    const Outcome resumed = headlight(training(parts, 3, {"--resume"}));
    QCOMPARE(resumed.error, QString());
    QCOMPARE(resumed.status, 0);
    QVERIFY(!content(whole + "/model.safetensors").isEmpty());
    QVERIFY(content(parts + "/model.safetensors") != after_one);
    QVERIFY(content(parts + "/model.safetensors") == content(whole + "/model.safetensors"));
    QCOMPARE(content(whole + "/training.csv").count('\n'), 4);
    QVERIFY(QString::fromUtf8(content(whole + "/README.md")).contains("headlight train addition"));
  }

  void another_seed_gives_another_model() {
    const QString a = dir_.filePath("seed1"), b = dir_.filePath("seed2");
    QCOMPARE(headlight(training(a, 1, {"--seed", "1"})).status, 0);
    QCOMPARE(headlight(training(b, 1, {"--seed", "2"})).status, 0);
    QVERIFY(content(a + "/model.safetensors") != content(b + "/model.safetensors"));
  }

  void half_precision_takes_half_the_room() {
    const QString full = dir_.filePath("full"), half = dir_.filePath("half");
    QCOMPARE(headlight(training(full, 1)).status, 0);
    QCOMPARE(headlight(training(half, 1, {"--half"})).status, 0);
    const auto size = [](const QString& folder) { return QFile(folder + "/model.safetensors").size(); };
    QVERIFY(4 * size(half) < 3 * size(full));
    QCOMPARE(headlight({"run", half, "--source", "12+34"}).status, 0);
  }

  void an_interrupted_training_loses_at_most_one_epoch() {
    const QString out = dir_.filePath("interrupted");
    QProcess process;
    process.start(qEnvironmentVariable("HEADLIGHT_BINARY"), training(out, 5000));
    QTRY_VERIFY_WITH_TIMEOUT((process.waitForReadyRead(50), QFile::exists(out + "/checkpoint.safetensors")), 60000);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitCode(), 2);
    const QString error = QString::fromUtf8(process.readAllStandardError());
    QVERIFY2(error.startsWith("headlight: interrupted in epoch "), qPrintable(error));
    QVERIFY2(error.trimmed().endsWith("with --resume"), qPrintable(error));
    const int done = static_cast<int>(content(out + "/training.csv").count('\n')) - 1;
    QVERIFY(done >= 1);
    QCOMPARE(headlight(training(out, done + 1, {"--resume"})).status, 0);
    QCOMPARE(content(out + "/training.csv").count('\n'), done + 2);
  }

  void a_killed_training_leaves_a_whole_model() {
    const QString out = dir_.filePath("killed");
    QProcess process;
    process.start(qEnvironmentVariable("HEADLIGHT_BINARY"), training(out, 5000));
    QTRY_VERIFY_WITH_TIMEOUT((process.waitForReadyRead(50), QFile::exists(out + "/checkpoint.safetensors")), 60000);
    QTest::qWait(200);
    process.kill();
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(headlight({"run", out, "--source", "12+34"}).status, 0);
    const int done = static_cast<int>(content(out + "/training.csv").count('\n'));
    QCOMPARE(headlight(training(out, done + 1, {"--resume"})).status, 0);
  }

  void folders_that_do_not_fit_are_one_clear_error() {
    QFile file(dir_.filePath("file"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    Outcome outcome = headlight(training(dir_.filePath("file/model"), 1));
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.error.contains(dir_.filePath("file")), qPrintable(outcome.error));
    QCOMPARE(outcome.error.count('\n'), 1);

    const QString none = dir_.filePath("none");
    outcome = headlight(training(none, 1, {"--resume"}));
    QCOMPARE(outcome.status, 2);
    QCOMPARE(outcome.error,
             "headlight: " + none +
                 "/checkpoint.safetensors: expected the checkpoint of an earlier training to resume, found "
                 "none\n");

    const QString there = dir_.filePath("there");
    QCOMPARE(headlight(training(there, 1)).status, 0);
    outcome = headlight(training(there, 1));
    QCOMPARE(outcome.status, 2);
    QCOMPARE(outcome.error, "headlight: " + there +
                                ": expected a new folder, found one with a model in it; go on with --resume, or choose "
                                "another --out\n");
    outcome = headlight(training(there, 2, {"--resume", "--seed", "99"}));
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.error.contains("checkpoint.safetensors"), qPrintable(outcome.error));
  }

  void evaluation_is_between_zero_and_one() {
    const QString out = dir_.filePath("evaluated");
    QCOMPARE(headlight(training(out, 1)).status, 0);
    const Outcome outcome = headlight({"evaluate", out, "--limit", "100", "--json"});
    QCOMPARE(outcome.error, QString());
    const QJsonObject json = QJsonDocument::fromJson(outcome.out.toUtf8()).object();
    QCOMPARE(json["examples"].toInt(), 100);
    QVERIFY(json["exact_match"].toDouble() >= 0 && json["exact_match"].toDouble() <= 1);
    QVERIFY(json["token_accuracy"].toDouble() > 0.05);
    QVERIFY(std::abs(json["perplexity"].toDouble() - std::exp(json["nll"].toDouble())) < 1e-6);
    const Outcome wrong = headlight({"evaluate", out, "--task", "date"});
    QCOMPARE(wrong.status, 2);
    QVERIFY2(wrong.error.contains("vocabulary of the task 'date'"), qPrintable(wrong.error));
  }

  void a_fresh_model_verifies_itself() {
    const QString out = dir_.filePath("verified");
    QCOMPARE(headlight(training(out, 1)).status, 0);
    const Outcome outcome = headlight({"verify", out});
    QCOMPARE(outcome.error, QString());
    QCOMPARE(outcome.status, 0);
    QVERIFY(outcome.out.contains("passed: "));
    // Against the values of another model it must fail, and name a site.
    const QString other = dir_.filePath("other");
    QCOMPARE(headlight(training(other, 1, {"--seed", "5"})).status, 0);
    const Outcome wrong = headlight({"verify", out, other + "/verify.safetensors"});
    QCOMPARE(wrong.status, 2);
    QVERIFY(wrong.out.contains("FAILED"));
    QVERIFY2(wrong.error.contains("encoder."), qPrintable(wrong.error));
  }
};

}  // namespace headlight

QTEST_GUILESS_MAIN(headlight::TestTrainingCommands)
#include "test_training_commands.moc"
