// Long texts keep what is looked at: how much a run will keep is known before it is made.

#include <malloc.h>

#include <QtTest>
#include <set>

#include "model/analysis/attention_maps.h"
#include "model/decode/run.h"
#include "model/io/model_folder.h"
#include "model/models/registry.h"
#include "model/trace/trace_growth.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_trace_growth {

namespace {

// 12 layers of 12 heads, narrow.
std::shared_ptr<const ModelBundle> transformer(const char* architecture, Index size = 48) {
  auto bundle = std::make_shared<ModelBundle>();
  std::vector<std::string> tokens;
  for (int i = 0; i < 60; ++i) tokens.push_back("w" + std::to_string(i));
  bundle->text.source = Tokenizer(Vocabulary(tokens), TokenizerKind::words);
  bundle->text.target = bundle->text.source;
  bundle->text.writes = false;
  bundle->model = make_model({{"model_type", architecture},
                              {"source_vocabulary_size", bundle->text.source.vocabulary().size()},
                              {"target_vocabulary_size", bundle->text.source.vocabulary().size()},
                              {"model_size", size},
                              {"heads", 12},
                              {"ff_size", 2 * size},
                              {std::string(architecture) == "encoder_only" ? "encoder_layers" : "decoder_layers", 12},
                              {"positions", "learned"},
                              {"max_positions", 512}},
                             1);
  return bundle;
}

Request request_of(const std::shared_ptr<const ModelBundle>& model, Index tokens) {
  Request request;
  request.model = model;
  for (Index i = 0; i < tokens; ++i) request.ids.push_back(static_cast<TokenId>(4 + i % 50));
  return request;
}

double memory_in_use() {
  const auto info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

double bytes_of(const Trace& trace) {
  double bytes = 0;
  std::set<const void*> seen;
  for (const TraceEntry& entry : trace.entries())
    if (seen.insert(entry.value.storage_id()).second) bytes += static_cast<double>(entry.value.size()) * sizeof(Scalar);
  return bytes;
}

}  // namespace

class TestTraceGrowth : public QObject {
  Q_OBJECT
 private slots:
  void a_short_run_tells_of_a_long_one();
  void a_short_text_keeps_everything();
  void a_long_text_keeps_what_is_shown();
  void a_prompt_leaves_nothing_else_behind();
  void what_was_left_out_comes_when_it_is_asked_for();
};

void TestTraceGrowth::a_short_run_tells_of_a_long_one() {
  const auto model = transformer("encoder_only");
  const Result few = run(request_of(model, 8)), many = run(request_of(model, 100));
  const double expected = bytes_of(*many.trace), found = growth_of(*few.trace, 8, false).at(100);
  QVERIFY2(std::abs(found / expected - 1) < 0.05, std::to_string(found / expected).c_str());
  QCOMPARE(growth_of(*few.trace, 8, true).at(100), 2 * found);
  QVERIFY(growth_of(*few.trace, 8, false).square > 0);
}

void TestTraceGrowth::a_short_text_keeps_everything() {
  const auto model = transformer("encoder_only");
  Request request = request_of(model, 20);
  const Result whole = run(request);
  request.shown = Capture{attention_sites(), false};
  const Result found = run(request);
  QVERIFY(!found.only_shown && found.growth);
  QCOMPARE(found.trace->size(), whole.trace->size());
  QVERIFY(!found.trace->explain(found.trace->size() - 1, 0).terms.empty());
}

// 512 tokens through 12 layers of 12 heads, of which the heads are looked at: at most 400 MB.
void TestTraceGrowth::a_long_text_keeps_what_is_shown() {
  const auto model = transformer("encoder_only");
  Request request = request_of(model, 512);
  request.shown = Capture{attention_sites(), false};
  const Result result = run(request);
  QVERIFY(result.only_shown);
  QVERIFY2(bytes_of(*result.trace) <= 400e6, std::to_string(bytes_of(*result.trace)).c_str());
  QVERIFY2(result.growth->at(512) > 600e6, std::to_string(result.growth->at(512)).c_str());
  const std::vector<AttentionMap> maps = attention_maps(result);
  QCOMPARE(maps.size(), std::size_t(12));
  for (const AttentionMap& map : maps) QCOMPARE(map.heads, Index(12));
  for (const TraceEntry& entry : result.trace->entries()) QVERIFY(Capture(*request.shown).matches(entry.site.text));
  QVERIFY_EXCEPTION_THROWN(result.trace->explain(0, 0), UsageError);
}

// Besides the weights a run of a decoder keeps its keys and values, and none of the products that a run with everything
// goes on from.
void TestTraceGrowth::a_prompt_leaves_nothing_else_behind() {
  Request request = request_of(transformer("decoder_only", 192), 400);
  request.shown = Capture{attention_sites(), false};
  request.most_bytes = 1;
  run(request);  // threads and their memory
  const double before = memory_in_use();
  const Result result = run(request);
  const double keys_values = 12 * 2 * 400 * 192 * sizeof(Scalar), kept = memory_in_use() - before;
  QVERIFY(result.only_shown);
  QVERIFY2(kept <= 1.05 * bytes_of(*result.trace) + 2.5 * keys_values, std::to_string(kept).c_str());
}

// The same numbers, with everything; and a text that has become short again keeps everything at once.
void TestTraceGrowth::what_was_left_out_comes_when_it_is_asked_for() {
  const auto model = transformer("encoder_only");
  Request request = request_of(model, 60);
  request.shown = Capture{attention_sites(), false};
  request.most_bytes = 1e6;
  const auto part = std::make_shared<const Result>(run(request));
  QVERIFY(part->only_shown);
  request.previous = part;
  request.shown.reset();
  const Result whole = run(request);
  QVERIFY(!whole.only_shown);
  const Result alone = run(request_of(model, 60));
  QCOMPARE(whole.trace->size(), alone.trace->size());
  for (const TraceEntry& entry : part->trace->entries()) {
    const Tensor same = whole.trace->value(entry.site.text);
    QCOMPARE(same.shape(), entry.value.shape());
    for (Index i = 0; i < same.size(); ++i) QVERIFY(std::abs(same[i] - entry.value[i]) < Scalar(1e-6));
  }
  request = request_of(model, 5);
  request.previous = part;
  request.shown = Capture{attention_sites(), false};
  request.most_bytes = 10e6;
  QVERIFY(!run(request).only_shown);
}

HEADLIGHT_TEST(TestTraceGrowth)

}  // namespace headlight::test_trace_growth

#include "test_trace_growth.moc"
