// One number asked of every text of a list, against the trace of each text; and that long jobs over texts and heads end
// where they are stopped.

#include <QtTest>
#include <algorithm>
#include <cmath>

#include "model/analysis/bench/head_effect.h"
#include "model/analysis/bench/listed_number.h"
#include "model/analysis/bench/text_differences.h"
#include "model/analysis/bench/text_heads.h"
#include "model/decode/run.h"
#include "model/io/model_folder.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_listed_number {

namespace {

std::shared_ptr<const ModelBundle> sample(const char* name) { return load_model(name); }

Result result_of(const std::shared_ptr<const ModelBundle>& model, const std::string& text) {
  Request request;
  request.model = model;
  request.source = text;
  return run(request);
}

const std::vector<ListedText> kTexts = {
    {"anna sees tom", {}, {}, {}, 1}, {"tom likes the dog", {}, {}, {}, 2}, {"the king has a box", {}, {}, {}, 3}};

}  // namespace

class TestListedNumber : public QObject {
  Q_OBJECT

 private slots:
  void its_name_is_read() {
    for (const char* text : {"encoder.layer[3].ffn.act[:,7]", "decoder.step[2].attention.weights[5]",
                             "encoder.layer[0].self_attn.head[1].weights[2,0]", "log p"})
      QCOMPARE(parse_listed_number(text).text(), std::string(text));
    for (const char* wrong : {"", "x", "encoder.layer[3].ffn.act", "no.such.site[1]", "encoder.layer[3].ffn.act[-1]",
                              "encoder.layer[3].ffn.act[1,]", "encoder.layer[3].ffn.act[]", "[1]",
                              "encoder.layer[3].ffn.act[99999999999999999999]", "encoder.layer[3].ffn.act[1"})
      QVERIFY_THROWS_EXCEPTION(UsageError, parse_listed_number(wrong));
  }

  void a_unit_is_the_largest_of_the_tokens() {
    const auto model = sample("masked-bert");
    const Result result = result_of(model, kTexts[1].text);
    const std::string site = "encoder.layer[1].ffn.act";
    const Tensor value = result.trace->value(site);
    const Index units = value.columns();
    double largest = -1e9;
    for (Index row = 0; row < value.rows(); ++row)
      largest = std::max(largest, static_cast<double>(value[row * units + 5]));
    const TraceEntry& entry = (*result.trace)[result.trace->find(site)];
    const ListedNumber asked = listed_number(entry.site, value.shape(), 2 * units + 5);
    QCOMPARE(asked.text(), site + "[:,5]");
    QCOMPARE(number_of_text(model, kTexts[1], 1, asked), largest);
    QVERIFY(std::isnan(number_of_text(model, kTexts[1], 1, {site, {0, units}})));
    QVERIFY(std::isnan(number_of_text(model, kTexts[1], 1, {"encoder.layer[40].ffn.act", {-1, 5}})));
  }

  void a_weight_stays_at_its_place() {
    const auto model = sample("masked-bert");
    const Result result = result_of(model, kTexts[0].text);
    const std::string site = "encoder.layer[0].self_attn.head.weights";
    const Tensor value = result.trace->value(site);
    const Index rows = value.shape()[1], keys = value.shape()[2], cell = (1 * rows + 2) * keys + 1;
    const ListedNumber asked = listed_number((*result.trace)[result.trace->find(site)].site, value.shape(), cell);
    QCOMPARE(asked.text(), site + "[1,2,1]");
    QCOMPARE(number_of_text(model, kTexts[0], 0, asked), static_cast<double>(value[cell]));
    const Tensor other = result_of(model, kTexts[2].text).trace->value(site);
    const Index more = other.shape()[1];
    QCOMPARE(number_of_text(model, kTexts[2], 2, asked), static_cast<double>(other[(more + 2) * more + 1]));
  }

  void log_p_is_that_of_what_is_written() {
    const auto model = sample("date-attention");
    const Result result = result_of(model, "may 5, 2001");
    double sum = 0;
    for (const OutputStep& step : result.steps) sum += std::log(step.probability);
    const double mean = sum / static_cast<double>(result.steps.size());
    QVERIFY(std::abs(number_of_text(model, {"may 5, 2001", {}, {}, {}, 1}, 0, {}) - mean) < 1e-12);
    // Of a text that is given to it, less.
    QVERIFY(number_of_text(model, {"may 5, 2001", {}, {}, "2001-06-05", 1}, 0, {}) < mean);
  }

  void a_stopped_list_tells_of_no_further_text() {
    const TextReader reader(sample("story-gpt"));
    CancelToken cancel = CancelToken::make();
    int told = 0;
    const auto stop = [&](const auto& so_far) {
      if (so_far.texts == 0) return;  // which heads there are
      QCOMPARE(so_far.texts, Index(1));
      ++told;
      cancel.cancel();
    };
    QVERIFY_THROWS_EXCEPTION(Cancelled, effects_over_texts(reader, kTexts, {}, stop, cancel));
    QCOMPARE(told, 1);
    cancel = CancelToken::make();
    QVERIFY_THROWS_EXCEPTION(Cancelled, differences_over_texts(reader, reader, kTexts, stop, cancel));
    QCOMPARE(told, 2);
  }

  void stopped_between_two_heads_no_other_head_is_run() {
    const TextReader reader(sample("masked-bert"));
    const TextIds text = reader.ids_of(kTexts[0].text);
    const std::vector<HeadPlace> heads = heads_of(reader.read(text, TextReader::Keep::weights));
    QVERIFY(heads.size() > 3);
    const CancelToken cancel = CancelToken::make();
    std::size_t last = 0;
    const auto use = [&](std::size_t head, const Reading&) {
      last = head;
      if (head == 2) cancel.cancel();
    };
    QVERIFY_THROWS_EXCEPTION(Cancelled, without_each_head(reader, text, heads, HeadFindings::none(), use, cancel));
    QCOMPARE(last, std::size_t(2));
  }

  // A text may be long: its run is left between two values.
  void a_run_is_left_on_its_way() {
    const CancelToken cancel = CancelToken::make();
    cancel.cancel();
    QVERIFY_THROWS_EXCEPTION(Cancelled, number_of_text(sample("masked-bert"), kTexts[0], 0, {}, cancel));
  }
};

HEADLIGHT_CORE_TEST(TestListedNumber)

}  // namespace headlight::test_listed_number

#include "test_listed_number.moc"
