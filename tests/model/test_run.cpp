// Running a model on a text: any text a person can type or paste, forced targets, alignment.

#include "model/analysis/alignment.h"
#include "model/decode/run.h"
#include "model/ops/basic.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_run {

using namespace headlight::testing;

namespace {

// Sources of 6 characters, padded with spaces; targets of 3, which start with "_".
ModelBundle bundle_of(const char* architecture, bool reverse) {
  ModelBundle bundle;
  bundle.text.source = Tokenizer(Vocabulary({" ", "a", "b", "c", "é", "א", "ב", "日"}));
  bundle.text.target = Tokenizer(Vocabulary({"_", "0", "1", "2", "3", ".", "é"}));
  bundle.model = tiny_model(architecture, reverse, {3, 4, 8, 7});
  bundle.text.source_width = bundle.text.longest_source = 6;
  bundle.text.target_length = 3;
  return bundle;
}

Request request_of(const std::string& source, ModelBundle bundle = bundle_of("attn_seq2seq", true)) {
  Request request;
  request.model = std::make_shared<const ModelBundle>(std::move(bundle));
  request.source = source;
  return request;
}

std::vector<std::string> texts(const Result& result) {
  std::vector<std::string> all;
  for (const TextToken& token : result.tokens) all.push_back(token.text);
  return all;
}

std::vector<int> ids(const Result& result) {
  std::vector<int> all;
  for (const double id : doubles(result.trace->value("input.src.ids"))) all.push_back(static_cast<int>(id));
  return all;
}

using Strings = std::vector<std::string>;
Strings notes_of(const Result& result) {
  Strings texts;
  for (const RunNote& note : result.notes) texts.push_back(note_text(note));
  return texts;
}
using Ints = std::vector<int>;
const std::string kUnknown1 = "1 character is not in this model's vocabulary and left out.";
const std::string kNothing = "There is nothing to read: the model sees padding only.";

}  // namespace

class TestRun : public QObject {
  Q_OBJECT
 private slots:
  void a_short_text_is_padded();
  void any_text_data();
  void any_text();
  void tokens_stand_where_they_were_typed();
  void a_long_text_is_cut_with_a_note();
  void nothing_to_run_is_an_error();
  void positions_and_tokens_are_inverse();
  void every_step_offers_its_best();
  void steps_are_the_best_choice();
  void a_forced_target_is_scored();
  void the_own_choice_forced_gives_the_same();
  void refused_targets_data();
  void refused_targets();
  void the_end_sign_ends();
  void words_are_read_and_written();
  void an_empty_text_can_be_a_beginning();
  void targets_are_forced_with_their_end();
  void targets_may_run_backwards();
  void without_a_trace_the_output_is_the_same();
  void progress_rises_and_cancels();
  void a_broken_weight_runs();
  void the_alignment_is_in_reading_order();
  void the_alignment_leaves_out_what_was_left_out();
  void no_attention_no_alignment();
};

void TestRun::a_short_text_is_padded() {
  const Result result = run(request_of("abc"));
  QCOMPARE(texts(result), (Strings{"a", "b", "c", " ", " ", " "}));
  for (std::size_t i = 0; i < 6; ++i) QCOMPARE(result.tokens[i].padding, i >= 3);
  QCOMPARE(ids(result), (Ints{0, 0, 0, 3, 2, 1}));  // reversed: what the encoder reads first comes first
  QVERIFY(result.notes.empty());
  QCOMPARE(result.steps.size(), std::size_t{3});
}

void TestRun::any_text_data() {
  QTest::addColumn<std::string>("source");
  QTest::addColumn<std::vector<int>>("expected");  // ids in the order of reading
  QTest::addColumn<std::vector<std::string>>("notes");
  const std::string two = "2 characters are not in this model's vocabulary and left out.";
  const std::string three = "3 characters are not in this model's vocabulary and left out.";
  QTest::newRow("full") << std::string("abcabc") << Ints{1, 2, 3, 1, 2, 3} << Strings{};
  QTest::newRow("own spaces") << std::string(" a b") << Ints{0, 1, 0, 2, 0, 0} << Strings{};
  QTest::newRow("unknown") << std::string("aXb") << Ints{1, 2, 0, 0, 0, 0} << Strings{kUnknown1};
  QTest::newRow("two unknown") << std::string("XaYbc") << Ints{1, 2, 3, 0, 0, 0} << Strings{two};
  QTest::newRow("empty") << std::string() << Ints{0, 0, 0, 0, 0, 0} << Strings{kNothing};
  QTest::newRow("only unknown") << std::string("XY") << Ints{0, 0, 0, 0, 0, 0} << Strings{two, kNothing};
  QTest::newRow("control characters") << std::string(
                                             "a\n\0\x01"
                                             "b",
                                             5)
                                      << Ints{1, 2, 0, 0, 0, 0} << Strings{three};
  QTest::newRow("right to left") << std::string("בא a") << Ints{6, 5, 0, 1, 0, 0} << Strings{};
  QTest::newRow("several bytes") << std::string("日é日") << Ints{7, 4, 7, 0, 0, 0} << Strings{};
  QTest::newRow("combined accent") << std::string("e\u0301") << Ints{0, 0, 0, 0, 0, 0} << Strings{two, kNothing};
  QTest::newRow("emoji") << std::string("a\U0001F600") << Ints{1, 0, 0, 0, 0, 0} << Strings{kUnknown1};
  QTest::newRow("broken UTF-8") << std::string("a\xff\xc3") << Ints{1, 0, 0, 0, 0, 0} << Strings{two};
  QTest::newRow("too long") << std::string("abcabca") << Ints{1, 2, 3, 1, 2, 3, 1}
                            << Strings{"The model was trained on at most 6 tokens; this text has 7."};
}

void TestRun::any_text() {
  QFETCH(std::string, source);
  QFETCH(std::vector<int>, expected);
  QFETCH(std::vector<std::string>, notes);
  for (const bool reverse : {false, true}) {
    const Result result = run(request_of(source, bundle_of("attn_seq2seq", reverse)));
    Ints read = ids(result);
    if (reverse) std::reverse(read.begin(), read.end());
    QCOMPARE(read, expected);
    QCOMPARE(notes_of(result), notes);
    QCOMPARE(result.source, source);
    QCOMPARE(result.steps.size(), std::size_t{3});
  }
}

void TestRun::tokens_stand_where_they_were_typed() {
  const std::string source =
      "日X\xff"
      "é";
  const Result result = run(request_of(source));
  std::size_t at = 0;
  for (const TextToken& token : result.tokens) {
    QCOMPARE(token.begin, at);
    QCOMPARE(source.substr(token.begin, token.end - token.begin), token.padding ? std::string() : token.text);
    at = token.end;
  }
  QCOMPARE(at, source.size());
}

void TestRun::a_long_text_is_cut_with_a_note() {
  std::string source;
  for (int i = 0; i < 10000; ++i) source += "abc"[i % 3];
  Request request = request_of(source);
  request.trace = false;
  const Result result = run(request);
  QCOMPARE(notes_of(result), (Strings{"Only the first 512 of 10000 tokens are run.",
                                      "The model was trained on at most 6 tokens; this text has 512."}));
  QCOMPARE(result.tokens.size(), std::size_t{512});
  QCOMPARE(result.token_of_position.size(), std::size_t{512});
}

void TestRun::nothing_to_run_is_an_error() {
  ModelBundle bundle = bundle_of("attn_seq2seq", true);
  bundle.text.source = Tokenizer(Vocabulary({"x", "a", "b", "c", "d", "e", "f", "g"}));  // no space to pad with
  for (const char* source : {"", "?"})
    QCOMPARE(message_of<UsageError>([&] { run(request_of(source, bundle)); }),
             "there is nothing to run: type a text that this model's vocabulary can spell");
  QCOMPARE(run(request_of("ab", bundle)).tokens.size(), std::size_t{2});
}

void TestRun::positions_and_tokens_are_inverse() {
  for (const bool reverse : {false, true}) {
    const Result result = run(request_of("aXbYc", bundle_of("seq2seq", reverse)));
    QCOMPARE(result.position_of_token, reverse ? (Ints{5, -1, 4, -1, 3, 2, 1, 0}) : (Ints{0, -1, 1, -1, 2, 3, 4, 5}));
    QCOMPARE(result.token_of_position, reverse ? (Ints{7, 6, 5, 4, 2, 0}) : (Ints{0, 2, 4, 5, 6, 7}));
    // What stands there is what was read.
    const Ints read = ids(result);
    for (std::size_t p = 0; p < read.size(); ++p)
      QCOMPARE(read[p], *result.tokens[static_cast<std::size_t>(result.token_of_position[p])].id);
  }
}

void TestRun::every_step_offers_its_best() {
  const Result result = run(request_of("abc"));
  for (const OutputStep& step : result.steps) {
    QCOMPARE(step.top.size(), std::size_t{7});  // ten, but there are only seven
    QCOMPARE(step.top[0].id, step.id);
    QCOMPARE(step.top[0].probability, step.probability);
    double sum = 0;
    for (std::size_t i = 0; i < 7; ++i) {
      if (i > 0) QVERIFY(step.top[i].probability <= step.top[i - 1].probability);
      QCOMPARE(step.top[i].text, result.model->target_vocabulary().text(step.top[i].id));
      sum += step.top[i].probability;
    }
    QVERIFY(std::abs(sum - 1) < 1e-6);
  }
}

// Greedy: each step writes the token whose probability in the trace is largest, and feeds it to the next.
void TestRun::steps_are_the_best_choice() {
  for (const char* architecture : kArchitectures) {
    const Result result = run(request_of("abc", bundle_of(architecture, true)));
    std::string output;
    double fed = 0;  // "_"
    for (std::size_t t = 0; t < result.steps.size(); ++t) {
      const std::string place = "decoder.step[" + std::to_string(t) + "].";
      const auto p = doubles(result.trace->value(place + "output.probs"));
      const auto best = static_cast<std::size_t>(std::max_element(p.begin(), p.end()) - p.begin());
      QCOMPARE(static_cast<std::size_t>(result.steps[t].id), best);
      QVERIFY(std::abs(result.steps[t].probability - p[best]) < 1e-7);
      QCOMPARE(doubles(result.trace->value(place + "input.id")), std::vector<double>{fed});
      fed = static_cast<double>(best);
      output += result.steps[t].text;
    }
    QCOMPARE(result.output, output);
    QCOMPARE(result.steps.size(), std::size_t{3});
  }
}

void TestRun::a_forced_target_is_scored() {
  Request request = request_of("abc");
  request.target = "2é";
  const Result result = run(request);
  QCOMPARE(result.output, std::string("2é"));
  QCOMPARE(result.steps.size(), std::size_t{2});
  QCOMPARE(result.steps[0].id, TokenId{3});
  QCOMPARE(result.steps[1].id, TokenId{6});
  QCOMPARE(doubles(result.trace->value("decoder.step[1].input.id")), std::vector<double>{3});
  for (const int t : {0, 1}) {
    const OutputStep& step = result.steps[static_cast<std::size_t>(t)];
    const Tensor p = result.trace->value("decoder.step[" + std::to_string(t) + "].output.probs");
    QVERIFY(std::abs(step.probability - static_cast<double>(p[step.id])) < 1e-7);
    QVERIFY(step.top[0].probability >= step.probability);  // what it would rather have written
  }
}

void TestRun::the_own_choice_forced_gives_the_same() {
  Request request = request_of("cab");
  const Result free = run(request);
  request.target = free.output;
  const Result forced = run(request);
  for (const TraceEntry& entry : free.trace->entries())
    QVERIFY(same(difference(forced.trace->value(entry.site.text), entry.value, 0), entry.site.text.c_str()));
}

void TestRun::refused_targets_data() {
  QTest::addColumn<std::string>("target");
  QTest::addColumn<QString>("message");
  QTest::newRow("unknown") << std::string("1x") << "'x' in the target is not in this model's vocabulary";
  QTest::newRow("empty") << std::string() << "the target is empty: leave it out to let the model choose";
  QTest::newRow("long") << std::string("0123") << "the target has 4 tokens, at most 3 are decoded";
}

void TestRun::refused_targets() {
  QFETCH(std::string, target);
  QFETCH(QString, message);
  Request request = request_of("abc");
  request.target = target;
  QCOMPARE(message_of<UsageError>([&] { run(request); }), message);
  QVERIFY(!Graph::current());
}

void TestRun::the_end_sign_ends() {
  ModelBundle bundle = bundle_of("attn_seq2seq", true);
  const Result whole = run(request_of("abc", bundle));
  bundle.text.eos = whole.steps[1].id;
  const Result ended = run(request_of("abc", bundle));
  const std::size_t count = whole.steps[0].id == *bundle.text.eos ? 1 : 2;
  QCOMPARE(ended.steps.size(), count);
  QCOMPARE(ended.output, count == 1 ? std::string() : whole.steps[0].text);  // the sign itself is not written
}

namespace {

// Three words to read and three to write, with the special tokens in front; sources and targets end with EOS.
ModelBundle bundle_of_words(bool reverse_target = false) {
  ModelBundle bundle;
  bundle.text = rules_with_end(TokenizerKind::words, {"the", "dog", "sees"}, {"l'", "chien", "voit"}, true);
  bundle.text.source_eos = true;
  bundle.text.target_length = 4;
  Json config = tiny_model("attn_seq2seq", false, {3, 4, 7, 7})->config();
  config["reverse_target"] = reverse_target;
  auto model = std::shared_ptr<Model>(make_model(config, 1));
  for (Parameter& p : model->parameters().all()) {
    p.value.array() *= p.name.find("embed") == std::string::npos ? Scalar(4) : Scalar(200);  // so that words matter
    if (p.name == "decoder.affine.b") p.value[2] = -4;                                       // and it goes on
  }
  bundle.model = model;
  return bundle;
}

Ints written(const Result& result) {
  Ints ids;
  for (const OutputStep& step : result.steps) ids.push_back(step.id);
  return ids;
}

}  // namespace

void TestRun::an_empty_text_can_be_a_beginning() {
  ModelBundle bundle = bundle_of_words();
  const auto notes = [&] { return run(request_of("", bundle)).notes; };
  QCOMPARE(notes().size(), std::size_t{1});
  QVERIFY(notes()[0].kind == RunNote::Kind::nothing);
  bundle.text.source_bos = true;
  QVERIFY(notes().empty());
  QCOMPARE(texts(run(request_of("", bundle))), (Strings{"<bos>", "<eos>"}));
}

void TestRun::words_are_read_and_written() {
  const Result result = run(request_of("The cat  sees", bundle_of_words()));
  QCOMPARE(texts(result), (Strings{"The", "cat", "sees", "<eos>"}));
  QCOMPARE(ids(result), (Ints{4, 3, 6, 2}));
  QVERIFY(result.tokens[1].unknown && !result.tokens[0].unknown && !result.tokens[3].padding);
  QCOMPARE(result.tokens[2].begin, std::size_t{9});
  QCOMPARE(result.position_of_token, (Ints{0, 1, 2, 3}));
  QCOMPARE(notes_of(result), (Strings{"1 token is not in this model's vocabulary and read as <unk>."}));
  QVERIFY(result.steps.size() <= 5);  // four and the end sign
  QCOMPARE(notes_of(run(request_of("cat cat", bundle_of_words()))),
           (Strings{"2 tokens are not in this model's vocabulary and read as <unk>."}));
}

void TestRun::targets_are_forced_with_their_end() {
  Request request = request_of("the dog", bundle_of_words());
  request.target = "L'chien voit";
  const Result result = run(request);
  QCOMPARE(written(result), (Ints{4, 5, 6, 2}));  // the end is scored as well
  QCOMPARE(result.output, std::string("l'chien voit"));
  request.target = "chien chien chien chien chien";
  QCOMPARE(message_of<UsageError>([&] { run(request); }), "the target has 5 tokens, at most 4 are decoded");
  request.target = "chien noir";
  QCOMPARE(message_of<UsageError>([&] { run(request); }), "'noir' in the target is not in this model's vocabulary");
}

void TestRun::targets_may_run_backwards() {
  Request request = request_of("the dog", bundle_of_words(true));
  request.target = "l'chien voit";
  const Result forced = run(request);
  QCOMPARE(written(forced), (Ints{6, 5, 4, 2}));
  QCOMPARE(forced.output, std::string("l'chien voit"));
  request.target.reset();
  int turned_round = 0;
  for (const char* source : {"the dog", "dog sees the", "sees", "the", "dog dog sees", "sees the dog the", "dog"}) {
    request.source = source;
    const Result backward = run(request), forward = run(request_of(source, bundle_of_words()));
    QCOMPARE(written(backward), written(forward));
    std::vector<TokenId> reading;
    for (const OutputStep& step : backward.steps)
      if (step.id != 2) reading.insert(reading.begin(), step.id);
    QCOMPARE(backward.output, bundle_of_words().text.target.join(reading));
    turned_round += backward.output != forward.output;
  }
  QVERIFY(turned_round > 0);
}

void TestRun::without_a_trace_the_output_is_the_same() {
  Request request = request_of("abc");
  for (const char* edit : {"", "encoder.states*-3", "decoder.step[0].attention.weights[0]~0.9"}) {
    request.interventions.clear();
    if (*edit) request.interventions.push_back(parse_intervention(edit));
    request.trace = true;
    const Result traced = run(request);
    request.trace = false;
    const Result bare = run(request);
    QVERIFY(traced.trace && !bare.trace);
    QCOMPARE(bare.output, traced.output);
    for (std::size_t t = 0; t < traced.steps.size(); ++t)
      QCOMPARE(bare.steps[t].probability, traced.steps[t].probability);
  }
  request.interventions = {parse_intervention("encoder.bottleneck=0")};
  QCOMPARE(message_of<UsageError>([&] { run(request); }),
           "'encoder.bottleneck=0' was not used: this run has no site 'encoder.bottleneck'");
  // A step that a longer output would have.
  request.interventions = {parse_intervention("decoder.init.h*2"), parse_intervention("decoder.step[7].readout=0")};
  const Result waits = run(request);
  QCOMPARE(waits.not_reached, std::vector<int>{1});
  QCOMPARE(waits.notes.size(), std::size_t{1});
  QCOMPARE(note_text(waits.notes[0]), std::string("1 edit is of a step or token that this run does not have."));
}

void TestRun::progress_rises_and_cancels() {
  Request request = request_of("abc");
  std::vector<double> seen;
  request.progress = [&](double fraction) { seen.push_back(fraction); };
  run(request);
  QVERIFY(!seen.empty() && std::is_sorted(seen.begin(), seen.end()) && seen.front() >= 0 && seen.back() <= 1);

  for (const bool trace : {true, false}) {
    request.trace = trace;
    request.cancel = CancelToken::make();
    int calls = 0;
    request.progress = [&](double) {
      ++calls;
      request.cancel.cancel();
    };
    bool stopped = false;
    try {
      run(request);
    } catch (const Cancelled&) {
      stopped = true;
    }
    QVERIFY(stopped);
    QCOMPARE(calls, 1);
    QVERIFY(!Graph::current());
  }
}

void TestRun::a_broken_weight_runs() {
  ModelBundle bundle = bundle_of("attn_seq2seq", true);
  const auto model = std::shared_ptr<Model>(tiny_model("attn_seq2seq", true, {3, 4, 8, 7}));
  for (Parameter& p : model->parameters().all())
    if (p.name == "decoder.affine.b") p.value[2] = std::nanf("");
  bundle.model = model;
  const Result result = run(request_of("abc", bundle));
  QCOMPARE(result.steps.size(), std::size_t{3});
  for (const OutputStep& step : result.steps) {
    QVERIFY(std::isnan(step.probability));
    QVERIFY(step.id != 2);  // a logit that is no number never wins
  }
}

void TestRun::the_alignment_is_in_reading_order() {
  const Result reversed = run(request_of("abc", bundle_of("attn_seq2seq", true)));
  const Alignment map = alignment(reversed);
  QCOMPARE(map.column_labels, (Strings{"a", "b", "c", " ", " ", " "}));
  QCOMPARE(map.token_of_column, (Ints{0, 1, 2, 3, 4, 5}));
  QCOMPARE(map.index_of_column, (std::vector<Index>{5, 4, 3, 2, 1, 0}));
  QVERIFY(map.weights.shape() == Shape({3, 6}));
  for (Index t = 0; t < 3; ++t) {
    const std::string site = "decoder.step[" + std::to_string(t) + "].attention.weights";
    auto read = doubles(reversed.trace->value(site));
    std::reverse(read.begin(), read.end());
    QCOMPARE(doubles(row(map.weights, t)), read);
    QCOMPARE(map.entry_of_row[static_cast<std::size_t>(t)], reversed.trace->find(site));
    QCOMPARE(map.row_labels[static_cast<std::size_t>(t)], reversed.steps[static_cast<std::size_t>(t)].text);
  }
  QCOMPARE(map.input_labels, (Strings{"_", reversed.steps[0].text, reversed.steps[1].text}));

  const Result forward = run(request_of("abc", bundle_of("attn_seq2seq", false)));
  QCOMPARE(doubles(row(alignment(forward).weights, 0)),
           doubles(forward.trace->value("decoder.step[0].attention.weights")));
}

void TestRun::the_alignment_leaves_out_what_was_left_out() {
  const Alignment map = alignment(run(request_of("aXbYcabc")));
  QCOMPARE(map.column_labels, (Strings{"a", "b", "c", "a", "b", "c"}));
  QCOMPARE(map.token_of_column, (Ints{0, 2, 4, 5, 6, 7}));
}

void TestRun::no_attention_no_alignment() {
  QVERIFY(alignment(run(request_of("abc", bundle_of("seq2seq", true)))).empty());
  QVERIFY(alignment(run(request_of("abc", bundle_of("seq2seq_peeky", true)))).empty());
  Request request = request_of("abc");
  request.trace = false;
  QVERIFY(alignment(run(request)).empty());
}

HEADLIGHT_TEST(TestRun)

}  // namespace headlight::test_run

#include "test_run.moc"
