// What lessons can state of receptive fields and of scores split into parts.

#include <QTest>

#include "app/document/session.h"
#include "app/lessons/expressions/expression.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "widgets/canvas/analysed_run.h"

namespace headlight::test_lesson_influence {

namespace {

ExpressionScope scope_of(const char* name, const std::string& source) {
  const auto model = load_model(name);
  Request request;
  request.model = model;
  request.source = source;
  ExpressionScope scope;
  scope.run = analysed(std::make_shared<const Result>(run(request)));
  Document document;
  document.inputs() = request.inputs();
  document.model = model;
  scope.document = std::make_shared<const Document>(document);
  return scope;
}

}  // namespace

class TestLessonInfluence : public QObject {
  Q_OBJECT

 private slots:
  void holds_data() {
    QTest::addColumn<QByteArray>("model");
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QString>("text");
    const auto rows = [](const char* model, const char* source, std::initializer_list<const char*> texts) {
      for (const char* text : texts)
        QTest::newRow(text) << QByteArray(model) << QByteArray(source) << QString::fromUtf8(text);
    };
    // It reads from the end: what stands behind a token, and the token, are in its state.
    rows("date-attention", "AUGUST 23, 1983",
         {"reach(\"encoder\", 0, reads(0)) == tokens + count(blanks)",
          "reach(\"encoder\", 0, reads(3)) == reach(\"encoder\", 0, reads(0)) - 3",
          "path(\"encoder\", 0, reads(0), reads(7)) == 7", "path(\"encoder\", 0, reads(4), reads(4)) == 0"});
    rows("date-transformer", "AUGUST 23, 1983",
         {"path(\"encoder\", 0, reads(0), reads(7)) == 1", "path(\"encoder\", 1, reads(9), reads(2)) == 1",
          "reach(\"encoder\", 0) >= tokens", "reach(\"decoder\", 0, writes(2)) == reach(\"encoder\", 0) + 3",
          "abs(score_part(\"token-token\", reads(2), reads(5), 0, 1) + score_part(\"token-position\", reads(2), "
          "reads(5), 0, 1) + score_part(\"position-token\", reads(2), reads(5), 0, 1) + "
          "score_part(\"position-position\", reads(2), reads(5), 0, 1) + score_part(\"rest\", reads(2), reads(5), 0, "
          "1) - score_part(\"score\", reads(2), reads(5), 0, 1)) < 1e-3",
          "abs(score_part(\"score\", reads(2), reads(5), 0, 1) - "
          "value(\"encoder.layer[0].self_attn.head[1].scores\", reads(2), reads(5))) < 1e-4"});
  }
  void holds() {
    QFETCH(QByteArray, model);
    QFETCH(QByteArray, source);
    QFETCH(QString, text);
    const ExpressionScope scope = scope_of(model, source.toStdString());
    const Expression expression(text.toStdString());
    QVERIFY2(expression.holds(scope), qPrintable(QString::fromStdString(expression.sides(scope))));
  }

  void says_what_is_wrong_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("part");
    QTest::newRow("side") << "reach(\"encodr\", 0)"
                          << "did you mean 'encoder'?";
    QTest::newRow("layer") << "reach(\"encoder\", 7)"
                           << "no such layer";
    QTest::newRow("no way") << "path(\"encoder\", 0, reads(7), reads(0))"
                            << "cannot reach";
    QTest::newRow("no positions") << "score_part(\"score\", reads(0), reads(1))"
                                  << "adds no positions";
  }
  void says_what_is_wrong() {
    QFETCH(QString, text);
    QFETCH(QString, part);
    const ExpressionScope scope = scope_of("date-attention", "AUGUST 23, 1983");
    try {
      Expression(text.toStdString()).evaluate(scope);
      QFAIL("it has a value");
    } catch (const Error& error) {
      QVERIFY2(QString::fromUtf8(error.what()).contains(part), error.what());
    }
  }
};

HEADLIGHT_CORE_TEST(TestLessonInfluence)

}  // namespace headlight::test_lesson_influence

#include "test_lesson_influence.moc"
