// Tokenizers of other libraries: on nasty texts, tokens, numbers and places are those that their own library gives; and
// files that nobody would write without a purpose.

#include <algorithm>

#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "model/io/json_file.h"
#include "tests/model/io_helpers.h"
#include "tests/model/made_elsewhere.h"
#include "tests/model/tokenizer_bytes.h"
#include "tests/test_program.h"

namespace headlight::test_pretrained_tokenizers {

using namespace headlight::testing;
using pretrained::Encoding;
using pretrained::TokenNumber;

namespace {

fs::path committed() { return fs::path(HEADLIGHT_TEST_DATA) / "tokenizers"; }

Json golden(const fs::path& folder) { return read_json(folder / "golden.json", 1u << 28); }

// What the golden file says of the same text: ids, tokens, offsets, type_ids, special.
Json as_golden(const Encoding& tokens) {
  Json json{{"ids", Json::array()},
            {"tokens", Json::array()},
            {"offsets", Json::array()},
            {"type_ids", Json::array()},
            {"special", Json::array()}};
  for (const pretrained::EncodedToken& token : tokens) {
    json["ids"].push_back(token.id);
    json["tokens"].push_back(token.text);
    json["offsets"].push_back({token.offsets.begin, token.offsets.end});
    json["type_ids"].push_back(token.type_id);
    json["special"].push_back(token.special ? 1 : 0);
  }
  return json;
}

std::string difference(const Encoding& found, const Json& expected, const Json& text) {
  const Json said = as_golden(found);
  for (const auto& [key, value] : said.items())
    if (value != expected.at(key))
      return text.dump(-1, ' ', true) + ": " + key + ": expected " + expected.at(key).dump(-1, ' ', true) + ", found " +
             value.dump(-1, ' ', true);
  return {};
}

// The first text that is read in another way; empty: none.
std::string first_difference(const fs::path& folder) {
  const auto tokenizer = open_tokenizer(folder);
  const Json expected = golden(folder);
  for (const Json& each : expected.at("texts")) {
    const auto text = each.at("text").get<std::string>();
    if (std::string said = difference(tokenizer->encode(text, false), each.at("plain"), each["text"]); !said.empty())
      return said;
    if (std::string said = difference(tokenizer->encode(text), each.at("special"), each["text"]); !said.empty())
      return said;
    const auto ids = each.at("special").at("ids").get<std::vector<TokenNumber>>();
    for (const auto& [key, skip] : {std::pair("decoded", true), std::pair("decoded_with_special", false)})
      if (const std::string decoded = tokenizer->decode(ids, skip); Json(decoded) != each.at(key))
        return std::string(key) + ": expected " + each.at(key).dump(-1, ' ', true) + ", found " +
               Json(decoded).dump(-1, ' ', true);
  }
  for (const Json& each : expected.at("pairs")) {
    const Json& pair = each.at("pair");
    const Encoding tokens = tokenizer->encode_pair(pair[0].get<std::string>(), pair[1].get<std::string>());
    if (std::string said = difference(tokens, each.at("special"), pair); !said.empty()) return said;
  }
  return {};
}

// Those of the further families.
fs::path families_elsewhere() { return made_elsewhere().parent_path() / "models"; }

// A golden file that has numbers and tokens alone.
std::string first_difference_of_tokens(const fs::path& folder) {
  const auto tokenizer = open_tokenizer(folder);
  for (const Json& each : golden(folder).at("texts")) {
    const Json found = as_golden(tokenizer->encode(each.at("text").get<std::string>()));
    if (found["ids"] != each.at("ids") || found["tokens"] != each.at("tokens"))
      return each["text"].dump(-1, ' ', true) + ": found " + found["tokens"].dump(-1, ' ', true);
  }
  return {};
}

// Marian's golden file has numbers and tokens of both sides.
std::string first_difference_of_sides(const fs::path& folder) {
  const Json expected = golden(folder);
  for (const bool target : {false, true}) {
    const auto tokenizer = open_tokenizer(folder, target);
    for (const Json& each : expected.at("texts")) {
      const Json found = as_golden(tokenizer->encode(each.at("text").get<std::string>()));
      if (found["ids"] != each.at(target ? "target_ids" : "ids") ||
          found["tokens"] != each.at(target ? "target_tokens" : "tokens"))
        return each["text"].dump(-1, ' ', true) + ": found " + found["tokens"].dump(-1, ' ', true);
    }
  }
  return {};
}

Encoding encoded(const std::string& json, const std::string& text) {
  Folder folder;
  put_file(folder / "tokenizer.json", json);
  return read_tokenizer_json(folder / "tokenizer.json")->encode(text);
}
std::string tokens_of(const std::string& json, const std::string& text) {
  std::string all;
  for (const pretrained::EncodedToken& token : encoded(json, text)) all += (all.empty() ? "" : "|") + token.text;
  return all;
}

}  // namespace

class TestPretrainedTokenizers : public QObject {
  Q_OBJECT

 private slots:
  void committed_tokenizers_are_exact_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"bert-uncased", "gpt2", "llama2", "t5"}) QTest::newRow(name) << QString(name);
  }
  void committed_tokenizers_are_exact() {
    QFETCH(QString, name);
    QCOMPARE(QString::fromStdString(first_difference(committed() / name.toStdString())), QString());
  }
  void both_sides_of_marian_are_exact() {
    QCOMPARE(QString::fromStdString(first_difference_of_sides(committed() / "marian")), QString());
  }
  void every_tokenizer_of_the_material_is_exact() {
    SKIP_WITHOUT_MATERIAL();
    int folders = 0;
    for (const auto& entry : fs::directory_iterator(made_elsewhere() / "tokenizers")) {
      ++folders;
      const bool sides = entry.path().filename() == "marian";
      const std::string said = sides ? first_difference_of_sides(entry.path()) : first_difference(entry.path());
      QVERIFY2(said.empty(), (entry.path().filename().string() + ": " + said).c_str());
    }
    QCOMPARE(folders, 16);
  }
  void every_tokenizer_beside_the_families_is_exact() {
    SKIP_WITHOUT_MATERIAL();
    int folders = 0;
    for (const auto& entry : fs::directory_iterator(families_elsewhere() / "tokenizers")) {
      if (!fs::exists(entry.path() / "golden.json")) continue;
      ++folders;
      const bool marked = entry.path().filename() == "blenderbot-small";
      const std::string said = marked ? first_difference_of_tokens(entry.path()) : first_difference(entry.path());
      QVERIFY2(said.empty(), (entry.path().filename().string() + ": " + said).c_str());
    }
    QCOMPARE(folders, 17);
  }
  // A letter a token, the longest first; between them all is unknown, and blanks are nothing.
  void letters_by_hand() {
    Folder folder;
    put_file(folder / "vocab.txt", "<cls>\n<pad>\n<eos>\n<unk>\nA\nM\nK\n<mask>");
    put_file(folder / "tokenizer_config.json", quoted("{'tokenizer_class': 'EsmTokenizer'}"));
    const auto tokenizer = open_tokenizer(folder.path());
    const Json found = as_golden(tokenizer->encode("MAxy<mask>K j"));
    QVERIFY(found["ids"] == Json({0, 5, 4, 3, 7, 6, 3, 2}));
    QVERIFY(found["tokens"] == Json({"<cls>", "M", "A", "<unk>", "<mask>", "K", "<unk>", "<eos>"}));
    QVERIFY(as_golden(tokenizer->encode_pair("M", "A"))["ids"] == Json({0, 5, 2, 4, 2}));
  }
  // Merges of which what they make is not all in the vocabulary; signs stand apart, and the case is lost.
  void marked_merges_by_hand() {
    Folder folder;
    put_file(folder / "vocab.json",
             quoted("{'__null__': 0, '__start__': 1, '__end__': 2, '__unk__': 3, 'th@@': 4, 'e': 5, 'it': 6, ',': 7, "
                    "'a@@': 8, 's': 9}"));
    put_file(folder / "merges.txt", "#version: 0.2\nt h\ni t</w>\nx y\nh e</w>\n");
    put_file(folder / "tokenizer_config.json", quoted("{'tokenizer_class': 'BlenderbotSmallTokenizer'}"));
    const auto tokenizer = open_tokenizer(folder.path());
    const Json found = as_golden(tokenizer->encode("The,  IT's axy__end__"));
    QVERIFY(found["tokens"] == Json({"th@@", "e", ",", "it", "'", "s", "a@@", "x@@", "y", "__end__"}));
    QVERIFY(found["ids"] == Json({4, 5, 7, 6, 3, 9, 8, 3, 3, 2}));
    QCOMPARE(tokenizer->decode({4, 5, 7, 6, 8, 9, 8}), std::string("the , it as a@@"));
  }
  // Without tokenizer.json: the same numbers, but for special tokens that were typed, and Gemma's tabs.
  void old_files_say_the_same_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"bert-uncased", "bert-cased", "gpt2",        "roberta", "opt",   "qwen2",  "llama2",
                             "gemma",        "t5",         "xlm-roberta", "albert",  "mpnet", "code",   "starcoder2",
                             "ernie",        "camembert",  "deberta-v2",  "mbart50", "nllb",  "pegasus"})
      QTest::newRow(name) << QString(name);
  }
  void old_files_say_the_same() {
    QFETCH(QString, name);
    fs::path from = committed() / name.toStdString();
    if (!fs::exists(from)) {
      SKIP_WITHOUT_MATERIAL();
      from = made_elsewhere() / "tokenizers" / name.toStdString();
      if (!fs::exists(from)) from = families_elsewhere() / "tokenizers" / name.toStdString();
    }
    Folder folder;
    for (const auto& entry : fs::directory_iterator(from))
      if (entry.path().filename() != "tokenizer.json")
        fs::copy_file(entry.path(), folder / entry.path().filename().string());
    const auto tokenizer = open_tokenizer(folder.path());
    const Json expected = golden(from);
    for (const Json& each : expected.at("texts")) {
      const auto text = each.at("text").get<std::string>();
      if (text.find("typed") != std::string::npos || (name == "gemma" && text.find('\t') != std::string::npos))
        continue;
      const Json found = as_golden(tokenizer->encode(text));
      QVERIFY2(found["ids"] == each.at("special").at("ids"),
               (each["text"].dump(-1, ' ', true) + ": found " + found["tokens"].dump(-1, ' ', true)).c_str());
    }
  }

  void parts_by_hand_data() {
    QTest::addColumn<QString>("parts");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("tokens");
    const auto row = [](const char* name, const std::string& parts, const char* text, const char* tokens) {
      QTest::newRow(name) << QString::fromStdString(parts) << QString::fromUtf8(text) << QString::fromUtf8(tokens);
    };
    row("nothing", "", "a b", "a b");
    row("nothing on nothing", "", "", "");
    row("unknown", "", "c", "<unk>");
    row("white space", quoted("'pre_tokenizer': {'type': 'WhitespaceSplit'}"), " a\tb ", "a|b");
    row("words and signs", quoted("'pre_tokenizer': {'type': 'Whitespace'}"), "a,,b", "a|<unk>|b");
    row("pieces of a length", quoted("'pre_tokenizer': {'type': 'FixedLength', 'length': 1}"), "a\u00e9b", "a|<unk>|b");
    row("lower case", quoted("'normalizer': {'type': 'Lowercase'}"), "A B", "a b");
    row("strip", quoted("'normalizer': {'type': 'Strip', 'strip_left': true, 'strip_right': true}"), "  a ", "a");
    row("strip what is only white", quoted("'normalizer': {'type': 'Strip', 'strip_left': true, 'strip_right': true}"),
        "  ", "");
    row("replace", quoted("'normalizer': {'type': 'Replace', 'pattern': {'Regex': 'x+'}, 'content': 'a'}"), "xxx", "a");
    row("delimiter", quoted("'pre_tokenizer': {'type': 'CharDelimiterSplit', 'delimiter': ';'}"), "a;;b", "a|b");
    row("contiguous",
        quoted("'pre_tokenizer': {'type': 'Split', 'pattern': {'String': ' '}, 'behavior': 'Contiguous', 'invert': "
               "false}"),
        "a  b", "a|<unk>|b");
    row("merged with previous",
        quoted("'pre_tokenizer': {'type': 'Split', 'pattern': {'String': ' '}, 'behavior': 'MergedWithPrevious', "
               "'invert': false}"),
        "a b", "<unk>|b");
    row("merged with next",
        quoted("'pre_tokenizer': {'type': 'Split', 'pattern': {'String': ' '}, 'behavior': 'MergedWithNext', 'invert': "
               "false}"),
        "a b", "a|<unk>");
    row("inverted",
        quoted(
            "'pre_tokenizer': {'type': 'Split', 'pattern': {'Regex': '[ab]'}, 'behavior': 'Removed', 'invert': true}"),
        "xaxbx", "a|b");
    row("added", quoted("'added_tokens': [{'id': 9, 'content': '!'}]"), "a!b", "a|!|b");
    row("the longest one", quoted("'added_tokens': [{'id': 9, 'content': '!'}, {'id': 10, 'content': '!!'}]"), "a!!!",
        "a|!!|!");
    row("a word", quoted("'added_tokens': [{'id': 9, 'content': 'x', 'single_word': true}]"), "xx x", "<unk>|x");
    row("with what stands beside it",
        quoted("'added_tokens': [{'id': 9, 'content': 'x', 'lstrip': true, 'rstrip': true}]"), "a  x b", "a|  x |b");
  }
  void parts_by_hand() {
    QFETCH(QString, parts);
    QFETCH(QString, text);
    QFETCH(QString, tokens);
    QCOMPARE(QString::fromStdString(tokens_of(small(parts.toStdString()), text.toStdString())), tokens);
  }
  void offsets_are_of_the_text_that_was_given() {
    // Two code points become one (which stands for the first of them, as in the library), one becomes two: the places
    // stay those of the text.
    const Encoding tokens = encoded(
        small(quoted(
            "'normalizer': {'type': 'Sequence', 'normalizers': [{'type': 'NFC'}, {'type': 'Lowercase'}]}, "
            "'pre_tokenizer': {'type': 'Split', 'pattern': {'Regex': '.'}, 'behavior': 'Isolated', 'invert': false}")),
        "e\xcc\x81"
        "a"
        "\xc4\xb0"
        "b");  // e with an accent behind it, a, I with a dot, b
    std::vector<std::pair<unsigned, unsigned>> places;
    for (const pretrained::EncodedToken& token : tokens) places.emplace_back(token.offsets.begin, token.offsets.end);
    QCOMPARE(places, (std::vector<std::pair<unsigned, unsigned>>{{0, 1}, {2, 3}, {3, 4}, {3, 4}, {4, 5}}));
  }

  // Where pieces end, in code points.
  void pieces_by_hand_data() {
    QTest::addColumn<QString>("part");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("places");
    const auto row = [](const char* name, const char* part, const char* text, const char* places) {
      QTest::newRow(name) << QString(part) << QString::fromUtf8(text) << QString(places);
    };
    // Joiners and marks are of words, superscripts and fractions are signs: \\w of Unicode's Technical Standard 18.
    row("a joiner", "'Whitespace'", "a\u200db \u200c", "0-3 4-5");
    row("signs beside words", "'Whitespace'", "a\u00b2b\u00bd\u0301_1", "0-1 1-2 2-3 3-4 4-7");
    row("scripts", "'UnicodeScripts'", "Apples are \u308a\u3093\u3054 \u6797\u6a8e.", "0-11 11-17 17-18");
    row("a long vowel is of its word", "'UnicodeScripts'", "\u30ab\u30fc", "0-2");
    row("a length", "'FixedLength', 'length': 2", "a\u00e9\u6797bc", "0-2 2-4 4-5");
  }
  void pieces_by_hand() {
    QFETCH(QString, part);
    QFETCH(QString, text);
    QFETCH(QString, places);
    QStringList found;
    for (const auto& token :
         encoded(small(quoted(("'pre_tokenizer': {'type': " + part + "}").toUtf8().constData())), text.toStdString()))
      found << QString("%1-%2").arg(token.offsets.begin).arg(token.offsets.end);
    QCOMPARE(found.join(' '), places);
  }

  void a_ctc_decoder_by_hand() {
    const auto decoder = [](bool cleanup) { return pretrained::decode_ctc("<pad>", "|", cleanup); };
    const std::vector<std::string> heard = {"<pad>", "h", "h", "e", "l", "<pad>", "l",
                                            "l",     "o", "|", "|", "y", "<pad>"};
    QCOMPARE(decoder(true)(heard), (std::vector<std::string>{"h", "e", "l", "l", "o", " ", "y"}));
    QCOMPARE(decoder(false)(heard), (std::vector<std::string>{"h", "e", "l", "l", "o", "|", "y"}));
  }

  void refused_with_the_name_data() {
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const std::string& json, const char* said) {
      QTest::newRow(name) << QString::fromStdString(json) << QString(said);
    };
    row("no JSON", "{", "not valid JSON (byte 2)");
    row("no object", "[]", "expected an object, found an array");
    row("no model", "{}", "model: missing");
    row("unknown key", small("\"wonder\": 1"), "wonder: unknown setting");
    row("unknown normalizer", small(quoted("'normalizer': {'type': 'Wonder'}")),
        "normalizer: unsupported normalizer \"Wonder\"");
    row("within a sequence",
        small(quoted("'normalizer': {'type': 'Sequence', 'normalizers': [{'type': 'NFC'}, {'type': 'X'}]}")),
        "normalizer.normalizers[1]: unsupported normalizer \"X\"");
    row("unknown pre-tokenizer", small(quoted("'pre_tokenizer': {'type': 'X'}")),
        "pre_tokenizer: unsupported pre-tokenizer \"X\"");
    row("pieces of nothing", small(quoted("'pre_tokenizer': {'type': 'FixedLength', 'length': 0}")),
        "pre_tokenizer.length: expected a whole number from 1 to 1000000, found 0");
    row("unknown post-processor", small(quoted("'post_processor': {'type': 'X'}")),
        "post_processor: unsupported post-processor \"X\"");
    row("unknown decoder", small(quoted("'decoder': {'type': 'X'}")), "decoder: unsupported decoder \"X\"");
    row("unknown model", small("", quoted("'type': 'Wonder', 'vocab': {}")), "model: unsupported model \"Wonder\"");
    row("unknown setting", small(quoted("'pre_tokenizer': {'type': 'ByteLevel', 'x': 1}")),
        "pre_tokenizer.x: this setting of ByteLevel is not known");
    row("not a flag", small(quoted("'pre_tokenizer': {'type': 'ByteLevel', 'use_regex': 1}")),
        "pre_tokenizer.use_regex: expected true or false, found 1");
    row("no pattern", small(quoted("'normalizer': {'type': 'Replace', 'content': ''}")), "normalizer.pattern: missing");
    row("no expression", small(quoted("'normalizer': {'type': 'Replace', 'pattern': {'Regex': '('}, 'content': ''}")),
        "normalizer.pattern: not a regular expression: end pattern with unmatched parenthesis");
    row("behaviour", small(quoted("'pre_tokenizer': {'type': 'Split', 'pattern': {'String': 'x'}, 'behavior': 'X'}")),
        "pre_tokenizer.behavior: unsupported behaviour \"X\"");
    row("negative number", small("", quoted("'type': 'WordLevel', 'vocab': {'a': -1}")),
        "model.vocab: expected a number of a token from 0 to 100000000, found -1");
    row("large number", small("", quoted("'type': 'WordLevel', 'vocab': {'a': 4000000000}")),
        "model.vocab: expected a number of a token from 0 to 100000000, found 4000000000");
    row("merge of nothing", small("", quoted("'type': 'BPE', 'vocab': {'a': 0}, 'merges': ['a b']")),
        "model: merge 0 (\"a\" and \"b\") is of tokens that are not in the vocabulary");
    row("merge of three", small("", quoted("'type': 'BPE', 'vocab': {'a': 0}, 'merges': ['a b c']")),
        "model.merges: expected two tokens, found \"a b c\"");
    row("dropout", small("", quoted("'type': 'BPE', 'vocab': {'a': 0}, 'merges': [], 'dropout': 0.1")),
        "model.dropout: merges that are left out by chance are not supported");
    row("unigram without pieces", small("", quoted("'type': 'Unigram', 'vocab': []")),
        "model.vocab: expected a list of pieces and their scores");
    row("unigram of other things", small("", quoted("'type': 'Unigram', 'vocab': [['a', 'b']]")),
        "model.vocab: expected a piece and its score, found [\"a\",\"b\"]");
    row("a score that is none", small("", quoted("'type': 'Unigram', 'vocab': [['a', NaN]]")),
        "model.vocab: expected a piece and its score, found [\"a\",null]");
    row("unknown beyond the pieces", small("", quoted("'type': 'Unigram', 'unk_id': 5, 'vocab': [['a', 0.0]]")),
        "model: the number of the unknown token is not one of the vocabulary");
    row("map that is no base64", small(quoted("'normalizer': {'type': 'Precompiled', 'precompiled_charsmap': '!'}")),
        "normalizer.precompiled_charsmap: expected base64");
    row("map that is cut off",
        small(quoted("'normalizer': {'type': 'Precompiled', 'precompiled_charsmap': '/////w=='}")),
        "normalizer: the precompiled map is damaged");
    row("template of a third text",
        small(quoted(
            "'post_processor': {'type': 'TemplateProcessing', 'single': [{'Sequence': {'id': 'C'}}], 'pair': []}")),
        "post_processor.single[0].Sequence.id: expected A or B, found \"C\"");
    row("template of a token that is not there",
        small(quoted("'post_processor': {'type': 'TemplateProcessing', 'single': [{'SpecialToken': {'id': '[X]'}}], "
                     "'pair': [], 'special_tokens': {}}")),
        "post_processor.special_tokens.[X]: missing");
    row("added without a number", small(quoted("'added_tokens': [{'content': 'x'}]")), "added_tokens[0].id: missing");
  }
  void refused_with_the_name() {
    QFETCH(QString, json);
    QFETCH(QString, said);
    Folder folder;
    put_file(folder / "tokenizer.json", json.toStdString());
    const QString start = QString::fromStdString((folder / "tokenizer.json").string() + ": ");
    QString found = message_of<FormatError>([&] { read_tokenizer_json(folder / "tokenizer.json"); });
    QVERIFY2(found.startsWith(start), qPrintable(found));
    QCOMPARE(found.mid(start.size()), said);
  }
  void a_pattern_cannot_run_away() {
    const std::string json =
        small(quoted("'pre_tokenizer': {'type': 'Split', 'pattern': {'Regex': '(a+)+(a+)+(a+)+$'}, 'behavior': "
                     "'Isolated', 'invert': false}"));
    const QString said = message_of<FormatError>([&] { encoded(json, std::string(5000, 'a') + "b"); });
    QVERIFY2(said.endsWith("the expression takes too long on this text"), qPrintable(said));
  }
  void every_byte_of_a_file_may_be_another_one() {
    const std::string whole =
        small(quoted("'normalizer': {'type': 'BertNormalizer', 'lowercase': true}, 'pre_tokenizer': {'type': "
                     "'Metaspace', 'replacement': '_'}, 'post_processor': {'type': 'TemplateProcessing', 'single': "
                     "[{'SpecialToken': {'id': 'x', 'type_id': 0}}], 'pair': [], 'special_tokens': {'x': {'id': 'x', "
                     "'ids': [2], 'tokens': ['x']}}}, 'added_tokens': [{'id': 2, 'content': 'q'}]"),
              quoted("'type': 'BPE', 'vocab': {'a': 0, 'b': 1, 'ab': 2}, 'merges': [['a', 'b']], 'unk_token': 'a'"));
    Folder folder;
    const fs::path path = folder / "tokenizer.json";
    for (std::size_t at = 0; at < whole.size(); ++at) {
      for (const std::string& damaged :
           {whole.substr(0, at),
            whole.substr(0, at) + static_cast<char>(whole[at] ^ (at % 2 ? 0xff : 1)) + whole.substr(at + 1)}) {
        put_file(path, damaged);
        try {
          read_tokenizer_json(path)->encode("ab q a");
        } catch (const Error& error) {
          QVERIFY2(std::string(error.what()).starts_with(path.string()), error.what());
        }
      }
    }
  }

  void a_piece_model_by_hand() {
    const std::string bytes = piece("<unk>", 0, 2) + piece("a", -1.5f, 1) + field(2, "\x18\x01") +
                              field(3, std::string("\x18\x00\x20\x00", 4));
    const PieceModel model = parse_piece_model(bytes, "m");
    QCOMPARE(model.pieces.size(), 2u);
    QCOMPARE(model.pieces[1].text, std::string("a"));
    QCOMPARE(model.pieces[1].score, -1.5);
    QCOMPARE(model.pieces[0].type, 2);
    QVERIFY(!model.add_dummy_prefix && !model.remove_extra_spaces && model.escape_spaces);
    // Each byte in turn the last one, and another one: read, or one sentence.
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      for (int change = 0; change < 256; ++change) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(change);
        try {
          parse_piece_model(damaged, "m");
        } catch (const FormatError& error) {
          QVERIFY2(std::string(error.what()).starts_with("m: "), error.what());
        }
      }
    }
  }
  void piece_models_made_to_hurt_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const std::string& bytes, const char* said) {
      QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString(said);
    };
    row("empty", "", "it has no pieces");
    row("cut off", "\x0a\x7f", "it is cut off");
    row("2^64 bytes", "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "it is cut off");
    row("a number without end", std::string(12, '\xff'), "it has a number of more than 64 bits");
    row("groups", "\x0b", "it has a field of a kind that is not read");
    row("broken text", field(1, field(1, "\xff")), "a piece is not valid UTF-8");
    row("a score that is none", field(1, field(1, "a") + std::string("\x15\x00\x00\xc0\x7f", 5)),
        "the score of a piece is no number");
    row("a type that is none", piece("a", 0, 9), "a piece is of a type that is not known");
  }
  void piece_models_made_to_hurt() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, said);
    QCOMPARE(message_of<FormatError>([&] { parse_piece_model(bytes.toStdString(), "m"); }),
             "m: not a sentencepiece model, or damaged: " + said);
  }
  // The units of a map lead wherever the file says.
  void a_map_that_leads_astray() {
    for (std::uint32_t unit : {0u, 0xffffffffu, 0x80000000u, 0x00000161u, 0x12345761u, 0x000001ffu}) {
      std::string map("\x10\0\0\0", 4);
      for (int i = 0; i < 4; ++i) map.append(reinterpret_cast<const char*>(&unit), 4);
      for (const bool longest : {false, true}) {
        pretrained::AlignedText text("aaa\xc3\xa9");
        pretrained::precompiled_map(map + "x", longest, "m")(text);
        QVERIFY(text.text().size() < 100);
      }
    }
  }
};

HEADLIGHT_TEST(TestPretrainedTokenizers)

}  // namespace headlight::test_pretrained_tokenizers

#include "test_pretrained_tokenizers.moc"
