// The living map of every configuration that the models have, bundled or not: those of tests/data/reference, with the
// weights that they were compared with PyTorch in.

#include <QtTest>

#include "model/decode/run.h"
#include "model/io/formats/format.h"
#include "model/io/npz.h"
#include "tests/model/living_checks.h"
#include "tests/model/made_elsewhere.h"
#include "tests/model/transformer_cases.h"
#include "tests/test_program.h"

namespace headlight::test_living_kinds {

using namespace headlight::testing;

namespace {

Vocabulary numbered(Index size) {
  std::vector<std::string> tokens;
  for (Index i = 0; i < size; ++i) tokens.push_back("t" + std::to_string(i));
  return Vocabulary(tokens);
}

std::shared_ptr<const Result> result_of(std::unique_ptr<Model> model) {
  auto bundle = std::make_shared<ModelBundle>();
  const Index source = model->config().at("source_vocabulary_size").get<Index>(),
              target = model->config().at("target_vocabulary_size").get<Index>();
  bundle->text.source = Tokenizer(numbered(source));
  bundle->text.target = Tokenizer(numbered(target));
  bundle->text.target_length = 4;
  bundle->model = std::move(model);
  Request request;
  request.model = bundle;
  for (const TokenId id : {1, 3, 2, 4, 1}) request.ids.push_back(id % static_cast<TokenId>(source));
  request.capture.explain = false;
  return std::make_shared<const Result>(run(request));
}

void check(const std::shared_ptr<const Result>& result) {
  QVERIFY(has_living_map(*result));
  const auto map = living_map(result);
  QVERIFY(map);
  const QString said = everything_adds_up(*map);
  QVERIFY2(said.isEmpty(), qPrintable(said));
}

}  // namespace

class TestLivingKinds : public QObject {
  Q_OBJECT

 private slots:
  void recurrent_data() { add_recurrent_rows(); }
  void recurrent() {
    const auto result = result_of(fetch_recurrent().model);
    // The map has no floors for a recurrent model of a language, and says so.
    if (result->model->model->config()["model_type"] == "recurrent_lm") {
      QVERIFY(!has_living_map(*result));
    } else {
      check(result);
    }
  }
  void transformers_data() {
    add_transformer_rows([](const TransformerReference& reference) {
      return reference.config().value("output_vocabulary", true) &&
             reference.config().contains("target_vocabulary_size");
    });
  }
  void transformers() { check(result_of(fetch_transformer().model)); }

  // With drawn weights: two pairs of heads, a controller without a memory of its own, tanh in front of what is written;
  // convolutions of other widths, without attention in a layer, with something in front of the first token.
  void others_data() {
    QTest::addColumn<QString>("config");
    QTest::newRow("ntm") << R"({"model_type": "ntm"})";
    QTest::newRow("ntm, two heads") << R"({"model_type": "ntm", "memory.heads": 2, "memory.tanh": true})";
    QTest::newRow("ntm, feedforward")
        << R"({"model_type": "ntm", "controller": "feedforward", "memory.heads": 2, "memory.learned_start": true})";
    QTest::newRow("convs2s") << R"({"model_type": "convs2s"})";
    QTest::newRow("convs2s, wide") << R"({"model_type": "convs2s", "kernel_size": 4, "attention_layers": [1, 3],
                                          "scale_context": false, "weight_norm": false})";
    QTest::newRow("convs2s, padded")
        << R"({"model_type": "convs2s", "padding_value": 1.0, "reverse_source": true, "kernel_size": 3})";
    QTest::newRow("norms of outputs, in part") << R"({"model_type": "decoder_only", "norm_place": "output",
                                                      "norm": "rms", "residual_scale": 0.4, "clip_qkv": 0.3})";
    QTest::newRow("one norm for both") << R"({"model_type": "decoder_only", "parallel_sublayers": true,
                                              "shared_norm": true, "residual_scale": 0.4, "embedding_scale": 3.0})";
    QTest::newRow("sums that start from norms")
        << R"({"model_type": "decoder_only", "sum_of_normed": true, "positions": "alibi", "alibi_rounded": true})";
  }
  void others() {
    QFETCH(QString, config);
    Json json = Json::parse(config.toStdString());
    json.update({{"source_vocabulary_size", 8}, {"target_vocabulary_size", 8}});
    if (json["model_type"] != "decoder_only") json["hidden_size"] = 12;
    if (json["model_type"] == "ntm") json.update({{"memory.slots", 6}, {"memory.width", 4}});
    auto model = make_model(json, 3);
    Random random(5, Random::Stream::init);
    for (Parameter& parameter : model->parameters().all())
      for (Index i = 0; i < parameter.value.size(); ++i)
        parameter.value[i] += static_cast<Scalar>(0.3 * random.normal());
    check(result_of(std::move(model)));
  }

  // Models of other libraries, as the window opens them: the committed ones, and all that are there.
  void opened_data() {
    QTest::addColumn<QString>("folder");
    const std::filesystem::path committed = std::filesystem::path(HEADLIGHT_TEST_DATA) / "families";
    for (const auto& place : {committed, made_elsewhere() / "families"}) {
      if (!std::filesystem::is_directory(place)) continue;
      for (const auto& entry : std::filesystem::directory_iterator(place))
        if (std::filesystem::exists(entry.path() / "reference.npz") &&
            (place == committed || !std::filesystem::exists(committed / entry.path().filename())))
          QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
    }
    if (std::filesystem::is_directory(more_families()))
      for (const auto& entry : std::filesystem::directory_iterator(more_families()))
        // The map has no place for a convolution (DeBERTa-v2).
        if (entry.path().filename() != "deberta-v2-conv" && format_of(entry.path())->contents(entry.path()).runs)
          QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
  }
  void opened() {
    QFETCH(QString, folder);
    const std::filesystem::path path = folder.toStdString();
    Request request;
    request.model = open_path(path);
    for (const NamedTensor& array : read_npz(path / "reference.npz"))
      if (array.name == "case0.input_ids")
        for (Index i = 0; i < array.value.size(); ++i) request.ids.push_back(static_cast<TokenId>(array.value[i]));
    QVERIFY(!request.ids.empty());
    request.capture.explain = false;
    const auto result = std::make_shared<const Result>(run(request));
    if (result->steps.empty()) return;  // it only encodes, and has no output to ask about
    check(result);
  }
};

HEADLIGHT_TEST(TestLivingKinds)

}  // namespace headlight::test_living_kinds

#include "test_living_kinds.moc"
