// The recurrent language model: what it publishes and where, that reading is writing, and what the analyses make of a
// network that reads a text and goes on with it. Its numbers are compared with PyTorch's in test_recurrent_parity.

#include "model/analysis/cost/cost.h"
#include "model/analysis/masks.h"
#include "model/analysis/state_tracks.h"
#include "model/analysis/cost/timeline.h"
#include "model/core/errors.h"
#include "model/decode/run.h"
#include "model/models/registry.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_recurrent_lm {

using namespace headlight::testing;

namespace {

constexpr Index kTokens = 6, kEmbedding = 3, kHidden = 4;

std::shared_ptr<Model> model_of(const Json& changes) {
  Json config = {{"model_type", "recurrent_lm"},
                 {"source_vocabulary_size", kTokens},
                 {"target_vocabulary_size", kTokens},
                 {"embedding_size", kEmbedding},
                 {"hidden_size", kHidden}};
  config.update(changes);
  std::shared_ptr<Model> model = make_model(config, 3);
  for (Parameter& parameter : model->parameters().all()) parameter.value.array() *= Scalar(2);
  return model;
}

// Goes on with texts of the letters a, b and c.
Result run_of(const std::string& source, const Json& changes = Json::object(), Index steps = 2) {
  auto bundle = std::make_shared<ModelBundle>();
  bundle->model = model_of(changes);
  bundle->text.source = bundle->text.target = Tokenizer(Vocabulary({kPadding, kStart, kUnknown, "a", "b", "c"}));
  bundle->text.pad = 0;
  bundle->text.bos = 1;
  bundle->text.source_bos = true;
  bundle->text.target_length = steps;
  Request request;
  request.model = bundle;
  request.source = source;
  return run(request);
}

Tensor ids(std::initializer_list<int> tokens) {
  Tensor made({static_cast<Index>(tokens.size()), 1});
  Index at = 0;
  for (const int token : tokens) made[at++] = static_cast<Scalar>(token);
  return made;
}

}  // namespace

class TestRecurrentLm : public QObject {
  Q_OBJECT

 private slots:
  void sites_in_their_order() {
    const Result result = run_of("a", {{"cell", "rnn"}}, 1);
    QStringList names;
    for (const TraceEntry& entry : result.trace->entries()) names << QString::fromStdString(entry.site.text);
    QCOMPARE(names,
             (QStringList{"input.src.ids", "input.src.display_index", "encoder.embed.out", "encoder.step[0].rnn.pre",
                          "encoder.step[0].rnn.h", "encoder.states", "decoder.init.h", "decoder.step[0].input.id",
                          "decoder.step[0].embed.out", "decoder.step[0].rnn.pre", "decoder.step[0].rnn.h",
                          "decoder.step[0].output.logits", "decoder.step[0].output.probs"}));
    QCOMPARE(result.fed, std::vector<std::string>{"a"});  // the last token, not the start sign once more
    QCOMPARE(result.prompt, 1);
  }
  // An empty text is its start sign, which the first step reads.
  void nothing_is_read_of_an_empty_text() {
    const Result result = run_of("");
    for (const TraceEntry& entry : result.trace->entries()) QVERIFY(!entry.site.text.starts_with("encoder."));
    const Tensor start = result.trace->value("decoder.init.h");
    for (Index i = 0; i < start.size(); ++i) QVERIFY(start[i] == 0);
    QCOMPARE(result.fed[0], std::string(kStart));
  }

  void reading_is_writing_data() {
    QTest::addColumn<QString>("changes");
    QTest::newRow("lstm") << "{}";
    QTest::newRow("gru, two layers") << R"({"cell": "gru", "layers": 2})";
    QTest::newRow("residual") << R"({"layers": 3, "residual": true})";
    QTest::newRow("tied") << R"({"embedding_size": 4, "tie": true})";
  }
  // The same text, read at once or fed token by token: the same logits behind it.
  void reading_is_writing() {
    QFETCH(QString, changes);
    const auto model = model_of(Json::parse(changes.toStdString()));
    const Tensor read = model->begin(Source(ids({1, 3, 4, 5, 3})), {})->advance(ids({0}), {});
    const Tensor fed = model->begin(Source(ids({1})), {})->advance(ids({0, 3, 4, 5, 3}), {});
    for (Index v = 0; v < kTokens; ++v) QVERIFY(std::abs(read[v] - fed[4 * kTokens + v]) < 1e-6);
  }

  // One cell that reads and one that writes: the last token is read by the first step.
  void states_go_through_the_text() {
    const Result result = run_of("abc");
    const std::vector<StateCell> cells = state_cells(result);
    QCOMPARE(cells.size(), std::size_t{2});
    QStringList read;
    for (const StatePlace& place : cells[0].places) read << QString::fromStdString(place.text);
    QCOMPARE(read, (QStringList{kStart, "a", "b"}));
    QCOMPARE(cells[1].places.size(), std::size_t{2});
    QCOMPARE(cells[1].places[0].fed, std::string("c"));
    for (Index unit = 0; unit < kHidden; ++unit) {
      const double left = cells[0].value(cells[0].track("c"), 2, unit);
      QCOMPARE(cells[1].value_before("c", 0, unit), left);
      for (const StateCell& cell : cells)
        for (int place = 0; place < cell.place_count(); ++place)
          for (const StateUpdate& update : cell.updates(place, unit))
            QVERIFY(std::abs(update.computed - update.value) < 1e-6);
    }
  }
  void time_goes_through_the_text() {
    const Result result = run_of("abc", {{"layers", 2}});
    const auto time = timeline(result, Pace::writes);
    QVERIFY(time && time->source_rows == 0);
    QCOMPARE(time->text_rows, 5);  // the start sign, a and b; two steps
    int cells = 0, outputs = 0;
    for (const TimelineBox& box : time->boxes) {
      cells += box.kind == TimelineBox::Kind::decoder;
      outputs += box.kind == TimelineBox::Kind::output;
      // Layer l of row r waits for r + l others; of what is written, for what came before it.
      if (box.kind == TimelineBox::Kind::decoder && box.row < 4) QCOMPARE(box.column, box.row + box.layer);
    }
    QCOMPARE(cells, 2 * 5);
    QCOMPARE(outputs, 2);
    QCOMPARE(time->columns, 9);  // step 0 ends in column 4, its output is 5; two layers and an output more: 8
  }
  void each_token_costs_a_cell() {
    const Result result = run_of("abc");
    const auto cost = model_cost(result);
    QVERIFY(cost);
    const RunLengths lengths = run_lengths(result);
    QCOMPARE(lengths.prompt, Index{3});
    QCOMPARE(cost->multiplications(CostPart::recurrence, lengths, Pace::writes),
             5.0 * (kEmbedding * 4 * kHidden + kHidden * 4 * kHidden));
    QCOMPARE(cost->multiplications(CostPart::output, lengths, Pace::writes), 2.0 * kHidden * kTokens);
  }
  void every_token_can_be_erased() {
    const Result result = run_of("abc");
    const auto read = blank_token(result, 1), fed = blank_token(result, 3);
    QVERIFY(read && fed);
    QCOMPARE(read->site, std::string("encoder.embed.out"));
    QCOMPARE(read->row, Index{1});
    QCOMPARE(fed->site, std::string("decoder.step[0].embed.out"));
  }

  void settings_that_do_not_fit() {
    QCOMPARE(message_of<FormatError>([] {
               model_of({{"tie", true}});
             }),
             QString("\"tie\" needs an \"embedding_size\" that is the \"hidden_size\" (4), found 3"));
    QCOMPARE(message_of<FormatError>([] {
               model_of({{"target_vocabulary_size", 7}});
             }),
             QString("\"source_vocabulary_size\" and \"target_vocabulary_size\" must be the same for a model that "
                     "continues a text"));
    QCOMPARE(message_of<FormatError>([] {
               model_of({{"bidirectional", "all"}});
             }),
             QString("\"bidirectional\" is not a setting of recurrent_lm"));
  }
};

HEADLIGHT_TEST(TestRecurrentLm)

}  // namespace headlight::test_recurrent_lm

#include "test_recurrent_lm.moc"
