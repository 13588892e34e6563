// `headlight train --record`, `--preset` and `headlight recording` as processes.

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "tests/test_program.h"

namespace headlight::test_recording_commands {

class TestRecordingCommands : public QObject {
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
  // Watched or not, it is the same model; and its recording is told.
  void a_recorded_training_is_the_same() {
    const QString plain = dir_.filePath("not recorded"), watched = dir_.filePath("recorded"),
                  file = dir_.filePath("sums.training");
    const QStringList asked = {"--probe", "12+34"};
    QCOMPARE(headlight(training(plain, 2, asked)).status, 0);
    const Outcome outcome = headlight(training(watched, 2, asked + QStringList{"--record", file}));
    QCOMPARE(outcome.error, QString());
    QCOMPARE(outcome.status, 0);
    for (const char* name : {"/model.safetensors", "/vocabulary.json"})
      QVERIFY2(content(plain + name) == content(watched + name), name);
    QCOMPARE(content(watched + "/training.csv").count('\n'), 3);
    QVERIFY(content(watched + "/README.md").contains("--probe 12+34"));
    const Outcome told = headlight({"recording", file});
    QCOMPARE(told.status, 0);
    QVERIFY2(
        told.out.contains("task addition") && told.out.contains("trained to its end") && told.out.contains("12+34 -> "),
        qPrintable(told.out));
    const Outcome table = headlight({"recording", file, "--csv"});
    QVERIFY2(table.out.startsWith("update,read,seconds,loss,"), qPrintable(table.out));
    QVERIFY(table.out.contains("\n0,0,0,,"));  // the untrained model has no loss yet
    const QJsonObject json = QJsonDocument::fromJson(headlight({"recording", file, "--json"}).out.toUtf8()).object();
    QCOMPARE(json["moments"].toArray().size(), table.out.count('\n') - 1);
    QCOMPARE(json["settings"].toObject()["probes"].toArray().first().toString(), QString("12+34"));
    QVERIFY(json["marks"].isArray());
    QVERIFY(headlight({"recording", file, "--marks"}).out.startsWith("12+34\n"));
  }

  void a_preset_stands_for_its_settings() {
    const QString out = dir_.filePath("preset");
    const Outcome outcome = headlight({"train", "--preset", "class-dot", "--epochs", "1", "--out", out, "-q"});
    QCOMPARE(outcome.error, QString());
    QVERIFY2(outcome.out.startsWith("task class, architecture attn_seq2seq, "), qPrintable(outcome.out));
    const QByteArray card = content(out + "/README.md");
    QVERIFY(
        card.contains("`headlight train --preset class-dot --epochs 1 --seed 1 --probe 'yesterday anna saw the "
                      "old house'"));
    QCOMPARE(headlight({"run", out, "--source", "yesterday anna saw the old house"}).status, 0);
  }
};

HEADLIGHT_TEST(TestRecordingCommands)

}  // namespace headlight::test_recording_commands

#include "test_recording_commands.moc"
