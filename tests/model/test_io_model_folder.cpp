// Model folders: what is saved comes back, and each damaged folder with its message.

#include <unistd.h>

#include <limits>

#include "model/decode/run.h"
#include "model/io/file.h"
#include "model/io/json_file.h"
#include "model/io/model_folder.h"
#include "model/io/verify.h"
#include "model/models/registry.h"
#include "tests/model/io_helpers.h"
#include "tests/test_program.h"

namespace headlight::test_io_model_folder {

using namespace headlight::testing;

namespace {

// A model with 5 source tokens, 4 target tokens, D = 3, H = 4.
ModelBundle bundle(const char* architecture = "attn_seq2seq") {
  ModelBundle made;
  made.model = tiny_model(architecture, true, {3, 4, 5, 4});
  made.text.source = Tokenizer(Vocabulary({" ", "a", "b", "c", "字"}));
  made.text.target = Tokenizer(Vocabulary({"_", "x", "y", "$"}));
  made.title = "A title";
  made.description = "What it does.";
  made.task = "date";
  made.order = 3;
  made.examples = {"ab", "字"};
  made.text.source_width = 4;
  made.text.target_length = 2;
  made.text.bos = 0;
  made.text.eos = 3;
  return made;
}

// A saved model whose files a test damages.
class Saved {
 public:
  explicit Saved(StorageType type = StorageType::f32) { save_model(path(), bundle(), "# Card\n", type); }
  fs::path path() const { return folder_ / "tiny"; }
  fs::path operator/(const char* name) const { return path() / name; }
  template <typename Change>
  void change_config(Change change) const {
    Json config = Json::parse(get_file(path() / "config.json"));
    change(config);
    put_file(path() / "config.json", config.dump());
  }
  std::vector<NamedTensor> weights() const {
    std::vector<NamedTensor> tensors;
    const ModelBundle made = bundle();
    for (const Parameter& p : made.model->parameters().all()) tensors.push_back({p.name, p.value.clone()});
    return tensors;
  }
  void put_weights(const std::vector<NamedTensor>& tensors) const {
    write_safetensors(path() / "model.safetensors", tensors, {}, StorageType::f32);
  }

  // The message of the error that loading gives, with the folder shown as DIR.
  template <typename E = FormatError>
  QString refusal() const {
    QString message = message_of<E>([&] { load_model(path().string()); });
    return message.replace(QString::fromStdString(path().string()), "DIR");
  }
  template <typename Change>
  QString config_refusal(Change change) const {
    change_config(change);
    return refusal();
  }

 private:
  Folder folder_;
};

class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~Environment() { unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
};

}  // namespace

class TestIoModelFolder : public QObject {
  Q_OBJECT

 private slots:
  // Folders from before the biases of the additive score do not say which they have: their weights do.
  void score_biases_follow_from_the_weights_data() {
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<QString>("bias");
    for (const char* architecture : {"bahdanau", "bahdanau_m30k", "hard_attention"})
      for (const char* bias : {"none", "hidden", "both"})
        QTest::addRow("%s %s", architecture, bias) << QString(architecture) << QString(bias);
  }
  void score_biases_follow_from_the_weights() {
    QFETCH(QString, architecture);
    QFETCH(QString, bias);
    Folder folder;
    ModelBundle made = bundle();
    made.model = make_model({{"model_type", architecture.toStdString()},
                             {"source_vocabulary_size", 5},
                             {"target_vocabulary_size", 4},
                             {"attention.bias", bias.toStdString()}},
                            3);
    save_model(folder / "m", made, "# Card\n", StorageType::f32);
    Json config = Json::parse(get_file(folder / "m" / "config.json"));
    QCOMPARE(config["model"]["attention.bias"], Json(bias.toStdString()));
    const auto explicitly = load_model((folder / "m").string());
    config["model"].erase("attention.bias");
    put_file(folder / "m" / "config.json", config.dump());
    const auto read = load_model((folder / "m").string());
    QCOMPARE(read->model->config()["attention.bias"], Json(bias.toStdString()));
    QCOMPARE(read->model->parameters().count(), explicitly->model->parameters().count());
  }

  void saved_models_come_back_data() {
    QTest::addColumn<QString>("architecture");
    for (const char* name : kArchitectures) QTest::newRow(name) << name;
  }
  void saved_models_come_back() {
    QFETCH(QString, architecture);
    Folder folder;
    const ModelBundle made = bundle(qPrintable(architecture));
    save_model(folder / "m", made, "# Card\n", StorageType::f64);
    const auto loaded = load_model((folder / "m").string());
    QCOMPARE(loaded->name, std::string("m"));
    QCOMPARE(loaded->title, made.title);
    QCOMPARE(loaded->description, made.description);
    QCOMPARE(loaded->task, made.task);
    QCOMPARE(loaded->order, made.order);
    QCOMPARE(loaded->examples, made.examples);
    QCOMPARE(loaded->text.source_width, made.text.source_width);
    QCOMPARE(loaded->text.target_length, made.text.target_length);
    QCOMPARE(loaded->text.bos, made.text.bos);
    QVERIFY(loaded->text.eos == made.text.eos);
    QVERIFY(loaded->warnings.empty());
    QCOMPARE(loaded->source_vocabulary().tokens(), made.source_vocabulary().tokens());
    QCOMPARE(loaded->target_vocabulary().tokens(), made.target_vocabulary().tokens());
    QVERIFY(loaded->model->config() == made.model->config());
    const auto &a = loaded->model->parameters().all(), &b = made.model->parameters().all();
    QCOMPARE(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      QCOMPARE(a[i].name, b[i].name);
      QCOMPARE(a[i].value.values(), b[i].value.values());
    }
    QCOMPARE(get_file(folder / "m" / "README.md"), std::string("# Card\n"));
  }
  void float16_weights_are_rounded() {
    const Saved saved(StorageType::f16);
    const auto loaded = load_model(saved.path().string());
    const ModelBundle made = bundle();
    QVERIFY(same(difference(loaded->model->parameters().all()[0].value, made.model->parameters().all()[0].value, 5e-4),
                 "weights"));
  }
  void folder_with_a_slash_at_the_end_has_its_name() {
    const Saved saved;
    QCOMPARE(load_model(saved.path().string() + "/")->name, std::string("tiny"));
  }
  void model_of_shapes_only_says_what_the_real_one_needs() {
    for (const char* name : kArchitectures) {
      const auto model = tiny_model(name, false, {6, 5, 9, 8});
      const auto expected = make_model(model->config(), {InitialValues::Kind::none});
      QCOMPARE(expected->parameters().all().size(), model->parameters().all().size());
      for (std::size_t i = 0; i < model->parameters().all().size(); ++i) {
        const Parameter& plan = expected->parameters().all()[i];
        QCOMPARE(plan.name, model->parameters().all()[i].name);
        QCOMPARE(plan.value.shape(), model->parameters().all()[i].value.shape());
        QVERIFY(!plan.value.defined());
      }
    }
  }

  void missing_folder() {
    Folder folder;
    const Environment models("HEADLIGHT_MODELS", folder.path().string());
    QCOMPARE(message_of<FileError>([] { load_model("./no/such"); }),
             QString("there is no model folder ./no/such, and no model is bundled"));
  }
  void unknown_name_lists_the_bundled_models() {
    Folder folder;
    ModelBundle made = bundle();
    for (const auto& [name, order] : {std::pair("late", 2), std::pair("early", 1)}) {
      made.order = order;
      save_model(folder / name, made, "", StorageType::f16);
    }
    fs::create_directory(folder / "broken");
    put_file(folder / "broken" / "config.json", "{");
    fs::create_directory(folder / "no model");
    const Environment models("HEADLIGHT_MODELS", folder.path().string());
    QCOMPARE(bundled_models(), (std::vector<fs::path>{folder / "early", folder / "late", folder / "broken"}));
    QCOMPARE(load_model("late")->order, 2);
    QCOMPARE(message_of<FileError>([] { load_model("lat"); }),
             QString("there is no model folder lat; did you mean 'late'?"));
    QCOMPARE(message_of<FileError>([] { load_model("new"); }),
             QString("there is no model folder new; bundled models: early, late, broken"));
  }
  void file_instead_of_a_folder() {
    Folder folder;
    put_file(folder / "f", "");
    const std::string path = (folder / "f").string();
    QCOMPARE(message_of<FileError>([&] { load_model(path); }),
             QString::fromStdString("cannot open the model " + path +
                                    ": it is a file; expected a folder with "
                                    "config.json, model.safetensors and vocabulary.json"));
  }
  void missing_config() {
    const Saved saved;
    fs::remove(saved / "config.json");
    QCOMPARE(saved.refusal<FormatError>(),
             QString("DIR: there is no config.json in this folder: nothing says which model the weights are of; "
                     "'headlight inspect' lists its tensors"));
  }
  void missing_weights() {
    const Saved saved;
    fs::remove(saved / "model.safetensors");
    QCOMPARE(saved.refusal<FileError>(), QString("cannot read DIR/model.safetensors: there is no such file or folder"));
  }
  void missing_vocabulary() {
    const Saved saved;
    fs::remove(saved / "vocabulary.json");
    QCOMPARE(saved.refusal<FileError>(), QString("cannot read DIR/vocabulary.json: there is no such file or folder"));
  }
  void config_of_more_than_1_MiB() {
    const Saved saved;
    put_file(saved / "config.json", std::string((1u << 20) + 1, ' '));
    QCOMPARE(saved.refusal<FileError>(),
             QString("cannot read DIR/config.json: it has 1,048,577 bytes, at most 1,048,576 bytes are expected here"));
  }
  void config_that_is_no_json() {
    const Saved saved;
    put_file(saved / "config.json", "{\"format\": }");
    QCOMPARE(saved.refusal(), QString("DIR/config.json: not valid JSON (byte 12)"));
  }
  void config_that_is_a_list() {
    const Saved saved;
    put_file(saved / "config.json", "[]");
    QCOMPARE(saved.refusal(), QString("DIR/config.json: expected an object, found an array"));
  }
  void config_with_a_repeated_key() {
    const Saved saved;
    put_file(saved / "config.json", "{\"format\": 1, \"format\": 1}");
    QCOMPARE(saved.refusal(), QString("DIR/config.json: the key \"format\" is there twice"));
  }
  void config_nested_too_deeply() {
    const Saved saved;
    put_file(saved / "config.json", "{\"a\":" + std::string(100'000, '['));
    QCOMPARE(saved.refusal(), QString("DIR/config.json: nested more than 64 levels deep"));
  }
  void config_of_a_newer_format() {
    QCOMPARE(Saved().config_refusal([](Json& c) { c["format"] = 2; }),
             QString("DIR/config.json: format: expected 1, found 2; a newer Headlight wrote this model"));
  }
  void config_without_model_type() {
    QCOMPARE(Saved().config_refusal([](Json& c) { c.erase("model_type"); }),
             QString("DIR/config.json: model_type: missing"));
  }
  void everything_that_is_missing_is_told_at_once() {
    QCOMPARE(Saved().config_refusal([](Json& c) {
      c.erase("model_type");
      c["text"].erase("bos");
      c["text"].erase("lower_case");
    }),
             QString("DIR/config.json: model_type, text.bos and text.lower_case are missing"));
    QCOMPARE(Saved().config_refusal([](Json& c) { c = Json::object(); }),
             QString("DIR/config.json: format, model_type, model and text are missing"));
  }
  void what_can_have_a_default_has_one() {
    const Saved saved;
    saved.change_config([](Json& c) {
      for (const char* key : {"source_width", "target_length", "longest_source"}) c["text"].erase(key);
      for (const char* key : {"source_vocabulary_size", "target_vocabulary_size"}) c["model"].erase(key);
    });
    const auto loaded = load_model(saved.path().string());
    QCOMPARE(loaded->text.source_width, Index{0});
    QCOMPARE(loaded->text.target_length, Index{0});
    QCOMPARE(loaded->model->config().at("source_vocabulary_size"), Json(loaded->source_vocabulary().size()));
  }
  void config_with_an_unknown_architecture() {
    const QString message = Saved().config_refusal([](Json& c) { c["model_type"] = "gpt9"; });
    QVERIFY2(message.startsWith("DIR/config.json: model_type: there is no architecture 'gpt9'; known: seq2seq,"),
             qPrintable(message));
  }
  void title_of_the_wrong_type() {
    QCOMPARE(Saved().config_refusal([](Json& c) { c["title"] = 5; }),
             QString("DIR/config.json: title: expected a text, found 5"));
  }
  void model_of_the_wrong_type() {
    QCOMPARE(Saved().config_refusal([](Json& c) { c["model"] = "big"; }),
             QString("DIR/config.json: model: expected an object, found \"big\""));
  }
  void examples_of_the_wrong_type() {
    QCOMPARE(Saved().config_refusal([](Json& c) {
      c["examples"] = {"a", 1};
    }),
             QString("DIR/config.json: examples[1]: expected a text, found 1"));
  }
  void width_of_the_wrong_type() {
    QCOMPARE(Saved().config_refusal([](Json& c) { c["text"]["source_width"] = "abc"; }),
             QString("DIR/config.json: text.source_width: expected a whole number from 0 to 4096, found \"abc\""));
  }
  void negative_length() {
    QCOMPARE(Saved().config_refusal([](Json& c) { c["text"]["target_length"] = -1; }),
             QString("DIR/config.json: text.target_length: expected a whole number from 0 to 4096, found -1"));
  }
  void length_beyond_64_bits() {
    QCOMPARE(Saved().config_refusal([](Json& c) { c["text"]["target_length"] = UINT64_MAX; }),
             QString("DIR/config.json: text.target_length: expected a whole number from 0 to 4096, found "
                     "18446744073709551615"));
  }
  void texts_of_words_and_byte_pairs_come_back() {
    Folder folder;
    ModelBundle made = bundle();
    made.model = tiny_model("attn_seq2seq", true, {3, 4, 7, 8});
    made.text = rules_with_end(TokenizerKind::words, {"a", "b", "c"}, {"x", "y", "xy</w>", "z"}, true);
    made.text.target = Tokenizer(made.text.target.vocabulary(), TokenizerKind::bpe, true, {{"x", "y</w>"}});
    made.text.source_eos = true;
    made.text.longest_source = 9;
    save_model(folder / "m", made, "", StorageType::f32);
    const TextRules loaded = load_model((folder / "m").string())->text;
    QCOMPARE(loaded.source.kind(), TokenizerKind::words);
    QCOMPARE(loaded.target.kind(), TokenizerKind::bpe);
    QVERIFY(loaded.source.lower_case() && loaded.target.lower_case());
    QVERIFY(loaded.source.merges().empty());
    QCOMPARE(loaded.target.merges(), (Merges{{"x", "y</w>"}}));
    QVERIFY(loaded.eos == TokenId{2} && loaded.pad == TokenId{0} && loaded.bos == 1 && loaded.source_eos);
    QCOMPARE(loaded.target_length, Index{0});
    QCOMPARE(loaded.longest_source, Index{9});
    QCOMPARE(loaded.target.split("XY")[0].id.value(), TokenId{6});
  }
  void older_configs_are_read_as_they_were_meant() {
    const Saved saved;
    saved.change_config([](Json& c) {
      c["text"] = Json{{"source_width", 4}, {"target_length", 2}, {"bos", "_"}, {"eos", nullptr}};
    });
    const TextRules loaded = load_model(saved.path().string())->text;
    QVERIFY(loaded.source.kind() == TokenizerKind::characters && loaded.target.kind() == TokenizerKind::characters);
    QVERIFY(!loaded.source.lower_case() && !loaded.eos && !loaded.pad && !loaded.source_eos);
    QCOMPARE(loaded.longest_source, Index{4});
  }
  void a_removed_key_does_not_change_the_tokenizer() {
    for (const char* key : {"source_tokenizer", "target_tokenizer", "lower_case"})
      QCOMPARE(Saved().config_refusal([&](Json& c) { c["text"].erase(key); }),
               QString("DIR/config.json: text.%1: missing").arg(key));
  }
  void whole_numbers_are_no_weights() {
    const Saved saved;
    std::string bytes = get_file(saved / "model.safetensors");
    for (std::size_t at = bytes.find("\"F32\""); at != std::string::npos; at = bytes.find("\"F32\"", at))
      bytes.replace(at, 5, "\"I32\"");
    put_file(saved / "model.safetensors", bytes);
    const QString message = saved.refusal();
    QVERIFY2(message.startsWith("DIR/model.safetensors: tensor \"") &&
                 message.endsWith("expected weights of type F16, BF16, F32 or F64, found I32"),
             qPrintable(message));
  }
  void refused_texts_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* key, const char* value, const char* message) {
      QTest::newRow(qPrintable(QString("%1 %2").arg(key, value))) << key << value << message;
    };
    row("source_tokenizer", "\"sentences\"", "expected \"characters\", \"words\" or \"bpe\", found \"sentences\"");
    row("target_tokenizer", "3", "expected a text, found 3");
    row("lower_case", "1", "expected true or false, found 1");
    row("source_eos", "\"yes\"", "expected true or false, found \"yes\"");
    row("longest_source", "-1", "expected a whole number from 0 to 4096, found -1");
    row("pad", "\"?\"", "\"?\" is not in the target vocabulary");
    row("pad", "\"x\"", "\"x\" has to be number 1 of the source vocabulary, too");
  }
  void refused_texts() {
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(QString, message);
    QCOMPARE(Saved().config_refusal([&](Json& c) { c["text"][key.toStdString()] = Json::parse(value.toStdString()); }),
             "DIR/config.json: text." + key + ": " + message);
  }
  void masks_and_start_signs_of_sources_are_kept() {
    const Folder folder;
    ModelBundle made;
    made.model = tiny_model("attn_seq2seq", true, {3, 4, 6, 6});
    made.text = rules_with_end(TokenizerKind::words, {kMask, "a"}, {kMask, "a"});
    made.text.source_bos = true;
    made.text.mask = TokenId{4};
    save_model(folder / "m", made, "", StorageType::f32);
    const TextRules loaded = load_model((folder / "m").string())->text;
    QVERIFY(loaded.source_bos && loaded.mask == TokenId{4} && !loaded.source_eos);
  }
  void start_sign_that_sources_lack() {
    QCOMPARE(Saved().config_refusal([](Json& c) { c["text"]["source_bos"] = true; }),
             QString("DIR/config.json: text.bos: \"_\" has to be number 0 of the source vocabulary, too"));
  }
  void end_sign_that_sources_lack() {
    QCOMPARE(Saved().config_refusal([](Json& c) { c["text"]["source_eos"] = true; }),
             QString("DIR/config.json: text.eos: \"$\" has to be number 3 of the source vocabulary, too"));
  }
  void source_end_without_an_end() {
    QCOMPARE(Saved().config_refusal([](Json& c) {
      c["text"]["eos"] = nullptr;
      c["text"]["source_eos"] = true;
    }),
             QString("DIR/config.json: text.source_eos: sources end with \"eos\", but there is none"));
  }
  void refused_merges_data() {
    QTest::addColumn<QString>("merges");
    QTest::addColumn<QString>("message");
    QTest::newRow("no list") << "{}"
                             << "vocabulary.json: source_merges: expected a list of texts, found an object";
    QTest::newRow("one symbol") << "[\"ab\"]"
                                << "vocabulary.json: source_merges[0]: expected two symbols with a space between them, "
                                   "found \"ab\"";
    QTest::newRow("three symbols") << "[\"a b\", \"a b c\"]"
                                   << "vocabulary.json: source_merges[1]: expected two symbols with a space between "
                                      "them, found \"a b c\"";
    QTest::newRow("half") << "[\"a \"]"
                          << "vocabulary.json: source_merges[0]: expected two symbols with a space between them, found "
                             "\"a \"";
    QTest::newRow("result")
        << "[\"a b\"]"
        << "config.json: text.source_tokenizer: vocabulary.json: merge 0 makes \"ab\", which is not "
           "in the vocabulary";
  }
  void refused_merges() {
    QFETCH(QString, merges);
    QFETCH(QString, message);
    const Saved saved;
    Json json = Json::parse(get_file(saved / "vocabulary.json"));
    json["source_merges"] = Json::parse(merges.toStdString());
    put_file(saved / "vocabulary.json", json.dump());
    QCOMPARE(saved.refusal(), "DIR/" + message);
  }
  void unknown_text_setting() {
    QCOMPARE(Saved().config_refusal([](Json& c) { c["text"]["padd"] = "x"; }),
             QString("DIR/config.json: text.padd: unknown setting"));
  }
  void start_sign_outside_the_vocabulary() {
    QCOMPARE(Saved().config_refusal([](Json& c) { c["text"]["bos"] = "?"; }),
             QString("DIR/config.json: text.bos: \"?\" is not in the target vocabulary"));
  }
  void reverse_source_of_the_wrong_type() {
    const QString message = Saved().config_refusal([](Json& c) { c["model"]["reverse_source"] = 1; });
    QCOMPARE(message, QString("DIR/config.json: model: \"reverse_source\" must be true or false, found 1"));
  }
  void unknown_model_setting() {
    QCOMPARE(Saved().config_refusal([](Json& c) { c["model"]["hidden_sise"] = 8; }),
             QString("DIR/config.json: model: \"hidden_sise\" is not a setting of attn_seq2seq"));
  }
  void config_that_disagrees_with_the_weights() {
    QCOMPARE(Saved().config_refusal([](Json& c) { c["model"]["hidden_size"] = 8; }),
             QString("DIR/model.safetensors: tensor \"encoder.lstm.Wx\": expected [3 x 32], as config.json says, found "
                     "[3 x 16]"));
  }
  void absurd_sizes_take_no_memory() {
    QCOMPARE(
        Saved().config_refusal([](Json& c) { c["model"]["hidden_size"] = 1'000'000'000; }),
        QString("DIR/config.json: model: \"hidden_size\" must be a whole number from 1 to 16384, found 1000000000"));
  }
  void sizes_within_bounds_but_beyond_memory() {
    QCOMPARE(Saved().config_refusal([](Json& c) {
      c["model"]["hidden_size"] = 16384;
      c["model"]["embedding_size"] = 16384;
    }),
             QString("DIR/model.safetensors: tensor \"encoder.embed.W\": expected [5 x 16384], as config.json says, "
                     "found [5 x 3]"));
  }
  void size_beyond_all_bounds() {
    QVERIFY(Saved()
                .config_refusal([](Json& c) { c["model"]["hidden_size"] = UINT64_MAX; })
                .startsWith("DIR/config.json: model: \"hidden_size\" must be a whole number from 1 to "));
  }
  void size_of_zero() {
    QVERIFY(Saved()
                .config_refusal([](Json& c) { c["model"]["hidden_size"] = 0; })
                .startsWith("DIR/config.json: model: \"hidden_size\" must be a whole number from 1 to "));
  }
  void vocabulary_that_disagrees_with_the_config() {
    QCOMPARE(Saved().config_refusal([](Json& c) { c["model"]["source_vocabulary_size"] = 6; }),
             QString("DIR/config.json: model.source_vocabulary_size: expected 5, as many as there are source tokens in "
                     "vocabulary.json, found 6"));
  }
  void vocabulary_with_a_repeated_token() {
    const Saved saved;
    put_file(saved / "vocabulary.json", "{\"source\": [\"a\", \"a\"], \"target\": [\"x\"]}");
    QCOMPARE(saved.refusal(), QString("DIR/vocabulary.json: source: vocabulary: token 1 repeats token 0 (\"a\")"));
  }
  void vocabulary_with_a_number() {
    const Saved saved;
    put_file(saved / "vocabulary.json", "{\"source\": [1], \"target\": [\"x\"]}");
    QCOMPARE(saved.refusal(), QString("DIR/vocabulary.json: source[0]: expected a text, found 1"));
  }
  void vocabulary_without_space_for_padding() {
    const Saved saved;
    put_file(saved / "vocabulary.json",
             "{\"source\": [\"1\", \"2\", \"3\", \"4\", \"5\"], \"target\": [\"_\", \"x\", \"y\", \"$\"]}");
    QCOMPARE(saved.refusal(), QString("DIR/config.json: text.source_width: short sources are padded with spaces, but "
                                      "the source vocabulary has no space"));
  }
  void missing_tensor() {
    const Saved saved;
    std::vector<NamedTensor> tensors = saved.weights();
    tensors.pop_back();
    saved.put_weights(tensors);
    QCOMPARE(saved.refusal(),
             QString("DIR/model.safetensors: tensor \"decoder.affine.b\": expected [4], but it is missing"));
  }
  void extra_tensor() {
    const Saved saved;
    std::vector<NamedTensor> tensors = saved.weights();
    tensors.push_back({"more", Tensor::zeros({2, 2})});
    saved.put_weights(tensors);
    QCOMPARE(saved.refusal(), QString("DIR/model.safetensors: tensor \"more\": the model that config.json describes "
                                      "has no such tensor, found [2 x 2]"));
  }
  void wrong_shape() {
    const Saved saved;
    std::vector<NamedTensor> tensors = saved.weights();
    tensors.back().value = Tensor::zeros({2, 2});
    saved.put_weights(tensors);
    QCOMPARE(saved.refusal(), QString("DIR/model.safetensors: tensor \"decoder.affine.b\": expected [4], as "
                                      "config.json says, found [2 x 2]"));
  }
  void truncated_weights() {
    const Saved saved;
    fs::resize_file(saved / "model.safetensors", fs::file_size(saved / "model.safetensors") - 7);
    QCOMPARE(saved.refusal(), QString("DIR/model.safetensors: the file is cut off (an interrupted download?); missing "
                                      "at the end: 7 bytes"));
  }
  void weights_that_are_a_pointer() {
    const Saved saved;
    put_file(saved / "model.safetensors", "version https://git-lfs.github.com/spec/v1\n");
    QCOMPARE(saved.refusal(), QString("DIR/model.safetensors: this is a Git LFS pointer, not the file itself; fetch it "
                                      "with 'git lfs pull'"));
  }
  void nan_weights_are_a_warning() {
    const Saved saved;
    std::vector<NamedTensor> tensors = saved.weights();
    const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN(), infinity = std::numeric_limits<Scalar>::infinity();
    tensors.back().value = Tensor::vector({nan, nan, 1, -infinity});
    tensors.front().value[0] = nan;
    saved.put_weights(tensors);
    const auto loaded = load_model(saved.path().string());
    QCOMPARE(loaded->warnings,
             (std::vector<std::string>{
                 "encoder.embed.W contains 1 NaN value; results that depend on it are shown as missing",
                 "decoder.affine.b contains 2 NaN and 1 infinite values; results that depend on them are shown as "
                 "missing"}));
  }

  void full_disk_keeps_the_saved_model() {
    const Saved saved;
    const std::string weights = get_file(saved / "model.safetensors"), config = get_file(saved / "config.json");
    ModelBundle made = bundle();
    made.title = "Another";
    QString message;
    {
      const FileSizeLimit limit(100);
      message = message_of<FileError>([&] { save_model(saved.path(), made, "", StorageType::f32); });
    }
    QCOMPARE(message, QString::fromStdString("cannot write " + (saved / "model.safetensors").string() +
                                             ": the file would be larger than this system allows"));
    QVERIFY(get_file(saved / "model.safetensors") == weights);
    QVERIFY(get_file(saved / "config.json") == config);
    QCOMPARE(load_model(saved.path().string())->title, std::string("A title"));
  }
  void saving_into_a_file() {
    Folder folder;
    put_file(folder / "f", "");
    QCOMPARE(message_of<FileError>([&] { save_model(folder / "f", bundle(), "", StorageType::f32); }),
             QString::fromStdString("cannot make the folder " + (folder / "f").string() +
                                    ": a part of the path is a file, not a folder"));
  }
};

HEADLIGHT_TEST(TestIoModelFolder)

}  // namespace headlight::test_io_model_folder

#include "test_io_model_folder.moc"
