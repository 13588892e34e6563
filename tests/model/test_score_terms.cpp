// The arithmetic of one attention weight: by hand, and for every family of models down to the weights of its trace.
#include <QTest>
#include <cmath>
#include <numeric>

#include "model/analysis/score_terms.h"
#include "model/io/model_folder.h"
#include "model/layers/attention.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_score_terms {

using namespace headlight::testing;

namespace {

using Form = PairScore::Form;
using Kind = ScoreStep::Kind;

std::shared_ptr<const Result> result_of(const std::shared_ptr<const ModelBundle>& model, const std::string& source,
                                        std::vector<Intervention> edits = {}, bool explain = true) {
  Request request;
  request.model = model;
  request.source = source;
  request.interventions = std::move(edits);
  request.capture.explain = explain;
  return std::make_shared<const Result>(run(request));
}

std::shared_ptr<const Result> bundled(const char* name, std::vector<Intervention> edits = {}) {
  const auto model = load_model(name);
  return result_of(model, model->examples.front(), std::move(edits));
}

// Whether the numbers of a pair come to what the trace holds, done again from the smallest part to the weight.
QString arithmetic_error(const PairScore& pair, const AttentionMap& map) {
  const auto near = [](double a, double b) {
    return a == b || std::abs(a - b) <= 3e-5 * std::max({1.0, std::abs(a), std::abs(b)});
  };
  if (pair.reason != PairScore::Reason::explained) return QStringLiteral("not explained");
  double at = std::accumulate(pair.products.begin(), pair.products.end(), 0.0);
  if (!near(at, pair.sum.value)) return QStringLiteral("products come to %1, not %2").arg(at).arg(pair.sum.value);
  const auto follow = [&](const std::vector<ScoreStep>& steps) {
    for (const ScoreStep& step : steps) {
      switch (step.kind) {
        case Kind::scale:
        case Kind::temperature:
        case Kind::sharpness:
          at *= step.factor;
          break;
        case Kind::window:
          at *= step.operand.value;
          break;
        case Kind::addend:
          at += step.operand.value;
          break;
        case Kind::edit:
        case Kind::mask:
          at = step.result.value;
      }
      if (!near(at, step.result.value)) return false;
    }
    return true;
  };
  if (!follow(pair.steps) || !near(at, pair.score.value)) return QStringLiteral("the score is not %1").arg(at);
  double total = 0, largest = -INFINITY;
  for (const ScoreRival& rival : pair.rivals)
    if (!rival.hidden) largest = std::max(largest, rival.score);
  for (const ScoreRival& rival : pair.rivals) total += rival.hidden ? 0 : std::exp(rival.score - largest);
  for (const ScoreRival& rival : pair.rivals)
    if (!near(rival.share, rival.hidden ? 0 : std::exp(rival.score - largest) / total))
      return QStringLiteral("a share is wrong");
  at = std::exp(pair.score.value - largest) / total;
  if (!near(at, pair.share.value)) return QStringLiteral("the share is %1, not %2").arg(pair.share.value).arg(at);
  if (!follow(pair.after) || !near(at, pair.weight.value)) return QStringLiteral("the weight is not %1").arg(at);
  const auto stands = [&](const PlacedNumber& number) {
    return number.entry < 0 || static_cast<double>((*map.trace)[number.entry].value[number.cell]) == number.value;
  };
  bool all = stands(pair.sum) && stands(pair.score) && stands(pair.share) && stands(pair.weight);
  for (const ScoreOperand& operand : pair.operands)
    for (const PlacedNumber& number : operand.numbers) all = all && stands(number);
  return all ? QString() : QStringLiteral("a number does not stand where it is said to");
}

std::vector<double> values_of(const ScoreOperand& operand) {
  std::vector<double> values;
  for (const PlacedNumber& number : operand.numbers) values.push_back(number.value);
  return values;
}

const AttentionMap& map_of(const std::vector<AttentionMap>& maps, AttentionMap::Kind kind, Index layer) {
  for (const AttentionMap& map : maps)
    if (map.kind == kind && map.layer == layer) return map;
  qFatal("no such map");
}

// A read of one query over keys, recorded with its arithmetic, as a map of one row.
AttentionMap read_of(const AttentionSettings& settings, const Tensor& query, const Tensor& keys,
                     const Tensor& keep = {}) {
  ParameterTable parameters;
  Random random(1, Random::Stream::init);
  const Attention attention(ParameterBuilder(parameters, {}, random) / "attention", settings, query.columns(),
                            keys.columns());
  Recorder recorder(Capture{}, {});
  const Pass pass{recorder.tap()};
  const SitePath decoder("decoder"), step(decoder, "step", 0);
  attention.read(query, 0, attention.prepare(keys, keys, keep, decoder, pass), step, pass);
  AttentionMap map;
  map.trace = recorder.finish({});
  const int entry = map.trace->find("decoder.step[0].attention.weights");
  const Index count = keys.dim(1);
  map.rows.push_back({"a", "b", -1, 0, false});
  map.row_sources.push_back({entry, 0, count, count, count, -1});
  for (Index j = 0; j < count; ++j) {
    map.columns.push_back({std::to_string(j), {}, static_cast<int>(j), -1, false});
    map.key_of_column.push_back(j);
  }
  return map;
}

}  // namespace

class TestScoreTerms : public QObject {
  Q_OBJECT

 private slots:
  void a_dot_product_by_hand();
  void a_scaled_product_and_a_temperature_by_hand();
  void a_cosine_by_hand();
  void a_mask_hides_a_rival();
  void every_family_adds_up_data();
  void every_family_adds_up();
  void rows_are_their_pairs_data() { every_family_adds_up_data(); }
  void rows_are_their_pairs();
  void lifts_by_hand();
  void queries_and_keys_are_those_of_the_heads();
  void what_is_yet_to_come_has_no_score();
  void an_edit_is_a_step();
  void without_a_graph_nothing_is_explained();
};

// q = (1, 2), keys (3, 4) and (1, −1): scores 11 and −1, weights 1/(1 + e^−12) and its rest.
void TestScoreTerms::a_dot_product_by_hand() {
  const AttentionMap map = read_of({}, Tensor::of({1, 1, 2}, {1, 2}), Tensor::of({1, 2, 2}, {3, 4, 1, -1}));
  const PairScore pair = pair_score(map, 0, 0, 0);
  QCOMPARE(pair.form, Form::product);
  QCOMPARE(pair.products, (std::vector<double>{3, 8}));
  QCOMPARE(values_of(pair.operands[0]), (std::vector<double>{1, 2}));
  QCOMPARE(values_of(pair.operands[1]), (std::vector<double>{3, 4}));
  QCOMPARE(pair.operands[0].name, std::string("decoder.step[0].attention.query"));
  QCOMPARE(pair.sum.value, 11.0);
  QVERIFY(pair.steps.empty() && pair.after.empty());
  QCOMPARE(pair.rivals[1].score, -1.0);
  QVERIFY(std::abs(pair.rivals[0].share - 1 / (1 + std::exp(-12))) < 1e-9);
  QCOMPARE(arithmetic_error(pair, map), QString());
  QCOMPARE(strongest_column(map, 0, 0), Index{0});
}

// The same: 11 / √2, then over τ = 2; −1 / (2√2) for the other.
void TestScoreTerms::a_scaled_product_and_a_temperature_by_hand() {
  AttentionSettings settings;
  settings.score = Score::scaled_dot;
  settings.temperature = 2;
  const AttentionMap map = read_of(settings, Tensor::of({1, 1, 2}, {1, 2}), Tensor::of({1, 2, 2}, {3, 4, 1, -1}));
  const PairScore pair = pair_score(map, 0, 0, 0);
  QCOMPARE(pair.sum.value, 11.0);
  QCOMPARE(pair.steps.size(), std::size_t{2});
  QCOMPARE(pair.steps[0].kind, Kind::scale);
  QVERIFY(std::abs(pair.steps[0].factor - std::sqrt(0.5)) < 1e-6);
  QCOMPARE(pair.steps[1].kind, Kind::temperature);
  QVERIFY(std::abs(pair.steps[1].factor - 0.5) < 1e-6);
  QVERIFY(std::abs(pair.score.value - 11 / std::sqrt(8)) < 1e-6);
  QVERIFY(std::abs(pair.rivals[1].score + 1 / std::sqrt(8)) < 1e-6);
  QCOMPARE(arithmetic_error(pair, map), QString());
}

// q = (3, 4), k = (4, 3): β 24/25 with β = 5, of which the first unit has 12/25 and the second as much. A key that
// stands square to the query scores 0.
void TestScoreTerms::a_cosine_by_hand() {
  AttentionSettings settings;
  settings.score = Score::cosine;
  const AttentionMap map = read_of(settings, Tensor::of({1, 1, 2}, {3, 4}), Tensor::of({1, 2, 2}, {4, 3, -4, 3}));
  const PairScore pair = pair_score(map, 0, 0, 0);
  QCOMPARE(pair.form, Form::cosine);
  QVERIFY(difference(pair.products, {2.4, 2.4}, 1e-6).isEmpty());
  QVERIFY(std::abs(pair.score.value - 4.8) < 1e-5);
  QVERIFY(std::abs(pair.rivals[1].score) < 1e-6);
  QCOMPARE(arithmetic_error(pair, map), QString());
}

// With the second of three keys masked, the others share: scores 1 and 1 give a half each.
void TestScoreTerms::a_mask_hides_a_rival() {
  const AttentionMap map =
      read_of({}, Tensor::of({1, 1, 1}, {1}), Tensor::of({1, 3, 1}, {1, 7, 1}), Tensor::of({1, 3}, {1, 0, 1}));
  const PairScore pair = pair_score(map, 0, 0, 2);
  QVERIFY(!pair.rivals[0].hidden && pair.rivals[1].hidden && !pair.rivals[2].hidden);
  QCOMPARE(pair.rivals[1].score, 7.0);
  QCOMPARE(pair.rivals[0].share, 0.5);
  QCOMPARE(pair.products, std::vector<double>{1});
  QCOMPARE(arithmetic_error(pair, map), QString());
}

void TestScoreTerms::every_family_adds_up_data() {
  QTest::addColumn<Form>("form");
  const std::vector<std::pair<const char*, Form>> models = {
      {"date-attention", Form::product}, {"date-dot", Form::product},          {"date-scaled-dot", Form::product},
      {"date-general", Form::product},   {"date-additive", Form::tanh},        {"date-mlp", Form::relu},
      {"date-cosine", Form::cosine},     {"date-location", Form::location},    {"date-transformer", Form::product},
      {"story-gpt", Form::product},      {"masked-bert", Form::product},       {"toy-mt-convs2s", Form::product},
      {"toy-mt-local", Form::product},   {"toy-mt-luong", Form::product},      {"toy-mt-deep", Form::product},
      {"grammar-bahdanau", Form::tanh},  {"glimpse-hard", Form::tanh},         {"copy-ntm", Form::cosine},
      {"copy-unscaled", Form::product},  {"addition-attention", Form::product}};
  for (const auto& [name, form] : models) QTest::newRow(name) << form;
}

void TestScoreTerms::every_family_adds_up() {
  QFETCH(Form, form);
  const auto result = bundled(QTest::currentDataTag());
  const auto maps = scored_maps(*result);
  QVERIFY(!maps.empty());
  for (const AttentionMap& map : maps)
    for (const Index head : {Index{0}, map.heads - 1})
      for (const Index row : {Index{0}, map.row_count() / 2, map.row_count() - 1})
        for (const Index column : {Index{0}, map.column_count() / 2, strongest_column(map, head, row)}) {
          const PairScore pair = pair_score(map, head, row, column);
          if (pair.reason == PairScore::Reason::no_key) continue;
          QVERIFY(pair.form == form);
          QCOMPARE(pair.rivals.size(), static_cast<std::size_t>(map.column_count()));
          if (pair.rivals[static_cast<std::size_t>(column)].hidden) continue;
          QCOMPARE(arithmetic_error(pair, map), QString());
        }
}

// The dot product of the rows of head.q and head.k, looked up in the trace without the graph.
// Whatever the mechanism, a row at once is what each of its pairs is by itself.
void TestScoreTerms::rows_are_their_pairs() {
  const auto result = bundled(QTest::currentDataTag());
  for (const AttentionMap& map : scored_maps(*result)) {
    const Index row = map.row_count() / 2, head = map.heads - 1;
    const std::vector<PairScore> columns = row_scores(map, head, row);
    QCOMPARE(columns.size(), map.columns.size());
    for (Index column = 0; column < map.column_count(); column += 3) {
      const PairScore pair = pair_score(map, head, row, column);
      const PairScore& found = columns[static_cast<std::size_t>(column)];
      QVERIFY(found.form == pair.form && found.reason == pair.reason);
      QVERIFY(found.products == pair.products);
      QCOMPARE(found.sum.cell, pair.sum.cell);
      if (pair.units() > 0) QCOMPARE(found.sum.value, pair.sum.value);
      for (std::size_t i = 0; i < pair.operands.size(); ++i)
        QVERIFY(values_of(found.operands[i]) == values_of(pair.operands[i]));
    }
  }
}

// Three keys of two units; the third is hidden.
void TestScoreTerms::lifts_by_hand() {
  std::vector<PairScore> columns(3);
  columns[0].products = {1, 2};
  columns[1].products = {4, -1};
  columns[2].products = {100, 100};
  QCOMPARE(unit_lifts(columns, 1, {false, false, true}), (std::vector<double>{3, -3}));
  QCOMPARE(unit_lifts(columns, 0, {false, false, false}), (std::vector<double>{1 - 52, 2 - 49.5}));
  columns.resize(1);
  QCOMPARE(unit_lifts(columns, 0, {false}), (std::vector<double>{1, 2}));
}

void TestScoreTerms::queries_and_keys_are_those_of_the_heads() {
  const auto result = bundled("date-transformer");
  const auto maps = scored_maps(*result);
  const Index head = 1, step = 3, column = 2;
  const AttentionMap& cross = map_of(maps, AttentionMap::Kind::cross, 1);
  const PairScore pair = pair_score(cross, head, step, column);
  const Tensor q = result->trace->value("decoder.step[3].layer[1].cross_attn.head.q");
  const Tensor k = result->trace->value("decoder.layer[1].cross_attn.head.k");
  const Index size = q.columns(), key = cross.key_of_column[static_cast<std::size_t>(column)];
  std::vector<double> query, keys;
  for (Index i = 0; i < size; ++i) {
    query.push_back(static_cast<double>(q[head * size + i]));
    keys.push_back(static_cast<double>(k[(head * k.dim(1) + key) * size + i]));
  }
  QCOMPARE(values_of(pair.operands[0]), query);
  QCOMPARE(values_of(pair.operands[1]), keys);
  QCOMPARE(pair.operands[1].name, std::string("decoder.layer[1].cross_attn.head.k"));
  QCOMPARE(pair.steps.front().kind, Kind::scale);
  QVERIFY(std::abs(pair.steps.front().factor - 1 / std::sqrt(static_cast<double>(size))) < 1e-7);
}

void TestScoreTerms::what_is_yet_to_come_has_no_score() {
  const auto result = bundled("story-gpt");
  const auto maps = scored_maps(*result);
  const AttentionMap& map = map_of(maps, AttentionMap::Kind::decoder_self, 0);
  const Index last = map.column_count() - 1;
  const PairScore later = pair_score(map, 0, 0, last);
  QVERIFY(later.form == Form::none || later.steps.back().kind == Kind::mask);
  const PairScore pair = pair_score(map, 0, 2, 1);
  for (Index column = 0; column <= last; ++column)
    QCOMPARE(pair.rivals[static_cast<std::size_t>(column)].hidden, column > 2);
}

void TestScoreTerms::an_edit_is_a_step() {
  const auto result = bundled("date-additive", {parse_intervention("decoder.step[2].attention.scores[4]=9"),
                                                parse_intervention("decoder.step[3].attention.weights[5]~0.5")});
  const auto maps = scored_maps(*result);
  const AttentionMap& map = maps.front();
  const auto column_of = [&](Index key) {
    return std::find(map.key_of_column.begin(), map.key_of_column.end(), key) - map.key_of_column.begin();
  };
  const PairScore score = pair_score(map, 0, 2, column_of(4));
  QCOMPARE(score.steps.back().kind, Kind::edit);
  QCOMPARE(score.score.value, 9.0);
  QVERIFY(std::abs(score.steps.back().operand.value - score.sum.value) < 1e-6);
  QCOMPARE(arithmetic_error(score, map), QString());
  const PairScore weight = pair_score(map, 0, 3, column_of(5));
  QCOMPARE(weight.after.back().kind, Kind::edit);
  QCOMPARE(weight.weight.value, 0.5);
}

void TestScoreTerms::without_a_graph_nothing_is_explained() {
  const auto model = load_model("date-dot");
  const auto result = result_of(model, model->examples.front(), {}, false);
  const PairScore pair = pair_score(scored_maps(*result).front(), 0, 1, 1);
  QCOMPARE(pair.reason, PairScore::Reason::no_graph);
  QVERIFY(pair.weight.value >= 0 && pair.units() == 0);
  QVERIFY(scored_maps(*bundled("date-plain")).empty());
}

HEADLIGHT_CORE_TEST(TestScoreTerms)

}  // namespace headlight::test_score_terms

#include "test_score_terms.moc"
