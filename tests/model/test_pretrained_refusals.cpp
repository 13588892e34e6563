// Models of other libraries that do not run: the setting, the tensor or the layer that is in the way is named.

#include "model/io/formats/families/family.h"
#include "model/io/formats/format.h"
#include "model/io/formats/pretrained/pretrained_models.h"
#include "model/io/json_file.h"
#include "tests/model/io_helpers.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_pretrained_refusals {

using namespace headlight::testing;

class TestPretrainedRefusals : public QObject {
  Q_OBJECT

 private slots:
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
    // Of families beyond, what their library obeys or stumbles over.
    const auto near = [&](const char* type, const char* more, const char* said) {
      const QByteArray sizes =
          "'vocab_size': 8, 'hidden_size': 8, 'num_attention_heads': 2, 'intermediate_size': 4, 'num_hidden_layers': 2";
      row((type + QByteArray(" ") + more).constData(),
          "{'model_type': '" + QByteArray(type) + "', " + sizes + more + "}",
          *said ? "models of model_type \"" + QByteArray(type) + "\" do not run with this configuration: " + said : "");
    };
    near("olmo", ", 'clip_qkv': 0", "clip_qkv: expected a number above 0, found 0");
    near("olmo", ", 'clip_qkv': null, 'rms_norm_eps': 3", "");
    near("olmo", ", 'partial_rotary_factor': 0.5",
         "partial_rotary_factor: heads that are turned in part are not known of this family, found 0.5");
    near("smollm3", ", 'no_rope_layers': [1]", "no_rope_layers: expected a list of 2 numbers 0 or 1, found [1]");
    near("smollm3", ", 'no_rope_layers': [1, 2]", "no_rope_layers: expected a list of 2 numbers 0 or 1, found [1,2]");
    near("smollm3", ", 'no_rope_layers': [1, 0, 1]", "");
    near("cohere2", ", 'sliding_window_pattern': 0", "sliding_window_pattern: expected a number above 0, found 0");
    near("granite", ", 'logits_scaling': 0", "logits_scaling: expected a number above 0, found 0");
    near("granite", ", 'embedding_multiplier': 0", "embedding_multiplier: expected a number above 0, found 0");
    near("nemotron", ", 'hidden_act': 'wonder'", "hidden_act: the activation \"wonder\" is not implemented");
    near("olmo3", ", 'layer_types': ['full_attention', 'linear_attention']",
         "layer_types: layers of type \"linear_attention\" are not implemented");
    near("falcon", ", 'new_decoder_architecture': true, 'parallel_attn': false",
         "parallel_attn: expected true, where new_decoder_architecture is, found false");
    near("falcon", ", 'num_ln_in_parallel_attn': 2", "num_ln_in_parallel_attn: expected 1, found 2");
    near("phi", ", 'qk_layernorm': 1", "qk_layernorm: expected true or false, found 1");
    row("codegen, heads that do not go into its blocks",
        "{'model_type': 'codegen', 'vocab_size': 8, 'n_embd': 12, 'n_head': 6, 'n_layer': 1, 'rotary_dim': 2}",
        "models of model_type \"codegen\" do not run with this configuration: n_head: expected a multiple of 4, found "
        "6");
    row("gptj that is turned further than its heads",
        "{'model_type': 'gptj', 'vocab_size': 8, 'n_embd': 12, 'n_head': 2, 'n_layer': 1, 'rotary_dim': 8}",
        "models of model_type \"gptj\" do not run with this configuration: \"rotary_dim\" must be a whole number from "
        "0 to "
        "6, found 8");
    row("bloom by its other names",
        "{'model_type': 'bloom', 'vocab_size': 8, 'hidden_size': 8, 'num_attention_heads': 2, 'num_hidden_layers': 1, "
        "'n_inner': 5, 'offset_alibi': 100}",
        "");
    row("bloom by both names",
        "{'model_type': 'bloom', 'vocab_size': 8, 'hidden_size': 12, 'n_embed': 8, 'n_head': 2, 'n_layer': 1}",
        "models of model_type \"bloom\" with the setting \"hidden_size\" 12 do not run here: it is not known, and may "
        "change what is computed");
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

HEADLIGHT_TEST(TestPretrainedRefusals)

}  // namespace headlight::test_pretrained_refusals

#include "test_pretrained_refusals.moc"
