// What a decoder keeps of its text: bytes by hand, rows against the trace.
#include <QTest>

#include "model/analysis/cost/kv_cache.h"
#include "model/decode/run.h"
#include "model/models/registry.h"
#include "model/models/transformer_settings.h"
#include "tests/test_program.h"

namespace headlight::test_kv_cache {

namespace {

CacheShape shape_of(const Json& settings) {
  Json config = transformer_defaults(TransformerShape::decoder_only);
  config["model_type"] = "decoder_only";
  config.update(settings);
  return cache_shape(config).value();
}

CacheShape gpt2() {
  return shape_of({{"source_vocabulary_size", 50257},
                   {"target_vocabulary_size", 50257},
                   {"model_size", 768},
                   {"heads", 12},
                   {"decoder_layers", 12}});
}

CacheShape llama3() {
  return shape_of({{"source_vocabulary_size", 128256},
                   {"target_vocabulary_size", 128256},
                   {"model_size", 4096},
                   {"heads", 32},
                   {"key_value_heads", 8},
                   {"decoder_layers", 32}});
}

Result run_of(const Json& settings) {
  auto bundle = std::make_shared<ModelBundle>();
  bundle->text.source = Tokenizer(Vocabulary({" ", "a", "b", "c"}));
  bundle->text.target = bundle->text.source;
  bundle->text.target_length = 3;
  Json config = {
      {"source_vocabulary_size", 4}, {"target_vocabulary_size", 4}, {"model_size", 8}, {"heads", 4}, {"ff_size", 8},
      {"decoder_layers", 2}};
  config.update(settings);
  bundle->model = make_model(config, 5);
  Request request;
  request.model = bundle;
  request.source = "abcb";
  return run(request);
}

}  // namespace

class TestKvCache : public QObject {
  Q_OBJECT

 private slots:
  // 12 layers x 12 heads x 64 numbers x key and value x 1024 tokens x 2 bytes = 37.7 MB.
  void gpt2_by_hand() {
    const CacheShape shape = gpt2();
    QCOMPARE(cache_bytes(shape, 1024, kFloat16Bytes), 37'748'736.0);
    QCOMPARE(cache_bytes(shape, 1024, kFloat32Bytes), 75'497'472.0);
    QCOMPARE(cache_bytes(shape, 0, kFloat32Bytes), 0.0);
    QCOMPARE(row_bytes(shape, kFloat16Bytes), 2.0 * 12 * 64 * 2);
    QCOMPARE(source_bytes(shape, 100, kFloat16Bytes), 0.0);
  }

  // Llama 3 8B: 8 key heads of 128 numbers in 32 layers, 131 072 bytes a token in float16; with one for each of its 32
  // heads four times as much, with one for all of them an eighth.
  void grouped_heads_by_hand() {
    const CacheShape shape = llama3();
    QCOMPARE(shape.head_size, Index(128));
    QCOMPARE(cache_bytes(shape, 1, kFloat16Bytes), 131'072.0);
    QCOMPARE(cache_bytes(shape.with_key_heads(32), 1, kFloat16Bytes), 524'288.0);
    QCOMPARE(cache_bytes(shape.with_key_heads(1), 1, kFloat16Bytes), 16'384.0);
    QCOMPARE(key_heads_to_compare(shape), (std::vector<Index>{1, 8, 32}));
    QCOMPARE(key_heads_to_compare(gpt2()), (std::vector<Index>{1, 6, 12}));
  }

  // A window of 3 tokens in the second of two layers: after 5 tokens 5 rows and the last 2, which the next one sees
  // with itself.
  void windows_by_hand() {
    const CacheShape shape = shape_of({{"source_vocabulary_size", 4},
                                       {"target_vocabulary_size", 4},
                                       {"model_size", 8},
                                       {"heads", 2},
                                       {"decoder_layers", 2},
                                       {"layer_windows", Json::array({0, 3})}});
    QVERIFY(shape.has_window());
    QCOMPARE(cache_bytes(shape, 5, kFloat32Bytes), (5 + 2) * 2.0 * 8 * 4);
    QCOMPARE(cache_bytes(shape, 2, kFloat32Bytes), (2 + 2) * 2.0 * 8 * 4);
    QCOMPARE(cache_bytes(shape.with_window(2), 5, kFloat32Bytes), 2 * 2.0 * 8 * 4);
    QVERIFY(!shape.with_window(0).has_window());
  }

  // At each step attention has as many keys as the cache has rows.
  void rows_are_those_of_the_trace_data() {
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("prompt");
    QTest::newRow("behind a source") << "transformer"
                                     << "";
    QTest::newRow("alone") << "decoder_only"
                           << "separate";
    QTest::newRow("goes on with the source") << "decoder_only"
                                             << "continue";
  }
  void rows_are_those_of_the_trace() {
    QFETCH(QString, type);
    QFETCH(QString, prompt);
    Json settings = {{"model_type", type.toStdString()}, {"key_value_heads", 2}};
    if (!prompt.isEmpty()) settings["prompt"] = prompt.toStdString();
    const Result result = run_of(settings);
    QVERIFY(!result.steps.empty());
    for (Index t = 0; t < static_cast<Index>(result.steps.size()); ++t) {
      const std::string site = "decoder.step[" + std::to_string(t) + "].layer[1].self_attn.head.weights";
      QCOMPARE(result.trace->value(site).columns(), tokens_read(result, t));
    }
    const CacheShape shape = cache_shape(result).value();
    QCOMPARE(shape.key_value_heads, Index(2));
    QCOMPARE(shape.reads_source, type == "transformer");
    // Keys of the source: 4 tokens in 2 layers, 2 heads of 2 numbers, key and value, 4 bytes.
    QCOMPARE(source_bytes(shape, 4, kFloat32Bytes), shape.reads_source ? 4 * 2 * 2 * 2 * 2 * 4.0 : 0.0);
  }

  // Four heads on two keys, windows in one layer, after five tokens: (5 + 2) rows of 2 · 2 · 2 numbers.
  void other_choices_by_hand() {
    const CacheShape shape{4, 2, 2, {0, 3}, false, 0, 0, 0};
    std::vector<double> bytes;
    for (const CacheChoice& choice : cache_choices(shape, 5, kFloat16Bytes, 4)) bytes.push_back(choice.bytes);
    // One key head, as it is, four, no window, a window of four in both layers, 8 bits.
    QCOMPARE(bytes, (std::vector<double>{56, 112, 224, 160, 96, 56}));
  }

  // A latent of 12 numbers and 8 that are turned, for all of 4 heads, whose keys have 16 and values 10.
  void latent_by_hand() {
    const CacheShape shape{4, 4, 16, {0}, false, 12, 8, 10};
    QCOMPARE(cache_bytes(shape, 3, kFloat32Bytes), 3 * 20 * 4.0);
    QCOMPARE(cache_bytes(shape.with_key_heads(4), 3, kFloat32Bytes), 3 * 4 * 26 * 4.0);
    QVERIFY(cache_choices(shape, 3, kFloat32Bytes)[0].kind == CacheChoice::Kind::as_it_is);
  }

  void others_keep_nothing() {
    const Json config = {{"model_type", "attn_seq2seq"}, {"source_vocabulary_size", 4}, {"target_vocabulary_size", 4}};
    QVERIFY(!cache_shape(make_model(config, 1)->config()));
  }
};

HEADLIGHT_TEST(TestKvCache)

}  // namespace headlight::test_kv_cache

#include "test_kv_cache.moc"
