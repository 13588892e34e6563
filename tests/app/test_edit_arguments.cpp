// Edits on the command line: what cannot be done is one line that names the edit, and status 2.

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "tests/app/fixture.h"
#include "tests/test_program.h"

namespace headlight::test_edit_arguments {

class TestEditArguments : public QObject {
  Q_OBJECT
  QTemporaryDir models_;

  struct Ended {
    int status = -1;
    QString out, error;
  };
  Ended headlight(QStringList arguments, const QStringList& edits) const {
    for (const QString& edit : edits) arguments << "--edit" << edit;
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("HEADLIGHT_MODELS", models_.path());
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    process.setProcessEnvironment(environment);
    process.start(qEnvironmentVariable("HEADLIGHT_BINARY"), arguments);
    if (!process.waitForFinished(120000)) return {-1, {}, process.errorString()};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2,
            QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
  }
  Ended run_with(const QStringList& edits) const {
    return headlight({"run", "attn_seq2seq", "--source", "May 5, 2001"}, edits);  // 11 characters
  }

 private slots:
  void initTestCase() {
    QVERIFY2(!qEnvironmentVariable("HEADLIGHT_BINARY").isEmpty(), "set by ctest");
    small_model_folder(models_, "attn_seq2seq");
  }

  void bad_edits_are_one_line_and_status_2_data() {
    QTest::addColumn<QString>("edit");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* edit, const char* message) {
      QTest::newRow(edit) << QString(edit) << QString(message).arg(edit);
    };
    row("encoder.states[99999999999999999999]=1",
        "--edit: '%1': '99999999999999999999' is not a cell; cells count from 0 to 2147483647");
    row("encoder.states[-1]=1", "--edit: '%1': '-1' is not a cell; cells count from 0 to 2147483647");
    row("encoder.states[0:9999999999]=1", "--edit: '%1': '9999999999' is not a cell; cells count from 0 to 2147483647");
    row("decoder.step[4294967296].readout[0]=1",
        "--edit: '%1': '4294967296' is not an index; expected a number from 0 to 2147483647, or * for any");
    row("encoder.states[0]=1e39", "--edit: '%1': '1e39' is beyond the range of a 32-bit float");
    row("encoder.states[0]=0.5x",
        "--edit: '%1': '0.5x' is not a number; write for example 'decoder.step[3].attention.weights[7]=0.5'");
    row("encoder.nowhere[0]=1", "--edit: '%1': there is no site 'encoder.nowhere[0]'");
    row("encoder.bottleneck[0]=1", "'%1' was not used: this run has no site 'encoder.bottleneck'");
    row("decoder.step[2].attention.weights[40]=1",
        "--edit: '%1': there is no such cell; decoder.step[2].attention.weights is [29] (source) here, counted from 0");
    row("decoder.step[*].attention.weights[40]=1",
        "--edit: '%1': there is no such cell; decoder.step[0].attention.weights is [29] (source) here, counted from 0");
    row("encoder.states[40,3]=1",
        "--edit: '%1': there is no such cell; encoder.states is [29 x 16] (source x unit) here, counted from 0");
    row("encoder.states[3,16]=1",
        "'%1': there is no such cell; encoder.states is [29 x 16] (source x unit) here, counted from 0");
    row("decoder.step[2].attention.weights[3,10]=1",
        "'%1': there is no such cell; decoder.step[2].attention.weights is [29] (source) here, counted from 0");
  }
  void bad_edits_are_one_line_and_status_2() {
    QFETCH(QString, edit);
    QFETCH(QString, message);
    const Ended ended = run_with({edit});
    QCOMPARE(ended.error, "headlight: " + message + "\n");
    QCOMPARE(ended.status, 2);
    QCOMPARE(ended.out, QString());
    const Ended drawn = headlight({"render", "attn_seq2seq", "--source", "May 5, 2001", "--view", "alignment", "--out",
                                   models_.filePath("never.svg")},
                                  {edit});
    QCOMPARE(drawn.error, "headlight: " + message + "\n");
    QCOMPARE(drawn.status, 2);
    QVERIFY(!QFile::exists(models_.filePath("never.svg")));
  }

  // A step that this run does not reach is no mistake: the same edits are for texts of every length.
  void a_step_that_is_not_reached_is_a_remark() {
    const Ended ended = run_with({"decoder.step[99].attention.weights[0]~1"});
    QCOMPARE(ended.error, QString());
    QCOMPARE(ended.status, 0);
    QVERIFY(ended.out.contains("1 edit is of a step or token that this run does not have."));
  }

  void infinities_are_numbers() {
    const Ended ended = run_with({"decoder.step[*].attention.scores[3]=-inf", "encoder.states[0]*1"});
    QCOMPARE(ended.error, QString());
    QCOMPARE(ended.status, 0);
  }

  void as_many_as_a_run_can_have() {
    QStringList edits(static_cast<qsizetype>(kMaxEdits), "encoder.states[3]+0.001");
    QCOMPARE(run_with(edits).status, 0);
    edits << edits.first();
    const Ended ended = run_with(edits);
    QCOMPARE(ended.error, QString("headlight: --edit: a run can have at most 10000 edits, found 10001\n"));
    QCOMPARE(ended.status, 2);
  }
};

HEADLIGHT_WIDGET_TEST(TestEditArguments)

}  // namespace headlight::test_edit_arguments

#include "test_edit_arguments.moc"
