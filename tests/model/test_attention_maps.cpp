// Attention maps found in traces, their statistics, and the matrices that pictures are made of.
#include <QTest>
#include <cmath>

#include "model/analysis/alignment.h"
#include "model/analysis/attention_maps.h"
#include "model/analysis/head_statistics.h"
#include "tests/test_program.h"

namespace headlight::test_attention_maps {

namespace {

using Kind = AttentionMap::Kind;

std::shared_ptr<ModelBundle> bundle() {
  auto model = std::make_shared<ModelBundle>();
  model->text.source = Tokenizer(Vocabulary({"a", "b", "c", "d"}));
  model->text.target = Tokenizer(Vocabulary({"<s>", "x", "y", "z"}));
  model->text.bos = 0;
  return model;
}

// A source "abc" read as it stands or backwards, and an output of `steps` tokens.
Result result_of(int steps, bool backwards = false) {
  Result result;
  result.model = bundle();
  result.tokens = result.model->text.source.split("abc");
  for (int i = 0; i < 3; ++i) {
    result.position_of_token.push_back(backwards ? 2 - i : i);
    result.token_of_position.push_back(backwards ? 2 - i : i);
  }
  for (int t = 0; t < steps; ++t) {
    OutputStep step;
    step.id = t % 3 + 1;
    step.text = std::string(1, static_cast<char>('x' + t % 3));
    result.steps.push_back(step);
  }
  return result;
}

SitePath step_place(int t) {
  static const SitePath decoder("decoder");
  return {decoder, "step", t};
}

std::vector<double> doubles(const Tensor& tensor) { return {tensor.data(), tensor.data() + tensor.size()}; }

// A map of weights of one's own, as a self-attention of `size` tokens in one piece.
AttentionMap map_of(const Tensor& weights, Kind kind = Kind::encoder_self) {
  Recorder recorder(Capture{{}, false}, {});
  const SitePath decoder("decoder");
  recorder.tap()(SitePath(decoder, "step", 0), "attention.weights", weights.view(0, {weights.size()}));
  AttentionMap map;
  map.trace = recorder.finish({});
  map.kind = kind;
  const Index q = weights.dim(-2), k = weights.dim(-1);
  map.heads = weights.size() / (q * k);
  for (Index c = 0; c < k; ++c) {
    map.columns.push_back({std::to_string(c), {}, static_cast<int>(c), -1, false});
    map.key_of_column.push_back(c);
  }
  for (Index r = 0; r < q; ++r) {
    map.rows.push_back({std::to_string(r), {}, static_cast<int>(r), -1, false});
    AttentionRow row{0, r * k, q * k, k, 0, map.is_self() ? r : -1};
    for (Index c = 0; c < k; ++c) row.kept += weights[r * k + c] >= 0 ? 1 : 0;
    map.row_sources.push_back(row);
  }
  return map;
}

}  // namespace

class TestAttentionMaps : public QObject {
  Q_OBJECT

 private slots:
  void a_recurrent_read_is_one_map_in_reading_order();
  void layers_and_their_mean();
  void a_missing_step_makes_no_map();
  void nothing_without_trace_or_attention();
  void a_cell_leads_back_to_its_place();
  void mean_and_maximum_over_heads();
  void heads_of_an_encoder_and_a_decoder();
  void a_prompt_and_its_steps_are_one_map();
  void a_continued_text_has_no_start_sign();
  void masked_keys_are_not_counted();
  void pooling_keeps_a_lone_spike();
  void statistics_by_hand();
  void what_is_no_number_is_no_share();
  void what_is_no_share_has_no_habit();
  void a_query_of_many_keys_is_one_row();
  void kinds_of_heads_data();
  void kinds_of_heads();
  void cross_attention_is_measured_at_relative_positions();
};

void TestAttentionMaps::a_recurrent_read_is_one_map_in_reading_order() {
  Result result = result_of(2, true);
  Recorder recorder(Capture{{}, false}, {});
  recorder.tap()(step_place(0), "attention.weights", Tensor::vector({0.5, 0.25, 0.25}));
  recorder.tap()(step_place(1), "attention.weights", Tensor::vector({0, 0.125, 0.875}));
  result.trace = recorder.finish({});
  const auto maps = attention_maps(result);
  QCOMPARE(maps.size(), std::size_t(1));
  const AttentionMap& map = maps.front();
  QVERIFY(map.kind == Kind::cross && map.layer == -1 && map.heads == 1 && !map.in_key_order());
  QCOMPARE(doubles(map.matrix(0)), (std::vector<double>{0.25, 0.25, 0.5, 0.875, 0.125, 0}));
  QCOMPARE(map.columns[0].text, std::string("a"));
  QCOMPARE(map.columns[0].token, 0);
  QCOMPARE(map.rows[0].text, std::string("<s>"));  // fed
  QCOMPARE(map.rows[1].text, std::string("x"));
  QCOMPARE(map.rows[1].written, std::string("y"));
  QCOMPARE(map.rows[1].step, 1);
  QCOMPARE(map.entry(1), result.trace->find("decoder.step[1].attention.weights"));
  QCOMPARE(map.cell(0, 1, 0), Index(2));
  const Alignment same = alignment(result);
  QCOMPARE(doubles(same.weights), doubles(map.matrix(0)));
  QCOMPARE(same.index_of_column, (std::vector<Index>{2, 1, 0}));
}

void TestAttentionMaps::layers_and_their_mean() {
  Result result = result_of(1);
  Recorder recorder(Capture{{}, false}, {});
  const SitePath step = step_place(0), first(step, "layer", 0), second(step, "layer", 1);
  recorder.tap()(SitePath(first, "attn"), "weights", Tensor::vector({1, 0, 0}));
  recorder.tap()(SitePath(second, "attn"), "weights", Tensor::vector({0, 0, 1}));
  recorder.tap()(step, "attn_mean", Tensor::vector({0.5, 0, 0.5}));
  result.trace = recorder.finish({});
  const auto maps = attention_maps(result);
  QCOMPARE(maps.size(), std::size_t(3));
  QVERIFY(maps[0].kind == Kind::cross && maps[0].layer == 0);
  QVERIFY(maps[1].kind == Kind::cross && maps[1].layer == 1);
  QVERIFY(maps[2].kind == Kind::summary);
  QCOMPARE(aligned_layers(attention_maps(result)), (std::vector<int>{0, 1}));
  QCOMPARE(doubles(alignment(result).weights), (std::vector<double>{0.5, 0, 0.5}));
  QCOMPARE(doubles(alignment(result, 1).weights), (std::vector<double>{0, 0, 1}));
  QVERIFY(alignment(result, 2).empty());
}

void TestAttentionMaps::a_missing_step_makes_no_map() {
  Result result = result_of(3);
  Recorder recorder(Capture{{}, false}, {});
  for (const int t : {0, 2}) recorder.tap()(step_place(t), "attention.weights", Tensor::vector({1, 0, 0}));
  result.trace = recorder.finish({});
  QVERIFY(attention_maps(result).empty());
}

void TestAttentionMaps::nothing_without_trace_or_attention() {
  Result result = result_of(1);
  QVERIFY(attention_maps(result).empty());
  Recorder recorder(Capture{{}, false}, {});
  result.trace = recorder.finish({});
  QVERIFY(attention_maps(result).empty());
  QVERIFY(alignment(result).empty());
  QVERIFY(aligned_layers(attention_maps(result)).empty());
}

void TestAttentionMaps::a_cell_leads_back_to_its_place() {
  const AttentionMap map = map_of(Tensor::zeros({4, 3, 3}));
  Index head = 0, row = 0, column = 0;
  for (Index h = 0; h < 4; ++h)
    for (Index r = 0; r < 3; ++r)
      for (Index c = 0; c < 3; ++c) {
        QCOMPARE(map.cell(h, r, c), h * 9 + r * 3 + c);
        QVERIFY(map.find(0, map.cell(h, r, c), &head, &row, &column));
        QVERIFY(head == h && row == r && column == c);
      }
  QVERIFY(!map.find(0, 36, &head, &row, &column));
  QVERIFY(!map.find(1, 0, &head, &row, &column));
}

void TestAttentionMaps::mean_and_maximum_over_heads() {
  const AttentionMap map = map_of(Tensor::of({2, 2, 2}, {1, 0, 0.5, 0.5, 0, 1, 0.25, 0.75}));
  QCOMPARE(doubles(map.matrix(AttentionMap::kMean)), (std::vector<double>{0.5, 0.5, 0.375, 0.625}));
  QCOMPARE(doubles(map.matrix(AttentionMap::kMax)), (std::vector<double>{1, 1, 0.5, 0.75}));
  // A head that lies in one piece is not copied.
  QVERIFY(map.matrix(1).shares_storage((*map.trace)[0].value));
  QCOMPARE(doubles(map.matrix(1)), (std::vector<double>{0, 1, 0.25, 0.75}));
}

// Values that name their place: head, row, column.
Tensor numbered(Index heads, Index rows, Index keys) {
  Tensor tensor(rows > 0 ? Shape{heads, rows, keys} : Shape{heads, keys});
  for (Index i = 0; i < tensor.size(); ++i) tensor[i] = static_cast<Scalar>(i) / 64;
  return tensor;
}

void TestAttentionMaps::heads_of_an_encoder_and_a_decoder() {
  Result result = result_of(2, true);
  Recorder recorder(Capture{{}, false}, {});
  const Tap tap = recorder.tap();
  const SitePath encoder("encoder"), layer(encoder, "layer", 1);
  tap(SitePath(layer, "self_attn"), "head.weights", numbered(2, 3, 3));
  for (int t = 0; t < 2; ++t) {
    const SitePath step = step_place(t), deep(step, "layer", 1);
    tap(SitePath(deep, "self_attn"), "head.weights", numbered(2, 0, t + 1));
    tap(SitePath(deep, "cross_attn"), "head.weights", numbered(2, 0, 3));
  }
  result.trace = recorder.finish({});
  const auto maps = attention_maps(result);
  QCOMPARE(maps.size(), std::size_t(3));
  const AttentionMap &own = maps[0], &decoder = maps[1], &cross = maps[2];
  QVERIFY(own.kind == Kind::encoder_self && decoder.kind == Kind::decoder_self && cross.kind == Kind::cross);
  for (const AttentionMap& map : maps) QVERIFY(map.layer == 1 && map.heads == 2);
  // Read backwards: token 0 is row and column 2 of the model.
  QCOMPARE(own.weight(1, 0, 1) * 64, Scalar(9 + 2 * 3 + 1));
  QCOMPARE(own.rows[0].text, std::string("a"));
  QCOMPARE(own.source(0).column, Index(0));
  QCOMPARE(cross.weight(1, 1, 0) * 64, Scalar(3 + 2));
  QCOMPARE(cross.cell(1, 1, 0), Index(3 + 2));
  QCOMPARE(decoder.row_count(), Index(2));
  QCOMPARE(decoder.column_count(), Index(2));
  QVERIFY(!decoder.has(0, 1) && decoder.has(1, 1));
  QCOMPARE(decoder.columns[1].text, std::string("x"));
  QCOMPARE(doubles(decoder.matrix(1)), (std::vector<double>{1 / 64.0, 0, 2 / 64.0, 3 / 64.0}));
  QCOMPARE(result.trace->value("decoder.step[1].layer[1].self_attn.head.weights")[decoder.cell(1, 1, 0)],
           decoder.weight(1, 1, 0));
  // The mean of the heads stands in no cell of the trace.
  const Alignment mean = alignment(result, 1);
  QCOMPARE(doubles(mean.weights), doubles(cross.matrix(AttentionMap::kMean)));
  QCOMPARE(mean.entry_of_row, (std::vector<int>{-1, -1}));
}

void TestAttentionMaps::a_prompt_and_its_steps_are_one_map() {
  Result result = result_of(2);
  Recorder recorder(Capture{{}, false}, {});
  const SitePath decoder("decoder"), layer(decoder, "layer", 0);
  recorder.tap()(SitePath(layer, "self_attn"), "head.weights", numbered(2, 3, 3));
  for (int t = 0; t < 2; ++t) {
    const SitePath step = step_place(t), deep(step, "layer", 0);
    recorder.tap()(SitePath(deep, "self_attn"), "head.weights", numbered(2, 0, 4 + t));
  }
  result.trace = recorder.finish({});
  const auto maps = attention_maps(result);
  QCOMPARE(maps.size(), std::size_t(1));
  const AttentionMap& map = maps.front();
  QCOMPARE(map.row_count(), Index(5));
  QCOMPARE(map.column_count(), Index(5));
  std::string text;
  for (const AttentionToken& token : map.columns) text += token.text + " ";
  QCOMPARE(text, std::string("a b c <s> x "));
  QCOMPARE(map.columns[2].token, 2);
  QCOMPARE(map.columns[3].step, 0);
  QCOMPARE(map.weight(1, 2, 1) * 64, Scalar(9 + 2 * 3 + 1));  // of the prompt
  QCOMPARE(map.weight(1, 4, 3) * 64, Scalar(5 + 3));          // of step 1
  QVERIFY(map.weight(1, 2, 4) == Scalar(0));
  Index head = 0, row = 0, column = 0;
  QVERIFY(map.find(map.entry(4), map.cell(1, 4, 3), &head, &row, &column));
  QVERIFY(head == 1 && row == 4 && column == 3);
  QVERIFY(map.find(map.entry(1), map.cell(1, 1, 2), &head, &row, &column));
  QVERIFY(head == 1 && row == 1 && column == 2);
}

void TestAttentionMaps::a_continued_text_has_no_start_sign() {
  Result result = result_of(2);
  Recorder recorder(Capture{{}, false}, {});
  const SitePath decoder("decoder"), layer(decoder, "layer", 0);
  recorder.tap()(SitePath(layer, "self_attn"), "head.weights", numbered(1, 2, 2));
  for (int t = 0; t < 2; ++t) {
    const SitePath step = step_place(t), deep(step, "layer", 0);
    recorder.tap()(SitePath(deep, "self_attn"), "head.weights", numbered(1, 0, 3 + t));
  }
  result.trace = recorder.finish({});
  const AttentionMap map = attention_maps(result).front();
  std::string text;
  for (const AttentionToken& token : map.columns) text += token.text + " ";
  QCOMPARE(text, std::string("a b c x "));
  QCOMPARE(map.columns[2].token, 2);
  QCOMPARE(map.columns[2].step, 0);
}

void TestAttentionMaps::masked_keys_are_not_counted() {
  Result result = result_of(0);
  Recorder recorder(Capture{{}, false}, {});
  const SitePath encoder("encoder"), layer(encoder, "layer", 0), attention(layer, "self_attn");
  recorder.tap()(attention, "keep", Tensor::of({3, 3}, {1, 0, 0, 1, 1, 0, 1, 1, 1}));
  recorder.tap()(attention, "head.weights", Tensor::of({1, 3, 3}, {1, 0, 0, 0.5, 0.5, 0, 1, 0, 0}));
  result.trace = recorder.finish({});
  const AttentionMap map = attention_maps(result).front();
  QCOMPARE(map.source(0).kept, Index(1));
  QCOMPARE(map.source(2).kept, Index(3));
  const HeadStatistics found = head_statistics(map, 0);
  QCOMPARE(found.rows, Index(2));                 // the first row has no choice
  QVERIFY(std::abs(found.entropy - 0.5) < 1e-6);  // 1 bit of 1, 0 of log2(3)
}

void TestAttentionMaps::pooling_keeps_a_lone_spike() {
  constexpr Index kSize = 401;
  for (const Index at : {Index(0), Index(7), Index(200), Index(399), kSize - 1}) {
    Tensor weights = Tensor::full({1, kSize, kSize}, Scalar(0.001));
    weights[at * kSize + at] = Scalar(0.75);
    const AttentionMap map = map_of(weights);
    const Tensor small = pooled(map, 0, 20, 30);
    QCOMPARE(small.shape(), Shape({20, 30}));
    int seen = 0;
    for (Index i = 0; i < small.size(); ++i) {
      if (small[i] != Scalar(0.75)) continue;
      ++seen;  // and it is where it was, as far as so few points can say
      const auto where = static_cast<double>(at) / kSize;
      QVERIFY(std::abs(static_cast<double>(i / 30) / 20 - where) <= 0.05);
      QVERIFY(std::abs(static_cast<double>(i % 30) / 30 - where) <= 1 / 30.0);
    }
    QCOMPARE(seen, 1);
  }
  const AttentionMap map = map_of(Tensor::of({2, 2, 2}, {1, 0, 0.5, 0.5, 0, 1, 0.25, 0.75}));
  QCOMPARE(doubles(pooled(map, AttentionMap::kMean, 9, 9)), (std::vector<double>{0.5, 0.5, 0.375, 0.625}));
  QCOMPARE(doubles(pooled(map, AttentionMap::kMax, 1, 2)), (std::vector<double>{1, 1}));
}

// Rows [1/2 1/4 1/4], [0 1 0], [1/3 1/3 1/3]: 1.5, 0 and log2(3) bits; distances 0.75, 0 and 1.
void TestAttentionMaps::statistics_by_hand() {
  const Scalar third = Scalar(1) / 3;
  const AttentionMap map = map_of(Tensor::of({1, 3, 3}, {0.5, 0.25, 0.25, 0, 1, 0, third, third, third}));
  const HeadStatistics found = head_statistics(map, 0);
  const auto near = [](double x, double y) { return std::abs(x - y) < 1e-6; };
  QCOMPARE(found.rows, Index(3));
  QVERIFY(near(found.bits, (1.5 + 0 + std::log2(3.0)) / 3));
  QVERIFY(near(found.entropy, (1.5 / std::log2(3.0) + 0 + 1) / 3));
  QVERIFY(near(found.distance, (0.25 + 0.5 + 0 + (2 + 1) / 3.0) / 3));
  QVERIFY(near(found.same, (0.5 + 1 + 1 / 3.0) / 3));
  QVERIFY(near(found.previous, (0 + 1 / 3.0) / 2));  // row 0 has no token before it
  QVERIFY(near(found.next, (0.25 + 0) / 2));
  QVERIFY(near(found.first, (0.5 + 0 + 1 / 3.0) / 3));
  QVERIFY(near(found.confidence, (0.5 + 1 + 1 / 3.0) / 3));
  QCOMPARE(found.highest, 1.0);
}

// Weights that are no numbers are no habit, and are seen however small the picture is.
void TestAttentionMaps::what_is_no_number_is_no_share() {
  for (const Scalar wrong : {std::numeric_limits<Scalar>::quiet_NaN(), std::numeric_limits<Scalar>::infinity()}) {
    Tensor weights = Tensor::full({2, 40, 40}, Scalar(0.025));
    weights[7 * 40 + 9] = wrong;  // of the first head
    const AttentionMap map = map_of(weights);
    const HeadStatistics found = head_statistics(map, 0);
    QVERIFY(head_kind(map, 0) == HeadKind::not_numbers);
    for (const double each : {found.entropy, found.bits, found.distance, found.same, found.previous, found.next,
                              found.first, found.confidence, found.highest})
      QVERIFY(std::isnan(each));
    QVERIFY(head_kind(map, 1) == HeadKind::even);
    for (const Index size : {4, 40})
      for (const Index head : {Index(0), AttentionMap::kMean, AttentionMap::kMax}) {
        const Tensor small = pooled(map, head, size, size);
        const Index at = size == 4 ? 0 : 7 * 40 + 9;
        for (Index i = 0; i < small.size(); ++i) QCOMPARE(std::isnan(small[i]), i == at);
      }
    QVERIFY(!std::isfinite(map.matrix(AttentionMap::kMax)[7 * 40 + 9]));
  }
  // A row of one key has no choice, and is no number all the same.
  QVERIFY(head_kind(map_of(Tensor::of({1, 1, 1}, {std::nan("")})), 0) == HeadKind::not_numbers);
}

void TestAttentionMaps::what_is_no_share_has_no_habit() {
  AttentionMap map = map_of(Tensor::of({2, 2, 2}, {3, -1, 0.5, 0.5, 0.5, 0.5, 1, 0}));
  map.are_shares = false;
  map.lowest = -1;
  QVERIFY(head_kind(map, 0) == HeadKind::not_shares);
  QVERIFY(std::isnan(head_statistics(map, 0).entropy));
  QVERIFY(head_kind(map, 1) != HeadKind::not_shares);
  QCOMPARE(doubles(pooled(map, 0, 1, 2)), (std::vector<double>{3, -1}));  // the farthest from 0
}

// Rows that are fewer than the keys are those of the last positions.
void TestAttentionMaps::a_query_of_many_keys_is_one_row() {
  Result result = result_of(0);
  Recorder recorder(Capture{{}, false}, {});
  const SitePath decoder("decoder"), layer(decoder, "layer", 0);
  recorder.tap()(SitePath(layer, "self_attn"), "head.weights", Tensor::of({2, 1, 3}, {0.5, 0.25, 0.25, 0, 0, 1}));
  result.trace = recorder.finish({});
  const std::vector<AttentionMap> maps = attention_maps(result);
  QCOMPARE(maps.size(), std::size_t(1));
  QCOMPARE(maps.front().row_count(), Index(1));
  QCOMPARE(maps.front().source(0).column, Index(2));
  QCOMPARE(doubles(maps.front().matrix(0)), (std::vector<double>{0.5, 0.25, 0.25}));
  QCOMPARE(doubles(maps.front().matrix(1)), (std::vector<double>{0, 0, 1}));
}

void TestAttentionMaps::kinds_of_heads_data() {
  QTest::addColumn<int>("offset");
  QTest::addColumn<int>("kind");
  QTest::newRow("same") << 0 << static_cast<int>(HeadKind::same);
  QTest::newRow("previous") << -1 << static_cast<int>(HeadKind::previous);
  QTest::newRow("next") << 1 << static_cast<int>(HeadKind::next);
  QTest::newRow("first") << 100 << static_cast<int>(HeadKind::first);
  QTest::newRow("even") << 200 << static_cast<int>(HeadKind::even);
  QTest::newRow("mixed") << 3 << static_cast<int>(HeadKind::mixed);
  QTest::newRow("one word") << 105 << static_cast<int>(HeadKind::one_word);
}

void TestAttentionMaps::kinds_of_heads() {
  QFETCH(int, offset);
  QFETCH(int, kind);
  constexpr Index kSize = 12;
  Tensor weights = Tensor::full({1, kSize, kSize}, Scalar(offset == 200 ? 1.0 / kSize : 0.1 / (kSize - 1)));
  for (Index row = 0; row < kSize && offset != 200; ++row)
    weights[row * kSize + (offset >= 100 ? offset - 100 : (row + offset + kSize) % kSize)] = Scalar(0.9);
  QCOMPARE(static_cast<int>(head_kind(map_of(weights), 0)), kind);
}

// Two steps over four tokens: the diagonal is (0,1) and (1,3) by relative position, (t + 1/2)/2 against (j + 1/2)/4.
void TestAttentionMaps::cross_attention_is_measured_at_relative_positions() {
  const AttentionMap map = map_of(Tensor::of({1, 2, 4}, {0, 1, 0, 0, 0, 0, 0, 1}), Kind::cross);
  const HeadStatistics found = head_statistics(map, 0);
  QCOMPARE(found.same, 1.0);
  QVERIFY(head_kind(map, 0) == HeadKind::same);
  QVERIFY(std::abs(found.distance - 0.125) < 1e-6);  // |1/4 - 3/8| and |3/4 - 7/8|
  QVERIFY(found.entropy < 1e-6);
  // Word order differs a little between languages: one column beside the diagonal is still along it.
  Tensor beside = Tensor::zeros({1, 8, 8});
  for (Index row = 0; row < 7; ++row) beside[row * 8 + row + 1] = 1;
  beside[7 * 8 + 7] = 1;
  QVERIFY(head_kind(map_of(beside, Kind::cross), 0) == HeadKind::same);
  QVERIFY(head_kind(map_of(beside), 0) == HeadKind::next);
}

HEADLIGHT_TEST(TestAttentionMaps)

}  // namespace headlight::test_attention_maps

#include "test_attention_maps.moc"
