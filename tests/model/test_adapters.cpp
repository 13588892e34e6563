// Adapters over models of other libraries, compared with what the library computed, with sums made by hand, and with
// what has to be refused.

#include <QTest>
#include <cmath>
#include <map>

#include "model/analysis/head_divergence.h"
#include "model/core/json_library.h"
#include "model/io/formats/adapters/adapter.h"
#include "model/io/formats/format.h"
#include "model/io/formats/pretrained/pretrained_models.h"
#include "model/io/json_file.h"
#include "model/io/npz.h"
#include "model/io/safetensors.h"
#include "model/io/tensor_values.h"
#include "model/models/variant.h"
#include "tests/model/io_helpers.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_adapters {

using namespace headlight::testing;

namespace {

using Case = std::map<std::string, Tensor>;

fs::path material() { return made_elsewhere().parent_path() / "models" / "adapters"; }
std::string base_in(const Json& cases) {
  return (made_elsewhere().parent_path().parent_path() / cases.at("base").get<std::string>()).string();
}

// In shares of the largest.
double difference(const Tensor& found, const Tensor& expected) {
  if (found.shape() != expected.shape()) return INFINITY;
  double worst = 0, largest = 0;
  for (Index i = 0; i < found.size(); ++i) {
    worst = std::max(worst, std::abs(static_cast<double>(found[i]) - static_cast<double>(expected[i])));
    largest = std::max(largest, std::abs(static_cast<double>(expected[i])));
  }
  return largest == 0 ? worst : worst / largest;
}

std::vector<TokenId> ids_in(const Case& arrays, const std::string& name) {
  std::vector<TokenId> ids;
  if (const auto found = arrays.find(name); found != arrays.end())
    for (Index i = 0; i < found->second.size(); ++i) ids.push_back(static_cast<TokenId>(found->second[i]));
  return ids;
}

LibraryValues run_of(const PretrainedModel& model, const Case& arrays) {
  return model.run(ids_in(arrays, "input_ids"), ids_in(arrays, "token_type_ids"), ids_in(arrays, "decoder_input_ids"),
                   {});
}

std::shared_ptr<const TensorFile> tensors_over(const std::string& place) {
  return format_of(place)->contents(place).tensors;
}

// A tensor of a file; a base may leave out what stands in front of all its names.
Tensor tensor_in(const TensorFile& file, const std::string& name) {
  for (std::size_t i = 0; i < file.tensors().size(); ++i)
    if (file.tensors()[i].name == name) return numbers_of(file, i, "test");
  return {};
}

NamedTensor filled(const std::string& name, const Shape& shape, std::initializer_list<std::pair<Index, Scalar>> cells) {
  Tensor tensor = Tensor::zeros(shape);
  for (const auto& [at, value] : cells) tensor[at] = value;
  return {name, tensor};
}

std::string config_with(const std::string& more) {
  return R"({"peft_type": "LORA", "base_model_name_or_path": "org/base", "r": 2, "lora_alpha": 6)" +
         (more.empty() ? "" : ", " + more) + "}";
}

// The query of the first layer of tests/data/families/qwen2, whose matrix is [32 x 32].
const std::string kQuery = "base_model.model.model.layers.0.self_attn.q_proj";
std::vector<NamedTensor> small_pair(const std::string& module, Index out, Index in) {
  return {filled(module + ".lora_A.weight", {2, in}, {{0, 1}, {in + 1, 2}}),  // A = e₀ᵀ ‖ 2 e₁ᵀ
          filled(module + ".lora_B.weight", {out, 2}, {{0, 1}, {3, 4}})};     // B₀ = (1, 0), B₁ = (0, 4)
}

struct SmallAdapter {
  explicit SmallAdapter(const std::vector<NamedTensor>& tensors, const std::string& more = {}) {
    put_file(folder / "adapter_config.json", config_with(more));
    write_safetensors(folder / "adapter_model.safetensors", tensors, {}, StorageType::f32);
  }
  std::string over(const char* family) const {
    return over_base((committed() / family).string(), folder.path().string());
  }
  Tensor delta(const char* family, const std::string& name) const {
    return tensor_in(*tensors_over(over(family)), "delta." + name);
  }
  QString refused(const char* family) const {
    const QString said = message_of<Error>([&] { open_pretrained(over(family)); });
    return QString(said).replace(QString::fromStdString(folder.path().string()), "DIR");
  }
  Folder folder;
};

}  // namespace

class TestAdapters : public QObject {
  Q_OBJECT

 private slots:
  void as_the_library_data() {
    QTest::addColumn<QString>("folder");
    if (!fs::is_directory(material())) QSKIP("the material of adapters is not there");
    for (const auto& entry : fs::directory_iterator(material()))
      if (entry.path().filename() != "refused")
        QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
  }
  void as_the_library() {
    QFETCH(QString, folder);
    const fs::path path = folder.toStdString();
    const Json cases = read_json(path / "cases.json", 1u << 20), heads = read_json(path / "heads.json", 1u << 20);
    std::map<std::string, Case> reference;
    for (const NamedTensor& array : read_npz(path / "reference.npz")) {
      const std::size_t point = array.name.find('.');
      reference[array.name.substr(0, point)][array.name.substr(point + 1)] = array.value;
    }
    const std::string place = over_base(base_in(cases), path.string());
    const auto whole = open_pretrained(place);
    std::map<double, LibraryValues> runs;
    for (const Json& one : cases.at("cases")) {
      const double scale = one.at("scale").get<double>();
      const Case& arrays = reference[one.at("case").get<std::string>()];
      const LibraryValues values = run_of(scale == 1 ? *whole : *whole->at_strength(scale), arrays);
      for (const auto& [name, expected] : arrays) {
        if (name.ends_with("input_ids") || name == "token_type_ids") continue;
        const auto found = std::ranges::find(values, name, &NamedTensor::name);
        QVERIFY2(found != values.end(), name.c_str());
        QVERIFY2(difference(found->value, expected) <= 1e-4, name.c_str());
      }
      runs.try_emplace(scale, values);
    }
    const auto tensors = tensors_over(place);
    for (const auto& [name, expected] : reference["delta"])
      QVERIFY2(difference(tensor_in(*tensors, "delta." + name), expected) <= 1e-5, name.c_str());
    for (const auto& [name, expected] : reference["merged"])
      QVERIFY2(difference(tensor_in(*tensors, name), expected) <= 1e-5, name.c_str());
    for (const HeadDivergence& head : head_divergences(runs.at(1), runs.at(0))) {
      const Json& row = heads.at(head.attention).at("by_layer").at(static_cast<std::size_t>(head.layer));
      QVERIFY(std::abs(head.nats - row.at(static_cast<std::size_t>(head.head)).get<double>()) <= 1e-5);
    }
  }

  void refusals_of_the_material() {
    if (!fs::is_directory(material())) QSKIP("the material of adapters is not there");
    for (const auto& entry : fs::directory_iterator(material() / "refused")) {
      const Json cases = read_json(entry.path() / "cases.json", 1u << 20);
      const QString said = message_of<Error>([&] {
        if (cases.at("base").is_null())
          open_path(entry.path());
        else
          open_pretrained(over_base(base_in(cases), entry.path().string()));
      });
      const bool named = std::ranges::any_of(cases.at("one_of"), [&](const Json& word) {
        return said.contains(QString::fromStdString(word.get<std::string>()));
      });
      QVERIFY2(named && !said.contains('\n'), qPrintable(said));
    }
  }

  // s = alpha / r = 3: ΔW[0, 0] = 3 · 1 · 1 and ΔW[1, 1] = 3 · 4 · 2, all else 0.
  void the_sum_by_hand() {
    const SmallAdapter plain(small_pair(kQuery, 32, 32));
    const Tensor delta = plain.delta("qwen2", "model.layers.0.self_attn.q_proj.weight");
    QCOMPARE(delta.shape(), (Shape{32, 32}));
    for (Index i = 0; i < delta.size(); ++i) QVERIFY(std::abs(delta[i] - (i == 0 ? 3 : i == 33 ? 24 : 0)) < 1e-5);
    const SmallAdapter by_root(small_pair(kQuery, 32, 32), R"("use_rslora": true)");
    const Tensor rooted = by_root.delta("qwen2", "model.layers.0.self_attn.q_proj.weight");
    QVERIFY(std::abs(rooted[0] - 6 / std::sqrt(2.0)) < 1e-5);
    // A plain suffix, then one that comes too late.
    const SmallAdapter patterns(
        small_pair(kQuery, 32, 32),
        R"("alpha_pattern": {"k_proj": 1, "layers\\.\\d+\\.self_attn\\.q_proj": 10, "q_proj": 2})");
    QVERIFY(std::abs(patterns.delta("qwen2", "model.layers.0.self_attn.q_proj.weight")[0] - 5) < 1e-5);
  }

  // GPT-2 has its inputs as rows, whatever fan_in_fan_out says.
  void the_kind_of_the_module_decides() {
    const SmallAdapter adapter(small_pair("base_model.model.transformer.h.0.attn.c_attn", 96, 32),
                               R"("fan_in_fan_out": false)");
    const Tensor delta = adapter.delta("gpt2", "transformer.h.0.attn.c_attn.weight");
    QCOMPARE(delta.shape(), (Shape{32, 96}));
    QVERIFY(std::abs(delta[0] - 3) < 1e-5 && std::abs(delta[97] - 24) < 1e-5);
  }

  // m · V / ‖V‖ of each row.
  void magnitudes_by_hand() {
    std::vector<NamedTensor> tensors = small_pair(kQuery, 32, 32);
    tensors.push_back({kQuery + ".lora_magnitude_vector", Tensor::full({32}, 2)});
    const SmallAdapter adapter(tensors, R"("use_dora": true)");
    const Tensor merged = tensor_in(*tensors_over(adapter.over("qwen2")), "model.layers.0.self_attn.q_proj.weight");
    for (Index r = 0; r < 32; ++r) QVERIFY(std::abs(merged.matrix().row(r).norm() - 2) < 1e-4);
    QCOMPARE(
        SmallAdapter(small_pair(kQuery, 32, 32), R"("use_dora": true)").refused("qwen2"),
        QString("DIR/adapter_model.safetensors: \"%1.lora_A.weight\": there is no lora_magnitude_vector beside it, "
                "which use_dora asks for")
            .arg(QString::fromStdString(kQuery)));
  }

  // The output layer keeps the matrix of the base; a whole table that is no copy of its own takes it along.
  void what_is_tied() {
    const std::string table = "base_model.model.model.embed_tokens";
    const SmallAdapter looked_up({filled(table + ".lora_embedding_A", {2, 643}, {{5, 1}}),
                                  filled(table + ".lora_embedding_B", {32, 2}, {{0, 1}})});
    const auto tensors = tensors_over(looked_up.over("qwen2"));
    const Tensor delta = tensor_in(*tensors, "delta.model.embed_tokens.weight");
    QVERIFY(std::abs(delta[5 * 32] - 3) < 1e-5);
    const auto base = format_of(committed() / "qwen2")->contents(committed() / "qwen2").tensors;
    QVERIFY(difference(tensor_in(*tensors, "lm_head.weight"), tensor_in(*base, "model.embed_tokens.weight")) == 0);
    const SmallAdapter beside({{table + ".weight", Tensor::full({643, 32}, Scalar(0.5))}});
    QVERIFY(!tensor_in(*tensors_over(beside.over("qwen2")), "lm_head.weight").defined());
    const SmallAdapter copy({{table + ".weight", Tensor::full({643, 32}, Scalar(0.5))}},
                            R"("modules_to_save": ["embed_tokens"])");
    QVERIFY(difference(tensor_in(*tensors_over(copy.over("qwen2")), "lm_head.weight"),
                       tensor_in(*base, "model.embed_tokens.weight")) == 0);
  }

  // Of a base without biases: what it lacks beside is 0.
  void biases_are_added_to_a_base_without() {
    std::vector<NamedTensor> tensors = small_pair("base_model.model.model.layers.1.self_attn.q_proj", 64, 32);
    tensors.push_back({"base_model.model.model.layers.1.self_attn.q_proj.lora_B.bias", Tensor::full({64}, 2)});
    const SmallAdapter adapter(tensors, R"("lora_bias": true)");
    const auto bundle = open_path(adapter.over("gemma3"));
    const ParameterTable& parameters = bundle->model->parameters();
    QVERIFY(std::abs((*parameters.find("decoder.layer[1].self_attn.b_q"))[7] - 6) < 1e-5);
    QVERIFY((*parameters.find("decoder.layer[0].self_attn.b_v"))[0] == 0);
    const auto half = variant(bundle, Json{{"adapter_strength", 0.5}});
    QVERIFY(std::abs((*half->model->parameters().find("decoder.layer[1].self_attn.b_q"))[7] - 3) < 1e-5);
  }

  // 0 is the base bit for bit, and nothing is read again.
  void strength() {
    auto adapter = std::make_unique<SmallAdapter>(small_pair(kQuery, 32, 32));
    const auto base = open_path(committed() / "qwen2"), bundle = open_path(adapter->over("qwen2"));
    adapter.reset();
    const auto none = variant(bundle, Json{{"adapter_strength", 0}}),
               half = variant(bundle, Json{{"adapter_strength", 0.5}});
    for (const Parameter& parameter : base->model->parameters().all())
      QCOMPARE(none->model->parameters().find(parameter.name)->values(), parameter.value.values());
    const std::string query = "decoder.layer[0].self_attn.W_q";
    const auto change = [&](const ModelBundle& changed) {
      return (*changed.model->parameters().find(query))[0] - (*base->model->parameters().find(query))[0];
    };
    QVERIFY(std::abs(change(*bundle) - 3) < 1e-5 && std::abs(change(*half) - 1.5) < 1e-5);
    QCOMPARE(half->trained.get(), bundle.get());
    QCOMPARE(message_of<FormatError>([&] {
               variant(bundle, Json{{"adapter_strength", "much"}});
             }),
             QString("adapter_strength: expected a number from -10 to 10, found \"much\""));
  }

  void places() {
    QCOMPARE(over_base("a b", "/c/d/"), std::string("a b + /c/d"));
    QCOMPARE(over_base("a", "/c", 0.25), std::string("a + 0.25 * /c"));
    const auto place = adapted_place("x + y + 0.25 * /c + d");
    QVERIFY(place && place->base == "x + y" && place->adapter == "/c + d" && place->strength == 0.25);
    QVERIFY(!adapted_place("x + y") && !adapted_place("/x/y"));
  }

  void what_is_wrong_is_said_data() {
    QTest::addColumn<QString>("config");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* config, const char* said) { QTest::newRow(config) << config << said; };
    row("\"layer_replication\": [[0, 2]]", "adapters with layer_replication [[0,2]] are not computed here");
    row("\"use_qalora\": true", "adapters with use_qalora true are not computed here");
    row("\"init_lora_weights\": \"olora\"",
        "init_lora_weights \"olora\": its training changed the base by the pair that it began with, so that the "
        "adapter "
        "alone is not enough; merge it into its base and open that");
    row("\"later_setting\": true", "the setting \"later_setting\" true is not known, and may change what is computed");
    row("\"lora_alpha\": \"much\"", "lora_alpha: expected a number up to 1000000, found \"much\"");
    row("\"lora_alpha\": 1e300", "lora_alpha: expected a number up to 1000000, found 1e+300");
    row("\"alpha_pattern\": {\"q_proj\": -1e300}",
        "alpha_pattern: q_proj: expected a number up to 1000000, found -1e+300");
    row("\"peft_type\": \"MORA\"", "peft_type \"MORA\": only adapters of peft_type LORA are opened");
    row("\"target_parameters\": [\"mlp.experts.gate_up_proj\"]",
        "adapters with target_parameters [\"mlp.experts.gate_up_proj\"] are not computed here");
    row("\"rank_pattern\": {\"(\": 2}",
        "rank_pattern: \"(\": not a regular expression: end pattern with unmatched parenthesis");
    row("\"modules_to_save\": \"head\"", "modules_to_save: expected a list of names, found \"head\"");
  }
  void what_is_wrong_is_said() {
    QFETCH(QString, config);
    QFETCH(QString, said);
    std::string more = config.toStdString();
    const SmallAdapter adapter(small_pair(kQuery, 32, 32));
    Json json = Json::parse("{" + more + "}");
    Json whole = Json::parse(config_with({}));
    whole.update(json);
    put_file(adapter.folder / "adapter_config.json", whole.dump());
    QCOMPARE(adapter.refused("qwen2"), "DIR/adapter_config.json: " + said);
  }

  void tensors_that_do_not_fit() {
    const std::string file = "DIR/adapter_model.safetensors: ";
    std::vector<NamedTensor> three = small_pair(kQuery, 32, 32);
    three[0] = filled(kQuery + ".lora_A.weight", {3, 32}, {});
    three[1] = filled(kQuery + ".lora_B.weight", {32, 3}, {});
    QCOMPARE(
        SmallAdapter(three).refused("qwen2"),
        QString::fromStdString(file + "\"" + kQuery +
                               ".lora_A.weight\": expected 2 rows, the rank of adapter_config.json, found [3 x 32]"));
    std::vector<NamedTensor> one = small_pair(kQuery, 32, 32);
    one.pop_back();
    QCOMPARE(
        SmallAdapter(one).refused("qwen2"),
        QString::fromStdString(file + "\"" + kQuery + ".lora_A.weight\": half a pair: there is no lora_B beside it"));
    QVERIFY(SmallAdapter(small_pair(kQuery, 48, 32))
                .refused("qwen2")
                .contains("[48 x 32], and \"model.layers.0.self_attn.q_proj.weight\" of the base"));
    QVERIFY(SmallAdapter(small_pair("base_model.model.model.layers.9.self_attn.q_proj", 32, 32))
                .refused("qwen2")
                .contains("has no \"model.layers.9.self_attn.q_proj.weight\""));
    QCOMPARE(SmallAdapter({}).refused("qwen2"),
             QString::fromStdString(file + "there is no tensor of an adapter in it"));
    const SmallAdapter plain(small_pair(kQuery, 32, 32));
    QCOMPARE(message_of<FileError>([&] { open_path(over_base("/nowhere", plain.folder.path().string())); }),
             QString("there is no model folder /nowhere"));
  }
};

HEADLIGHT_TEST(TestAdapters)

}  // namespace headlight::test_adapters

#include "test_adapters.moc"
