// Interpolated n-grams against counts and fractions worked out by hand on a text of ten letters.

#include <cmath>

#include "model/core/errors.h"
#include "model/training/ngram.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_ngram {

using namespace headlight::testing;

namespace {

// a is 1, b is 2; 0 stands for everything else. a 6 times, b 4 times; aa 2, ab 4, ba 3 times; behind ab 3 times a.
const std::vector<TokenId> kText = {1, 2, 1, 1, 2, 1, 2, 1, 1, 2};
constexpr TokenId kOther = 0, kA = 1, kB = 2;

Ngrams counted(int order) {
  Ngrams ngrams(3, order);
  ngrams.count(kText);
  return ngrams;
}

// p(last | those before it).
double p(const Ngrams& ngrams, const std::vector<TokenId>& text, int order) {
  return ngrams.probability(text, text.size() - 1, order);
}

bool near(double found, double expected) { return std::abs(found - expected) < 1e-12; }

TextRules rules_of_letters() {
  TextRules rules;
  rules.source = rules.target = Tokenizer(Vocabulary({kPadding, kStart, kUnknown, "a", "b"}));
  rules.source_bos = true;
  return rules;
}

}  // namespace

class TestNgram : public QObject {
  Q_OBJECT

 private slots:
  void letters_alone() {
    const Ngrams ngrams = counted(3);
    QVERIFY(near(p(ngrams, {kA}, 1), 5.0 / 9));       // (6 + 2 · 1/3) / (10 + 2)
    QVERIFY(near(p(ngrams, {kB}, 1), 7.0 / 18));      // (4 + 2 · 1/3) / 12
    QVERIFY(near(p(ngrams, {kOther}, 1), 1.0 / 18));  // (0 + 2 · 1/3) / 12
    QVERIFY(near(p(ngrams, {kA, kB}, 1), 7.0 / 18));  // what stands before does not count
  }
  void pairs() {
    const Ngrams ngrams = counted(3);
    QVERIFY(near(p(ngrams, {kA, kA}, 2), 7.0 / 18));      // (2 + 2 · 5/9) / (6 + 2)
    QVERIFY(near(p(ngrams, {kA, kB}, 2), 43.0 / 72));     // (4 + 2 · 7/18) / 8
    QVERIFY(near(p(ngrams, {kA, kOther}, 2), 1.0 / 72));  // (0 + 2 · 1/18) / 8
    QVERIFY(near(p(ngrams, {kB, kA}, 2), 8.0 / 9));       // (3 + 1 · 5/9) / (3 + 1)
    QVERIFY(near(p(ngrams, {kB, kB}, 2), 7.0 / 72));      // (0 + 1 · 7/18) / 4
  }
  void three_in_a_row() {
    const Ngrams ngrams = counted(3);
    QVERIFY(near(p(ngrams, {kA, kB, kA}, 3), 35.0 / 36));    // (3 + 1 · 8/9) / (3 + 1)
    QVERIFY(near(p(ngrams, {kB, kB, kA}, 3), 8.0 / 9));      // bb never came: as behind b
    QVERIFY(near(p(ngrams, {kB, kOther, kA}, 3), 5.0 / 9));  // nor did the other: as letters alone
    QVERIFY(near(p(ngrams, {kA, kB}, 3), 43.0 / 72));        // only one letter stands before
  }
  void probabilities_add_up_to_1() {
    const Ngrams ngrams = counted(6);
    for (std::size_t begin = 0; begin < kText.size(); ++begin)
      for (int order = 1; order <= 6; ++order) {
        std::vector<TokenId> text(kText.begin(), kText.begin() + static_cast<std::ptrdiff_t>(begin) + 1);
        double sum = 0;
        for (TokenId next = 0; next < 3; ++next) {
          text.back() = next;
          sum += p(ngrams, text, order);
        }
        QVERIFY(near(sum, 1));
      }
  }
  // Two texts that are counted one after the other are not joined: ba does not come of "b" and "a".
  void texts_are_counted_apart() {
    Ngrams ngrams(3, 2);
    ngrams.count(std::vector<TokenId>{kA, kB});
    ngrams.count(std::vector<TokenId>{kA, kB});
    QVERIFY(near(p(ngrams, {kB}, 1), (2 + 2.0 / 3) / 6));
    QVERIFY(near(p(ngrams, {kB, kA}, 2), (2 + 2.0 / 3) / 6));  // nothing ever came behind b
  }
  void orders_are_bounded() {
    for (const int order : {0, Ngrams::kMostOrder + 1})
      QVERIFY(message_of<UsageError>([&] {
                Ngrams(3, order);
              }).startsWith("n-grams: expected an order from 1 to 16, got "));
  }

  // Each window is read from its beginning.
  void perplexity_of_held_out_windows() {
    TaskData data;
    for (const char* window : {"abaa", "baba", "ab"}) data.train.push_back({"", window});
    for (const char* window : {"ab", "xa"}) data.test.push_back({"", window});
    const std::vector<NgramPerplexity> table = ngram_perplexities(rules_of_letters(), data, 3);
    QCOMPARE(table.size(), std::size_t{3});
    const double alone = 5.0 / 9 * 7 / 18 * 1 / 18 * 5 / 9;   // a, b, x, a
    const double pairs = 5.0 / 9 * 43 / 72 * 1 / 18 * 5 / 9;  // a, ab, x, and behind x what is known alone
    QVERIFY(near(table[0].perplexity, std::pow(alone, -1.0 / 4)));
    QVERIFY(near(table[1].perplexity, std::pow(pairs, -1.0 / 4)));
    QVERIFY(near(table[2].perplexity, table[1].perplexity));  // no window has three letters
    QCOMPARE(table[2].order, 3);
  }

  // Beside a model of words, characters are counted all the same: "a a", "aa" and a space between.
  void beside_words_characters_are_counted() {
    TextRules rules;
    rules.source = rules.target = Tokenizer(Vocabulary({kPadding, kStart, kUnknown, "a"}), TokenizerKind::words);
    TaskData data;
    data.train = {{"", "a  a"}, {"", "aa"}};  // spells "a a aa": 4 a, 2 spaces
    data.test = {{"", "a"}};
    const auto table = ngram_perplexities(rules, data, 1);
    QVERIFY(near(table[0].perplexity, 1 / ((4 + 2.0 / 3) / 8)));
  }
};

HEADLIGHT_TEST(TestNgram)

}  // namespace headlight::test_ngram

#include "test_ngram.moc"
