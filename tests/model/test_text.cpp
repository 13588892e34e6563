// Vocabularies and UTF-8.

#include "model/text/utf8.h"
#include "model/text/vocabulary.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_text {

using headlight::testing::message_of;

class TestText : public QObject {
  Q_OBJECT

  // Byte lengths of the pieces that a text is split into.
  static std::vector<int> lengths(const std::string& text) {
    std::vector<int> lengths;
    for (const TextToken& token : Vocabulary({"a"}).split_characters(text))
      lengths.push_back(static_cast<int>(token.end - token.begin));
    return lengths;
  }
  using Lengths = std::vector<int>;

 private slots:
  void characters_know_their_place() {
    const Vocabulary vocabulary({"a", "é", "字", "😀"});
    const std::vector<TextToken> tokens = vocabulary.split_characters("aé?字😀");
    QCOMPARE(tokens.size(), std::size_t{5});
    const std::size_t begins[] = {0, 1, 3, 4, 7}, ends[] = {1, 3, 4, 7, 11};
    const std::optional<TokenId> ids[] = {0, 1, std::nullopt, 2, 3};
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      QCOMPARE(tokens[i].begin, begins[i]);
      QCOMPARE(tokens[i].end, ends[i]);
      QVERIFY(tokens[i].id == ids[i]);
      QVERIFY(!tokens[i].padding);
    }
    QCOMPARE(tokens[3].text, std::string("字"));
  }
  void empty_text() { QVERIFY(Vocabulary({"a"}).split_characters("").empty()); }
  void zero_byte_is_a_character() { QCOMPARE(lengths(std::string("a\0a", 3)), (Lengths{1, 1, 1})); }
  void stray_continuation_byte() { QCOMPARE(lengths("a\x80z"), (Lengths{1, 1, 1})); }
  void cut_off_character() { QCOMPARE(lengths("\xe5\xad"), (Lengths{1, 1})); }
  void cut_off_before_another_character() { QCOMPARE(lengths("\xf0\x9f\x98z"), (Lengths{1, 1, 1, 1})); }
  void overlong_slash() { QCOMPARE(lengths("\xc0\xaf"), (Lengths{1, 1})); }
  void overlong_three_bytes() { QCOMPARE(lengths("\xe0\x80\xaf"), (Lengths{1, 1, 1})); }
  void overlong_four_bytes() { QCOMPARE(lengths("\xf0\x8f\xbf\xbf"), (Lengths{1, 1, 1, 1})); }
  void surrogate() { QCOMPARE(lengths("\xed\xa0\x80"), (Lengths{1, 1, 1})); }
  void above_unicode() { QCOMPARE(lengths("\xf4\x90\x80\x80"), (Lengths{1, 1, 1, 1})); }
  void byte_that_never_occurs() { QCOMPARE(lengths("\xff"), (Lengths{1})); }
  void first_and_last_of_each_length() {
    QCOMPARE(
        lengths("\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"),
        (Lengths{1, 2, 2, 3, 3, 3, 3, 4, 4}));
  }
  void broken_bytes_are_never_known() {
    for (const TextToken& token : Vocabulary({"\xc3\xa9"}).split_characters("\xc3\x28\xa9")) QVERIFY(!token.id);
  }
  void valid_text() {
    QVERIFY(is_utf8("a字😀"));
    QVERIFY(!is_utf8("a\xff"));
  }
  void broken_bytes_become_replacements() {
    QCOMPARE(valid_utf8("a字😀\ufeff"), std::string("a字😀\ufeff"));
    QCOMPARE(valid_utf8("caf\xe9"), std::string("caf\ufffd"));
    QCOMPARE(valid_utf8("\xe5\xadz\xff"), std::string("\ufffd\ufffdz\ufffd"));
    QCOMPARE(valid_utf8("\xed\xa0\x80"), std::string("\ufffd\ufffd\ufffd"));
    QCOMPARE(valid_utf8(std::string("a\0b", 3)), std::string("a\0b", 3));
    QCOMPARE(valid_utf8(""), std::string());
  }

  void ids_and_texts() {
    const Vocabulary vocabulary({"x", "ab", " "});
    QCOMPARE(vocabulary.size(), Index{3});
    QCOMPARE(vocabulary.text(1), std::string("ab"));
    QVERIFY(vocabulary.find(" ") == TokenId{2});
    QVERIFY(!vocabulary.find("a"));
  }
  void id_out_of_range() {
    const Vocabulary vocabulary({"x", "y"});
    for (const TokenId id : {-1, 2})
      QCOMPARE(message_of<UsageError>([&] { vocabulary.text(id); }),
               QString("vocabulary: expected an id from 0 to 1, got %1").arg(id));
  }
  void empty_token() {
    QCOMPARE(message_of<FormatError>([] { Vocabulary({"a", ""}); }), QString("vocabulary: token 1 is empty"));
  }
  void repeated_token() {
    QCOMPARE(message_of<FormatError>([] {
               Vocabulary({"a", "b", "a"});
             }),
             QString("vocabulary: token 2 repeats token 0 (\"a\")"));
  }
  void broken_token() {
    QCOMPARE(message_of<FormatError>([] {
               Vocabulary({"a", "\xff"});
             }),
             QString("vocabulary: token 1 is not valid UTF-8"));
  }
};

HEADLIGHT_TEST(TestText)

}  // namespace headlight::test_text

#include "test_text.moc"
