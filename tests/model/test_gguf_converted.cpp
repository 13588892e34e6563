// Folders as GGUF files, written here as the converter does it, give what the library computed from the folders:
// mixtures of experts, and others that no file at hand was made of.

#include <QTest>
#include <cstring>
#include <map>
#include <optional>

#include "model/core/json_library.h"
#include "model/io/formats/format.h"
#include "model/io/formats/gguf/gguf_folder.h"
#include "model/io/formats/pretrained/pretrained_folder.h"
#include "model/io/formats/pretrained/pretrained_models.h"
#include "model/io/json_file.h"
#include "model/io/tensor_values.h"
#include "tests/model/gguf_bytes.h"
#include "tests/model/gguf_compared.h"
#include "tests/model/io_helpers.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_gguf_converted {

using namespace headlight::testing;

namespace {

using Bytes = GgufBytes;
using Pairs = std::vector<std::pair<std::string, std::string>>;

fs::path folder_of(const char* name) { return made_elsewhere().parent_path() / "models" / "moe" / name; }

// What stands in a file, by its name without the architecture; "name in the folder" -> "name in the file", in this
// order.
struct Converted {
  const char *folder, *architecture;
  std::map<std::string, std::uint32_t> counts;
  std::map<std::string, float> reals;
  Pairs names;
  bool moved = false;  // rows of queries and keys, into pairs
  bool whole = false;  // kv_b_proj, as files of before 2025 have it
};

const Pairs kUsualNames = {{"model.layers.", "blk."},           {"model.embed_tokens", "token_embd"},
                           {"model.norm", "output_norm"},       {"lm_head", "output"},
                           {"self_attn.q_proj", "attn_q"},      {"self_attn.k_proj", "attn_k"},
                           {"self_attn.v_proj", "attn_v"},      {"self_attn.o_proj", "attn_output"},
                           {"self_attn.q_norm", "attn_q_norm"}, {"self_attn.k_norm", "attn_k_norm"},
                           {"input_layernorm", "attn_norm"}};
const Pairs kMixtralNames = {{"post_attention_layernorm", "ffn_norm"},
                             {"block_sparse_moe.gate", "ffn_gate_inp"},
                             {"block_sparse_moe.experts.w1", "ffn_gate_exps"},
                             {"block_sparse_moe.experts.w3", "ffn_up_exps"},
                             {"block_sparse_moe.experts.w2", "ffn_down_exps"}};
const Pairs kRoutedNames = {{"mlp.gate.e_score_correction_bias", "exp_probs_b.bias"},
                            {"mlp.shared_experts.gate_proj", "ffn_gate_shexp"},
                            {"mlp.shared_experts.up_proj", "ffn_up_shexp"},
                            {"mlp.shared_experts.down_proj", "ffn_down_shexp"},
                            {"mlp.experts.gate_proj", "ffn_gate_exps"},
                            {"mlp.experts.up_proj", "ffn_up_exps"},
                            {"mlp.experts.down_proj", "ffn_down_exps"},
                            {"mlp.gate.", "ffn_gate_inp."}};
const Pairs kUnitNames = {{"mlp.gate_proj", "ffn_gate"}, {"mlp.up_proj", "ffn_up"}, {"mlp.down_proj", "ffn_down"}};
const Pairs kGuessNames = {{"3.eh_proj", "3.nextn.eh_proj"},
                           {"3.embed_tokens", "3.nextn.embed_tokens"},
                           {"3.enorm", "3.nextn.enorm"},
                           {"3.hnorm", "3.nextn.hnorm"},
                           {"3.shared_head.head", "3.nextn.shared_head_head"},
                           {"3.shared_head.norm", "3.nextn.shared_head_norm"}};
const Pairs kLatentNames = {{"post_attention_layernorm", "ffn_norm"},
                            {"self_attn.q_a_proj", "attn_q_a"},
                            {"self_attn.q_a_layernorm", "attn_q_a_norm"},
                            {"self_attn.q_b_proj", "attn_q_b"},
                            {"self_attn.kv_a_proj_with_mqa", "attn_kv_a_mqa"},
                            {"self_attn.kv_a_layernorm", "attn_kv_a_norm"},
                            {"self_attn.kv_b_proj", "attn_kv_b"}};

Pairs all_of(std::initializer_list<Pairs> lists) {
  Pairs all;
  for (const Pairs& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

// "..experts.3.w1.." -> "..experts.w1.." and 3
std::optional<std::size_t> expert_in(std::string& name) {
  const std::size_t at = name.find("experts.");
  if (at == name.npos || !std::isdigit(static_cast<unsigned char>(name[at + 8]))) return {};
  std::size_t length = 0;
  const std::size_t expert = std::stoul(name.substr(at + 8), &length);
  name.erase(at + 8, length + 1);
  return expert;
}

// Heads of 8 rows, of halves that turn together, as pairs of neighbours: 0 4 1 5 2 6 3 7.
std::vector<float> moved_rows(const Tensor& numbers) {
  std::vector<float> values(static_cast<std::size_t>(numbers.size()));
  for (Index r = 0; r < numbers.rows(); ++r)
    for (Index c = 0; c < numbers.columns(); ++c)
      values[static_cast<std::size_t>((r - r % 8 + r % 4 * 2 + r % 8 / 4) * numbers.columns() + c)] =
          numbers[r * numbers.columns() + c];
  return values;
}

struct Array {
  std::vector<std::uint64_t> ne;
  std::vector<float> values;
};
using Arrays = std::map<std::string, Array>;

// kv_b_proj [heads · (keys + values) x latent] in two: keys of each head transposed, and values.
void take_heads_apart(Arrays& made, const std::string& name, std::uint64_t keys, std::uint64_t values) {
  const Array whole = made.at(name);
  made.erase(name);
  const std::uint64_t latent = whole.ne[0], heads = whole.ne[1] / (keys + values);
  std::string of_keys = name, of_values = name;
  of_keys.replace(name.find("kv_b"), 4, "k_b");
  of_values.replace(name.find("kv_b"), 4, "v_b");
  Array &k = made[of_keys], &v = made[of_values];
  k.ne = {keys, latent, heads};
  v.ne = {latent, values, heads};
  for (std::uint64_t h = 0; h < heads; ++h) {
    const float* head = whole.values.data() + h * (keys + values) * latent;
    for (std::uint64_t i = 0; i < latent; ++i)
      for (std::uint64_t r = 0; r < keys; ++r) k.values.push_back(head[r * latent + i]);
    v.values.insert(v.values.end(), head + keys * latent, head + (keys + values) * latent);
  }
}

std::string raw(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

Arrays converted_tensors(const Converted& as, const fs::path& folder) {
  const auto original = format_of(folder)->contents(folder).tensors;
  Arrays made;
  for (std::size_t i = 0; i < original->tensors().size(); ++i) {
    const TensorEntry& entry = original->tensors()[i];
    const Tensor numbers = numbers_of(*original, i, entry.name);
    if (entry.name.ends_with("inv_freq")) continue;
    std::string name = entry.name;
    // A layer that guesses a second token: the converter of this family leaves it out.
    if (as.architecture == std::string("deepseek2") && name.find("layers.3.") != name.npos) continue;
    const std::optional<std::size_t> expert = expert_in(name);
    for (const auto& [from, to] : as.names)
      if (const std::size_t at = name.find(from); at != name.npos) name.replace(at, from.size(), to);
    const bool moved = as.moved && (name.find("attn_q.") != name.npos || name.find("attn_k.") != name.npos);
    std::vector<float> values =
        moved ? moved_rows(numbers) : std::vector<float>(numbers.data(), numbers.data() + numbers.size());
    // In this family norms are stored as 1 + w.
    const bool more = as.architecture == std::string("nemotron") && name.ends_with("norm.weight");
    Array& array = made[name];
    array.ne.assign(entry.shape.rbegin(), entry.shape.rend());
    if (expert) array.ne.push_back(as.counts.at("expert_count"));
    if (more)
      for (float& value : values) value += 1;
    array.values.resize(expert ? as.counts.at("expert_count") * values.size() : values.size());
    std::copy(values.begin(), values.end(),
              array.values.begin() + static_cast<std::ptrdiff_t>(expert.value_or(0) * values.size()));
  }
  return made;
}

Bytes converted(const Converted& as) {
  const fs::path folder = folder_of(as.folder);
  Bytes bytes;
  bytes.key("general.architecture", 8, Bytes::text(as.architecture));
  const std::string front = as.architecture + std::string(".");
  for (const auto& [key, value] : as.counts) bytes.key(front + key, 4, Bytes::number(value));
  for (const auto& [key, value] : as.reals) bytes.key(front + key, 6, Bytes::number(value));
  const Json config = read_json(folder / "config.json", 1u << 24);
  if (config.contains("norm_topk_prob"))
    bytes.key(front + "expert_weights_norm", 7, std::string(1, config["norm_topk_prob"].get<bool>() ? '\1' : '\0'));
  if (as.reals.contains("rope.scaling.factor")) bytes.key(front + "rope.scaling.type", 8, Bytes::text("yarn"));
  Arrays made = converted_tensors(as, folder);
  if (config.contains("kv_lora_rank") && !as.whole)
    for (int layer = 0; layer < 3; ++layer)
      take_heads_apart(made, "blk." + std::to_string(layer) + ".attn_kv_b.weight", config["qk_nope_head_dim"],
                       config["v_head_dim"]);
  if (std::string(as.architecture) == "phimoe")
    for (const char* which : {"short", "long"}) {
      const std::vector<float> factors = config["rope_scaling"][which + std::string("_factor")];
      made[std::string("rope_factors_") + which + ".weight"] = {{factors.size()}, factors};
    }
  for (const auto& [name, array] : made) bytes.tensor(name, array.ne, 0, raw(array.values));
  return bytes;
}

std::map<std::string, Converted> conversions() {
  const std::map<std::string, std::uint32_t> common = {{"embedding_length", 32}, {"attention.head_count", 4}};
  const auto counts = [&](std::map<std::string, std::uint32_t> more) {
    more.insert(common.begin(), common.end());
    return more;
  };
  std::map<std::string, std::uint32_t> latent = {{"block_count", 3},
                                                 {"feed_forward_length", 48},
                                                 {"attention.head_count_kv", 1},
                                                 {"expert_count", 8},
                                                 {"expert_used_count", 3},
                                                 {"expert_feed_forward_length", 16},
                                                 {"expert_shared_count", 1},
                                                 {"expert_gating_func", 2},
                                                 {"leading_dense_block_count", 1},
                                                 {"attention.kv_lora_rank", 12},
                                                 {"attention.q_lora_rank", 16},
                                                 {"attention.key_length", 20},
                                                 {"attention.value_length", 12},
                                                 {"attention.key_length_mla", 16},
                                                 {"attention.value_length_mla", 10},
                                                 {"rope.dimension_count", 8},
                                                 {"context_length", 64},
                                                 {"rope.scaling.original_context_length", 64},
                                                 {"expert_group_count", 4},
                                                 {"expert_group_used_count", 2}};
  std::map<std::string, std::uint32_t> older = latent;  // of V2, as files had them before heads were taken apart
  for (const char* key : {"attention.q_lora_rank", "attention.key_length_mla", "attention.value_length_mla",
                          "expert_group_count", "expert_group_used_count"})
    older.erase(key);
  for (const auto& [key, value] : {std::pair("expert_gating_func", 1u),
                                   {"expert_feed_forward_length", 12u},
                                   {"expert_shared_count", 2u},
                                   {"attention.head_count_kv", 4u},
                                   {"attention.key_length", 16u},
                                   {"attention.value_length", 10u}})
    older[key] = value;
  const Pairs of_latents = all_of({kUsualNames, kLatentNames, kRoutedNames, kUnitNames});
  const auto yarn = [](float epsilon, float all, float scale) {
    return std::map<std::string, float>{{"attention.layer_norm_rms_epsilon", epsilon},
                                        {"rope.freq_base", 1e4f},
                                        {"rope.scaling.factor", 4},
                                        {"rope.scaling.yarn_log_multiplier", 0.1f * all},
                                        {"expert_weights_scale", scale}};
  };
  return {
      {"nemotron",
       {"../families/nemotron",
        "nemotron",
        counts({{"block_count", 2},
                {"feed_forward_length", 48},
                {"attention.head_count_kv", 2},
                {"rope.dimension_count", 4},
                {"context_length", 64}}),
        {{"attention.layer_norm_epsilon", 1e-5f}, {"rope.freq_base", 1e4f}},
        all_of({{{"post_attention_layernorm", "ffn_norm"}}, kUsualNames, kUnitNames})}},
      {"nomic_bert",
       {"../families/nomic_bert",
        "nomic-bert",
        {{"block_count", 2},
         {"embedding_length", 24},
         {"attention.head_count", 3},
         {"feed_forward_length", 48},
         {"context_length", 64}},
        {{"attention.layer_norm_epsilon", 1e-12f}, {"rope.freq_base", 1e3f}},
        {{"encoder.layers.", "blk."},
         {"embeddings.word_embeddings", "token_embd"},
         {"embeddings.token_type_embeddings", "token_types"},
         {"emb_ln", "token_embd_norm"},
         {"attn.Wqkv", "attn_qkv"},
         {"attn.out_proj", "attn_output"},
         {"norm1", "attn_output_norm"},
         {"norm2", "layer_output_norm"},
         {"mlp.fc11", "ffn_up"},
         {"mlp.fc12", "ffn_gate"},
         {"mlp.fc2", "ffn_down"}}}},
      {"mixtral",
       {"mixtral",
        "llama",
        counts({{"block_count", 2},
                {"feed_forward_length", 40},
                {"attention.head_count_kv", 2},
                {"expert_count", 8},
                {"expert_used_count", 2}}),
        {{"rope.freq_base", 1e6f}, {"attention.layer_norm_rms_epsilon", 1e-5f}},
        all_of({kUsualNames, kMixtralNames}),
        true}},
      {"phimoe",
       {"phimoe",
        "phimoe",
        counts({{"block_count", 2},
                {"feed_forward_length", 24},
                {"attention.head_count_kv", 2},
                {"expert_count", 6},
                {"expert_used_count", 2},
                {"context_length", 96},
                {"rope.scaling.original_context_length", 48},
                {"rope.dimension_count", 8}}),
        {{"rope.freq_base", 1e4f}, {"attention.layer_norm_rms_epsilon", 1e-5f}, {"rope.scaling.attn_factor", 1.2f}},
        all_of({kUsualNames, kMixtralNames})}},
      {"glm4_moe",
       {"glm4_moe",
        "glm4moe",
        counts({{"block_count", 4},
                {"nextn_predict_layers", 1},
                {"feed_forward_length", 48},
                {"attention.head_count_kv", 2},
                {"attention.key_length", 12},
                {"attention.value_length", 12},
                {"expert_count", 8},
                {"expert_used_count", 3},
                {"expert_feed_forward_length", 16},
                {"expert_shared_count", 1},
                {"leading_dense_block_count", 1},
                {"expert_gating_func", 2},
                {"rope.dimension_count", 6},
                {"context_length", 64}}),
        {{"rope.freq_base", 1e6f}, {"attention.layer_norm_rms_epsilon", 1e-5f}, {"expert_weights_scale", 1.5f}},
        all_of({{{"post_attention_layernorm", "post_attention_norm"}},
                kGuessNames,
                kUsualNames,
                kRoutedNames,
                kUnitNames})}},
      {"deepseek_v3", {"deepseek_v3", "deepseek2", counts(latent), yarn(1e-6f, 1, 2.5f), of_latents}},
      {"deepseek_v2, kv_b whole",
       {"deepseek_v2", "deepseek2", counts(older), yarn(1e-6f, 0.707f, 1), of_latents, false, true}},
  };
}

}  // namespace

class TestGgufConverted : public QObject {
  Q_OBJECT

 private slots:
  void a_file_is_its_folder_data() {
    QTest::addColumn<QString>("name");
    for (const auto& [name, as] : conversions()) QTest::newRow(name.c_str()) << QString::fromStdString(name);
  }
  void a_file_is_its_folder() {
    QFETCH(QString, name);
    const Converted as = conversions().at(name.toStdString());
    const fs::path original = folder_of(as.folder);
    if (!fs::is_directory(original)) QSKIP("the material is not there");
    Folder folder;
    put_file(folder / "t.gguf", converted(as).bytes());
    if (name == "phimoe") {
      LibraryFiles files = library_files(original);
      files.config["router_jitter_noise"] = 0.01;
      files.config["rope_scaling"]["long_mscale"] = 1.2;
      const std::vector<TokenId> ids = {5, 17, 300, 6, 901};
      const auto expected =
          build_pretrained(files.config, files.generation, *files.tensors, original.string(), {})->run(ids, {}, {}, {});
      const auto found = open_gguf_model(folder / "t.gguf", {})->run(ids, {}, {}, {});
      QCOMPARE(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) QVERIFY(difference(found[i].value, expected[i].value) <= 1e-6);
      return;
    }
    QVERIFY(compared_with(original / "reference.npz", folder / "t.gguf") >= 4);
  }

  void values_that_do_not_go_with_keys_are_refused() {
    Folder folder;
    Bytes bytes;
    bytes.key("general.architecture", 8, Bytes::text("deepseek2"));
    bytes.tensor("blk.0.attn_k_b.weight", {2, 3, 2}, 0, std::string(48, '\0'));
    bytes.tensor("blk.0.attn_v_b.weight", {4, 2, 2}, 0, std::string(64, '\0'));
    put_file(folder / "t.gguf", bytes.bytes());
    QVERIFY(message_of<FormatError>([&] {
              gguf::FolderView(std::make_shared<const GgufFile>(folder / "t.gguf"), *gguf::architecture_of("deepseek2"),
                               {});
            }).contains("\"blk.0.attn_v_b.weight\": values [2 x 2 x 4] do not go with keys [2 x 3 x 2]"));
  }
};

HEADLIGHT_TEST(TestGgufConverted)

}  // namespace headlight::test_gguf_converted

#include "test_gguf_converted.moc"
