// Lists of texts in all their forms, and what is wrong with one.

#include <QtTest>

#include "model/core/errors.h"
#include "model/io/text_list.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_text_list {

using namespace headlight::testing;

class TestTextList : public QObject {
  Q_OBJECT

  static QString refused(const std::string& bytes, const char* name) {
    return message_of<FormatError>([&] { parse_text_list(bytes, name); });
  }

 private slots:
  void forms() {
    const auto lines = parse_text_list("\xef\xbb\xbfone\r\n\n  \ntwo, three", "a.txt");
    QCOMPARE(lines.size(), std::size_t(2));
    QCOMPARE(lines[0].text, std::string("one"));
    QCOMPARE(lines[1].text, std::string("two, three"));
    QCOMPARE(lines[1].line, std::size_t(4));
    const auto plain = parse_text_list("one\tgood\t3\ntwo\tbad", "a.tsv");
    QCOMPARE(plain[0].label, std::string("good"));
    QCOMPARE(plain[1].written(), std::string("bad"));
    const auto named = parse_text_list("label\ttext\ttarget\nx\tone\tun", "a.tsv");
    QCOMPARE(named.size(), std::size_t(1));
    QCOMPARE(named[0].text, std::string("one"));
    QCOMPARE(named[0].written(), std::string("un"));
    for (const char* name : {"a.jsonl", "a.json"}) {
      std::string bytes = "\"one\"\n[\"two\", \"zwei\"]\n{\"text\": \"three\", \"label\": 3}";
      if (std::string(name) == "a.json") {
        std::ranges::replace(bytes, '\n', ',');
        bytes = "[" + bytes + "]";
      }
      const auto json = parse_text_list(bytes, name);
      QCOMPARE(json.size(), std::size_t(3));
      QCOMPARE(json[1].second, std::string("zwei"));
      QCOMPARE(json[2].label, std::string("3"));
      QCOMPARE(json[2].line, std::size_t(3));
    }
  }

  void what_is_wrong_has_a_line() {
    QVERIFY(refused("\n\n", "a.txt").contains("empty"));
    QVERIFY(refused("one\n\xff\n", "a.txt").startsWith("a.txt:2: expected a text in UTF-8"));
    QVERIFY(refused("one\n" + std::string(kMostListedBytes + 1, 'x'), "a.txt").startsWith("a.txt:2: "));
    QVERIFY(refused("\"one\"\n3\n", "a.jsonl").startsWith("a.jsonl:2: expected a text"));
    QVERIFY(refused("\"one\"\n{\"label\": 1}\n", "a.jsonl").startsWith("a.jsonl:2: "));
    QVERIFY(refused("\"one\"\n{\n", "a.jsonl").startsWith("a.jsonl:2"));
    QVERIFY(refused("[\"one\", [1, 2]]", "a.json").startsWith("a.json:2: "));
    QVERIFY(refused("{\"text\": \"one\"}", "a.json").contains("expected a list"));
    QVERIFY(refused("[]", "a.json").contains("found none"));
    QVERIFY(refused("version https://git-lfs.github.com/spec/v1\n", "a.txt").contains("Git LFS"));
  }
};

HEADLIGHT_CORE_TEST(TestTextList)

}  // namespace headlight::test_text_list

#include "test_text_list.moc"
