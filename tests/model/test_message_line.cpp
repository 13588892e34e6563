// Messages on their way out: one line, harmless and short, whatever stands in the names that they quote.
#include <string>

#include "model/core/errors.h"
#include "model/text/message_line.h"
#include "model/text/utf8.h"
#include "tests/test_program.h"

namespace headlight::test_message_line {

namespace {

std::size_t characters(const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) at += code_point_length(text, at);
  return count;
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

class TestMessageLine : public QObject {
  Q_OBJECT

 private slots:
  // what() of an exception ends at a zero byte; what stands behind it is not lost.
  void a_zero_byte_cuts_no_message() {
    const FormatError error("tensor \"a" + std::string(1, '\0') + "b\": expected numbers");
    QCOMPARE(std::string(error.what()), std::string("tensor \"a\\x00b\": expected numbers"));
    QCOMPARE(message_line(error.what()), std::string(error.what()));
  }
  void what_harms_a_terminal_is_escaped_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("line");
    const auto row = [](const char* name, const std::string& text, const std::string& line) {
      QTest::newRow(name) << text << line;
    };
    row("plain", "cannot read models/dates: permission denied", "cannot read models/dates: permission denied");
    row("other scripts, emoji",
        "d\u00e9j\u00e0 \u4f60 \u05e9\u05dc\u05d5\u05dd \U0001f469\u200d\U0001f467 \u2764\ufe0f",
        "d\u00e9j\u00e0 \u4f60 \u05e9\u05dc\u05d5\u05dd \U0001f469\u200d\U0001f467 \u2764\ufe0f");
    row("lines and tabs", "a\nb\rc\td", "a\\nb\\rc\\td");
    row("zero, escape, delete", std::string("a\0b", 3) + "\x1b[31m\x7f", "a\\x00b\\x1b[31m\\x7f");
    row("C1", "\u0085\u009b", "\\u0085\\u009b");
    row("bidi", "\u202ecod.exe\u202c \u2066x\u2069 \u200e\u200f\u061c",
        "\\u202ecod.exe\\u202c \\u2066x\\u2069 \\u200e\\u200f\\u061c");
    row("lines of Unicode", "\u2028\u2029", "\\u2028\\u2029");
    row("invisible", "\ufeff\u200b\u2060\u00ad", "\\ufeff\\u200b\\u2060\\u00ad");
    row("no characters", "\ufffe\uffff\U0001fffe\ufdd0", "\\ufffe\\uffff\\U0001fffe\\ufdd0");
    row("tags", "\U000e0041", "\\U000e0041");
    row("broken", "m\xe9.tsv \xed\xa0\x80 \xf5", "m\\xe9.tsv \\xed\\xa0\\x80 \\xf5");
    row("cut off", "a\xe4\xbd", "a\\xe4\\xbd");
    row("empty", "", "");
  }
  void what_harms_a_terminal_is_escaped() {
    QFETCH(std::string, text);
    QFETCH(std::string, line);
    QCOMPARE(message_line(text), line);
    QCOMPARE(escaped_line(text), line);
    QCOMPARE(message_line(line), line);  // what is safe already stays as it is
  }

  void a_long_name_keeps_both_its_ends_and_the_reason() {
    const std::string name = "/first" + std::string(4'000'000, 'x') + "last.tsv";
    const std::string line = message_line("cannot read " + name + ": there is no such file or folder");
    QVERIFY(line.starts_with("cannot read /firstxxx"));
    QVERIFY(line.ends_with("xxxlast.tsv: there is no such file or folder"));
    QVERIFY(line.find("x…x") != std::string::npos);
    QVERIFY2(characters(line) < 260, line.c_str());
  }

  void two_long_names_are_both_shortened() {
    const std::string a(500, 'a'), b(500, 'b');
    const std::string line = message_line(a + " has more lines than " + b);
    QVERIFY(line.starts_with("aaa") && line.ends_with("bbb"));
    QVERIFY(line.find("a has more lines than b") != std::string::npos);
    QVERIFY(characters(line) < 450);
  }

  void names_and_lists_of_a_sensible_length_stay_whole() {
    const std::string path = "/home/" + std::string(180, 'y') + "/model";
    QCOMPARE(message_line("cannot read " + path), "cannot read " + path);
    const std::string list = "known: " + repeated("date-attention, ", 55) + "copy";
    QCOMPARE(message_line(list), list);
  }

  void a_long_line_of_short_words_keeps_both_its_ends() {
    const std::string text = "first " + repeated("w\u00f6rd ", 1'000'000) + "last";
    const std::string line = message_line(text);
    QVERIFY(line.starts_with("first w\u00f6rd") && line.ends_with("w\u00f6rd last"));
    QVERIFY(line.find("…") != std::string::npos);
    QVERIFY(characters(line) <= 1200);
  }

  void nothing_is_cut_in_two_and_nothing_is_longer_than_a_line() {
    for (const std::string& piece : {std::string("\U000e0041"), std::string("\xff"), std::string("\U0001f469"),
                                     std::string("e\u0301 "), std::string("\n"), std::string("\xe4\xbd")})
      for (const int times : {90, 101, 334, 5'000, 100'001}) {
        const std::string line = message_line(repeated(piece, times));
        QVERIFY(is_utf8(line));
        QVERIFY(characters(line) <= 1200);
        for (std::size_t at = line.find('\\'); at != std::string::npos; at = line.find('\\', at + 1)) {
          const std::size_t digits = line[at + 1] == 'U' ? 8 : line[at + 1] == 'x' ? 2 : 0;
          QVERIFY2(line.size() >= at + 2 + digits, line.c_str());
          QCOMPARE(line.substr(at + 2, digits).find_first_not_of("0123456789abcdef"), std::string::npos);
        }
      }
  }
};

HEADLIGHT_TEST(TestMessageLine)

}  // namespace headlight::test_message_line

#include "test_message_line.moc"
