// Models of other libraries: every value that their own library has written for them, and what they write.

#include <QtTest>
#include <cmath>
#include <limits>
#include <map>

#include "model/io/formats/families/family.h"
#include "model/io/formats/pretrained/pretrained_models.h"
#include "model/io/json_file.h"
#include "model/io/npz.h"
#include "model/io/safetensors.h"
#include "tests/model/io_helpers.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_pretrained_models {

using namespace headlight::testing;

namespace {

// Of settings and heads that the material has no folder of: tests/reference/elsewhere.py or library.py wrote them.
fs::path drawn() { return fs::path(HEADLIGHT_TEST_DATA) / "drawn"; }

std::vector<TokenId> ids_of(const Tensor& tensor) {
  std::vector<TokenId> ids;
  for (Index i = 0; i < tensor.size(); ++i) ids.push_back(static_cast<TokenId>(tensor[i]));
  return ids;
}

// Empty when it is within 5e-5 of the largest value that is expected.
std::string difference_of(const Tensor& found, const Tensor& expected) {
  if (found.shape() != expected.shape())
    return "expected " + expected.shape().text() + ", found " + found.shape().text();
  double largest = 0, worst = 0;
  for (Index i = 0; i < found.size(); ++i) {
    if (!std::isfinite(found[i])) return "found a number that is none";
    largest = std::max(largest, std::abs(static_cast<double>(expected[i])));
    worst = std::max(worst, std::abs(static_cast<double>(expected[i]) - static_cast<double>(found[i])));
  }
  return worst <= 5e-5 * largest ? std::string()
                                 : "differs by " + std::to_string(worst) + " of " + std::to_string(largest);
}

// What differs from reference.npz; empty: nothing. `compared` counts the arrays.
std::string first_difference(const fs::path& folder, int& compared) {
  const auto model = open_pretrained(folder);
  std::map<std::string, std::map<std::string, Tensor>> cases;
  for (const NamedTensor& tensor : read_npz(folder / "reference.npz")) {
    const std::size_t point = tensor.name.find('.');
    cases[tensor.name.substr(0, point)][tensor.name.substr(point + 1)] = tensor.value;
  }
  std::map<std::string, Tensor> prompts;
  for (const auto& [name, arrays] : cases) {
    if (!arrays.count("input_ids")) continue;
    const auto types = arrays.find("token_type_ids"), target = arrays.find("decoder_input_ids");
    const std::vector<TokenId> ids = ids_of(arrays.at("input_ids"));
    std::map<std::string, Tensor> found;
    for (const NamedTensor& value :
         model->run(ids, types == arrays.end() ? std::vector<TokenId>() : ids_of(types->second),
                    target == arrays.end() ? std::vector<TokenId>() : ids_of(target->second), {}))
      found[value.name] = value.value;
    for (const auto& [key, expected] : arrays) {
      if (key.ends_with("input_ids") || key == "token_type_ids" || key.starts_with("generated")) continue;
      if (!found.count(key)) return name + "." + key + " is missing";
      if (const std::string said = difference_of(found[key], expected); !said.empty())
        return name + "." + key + ": " + said;
      ++compared;
    }
  }
  for (const auto& [name, arrays] : cases) {
    if (!arrays.count("generated") || !arrays.count("input_ids")) continue;
    const std::vector<TokenId> prompt = ids_of(arrays.at("input_ids"));
    std::vector<TokenId> written = model->beginning(prompt);
    for (const TokenId id : model->continued(prompt, 12, {}).ids) written.push_back(id);
    if (written != ids_of(arrays.at("generated"))) return name + ".generated differs";
    ++compared;
  }
  return {};
}

}  // namespace

class TestPretrainedModels : public QObject {
  Q_OBJECT

 private slots:
  void values_are_those_of_the_library_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"bert-mlm",
                             "gpt2",
                             "qwen2",
                             "bert-bare",
                             "bert-classes",
                             "bert-tokens",
                             "bert-pretraining-old-names",
                             "roberta-mlm",
                             "roberta-classes",
                             "xlm-roberta-mlm",
                             "distilbert-mlm",
                             "distilbert-classes",
                             "distilbert-answers",
                             "electra-discriminator",
                             "electra-generator",
                             "albert-mlm",
                             "albert-two-groups",
                             "modernbert-mlm",
                             "modernbert-classes",
                             "gpt2-bare-names",
                             "gpt2-classes",
                             "opt",
                             "opt-350m-like",
                             "pythia",
                             "gpt-neox-serial",
                             "llama2",
                             "llama-linear-rope",
                             "llama3",
                             "llama-yarn-new-keys",
                             "mistral",
                             "qwen2-sliding",
                             "qwen3",
                             "phi3",
                             "phi3-longrope",
                             "gemma2",
                             "gemma3",
                             "gemma3-new-keys",
                             "t5",
                             "flan-t5",
                             "t5-encoder",
                             "bart",
                             "bart-forced-start",
                             "marian",
                             "marian-unequal",
                             "bloom",
                             "gptj",
                             "codegen",
                             "gpt_neo",
                             "phi",
                             "falcon",
                             "falcon-groups",
                             "falcon-alibi",
                             "olmo",
                             "olmo2",
                             "olmo3",
                             "stablelm",
                             "smollm3",
                             "starcoder2",
                             "cohere",
                             "cohere2",
                             "granite",
                             "nemotron",
                             "glm",
                             "glm4",
                             "ernie4_5",
                             "helium",
                             "modernbert-decoder"})
      QTest::newRow(name) << QString(name);
    for (const auto& entry : fs::directory_iterator(drawn()))
      QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().filename().string());
  }
  void values_are_those_of_the_library() {
    QFETCH(QString, name);
    fs::path folder = committed() / name.toStdString();
    if (!fs::exists(folder)) folder = drawn() / name.toStdString();
    if (!fs::exists(folder)) {
      SKIP_WITHOUT_MATERIAL();
      folder = made_elsewhere() / "families" / name.toStdString();
    }
    if (!fs::exists(folder)) folder = more_families() / name.toStdString();
    if (!fs::exists(folder)) QSKIP("the material has no such folder");
    int compared = 0;
    const std::string said = first_difference(folder, compared);
    QVERIFY2(said.empty(), said.c_str());
    QVERIFY(compared > 5);
  }

  // The one real model: its sentence's vector is the mean of the last states, normalised.
  void a_sentence_has_a_vector() {
    SKIP_WITHOUT_MATERIAL();
    int compared = 0;
    const std::string said = first_difference(made_elsewhere() / "minilm", compared);
    QVERIFY2(said.empty(), said.c_str());
    QVERIFY(compared > 40);
  }

  // Of NaN nothing is the largest.
  void nothing_is_chosen_from_what_is_no_number() {
    Folder folder;
    fs::copy(committed() / "gpt2", folder / "m");
    std::vector<NamedTensor> tensors;
    const SafetensorsFile file(committed() / "gpt2" / "model.safetensors");
    for (const TensorInfo& info : file.tensors()) {
      tensors.push_back({info.name, file.load(info.name).clone()});
      if (info.name.ends_with("ln_f.weight")) tensors.back().value[3] = std::numeric_limits<Scalar>::quiet_NaN();
    }
    fs::permissions(folder / "m" / "model.safetensors", fs::perms::owner_write, fs::perm_options::add);
    write_safetensors(folder / "m" / "model.safetensors", tensors, {}, StorageType::f32);
    const auto written = open_pretrained(folder / "m")->continued({3, 7, 5}, 4, {});
    QVERIFY(written.not_numbers);
    QVERIFY(written.ids.empty());
    QVERIFY(!open_pretrained(committed() / "gpt2")->continued({3, 7, 5}, 4, {}).not_numbers);
  }

  // A key that a file leaves out has the value of the library's own class.
  void what_a_file_leaves_out() {
    const auto setting = [](QString text, const char* key) {
      const Json config = parse_json(text.replace('\'', '"').toStdString(), "config.json");
      return families::family_of(config)->settings(config).at(key);
    };
    const QString sizes =
        "'vocab_size': 8, 'hidden_size': 8, 'num_attention_heads': 2, 'intermediate_size': 4, 'num_hidden_layers': 1, "
        "'max_position_embeddings': 8192";
    QCOMPARE(setting("{'model_type': 'albert', " + sizes + "}", "activation"), Json("gelu_tanh"));
    QCOMPARE(setting("{'model_type': 'bert', " + sizes + "}", "activation"), Json("gelu"));
    const QString t5 = "'vocab_size': 8, 'd_model': 4, 'd_ff': 4, 'num_heads': 2}";
    QCOMPARE(setting("{'model_type': 'mt5', " + t5, "gated"), Json(true));
    QCOMPARE(setting("{'model_type': 'mt5', " + t5, "activation"), Json("gelu_tanh"));
    QCOMPARE(setting("{'model_type': 't5', " + t5, "gated"), Json(false));
    // Phi-3 was trained on 4096 positions.
    const QString phi = "{'model_type': 'phi3', " + sizes + ", 'rope_scaling': {'type': 'longrope', ";
    const auto original = [&](const QString& more) {
      return setting(phi + more + "'short_factor': [1, 1], 'long_factor': [2, 2]}}", "rotary_scaling").at("original");
    };
    QCOMPARE(original(""), Json(4096));
    QCOMPARE(original("'original_max_position_embeddings': 64, "), Json(64));
  }

  void ids_are_checked() {
    const auto model = open_pretrained(committed() / "bert-mlm");
    const auto said = [&](const std::vector<TokenId>& ids, const std::vector<TokenId>& types) {
      return message_of<UsageError>([&] { model->run(ids, types, {}, {}); });
    };
    QCOMPARE(said({}, {}), QString("--ids: expected at least one number"));
    QCOMPARE(said({700}, {}), QString("--ids: expected numbers from 0 to 699, found 700"));
    QCOMPARE(said({-1}, {}), QString("--ids: expected numbers from 0 to 699, found -1"));
    QCOMPARE(said({1, 2}, {0}), QString("--type-ids: expected 2 numbers, as many as ids, found 1"));
    QCOMPARE(said({1}, {2}), QString("--type-ids: expected numbers from 0 to 1, found 2"));
    QCOMPARE(said(std::vector<TokenId>(81, 5), {}), QString("--ids: this model has 80 positions, found 81 ids"));
    QCOMPARE(message_of<UsageError>([&] { model->continued({1}, 3, {}); }),
             QString("--new-tokens: this model does not continue a text"));
  }

  // Weights of attention grow with the square of the text: how much they take is known before they are computed.
  void a_run_has_a_budget() {
    Folder folder;
    fs::copy(committed() / "gpt2", folder / "m");
    for (const char* name : {"config.json", "model.safetensors"})
      fs::permissions(folder / "m" / name, fs::perms::owner_write, fs::perm_options::add);
    Json config = parse_json(get_file(folder / "m" / "config.json"), "config.json");
    config["n_positions"] = 32768;
    put_file(folder / "m" / "config.json", config.dump());
    std::vector<NamedTensor> tensors;
    const SafetensorsFile file(committed() / "gpt2" / "model.safetensors");
    for (const TensorInfo& info : file.tensors())
      tensors.push_back(
          {info.name, info.name.ends_with("wpe.weight") ? Tensor::zeros({32768, 32}) : file.load(info.name)});
    write_safetensors(folder / "m" / "model.safetensors", tensors, {}, StorageType::f32);
    const auto model = open_pretrained(folder / "m");
    QVERIFY(message_of<UsageError>([&] {
              model->run(std::vector<TokenId>(7000, 5), {}, {}, {});
            }).startsWith("a run of 7000 ids takes "));
    QCOMPARE(model->run(std::vector<TokenId>(70, 5), {}, {}, {}).empty(), false);
  }

  // Published models keep what they were trained with: the file of bert-base-uncased, BertForMaskedLM, has the head
  // that says whether two sentences follow each other.
  void heads_of_the_training_are_left_out() {
    const fs::path from = committed() / "bert-mlm";
    const auto opened = [&](const char* architecture, const char* tensor) {
      Folder folder;
      fs::copy(from, folder / "m");
      for (const char* name : {"config.json", "model.safetensors"})
        fs::permissions(folder / "m" / name, fs::perms::owner_write, fs::perm_options::add);
      Json config = parse_json(get_file(folder / "m" / "config.json"), "config.json");
      config["architectures"] = {architecture};
      put_file(folder / "m" / "config.json", config.dump());
      std::vector<NamedTensor> tensors;
      const SafetensorsFile file(from / "model.safetensors");
      for (const TensorInfo& info : file.tensors()) tensors.push_back({info.name, file.load(info.name)});
      tensors.push_back({tensor, Tensor::zeros({2})});
      write_safetensors(folder / "m" / "model.safetensors", tensors, {}, StorageType::f32);
      return message_of<FormatError>([&] { open_pretrained(folder / "m"); }).section(": ", 1);
    };
    QCOMPARE(opened("BertForMaskedLM", "cls.seq_relationship.bias"), QString());
    QCOMPARE(opened("BertForMaskedLM", "bert.pooler.dense.bias"), QString());
    QCOMPARE(opened("BertModel", "classifier.bias"), QString());
    QCOMPARE(opened("BertForMaskedLM", "bert.encoder.layer.0.wonder.bias"),
             QString("the tensor \"bert.encoder.layer.0.wonder.bias\" is of a part that is not known"));
    QCOMPARE(opened("BertForWonders", "cls.seq_relationship.bias").right(30),
             QString("is of a part that is not known"));
  }
};

HEADLIGHT_TEST(TestPretrainedModels)

}  // namespace headlight::test_pretrained_models

#include "test_pretrained_models.moc"
