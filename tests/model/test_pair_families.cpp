// Encoders with decoders of other libraries: their settings, what is refused, and the codes of languages.

#include <QtTest>

#include "model/core/json_library.h"
#include "model/decode/run.h"
#include "model/io/formats/families/family.h"
#include "model/io/formats/pretrained/pretrained_models.h"
#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "model/io/json_file.h"
#include "model/io/model_folder.h"
#include "model/text/pretrained/languages.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_pair_families {

using namespace headlight::testing;

namespace {

Json config_of(QString text) { return parse_json(text.replace('\'', '"').toStdString(), "config.json"); }

Json settings(const QString& text) {
  const Json config = config_of(text);
  return families::family_of(config)->settings(config);
}

QString refused(const QString& text) { return QString::fromStdString(families::why_not(config_of(text))); }

const QString kSide =
    "{'vocab_size': 8, 'hidden_size': 8, 'num_attention_heads': 2, 'num_key_value_heads': 1, "
    "'head_dim': 4, 'intermediate_size': 4, 'num_hidden_layers': 2, 'sliding_window': 3";

std::filesystem::path pair_folder(const char* name) {
  return made_elsewhere().parent_path() / "models" / "families" / name;
}

std::vector<TokenId> read_ids(const Result& result) {
  std::vector<TokenId> ids;
  for (const TextToken& token : result.tokens)
    if (token.id) ids.push_back(*token.id);
  return ids;
}

}  // namespace

class TestPairFamilies : public QObject {
  Q_OBJECT

 private slots:
  // M2M100's class scales embeddings, mBART's does not; positions begin behind the number of padding.
  void what_a_file_leaves_out() {
    const QString sizes = "'d_model': 8, 'encoder_attention_heads': 2, 'decoder_attention_heads': 2}";
    QCOMPARE(settings("{'model_type': 'm2m_100', " + sizes).at("scale_embeddings"), Json(true));
    QCOMPARE(settings("{'model_type': 'm2m_100', " + sizes).at("activation"), Json("relu"));
    QCOMPARE(settings("{'model_type': 'm2m_100', 'pad_token_id': 4, " + sizes).at("position_offset"), Json(5));
    QCOMPARE(settings("{'model_type': 'mbart', " + sizes).at("scale_embeddings"), Json(false));
    QCOMPARE(settings("{'model_type': 'mbart', " + sizes).at("norm_place"), Json("pre"));
    QCOMPARE(settings("{'model_type': 'mbart', " + sizes).at("max_positions"), Json(1026));
    QCOMPARE(settings("{'model_type': 'blenderbot-small', " + sizes).at("max_positions"), Json(512));
    QCOMPARE(settings("{'model_type': 'blenderbot-small', " + sizes).at("norm_place"), Json("post"));
  }

  // T5Gemma's encoder sees the token at the distance of its window, its decoder does not.
  void sides_have_settings_of_their_own() {
    const Json s = settings("{'model_type': 't5gemma', 'encoder': " + kSide + "}, 'decoder': " + kSide +
                            ", 'layer_types': ['full_attention', 'sliding_attention'], "
                            "'attn_logit_softcapping': null, 'final_logit_softcapping': 7}}");
    QCOMPARE(s.at("layer_windows"), Json({4, 0}));
    QCOMPARE(s.at("decoder").at("layer_windows"), Json({0, 3}));
    QCOMPARE(s.at("score_cap"), Json(50.0));
    QCOMPARE(s.at("decoder").at("score_cap"), Json(0.0));
    QCOMPARE(s.at("logit_cap"), Json(7.0));
    QCOMPARE(s.at("tie"), Json("decoder"));
  }

  void what_is_not_known_is_refused_by_name() {
    const QString sizes = ", 'd_model': 8, 'encoder_attention_heads': 2, 'decoder_attention_heads': 2}";
    QVERIFY(refused("{'model_type': 'mbart'" + sizes).isEmpty());
    QVERIFY(refused("{'model_type': 'mbart', 'normalize_before': false" + sizes).contains("normalize_before false"));
    QVERIFY(refused("{'model_type': 'm2m_100', 'is_decoder': true" + sizes).contains("is_decoder true"));
    QVERIFY(refused("{'model_type': 'pegasus', 'wide_heads': 3" + sizes).contains("\"wide_heads\" 3"));
    const QString both = "{'model_type': 't5gemma', 'encoder': " + kSide + "%1}, 'decoder': " + kSide + "%2}}";
    QVERIFY2(refused(both.arg("", "")).isEmpty(), qPrintable(refused(both.arg("", ""))));
    QVERIFY(refused(both.arg("", ", 'wide_heads': 3")).contains("decoder: the setting \"wide_heads\" 3"));
    QVERIFY(
        refused(both.arg(", 'rope_scaling': {'type': 'new'}", "")).contains("encoder: rope_scaling: the rope type"));
    QVERIFY(refused("{'model_type': 't5gemma', 'encoder': 3}").contains("encoder: expected an object, found 3"));
    QVERIFY(refused("{'model_type': 't5gemma', 'architectures': ['T5GemmaForTokenClassification'], " +
                    both.mid(25).arg("", ""))
                .contains("T5GemmaForTokenClassification"));
  }

  void codes_of_languages_are_told_from_words() {
    for (const char* code : {"eng_Latn", "de_DE", "ar_AR", "__fr__", "zho_Hans"})
      QVERIFY2(pretrained::is_language_code(code), code);
    for (const char* word : {"eng", "a_b", "snake_case", "EN_us", "de_De", "____", "__init__", "", "_", "eng_latn"})
      QVERIFY2(!pretrained::is_language_code(word), word);
  }

  // A code in front of the text takes the place of the tokenizer's own, at the front (NLLB) or behind (mBART).
  void a_typed_code_is_the_language_of_the_text() {
    SKIP_WITHOUT_MATERIAL();
    for (const char* name : {"nllb", "mbart", "mbart50"}) {
      if (!std::filesystem::exists(pair_folder(name))) QSKIP("this family is not in the material");
      const auto tokenizer = open_tokenizer(pair_folder(name));
      const pretrained::Encoding plain = tokenizer->encode("I am going home tomorrow.");
      const std::vector<std::string> codes = pretrained::language_codes(*tokenizer, 1000);
      QVERIFY(codes.size() > 2);
      for (const std::string& code : codes) {
        const pretrained::Encoding told =
            pretrained::encode_in_language(*tokenizer, code + " I am going home tomorrow.");
        QCOMPARE(told.size(), plain.size());
        for (std::size_t i = 0; i < told.size(); ++i)
          if (plain[i].text == codes.front())
            QCOMPARE(told[i].text, code);
          else
            QCOMPARE(told[i].id, plain[i].id);
      }
    }
  }

  // Of mBART the code is what the decoder starts with; of NLLB what it writes first.
  void an_output_begins_with_the_code_of_its_language() {
    SKIP_WITHOUT_MATERIAL();
    for (const char* name : {"nllb", "mbart"}) {
      if (!std::filesystem::exists(pair_folder(name))) QSKIP("this family is not in the material");
      const auto opened = open_pretrained(pair_folder(name));
      const auto tokenizer = open_tokenizer(pair_folder(name));
      const bool starts = std::string(name) == "mbart";
      const std::string other = starts ? "de_DE" : "deu_Latn";
      const auto code = static_cast<TokenId>(*tokenizer->find(other));
      Request request;
      request.model = load_model(pair_folder(name).string());
      request.source = "I am going home tomorrow.";
      request.target = other;
      request.prefix = true;
      const Result result = run(request);
      Json rules = Json::object();
      rules[starts ? "decoder_start_token_id" : "forced_bos_token_id"] = code;
      const std::vector<TokenId> expected = opened->continued(read_ids(result), 12, {}, &rules).ids;
      std::vector<TokenId> found;
      for (const OutputStep& step : result.steps) found.push_back(step.id);
      QVERIFY(!found.empty());
      // Where the library may write no more, it ends the text.
      const std::size_t count = std::min(found.size(), expected.size() - 1);
      QCOMPARE(std::vector(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count)),
               std::vector(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(count)));
      QCOMPARE(found.front() == code, !starts);
    }
  }
};

HEADLIGHT_TEST(TestPairFamilies)

}  // namespace headlight::test_pair_families

#include "test_pair_families.moc"
