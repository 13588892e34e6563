// Tokens that were added to a tokenizer later, in every file that says so and beside every kind of vocabulary: numbers
// and texts are those that the Rust library gives for the same files.

#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "model/io/json_file.h"
#include "tests/model/io_helpers.h"
#include "tests/model/tokenizer_bytes.h"
#include "tests/test_program.h"

namespace headlight::test_added_tokens {

using namespace headlight::testing;
using pretrained::TokenNumber;

namespace {

fs::path committed(const char* name) { return fs::path(HEADLIGHT_TEST_DATA) / "tokenizers" / name; }

// "2 11 5 3"
std::string numbers(const std::vector<TokenNumber>& ids) {
  std::string text;
  for (const TokenNumber id : ids) text += (text.empty() ? "" : " ") + std::to_string(id);
  return text;
}
std::vector<TokenNumber> ids_of(const pretrained::Encoding& tokens) {
  std::vector<TokenNumber> ids;
  for (const pretrained::EncodedToken& token : tokens) ids.push_back(token.id);
  return ids;
}
std::string tokens_of(const fs::path& folder, const std::string& text, bool target = false) {
  return numbers(ids_of(open_tokenizer(folder, target)->encode(text)));
}

const char* const kWords = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\n##s\na\nfoo\nbar\n";
void put_bert(const Folder& folder, const std::string& settings) {
  put_file(folder / "vocab.txt", kWords);
  put_file(folder / "tokenizer_config.json",
           quoted("{'tokenizer_class': 'BertTokenizer'" + (settings.empty() ? "" : ", " + settings) + "}"));
}
void put_gpt2(const Folder& folder, const std::string& settings) {
  put_file(folder / "vocab.json", quoted("{'a': 0, 'b': 1, 'Ġ': 2, 'Ġa': 3, '<|endoftext|>': 4, 'c': 5}"));
  put_file(folder / "merges.txt", "#version: 0.2\nĠ a\n");
  put_file(folder / "tokenizer_config.json",
           quoted("{'tokenizer_class': 'GPT2Tokenizer'" + (settings.empty() ? "" : ", " + settings) + "}"));
}
void copy(const fs::path& from, std::initializer_list<const char*> files, const Folder& to) {
  for (const char* file : files) fs::copy_file(from / file, to / file);
}

// An entry of added_tokens_decoder: a special token, or with these settings.
std::string listed(int number, const std::string& content, const std::string& settings = "'special': true") {
  return "'" + std::to_string(number) + "': {'content': '" + content + "', " + settings + "}";
}
std::string decoder(const std::string& entries) { return "'added_tokens_decoder': {" + entries + "}"; }

}  // namespace

class TestAddedTokens : public QObject {
  Q_OBJECT

 private slots:
  void beside_a_list_of_words_data() {
    QTest::addColumn<QString>("settings");
    QTest::addColumn<QString>("added");  // added_tokens.json
    QTest::addColumn<QString>("map");    // special_tokens_map.json
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("ids");
    QTest::addColumn<QString>("shown");  // decoded without special tokens
    const auto row = [](const char* name, const std::string& settings, const char* added, const char* map,
                        const char* text, const char* ids, const char* shown) {
      QTest::newRow(name) << QString::fromStdString(settings) << QString(added) << QString(map) << QString(text)
                          << QString(ids) << QString(shown);
    };
    row("added_tokens.json and its signs", "", "{'[e1]': 11, '[E2]': 12}", "{'extra_special_tokens': ['[e1]']}",
        "[e1] the [E2] [e2] cat", "2 11 5 12 12 6 3", "the [E2] [E2] cat");
    row("added_tokens_decoder", decoder(listed(11, "[E1]") + "," + listed(12, "[/E1]")), "", "", "[E1] the[/E1]",
        "2 11 5 12 3", "the");
    row("the list alone counts", decoder(listed(11, "[E1]")), "{'[E2]': 12}", "{'additional_special_tokens': ['foo']}",
        "[E1] foo bar [E2]", "2 11 9 10 1 1 1 3", "foo bar");
    row("numbers of the file do not count", decoder(listed(20, "[E1]") + "," + listed(25, "[E2]")), "", "", "[E1] [E2]",
        "2 11 12 3", "");
    row("its number is of a word", decoder(listed(6, "[E1]")), "", "", "[E1] cat", "2 11 6 3", "cat");
    row("a word of the vocabulary", decoder(listed(11, "cat", "'special': false, 'normalized': false")), "", "",
        "the catcats scat", "2 5 6 6 1 1 6 3", "the cat cat cat");
    row("twice",
        decoder(listed(11, "[E1]") + "," + listed(12, "[E1]", "'special': true, 'lstrip': true") + "," +
                listed(13, "[E2]")),
        "", "", "a  [E1] [E2]", "2 8 11 12 3", "a");
    row("the longest", decoder(listed(11, "fo") + "," + listed(12, "foob")), "", "", "foobar fobar", "2 12 1 11 10 3",
        "bar");
    row("with a space in it", decoder(listed(11, "the cat")), "", "", "the cats a the  cat", "2 11 1 8 5 6 3",
        "a the cat");
    row("only a whole word",
        decoder(listed(11, "foo", "'single_word': true, 'normalized': false") + "," +
                listed(12, "E", "'single_word': true, 'normalized': false")),
        "", "", "foo foobar E aE", "2 9 1 11 1 3", "foo E");
    row("looked for in the normalised text",
        decoder(listed(11, "Foo", "'normalized': true") + "," + listed(12, "BAR", "'normalized': false")), "", "",
        "foo FOO bar BAR", "2 11 11 10 12 3", "Foo Foo bar BAR");
    row("additional_special_tokens", "'additional_special_tokens': ['[E1]', '[E2]']", "", "", "[E1] [E2]", "2 11 12 3",
        "");
    row("extra_special_tokens", "'extra_special_tokens': ['[E1]']", "", "", "[E1] a", "2 11 8 3", "a");
    row("extra ones by name", "'extra_special_tokens': {'image_token': '[I]'}", "", "", "[I] a", "2 11 8 3", "a");
    row("by name and in a list",
        "'extra_special_tokens': {'image_token': '[I]'}, 'additional_special_tokens': ['[E1]']", "", "", "[I] [E1] a",
        "2 11 12 8 3", "a");
    row("names of their own in their order, a word as padding",
        "'pad_token': 'foo', 'zz_token': '[Z]', 'aa_token': '[A]'", "", "", "foofoo [Z] [A]", "2 9 9 11 12 3", "");
    row("lists of two files", "'extra_special_tokens': ['[E1]']", "", "{'extra_special_tokens': ['[E2]']}", "[E1] [E2]",
        "2 11 12 3", "");
    row("a token by a name of its own", "'image_token': '[I]'", "", "", "[I] a", "2 11 8 3", "a");
    row("a list of objects", "", "", "{'extra_special_tokens': [{'content': '[E1]', 'lstrip': true}, '[E2]']}",
        "a [E1] [E2]", "2 8 11 12 3", "a");
    row("named ones come in their order", "'pad_token': '[P]', 'bos_token': '[B]'", "",
        "{'eos_token': {'content': '[E]', 'rstrip': true}}", "[P] [B] [E] a", "2 13 11 12 8 3", "a");
    row("none where it says null", "'pad_token': null", "", "", "[PAD] a", "2 1 1 1 8 3", "a");
    row("an object that says its class", "'pad_token': {'__type': 'AddedToken', 'content': '[P]', 'lstrip': true}", "",
        "", "a [P] a", "2 8 11 8 3", "a a");
    row("signs that are typed are texts",
        decoder(listed(11, "[E1]") + "," + listed(12, "[E2]", "'special': false")) + ", 'split_special_tokens': true",
        "", "", "[E1] [E2] [SEP]", "2 1 1 1 12 1 1 1 3", "[E2]");
  }
  void beside_a_list_of_words() {
    QFETCH(QString, settings);
    QFETCH(QString, added);
    QFETCH(QString, map);
    QFETCH(QString, text);
    QFETCH(QString, ids);
    QFETCH(QString, shown);
    Folder folder;
    put_bert(folder, settings.toStdString());
    if (!added.isEmpty()) put_file(folder / "added_tokens.json", quoted(added.toStdString()));
    if (!map.isEmpty()) put_file(folder / "special_tokens_map.json", quoted(map.toStdString()));
    const auto tokenizer = open_tokenizer(folder.path());
    const std::vector<TokenNumber> found = ids_of(tokenizer->encode(text.toStdString()));
    QCOMPARE(QString::fromStdString(numbers(found)), ids);
    QCOMPARE(QString::fromStdString(tokenizer->decode(found)), shown);
  }

  void beside_merges() {
    Folder plain;
    put_gpt2(plain, "");
    put_file(plain / "added_tokens.json", quoted("{'<|u|>': 6, '<|b|>': 7}"));
    QCOMPARE(tokens_of(plain.path(), "a<|u|> a <|b|>b"), std::string("0 6 3 2 7 1"));
    Folder padded;
    put_gpt2(padded, "'pad_token': '[PAD]'");
    QCOMPARE(tokens_of(padded.path(), "a[PAD]"), std::string("0 6"));
    for (const bool space : {true, false}) {
      Folder folder;
      put_gpt2(folder, std::string("'add_prefix_space': ") + (space ? "true" : "false"));
      QCOMPARE(tokens_of(folder.path(), "a a"), std::string(space ? "3 3" : "0 3"));
    }
  }
  void beside_pieces() {
    const auto llama = [](const std::string& settings, const std::string& text) {
      Folder folder;
      copy(committed("llama2"), {"tokenizer.model"}, folder);
      put_file(folder / "tokenizer_config.json",
               quoted("{'tokenizer_class': 'LlamaTokenizer', 'add_bos_token': true, 'legacy': false, " + settings +
                      decoder(listed(900, "[E1]")) + "}"));
      return tokens_of(folder.path(), text);
    };
    QCOMPARE(llama("", "[E1]hello"), std::string("1 900 278 286 684"));
    QCOMPARE(llama("", "a hello"), std::string("1 262 369 286 684"));
    QCOMPARE(llama("'add_prefix_space': false, ", "hello"), std::string("1 278 286 684"));
    QCOMPARE(llama("'add_prefix_space': false, ", "a hello"), std::string("1 686 369 286 684"));
  }
  void beside_a_whole_file() {
    Folder folder;
    copy(committed("t5"), {"tokenizer.json"}, folder);
    put_file(folder / "added_tokens.json", quoted("{'[E1]': 5000}"));
    const auto tokenizer = open_tokenizer(folder.path());
    QCOMPARE(numbers(ids_of(tokenizer->encode("hello[E1]"))), std::string("247 98 13 810 1"));
    QCOMPARE(tokenizer->decode({247, 98, 13, 810, 1}), std::string("hello[E1]"));
    put_file(folder / "tokenizer_config.json", quoted("{" + decoder(listed(5000, "[E1]")) + "}"));
    QCOMPARE(open_tokenizer(folder.path())->decode({247, 98, 13, 810, 1}), std::string("hello"));
    // The settings of tokenizer_config.json win against those of the file.
    for (const bool space : {true, false}) {
      put_file(folder / "tokenizer.json",
               small(quoted("'pre_tokenizer': {'type': 'Metaspace', 'replacement': '_', 'prepend_scheme': 'always', "
                            "'split': false}"),
                     quoted("'type': 'WordLevel', 'vocab': {'a': 0, '_a': 1, 'u': 2}, 'unk_token': 'u'")));
      put_file(folder / "tokenizer_config.json",
               quoted(std::string("{'add_prefix_space': ") + (space ? "true}" : "false}")));
      fs::remove(folder / "added_tokens.json");
      QCOMPARE(tokens_of(folder.path(), "a"), std::string(space ? "1" : "0"));
    }
    put_file(folder / "tokenizer.json", small(quoted("'normalizer': {'type': 'BertNormalizer', 'lowercase': true}")));
    put_file(folder / "tokenizer_config.json", quoted("{'tokenizer_class': 'BertTokenizer', 'do_lower_case': false}"));
    QCOMPARE(tokens_of(folder.path(), "A"), std::string("2"));
  }
  // Whatever the file says: the vocabulary's own number, else the next free one, counted by entries.
  void numbers_follow_from_the_order() {
    Folder folder;
    put_file(folder / "tokenizer.json",
             small(quoted("'added_tokens': [{'id': 77, 'content': 'Q'}, {'id': 5, 'content': 'R'}, {'id': 9, "
                          "'content': 'b'}, {'id': 9, 'content': ''}]")));
    const auto tokenizer = open_tokenizer(folder.path());
    QCOMPARE(numbers(ids_of(tokenizer->encode("QRbR"))), std::string("4 5 1 5"));
    QCOMPARE(*tokenizer->text(5), std::string("R"));
    QVERIFY(!tokenizer->text(77));
  }
  void what_stands_beside_a_token() {
    const auto read = [](const char* settings, const std::string& text) {
      std::string all;
      Folder folder;
      put_file(folder / "tokenizer.json", small(quoted(std::string("'added_tokens': [{'id': 4, 'content': 'A', ") +
                                                       settings + "}, {'id': 5, 'content': ' B'}]")));
      for (const auto& token : open_tokenizer(folder.path())->encode(text))
        all += (all.empty() ? "" : "|") + token.text;
      return all;
    };
    QCOMPARE(read("'lstrip': true", "A  A"), std::string("A|  A"));
    QCOMPARE(read("'rstrip': true", "A  A"), std::string("A  |A"));
    QCOMPARE(read("'rstrip': true", "A B"), std::string("A | B"));
    QCOMPARE(read("'single_word': true", "A_ A"), std::string("<unk>|A"));
  }

  void language_codes() {
    Folder folder;
    copy(committed("marian"), {"source.spm", "target.spm", "tokenizer_config.json"}, folder);
    std::string vocabulary = get_file(committed("marian") / "vocab.json");
    vocabulary.insert(vocabulary.rfind('}'), quoted(", '>>fra<<': 749"));
    put_file(folder / "vocab.json", vocabulary);
    put_file(folder / "added_tokens.json", quoted("{'[E1]': 9000}"));
    for (const auto& [text, ids] : {std::pair(">>fra<< the cat", "749 20 126 7 0"),
                                    {"the >>fra<< cat", "20 3 1 72 19 17 1 126 7 0"},
                                    {">>deu<< the cat", "1 20 126 7 0"},
                                    {">>fra<<", "749 0"},
                                    {">>fra<<>>fra<< a", "749 3 1 72 19 17 1 11 0"},
                                    {">> the cat", "3 1 20 126 7 0"},
                                    {"[E1]>>fra<< the", "9000 749 20 0"}})
      QCOMPARE(QString::fromStdString(tokens_of(folder.path(), text)), QString(ids));
    QCOMPARE(tokens_of(folder.path(), ">>fra<< the cat", true), std::string("749 517 34 9 88 17 7 0"));
    const auto tokens = open_tokenizer(folder.path())->encode(">>fra<< the cat");
    QCOMPARE(tokens[1].offsets.begin, 8u);  // behind the space
    QVERIFY(!tokens[0].unknown && !tokens[1].unknown);
    QVERIFY(open_tokenizer(folder.path())->encode(">>deu<< the cat")[0].unknown);
  }
  void what_is_unknown_says_so() {
    Folder folder;
    put_bert(folder, "");
    const auto tokens = open_tokenizer(folder.path())->encode("the dog [UNK]");
    QCOMPARE(numbers(ids_of(tokens)), std::string("2 5 1 1 3"));
    QVERIFY(!tokens[1].unknown && tokens[2].unknown);
    QVERIFY(!tokens[3].unknown);  // somebody typed the sign itself
  }

  void refused_with_file_and_place_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("content");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const char* file, const std::string& content, const char* said) {
      QTest::newRow(name) << QString(file) << QString::fromStdString(content) << QString(said);
    };
    const std::string lfs = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n";
    const char* pointer = "this is a Git LFS pointer, not the file itself; fetch it with 'git lfs pull'";
    for (const char* file : {"vocab.json", "merges.txt", "tokenizer_config.json", "added_tokens.json",
                             "special_tokens_map.json", "tokenizer.json", "config.json"})
      row(file, file, lfs, pointer);
    row("conflict", "merges.txt", "Ġ a\n<<<<<<< HEAD\nĠ b\n=======\n>>>>>>> main\n",
        "this file has merge conflict marks (line 2): two versions of it were merged and nobody chose; choose one, or "
        "fetch the file again");
    row("merge of strangers", "merges.txt", "Ġ x\n",
        "merge 0 (\"Ġ\" and \"x\") is of tokens that are not in the vocabulary");
    row("merge of three", "merges.txt", "a b c\n", "expected two tokens on a line, found \"a b c\"");
    row("large number", "vocab.json", quoted("{'a': 2000000000}"),
        "expected a number of a token from 0 to 100000000, found 2000000000");
    row("large added number", "added_tokens.json", quoted("{'x': 2000000000}"),
        "expected a number of a token from 0 to 100000000, found 2000000000");
    row("negative number", "added_tokens.json", quoted("{'x': -1}"),
        "expected a number of a token from 0 to 100000000, found -1");
    row("list of added", "added_tokens.json", "[1]", "expected an object of tokens and their numbers");
    row("no number", "tokenizer_config.json", quoted("{'added_tokens_decoder': {'1x': {'content': 'x'}}}"),
        "added_tokens_decoder.1x: expected a number of a token from 0 to 100000000");
    row("no content", "tokenizer_config.json", quoted("{'added_tokens_decoder': {'6': {'special': true}}}"),
        "added_tokens_decoder.6: expected a token: a text, or an object with its \"content\"");
  }
  void refused_with_file_and_place() {
    QFETCH(QString, file);
    QFETCH(QString, content);
    QFETCH(QString, said);
    Folder folder;
    put_gpt2(folder, "");
    put_file(folder / file.toStdString(), content.toStdString());
    QCOMPARE(message_of<FormatError>([&] { open_tokenizer(folder.path()); }),
             QString::fromStdString((folder / file.toStdString()).string()) + ": " + said);
  }
};

HEADLIGHT_TEST(TestAddedTokens)

}  // namespace headlight::test_added_tokens

#include "test_added_tokens.moc"
