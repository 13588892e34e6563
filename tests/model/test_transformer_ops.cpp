// The operations of a Transformer: tables worked out by hand, golden values of PyTorch and of the papers, what must
// hold for any numbers, and the errors for shapes that do not fit.

#include "tests/model/explanation_checks.h"
#include "tests/model/transformer_op_tables.h"
#include "tests/test_program.h"

namespace headlight::test_transformer_ops {

using namespace headlight::testing;

namespace {
constexpr double kTolerance = 2e-6;

}  // namespace

class TestTransformerOps : public QObject {
  Q_OBJECT
 private slots:
  void by_hand_data();
  void by_hand();
  void shapes();
  void grouped_heads();
  void errors_data();
  void errors();
  void statistics_of_a_batch();
  void a_batch_needs_a_row();
  void layer_norm_ignores_a_shift();
  void layer_norm_of_a_constant_is_the_shift();
  void norms_of_any_length();
  void gelus_differ_a_little();
  void gelus_of_huge_numbers();
  void tied_logits_are_products_with_the_transpose();
  void views_where_nothing_moves();
  void heads_come_back();
  void nothing_to_keep_away();
  void an_empty_row_has_neither_weights_nor_gradients();
  void masks_before_the_softmax_and_in_it_agree();
  void causal_attention_of_two_heads();
  void explanations_of_what_is_only_seen();
  void an_explanation_names_mean_and_deviation();
  void copies_say_where_from();
};

void TestTransformerOps::by_hand_data() {
  QTest::addColumn<int>("row");
  for (std::size_t i = 0; i < hand_cases().size(); ++i) QTest::newRow(hand_cases()[i].name) << static_cast<int>(i);
}

void TestTransformerOps::by_hand() {
  QFETCH(int, row);
  const HandCase& c = hand_cases()[static_cast<std::size_t>(row)];
  QVERIFY(same(difference(c.compute(), c.expected, kTolerance), c.name));
}

void TestTransformerOps::shapes() {
  const Tensor x = fill(1, {2, 3, 8}), gamma = fill(2, {8});
  QCOMPARE(layer_norm(x, gamma, {}, 1).shape(), x.shape());
  QCOMPARE(rms_norm(x, gamma, 1).shape(), x.shape());
  QCOMPARE(batch_norm(x, gamma, {}, 1, {}, nullptr).shape(), x.shape());
  QCOMPARE(row_mean(x).shape(), Shape({2, 3}));
  QCOMPARE(row_rstd(gamma, 1, true).shape(), Shape({1}));
  QCOMPARE(split_heads(x, 4).shape(), Shape({8, 3, 2}));
  QCOMPARE(split_heads(rows(x, 0, 1), 1).shape(), Shape({1, 3, 8}));
  QCOMPARE(join_heads(x, 1).shape(), Shape({1, 3, 16}));
  QCOMPARE(join_heads(x, 2).shape(), Shape({2, 3, 8}));
  QCOMPARE(repeat_heads(x, 2).shape(), Shape({4, 3, 8}));
  QCOMPARE(append_rows(x, fill(1, {2, 1, 8})).shape(), Shape({2, 4, 8}));
  QCOMPARE(attention_keep(2, 3, 0, true, 0, {}).shape(), Shape({1, 2, 3}));
  QCOMPARE(attention_keep(2, 3, 0, true, 0, Tensor::zeros({4, 3})).shape(), Shape({4, 2, 3}));
  QCOMPARE(linear_transposed(x, fill(1, {5, 8})).shape(), Shape({2, 3, 5}));
  QCOMPARE(relative_bias(fill(1, {8, 3}), 0, 4, 5, true, 9).shape(), Shape({3, 4, 5}));
  QCOMPARE(sinusoid_table(5, 6, Sinusoid::pairs).shape(), Shape({5, 6}));
}

// Fewer keys and values than queries give what as many give where each stands several times.
void TestTransformerOps::grouped_heads() {
  const Tensor q = fill(1, {8, 3, 4}), k = fill(2, {4, 5, 4}), v = fill(3, {4, 5, 2}), bias = fill(4, {4, 3, 5});
  const Tensor keep = attention_keep(3, 5, 2, true, 0, Tensor::of({2, 5}, {1, 1, 1, 1, 1, 0, 1, 1, 1, 1}));
  const Tensor all_k = repeat_heads(k, 2), all_v = repeat_heads(v, 2);
  const auto compare_all = [](const Tensor& y, const Tensor& expected) {
    QCOMPARE(y.shape(), expected.shape());
    QVERIFY((y.array() - expected.array()).abs().maxCoeff() < Scalar(1e-6));
  };
  compare_all(dot_scores(q, k), dot_scores(q, all_k));
  const Tensor weights = attention_weights(q, k, Scalar(0.3), keep, bias);
  compare_all(weights, attention_weights(q, all_k, Scalar(0.3), keep, bias));
  compare_all(weighted_sum(weights, v), weighted_sum(weights, all_v));
  const Tensor one = fill(5, {8, 1, 4});  // one more token
  compare_all(attention_weights(one, k, 1, {}, {}), attention_weights(one, all_k, 1, {}, {}));
  QVERIFY_THROWS_EXCEPTION(ShapeError, dot_scores(q, fill(1, {3, 5, 4})));
  QVERIFY_THROWS_EXCEPTION(ShapeError, weighted_sum(weights, fill(1, {16, 5, 2})));
}

void TestTransformerOps::errors_data() {
  QTest::addColumn<int>("row");
  for (std::size_t i = 0; i < error_cases().size(); ++i) QTest::newRow(error_cases()[i].name) << static_cast<int>(i);
}

void TestTransformerOps::errors() {
  QFETCH(int, row);
  const ErrorCase& c = error_cases()[static_cast<std::size_t>(row)];
  QCOMPARE(message_of<ShapeError>(c.call), QString::fromUtf8(c.message));
}

// --- norms

void TestTransformerOps::statistics_of_a_batch() {
  const Tensor x = Tensor::of({4, 2}, {1, 5, 100, 100, 3, 5, 5, 8}), gamma = Tensor::full({2}, 1);
  BatchStatistics s;
  batch_norm(x, gamma, {}, 1e-5, Tensor::of({4}, {1, 0, 1, 1}), &s);
  QVERIFY(same(difference(s.mean, Tensor::of({2}, {3, 6}), kTolerance), "mean"));
  QVERIFY(same(difference(s.variance, {8 / 3.0, 2}, kTolerance), "variance"));  // (4 + 0 + 4) / 3, (1 + 1 + 4) / 3
  // Normalised by its own statistics, a batch is what it was.
  const Tensor all = batch_norm(x, gamma, {}, 1e-5, {}, &s);
  QVERIFY(same(difference(normalised_by(x, s.mean, s.variance, gamma, {}, 1e-5), all, 1e-5), "given"));
}

void TestTransformerOps::a_batch_needs_a_row() {
  QCOMPARE(message_of<UsageError>([] {
             batch_norm(fill(1, {2, 3}), fill(1, {3}), {}, 1, Tensor::zeros({2}), nullptr);
           }),
           "batch norm: none of 2 rows is kept");
}

// All of these numbers are exact in float32; sums of their squares would not be.
void TestTransformerOps::layer_norm_ignores_a_shift() {
  Tensor x = Tensor::of({1, 5}, {1, -2, 4, 0, 3});
  const Tensor gamma = Tensor::full({5}, 1), y = layer_norm(x, gamma, {}, 1e-5);
  x.array() += Scalar(1e6);
  QVERIFY(same(difference(layer_norm(x, gamma, {}, 1e-5), y, kTolerance), "shifted"));
}

void TestTransformerOps::layer_norm_of_a_constant_is_the_shift() {
  const Tensor y = layer_norm(Tensor::full({1, 3}, 7), fill(1, {3}), Tensor::of({3}, {1, -2, 3}), 1e-5);
  QVERIFY(same(difference(y, {1, -2, 3}, 0), "constant"));
}

void TestTransformerOps::norms_of_any_length() {
  for (const Index d : {1, 2, 15, 16, 17, 100}) {
    const Tensor x = fill(static_cast<double>(d), {2, d}), one = Tensor::full({d}, 1);
    for (const Index r : {0, 1}) {
      double sum = 0, squares = 0;
      for (const double v : doubles(row(x, r))) sum += v, squares += v * v;
      const auto n = static_cast<double>(d);
      const double mean = sum / n, variance = squares / n - mean * mean;
      std::vector<double> centred, plain;
      for (const double v : doubles(row(x, r))) {
        centred.push_back((v - mean) / std::sqrt(variance + 0.01));
        plain.push_back(v / std::sqrt(squares / n + 0.01));
      }
      QVERIFY(same(difference(row(layer_norm(x, one, {}, 0.01), r), centred, 1e-5), "layer norm"));
      QVERIFY(same(difference(row(rms_norm(x, one, 0.01), r), plain, 1e-5), "RMS norm"));
    }
  }
}

// --- functions

void TestTransformerOps::gelus_differ_a_little() {
  Tensor x({1201});
  for (Index i = 0; i < x.size(); ++i) x[i] = static_cast<Scalar>(i - 600) / 100;
  const double largest = largest_difference(gelu(x), gelu_tanh(x));
  QVERIFY2(largest > 4.6e-4 && largest <= 4.8e-4, qPrintable(QString::number(largest)));
  for (Index i = 0; i < x.size(); ++i) {
    const double v = static_cast<double>(x[i]), expected = v * std::erfc(-v / std::numbers::sqrt2) / 2;
    QVERIFY(std::abs(static_cast<double>(gelu(x)[i]) - expected) < kTolerance);
  }
}

void TestTransformerOps::gelus_of_huge_numbers() {
  for (const auto& f : {gelu, gelu_tanh, silu})
    QVERIFY(same(difference(f(Tensor::of({4}, {-1e4, -100, 100, 1e4})), {0, 0, 100, 1e4}, kTolerance), "huge"));
}

// Sizes at which other kernels take over, inside a graph that keeps weights packed.
void TestTransformerOps::tied_logits_are_products_with_the_transpose() {
  const Index v = 67, d = 33;
  const Tensor table = parameter(2, {v, d}), bias = parameter(3, {v});
  Tensor transpose({d, v});
  transpose.matrix() = table.matrix().transpose();
  for (const Index n : {1, 7, 40}) {
    const Tensor x = fill(1, {n, d});
    Graph graph(Graph::Keep::gradients);
    const Graph::Scope scope(&graph);
    for (int use = 0; use < 3; ++use)
      QVERIFY(same(difference(linear_transposed(x, table, bias), linear(x, transpose, bias), 1e-5), "tied"));
  }
}

// --- heads

void TestTransformerOps::views_where_nothing_moves() {
  const Tensor one_row = fill(1, {2, 1, 8}), several = fill(1, {2, 3, 8});
  QVERIFY(split_heads(one_row, 4).shares_storage(one_row));
  QVERIFY(split_heads(several, 1).shares_storage(several));
  QVERIFY(join_heads(one_row, 1).shares_storage(one_row));
  QVERIFY(join_heads(several, 2).shares_storage(several));
  QVERIFY(!split_heads(several, 4).shares_storage(several) && !join_heads(several, 1).shares_storage(several));
  QVERIFY(repeat_heads(several, 1).shares_storage(several));
  QVERIFY(append_rows({}, several).shares_storage(several));
  QVERIFY(mask_scores(several, {}).shares_storage(several));
}

void TestTransformerOps::heads_come_back() {
  const Tensor x = fill(1, {3, 5, 12});
  for (const Index heads : {1, 2, 3, 12})
    QVERIFY(same(difference(join_heads(split_heads(x, heads), 3), x, 0), "split and joined"));
}

void TestTransformerOps::nothing_to_keep_away() {
  QVERIFY(!attention_keep(1, 5, 4, true, 0, {}).defined());  // the newest row sees all before it
  QVERIFY(!attention_keep(3, 5, 0, false, 0, Tensor::full({2, 5}, 1)).defined());
  QVERIFY(!attention_keep(2, 3, 0, false, 3, {}).defined());
  QVERIFY(attention_keep(1, 5, 3, true, 0, {}).defined());
  QVERIFY(attention_keep(1, 5, 4, true, 4, {}).defined());
}

void TestTransformerOps::an_empty_row_has_neither_weights_nor_gradients() {
  Tensor q = fill(1, {2, 2, 4}), k = fill(2, {2, 3, 4}), v = fill(3, {2, 3, 4});
  Graph graph(Graph::Keep::everything);
  const Graph::Scope scope(&graph);
  for (Tensor* t : {&q, &k, &v}) graph.watch(*t);
  const Tensor keep = Tensor::of({1, 2, 3}, {0, 0, 0, 1, 0, 1});
  const Tensor masked = mask_scores(dot_scores(q, k), keep), weights = softmax(masked);
  const Tensor out = weighted_sum(weights, v);
  for (const Index h : {0, 1}) {
    QVERIFY(same(difference(row(row(masked, h), 0), {-kInfinite, -kInfinite, -kInfinite}, 0), "scores"));
    QVERIFY(same(difference(row(row(weights, h), 0), {0, 0, 0}, 0), "weights"));
    QVERIFY(same(difference(row(row(out, h), 0), {0, 0, 0, 0}, 0), "out"));
  }
  graph.backward(out, fill(4, out.shape()));
  for (const Tensor& t : {q, k, v})
    for (const double x : doubles(graph.gradient(t))) QVERIFY(std::isfinite(x));
  for (const Index h : {0, 1}) {
    QVERIFY(same(difference(row(row(graph.gradient(q), h), 0), {0, 0, 0, 0}, 0), "query of the empty row"));
    QVERIFY(same(difference(row(row(graph.gradient(k), h), 1), {0, 0, 0, 0}, 0), "key that nobody sees"));
    QVERIFY(dot(reshape(graph.gradient(q), {4, 4}), 2 * h + 1, 2 * h + 1) > 1e-8);
  }
  QVERIFY(every_node_adds_up(graph, out, 1e-5));
}

void TestTransformerOps::masks_before_the_softmax_and_in_it_agree() {
  const Tensor scores = fill(1, {6, 2, 5}), keep = attention_keep(2, 5, 1, true, 0,
                                                                  Tensor::of({3, 5}, {1, 1, 1, 1, 1,  //
                                                                                      0, 0, 1, 1, 1, 0, 1, 1, 1, 0}));
  Tensor spread({6, 2, 5});
  for (Index i = 0; i < spread.size(); ++i) spread[i] = keep[i / 20 * 10 + i % 10];
  QVERIFY(same(difference(softmax(mask_scores(scores, keep)), softmax(scores, spread), 1e-7), "masked"));
}

// models.md 15.2, "mha causal"
void TestTransformerOps::causal_attention_of_two_heads() {
  const Tensor x = fill(71, {1, 3, 4});
  const auto heads = [&](double s) { return split_heads(linear(x, fill(s, {4, 4})), 2); };
  const Tensor keep = attention_keep(3, 3, 0, true, 0, {});
  const Tensor scores = scale(dot_scores(heads(73), heads(79)), static_cast<Scalar>(1 / std::sqrt(2.0)));
  const Tensor weights = softmax(mask_scores(scores, keep));
  QVERIFY(same(difference(weights,
                          {1, 0, 0, 0.496625, 0.503375, 0, 0.334602, 0.329794, 0.335605,  //
                           1, 0, 0, 0.495265, 0.504735, 0, 0.335186, 0.328333, 0.336481},
                          kTolerance),
               "weights"));
  const Tensor out = linear(join_heads(weighted_sum(weights, heads(83)), 1), fill(89, {4, 4}));
  QVERIFY(same(difference(out,
                          {0.029767, 0.02039, -0.018199, -0.030715, -0.002882, -0.000971,  //
                           0.002331, 0.002293, 0.011731, 0.007356, -0.007558, -0.011643},
                          kTolerance),
               "out"));
}

// --- explanations; those of operations with gradients are rows of test_explanations

void TestTransformerOps::explanations_of_what_is_only_seen() {
  Graph graph(Graph::Keep::everything);
  const Graph::Scope scope(&graph);
  const Tensor x = fill(1, {2, 3, 5});
  for (const Tensor& y : {row_mean(x), row_rstd(x, 0.01, true), row_rstd(x, 0.01, false)}) {
    QVERIFY(graph.find(y) && graph.find(y)->op->backward == nullptr);
    QVERIFY(every_node_adds_up(graph, y, 1e-5));
  }
}

void TestTransformerOps::an_explanation_names_mean_and_deviation() {
  Graph graph(Graph::Keep::everything);
  const Graph::Scope scope(&graph);
  const Tensor x = Tensor::of({2, 2}, {1, 3, -7, -5}), gamma = Tensor::of({2}, {2, 4}),
               beta = Tensor::of({2}, {10, 20});
  const auto explain = [&](const Tensor& y, Index cell) { return graph.find(y)->op->explain(*graph.find(y), cell); };
  const Explanation layer = explain(layer_norm(x, gamma, beta, 3), 3);
  QCOMPARE(layer.terms.size(), std::size_t{2});
  QCOMPARE(QString::fromStdString(layer.terms[0].label), QString::fromUtf8("γ·(x + 6)/2"));
  QCOMPARE(layer.terms[0].value, 2.0);  // 4 · (−5 + 6) / 2
  QCOMPARE(layer.terms[0].cells[0].index, Index{3});
  QCOMPARE(layer.terms[1].value, 20.0);
  // Columns: 1 and −7 have mean −3 and variance 16.
  const Explanation batch = explain(batch_norm(x, gamma, beta, 9, {}, nullptr), 0);
  QCOMPARE(QString::fromStdString(batch.terms[0].label), QString::fromUtf8("γ·(x + 3)/5"));
  const Explanation rms = explain(rms_norm(x, gamma, 4), 0);  // (1 + 9) / 2 + 4
  QCOMPARE(QString::fromStdString(rms.terms[0].label), QString::fromUtf8("γ·x/3"));
}

void TestTransformerOps::copies_say_where_from() {
  Graph graph(Graph::Keep::everything);
  const Graph::Scope scope(&graph);
  const Tensor x = counting({2, 3, 8}), before = fill(1, {2, 2, 8});  // every number once
  const Tensor masked = mask_scores(x, attention_keep(3, 8, 2, true, 0, {}));
  for (const Tensor& y : {split_heads(x, 4), join_heads(x, 1), repeat_heads(x, 3), append_rows(before, x), masked}) {
    const Node& node = *graph.find(y);
    for (Index cell = 0; cell < y.size(); ++cell) {
      if (std::isinf(y[cell])) continue;
      const Explanation e = node.op->explain(node, cell);
      QVERIFY(e.kind == Explanation::Kind::copy);
      QVERIFY(e.terms.at(0).cells.at(0).tensor[e.terms[0].cells[0].index] == y[cell]);
    }
  }
}

HEADLIGHT_TEST(TestTransformerOps)

}  // namespace headlight::test_transformer_ops

#include "test_transformer_ops.moc"
