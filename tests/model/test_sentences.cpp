// Our sentences: what is said of each line, how texts are read, and that training on the list is training on its file.

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>

#include "model/core/errors.h"
#include "model/io/file.h"
#include "model/training/tasks/own/word_bank.h"
#include "tests/model/small_training.h"
#include "tests/test_program.h"

namespace headlight::test_sentences {

namespace {

using Status = SentenceStatus;

SentenceList list_of(const std::vector<SentenceLine>& lines) {
  SentenceList list;
  list.insert(0, cut_sentences(lines, list.options()));
  return list;
}

std::vector<Status> statuses(const SentenceList& list) {
  std::vector<Status> all;
  for (std::size_t i = 0; i < list.size(); ++i) all.push_back(list.verdict(i).status);
  return all;
}

}  // namespace

class TestSentences : public QObject {
  Q_OBJECT

 private slots:
  void every_line_has_its_reason() {
    SentenceList list = list_of({{"anna sees the horse", "anna sieht das pferd"},
                                 {"anna sees the house", "anna sieht das haus"},
                                 {" Anna  sees the HORSE ", "anna sieht das pferd"},
                                 {"paul sees the elephant", "paul sieht den elefanten"},
                                 {"paul sees the house", ""},
                                 {"", "paul sieht das haus"},
                                 {"anna sees the house", "anna sieht ein haus"},
                                 {"the horse sees the house", "das pferd sieht das haus"},
                                 {"the \xef\xbf\xbd", "das"},
                                 {"the\x07house", "das haus"},
                                 {std::string(20'000, 'a'), "a"}});
    QVERIFY((statuses(list) == std::vector<Status>{Status::used, Status::used, Status::repeated, Status::lone_words,
                                                   Status::no_target, Status::no_source, Status::lone_words,
                                                   Status::used, Status::broken_text, Status::control_characters,
                                                   Status::too_many_bytes}));
    QCOMPARE(list.verdict(2).line, 0);
    // "paul" stands nowhere else either: the other two lines with it are not used.
    QVERIFY((list.verdict(3).words == std::vector<std::string>{"paul", "elephant", "paul", "den", "elefanten"}));
    QVERIFY((list.verdict(6).words == std::vector<std::string>{"ein"}));
    QCOMPARE(list.used(), std::size_t{5});
    QCOMPARE(list.sources(), std::size_t{4});

    // With a second "ein" the other meaning is what is said of the line.
    list.insert(list.size(), cut_sentences({{"the horse sees the horse", "ein pferd sieht das pferd"}}, {}));
    QVERIFY(list.verdict(6).status == Status::other_target);
    QCOMPARE(list.verdict(6).line, 1);

    // The probe is kept out whatever its target; what stood there once more is used no longer either.
    list.set_probe("ANNA sees the horse");
    QVERIFY(list.verdict(0).status == Status::probe && list.verdict(2).status == Status::probe);
    list.set_probe("");
    QVERIFY(list.verdict(0).status == Status::used && list.verdict(2).status == Status::repeated);

    // The first of two goes: the other one is used, and lines are named anew.
    list.erase(0, 1);
    QVERIFY(list.verdict(1).status == Status::used);
    QCOMPARE(list.verdict(5).line, 0);
    list.replace(3, cut_sentence({"paul sees the house", "paul sieht das haus"}, {}));
    QVERIFY(list.verdict(3).status == Status::used);
  }

  void long_lines_are_not_used() {
    std::string words;
    for (int i = 0; i < 41; ++i) words += "a ";
    QVERIFY(list_of({{words, "a"}}).verdict(0).status == Status::too_long);
    QVERIFY(list_of({{words.substr(2), "a"}}).verdict(0).status == Status::lone_words);
  }

  void texts_are_read_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("csv");
    QTest::addColumn<QStringList>("expected");  // "number|source|target"
    const auto row = [](const char* name, const QByteArray& text, bool csv, const QStringList& expected) {
      QTest::newRow(name) << text << csv << expected;
    };
    row("tabs", "a b\tx\r\n\r\nc\ty\tz\n", false, {"1|a b|x", "3|c|y"});
    row("equals", "a b = x y\nc=d\n", false, {"1|a b|x y", "2|c=d|"});
    row("a mark of the byte order",
        "\xef\xbb\xbf"
        "a\tx",
        false, {"1|a|x"});
    row("bad ones stop nothing", "a\tx\n\xff\xfe\tno\nb\ty\n", false,
        {"1|a|x", QString::fromUtf8("2|\xef\xbf\xbd\xef\xbf\xbd|no"), "3|b|y"});
    row("csv", "\"a, b\",x\n\"say \"\"hi\"\"\",y\n", true, {"1|a, b|x", "2|say \"hi\"|y"});
    row("csv with semicolons", "a;\"x;y\"\nb;z;more\n", true, {"1|a|x;y", "2|b|z"});
    row("an open quote takes one line", "\"a,x\nb,y\n", true, {"1|a,x|", "2|b|y"});
  }
  void texts_are_read() {
    QFETCH(QByteArray, text);
    QFETCH(bool, csv);
    const SentencesRead read =
        read_sentences(text.toStdString(), csv ? SentenceFormat::csv : SentenceFormat::plain, "t");
    QStringList found;
    for (std::size_t i = 0; i < read.lines.size(); ++i)
      found << QStringLiteral("%1|%2|%3")
                   .arg(QString::number(read.numbers[i]), QString::fromStdString(read.lines[i].source),
                        QString::fromStdString(read.lines[i].target));
    QTEST(found, "expected");
  }

  void what_is_no_text_is_told() {
    const auto problem = [](const std::string& text) {
      try {
        read_sentences(text, SentenceFormat::plain, "t.tsv");
      } catch (const FormatError& error) {
        return QString::fromUtf8(error.what());
      }
      return QString();
    };
    QVERIFY(problem(std::string("\xff\xfe\x61\x00", 4)).startsWith("t.tsv: expected UTF-8, found UTF-16: "));
    QCOMPARE(problem(std::string("ab\0c", 4)),
             QString("t.tsv: expected lines of text, found a zero byte: this is no text"));
    QVERIFY(problem("PK\x03\x04").contains("compressed (zip)"));
  }

  void there_is_room_for_so_many() {
    std::string text;
    for (std::size_t i = 0; i < kMostSentences + 3; ++i) text += "a\tb\n";
    const SentencesRead read = read_sentences(text, SentenceFormat::plain, "t");
    QCOMPARE(read.lines.size(), kMostSentences);
    QCOMPARE(read.left_out, std::size_t{3});
  }

  // The same lines from memory and from the file that is saved: the same data and the same weights, bit for bit, and
  // the links change nothing.
  void training_on_the_list_is_training_on_its_file() {
    SentenceList list;
    std::vector<SentenceLine> lines = word_banks()[0].missing(list, word_banks()[0].all(), 80, 1);
    lines.push_back(lines[0]);
    lines.push_back({"no target", ""});
    list.insert(0, cut_sentences(lines, {}));
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("list.tsv").toStdString();
    write_file_atomically(file, list.tsv());
    TrainingSettings from_file = trainings::small({}, "attn_seq2seq", "pairs"), from_list = from_file;
    from_file.data.files = {file};
    from_list.data = list.pairs();
    from_list.data.links = [](const std::string& source, const std::string& target) {
      return word_banks()[0].links(source, target);
    };
    Trainer first(from_file), second(from_list);
    QCOMPARE(first.train_data().size() + first.test_data().size(), Index{80});
    QCOMPARE(second.task().repeated, Index{1});
    QVERIFY(first.test_examples()[0].alignment.empty());
    QCOMPARE(second.test_examples()[0].alignment.size(),
             word_banks()[0].make(*word_banks()[0].find(second.test_examples()[0].source)).alignment.size());
    first.run_epoch();
    second.run_epoch();
    QVERIFY(trainings::weights(first) == trainings::weights(second));
  }
};

HEADLIGHT_TEST(TestSentences)

}  // namespace headlight::test_sentences

#include "test_sentences.moc"
