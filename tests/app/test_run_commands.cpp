// The program as a process: running and inspecting a model of ours, with exact messages and exit statuses of good and
// bad input.

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <cmath>
#include <functional>
#include <map>

#include "app/cli/printed/text_picture.h"
#include "app/version.h"
#include "model/io/model_folder.h"
#include "model/io/npz.h"
#include "model/io/safetensors.h"
#include "model/models/registry.h"
#include "tests/app/program_with_models.h"
#include "tests/test_program.h"

namespace headlight::test_run_commands {

using testing::Outcome;

class TestRunCommands : public QObject, testing::ProgramWithModels {
  Q_OBJECT

  QString copy_of_model(const char* name) const {
    const QString folder = scratch_.filePath(QString::fromUtf8(name));
    QDir().mkpath(folder);
    for (const char* file : {"config.json", "vocabulary.json", "model.safetensors"}) {
      QFile::remove(folder + "/" + file);
      QFile::copy(models_.filePath("attn_seq2seq/") + file, folder + "/" + file);
    }
    return folder;
  }

  static QString unknown_task(const char* name) {
    QStringList names;
    for (const Task& task : tasks()) names << QString::fromStdString(task.name);
    return QString("there is no task '%1'; known: %2, pairs, text").arg(name, names.join(", "));
  }

 private slots:
  void initTestCase() { make_models(); }

  void help_names_every_command_and_has_examples() {
    const Outcome all = headlight({"--help"});
    QCOMPARE(all.status, 0);
    for (const char* command :
         {"run", "render", "train", "evaluate", "compare", "inspect", "verify", "tokenize", "analyse"}) {
      QVERIFY2(all.out.contains(command), command);
      const Outcome help = headlight({command, "--help"});
      QCOMPARE(help.status, 0);
      QVERIFY2(help.out.contains(QString("Examples:\n  headlight %1 ").arg(command)), command);
    }
  }

  void version_is_that_of_the_build_files() {
    QFile cmake("CMakeLists.txt");
    QVERIFY(cmake.open(QIODevice::ReadOnly));
    QVERIFY(cmake.readAll().contains(QByteArray("VERSION ") + kVersion + " "));
    QCOMPARE(headlight({"--version"}).out, QString("headlight %1\n").arg(kVersion));
  }

  void run_prints_the_output_and_the_alignment() {
    const Outcome outcome = headlight({"run", "attn_seq2seq", "--source", "May 5, 2001"});
    QCOMPARE(outcome.error, QString());
    QCOMPARE(outcome.status, 0);
    QVERIFY(outcome.out.startsWith("source  May 5, 2001\noutput  "));
    QVERIFY(outcome.out.contains(" M a y ␣ 5 , ␣ 2 0 0 1"));
    QVERIFY(outcome.out.contains("looks most at"));
  }

  void run_without_attention_says_so() {
    const Outcome outcome = headlight({"run", "seq2seq", "--source", "May 5, 2001"});
    QCOMPARE(outcome.status, 0);
    QVERIFY(outcome.out.contains("no attention"));
  }

  void json_is_one_object_that_holds_together() {
    const Outcome outcome = headlight({"run", "attn_seq2seq", "--source", "5/3/99?", "--json"});
    QCOMPARE(outcome.status, 0);
    const QJsonObject json = QJsonDocument::fromJson(outcome.out.toUtf8()).object();
    QCOMPARE(json["source"].toString(), QString("5/3/99?"));
    const QJsonArray steps = json["steps"].toArray(), tokens = json["tokens"].toArray();
    const QJsonArray weights = json["alignment"].toObject()["weights"].toArray();
    QVERIFY(!steps.isEmpty());
    QCOMPARE(weights.size(), steps.size());
    QVERIFY(tokens[6].toObject()["id"].isNull());  // the question mark is in no date
    QCOMPARE(tokens[6].toObject()["text"].toString(), QString("?"));
    for (const QJsonValue row : weights) {
      double sum = 0;
      for (const QJsonValue weight : row.toArray()) sum += weight.toDouble();
      QVERIFY(std::abs(sum - 1) < 1e-4);
    }
    for (const QJsonValue step : steps) QCOMPARE(step.toObject()["top"].toArray().size(), 10);
    QVERIFY(!json["notes"].toArray().isEmpty());
  }

  void a_setting_that_the_weights_do_not_know_is_warned_about() {
    const QStringList plain = {"run", "attn_seq2seq", "--source", "May 5, 2001", "--json"};
    const Outcome as_trained = headlight(plain + QStringList{"--set", "reverse_source=true"});
    QCOMPARE(as_trained.status, 0);
    QCOMPARE(as_trained.error, QString());
    const Outcome other = headlight(plain + QStringList{"--set", "reverse_source=false"});
    QCOMPARE(other.status, 0);
    QCOMPARE(other.error, QString("headlight: warning: --set: the weights were trained with reverse_source=true, this "
                                  "run uses false; expect other outputs\n"));
    const auto position = [](const Outcome& o) {
      return QJsonDocument::fromJson(o.out.toUtf8())["tokens"][0]["position"].toInt();
    };
    QCOMPARE(position(other), 0);
    QVERIFY(position(as_trained) > 0);
  }

  void an_edit_changes_the_weight_that_it_names() {
    const Outcome outcome = headlight({"run", "attn_seq2seq", "--source", "May 5, 2001", "--json", "--edit",
                                       "decoder.step[2].attention.weights[4]~1"});
    QCOMPARE(outcome.error, QString());
    const QJsonObject json = QJsonDocument::fromJson(outcome.out.toUtf8()).object();
    const QJsonArray row = json["alignment"].toObject()["weights"].toArray()[2].toArray();
    int ones = 0;
    for (const QJsonValue weight : row) ones += weight.toDouble() == 1.0;
    QCOMPARE(ones, 1);
  }

  // Each is read back: every site that `inspect` lists is there, and all formats hold the same numbers.
  void dumps_are_written() {
    std::map<QString, std::vector<double>> numbers[4];
    int format = 0;
    for (const char* ending : {"safetensors", "npz", "json", "csv"}) {
      const QString file = scratch_.filePath(QString("trace.") + ending);
      const Outcome outcome = headlight({"run", "attn_seq2seq", "--source", "5/3/99", "--dump", file});
      QCOMPARE(outcome.error, QString());
      auto& found = numbers[format++];
      const auto take = [&](const std::vector<NamedTensor>& tensors) {
        for (const NamedTensor& tensor : tensors)
          for (const Scalar x : tensor.value.values())
            found[QString::fromStdString(tensor.name)].push_back(static_cast<double>(x));
      };
      QFile read(file);
      QVERIFY(read.open(QIODevice::ReadOnly));
      if (QString(ending) == "safetensors") {
        const SafetensorsFile all(file.toStdString());
        for (const TensorInfo& info : all.tensors()) take({{info.name, all.load(info.name)}});
      } else if (QString(ending) == "npz") {
        take(read_npz(file.toStdString()));
      } else if (QString(ending) == "json") {
        const QJsonObject json = QJsonDocument::fromJson(read.readAll()).object();
        const std::function<void(const QJsonValue&, std::vector<double>&)> flatten = [&](const QJsonValue& value,
                                                                                         std::vector<double>& to) {
          if (value.isDouble()) to.push_back(value.toDouble());
          for (const QJsonValue& inner : value.toArray()) flatten(inner, to);
        };
        for (auto site = json.begin(); site != json.end(); ++site)
          if (site.key() != "about") flatten(site.value().toObject()["values"], found[site.key()]);
      } else {
        const QStringList lines = QString::fromUtf8(read.readAll()).trimmed().split('\n');
        QVERIFY(lines[0].startsWith("site,i"));
        for (const QString& line : lines.mid(1))
          found[line.section(',', 0, 0).remove('"')].push_back(line.section(',', -1).toDouble());
      }
      QVERIFY2(found.size() > 100, ending);
    }
    for (int other = 1; other < 4; ++other) {
      QCOMPARE(numbers[other].size(), numbers[0].size());
      for (const auto& [site, values] : numbers[0]) {
        const std::vector<double>& same = numbers[other][site];
        QVERIFY2(same.size() == values.size(), qPrintable(site));
        for (std::size_t i = 0; i < values.size(); ++i)
          QVERIFY2(std::abs(same[i] - values[i]) <= 1e-6 * std::max(1.0, std::abs(values[i])), qPrintable(site));
      }
    }
  }

  void inspect_lists_tensors_and_sites() {
    const Outcome text = headlight({"inspect", "attn_seq2seq"});
    QCOMPARE(text.status, 0);
    QVERIFY(text.out.contains("encoder.lstm.Wx"));
    QVERIFY(text.out.contains("decoder.step[0].attention.weights"));
    const QJsonObject json =
        QJsonDocument::fromJson(headlight({"inspect", "attn_seq2seq", "--json"}).out.toUtf8()).object();
    qint64 count = 0;
    for (const QJsonValue tensor : json["tensors"].toArray()) count += tensor.toObject()["count"].toInteger();
    QVERIFY(count > 0);
    QCOMPARE(json["parameters"].toInteger(), count);
  }

  // Without an example there is still something to list its sites by, in a vocabulary without a space as well.
  void inspect_needs_no_example() {
    ModelBundle bundle;
    bundle.text = rules_with_end(TokenizerKind::words, {"tree", "bird"}, {"arbre"});
    bundle.model = make_model({{"model_type", "attn_seq2seq"},
                               {"source_vocabulary_size", bundle.source_vocabulary().size()},
                               {"target_vocabulary_size", bundle.target_vocabulary().size()},
                               {"hidden_size", 4}},
                              1);
    const QString folder = scratch_.filePath("no-example");
    save_model(folder.toStdString(), bundle, "", StorageType::f32);
    const Outcome outcome = headlight({"inspect", folder});
    QCOMPARE(outcome.error, QString());
    QCOMPARE(outcome.status, 0);
    QVERIFY(outcome.out.contains("sites of a run on 'tree'") && outcome.out.contains("decoder.step[0].output.logits"));
  }

  void bad_lines_are_one_line_and_status_2_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("message");
    const QString missing = scratch_.filePath("no-such-folder");
    QTest::newRow("no such model") << QStringList{"run", missing, "--source", "x"}
                                   << "there is no model folder " + missing + "; bundled models: attn_seq2seq, seq2seq";
    QTest::newRow("no source") << QStringList{"run", "attn_seq2seq"}
                               << "--source is required (see 'headlight run --help')";
    QTest::newRow("unknown option") << QStringList{"run", "attn_seq2seq", "--source", "x", "--frobnicate"}
                                    << "'headlight run' has no option --frobnicate (see 'headlight run --help')";
    QTest::newRow("unknown setting") << QStringList{"run", "attn_seq2seq", "--source", "x", "--set", "hiden_size=8"}
                                     << "--set: this model has no setting 'hiden_size'; did you mean 'hidden_size'?";
    QTest::newRow("view that the model has nothing for")
        << QStringList{"render", "attn_seq2seq", "--source", "5/3/99", "--view", "heads", "--out", "x.png"}
        << "'attn_seq2seq' has nothing to show in the view 'heads'";
    QTest::newRow("setting of a wrong kind")
        << QStringList{"run", "attn_seq2seq", "--source", "x", "--set", "reverse_source=perhaps"}
        << "--set: \"reverse_source\" must be true or false, found \"perhaps\"";
    QTest::newRow("setting without a value")
        << QStringList{"run", "attn_seq2seq", "--source", "x", "--set", "hidden_size"}
        << "--set: expected KEY=VALUE, found 'hidden_size'";
    QTest::newRow("setting that needs other weights")
        << QStringList{"run", "attn_seq2seq", "--source", "x", "--set", "hidden_size=8"}
        << "--set: with these settings the model needs encoder.lstm.Wx [16 x 32], but the file has [16 x 64]";
    QTest::newRow("size") << QStringList{"render", "attn_seq2seq", "--source", "x",      "--view",
                                         "window", "--out",        "x.png",    "--size", "10x10"}
                          << "--size: expected WIDTHxHEIGHT, sides from 16 to 16384 and at most 50 million pixels, "
                             "found '10x10' (see 'headlight "
                             "render --help')";
    QTest::newRow("unknown task") << QStringList{"train",        "chess", "--architecture",
                                                 "attn_seq2seq", "--out", scratch_.filePath("out")}
                                  << unknown_task("chess");
  }
  void bad_lines_are_one_line_and_status_2() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, message);
    const Outcome outcome = headlight(arguments);
    QCOMPARE(outcome.error, "headlight: " + message + "\n");
    QCOMPARE(outcome.status, 2);
    QCOMPARE(outcome.out, QString());
  }

  // The exact messages belong to the readers' own tests; here: one line, the file's name, status 2, no output.
  void bad_folders_are_one_line_and_status_2_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("truncated weights") << "model.safetensors" << QByteArray("\x40\0\0\0\0\0\0\0{\"a", 11);
    QTest::newRow("empty weights") << "model.safetensors" << QByteArray();
    QTest::newRow("no JSON") << "config.json" << QByteArray("<html>not found</html>");
    QTest::newRow("deep JSON") << "config.json" << QByteArray(100000, '[');
    QTest::newRow("wrong model type") << "config.json" << QByteArray("{\"model_type\": \"gpt17\"}");
    QTest::newRow("vocabulary is a number") << "vocabulary.json" << QByteArray("7");
  }
  void bad_folders_are_one_line_and_status_2() {
    QFETCH(QString, file);
    QFETCH(QByteArray, content);
    const QString folder = copy_of_model("broken");
    QFile broken(folder + "/" + file);
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write(content);
    broken.close();
    const Outcome outcome = headlight({"run", folder, "--source", "May 5, 2001"});
    QCOMPARE(outcome.status, 2);
    QCOMPARE(outcome.out, QString());
    QVERIFY(outcome.error.startsWith("headlight: "));
    QCOMPARE(outcome.error.count('\n'), 1);
    QVERIFY2(outcome.error.contains(file), qPrintable(outcome.error));
  }

  void hostile_texts_run_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("empty") << QString();
    QTest::newRow("10,000 characters") << QString(10000, '7');
    QTest::newRow("control characters") << QString("May\a5\x1b[31m,\t2001\x7f");
    QTest::newRow("right to left") << QString::fromUtf8("\u202e٣ مايو 2001 שלום");
    QTest::newRow("Chinese") << QString::fromUtf8("二〇〇一年五月五日 May 5, 2001");
    QTest::newRow("emoji and combining marks") << QString::fromUtf8("👩‍👩‍👧 Ma\u0301\u0302y 5");
  }
  void hostile_texts_run() {
    QFETCH(QString, text);
    const Outcome outcome = headlight({"run", "attn_seq2seq", "--source", text});
    QCOMPARE(outcome.error, QString());
    QCOMPARE(outcome.status, 0);
    // Nothing that a terminal would obey comes through.
    for (const QChar c : outcome.out)
      QVERIFY2(c == '\n' || (c.unicode() >= 0x20 && c.unicode() != 0x7f && (c.unicode() < 0x80 || c.unicode() >= 0xa0)),
               qPrintable(QString::number(c.unicode(), 16)));
    QVERIFY(!outcome.out.contains(QChar(0x202e)));
  }

  void widths_of_characters() {
    QCOMPARE(display_width("May"), 3);
    QCOMPARE(display_width("五月"), 4);
    QCOMPARE(display_width("e\xcc\x81"), 1);
    QCOMPARE(display_width("한"), 2);
    QCOMPARE(display_width(""), 0);
    QCOMPARE(terminal_token(" "), std::string("␣"));
    QCOMPARE(terminal_token("\x1b"), std::string("␛"));
    QCOMPARE(terminal_token("\xff"), std::string("�"));
  }
};

HEADLIGHT_WIDGET_TEST(TestRunCommands)

}  // namespace headlight::test_run_commands

#include "test_run_commands.moc"
