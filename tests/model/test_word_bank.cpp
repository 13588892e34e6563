// The word bank: counts by hand, sentences written by hand, links, missing combinations, and files that are none.

#include <QTest>
#include <algorithm>
#include <set>

#include "model/core/errors.h"
#include "model/training/tasks/own/word_bank.h"
#include "tests/test_program.h"

namespace headlight::test_word_bank {

namespace {

const WordBank& german() { return word_banks()[0]; }
const WordBank& chinese() { return word_banks()[1]; }

// The example whose source this is.
Example made(const WordBank& bank, const std::string& source) {
  const auto choice = bank.find(source);
  return choice ? bank.make(*choice) : Example{};
}

std::vector<CutSentence> cut(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::vector<CutSentence> lines;
  for (const auto& [source, target] : pairs) lines.push_back(cut_sentence({source, target}, {}));
  return lines;
}

QString problem_of(const std::string& json) {
  try {
    WordBank::parse(json, "own.json");
  } catch (const FormatError& error) {
    return QString::fromUtf8(error.what());
  }
  return {};
}

}  // namespace

class TestWordBank : public QObject {
  Q_OBJECT

 private slots:
  void counts_are_products() {
    // when · who · does · which · what: 3 · 8 · 6 · 6 · 8; without "which": 3 · 8 · 6 · 8.
    QCOMPARE(german().possible(german().all()), std::size_t{6'912});
    QCOMPARE(chinese().possible(chinese().all()), std::size_t{1'152});
    WordBank::Allowed some = german().all();
    some[0] = {false, false, true};  // yesterday
    some[4].assign(some[4].size(), false);
    some[4][1] = some[4][2] = true;  // car, book
    QCOMPARE(german().possible(some), std::size_t{1 * 8 * 6 * 6 * 2});
    some[1].assign(some[1].size(), false);
    QCOMPARE(german().possible(some), std::size_t{0});
  }

  void sentences_written_by_hand_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("target");
    const auto row = [](const char* source, const char* target) { QTest::newRow(source) << source << target; };
    row("anna sees the red horse", "anna sieht das rote pferd");
    row("my brother paints the new car", "mein bruder malt das neue auto");
    row("our teacher sells the green boat", "unsere lehrerin verkauft das grüne boot");
    row("the girl finds the small book", "das mädchen findet das kleine buch");
    row("today our teacher buys the green bicycle", "heute kauft unsere lehrerin das grüne fahrrad");
    row("today paul brings the red book", "heute bringt paul das rote buch");
    row("today the child sees the old house", "heute sieht das kind das alte haus");
    row("today tom sells the old book", "heute verkauft tom das alte buch");
    row("yesterday mia painted the cold boat", "gestern hat mia das kalte boot gemalt");
    row("yesterday the child brought the small picture", "gestern hat das kind das kleine bild gebracht");
    row("yesterday the girl found the cold bread", "gestern hat das mädchen das kalte brot gefunden");
    row("yesterday anna saw the old house", "gestern hat anna das alte haus gesehen");
  }
  void sentences_written_by_hand() {
    QFETCH(QString, source);
    QFETCH(QString, target);
    const Example example = made(german(), source.toStdString());
    QCOMPARE(QString::fromStdString(example.source), source);
    QCOMPARE(QString::fromStdString(example.target), target);
  }

  void chinese_stands_together() {
    QCOMPARE(made(chinese(), "anna sees the house").target, std::string("安娜看见那座房子"));
    QCOMPARE(made(chinese(), "yesterday my brother bought the bicycle").target,
             std::string("昨天我哥哥买了那辆自行车"));
    QCOMPARE(made(chinese(), "Today the girl paints the horse").target, std::string("今天女孩画那匹马"));
  }

  void what_is_no_sentence_of_the_bank_is_not_found() {
    for (const char* text : {"", "anna", "anna saw the old house", "yesterday anna sees the old house",
                             "anna sees the old elephant", "anna sees the old house today"})
      QVERIFY2(!german().find(text), text);
    // Capitals and spaces are nothing to the task.
    QVERIFY(german().find("Yesterday  ANNA saw the old house"));
  }

  void links_lead_to_the_word_that_it_comes_from() {
    // yesterday anna saw the old house -> gestern hat anna das alte haus gesehen
    const std::vector<Link> perfect = {{0, 0}, {2, 1}, {1, 2}, {3, 3}, {4, 4}, {5, 5}, {2, 6}};
    QVERIFY(made(german(), "yesterday anna saw the old house").alignment == perfect);
    // today my brother buys the new car -> heute kauft mein bruder das neue auto
    const std::vector<Link> second = {{0, 0}, {3, 1}, {1, 2}, {2, 3}, {4, 4}, {5, 5}, {6, 6}};
    QVERIFY(made(german(), "today my brother buys the new car").alignment == second);
    // the girl sees the house -> 女 孩 看 见 那 座 房 子: both signs of 女孩 come from "girl", 座 from "house".
    const std::vector<Link> signs = {{1, 0}, {1, 1}, {2, 2}, {2, 3}, {3, 4}, {4, 5}, {4, 6}, {4, 7}};
    QVERIFY(made(chinese(), "the girl sees the house").alignment == signs);
    QCOMPARE(german().links("yesterday anna saw the old house", "gestern hat anna das alte haus gesehen").size(),
             perfect.size());
    QVERIFY(german().links("yesterday anna saw the old house", "gestern sah anna das alte haus").empty());
    QVERIFY(german().links("hello", "hallo").empty());
  }

  void missing_ones_are_new_and_the_same_for_a_seed() {
    SentenceList list;
    WordBank::Allowed few = german().all();
    few[0] = {true, false, false};
    for (const std::size_t slot : {1, 2, 3}) {
      few[slot].assign(few[slot].size(), false);
      few[slot][0] = true;
    }
    // anna sees the old {8 things}: one stands there, one is the probe.
    list.insert(0, cut({{"Anna sees the old house", "x"}}));
    list.set_probe("anna sees the old boat");
    const auto lines = german().missing(list, few, 20, 1);
    QCOMPARE(lines.size(), std::size_t{6});
    std::set<std::string> sources;
    for (const SentenceLine& line : lines) {
      QVERIFY(line.made);
      QVERIFY(sources.insert(line.source).second);
      QVERIFY(german().find(line.source).has_value());
    }
    QVERIFY(!sources.contains("anna sees the old house") && !sources.contains("anna sees the old boat"));
    QVERIFY(german().missing(list, german().all(), 20, 1) == german().missing(list, german().all(), 20, 1));
    QVERIFY(german().missing(list, german().all(), 20, 1) != german().missing(list, german().all(), 20, 2));
    // All that are possible are made, each once.
    const auto all = german().missing(SentenceList(), german().all(), 10'000, 1);
    std::set<std::string> distinct;
    for (const SentenceLine& line : all) distinct.insert(line.source);
    QCOMPARE(all.size(), std::size_t{6'912});
    QCOMPARE(distinct.size(), std::size_t{6'912});
  }

  void files_that_are_none_data() {
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("message");
    const QString head = R"({"name": "a", "languages": ["A", "B"], "slots": [{"name": "who", "words": )";
    const QString words = head + R"([["one | two", "eins"], ["three | four", "drei"]]}], "patterns": )";
    const auto row = [](const char* name, const QString& json, const char* message) {
      QTest::newRow(name) << json << QStringLiteral("own.json: ") + QString::fromUtf8(message);
    };
    row("languages",
        QString(words + R"([{"source": "{who}", "target": "{who}"}]})").replace(R"(["A", "B"])", R"(["A"])"),
        "languages: expected two names, found 1");
    row("one text", head + R"([["one"]]}], "patterns": []})",
        "slots[0].words: expected lists of two texts, such as [\"sees | saw\", \"sieht | gesehen\"], found [\"one\"]");
    row("twice", head + R"([["one", "x"], ["One", "y"]]}], "patterns": []})",
        "slots[0].words: expected different words, found \"One\" twice");
    row("no pattern", words + "[]}", "patterns: expected a list of 1 to 30 objects");
    row("slot left out", words + R"([{"source": "a", "target": "{who}"}]})",
        "patterns[0].source: expected every slot, found no {who}");
    row("no such slot", words + R"([{"source": "{who}", "target": "{when}"}]})",
        "patterns[0].target: expected a slot such as {who} or {does.2}, found \"{when}\"");
    row("no such form", words + R"([{"source": "{who}", "target": "{who.2}"}]})",
        "patterns[0].target: expected a form that every word has, found \"{who.2}\", which \"one\" has not");
    row("from nowhere", words + R"([{"source": "{who}", "target": "der@the {who}"}]})",
        "patterns[0].target: expected after @ a word of the source, found \"the\"");
    row("no last", words + R"([{"for": {"who": ["one"]}, "source": "{who}", "target": "{who}"}]})",
        "patterns: expected a last pattern without \"for\", which is taken where no other fits");
    row("for whom", words + R"([{"for": {"who": ["two"]}, "source": "{who}", "target": "{who}"}]})",
        "patterns[0].for.who: expected a word of the slot, found \"two\"");
  }
  void files_that_are_none() {
    QFETCH(QString, json);
    QTEST(problem_of(json.toStdString()), "message");
  }

  void a_bank_of_ones_own() {
    const WordBank bank = WordBank::parse(R"({"name": "mine", "languages": ["French", "English"],
      "slots": [{"name": "who", "words": [["anna", "anna"], ["le chat", "the cat"]]},
                {"name": "does", "words": [["dort | dormi", "sleeps | slept"]]}],
      "patterns": [{"for": {"who": ["le chat"]}, "source": "{who} a {does.2}", "target": "{who} {does.2}"},
                   {"source": "{who} {does}", "target": "{who} {does}"}]})",
                                          "own.json");
    QCOMPARE(bank.possible(bank.all()), std::size_t{2});
    const Example cat = bank.make({1, 0});
    QCOMPARE(cat.source, std::string("le chat a dormi"));
    QCOMPARE(cat.target, std::string("the cat slept"));
    QVERIFY((cat.alignment == std::vector<Link>{{0, 0}, {1, 1}, {3, 2}}));
    QCOMPARE(bank.make({0, 0}).target, std::string("anna sleeps"));
    QVERIFY(!bank.find("le chat dort"));
  }
};

HEADLIGHT_TEST(TestWordBank)

}  // namespace headlight::test_word_bank

#include "test_word_bank.moc"
