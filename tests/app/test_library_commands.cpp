// The command line on what other libraries wrote: files of weights, state dicts, models with their values, tokenizers.

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <cmath>

#include "model/io/npz.h"
#include "tests/app/program_with_models.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_library_commands {

using testing::Outcome;

class TestLibraryCommands : public QObject, testing::ProgramWithModels {
  Q_OBJECT

 private slots:
  void initTestCase() { make_models(); }

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
  // The numbers are those of generate() of transformers 5.24.
  void a_model_writes_by_settings() {
    const QString folder = QStringLiteral(HEADLIGHT_TEST_DATA "/families/gpt2"), file = scratch_.filePath("beams.json");
    const auto put = [&](const QByteArray& settings) {
      QFile settings_file(file);
      QVERIFY(settings_file.open(QIODevice::WriteOnly));
      settings_file.write(settings);
    };
    const QStringList line = {"run",      folder,
                              "--ids",    "265,350,633,265,259,257,604,308,258,398,259,261,76,462,270,78,67,68,75,382",
                              "--choose", file};
    put("{\"max_new_tokens\": 8, \"num_beams\": 4, \"early_stopping\": true, \"num_return_sequences\": 3, "
        "\"sequence_bias\": [[[640], 6.2]]}");
    const Outcome beams = headlight(line + QStringList{"--json"});
    QCOMPARE(beams.error, QString());
    const QJsonObject json = QJsonDocument::fromJson(beams.out.toUtf8()).object();
    QCOMPARE(json["output_ids"].toArray(), QJsonArray({640}));
    const QList<std::pair<QJsonArray, double>> expected = {
        {{640}, -1.363534}, {{1, 640}, -1.601154}, {{1, 542, 358, 1, 640}, -1.760904}};
    QCOMPARE(json["sequences"].toArray().size(), 3);
    for (int i = 0; i < 3; ++i) {
      QCOMPARE(json["sequences"][i]["ids"].toArray(), expected[i].first);
      QVERIFY(std::abs(json["sequences"][i]["score"].toDouble() - expected[i].second) < 1e-5);
    }
    QCOMPARE(json["steps"][0]["stages"][1]["name"].toString(), QString("sequence_bias"));
    QCOMPARE(json["steps"][0]["chosen"].toInt(), 640);
    QVERIFY(json["beam"]["steps"].toArray().size() > 4);
    QVERIFY(headlight(line).out.contains("sequence 1 640, score -1.60115"));
    put("{\"max_new_tokens\": 5, \"do_sample\": true, \"top_k\": 2}");
    const auto drawn = [&](const char* seed) { return headlight(line + QStringList{"--json", "--seed", seed}).out; };
    QCOMPARE(drawn("4"), drawn("4"));
    QCOMPARE(QJsonDocument::fromJson(drawn("4").toUtf8())["steps"][2]["stages"][1]["ids"].toArray().size(), 2);
    const auto refused = [&](const QStringList& more, const char* said) {
      const Outcome wrong = headlight(line + more);
      QCOMPARE(wrong.status, 2);
      QVERIFY2(wrong.error.contains(said), qPrintable(wrong.error));
    };
    refused({"--new-tokens", "3"}, "--new-tokens and --choose: expected one of them");
    refused({"--edit", "x=1"}, "--choose: not together with --edit");
    put("{\"top_p\": 7}");
    refused({}, "beams.json: top_p: expected a number from 0 to 1, found 7");
    put("[]");
    refused({}, "beams.json: expected an object of settings");
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
};

HEADLIGHT_WIDGET_TEST(TestLibraryCommands)

}  // namespace headlight::test_library_commands

#include "test_library_commands.moc"
