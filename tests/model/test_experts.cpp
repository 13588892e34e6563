// Mixtures of experts, sinks and latent attention: each part against formulas by hand, and models of other libraries
// against every array that these wrote.

#include <QtTest>
#include <cmath>
#include <map>

#include "model/analysis/attention_maps.h"
#include "model/analysis/expert_choices.h"
#include "model/analysis/living/map.h"
#include "model/analysis/weights.h"
#include "model/decode/run.h"
#include "model/io/formats/families/family.h"
#include "model/io/formats/families/split_file.h"
#include "model/io/formats/format.h"
#include "model/io/formats/pretrained/pretrained_models.h"
#include "model/io/json_file.h"
#include "model/io/npz.h"
#include "model/io/tensor_values.h"
#include "model/layers/experts.h"
#include "model/ops/choice.h"
#include "tests/model/io_helpers.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_experts {

using namespace headlight::testing;

namespace {

fs::path material() { return made_elsewhere().parent_path() / "models" / "moe"; }

#define SKIP_WITHOUT_EXPERTS() \
  if (!fs::is_directory(material())) QSKIP(("the material is not at " + material().string()).c_str())

std::vector<TokenId> ids_of(const Tensor& tensor) {
  std::vector<TokenId> ids;
  for (Index i = 0; i < tensor.size(); ++i) ids.push_back(static_cast<TokenId>(tensor[i]));
  return ids;
}

// Empty when it is within 1e-5 of the largest value that is expected.
std::string difference_of(const Tensor& found, const Tensor& expected) {
  if (found.shape() != expected.shape())
    return "expected " + expected.shape().text() + ", found " + found.shape().text();
  double largest = 0, worst = 0;
  for (Index i = 0; i < found.size(); ++i) {
    if (!std::isfinite(found[i])) return "found a number that is none";
    largest = std::max(largest, std::abs(static_cast<double>(expected[i])));
    worst = std::max(worst, std::abs(static_cast<double>(expected[i]) - static_cast<double>(found[i])));
  }
  return worst <= 1e-5 * largest ? std::string()
                                 : "differs by " + std::to_string(worst) + " of " + std::to_string(largest);
}

// Every array of a folder's reference.npz and what it writes; empty: nothing differs.
std::string first_difference(const fs::path& folder, int& compared) {
  const auto model = open_pretrained(folder);
  std::map<std::string, std::map<std::string, Tensor>> cases;
  for (const NamedTensor& tensor : read_npz(folder / "reference.npz")) {
    const std::size_t point = tensor.name.find('.');
    cases[tensor.name.substr(0, point)][tensor.name.substr(point + 1)] = tensor.value;
  }
  for (const auto& [name, arrays] : cases) {
    const std::vector<TokenId> ids = ids_of(arrays.at("input_ids"));
    std::map<std::string, Tensor> found;
    for (const NamedTensor& value : model->run(ids, {}, {}, {})) found[value.name] = value.value;
    for (const auto& [key, expected] : arrays) {
      if (key == "input_ids" || key == "generated") continue;
      if (!found.count(key)) return name + "." + key + " is missing";
      if (const std::string said = difference_of(found[key], expected); !said.empty())
        return name + "." + key + ": " + said;
      ++compared;
    }
    std::vector<TokenId> written = ids;
    for (const TokenId id : model->continued(ids, 12, {}).ids) written.push_back(id);
    if (written != ids_of(arrays.at("generated"))) return name + ".generated differs";
  }
  return {};
}

// The experts and shares of one row of logits.
struct Routed {
  std::vector<Index> experts;
  std::vector<double> shares;
};
Tensor row_of(const std::vector<double>& numbers) {
  Tensor row({1, static_cast<Index>(numbers.size())});
  for (std::size_t i = 0; i < numbers.size(); ++i) row[static_cast<Index>(i)] = static_cast<Scalar>(numbers[i]);
  return row;
}
// By a layer that reads the logits as they are: its router is the identity, its experts give their share back.
Routed routed(const std::vector<double>& logits, ExpertSettings settings, const std::vector<double>& correction = {}) {
  struct Listener : TapListener {
    std::map<std::string, Tensor> seen;
    Tensor visit(const SitePath& place, const char* leaf, Tensor value) override {
      seen[place.text(leaf)] = value;
      return value;
    }
  } listener;
  settings.count = settings.each.model = static_cast<Index>(logits.size());
  settings.each.hidden = 1;
  settings.correction = !correction.empty();
  ParameterTable table;
  Random random(1, Random::Stream::init);
  const Experts experts(ParameterBuilder(table, {InitialValues::Kind::zeros}, random), settings);
  for (Parameter& p : table.all()) {
    if (p.name == "router.W")
      for (Index e = 0; e < settings.count; ++e) p.value[e * settings.count + e] = 1;
    for (std::size_t e = 0; p.name == "router.correction" && e < correction.size(); ++e)
      p.value[static_cast<Index>(e)] = static_cast<Scalar>(correction[e]);
  }
  Pass pass;
  pass.tap = Tap(listener);
  const SitePath layer("decoder");
  experts(row_of(logits), SitePath(SitePath(layer, "layer", 0), "ffn"), pass);
  Routed found;
  const Tensor ids = listener.seen.at("decoder.layer[0].ffn.router.experts"),
               shares = listener.seen.at("decoder.layer[0].ffn.router.shares");
  for (Index i = 0; i < ids.size(); ++i) {
    found.experts.push_back(static_cast<Index>(ids[i]));
    found.shares.push_back(static_cast<double>(shares[i]));
  }
  return found;
}

ExpertSettings settings_of(ExpertRouter router, ExpertChoice choice, bool normalise = false, double scale = 1) {
  ExpertSettings s;
  s.router = router;
  s.choice = choice;
  s.normalise = normalise;
  s.scale = scale;
  return s;
}

QString is_routed(const Routed& found, const std::vector<Index>& experts, const std::vector<double>& shares) {
  if (found.experts != experts) return "other experts";
  return difference(found.shares, shares, 1e-6);
}

Json config_of(const char* folder) {
  return read_python_json(material() / folder / "config.json", std::uint64_t{1} << 20);
}

// A run of the folder's first text with these edits.
Result edited_run(const std::shared_ptr<const ModelBundle>& model, const std::vector<TokenId>& ids,
                  const std::vector<std::string>& edits) {
  Request request;
  request.model = model;
  request.ids = ids;
  for (const std::string& edit : edits) request.interventions.push_back(parse_intervention(edit));
  return run(request);
}

}  // namespace

class TestExperts : public QObject {
  Q_OBJECT
 private slots:
  void values_are_those_of_the_library_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"mixtral", "qwen2_moe", "qwen3_moe", "olmoe", "granitemoe", "gpt_oss", "gpt_oss-mxfp4",
                             "deepseek_v2", "deepseek_v3", "glm4_moe", "phimoe"})
      QTest::newRow(name) << QString(name);
  }
  void values_are_those_of_the_library() {
    QFETCH(QString, name);
    fs::path folder = committed() / name.toStdString();
    if (!fs::exists(folder)) {
      SKIP_WITHOUT_EXPERTS();
      folder = material() / name.toStdString();
    }
    int compared = 0;
    const std::string said = first_difference(folder, compared);
    QVERIFY2(said.empty(), said.c_str());
    QVERIFY(compared > 20);
  }

  void shares_of_all_then_the_largest() {
    const std::vector<double> z = {0, std::log(2), std::log(4), 0};  // 1/8, 2/8, 4/8, 1/8
    const ExpertChoice two{.count = 2};
    QCOMPARE(is_routed(routed(z, settings_of(ExpertRouter::softmax, two)), {2, 1}, {0.5, 0.25}), QString());
    QCOMPARE(is_routed(routed(z, settings_of(ExpertRouter::softmax, two, true)), {2, 1}, {2.0 / 3, 1.0 / 3}),
             QString());
    QCOMPARE(is_routed(routed(z, settings_of(ExpertRouter::softmax, two, false, 16)), {2, 1}, {8, 4}), QString());
    QCOMPARE(is_routed(routed(z, settings_of(ExpertRouter::softmax_of_chosen, two)), {2, 1}, {2.0 / 3, 1.0 / 3}),
             QString());
  }

  // DeepSeek-V2: of two groups only that with the largest share.
  void shares_within_groups() {
    const std::vector<double> z = {std::log(3), std::log(3), std::log(4), 0};
    const ExpertChoice choice{.count = 2, .groups = 2, .groups_kept = 1};
    QCOMPARE(is_routed(routed(z, settings_of(ExpertRouter::softmax, choice)), {2, 3}, {4.0 / 11, 1.0 / 11}), QString());
  }

  // DeepSeek-V3: a group counts its two largest, with the correction; shares are without it, largest first.
  void shares_by_sigmoid_with_a_correction() {
    const double a = std::log(3);  // σ: 3/4
    const ExpertChoice choice{.by = ExpertChoice::By::sigmoid, .count = 2, .groups = 2, .groups_kept = 1};
    const auto settings = settings_of(ExpertRouter::sigmoid, choice, true, 2.5);
    // σ: 1/2, 3/4 | 3/4, 3/4; with the correction 1.1, .75 | .75, .75
    QCOMPARE(is_routed(routed({0, a, a, a}, settings, {0.6, 0, 0, 0}), {1, 0}, {1.5, 1}), QString());
    QCOMPARE(is_routed(routed({0, a, a, a}, settings, {0, 0, 0, 0}), {2, 3}, {1.25, 1.25}), QString());
    // Negative sums are chosen before what is left out.
    QCOMPARE(is_routed(routed({0, 0, a, a}, settings, {-2, -2, -3, -3}), {0, 1}, {1.25, 1.25}), QString());
  }

  // Phi-3.5-MoE: m = 2, (2 − 1.9) / 2 ≤ .2 stays; of the rest m = 1.9, and 1 is too far.
  void shares_in_two_rounds() {
    const ExpertChoice choice{.by = ExpertChoice::By::rounds, .count = 2, .noise = 0.2};
    const auto settings = settings_of(ExpertRouter::rounds, choice);
    QCOMPARE(is_routed(routed({1, 2, 1.9, -1}, settings), {2, 1}, {1, 1 / (1 + std::exp(-0.1))}), QString());
    QCOMPARE(is_routed(routed({1, 2, 0, -1}, settings), {1, 0}, {1, 1}), QString());
  }

  void an_expert_of_minus_infinity_is_the_last() {
    const Tensor logits = Tensor::of({1, 3}, {-std::numeric_limits<Scalar>::infinity(), 1, 0});
    const std::vector<Scalar> expected = {1, 2};
    QCOMPARE(chosen_experts(logits, {}, {.count = 2}).values(), expected);
    const ExpertChoice sigmoid{.by = ExpertChoice::By::sigmoid, .count = 2};
    QCOMPARE(chosen_experts(logits, Tensor::vector({9, 0, 0}), sigmoid).values(), expected);
  }

  void a_limited_unit() {
    const auto f = [](double g, double u) { return (u + 1) * g / (1 + std::exp(-1.702 * g)); };
    const Tensor y = limited_swiglu(Tensor::of({3}, {10, -10, Scalar(0.5)}), Tensor::of({3}, {-9, 9, 2}), 7, 1.702);
    QVERIFY(same(difference(y, {f(7, -7), f(-10, 7), f(0.5, 2)}, 1e-6), "limited SwiGLU"));
  }

  // What is not chosen is not computed: numbers that are none would be seen.
  void only_the_chosen_compute() {
    ExpertSettings s = settings_of(ExpertRouter::softmax, {.count = 1});
    s.count = 2;
    s.each.model = 2;
    s.each.hidden = 1;
    s.each.bias = false;
    ParameterTable table;
    Random random(1, Random::Stream::init);
    const Experts experts(ParameterBuilder(table, {InitialValues::Kind::zeros}, random), s);
    for (Parameter& p : table.all()) {
      if (p.name == "router.W") p.value[0] = p.value[3] = 1;
      if (p.name.starts_with("expert[0]")) p.value.array().setConstant(std::nanf(""));
      if (p.name.starts_with("expert[1]")) p.value.array().setConstant(1);
    }
    const Tensor y = experts(Tensor::of({1, 2, 2}, {0, 2, 1, 3}), SitePath("ffn"), Pass());
    const double p = 1 / (1 + std::exp(-2));  // of the second expert, which gives relu(x₀ + x₁) twice
    QVERIFY(same(difference(y, {2 * p, 2 * p, 4 * p, 4 * p}, 1e-6), "experts"));
  }

  // Four bits and a scale: codes 0 to 7 are 0 .5 1 1.5 2 3 4 6, the first number in the low half of a byte.
  void blocks_of_four_bits() {
    Folder folder;
    std::string blocks(16, '\0');
    blocks[0] = static_cast<char>(0x21);   // .5, 1
    blocks[1] = static_cast<char>(0xf7);   // 6, −6
    blocks[15] = static_cast<char>(0x9c);  // −2, −.5
    const auto put = [&](const std::string& scales, const std::string& shape) {
      put_file(folder / "w.safetensors",
               safetensors_bytes("{\"layers.0.mlp.experts.down_proj_blocks\":{\"dtype\":\"U8\",\"shape\":[1,1,1,16],"
                                 "\"data_offsets\":[0,16]},\"layers.0.mlp.experts.down_proj_" +
                                     scales + "\":{\"dtype\":\"U8\",\"shape\":" + shape + ",\"data_offsets\":[16,17]}}",
                                 blocks + static_cast<char>(128)));
      return open_safetensors(folder / "w.safetensors");
    };
    const families::Family* family = families::family_of({{"model_type", "gpt_oss"}});
    const auto file = put("scales", "[1,1,1]");
    const auto split = families::split_by_experts(*file, *family, "here");
    QVERIFY(split);
    QCOMPARE(split->tensors().size(), std::size_t(1));
    QCOMPARE(split->tensors()[0].name, std::string("layers.0.mlp.experts.down_proj_blocks[0]"));
    const Tensor w = numbers_of(*split, 0, "here");
    QCOMPARE(w.shape(), (Shape{1, 32}));
    const std::map<Index, double> expected = {{0, 1}, {1, 2}, {2, 12}, {3, -12}, {30, -4}, {31, -1}};
    for (Index i = 0; i < 32; ++i) QCOMPARE(static_cast<double>(w[i]), expected.count(i) ? expected.at(i) : 0.0);
    std::string row(17, '\0');
    split->read_row(0, 0, row.data());
    float wide[32];
    split->block_form(0)->widen(reinterpret_cast<const unsigned char*>(row.data()), 1, wide);
    for (Index i = 0; i < 32; ++i) QCOMPARE(wide[i], static_cast<float>(w[i]));
    const auto refused = [&](const std::string& scales, const std::string& shape) {
      try {
        families::split_by_experts(*put(scales, shape), *family, "here");
      } catch (const Error& error) {
        return QString::fromStdString(error.what());
      }
      return QString();
    };
    QVERIFY(refused("scales", "[1]").startsWith("here: tensor \"layers.0.mlp.experts.down_proj_blocks\": expected ["));
    QVERIFY(refused("other", "[1,1,1]").endsWith("has no \"_scales\" beside it"));
  }

  // A key that changes numbers is obeyed or refused by its name.
  void what_is_refused_data() {
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    const auto row = [](const char* folder, const char* key, const char* value) {
      QTest::addRow("%s %s %s", folder, key, value) << QString(folder) << QString(key) << QString(value);
    };
    row("mixtral", "num_experts_per_tok", "9");
    row("mixtral", "num_experts", "4");
    row("mixtral", "num_local_experts", "5000");
    row("mixtral", "hidden_act", "\"mish\"");
    row("qwen2_moe", "decoder_sparse_step", "0");
    row("qwen2_moe", "mlp_only_layers", "3");
    row("qwen3_moe", "mlp_bias", "true");
    row("olmoe", "clip_qkv", "-1");
    row("gpt_oss", "swiglu_limit", "0");
    row("deepseek_v3", "n_group", "3");
    row("deepseek_v3", "n_group", "8");
    row("deepseek_v3", "topk_group", "5");
    row("deepseek_v3", "topk_group", "1");
    row("deepseek_v3", "scoring_func", "\"softmax\"");
    row("deepseek_v3", "topk_method", "\"greedy\"");
    row("deepseek_v3", "moe_layer_freq", "2");
    row("deepseek_v3", "num_key_value_heads", "2");
    row("deepseek_v3", "qk_rope_head_dim", "7");
    row("deepseek_v3", "head_dim", "9");
    row("deepseek_v2", "topk_method", "\"random\"");
    row("deepseek_v2", "num_experts_per_tok", "null");
    row("phimoe", "num_experts_per_tok", "3");
    row("phimoe", "router_jitter_noise", "-1");
    row("glm4_moe", "use_qk_norm", "3");
    row("glm4_moe", "a_new_key", "3");
  }
  void what_is_refused() {
    SKIP_WITHOUT_EXPERTS();
    QFETCH(QString, folder);
    QFETCH(QString, key);
    QFETCH(QString, value);
    Json config = config_of(folder.toLatin1().constData());
    QCOMPARE(families::why_not(config), std::string());
    config[key.toStdString()] = Json::parse(value.toStdString());
    const QString said = QString::fromStdString(families::why_not(config));
    QVERIFY2(said.contains(key), qPrintable(said));
  }

  // What a person forces or forbids is what computes.
  void an_edit_chooses_experts() {
    SKIP_WITHOUT_EXPERTS();
    const auto model = open_path(material() / "mixtral");
    std::map<std::string, Tensor> arrays;
    for (const NamedTensor& tensor : read_npz(material() / "mixtral" / "reference.npz"))
      arrays[tensor.name] = tensor.value;
    const std::vector<TokenId> ids = ids_of(arrays.at("case0.input_ids"));
    const std::string router = "decoder.layer[1].ffn.router.";
    const auto of = [&](const Result& result, const char* leaf) { return result.trace->value(router + leaf); };
    const Result plain = edited_run(model, ids, {});
    const Tensor experts = of(plain, "experts");
    const Index first = static_cast<Index>(experts[2 * 2]), second = static_cast<Index>(experts[2 * 2 + 1]);
    const std::string row = router + "logits[2,";
    const Result forbidden = edited_run(model, ids, {row + std::to_string(first) + "]=-inf"});
    QCOMPARE(static_cast<Index>(of(forbidden, "experts")[2 * 2]), second);
    const Index other = 7 - std::max(first, second) > 0 ? 7 : std::min(first, second) == 0 ? 1 : 0;
    const Result forced = edited_run(model, ids, {row + std::to_string(other) + "]=60"});
    QCOMPARE(static_cast<Index>(of(forced, "experts")[2 * 2]), other);
    QVERIFY(std::abs(static_cast<double>(of(forced, "shares")[2 * 2]) - 1) < 1e-6);
    // The output is that of the expert alone.
    const Tensor each = forced.trace->value("decoder.layer[1].ffn.expert.out"),
                 out = forced.trace->value("decoder.layer[1].ffn.out");
    const Index d = out.columns();
    for (Index i = 0; i < d; ++i) QVERIFY(std::abs(static_cast<double>(out[2 * d + i] - each[2 * 2 * d + i])) < 1e-5);
    // A number that is of no expert.
    QVERIFY_THROWS_EXCEPTION(UsageError, edited_run(model, ids, {router + "experts[2,0]=8"}));
    const Result chosen = edited_run(model, ids, {router + "experts[2,0]=" + std::to_string(other)});
    QVERIFY(static_cast<double>(of(chosen, "shares")[2 * 2]) < static_cast<double>(of(plain, "shares")[2 * 2]));
  }

  // The weights of a head and the share of its sink add up to 1.
  void a_sink_takes_the_rest() {
    SKIP_WITHOUT_EXPERTS();
    const auto model = open_path(material() / "gpt_oss");
    const Result result = edited_run(model, {5, 9, 11, 30, 2, 8}, {});
    const Tensor weights = result.trace->value("decoder.layer[0].self_attn.head.weights"),
                 sink = result.trace->value("decoder.layer[0].self_attn.head.sink");
    QCOMPARE(sink.shape(), (Shape{weights.dim(0), weights.dim(1)}));
    for (Index r = 0; r < sink.size(); ++r)
      QVERIFY(std::abs(static_cast<double>(weights.matrix().row(r).sum() + sink[r]) - 1) < 1e-5);
    // A column of its own: it is no key that could be edited.
    const auto edited =
        edited_run(model, {5, 9, 11, 30, 2, 8}, {"decoder.layer[0].self_attn.head[1].weights[3,2]=0.5"});
    const AttentionMap map = with_sink(attention_maps(edited).front());
    QVERIFY(map.is_sink(map.column_count() - 1));
    QCOMPARE(edited_weights(map, 1, edited.interventions), (std::vector<std::pair<Index, Index>>{{3, 2}}));
    QVERIFY(edited_weights(map, 0, edited.interventions).empty());
  }

  // The lane of the living map: what each token's state behind the experts was multiplied with.
  void the_living_map_has_the_shares_of_experts() {
    SKIP_WITHOUT_EXPERTS();
    const auto model = open_path(material() / "deepseek_v3");  // its first layer is dense
    const auto result = std::make_shared<const Result>(edited_run(model, {5, 9, 11, 30, 2, 8}, {}));
    const auto map = living_map(result);
    QVERIFY(map);
    const std::vector<ExpertLayer> layers = expert_layers(*result);
    QCOMPARE(layers.size(), 2U);
    std::size_t found = 0;
    for (const LivingStation& station : map->stations) {
      if (station.kind != LivingStation::Kind::mlp) continue;
      QCOMPARE(station.experts.defined(), station.layer > 0);
      if (!station.experts.defined()) continue;
      const ExpertLayer& layer = layers.at(found++);
      QCOMPARE(layer.layer, station.layer);
      QCOMPARE(station.experts.shape(), (Shape{station.count, layer.experts}));
      for (Index row = 0; row < station.count; ++row)
        for (Index e = 0; e < layer.experts; ++e)
          QCOMPARE(static_cast<double>(station.experts[row * layer.experts + e]),
                   layer.rows[static_cast<std::size_t>(row)].share_of(e));
    }
    QCOMPARE(found, layers.size());
  }
};

HEADLIGHT_TEST(TestExperts)

}  // namespace headlight::test_experts

#include "test_experts.moc"
