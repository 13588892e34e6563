// The program as a process: output, exact messages and exit statuses of good and bad input.

#include <QDir>
#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <functional>
#include <map>

#include "app/cli/text_picture.h"
#include "app/stage/view_table.h"
#include "app/version.h"
#include "model/io/model_folder.h"
#include "model/io/npz.h"
#include "model/io/safetensors.h"
#include "model/models/registry.h"
#include "tests/app/fixture.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_command_line {

class TestCommandLine : public QObject {
  Q_OBJECT

  struct Outcome {
    int status = -1;
    QString out, error;
  };
  Outcome headlight(const QStringList& arguments) const {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("HEADLIGHT_MODELS", models_.path());
    environment.insert("XDG_DATA_HOME", scratch_.filePath("data"));
    environment.remove("DISPLAY");
    environment.remove("WAYLAND_DISPLAY");
    environment.remove("QT_QPA_PLATFORM");
    process.setProcessEnvironment(environment);
    process.start(qEnvironmentVariable("HEADLIGHT_BINARY"), arguments);
    if (!process.waitForFinished(120000)) return {-1, {}, process.errorString()};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2,
            QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
  }
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
    return QString("there is no task '%1'; known: %2, pairs").arg(name, names.join(", "));
  }

  QTemporaryDir models_, scratch_;

 private slots:
  void initTestCase() {
    QVERIFY2(!qEnvironmentVariable("HEADLIGHT_BINARY").isEmpty(), "set by ctest");
    small_model_folder(models_, "attn_seq2seq");
    small_model_folder(models_, "seq2seq");
  }

  void help_names_every_command_and_has_examples() {
    const Outcome all = headlight({"--help"});
    QCOMPARE(all.status, 0);
    for (const char* command : {"run", "render", "train", "evaluate", "compare", "inspect", "verify", "tokenize"}) {
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
          flatten(site.value().toObject()["values"], found[site.key()]);
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

  // A file of weights: the exact values are those of the readers' own tests.
  void inspect_lists_a_file_and_dumps_it() {
    const QString file = QStringLiteral(HEADLIGHT_TEST_DATA "/pytorch/views-and-types.pt");
    const QString dump = scratch_.filePath("dump.npz");
    const Outcome outcome = headlight({"inspect", file, "--json", "--dump", dump});
    QCOMPARE(outcome.error, QString());
    const QJsonObject json = QJsonDocument::fromJson(outcome.out.toUtf8()).object();
    QCOMPARE(json["runs"], QJsonValue(false));
    QVERIFY(!json["reason"].toString().isEmpty());
    QCOMPARE(json["tensors"].toArray().size(), 15);
    const QJsonObject first = json["tensors"].toArray().first().toObject();
    QCOMPARE(first["name"].toString(), QString("base"));
    QCOMPARE(first["shape"].toArray(), QJsonArray({6, 10}));
    QCOMPARE(first["dtype"].toString(), QString("F32"));
    QCOMPARE(first["bytes"].toInt(), 240);
    QCOMPARE(QJsonDocument::fromJson(headlight({"inspect", dump, "--json"}).out.toUtf8())["tensors"].toArray().size(),
             15);
    QVERIFY(headlight({"inspect", file}).out.contains("shares with base"));
    const Outcome wrong = headlight({"inspect", file, "--dump", scratch_.filePath("dump.txt")});
    QCOMPARE(wrong.status, 2);
    QVERIFY(wrong.error.contains("expected a file that ends in .npz"));
    const Outcome run = headlight({"run", file, "--source", "x"});
    QCOMPARE(run.status, 2);
    QVERIFY(run.error.contains("a file of weights does not say which model they belong to"));
  }
  // Classes attend to nothing themselves; the model below them does.
  void classes_have_no_alignment_but_attention() {
    const QString folder = QStringLiteral(HEADLIGHT_TEST_DATA "/drawn/DistilBertForTokenClassification-150");
    const Outcome outcome = headlight({"run", folder, "--source", "7 8", "--dump", scratch_.filePath("c.safetensors")});
    QCOMPARE(outcome.error, QString());
    QVERIFY2(outcome.out.contains("no alignment to show; 'headlight render'"), qPrintable(outcome.out));
    QVERIFY(!outcome.out.contains("has no attention"));
  }
  // The values are those of the model's own tests.
  void a_model_of_another_library_runs_by_numbers() {
    const QString folder = QStringLiteral(HEADLIGHT_TEST_DATA "/families/gpt2");
    QJsonArray generated;
    QStringList ids;
    for (const NamedTensor& tensor : read_npz((folder + "/reference.npz").toStdString())) {
      if (tensor.name == "case0.input_ids")
        for (Index i = 0; i < tensor.value.size(); ++i) ids << QString::number(static_cast<int>(tensor.value[i]));
      if (tensor.name == "case0.generated")
        for (Index i = tensor.value.size() - 12; i < tensor.value.size(); ++i)
          generated.append(static_cast<int>(tensor.value[i]));
    }
    const QString dump = scratch_.filePath("library.npz");
    const Outcome outcome = headlight(
        {"run", folder, "--ids", ids.join(','), "--new-tokens", "12", "--json", "--dump", dump, "--names", "library"});
    QCOMPARE(outcome.error, QString());
    const QJsonObject json = QJsonDocument::fromJson(outcome.out.toUtf8()).object();
    QCOMPARE(json["output_ids"].toArray(), generated);
    QStringList names;
    for (const NamedTensor& tensor : read_npz(dump.toStdString())) names << QString::fromStdString(tensor.name);
    QCOMPARE(names, (QStringList{"hidden_states.0", "hidden_states.1", "hidden_states.2", "hidden_states.3",
                                 "attentions.0", "attentions.1", "attentions.2", "last_hidden_state", "logits"}));
    const auto refused = [&](const QStringList& more, const char* said) {
      const Outcome wrong = headlight(QStringList{"run", folder} + more);
      QCOMPARE(wrong.status, 2);
      QVERIFY2(wrong.error.contains(said), qPrintable(wrong.error));
    };
    refused({"--ids", "1,,2"}, "--ids: expected numbers with commas between them, found '1,,2'");
    refused({"--ids", "1,99999"}, "--ids: expected numbers from 0 to 640, found 99999");
    refused({"--ids", "1", "--edit", "x=1"}, "x");
    refused({"--ids", "1", "--new-tokens", "2", "--edit", "x=1"}, "--new-tokens: not together with --edit");
    // A head that is switched off changes what is written, as with models of ours.
    const auto first_of = [&](const QStringList& more) {
      const Outcome ran = headlight(
          QStringList{"run", folder, "--ids", "5,6,7", "--decode", "sample", "--temperature", "0", "--json"} + more);
      return QJsonDocument::fromJson(ran.out.toUtf8())["steps"].toArray().first()["probability"].toDouble();
    };
    const double whole = first_of({}), without = first_of({"--edit", "decoder.step[*].layer[0].self_attn.out=0"});
    QVERIFY(whole > 0 && without > 0 && whole != without);
    refused({"--ids", "1", "--mapping", "m.json"}, "--mapping: a folder says itself what its tensors are");
    for (const auto& [named, holds] : {std::pair("headlight", "decoder.layer[1].self_attn.head.weights"),
                                       {"transformer_lens", "blocks.1.attn.hook_pattern"}}) {
      QCOMPARE(headlight({"run", folder, "--ids", ids.join(','), "--dump", dump, "--names", named}).error, QString());
      bool there = false;
      for (const NamedTensor& tensor : read_npz(dump.toStdString())) there = there || tensor.name == holds;
      QVERIFY2(there, holds);
    }
    refused({"--source", "x"}, "there is no tokenizer");
    const Outcome ours = headlight({"run", "attn_seq2seq", "--ids", "1"});
    QCOMPARE(ours.error, QString());
    const Outcome far = headlight({"run", "attn_seq2seq", "--ids", "1,999999"});
    QCOMPARE(far.status, 2);
    QVERIFY(far.error.contains("the ids of the source: expected numbers from 0 to "));
    const QJsonObject inspected =
        QJsonDocument::fromJson(headlight({"inspect", folder, "--json"}).out.toUtf8()).object();
    QCOMPARE(inspected["runs"], QJsonValue(true));
    QCOMPARE(inspected["reason"], QJsonValue());
    QCOMPARE(inspected["model_type"].toString(), QString("gpt2"));
  }
  void a_state_dict_runs_by_a_mapping() {
    const QString weights = QStringLiteral(HEADLIGHT_TEST_DATA "/pytorch/seq2seq/gru-attention.pt"),
                  mapping = QStringLiteral(HEADLIGHT_TEST_DATA "/../../docs/mappings/gru-attention.json");
    const Outcome outcome = headlight(
        {"run", weights, "--mapping", mapping, "--source", "die frau sieht ein kind und ein klein hund .", "--json"});
    QCOMPARE(outcome.error, QString());
    const QJsonObject json = QJsonDocument::fromJson(outcome.out.toUtf8()).object();
    QJsonArray generated;
    for (const NamedTensor& tensor : read_npz(HEADLIGHT_TEST_DATA "/pytorch/seq2seq/gru-attention.npz"))
      if (tensor.name == "generated")
        for (Index i = 1; i < tensor.value.size(); ++i) generated.append(static_cast<int>(tensor.value[i]));
    QJsonArray written;
    for (const QJsonValue& step : json["steps"].toArray()) written.append(step["id"]);
    QCOMPARE(written, generated);
    const Outcome wrong = headlight({"run", weights, "--mapping", weights, "--source", "x"});
    QCOMPARE(wrong.status, 2);
    QVERIFY(wrong.error.count('\n') == 1);
  }
  // The perplexity follows from the logits that the library itself has written for the same text.
  void texts_are_measured_by_a_model_of_another_library() {
    SKIP_WITHOUT_MATERIAL();
    const auto folder = testing::made_elsewhere() / "families" / "gpt2";
    Tensor logits, ids;
    for (const NamedTensor& tensor : read_npz(folder / "reference.npz")) {
      if (tensor.name == "case0.logits") logits = tensor.value;
      if (tensor.name == "case0.input_ids") ids = tensor.value;
    }
    double nll = 0;
    for (Index t = 0; t + 1 < ids.size(); ++t) {
      double sum = 0;
      for (Index v = 0; v < logits.columns(); ++v)
        sum += std::exp(static_cast<double>(logits[t * logits.columns() + v]));
      nll += std::log(sum) - static_cast<double>(logits[t * logits.columns() + static_cast<Index>(ids[t + 1])]);
    }
    const double nats = nll / static_cast<double>(ids.size() - 1);
    QFile texts(scratch_.filePath("texts.txt"));
    QVERIFY(texts.open(QIODevice::WriteOnly));
    texts.write("once upon a time there was a small model that\n\n");  // case0 of cases.json
    texts.close();
    const QString path = QString::fromStdString(folder.string());
    const Outcome outcome = headlight({"evaluate", path, "--files", texts.fileName(), "--json"});
    QCOMPARE(outcome.error, QString());
    const QJsonObject json = QJsonDocument::fromJson(outcome.out.toUtf8()).object();
    QCOMPARE(json["texts"].toInt(), 1);
    QCOMPARE(json["tokens"].toInt(), static_cast<int>(ids.size()) - 1);
    QVERIFY2(std::abs(json["nll"].toDouble() - nats) < 1e-4, qPrintable(QString::number(nats)));
    const Outcome none = headlight({"evaluate", path});
    QCOMPARE(none.status, 2);
    QVERIFY(none.error.contains("--files: expected a file with a text in each line"));
    QCOMPARE(
        headlight({"evaluate", QString::fromStdString((testing::made_elsewhere() / "families" / "bert-mlm").string()),
                   "--files", texts.fileName()})
            .status,
        2);
  }
  void two_files_of_weights_are_compared() {
    const QString first = QStringLiteral(HEADLIGHT_TEST_DATA "/pytorch/float16.pt"),
                  second = QStringLiteral(HEADLIGHT_TEST_DATA "/pytorch/bfloat16.pt");
    const Outcome same = headlight({"compare", first, first});
    QCOMPARE(same.error, QString());
    const QStringList rows = same.out.split('\n', Qt::SkipEmptyParts);
    QCOMPARE(rows.size(), 8);  // seven tensors
    for (const QString& row : rows.mid(1)) QVERIFY2(row.contains(",equal,"), qPrintable(row));
    const Outcome other = headlight({"compare", first, second});
    QVERIFY(other.out.contains("\nembedding.weight,[12 x 8],different,"));
    QCOMPARE(headlight({"compare", first, second, "--out", scratch_.filePath("a.png")}).status, 2);
  }
  void stored_attention_is_drawn() {
    const QString file = QStringLiteral(HEADLIGHT_TEST_DATA "/captured/batch-00000-of-00002.npz"),
                  out = scratch_.filePath("heads.png");
    for (const char* view : {"heads", "ribbons"})
      QCOMPARE(headlight({"render", file, "--view", view, "--text", "3", "--out", out}).error, QString());
    QVERIFY(QFileInfo(out).size() > 1000);
    const Outcome far = headlight({"render", file, "--view", "heads", "--text", "4", "--out", out});
    QCOMPARE(far.status, 2);
    QVERIFY(far.error.contains("there is no text 4: expected a number from 0 to 3"));
    QCOMPARE(headlight({"render", "attn_seq2seq", "--view", "heads", "--text", "0", "--out", out}).status, 2);
    // Without a number the first text is meant, and said; a model has none.
    const Outcome first = headlight({"render", file, "--view", "heads", "--out", out});
    QCOMPARE(first.status, 0);
    QCOMPARE(first.error, QString("headlight: text 0 of 4; --source N chooses another one, from 0\n"));
    const Outcome run = headlight({"run", HEADLIGHT_TEST_DATA "/captured/encoder.npz"});
    QCOMPARE(run.status, 0);
    QCOMPARE(run.error, QString("headlight: text 0, the only one\n"));
    QCOMPARE(headlight({"run", "attn_seq2seq"}).status, 2);
  }
  // What needs a model is not there.
  void stored_attention_has_no_views_of_a_model_data() {
    QTest::addColumn<QString>("view");
    for (const ViewRow& row : view_table())
      if (!QStringList({"heads", "ribbons", "compare"}).contains(row.name)) QTest::newRow(row.name) << row.name;
    QTest::newRow("steps") << "steps";
    QTest::newRow("differences") << "differences";
  }
  void stored_attention_has_no_views_of_a_model() {
    QFETCH(QString, view);
    const QString out = scratch_.filePath("none.png");
    const Outcome drawn =
        headlight({"render", HEADLIGHT_TEST_DATA "/captured/encoder.npz", "--view", view, "--text", "0", "--out", out});
    QCOMPARE(drawn.status, 2);
    QCOMPARE(drawn.error, QString("headlight: 'encoder.npz' has nothing to show in the view '%1'\n").arg(view));
    QVERIFY(!QFileInfo::exists(out));
  }
  void stored_values_that_are_no_shares_are_told() {
    Tensor scores({1, 2, 3, 3});
    for (Index i = 0; i < scores.size(); ++i) scores[i] = static_cast<Scalar>(i % 3) - 1;
    const QString file = scratch_.filePath("scores.npz"), out = scratch_.filePath("scores.png");
    write_npz(file.toStdString(), {{"attentions", scores}}, NpyType::f4);
    for (const char* view : {"heads", "window"})
      QCOMPARE(headlight({"render", file, "--view", view, "--text", "0", "--out", out}).error,
               QString("headlight: warning: 6 of 6 rows of attention have negative values: scores, perhaps, but no "
                       "weights.\n"));
    QCOMPARE(headlight({"render", file, "--view", "ribbons", "--text", "0", "--out", out}).status, 2);
  }
  void verify_compares_with_the_values_of_the_library() {
    const QString folder = QStringLiteral(HEADLIGHT_TEST_DATA "/families/qwen2");
    const Outcome passed = headlight({"verify", folder});
    QCOMPARE(passed.error, QString());
    QVERIFY2(passed.out.contains("passed: 18 values compared"), qPrintable(passed.out));
    QVERIFY(passed.out.contains("case1.generated"));
    // An encoder with a decoder, and rules for what it writes.
    const QString pair = QStringLiteral(HEADLIGHT_TEST_DATA "/families/bart-forced-start");
    const Outcome both = headlight({"verify", pair});
    QVERIFY2(both.out.contains("passed: 28 values compared"), qPrintable(both.out + both.error));
    const Outcome beyond = headlight({"run", pair, "--ids", "4,5", "--target-ids", "2,9999"});
    QCOMPARE(beyond.status, 2);
    QVERIFY2(beyond.error.contains("--target-ids: expected numbers from 0 to 640, found 9999"),
             qPrintable(beyond.error));
    std::vector<NamedTensor> values = read_npz((folder + "/reference.npz").toStdString());
    const auto changed = [&](const char* name, auto change) {
      std::vector<NamedTensor> other;
      for (const NamedTensor& value : values) other.push_back({value.name, value.value.clone()});
      for (NamedTensor& value : other)
        if (value.name == name) change(value);
      const std::string file = scratch_.filePath("reference.npz").toStdString();
      write_npz(file, other, NpyType::f4);
      return headlight({"verify", folder, QString::fromStdString(file)});
    };
    const Outcome number = changed("case1.attentions.1", [](NamedTensor& value) { value.value[3] += Scalar(0.01); });
    QCOMPARE(number.status, 2);
    QVERIFY2(number.error.contains("the first difference is at case1.attentions.1: "), qPrintable(number.error));
    const Outcome name = changed("case0.logits", [](NamedTensor& value) { value.name = "case0.wonder"; });
    QVERIFY2(name.error.contains("case0.wonder: missing in the run"), qPrintable(name.error));
    const Outcome token = changed("case0.generated", [](NamedTensor& value) { value.value[25] += 1; });
    QVERIFY2(token.error.contains("case0.generated: differs from token 25 on"), qPrintable(token.error));
    // What proves nothing: NaN, infinite numbers, an array of none, and ids alone.
    const auto whole = [](Scalar all) { return [all](NamedTensor& value) { value.value.array() = all; }; };
    const Outcome nan = changed("case0.logits", whole(std::numeric_limits<Scalar>::quiet_NaN()));
    QCOMPARE(nan.status, 2);
    QVERIFY2(nan.error.contains("case0.logits: NaN in the reference at [0, 0]"), qPrintable(nan.error));
    QCOMPARE(changed("case0.logits", whole(std::numeric_limits<Scalar>::infinity())).status, 2);
    const Outcome far = changed("case1.logits", [](NamedTensor& value) {
      value.value.array() += Scalar(100);
      value.value[0] = std::numeric_limits<Scalar>::infinity();
    });
    QCOMPARE(far.status, 2);
    QVERIFY2(far.error.contains("case1.logits: "), qPrintable(far.error));
    const Outcome empty = changed("case0.logits", [](NamedTensor& value) { value.value = Tensor({0}); });
    QCOMPARE(empty.status, 2);
    const Outcome no_ids = changed("case0.input_ids", [](NamedTensor& value) { value.value[0] = Scalar(0.5); });
    QVERIFY2(no_ids.error.contains("case0.input_ids: expected numbers of tokens, found 0.5"), qPrintable(no_ids.error));
    const std::string ids_alone = scratch_.filePath("ids.npz").toStdString();
    write_npz(ids_alone, {{"case0.input_ids", Tensor::ids({3, 4})}}, NpyType::f4);
    const Outcome ids = headlight({"verify", folder, QString::fromStdString(ids_alone)});
    QCOMPARE(ids.status, 2);
    QVERIFY2(ids.error.contains("case0: nothing to compare: it has ids and no values"), qPrintable(ids.error));
    const Outcome beam = changed("case0.generated", [](NamedTensor& value) { value.name = "case0.generated_beam4"; });
    QCOMPARE(beam.status, 0);
    QVERIFY(beam.out.contains("not compared"));
  }
  void tokenize_prints_what_the_library_says() {
    const QString folder = QStringLiteral(HEADLIGHT_TEST_DATA "/tokenizers/bert-uncased");
    const QString texts = scratch_.filePath("texts.json");
    QFile file(texts);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[\"Hello, world!\", [\"caf\\u00e9 \\u6ce8\\u610f\", \"it's \\ud83d\\ude00\"]]");
    file.close();
    const Outcome outcome = headlight({"tokenize", folder, "--texts", texts, "--json"});
    QCOMPARE(outcome.error, QString());
    const QJsonArray all = QJsonDocument::fromJson(outcome.out.toUtf8()).array();
    QCOMPARE(all.size(), 2);
    QCOMPARE(all[0].toObject()["ids"].toArray(), QJsonArray({2, 332, 319, 189, 15, 549, 394, 5, 3}));
    QCOMPARE(all[1].toObject()["tokens"].toArray(),
             QJsonArray({"[CLS]", "ca", "##fe", "注", "意", "[SEP]", "it", "'", "s", "😀", "[SEP]"}));
    QCOMPARE(all[1].toObject()["type_ids"].toArray(), QJsonArray({0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1}));
    QCOMPARE(all[1].toObject()["offsets"].toArray()[9].toArray(), QJsonArray({5, 6}));
    const Outcome plain = headlight({"tokenize", folder, "--texts", texts, "--json", "--plain"});
    QCOMPARE(QJsonDocument::fromJson(plain.out.toUtf8())[0]["ids"].toArray().size(), 7);
    QVERIFY(headlight({"tokenize", folder, "--texts", texts}).out.contains("##fe"));
    const Outcome none = headlight({"tokenize", "attn_seq2seq", "--texts", texts});
    QCOMPARE(none.status, 2);
    QVERIFY(none.error.contains("there is no tokenizer"));
  }

  void a_gif_is_the_stepping() {
    const QString gif = scratch_.filePath("walk.gif"), pictures = scratch_.filePath("walk-%02d.png");
    const QStringList command = {"render", "attn_seq2seq", "--source", "5/3/99",
                                 "--view", "alignment",    "--size",   "300x200"};
    const Outcome outcome = headlight(command + QStringList{"--out", gif});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.error));
    QFile file(gif);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.read(6), QByteArray("GIF89a"));
    // Nothing is written yet, then each of ten tokens.
    QCOMPARE(headlight(command + QStringList{"--out", pictures}).status, 0);
    QCOMPARE(QDir(scratch_.path()).entryList({"walk-*.png"}).size(), 11);
    QCOMPARE(QImage(scratch_.filePath("walk-11.png")).size(), QSize(300, 200));
    QVERIFY(QImage(scratch_.filePath("walk-01.png")) != QImage(scratch_.filePath("walk-11.png")));
  }

  // Nothing is written in the first picture of the map; what is written then stands where it will stand in the end.
  void a_gif_of_the_map_grows() {
    const QString pictures = scratch_.filePath("grow-%02d.png");
    const Outcome outcome = headlight(
        {"render", "attn_seq2seq", "--source", "5/3/99", "--view", "map", "--size", "800x500", "--out", pictures});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.error));
    QCOMPARE(QDir(scratch_.path()).entryList({"grow-*.png"}).size(), 11);
    // Ink in the column of what is written: more from picture to picture.
    const auto ink = [&](int number) {
      const QImage image(scratch_.filePath(QStringLiteral("grow-%1.png").arg(number, 2, 10, QLatin1Char('0'))));
      int rows = 0;
      for (int y = 60; y < image.height() - 27; ++y) {
        bool any = false;
        for (int x = image.width() - 90; x < image.width() - 10; ++x) any = any || qGray(image.pixel(x, y)) < 120;
        rows += any ? 1 : 0;
      }
      return rows;
    };
    QCOMPARE(ink(1), 0);
    for (int number = 2; number <= 11; ++number) QVERIFY(ink(number) > ink(number - 1));
  }

  void render_draws_every_view_without_a_display_data() {
    QTest::addColumn<QString>("view");
    QTest::addColumn<QString>("ending");
    for (const char* view :
         {"alignment", "outputs", "ribbons", "query-key", "states", "map", "computation", "steps", "window"})
      for (const char* ending : {"png", "svg", "pdf"})
        QTest::newRow(qPrintable(QString("%1 as %2").arg(view, ending))) << QString(view) << QString(ending);
    QTest::newRow("alignment as csv") << QString("alignment") << QString("csv");
  }
  void render_draws_every_view_without_a_display() {
    QFETCH(QString, view);
    QFETCH(QString, ending);
    const QString file = scratch_.filePath(view + "." + ending);
    QStringList line = {"render", "attn_seq2seq", "--source", "5/3/99", "--view", view, "--out", file};
    if (ending != "csv")
      line << "--size"
           << "800x500"
           << "--theme"
           << "dark";
    if (ending == "png")
      line << "--scale"
           << "2";
    const Outcome outcome = headlight(line);
    QCOMPARE(outcome.error, QString());
    QCOMPARE(outcome.status, 0);
    QVERIFY(QFile(file).size() > 200);
    if (ending == "png") QVERIFY(QImage(file).width() >= 800);
  }

  void the_scale_is_that_of_the_picture() {
    const QStringList command = {"render", "attn_seq2seq", "--source", "5/3/99", "--view", "alignment"};
    const QString one = scratch_.filePath("one.png"), three = scratch_.filePath("three.png");
    QCOMPARE(headlight(command + QStringList{"--size", "400x300", "--out", one}).status, 0);
    QCOMPARE(headlight(command + QStringList{"--size", "400x300", "--scale", "3", "--out", three}).status, 0);
    QCOMPARE(QImage(one).width(), 400);
    QCOMPARE(QImage(three).size(), QImage(one).size() * 3);
  }

  void without_a_display_the_first_view_is_drawn() {
    const Outcome outcome = headlight({"attn_seq2seq", "--source", "May 5, 2001"});
    QCOMPARE(outcome.error, QString());
    QCOMPARE(outcome.status, 0);
    QVERIFY(outcome.out.contains("looks most at"));
    const QString file = outcome.out.trimmed().section('\n', -1);
    QVERIFY2(QImage(file).width() >= 1280, qPrintable(file));
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

HEADLIGHT_WIDGET_TEST(TestCommandLine)

}  // namespace headlight::test_command_line

#include "test_command_line.moc"
