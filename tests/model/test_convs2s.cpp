// The convolutional model in float32: parity with PyTorch, the exact ordered names of its sites (models.md 4.11), what
// it can see, reordering, dropout, initial values, and the errors of its settings.

#include "model/core/random.h"
#include "tests/model/convs2s_cases.h"
#include "tests/test_program.h"

namespace headlight::test_convs2s {

using namespace headlight::testing;

namespace {

// S = 3, T = 2; two encoder layers, two decoder layers of which the second attends.
const std::vector<std::string> kNames = {
    "input.src.ids",
    "input.src.display_index",
    "encoder.embed.out",
    "encoder.in_proj.out",
    "encoder.layer[0].conv.pre",
    "encoder.layer[0].glu.a",
    "encoder.layer[0].glu.b",
    "encoder.layer[0].glu.gate",
    "encoder.layer[0].glu.out",
    "encoder.layer[0].out",
    "encoder.layer[1].conv.pre",
    "encoder.layer[1].glu.a",
    "encoder.layer[1].glu.b",
    "encoder.layer[1].glu.gate",
    "encoder.layer[1].glu.out",
    "encoder.layer[1].out",
    "encoder.keys",
    "encoder.values",
    "decoder.step[0].input.id",
    "decoder.step[0].embed.out",
    "decoder.step[0].in_proj.out",
    "decoder.step[0].layer[0].conv.pre",
    "decoder.step[0].layer[0].glu.a",
    "decoder.step[0].layer[0].glu.b",
    "decoder.step[0].layer[0].glu.gate",
    "decoder.step[0].layer[0].glu.out",
    "decoder.step[0].layer[0].out",
    "decoder.step[0].layer[1].conv.pre",
    "decoder.step[0].layer[1].glu.a",
    "decoder.step[0].layer[1].glu.b",
    "decoder.step[0].layer[1].glu.gate",
    "decoder.step[0].layer[1].glu.out",
    "decoder.step[0].layer[1].attn.query",
    "decoder.step[0].layer[1].attn.scores",
    "decoder.step[0].layer[1].attn.weights",
    "decoder.step[0].layer[1].attn.context",
    "decoder.step[0].layer[1].attn.out",
    "decoder.step[0].layer[1].out",
    "decoder.step[0].attn_mean",
    "decoder.step[0].out_proj.out",
    "decoder.step[0].output.logits",
    "decoder.step[0].output.probs",
    "decoder.step[1].input.id",
    "decoder.step[1].embed.out",
    "decoder.step[1].in_proj.out",
    "decoder.step[1].layer[0].conv.pre",
    "decoder.step[1].layer[0].glu.a",
    "decoder.step[1].layer[0].glu.b",
    "decoder.step[1].layer[0].glu.gate",
    "decoder.step[1].layer[0].glu.out",
    "decoder.step[1].layer[0].out",
    "decoder.step[1].layer[1].conv.pre",
    "decoder.step[1].layer[1].glu.a",
    "decoder.step[1].layer[1].glu.b",
    "decoder.step[1].layer[1].glu.gate",
    "decoder.step[1].layer[1].glu.out",
    "decoder.step[1].layer[1].attn.query",
    "decoder.step[1].layer[1].attn.scores",
    "decoder.step[1].layer[1].attn.weights",
    "decoder.step[1].layer[1].attn.context",
    "decoder.step[1].layer[1].attn.out",
    "decoder.step[1].layer[1].out",
    "decoder.step[1].attn_mean",
    "decoder.step[1].out_proj.out",
    "decoder.step[1].output.logits",
    "decoder.step[1].output.probs",
};

Tensor ids_up_to(Index count, Index vocabulary) {
  Tensor ids({count, 1});
  for (Index j = 0; j < count; ++j) ids[j] = static_cast<Scalar>((3 * j + 1) % vocabulary);
  return ids;
}

// Which of the rows of two matrices differ.
std::vector<Index> rows_that_differ(const Tensor& a, const Tensor& b) {
  std::vector<Index> rows;
  for (Index r = 0; r < a.rows(); ++r)
    if ((a.matrix().row(r) - b.matrix().row(r)).cwiseAbs().maxCoeff() > 0) rows.push_back(r);
  return rows;
}

std::vector<Index> range(Index from, Index to) {
  std::vector<Index> all;
  for (Index i = from; i < to; ++i) all.push_back(i);
  return all;
}

Json settings_of(QString text) { return Json::parse(text.replace('\'', '"').toStdString()); }

// A new model with room for statistics.
std::unique_ptr<Model> new_model(const Json& differences = Json::object()) {
  Json config = {{"model_type", "convs2s"}, {"source_vocabulary_size", 400}, {"target_vocabulary_size", 300}};
  for (const auto& [key, value] : differences.items()) config[key] = value;
  return make_model(config, 7);
}

}  // namespace

class TestConvS2S : public QObject {
  Q_OBJECT
 private slots:
  void sites_data() { add_convs2s_rows(); }
  void sites() { QVERIFY(convs2s_sites_agree(1e-5)); }
  void gradients_data() { add_convs2s_rows(); }
  void gradients() { QVERIFY(convs2s_gradients_agree(1e-5)); }
  void recording_data() { add_convs2s_rows(); }
  void recording() { QVERIFY(convs2s_recording_changes_nothing()); }
  void batched_is_single_data();
  void batched_is_single();
  void pieces_are_the_whole();
  void exact_ordered_names();
  void shapes_follow_the_catalogue();
  void the_future_is_not_seen();
  void encoder_sees_its_receptive_field_data();
  void encoder_sees_its_receptive_field();
  void decoder_looks_back_only_so_far();
  void rows_are_reordered();
  void attention_is_the_mean_of_the_layers();
  void an_empty_source_gives_no_nan();
  void dropout_needs_training_and_draws();
  void weight_norm_starts_as_the_same_model();
  void initial_values();
  void positions_end();
  void refused_settings_data();
  void refused_settings();
};

void TestConvS2S::batched_is_single_data() {
  QTest::addColumn<QString>("differences");
  QTest::newRow("as it is") << "{}";
  QTest::newRow("reversed") << "{'reverse_source': true}";
  QTest::newRow("wide kernel") << "{'kernel_size': 5}";
  QTest::newRow("even kernel") << "{'kernel_size': 4}";
  QTest::newRow("kernel of one") << "{'kernel_size': 1}";
  QTest::newRow("without weight norm") << "{'weight_norm': false}";
  QTest::newRow("attention everywhere") << "{'attention_layers': 'all'}";
}

void TestConvS2S::batched_is_single() {
  QFETCH(QString, differences);
  QVERIFY(convs2s_batch_agrees(settings_of(differences), 1e-5));
}

void TestConvS2S::pieces_are_the_whole() {
  for (const Index kernel : {1, 2, 3, 5}) QVERIFY(convs2s_pieces_agree(kernel, 1e-5));
}

void TestConvS2S::exact_ordered_names() {
  for (const bool reverse : {false, true}) {
    const auto model = filled_convs2s({{"decoder_layers", 2}, {"attention_layers", {1}}, {"reverse_source", reverse}});
    const auto trace = convs2s_trace(*model, ids_up_to(3, 11), Tensor::of({2}, {1, 4}));
    for (std::size_t i = 0; i < std::min<std::size_t>(kNames.size(), trace->entries().size()); ++i)
      QCOMPARE(QString::fromStdString((*trace)[static_cast<int>(i)].site.text), QString::fromStdString(kNames[i]));
    QCOMPARE(trace->entries().size(), kNames.size());
  }
}

void TestConvS2S::shapes_follow_the_catalogue() {
  for (const Index s_count : {4, 1}) {
    const auto model = filled_convs2s();
    const auto trace = convs2s_trace(*model, ids_up_to(s_count, 11), Tensor::of({1}, {1}));
    for (const TraceEntry& entry : trace->entries()) {
      const std::string& name = entry.site.text;
      QVERIFY2(static_cast<std::size_t>(entry.value.rank()) == entry.site.kind->axes.size(), name.c_str());
      for (int axis = 0; axis < entry.value.rank(); ++axis) {
        Index expected = 1;  // Axis::single
        switch (entry.site.kind->axes[static_cast<std::size_t>(axis)]) {
          case Axis::source:
            expected = s_count;
            break;
          case Axis::vocabulary:
            expected = 9;
            break;
          case Axis::unit:
            expected = 6;
            if (name.ends_with("conv.pre")) expected = 12;
            if (name.ends_with("out_proj.out")) expected = 7;
            for (const char* leaf : {"embed.out", "keys", "values", "query", "context"})
              if (name.ends_with(leaf)) expected = 5;
            break;
          default:
            QCOMPARE(name.ends_with("input.id"), true);
        }
        QVERIFY2(entry.value.dim(axis) == expected, name.c_str());
      }
    }
  }
}

// Invariant I5.
void TestConvS2S::the_future_is_not_seen() {
  const auto model = filled_convs2s();
  const Tensor fed = ids_up_to(6, 9);
  const Tensor before = model->begin(ids_up_to(5, 11), {})->advance(fed, {});
  for (Index t = 0; t < 6; ++t) {
    Tensor other = fed.clone();
    other[t] = static_cast<Scalar>((static_cast<int>(fed[t]) + 4) % 9);
    const Tensor after = model->begin(ids_up_to(5, 11), {})->advance(other, {});
    QCOMPARE(rows_that_differ(before, after), range(t, 6));  // three layers of three look back six
  }
}

void TestConvS2S::encoder_sees_its_receptive_field_data() {
  QTest::addColumn<int>("layers");
  QTest::addColumn<int>("kernel");
  QTest::newRow("one layer of three") << 1 << 3;
  QTest::newRow("two layers of three") << 2 << 3;
  QTest::newRow("four layers of three") << 4 << 3;
  QTest::newRow("three layers of five") << 3 << 5;
  QTest::newRow("six layers of five see 25") << 6 << 5;  // Gehring et al. 2017, section 3.2
}

// A changed token changes the keys of the 1 + L(k − 1) tokens around it, and no others.
void TestConvS2S::encoder_sees_its_receptive_field() {
  QFETCH(int, layers);
  QFETCH(int, kernel);
  const auto model = filled_convs2s({{"encoder_layers", layers}, {"kernel_size", kernel}, {"max_positions", 31}});
  const Index s_count = 31, middle = 15, reach = layers * (kernel - 1) / 2;
  const auto keys = [&](Scalar id) {
    Tensor ids = Tensor::full({s_count, 1}, 3);
    ids[middle] = id;
    return convs2s_trace(*model, ids, Tensor(Shape{0}))->value("encoder.keys");
  };
  const std::vector<Index> seen = rows_that_differ(keys(3), keys(8));
  QCOMPARE(seen, range(middle - reach, middle + reach + 1));
  QCOMPARE(static_cast<int>(seen.size()), 1 + layers * (kernel - 1));
}

void TestConvS2S::decoder_looks_back_only_so_far() {
  const auto model = filled_convs2s({{"decoder_layers", 2}, {"attention_layers", {0}}});
  const Tensor fed = Tensor::full({10, 1}, 3);
  Tensor other = fed.clone();
  other[2] = 8;
  const Source source = ids_up_to(5, 11);
  const Tensor a = model->begin(source, {})->advance(fed, {}), b = model->begin(source, {})->advance(other, {});
  QCOMPARE(rows_that_differ(a, b), range(2, 2 + 1 + 2 * 2));
}

// A beam: hypotheses swap, double and go; each goes on as if it had been alone.
void TestConvS2S::rows_are_reordered() {
  const auto model = filled_convs2s();
  const PaddedBatch batch;
  const std::vector<Index> rows = {2, 0, 0, 1};
  const auto decoding = model->begin(batch.source(), {});
  decoding->advance(batch.fed.view(0, {2, 3}), {});
  decoding->select(rows);
  QVERIFY(decoding->attention().shape() == Shape({4, 2, 7}));
  const Tensor next = Tensor::of({2, 4}, {5, 6, 7, 8, 1, 0, 3, 2});
  const Tensor together = decoding->advance(next, {});
  for (Index i = 0; i < 4; ++i) {
    const Index n = rows[static_cast<std::size_t>(i)];
    const auto alone = model->begin(batch.alone(n), {});
    alone->advance(batch.column(batch.fed, n).view(0, {2, 1}), {});
    const Tensor expected = alone->advance(batch.column(next, i), {});
    QVERIFY(same(difference(together.view(i * 18, {1, 2, 9}), expected, 1e-5), "selected row"));
  }
}

void TestConvS2S::attention_is_the_mean_of_the_layers() {
  const auto model = filled_convs2s();
  const PaddedBatch batch;
  const auto decoding = model->begin(batch.source(), {});
  QVERIFY(!decoding->attention().defined());
  decoding->advance(batch.fed, {});
  const Tensor shown = decoding->attention();
  QVERIFY(shown.shape() == Shape({3, 4, 7}));
  for (Index n = 0; n < 3; ++n) {
    const auto trace = convs2s_trace(*model, batch.alone(n), batch.column(batch.fed, n));
    for (Index t = 0; t < 4; ++t) {
      const std::string step = "decoder.step[" + std::to_string(t) + "].";
      const Tensor mean = trace->value(step + "attn_mean"), first = trace->value(step + "layer[0].attn.weights"),
                   third = trace->value(step + "layer[2].attn.weights");
      double sum = 0;
      for (Index j = 0; j < 7; ++j) {
        const auto a = static_cast<double>(shown[(n * 4 + t) * 7 + j]);
        sum += a;
        if (j >= mean.size()) {
          QCOMPARE(a, 0.0);  // padding
          continue;
        }
        QVERIFY(std::abs(a - static_cast<double>(mean[j])) < 1e-6);
        QVERIFY(std::abs(a - static_cast<double>(first[j] + third[j]) / 2) < 1e-6);
      }
      QVERIFY(std::abs(sum - 1) < 1e-5);
    }
  }
}

// A sentence of nothing but padding attends to nothing (models.md 1.3).
void TestConvS2S::an_empty_source_gives_no_nan() {
  const auto model = filled_convs2s();
  const auto decoding = model->begin({ids_up_to(4, 11), Tensor::zeros({1, 4})}, {});
  for (const double x : doubles(decoding->advance(ids_up_to(3, 9), {}))) QVERIFY(std::isfinite(x));
  QCOMPARE(doubles(decoding->attention()), std::vector<double>(12, 0));
}

void TestConvS2S::dropout_needs_training_and_draws() {
  const auto model = filled_convs2s({{"dropout", 0.4}});
  const PaddedBatch batch;
  const auto logits = [&](const Pass& pass) {
    return doubles(model->begin(batch.source(), pass)->advance(batch.fed, pass));
  };
  const auto dropped = [&](std::uint64_t seed, bool training) {
    Random random(seed, Random::Stream::dropout);
    Pass pass;
    pass.random = &random;
    pass.training = training;
    auto values = logits(pass);
    values.push_back(static_cast<double>(random.counter()));
    return values;
  };
  const std::vector<double> plain = logits({}), first = dropped(1, true);
  const auto without_count = [](std::vector<double> v) {
    v.pop_back();
    return v;
  };
  QCOMPARE(without_count(dropped(1, false)), plain);
  QCOMPARE(dropped(1, true), first);
  QVERIFY(without_count(first) != plain);
  QVERIFY(without_count(dropped(2, true)) != without_count(first));
  // One draw for each number that may be dropped: both embeddings, the inputs of 2 + 3 convolutions, the readout.
  const Index s = 3 * 7, t = 3 * 4;
  QCOMPARE(first.back(), static_cast<double>(5 * (s + t) + 6 * (2 * s + 3 * t) + 7 * t));
  QCOMPARE(dropped(1, false).back(), 0.0);
}

// W = g v / ‖v‖ with g = ‖v‖ is v.
void TestConvS2S::weight_norm_starts_as_the_same_model() {
  const auto with = new_model({{"weight_norm", true}}), without = new_model({{"weight_norm", false}});
  const Source source = ids_up_to(6, 400);
  const Tensor a = with->begin(source, {})->advance(ids_up_to(4, 300), {}),
               b = without->begin(source, {})->advance(ids_up_to(4, 300), {});
  QVERIFY(same(difference(a, b, 1e-5), "logits"));
  QVERIFY(difference(a, Tensor::zeros(a.shape()), 1e-3) != QString());
  QVERIFY(with->parameters().count() > without->parameters().count());
  QVERIFY(with->parameters().find("encoder.layer[0].conv.g"));
  QVERIFY(without->parameters().find("encoder.layer[0].conv.W"));
}

// The variances of models.md 4.11 with dropout 0.1: p = 0.9.
void TestConvS2S::initial_values() {
  const auto model = new_model({{"weight_norm", false}, {"out_size", 32}});
  const std::vector<std::pair<const char*, double>> expected = {
      {"encoder.embed.W", 0.01},
      {"encoder.pos.W", 0.01},
      {"decoder.embed.W", 0.01},
      {"decoder.pos.W", 0.01},
      {"encoder.in_proj.W", 0.9 / 64},
      {"encoder.layer[1].conv.W", 4 * 0.9 / (3 * 64)},
      {"decoder.layer[3].conv.W", 4 * 0.9 / (3 * 64)},
      {"encoder.out_proj.W", 1.0 / 64},
      {"decoder.layer[2].attn.in_proj.W", 1.0 / 64},
      {"decoder.layer[2].attn.out_proj.W", 1.0 / 64},
      {"decoder.out_proj.W", 1.0 / 64},
      {"decoder.output.W", 0.9 / 32},
  };
  for (const auto& [name, variance] : expected) {
    const Tensor* value = model->parameters().find(name);
    QVERIFY2(value, name);
    double mean = 0, square = 0;
    for (const double x : doubles(*value)) {
      mean += x;
      square += x * x;
    }
    const auto n = static_cast<double>(value->size());
    // Four deviations of an estimate from n draws of a Gaussian.
    QVERIFY2(std::abs(mean / n) < 4 * std::sqrt(variance / n), name);
    QVERIFY2(std::abs(square / n / variance - 1) < 4 * std::sqrt(2 / n), name);
  }
  for (const Parameter& p : model->parameters().all())
    if (p.name.ends_with(".b"))
      QCOMPARE(doubles(p.value), std::vector<double>(static_cast<std::size_t>(p.value.size())));
}

void TestConvS2S::positions_end() {
  const auto model = filled_convs2s();  // 12 positions
  QCOMPARE(message_of<UsageError>([&] { model->begin(ids_up_to(13, 11), {}); }),
           "the source has 13 tokens; this model knows 12 positions (max_positions)");
  const auto decoding = model->begin(ids_up_to(12, 11), {});
  decoding->advance(ids_up_to(10, 9), {});
  QCOMPARE(message_of<UsageError>([&] { decoding->advance(ids_up_to(3, 9), {}); }),
           "the target has 13 tokens; this model knows 12 positions (max_positions)");
  QVERIFY(decoding->advance(ids_up_to(2, 9), {}).shape() == Shape({1, 2, 9}));  // nothing was lost by the refusal
}

void TestConvS2S::refused_settings_data() {
  QTest::addColumn<QString>("setting");
  QTest::addColumn<QString>("message");
  const QString layers = "\"attention_layers\" must be \"all\" or a list of decoder layers from 0 to 2, found ";
  QTest::newRow("kernel") << "{'kernel_size': 0}"
                          << "\"kernel_size\" must be a whole number from 1 to 63, found 0";
  QTest::newRow("no layers") << "{'encoder_layers': 0}"
                             << "\"encoder_layers\" must be a whole number from 1 to 64, found 0";
  QTest::newRow("no attention") << "{'attention_layers': []}" << layers + "[]";
  QTest::newRow("no such layer") << "{'attention_layers': [1,3]}" << layers + "[1,3]";
  QTest::newRow("negative layer") << "{'attention_layers': [-1]}" << layers + "[-1]";
  QTest::newRow("a word") << "{'attention_layers': 'some'}" << layers + "\"some\"";
}

void TestConvS2S::refused_settings() {
  QFETCH(QString, setting);
  QFETCH(QString, message);
  QCOMPARE(message_of<FormatError>([&] { make_model(tiny_convs2s(settings_of(setting)), 1); }), message);
}

HEADLIGHT_TEST(TestConvS2S)

}  // namespace headlight::test_convs2s

#include "test_convs2s.moc"
