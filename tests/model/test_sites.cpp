// Sites: the exact ordered names that each model publishes (from the tables of models.md 4.1, 4.2 and 4.4), the
// catalogue that describes them, and the text form of a site.

#include <set>

#include "model/trace/trace.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_sites {

using namespace headlight::testing;

namespace {

// S = 3, T = 2.
const std::vector<std::string> kPlain = {
    "input.src.ids",
    "input.src.display_index",
    "encoder.embed.out",
    "encoder.step[0].lstm.pre",
    "encoder.step[0].lstm.gate.f",
    "encoder.step[0].lstm.cand.g",
    "encoder.step[0].lstm.gate.i",
    "encoder.step[0].lstm.gate.o",
    "encoder.step[0].lstm.c",
    "encoder.step[0].lstm.h",
    "encoder.step[1].lstm.pre",
    "encoder.step[1].lstm.gate.f",
    "encoder.step[1].lstm.cand.g",
    "encoder.step[1].lstm.gate.i",
    "encoder.step[1].lstm.gate.o",
    "encoder.step[1].lstm.c",
    "encoder.step[1].lstm.h",
    "encoder.step[2].lstm.pre",
    "encoder.step[2].lstm.gate.f",
    "encoder.step[2].lstm.cand.g",
    "encoder.step[2].lstm.gate.i",
    "encoder.step[2].lstm.gate.o",
    "encoder.step[2].lstm.c",
    "encoder.step[2].lstm.h",
    "encoder.states",
    "encoder.bottleneck",
    "decoder.init.h",
    "decoder.init.c",
    "decoder.step[0].input.id",
    "decoder.step[0].embed.out",
    "decoder.step[0].lstm.pre",
    "decoder.step[0].lstm.gate.f",
    "decoder.step[0].lstm.cand.g",
    "decoder.step[0].lstm.gate.i",
    "decoder.step[0].lstm.gate.o",
    "decoder.step[0].lstm.c",
    "decoder.step[0].lstm.h",
    "decoder.step[0].output.logits",
    "decoder.step[0].output.probs",
    "decoder.step[1].input.id",
    "decoder.step[1].embed.out",
    "decoder.step[1].lstm.pre",
    "decoder.step[1].lstm.gate.f",
    "decoder.step[1].lstm.cand.g",
    "decoder.step[1].lstm.gate.i",
    "decoder.step[1].lstm.gate.o",
    "decoder.step[1].lstm.c",
    "decoder.step[1].lstm.h",
    "decoder.step[1].output.logits",
    "decoder.step[1].output.probs",
};

const std::vector<std::string> kPeeky = {
    "input.src.ids",
    "input.src.display_index",
    "encoder.embed.out",
    "encoder.step[0].lstm.pre",
    "encoder.step[0].lstm.gate.f",
    "encoder.step[0].lstm.cand.g",
    "encoder.step[0].lstm.gate.i",
    "encoder.step[0].lstm.gate.o",
    "encoder.step[0].lstm.c",
    "encoder.step[0].lstm.h",
    "encoder.step[1].lstm.pre",
    "encoder.step[1].lstm.gate.f",
    "encoder.step[1].lstm.cand.g",
    "encoder.step[1].lstm.gate.i",
    "encoder.step[1].lstm.gate.o",
    "encoder.step[1].lstm.c",
    "encoder.step[1].lstm.h",
    "encoder.step[2].lstm.pre",
    "encoder.step[2].lstm.gate.f",
    "encoder.step[2].lstm.cand.g",
    "encoder.step[2].lstm.gate.i",
    "encoder.step[2].lstm.gate.o",
    "encoder.step[2].lstm.c",
    "encoder.step[2].lstm.h",
    "encoder.states",
    "encoder.bottleneck",
    "decoder.init.h",
    "decoder.init.c",
    "decoder.step[0].input.id",
    "decoder.step[0].embed.out",
    "decoder.step[0].lstm.input",
    "decoder.step[0].lstm.pre",
    "decoder.step[0].lstm.gate.f",
    "decoder.step[0].lstm.cand.g",
    "decoder.step[0].lstm.gate.i",
    "decoder.step[0].lstm.gate.o",
    "decoder.step[0].lstm.c",
    "decoder.step[0].lstm.h",
    "decoder.step[0].readout",
    "decoder.step[0].output.logits",
    "decoder.step[0].output.probs",
    "decoder.step[1].input.id",
    "decoder.step[1].embed.out",
    "decoder.step[1].lstm.input",
    "decoder.step[1].lstm.pre",
    "decoder.step[1].lstm.gate.f",
    "decoder.step[1].lstm.cand.g",
    "decoder.step[1].lstm.gate.i",
    "decoder.step[1].lstm.gate.o",
    "decoder.step[1].lstm.c",
    "decoder.step[1].lstm.h",
    "decoder.step[1].readout",
    "decoder.step[1].output.logits",
    "decoder.step[1].output.probs",
};

const std::vector<std::string> kAttention = {
    "input.src.ids",
    "input.src.display_index",
    "encoder.embed.out",
    "encoder.step[0].lstm.pre",
    "encoder.step[0].lstm.gate.f",
    "encoder.step[0].lstm.cand.g",
    "encoder.step[0].lstm.gate.i",
    "encoder.step[0].lstm.gate.o",
    "encoder.step[0].lstm.c",
    "encoder.step[0].lstm.h",
    "encoder.step[1].lstm.pre",
    "encoder.step[1].lstm.gate.f",
    "encoder.step[1].lstm.cand.g",
    "encoder.step[1].lstm.gate.i",
    "encoder.step[1].lstm.gate.o",
    "encoder.step[1].lstm.c",
    "encoder.step[1].lstm.h",
    "encoder.step[2].lstm.pre",
    "encoder.step[2].lstm.gate.f",
    "encoder.step[2].lstm.cand.g",
    "encoder.step[2].lstm.gate.i",
    "encoder.step[2].lstm.gate.o",
    "encoder.step[2].lstm.c",
    "encoder.step[2].lstm.h",
    "encoder.states",
    "decoder.init.h",
    "decoder.init.c",
    "decoder.step[0].input.id",
    "decoder.step[0].embed.out",
    "decoder.step[0].lstm.pre",
    "decoder.step[0].lstm.gate.f",
    "decoder.step[0].lstm.cand.g",
    "decoder.step[0].lstm.gate.i",
    "decoder.step[0].lstm.gate.o",
    "decoder.step[0].lstm.c",
    "decoder.step[0].lstm.h",
    "decoder.step[0].attention.query",
    "decoder.step[0].attention.scores",
    "decoder.step[0].attention.weights",
    "decoder.step[0].attention.weighted",
    "decoder.step[0].attention.context",
    "decoder.step[0].readout",
    "decoder.step[0].output.logits",
    "decoder.step[0].output.probs",
    "decoder.step[1].input.id",
    "decoder.step[1].embed.out",
    "decoder.step[1].lstm.pre",
    "decoder.step[1].lstm.gate.f",
    "decoder.step[1].lstm.cand.g",
    "decoder.step[1].lstm.gate.i",
    "decoder.step[1].lstm.gate.o",
    "decoder.step[1].lstm.c",
    "decoder.step[1].lstm.h",
    "decoder.step[1].attention.query",
    "decoder.step[1].attention.scores",
    "decoder.step[1].attention.weights",
    "decoder.step[1].attention.weighted",
    "decoder.step[1].attention.context",
    "decoder.step[1].readout",
    "decoder.step[1].output.logits",
    "decoder.step[1].output.probs",
};

std::shared_ptr<const Trace> trace_of(const Model& model, Index source_length, Index target_length) {
  Recorder recorder({}, {});
  Tensor source({source_length, 1});
  for (Index j = 0; j < source_length; ++j) source[j] = static_cast<Scalar>((3 * j + 1) % 7);
  const auto decoding = model.begin(source, recorder.tap());
  for (Index t = 0; t < target_length; ++t)
    decoding->advance(Tensor::full({1, 1}, static_cast<Scalar>(t)), recorder.tap());
  return recorder.finish({});
}

std::vector<std::string> names_of(const Trace& trace) {
  std::vector<std::string> names;
  for (const TraceEntry& entry : trace.entries()) names.push_back(entry.site.text);
  return names;
}

}  // namespace

class TestSites : public QObject {
  Q_OBJECT
 private slots:
  void exact_ordered_names_data();
  void exact_ordered_names();
  void shapes_follow_the_catalogue();
  void sizes_of_one_keep_their_axes();
  void reversal_is_published();
  void every_row_of_the_catalogue_is_filled_in();
  void places_make_names();
  void sites_are_parsed();
  void kinds_know_their_side_and_role();
  void siblings_stand_in_the_same_attention_data();
  void siblings_stand_in_the_same_attention();
  void unknown_sites_are_refused();
  void attention_weights_are_shares();
  void attention_sits_on_what_fits_best();
  void peeky_without_its_weights_is_plain();
  void teacher_forced_rows_do_not_see_the_future();
};

void TestSites::exact_ordered_names_data() {
  QTest::addColumn<std::string>("architecture");
  QTest::addColumn<std::vector<std::string>>("expected");
  QTest::newRow("seq2seq") << std::string("seq2seq") << kPlain;
  QTest::newRow("seq2seq_peeky") << std::string("seq2seq_peeky") << kPeeky;
  QTest::newRow("attn_seq2seq") << std::string("attn_seq2seq") << kAttention;
}

void TestSites::exact_ordered_names() {
  QFETCH(std::string, architecture);
  QFETCH(std::vector<std::string>, expected);
  for (const bool reverse : {false, true}) {
    const auto names = names_of(*trace_of(*tiny_model(architecture.c_str(), reverse), 3, 2));
    for (std::size_t i = 0; i < std::min(names.size(), expected.size()); ++i)
      QCOMPARE(QString::fromStdString(names[i]), QString::fromStdString(expected[i]));
    QCOMPARE(names.size(), expected.size());
  }
}

void TestSites::shapes_follow_the_catalogue() {
  const TinySizes sizes{2, 5, 8, 9};
  const Index s_count = 3, h = sizes.hidden;
  for (const char* architecture : kArchitectures) {
    const auto trace = trace_of(*tiny_model(architecture, true, sizes), s_count, 2);
    for (const TraceEntry& entry : trace->entries()) {
      const std::string& name = entry.site.text;
      QVERIFY2(entry.site.kind, name.c_str());
      QCOMPARE(static_cast<std::size_t>(entry.value.rank()), entry.site.kind->axes.size());
      for (int axis = 0; axis < entry.value.rank(); ++axis) {
        const Index dim = entry.value.dim(axis);
        switch (entry.site.kind->axes[static_cast<std::size_t>(axis)]) {
          case Axis::source:
            QVERIFY2(dim == s_count, name.c_str());
            break;
          case Axis::vocabulary:
            QVERIFY2(dim == sizes.target_vocabulary, name.c_str());
            break;
          case Axis::single:
            QVERIFY2(dim == 1, name.c_str());
            break;
          case Axis::unit: {
            Index expected = h;
            if (name.ends_with("embed.out")) expected = sizes.embedding;
            if (name.ends_with("lstm.pre")) expected = 4 * h;
            if (name.ends_with("lstm.input")) expected = h + sizes.embedding;
            if (name.ends_with("readout")) expected = 2 * h;
            QVERIFY2(dim == expected, name.c_str());
            break;
          }
          default:
            QFAIL(name.c_str());
        }
      }
    }
  }
}

// One source token, one unit, one word: no axis may be taken for the batch.
void TestSites::sizes_of_one_keep_their_axes() {
  for (const char* architecture : kArchitectures) {
    auto model = tiny_model(architecture, true, {1, 1, 1, 1});
    Recorder recorder({}, {});
    const auto decoding = model->begin(Tensor::zeros({1, 1}), recorder.tap());
    decoding->advance(Tensor::zeros({1, 1}), recorder.tap());
    const auto trace = recorder.finish({});
    for (const TraceEntry& entry : trace->entries())
      QVERIFY2(static_cast<std::size_t>(entry.value.rank()) == entry.site.kind->axes.size(), entry.site.text.c_str());
    QCOMPARE(trace->value("decoder.step[0].output.probs")[0], Scalar(1));
    QVERIFY(trace->value("encoder.states").shape() == Shape({1, 1}));
  }
}

void TestSites::reversal_is_published() {
  const auto forward = trace_of(*tiny_model("attn_seq2seq", false), 3, 1);
  const auto reversed = trace_of(*tiny_model("attn_seq2seq", true), 3, 1);
  using V = std::vector<double>;  // the typed tokens are 1, 4, 0
  QCOMPARE(doubles(forward->value("input.src.ids")), (V{1, 4, 0}));
  QCOMPARE(doubles(forward->value("input.src.display_index")), (V{0, 1, 2}));
  QCOMPARE(doubles(reversed->value("input.src.ids")), (V{0, 4, 1}));
  QCOMPARE(doubles(reversed->value("input.src.display_index")), (V{2, 1, 0}));
}

void TestSites::every_row_of_the_catalogue_is_filled_in() {
  std::set<std::string> patterns;
  for (const SiteKind& kind : site_catalogue()) {
    QVERIFY2(patterns.insert(kind.pattern).second, kind.pattern);
    QCOMPARE(without_indices(kind.pattern), std::string(kind.pattern));
    QVERIFY2(!kind.axes.empty(), kind.pattern);
    QVERIFY2(std::strlen(kind.title) > 0, kind.pattern);
    const std::string help = kind.help;
    QVERIFY2(help.size() > 20 && (help.ends_with('.') || help.ends_with('?')), kind.pattern);
    // Only what was typed has no formula.
    QCOMPARE(QString(kind.formula).isEmpty(), std::string(kind.pattern).starts_with("input.src."));
  }
  for (const auto& list : {kPlain, kPeeky, kAttention})
    for (const std::string& name : list) QVERIFY2(find_site_kind(name), name.c_str());
}

void TestSites::places_make_names() {
  const SitePath decoder("decoder"), step(decoder, "step", 12), layer(step, "layer", 0), attention(layer, "attention");
  QCOMPARE(attention.text(), std::string("decoder.step[12].layer[0].attention"));
  QCOMPARE(without_indices("decoder.step[12].layer[0].attention"), std::string("decoder.step.layer.attention"));
  QCOMPARE(without_indices("encoder.states"), std::string("encoder.states"));
}

void TestSites::kinds_know_their_side_and_role() {
  using Side = SiteKind::Side;
  using Role = SiteKind::Role;
  struct Row {
    const char* site;
    Side side;
    Role role;
  };
  for (const Row& row :
       {Row{"input.src.ids", Side::input, Role::source}, Row{"decoder.step[2].input.id", Side::decoder, Role::written},
        Row{"encoder.embed.out", Side::encoder, Role::embedding},
        Row{"encoder.channels", Side::encoder, Role::embedding},
        Row{"decoder.step[0].attention.weights", Side::decoder, Role::weights},
        Row{"decoder.step[0].attention.weighted", Side::decoder, Role::other},
        Row{"decoder.step[0].layer[1].attn.scores", Side::decoder, Role::scores},
        Row{"encoder.layer[0].self_attn.head.scores_raw", Side::encoder, Role::other},
        Row{"encoder.layer[0].self_attn.head.out", Side::encoder, Role::head_out},
        Row{"encoder.layer[0].out", Side::encoder, Role::other},
        Row{"decoder.step[0].attn_mean", Side::decoder, Role::mean},
        Row{"decoder.step[0].memory.origin", Side::decoder, Role::origin},
        Row{"memory.head[0].read.w_start", Side::input, Role::other},
        Row{"decoder.step[0].output.probs", Side::decoder, Role::probabilities}}) {
    const SiteKind& kind = *parse_site(row.site).kind;
    QVERIFY2(kind.side == row.side && kind.role == row.role, row.site);
  }
  QVERIFY(parse_site("encoder.layer[0].self_attn.head.weights").kind->of_heads());
  QVERIFY(!parse_site("decoder.step[0].attention.weights").kind->of_heads());
}

void TestSites::siblings_stand_in_the_same_attention_data() {
  QTest::addColumn<QString>("site");
  QTest::addColumn<int>("role");
  QTest::addColumn<QString>("expected");
  const auto row = [](const char* site, SiteKind::Role role, const char* expected) {
    QTest::addRow("%s %d", site, static_cast<int>(role)) << site << static_cast<int>(role) << expected;
  };
  using enum SiteKind::Role;
  row("decoder.step[2].attention.weights", scores, "decoder.step[2].attention.scores");
  row("decoder.step[2].attention.scores", keep, "decoder.step[2].attention.keep");
  row("decoder.step[*].layer[1].attn.weights", scores, "decoder.step[*].layer[1].attn.scores");
  row("decoder.step[0].layer[1].attn.weights", keep, "");
  row("encoder.layer[3].self_attn.head.weights", keep, "encoder.layer[3].self_attn.keep");
  row("encoder.layer[3].self_attn.head[2].weights", scores, "encoder.layer[3].self_attn.head[2].scores");
  row("decoder.step[1].layer[0].cross_attn.keep", keep, "decoder.step[1].layer[0].cross_attn.keep");
  row("decoder.step[0].attn_mean", scores, "");
  row("decoder.step[0].memory.origin", scores, "");
}

void TestSites::siblings_stand_in_the_same_attention() {
  QFETCH(QString, site);
  QFETCH(int, role);
  QFETCH(QString, expected);
  QCOMPARE(sibling(site.toStdString(), static_cast<SiteKind::Role>(role)), expected.toStdString());
}

void TestSites::sites_are_parsed() {
  const Site site = parse_site("decoder.step[13].attention.weights");
  QCOMPARE(site.step, Index{13});
  QCOMPARE(site.layer, Index{-1});
  QCOMPARE(site.head, Index{-1});
  QCOMPARE(std::string(site.kind->title), std::string("attention weights"));
  QCOMPARE(parse_site("encoder.states").step, Index{-1});
}

void TestSites::unknown_sites_are_refused() {
  for (const char* text : {"decoder.step[1].attention.wieghts", "", "decoder", "[3]", "decoder.step[0].lstm.h[2].x"})
    QCOMPARE(message_of<UsageError>([&] { parse_site(text); }),
             QString("there is no site '%1'; `headlight inspect MODEL` lists the sites").arg(text));
}

// Invariant I4.
void TestSites::attention_weights_are_shares() {
  const auto trace = trace_of(*tiny_model("attn_seq2seq", true), 6, 4);
  for (int t = 0; t < 4; ++t) {
    const Tensor weights = trace->value("decoder.step[" + std::to_string(t) + "].attention.weights");
    QCOMPARE(weights.size(), Index{6});
    double sum = 0;
    for (const double a : doubles(weights)) {
      QVERIFY(a > 0 && a < 1);
      sum += a;
    }
    QVERIFY(std::abs(sum - 1) < 1e-6);
  }
}

void TestSites::attention_sits_on_what_fits_best() {
  const auto trace = trace_of(*tiny_model("attn_seq2seq", false), 6, 3);
  for (const char* t : {"0", "1", "2"}) {
    const std::string place = std::string("decoder.step[") + t + "].attention.";
    const auto scores = doubles(trace->value(place + "scores")), weights = doubles(trace->value(place + "weights"));
    for (std::size_t i = 0; i < scores.size(); ++i)
      for (std::size_t j = 0; j < scores.size(); ++j)
        if (scores[i] > scores[j]) QVERIFY(weights[i] > weights[j]);
    const auto [least, most] = std::minmax_element(weights.begin(), weights.end());
    QVERIFY(*most > 1.01 * *least);  // it does prefer something
  }
}

// Invariant I10: a peeky model whose weights from the bottleneck are 0 is the plain model.
void TestSites::peeky_without_its_weights_is_plain() {
  const auto plain = tiny_model("seq2seq", true), peeky = tiny_model("seq2seq_peeky", true);
  const Index h = 4;
  for (Parameter& p : peeky->parameters().all()) {
    const Tensor& source = *plain->parameters().find(p.name);
    p.value.array().setZero();
    // The bottleneck stands first, so its weights are the rows on top.
    const bool taller = p.value.size() != source.size();
    QCOMPARE(taller, p.name == "decoder.lstm.Wx" || p.name == "decoder.affine.W");
    if (taller) {
      p.value.matrix().bottomRows(source.dim(0)) = source.matrix();
      QCOMPARE(p.value.dim(0), source.dim(0) + h);
    } else {
      p.value.array() = source.array();
    }
  }
  const auto expected = trace_of(*plain, 4, 3), got = trace_of(*peeky, 4, 3);
  for (const TraceEntry& entry : expected->entries())
    QVERIFY(same(difference(got->value(entry.site.text), entry.value, 1e-6), entry.site.text.c_str()));
}

// Invariants I2 and I5: all steps at once give the rows of step by step, and a later input changes no earlier row.
void TestSites::teacher_forced_rows_do_not_see_the_future() {
  for (const char* architecture : kArchitectures) {
    const auto model = tiny_model(architecture, true);
    const Tensor source = Tensor::of({4, 1}, {1, 4, 0, 3});
    const Tensor a = model->begin(source, Tap())->advance(Tensor::of({3, 1}, {0, 2, 5}), Tap());
    const Tensor b = model->begin(source, Tap())->advance(Tensor::of({3, 1}, {0, 2, 6}), Tap());
    QVERIFY(same(difference(a.view(0, {14}), b.view(0, {14}), 0), architecture));
    QVERIFY(!difference(a.view(14, {7}), b.view(14, {7}), 1e-3).isEmpty());
    const auto decoding = model->begin(source, Tap());
    decoding->advance(Tensor::of({2, 1}, {0, 2}), Tap());
    const Tensor last = decoding->advance(Tensor::of({1, 1}, {5}), Tap());
    QVERIFY(same(difference(doubles(last), doubles(a.view(14, {7})), 1e-6), architecture));
  }
}

HEADLIGHT_TEST(TestSites)

}  // namespace headlight::test_sites

#include "test_sites.moc"
