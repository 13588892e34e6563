// Operations: the shapes that come out, and the errors for shapes that do not fit and for ids outside a table.

#include <functional>

#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/lstm.h"
#include "model/ops/softmax.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_op_errors {

using namespace headlight::testing;

namespace {

struct ErrorCase {
  const char* name;
  std::function<void()> call;
  const char* message;
};

const std::vector<ErrorCase>& error_cases() {
  static const std::vector<ErrorCase> cases = {
      {"linear, input",
       [] {
         linear(counting({2, 3}), counting({4, 2}));
       },
       "linear: expected input [.. x 4], got [2 x 3]"},
      {"linear, weight",
       [] {
         linear(counting({2, 3}), counting({3}));
       },
       "linear: expected weight [K x M], got [3]"},
      {"linear, addend",
       [] {
         linear(counting({2, 3}), counting({3, 4}), counting({3}));
       },
       "linear: expected addend [4], got [3]"},
      {"multiply",
       [] {
         multiply(counting({2, 3}), counting({3, 2}));
       },
       "multiply: expected [2 x 3], got [3 x 2]"},
      {"add",
       [] {
         add(counting({6}), counting({3, 2}));
       },
       "add: expected [6], got [3 x 2]"},
      {"reshape",
       [] {
         reshape(counting({2, 3}), {4});
       },
       "reshape: expected 6 cells, got [4]"},
      {"rows",
       [] {
         rows(counting({4, 2}), 3, 2);
       },
       "view: [2 x 2] at 6 leaves [4 x 2]"},
      {"row",
       [] {
         row(counting({4, 2}), 4);
       },
       "view: [2] at 8 leaves [4 x 2]"},
      {"row before the first",
       [] {
         row(counting({4, 2}), -1);
       },
       "view: [2] at -2 leaves [4 x 2]"},
      {"columns",
       [] {
         columns(counting({2, 3}), 2, 2);
       },
       "columns: expected at most 3, got [4]"},
      {"concat",
       [] {
         concat(counting({2, 3}), counting({3, 3}));
       },
       "concatenate: expected rows a multiple of 2, got [3 x 3]"},
      {"stack of nothing", [] { stack({}); }, "stack: expected at least one step, got []"},
      {"stack",
       [] {
         stack({counting({2, 3}), counting({2, 2})});
       },
       "stack: expected [2 x 3], got [2 x 2]"},
      {"softmax mask, columns",
       [] {
         softmax(counting({2, 3}), counting({2, 2}));
       },
       "softmax mask: expected [.. x 3], got [2 x 2]"},
      {"softmax mask, rows",
       [] {
         softmax(counting({3, 2}), counting({2, 2}));
       },
       "softmax mask: expected [.. x 2], got [2 x 2]"},
      {"cross-entropy, targets",
       [] {
         cross_entropy(counting({2, 3}), counting({3}), counting({2}), 1);
       },
       "cross-entropy targets: expected 2, got [3]"},
      {"cross-entropy, mask",
       [] {
         cross_entropy(counting({2, 3}), Tensor::zeros({2}), counting({1}), 1);
       },
       "cross-entropy mask: expected 2, got [1]"},
      {"dot scores",
       [] {
         dot_scores(counting({1, 2, 3}), counting({1, 2, 4}));
       },
       "dot score: expected keys of the queries' size [1 x 2 x 3], got [1 x 2 x 4]"},
      {"weighted sum",
       [] {
         weighted_sum(counting({1, 2, 3}), counting({1, 2, 4}));
       },
       "weighted sum: expected one value for each weight of [1 x 2 x 3], got [1 x 2 x 4]"},
      {"weighted rows",
       [] {
         weighted_rows(counting({1, 1, 3}), counting({1, 2, 4}));
       },
       "weighted values: expected 2 weights, got [1 x 1 x 3]"},
      {"LSTM gates",
       [] {
         lstm_gates(counting({1, 6}));
       },
       "LSTM gates: expected [N x 4H], got [1 x 6]"},
      {"LSTM cell",
       [] {
         lstm_cell(counting({2, 8}), counting({1, 2}));
       },
       "LSTM cell: expected gates [N x 8], got [2 x 8]"},
      {"LSTM output",
       [] {
         lstm_hidden(counting({1, 4}), counting({1, 2}));
       },
       "LSTM output: expected gates [N x 8], got [1 x 4]"},
      {"too many dimensions",
       [] {
         Shape({1, 1, 1, 1, 1, 1});
       },
       "shape: at most 5 dimensions"},
      {"values",
       [] {
         Tensor::of({2, 2}, {1, 2, 3});
       },
       "tensor: expected 3 values, got [2 x 2]"},
  };
  return cases;
}

}  // namespace

class TestOpErrors : public QObject {
  Q_OBJECT

 private slots:
  void shapes_data();
  void shapes();
  void errors_data();
  void errors();
  void ids_outside_the_table_data();
  void ids_outside_the_table();
  void views_stay_inside();
};

void TestOpErrors::shapes_data() {
  QTest::addColumn<std::string>("got");
  QTest::addColumn<std::string>("expected");
  const auto check = [](const char* name, const Tensor& t, const char* expected) {
    QTest::newRow(name) << t.shape().text() << std::string(expected);
  };
  check("linear", linear(counting({2, 4, 3}), counting({3, 5})), "[2 x 4 x 5]");
  check("embedding", embedding(Tensor::zeros({4, 2}), counting({3, 5})), "[4 x 2 x 5]");
  check("rows", rows(counting({4, 2, 3}), 1, 2), "[2 x 2 x 3]");
  check("row", row(counting({4, 2, 3}), 1), "[2 x 3]");
  check("columns", columns(counting({4, 2, 3}), 1, 2), "[4 x 2 x 2]");
  check("concat", concat(counting({2, 3}), counting({2, 4, 5})), "[2 x 4 x 8]");
  check("repeated", repeated(counting({2, 3}), 4), "[4 x 2 x 3]");
  check("stack", stack({counting({2, 3}), counting({2, 3})}), "[2 x 2 x 3]");
  check("softmax", softmax(counting({2, 4, 3})), "[2 x 4 x 3]");
  check("dot scores", dot_scores(counting({2, 4, 3}), counting({2, 5, 3})), "[2 x 4 x 5]");
  check("weighted sum", weighted_sum(counting({2, 4, 5}), counting({2, 5, 3})), "[2 x 4 x 3]");
  check("no dimension", Tensor::zeros({}), "[]");
}

void TestOpErrors::shapes() {
  QFETCH(std::string, got);
  QFETCH(std::string, expected);
  QCOMPARE(got, expected);
}

void TestOpErrors::errors_data() {
  QTest::addColumn<int>("row");
  for (std::size_t i = 0; i < error_cases().size(); ++i) QTest::newRow(error_cases()[i].name) << static_cast<int>(i);
}

void TestOpErrors::errors() {
  QFETCH(int, row);
  const ErrorCase& c = error_cases()[static_cast<std::size_t>(row)];
  QCOMPARE(message_of<ShapeError>(c.call), QString::fromUtf8(c.message));
}

void TestOpErrors::ids_outside_the_table_data() {
  QTest::addColumn<double>("id");
  QTest::addColumn<QString>("message");
  QTest::newRow("too large") << 3.0 << "token id 3 is outside the vocabulary of 3";
  QTest::newRow("negative") << -1.0 << "token id -1 is outside the vocabulary of 3";
  QTest::newRow("huge") << 1e30 << "token id 1e+30 is outside the vocabulary of 3";
  QTest::newRow("between two") << 1.5 << "token id 1.5 is outside the vocabulary of 3";
  QTest::newRow("no number") << std::nan("") << "token id nan is outside the vocabulary of 3";
}

// Ids can be edited like any value, so they may be anything.
void TestOpErrors::ids_outside_the_table() {
  QFETCH(double, id);
  QFETCH(QString, message);
  const Tensor ids = Tensor::of({1}, {static_cast<Scalar>(id)});
  QCOMPARE(message_of<UsageError>([&] { embedding(ids, counting({3, 2})); }), message);
}

void TestOpErrors::views_stay_inside() {
  const Tensor whole = counting({2, 3});
  QCOMPARE(message_of<ShapeError>([&] { whole.view(4, {3}); }), "view: [3] at 4 leaves [2 x 3]");
  QCOMPARE(message_of<ShapeError>([&] { whole.view(-1, {3}); }), "view: [3] at -1 leaves [2 x 3]");
  QCOMPARE(whole.view(3, {3})[2], Scalar(6));
}

HEADLIGHT_TEST(TestOpErrors)

}  // namespace headlight::test_op_errors

#include "test_op_errors.moc"
