// One head of an attention: a slice of what is published for all heads, to look at and to change.

#include "model/decode/run.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_head_sites {

using namespace headlight::testing;

namespace {

Request request_with(const std::vector<std::string>& edits, bool explain = true) {
  static const auto bundle = [] {
    auto made = std::make_shared<ModelBundle>();
    made->model = make_model({{"model_type", "transformer"},
                              {"source_vocabulary_size", 12},
                              {"target_vocabulary_size", 12},
                              {"model_size", 12},
                              {"heads", 3},
                              {"key_value_heads", 1},
                              {"ff_size", 16},
                              {"encoder_layers", 1},
                              {"decoder_layers", 2}},
                             3);
    const std::vector<std::string> letters = {"a", "b", "c", "d", "e", "f", "g", "h"};
    made->text = rules_with_end(TokenizerKind::characters, letters, letters);
    made->text.target_length = 3;
    return made;
  }();
  Request request;
  request.model = bundle;
  request.source = "abcde";
  request.target = "hg";
  for (const std::string& edit : edits) request.interventions.push_back(parse_intervention(edit));
  request.capture.explain = explain;
  return request;
}

const std::string kSelf = "encoder.layer[0].self_attn.", kCross = "decoder.step[1].layer[1].cross_attn.";

}  // namespace

class TestHeadSites : public QObject {
  Q_OBJECT

 private slots:
  void names() {
    const HeadSite one("decoder.step[3].layer[1].self_attn.head[2].weights");
    QCOMPARE(one.all, std::string("decoder.step[3].layer[1].self_attn.head.weights"));
    QCOMPARE(one.index, Index(2));
    for (const char* other : {"decoder.step[3].layer[1].self_attn.head.weights", "encoder.states", "a.head[",
                              "a.head[x].w", "a.head[-1].w", "a.head[1", ""})
      QVERIFY2(HeadSite(other).all.empty(), other);
    QCOMPARE(parse_site("encoder.layer[0].self_attn.head[2].q").head, Index(2));
    QVERIFY(parse_site("encoder.layer[0].self_attn.head[2].q").kind == parse_site(kSelf + "head.q").kind);
  }

  void a_head_is_a_slice() {
    const Result result = run(request_with({}));
    const Trace& trace = *result.trace;
    const Tensor all = trace.value(kSelf + "head.weights");  // [3 x 5 x 5]
    QCOMPARE(all.shape(), (Shape{3, 5, 5}));
    for (Index h = 0; h < 3; ++h) {
      const Tensor one = trace.value(kSelf + "head[" + std::to_string(h) + "].weights");
      QCOMPARE(one.shape(), (Shape{5, 5}));
      for (Index i = 0; i < 25; ++i) QCOMPARE(one[i], all[h * 25 + i]);
    }
    // A cell of the slice is a cell of the whole.
    const Tensor last = trace.value(kSelf + "head[2].weights");
    QCOMPARE(QString::fromStdString(trace.locate({last, 7}).text()),
             QString::fromStdString(kSelf + "head.weights[2, 1, 2]"));
    QVERIFY(!trace.value(kSelf + "head[3].weights").defined());
    QCOMPARE(trace.value(kSelf + "head[0].k").shape(), (Shape{5, 4}));  // one group of keys
    QVERIFY(!trace.value(kSelf + "head[1].k").defined());
    QCOMPARE(trace.value(kCross + "head[1].weights").shape(), (Shape{5}));
  }

  // Without the output of head 1 its columns of the joined heads are 0, and the others are what they were.
  void a_head_is_switched_off() {
    for (const bool explain : {true, false}) {
      const Result plain = run(request_with({}, explain)), off = run(request_with({kSelf + "head[1].out=0"}, explain));
      const Tensor before = plain.trace->value(kSelf + "concat"), after = off.trace->value(kSelf + "concat");
      for (Index t = 0; t < 5; ++t)
        for (Index i = 0; i < 12; ++i) QCOMPARE(after[t * 12 + i], i / 4 == 1 ? Scalar(0) : before[t * 12 + i]);
      QVERIFY(plain.trace->value(kSelf + "out").values() != off.trace->value(kSelf + "out").values());
    }
  }

  void a_weight_is_pinned() {
    const Result plain = run(request_with({})), pinned = run(request_with({kCross + "head[2].weights[3]~0.5"}));
    const Tensor before = plain.trace->value(kCross + "head.weights"),
                 after = pinned.trace->value(kCross + "head.weights");
    for (Index i = 0; i < 10; ++i) QCOMPARE(after[i], before[i]);
    QCOMPARE(after[13], Scalar(0.5));
    // The others share the rest as before.
    for (Index i : {10, 11, 12, 14})
      QVERIFY(std::abs(static_cast<double>(after[i]) -
                       0.5 * static_cast<double>(before[i]) / (1 - static_cast<double>(before[13]))) < 1e-6);
    QVERIFY(pinned.trace->entries()[static_cast<std::size_t>(pinned.trace->find(kCross + "head.weights"))].edited);
  }

  // One cell of one head, in the three ways to write it: within the head, by all axes, and through the whole.
  void a_cell_of_a_head_by_its_axes_data() {
    QTest::addColumn<QString>("edit");
    QTest::addColumn<int>("cell");
    const QString self = QString::fromStdString(kSelf) + "head", cross = QString::fromStdString(kCross) + "head";
    for (const char* cell : {"[2].weights[3,1]=7", ".weights[2,3,1]=7", ".weights[66]=7"})
      QTest::newRow(cell) << self + cell << 66;  // of [3 x 5 x 5]
    for (const char* cell : {"[2].weights[3]=7", ".weights[2,3]=7", ".weights[13]=7", "[2].weights[0,3]=7"})
      QTest::newRow((std::string("step ") + cell).c_str()) << cross + cell << 13;  // of [3 x 5]
  }
  void a_cell_of_a_head_by_its_axes() {
    QFETCH(QString, edit);
    QFETCH(int, cell);
    const Intervention parsed = parse_intervention(edit.toStdString());
    const std::string site = HeadSite(parsed.site).all.empty() ? parsed.site : HeadSite(parsed.site).all;
    const Result plain = run(request_with({})), changed = run(request_with({edit.toStdString()}));
    QVERIFY(changed.not_reached.empty());
    const Tensor before = plain.trace->value(site), after = changed.trace->value(site);
    for (Index i = 0; i < before.size(); ++i) QCOMPARE(after[i], i == cell ? Scalar(7) : before[i]);
    QVERIFY(parse_intervention(to_text(parsed)) == parsed);
  }

  void every_head_of_a_row() {
    const Result changed = run(request_with({kSelf + "head.weights[1,:]=7", kCross + "head.weights[:,4]=7"}));
    const Tensor self = changed.trace->value(kSelf + "head.weights"),
                 cross = changed.trace->value(kCross + "head.weights");
    for (Index i = 0; i < self.size(); ++i) QCOMPARE(self[i] == 7, i / 5 % 5 == 1);
    for (Index i = 0; i < cross.size(); ++i) QCOMPARE(cross[i] == 7, i % 5 == 4);
  }

  // An edit needs no recording of what is edited.
  void edits_reach_what_is_not_captured() {
    Request request = request_with({kSelf + "head[0].scores_masked[1]=-50", kSelf + "keep[4]=0"}, false);
    request.capture.sites = {"encoder.layer.self_attn.head.weights"};
    const Tensor weights = run(request).trace->value(kSelf + "head.weights");
    QVERIFY(static_cast<double>(weights[1]) < 1e-12);  // head 0, row 0, key 1
    for (Index h = 0; h < 3; ++h)
      QVERIFY(weights[h * 25 + 4] == Scalar(0));  // key 4 is masked for query 0, in all heads
    QVERIFY(static_cast<double>(weights[25 + 1]) > 1e-6);
  }

  void refused_edits() {
    QCOMPARE(message_of<UsageError>([] { run(request_with({kSelf + "head[3].out=0"})); }),
             QString::fromStdString("'" + kSelf + "head[3].out=0': there are 3 heads, counted from 0"));
    const QString shape = "head.weights is [3 x 5] (head x source) here, counted from 0";
    for (const char* cell : {"[3,1]=0", "[3,:]=0"})
      QCOMPARE(message_of<UsageError>([&] { run(request_with({kCross + "head.weights" + cell})); }),
               QString("'%1head.weights%2': there is no such cell; %1").arg(kCross.c_str(), cell) + shape);
    // A longer text may have this cell.
    QCOMPARE(run(request_with({kCross + "head.weights[2,5]=0"})).not_reached, std::vector<int>{0});
    QCOMPARE(run(request_with({kSelf + "head[1].weights[25]=0"})).not_reached, std::vector<int>{0});
  }
};

HEADLIGHT_TEST(TestHeadSites)

}  // namespace headlight::test_head_sites

#include "test_head_sites.moc"
