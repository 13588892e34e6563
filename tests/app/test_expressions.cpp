// The language of lessons: what it means over a run, and where it says that something is wrong.

#include <QTest>
#include <cmath>

#include "app/document/session.h"
#include "app/lessons/expressions/expression.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "widgets/canvas/analysed_run.h"

namespace headlight::test_expressions {

namespace {

ExpressionScope scope_of(const std::string& source) {
  static const auto model = load_model("date-attention");
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

QString said_by(const std::string& text, const ExpressionScope* scope = nullptr) {
  try {
    const Expression expression(text);
    if (scope) expression.evaluate(*scope);
  } catch (const Error& error) {
    return QString::fromUtf8(error.what());
  }
  return {};
}

}  // namespace

class TestExpressions : public QObject {
  Q_OBJECT
  ExpressionScope scope_ = scope_of("AUGUST 23, 1983");

 private slots:
  // Arithmetic and logic, by hand.
  void means_what_it_says_data() {
    QTest::addColumn<QString>("text");
    for (const char* text :
         {"1 + 2 * 3 == 7", "(1 + 2) * 3 == 9", "-2 * -3 == 6", "7 - 2 - 1 == 4", "12 / 3 / 2 == 2", ".5 == 0.5",
          "1e-3 < 0.002", "not 1 > 2", "1 < 2 < 3", "not (1 < 3 < 2)", "1 > 2 or 2 > 1 and true",
          "\"a\\\"b\" != \"ab\"", "if(1 < 2, 3, 4) == 3", "min(2, 5) == 2", "max(2, 5) == 5", "abs(-3) == 3",
          "sqrt(9) == 3", "exp(0) == 1", "log(1) == 0", "round(2.345, 2) == 2.35 or round(2.345, 2) == 2.34",
          "contains(\"abc\", \"bc\")", "starts(\"abc\", \"ab\")", "length(\"héé\") == 3", "upper(\"aug\") == \"AUG\"",
          "text(12) == \"12\"",
          // Of the run.
          "source == \"AUGUST 23, 1983\"", "output == \"1983-08-23\"", "steps == 10", "tokens == 15",
          "model == \"date-attention\"", "edits == 0", "not forced", "token(0) == \"1\"", "token(-1) == \"3\"",
          "count(read(\"AUGUST\")) == 6", "read(\"23\") in all_read", "first(read(\"23\")) == 7",
          "reads(0, 6) == read(\"AUGUST\")", "read(\"U\") == 1", "read(\"U\", 2) == 3", "written(\"8\") == 2",
          "written(\"8\", 2) == 6", "written(\"-08-\") == writes(4, 8)", "next(written(\"9\")) == 2",
          "before(written(\"9\")) == 0", "count(blanks) > 0", "not (first(blanks) in all_read)",
          "count(cells(written(\"23\"), read(\"23\"))) == 4", "count(but(all_read, read(\"AUGUST\"))) == 9",
          "count(read(\"A\") + read(\"AUG\")) == 3",
          // Weights add up to one, whatever the model does.
          "abs(share(0, all_read + blanks) - 1) < 1e-5", "abs(sum(row(written(\"8\"))) - 1) < 1e-5",
          "share(3, argmax(row(3))) == max(row(3))",
          "abs(sum(value(\"decoder.step[0].attention.weights\")) - 1) < 1e-5",
          "abs(share(2, read(\"S\")) - value(\"decoder.step[?].attention.weights\", 2, read(\"S\"))) < 1e-6",
          "share(2, top(row(2), 0.9)) >= 0.9", "0 <= entropy(row(4)) <= 5", "probability(0) == probability(0, \"1\")",
          "probability(0, \"7\") < probability(0)",
          "count(value(\"encoder.states\", read(\"A\"))) == count(value(\"decoder.init.h\"))",
          "setting(\"hidden_size\") > 0", "distance(row(0), row(0)) == 0",
          "abs(correlation(row(0), 2 * row(0)) - 1) < 1e-9", "abs(spearman(row(0), row(0)) - 1) < 1e-9",
          "dot(row(0), row(0)) <= 1", "count(each(share(0, reads(i)))) == tokens",
          // An LSTM takes 4 H (D + H) products for a token, H = 128 and D = 16; a pair of a step and a token H.
          "cost(\"recurrence\") == (tokens + count(blanks) + steps) * 512 * 144",
          "cost(\"scores\", \"learns\") == steps * (tokens + count(blanks)) * 128",
          "cost(\"exponentials\") == steps * (tokens + count(blanks))",
          "cost(\"all\") == cost(\"recurrence\") + 2 * cost(\"scores\") + cost(\"output\")",
          "cost(\"recurrence\", \"learns\", 58) == 2 * cost(\"recurrence\", \"learns\", 29)",
          "dependent_steps(\"learns\") == tokens + count(blanks) + steps + 2",
          "dependent_steps(\"writes\") == tokens + count(blanks) + 3 * steps",
          // What was written before cannot depend on what is read out later.
          "gradient(\"decoder.step[0].output.logits\", \"decoder.step[5].lstm.h\") == 0",
          "gradient(\"decoder.step[0].output.logits\", \"encoder.states\") > 0"})
      QTest::newRow(text) << QString::fromUtf8(text);
  }
  void means_what_it_says() {
    QFETCH(QString, text);
    const Expression expression(text.toStdString());
    QVERIFY2(expression.holds(scope_), qPrintable(QString::fromStdString(expression.sides(scope_))));
  }

  // Two layers of 96 numbers, a key and a value, 4 bytes each: of the words that were given and those fed so far.
  void a_cache_grows_by_a_row() {
    ExpressionScope scope;
    Request request;
    request.model = load_model("story-gpt");
    request.source = "anna sees tom in the";
    scope.run = analysed(std::make_shared<const Result>(run(request)));
    for (const char* text :
         {"cache_bytes(0) == (tokens + 1) * 2 * 2 * 96 * 4 or cache_bytes(0) == tokens * 2 * 2 * 96 * 4",
          "cache_bytes(3) - cache_bytes(2) == 2 * 2 * 96 * 4", "cache_bytes(3, 16) == cache_bytes(3) / 2",
          "dependent_steps(\"writes\") == 3 * steps", "dependent_steps(\"learns\") == 3"})
      QVERIFY2(Expression(text).holds(scope), text);
    QVERIFY(said_by("cache_bytes(0)", &scope_).contains("keeps no keys and values"));
    QVERIFY(said_by("cost(\"score\")", &scope_).contains("there is no part 'score'"));
    QVERIFY(said_by("cost(\"scores\", \"reads\")", &scope_).contains("expected \"learns\" or \"writes\""));
    QVERIFY(said_by("dependent_steps(\"reads\")", &scope_).contains("expected \"learns\" or \"writes\""));
  }

  // A derivative against a difference quotient.
  void a_gradient_is_the_limit_of_differences() {
    const auto& result = *scope_.run->result();
    const Trace& trace = *result.trace;
    const int by = trace.find("encoder.states"), of = trace.find("decoder.step[1].output.logits");
    QVERIFY(by >= 0 && of >= 0);
    const Tensor exact = trace.derivative(of, {3}, by);
    // One number of one state, moved a little; the attention and everything behind it follow.
    const Index cell = 5 * trace[by].value.dim(1) + 7;
    const double step = 1e-2;
    std::array<double, 2> moved{};
    for (const int sign : {0, 1}) {
      Request request;
      request.inputs() = result.inputs();
      request.model = result.model;
      request.target = result.output;
      request.interventions = {{.site = "encoder.states",
                                .kind = Intervention::Kind::add,
                                .cell = cell,
                                .value = static_cast<Scalar>(sign ? step : -step),
                                .values = {}}};
      moved[static_cast<std::size_t>(sign)] = run(request).trace->value("decoder.step[1].output.logits")[3];
    }
    const double quotient = (moved[1] - moved[0]) / (2 * step);
    QVERIFY2(std::abs(quotient - exact[cell]) < 2e-2 * std::max(1.0, std::abs(quotient)),
             qPrintable(QStringLiteral("%1 and %2").arg(quotient).arg(exact[cell])));
  }

  void says_where_it_is_wrong_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* text, const char* message) {
      QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(message);
    };
    row("", "character 1: expected a value, found the end");
    row("1 +", "character 4: expected a value, found the end");
    row("1 = 2", "character 3: '=' compares nothing; write '=='");
    row("(1", "character 1: '(' is not closed");
    row("1 2", "character 3: expected an operation or the end, found '2'");
    row("share(writen(\"8\"), 1)", "character 7: there is no function 'writen'; did you mean 'written'?");
    row("outputs == 1", "character 1: there is no name 'outputs'; did you mean 'output'?");
    row("share == 1", "character 1: 'share' is a function: expected '(' behind it");
    row("share(1)", "character 1: share() takes 2 to 4 arguments, found 1");
    row("abs(1, 2)", "character 1: abs() takes 1 argument, found 2");
    row("\"a", "character 1: the text is not closed");
    row("source == é", "character 11: expected a value, found 'é'");
    row("at(1, output)", "character 4: expected a text in \"...\" as the first argument of at()");
    row("part(\"roof\")", "character 6: there is no part 'roof'");
    row("1.2.3 < 1", "character 1: '1.2.3' is no number");
  }
  void says_where_it_is_wrong() {
    QFETCH(QString, text);
    QFETCH(QString, message);
    const QString said = said_by(text.toStdString());
    QVERIFY2(said.contains(message), qPrintable(said));
  }

  void says_what_this_run_lacks() {
    const auto said = [this](const char* text) { return said_by(text, &scope_); };
    QVERIFY(said("read(\"APRIL\")").contains("character 1: the source \"AUGUST 23, 1983\" has no \"APRIL\""));
    QVERIFY(said("written(\"x\")").contains("the output \"1983-08-23\" has no \"x\""));
    QVERIFY(said("token(99)").contains("there is no step 99; the run has 10"));
    QVERIFY(said("answer").contains("there is no answer"));
    QVERIFY(said("output + 1").contains("expected a number, found a text"));
    QVERIFY(said("output == 1").contains("cannot compare a text with a number"));
    QVERIFY(said("value(\"encoder.stats\")").contains("did you mean 'encoder.states'?"));
    QVERIFY(said("value(\"encoder.states\", 99)").contains("there is no index 99"));
    QVERIFY(said("share(0, read(\"A\"), 3)").contains("layer 3"));
    QVERIFY(said("not output").contains("expected something that is true or false, found a text"));
    QVERIFY(said("at(\"x\", 1)").contains("other runs cannot be asked here"));
    QCOMPARE(Expression("1 < 2 and 3 > 5").sides(scope_), std::string("3 > 5"));
  }

  // Each side of a chain is worked out once, so that work grows with the length of what is written.
  void chains_inside_of_chains_are_worked_out_once() {
    std::string text = "1<2";
    for (int i = 0; i < 38; ++i) text = "0<if(" + text + ",1,0)<9";
    QVERIFY(Expression(text).holds(scope_));
    QCOMPARE(Expression("1 < 5 < 3 < 4").sides(scope_), std::string("5 < 3"));
    QCOMPARE(Expression("1 < 2 < 3").sides(scope_), std::string());
  }

  // 15 tokens: 15^10 sums.
  void what_takes_too_long_is_told() {
    std::string text = "i";
    for (int i = 0; i < 10; ++i) text = "sum(each(" + text + "))";
    QVERIFY(said_by(text, &scope_).contains("takes too long"));
  }

  void whoever_waits_can_stop_it() {
    const CancelToken cancel = CancelToken::make();
    cancel.cancel();
    for (const char* text : {"1 < 2", "sum(each(i)) > 0", "if(true, 1, 2)"})
      QVERIFY_EXCEPTION_THROWN(Expression(text).evaluate(scope_, cancel), Cancelled);
  }

  // Of a value that is not a number nothing is said as if it were one, and nothing looks for its place for ever.
  void what_is_no_number_stays_none_data() {
    QTest::addColumn<QString>("text");
    for (const char* text :
         {"spearman(list(0/0, 1, 2), list(1, 2, 3))", "spearman(list(1, 2), list(2, 0/0))",
          "correlation(list(0/0, 1), list(1, 2))", "distance(list(0/0), list(1))", "dot(list(0/0), list(1))",
          "min(list(1, 0/0))", "max(list(0/0, 1))", "min(0/0, 1)", "max(1, 0/0)", "mean(list(1, 0/0))",
          "variance(list(1, 0/0))", "norm(list(0/0))", "entropy(list(1, 0/0))", "sum(list(0/0))"})
      QTest::newRow(text) << QString::fromUtf8(text);
  }
  void what_is_no_number_stays_none() {
    QFETCH(QString, text);
    QVERIFY(std::isnan(Expression(text.toStdString()).number(scope_)));
  }
  void what_is_no_number_has_no_order() {
    for (const char* text : {"argmax(list(0/0, 1))", "argmin(list(1, 0/0))", "top(list(0/0, 1, 2), 0.5)"})
      QVERIFY2(said_by(text, &scope_).contains("not a number (NaN)"), text);
    QVERIFY(!Expression("0/0 in all_read").holds(scope_));
    QVERIFY(!said_by("value(\"decoder.step[?].lstm.h\", 1e300)", &scope_).isEmpty());
    QVERIFY(!said_by("reads(0/0)", &scope_).isEmpty());
  }

  void depth_and_length_are_limited() {
    QVERIFY(said_by(std::string(500, '(')).contains("nested more than 40 levels deep"));
    QVERIFY(said_by(std::string(50, '-') + "1").contains("nested more than 40 levels deep"));
    QVERIFY(said_by("1" + std::string(700, ' ')).contains("more than 600 bytes"));
  }
};

HEADLIGHT_CORE_TEST(TestExpressions)

}  // namespace headlight::test_expressions

#include "test_expressions.moc"
