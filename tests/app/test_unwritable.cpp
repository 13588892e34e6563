// The program as a process whose files cannot be written: full disks, pipes, devices, empty names, folders in use. The
// old file stays, nothing is left beside it, and one line says why.

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "tests/app/fixture.h"
#include "tests/test_program.h"

namespace headlight::test_unwritable {

class TestUnwritable : public QObject {
  Q_OBJECT

  struct Outcome {
    int status = -1;
    QString error;
  };
  using Modifier = std::function<void()>;
  Outcome headlight(const QStringList& arguments, const Modifier& modifier = {}, const QString& out = {}) const {
    QProcess process;
    if (modifier) process.setChildProcessModifier(modifier);
    if (!out.isEmpty()) process.setStandardOutputFile(out);
    process.setWorkingDirectory(dir_->path());
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("HEADLIGHT_MODELS", models_.path());
    process.setProcessEnvironment(environment);
    process.start(QFileInfo(qEnvironmentVariable("HEADLIGHT_BINARY")).absoluteFilePath(), arguments);
    if (!process.waitForFinished(120000)) return {-1, process.errorString()};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2,
            QString::fromUtf8(process.readAllStandardError())};
  }
  // No file may get a single byte, as where a disk is full.
  static void full_disk() {
    const rlimit limit{0, 0};
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, SIG_IGN);
  }

  QString path(const QString& name) const { return dir_->filePath(name); }
  QStringList names(const QString& folder = {}) const {
    return QDir(path(folder))
        .entryList(QDir::AllEntries | QDir::System | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
  }
  void put(const QString& name, const QByteArray& bytes) const {
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
  }
  QByteArray get(const QString& name) const {
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  static QStringList words(const QString& line) { return line.split(' '); }
  static QStringList training(const QString& out, int epochs, const QStringList& more = {}) {
    return words("train addition -a attn_seq2seq --set hidden_size=8 --set train_size=300 --set test_size=50") +
           QStringList{"--out", out, "--epochs", QString::number(epochs)} + more;
  }
  static void is_one_line(const Outcome& outcome, const QString& message) {
    QCOMPARE(outcome.error, "headlight: " + message + "\n");
    QCOMPARE(outcome.status, 2);
  }

  QTemporaryDir models_;
  std::unique_ptr<QTemporaryDir> dir_;

 private slots:
  void initTestCase() {
    QVERIFY2(!qEnvironmentVariable("HEADLIGHT_BINARY").isEmpty(), "set by ctest");
    QFile log(small_model_folder(models_) + "/training.csv");
    QVERIFY(log.open(QIODevice::WriteOnly));
    log.write("epoch,exact_match\n1,0.25\n2,0.5\n");
  }
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void a_full_disk_keeps_the_old_file_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("file");  // the line's last word is what is asked for
    const QString render = "render attn_seq2seq --source 5/3/99 --size 300x200 --view alignment --out ";
    for (const char* file : {"x.png", "x.svg", "x.pdf", "x.csv", "x.gif"})
      QTest::addRow("render %s", file) << render + file << file;
    QTest::newRow("numbered pictures") << render + "x-%02d.png"
                                       << "x-01.png";
    for (const char* file : {"x.npz", "x.safetensors", "x.json", "x.csv"})
      QTest::addRow("dump %s", file) << QString("run attn_seq2seq --source 5/3/99 --dump ") + file << file;
    QTest::newRow("compare, table") << "compare attn_seq2seq --csv x.csv"
                                    << "x.csv";
    QTest::newRow("compare, picture") << "compare attn_seq2seq --out x.svg"
                                      << "x.svg";
  }
  void a_full_disk_keeps_the_old_file() {
    QFETCH(QString, line);
    QFETCH(QString, file);
    put(file, "old");
    const Outcome outcome = headlight(words(line), full_disk);
    const QString asked = words(line).constLast();
    const QString reason = "the file would be larger than this system allows";
    const QString message = line.startsWith("run") ? "cannot write " + asked + ": " + reason
                                                   : asked + ": cannot be written (" + reason + ")";
    is_one_line(outcome, message);
    QCOMPARE(get(file), QByteArray("old"));
    QCOMPARE(names(), QStringList{file});
  }

  void experiments_and_trainings_say_that_the_disk_is_full() {
    is_one_line(headlight(words("experiment scaling --trials 2 --seeds 1 -q --out out"), full_disk),
                "cannot write out/scaling.csv: the file would be larger than this system allows");
    is_one_line(headlight(training("model", 1), full_disk),
                "cannot write model/model.safetensors: the file would be larger than this system allows");
    QCOMPARE(names("out") + names("model"), QStringList());
  }

  void standard_output_that_is_full_is_an_error_data() {
    QTest::addColumn<QString>("line");
    for (const char* line : {"--help", "--version", "run --help", "run attn_seq2seq --source 5/3/99",
                             "run attn_seq2seq --source 5/3/99 --json", "inspect attn_seq2seq", "compare attn_seq2seq"})
      QTest::newRow(line) << line;
  }
  void standard_output_that_is_full_is_an_error() {
    QFETCH(QString, line);
    if (!QFile::exists("/dev/full")) QSKIP("there is no /dev/full");
    is_one_line(headlight(words(line), {}, "/dev/full"),
                "standard output: cannot write everything (no space left, or the reader is gone)");
  }
  // Else the dump would be the file with the number of standard output, and the text would go into it.
  void standard_output_that_is_closed_is_an_error() {
    const auto close_output = [] { ::close(STDOUT_FILENO); };
    is_one_line(headlight(words("run attn_seq2seq --source 5/3/99 --dump x.json"), close_output),
                "standard output: cannot write everything (no space left, or the reader is gone)");
    QVERIFY(get("x.json").startsWith('{') && get("x.json").endsWith("}\n"));
    QCOMPARE(names(), QStringList{"x.json"});
  }

  void a_pipe_stays_a_pipe() {
    QCOMPARE(mkfifo(qPrintable(path("x.csv")), 0600), 0);
    for (const char* line :
         {"compare attn_seq2seq --csv x.csv", "render attn_seq2seq --source 5/3/99 --view alignment --out x.csv"}) {
      const int reader = open(qPrintable(path("x.csv")), O_RDONLY | O_NONBLOCK);
      const Outcome outcome = headlight(words(line));
      QCOMPARE(outcome.error, QString());
      QCOMPARE(outcome.status, 0);
      QByteArray got(16, '\0');
      QVERIFY(read(reader, got.data(), 16) > 0);
      ::close(reader);
      struct stat info {};
      QVERIFY(lstat(qPrintable(path("x.csv")), &info) == 0 && S_ISFIFO(info.st_mode));
      QCOMPARE(names(), QStringList{"x.csv"});
    }
  }
  void a_pipe_that_nobody_reads_is_an_error() {
    QCOMPARE(mkfifo(qPrintable(path("x.npz")), 0600), 0);
    is_one_line(headlight(words("run attn_seq2seq --source 5/3/99 --dump x.npz")),
                "cannot write x.npz: nobody reads from it");
    QCOMPARE(mkfifo(qPrintable(path("x.csv")), 0600), 0);
    is_one_line(headlight(words("compare attn_seq2seq --csv x.csv")),
                "x.csv: cannot be written (nobody reads from it)");
  }
  void devices_take_what_is_written() {
    QCOMPARE(headlight(words("compare attn_seq2seq --csv /dev/null")).status, 0);
    struct stat info {};
    QVERIFY(lstat("/dev/null", &info) == 0 && S_ISCHR(info.st_mode));
    put("log", "old\n");
    const QByteArray table = "epoch,attn_seq2seq\n1,0.25\n2,0.5\n";
    // Standard output stands at the end of the file, as behind a shell's >>.
    const auto append = [to = QFile::encodeName(path("log"))] {
      ::dup2(::open(to.constData(), O_WRONLY | O_APPEND), STDOUT_FILENO);
    };
    QCOMPARE(headlight(words("compare attn_seq2seq --csv /dev/stdout"), append).status, 0);
    QCOMPARE(get("log"), "old\n" + table);
    QCOMPARE(names(), QStringList{"log"});
  }
  void numbered_pictures_replace_no_link_and_no_pipe() {
    QCOMPARE(mkfifo(qPrintable(path("x-03.png")), 0600), 0);
    put("x-01.png", "old");
    is_one_line(
        headlight(words("render attn_seq2seq --source 5/3/99 --size 300x200 --view alignment --out x-%02d.png")),
        path("x-03.png") + ": cannot be written (it is not a regular file)");
    QCOMPARE(get("x-01.png"), QByteArray("old"));
    QCOMPARE(names(), (QStringList{"x-01.png", "x-03.png"}));
  }

  void names_that_are_none_are_refused_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("option");
    QTest::newRow("dump") << "run attn_seq2seq --source 5/3/99 --dump"
                          << "--dump";
    QTest::newRow("picture") << "render attn_seq2seq --source 5/3/99 --view alignment --out"
                             << "--out";
    QTest::newRow("comparison") << "compare attn_seq2seq --out"
                                << "--out";
    QTest::newRow("table") << "compare attn_seq2seq --csv"
                           << "--csv";
    QTest::newRow("training") << "train addition -a attn_seq2seq --out"
                              << "--out";
    QTest::newRow("experiment") << "experiment scaling --out"
                                << "--out";
  }
  void names_that_are_none_are_refused() {
    QFETCH(QString, line);
    QFETCH(QString, option);
    const QString command = words(line).constFirst();
    const bool folder = command == "train" || command == "experiment";
    const QString message = option + ": expected the name of a " + (folder ? "folder" : "file") +
                            ", found '%1' (see '" + "headlight " + command + " --help')";
    is_one_line(headlight(words(line) + QStringList{""}), message.arg(""));
    if (!folder) is_one_line(headlight(words(line) + QStringList{"pictures/"}), message.arg("pictures/"));
    QCOMPARE(names(), QStringList());
  }
  void a_folder_may_end_in_a_slash() {
    const Outcome outcome = headlight(training("deep/er/", 1));
    QCOMPARE(outcome.error, QString());
    QCOMPARE(outcome.status, 0);
    QVERIFY(get("deep/er/README.md").startsWith("# er\n"));
    QVERIFY(get("deep/er/README.md").contains(" --out er`"));
    QCOMPARE(headlight(words("run deep/er/ --source 12+34")).status, 0);
  }

  void two_trainings_do_not_share_a_folder() {
    QProcess first;
    first.setWorkingDirectory(dir_->path());
    first.start(QFileInfo(qEnvironmentVariable("HEADLIGHT_BINARY")).absoluteFilePath(), training("model", 5000));
    QTRY_VERIFY_WITH_TIMEOUT((first.waitForReadyRead(50), QFile::exists(path("model/checkpoint.safetensors"))), 60000);
    const QString message =
        "model: another training writes into this folder; wait for its end, or choose another --out";
    is_one_line(headlight(training("model", 1)), message);
    is_one_line(headlight(training("model/", 5000, {"--resume"})), QString(message).replace("model:", "model/:"));
    first.kill();
    QVERIFY(first.waitForFinished(60000));
    // Neither the lock nor what was half written outlives it.
    put("model/.headlight-1-0.tmp", "half");
    QVERIFY(QDir(path("model")).mkpath(".headlight-1-1.tmp/inside"));
    const int done = static_cast<int>(get("model/training.csv").count('\n')) + 1;
    const Outcome resumed = headlight(training("model", done, {"--resume"}));
    QCOMPARE(resumed.error, QString());
    QCOMPARE(resumed.status, 0);
    QCOMPARE(names("model"), (QStringList{"README.md", "checkpoint.safetensors", "config.json", "model.safetensors",
                                          "training.csv", "verify.safetensors", "vocabulary.json"}));
  }

  void a_log_that_was_saved_on_windows_is_read() {
    QVERIFY(QDir(dir_->path()).mkpath("mine"));
    for (const QString& name : QDir(models_.filePath("attn_seq2seq")).entryList(QDir::Files))
      QFile::copy(models_.filePath("attn_seq2seq/") + name, path("mine/") + name);
    put("mine/training.csv",
        "\xef\xbb\xbf"
        "epoch,exact_match\r\n1,0.25\r\n2,0.5\r\n\r\n");
    const Outcome outcome = headlight(words("compare mine --csv x.csv"));
    QCOMPARE(outcome.error, QString());
    QCOMPARE(get("x.csv"), QByteArray("epoch,mine\n1,0.25\n2,0.5\n"));
  }
  // Ctrl+C, being asked to end, and a terminal that is closed: what was begun is not left lying about.
  void an_interrupted_writer_leaves_nothing_data() {
    QTest::addColumn<int>("number");
    QTest::addColumn<QString>("file");
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
      for (const char* file : {"x.gif", "x-%03d.png"}) QTest::addRow("%d %s", number, file) << number << QString(file);
  }
  void an_interrupted_writer_leaves_nothing() {
    QFETCH(int, number);
    QFETCH(QString, file);
    QProcess process;
    process.setWorkingDirectory(dir_->path());
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("HEADLIGHT_MODELS", models_.path());
    process.setProcessEnvironment(environment);
    process.start(
        QFileInfo(qEnvironmentVariable("HEADLIGHT_BINARY")).absoluteFilePath(),
        words("render attn_seq2seq --source 5/3/99 --size 1600x1200 --view window --frames operations --out") +
            QStringList{file});
    QTRY_VERIFY_WITH_TIMEOUT(!names().isEmpty(), 60000);  // it has begun
    ::kill(static_cast<pid_t>(process.processId()), number);
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitStatus(), QProcess::CrashExit);  // by the signal, as if nobody had caught it
    QCOMPARE(process.exitCode(), number);
    QCOMPARE(names(), QStringList());
  }
  // And a training goes on, whatever became of its log; a damaged checkpoint is another matter.
  void a_training_goes_on_from_its_checkpoint_alone() {
    QCOMPARE(headlight(training("model", 1)).status, 0);
    QByteArray log = get("model/training.csv");
    const QByteArray first = log;
    put("model/training.csv", log.replace("\n", "\r\n"));
    QCOMPARE(headlight(training("model", 2, {"--resume"})).status, 0);
    QVERIFY(get("model/training.csv").startsWith(first));
    QCOMPARE(get("model/training.csv").count('\n'), 3);
    QVERIFY(!get("model/training.csv").contains('\r'));
    QByteArray checkpoint = get("model/checkpoint.safetensors");
    const qsizetype at = checkpoint.indexOf("\"updates\":\"") + 11;
    QVERIFY(at > 11);
    checkpoint[at] = '?';
    put("model/checkpoint.safetensors", checkpoint);
    const Outcome damaged = headlight(training("model", 3, {"--resume"}));
    QVERIFY2(damaged.error.startsWith("headlight: model/checkpoint.safetensors: the checkpoint's updates: expected a "),
             qPrintable(damaged.error));
    QCOMPARE(damaged.error.count('\n'), 1);
    QCOMPARE(damaged.status, 2);
  }
};

HEADLIGHT_CORE_TEST(TestUnwritable)

}  // namespace headlight::test_unwritable

#include "test_unwritable.moc"
