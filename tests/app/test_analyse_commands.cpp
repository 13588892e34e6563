// headlight analyse: golden values of another implementation, results as files, lists, and what it refuses.

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <cmath>
#include <map>

#include "model/io/npz.h"
#include "tests/app/program_with_models.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_analyse_commands {

using testing::Outcome;
namespace fs = std::filesystem;

class TestAnalyseCommands : public QObject, testing::ProgramWithModels {
  Q_OBJECT

  QString written(const QString& name, const QByteArray& bytes) {
    const QString path = scratch_.filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("cannot write");
    return path;
  }
  static QJsonObject object(const Outcome& outcome) { return QJsonDocument::fromJson(outcome.out.toUtf8()).object(); }
  static fs::path goldens() { return testing::made_elsewhere().parent_path() / "analysis"; }

 private slots:
  void initTestCase() { make_models(); }

  void golden_values_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"gpt2", "llama3", "bert-mlm", "bert-classes", "marian", "minilm", "bench-minilm",
                             "bench-sentence", "bench-classes", "bench-bert", "bench-gpt2", "bench-gemma3",
                             "bench-mistral", "bench-marian", "bench-gpt-oss"})
      QTest::newRow(name) << name;
  }
  // Within what compare.py allows: 20 times what float32 loses, at least 1e-5 of the largest number.
  void golden_values() {
    QFETCH(QString, name);
    if (!fs::is_directory(goldens())) QSKIP("the golden values are not beside the material of other libraries");
    const fs::path inputs = goldens() / (name.toStdString() + ".json");
    QFile file(QString::fromStdString(inputs.string()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject about = QJsonDocument::fromJson(file.readAll()).object();
    const QString model = about["model"].toString();
    const fs::path folder = model.startsWith("shared/") ? goldens().parent_path() / model.mid(7).toStdString()
                                                        : testing::made_elsewhere() / model.toStdString();
    const QString dump = scratch_.filePath("golden.npz");
    const Outcome outcome = headlight({"analyse", "golden", QString::fromStdString(folder.string()), "--inputs",
                                       QString::fromStdString(inputs.string()), "--dump", dump});
    QCOMPARE(outcome.error, QString());
    std::map<std::string, Tensor> ours;
    for (const NamedTensor& array : read_npz(dump.toStdString())) ours[array.name] = array.value;
    const QJsonObject losses = about["float32_loss_and_scale"].toObject();
    int compared = 0;
    for (const NamedTensor& golden : read_npz(goldens() / (name.toStdString() + ".npz"))) {
      static constexpr const char* kKeys[] = {"summary.",    "norm.",   "rollout.",  "flow.",  "repeated.",
                                              "similarity.", "effect.", "patterns.", "align.", "values."};
      if (std::ranges::none_of(kKeys, [&](const char* key) { return golden.name.starts_with(key); })) continue;
      QVERIFY2(ours.contains(golden.name), golden.name.c_str());
      const Tensor &expected = golden.value, &found = ours[golden.name];
      QVERIFY2(found.shape() == expected.shape(), golden.name.c_str());
      double largest = 0, apart = 0;
      for (Index i = 0; i < expected.size(); ++i) {
        largest = std::max(largest, std::abs(static_cast<double>(expected[i])));
        const double here = std::abs(static_cast<double>(expected[i]) - static_cast<double>(found[i]));
        apart = here <= apart ? apart : here;
      }
      const QJsonArray known = losses[QString::fromStdString(golden.name)].toArray();
      const double loss = known.isEmpty() ? 0 : known[0].toDouble(),
                   scale = known.isEmpty() ? largest : known[1].toDouble();
      QVERIFY2(apart <= std::max({20 * loss, 1e-5 * scale, 1e-6}),
               qPrintable(QString("%1: off by %2").arg(golden.name.c_str()).arg(apart)));
      ++compared;
    }
    QVERIFY(compared > 0);
  }

  // Of a recurrent model against its trace: a_tj ‖h_j W_c‖, the source in the order of the text.
  void what_a_readout_gets() {
    const QString dump = scratch_.filePath("trace.npz"), out = scratch_.filePath("norm.npz");
    const QStringList text = {"sample_models/date-attention", "--source", "may 5, 2001"};
    QCOMPARE(headlight(QStringList{"run"} + text + QStringList{"--dump", dump}).status, 0);
    const Outcome outcome = headlight(QStringList{"analyse", "norm"} + text + QStringList{"--out", out});
    QCOMPARE(outcome.error, QString());
    std::map<std::string, Tensor> trace;
    for (const NamedTensor& array : read_npz(dump.toStdString())) trace[array.name] = array.value;
    const Tensor found = read_npz(out.toStdString()).front().value, states = trace["encoder.states"];
    const Tensor a = trace["decoder.step[9].attention.weights"];
    QCOMPARE(found.columns(), a.size());
    const Index keys = a.size();
    // Rows are in proportion to the weights, key by key, the same at every step.
    const Tensor b = trace["decoder.step[2].attention.weights"];
    for (Index j = 0; j < keys; ++j) {
      const double one = static_cast<double>(found[9 * keys + j]) * static_cast<double>(b[keys - 1 - j]);
      const double other = static_cast<double>(found[2 * keys + j]) * static_cast<double>(a[keys - 1 - j]);
      QVERIFY(std::abs(one - other) < 1e-4);
    }
    QCOMPARE(states.rows(), keys);
  }

  void a_result_says_what_it_is_of() {
    const QString folder = QStringLiteral(HEADLIGHT_TEST_DATA "/families/gpt2"), csv = scratch_.filePath("heads.csv"),
                  npz = scratch_.filePath("heads.npz");
    const QStringList line = {"analyse", "summary", folder, "--source", "5 17 3"};
    const QJsonObject json = object(headlight(line + QStringList{"--json"}));
    QCOMPARE(json["method"].toString(), QString("summary"));
    QCOMPARE(json["model_hash"].toString().size(), 64);
    QVERIFY(!json["texts"][0]["tokens"].toArray().isEmpty());
    QCOMPARE(json["table"][0]["layer"].toDouble(), 1.0);
    QCOMPARE(object(headlight(line + QStringList{"--json", "--count-from", "0"}))["table"][0]["layer"].toDouble(), 0.0);
    QCOMPARE(headlight(line + QStringList{"--out", csv}).status, 0);
    QFile file(csv);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readLine().startsWith("# {"));
    QVERIFY(file.readLine().startsWith("attention,layer,head,"));
    QCOMPARE(headlight(line + QStringList{"--out", npz}).status, 0);
    QCOMPARE(read_npz(npz.toStdString()).front().name, std::string("entropy"));
    const Outcome wrong = headlight(line + QStringList{"--out", scratch_.filePath("heads.txt")});
    QCOMPARE(wrong.status, 2);
    QVERIFY(wrong.error.contains("must end in .json, .npz or .csv"));
  }

  void every_method_runs() {
    const QString folder = QStringLiteral(HEADLIGHT_TEST_DATA "/families/gpt2");
    for (const QStringList& more :
         {QStringList{"norm"},
          {"rollout"},
          {"flow", "--rows", "0,2"},
          {"patterns"},
          {"rank", "--pair", "2,0"},
          {"effect"},
          {"effect", "--target", "log_p", "--a", "#7", "--off", "other", "--other", "6 18 4"}}) {
      const QJsonObject json =
          object(headlight(QStringList{"analyse", more.front(), folder, "--source", "5 17 3", "--json"} + more.mid(1)));
      QVERIFY2(!json["arrays"].toObject().isEmpty(), qPrintable(more.join(' ')));
      QVERIFY2(!json["table"].toArray().isEmpty(), qPrintable(more.join(' ')));
    }
    const QJsonObject repeated =
        object(headlight({"analyse", "repeated", "sample_models/story-gpt", "--length", "6", "--json"}));
    QVERIFY(repeated["arrays"].toObject().contains("induction"));
  }

  void lists() {
    const QString folder = QStringLiteral(HEADLIGHT_TEST_DATA "/families/gpt2"),
                  list = written("list.tsv", "5 17 3\tone\n5 9\ttwo\n7 3 2\tone\n");
    for (const char* method : {"summary", "patterns", "effect"}) {
      const QJsonObject json = object(headlight({"analyse", method, folder, "--texts", list, "--json"}));
      QCOMPARE(json["texts_in_all"].toInt(), 3);
      QCOMPARE(json["texts"][1]["label"].toString(), QString("two"));
      QVERIFY2(!json["table"].toArray().isEmpty(), method);
    }
    const Outcome one = headlight({"analyse", "norm", folder, "--texts", list});
    QCOMPARE(one.status, 2);
    QVERIFY(one.error.contains("is of one text, found a list of 3"));
    const Outcome lines =
        headlight({"run", "sample_models/date-attention", "--texts", written("dates.txt", "may 5, 2001\n8/23/83\n")});
    QCOMPARE(lines.error, QString());
    QCOMPARE(lines.out.count('\n'), 2);
    QVERIFY(lines.out.startsWith("may 5, 2001\t"));
    const Outcome json =
        headlight({"run", "sample_models/date-attention", "--texts", scratch_.filePath("dates.txt"), "--json"});
    QCOMPARE(QJsonDocument::fromJson(json.out.section('\n', 1, 1).toUtf8())["source"].toString(), QString("8/23/83"));
    const Outcome both = headlight({"run", "sample_models/date-attention", "--texts", list, "--source", "x"});
    QCOMPARE(both.status, 2);
    QVERIFY(both.error.contains("--texts and --source"));
  }

  // Against the trace of each text.
  void neurons_over_texts() {
    const QString list = written("stories.txt", "anna sees tom\ntom likes the dog\n"),
                  out = scratch_.filePath("neurons.npz");
    QCOMPARE(headlight({"analyse", "neurons", "sample_models/masked-bert", "--texts", list, "--out", out}).error,
             QString());
    std::map<std::string, Tensor> found;
    for (const NamedTensor& array : read_npz(out.toStdString())) found[array.name] = array.value;
    std::vector<double> above, largest;
    double tokens = 0;
    for (const char* text : {"anna sees tom", "tom likes the dog"}) {
      const QString dump = scratch_.filePath("story.npz");
      QCOMPARE(headlight({"run", "sample_models/masked-bert", "--source", text, "--dump", dump}).status, 0);
      for (const NamedTensor& array : read_npz(dump.toStdString())) {
        if (array.name != "encoder.layer[1].ffn.act") continue;
        const Index units = array.value.columns(), rows = array.value.size() / units;
        above.resize(static_cast<std::size_t>(units));
        largest.resize(static_cast<std::size_t>(units), -1e9);
        for (Index i = 0; i < array.value.size(); ++i) {
          const auto value = static_cast<double>(array.value[i]);
          const auto unit = static_cast<std::size_t>(i % units);
          above[unit] += value > 0;
          largest[unit] = std::max(largest[unit], value);
        }
        tokens += static_cast<double>(rows);
      }
    }
    QVERIFY(tokens > 5);
    const Tensor &shares = found["encoder.1.above_0"], &most = found["encoder.1.largest"];
    QCOMPARE(shares.size(), static_cast<Index>(above.size()));
    for (Index unit = 0; unit < shares.size(); ++unit) {
      QVERIFY(std::abs(static_cast<double>(shares[unit]) - above[static_cast<std::size_t>(unit)] / tokens) < 1e-6);
      QVERIFY(std::abs(static_cast<double>(most[unit]) - largest[static_cast<std::size_t>(unit)]) < 1e-5);
    }
  }

  // Against the trace of each text.
  void a_number_over_texts() {
    const QString list = written("numbers.txt", "anna sees tom\ntom likes the dog\n"),
                  out = scratch_.filePath("number.npz");
    const QStringList line = {"analyse", "number", "sample_models/masked-bert", "--texts", list};
    QCOMPARE(headlight(line + QStringList{"--number", "encoder.layer[1].ffn.act[:,3]", "--out", out}).error, QString());
    const Tensor found = read_npz(out.toStdString()).front().value;
    QCOMPARE(found.size(), Index(2));
    for (const auto& [text, at] : {std::pair("anna sees tom", Index(0)), std::pair("tom likes the dog", Index(1))}) {
      const QString dump = scratch_.filePath("one.npz");
      QCOMPARE(headlight({"run", "sample_models/masked-bert", "--source", text, "--dump", dump}).status, 0);
      Scalar largest = -100;
      for (const NamedTensor& array : read_npz(dump.toStdString()))
        for (Index i = 3; array.name == "encoder.layer[1].ffn.act" && i < array.value.size();
             i += array.value.columns())
          largest = std::max(largest, array.value[i]);
      QVERIFY(std::abs(found[at] - largest) < Scalar(1e-5));
    }
    const Outcome nowhere = headlight(line + QStringList{"--number", "encoder.layer[9].ffn.act[:,3]"});
    QCOMPARE(nowhere.status, 2);
    QVERIFY(nowhere.error.contains("no text of these has"));
  }

  // Of stored attention the patterns of all its texts; what needs a model is refused.
  void stored_attention() {
    const QString set = QStringLiteral(HEADLIGHT_TEST_DATA "/captured/batch-00000-of-00002.npz");
    const Outcome found = headlight({"analyse", "patterns", set, "--json"});
    QCOMPARE(found.error, QString());
    QCOMPARE(object(found)["texts_in_all"].toInt(), 4);
    QCOMPARE(object(found)["table"].toArray().size(), 12);  // 3 layers of 4 heads
    for (const QStringList& refused :
         {QStringList{"analyse", "effect", set}, {"analyse", "patterns", set, "--source", "1"}}) {
      const Outcome outcome = headlight(refused);
      QCOMPARE(outcome.status, 2);
      QVERIFY2(outcome.error.contains("stored attention"), qPrintable(outcome.error));
    }
  }

  // Each written word with the word that it looks at most, by the weights that --json prints.
  void links_of_a_run() {
    const QStringList line = {"run", "sample_models/grammar-bahdanau", "--source", "die frau sieht ein kind ."};
    const Outcome found = headlight(line + QStringList{"--pharaoh"});
    QCOMPARE(found.error, QString());
    const QJsonObject alignment = object(headlight(line + QStringList{"--json"}))["alignment"].toObject();
    QStringList expected;
    const QJsonArray rows = alignment["rows"].toArray(), columns = alignment["columns"].toArray();
    for (qsizetype row = 0; row < rows.size(); ++row) {
      if (rows[row].toString().startsWith('<')) continue;
      qsizetype best = 0;
      const QJsonArray weights = alignment["weights"][row].toArray();
      for (qsizetype column = 0; column < columns.size(); ++column)
        if (!columns[column].toString().startsWith('<') && weights[column].toDouble() > weights[best].toDouble())
          best = column;
      expected << QString("%1-%2").arg(best).arg(row);
    }
    QCOMPARE(found.out.trimmed(), expected.join(' '));
    const Outcome none = headlight({"run", "sample_models/masked-bert", "--source", "anna sees tom", "--pharaoh"});
    QCOMPARE(none.status, 2);
    QVERIFY(none.error.contains("there are no links"));
  }

  void golden_values_of_other_weights_are_told() {
    const QString inputs = written("other.json", R"({"model": "x", "ids": [5, 17, 3], "sha256_of_weights": "00ff"})");
    const Outcome outcome = headlight({"analyse", "golden", QStringLiteral(HEADLIGHT_TEST_DATA "/families/gpt2"),
                                       "--inputs", inputs, "--dump", scratch_.filePath("other.npz")});
    QVERIFY2(outcome.error.contains("is of other weights"), qPrintable(outcome.error));
  }

  void what_is_wrong_is_said() {
    const QString folder = QStringLiteral(HEADLIGHT_TEST_DATA "/families/gpt2");
    const auto refused = [&](const QStringList& more, const char* expected) {
      const Outcome outcome = headlight(QStringList{"analyse"} + more);
      QCOMPARE(outcome.status, 2);
      QVERIFY2(outcome.error.contains(expected), qPrintable(outcome.error));
    };
    refused({"summary", folder}, "--source or --texts is required");
    refused({"rank", folder, "--source", "5 17 3"}, "--pair is required");
    refused({"rank", folder, "--source", "5 17 3", "--pair", "1;2"}, "expected whole numbers");
    refused({"rank", folder, "--source", "5 17 3", "--pair", "90,1"}, "no such pair of tokens");
    refused({"flow", folder, "--source", "5 17 3", "--rows", "90"}, "rows are from 0 to");
    refused({"effect", folder, "--source", "5 17 3", "--target", "embedding"}, "has no embedding");
    refused({"effect", folder, "--source", "5 17 3", "--a", "no such token at all"}, "the target:");
    refused({"similarity", folder, "--source", "5", "--second", "6"}, "modules.json");
    refused({"align", folder, "--source", "5 17 3"}, "an encoder and a decoder");
    refused({"golden", folder}, "--inputs is required");
    refused(
        {"golden", folder, "--inputs", written("bad.json", "{\"ids\": [\"x\"]}"), "--dump", scratch_.filePath("d.npz")},
        "ids: expected whole numbers");
    refused({"number", folder, "--source", "5 17 3", "--number", "no.site[1]"}, "there is no value");
    refused({"repeated", folder, "--length", "4000"}, "positions of this model");
    const Outcome unused = headlight({"analyse", "summary", folder, "--source", "5 17 3", "--pair", "1,0"});
    QCOMPARE(unused.status, 0);
    QVERIFY(unused.error.contains("--pair is not used"));
  }
};

HEADLIGHT_WIDGET_TEST(TestAnalyseCommands)

}  // namespace headlight::test_analyse_commands

#include "test_analyse_commands.moc"
