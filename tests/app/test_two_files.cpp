// 'headlight compare' of two files of one model: tensor by tensor, and what both make of a text.

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <cmath>

#include "tests/app/program_with_models.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_two_files {

using testing::Outcome;

namespace {

QString quantised(const QString& name) {
  return QString::fromStdString((testing::made_elsewhere().parent_path() / "models" / "gguf").string()) + '/' + name;
}

QJsonDocument read(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()) : QJsonDocument();
}

QString ids_text(const QJsonArray& ids) {
  QStringList all;
  for (const QJsonValue& id : ids) all << QString::number(id.toInt());
  return all.join(',');
}

}  // namespace

class TestTwoFiles : public QObject, testing::ProgramWithModels {
  Q_OBJECT

 private slots:
  void initTestCase() { make_models(); }

  // What gguf-py and transformers say of these pairs.
  void two_quantisations_of_one_model() {
    SKIP_WITHOUT_MATERIAL();
    const QJsonArray pairs = read(quantised("pairs.json")).array();
    if (pairs.isEmpty()) QSKIP("pairs.json is not in the material");
    for (const QJsonValue& pair : pairs) {
      const QString first = pair["first"].toString(), second = pair["second"].toString();
      const QJsonArray own = read(quantised(first + ".json")).object()["cases"].toArray();
      const QJsonArray cases = pair["cases"].toArray();
      for (int i = 0; i < cases.size(); ++i) {
        const QJsonValue expected = cases[i];
        const Outcome outcome = headlight({"compare", quantised(first + ".gguf"), quantised(second + ".gguf"), "--ids",
                                           ids_text(own[i]["ids"].toArray()), "--new-tokens", "10", "--json"});
        QCOMPARE(outcome.error, QString());
        const QJsonObject json = QJsonDocument::fromJson(outcome.out.toUtf8()).object();
        compare_tensors(json["tensors"].toArray(), pair["tensors"].toArray());
        const QJsonArray kl = json["kl"].toArray(), wanted = expected["kl_first_second"].toArray();
        QCOMPARE(kl.size(), wanted.size());
        for (int t = 0; t < kl.size(); ++t)
          QVERIFY2(std::abs(kl[t].toDouble() - wanted[t].toDouble()) < 1e-4, qPrintable(first));
        QCOMPARE(json["same_best_token"].toArray(), expected["same_best_token"].toArray());
        const QJsonArray leads = expected["smallest_leads"].toArray();
        if (leads[0].toDouble() >= 0.005 && leads[1].toDouble() >= 0.005)
          QCOMPARE(json["texts_part_at"], expected["texts_part_at"]);
        const QJsonArray heads = json["heads"].toArray();
        QVERIFY(heads.size() > 1);
        for (int h = 1; h < heads.size(); ++h)
          QVERIFY(heads[h]["divergence"].toDouble() <= heads[h - 1]["divergence"].toDouble());
        QVERIFY(heads[0]["divergence"].toDouble() > 0 && heads[0]["divergence"].toDouble() < std::log(2));
      }
    }
  }

  void a_model_is_as_itself() {
    const QString folder = QStringLiteral(HEADLIGHT_TEST_DATA "/families/gpt2");
    const Outcome outcome = headlight({"compare", folder, folder, "--ids", "5,17,3", "--json"});
    QCOMPARE(outcome.error, QString());
    const QJsonObject json = QJsonDocument::fromJson(outcome.out.toUtf8()).object();
    for (const QJsonValue& tensor : json["tensors"].toArray()) QCOMPARE(tensor["same"], QJsonValue(true));
    QVERIFY(!json["kl"].toArray().isEmpty());
    for (const QJsonValue& kl : json["kl"].toArray()) QVERIFY(kl.toDouble() == 0);
    for (const QJsonValue& head : json["heads"].toArray()) QVERIFY(head["divergence"].toDouble() < 1e-12);
    QVERIFY(json["texts_part_at"].isNull());
    QCOMPARE(json["output_ids"][0], json["output_ids"][1]);
    const QString text = headlight({"compare", folder, folder, "--ids", "5,17,3"}).out;
    QVERIFY(text.contains("are the same in both") && text.contains("the texts do not part"));
  }

  void what_cannot_be_laid_side_by_side() {
    const QString folder = QStringLiteral(HEADLIGHT_TEST_DATA "/families/gpt2"),
                  other = QStringLiteral(HEADLIGHT_TEST_DATA "/drawn/T5GemmaForConditionalGeneration-201");
    const Outcome outcome = headlight({"compare", folder, other, "--ids", "6,7,8"});
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.error.contains("other vocabularies"), qPrintable(outcome.error));
    QVERIFY(headlight({"compare", folder, folder, "--new-tokens", "3"}).error.contains("--new-tokens"));
  }

 private:
  void compare_tensors(const QJsonArray& found, const QJsonArray& expected) {
    QCOMPARE(found.size(), expected.size());
    for (int i = 0; i < found.size(); ++i) {
      QCOMPARE(found[i]["name"], expected[i]["name"]);
      QCOMPARE(found[i]["types"], expected[i]["types"]);
      QCOMPARE(found[i]["same"], expected[i]["same"]);
      for (const char* key : {"rms_first", "rms_difference", "largest_difference", "cosine"})
        if (const double wanted = expected[i][key].toDouble(); wanted != 0)
          QVERIFY2(std::abs(found[i][key].toDouble() - wanted) <= 1e-5 * std::abs(wanted),
                   qPrintable(expected[i]["name"].toString() + ' ' + key));
    }
  }
};

HEADLIGHT_WIDGET_TEST(TestTwoFiles)

}  // namespace headlight::test_two_files

#include "test_two_files.moc"
