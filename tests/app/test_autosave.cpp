// Autosave: what was typed survives a kill at any moment; several windows do not disturb each other; a full or
// read-only disk is told once and tried again.

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QLockFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cstdio>

#include "app/document/session_file.h"
#include "app/jobs/autosave.h"
#include "model/core/random.h"
#include "tests/file_size_limit.h"
#include "tests/test_program.h"

namespace headlight::test_autosave {

namespace {

// A session of a megabyte, so that a kill often comes in the middle of writing it. The source says how far it got.
QByteArray content_at(int typed, const QString& path) {
  static const std::vector<Intervention> kEdits(
      8000, {"decoder.step[2].attention.weights", Intervention::Kind::set, 3, 1.0f / 3, {}});
  SessionState state;
  state.source = "typed " + std::to_string(typed);
  state.interventions = kEdits;
  return write_session(state, path);
}

int typed_in(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return -1;
  const SessionState state = read_session(file.readAll(), path);
  return state.interventions.size() == 8000 ? std::stoi(state.source.substr(6)) : -1;
}

void say(const char* what, int number) {
  std::printf("%s %d\n", what, number);
  std::fflush(stdout);
}

// The victim: types for ever, and says what is on the disk.
int type_until_killed(const QString& folder) {
  int typed = 0, saving = 0;
  QString path = "/x";
  Autosave autosave(
      [&] {
        saving = typed;
        return content_at(typed, path);
      },
      folder, {1, 5});
  path = autosave.path();
  QObject::connect(&autosave, &Autosave::saved, [&] { say("saved", saving); });
  QTimer keys;
  QObject::connect(&keys, &QTimer::timeout, [&] {
    ++typed;
    autosave.touch();
  });
  keys.start(1);
  say("began", 0);
  return QCoreApplication::exec();
}

// The number of the last whole line "saved N"; 0 before the first.
int last_saved(const QByteArray& output) {
  int last = 0;
  for (const QByteArray& line : output.left(output.lastIndexOf('\n') + 1).split('\n'))
    if (line.startsWith("saved ")) last = line.mid(6).toInt();
  return last;
}

}  // namespace

class TestAutosave : public QObject {
  Q_OBJECT

  static QStringList files_in(const QString& folder) {
    return QDir(folder).entryList(QDir::Files | QDir::Hidden, QDir::Name);
  }

 private slots:
  void killed_at_any_moment_the_file_is_whole() {
    Random random(11, Random::Stream::sample);
    int with_file = 0;
    for (int round = 0; round < 20; ++round) {
      QTemporaryDir folder;
      QProcess victim;
      QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
      environment.insert("HEADLIGHT_VICTIM", folder.path());
      victim.setProcessEnvironment(environment);
      victim.start(QCoreApplication::applicationFilePath(), {"test_autosave"});
      QVERIFY(victim.waitForReadyRead(30000));
      // Some are killed while they write the first file, some after several.
      const int rounds = static_cast<int>(random.below(4));
      QByteArray output = victim.readAll();
      while (output.count("saved") < rounds && victim.waitForReadyRead(30000)) output += victim.readAll();
      QTest::qSleep(static_cast<int>(random.below(40)));
      victim.kill();
      QVERIFY(victim.waitForFinished(30000));
      output += victim.readAll();
      const QStringList left = Autosave::left_behind(folder.path());
      const int saved = last_saved(output);
      QVERIFY2(saved == 0 || left.size() == 1, output.constData());
      if (left.isEmpty()) continue;
      ++with_file;
      // Not older than what it said was safe; whole, or reading it would throw.
      const int typed = typed_in(left[0]);
      QVERIFY2(typed >= std::max(saved, 1), qPrintable(QString("%1 of %2").arg(typed).arg(saved)));
      // Nothing half written stays.
      for (const QString& name : files_in(folder.path()))
        QVERIFY2(name.endsWith(".headlight") || name.endsWith(".lock"), qPrintable(name));
      QVERIFY(HeldSession::take(left[0])->remove());
      QVERIFY(Autosave::left_behind(folder.path()).isEmpty());
    }
    QVERIFY(with_file >= 10);
  }

  void typing_without_a_pause_is_saved_all_the_same() {
    QTemporaryDir folder;
    int typed = 0;
    // Nothing ever settles here: the second bound saves.
    Autosave autosave([&] { return QByteArray::number(typed); }, folder.path(), {1'000'000, 20});
    QSignalSpy saved(&autosave, &Autosave::saved);
    QTimer keys;
    connect(&keys, &QTimer::timeout, this, [&] {
      ++typed;
      autosave.touch();
    });
    keys.start(1);
    QTRY_VERIFY_WITH_TIMEOUT(saved.size() >= 3, 30000);
  }

  void what_settles_is_saved_soon_and_only_once() {
    QTemporaryDir folder;
    Autosave autosave([] { return QByteArray("the same"); }, folder.path(), {5, 1'000'000});
    QSignalSpy saved(&autosave, &Autosave::saved);
    autosave.touch();
    QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, 30000);
    QFile file(autosave.path());
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("the same"));
    const QDateTime written = QFileInfo(file).lastModified();
    autosave.touch();
    QTest::qWait(50);
    QCOMPARE(saved.size(), 1);
    QCOMPARE(QFileInfo(autosave.path()).lastModified(), written);
  }

  void a_clean_end_leaves_nothing() {
    QTemporaryDir folder;
    {
      Autosave autosave([] { return QByteArray("x"); }, folder.path(), {1, 1});
      QSignalSpy saved(&autosave, &Autosave::saved);
      autosave.touch();
      QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, 30000);
      QVERIFY(!files_in(folder.path()).isEmpty());
      autosave.touch();
    }
    QCOMPARE(files_in(folder.path()), QStringList());
  }

  void windows_have_a_file_each_and_the_living_are_not_left_behind() {
    QTemporaryDir folder;
    // Left by a process that had our number.
    QFile old(folder.filePath(QString::number(QCoreApplication::applicationPid()) + ".headlight"));
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("old") == 3);
    old.close();
    Autosave one([] { return QByteArray("one"); }, folder.path(), {1, 1});
    Autosave two([] { return QByteArray("two"); }, folder.path(), {1, 1});
    QVERIFY(one.path() != two.path() && one.path() != old.fileName() && two.path() != old.fileName());
    QSignalSpy saved_one(&one, &Autosave::saved), saved_two(&two, &Autosave::saved);
    one.touch();
    two.touch();
    QTRY_VERIFY_WITH_TIMEOUT(saved_one.size() == 1 && saved_two.size() == 1, 30000);
    QCOMPARE(Autosave::left_behind(folder.path()), QStringList{old.fileName()});
  }

  static QString left_file(const QTemporaryDir& folder, const char* name, const QByteArray& content) {
    QFile file(folder.filePath(QString::fromUtf8(name) + ".headlight"));
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) return {};
    return file.fileName();
  }
  static QByteArray content_of(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("no such file");
  }

  // What was left behind stays where it is while a window goes on with it, and goes when that window ends well.
  void a_file_that_is_taken_over_is_never_away() {
    QTemporaryDir folder;
    const QString left = left_file(folder, "left", "left");
    {
      QByteArray now = "mine";
      Autosave autosave([&now] { return now; }, folder.path(), {1, 5});
      QSignalSpy saved(&autosave, &Autosave::saved);
      autosave.touch();
      QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, 30000);
      const QString mine = autosave.path();
      auto held = HeldSession::take(left);
      QVERIFY(held && held->begin_opening());
      autosave.take_over(std::move(held), false);
      QCOMPARE(autosave.path(), left);
      QCOMPARE(content_of(left), QByteArray("left"));
      QVERIFY(!QFile::exists(mine) && Autosave::left_behind(folder.path()).isEmpty());
      QVERIFY(HeldSession::ended_program(left));  // so far
      autosave.opened();
      QVERIFY(!HeldSession::ended_program(left));
      now = "more";
      autosave.touch();
      QTRY_COMPARE_WITH_TIMEOUT(content_of(left), QByteArray("more"), 30000);
    }
    QCOMPARE(files_in(folder.path()), QStringList());
  }

  void what_is_set_aside_is_left_behind_as_it_is_now() {
    QTemporaryDir folder;
    const QString left = left_file(folder, "left", "left");
    QByteArray now = "first";
    Autosave autosave([&now] { return now; }, folder.path(), {1'000'000, 1'000'000});
    const QString mine = autosave.path();
    now = "typed since";
    autosave.take_over(HeldSession::take(left), true);
    QCOMPARE(content_of(mine), QByteArray("typed since"));
    QCOMPARE(Autosave::left_behind(folder.path()), QStringList{mine});
  }

  // A window that is closed before it has shown what it opened.
  void what_was_not_shown_yet_stays() {
    QTemporaryDir folder;
    const QString left = left_file(folder, "left", "left");
    {
      Autosave autosave([] { return QByteArray("x"); }, folder.path());
      auto held = HeldSession::take(left);
      QVERIFY(held->begin_opening());
      autosave.take_over(std::move(held), false);
    }
    QCOMPARE(Autosave::left_behind(folder.path()), QStringList{left});
    QVERIFY(!HeldSession::ended_program(left));
  }

  void a_living_process_keeps_its_file() {
    QTemporaryDir folder;
    const QString left = left_file(folder, "left", "left");
    QProcess victim;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("HEADLIGHT_VICTIM", folder.path());
    victim.setProcessEnvironment(environment);
    victim.start(QCoreApplication::applicationFilePath(), {"test_autosave"});
    QByteArray output;
    while (output.count("saved") < 2 && victim.waitForReadyRead(30000)) output += victim.readAll();
    const QString theirs = folder.filePath(QString::number(victim.processId()) + ".headlight");
    QVERIFY(QFile::exists(theirs));
    QCOMPARE(Autosave::left_behind(folder.path()), QStringList{left});
    QVERIFY(!HeldSession::take(theirs) && !HeldSession::is_abandoned(theirs));
    victim.kill();
    QVERIFY(victim.waitForFinished(30000));
    QCOMPARE(Autosave::left_behind(folder.path()), (QStringList{theirs, left}));
    QVERIFY(typed_in(theirs) > 0);
  }

  // In a container every process has the same number: the lock of one that was killed looks like ours.
  void a_process_with_our_number_left_its_lock() {
    QTemporaryDir folder, elsewhere;
    const QString left = left_file(folder, "left", "left");
    QLockFile ours(elsewhere.filePath("ours.lock"));
    QVERIFY(ours.tryLock(0));
    QVERIFY(QFile::copy(elsewhere.filePath("ours.lock"), left + ".lock"));
    QCOMPARE(Autosave::left_behind(folder.path()), QStringList{left});
    const auto held = HeldSession::take(left);
    QVERIFY(held && !HeldSession::take(left) && Autosave::left_behind(folder.path()).isEmpty());
    QVERIFY(!HeldSession::take(folder.path() + "/./left.headlight"));  // another name of it
  }

  void a_disk_that_cannot_be_written_is_told_once_and_tried_again() {
    QTemporaryDir root;
    // A file stands where the folder should be.
    const QString folder = root.filePath("autosave");
    QFile obstacle(folder);
    QVERIFY(obstacle.open(QIODevice::WriteOnly));
    obstacle.close();
    int asked = 0;
    Autosave autosave([&asked] { return QByteArray::number(++asked); }, folder, {1, 5});
    QSignalSpy saved(&autosave, &Autosave::saved), failed(&autosave, &Autosave::failed);
    QCOMPARE(autosave.path(), QString());
    autosave.touch();
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 30000);
    QVERIFY(failed[0][0].toString().contains(folder));
    QTest::qWait(60);
    QCOMPARE(failed.size(), 1);
    QCOMPARE(saved.size(), 0);
    QVERIFY(obstacle.remove());
    QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, 30000);
    // It is told again when it breaks again: a folder stands where the file should be.
    QVERIFY(QFile::remove(autosave.path()) && QDir().mkpath(autosave.path()));
    autosave.touch();
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 2, 30000);
    QVERIFY(QDir().rmdir(autosave.path()));
    QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 2, 30000);
  }

  void a_full_disk_keeps_what_was_saved_before() {
    QTemporaryDir folder;
    QByteArray content = "first";
    Autosave autosave([&content] { return content; }, folder.path(), {1, 5});
    QSignalSpy saved(&autosave, &Autosave::saved), failed(&autosave, &Autosave::failed);
    autosave.touch();
    QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, 30000);
    const QStringList before = files_in(folder.path());
    {
      const testing::FileSizeLimit limit(0);
      content = "second";
      autosave.touch();
      QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 30000);
    }
    QFile file(autosave.path());
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll() == "first" || saved.size() == 2);  // it is tried again as soon as there is room
    QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 2, 30000);
    QCOMPARE(files_in(folder.path()), before);
  }

  void what_a_killed_process_had_not_finished_is_removed() {
    QTemporaryDir folder;
    QFile half(folder.filePath(".headlight-1-0.tmp"));
    QVERIFY(half.open(QIODevice::WriteOnly) && half.write("half") == 4);
    half.close();
    QCOMPARE(Autosave::left_behind(folder.path()), QStringList());
    QCOMPARE(files_in(folder.path()), QStringList());
  }

  void no_folder_no_files_left_behind() {
    QTemporaryDir root;
    QCOMPARE(Autosave::left_behind(root.filePath("nothing")), QStringList());
  }
};

static int run_autosave(int count, char** arguments) {
  const QByteArray folder = qgetenv("HEADLIGHT_VICTIM");
  return folder.isEmpty() ? testing::run_test<TestAutosave>(count, arguments)
                          : type_until_killed(QFile::decodeName(folder));
}
static const bool known = testing::add_test(__FILE__, testing::Application::core, &run_autosave);

}  // namespace headlight::test_autosave

#include "test_autosave.moc"
