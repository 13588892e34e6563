// Sizes that somebody mistyped and files that were made to hurt: refused before memory and minutes are spent.

#include <zlib.h>

#include "model/core/budget.h"
#include "model/decode/beam.h"
#include "model/io/model_folder.h"
#include "model/io/npz.h"
#include "model/io/safetensors.h"
#include "model/models/registry.h"
#include "model/models/variant.h"
#include "model/training/tasks/own/pair_files.h"
#include "tests/model/helpers.h"
#include "tests/model/io_helpers.h"
#include "tests/test_program.h"

namespace headlight::test_budget {

using namespace headlight::testing;

namespace {

// A configuration of an architecture with small vocabularies.
Json config_of(const Architecture& architecture) {
  Json config = architecture.defaults;
  config["model_type"] = architecture.name;
  config["source_vocabulary_size"] = config["target_vocabulary_size"] = 16;
  return config;
}

template <typename Make>
QString refusal_of(Make make) {
  try {
    make();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing is refused";
}

// `count` bytes that `piece` makes, packed. With 31 for `window` as a gzip file, with −15 as an entry of a zip archive.
std::string packed(std::size_t count, const std::string& piece, int window) {
  z_stream stream{};
  deflateInit2(&stream, 1, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY);
  std::string block;
  while (block.size() < (1u << 20)) block += piece;
  std::string bytes(count / 50 + 100'000, '\0');
  stream.next_out = reinterpret_cast<unsigned char*>(bytes.data());
  stream.avail_out = static_cast<unsigned>(bytes.size());
  for (std::size_t done = 0; done < count; done += block.size()) {
    stream.next_in = reinterpret_cast<unsigned char*>(block.data());
    stream.avail_in = static_cast<unsigned>(block.size());
    deflate(&stream, Z_NO_FLUSH);
  }
  deflate(&stream, Z_FINISH);
  bytes.resize(bytes.size() - stream.avail_out);
  deflateEnd(&stream);
  return bytes;
}

// Gives every token the same probability; it attends to `columns` tokens.
class Even : public Decoding {
 public:
  explicit Even(Index columns) : columns_(columns) {}
  Tensor advance(const Tensor& ids, const Pass&) override {
    rows_ = ids.dim(1);
    return Tensor::zeros({rows_, 1, 4});
  }
  void select(const std::vector<Index>&) override {}
  Tensor attention() const override { return Tensor::zeros({rows_, 1, columns_}); }

 private:
  Index columns_, rows_ = 1;
};

}  // namespace

class TestBudget : public QObject {
  Q_OBJECT
 private slots:
  void sizes_are_said_shortly() {
    QCOMPARE(memory_text(0), std::string("0 bytes"));
    QCOMPARE(memory_text(999), std::string("999 bytes"));
    QCOMPARE(memory_text(1000), std::string("1 kB"));
    QCOMPARE(memory_text(850e6), std::string("850 MB"));
    QCOMPARE(memory_text(999.6e6), std::string("1.0 GB"));
    QCOMPARE(memory_text(4.24e9), std::string("4.2 GB"));
    QCOMPARE(memory_text(123e12), std::string("123 TB"));
  }

  void largest_models_are_refused_data() {
    QTest::addColumn<std::string>("name");
    for (const Architecture& architecture : architectures())
      QTest::newRow(architecture.name) << std::string(architecture.name);
  }
  void largest_models_are_refused() {
    QFETCH(std::string, name);
    Json config = config_of(find_architecture(name));
    for (const char* key : {"hidden_size", "embedding_size", "out_size", "model_size"})
      if (config.contains(key)) config[key] = 16'384;
    const QString message = refusal_of([&] { make_model(config, 1); });
    QVERIFY2(message.startsWith("a model of "), qPrintable(message));
    QVERIFY2(message.contains(" of memory, at most 1.0 GB are taken: make it smaller ("), qPrintable(message));
    QVERIFY2(message.endsWith(" is 16384)"), qPrintable(message));
  }

  void weights_that_are_there_cost_nothing() {
    const auto made = make_model(Json{{"model_type", "attn_seq2seq"},
                                      {"source_vocabulary_size", 9},
                                      {"target_vocabulary_size", 9},
                                      {"hidden_size", 8}},
                                 1);
    Json config = made->config();
    config["attention.temperature"] = 2;
    const auto other = make_model(config, {InitialValues::Kind::drawn, 1, &made->parameters()});
    for (const Parameter& parameter : other->parameters().all())
      QCOMPARE(parameter.value.data(), made->parameters().find(parameter.name)->data());
  }

  // A value of another kind than the default's, for every setting of every architecture: also those that the model
  // itself does not read.
  void settings_of_another_kind() {
    int tried = 0;
    for (const Architecture& architecture : architectures()) {
      for (const auto& [key, value] : architecture.defaults.items()) {
        for (const Json& other :
             {Json("x"), Json(1), Json(true), Json(nullptr), Json::array({1, "x"}), Json::object()}) {
          const bool same = value.is_number() ? other.is_number() : value.type() == other.type();
          if (same) continue;
          Json config = config_of(architecture);
          config[key] = other;
          const QString message = refusal_of([&] { make_model(config, {InitialValues::Kind::none}); });
          QVERIFY2(message.startsWith(QString("\"%1\" must be ").arg(QString::fromStdString(key))),
                   qPrintable(QString(architecture.name) + ": " + message));
          ++tried;
        }
      }
    }
    QVERIFY(tried > 1000);
  }

  void wide_beams_over_long_texts() {
    BeamSettings settings;
    settings.width = 256;
    settings.max_len = 513;
    Even decoding(512);
    QCOMPARE(refusal_of([&] {
               beam_search(decoding, settings, {0, {}, {}}, Pass());
             }),
             QString("a beam of 256 over 512 tokens of source and up to 513 of output takes 2.2 GB of memory, at most "
                     "500 MB are taken: choose a narrower beam or a shorter source"));
    settings.max_len = 20;
    QCOMPARE(beam_search(decoding, settings, {0, {}, {}}, Pass()).steps.size(), std::size_t{20});
  }

  void packed_texts_that_never_end_a_line() {
    const Folder folder;
    const fs::path path = folder / "bomb.gz";
    put_file(path, packed(64u << 20, std::string(1, 'a'), 31));
    QVERIFY(
        refusal_of([&] { read_pairs({path}, false); }).endsWith("bomb.gz:1: expected at most 16384 bytes, found more"));
    QCOMPARE(read_pairs({path}, true).skipped, Index{1});
  }
  void packed_pairs_without_end() {
    const Folder folder;
    const fs::path path = folder / "bomb.gz";
    put_file(path, packed(600u << 20, std::string(8000, 'a') + "\t" + std::string(8000, 'b') + "\n", 31));
    const QString message = refusal_of([&] { read_pairs({path}, false); });
    QVERIFY2(message.endsWith("bomb.gz: expected at most 500 MB of pairs, found more: train on a part of them"),
             qPrintable(message));
  }

  void too_many_tensors() {
    const auto header = [](int count) {
      std::string text = "{";
      for (int i = 0; i < count; ++i)
        text += (i ? ",\"" : "\"") + std::to_string(i) + "\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]}";
      text += "}";
      std::string bytes(8, '\0');
      const std::uint64_t length = text.size();
      std::memcpy(bytes.data(), &length, 8);
      return bytes + text;
    };
    QCOMPARE(SafetensorsFile::from_bytes(header(100'000), "f").tensors().size(), std::size_t{100'000});
    QCOMPARE(refusal_of([&] { SafetensorsFile::from_bytes(header(100'001), "f"); }),
             QString("f: expected at most 100000 tensors, found more"));
  }
  void too_many_words() {
    const Folder folder;
    std::string words = "{\"target\": [\"a\"], \"source\": [\"x\"";
    for (int i = 0; i < 2'000'000; ++i) words += ",\"" + std::to_string(i) + "\"";
    put_file(folder / "vocabulary.json", words + "]}");
    QVERIFY(refusal_of([&] {
              load_vocabularies(folder / "vocabulary.json");
            }).endsWith("vocabulary.json: expected at most 2000000 values, found more"));
  }
};

HEADLIGHT_TEST(TestBudget)

}  // namespace headlight::test_budget

#include "test_budget.moc"
