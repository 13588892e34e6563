// Texts and names of files between bytes and QString, and tokens of any characters made visible.
#include <QTest>

#include "tests/odd_texts.h"
#include "tests/test_program.h"
#include "widgets/base/utf8_text.h"
#include "widgets/text/token_text.h"

namespace headlight::test_utf8_text {

namespace {

bool is_whole(const QString& text) { return text == whole_characters(text); }

}  // namespace

class TestUtf8Text : public QObject {
  Q_OBJECT

 private slots:
  void every_character_comes_over() {
    QCOMPARE(from_utf8("\ufeffa\ufeff"), QStringLiteral("\ufeffa\ufeff"));
    QCOMPARE(from_utf8("\ufeff"), QString(QChar(0xfeff)));
    QCOMPARE(from_utf8(std::string_view("a\0b", 3)), QString("a") + QChar(0) + "b");
    QCOMPARE(from_utf8("\ufffe\U0001f469"), QStringLiteral("\ufffe\U0001f469"));
    QCOMPARE(from_utf8("m\xe9.tsv"), QStringLiteral("m\ufffd.tsv"));
    QCOMPARE(from_utf8(""), QString());
  }

  void halves_of_characters_are_replaced() {
    const QChar high(0xd83d), low(0xdc69);
    const QString whole = QString(high) + low;
    QCOMPARE(whole_characters(whole), whole);
    QCOMPARE(whole_characters(QString(low) + high), QStringLiteral("\ufffd\ufffd"));
    QCOMPARE(whole_characters("a" + QString(high)), QStringLiteral("a\ufffd"));
    QCOMPARE(whole_characters(QString(high) + whole), QStringLiteral("\ufffd") + whole);
    for (const testing::OddText& odd : testing::odd_texts()) {
      const QString text = whole_characters(odd.text);
      QCOMPARE(text.size(), odd.text.size());
      QCOMPARE(from_utf8(text.toStdString()), text);
    }
  }

  void names_of_files_keep_their_bytes() {
    std::string bytes;
    for (int byte = 1; byte < 256; ++byte) bytes += static_cast<char>(byte);
    for (const std::string& name : {std::string("models/dates"), std::string("\ufeffd\u00e9j\u00e0 \U0001f469"),
                                    std::string("m\xe9.tsv"), std::string("\xed\xa0\x80\xed\xb2\x80"), bytes}) {
      QCOMPARE(bytes_of(path_text(name)), name);
      QCOMPARE(bytes_of(path_text(name) + "/config.json"), name + "/config.json");
    }
    QCOMPARE(path_text("m\xe9"), QString("m") + QChar(0xdce9));
    QCOMPARE(bytes_of(QString("a") + QChar(0xd800)), std::string("a\ufffd"));  // no byte stands behind this half
  }

  // The promise of TokenText: never empty, and nothing that would harm what is drawn beside it.
  void a_token_of_any_character_can_be_seen() {
    for (char32_t c = 0; c <= 0x10ffff; ++c) {
      if (c >= 0xd800 && c <= 0xdfff) continue;
      const std::string token = QString::fromUcs4(&c, 1).toStdString();
      const TokenText shown = token_text(token);
      if (shown.text.isEmpty() || shown.name.isEmpty() || !is_whole(shown.text))
        QFAIL(qPrintable(QStringLiteral("U+%1").arg(static_cast<uint>(c), 4, 16)));
    }
  }

  void odd_tokens_can_be_seen_data() {
    QTest::addColumn<QString>("text");
    for (const testing::OddText& odd : testing::odd_texts()) QTest::newRow(odd.name) << odd.text;
  }
  void odd_tokens_can_be_seen() {
    QFETCH(QString, text);
    const std::string token = whole_characters(text).toStdString();
    const auto pieces =
        token_texts({token, token + token, "\xff" + token, token.substr(0, 1), "<0xEF>", "<0xBB>", "<0xBF>"});
    QCOMPARE(pieces.size(), std::size_t(7));
    for (const TokenText& shown : pieces) {
      QVERIFY(!shown.text.isEmpty());
      QVERIFY(!shown.name.isEmpty());
      for (const QChar c : shown.text) QVERIFY(c.category() != QChar::Other_Control);
    }
  }

  void a_mark_of_the_byte_order_is_a_character() {
    const TokenText shown = token_text("\ufeff");
    QCOMPARE(shown.text, QString("U+FEFF"));
    QVERIFY(shown.stand_in);
    QVERIFY(shown.name.contains("U+FEFF"));
    QCOMPARE(token_text("\ufeffb").text, QString("U+FEFFb"));
  }

  void whole_texts_are_shown_on_one_line() {
    QCOMPARE(shown_text("a\nb \u202ec"), QString("a\\nb \\u202ec"));
    QCOMPARE(shown_text("\ufeffd\u00e9j\u00e0"), QStringLiteral("\\ufeffd\u00e9j\u00e0"));
  }
};

HEADLIGHT_WIDGET_TEST(TestUtf8Text)

}  // namespace headlight::test_utf8_text

#include "test_utf8_text.moc"
