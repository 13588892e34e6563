// Splitting texts into tokens and putting them together again: words, byte pairs, the rules of sources and targets.

#include "model/text/bpe.h"
#include "model/text/text_rules.h"
#include "model/text/utf8.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_tokenizer {

using headlight::testing::message_of;

namespace {

using Strings = std::vector<std::string>;
using Ids = std::vector<int>;

Strings texts(const std::vector<TextToken>& tokens) {
  Strings all;
  for (const TextToken& token : tokens) all.push_back(token.text);
  return all;
}

Ids ids(const std::vector<TextToken>& tokens) {
  Ids all;
  for (const TextToken& token : tokens) all.push_back(token.id.value_or(-1));
  return all;
}

Tokenizer words(const Strings& tokens, bool lower_case = false) {
  return {Vocabulary(with_special_tokens(tokens)), TokenizerKind::words, lower_case};
}

// Worked by hand: low 5, lower 2, newest 6, widest 3 (the words of Sennrich et al. 2016, section 3.2). Neighbours: e s
// 9, s t</w> 9 (e is first), then es t</w> 9, l o 7, e w 6 (first of e w, n e, w est</w>), ew est</w> 6, n ewest</w> 6,
// lo w</w> 5, d est</w> 3, ...
const std::vector<std::pair<std::string, Index>> kCorpus = {{"low", 5}, {"lower", 2}, {"newest", 6}, {"widest", 3}};
const Merges kMerges = {{"e", "s"},         {"es", "t</w>"}, {"l", "o"},       {"e", "w"},        {"ew", "est</w>"},
                        {"n", "ewest</w>"}, {"lo", "w</w>"}, {"d", "est</w>"}, {"i", "dest</w>"}, {"w", "idest</w>"},
                        {"e", "r</w>"},     {"lo", "w"},     {"low", "er</w>"}};

Tokenizer bpe(Index merges, bool lower_case = false) {
  BpeModel model = learn_bpe(kCorpus, merges);
  return {Vocabulary(with_special_tokens(model.tokens)), TokenizerKind::bpe, lower_case, model.merges};
}

}  // namespace

class TestTokenizer : public QObject {
  Q_OBJECT

 private slots:
  void texts_are_split_into_words_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<Strings>("expected");
    const auto row = [](const char* name, const std::string& text, const Strings& expected) {
      QTest::newRow(name) << text << expected;
    };
    row("nothing", "", {});
    row("white space only", " \t\n\u00a0\u202f\u3000 ", {});
    row("words", "the red  house", {"the", "red", "house"});
    row("currencies and operators", "100€ 3×4÷2", {"100", "€", "3", "×", "4", "÷", "2"});
    row("signs", "Yes, she (Ann) did!", {"Yes", ",", "she", "(", "Ann", ")", "did", "!"});
    row("French elision", "l'eau qu'il d’or", {"l'", "eau", "qu'", "il", "d’", "or"});
    row("quotes", "'yes' he said, \"no\"", {"'", "yes", "'", "he", "said", ",", "\"", "no", "\""});
    row("hyphens", "est-ce que - ok-", {"est-ce", "que", "-", "ok", "-"});
    row("numbers", "3.14 1,000 5. 7,x v1.2", {"3.14", "1,000", "5", ".", "7", ",", "x", "v1.2"});
    row("guillemets", "« à … l’île »", {"«", "à", "…", "l’", "île", "»"});
    row("ideographs", "我爱你，法国 ok。", {"我", "爱", "你", "，", "法", "国", "ok", "。"});
    row("special tokens", "<unk> <eos>", {"<", "unk", ">", "<", "eos", ">"});
    row("control characters", std::string("a\0b\x01", 4), {"a", "b"});
    row("broken bytes",
        "a\xff"
        "b\xc3",
        {"a", "\xff", "b", "\xc3"});
    row("other alphabets", "Привет, Ελλάδα!", {"Привет", ",", "Ελλάδα", "!"});
  }
  void texts_are_split_into_words() {
    QFETCH(std::string, text);
    QFETCH(Strings, expected);
    const std::vector<TextToken> tokens = words({}).split(text);
    QCOMPARE(texts(tokens), expected);
    std::size_t end = 0;
    for (const TextToken& token : tokens) {
      QCOMPARE(text.substr(token.begin, token.end - token.begin), token.text);
      QVERIFY(token.begin >= end && token.end > token.begin);
      end = token.end;
      QVERIFY(token.unknown && token.id == TokenId{3});
    }
  }

  void a_text_is_repeated_and_cut() {
    const Tokenizer letters(Vocabulary({" ", "a", "b"}));
    QCOMPARE(text_of_length(letters, "ab", 3), std::string("aba"));
    QCOMPARE(text_of_length(letters, "ab", 1), std::string("a"));
    QCOMPARE(text_of_length(letters, "", 3), std::string());
    const Tokenizer two = words({"a", "b"});
    QCOMPARE(two.split(text_of_length(two, "a b", 5)).size(), std::size_t{5});
  }

  void words_are_joined_data() {
    QTest::addColumn<Strings>("words");
    QTest::addColumn<std::string>("expected");
    QTest::newRow("nothing") << Strings{} << std::string();
    QTest::newRow("sentence") << Strings{"the", "dog", ",", "too", "."} << std::string("the dog, too.");
    QTest::newRow("elision") << Strings{"l'", "accord", "n'", "est", "pas"} << std::string("l'accord n'est pas");
    QTest::newRow("brackets") << Strings{"a", "(", "b", ")", "c"} << std::string("a (b) c");
    QTest::newRow("quote") << Strings{"he", "'", "s"} << std::string("he ' s");
    QTest::newRow("ideographs") << Strings{"我", "爱", "ok", "，", "你", "。"} << std::string("我爱 ok ，你。");
  }
  void words_are_joined() {
    QFETCH(Strings, words);
    QFETCH(std::string, expected);
    QCOMPARE(join_words(words), expected);
  }

  void known_words_have_ids() {
    const Tokenizer tokenizer = words({"l'", "eau", "."});
    const auto tokens = tokenizer.split("L'eau l’eau .");
    QCOMPARE(ids(tokens), (Ids{3, 5, 4, 5, 6}));  // both apostrophes are one; capitals are other words
    QVERIFY(tokens[0].unknown && !tokens[2].unknown);
    QCOMPARE(ids(words({"l'", "eau"}, true).split("L'EAU")), (Ids{4, 5}));
    QCOMPARE(tokenizer.join({1, 4, 5, 6, 2, 0}), std::string("l'eau."));
    QCOMPARE(tokenizer.join({3, 6}), std::string("<unk>."));
    QCOMPARE(ids(Tokenizer(Vocabulary({"a"}), TokenizerKind::words).split("a b")), (Ids{0, -1}));
  }
  void characters_in_lower_case() {
    const Tokenizer tokenizer(Vocabulary({"a", "é"}), TokenizerKind::characters, true);
    QCOMPARE(ids(tokenizer.split("AÉaX\xff")), (Ids{0, 1, 0, -1, -1}));
    QCOMPARE(texts(tokenizer.split("AÉ")), (Strings{"A", "É"}));  // shown as typed
    QCOMPARE(tokenizer.join({0, 1, 1}), std::string("aéé"));
  }
  void lower_case_keeps_places() {
    QCOMPARE(lower_case("ÀÉÎÕÜ×ÞŸ ŁŽĐ ΑΩΆΏ АЯЁ ĀẠ ß ı İ"), std::string("àéîõü×þÿ łžđ αωάώ аяё āạ ß ı İ"));
    QCOMPARE(lower_case("ABC\xff\xc3Z字😀"), std::string("abc\xff\xc3z字😀"));
    for (char32_t c = 0x20; c < 0x2000; ++c) {
      const std::string text =
          c < 0x80    ? std::string{static_cast<char>(c)}
          : c < 0x800 ? std::string{static_cast<char>(0xc0 | c >> 6), static_cast<char>(0x80 | (c & 0x3f))}
                      : std::string{static_cast<char>(0xe0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 0x3f)),
                                    static_cast<char>(0x80 | (c & 0x3f))};
      QCOMPARE(code_point(text), c);
      const QString other = QString::fromStdString(text).toLower();
      const QString ours = QString::fromStdString(lower_case(text));
      QCOMPARE(lower_case(text).size(), text.size());
      QVERIFY2(ours == other || ours == QString::fromStdString(text), text.c_str());  // never another letter
    }
  }

  void byte_pairs_are_learned() {
    const BpeModel model = learn_bpe(kCorpus, 100);
    QCOMPARE(model.merges, kMerges);
    // e 2 + 12 + 3 = 17, w 5 + 2 + 6 + 3 = 16, then in byte order of equals.
    QCOMPARE(Strings(model.tokens.begin(), model.tokens.begin() + 6),
             (Strings{"e", "e</w>", "w", "w</w>", "s", "s</w>"}));
    QCOMPARE(model.tokens.back(), std::string("lower</w>"));
    QCOMPARE(learn_bpe(kCorpus, 3).merges, Merges(kMerges.begin(), kMerges.begin() + 3));
    QCOMPARE(learn_bpe(kCorpus, 100, 5).merges, Merges(kMerges.begin(), kMerges.begin() + 7));
    QVERIFY(learn_bpe({}, 10).tokens.empty());
    QVERIFY(learn_bpe({{"ab", 1}}, 10).merges.empty());  // once is no pattern
    QCOMPARE(learn_bpe({{"aaaa", 2}}, 1).merges, (Merges{{"a", "a"}}));
  }
  void byte_pairs_split_words() {
    const Tokenizer tokenizer = bpe(100);
    const std::string text = "lower, newest lowest slow";
    const auto tokens = tokenizer.split(text);
    QCOMPARE(texts(tokens), (Strings{"lower", ",", "newest", "low", "est", "s", "low"}));
    QVERIFY(tokens[1].unknown && tokens[1].id == TokenId{3});
    QCOMPARE(tokens[3].begin, std::size_t{14});
    QCOMPARE(tokens[4].end, std::size_t{20});
    std::vector<TokenId> read;
    for (const TextToken& token : tokens)
      if (!token.unknown) read.push_back(*token.id);
    QCOMPARE(tokenizer.join(read), std::string("lower newest lowest slow"));
    QCOMPARE(texts(bpe(0).split("low")), (Strings{"l", "o", "w"}));
    QCOMPARE(texts(bpe(100, true).split("NEWEST")), (Strings{"NEWEST"}));
    // The earlier merge goes first, whatever stands to its left: "es" before "we" could ever be.
    QCOMPARE(texts(bpe(1).split("newest")), (Strings{"n", "e", "w", "es", "t"}));
  }
  void merges_need_their_results() {
    QCOMPARE(message_of<FormatError>([] {
               Tokenizer(Vocabulary({"a", "b"}), TokenizerKind::bpe, false, {{"a", "b"}});
             }),
             QString("merge 0 makes \"ab\", which is not in the vocabulary"));
    QCOMPARE(message_of<FormatError>([] {
               Tokenizer(Vocabulary({"a"}), TokenizerKind::bpe, false, {{"a", ""}});
             }),
             QString("merge 0 joins nothing"));
  }

  // Whatever is pasted, splitting ends and every byte range lies in the text.
  void hostile_texts() {
    Strings hostile = {std::string(1 << 20, 'e'), std::string(1 << 16, '\0'), std::string(1 << 16, '\xff'),
                       std::string(1 << 16, '\'')};
    std::string mixed;
    for (int i = 0; i < 5000; ++i) mixed += static_cast<char>(i * 37 + i / 7);
    hostile.push_back(mixed);
    std::string long_word;
    while (long_word.size() < (1 << 18)) long_word += "newest";
    hostile.push_back(long_word);
    const Tokenizer tokenizers[] = {Tokenizer(Vocabulary({"e"})), words({"e"}, true), bpe(100)};
    for (const std::string& text : hostile)
      for (const Tokenizer& tokenizer : tokenizers) {
        std::size_t end = 0;
        for (const TextToken& token : tokenizer.split(text)) {
          QVERIFY(token.begin >= end && token.end > token.begin && token.end <= text.size());
          end = token.end;
        }
      }
  }

  void sources_are_finished() {
    TextRules rules;
    rules.source = rules.target = Tokenizer(Vocabulary({" ", "a", "_"}));
    rules.bos = 2;
    rules.source_width = 3;
    QCOMPARE(ids(rules.source_tokens("a")), (Ids{1, 0, 0}));
    QCOMPARE(ids(rules.source_tokens("aXaaa")), (Ids{1, -1, 1, 1, 1}));
    QVERIFY(rules.source_tokens("a")[2].padding && !rules.source_tokens("a")[0].padding);
    rules.source_width = 0;
    QCOMPARE(ids(rules.source_tokens("")), (Ids{0}));  // there is something to read
    rules = rules_with_end(TokenizerKind::words, {"a"}, {"x", "y"});
    QCOMPARE(ids(rules.source_tokens("a b")), (Ids{4, 3}));
    rules.source_eos = true;
    const auto tokens = rules.source_tokens("a b");
    QCOMPARE(ids(tokens), (Ids{4, 3, 2}));
    QVERIFY(!tokens[2].padding && tokens[2].begin == 3 && tokens[2].end == 3);
    QCOMPARE(tokens[2].text, std::string("<eos>"));
    QCOMPARE(ids(rules.source_tokens("")), (Ids{2}));
    QCOMPARE(*rules.pad, TokenId{0});
    QCOMPARE(rules.bos, TokenId{1});
  }
  void sources_can_begin_with_the_start_sign() {
    TextRules rules = rules_with_end(TokenizerKind::words, {"a"}, {"a"});
    rules.source_bos = true;
    const auto tokens = rules.source_tokens("a b");
    QCOMPARE(ids(tokens), (Ids{1, 4, 3}));
    QCOMPARE(tokens[0].text, std::string("<bos>"));
    QVERIFY(!tokens[0].padding && !tokens[0].unknown && tokens[0].begin == 0 && tokens[0].end == 0);
    QCOMPARE(tokens[1].begin, std::size_t{0});
    QCOMPARE(ids(rules.source_tokens("")), (Ids{1}));  // an empty text is a source
    QCOMPARE(rules.target_limit(1), Index{10});        // of no token, twice and ten
    rules.source_eos = true;
    QCOMPARE(ids(rules.source_tokens("a")), (Ids{1, 4, 2}));
    QCOMPARE(rules.target_limit(3), Index{12});
  }
  void masks_can_be_typed_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<Strings>("tokens");
    QTest::addColumn<Ids>("places");  // begin and end of each mask
    const auto row = [](const char* text, const Strings& tokens, const Ids& places) {
      QTest::newRow(text) << std::string(text) << tokens << places;
    };
    row("the [MASK] is red.", {"the", "[MASK]", "is", "red", "."}, {4, 10});
    row("[mask]", {"[MASK]"}, {0, 6});
    row("the<mask>is ___", {"the", "[MASK]", "is", "[MASK]"}, {3, 9, 12, 15});
    row("_____ red", {"[MASK]", "red"}, {0, 5});
    row("[MASK][MASK]", {"[MASK]", "[MASK]"}, {0, 6, 6, 12});
    row("__ [MASK", {"__", "[", "MASK"}, {});
    row("the red", {"the", "red"}, {});
  }
  void masks_can_be_typed() {
    QFETCH(std::string, text);
    QFETCH(Strings, tokens);
    QFETCH(Ids, places);
    const auto pieces = words({kMask, "the", "red", "is"}).split(text);
    QCOMPARE(texts(pieces), tokens);
    Ids found;
    for (const TextToken& token : pieces) {
      if (token.id == TokenId{4})
        found.insert(found.end(), {static_cast<int>(token.begin), static_cast<int>(token.end)});
      else
        QCOMPARE(text.substr(token.begin, token.end - token.begin), token.text);
    }
    QCOMPARE(found, places);
    // Where the vocabulary has no mask, these are signs and words like others.
    for (const TextToken& token : words({"the", "red", "is"}).split(text)) QVERIFY(token.text != kMask);
  }
  void masks_are_never_written() {
    TextRules rules = rules_with_end(TokenizerKind::words, {kMask, "a"}, {kMask, "a"});
    QVERIFY((rules.never_written() == std::vector<TokenId>{0, 1}));
    rules.mask = rules.target.vocabulary().find(kMask);
    QVERIFY((rules.never_written() == std::vector<TokenId>{0, 1, 4}));
    QVERIFY(TextRules().never_written().empty());
  }
  void targets_have_a_limit() {
    TextRules rules;
    QCOMPARE(rules.target_limit(7), Index{7});  // as long as the source
    rules.eos = 2;
    QCOMPARE(rules.target_limit(7), Index{24});
    rules.source_eos = true;
    QCOMPARE(rules.target_limit(8), Index{24});
    rules.target_length = 5;
    QCOMPARE(rules.target_limit(8), Index{5});
  }
};

HEADLIGHT_TEST(TestTokenizer)

}  // namespace headlight::test_tokenizer

#include "test_tokenizer.moc"
