// Models of other libraries: every value that their own library has written for them, and what they write.

#include <cmath>
#include <limits>
#include <map>

#include "model/io/formats/families/family.h"
#include "model/io/formats/format.h"
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

fs::path committed() { return fs::path(HEADLIGHT_TEST_DATA) / "families"; }
// Of settings and heads that the material has no folder of: tests/reference/elsewhere.py or library.py wrote them.
fs::path drawn() { return fs::path(HEADLIGHT_TEST_DATA) / "drawn"; }

std::vector<TokenId> ids_of(const Tensor& tensor) {
  std::vector<TokenId> ids;
  for (Index i = 0; i < tensor.size(); ++i) ids.push_back(static_cast<TokenId>(tensor[i]));
  return ids;
}

// Empty when it is within 1e-4 of the largest value that is expected.
std::string difference_of(const Tensor& found, const Tensor& expected) {
  if (found.shape() != expected.shape())
    return "expected " + expected.shape().text() + ", found " + found.shape().text();
  double largest = 0, worst = 0;
  for (Index i = 0; i < found.size(); ++i) {
    if (!std::isfinite(found[i])) return "found a number that is none";
    largest = std::max(largest, std::abs(static_cast<double>(expected[i])));
    worst = std::max(worst, std::abs(static_cast<double>(expected[i]) - static_cast<double>(found[i])));
  }
  return worst <= 1e-4 * largest ? std::string()
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
                             "marian-unequal"})
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

  // What is not computed as the library does is named, never ignored.
  void why_others_do_not_run_data() {
    QTest::addColumn<QString>("config");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const QByteArray& config, const QByteArray& said) {
      QString json = QString::fromUtf8(config);
      QTest::newRow(name) << json.replace('\'', '"') << QString(said);
    };
    row("unknown", "{'model_type': 'wonder'}", "models of model_type \"wonder\" do not run here");
    row("none", "{}", "models of model_type \"\" do not run here");
    row("relative positions", "{'model_type': 'bert', 'position_embedding_type': 'relative_key'}",
        "models of model_type \"bert\" with position_embedding_type \"relative_key\" do not run here");
    row("a setting that is not known", "{'model_type': 'gpt2', 'wonder': 1}",
        "models of model_type \"gpt2\" with the setting \"wonder\" 1 do not run here: it is not known, and may change "
        "what is computed");
    row("rope",
        "{'model_type': 'llama', 'vocab_size': 8, 'hidden_size': 4, 'num_attention_heads': 2, 'intermediate_size': "
        "4, 'num_hidden_layers': 1, 'rope_scaling': {'rope_type': 'wonder'}}",
        "models of model_type \"llama\" do not run with this configuration: rope_scaling: the rope type \"wonder\" is "
        "not implemented");
    const auto llama = [&](const char* name, const char* more, const char* said) {
      const QByteArray config = QByteArray(
                                    "{'model_type': 'llama', 'vocab_size': 8, 'hidden_size': 4, "
                                    "'num_attention_heads': 2, 'intermediate_size': 4, 'num_hidden_layers': 1, ") +
                                more + "}";
      row(name, config, ("models of model_type \"llama\" do not run with this configuration: " + QByteArray(said)));
    };
    llama("rope that does not know what is long", "'rope_scaling': {'rope_type': 'dynamic', 'factor': 2}",
          "rope_scaling: max_position_embeddings: missing");
    llama("rope of a single pair",
          "'rope_scaling': {'rope_type': 'dynamic', 'factor': 2}, 'max_position_embeddings': 8",
          "\"rope_scaling\" of type \"dynamic\" needs more than one pair that is turned");
    llama("heads, by their names", "'num_key_value_heads': 3",
          "\"num_key_value_heads\" must be a whole number from 0 to 2, found 3");
    llama("rope without its factor", "'rope_scaling': {'rope_type': 'llama3'}", "rope_scaling: factor: missing");
    llama("rope, a key", "'rope_parameters': {'rope_type': 'default', 'wonder': 1}",
          "rope_parameters: the key \"wonder\" is not known");
    llama("rope, a text", "'rope_parameters': {'rope_type': 'linear', 'factor': 'x'}",
          "rope_parameters: factor: expected a number, found \"x\"");
    llama("rope, no object", "'rope_scaling': 3", "rope_scaling: expected an object, found 3");
    llama("layers", "'layer_types': ['chunked_attention']",
          "layer_types: layers of type \"chunked_attention\" are not implemented");
    llama("layers, too many", "'layer_types': ['full_attention', 'full_attention']",
          "layer_types: expected a list of 1, found [\"full_attention\",\"full_attention\"]");
    llama("a flag", "'attention_bias': 3", "attention_bias: expected true or false, found 3");
    row("gemma that looks both ways", "{'model_type': 'gemma2', 'use_bidirectional_attention': true}",
        "models of model_type \"gemma2\" with use_bidirectional_attention true do not run here");
    row("t5 units",
        "{'model_type': 't5', 'vocab_size': 8, 'd_model': 4, 'd_ff': 4, 'num_heads': 2, 'feed_forward_proj': "
        "'gated-wonder'}",
        "models of model_type \"t5\" do not run with this configuration: feed_forward_proj: the activation \"wonder\" "
        "is "
        "not implemented");
    row("bart of before", "{'model_type': 'bart', 'normalize_before': true}",
        "models of model_type \"bart\" with normalize_before true do not run here");
    row("umt5", "{'model_type': 'umt5'}", "models of model_type \"umt5\" do not run here");
    row("activation",
        "{'model_type': 'gpt2', 'vocab_size': 8, 'n_embd': 4, 'n_head': 2, 'n_layer': 1, 'n_positions': 8, "
        "'activation_function': 'wonder'}",
        "models of model_type \"gpt2\" do not run with this configuration: activation_function: the activation "
        "\"wonder\" "
        "is not implemented");
    // A short list that stands for 133 million layers takes no memory for them.
    QString kinds = "'local'";
    for (int i = 0; i < 18; ++i) kinds += ", " + kinds;
    row("layers without end",
        qPrintable("{'model_type': 'gpt_neo', 'vocab_size': 8, 'hidden_size': 4, 'num_heads': 2, 'num_layers': 2, "
                   "'max_position_embeddings': 8, 'attention_types': [[[" +
                   kinds + "], 512]]}"),
        "models of model_type \"gpt_neo\" do not run with this configuration: attention_types: expected 2 layers, "
        "found "
        "134217728");
    row("layers of another number",
        "{'model_type': 'gpt_neo', 'vocab_size': 8, 'hidden_size': 4, 'num_heads': 2, 'num_layers': 2, "
        "'max_position_embeddings': 8, 'attention_types': [[['global'], 1]]}",
        "models of model_type \"gpt_neo\" do not run with this configuration: attention_types: expected 2 layers, "
        "found 1");
    row("heads that were cut out", "{'model_type': 'bert', 'pruned_heads': {'0': [1]}}",
        "models of model_type \"bert\" with pruned_heads {\"0\":[1]} do not run here");
    // What programs leave behind in a configuration changes nothing.
    row("left behind",
        "{'model_type': 'gpt2', 'vocab_size': 8, 'n_embd': 4, 'n_head': 2, 'n_layer': 1, 'n_positions': 8, "
        "'_num_labels': 3, 'pruned_heads': {}, 'xla_device': true, 'tf_legacy_loss': false, "
        "'cross_attention_hidden_size': null, '_attn_implementation_autoset': true, 'unsloth_version': '2024.8', "
        "'transformers.js_config': {}, 'sentence_transformers': {'version': '4.1.0'}}",
        "");
    // Of published files, each with the numbers of a small model.
    row("opus-mt",
        "{'model_type': 'marian', 'vocab_size': 8, 'd_model': 4, 'encoder_layers': 1, 'decoder_layers': 1, "
        "'encoder_attention_heads': 2, 'decoder_attention_heads': 2, 'encoder_ffn_dim': 4, 'decoder_ffn_dim': 4, "
        "'max_position_embeddings': 8, '_num_labels': 3, 'add_bias_logits': false, 'add_final_layer_norm': false, "
        "'bad_words_ids': [[7]], 'classif_dropout': 0.0, 'decoder_vocab_size': 8, 'extra_pos_embeddings': 53685, "
        "'normalize_before': false, 'normalize_embedding': false, 'num_hidden_layers': 6, 'scale_embedding': true, "
        "'static_position_embeddings': true, 'num_beams': 6, 'max_length': 512}",
        "");
    row("distilbart",
        "{'model_type': 'bart', 'vocab_size': 8, 'd_model': 4, 'encoder_layers': 1, 'decoder_layers': 1, "
        "'encoder_attention_heads': 2, 'decoder_attention_heads': 2, 'encoder_ffn_dim': 4, 'decoder_ffn_dim': 4, "
        "'max_position_embeddings': 8, 'extra_pos_embeddings': 2, 'force_bos_token_to_be_generated': true, "
        "'replacing_rate': 0, 'save_step': 58, 'student_decoder_layers': null, 'student_encoder_layers': null, "
        "'normalize_embedding': true, 'static_position_embeddings': false, 'prefix': ' ', 'output_past': true}",
        "");
    row("llama of 2023",
        "{'model_type': 'llama', 'vocab_size': 8, 'hidden_size': 4, 'num_attention_heads': 2, 'intermediate_size': 4, "
        "'num_hidden_layers': 1, 'max_sequence_length': 2048, 'pad_token_id': -1, 'is_decoder': false, "
        "'add_cross_attention': false, 'use_return_dict': true}",
        "");
    row("mistral, saved by another program",
        "{'model_type': 'mistral', 'vocab_size': 8, 'hidden_size': 4, 'num_attention_heads': 2, 'intermediate_size': "
        "4, "
        "'num_hidden_layers': 1, 'mlp_bias': false, 'attention_bias': false, 'model_max_length': 2048}",
        "");
    row("a GPT-2 that reads a source", "{'model_type': 'gpt2', 'add_cross_attention': true}",
        "models of model_type \"gpt2\" with add_cross_attention true do not run here");
    const QByteArray gpt2 = "{'model_type': 'gpt2', 'vocab_size': 8, 'n_layer': 1, 'n_positions': 8, ";
    const QByteArray refused = "models of model_type \"gpt2\" do not run with this configuration: ";
    row("heads that do not divide the width", gpt2 + "'n_embd': 6, 'n_head': 4}",
        refused + "\"n_head\" 4 must divide \"n_embd\" 6");
    row("no heads", gpt2 + "'n_embd': 6, 'n_head': 0}",
        refused + "\"n_head\" must be a whole number from 1 to 1024, found 0");
    row("too many tokens",
        "{'model_type': 'gpt2', 'vocab_size': 2000000, 'n_layer': 1, 'n_positions': 8, 'n_embd': 4, "
        "'n_head': 2}",
        refused + "\"vocab_size\" must be a whole number from 1 to 1000000, found 2000000");
    // The library takes these names too; where both are given they have to agree.
    row("other names",
        "{'model_type': 'gpt2', 'vocab_size': 8, 'num_hidden_layers': 1, 'max_position_embeddings': 8, "
        "'hidden_size': 4, 'num_attention_heads': 2}",
        "");
    row("the same by two names", gpt2 + "'n_embd': 4, 'hidden_size': 4, 'n_head': 2}", "");
    row("two names, two sizes", gpt2 + "'n_embd': 4, 'hidden_size': 8, 'n_head': 2}",
        "models of model_type \"gpt2\" with the setting \"hidden_size\" 8 do not run here: it is not known, and may "
        "change what is computed");
    row("keys that say nothing",
        gpt2 +
            "'n_embd': 4, 'n_head': 2, 'wonder': null, 'wonder2': false, 'wonder3': '', "
            "'wonder4': [], 'wonder5': {}, '_wonder': 7, '//': 'a remark', 'use_flash_attn': true, "
            "'neftune_noise_alpha': 5, 'model_parallel': true, 'seq_length': 2048, 'is_decoder': true}",
        "");
    for (const char* value : {"0", "true", "'x'", "[0]", "{'a': null}"})
      row(value, gpt2 + "'n_embd': 4, 'n_head': 2, 'wonder': " + value + "}",
          "models of model_type \"gpt2\" with the setting \"wonder\" " +
              QByteArray(value).replace('\'', '"').replace(": ", ":") +
              " do not run here: it is not known, and may change what is computed");
    row("padding behind all positions",
        "{'model_type': 'roberta', 'vocab_size': 8, 'hidden_size': 4, 'num_attention_heads': 2, 'intermediate_size': "
        "4, "
        "'num_hidden_layers': 1, 'max_position_embeddings': 8, 'pad_token_id': 7}",
        "models of model_type \"roberta\" do not run with this configuration: pad_token_id: its position is in front "
        "of "
        "the others: expected less than 7 of max_position_embeddings 8, found 7");
    row("missing", "{'model_type': 'gpt2'}",
        "models of model_type \"gpt2\" do not run with this configuration: n_embd: missing");
    row("negative", "{'model_type': 'gpt2', 'n_embd': -1}",
        "models of model_type \"gpt2\" do not run with this configuration: n_embd: expected a whole number from 0 to "
        "10000000, found -1");
  }
  void why_others_do_not_run() {
    QFETCH(QString, config);
    QFETCH(QString, said);
    QCOMPARE(QString::fromStdString(why_not(parse_json(config.toStdString(), "config.json"))), said);
  }

  void what_no_number_depends_on_is_named() {
    const Json config = parse_json(
        "{\"model_type\": \"gpt2\", \"n_embd\": 4, \"use_flash_attn\": true, \"wonder\": [], \"_remark\": 1, "
        "\"hidden_size\": 4, "
        "\"bos_token_id\": 1, \"top_k\": 3, \"add_cross_attention\": false}",
        "config.json");
    QCOMPARE(ignored_keys(config), (std::vector<std::string>{"use_flash_attn", "wonder", "_remark"}));
  }

  // What inspect says is what a run does, and for the same reason.
  void asking_whether_it_runs_is_asking_the_same_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    const auto row = [](const char* name, const char* from, const char* to) { QTest::newRow(name) << from << to; };
    row("as it is", "\"n_layer\"", "\"n_layer\"");
    row("more layers", "\"n_layer\": 3", "\"n_layer\": 4");
    row("fewer layers", "\"n_layer\": 3", "\"n_layer\": 2");
    row("several in one", "\"n_embd\": 32", "\"n_embd\": 36");
    row("another width", "\"n_positions\": 64", "\"n_positions\": 65");
    row("another vocabulary", "\"vocab_size\": 641", "\"vocab_size\": 640");
    row("heads", "\"n_head\": 4", "\"n_head\": 5");
    row("a key", "\"n_head\": 4", "\"n_head\": 4, \"wonder\": 4");
    row("what comes next", "\"n_head\": 4", "\"n_head\": 4, \"repetition_penalty\": 0");
  }
  void asking_whether_it_runs_is_asking_the_same() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    Folder folder;
    fs::copy(committed() / "gpt2", folder / "m");
    fs::remove(folder / "m" / "generation_config.json");
    QString config = QString::fromStdString(get_file(folder / "m" / "config.json"));
    QVERIFY2(config.contains(from), qPrintable(config));
    fs::permissions(folder / "m" / "config.json", fs::perms::owner_write, fs::perm_options::add);
    put_file(folder / "m" / "config.json", config.replace(from, to).toStdString());
    const Contents asked = format_of(folder / "m")->contents(folder / "m");
    std::string opened;
    try {
      open_pretrained(folder / "m");
    } catch (const Error& error) {
      opened = error.what();
    }
    QCOMPARE(asked.runs, opened.empty());
    QCOMPARE(asked.reason.empty(), opened.empty());
    QVERIFY2(opened.find(asked.reason) != std::string::npos, (asked.reason + "\n" + opened).c_str());
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

  // The tensors have to be those that the configuration asks for.
  void tensors_have_to_fit_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("said");
    QTest::newRow("more layers") << "\"n_layer\": 3"
                                 << "\"n_layer\": 4"
                                 << "DIR: a tensor is missing: expected \"h.3.attn.c_attn.weight\"";
    QTest::newRow("fewer layers") << "\"n_layer\": 3"
                                  << "\"n_layer\": 2"
                                  << "is of a part that is not known";
    QTest::newRow("several in one") << "\"n_embd\": 32"
                                    << "\"n_embd\": 36"
                                    << "expected 108 columns, as config.json says, found [96]";
    QTest::newRow("another width") << "\"n_positions\": 64"
                                   << "\"n_positions\": 65"
                                   << "DIR: tensor \"transformer.wpe.weight\": expected to become [65 x 32], as "
                                      "config.json says, found [64 x 32]";
  }
  void tensors_have_to_fit() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, said);
    Folder folder;
    fs::copy(committed() / "gpt2", folder / "m");
    QString config = QString::fromStdString(get_file(folder / "m" / "config.json"));
    QVERIFY(config.contains(from));
    fs::permissions(folder / "m" / "config.json", fs::perms::owner_write, fs::perm_options::add);
    put_file(folder / "m" / "config.json", config.replace(from, to).toStdString());
    QString found = message_of<FormatError>([&] { open_pretrained(folder / "m"); });
    found.replace(QString::fromStdString((folder / "m").string()), "DIR");
    QVERIFY2(found.contains(said), qPrintable(found));
  }
};

HEADLIGHT_TEST(TestPretrainedModels)

}  // namespace headlight::test_pretrained_models

#include "test_pretrained_models.moc"
