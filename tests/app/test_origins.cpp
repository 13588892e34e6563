// headlight run --json says of each word that is written where it comes from.

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <cmath>

#include "tests/app/program.h"
#include "tests/test_program.h"

namespace headlight::test_origins {

using namespace headlight::testing;

namespace {

QJsonObject run_of(const char* model, const char* text) {
  const Outcome outcome = run_program({"run", model, "--source", text, "--json"});
  if (outcome.status != 0) qWarning("%s", qPrintable(outcome.error));
  return QJsonDocument::fromJson(outcome.out.toUtf8()).object();
}

}  // namespace

class TestOrigins : public QObject {
  Q_OBJECT

 private slots:
  void percents_of_each_step_add_up_to_100_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("date-attention") << "May 5, 2001";
    QTest::newRow("date-plain") << "May 5, 2001";
    QTest::newRow("story-gpt") << "anna sees a box";
    QTest::newRow("masked-bert") << "the ___ sleeps";
    QTest::newRow("reverse-transformer") << "abc";
    QTest::newRow("toy-mt-convs2s") << "the cat sleeps";
    QTest::newRow("copy-ntm") << "Head";
  }
  void percents_of_each_step_add_up_to_100() {
    QFETCH(QString, text);
    const QJsonObject json = run_of(QTest::currentDataTag(), qPrintable(text));
    const QJsonArray steps = json["steps"].toArray(), tokens = json["tokens"].toArray();
    QVERIFY(!steps.isEmpty());
    for (int t = 0; t < steps.size(); ++t) {
      const QJsonArray origins = steps[t].toObject()["origins"].toArray();
      QVERIFY(!origins.isEmpty());
      int percent = 0;
      double share = 0;
      for (const QJsonValue value : origins) {
        const QJsonObject origin = value.toObject();
        percent += origin["percent"].toInt();
        share += origin["share"].toDouble();
        QVERIFY(origin["share"].toDouble() > 0);
        QVERIFY(std::abs(origin["percent"].toInt() - 100 * origin["share"].toDouble()) < 1);
        if (!origin["token"].isNull()) QCOMPARE(origin["text"], tokens[origin["token"].toInt()].toObject()["text"]);
        if (!origin["step"].isNull()) {
          QCOMPARE(origin["text"], steps[origin["step"].toInt()].toObject()["text"]);
          QVERIFY(origin["step"].toInt() < t);  // nothing comes from what is written later
        }
      }
      QCOMPARE(percent, 100);
      QVERIFY(std::abs(share - 1) < 1e-5);
    }
  }
};

HEADLIGHT_CORE_TEST(TestOrigins)

}  // namespace headlight::test_origins

#include "test_origins.moc"
