// What is said of the program and its machine, what a crash leaves, and how a person gets at both.

#include <signal.h>

#include <QCheckBox>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "app/language.h"
#include "app/panels/message_banner.h"
#include "app/reports/crash_report.h"
#include "app/reports/program_facts.h"
#include "app/reports/report_dialog.h"
#include "app/version.h"
#include "app/window/main_window.h"
#include "tests/app/fixture.h"
#include "tests/app/program.h"
#include "tests/test_program.h"

namespace headlight::test_reports {

class TestReports : public QObject {
  Q_OBJECT

  QTemporaryDir home_;

  QString folder() const { return home_.filePath("state/headlight/reports"); }
  QStringList reports() const { return QDir(folder()).entryList({"crash-*.txt"}, QDir::Files, QDir::Name); }
  QString content(const QString& name) const {
    QFile file(folder() + "/" + name);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  }
  void leave(const QString& name, const QByteArray& text) const {
    QVERIFY(QDir().mkpath(folder()));
    QFile file(folder() + "/" + name);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
  }
  // Goes on for minutes.
  QStringList busy() const { return {"experiment", "scaling", "-q", "--seeds", "50", "--out", home_.filePath("made")}; }
  // The bar's message at a start that has no session to go on with.
  static QStringList said_at_start() {
    MainWindow window(MainWindow::Remember::yes, run);
    Document document;
    document.model = small_model();
    document.source = "nothing was left";
    window.start(document);
    window.offer_left_behind();
    QStringList texts;
    for (const QLabel* label : window.views().banner()->findChildren<QLabel*>()) texts << label->text();
    return texts;
  }

 private slots:
  void initTestCase() {
    qputenv("XDG_STATE_HOME", home_.filePath("state").toUtf8());
    qputenv("XDG_DATA_HOME", home_.filePath("data").toUtf8());
    QCoreApplication::setOrganizationName("HeadlightTest");
    QCoreApplication::setApplicationName("HeadlightTest");
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, home_.filePath("settings"));
    load_resources();
  }
  void cleanup() {
    QDir(folder()).removeRecursively();
    set_language("en");
  }

  void the_version_is_told_whole() {
    QVERIFY2(!testing::program().isEmpty(), "set by ctest");
    const testing::Outcome outcome = testing::run_program({"--version", "--verbose"}, {{"HOME", home_.path()}});
    QCOMPARE(outcome.status, 0);
    for (const QString& line : {QString("headlight: ") + kVersion, QString("Qt: ") + qVersion(), QString("reports: ")})
      QVERIFY2(outcome.out.contains(line), qPrintable(outcome.out));
    QVERIFY2(!outcome.out.contains(home_.path() + "/.local"), qPrintable(outcome.out));  // nobody's name
    QCOMPARE(testing::run_program({"--version"}).out, QString("headlight %1\n").arg(kVersion));
  }

  void paths_in_the_home_folder_name_nobody() {
    qputenv("HOME", "/home/somebody");
    QCOMPARE(without_home("/home/somebody/a"), std::string("~/a"));
    QCOMPARE(without_home("/home/somebody"), std::string("~"));
    QCOMPARE(without_home("/home/somebodyelse/a"), std::string("/home/somebodyelse/a"));
    qputenv("HOME", home_.path().toUtf8());
  }

  void a_crash_leaves_a_report_data() {
    QTest::addColumn<int>("signal");
    QTest::addColumn<QString>("name");
    QTest::newRow("address") << SIGSEGV << "SIGSEGV";
    QTest::newRow("abort") << SIGABRT << "SIGABRT";
  }
  void a_crash_leaves_a_report() {
    QFETCH(int, signal);
    QFETCH(QString, name);
#ifdef __SANITIZE_ADDRESS__
    QSKIP("the address sanitizer says more itself");
#endif
    QProcess process;
    testing::prepare(process, {{"XDG_STATE_HOME", home_.filePath("state")}, {"HOME", home_.path()}});
    process.start(testing::program(), busy());
    QVERIFY(process.waitForStarted());
    QTest::qWait(500);
    QCOMPARE(::kill(static_cast<pid_t>(process.processId()), signal), 0);
    const testing::Outcome outcome = testing::finished(process);
    QCOMPARE(outcome.status, 128 + signal);
    QVERIFY2(testing::is_one_line(outcome.error) && outcome.error.contains(name), qPrintable(outcome.error));
    QCOMPARE(reports().size(), 1);
    QVERIFY2(outcome.error.contains(reports().front()), qPrintable(outcome.error));
    const QString text = content(reports().front());
    for (const QString& part : {name, QString("headlight: ") + kVersion, QString(" UTC\n"), QString("headlight(+0x")})
      QVERIFY2(text.contains(part), qPrintable(text));
    QCOMPARE(crash_reports().size(), std::size_t{1});
  }
  void where_no_report_can_be_written_it_still_ends_as_before() {
#ifdef __SANITIZE_ADDRESS__
    QSKIP("the address sanitizer says more itself");
#endif
    QProcess process;
    testing::prepare(process, {{"XDG_STATE_HOME", "/proc/none"}});
    process.start(testing::program(), busy());
    QVERIFY(process.waitForStarted());
    QTest::qWait(500);
    ::kill(static_cast<pid_t>(process.processId()), SIGSEGV);
    const testing::Outcome outcome = testing::finished(process);
    QCOMPARE(outcome.status, 128 + SIGSEGV);
    QVERIFY2(testing::is_one_line(outcome.error), qPrintable(outcome.error));
  }

  void ten_are_kept() {
    for (int i = 10; i < 25; ++i) leave(QString("crash-17000000%1-1.txt").arg(i), "x");
    leave("notes.txt", "mine");
    const auto all = crash_reports();
    QCOMPARE(all.size(), std::size_t{10});
    QVERIFY(QString::fromStdString(all.front()).endsWith("24-1.txt"));
    QCOMPARE(reports().size(), 10);
    QCOMPARE(content("notes.txt"), QString("mine"));
  }

  void the_next_start_says_so_once() {
    leave("crash-1700000001-1.txt", "where it was");
    QVERIFY2(said_at_start().join('\n').contains("Help, Report a problem"), qPrintable(said_at_start().join('\n')));
    QVERIFY(!said_at_start().join('\n').contains("Help, Report a problem"));
    leave("crash-1700000002-1.txt", "where it was then");
    QVERIFY(said_at_start().join('\n').contains("Help, Report a problem"));
  }

  void the_dialog_collects_and_sends_nothing() {
    leave("crash-1700000003-1.txt", "Headlight ended unexpectedly: SIGSEGV");
    ReportDialog dialog(R"({"headlight": "session", "source": "secret"})");
    QVERIFY2(dialog.text().contains("SIGSEGV") && dialog.text().contains(QString("headlight: ") + kVersion),
             qPrintable(dialog.text()));
    QVERIFY(!dialog.text().contains("secret"));  // a person's text only when they say so
    dialog.with_session()->setChecked(true);
    QVERIFY(dialog.text().contains("secret"));
    dialog.copy();
    QCOMPARE(QGuiApplication::clipboard()->text(), dialog.text());
    ReportDialog nothing_open({});
    QVERIFY(!nothing_open.with_session()->isEnabled());
  }
};

HEADLIGHT_WIDGET_TEST(TestReports)

}  // namespace headlight::test_reports

#include "test_reports.moc"
