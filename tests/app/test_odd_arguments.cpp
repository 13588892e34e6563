// The program as a process that is handed bytes: names and texts that are no UTF-8, that would steer a terminal, or
// that are very long. What it says stays one short line, what it writes can be read, and what it is given is found.

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "model/io/safetensors.h"
#include "model/text/message_line.h"
#include "model/text/utf8.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"

namespace headlight::test_odd_arguments {

class TestOddArguments : public QObject {
  Q_OBJECT

  struct Outcome {
    int status = -1;
    QByteArray out, error;
  };
  // Through a shell, for a QString holds no broken bytes: "$H" is the program, "$N" a name of bytes that are no UTF-8,
  // "$E" what a terminal would obey, "$L" 60,000 characters. The working directory is that of the models.
  Outcome shell(const QString& script, const QStringList& environment = {}) const {
    QProcess process;
    QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    all.insert("HEADLIGHT_MODELS", models_.path());
    all.insert("H", qEnvironmentVariable("HEADLIGHT_BINARY"));
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "HEADLIGHT_DEBUG", "QT_LOGGING_RULES"}) all.remove(name);
    for (const QString& each : environment) all.insert(each.section('=', 0, 0), each.section('=', 1));
    process.setProcessEnvironment(all);
    process.setWorkingDirectory(models_.path());
    const QString names =
        "N=\"$(printf 'm\\351\\377')\" E=\"$(printf 'a\\033[31m\\nb\\r\\302\\233c\\342\\200\\256d')\""
        " L=\"$(head -c 60000 /dev/zero | tr '\\0' x)\"; ";
    process.start("/bin/sh", {"-c", names + script});
    if (!process.waitForFinished(120000)) return {-1, {}, process.errorString().toUtf8()};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2, process.readAllStandardOutput(),
            process.readAllStandardError()};
  }
  static bool is_harmless(const QByteArray& text) {
    const std::string bytes = text.toStdString();
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t length = code_point_length(bytes, at);
      if (length == 0) return false;
      const char32_t c = code_point(bytes.substr(at, length));
      if (c != '\n' && is_harmful(c)) return false;
      at += length;
    }
    return true;
  }

  QTemporaryDir models_;

 private slots:
  void initTestCase() {
    QVERIFY2(!qEnvironmentVariable("HEADLIGHT_BINARY").isEmpty(), "set by ctest");
    small_model_folder(models_, "attn_seq2seq");
    QCOMPARE(shell("cp -r attn_seq2seq \"$N\"").status, 0);
  }

  void a_message_is_one_short_line_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<QByteArrayList>("parts");
    const auto row = [](const char* name, const char* script, const QByteArrayList& parts) {
      QTest::newRow(name) << QString(script) << parts;
    };
    const QByteArray steering = "a\\x1b[31m\\nb\\r\\u009bc\\u202ed";
    row("model", "\"$H\" run \"$E$N\" --source x", {"there is no model folder " + steering + "m\\xe9\\xff; bundled"});
    row("long model", "\"$H\" run \"models/$L/end\" --source x", {"folder models/xxx", "xxx…xxx", "xxx/end; bundled"});
    row("option", "\"$H\" run x --source x \"--$E\"", {"--" + steering, "headlight run --help"});
    row("long option", "\"$H\" run x --source x \"--$L\"", {"--xxx", "x…x", "headlight run --help"});
    row("setting", "\"$H\" run attn_seq2seq --source x --set \"$E\"", {"--set: ", "KEY=VALUE", steering});
    row("value", "\"$H\" run attn_seq2seq --source x --set \"reverse_source=$N\"",
        {"must be true or false, found \"m"});
    row("long value", "\"$H\" run attn_seq2seq --source x --set \"reverse_source=$L\"", {"found \"xxx"});
    row("setting of a training", "\"$H\" train date -a attn_seq2seq --out o --set \"batch=$N\"", {"'batch' must be"});
    row("edit", "\"$H\" run attn_seq2seq --source x --edit \"$E$N\"", {"a\\x1b[31m"});
    row("task", "\"$H\" train \"$E$N\" -a attn_seq2seq --out o", {"there is no task 'a\\x1b[31m"});
    row("file", "\"$H\" train pairs -a attn_seq2seq --out o --files \"$E$N.tsv\"",
        {"cannot read ", steering, "m\\xe9\\xff.tsv: "});
    row("forced output", "\"$H\" run attn_seq2seq --source x --target \"$E\"", {"not in this model's vocabulary"});
    row("place to write", "\"$H\" run attn_seq2seq --source 5 --dump \"$N/$E/x.npz\"", {"m\\xe9\\xff/" + steering});
    row("picture", "\"$H\" render attn_seq2seq --source 5 --view alignment --out \"$N/$E/x.svg\"", {"\\x1b[31m"});
  }
  void a_message_is_one_short_line() {
    QFETCH(QString, script);
    QFETCH(QByteArrayList, parts);
    const Outcome outcome = shell(script);
    QVERIFY2(outcome.error.startsWith("headlight: "), outcome.error);
    QCOMPARE(outcome.error.count('\n'), 1);
    QVERIFY2(is_harmless(outcome.error), outcome.error.toPercentEncoding(" "));
    QVERIFY2(outcome.error.size() < 1300, QByteArray::number(outcome.error.size()));
    for (const QByteArray& part : parts) QVERIFY2(outcome.error.contains(part), outcome.error);
    QCOMPARE(outcome.status, 2);
    QCOMPARE(outcome.out, QByteArray());
  }

  void texts_become_utf8() {
    const Outcome run = shell("\"$H\" run attn_seq2seq --source \"5/5$N\" --json --dump x.safetensors");
    QCOMPARE(run.error, QByteArray());
    QCOMPARE(run.status, 0);
    const QJsonObject json = QJsonDocument::fromJson(run.out).object();
    QCOMPARE(json["source"].toString(), QStringLiteral("5/5m\ufffd\ufffd"));
    // Places in the text are places in the text that is told.
    QCOMPARE(json["tokens"][5]["end"].toInt(), json["source"].toString().toUtf8().size());
    const Outcome text = shell("\"$H\" run attn_seq2seq --source \"5/5$N$E\"");
    QCOMPARE(text.status, 0);
    QVERIFY(is_harmless(text.out));
  }

  void names_of_bytes_are_found_and_told() {
    const Outcome evaluated = shell("\"$H\" evaluate \"$N\" --limit 3 --json");
    QCOMPARE(evaluated.error, QByteArray());
    QCOMPARE(QJsonDocument::fromJson(evaluated.out).object()["model"].toString(), QString("m\\xe9\\xff"));
    const Outcome inspected = shell("\"$H\" inspect \"$N\" --json");
    QCOMPARE(QJsonDocument::fromJson(inspected.out).object()["folder"].toString(), QString("m\\xe9\\xff"));
    QVERIFY(is_harmless(shell("\"$H\" inspect \"$N\"").out));
    for (const char* script :
         {"\"$H\" run \"$N\" --source 5/5/99 --dump \"$N/x.npz\" && test -s \"$N/x.npz\"",
          "\"$H\" render \"$N\" --source 5/5/99 --view alignment --out \"p$N.svg\" && test -s \"p$N.svg\"",
          "\"$H\" render \"$N\" --source 5/5/99 --view alignment --out \"p$N.csv\" && test -s \"p$N.csv\"",
          "\"$H\" experiment complexity --limit 64 --trials 1 -q --out \"e$N\" && cd \"e$N\" && ls *.svg *.csv"}) {
      const Outcome outcome = shell(script);
      QCOMPARE(outcome.error, QByteArray());
      QCOMPARE(outcome.status, 0);
    }
  }

  // It died after its first epoch, with nothing saved but the weights.
  void a_training_with_odd_names_is_saved_and_resumed() {
    const QString train =
        "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do printf \"a$i b\\tc d$i\\n\"; done > \"$N.tsv\";"
        " \"$H\" train pairs -q -a attn_seq2seq --files \"$N.tsv\" --out \"t$N\" --title \"$N$E\" --data-note \"$N\" "
        "--licence \"$N\""
        " --set hidden_size=4 --set min_frequency=1 --epochs ";
    for (const char* epochs : {"1", "2 --resume"}) {
      const Outcome outcome = shell(train + epochs);
      QCOMPARE(outcome.error, QByteArray());
      QCOMPARE(outcome.status, 0);
      QVERIFY(is_harmless(outcome.out));
    }
    const Outcome card = shell("cat \"t$N/README.md\"");
    QVERIFY(is_harmless(card.out));
    QVERIFY2(card.out.contains("# tm\\xe9\\xff\n") && card.out.contains("--files 'm\\xe9\\xff.tsv'"), card.out);
    const QJsonObject config = QJsonDocument::fromJson(shell("cat \"t$N/config.json\"").out).object();
    QVERIFY(config["title"].toString().startsWith(QStringLiteral("m\ufffd\ufffda")));
    QCOMPARE(shell("\"$H\" run \"t$N\" --source \"a1 b\"").status, 0);
  }

  // A title of a stranger's model is one line, too.
  void names_in_files_are_escaped() {
    const Outcome changed = shell(
        "cp -r attn_seq2seq odd && printf '%s' "
        "'s/\"title\": \"[^\"]*\"/\"title\": \"\\\\u001b[31mred\\\\n\\\\u202ebidi\\\\u009b\"/' > sed.txt && "
        "sed -i -f sed.txt odd/config.json && grep -c 001b odd/config.json");
    QCOMPARE(changed.out, QByteArray("1\n"));
    const Outcome inspected = shell("\"$H\" inspect odd");
    QCOMPARE(inspected.status, 0);
    QVERIFY(is_harmless(inspected.out));
    QVERIFY2(inspected.out.startsWith("odd: \\x1b[31mred\\n\\u202ebidi\\u009b\n"), inspected.out.left(100));
    const Outcome token = shell(
        "printf '%s' '{\"source\": [\"\\u001b[2J\\u202e\", \"\\u001b[2J\\u202e\"]}' > odd/vocabulary.json; "
        "\"$H\" run odd --source x");
    QCOMPARE(token.status, 2);
    QVERIFY(is_harmless(token.error));
    QVERIFY2(token.error.contains("odd/vocabulary.json: source: "), token.error);
  }

  void names_in_reference_values_are_escaped() {
    const std::string steering = "\x1b[31m\n\u202e";
    write_safetensors((models_.path() + "/reference.safetensors").toStdString(),
                      {{steering + std::string(300, 'x'), Tensor::zeros({2})}},
                      {{"source", "5/5" + steering}, {"tolerance", "1e-5"}}, StorageType::f32);
    const Outcome outcome = shell("\"$H\" verify attn_seq2seq reference.safetensors");
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.out.contains("\nsource     5/5\\x1b[31m\\n\\u202e\n"), outcome.out);
    QVERIFY(outcome.out.contains("  \\x1b[31m\\n\\u202exxx") && outcome.out.contains("xxx…xxx"));
    QVERIFY(is_harmless(outcome.out) && is_harmless(outcome.error));
  }

  // Qt's remarks are no news for the user, unless they are asked for.
  void remarks_of_qt_stay_inside() {
    const QString script = "\"$H\" render attn_seq2seq --source 5/5/99 --view window --out qt.svg";
    const Outcome quiet = shell(script);
    QCOMPARE(quiet.error, QByteArray());
    QCOMPARE(quiet.status, 0);
    for (const char* wish : {"HEADLIGHT_DEBUG=1", "QT_LOGGING_RULES=*.debug=false"}) {
      const Outcome asked = shell(script, {wish});
      QVERIFY2(asked.error.contains("This plugin does not support"), asked.error);  // of windows without a display
      for (const QByteArray& line : asked.error.chopped(1).split('\n')) QVERIFY2(line.startsWith("headlight: "), line);
      QCOMPARE(asked.status, 0);
    }
  }
};

HEADLIGHT_CORE_TEST(TestOddArguments)

}  // namespace headlight::test_odd_arguments

#include "test_odd_arguments.moc"
