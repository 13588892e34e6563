// The rules of generation_config.json for greedy decoding, each by hand on five tokens.

#include <QTest>

#include "model/core/errors.h"
#include "model/io/formats/families/generation.h"
#include "model/io/json_file.h"
#include "tests/model/io_helpers.h"
#include "tests/test_program.h"

namespace headlight::test_generation {

using namespace headlight::testing;
using families::Generation;

class TestGeneration : public QObject {
  Q_OBJECT

 private:
  using Ids = std::vector<TokenId>;
  static Json json(QString text) { return parse_json(text.replace('\'', '"').toStdString(), "x"); }
  // Token 3 is the most probable, then 2, 1, 4, 0.
  static TokenId next(const QString& rules, const Ids& ids, std::size_t prompt, const Ids& source = {},
                      std::size_t count = 9) {
    Tensor logits = Tensor::vector({Scalar(-1), 2, 3, 4, Scalar(0.5)});
    choose(logits, {ids, prompt, source, prompt + count}, Generation(Json::object(), json(rules)).writing().choosing);
    return largest_of(logits);
  }

 private slots:
  void one_rule_data() {
    QTest::addColumn<QString>("rules");
    QTest::addColumn<Ids>("ids");
    QTest::addColumn<int>("prompt");
    QTest::addColumn<Ids>("source");
    QTest::addColumn<int>("chosen");
    const auto row = [](const char* name, const char* rules, Ids ids, int prompt, int chosen, Ids source = {}) {
      QTest::newRow(name) << QString(rules) << ids << prompt << source << chosen;
    };
    row("none", "{}", {0}, 1, 3);
    row("what shapes a draw does not act", "{'temperature': 0, 'top_k': 1, 'num_beams': 4}", {0}, 1, 3);
    // 4 / 2 < 3.
    row("repetition", "{'repetition_penalty': 2}", {0, 3}, 1, 2);
    row("repetition of the prompt", "{'repetition_penalty': 2}", {3, 0}, 2, 2);
    row("a pair again", "{'no_repeat_ngram_size': 2}", {1, 3, 0, 1}, 1, 2);
    row("another pair", "{'no_repeat_ngram_size': 2}", {1, 3, 0, 2}, 1, 3);
    row("three again", "{'no_repeat_ngram_size': 3}", {1, 2, 3, 1, 2}, 1, 2);
    row("two of three", "{'no_repeat_ngram_size': 3}", {1, 2, 3, 0, 2}, 1, 3);
    row("too short for three", "{'no_repeat_ngram_size': 3}", {3}, 1, 3);
    row("a pair of the source", "{'encoder_no_repeat_ngram_size': 2}", {0, 1}, 1, 2, {4, 1, 3});
    row("a forbidden token", "{'bad_words_ids': [[3], [2]]}", {0}, 1, 1);
    row("a forbidden word", "{'bad_words_ids': [[1, 3]]}", {0, 1}, 1, 2);
    row("its end alone", "{'bad_words_ids': [[1, 3]]}", {0, 2}, 1, 3);
    row("as long as the text and its end", "{'bad_words_ids': [[1, 1, 3]]}", {1, 1}, 1, 2);
    row("longer than the text", "{'bad_words_ids': [[1, 1, 3]]}", {1}, 1, 3);
    row("the end is never forbidden so", "{'bad_words_ids': [[3]], 'eos_token_id': 3}", {0}, 1, 3);
    row("too short to end", "{'min_length': 3, 'eos_token_id': 3}", {0, 1}, 1, 2);
    row("long enough to end", "{'min_length': 3, 'eos_token_id': 3}", {0, 1, 1}, 1, 3);
    row("too few new ones to end", "{'min_new_tokens': 2, 'eos_token_id': [3, 2]}", {0, 1, 1, 1}, 3, 1);
    row("new ones count, not all", "{'min_new_tokens': 1, 'min_length': 9, 'eos_token_id': 3}", {0, 1, 1}, 1, 3);
    row("forced to begin", "{'forced_bos_token_id': 0}", {4}, 1, 0);
    row("begun already", "{'forced_bos_token_id': 0}", {4, 0}, 1, 3);
    row("suppressed", "{'suppress_tokens': [3, 2]}", {0, 1}, 1, 1);
    row("suppressed at first", "{'begin_suppress_tokens': [3]}", {0}, 1, 2);
    row("suppressed no more", "{'begin_suppress_tokens': [3]}", {0, 1}, 1, 3);
    row("a token that is wanted", "{'sequence_bias': [[[1], 2.5]]}", {0}, 1, 1);
    row("a token that is not wanted", "{'sequence_bias': [[[3], -1.5]]}", {0}, 1, 2);
    row("a word that is wanted", "{'sequence_bias': [[[2, 1], 2.5]]}", {0, 2}, 1, 1);
    row("its last token alone", "{'sequence_bias': [[[2, 1], 2.5]]}", {2, 0}, 1, 3);
    // 2 + 2 (1.5 - 1) = 3 < 4 behind one token too many; 2 + 2 (2.25 - 1) = 4.5 behind two.
    row("a little too long", "{'exponential_decay_length_penalty': [1, 1.5], 'eos_token_id': 1}", {0, 0, 0}, 1, 3);
    row("too long", "{'exponential_decay_length_penalty': [1, 1.5], 'eos_token_id': 1}", {0, 0, 0, 0}, 1, 1);
    row("of the old name", "{'force_bos_token_to_be_generated': true, 'bos_token_id': 0}", {4}, 1, 0);
    row("suppressed behind the forced one", "{'begin_suppress_tokens': [3], 'forced_bos_token_id': 0}", {4, 0}, 1, 2);
  }
  void one_rule() {
    QFETCH(QString, rules);
    QFETCH(Ids, ids);
    QFETCH(int, prompt);
    QFETCH(Ids, source);
    QFETCH(int, chosen);
    QCOMPARE(next(rules, ids, static_cast<std::size_t>(prompt), source), TokenId(chosen));
  }

  void the_last_one_is_forced() {
    QCOMPARE(next("{'forced_eos_token_id': 0}", {4, 1}, 1, {}, 3), TokenId(3));
    QCOMPARE(next("{'forced_eos_token_id': 0}", {4, 1, 1}, 1, {}, 3), TokenId(0));
  }

  // generation_config.json, and without one config.json; the token to begin with is looked for in both.
  void where_rules_stand() {
    const Json config = json("{'eos_token_id': 2, 'decoder_start_token_id': 4, 'bos_token_id': 1}");
    const Generation old(config, Json()), both(config, json("{'eos_token_id': [0, 1]}")),
        started(config, json("{'decoder_start_token_id': 3}"));
    QVERIFY(old.is_end(2) && !old.is_end(0));
    QVERIFY(both.is_end(0) && both.is_end(1) && !both.is_end(2));
    QVERIFY(!started.is_end(2) && !started.end());  // a file of its own without an end mark: there is none
    QCOMPARE(old.start(), TokenId(4));
    QCOMPARE(started.start(), TokenId(3));
    QCOMPARE(Generation(json("{'bos_token_id': 1}"), Json()).start(), TokenId(1));
    QCOMPARE(Generation(Json::object(), Json()).start(), TokenId(-1));
  }

  void what_is_refused() {
    const auto problem = [](const char* rules) {
      return QString::fromStdString(Generation(Json::object(), json(rules)).problem());
    };
    QCOMPARE(problem("{'guidance_scale': 2}"), QString("generation_config.json: guidance_scale is not implemented"));
    QCOMPARE(problem("{'guidance_scale': 1.0, 'stop_strings': null}"), QString());
    // Settings over it: of both it is said whose they are, and null takes one away.
    const Generation own(Json::object(), json("{'guidance_scale': 2, 'num_beams': 4, 'eos_token_id': 1}"));
    QCOMPARE(own.with(json("{'guidance_scale': null, 'num_beams': null}"), "F.json").problem(), std::string());
    QCOMPARE(own.with(json("{'num_beams': null}"), "F.json").writing().num_beams, Index(1));
    QVERIFY(own.with(Json::object(), "F.json").is_end(1) && own.writing().num_beams == 4);
    QCOMPARE(message_of<FormatError>([&] { own.with(json("{'stop_strings': 'x'}"), "F.json"); }),
             QString("F.json: stop_strings is not implemented"));
    QCOMPARE(message_of<FormatError>([&] { own.with(json("{'temperature': 0}"), "F.json"); }),
             QString("F.json: temperature: expected a number above 0, found 0"));
    QCOMPARE(message_of<FormatError>([&] { own.with(json("{'num_beam_groups': 2}"), "F.json"); }),
             QString("F.json: num_beam_groups: groups of beams are not implemented"));
    const auto said = [](const char* rules) {
      return message_of<FormatError>([&] { Generation(Json::object(), json(rules)); });
    };
    QCOMPARE(said("{'bad_words_ids': 3}"),
             QString("generation_config.json: bad_words_ids: expected a list of lists of tokens, found 3"));
    QCOMPARE(said("{'eos_token_id': 'x'}"),
             QString("generation_config.json: eos_token_id: expected numbers of tokens, found \"x\""));
    QCOMPARE(said("{'repetition_penalty': 0}"),
             QString("generation_config.json: repetition_penalty: expected a number above 0, found 0"));
    QCOMPARE(said("{'min_length': -1}"),
             QString("generation_config.json: min_length: expected a whole number of at least 0, found -1"));
  }
};

HEADLIGHT_TEST(TestGeneration)

}  // namespace headlight::test_generation

#include "test_generation.moc"
