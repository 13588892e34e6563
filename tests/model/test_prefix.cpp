// Going on from an earlier run: what a causal decoder has read (or, with explanations, multiplied) of the same
// beginning is taken over, and the result and its trace are those of a run from nothing.

#include "model/decode/run.h"
#include "model/ops/basic.h"
#include "model/ops/known_rows.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_prefix {

using namespace headlight::testing;

namespace {

std::shared_ptr<const ModelBundle> bundle_of(const Json& changes) {
  Json config = {{"model_type", "decoder_only"},
                 {"source_vocabulary_size", 12},
                 {"target_vocabulary_size", 12},
                 {"model_size", 16},
                 {"heads", 2},
                 {"ff_size", 24},
                 {"decoder_layers", 3},
                 {"tie", "all"}};
  config.update(changes);
  auto bundle = std::make_shared<ModelBundle>();
  bundle->model = make_model(config, 7);
  const std::vector<std::string> letters = {"a", "b", "c", "d", "e", "f", "g", "h"};
  bundle->text = rules_with_end(TokenizerKind::characters, letters, letters);
  bundle->text.target_length = 4;
  return bundle;
}

// All of a prompt but the scores of pairs that the mask takes away.
const std::vector<std::string> kSites = {"input.*",
                                         "decoder.embed.*",
                                         "decoder.layer.norm1.*",
                                         "decoder.layer.self_attn.head.q",
                                         "decoder.layer.self_attn.head.k_rotated",
                                         "decoder.layer.self_attn.head.v",
                                         "decoder.layer.self_attn.keep",
                                         "decoder.layer.self_attn.head.scores_masked",
                                         "decoder.layer.self_attn.head.weights",
                                         "decoder.layer.self_attn.head.out",
                                         "decoder.layer.self_attn.concat",
                                         "decoder.layer.ffn.*",
                                         "decoder.layer.residual2",
                                         "decoder.final_norm.*",
                                         "decoder.step.*"};

Request request_of(const std::shared_ptr<const ModelBundle>& bundle, const std::string& source) {
  Request request;
  request.model = bundle;
  request.source = source;
  request.capture = {kSites, false};
  return request;
}

bool same_number(Scalar a, Scalar b) { return a == b || std::abs(a - b) <= Scalar(5e-6) * (1 + std::abs(b)); }

QString difference(const Trace& a, const Trace& b) {
  if (a.size() != b.size()) return QString("%1 and %2 sites").arg(a.size()).arg(b.size());
  for (int i = 0; i < a.size(); ++i) {
    const QString name = QString::fromStdString(b[i].site.text);
    if (a[i].site.text != b[i].site.text) return name + " is missing";
    if (a[i].value.shape() != b[i].value.shape())
      return name + " is " + QString::fromStdString(a[i].value.shape().text());
    for (Index j = 0; j < a[i].value.size(); ++j)
      if (!same_number(a[i].value[j], b[i].value[j]))
        return QString("%1[%2]: %3 and %4").arg(name).arg(j).arg(a[i].value[j]).arg(b[i].value[j]);
  }
  return {};
}

}  // namespace

class TestPrefix : public QObject {
  Q_OBJECT

 private slots:
  void typing_goes_on_where_it_was_data() {
    QTest::addColumn<QString>("changes");
    QTest::newRow("answers") << "{}";
    QTest::newRow("continues") << "{\"prompt\": \"continue\"}";
    QTest::newRow("rotary, grouped") << "{\"positions\": \"rotary\", \"key_value_heads\": 1, \"norm\": \"rms\"}";
    QTest::newRow("relative") << "{\"positions\": \"relative\"}";
    QTest::newRow("window") << "{\"window\": 3, \"positions\": \"learned\"}";
    QTest::newRow("post") << "{\"norm_place\": \"post\"}";
    for (const char* type : {"dynamic", "longrope"})  // of texts that grow longer than those of the training
      QTest::newRow(type) << QString(
                                 "{\"positions\": \"rotary\", \"rotary_scaling\": {\"type\": \"%1\", \"factor\": 2, "
                                 "\"original\": 4, \"short_factors\": [1, 1, 1, 1], \"long_factors\": [2, 3, 4, 5]}}")
                                 .arg(type);
    QTest::newRow("as BERT, one letter takes no place")
        << "{\"norm_place\": \"post\", \"embedding_norm\": true, \"head_transform\": true, \"token_types\": 2, "
           "\"positions\": \"learned\", \"position_offset\": 1, \"position_padding\": 5, \"prompt\": \"continue\"}";
  }

  // Each text is run with what the one before it has left, and from nothing.
  void typing_goes_on_where_it_was() {
    QFETCH(QString, changes);
    const auto bundle = bundle_of(Json::parse(changes.toStdString()));
    std::shared_ptr<const Result> before;
    Index reused = 0;
    for (const char* text : {"abc", "abcd", "abcdef", "abcef", "abcefghab", "ab", "gab"}) {
      Request request = request_of(bundle, text);
      const Result full = run(request);
      request.previous = before;
      auto now = std::make_shared<Result>(run(request));
      reused += now->reused;
      QCOMPARE(now->output, full.output);
      QCOMPARE(difference(*now->trace, *full.trace), QString());
      before = now;
    }
    QVERIFY2(reused >= 8, qPrintable(QString::number(reused)));
  }

  // The same with every site and with explanations: every number opens into its own arithmetic.
  void typing_with_explanations_data() { typing_goes_on_where_it_was_data(); }
  void typing_with_explanations() {
    QFETCH(QString, changes);
    const auto bundle = bundle_of(Json::parse(changes.toStdString()));
    std::shared_ptr<const Result> before;
    Index reused = 0;
    for (const char* text : {"abc", "abcd", "abcdef", "abcef", "abcefghab", "ab", "gab"}) {
      Request request = request_of(bundle, text);
      request.capture = {};
      const Result full = run(request);
      request.previous = before;
      auto now = std::make_shared<Result>(run(request));
      reused += now->reused;
      QCOMPARE(now->output, full.output);
      QCOMPARE(difference(*now->trace, *full.trace), QString());
      for (int k = 0; k < now->trace->size(); ++k)
        for (const Index cell : {Index(0), (*now->trace)[k].value.size() - 1}) {
          const Explanation made = now->trace->explain(k, cell), wanted = full.trace->explain(k, cell);
          const std::string& site = (*now->trace)[k].site.text;
          QVERIFY2(made.op == wanted.op && made.terms.size() == wanted.terms.size(), site.c_str());
          const bool same = made.value == made.recomputed || (std::isnan(made.value) && std::isnan(made.recomputed)) ||
                            std::abs(made.value - made.recomputed) <= 2e-5 * (1 + std::abs(made.value));
          QVERIFY2(same, site.c_str());
        }
      before = now;
    }
    QVERIFY2(reused >= 8, qPrintable(QString::number(reused)));
  }

  // A number that is wrong in the earlier run is found again in the next one: it was not computed.
  void products_of_the_same_rows_are_not_computed_again() {
    const auto bundle = bundle_of(Json::object());
    Request request = request_of(bundle, "abcd");
    request.capture = {};
    const auto first = std::make_shared<Result>(run(request));
    const auto value = [](const Result& result) { return result.trace->value("decoder.layer[2].ffn.pre"); };
    Tensor earlier = value(*first);  // [4 x 24]
    earlier[3 * 24 + 5] = 77;
    request.source = "abcde";
    QVERIFY(value(run(request))[3 * 24 + 5] != 77);
    request.previous = first;
    QCOMPARE(value(run(request))[3 * 24 + 5], Scalar(77));
    request.source = "abce";
    const Result other = run(request);
    QCOMPARE(other.reused, Index(3));
    QVERIFY(value(other)[3 * 24 + 5] != 77);
  }

  // Only of rows that are the same, and of a weight that was used once.
  void an_op_looks_at_its_rows() {
    Tensor weight = Tensor::of({2, 2}, {1, 2, 3, 4}), bias = Tensor::vector({10, 20});
    weight.mark_parameter();
    bias.mark_parameter();
    using Values = std::vector<Scalar>;
    KnownRows before, now;
    const auto product = [&](const Tensor& x) { return linear(x, weight, bias).values(); };
    {
      const KnownRows::Scope scope(&before, nullptr, 0);
      Tensor made = linear(Tensor::of({3, 2}, {1, 0, 0, 1, 1, 1}), weight, bias);
      made[0] = 77;  // that nobody computes
      made[2] = 78;
    }
    {
      const KnownRows::Scope scope(&now, &before, 2);
      QCOMPARE(product(Tensor::of({3, 2}, {1, 0, 0, 1, 1, 1})), (Values{77, 22, 78, 24, 14, 26}));
      QCOMPARE(product(Tensor::of({2, 2}, {1, 0, 0, 2})), (Values{77, 22, 16, 28}));
      QCOMPARE(product(Tensor::of({2, 2}, {2, 0, 0, 1})), (Values{12, 24, 13, 24}));
      QCOMPARE(product(Tensor::of({1, 2}, {1, 0})), (Values{77, 22}));
      const Tensor addend = Tensor::of({1, 2}, {5, 5});  // of its own: the rows of x do not say all
      QCOMPARE(linear(Tensor::of({1, 2}, {1, 0}), weight, addend).values(), (Values{6, 7}));
    }
    QCOMPARE(product(Tensor::of({1, 2}, {1, 0})), (Values{11, 22}));
    const KnownRows::Scope scope(nullptr, &now, 1);  // which used it several times
    QCOMPARE(product(Tensor::of({1, 2}, {1, 0})), (Values{11, 22}));
  }

  void nothing_is_taken_over_where_it_would_be_wrong() {
    const auto bundle = bundle_of(Json::object());
    const auto first = std::make_shared<Result>(run(request_of(bundle, "abcd")));
    const auto reused = [&](Request request) {
      request.previous = first;
      return run(request).reused;
    };
    QCOMPARE(reused(request_of(bundle, "abcde")), Index(4));
    QCOMPARE(reused(request_of(bundle, "bcde")), Index(0));
    QCOMPARE(reused(request_of(bundle_of(Json::object()), "abcde")), Index(0));       // another model
    QCOMPARE(reused(request_of(bundle_of({{"causal", false}}), "abcde")), Index(0));  // looks ahead
    Request request = request_of(bundle, "abcde");
    request.capture = {{}, false};  // wants the scores of masked pairs: only products are taken over
    QCOMPARE(reused(request), Index(4));
    request.capture = {kSites, true};
    QCOMPARE(reused(request), Index(4));
    request.capture = {{"decoder.step.*"}, false};
    QCOMPARE(reused(request), Index(4));
    request = request_of(bundle, "abcde");
    request.interventions = {parse_intervention("decoder.step[0].output.logits[1]+3")};
    QCOMPARE(reused(request), Index(4));
    request.interventions = {parse_intervention("decoder.layer[0].self_attn.head[1].out=0")};
    QCOMPARE(reused(request), Index(0));
    request.previous = std::make_shared<Result>(run(request));  // what an edit has changed does not live on
    request.interventions.clear();
    QCOMPARE(run(request).reused, Index(0));
  }

  // With explanations on, and for every architecture: what was read of a source that did not change is taken over, and
  // every number, every name and all of the arithmetic are those of a run from nothing.
  void the_source_is_read_once_data() {
    QTest::addColumn<QString>("architecture");
    for (const Architecture& row : architectures()) QTest::newRow(row.name) << QString(row.name);
  }
  void the_source_is_read_once() {
    QFETCH(QString, architecture);
    auto bundle = std::make_shared<ModelBundle>();
    Json config = {
        {"model_type", architecture.toStdString()}, {"source_vocabulary_size", 16}, {"target_vocabulary_size", 16}};
    bundle->model = make_model(config, 7);
    const std::vector<std::string> letters = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    bundle->text = rules_with_end(TokenizerKind::characters, letters, letters);
    bundle->text.target_length = 4;
    const bool guesses = architecture == "encoder_only";
    if (guesses) bundle->text.eos.reset();  // it writes one token for each of the source
    std::shared_ptr<const Result> before;
    Index reused = 0;
    // Typing a target letter by letter, then other decoding, then an edit of the decoder.
    for (const char* target : {"", "a", "ab", "abc", "sample", "edit"}) {
      Request request;
      request.model = bundle;
      request.source = "abcd";
      const std::string what = target;
      if (what == "sample") request.decode.kind = DecodeSettings::Kind::sample;
      if (what == "edit") request.interventions = {parse_intervention("decoder.step[0].output.logits[1]+3")};
      if (!guesses && !what.empty() && what.size() < 4) {
        request.target = what;
        request.prefix = true;
      }
      const Result full = run(request);
      request.previous = before;
      auto now = std::make_shared<Result>(run(request));
      reused += now->reused;
      QCOMPARE(now->output, full.output);
      QCOMPARE(difference(*now->trace, *full.trace), QString());
      for (int i = 0; i < now->trace->size(); ++i) {
        QVERIFY2(now->trace->inputs(i) == full.trace->inputs(i), (*now->trace)[i].site.text.c_str());
        const Index last = (*now->trace)[i].value.size() - 1;
        const Explanation a = now->trace->explain(i, last), b = full.trace->explain(i, last);
        QCOMPARE(a.terms.size(), b.terms.size());
        QCOMPARE(a.op, b.op);
        for (std::size_t k = 0; k < a.terms.size(); ++k)
          for (std::size_t c = 0; c < a.terms[k].cells.size(); ++c)
            QCOMPARE(now->trace->locate(a.terms[k].cells[c]).text(), full.trace->locate(b.terms[k].cells[c]).text());
      }
      before = now;
    }
    QCOMPARE(reused, Index(5 * 4));
  }
  void an_edit_of_the_encoder_is_computed() {
    const auto bundle = bundle_of({{"model_type", "transformer"}, {"encoder_layers", 1}, {"decoder_layers", 1}});
    Request request;
    request.model = bundle;
    request.source = "abcd";
    const auto plain = std::make_shared<Result>(run(request));
    request.previous = plain;
    request.interventions = {parse_intervention("encoder.embed.out[0,0]=9")};
    const auto edited = std::make_shared<Result>(run(request));
    QCOMPARE(edited->reused, Index(0));
    request.interventions.clear();
    request.previous = edited;
    QCOMPARE(run(request).reused, Index(0));  // and does not live on
    request.source = "abce";
    request.previous = plain;
    QCOMPARE(run(request).reused, Index(0));
  }

  void long_texts_step_by_step_data() {
    QTest::addColumn<QString>("changes");
    QTest::newRow("after a prompt") << "{}";
    QTest::newRow("continues") << "{\"prompt\": \"continue\", \"positions\": \"rotary\"}";
    QTest::newRow("relative") << "{\"positions\": \"relative\"}";
    QTest::newRow("window") << "{\"window\": 20}";
  }

  // Keys and values are kept where there is room for more: over several such places, for sentences of different lengths
  // that change places on the way, the logits are those of one pass.
  void long_texts_step_by_step() {
    QFETCH(QString, changes);
    const auto bundle = bundle_of(Json::parse(changes.toStdString()));
    constexpr Index kSteps = 150, kSwap = 75, kBatch = 2, kSource = 5;
    Random random(1, Random::Stream::data);
    Tensor source({kSource, kBatch}), ids({kSteps, kBatch});
    for (Tensor* t : {&source, &ids})
      for (Index i = 0; i < t->size(); ++i) (*t)[i] = static_cast<Scalar>(4 + random.below(8));
    Source sources{source, Tensor::of({kBatch, kSource}, {1, 1, 1, 1, 1, 1, 1, 1, 0, 0})};
    const Tensor together = bundle->model->begin(sources, {})->advance(ids, {});  // [N x T x V]
    const auto decoding = bundle->model->begin(sources, {});
    const Index v = together.dim(2);
    for (Index t = 0; t < kSteps; ++t) {
      if (t == kSwap) decoding->select({1, 0});
      const bool swapped_now = t >= kSwap;
      Tensor now({1, kBatch});
      for (Index n = 0; n < kBatch; ++n) now[n] = ids[t * kBatch + (swapped_now ? 1 - n : n)];
      const Tensor logits = decoding->advance(now, {});
      for (Index n = 0; n < kBatch; ++n)
        for (Index i = 0; i < v; ++i) {
          const Scalar a = logits[n * v + i], b = together[((swapped_now ? 1 - n : n) * kSteps + t) * v + i];
          QVERIFY2(std::abs(a - b) <= Scalar(2e-5) * (1 + std::abs(b)), qPrintable(QString("step %1").arg(t)));
        }
    }
  }

  void only_the_output_needs_no_trace() {
    const auto bundle = bundle_of(Json::object());
    Request request = request_of(bundle, "abcd");
    request.trace = false;
    const auto first = std::make_shared<Result>(run(request));
    request.source = "abcdh";
    const Result full = run(request);
    request.previous = first;
    const Result now = run(request);
    QCOMPARE(now.reused, Index(4));
    QCOMPARE(now.output, full.output);
  }
};

HEADLIGHT_TEST(TestPrefix)

}  // namespace headlight::test_prefix

#include "test_prefix.moc"
