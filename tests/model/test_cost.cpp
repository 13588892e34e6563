// Multiplications by part, and what waits for what: small models counted by hand.
#include <QTest>

#include "model/analysis/cost/timeline.h"
#include "model/io/model_folder.h"
#include "model/models/registry.h"
#include "tests/test_program.h"

namespace headlight::test_cost {

namespace {

std::unique_ptr<Model> model_of(const char* type, Json settings) {
  settings["model_type"] = type;
  for (const char* key : {"source_vocabulary_size", "target_vocabulary_size"})
    if (!settings.contains(key)) settings[key] = 5;
  return make_model(settings, 3);
}

std::unique_ptr<Model> small_gpt(Index d, Index ff, Index heads = 2) {
  return model_of("decoder_only", {{"model_size", d}, {"ff_size", ff}, {"heads", heads}, {"decoder_layers", 1}});
}

double cost_of(const Model& model, CostPart part, const RunLengths& lengths, Pace pace = Pace::learns) {
  return model_cost(model).value().multiplications(part, lengths, pace);
}

int columns_of(const Model& model, const RunLengths& lengths, Pace pace) {
  return timeline(model, lengths, pace).value().columns;
}

}  // namespace

class TestCost : public QObject {
  Q_OBJECT

 private slots:
  // d = 8, d_ff = 16, a prompt of 3 and 2 steps: T = 5 rows.
  void a_language_model_by_hand() {
    const auto model = small_gpt(8, 16);
    const RunLengths lengths{0, 3, 2};
    QCOMPARE(cost_of(*model, CostPart::projections, lengths), 5 * 4 * 64.0);
    QCOMPARE(cost_of(*model, CostPart::feed_forward, lengths), 5 * 2 * 8 * 16.0);
    QCOMPARE(cost_of(*model, CostPart::output, lengths), 2 * 8 * 5.0);
    QCOMPARE(cost_of(*model, CostPart::recurrence, lengths), 0.0);
    for (const CostPart part : {CostPart::scores, CostPart::mixing}) {
      QCOMPARE(cost_of(*model, part, lengths), 5 * 5 * 8.0);
      // The prompt at once, then rows of 4 and of 5 keys.
      QCOMPARE(cost_of(*model, part, lengths, Pace::writes), (3 * 3 + 4 + 5) * 8.0);
    }
  }

  // L34: as many multiplications with any number of heads; exponentials and stored weights grow with it.
  void heads_cost_nothing_but_exponentials() {
    const auto model = small_gpt(8, 16);
    const RunLengths lengths{0, 3, 2};
    QCOMPARE(possible_heads(*model), (std::vector<Index>{1, 2, 4, 8}));
    for (const Index heads : possible_heads(*model)) {
      const ModelCost cost = model_cost(*model, heads).value();
      QCOMPARE(cost.multiplications(lengths, Pace::learns), model_cost(*model)->multiplications(lengths, Pace::learns));
      QCOMPARE(cost.exponentials(lengths, Pace::learns), static_cast<double>(heads * 25));
      const auto made = small_gpt(8, 16, heads);
      QCOMPARE(cost.multiplications(lengths, Pace::writes), model_cost(*made)->multiplications(lengths, Pace::writes));
    }
  }

  // L45: 2 n² d > 12 n d² from n = 6 d on, where the feed-forward network is 4 d wide; 4 d where it is 2 d wide.
  void scores_become_dearer_than_the_rest() {
    const RunLengths lengths{0, 3, 2};
    QCOMPARE(model_cost(*small_gpt(8, 32))->crossing(lengths), Index(6 * 8 + 1));
    QCOMPARE(model_cost(*small_gpt(8, 16))->crossing(lengths), Index(4 * 8 + 1));
    QCOMPARE(model_cost(*model_of("seq2seq", Json::object()))->crossing({5, 0, 5}), Index(0));
  }

  // D = 3, H = 4, 6 tokens read, 2 written.
  void recurrent_models_by_hand() {
    const auto model = model_of("attn_seq2seq", {{"embedding_size", 3}, {"hidden_size", 4}});
    const RunLengths lengths{6, 0, 2};
    QCOMPARE(cost_of(*model, CostPart::recurrence, lengths), (6 + 2) * 4 * 4 * (3 + 4.0));
    QCOMPARE(cost_of(*model, CostPart::scores, lengths), 2 * 6 * 4.0);
    QCOMPARE(cost_of(*model, CostPart::mixing, lengths), 2 * 6 * 4.0);
    QCOMPARE(cost_of(*model, CostPart::output, lengths), 2 * (4 + 4) * 5.0);
    // v · tanh(W q + U k): U once for each token read, W for each step, v for each pair.
    const auto additive =
        model_of("attn_seq2seq", {{"hidden_size", 4}, {"attention.score", "additive"}, {"attention.hidden_size", 7}});
    QCOMPARE(cost_of(*additive, CostPart::projections, lengths), (6 + 2) * 4 * 7.0);
    QCOMPARE(cost_of(*additive, CostPart::scores, lengths), 2 * 6 * 7.0);
    QCOMPARE(model_cost(*additive)->exponentials(lengths, Pace::learns), 12.0);
  }

  void convolutions_by_hand() {
    const auto model = model_of(
        "convs2s",
        {{"embedding_size", 4}, {"hidden_size", 6}, {"out_size", 5}, {"encoder_layers", 1}, {"decoder_layers", 1}});
    const RunLengths lengths{7, 0, 2};
    QCOMPARE(cost_of(*model, CostPart::convolution, lengths), (7 + 2) * 3 * 6 * 12.0);  // k d · 2 d
    QCOMPARE(cost_of(*model, CostPart::projections, lengths), 2 * (6 * 4 + 4 * 6.0));
    QCOMPARE(cost_of(*model, CostPart::scores, lengths), 2 * 7 * 4.0);
    QCOMPARE(cost_of(*model, CostPart::output, lengths), 2 * 5 * 5.0);
    QCOMPARE(cost_of(*model, CostPart::other, lengths), 7 * (24 + 24.0) + 2 * (24 + 30.0));
  }

  // 7 slots of 5 numbers, 4 tokens read, one that says so, 3 written; 2 bits, a delimiter and what was read come in.
  void a_machine_by_hand() {
    const auto model = model_of("ntm", {{"source_vocabulary_size", 4},
                                        {"target_vocabulary_size", 4},
                                        {"hidden_size", 6},
                                        {"memory.slots", 7},
                                        {"memory.width", 5}});
    const RunLengths lengths{4, 0, 3};
    QCOMPARE(cost_of(*model, CostPart::recurrence, lengths), 8 * 4 * 6 * (8 + 6.0));
    QCOMPARE(cost_of(*model, CostPart::scores, lengths), 8 * 2 * 7 * 5.0);
    QCOMPARE(cost_of(*model, CostPart::mixing, lengths), 8 * 3 * 7 * 5.0);
    QCOMPARE(cost_of(*model, CostPart::output, lengths), 3 * (6 + 5) * 2.0);
  }

  // One token read and one written use each matrix of a model once (those of a machine three times); only tables are
  // looked up.
  void every_matrix_is_counted_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"date-attention", "date-additive", "date-location", "date-peeky", "date-plain",
                             "toy-mt-luong", "toy-mt-deep", "grammar-bahdanau", "grammar-convs2s", "glimpse-hard"})
      QTest::newRow(name) << name;
  }
  void every_matrix_is_counted() {
    QFETCH(QString, name);
    const auto bundle = load_model(name.toStdString());
    double matrices = 0;
    for (const Parameter& each : bundle->model->parameters().all()) {
      const bool table = each.name.ends_with("embed.W") || each.name.ends_with("pos.W");
      if (each.value.rank() == 2 && !table) matrices += static_cast<double>(each.value.size());
    }
    const ModelCost cost = model_cost(*bundle->model).value();
    double counted = 0;
    for (const CostTerm& term : cost.terms)
      if (term.keys == CostTerm::Keys::none) counted += term.each;
    QCOMPARE(counted, matrices);
  }

  void lengths_keep_their_shares() {
    const RunLengths half = RunLengths{20, 0, 10}.of(8);
    QCOMPARE(half.source, Index(8));
    QCOMPARE(half.steps, Index(4));
    const RunLengths whole = RunLengths{0, 6, 2}.of(4);
    QCOMPARE(whole.prompt + whole.steps, Index(4));
    QCOMPARE(whole.steps, Index(1));
  }

  // L46, L33: columns that wait for one another, while it learns and while it writes.
  void dependent_steps_by_hand() {
    const auto check = [](const Model& model, const RunLengths& lengths, int learns, int writes) {
      QCOMPARE(columns_of(model, lengths, Pace::learns), learns);
      QCOMPARE(columns_of(model, lengths, Pace::writes), writes);
    };
    const RunLengths both{6, 0, 4}, alone{0, 6, 4};
    // Each state waits for the one before; then an attention and the output, for all steps at once or for each.
    check(*model_of("seq2seq", Json::object()), both, 6 + 4 + 1, 6 + 4 * 2);
    check(*model_of("attn_seq2seq", Json::object()), both, 6 + 4 + 2, 6 + 4 * 3);
    // What was looked up is fed to the next step: also while it learns.
    check(*model_of("luong", Json::object()), both, 6 + 4 * 2 + 1, 6 + 4 * 3);
    // Three layers begin one after the other.
    check(*model_of("seq2seq", {{"layers", 3}}), both, 6 + 2 + 4 + 2 + 1, 6 + 2 + 4 * (3 + 1));
    // Layers of self-attention take all tokens at once.
    check(*model_of("transformer", {{"encoder_layers", 2}, {"decoder_layers", 3}}), both, 2 + 3 + 1, 2 + 4 * (3 + 1));
    check(*model_of("decoder_only", {{"decoder_layers", 3}}), alone, 3 + 1, 4 * (3 + 1));
    check(*model_of("encoder_only", {{"encoder_layers", 2}}), {6, 0, 6}, 2 + 1, 2 + 1);
    check(*model_of("convs2s", Json::object()), both, 4 + 4 + 1, 4 + 4 * (4 + 1));
    // A machine gets nothing that it wrote: it waits as long while it learns.
    check(*model_of("ntm", {{"source_vocabulary_size", 4}, {"target_vocabulary_size", 4}}), both, 6 + 1 + 4 + 1,
          6 + 1 + 4 + 1);
  }

  // An encoder in both directions takes no longer than in one.
  void directions_run_beside_each_other() {
    const auto one = timeline(*model_of("seq2seq", Json::object()), {5, 0, 1}, Pace::writes).value();
    const auto two =
        timeline(*model_of("seq2seq", {{"bidirectional", "all"}, {"bridge", true}}), {5, 0, 1}, Pace::writes).value();
    QCOMPARE(two.columns, one.columns);
    QCOMPARE(two.boxes.size(), one.boxes.size() + 5);
    for (const TimelineBox& box : two.boxes)
      if (box.backward) QCOMPARE(box.column, 4 - box.row);
    QCOMPARE(two.source_rows, 5);
    QCOMPARE(two.text_rows, 1);
  }
};

HEADLIGHT_TEST(TestCost)

}  // namespace headlight::test_cost

#include "test_cost.moc"
