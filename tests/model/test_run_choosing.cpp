// What a run tells of choosing, and settings of generation_config.json in place of its own way of decoding.

#include <QTest>
#include <cmath>

#include "model/core/errors.h"
#include "model/core/json_library.h"
#include "model/decode/run.h"
#include "model/io/formats/pretrained/pretrained_models.h"
#include "model/io/json_file.h"
#include "model/io/model_folder.h"
#include "tests/model/io_helpers.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_run_choosing {

using namespace headlight::testing;
using Ids = std::vector<TokenId>;

namespace {

const Ids kRead = {5, 6, 7, 5};

std::vector<std::string> names_of(const TokenChoice& choice) {
  std::vector<std::string> names;
  for (const ChoiceStage& stage : choice.stages) names.push_back(stage.name);
  return names;
}

Ids written_by(const Result& result) {
  Ids ids;
  for (const OutputStep& step : result.steps) ids.push_back(step.id);
  return ids;
}

}  // namespace

class TestRunChoosing : public QObject {
  Q_OBJECT
  std::shared_ptr<const ModelBundle> gpt2_ = load_model(committed() / "gpt2");

  Request asked(std::optional<QString> settings, std::size_t most = 5) const {
    Request request;
    request.model = gpt2_;
    request.ids = kRead;
    request.trace = false;
    request.choosing = most;
    if (settings) request.decode.generation = SharedJson(parse_json(settings->replace('\'', '"').toStdString(), "x"));
    return request;
  }
  Ids library(const char* settings) const {
    const Json json = parse_json(QString(settings).replace('\'', '"').toStdString(), "x");
    return open_pretrained(committed() / "gpt2")->written(kRead, json, "x", {}).sequences.at(0).ids;
  }

 private slots:
  void every_step_is_told() {
    Request plain = asked({});
    plain.choosing.reset();
    const Result result = run(asked({})), before = run(plain);
    QVERIFY(before.choices.empty());
    QCOMPARE(written_by(result), written_by(before));
    QCOMPARE(result.choices.size(), result.steps.size());
    for (std::size_t t = 0; t < result.steps.size(); ++t) {
      const TokenChoice& choice = result.choices[t];
      QCOMPARE(choice.chosen, result.steps[t].id);
      QCOMPARE(choice.stages.at(0).ids.size(), std::size_t(5));
      QCOMPARE(choice.stages[0].ids[0], result.steps[t].top[0].id);
      QVERIFY(std::abs(choice.stages[0].probabilities[0] - result.steps[t].top[0].probability) < 1e-5);
    }
  }

  void drawn_tokens_are_told() {
    Request request = asked({});
    request.decode.kind = DecodeSettings::Kind::sample;
    request.decode.sampling = {0.7, 4, 0.9, 0};
    Request plain = request;
    plain.choosing.reset();
    const Result result = run(request);
    QCOMPARE(written_by(result), written_by(run(plain)));
    for (std::size_t t = 0; t < result.steps.size(); ++t) {
      const TokenChoice& choice = result.choices.at(t);
      QCOMPARE(names_of(choice), (std::vector<std::string>{"logits", "temperature", "top_k", "top_p"}));
      QCOMPARE(choice.stages[2].left, Index(4));
      QCOMPARE(choice.stages[3].left, result.steps[t].kept);
      QCOMPARE(choice.u, result.steps[t].u);
      QCOMPARE(choice.chosen, result.steps[t].id);
      QVERIFY(!choice.taken_by(choice.chosen));
    }
  }

  void settings_act_as_in_the_library() {
    for (const char* settings : {"{'max_new_tokens': 5, 'repetition_penalty': 1.5, 'no_repeat_ngram_size': 2}",
                                 "{'max_new_tokens': 6, 'num_beams': 3, 'length_penalty': 0.5}",
                                 "{'max_new_tokens': 7, 'do_sample': true, 'top_k': 3, 'temperature': 1.5}"}) {
      const Result result = run(asked(settings));
      QVERIFY2(written_by(result) == library(settings), settings);
      QCOMPARE(result.choices.size(), result.steps.size());
      QCOMPARE(result.beam != nullptr, QString(settings).contains("num_beams"));
    }
    const Result drawn = run(asked("{'max_new_tokens': 7, 'do_sample': true, 'top_k': 3, 'temperature': 1.5}"));
    for (const OutputStep& step : drawn.steps) QCOMPARE(step.kept, Index(3));
  }

  // What a person wrote at the beginning is read as a prompt is: beams go on from it, and settings count from there.
  void beams_go_on_from_a_beginning() {
    const char* settings = "{'max_new_tokens': 6, 'num_beams': 3, 'length_penalty': 0.5, 'no_repeat_ngram_size': 2}";
    const Ids beginning = {9, 4};
    Request request = asked(settings);
    request.target = gpt2_->text.target.join(beginning);
    request.prefix = true;
    Ids prompt = kRead;
    prompt.insert(prompt.end(), beginning.begin(), beginning.end());
    const Json json = parse_json(QString(settings).replace('\'', '"').toStdString(), "x");
    const auto made = open_pretrained(committed() / "gpt2")->written(prompt, json, "x", {}).sequences.at(0);
    Ids expected = beginning;
    expected.insert(expected.end(), made.ids.begin(), made.ids.end());
    const Result result = run(request);
    QCOMPARE(written_by(result), expected);
    QCOMPARE(result.choices.size(), result.steps.size());
    const BeamTree& tree = *result.beam;
    QCOMPARE(tree.steps.size(), expected.size());
    QCOMPARE(tree.steps[1].hypotheses.size(), std::size_t(1));
    QCOMPARE(tree.best.at(0).tokens, expected);
    QVERIFY(std::abs(tree.best[0].score - *made.score) < 1e-5);
    QCOMPARE(tree.tokens_of(tree.best[0].step, tree.best[0].place), expected);
  }

  void own_beams_go_on_from_a_beginning() {
    Request request;
    request.model = load_model("copy-transformer");
    request.source = "31415";
    request.trace = false;
    request.decode.kind = DecodeSettings::Kind::beam;
    request.decode.beam.width = 3;
    request.target = "27";
    request.prefix = true;
    const Result result = run(request);
    QVERIFY(result.output.starts_with("27"));
    QCOMPARE(written_by(result), result.beam->best.at(0).tokens);
    // Of the tokens behind the beginning, as scored by forcing the whole output.
    Request forced = request;
    forced.decode = {};
    forced.prefix = false;
    forced.target = result.output;
    double logp = 0;
    const Result scored = run(forced);
    for (std::size_t t = 2; t < scored.steps.size(); ++t) logp += std::log(scored.steps[t].probability);
    QVERIFY(std::abs(result.beam->best[0].logp - logp) < 1e-4);
    // Where there is no place behind it, it is all.
    request.target = std::string(static_cast<std::size_t>(result.model->text.target_limit(5)), '2');
    QVERIFY(!run(request).steps.empty());
  }

  // The library's search of a model of ours: padding and the start sign are never written, and it ends at the end sign.
  void settings_of_a_model_of_ours() {
    Request request;
    request.model = load_model("copy-transformer");
    request.source = "31415";
    request.trace = false;
    const std::string greedy = run(request).output;
    request.choosing = 3;
    request.decode.generation = SharedJson(Json::object());
    const Result same = run(request);
    QCOMPARE(same.output, greedy);
    QCOMPARE(names_of(same.choices.at(0)), (std::vector<std::string>{"logits", "suppress_tokens"}));
    request.decode.generation = SharedJson(Json{{"num_beams", 3}});
    const Result beams = run(request);
    QVERIFY(beams.beam && beams.beam->best.size() == 3);
    QCOMPARE(beams.output, greedy);
    for (const BeamStep& step : beams.beam->steps)
      for (const BeamHypothesis& h : step.hypotheses)
        QVERIFY(std::ranges::count(request.model->text.never_written(), h.token) == 0);
    const BeamTree& tree = *beams.beam;
    for (std::size_t t = 0; t + 1 < tree.steps.size(); ++t)
      for (const BeamHypothesis& h : tree.steps[t].hypotheses)
        if (h.fate == BeamHypothesis::Fate::pruned && h.token != request.model->text.eos)
          QVERIFY(h.logp <= tree.cut_below(static_cast<int>(t)));
    request.decode.generation = SharedJson(Json{{"top_p", 7}, {"do_sample", true}});
    QCOMPARE(message_of<FormatError>([&] { run(request); }),
             QString("how tokens are chosen: top_p: expected a number from 0 to 1, found 7"));
  }
};

HEADLIGHT_TEST(TestRunChoosing)

}  // namespace headlight::test_run_choosing

#include "test_run_choosing.moc"
