// Texts that a tokenizer turns into tokens which the model has not: the program names the token and says why.

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include "tests/app/program.h"
#include "tests/test_program.h"

namespace headlight::test_token_rows {

using headlight::testing::Outcome;
using headlight::testing::run_program;

class TestTokenRows : public QObject {
  Q_OBJECT
  QTemporaryDir scratch_;

  // A model and a tokenizer of the test data, with what else is said of the tokenizer.
  QString folder(const QString& model, const QString& tokenizer, const QByteArray& settings) {
    const QString made = scratch_.filePath(model);
    QDir(made).removeRecursively();
    QDir().mkpath(made);
    const QString data = QStringLiteral(HEADLIGHT_TEST_DATA);
    for (const QString& file :
         {data + "/families/" + model + "/config.json", data + "/families/" + model + "/model.safetensors",
          data + "/tokenizers/" + tokenizer + "/tokenizer.json"})
      QFile::copy(file, made + '/' + QFileInfo(file).fileName());
    put(made + "/tokenizer_config.json", settings);
    return made;
  }
  static void put(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    file.open(QIODevice::WriteOnly);
    file.write(bytes);
  }
  static QByteArray added(const char* token) {
    return QByteArray("{\"added_tokens_decoder\": {\"9000\": {\"content\": \"") + token + "\", \"special\": true}}}";
  }

 private slots:
  void a_token_that_the_model_was_not_resized_for() {
    const QString bert = folder("bert-mlm", "bert-uncased", added("[E1]"));
    const Outcome run = run_program({"run", bert, "--source", "[E1] the cat"});
    QCOMPARE(run.status, 2);
    QVERIFY2(run.error.contains("the token \"[E1]\" has the number 700, and the embeddings have 700 rows, 0 to 699"),
             qPrintable(run.error));
    QVERIFY(!run.error.contains("--ids"));
    const Outcome read = run_program({"run", bert, "--source", "the cat"});
    QCOMPARE(read.error, QString());
    QVERIFY(read.out.startsWith("ids  2 313 370 193 3\n"));
  }
  void what_is_unknown_is_named() {
    const QString bert = folder("bert-mlm", "bert-uncased", "{}");
    const Outcome run = run_program({"run", bert, "--source", "the \u2603 cat"});
    QCOMPARE(run.status, 0);
    QCOMPARE(run.error, QString::fromUtf8("headlight: warning: 1 piece of the text not in the vocabulary, read as "
                                          "\"[UNK]\": \"\u2603\"\n"));
  }
  void both_sides_of_what_is_measured() {
    const QString bart = folder("bart-forced-start", "gpt2", added("<x>"));
    const QString pairs = scratch_.filePath("pairs.tsv");
    for (const char* line : {"a<x>\tb\n", "a\tb<x>\n"}) {
      put(pairs, line);
      const Outcome measured = run_program({"evaluate", bart, "--files", pairs});
      QCOMPARE(measured.status, 2);
      QVERIFY2(measured.error.contains("the token \"<x>\" has the number 641, and the embeddings have 641 rows"),
               qPrintable(measured.error));
    }
    put(pairs, "a\tb\n");
    QCOMPARE(run_program({"evaluate", bart, "--files", pairs}).status, 0);
  }
};

HEADLIGHT_CORE_TEST(TestTokenRows)

}  // namespace headlight::test_token_rows

#include "test_token_rows.moc"
