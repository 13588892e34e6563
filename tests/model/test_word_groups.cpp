// Tokens that belong together, and attention between words.
#include <unicode/ubrk.h>
#include <unicode/uchar.h>

#include <QTest>
#include <QTextBoundaryFinder>
#include <cmath>
#include <map>
#include <random>

#include "model/analysis/alignment.h"
#include "model/analysis/head_statistics.h"
#include "model/analysis/word_groups.h"
#include "model/text/graphemes.h"
#include "tests/test_program.h"

namespace headlight::test_word_groups {

namespace {

using Kind = AttentionMap::Kind;
using Texts = std::vector<std::string>;

Texts texts_of(const std::vector<TokenGroup>& groups) {
  Texts texts;
  for (const TokenGroup& group : groups) texts.push_back(group.text);
  return texts;
}

// Groups lie one behind the other and hold every token once.
bool cover(const std::vector<TokenGroup>& groups, std::size_t tokens) {
  Index next = 0;
  for (const TokenGroup& group : groups) {
    if (group.first != next || group.count < 1) return false;
    next += group.count;
  }
  return next == static_cast<Index>(tokens);
}

Texts characters(const std::string& text) {
  Texts list;
  for (const TextToken& token : Vocabulary(Texts{"x"}).split_characters(text)) list.push_back(token.text);
  return list;
}

// What a run of a model that reads and writes with these tokenizers would be, its weights drawn at random. Columns are
// the tokens of the source in the order of the model; causal self-attention when `own`.
struct Sample {
  Result result;
  AttentionMap map;
};

std::shared_ptr<ModelBundle> bundle(Tokenizer source, Tokenizer target) {
  auto model = std::make_shared<ModelBundle>();
  model->text.source = std::move(source);
  model->text.target = std::move(target);
  model->text.bos = 0;
  return model;
}

std::vector<Scalar> random_row(std::mt19937& draw, Index size) {
  std::vector<Scalar> row;
  Scalar sum = 0;
  for (Index i = 0; i < size; ++i) {
    row.push_back(static_cast<Scalar>(draw() % 1000 + 1));
    sum += row.back();
  }
  for (Scalar& v : row) v /= sum;
  return row;
}

Sample cross_sample(const std::string& source, const Texts& output, Index heads, bool backwards) {
  Sample sample;
  Result& result = sample.result;
  const Tokenizer by_characters(Vocabulary({"_", "1", "9", "4", "-", "0", "2", "7", "N", "o", "v", " ", ","}));
  result.model = bundle(by_characters, by_characters);
  result.source = source;
  result.tokens = by_characters.split(source);
  const auto size = static_cast<int>(result.tokens.size());
  for (int i = 0; i < size; ++i) result.position_of_token.push_back(backwards ? size - 1 - i : i);
  result.token_of_position = result.position_of_token;
  std::mt19937 draw(7);
  Recorder recorder(Capture{{}, false}, {});
  for (std::size_t t = 0; t < output.size(); ++t) {
    OutputStep step;
    step.text = output[t];
    result.steps.push_back(step);
    Tensor weights({heads, size});
    for (Index h = 0; h < heads; ++h) {
      const auto row = random_row(draw, size);
      std::copy(row.begin(), row.end(), weights.data() + h * size);
    }
    const SitePath decoder("decoder"), place(decoder, "step", static_cast<Index>(t)), layer(place, "layer", 0);
    recorder.tap()(SitePath(layer, "cross_attn"), "head.weights", weights);
  }
  result.trace = recorder.finish({});
  sample.map = attention_maps(result).front();
  return sample;
}

}  // namespace

class TestWordGroups : public QObject {
  Q_OBJECT

 private slots:
  void characters_are_those_of_the_unicode_standard_data();
  void characters_are_those_of_the_unicode_standard();
  void characters_are_those_of_icu();
  void broken_bytes_stand_alone();
  void bytes_make_characters();
  void words_of_pieces_data();
  void words_of_pieces();
  void words_of_characters();
  void special_tokens();
  void long_tokens_and_empty_lists();
  void merging_conserves_mass();
  void merged_weights_by_hand();
  void a_causal_map_stays_causal();
  void hidden_keys_stay_uncounted();
  void words_of_a_byte_pair_source();
  void padding_is_one_group();
};

void TestWordGroups::characters_are_those_of_the_unicode_standard_data() {
  QTest::addColumn<QString>("text");
  QTest::newRow("letters") << "abc, déf";
  QTest::newRow("accents") << QString::fromUtf8("e\u0301a\u0302\u0323 x");
  QTest::newRow("family") << QString::fromUtf8("a👨‍👩‍👧‍👦b👩🏽‍🚀❤️‍🔥");
  QTest::newRow("flags") << QString::fromUtf8("🇨🇳🇩🇪🇫🏴󠁧󠁢󠁥󠁮󠁧󠁿");
  QTest::newRow("keycap") << QString::fromUtf8("1️⃣2");
  QTest::newRow("Arabic") << QString::fromUtf8("السَّلَامُ عَلَيْكُم");
  QTest::newRow("Hebrew") << QString::fromUtf8("שָׁלוֹם");
  QTest::newRow("Thai") << QString::fromUtf8("สวัสดีครับ น้ำ");
  QTest::newRow("Hindi") << QString::fromUtf8("नमन कि कौन");
  QTest::newRow("Hangul letters") << QString::fromUtf8("\u1112\u1161\u11ab\u1100\u1173\u11af 한글각\u11a8");
  QTest::newRow("rare ideographs") << QString::fromUtf8("𠀀𠮷你好");
  QTest::newRow("line ends") << "a\r\nb\n\rc";
  QTest::newRow("controls") << QString(QChar(0)) + QString::fromUtf8("a\u200b\u0301b\u202e\u200dc");
}

void TestWordGroups::characters_are_those_of_the_unicode_standard() {
  QFETCH(QString, text);
  QTextBoundaryFinder finder(QTextBoundaryFinder::Grapheme, text);
  Texts expected, found;
  for (qsizetype from = 0, to = finder.toNextBoundary(); to > 0; from = to, to = finder.toNextBoundary())
    expected.push_back(text.mid(from, to - from).toStdString());
  const std::string bytes = text.toStdString();
  for (std::size_t at = 0; at < bytes.size(); at += grapheme_length(bytes, at))
    found.push_back(bytes.substr(at, grapheme_length(bytes, at)));
  QCOMPARE(found, expected);
  QCOMPARE(texts_of(character_groups(characters(bytes))), expected);
}

// Texts of characters of every kind that the rules know, against the iterator that ICU makes from the standard's table.
void TestWordGroups::characters_are_those_of_icu() {
  std::map<int, std::vector<UChar32>> of_kind;
  for (UChar32 c = 0; c <= 0x10ffff; ++c) {
    if (c >= 0xd800 && c < 0xe000) continue;
    const int picture = u_hasBinaryProperty(c, UCHAR_EXTENDED_PICTOGRAPHIC) ? 100 : 0;
    of_kind[u_getIntPropertyValue(c, UCHAR_GRAPHEME_CLUSTER_BREAK) + picture].push_back(c);
  }
  std::vector<const std::vector<UChar32>*> kinds;
  for (const auto& [kind, characters] : of_kind) kinds.push_back(&characters);
  QVERIFY(kinds.size() >= 14);
  UErrorCode error = U_ZERO_ERROR;
  UBreakIterator* const iterator = ubrk_open(UBRK_CHARACTER, "", nullptr, 0, &error);
  QVERIFY(U_SUCCESS(error));
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    QString text;
    for (int i = 0; i < 8; ++i) {
      const auto& characters = *kinds[random() % kinds.size()];
      const auto c = static_cast<char32_t>(characters[random() % characters.size()]);
      text += QString::fromUcs4(&c, 1);
    }
    ubrk_setText(iterator, reinterpret_cast<const UChar*>(text.utf16()), static_cast<int32_t>(text.size()), &error);
    QVERIFY(U_SUCCESS(error));
    Texts expected, found;
    for (int32_t from = 0, to = ubrk_next(iterator); to != UBRK_DONE; from = to, to = ubrk_next(iterator))
      expected.push_back(QByteArray(text.mid(from, to - from).toUtf8()).toStdString());
    const std::string bytes = text.toUtf8().toStdString();
    for (std::size_t at = 0; at < bytes.size(); at += grapheme_length(bytes, at))
      found.push_back(bytes.substr(at, grapheme_length(bytes, at)));
    QVERIFY2(found == expected, text.toUtf8().toPercentEncoding().constData());
  }
  ubrk_close(iterator);
}

void TestWordGroups::broken_bytes_stand_alone() {
  QCOMPARE(grapheme_length("\xed\xa0\x80", 0), std::size_t(1));  // half of a surrogate pair
  QCOMPARE(grapheme_length("a\xcc", 0), std::size_t(1));
  QCOMPARE(grapheme_length("a", 1), std::size_t(0));
  const auto groups = character_groups({"a", "\xed", "\xa0", "\x80", "b"});
  QCOMPARE(groups.size(), std::size_t(5));
  QCOMPARE(groups[1].text, std::string("\xed"));
}

void TestWordGroups::bytes_make_characters() {
  const Texts tokens = {"▁a", "<0xE4>", "<0xBD>", "<0xA0>", "好", "\xf0\x9f", "\x98\x80", "<0xE4>", "b", "<0x0A>"};
  const auto groups = character_groups(tokens);
  QVERIFY(cover(groups, tokens.size()));
  QCOMPARE(texts_of(groups), (Texts{"▁a", "你", "好", "😀", "\xe4", "b", "\n"}));
  QCOMPARE(groups[1], (TokenGroup{1, 3, "你"}));
  QVERIFY(is_byte_piece("<0xE4>") && is_byte_piece("\xbd") && !is_byte_piece("<0xEG>") && !is_byte_piece("é"));
  // The same in words.
  QCOMPARE(texts_of(word_groups({"▁a", "<0xC3>", "<0xA9>", "▁b"}, WordMarks::pieces)), (Texts{"aé", "b"}));
}

void TestWordGroups::words_of_pieces_data() {
  QTest::addColumn<QStringList>("tokens");
  QTest::addColumn<QStringList>("words");
  const QStringList words = {"the", "lowest", "tree", "."};
  QTest::newRow("end of word") << QStringList{"the</w>", "low", "est</w>", "tre", "e</w>", ".</w>"} << words;
  QTest::newRow("continued") << QStringList{"the", "low@@", "est", "tre@@", "e", "."} << words;
  QTest::newRow("continues") << QStringList{"the", "low", "##est", "tre", "##e", "."} << words;
  QTest::newRow("sentence piece") << QStringList{"▁the", "▁low", "est", "▁tre", "e", "."} << words;
  QTest::newRow("byte level") << QStringList{"the", "Ġlow", "est", "Ġtre", "e", "."} << words;
  QTest::newRow("spaces") << QStringList{"the", " low", "est", " tre", "e", "."} << words;
  QTest::newRow("no marks") << QStringList{"the", "lowest", "tree", "."} << words;
  QTest::newRow("special") << QStringList{"<s>", "▁the", "▁low", "est", "</s>", "tree", "[MASK]", "."}
                           << QStringList{"<s>", "the", "lowest", "</s>", "tree", "[MASK]", "."};
  QTest::newRow("cut") << QStringList{"the</w>", "low"} << QStringList{"the", "low"};
  QTest::newRow("only marks") << QStringList{"▁", "▁a", "▁"} << QStringList{"▁", "a", "▁"};
}

void TestWordGroups::words_of_pieces() {
  QFETCH(QStringList, tokens);
  QFETCH(QStringList, words);
  Texts list, expected;
  for (const QString& token : tokens) list.push_back(token.toStdString());
  for (const QString& word : words) expected.push_back(word.toStdString());
  const auto groups = word_groups(list, WordMarks::pieces);
  QVERIFY(cover(groups, list.size()));
  QCOMPARE(texts_of(groups), expected);
  QCOMPARE(word_groups(list, WordMarks::words).size(), list.size());
}

void TestWordGroups::words_of_characters() {
  const auto words = [](const std::string& text) {
    return texts_of(word_groups(characters(text), WordMarks::characters));
  };
  QCOMPARE(words("Nov 21, 1994"), (Texts{"Nov", " ", "21", ",", " ", "1994"}));
  QCOMPARE(words("1994-09-27"), (Texts{"1994", "-", "09", "-", "27"}));
  QCOMPARE(words("12+3"), (Texts{"12", "+", "3"}));
  QCOMPARE(words("你好"), (Texts{"你", "好"}));
  QCOMPARE(words("cafe\u0301 👨‍👩‍👧"), (Texts{"cafe\u0301", " ", "👨‍👩‍👧"}));
  QCOMPARE(words("שלום عليكم"), (Texts{"שלום", " ", "عليكم"}));
  QVERIFY(has_pieces(word_groups(characters("ab"), WordMarks::characters)));
  QVERIFY(!has_pieces(word_groups(characters("a b"), WordMarks::characters)));
}

void TestWordGroups::special_tokens() {
  for (const char* token : {"<s>", "</s>", "<pad>", "<bos>", "<unk>", "[MASK]", "[CLS]", "[SEP]", "<|endoftext|>"})
    QVERIFY2(is_special_token(token), token);
  for (const char* token : {"", "<", "<>", "[]", "[a]", "a<b>", "<0xE4>", "</w>", "< s>", "s"})
    QVERIFY2(!is_special_token(token), token);
}

void TestWordGroups::long_tokens_and_empty_lists() {
  QVERIFY(word_groups({}, WordMarks::pieces).empty() && character_groups({}).empty());
  const std::string large(10000, 'a');
  QCOMPARE(word_groups({"▁b", large}, WordMarks::pieces).front().text, "b" + large);
  QCOMPARE(character_groups({std::string(1, '\0'), ""}).size(), std::size_t(2));
}

void TestWordGroups::merging_conserves_mass() {
  for (const bool backwards : {false, true}) {
    const Sample sample = cross_sample("Nov 27, 1994", {"1", "9", "9", "4", "-", "0", "2"}, 3, backwards);
    QVERIFY(has_pieces(sample.result, sample.map));
    const AttentionMap merged = between_words(sample.result, sample.map);
    QCOMPARE(merged.row_count(), Index(3));     // 1994 - 02
    QCOMPARE(merged.column_count(), Index(6));  // Nov ␣ 27 , ␣ 1994
    const auto rows = word_groups(sample.result, sample.map.rows, true);
    const auto columns = word_groups(sample.result, sample.map.columns, false);
    for (Index head = 0; head < 3; ++head)
      for (Index row = 0; row < 3; ++row) {
        double sum = 0;
        for (Index column = 0; column < 6; ++column) {
          const TokenGroup &from = rows[static_cast<std::size_t>(row)], &to = columns[static_cast<std::size_t>(column)];
          double expected = 0;
          for (Index r = from.first; r < from.first + from.count; ++r)
            for (Index c = to.first; c < to.first + to.count; ++c)
              expected += static_cast<double>(sample.map.weight(head, r, c));
          expected /= static_cast<double>(from.count);
          QVERIFY(std::abs(static_cast<double>(merged.weight(head, row, column)) - expected) < 1e-6);
          sum += static_cast<double>(merged.weight(head, row, column));
        }
        QVERIFY(std::abs(sum - 1) < 1e-6);
      }
    QCOMPARE(merged.entry(0), -1);
    Index head = 0, row = 0, column = 0;
    QVERIFY(!merged.find(-1, 0, &head, &row, &column));
    QCOMPARE(merged.matrix(1).data(), merged.own.data() + 18);  // nothing is copied
    QVERIFY(merged.columns[5].holds_token(11) && !merged.columns[5].holds_token(7));
    QVERIFY(merged.rows[0].holds_step(3) && !merged.rows[0].holds_step(4));
    const Alignment words = alignment(sample.result, 0, true);
    QCOMPARE(words.row_labels, (Texts{"1994", "-", "02"}));
    QCOMPARE(words.column_labels, (Texts{"Nov", " ", "27", ",", " ", "1994"}));
    QCOMPARE(words.entry_of_row, (std::vector<int>{-1, -1, -1}));
    QVERIFY(alignment_has_pieces(sample.result, attention_maps(sample.result), 0));
  }
}

void TestWordGroups::merged_weights_by_hand() {
  AttentionMap map;
  map.own = Tensor::of({1, 2, 3}, {0.5, 0.25, 0.25, 0, 0.75, 0.25});
  for (int i = 0; i < 3; ++i) {
    map.columns.push_back({std::to_string(i), {}, i, -1, false});
    map.key_of_column.push_back(i);
  }
  for (int t = 0; t < 2; ++t) {
    map.rows.push_back({"", "w", -1, t, false});
    map.row_sources.push_back({-1, 3 * t, 6, 3, 3, -1});
  }
  const AttentionMap merged = grouped(map, {{0, 2, "ww"}}, {{0, 1, "0"}, {1, 2, "12"}});
  QCOMPARE(static_cast<double>(merged.weight(0, 0, 0)), 0.25);
  QCOMPARE(static_cast<double>(merged.weight(0, 0, 1)), 0.75);
  QCOMPARE(merged.rows[0].steps, 2);
}

void TestWordGroups::a_causal_map_stays_causal() {
  AttentionMap map;
  map.kind = Kind::decoder_self;
  map.own = Tensor::of({1, 4, 4}, {1, 0, 0, 0, 0.5, 0.5, 0, 0, 0.25, 0.25, 0.5, 0, 0.25, 0.25, 0.25, 0.25});
  for (int i = 0; i < 4; ++i) {
    map.columns.push_back({std::to_string(i), {}, -1, i, false});
    map.key_of_column.push_back(i);
    map.row_sources.push_back({-1, 4 * i, 16, i + 1, i + 1, i});
  }
  map.rows = map.columns;
  const std::vector<TokenGroup> pairs = {{0, 2, "01"}, {2, 2, "23"}};
  const AttentionMap merged = grouped(map, pairs, pairs);
  QVERIFY(merged.has(0, 0) && !merged.has(0, 1) && merged.has(1, 1));
  QCOMPARE(static_cast<double>(merged.weight(0, 0, 0)), 1.0);
  QCOMPARE(static_cast<double>(merged.weight(0, 1, 0)), 0.5);
  QCOMPARE(static_cast<double>(merged.weight(0, 1, 1)), 0.5);
  QCOMPARE(merged.source(1).column, Index(1));
  QCOMPARE(head_statistics(merged, 0).same, 0.5);  // of the one row that has a choice
}

// A mask hides two of three keys; the word of the last two keeps one, the first none.
void TestWordGroups::hidden_keys_stay_uncounted() {
  Sample sample = cross_sample("9No", {"1"}, 1, false);
  Recorder recorder(Capture{{}, false}, {});
  const SitePath encoder("encoder"), layer(encoder, "layer", 0), attention(layer, "self_attn");
  recorder.tap()(attention, "keep", Tensor::of({1, 3}, {0, 1, 0}));
  recorder.tap()(attention, "head.weights", Tensor::of({1, 3, 3}, {0, 1, 0, 0, 1, 0, 0, 1, 0}));
  sample.result.trace = recorder.finish({});
  const AttentionMap map = attention_maps(sample.result).front();
  QCOMPARE(map.kept_columns(2), (std::vector<bool>{false, true, false}));
  const AttentionMap merged = grouped(map, {{0, 1, "9"}, {1, 2, "No"}}, {{0, 1, "9"}, {1, 2, "No"}});
  QCOMPARE(merged.source(1).kept, Index(1));
  QCOMPARE(merged.source(1).keys, Index(2));
}

void TestWordGroups::words_of_a_byte_pair_source() {
  const Tokenizer pieces(Vocabulary({"<unk>", "low", "est</w>", "t", "t</w>", "e", "he</w>", "[MASK]"}),
                         TokenizerKind::bpe, false, {});
  Result result;
  result.model = bundle(pieces, pieces);
  result.source = "lo t ×";
  result.tokens = pieces.split(result.source);
  std::vector<AttentionToken> axis;
  for (std::size_t i = 0; i < result.tokens.size(); ++i)
    axis.push_back({result.tokens[i].text, {}, static_cast<int>(i), -1, false});
  QCOMPARE(texts_of(word_groups(result, axis, false)), (Texts{"lo", "t", "×"}));
}

void TestWordGroups::padding_is_one_group() {
  Sample sample = cross_sample("Nov", {"1"}, 1, false);
  std::vector<AttentionToken> axis = sample.map.columns;
  for (int i = 0; i < 4; ++i) axis.push_back({" ", {}, 3 + i, -1, true});
  const auto groups = word_groups(sample.result, axis, false);
  QCOMPARE(texts_of(groups), (Texts{"Nov", " "}));
  QCOMPARE(groups[1].count, Index(4));
}

HEADLIGHT_CORE_TEST(TestWordGroups)

}  // namespace headlight::test_word_groups

#include "test_word_groups.moc"
