// BLEU and alignment error rate against published examples, worked by hand.

#include <QTest>
#include <cmath>
#include <sstream>

#include "model/core/errors.h"
#include "model/training/evaluate.h"
#include "model/training/metrics.h"
#include "tests/test_program.h"

namespace headlight::test_metrics {

class TestMetrics : public QObject {
  Q_OBJECT

  static Words words(const std::string& text) {
    std::istringstream stream(text);
    Words words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
  }
  static Bleu one(const std::string& output, const std::vector<std::string>& references,
                  BleuSmoothing smoothing = BleuSmoothing::none) {
    std::vector<Words> split;
    for (const std::string& reference : references) split.push_back(words(reference));
    return corpus_bleu({words(output)}, {split}, smoothing);
  }
  static bool near(double a, double b, double tolerance = 1e-12) { return std::abs(a - b) <= tolerance; }

 private slots:
  // Papineni et al. 2002, section 2.1: 17/18 and 10/17 for candidate 1, 8/14 and 1/13 for candidate 2; example 2: 2/7.
  void the_papers_examples() {
    const std::vector<std::string> references = {
        "it is a guide to action that ensures that the military will forever heed party commands",
        "it is the guiding principle which guarantees the military forces always being under the command of the party",
        "it is the practical guide for the army always to heed the directions of the party"};
    const Bleu first = one(
        "it is a guide to action which ensures that the military always obeys the commands of the party", references);
    QCOMPARE(first.right[0], 17);
    QCOMPARE(first.all[0], 18);
    QCOMPARE(first.right[1], 10);
    QCOMPARE(first.all[1], 17);
    QCOMPARE(first.reference_length, 18);  // of the second reference; 16 and 16 are further away
    QCOMPARE(first.brevity_penalty, 1.0);
    const Bleu second =
        one("it is to insure the troops forever hearing the activity guidebook that party direct", references);
    QCOMPARE(second.right[0], 8);
    QCOMPARE(second.all[0], 14);
    QCOMPARE(second.right[1], 1);
    QCOMPARE(second.all[1], 13);
    const Bleu the = one("the the the the the the the", {"the cat is on the mat", "there is a cat on the mat"});
    QCOMPARE(the.right[0], 2);
    QCOMPARE(the.all[0], 7);
    QCOMPARE(the.score, 0.0);
  }

  // The example in the documentation of sacreBLEU: 14/17, 7/14, 5/11, 3/8, 17 tokens against 18, and so
  // exp(1 - 18/17) · (14/17 · 7/14 · 5/11 · 3/8)^(1/4) = 48.53.
  void a_corpus_with_several_references() {
    const std::vector<Words> outputs = {words("The dog bit the man ."), words("It wasn't surprising ."),
                                        words("The man had just bitten him .")};
    const std::vector<std::vector<Words>> references = {
        {words("The dog bit the man ."), words("The dog had bit the man .")},
        {words("It was not unexpected ."), words("No one was surprised .")},
        {words("The man bit him first ."), words("The man had bitten the dog .")}};
    const Bleu bleu = corpus_bleu(outputs, references);
    QVERIFY((bleu.right == std::array<Index, 4>{14, 7, 5, 3}));
    QVERIFY((bleu.all == std::array<Index, 4>{17, 14, 11, 8}));
    QCOMPARE(bleu.length, 17);
    QCOMPARE(bleu.reference_length, 18);
    QVERIFY(near(bleu.brevity_penalty, std::exp(-1.0 / 17)));
    QVERIFY(near(bleu.score, 48.530827009929865, 1e-9));
  }

  void perfect_outputs_get_100() {
    QVERIFY(near(one("a b c d e", {"a b c d e"}).score, 100));
    QVERIFY(near(one("a b c d", {"a b c d x y z q"}).score, 100 * std::exp(-1.0)));  // half as long as asked for
    QVERIFY(near(one("a b c d", {"a b c d x y", "a b c e"}).score, 100));            // 4 is closer than 6
  }

  // a b c x against a b c y: 3/4, 2/3, 1/2 and no 4-gram of one. The first order without a match counts 1/2 of one.
  void smoothing_is_as_documented() {
    const Bleu none = one("a b c x", {"a b c y"});
    QCOMPARE(none.score, 0.0);
    const Bleu smooth = one("a b c x", {"a b c y"}, BleuSmoothing::exponential);
    QVERIFY(near(smooth.score, 100 * std::pow(0.75 * 2 / 3 * 0.5 * 0.5, 0.25)));
    // Two orders without a match: 1/(2·2) of the trigrams, 1/(4·1) of the 4-grams. a b x c against a b y c: 3/4, 1/3.
    const Bleu two = one("a b x c", {"a b y c"}, BleuSmoothing::exponential);
    QVERIFY(near(two.score, 100 * std::pow(0.75 / 3 * 0.25 * 0.25, 0.25)));
    QCOMPARE(one("q r s t", {"a b c d"}, BleuSmoothing::exponential).score, 0.0);
    QCOMPARE(one("", {"a b c d"}, BleuSmoothing::exponential).score, 0.0);
    QCOMPARE(one("a b", {"a b"}, BleuSmoothing::exponential).score, 0.0);  // no 4-gram in the whole corpus
  }

  // Three pairs of two sources: the first source has two translations, and the model found the second one.
  void sources_with_several_translations_count_once() {
    const TextRules rules = rules_with_end(TokenizerKind::words, {"x", "y"}, {"a", "b", "c", "d", "e"});
    const std::vector<Example> examples = {{"x", "a b c d"}, {"y", "e d c b a"}, {"x", "d c b a e"}};
    const Bleu bleu = evaluate_bleu({"d c b a e", "e d c b a", "d c b a e"}, examples, rules);
    QVERIFY(near(bleu.score, 100));
    QCOMPARE(bleu.length, Index(10));
    QCOMPARE(bleu.reference_length, Index(10));
    // An unknown word is one word, and wrong: "a b <unk> d e" has 4 of 5.
    const Bleu unknown = evaluate_bleu({"a b <unk> d e"}, {{"x", "a b c d e"}}, rules);
    QCOMPARE(unknown.length, Index(5));
    QCOMPARE(unknown.right[0], Index(4));
  }

  void counts_that_do_not_fit_are_an_error() {
    QVERIFY_EXCEPTION_THROWN(corpus_bleu({words("a")}, {}), UsageError);
    QVERIFY_EXCEPTION_THROWN(corpus_bleu({words("a")}, {{}}), UsageError);
  }

  // Och & Ney 2003: AER = 1 - (|A∩S| + |A∩P|)/(|A| + |S|).
  void alignment_error_by_hand() {
    AlignmentQuality q;
    QCOMPARE(q.error_rate(), 0.0);
    // Three found, two of them sure, one possible; three sure in all: 1 - (2 + 3)/(3 + 3) = 1/6.
    q.add({{0, 0}, {1, 1}, {3, 2}}, {{0, 0}, {1, 1}, {2, 2}}, {{3, 2}});
    QVERIFY(near(q.error_rate(), 1.0 / 6));
    // One more sentence, everything wrong, one link each: 1 - 5/8.
    q.add({{1, 0}}, {{0, 0}});
    QVERIFY(near(q.error_rate(), 3.0 / 8));
    AlignmentQuality perfect;
    perfect.add({{0, 0}, {2, 1}}, {{0, 0}, {2, 1}});
    QCOMPARE(perfect.error_rate(), 0.0);
  }
};

HEADLIGHT_TEST(TestMetrics)

}  // namespace headlight::test_metrics

#include "test_metrics.moc"
