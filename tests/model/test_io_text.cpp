// What lies in place of a text that went wrong on its way is known by its content, whatever the file is called; and
// JSON as Python's library writes it.

#include <cmath>

#include "model/io/json_file.h"
#include "model/io/text_file.h"
#include "tests/model/io_helpers.h"
#include "tests/model/tokenizer_bytes.h"
#include "tests/test_program.h"

namespace headlight::test_io_text {

using namespace headlight::testing;

class TestIoText : public QObject {
  Q_OBJECT
 private slots:
  void other_contents_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const std::string& bytes, const char* said) {
      QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString(said);
    };
    const char* lfs = "this is a Git LFS pointer, not the file itself; fetch it with 'git lfs pull'";
    row("LFS", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n", lfs);
    row("LFS of Windows", "version https://git-lfs.github.com/spec/v1\r\noid sha256:00\r\nsize 9\r\n", lfs);
    row("LFS before it had that name", "version https://hawser.github.com/spec/v1\noid sha256:00\nsize 9\n", lfs);
    const char* page = "this is a web page (HTML), not the file itself; the download went wrong";
    row("page", "\n\n <!DOCTYPE html>\n<html>", page);
    row("page with a byte order mark", "\xef\xbb\xbf<html lang=\"en\">", page);
    row("error of a store", "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>", page);
    row("an answer", "Entry not found",
        "this is the answer of a server (\"Entry not found\"), not the file itself; the download went wrong");
    row("empty", "", "this file is empty; fetch it again");
    row("white", " \r\n\t\n", "this file is empty; fetch it again");
    row("gzip", "\x1f\x8b\x08", "this file is compressed (gzip); unpack it first");
    row("zip", "PK\x03\x04", "this file is compressed (zip); unpack it first");
    row("zstd", "\x28\xb5\x2f\xfd", "this file is compressed (zstd); unpack it first");
    row("UTF-16", std::string("\xff\xfe{\0}\0", 6), "this is a text in UTF-16; save it as UTF-8");
    const auto marks = [](int line) {
      static QByteArray kept;
      kept = QByteArray("this file has merge conflict marks (line ") + QByteArray::number(line) +
             "): two versions of it were merged and nobody chose; choose one, or fetch the file again";
      return kept.constData();
    };
    row("conflict", "<<<<<<< HEAD\n{}\n=======\n[]\n>>>>>>> main\n", marks(1));
    row("conflict of Windows", "{\r\n<<<<<<< HEAD\r\n\"a\": 1\r\n=======\r\n\"a\": 2\r\n>>>>>>> 1f2e3d\r\n}", marks(2));
    row("with the base of both", "{\n||||||| base\n}", marks(2));
    row("only its end", "a\nb\n>>>>>>> feature/x\n", marks(3));
  }
  void other_contents() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, said);
    Folder folder;
    put_file(folder / "f", bytes.toStdString());
    const QString expected = QString::fromStdString((folder / "f").string() + ": ") + said;
    QCOMPARE(message_of<FormatError>([&] { read_text_file(folder / "f", 1000); }), expected);
    QCOMPARE(message_of<FormatError>([&] { read_json(folder / "f", 1000); }), expected);
  }
  void what_looks_alike_is_read() {
    Folder folder;
    for (const char* text :
         {"=======\nword\n", "<<<<<<<\n>>>>>>>\n", "<s>\n</s>\n", "PKs\n", "<<<<<<<< HEAD\n", "<htm l"}) {
      put_file(folder / "vocab.txt", text);
      QCOMPARE(QString::fromStdString(read_text_file(folder / "vocab.txt", 1000)), QString(text));
    }
    QVERIFY(parse_json(quoted("{'a': '<<<<<<< HEAD'}"), "f")["a"] == "<<<<<<< HEAD");
    // Half a conflict that somebody mended: no line of a JSON text begins so.
    QVERIFY(message_of<FormatError>([] {
              parse_json("{\n\"a\": 1\n=======\n}", "f");
            }).startsWith("f: this file has merge conflict marks (line 3)"));
    QCOMPARE(message_of<FormatError>([] { parse_json("{\n\"a\": 1,\n}", "f"); }),
             QString("f: not valid JSON (byte 11)"));
  }

  void numbers_that_are_none() {
    const JsonLimits python{.not_numbers = true};
    const Json json = parse_json(
        quoted("{'a': NaN, 'b': [Infinity,-Infinity, 1], 'NaN': 'NaN \\' Infinity', 'c\\\\': NaN}"), "f", python);
    QVERIFY(std::isnan(json["a"].get<double>()));
    QCOMPARE(json["b"][0].get<double>(), INFINITY);
    QCOMPARE(json["b"][1].get<double>(), -INFINITY);
    QVERIFY(json["b"][2] == 1);
    QVERIFY(json["NaN"] == "NaN \" Infinity");
    QVERIFY(std::isnan(json["c\\"].get<double>()));
    for (const char* wrong : {"[1NaN]", "[NaN5]", "[nan]", "[Infinit]", "[NaNNaN]", "[+Infinity]", "[1.NaN]"})
      QVERIFY2(message_of<FormatError>([&] { parse_json(wrong, "f", python); }).startsWith("f: not valid JSON (byte "),
               wrong);
    QCOMPARE(message_of<FormatError>([&] { parse_json("[NaN]", "f"); }), QString("f: not valid JSON (byte 2)"));
    // A setting that has to be a number says what it found.
    const Json none = parse_json(quoted("{'a': NaN}"), "f", python);
    QCOMPARE(message_of<FormatError>([&] { Settings(none, "f").integer("a", 0, 5); }),
             QString("f: a: expected a whole number from 0 to 5, found NaN"));
  }
};

HEADLIGHT_TEST(TestIoText)

}  // namespace headlight::test_io_text

#include "test_io_text.moc"
