// Tables of positions that a model computes or has learned.
#include <QTest>
#include <cmath>

#include "model/analysis/position_tables.h"
#include "model/models/registry.h"
#include "model/ops/positions.h"
#include "tests/test_program.h"

namespace headlight::test_position_tables {

namespace {

// A result without steps, of an untrained model.
Result result_of(const std::string& architecture, const Json& settings) {
  Json config = settings;
  config["model_type"] = architecture;
  config["source_vocabulary_size"] = 12;
  config["target_vocabulary_size"] = 12;
  auto bundle = std::make_shared<ModelBundle>();
  bundle->model = make_model(config, 1);
  Result result;
  result.model = bundle;
  Recorder recorder(Capture{{}, false}, {});
  std::vector<NamedTensor> parameters;
  for (const Parameter& parameter : bundle->model->parameters().all())
    parameters.push_back({parameter.name, parameter.value});
  result.trace = recorder.finish(parameters);
  return result;
}

}  // namespace

class TestPositionTables : public QObject {
  Q_OBJECT

 private slots:
  void sinusoids_of_the_paper() {
    const auto tables = position_tables(result_of("transformer", {{"model_size", 8}, {"heads", 2}}));
    QCOMPARE(tables.size(), std::size_t(1));
    const PositionTable& table = tables.front();
    QVERIFY(table.used && !table.learned() && table.size() == 8);
    const auto at = [&](Index p, Index i) { return static_cast<double>(table.values[p * 8 + i]); };
    QCOMPARE(at(0, table.first(2)), 0.0);
    QCOMPARE(at(0, table.second(2)), 1.0);
    QVERIFY(std::abs(at(3, table.first(1)) - std::sin(0.3)) < 1e-6);  // 10000^(−2/8) = 0.1
    QVERIFY(std::abs(at(3, table.second(1)) - std::cos(0.3)) < 1e-6);
    QVERIFY(std::abs(table.turn(1) - 0.1) < 1e-12);
    QVERIFY(std::abs(table.turn(2) - 0.01) < 1e-12);
  }

  void other_layouts_keep_pairs_together() {
    for (const char* kind : {"sinusoid_halves", "sinusoid_t2t"}) {
      const auto tables =
          position_tables(result_of("transformer", {{"model_size", 8}, {"heads", 2}, {"positions", kind}}));
      const PositionTable& table = tables.front();
      for (Index pair = 0; pair < 4; ++pair)
        for (Index p = 0; p < 20; ++p) {
          const auto a = static_cast<double>(table.values[p * 8 + table.first(pair)]);
          const auto b = static_cast<double>(table.values[p * 8 + table.second(pair)]);
          QVERIFY(std::abs(a - std::sin(static_cast<double>(p) * table.turn(pair))) < 1e-5);
          QVERIFY(std::abs(b - std::cos(static_cast<double>(p) * table.turn(pair))) < 1e-5);
        }
    }
  }

  // A decoder that goes on with a text is fed the last word of it at step 0: every word stands once, at its own place.
  // An encoder's places have the source, those of the decoder beside it what that is given.
  void each_place_has_what_stands_there() {
    const auto tokens = [](const Result& result, const char* parameter) {
      PositionTable table;
      table.parameter = parameter;
      return tokens_at_places(result, table);
    };
    using Texts = std::vector<std::string>;
    const auto run_of = [](const std::string& architecture, const Json& more) {
      auto bundle = std::make_shared<ModelBundle>();
      bundle->text.source = bundle->text.target = Tokenizer(Vocabulary({" ", "a", "b", "c", "<"}));
      bundle->text.target_length = 3;
      Json config = {{"model_type", architecture},
                     {"source_vocabulary_size", 5},
                     {"target_vocabulary_size", 5},
                     {"model_size", 8},
                     {"heads", 2},
                     {"ff_size", 8}};
      config.update(more);
      bundle->model = make_model(config, 1);
      Request request;
      request.model = bundle;
      request.source = "abc";
      request.target = "ba";
      return run(request);
    };
    const Result both = run_of("transformer", Json::object());
    QCOMPARE(tokens(both, "encoder.pos.W"), (Texts{"a", "b", "c"}));
    QCOMPARE(tokens(both, ""), (Texts{"a", "b", "c"}));
    QCOMPARE(tokens(both, "decoder.pos.W"), Texts(both.fed));
    const Result alone = run_of("decoder_only", {{"prompt", "continue"}});
    QCOMPARE(alone.fed.front(), std::string("c"));
    Texts expected = {"a", "b"};
    expected.insert(expected.end(), alone.fed.begin(), alone.fed.end());
    for (const char* parameter : {"", "decoder.pos.W"}) QCOMPARE(tokens(alone, parameter), expected);
  }

  // Rows in front of the first place (OPT, RoBERTa) belong to none.
  void a_table_begins_at_the_first_place() {
    const Result result = result_of(
        "transformer",
        {{"model_size", 8}, {"heads", 2}, {"positions", "learned"}, {"max_positions", 12}, {"position_offset", 2}});
    const auto tables = position_tables(result, 30);
    for (const NamedTensor& parameter : result.trace->parameters())
      if (parameter.name == "encoder.pos.W") {
        QCOMPARE(tables[1].positions(), parameter.value.dim(0) - 2);
        QCOMPARE(tables[1].values[0], parameter.value[2 * 8]);
      }
  }

  void learned_tables_stand_beside_the_formula() {
    const Result result =
        result_of("transformer", {{"model_size", 8}, {"heads", 2}, {"positions", "learned"}, {"max_positions", 40}});
    const auto tables = position_tables(result, 30);
    QCOMPARE(tables.size(), std::size_t(3));
    QVERIFY(!tables[0].used && !tables[0].learned());
    QCOMPARE(tables[1].parameter, std::string("encoder.pos.W"));
    QCOMPARE(tables[2].parameter, std::string("decoder.pos.W"));
    for (const PositionTable& table : tables) QCOMPARE(table.values.shape(), Shape({30, 8}));
    QVERIFY(tables[1].used && tables[1].learned());
    for (const NamedTensor& parameter : result.trace->parameters())
      if (parameter.name == "encoder.pos.W") QVERIFY(tables[1].values.shares_storage(parameter.value));
  }

  void nothing_where_positions_are_no_rows() {
    for (const char* kind : {"rotary", "relative", "none"})
      QVERIFY(
          position_tables(result_of("transformer", {{"model_size", 8}, {"heads", 2}, {"positions", kind}})).empty());
    QVERIFY(position_tables(result_of("seq2seq", {{"hidden_size", 4}, {"embedding_size", 4}})).empty());
    QVERIFY(position_tables(Result{}).empty());
  }

  // |PE_p|² = d/2 and PE_p · PE_q = Σ cos(w_i (p − q)).
  void likeness_of_sinusoids_depends_on_the_distance_alone() {
    const auto tables = position_tables(result_of("transformer", {{"model_size", 8}, {"heads", 2}}));
    const auto products = position_products(tables.front(), 60);
    for (const Index p : {Index(0), Index(7), Index(40)}) {
      for (Index q = 0; q < 60; ++q) {
        double expected = 0;
        for (Index i = 0; i < 4; ++i)
          expected += std::cos(std::pow(10000.0, -static_cast<double>(i) / 4) * static_cast<double>(p - q));
        QVERIFY(std::abs(products[static_cast<std::size_t>(60 * p + q)] - expected) < 1e-5);
      }
    }
  }
};

HEADLIGHT_TEST(TestPositionTables)

}  // namespace headlight::test_position_tables

#include "test_position_tables.moc"
