// Settings, texts and vocabulary of a model folder: what older ones meant, what can be missing, and each damage with
// its message.

#include <QtTest>

#include "model/io/model_folder.h"
#include "tests/model/io_helpers.h"
#include "tests/model/saved_model.h"
#include "tests/test_program.h"

namespace headlight::test_io_config {

using namespace headlight::testing;

class TestIoConfig : public QObject {
  Q_OBJECT

 private slots:
  void missing_config() {
    const Saved saved;
    fs::remove(saved / "config.json");
    QCOMPARE(saved.refusal<FormatError>(),
             QString("DIR: there is no config.json in this folder: nothing says which model the weights are of; "
                     "'headlight inspect' lists its tensors"));
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
};

HEADLIGHT_TEST(TestIoConfig)

}  // namespace headlight::test_io_config

#include "test_io_config.moc"
