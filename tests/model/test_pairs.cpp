// Sentence pairs from the user's files: what is read, what is refused and where, what is held out.

#include <zlib.h>

#include <set>

#include "model/core/errors.h"
#include "model/training/batch.h"
#include "model/training/tasks/own/pair_files.h"
#include "tests/model/io_helpers.h"
#include "tests/test_program.h"

namespace headlight::test_pairs {

using namespace headlight::testing;

namespace {

using Strings = std::vector<std::string>;
using TextPairs = std::vector<std::pair<std::string, std::string>>;

std::string packed(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string bytes(text.size() + 200, '\0');
  stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<unsigned>(text.size());
  stream.next_out = reinterpret_cast<unsigned char*>(bytes.data());
  stream.avail_out = static_cast<unsigned>(bytes.size());
  deflate(&stream, Z_FINISH);
  bytes.resize(bytes.size() - stream.avail_out);
  deflateEnd(&stream);
  return bytes;
}

class Files {
 public:
  fs::path put(const char* name, const std::string& bytes) const {
    put_file(folder_ / name, bytes);
    return folder_ / name;
  }
  // The message with the folder shown as DIR.
  template <class E = FormatError, class Call>
  QString refusal(Call call) const {
    return message_of<E>(call).replace(QString::fromStdString(folder_.path().string()), "DIR");
  }

 private:
  Folder folder_;
};

// "w0 w1 .\tm0 m1 .", one line for each number; each word occurs many times.
std::string lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    const std::string a = std::to_string(i % 10), b = std::to_string(i / 10 % 10), c = std::to_string(i / 100);
    text += "w" + a + " w" + b + " W" + c + ".\tm" + c + " m" + a + " m" + b + ".\n";
  }
  return text;
}

FileOptions options(const fs::path& file) {
  FileOptions made;
  made.files = {file};
  return made;
}

std::set<std::string> sources(const std::vector<Example>& part) {
  std::set<std::string> all;
  for (const Example& example : part) all.insert(example.source);
  return all;
}

}  // namespace

class TestPairs : public QObject {
  Q_OBJECT

 private slots:
  void lines_are_read_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<TextPairs>("expected");
    QTest::newRow("plain") << std::string("a b\tx\nc\ty z\n") << TextPairs{{"a b", "x"}, {"c", "y z"}};
    QTest::newRow("no line end at the end") << std::string("a\tx") << TextPairs{{"a", "x"}};
    QTest::newRow("Windows") << std::string(
                                    "\xef\xbb\xbf"
                                    "a\tx\r\nb\ty\r\n")
                             << TextPairs{{"a", "x"}, {"b", "y"}};
    QTest::newRow("more columns") << std::string("a\tx\tCC-BY\t5\n") << TextPairs{{"a", "x"}};
    QTest::newRow("empty lines") << std::string("\na\tx\n\n\r\nb\ty\n\n") << TextPairs{{"a", "x"}, {"b", "y"}};
    QTest::newRow("nothing") << std::string() << TextPairs{};
    QTest::newRow("several alphabets") << std::string("été\t夏天\n") << TextPairs{{"été", "夏天"}};
  }
  void lines_are_read() {
    QFETCH(std::string, text);
    QFETCH(TextPairs, expected);
    const Files files;
    QCOMPARE(read_pairs({files.put("p.tsv", text)}, false).pairs, expected);
    QCOMPARE(read_pairs({files.put("p.tsv.gz", packed(text))}, false).pairs, expected);
    QCOMPARE(read_pairs({files.put("p.gz", packed(text.substr(0, 1)) +
                                               packed(text.substr(std::min<std::size_t>(1, text.size()))))},
                        false)
                 .pairs,
             expected);
  }
  void two_files_belong_together() {
    const Files files;
    const fs::path a = files.put("t.en", "one\ntwo\n"), b = files.put("t.fr.gz", packed("un\ndeux\n"));
    QCOMPARE(read_pairs({a, b}, false).pairs, (TextPairs{{"one", "un"}, {"two", "deux"}}));
    const fs::path longer = files.put("long.fr", "un\ndeux\ntrois\n");
    QCOMPARE(files.refusal([&] {
      read_pairs({a, longer}, false);
    }),
             QString("DIR/t.en: expected as many lines as DIR/long.fr has, found only 2"));
    QCOMPARE(files.refusal([&] {
      read_pairs({longer, a}, true);
    }),
             QString("DIR/t.en: expected as many lines as DIR/long.fr has, found only 2"));
    const fs::path hole = files.put("hole.fr", "un\n\n");
    QCOMPARE(files.refusal([&] {
      read_pairs({a, hole}, false);
    }),
             QString("DIR/hole.fr:2: expected a target, found an empty text"));
    // A line that is left out is left out on both sides.
    const PairLines rest = read_pairs({a, files.put("bad.fr", "\xff\ndeux\n")}, true);
    QCOMPARE(rest.pairs, (TextPairs{{"two", "deux"}}));
    QCOMPARE(rest.skipped, Index{1});
  }

  void bad_lines_data() {
    QTest::addColumn<std::string>("line");
    QTest::addColumn<QString>("message");
    QTest::newRow("no tab") << std::string("only one side") << "expected a tab between source and target, found none";
    QTest::newRow("no source") << std::string("\tx") << "expected a source, found an empty text";
    QTest::newRow("blank source") << std::string("  \tx") << "expected a source, found an empty text";
    QTest::newRow("no target") << std::string("a\t") << "expected a target, found an empty text";
    QTest::newRow("no target but more") << std::string("a\t\tx") << "expected a target, found an empty text";
    QTest::newRow("Latin-1") << std::string("\xe9t\xe9\tx") << "expected UTF-8, found another encoding at byte 1";
    QTest::newRow("cut off") << std::string("a\tx\xc3") << "expected UTF-8, found another encoding at byte 4";
    QTest::newRow("too long") << std::string(20'000, 'a') + "\tx"
                              << "expected at most 16384 bytes, found more";
  }
  void bad_lines() {
    QFETCH(std::string, line);
    QFETCH(QString, message);
    const Files files;
    const fs::path path = files.put("p.tsv", "a\tx\n\n" + line + "\nb\ty\n" + line);
    QCOMPARE(files.refusal([&] { read_pairs({path}, false); }), "DIR/p.tsv:3: " + message);
    const PairLines rest = read_pairs({path}, true);
    QCOMPARE(rest.pairs, (TextPairs{{"a", "x"}, {"b", "y"}}));
    QCOMPARE(rest.skipped, Index{2});
    QVERIFY(QString::fromStdString(rest.first_skipped).endsWith("p.tsv:3: " + message));
  }
  void bad_files() {
    const Files files;
    QCOMPARE(files.refusal<FileError>([&] { read_pairs({files.put("x", "").replace_filename("none.tsv")}, false); }),
             QString("cannot read DIR/none.tsv: there is no such file or folder"));
    std::string noise;
    for (unsigned i = 0; i < 20'000; ++i) noise += static_cast<char>('a' + (i * 2'654'435'761u >> 11) % 26);
    const std::string whole = packed(noise + "\tx\n");
    const fs::path cut = files.put("cut.gz", whole.substr(0, whole.size() / 2));
    QCOMPARE(files.refusal([&] { read_pairs({cut}, true); }),
             QString("DIR/cut.gz: the packed file is cut off (an interrupted download?)"));
    std::string wrong = whole;
    wrong[whole.size() / 2] = static_cast<char>(wrong[whole.size() / 2] ^ 0x55);
    QVERIFY(files.refusal([&] { read_pairs({files.put("wrong.gz", wrong)}, true); })
                .startsWith("DIR/wrong.gz: the packed file is "));
    QCOMPARE(message_of<UsageError>([] { read_pairs({}, false); }),
             QString("the task 'pairs' reads one file of \"source TAB target\" lines, or two files whose lines belong "
                     "together; got 0 files"));
  }

  void every_tenth_source_is_held_out() {
    const Files files;
    const fs::path path = files.put("p.tsv", lines(200) + "w3 w1 w0.\tm0 m1 m3 m9.\n" + lines(50));
    const auto task = find_task("pairs", options(path));
    QCOMPARE(task->name, std::string("pairs"));
    const TaskData& data = *task->fixed;
    QCOMPARE(data.test.size(), std::size_t{20});
    QCOMPARE(data.train.size(),
             std::size_t{181});  // a second translation of a source is trained on, a repeated pair is not
    const std::set<std::string> held_out = sources(data.test);
    QVERIFY(held_out.count("w9 w0 W0.") && held_out.count("w9 w1 W0.") && held_out.count("w9 w9 W1."));
    for (const std::string& source : sources(data.train)) QVERIFY2(!held_out.count(source), source.c_str());
    QCOMPARE(task->report, std::string("181 pairs for training, 20 held out; repeated pairs left out: 50"));
    QCOMPARE(task->repeated, Index{50});
    // A second translation of a held-out source is right, too.
    const fs::path twice = files.put("t.tsv", lines(200) + "w9 w0 W0.\tanother m9.\n");
    std::vector<std::string> also;
    const auto both = find_task("pairs", options(twice));
    for (const Example& example : both->fixed->test)
      for (const std::string& other : example.also) also.push_back(example.source + " = " + other);
    QCOMPARE(also, std::vector<std::string>{"w9 w0 W0. = another m9."});
    // generate() hands out parts of what there is.
    const TaskData some = generate(*task, 50, 5);
    QCOMPARE(some.train.size(), std::size_t{50});
    QCOMPARE(some.test[4].source, data.test[4].source);
    QCOMPARE(generate(*task, 1'000'000, 1'000'000).train.size(), std::size_t{181});
    // Lines in file order would be sorted: the first of the training part are not.
    QVERIFY(data.train[0].source != "w0 w0 W0.");
    QCOMPARE(find_task("pairs", options(path))->fixed->train[7].source, data.train[7].source);
    // A limit does not move a source into the other part.
    FileOptions longer = options(files.put("q.tsv", "a b c d e f\tx\n" + lines(200)));
    const auto everything = sources(find_task("pairs", longer)->fixed->test);
    longer.max_tokens = 5;
    QCOMPARE(sources(find_task("pairs", longer)->fixed->test), everything);
    QVERIFY(everything.count("w8 w0 W0."));
  }
  void vocabularies_hold_what_is_frequent() {
    const Files files;
    FileOptions asked = options(files.put("p.tsv", "rare Rare once\tseul\n" + lines(200)));
    const auto task = find_task("pairs", asked);
    const Vocabulary &source = task->text.source.vocabulary(), &target = task->text.target.vocabulary();
    for (const char* special : {kPadding, kStart, kEnd, kUnknown})
      QVERIFY(source.find(special) == target.find(special));
    QCOMPARE(source.text(4), std::string("."));  // the most frequent one
    QVERIFY(source.find("rare") && !source.find("Rare") && !source.find("once") && !target.find("seul"));
    QCOMPARE(source.size(), Index{4 + 1 + 10 + 1});  // ".", w0-w9, rare
    QVERIFY(task->text.source_eos && task->text.eos && task->text.pad);
    QCOMPARE(task->text.target_limit(6), Index{20});
    asked.lower_case = false;
    asked.min_frequency = 1;
    const auto exact = find_task("pairs", asked);
    for (const char* word : {"rare", "Rare", "once", "W0"}) QVERIFY(exact->text.source.vocabulary().find(word));
    QVERIFY(!exact->text.source.split("RARE")[0].id || exact->text.source.split("RARE")[0].unknown);
    Dataset data(*exact, exact->fixed->train);
    QCOMPARE(data.size(), static_cast<Index>(exact->fixed->train.size()));
  }
  void characters_and_byte_pairs() {
    const Files files;
    FileOptions asked = options(files.put("p.tsv", lines(300)));
    asked.tokenizer = "characters";
    const auto characters = find_task("pairs", asked);
    QCOMPARE(characters->text.source.split("w1 .").size(), std::size_t{4});
    QVERIFY(characters->text.source.vocabulary().find(" "));
    asked.tokenizer = "bpe";
    asked.bpe_merges = 12;
    const auto bpe = find_task("pairs", asked);
    QCOMPARE(bpe->text.source.merges().size(), std::size_t{12});
    QCOMPARE(bpe->text.source.vocabulary().tokens(), bpe->text.target.vocabulary().tokens());
    const Example& example = bpe->fixed->test[0];
    std::vector<TokenId> ids;
    for (const TextToken& token : bpe->text.target.split(example.target)) ids.push_back(token.id.value());
    QCOMPARE(bpe->text.target.join(ids), example.target);
    // Without merges each character is a token: 3 words of 2 and the full stop.
    asked.bpe_merges = 0;
    asked.max_tokens = 6;
    QCOMPARE(files.refusal([&] { find_task("pairs", asked); }),
             QString("DIR/p.tsv: expected at least 10 different sources of at most 6 tokens, found 0 of 300 pairs"));
  }
  void long_pairs_are_left_out() {
    const Files files;
    std::string text = lines(100);
    text +=
        "a a a a a a\tx\n"
        "b\ty y y y y y\n";
    FileOptions asked = options(files.put("p.tsv", text + "no tab\n"));
    asked.max_tokens = 5;
    asked.skip_bad_lines = true;
    const QString report = QString::fromStdString(find_task("pairs", asked)->report);
    QVERIFY2(report.startsWith("90 pairs for training, 10 held out; left out as longer than 5 tokens: 2; bad lines "
                               "skipped: 1, the first: "),
             qPrintable(report));
    QVERIFY(report.endsWith("p.tsv:103: expected a tab between source and target, found none"));
  }
  void refused_options_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* what, const char* message) { QTest::newRow(what) << what << message; };
    row("tokenizer", "the task 'pairs' has tokenizers characters, words and bpe, not 'sentences'");
    row("min_frequency", "the task 'pairs': min_frequency: expected a whole number from 1 to 1000000, got 0");
    row("max_tokens", "the task 'pairs': max_tokens: expected a whole number from 1 to 1000, got 0");
    row("bpe_merges", "the task 'pairs': bpe_merges: expected a whole number from 0 to 100000, got -1");
    row("files",
        "the task 'pairs' reads one file of \"source TAB target\" lines, or two files whose lines belong "
        "together; got 0 files");
  }
  void refused_options() {
    QFETCH(QString, what);
    QFETCH(QString, message);
    const Files files;
    FileOptions asked = options(files.put("p.tsv", lines(100)));
    if (what == "tokenizer") asked.tokenizer = "sentences";
    if (what == "min_frequency") asked.min_frequency = 0;
    if (what == "max_tokens") asked.max_tokens = 0;
    if (what == "bpe_merges") asked.bpe_merges = -1;
    if (what == "files") asked.files.clear();
    QCOMPARE(message_of<UsageError>([&] { find_task("pairs", asked); }), message);
  }
  void too_few_pairs() {
    const Files files;
    QCOMPARE(files.refusal([&] { find_task("pairs", options(files.put("p.tsv", lines(9)))); }),
             QString("DIR/p.tsv: expected at least 10 different sources of at most 40 tokens, found 9 of 9 pairs"));
    QCOMPARE(files.refusal([&] { find_task("pairs", options(files.put("e.tsv", ""))); }),
             QString("DIR/e.tsv: expected at least 10 different sources of at most 40 tokens, found 0 of 0 pairs"));
  }
  void the_other_tasks_need_no_files() {
    QCOMPARE(find_task("copy", FileOptions())->name, std::string("copy"));
    QCOMPARE(message_of<UsageError>([] { find_task("pairs"); }), QString("the task 'pairs' needs its files"));
  }
};

HEADLIGHT_TEST(TestPairs)

}  // namespace headlight::test_pairs

#include "test_pairs.moc"
