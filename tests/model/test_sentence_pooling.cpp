// One vector for a text, as sentence-transformers makes it: three states of two numbers, each figure by hand.

#include <cmath>

#include "model/io/formats/pretrained/pooling_modules.h"
#include "model/io/safetensors.h"
#include "tests/model/io_helpers.h"
#include "tests/test_program.h"

namespace headlight::test_sentence_pooling {

using namespace headlight::testing;

namespace {

Tensor states() {
  Tensor last({3, 2});
  const Scalar numbers[] = {1, -2, 4, 0, 1, 8};
  std::copy(std::begin(numbers), std::end(numbers), last.data());
  return last;
}

std::string module(const std::string& name, const std::string& path) {
  return "{\"path\": \"" + path + "\", \"type\": \"sentence_transformers.models." + name + "\"}";
}

// The folder with these parts behind a model, and the settings of how it pools.
void put(const Folder& folder, const std::string& pooling, const std::vector<std::string>& behind = {}) {
  std::string list = "[" + module("Transformer", "") + ", " + module("Pooling", "1_Pooling");
  for (const std::string& part : behind) list += ", " + part;
  put_file(folder / "modules.json", list + "]");
  fs::create_directories(folder / "1_Pooling");
  put_file(folder / "1_Pooling" / "config.json", pooling);
}

void compare(const Tensor& found, const std::vector<double>& expected) {
  QCOMPARE(found.size(), static_cast<Index>(expected.size()));
  for (std::size_t i = 0; i < expected.size(); ++i)
    QVERIFY2(std::abs(static_cast<double>(found[static_cast<Index>(i)]) - expected[i]) < 1e-5,
             qPrintable(QString("%1: %2, expected %3").arg(i).arg(found[static_cast<Index>(i)]).arg(expected[i])));
}

}  // namespace

class TestSentencePooling : public QObject {
  Q_OBJECT

 private slots:
  void every_way_by_hand_data() {
    QTest::addColumn<QString>("mode");
    QTest::addColumn<QList<double>>("expected");
    const double root = std::sqrt(3.0);
    QTest::newRow("first") << "pooling_mode_cls_token" << QList<double>{1, -2};
    QTest::newRow("mean") << "pooling_mode_mean_tokens" << QList<double>{2, 2};
    QTest::newRow("largest") << "pooling_mode_max_tokens" << QList<double>{4, 8};
    QTest::newRow("mean over the root") << "pooling_mode_mean_sqrt_len_tokens" << QList<double>{6 / root, 6 / root};
    // (1 · 1 + 2 · 4 + 3 · 1) / 6 and (−2 + 0 + 24) / 6.
    QTest::newRow("weighted") << "pooling_mode_weightedmean_tokens" << QList<double>{2, 22.0 / 6};
    QTest::newRow("last") << "pooling_mode_lasttoken" << QList<double>{1, 8};
  }
  void every_way_by_hand() {
    QFETCH(QString, mode);
    QFETCH(QList<double>, expected);
    Folder folder;
    put(folder, "{\"word_embedding_dimension\": 2, \"" + mode.toStdString() + "\": true}");
    compare((*PoolingModules::of_folder(folder.path()))(states()), {expected.begin(), expected.end()});
  }

  // In the order of the library, whatever the order of the keys.
  void several_stand_behind_one_another() {
    Folder folder;
    put(folder,
        R"({"pooling_mode_mean_tokens": true, "pooling_mode_max_tokens": true, "pooling_mode_cls_token": true})");
    compare((*PoolingModules::of_folder(folder.path()))(states()), {1, -2, 4, 8, 2, 2});
    put(folder, R"({"pooling_mode": "lasttoken", "embedding_dimension": 2})");
    compare((*PoolingModules::of_folder(folder.path()))(states()), {1, 8});
  }

  // W (2, 2) + b = (2 + 2 + 1, −2 + 4 − 2) = (5, 0), through tanh; then to length 1.
  void what_stands_behind_it() {
    Folder folder;
    put(folder, R"({"pooling_mode_mean_tokens": true})",
        {module("Dense", "2_Dense"), module("Normalize", "3_Normalize")});
    fs::create_directories(folder / "2_Dense");
    Tensor W({2, 2}), b({2});
    const Scalar numbers[] = {1, 1, -1, 2};
    std::copy(std::begin(numbers), std::end(numbers), W.data());
    b[0] = 1;
    b[1] = -2;
    write_safetensors(folder / "2_Dense" / "model.safetensors", {{"linear.weight", W}, {"linear.bias", b}}, {},
                      StorageType::f32);
    put_file(folder / "2_Dense" / "config.json", R"({"activation_function": "torch.nn.modules.activation.Tanh"})");
    compare((*PoolingModules::of_folder(folder.path()))(states()), {1, 0});
    put(folder, R"({"pooling_mode_mean_tokens": true})", {module("Dense", "2_Dense")});
    compare((*PoolingModules::of_folder(folder.path()))(states()), {std::tanh(5.0), 0});
    put_file(folder / "2_Dense" / "config.json", R"({"activation_function": "torch.nn.modules.linear.Identity"})");
    compare((*PoolingModules::of_folder(folder.path()))(states()), {5, 0});
    // (5, 0) has mean 2.5 and deviation 2.5.
    put(folder, R"({"pooling_mode_mean_tokens": true})", {module("Dense", "2_Dense"), module("LayerNorm", "3_Norm")});
    fs::create_directories(folder / "3_Norm");
    write_safetensors(folder / "3_Norm" / "model.safetensors",
                      {{"norm.weight", Tensor::full({2}, 3)}, {"norm.bias", Tensor::full({2}, 1)}}, {},
                      StorageType::f32);
    compare((*PoolingModules::of_folder(folder.path()))(states()), {4, -2});
  }

  void a_thousand_modules_are_refused() {
    Folder folder;
    put(folder, R"({"pooling_mode_cls_token": true})", std::vector<std::string>(1000, module("Dense", "2_Dense")));
    QVERIFY(message_of<FormatError>([&] {
              PoolingModules::of_folder(folder.path());
            }).endsWith("modules.json: expected at most 32 modules, found 1002"));
    // Weights are counted before they are read: a file may have as many as it likes.
    put(folder, R"({"pooling_mode_cls_token": true})", {module("Dense", "2_Dense")});
    fs::create_directories(folder / "2_Dense");
    put_file(folder / "2_Dense" / "config.json", R"({"activation_function": "torch.nn.Identity"})");
    const std::string header =
        R"({"linear.weight":{"dtype":"F32","shape":[20000,20000],"data_offsets":[0,1600000000]}})";
    put_file(folder / "2_Dense" / "model.safetensors", safetensors_bytes(header, {}));
    fs::resize_file(folder / "2_Dense" / "model.safetensors", 8 + header.size() + 1'600'000'000);  // of holes
    QVERIFY(
        message_of<Error>([&] { PoolingModules::of_folder(folder.path()); })
            .endsWith("with it, what stands behind the model takes 1.6 GB of memory, at most 1.0 GB are taken: open a "
                      "smaller model"));
  }
  void what_is_not_known_is_named() {
    Folder folder;
    QVERIFY(!PoolingModules::of_folder(folder.path()));
    const auto said = [&] {
      QString text = message_of<Error>([&] { PoolingModules::of_folder(folder.path()); });
      return text.replace(QString::fromStdString(folder.path().string()), "DIR");
    };
    put(folder, R"({"pooling_mode_wonder": true, "pooling_mode_mean_tokens": true})");
    QCOMPARE(said(), QString("DIR/1_Pooling/config.json: pooling_mode_wonder is not implemented"));
    put(folder, R"({"pooling_mode_mean_tokens": false})");
    QCOMPARE(said(), QString("DIR/1_Pooling/config.json: expected a way to pool, found none"));
    put(folder, R"({"pooling_mode": "wonder"})");
    QCOMPARE(said(), QString("DIR/1_Pooling/config.json: pooling_mode \"wonder\" is not implemented"));
    put(folder, R"({"pooling_mode_mean_tokens": true})", {module("CNN", "2_CNN")});
    QVERIFY(said().contains("is not implemented"));
    put(folder, R"({"pooling_mode_mean_tokens": true})", {module("Dense", "../up")});
    QCOMPARE(said(), QString("DIR/modules.json: expected the name of a folder beside it, found \"../up\""));
    put_file(folder / "modules.json", "{}");
    QCOMPARE(said(), QString("DIR/modules.json: expected a list"));
  }
};

HEADLIGHT_TEST(TestSentencePooling)

}  // namespace headlight::test_sentence_pooling

#include "test_sentence_pooling.moc"
