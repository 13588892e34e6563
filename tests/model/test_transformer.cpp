// Transformers in float32: the exact ordered names of their sites, what rows can see (invariants I4 to I7), padding and
// rows without anything to look at, prompts.

#include "tests/model/transformer_models.h"
#include "tests/test_program.h"

namespace headlight::test_transformer {

using namespace headlight::testing;

namespace {

using Names = std::vector<std::string>;

void put(Names& all, const std::string& place, const Names& leaves) {
  for (const std::string& leaf : leaves) all.push_back(place + leaf);
}

const Names kNorm = {".mean", ".rstd", ".out"};
const Names kEmbed = {".embed.token", ".embed.position", ".embed.out"};
const Names kKeys = {".head.k", ".head.v"};
const Names kLook = {".head.scores_raw", ".head.scores", ".keep",   ".head.scores_masked",
                     ".head.weights",    ".head.out",    ".concat", ".out"};
const Names kFeedForward = {".ffn.pre", ".ffn.act", ".ffn.out"};

// One layer, norms behind the residuals; with `cross`, the attention to the source.
void put_layer(Names& all, const std::string& place, bool cross) {
  put(all, place + ".self_attn", {".head.q", ".head.k", ".head.v"});
  put(all, place + ".self_attn", kLook);
  put(all, place, {".residual1"});
  put(all, place + ".norm1", kNorm);
  if (cross) {
    put(all, place + ".cross_attn", {".head.q"});
    put(all, place + ".cross_attn", kLook);
    put(all, place, {".residual2"});
    put(all, place + ".norm2", kNorm);
  }
  put(all, place, kFeedForward);
  put(all, place, {cross ? ".residual3" : ".residual2"});
  put(all, place + (cross ? ".norm3" : ".norm2"), kNorm);
}

Names expected_names(const std::string& type, int steps) {
  Names all = {"input.src.ids", "input.src.display_index"};
  const bool both = type == "transformer", reads = type == "encoder_only";
  const std::string first = type == "decoder_only" ? "decoder" : "encoder";
  put(all, first, kEmbed);
  put_layer(all, first + ".layer[0]", false);
  if (both) put(all, "decoder.layer[0].cross_attn", kKeys);
  if (reads) put(all, "encoder.head", {".pre", ".act", ".norm.mean", ".norm.rstd", ".norm.out"});
  for (int t = 0; t < steps; ++t) {
    const std::string step = "decoder.step[" + std::to_string(t) + "]";
    if (!reads) {
      put(all, step, {".input.id"});
      put(all, step, kEmbed);
      put_layer(all, step + ".layer[0]", both);
    }
    put(all, step, {".attn_mean", ".output.logits", ".output.probs"});
  }
  return all;
}

// The rows of two matrices that differ. A token that is seen may still count for little, so tests of what is seen allow
// for no difference at all.
std::vector<Index> rows_that_differ(const Tensor& a, const Tensor& b, double tolerance = 0) {
  std::vector<Index> rows;
  for (Index r = 0; r < a.rows(); ++r)
    if (static_cast<double>((a.matrix().row(r) - b.matrix().row(r)).cwiseAbs().maxCoeff()) > tolerance)
      rows.push_back(r);
  return rows;
}

std::vector<Index> range(Index from, Index to) {
  std::vector<Index> all;
  for (Index i = from; i < to; ++i) all.push_back(i);
  return all;
}

std::vector<Scalar> replaced(std::vector<Scalar> ids, std::size_t at) {
  ids[at] = static_cast<Scalar>((static_cast<int>(ids[at]) + 2) % 5);
  return ids;
}

void add_shape_rows() {
  QTest::addColumn<std::string>("type");
  for (const char* type : kTransformers) QTest::newRow(type) << std::string(type);
}

}  // namespace

class TestTransformer : public QObject {
  Q_OBJECT
 private slots:
  void exact_ordered_names_data() { add_shape_rows(); }
  void exact_ordered_names();
  void weights_add_up_data() { add_transformer_rows(); }
  void weights_add_up();
  void the_future_is_not_seen_data();
  void the_future_is_not_seen();
  void a_window_ends();
  void every_token_sees_every_token();
  void order_needs_positions_data();
  void order_needs_positions();
  void heads_are_blocks_of_columns();
  void cross_attention_reads_the_last_layer();
  void nothing_to_look_at();
  void padding_needs_its_mask();
  void not_causal_sees_all_that_is_there();
  void masked_words_end_with_the_source();
  void continuing_takes_the_last_source_token();
  void one_token_is_enough_data() { add_shape_rows(); }
  void one_token_is_enough();
};

void TestTransformer::exact_ordered_names() {
  QFETCH(std::string, type);
  const auto model = filled_transformer({{"model_type", type}, {"norm_place", "post"}});
  const auto trace = transformer_trace(*model, column_of({3, 1, 4}), Tensor::of({2}, {1, 4}));
  const Names expected = expected_names(type, 2);
  for (std::size_t i = 0; i < std::min(expected.size(), trace->entries().size()); ++i)
    QCOMPARE(QString::fromStdString((*trace)[static_cast<int>(i)].site.text), QString::fromStdString(expected[i]));
  QCOMPARE(trace->entries().size(), expected.size());
}

// Invariant I4, for every head of every configuration; and nothing where the mask is 0.
void TestTransformer::weights_add_up() {
  const TransformerReference reference = fetch_transformer();
  const Sentences a = transformer_sentences(reference.file, {"input/"});
  const auto trace = transformer_trace(*reference.model, a.source, a.fed);
  int maps = 0;
  for (const TraceEntry& entry : trace->entries()) {
    const std::string& name = entry.site.text;
    if (!name.ends_with("head.weights")) continue;
    ++maps;
    const Tensor keep = trace->value(name.substr(0, name.size() - 12) + "keep");
    const Index keys = entry.value.columns(), queries = keep.rows();
    for (Index r = 0; r < entry.value.rows(); ++r) {
      QVERIFY2(std::abs(static_cast<double>(entry.value.matrix().row(r).sum()) - 1) < 1e-5, name.c_str());
      for (Index j = 0; j < keys; ++j)
        QVERIFY2(keep[(r % queries) * keys + j] != 0 || entry.value[r * keys + j] == 0, name.c_str());
    }
  }
  QVERIFY(maps > 0);
}

void TestTransformer::the_future_is_not_seen_data() {
  QTest::addColumn<QString>("settings");
  QTest::newRow("post") << "{'norm_place':'post'}";
  QTest::newRow("pre, two layers") << "{'norm_place':'pre','decoder_layers':2}";
  QTest::newRow("relative") << "{'positions':'relative'}";
  QTest::newRow("language model") << "{'model_type':'decoder_only','decoder_layers':2}";
  QTest::newRow("rotary language model") << "{'model_type':'decoder_only','positions':'rotary','head_size':4}";
}

// Invariant I5: a changed token changes its own row and all behind it, and no row before it.
void TestTransformer::the_future_is_not_seen() {
  QFETCH(QString, settings);
  const auto model = filled_transformer(settings_of(settings));
  const Tensor before = logits_of(*model, kSource, kFed);
  for (std::size_t t = 0; t < kFed.size(); ++t)
    QCOMPARE(rows_that_differ(before, logits_of(*model, kSource, replaced(kFed, t))),
             range(static_cast<Index>(t), static_cast<Index>(kFed.size())));
}

// Two layers that each see two tokens look back two tokens.
void TestTransformer::a_window_ends() {
  const auto model = filled_transformer({{"model_type", "decoder_only"}, {"window", 2}, {"decoder_layers", 2}});
  const Tensor before = logits_of(*model, kSource, kFed);
  for (std::size_t t = 0; t < kFed.size(); ++t)
    QCOMPARE(rows_that_differ(before, logits_of(*model, kSource, replaced(kFed, t))),
             range(static_cast<Index>(t), std::min<Index>(6, static_cast<Index>(t) + 3)));
  // The last source tokens only, and only at the start.
  QCOMPARE(rows_that_differ(before, logits_of(*model, replaced(kSource, 3), kFed)), range(0, 0));
  QCOMPARE(rows_that_differ(before, logits_of(*model, replaced(kSource, 4), kFed)), range(0, 1));
  QCOMPARE(rows_that_differ(before, logits_of(*model, replaced(kSource, 5), kFed)), range(0, 2));
  // To both sides where a text is read.
  const auto reader = filled_transformer({{"model_type", "encoder_only"}, {"window", 2}, {"encoder_layers", 2}});
  const Tensor read = logits_of(*reader, kSource, kFed);
  QCOMPARE(rows_that_differ(read, logits_of(*reader, replaced(kSource, 2), kFed)), range(0, 5));
  QCOMPARE(rows_that_differ(read, logits_of(*reader, replaced(kSource, 5), kFed)), range(3, 6));
}

// Path length 1 (Vaswani et al. 2017, table 1).
void TestTransformer::every_token_sees_every_token() {
  const auto model = filled_transformer({{"model_type", "encoder_only"}});
  const Tensor before = logits_of(*model, kSource, kFed);
  for (std::size_t j = 0; j < kSource.size(); ++j)
    QCOMPARE(rows_that_differ(before, logits_of(*model, replaced(kSource, j), kFed)), range(0, 6));
}

void TestTransformer::order_needs_positions_data() {
  QTest::addColumn<std::string>("positions");
  QTest::addColumn<bool>("matters");
  QTest::newRow("none") << std::string("none") << false;
  for (const char* positions : {"sinusoid", "sinusoid_halves", "sinusoid_t2t", "learned", "relative"})
    QTest::newRow(positions) << std::string(positions) << true;
}

// Invariant I6: without positions a shuffled source gives shuffled rows, and a decoder that reads it sees no
// difference.
void TestTransformer::order_needs_positions() {
  QFETCH(std::string, positions);
  QFETCH(bool, matters);
  const std::vector<std::size_t> order = {4, 0, 5, 2, 1, 3};
  std::vector<Scalar> source = {3, 1, 4, 2, 0, 2}, shuffled;
  for (const std::size_t j : order) shuffled.push_back(source[j]);
  const auto reader = filled_transformer({{"model_type", "encoder_only"}, {"positions", positions}});
  const Tensor rows = logits_of(*reader, source, kFed), moved = logits_of(*reader, shuffled, kFed);
  Tensor expected(rows.shape());
  for (std::size_t i = 0; i < order.size(); ++i)
    expected.matrix().row(static_cast<Index>(i)) = rows.matrix().row(static_cast<Index>(order[i]));
  QCOMPARE(!rows_that_differ(moved, expected, 1e-5).empty(), matters);
  const auto both = filled_transformer({{"positions", positions}, {"decoder_layers", 2}});
  QCOMPARE(!rows_that_differ(logits_of(*both, source, kFed), logits_of(*both, shuffled, kFed), 1e-5).empty(), matters);
}

// Invariant I7: head i uses columns i·k to (i + 1)·k of each projection; done here by plain loops.
void TestTransformer::heads_are_blocks_of_columns() {
  const auto model = filled_transformer({{"model_type", "encoder_only"}, {"heads", 3}, {"norm_place", "post"}});
  const auto trace = transformer_trace(*model, column_of(kSource), Tensor(Shape{0}));
  const Tensor x = trace->value("encoder.embed.out"), concat = trace->value("encoder.layer[0].self_attn.concat"),
               weights = trace->value("encoder.layer[0].self_attn.head.weights");
  QVERIFY(weights.shape() == Shape({3, 6, 6}));
  const Index n = 6, d = 6, k = 2;
  const auto projected = [&](const char* letter, Index row, Index column) {
    const Tensor W = *model->parameters().find(std::string("encoder.layer[0].self_attn.W_") + letter),
                 b = *model->parameters().find(std::string("encoder.layer[0].self_attn.b_") + letter);
    auto sum = static_cast<double>(b[column]);
    for (Index i = 0; i < d; ++i) sum += static_cast<double>(x[row * d + i]) * static_cast<double>(W[i * d + column]);
    return sum;
  };
  for (Index h = 0; h < 3; ++h)
    for (Index t = 0; t < n; ++t) {
      std::vector<double> shares(6);
      double total = 0;
      for (Index j = 0; j < n; ++j) {
        double score = 0;
        for (Index c = h * k; c < (h + 1) * k; ++c) score += projected("q", t, c) * projected("k", j, c);
        total += shares[static_cast<std::size_t>(j)] = std::exp(score / std::sqrt(2.0));
      }
      std::vector<double> out(2, 0.0);
      for (Index j = 0; j < n; ++j) {
        const double share = shares[static_cast<std::size_t>(j)] / total;
        QVERIFY(std::abs(static_cast<double>(weights[(h * n + t) * n + j]) - share) < 1e-5);
        for (Index c = 0; c < k; ++c) out[static_cast<std::size_t>(c)] += share * projected("v", j, h * k + c);
      }
      for (Index c = 0; c < k; ++c)
        QVERIFY(std::abs(static_cast<double>(concat[t * d + h * k + c]) - out[static_cast<std::size_t>(c)]) < 1e-5);
    }
}

// Keys of every decoder layer come from the encoder's end: its last norm when norms stand in front.
void TestTransformer::cross_attention_reads_the_last_layer() {
  for (const char* place : {"pre", "post"}) {
    const auto model = filled_transformer(
        {{"norm_place", place}, {"encoder_layers", 2}, {"decoder_layers", 2}, {"attention_bias", false}});
    const auto trace = transformer_trace(*model, column_of(kSource), Tensor::of({1}, {1}));
    const Tensor states =
        trace->value(place == std::string("pre") ? "encoder.final_norm.out" : "encoder.layer[1].norm2.out");
    for (const char* l : {"0", "1"}) {
      const std::string cross = std::string("decoder.layer[") + l + "].cross_attn";
      const Tensor expected =
          split_heads(linear(states.view(0, {1, 6, 6}), *model->parameters().find(cross + ".W_v")), 2);
      QVERIFY(same(difference(trace->value(cross + ".head.v"), expected, 1e-5), cross.c_str()));
    }
  }
}

// A sentence of nothing but padding attends to nothing (models.md 1.3): no NaN, no weight, no context.
void TestTransformer::nothing_to_look_at() {
  for (const char* type : kTransformers) {
    const auto model = filled_transformer({{"model_type", type}});
    const Source source(column_of({3, 1, 4}), Tensor::zeros({1, 3}));
    const auto decoding = model->begin(source, {});
    for (const double x : doubles(decoding->advance(column_of({1, 4, 2}), {}))) QVERIFY2(std::isfinite(x), type);
    if (type == std::string("transformer")) QCOMPARE(doubles(decoding->attention()), std::vector<double>(9, 0));
  }
  const auto model = filled_transformer();
  const auto trace =
      transformer_trace(*model, Source(column_of({3, 1, 4}), Tensor::zeros({1, 3})), Tensor::of({1}, {1}));
  for (const char* name :
       {"encoder.layer[0].self_attn.head.weights", "encoder.layer[0].self_attn.head.out",
        "decoder.step[0].layer[0].cross_attn.head.weights", "decoder.step[0].layer[0].cross_attn.head.out"}) {
    const Tensor value = trace->value(name);
    QVERIFY2(value.defined() && value.array().abs().maxCoeff() == 0, name);
  }
}

// The mask is what keeps padding out: without it the same sentence gives other numbers.
void TestTransformer::padding_needs_its_mask() {
  const Source padded(column_of({3, 1, 4, 2}), Tensor::of({1, 4}, {1, 1, 1, 0}));
  for (const bool masked : {true, false}) {
    const auto model = filled_transformer({{"mask_padding", masked}});
    const Tensor alone = logits_of(*model, {3, 1, 4}, {1, 2});
    const Tensor got = model->begin(padded, {})->advance(column_of({1, 2}), {}).view(0, {2, 5});
    QCOMPARE(rows_that_differ(got, alone, 1e-5), masked ? range(0, 0) : range(0, 2));
  }
}

// Without the causal mask rows that are computed together see each other; step by step there is nothing to see yet.
void TestTransformer::not_causal_sees_all_that_is_there() {
  const auto causal = filled_transformer(), open = filled_transformer({{"causal", false}});
  const Tensor at_once = logits_of(*open, kSource, kFed);
  QCOMPARE(rows_that_differ(at_once, logits_of(*open, kSource, replaced(kFed, 5))), range(0, 6));
  const Tensor expected = logits_of(*causal, kSource, kFed);
  QCOMPARE(rows_that_differ(at_once, expected, 1e-5),
           range(0, 5));  // the last row sees all of them, one way or the other
  const auto decoding = open->begin(column_of(kSource), {});
  for (Index t = 0; t < 6; ++t) {
    const Tensor row = decoding->advance(column_of({kFed[static_cast<std::size_t>(t)]}), {});
    QVERIFY(same(difference(row.view(0, {5}), expected.view(t * 5, {5}), 1e-5), "step"));
  }
}

void TestTransformer::masked_words_end_with_the_source() {
  const auto model = filled_transformer({{"model_type", "encoder_only"}});
  const auto decoding = model->begin(column_of({3, 1, 4}), {});
  QVERIFY(decoding->advance(column_of({0, 0}), {}).shape() == Shape({1, 2, 5}));
  QVERIFY(message_of<ShapeError>([&] { decoding->advance(column_of({0, 0}), {}); }).contains("3 positions"));
  QVERIFY(decoding->advance(column_of({0}), {}).shape() == Shape({1, 1, 5}));  // nothing was lost by the refusal
  // What is fed does not matter: the source is what is read.
  QVERIFY(same(difference(logits_of(*model, {3, 1, 4}, {0, 0, 0}), logits_of(*model, {3, 1, 4}, {2, 1, 4}), 0), "fed"));
}

// [source, y0, ..]: what is fed first does not matter; a source one token longer, with a start sign of its own, is the
// same as a prompt that stands apart.
void TestTransformer::continuing_takes_the_last_source_token() {
  const Json writes = {{"model_type", "decoder_only"}};
  Json go_on = writes;
  go_on["prompt"] = "continue";
  const auto separate = filled_transformer(writes), on = filled_transformer(go_on);
  const Tensor expected = logits_of(*separate, {3, 1, 4}, {2, 0, 1});
  QCOMPARE(rows_that_differ(logits_of(*on, {3, 1, 4, 2}, {4, 0, 1}), expected, 1e-5), range(0, 0));
  QCOMPARE(rows_that_differ(logits_of(*on, {3, 1, 4, 2}, {2, 0, 1}), expected, 1e-5), range(0, 0));
  QCOMPARE(rows_that_differ(logits_of(*on, {3, 1, 4, 1}, {2, 0, 1}), expected, 1e-5), range(0, 3));
  const auto trace = transformer_trace(*on, column_of({3, 1, 4, 2}), Tensor::of({2}, {4, 0}));
  QCOMPARE(doubles(trace->value("decoder.step[0].input.id")), std::vector<double>{2});
  QCOMPARE(doubles(trace->value("decoder.step[1].input.id")), std::vector<double>{0});
  // A source of one token leaves nothing to read beforehand.
  const Tensor one = logits_of(*on, {3}, {4, 0});
  QCOMPARE(rows_that_differ(one, logits_of(*on, {3}, {1, 0})), range(0, 0));
  QCOMPARE(transformer_trace(*on, column_of({3}), Tensor::of({1}, {4}))->find("decoder.embed.out"), -1);
  // Beside a longer one it is all padding.
  const Source both(Tensor::of({4, 2}, {3, 3, 1, 0, 4, 0, 2, 0}), Tensor::of({2, 4}, {1, 1, 1, 1, 1, 0, 0, 0}));
  const Tensor together = on->begin(both, {})->advance(Tensor::of({2, 2}, {4, 4, 0, 0}), {});
  QCOMPARE(rows_that_differ(together.view(0, {2, 5}), logits_of(*on, {3, 1, 4, 2}, {4, 0}), 1e-5), range(0, 0));
  QCOMPARE(rows_that_differ(together.view(10, {2, 5}), one, 1e-5), range(0, 0));
}

void TestTransformer::one_token_is_enough() {
  QFETCH(std::string, type);
  const auto model = filled_transformer({{"model_type", type}});
  const Tensor row = logits_of(*model, {3}, {1});
  QVERIFY(row.shape() == Shape({1, 5}));
  for (const double x : doubles(row)) QVERIFY(std::isfinite(x));
}

HEADLIGHT_TEST(TestTransformer)

}  // namespace headlight::test_transformer

#include "test_transformer.moc"
