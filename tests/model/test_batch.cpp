// Examples as batches: padding, masks, order, buckets of similar length.

#include "model/training/batch.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_batch {

using namespace headlight::testing;

namespace {

using Numbers = std::vector<double>;
using Rows = std::vector<std::uint32_t>;

// <pad> 0, <bos> 1, <eos> 2, <unk> 3, a 4, b 5, c 6
TextRules rules() { return rules_with_end(TokenizerKind::characters, {"a", "b", "c"}, {"a", "b", "c"}); }

TextRules fixed_rules() { return rules_of_width({" ", "a", "b", "_"}, 3, 2, "_"); }

std::vector<Example> examples_of_lengths(const std::vector<int>& lengths) {
  std::vector<Example> examples;
  for (const int length : lengths)
    examples.push_back({std::string(static_cast<std::size_t>(length), 'a'), "b", {}, length});
  return examples;
}

// The order as it always was: Fisher-Yates from the end, drawn from the epoch's stream.
Rows shuffled(std::uint32_t size, std::uint64_t seed, std::uint32_t epoch) {
  Rows order;
  for (std::uint32_t i = 0; i < size; ++i) order.push_back(i);
  Random random(seed, Random::Stream::data, epoch);
  for (std::uint32_t i = size; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

}  // namespace

class TestBatch : public QObject {
  Q_OBJECT

 private slots:
  void short_examples_are_padded() {
    const Dataset data(rules(), {{"ab", "cba"}, {"a", "b"}});
    QCOMPARE(data.size(), Index{2});
    QCOMPARE(data.source_width(), Index{2});
    QCOMPARE(data.target_length(), Index{4});  // with the end sign
    QCOMPARE(data.counted_tokens(), Index{6});
    const Batch batch = data.batch(Rows{0, 1});
    QCOMPARE(doubles(batch.source.ids), (Numbers{4, 4, 5, 0}));   // [S x N]
    QCOMPARE(doubles(batch.source.keep), (Numbers{1, 1, 1, 0}));  // [N x S]
    QVERIFY(batch.inputs.shape() == Shape({4, 2}));
    QCOMPARE(doubles(batch.inputs), (Numbers{1, 1, 6, 5, 5, 0, 4, 0}));
    QVERIFY(batch.targets.shape() == Shape({2, 4}));
    QCOMPARE(doubles(batch.targets), (Numbers{6, 5, 4, 2, 5, 2, 0, 0}));
    QCOMPARE(doubles(batch.mask), (Numbers{1, 1, 1, 1, 1, 1, 0, 0}));
    const Batch alone = data.batch(Rows{1});
    QVERIFY(!alone.source.keep.defined());  // nothing is padded
    QCOMPARE(doubles(alone.source.ids), (Numbers{4}));
    QCOMPARE(doubles(alone.targets), (Numbers{5, 2}));
    QCOMPARE(doubles(alone.mask), (Numbers{1, 1}));
  }
  void targets_can_run_backwards() {
    const Dataset data(rules(), {{"a", "abc"}, {"b", "c"}}, true);
    const Batch batch = data.batch(Rows{0, 1});
    QCOMPARE(doubles(batch.targets), (Numbers{6, 5, 4, 2, 6, 2, 0, 0}));
    QCOMPARE(doubles(batch.inputs), (Numbers{1, 1, 6, 6, 5, 0, 4, 0}));
    const Dataset fixed(fixed_rules(), {{"a", "a"}}, true);
    QCOMPARE(doubles(fixed.batch(Rows{0}).targets), (Numbers{0, 1}));  // the spaces come first
  }
  void fixed_widths_are_filled_with_spaces() {
    const Dataset data(fixed_rules(), {{"ab", "b"}, {"bbb", "ab"}});
    const Batch batch = data.batch({0, 1}, 0, 2);
    QCOMPARE(doubles(batch.source.ids), (Numbers{1, 2, 2, 2, 0, 2}));
    QVERIFY(!batch.source.keep.defined());
    QCOMPARE(doubles(batch.inputs), (Numbers{3, 3, 2, 1}));
    QCOMPARE(doubles(batch.targets), (Numbers{2, 0, 1, 2}));
    QCOMPARE(doubles(batch.mask), (Numbers{1, 1, 1, 1}));
  }
  void sources_end_with_a_sign() {
    TextRules with_end = rules();
    with_end.source_eos = true;
    const Dataset data(with_end, {{"ab", "a"}, {"c", "a"}});
    const Batch batch = data.batch(Rows{0, 1});
    QCOMPARE(doubles(batch.source.ids), (Numbers{4, 6, 5, 2, 2, 0}));
    QCOMPARE(doubles(batch.source.keep), (Numbers{1, 1, 1, 1, 1, 0}));
  }
  void sources_begin_with_a_sign() {
    TextRules signs = rules();
    signs.source_bos = true;
    QCOMPARE(doubles(Dataset(signs, {{"", "a"}, {"c", "a"}}).batch(Rows{0, 1}).source.ids), (Numbers{1, 1, 0, 6}));
    signs.source_eos = true;
    QCOMPARE(doubles(Dataset(signs, {{"ab", "a"}}).batch(Rows{0}).source.ids), (Numbers{1, 4, 5, 2}));
  }
  void only_marked_tokens_count() {
    const std::vector<Example> examples = {{"a", "abc", {}, 0, {true, false, true}}, {"b", "c"}};
    const Dataset data(rules(), examples);
    QCOMPARE(data.counted_tokens(), Index{5});  // two of three with the end sign, and both of the other
    QCOMPARE(data.target_tokens(0), Index{4});
    const Batch batch = data.batch(Rows{0, 1});
    QCOMPARE(doubles(batch.mask), (Numbers{1, 0, 1, 1, 1, 1, 0, 0}));
    QCOMPARE(doubles(batch.targets), (Numbers{4, 5, 6, 2, 6, 2, 0, 0}));  // nothing is hidden
    const std::vector<Example> first_only = {{"a", "abc", {}, 0, {true, false, false}}};
    QCOMPARE(doubles(Dataset(rules(), first_only, true).batch(Rows{0}).mask), (Numbers{0, 0, 1, 1}));
    const std::vector<Example> wrong = {{"a", "abc", {}, 0, {true}}};
    QCOMPARE(message_of<FormatError>([&] { Dataset(rules(), wrong); }),
             QString("example 'a': 1 marks of what counts for 3 target tokens"));
  }
  void unknown_words_are_unknown() {
    const Dataset data(rules(), {{"ax", "y"}});
    QCOMPARE(doubles(data.batch(Rows{0}).source.ids), (Numbers{4, 3}));
    QCOMPARE(doubles(data.batch(Rows{0}).targets), (Numbers{3, 2}));
  }
  void examples_that_do_not_fit_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("target");
    QTest::addColumn<bool>("fixed");
    QTest::addColumn<QString>("message");
    QTest::newRow("unknown") << "ax"
                             << "a" << true << "example 'ax': 'x' is not in the vocabulary";
    QTest::newRow("wide") << "abab"
                          << "a" << true << "example 'abab' has 4 tokens, at most 3 fit";
    QTest::newRow("long") << "a"
                          << "aba" << true << "example 'aba' has 3 tokens, at most 2 fit";
    QTest::newRow("no source") << ""
                               << "a" << false << "example '' -> 'a' has an empty side";
  }
  void examples_that_do_not_fit() {
    QFETCH(QString, source);
    QFETCH(QString, target);
    QFETCH(bool, fixed);
    QFETCH(QString, message);
    const std::vector<Example> examples = {{source.toStdString(), target.toStdString()}};
    QCOMPARE(message_of<FormatError>([&] { Dataset(fixed ? fixed_rules() : rules(), examples); }), message);
  }
  void nothing_to_pad_with() {
    const TextRules narrow = rules_of_width({"a", "_"}, 2, 2, "_");
    const QString message = "example 'a' is too short, and the vocabulary has no space to pad with";
    QCOMPARE(message_of<FormatError>([&] { Dataset(narrow, {{"a", "aa"}}); }), message);
    QCOMPARE(message_of<FormatError>([&] { Dataset(narrow, {{"aa", "a"}}); }), message);
  }

  void one_length_keeps_its_order() {
    const Dataset data(rules(), examples_of_lengths(std::vector<int>(103, 3)));
    for (const std::uint32_t epoch : {1u, 7u}) {
      const Rows order = shuffled(103, 5, epoch);
      const auto batches = data.batches(5, epoch, 10);
      QCOMPARE(batches.size(), std::size_t{10});  // the last three wait for the next epoch
      for (std::size_t b = 0; b < batches.size(); ++b)
        QCOMPARE(batches[b],
                 Rows(order.begin() + static_cast<long>(b) * 10, order.begin() + static_cast<long>(b) * 10 + 10));
    }
    QVERIFY(data.batches(5, 1, 10) != data.batches(6, 1, 10));
  }
  void batches_hold_similar_lengths() {
    std::vector<int> lengths;
    for (int i = 0; i < 1'000; ++i) lengths.push_back(1 + (i * 7) % 50);
    const Dataset data(rules(), examples_of_lengths(lengths));
    const auto batches = data.batches(1, 2, 10);
    QCOMPARE(batches.size(), std::size_t{100});
    QVERIFY(batches == data.batches(1, 2, 10));
    std::vector<std::uint32_t> all;
    int padding = 0, longest_before = 0, rises = 0;
    for (const Rows& rows : batches) {
      int longest = 0, sum = 0;
      for (const std::uint32_t row : rows) {
        longest = std::max(longest, lengths[row]);
        sum += lengths[row];
        all.push_back(row);
      }
      padding += 10 * longest - sum;
      rises += longest > longest_before;
      longest_before = longest;
    }
    // Shuffled freely, batches of 10 would have a longest of about 46 and a mean of 25: two padded of five.
    QVERIFY2(padding < 2'000, std::to_string(padding).c_str());
    QVERIFY2(rises > 30 && rises < 70, std::to_string(rises).c_str());  // but not from short to long
    // Sorting does not carry an example into another pool of 20 batches.
    const Rows order = shuffled(1'000, 1, 2);
    for (std::size_t begin = 0; begin < 1'000; begin += 200) {
      Rows ours(all.begin() + static_cast<long>(begin), all.begin() + static_cast<long>(begin) + 200);
      Rows pool(order.begin() + static_cast<long>(begin), order.begin() + static_cast<long>(begin) + 200);
      std::sort(ours.begin(), ours.end());
      std::sort(pool.begin(), pool.end());
      QCOMPARE(ours, pool);
    }
  }
  void every_example_is_evaluated_once() {
    const Dataset data(rules(), examples_of_lengths({5, 1, 4, 1, 3, 2, 2}));
    QCOMPARE(data.all_batches(3), (std::vector<Rows>{{1, 3, 5}, {6, 4, 2}, {0}}));
    QCOMPARE(data.groups(), (std::vector<int>{5, 1, 4, 1, 3, 2, 2}));
    const Dataset same(rules(), examples_of_lengths({2, 2, 2}));
    QCOMPARE(same.all_batches(2), (std::vector<Rows>{{0, 1}, {2}}));
  }
};

HEADLIGHT_TEST(TestBatch)

}  // namespace headlight::test_batch

#include "test_batch.moc"
