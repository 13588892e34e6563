// Masks as edits, blanked tokens and switched heads, on the bundled models: what an edit promises is what the run does.

#include <QtTest>
#include <cmath>

#include "model/analysis/masks.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"

namespace headlight::test_masks {

using Kind = AttentionMap::Kind;
using State = AttentionMask::State;
constexpr Index kAll = AttentionMask::kAllLayers;

namespace {

Result run_of(const char* model, std::vector<Intervention> edits = {}, const char* source = nullptr) {
  Request request;
  request.model = load_model(model);
  request.source = source ? source : request.model->examples.front();
  request.interventions = std::move(edits);
  request.capture.explain = false;
  return run(request);
}

AttentionMask mask_of(const Result& result, Kind kind) {
  for (const AttentionMask& mask : AttentionMask::of(result))
    if (mask.kind() == kind) return mask;
  throw std::logic_error("no such mask");
}

// Weights of every head of every layer between a row and a column, summed.
double weight(const Result& result, Kind kind, Index row, Index column, Index layer = kAll) {
  double sum = 0;
  for (const AttentionMap& map : attention_maps(result))
    if (map.kind == kind && (layer == kAll || map.layer == layer))
      for (Index head = 0; head < map.heads; ++head) sum += static_cast<double>(map.weight(head, row, column));
  return sum;
}

bool finite(const Result& result) {
  return std::ranges::all_of(result.trace->entries(), [](const TraceEntry& entry) {
    const bool may_be_infinite = entry.site.text.find("scores") != std::string::npos;
    return may_be_infinite ? !entry.value.array().isNaN().any() : entry.value.array().isFinite().all();
  });
}

}  // namespace

class TestMasks : public QObject {
  Q_OBJECT

 private slots:
  void models_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<Kind>("kind");
    QTest::newRow("scores") << "date-attention" << Kind::cross;
    QTest::newRow("window") << "toy-mt-local" << Kind::cross;
    QTest::newRow("layers") << "toy-mt-convs2s" << Kind::cross;
    QTest::newRow("heads, cross") << "date-transformer" << Kind::cross;
    QTest::newRow("heads, encoder") << "date-transformer" << Kind::encoder_self;
    QTest::newRow("heads, decoder") << "date-transformer" << Kind::decoder_self;
    QTest::newRow("prompt and steps") << "story-gpt" << Kind::decoder_self;
    QTest::newRow("encoder alone") << "masked-bert" << Kind::encoder_self;
  }

  // A hidden cell has no weight, its row still adds up to what it did, and taking the edit back is the edit itself.
  void a_cell_data() { models_data(); }
  void a_cell() {
    QFETCH(QString, model);
    QFETCH(Kind, kind);
    const Result plain = run_of(qPrintable(model));
    const AttentionMask before = mask_of(plain, kind);
    const Index row = 1;
    Index column = 0;
    while (before.state(kAll, row, column) != State::open) ++column;
    const EditChange hide = before.set(kAll, row, column, false);
    QCOMPARE(hide.added.size(), std::size_t{1});
    QVERIFY(parse_intervention(to_text(hide.added[0])) == hide.added[0]);
    QVERIFY(before.set(kAll, row, column, true).empty());
    const Result hidden = run_of(qPrintable(model), hide.added);
    QVERIFY(finite(hidden));
    const AttentionMask after = mask_of(hidden, kind);
    QCOMPARE(after.state(kAll, row, column), State::hidden);
    QVERIFY(after.is_edited(kAll, row, column));
    QCOMPARE(weight(hidden, kind, row, column), 0.0);
    for (Index c = column + 1; c < std::min(before.map().column_count(), after.map().column_count()); ++c)
      QCOMPARE(after.state(kAll, row, c), before.state(kAll, row, c));
    const EditChange back = after.set(kAll, row, column, true);
    QVERIFY(back.added.empty());
    QVERIFY(back.withdrawn == hide.added);
  }

  // No row looks at a hidden column, whatever its step.
  void a_column_data() { models_data(); }
  void a_column() {
    QFETCH(QString, model);
    QFETCH(Kind, kind);
    const Result plain = run_of(qPrintable(model));
    const EditChange hide = mask_of(plain, kind).set_column(kAll, 1, false);
    const Result hidden = run_of(qPrintable(model), hide.added);
    QVERIFY(finite(hidden));
    QVERIFY(hidden.not_reached.empty());
    const AttentionMask after = mask_of(hidden, kind);
    for (Index row = 0; row < after.map().row_count(); ++row) {
      QVERIFY(after.state(kAll, row, 1) != State::open);
      QCOMPARE(weight(hidden, kind, row, 1), 0.0);
    }
    QVERIFY(after.set_column(kAll, 1, true).withdrawn == hide.added);
  }

  // A row that may look at nothing has weights of 0, and nothing becomes a number that is none.
  void a_row_data() { models_data(); }
  void a_row() {
    QFETCH(QString, model);
    QFETCH(Kind, kind);
    const Result plain = run_of(qPrintable(model));
    const EditChange hide = mask_of(plain, kind).set_row(kAll, 0, false);
    const Result hidden = run_of(qPrintable(model), hide.added);
    QVERIFY(finite(hidden));
    for (Index column = 0; column < mask_of(hidden, kind).map().column_count(); ++column)
      QCOMPARE(weight(hidden, kind, 0, column), 0.0);
  }

  // What stays open lies within the band, in reading order.
  void a_band_data() { models_data(); }
  void a_band() {
    QFETCH(QString, model);
    QFETCH(Kind, kind);
    const Result plain = run_of(qPrintable(model));
    const bool backwards = plain.model->model->traits().reads_reversed;
    for (const Intervention::Band& band :
         {Intervention::Band{2, true, backwards}, Intervention::Band{0, true, backwards},
          Intervention::Band{0, false, backwards}}) {
      const AttentionMask before = mask_of(plain, kind);
      const Result banded = run_of(qPrintable(model), before.set_band(kAll, band).added);
      QVERIFY(finite(banded));
      const AttentionMask after = mask_of(banded, kind);
      const AttentionMap& map = after.map();
      for (Index row = 0; row < map.row_count(); ++row)
        for (Index column = 0; column < map.column_count(); ++column) {
          const Index place = map.is_self() ? map.source(row).column : map.rows[static_cast<std::size_t>(row)].step;
          const Index ahead = column - place;
          const bool inside = ahead <= band.width && (!band.both_sides || -ahead <= band.width);
          if (!inside) QVERIFY(after.state(kAll, row, column) != State::open);
          // The model's own window and mask stay.
          const bool known = row < before.map().row_count() && column < before.map().column_count();
          if (inside && known && model != "toy-mt-local" && before.state(kAll, row, column) == State::open)
            QCOMPARE(after.state(kAll, row, column), State::open);
        }
      // Another band takes its place; back to the model takes it back.
      const EditChange other = after.set_band(kAll, {5, true, backwards});
      QVERIFY(other.withdrawn == before.set_band(kAll, band).added);
      QVERIFY(after.as_trained(kAll).withdrawn == other.withdrawn);
    }
  }

  // What a causal mask hides can be shown: the prompt of a decoder looks ahead.
  void a_mask_can_be_opened() {
    const Result plain = run_of("story-gpt");
    const AttentionMask before = mask_of(plain, Kind::decoder_self);
    QCOMPARE(before.state(kAll, 0, 1), State::hidden);
    const EditChange show = before.set(kAll, 0, 1, true);
    const Result shown = run_of("story-gpt", show.added);
    QCOMPARE(mask_of(shown, Kind::decoder_self).state(kAll, 0, 1), State::open);
    QVERIFY(weight(shown, Kind::decoder_self, 0, 1) > 0);
    QVERIFY(mask_of(shown, Kind::decoder_self).set(kAll, 0, 1, false).withdrawn == show.added);
  }

  void one_layer_alone() {
    const Result plain = run_of("date-transformer");
    const EditChange hide = mask_of(plain, Kind::encoder_self).set(1, 2, 3, false);
    const Result hidden = run_of("date-transformer", hide.added);
    QCOMPARE(weight(hidden, Kind::encoder_self, 2, 3, 1), 0.0);
    QVERIFY(weight(hidden, Kind::encoder_self, 2, 3, 0) > 0);
    QCOMPARE(mask_of(hidden, Kind::encoder_self).state(1, 2, 3), State::hidden);
    QCOMPARE(mask_of(hidden, Kind::encoder_self).state(kAll, 2, 3), State::open);
  }

  // The edit stays with its token when the text grows behind it.
  void an_edit_keeps_its_place_while_one_types() {
    const Result first = run_of("masked-bert", {}, "anna finds a red key .");
    const EditChange hide = mask_of(first, Kind::encoder_self).set(kAll, 2, 4, false);
    const Result longer = run_of("masked-bert", hide.added, "anna finds a red key . she [MASK] it under the bed .");
    QCOMPARE(weight(longer, Kind::encoder_self, 2, 4), 0.0);
    QVERIFY(weight(longer, Kind::encoder_self, 1, 4) > 0);
    const Result shorter = run_of("masked-bert", hide.added, "anna finds a");
    QCOMPARE(shorter.not_reached, std::vector<int>{0});
  }

  void a_model_without_attention_has_no_mask() {
    QVERIFY(AttentionMask::of(run_of("date-plain")).empty());
    QVERIFY(AttentionMask::of(run_of("copy-ntm")).empty());
  }

  void a_blanked_token_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("site");
    QTest::newRow("backwards") << "date-attention"
                               << "encoder.embed.out";
    QTest::newRow("convolutions") << "toy-mt-convs2s"
                                  << "encoder.embed.out";
    QTest::newRow("transformer") << "date-transformer"
                                 << "encoder.embed.out";
    QTest::newRow("prompt") << "story-gpt"
                            << "decoder.embed.out";
    QTest::newRow("bits") << "copy-ntm"
                          << "encoder.channels";
  }
  // Exactly its row is 0; all others are as they were.
  void a_blanked_token() {
    QFETCH(QString, model);
    QFETCH(QString, site);
    const Result plain = run_of(qPrintable(model));
    const auto edit = blank_token(plain, 1);
    QVERIFY(edit.has_value());
    QVERIFY(parse_intervention(to_text(*edit)) == *edit);
    const Result blanked = run_of(qPrintable(model), {*edit});
    const Tensor before = plain.trace->value(site.toStdString()), after = blanked.trace->value(site.toStdString());
    const int position = plain.position_of_token[1];
    for (Index row = 0; row < before.rows(); ++row)
      for (Index i = 0; i < before.columns(); ++i)
        QCOMPARE(after[row * before.columns() + i], row == position ? Scalar(0) : before[row * before.columns() + i]);
    const std::string logits = "decoder.step[0].output.logits";
    QVERIFY((plain.trace->value(logits).array() != blanked.trace->value(logits).array()).any());
  }

  // The last token of a text that is continued is what step 0 is given.
  void the_last_token_of_a_prompt_is_that_of_step_0() {
    const Result plain = run_of("story-gpt");
    const auto edit = blank_token(plain, static_cast<int>(plain.tokens.size()) - 1);
    QVERIFY(edit.has_value());
    QCOMPARE(edit->site, std::string("decoder.step[0].embed.out"));
    QVERIFY((run_of("story-gpt", {*edit}).trace->value(edit->site).array() == 0).all());
    QVERIFY(!blank_token(plain, 999) && !blank_token(plain, -1));
  }

  void a_hidden_token() {
    const Result plain = run_of("date-transformer");
    const EditChange hide = hide_token(plain, 2);
    QCOMPARE(hide.added.size(), std::size_t{2});  // of the encoder's own attention, and of the decoder's steps
    const Result hidden = run_of("date-transformer", hide.added);
    for (const Kind kind : {Kind::encoder_self, Kind::cross})
      for (Index row = 0; row < mask_of(hidden, kind).map().row_count(); ++row)
        QCOMPARE(weight(hidden, kind, row, 2), 0.0);
    QVERIFY(hide_token(hidden, 2).empty());
    QVERIFY(hide_token(hidden, 2, true).withdrawn == hide.added);
  }

  void a_head_that_is_off_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QStringList>("sites");
    QTest::newRow("encoder") << "date-transformer" << Kind::encoder_self
                             << QStringList{"encoder.layer[0].self_attn.head[1].out"};
    QTest::newRow("decoder") << "date-transformer" << Kind::decoder_self
                             << QStringList{"decoder.step[*].layer[0].self_attn.head[1].out"};
    QTest::newRow("cross") << "date-transformer" << Kind::cross
                           << QStringList{"decoder.step[*].layer[0].cross_attn.head[1].out"};
    QTest::newRow("prompt") << "story-gpt" << Kind::decoder_self
                            << QStringList{"decoder.layer[0].self_attn.head[1].out",
                                           "decoder.step[*].layer[0].self_attn.head[1].out"};
  }
  // Its output is 0 wherever it is computed, that of its neighbour is not, and the next layer sees other things.
  void a_head_that_is_off() {
    QFETCH(QString, model);
    QFETCH(Kind, kind);
    QFETCH(QStringList, sites);
    const Result plain = run_of(qPrintable(model));
    const auto edits = head_off(plain, kind, 0, 1);
    QStringList names;
    for (const Intervention& edit : edits) names << QString::fromStdString(edit.site);
    QCOMPARE(names, sites);
    QVERIFY(!is_head_off(plain, kind, 0, 1));
    const Result off = run_of(qPrintable(model), edits);
    QVERIFY(is_head_off(off, kind, 0, 1) && !is_head_off(off, kind, 0, 0));
    int zeros = 0;
    std::vector<std::string> edited;
    for (const Intervention& edit : edits) edited.push_back(edit.site);
    const EditIndex index(edited);
    for (const TraceEntry& entry : off.trace->entries()) {
      if (index.of(entry.site.text).empty()) continue;
      ++zeros;
      const Tensor out = off.trace->value(
                       std::string(entry.site.text).replace(entry.site.text.rfind("head."), 5, "head[1].")),
                   other = off.trace->value(
                       std::string(entry.site.text).replace(entry.site.text.rfind("head."), 5, "head[0]."));
      QVERIFY((out.array() == 0).all() && (other.array() != 0).any());
    }
    QVERIFY(zeros > 0);
    QVERIFY(weight(plain, kind, 1, 0, 1) != weight(off, kind, 1, 0, 1));
  }

  void even_heads_look_at_everything_evenly() {
    const Result plain = run_of("date-transformer");
    const Result even = run_of("date-transformer", head_even(plain, Kind::cross, 1, 2));
    for (const AttentionMap& map : attention_maps(even))
      if (map.kind == Kind::cross && map.layer == 1)
        for (Index row = 0; row < map.row_count(); ++row)
          for (Index column = 0; column < map.column_count(); ++column)
            QVERIFY(std::abs(static_cast<double>(map.weight(2, row, column)) -
                             1.0 / static_cast<double>(map.column_count())) < 1e-6);
    const Result flat = run_of("date-attention", head_even(run_of("date-attention"), Kind::cross, -1, 0));
    QVERIFY(std::abs(weight(flat, Kind::cross, 3, 4) - 1.0 / 29) < 1e-6);
  }
};

HEADLIGHT_TEST(TestMasks)

}  // namespace headlight::test_masks

#include "test_masks.moc"
