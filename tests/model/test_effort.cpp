// What a tokenizer from elsewhere may do to a text: bounds of memory and time by what was typed, and an end when nobody
// waits any more.

#include "model/core/budget.h"
#include "model/core/effort.h"
#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "tests/model/io_helpers.h"
#include "tests/model/tokenizer_bytes.h"
#include "tests/test_program.h"

namespace headlight::test_effort {

using namespace headlight::testing;

namespace {

std::string repeated(const std::string& part, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += (i > 0 ? ", " : "") + part;
  return all;
}
std::shared_ptr<const pretrained::Tokenizer> tokenizer(const std::string& json) {
  Folder folder;
  put_file(folder / "tokenizer.json", quoted(json));
  return open_tokenizer(folder.path());
}
std::string with(const std::string& part, const std::string& list, const std::string& steps) {
  return small("'" + part + "': {'type': 'Sequence', '" + list + "': [" + steps + "]}");
}
const std::string kDoubles = "{'type': 'Replace', 'pattern': {'String': 'a'}, 'content': 'aa'}";

}  // namespace

class TestEffort : public QObject {
  Q_OBJECT

 private slots:
  void nothing_is_counted_without_one() {
    Effort::spend(SIZE_MAX / 2);
    Effort::spend_much();
    Effort::hold(SIZE_MAX / 2);
  }
  void memory_is_counted_before_it_is_taken() {
    const Effort effort("the work", 100, 1000);
    Effort::hold(1000);
    QCOMPARE(message_of<BudgetError>([] { Effort::hold(1001); }), QString("the work takes more than 1 kB of memory"));
    const Effort inner("a part", 100, 5000);  // no more than what is around it
    QVERIFY(message_of<BudgetError>([] { Effort::hold(1001); }).startsWith("a part takes more than 1 kB"));
  }
  void time_ends_it() {
    const Effort effort("the work", 0, SIZE_MAX);
    Effort::spend(99'999);
    QCOMPARE(message_of<BudgetError>([] { Effort::spend(1); }), QString("the work takes longer than 0 seconds"));
    const Effort inner("a part", 100, SIZE_MAX);
    QCOMPARE(message_of<BudgetError>([] { Effort::spend_much(); }), QString("the work takes longer than 0 seconds"));
  }
  void a_token_ends_it() {
    const CancelToken token = CancelToken::make();
    const Effort effort(token);
    const Effort inner("a part", 100, SIZE_MAX);
    Effort::spend_much();
    token.cancel();
    QVERIFY_EXCEPTION_THROWN(Effort::spend_much(), Cancelled);
    QVERIFY_EXCEPTION_THROWN(Effort::spend(200'000), Cancelled);
  }

  void texts_that_grow_data() {
    QTest::addColumn<QString>("json");
    const auto row = [](const char* name, const std::string& json) {
      QTest::newRow(name) << QString::fromStdString(json);
    };
    const std::string bytes = "{'type': 'ByteLevel', 'add_prefix_space': true, 'use_regex': false}";
    row("a normalizer doubles", with("normalizer", "normalizers", repeated(kDoubles, 34)));
    row("sequences in sequences",
        with("normalizer", "normalizers",
             repeated("{'type': 'Sequence', 'normalizers': [" + repeated(kDoubles, 10) + "]}", 10)));
    row("an expression finds nothing everywhere",
        with("normalizer", "normalizers",
             repeated("{'type': 'Replace', 'pattern': {'Regex': ''}, 'content': 'a'}", 34)));
    row("long beginnings", with("normalizer", "normalizers",
                                repeated("{'type': 'Prepend', 'prepend': '" + std::string(50'000, 'x') + "'}", 100)));
    row("bytes as characters", with("normalizer", "normalizers", repeated("{'type': 'ByteLevel'}", 34)));
    row("a pre-tokenizer doubles", with("pre_tokenizer", "pretokenizers", repeated(bytes, 34)));
    row("pieces double",
        with("pre_tokenizer", "pretokenizers", repeated("{'type': 'FixedLength', 'length': 1}, " + bytes, 34)));
    row("a long sign for what is unknown",
        small("'pre_tokenizer': {'type': 'FixedLength', 'length': 1}",
              "'type': 'WordLevel', 'vocab': {'a': 0, '" + std::string(600'000, 'u') + "': 1}, 'unk_token': '" +
                  std::string(600'000, 'u') + "'"));
  }
  void texts_that_grow() {
    QFETCH(QString, json);
    const auto made = tokenizer(json.toStdString());
    QCOMPARE(message_of<BudgetError>([&] { made->encode("aé\xc3\xa9"); }),
             QString("reading this text with the tokenizer of this model takes more than 1 MB of memory"));
  }
  void written_texts_that_grow() {
    const auto made = tokenizer(with("decoder", "decoders", repeated(kDoubles, 34)));
    QVERIFY(message_of<BudgetError>([&] { made->decode({0}); }).endsWith("takes more than 1 MB of memory"));
    QCOMPARE(tokenizer(with("decoder", "decoders", repeated(kDoubles, 5)))->decode({0}), std::string(32, 'a'));
  }
  void an_added_token_that_grows() {
    const std::string json = with("normalizer", "normalizers", repeated(kDoubles, 34));
    const std::string added = ", 'added_tokens': [{'id': 4, 'content': 'a', 'normalized': true}]}";
    QVERIFY(message_of<BudgetError>([&] {
              tokenizer(json.substr(0, json.rfind('}')) + added);
            }).endsWith("takes more than 1 MB of memory"));
  }
  void everyday_growth_is_none() {
    // The ligature of 18 letters, and each of its bytes as a character of two.
    const auto made = tokenizer(with("normalizer", "normalizers", "{'type': 'NFKC'}, {'type': 'ByteLevel'}"));
    std::string text;
    for (int i = 0; i < 5000; ++i) text += "\xef\xb7\xba";
    QCOMPARE(made->encode(text).size(), std::size_t{1});
  }

  // Pieces of one letter, each made of all shorter ones.
  void pieces_of_one_letter() {
    std::string bytes = piece("<unk>", 0, 2);
    for (int i = 1; i <= 1000; ++i) bytes += piece(std::string(static_cast<std::size_t>(i), 'a'), -1.0f, 1);
    Folder folder;
    put_file(folder / "tokenizer.model", bytes + field(2, "\x18\x02"));
    const QString said = message_of<BudgetError>([&] { open_tokenizer(folder.path()); });
    QVERIFY2(said.startsWith(QString::fromStdString((folder / "tokenizer.model").string()) + ": merging its pieces"),
             qPrintable(said));
    std::string list;
    for (int i = 1; i <= 2000; ++i)
      list += ", ['" + std::string(static_cast<std::size_t>(i), 'a') + "', -" + std::to_string(i) + ".0]";
    const auto made = tokenizer(small("", "'type': 'Unigram', 'unk_id': 0, 'vocab': [['<unk>', 0.0]" + list + "]"));
    const std::string text(200'000, 'a');
    {
      const Effort effort("the text", 0.05, SIZE_MAX);
      QCOMPARE(message_of<BudgetError>([&] { made->encode(text); }),
               QString("the text takes longer than 0.05 seconds"));
    }
    const CancelToken token = CancelToken::make();
    token.cancel();
    const Effort effort(token);
    QVERIFY_EXCEPTION_THROWN(made->encode(text), Cancelled);
  }
  // Each expression alone ends; a hundred of them end together.
  void a_hundred_expressions() {
    const auto made = tokenizer(with("normalizer", "normalizers",
                                     repeated("{'type': 'Replace', 'pattern': {'Regex': '(?:a|aa)+[bc]'}, 'content': "
                                              "'d'}",
                                              100)));
    const Effort effort("the text", 0.02, SIZE_MAX);
    QCOMPARE(message_of<BudgetError>([&] { made->encode(std::string(22, 'a')); }),
             QString("the text takes longer than 0.02 seconds"));
  }
};

HEADLIGHT_TEST(TestEffort)

}  // namespace headlight::test_effort

#include "test_effort.moc"
