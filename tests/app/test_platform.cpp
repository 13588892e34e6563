// Pictures need no display, whatever the environment says of one; the window says in one line that there is none.

#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include "app/cli/platform.h"
#include "tests/app/fixture.h"
#include "tests/app/program.h"
#include "tests/test_program.h"

namespace headlight::test_platform {

class TestPlatform : public QObject {
  Q_OBJECT

  static void variables() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("value");
  }
  static void row(const char* name, const QString& value) {
    QTest::newRow(qPrintable(QString("%1=%2").arg(name, value))) << QString(name) << value;
  }
  testing::Outcome headlight(const QStringList& arguments, testing::Variables variables,
                             const QString& program = testing::program()) const {
    variables.prepend({"HEADLIGHT_MODELS", models_.path()});
    variables.prepend({"XDG_DATA_HOME", scratch_.filePath("data")});
    QProcess process;
    testing::prepare(process, variables);
    process.start(program, arguments);
    return testing::finished(process);
  }
  QStringList render(const QString& file) const {
    return {"render",    "attn_seq2seq", "-s",      "5/3/99", "--view",
            "alignment", "--size",       "300x200", "--out",  scratch_.filePath(file)};
  }

  QTemporaryDir models_, scratch_;

 private slots:
  void initTestCase() {
    QVERIFY2(!testing::program().isEmpty(), "set by ctest");
    small_model_folder(models_, "attn_seq2seq");
    QCOMPARE(headlight(render("plain.png"), {}).status, 0);
  }

  void a_picture_is_the_same_everywhere_data() {
    QTest::addColumn<testing::Variables>("environment");
    for (const char* platform : {"xcb", "wayland", "eglfs", "linuxfb", "nonsense", ""})
      QTest::newRow(platform) << testing::Variables{{"QT_QPA_PLATFORM", platform}, {"DISPLAY", ":99"}};
    QTest::newRow("small scales") << testing::Variables{
        {"QT_FONT_DPI", "5"}, {"QT_SCALE_FACTOR", "0"}, {"QT_SCREEN_SCALE_FACTORS", "0"}};
    QTest::newRow("large scales") << testing::Variables{
        {"QT_FONT_DPI", "100000000"}, {"QT_SCALE_FACTOR", "1000"}, {"QT_SCREEN_SCALE_FACTORS", "x=1000"}};
    QTest::newRow("no scales") << testing::Variables{
        {"QT_FONT_DPI", "nan"}, {"QT_SCALE_FACTOR", "nan"}, {"QT_SCREEN_SCALE_FACTORS", "2;nan"}};
    QTest::newRow("settings") << testing::Variables{{"QT_STYLE_OVERRIDE", "nonsense"},
                                                    {"QT_QPA_PLATFORMTHEME", "gtk3"},
                                                    {"QT_PLUGIN_PATH", "/none"},
                                                    {"QT_QPA_PLATFORM_PLUGIN_PATH", "/none"},
                                                    {"QT_DEBUG_PLUGINS", "1"},
                                                    {"QT_FATAL_WARNINGS", "1"},
                                                    {"LANG", "nonsense"},
                                                    {"LC_ALL", "C"}};
    QTest::newRow("folders") << testing::Variables{{"HOME", "/proc/none"},
                                                   {"TMPDIR", "/proc/none"},
                                                   {"XDG_RUNTIME_DIR", "/proc/none"},
                                                   {"XDG_CONFIG_HOME", "/proc/none"},
                                                   {"XDG_CACHE_HOME", ""}};
  }
  void a_picture_is_the_same_everywhere() {
    QFETCH(testing::Variables, environment);
    const testing::Outcome outcome = headlight(render("picture.png"), environment);
    QCOMPARE(outcome.error, QString());
    QCOMPARE(outcome.status, 0);
    QVERIFY(QImage(scratch_.filePath("picture.png")) == QImage(scratch_.filePath("plain.png")));
    QFile::remove(scratch_.filePath("picture.png"));
  }

  void other_commands_need_no_display() {
    const testing::Variables nowhere = {{"QT_QPA_PLATFORM", "eglfs"}, {"QT_FONT_DPI", "1"}, {"DISPLAY", ":99"}};
    for (const QStringList& line :
         {QStringList{"run", "attn_seq2seq", "-s", "x"}, QStringList{"inspect", "attn_seq2seq"},
          QStringList{"compare", "attn_seq2seq", "--by", "length", "--limit", "2"}, QStringList{"--help"},
          QStringList{"experiment", "scaling", "-q", "--seeds", "1", "--trials", "1", "--out", scratch_.path()}}) {
      const testing::Outcome outcome = headlight(line, nowhere);
      QVERIFY2(outcome.status == 0 && outcome.error.isEmpty(), qPrintable(line.join(' ') + ": " + outcome.error));
    }
  }

  void a_window_without_its_display_is_one_line_data() {
    variables();
    for (const char* platform : {"xcb", "wayland", "wayland-egl", "nonsense", "eglfs", "minimalegl", "linuxfb", ";"})
      row("QT_QPA_PLATFORM", platform);
    row("DISPLAY", ":99");
    row("DISPLAY", "nonsense");
    row("DISPLAY", "localhost:99.7");
    row("WAYLAND_DISPLAY", "none");
  }
  void a_window_without_its_display_is_one_line() {
    QFETCH(QString, name);
    QFETCH(QString, value);
    const testing::Outcome outcome = headlight({"attn_seq2seq"}, {{name, value}, {"QT_FONT_DPI", "1"}});
    QVERIFY2(outcome.status == 2, qPrintable(QString::number(outcome.status) + " " + outcome.error));
    QVERIFY2(testing::is_one_line(outcome.error), qPrintable(outcome.error));
    QVERIFY2(outcome.error.contains(QString("no display can be reached (%1='%2')").arg(name, value)),
             qPrintable(outcome.error));
    QVERIFY(outcome.error.contains("unset"));  // what to do
    QCOMPARE(outcome.out, QString());
  }

  void without_any_display_the_first_view_is_drawn_data() {
    variables();
    for (const char* platform : {"", "offscreen;xcb"}) row("QT_QPA_PLATFORM", platform);
    row("QT_FONT_DPI", "5");
  }
  void without_any_display_the_first_view_is_drawn() {
    QFETCH(QString, name);
    QFETCH(QString, value);
    const testing::Outcome outcome = headlight({"attn_seq2seq"}, {{name, value}});
    QCOMPARE(outcome.error, QString());
    QCOMPARE(outcome.status, 0);
    QVERIFY(outcome.out.contains("There is no display here"));
    QVERIFY(QImage(outcome.out.trimmed().section('\n', -1)).width() >= 1280);
  }

  // The picture lies in a folder of the user's, and what somebody has laid there as a link is not written through.
  void the_first_view_is_not_written_through_a_link() {
    const QString there = headlight({"attn_seq2seq"}, {}).out.trimmed().section('\n', -1);
    QVERIFY2(there.startsWith(scratch_.filePath("data")), qPrintable(there));
    QFile kept(scratch_.filePath("kept"));
    QVERIFY(kept.open(QIODevice::WriteOnly) && kept.write("kept") == 4);
    kept.close();
    QVERIFY(QFile::remove(there) && QFile::link(kept.fileName(), there));
    const testing::Outcome outcome = headlight({"attn_seq2seq"}, {});
    QCOMPARE(outcome.status, 0);
    QVERIFY(!QFileInfo(there).isSymLink() && !QImage(there).isNull());
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QCOMPARE(kept.readAll(), QByteArray("kept"));
  }

  // A copy of the program beside a qt.conf that says its plugins are elsewhere.
  void without_the_plugin_it_is_one_line() {
    const QString copy = scratch_.filePath("headlight");
    QVERIFY(QFile::copy(testing::program(), copy));
    QFile conf(scratch_.filePath("qt.conf"));
    QVERIFY(conf.open(QIODevice::WriteOnly));
    conf.write("[Paths]\nPlugins=/none\n");
    conf.close();
    for (const QStringList& line : {render("none.png"), QStringList{"attn_seq2seq"}}) {
      const testing::Outcome outcome = headlight(line, {}, copy);
      QCOMPARE(outcome.status, 2);
      QVERIFY2(testing::is_one_line(outcome.error) && outcome.error.contains("plugin"), qPrintable(outcome.error));
    }
    const testing::Outcome window = headlight({"attn_seq2seq"}, {{"DISPLAY", ":99"}}, copy);
    QCOMPARE(window.status, 2);
    QVERIFY2(testing::is_one_line(window.error) && window.error.contains("':99'"), qPrintable(window.error));
    QCOMPARE(headlight({"run", "attn_seq2seq", "-s", "x"}, {}, copy).status, 0);
  }

  // On a display, scales that a person may want stay, those that Qt cannot bear go.
  void strange_scales_are_dropped_data() {
    variables();
    QTest::addColumn<bool>("stays");
    const auto rows = [](const char* name, const QStringList& values, bool stays) {
      for (const QString& value : values)
        QTest::newRow(qPrintable(QString("%1=%2").arg(name, value))) << QString(name) << value << stays;
    };
    rows("QT_FONT_DPI", {"96", "144", "24", "768"}, true);
    rows("QT_FONT_DPI", {"", "0", "5", "-96", "96.5", "96x", "nan", "100000", "99999999999"}, false);
    rows("QT_SCALE_FACTOR", {"1", "1.5", "0.5", "8"}, true);
    rows("QT_SCALE_FACTOR", {"", "0", "-1", "nan", "inf", "1000", "2x", "1,5"}, false);
    rows("QT_SCREEN_SCALE_FACTORS", {"2", "1;2", "HDMI-1=2;DP-2=1.25"}, true);
    rows("QT_SCREEN_SCALE_FACTORS", {"", "0", "2;nan", "HDMI-1=0", "HDMI-1=", "1000"}, false);
  }
  void strange_scales_are_dropped() {
    QFETCH(QString, name);
    QFETCH(QString, value);
    QFETCH(bool, stays);
    const QByteArray variable = name.toUtf8(), before = qgetenv(variable);
    qputenv(variable, value.toUtf8());
    drop_strange_scales();
    QCOMPARE(qEnvironmentVariableIsSet(variable), stays);
    if (stays) QCOMPARE(qgetenv(variable), value.toUtf8());
    before.isNull() ? qunsetenv(variable) : qputenv(variable, before);
  }
};

HEADLIGHT_CORE_TEST(TestPlatform)

}  // namespace headlight::test_platform

#include "test_platform.moc"
