// The KV cache and the angles of rotary positions against numbers of transformers (shared/models: cache, rotary.json).
#include <QTest>
#include <cmath>

#include "model/analysis/cost/cache_rows.h"
#include "model/core/errors.h"
#include "model/core/json_library.h"
#include "model/io/formats/families/config.h"
#include "model/io/json_file.h"
#include "model/io/model_folder.h"
#include "model/io/npz.h"
#include "model/models/transformer_settings.h"
#include "model/ops/positions.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_cached_rows {

namespace {

namespace fs = std::filesystem;
using namespace headlight::testing;

fs::path models() { return made_elsewhere().parent_path() / "models"; }

std::vector<TokenId> ids_of(const std::map<std::string, Tensor>& arrays, const std::string& name) {
  std::vector<TokenId> ids;
  for (const Scalar id : arrays.at(name).values()) ids.push_back(static_cast<TokenId>(id));
  return ids;
}

// What run() says of a layer after a step, in the form of cache.json.
Json said_of(const Json& cache, std::size_t layer) {
  Json one = cache.at("layers").at(layer);
  one.erase("window");
  one[cache.at("type").get<std::string>()] = one.at("bytes");
  one.erase("bytes");
  if (!one.contains("cross")) return one;
  one["cross"][cache.at("type").get<std::string>()] = one["cross"].at("bytes");
  one["cross"].erase("bytes");
  return one;
}

// Whether all numbers of `part` stand there.
bool holds(const Json& all, const Json& part) {
  for (const auto& [key, value] : part.items())
    if (!all.contains(key) || !(value.is_object() ? holds(all.at(key), value) : value == all.at(key))) return false;
  return true;
}

}  // namespace

class TestCachedRows : public QObject {
  Q_OBJECT
  std::map<std::string, Tensor> arrays_;
  Json models_;

  // Every number of cache.json, for both types.
  void compare_sizes(const Json& model, const CacheShape& shape, Index source) {
    Index tokens = 0;
    for (const Json& step : model.at("steps")) {
      ++tokens;
      for (const char* type : {"float32", "bfloat16"}) {
        const Json said = cache_json(shape, tokens, source, type);
        for (std::size_t layer = 0; layer < step.size(); ++layer) {
          const Json ours = said_of(said, layer);
          QVERIFY2(holds(step[layer], ours), ours.dump().c_str());
        }
      }
    }
  }

  // Rows of a layer, all tokens: [heads x tokens x columns] in the file.
  void compare_rows(const CacheRows& rows, Index layer, bool of_source, bool value, const std::string& name) {
    const Tensor& wanted = arrays_.at(name);
    const Scalar most = wanted.array().abs().maxCoeff();
    for (Index head = 0; head < wanted.dim(0); ++head)
      for (Index token = 0; token < wanted.dim(1); ++token) {
        const Scalar* found = rows.row(layer, of_source, value, token, head);
        QVERIFY2(found, (name + " lacks a row").c_str());
        for (Index i = 0; i < wanted.columns(); ++i)
          QVERIFY2(std::abs(found[i] - wanted[(head * wanted.dim(1) + token) * wanted.columns() + i]) <= 1e-5 * most,
                   (name + " differs").c_str());
      }
  }

 private slots:
  void initTestCase() {
    if (!fs::is_directory(models() / "cache")) return;
    for (NamedTensor& array : read_npz(models() / "cache" / "cache.npz")) arrays_[array.name] = array.value;
    models_ = read_json(models() / "cache" / "cache.json", 1u << 20).at("models");
  }

  void is_that_of_the_library_data() {
    QTest::addColumn<QString>("name");
    for (const char* name :
         {"gpt2", "llama3", "falcon", "mistral", "gemma3", "olmo3", "gpt_oss", "deepseek_v3", "t5", "bart"})
      QTest::newRow(name) << QString(name);
  }
  void is_that_of_the_library() {
    QFETCH(QString, name);
    if (models_.is_null()) QSKIP("the material is not beside the sources");
    const std::string key = name.toStdString();
    const Json& model = models_.at(key);
    Request request;
    try {
      request.model = load_model((models() / model.at("folder").get<std::string>()).string());
    } catch (const Error& error) {
      QSKIP(error.what());  // a family that is not known yet
    }
    const bool has_source = arrays_.contains(key + ".source_ids");
    request.ids = ids_of(arrays_, key + (has_source ? ".source_ids" : ".ids"));
    const Result result = run(request);
    const CacheShape shape = cache_shape(result).value();
    compare_sizes(model, shape, static_cast<Index>(request.ids.size()));
    const CacheRows rows(result, shape);
    for (const Json& layer : model.at("stored_layers"))
      for (const bool value : {false, true}) {
        const std::string behind = (value ? "values." : "keys.") + std::to_string(layer.get<Index>());
        compare_rows(rows, layer.get<Index>(), false, value, key + "." + behind);
        if (has_source) compare_rows(rows, layer.get<Index>(), true, value, key + ".cross_" + behind);
      }
  }

  // inv_freq and attention_factor, as our settings read the library's.
  void angles_are_those_of_the_library() {
    if (!fs::is_regular_file(models() / "rotary.json")) QSKIP("the material is not beside the sources");
    for (const Json& wanted : read_json(models() / "rotary.json", 1u << 20).at("rotary")) {
      const std::string name = wanted.at("name");
      const Json& given = wanted.at("config");
      Json settings = transformer_defaults(TransformerShape::decoder_only);
      settings.update(Json{{"source_vocabulary_size", 4},
                           {"target_vocabulary_size", 4},
                           {"model_size", given.at("hidden_size")},
                           {"heads", given.at("num_attention_heads")},
                           {"head_size", given.at("head_dim")}});
      families::set_rope(settings, families::rope_of(given, {}), given.at("head_dim").get<Index>());
      const Rotary rotary =
          read_transformer_settings(settings, TransformerShape::decoder_only).decoder.layer.attention.rotary.value();
      const Json& length = wanted.at("length");
      const std::vector<double> found = rotary.frequencies(length.is_null() ? 1 : length.get<Index>());
      QVERIFY2(found.size() == wanted.at("inv_freq").size(), name.c_str());
      for (std::size_t i = 0; i < found.size(); ++i) {
        const double theirs = wanted.at("inv_freq")[i];
        QVERIFY2(std::abs(found[i] - theirs) <= 2e-6 * std::abs(theirs), (name + " " + std::to_string(i)).c_str());
      }
      QVERIFY2(std::abs(rotary.scaling.attention - wanted.at("attention_factor").get<double>()) < 1e-9, name.c_str());
    }
  }

  // Bloom's order and MPT's, who round otherwise.
  void slopes_are_those_of_the_library() {
    if (!fs::is_regular_file(models() / "rotary.json")) QSKIP("the material is not beside the sources");
    const Json all = read_json(models() / "rotary.json", 1u << 20).at("alibi");
    QCOMPARE(all.size(), std::size_t(6));
    for (const Json& wanted : all) {
      const std::vector<double> found = alibi_slopes(wanted.at("heads").get<Index>(), false);
      QCOMPARE(found.size(), wanted.at("slopes").size());
      for (std::size_t head = 0; head < found.size(); ++head)
        QVERIFY(std::abs(found[head] - wanted["slopes"][head].get<double>()) <= 2e-6 * found[head]);
    }
  }
};

HEADLIGHT_TEST(TestCachedRows)

}  // namespace headlight::test_cached_rows

#include "test_cached_rows.moc"
