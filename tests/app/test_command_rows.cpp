// Lines that are right by themselves, but ask for what is not there: exit status, one line, and what it names. And
// standard streams that are closed, full or gone.

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "tests/app/fixture.h"
#include "tests/app/program.h"
#include "tests/test_program.h"

namespace headlight::test_command_rows {

class TestCommandRows : public QObject {
  Q_OBJECT

  testing::Outcome headlight(const QStringList& arguments) const {
    return testing::run_program(arguments, {{"HEADLIGHT_MODELS", models_.path()}}, scratch_.path());
  }
  // The program with standard streams that a shell or a broken pipe leaves behind.
  testing::Outcome with_streams(const QStringList& arguments, const std::function<void()>& streams) const {
    QProcess process;
    testing::prepare(process, {{"HEADLIGHT_MODELS", models_.path()}});
    process.setWorkingDirectory(scratch_.path());
    process.setChildProcessModifier(streams);
    process.start(testing::program(), arguments);
    return testing::finished(process);
  }
  void write(const QString& name, const QByteArray& content) const {
    QFile file(scratch_.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
  }

  QTemporaryDir models_, scratch_;

 private slots:
  void initTestCase() {
    QVERIFY2(!testing::program().isEmpty(), "set by ctest");
    small_model_folder(models_, "attn_seq2seq");
    small_model_folder(models_, "seq2seq");
    QDir scratch(scratch_.path());
    for (const char* folder : {"empty", "closed", "no-weights", "folder.png"}) scratch.mkdir(folder);
    write("file", "x\n");
    write("closed/config.json", "{}");
    QFile::copy(models_.filePath("seq2seq/config.json"), scratch_.filePath("no-weights/config.json"));
    QVERIFY(::chmod(qPrintable(scratch_.filePath("closed")), 0) == 0);
    QVERIFY(::mkfifo(qPrintable(scratch_.filePath("pipe")), 0600) == 0);
  }
  void cleanupTestCase() { ::chmod(qPrintable(scratch_.filePath("closed")), 0700); }

  void every_row_has_its_exit_and_its_line_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("piece");  // of standard error, where the status is 2
    const auto row = [](const QString& line, int status, const char* piece = "") {
      QTest::newRow(qPrintable(line)) << QProcess::splitCommand(line) << status << QString(piece);
    };
    const auto wrong = [&](const QString& line, const char* piece) { row(line, 2, piece); };

    // MODEL
    wrong("run attn_seq2sq -s x", "there is no model folder attn_seq2sq; did you mean 'attn_seq2seq'?");
    wrong("run file -s x", "the model file: it is a file; expected a folder");
    wrong("run pipe -s x", "the model pipe: it is a file; expected a folder");
    wrong("run /dev/null -s x", "the model /dev/null: it is a file; expected a folder");
    wrong("run empty -s x", "empty/config.json: there is no such file or folder");
    wrong("run no-weights -s x", "no-weights/");
    if (::geteuid() != 0) wrong("run closed -s x", "closed/config.json: permission denied");
    for (const char* line : {"inspect %1", "verify %1", "evaluate %1", "compare %1", "experiment ablation %1", "%1",
                             "render %1 -s x --view window --out x.png"}) {
      wrong(QString(line).arg("./missing"), "there is no model folder ./missing");
      wrong(QString(line).arg("empty"), "empty/config.json: there is no such file or folder");
    }
    // run
    row("run attn_seq2seq -s x --json --json", 0);
    row("run attn_seq2seq --source= --json", 0);
    row("run attn_seq2seq -s x --decode sample --temperature 1e-320 --top-p 0.000001 --seed 18446744073709551615", 0);
    row("run attn_seq2seq -s x --decode beam --beam 256 --alpha 10 --beta 10 --length-norm power", 0);
    row("run --set reverse_source=true attn_seq2seq -s x", 0);
    row("run attn_seq2seq -s x --set reverse_source=false --set reverse_source=true", 0);
    wrong("run attn_seq2seq -s x --dump x.unknown",
          "x.unknown: the name must end in .safetensors, .npz, .json or .csv");
    wrong("run attn_seq2seq -s x --dump none/x.npz", "none/x.npz");
    wrong("run attn_seq2seq -s x --dump folder.png", "folder.png");
    wrong("run attn_seq2seq -s x --set x", "--set: expected KEY=VALUE, found 'x'");
    wrong("run attn_seq2seq -s x --set revers_source=true",
          "--set: this model has no setting 'revers_source'; did you");
    wrong("run attn_seq2seq -s x --target=", "target is empty");
    wrong("run attn_seq2seq -s x --target zz", "target");
    wrong("run attn_seq2seq -s x --edit nonsense", "'nonsense' is not an edit");
    // render
    row("render attn_seq2seq -s 5 --view alignment --size 16x16 --scale 4 --out small.png", 0);
    wrong("render attn_seq2seq -s 5 --view alignment --out x", "x: the ending says what to write");
    wrong("render attn_seq2seq -s 5 --view alignment --out x.bmp", "x.bmp: the ending says what to write");
    wrong("render attn_seq2seq -s 5 --view alignment --out none/x.png", "none/x.png");
    wrong("render attn_seq2seq -s 5 --view alignment --out folder.png", "folder.png");
    wrong("render seq2seq -s 5 --view heads --out x.png", "'seq2seq' has nothing to show in the view 'heads'");
    // train
    wrong("train dat -a luong --out o", "there is no task 'dat'; did you mean 'date'?");
    wrong("train chess -a luong --out o", "there is no task 'chess'; known: date, ");
    wrong("train date -a luon --out o", "there is no architecture 'luon'; did you mean 'luong'?");
    wrong("train date -a luong --out o --set x", "KEY=VALUE, found 'x'");
    wrong("train date -a luong --out o --set batsh=1", "there is no setting 'batsh'; did you mean 'batch'?");
    wrong("train date -a luong --out o --set qqq=1", "there is no setting 'qqq'; known: batch, ");
    wrong("train date -a luong --out o --files file", "--files belongs to the tasks 'pairs' and 'text'");
    wrong("train pairs -a luong --out o", "got 0 files");
    wrong("train pairs -a luong --out o --files missing", "missing: there is no such file or folder");
    wrong("train pairs -a luong --out o --files empty", "empty: it is a folder, not a file");
    wrong("train pairs -a luong --out o --files pipe", "pipe: it is not a regular file");
    wrong("train pairs -a luong --out o --files /dev/zero", "/dev/zero: it is not a regular file");
    wrong("train pairs -a luong --out o --files file", "file:1: expected a tab");
    wrong("train date -a luong --out o --resume", "o/checkpoint.safetensors: expected the checkpoint");
    wrong("train date -a luong --out file", "file");
    wrong("train --preset class-dto --out o", "there is no preset 'class-dto'; did you mean 'class-dot'?");
    wrong("train date --preset class-dot --out o", "--preset and TASK: expected one of them, found both");
    wrong("train -a luong --preset class-dot --out o", "--preset and --architecture: expected one of them, found both");
    wrong("train date -a luong --out o --record r.training --resume",
          "--record and --resume: expected one of them, found both");
    // recording
    wrong("recording missing", "missing: there is no such file or folder");
    wrong("recording file", "file: ");
    wrong("recording attn_seq2seq/model.safetensors --json --csv",
          "--json and --csv: expected one of them, found both");
    // evaluate, compare, experiment, verify
    wrong("evaluate seq2seq --task addition", "expected the vocabulary of the task 'addition'");
    wrong("evaluate seq2seq --task additon", "there is no task 'additon'; did you mean 'addition'?");
    wrong("evaluate seq2seq --files file", "file:1: expected a tab between source and target");
    wrong("evaluate seq2seq --task pairs --files missing", "missing: there is no such file or folder");
    wrong("compare seq2seq", "seq2seq/training.csv: there is no such file or folder");
    wrong("compare seq2seq --by length --metric loss", "--by length measures exact_match, found --metric loss");
    wrong("experiment scaling seq2seq", "the experiment 'scaling' needs no model, found 'seq2seq'");
    wrong("experiment ablation", "headlight experiment ablation MODEL");
    wrong("experiment complexity -q --limit 16385", "--limit: expected at most 16384 positions, found 16385");
    wrong("experiment lengths -q --set qqq=1", "there is no setting 'qqq'");
    wrong("experiment scaling -q --out file", "file");
    wrong("verify seq2seq missing", "missing: there is no such file or folder");
    wrong("verify seq2seq file", "file: ");
    wrong("verify seq2seq empty", "empty: it is a folder, not a file");
  }
  void every_row_has_its_exit_and_its_line() {
    QFETCH(QStringList, arguments);
    QFETCH(int, status);
    QFETCH(QString, piece);
    const testing::Outcome outcome = headlight(arguments);
    QVERIFY2(outcome.status == status, qPrintable(QString::number(outcome.status) + " " + outcome.error));
    if (status == 0) {
      QCOMPARE(outcome.error, QString());
    } else {
      QVERIFY2(testing::is_one_line(outcome.error) && outcome.error.contains(piece), qPrintable(outcome.error));
      QCOMPARE(outcome.out, QString());
    }
    QVERIFY(!QFile::exists(scratch_.filePath("o")));
  }

  void closed_streams_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("closed");  // bits
    QTest::addColumn<int>("status");
    const QStringList run = {"run", "attn_seq2seq", "-s", "x"};
    const QStringList render = {"render",    "attn_seq2seq", "-s",    "x",     "--view",
                                "alignment", "--size",       "60x40", "--out", "closed.png"};
    QTest::newRow("run, no output") << run << 2 << 2;
    QTest::newRow("run, no errors") << run << 4 << 0;
    QTest::newRow("run, nothing") << run << 7 << 2;
    QTest::newRow("help, no output") << QStringList{"--help"} << 2 << 2;
    QTest::newRow("version, no output") << QStringList{"--version"} << 2 << 2;
    QTest::newRow("a wrong line, nothing") << QStringList{"run"} << 7 << 2;
    QTest::newRow("render prints nothing") << render << 7 << 0;
  }
  void closed_streams() {
    QFETCH(QStringList, arguments);
    QFETCH(int, closed);
    QFETCH(int, status);
    const testing::Outcome outcome = with_streams(arguments, [closed] {
      for (int stream = 0; stream < 3; ++stream)
        if (closed & (1 << stream)) ::close(stream);
    });
    QCOMPARE(outcome.status, status);
    if (closed == 2) QVERIFY2(testing::is_one_line(outcome.error), qPrintable(outcome.error));
  }

  // As behind '| head -1': by the signal, and without a word, also where whoever started it had switched the signal
  // off.
  void a_reader_that_is_gone_ends_it_quietly() {
    int ends[2];
    QVERIFY(::pipe(ends) == 0);
    ::close(ends[0]);
    const int full = ends[1];
    const testing::Outcome outcome = with_streams({"inspect", "attn_seq2seq"}, [full] {
      ::dup2(full, 1);
      ::signal(SIGPIPE, SIG_IGN);
    });
    ::close(full);
    QCOMPARE(outcome.error, QString());
    QCOMPARE(outcome.status, 128 + SIGPIPE);
  }
};

HEADLIGHT_CORE_TEST(TestCommandRows)

}  // namespace headlight::test_command_rows

#include "test_command_rows.moc"
