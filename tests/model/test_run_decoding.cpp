// How run() chooses its output: greedy, sampled, beam search; and what is drawn on the way.

#include <limits>
#include <set>

#include "model/decode/run.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_run_decoding {

using namespace headlight::testing;

namespace {

// Special tokens in front, targets that end with EOS; `changes` go over the configuration.
Request request_of(const char* architecture, const Json& changes = Json::object()) {
  ModelBundle bundle;
  bundle.text = rules_with_end(TokenizerKind::characters, {"a", "b", "c"}, {"x", "y", "z"});
  Json config = {{"model_type", architecture},
                 {"source_vocabulary_size", bundle.source_vocabulary().size()},
                 {"target_vocabulary_size", bundle.target_vocabulary().size()},
                 {"embedding_size", 3},
                 {"hidden_size", 4}};
  config.update(changes);
  bundle.model = make_model(config, 1);
  double s = 0;
  for (const Parameter& parameter : bundle.model->parameters().all()) {
    Tensor value = parameter.value;
    value.array() = fill(s += 1, value.shape()).array() * Scalar(2);
  }
  Request request;
  request.model = std::make_shared<const ModelBundle>(std::move(bundle));
  request.source = "abcab";
  return request;
}

std::vector<TokenId> ids_of(const Result& result) {
  std::vector<TokenId> ids;
  for (const OutputStep& step : result.steps) ids.push_back(step.id);
  return ids;
}

double log_probability(const Result& result) {
  double sum = 0;
  for (const OutputStep& step : result.steps) sum += std::log(step.probability);
  return sum;
}

}  // namespace

class TestRunDecoding : public QObject {
  Q_OBJECT
 private slots:
  void padding_and_start_are_never_written();
  void beam_of_one_is_greedy();
  void the_winner_is_traced();
  void a_wider_beam_keeps_what_it_tried();
  void beams_take_edits_data();
  void beams_take_edits();
  void beams_take_edits_on_every_architecture_data();
  void beams_take_edits_on_every_architecture();
  void sampling_at_temperature_zero_is_greedy();
  void a_seed_names_a_sample();
  void hard_attention_draws_from_its_stream();
  void targets_may_be_written_from_their_end();
  void a_beginning_is_forced_and_the_model_goes_on();
  void steps_are_told_as_they_are_written();
};

void TestRunDecoding::padding_and_start_are_never_written() {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Request request = request_of("attn_seq2seq");
    request.decode.kind = DecodeSettings::Kind::sample;
    request.decode.sampling.temperature = 50;  // every token that may be written is about as likely
    request.seed = seed;
    for (const TokenId id : ids_of(run(request))) QVERIFY(id != 0 && id != 1);
  }
}

void TestRunDecoding::beam_of_one_is_greedy() {
  for (const char* architecture : {"attn_seq2seq", "bahdanau", "luong"}) {
    Request request = request_of(architecture);
    const Result greedy = run(request);
    request.decode.kind = DecodeSettings::Kind::beam;
    request.decode.beam.width = 1;
    const Result beam = run(request);
    QCOMPARE(ids_of(beam), ids_of(greedy));
    QVERIFY(!greedy.beam && beam.beam);
    QCOMPARE(beam.output, greedy.output);
  }
}

void TestRunDecoding::the_winner_is_traced() {
  Request request = request_of("bahdanau");
  request.decode.kind = DecodeSettings::Kind::beam;
  request.decode.beam.width = 3;
  const Result result = run(request);
  const BeamEnd& best = result.beam->best.at(0);
  QCOMPARE(ids_of(result), best.tokens);
  // The forced run that is traced gives the winner the probability that the search gave it.
  QVERIFY(std::abs(log_probability(result) - best.logp) < 1e-4);
  QVERIFY(result.trace->find("decoder.step[0].attention.weights") >= 0);
}

void TestRunDecoding::a_wider_beam_keeps_what_it_tried() {
  Request request = request_of("attn_seq2seq");
  request.decode.kind = DecodeSettings::Kind::beam;
  request.decode.beam.width = 2;
  const Result result = run(request);
  std::set<BeamHypothesis::Fate> fates;
  for (const BeamStep& step : result.beam->steps) {
    QVERIFY(step.hypotheses.size() <= 4);  // 2B
    for (const BeamHypothesis& h : step.hypotheses) {
      fates.insert(h.fate);
      double sum = 0;
      for (const double a : h.attention) sum += a;
      QVERIFY(std::abs(sum - 1) < 1e-5);
    }
  }
  QVERIFY(fates.contains(BeamHypothesis::Fate::pruned) && fates.contains(BeamHypothesis::Fate::alive));
  for (std::size_t i = 1; i < result.beam->best.size(); ++i)
    QVERIFY(result.beam->best[i - 1].score >= result.beam->best[i].score);
}

// Each hypothesis is decoded with the edits: B = 1 is greedy decoding with them, and the winner's probability is that
// of a run which is made to write it, with them.
void TestRunDecoding::beams_take_edits_data() {
  QTest::addColumn<QString>("architecture");
  for (const char* name : {"seq2seq", "attn_seq2seq", "luong", "bahdanau", "convs2s"})
    QTest::newRow(name) << QString(name);
}
void TestRunDecoding::beams_take_edits() {
  QFETCH(QString, architecture);
  Request request = request_of(architecture.toUtf8());
  const Result plain = run(request);
  request.interventions = {parse_intervention("encoder.embed.out*-3"),
                           parse_intervention("decoder.step[1].output.logits[5]+4")};
  const Result greedy = run(request);
  QVERIFY(log_probability(greedy) != log_probability(plain));
  request.decode.kind = DecodeSettings::Kind::beam;
  request.decode.beam.width = 1;
  QCOMPARE(ids_of(run(request)), ids_of(greedy));
  request.decode.beam.width = 4;
  const Result beam = run(request);
  QVERIFY(std::abs(beam.beam->best[0].logp - log_probability(beam)) < 1e-4);
  QCOMPARE(beam.beam->best[0].tokens, ids_of(beam));
}

// Over the registry: with edits of what is read and of a step, B = 1 is greedy decoding, and a wide beam finds what
// trying every text finds.
void TestRunDecoding::beams_take_edits_on_every_architecture_data() {
  QTest::addColumn<QString>("architecture");
  for (const Architecture& row : architectures()) QTest::newRow(row.name) << QString(row.name);
}
void TestRunDecoding::beams_take_edits_on_every_architecture() {
  QFETCH(QString, architecture);
  const std::string name = architecture.toStdString();
  const bool guesses = name == "encoder_only";  // one token for each of the source, without an end sign
  auto bundle = std::make_shared<ModelBundle>();
  const std::vector<std::string> letters = {"a", "b", "c", "d"};
  bundle->text = rules_with_end(TokenizerKind::characters, letters, letters);
  bundle->text.target_length = 2;
  if (guesses) bundle->text.eos.reset();
  Json config = {{"model_type", name}, {"source_vocabulary_size", 8}, {"target_vocabulary_size", 8}};
  if (name == "hard_attention") config["attention.selection"] = "soft";  // hypotheses draw for themselves
  auto model = make_model(config, 5);
  for (Parameter& parameter : model->parameters().all()) parameter.value.array() *= Scalar(1.5);
  bundle->model = std::move(model);
  Request request;
  request.model = bundle;
  request.source = "ab";
  request.trace = false;
  const char* read = name == "ntm"            ? "encoder.step[1].controller.input"
                     : name == "decoder_only" ? "decoder.embed.out"
                                              : "encoder.embed.out";
  // A text can be forced when it has a token, has no <unk>, and ends in time: the edits see to it.
  request.interventions = {parse_intervention(read + std::string("*-3")),
                           parse_intervention("decoder.step[1].output.logits[5]+1"),
                           parse_intervention("decoder.step[*].output.logits[3]=-40")};
  if (!guesses) {
    request.interventions.push_back(parse_intervention("decoder.step[0].output.logits[2]=-40"));
    request.interventions.push_back(parse_intervention("decoder.step[2].output.logits[2]=40"));
  } else {
    request.interventions.push_back(parse_intervention("decoder.step[*].output.logits[2]=-40"));
  }
  double best = -std::numeric_limits<double>::infinity();
  std::vector<TokenId> best_ids;
  for (const std::string& first : letters)
    for (const std::string& second : {std::string(), letters[0], letters[1], letters[2], letters[3]}) {
      if (guesses && second.empty()) continue;
      Request forced = request;
      forced.target = first + second;
      const Result result = run(forced);
      if (log_probability(result) <= best) continue;
      best = log_probability(result);
      best_ids = ids_of(result);
    }
  const Result greedy = run(request);
  Request plain = request;
  plain.interventions.erase(plain.interventions.begin());
  QVERIFY(log_probability(run(plain)) != log_probability(greedy));  // the edit of what is read is felt
  request.decode.kind = DecodeSettings::Kind::beam;
  request.decode.beam.length_norm = LengthNorm::none;
  request.decode.beam.beta = 0;
  request.decode.beam.width = 1;
  QCOMPARE(ids_of(run(request)), ids_of(greedy));
  request.decode.beam.width = 100;
  const Result beam = run(request);
  QCOMPARE(ids_of(beam), best_ids);
  QVERIFY(std::abs(beam.beam->best[0].logp - best) < 1e-4);
}

void TestRunDecoding::sampling_at_temperature_zero_is_greedy() {
  Request request = request_of("luong");
  const Result greedy = run(request);
  request.decode.kind = DecodeSettings::Kind::sample;
  request.decode.sampling.temperature = 0;
  QCOMPARE(ids_of(run(request)), ids_of(greedy));
}

void TestRunDecoding::a_seed_names_a_sample() {
  Request request = request_of("attn_seq2seq");
  request.decode.kind = DecodeSettings::Kind::sample;
  request.decode.sampling.temperature = 3;
  request.decode.sampling.top_k = 4;
  std::set<std::vector<TokenId>> outputs;
  for (request.seed = 1; request.seed <= 10; ++request.seed) {
    const Result once = run(request), again = run(request);
    QCOMPARE(ids_of(once), ids_of(again));
    Random random(request.seed, Random::Stream::sample);
    for (const OutputStep& step : once.steps) {
      QCOMPARE(step.u, random.uniform());
      QVERIFY(step.kept >= 1 && step.kept <= 4);
    }
    outputs.insert(ids_of(once));
  }
  QVERIFY(outputs.size() > 1);
}

void TestRunDecoding::hard_attention_draws_from_its_stream() {
  Request request = request_of("hard_attention");
  std::set<std::vector<double>> choices;
  for (request.seed = 1; request.seed <= 10; ++request.seed) {
    const Result result = run(request);
    Random random(request.seed, Random::Stream::hard_attention);
    std::vector<double> chosen;
    for (std::size_t t = 0; t < result.steps.size(); ++t) {
      const std::string step = "decoder.step[" + std::to_string(t) + "].attention.";
      const double u = doubles(result.trace->value(step + "sample.u"))[0];
      QVERIFY(std::abs(u - random.uniform()) < 1e-6);
      // The first position at which the summed weights exceed u.
      const std::vector<double> weights = doubles(result.trace->value(step + "weights"));
      std::size_t j = 0;
      for (double sum = weights[0]; sum <= u && j + 1 < weights.size(); sum += weights[++j]) continue;
      QCOMPARE(doubles(result.trace->value(step + "sample.index"))[0], static_cast<double>(j));
      QCOMPARE(doubles(result.trace->value(step + "sample.onehot"))[j], 1.0);
      chosen.push_back(static_cast<double>(j));
    }
    choices.insert(chosen);
  }
  QVERIFY(choices.size() > 1);
}

void TestRunDecoding::targets_may_be_written_from_their_end() {
  const auto sampled = [](bool reverse) {
    Request request = request_of("attn_seq2seq", {{"reverse_target", reverse}});
    request.decode.kind = DecodeSettings::Kind::sample;
    request.decode.sampling.temperature = 50;
    return run(request);
  };
  const Result forward = sampled(false), backward = sampled(true);
  QCOMPARE(ids_of(backward), ids_of(forward));  // the same weights and draws write the same tokens
  std::string there, back;
  for (const OutputStep& step : forward.steps) {
    if (step.text == "<eos>") continue;
    there += step.text;
    back = step.text + back;
  }
  QVERIFY(there.size() > 1 && there != back);
  QCOMPARE(forward.output, there);
  QCOMPARE(backward.output, back);
}

// The chain rule: what follows a forced beginning is what the model writes after these tokens, whoever chose them.
void TestRunDecoding::a_beginning_is_forced_and_the_model_goes_on() {
  Request request = request_of("attn_seq2seq");
  request.prefix = true;
  // A beginning of our own: every later token is the most probable one of the whole output, scored as it stands.
  std::set<std::string> outputs;
  for (const char* beginning : {"x", "y", "z", "xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"}) {
    request.target = beginning;
    const Result result = run(request);
    QVERIFY(result.output.starts_with(beginning));
    if (result.output.find('<') != std::string::npos) continue;  // <unk> cannot be typed
    outputs.insert(result.output);
    // A longer beginning of the same output leads to the same end.
    Request longer = request;
    longer.target = result.output.substr(0, request.target->size() + 1);
    QCOMPARE(ids_of(run(longer)), ids_of(result));
    Request whole = request;
    whole.prefix = false;
    whole.target = result.output;
    const Result scored = run(whole);
    for (std::size_t t = 0; t < result.steps.size(); ++t) {
      QCOMPARE(result.steps[t].id, scored.steps[t].id);
      QCOMPARE(result.steps[t].probability, scored.steps[t].probability);
      if (t >= request.target->size()) QCOMPARE(result.steps[t].probability, result.steps[t].top[0].probability);
    }
  }
  QVERIFY(outputs.size() > 2);
}

// Each before the next is computed: who has seen enough stops the run there.
void TestRunDecoding::steps_are_told_as_they_are_written() {
  Request request = request_of("attn_seq2seq");
  std::vector<TokenId> told;
  request.wrote = [&](const OutputStep& step) { told.push_back(step.id); };
  const std::vector<TokenId> all = ids_of(run(request));
  QCOMPARE(told, all);
  QVERIFY(all.size() > 2);
  told.clear();
  request.cancel = CancelToken::make();
  request.wrote = [&](const OutputStep& step) {
    told.push_back(step.id);
    if (told.size() == 2) request.cancel.cancel();
  };
  QVERIFY_EXCEPTION_THROWN(run(request), Cancelled);
  QCOMPARE(told, std::vector(all.begin(), all.begin() + 2));
}

HEADLIGHT_TEST(TestRunDecoding)

}  // namespace headlight::test_run_decoding

#include "test_run_decoding.moc"
