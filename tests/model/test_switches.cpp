// The switches of a model's mechanism: every value of every bundled model runs, refused ones are refused for a reason,
// and what differs from training is listed.

#include <QtTest>
#include <cmath>

#include "model/analysis/switches.h"
#include "model/core/errors.h"
#include "model/decode/run.h"
#include "model/io/model_folder.h"
#include "model/models/variant.h"
#include "tests/test_program.h"

namespace headlight::test_switches {

namespace {

std::vector<Json> values_of(const Switch& one) {
  std::vector<Json> values;
  for (const SwitchChoice& choice : one.choices)
    if (choice.refused.empty()) values.push_back(choice.value);
  if (one.kind == Switch::Kind::flag) values = {true, false};
  const auto low = static_cast<int>(one.low), high = static_cast<int>(one.high);
  if (one.kind == Switch::Kind::whole) values = {low, low + 1, high};
  if (one.kind == Switch::Kind::number) values = {one.low, (one.low + one.high) / 2, one.high};
  return values;
}

Result run_of(std::shared_ptr<const ModelBundle> model, bool trace = false) {
  Request request;
  request.source = model->examples.front();
  request.model = std::move(model);
  request.trace = trace;
  request.capture.explain = false;
  return run(request);
}

const Switch* find(const std::vector<Switch>& switches, const std::string& key) {
  const auto found = std::ranges::find_if(switches, [&](const Switch& one) { return one.key == key; });
  return found == switches.end() ? nullptr : &*found;
}

bool is_refused(const std::shared_ptr<const ModelBundle>& model, const std::string& key, const Json& value) {
  try {
    variant(model, {{key, value}});
  } catch (const FormatError&) {
    return true;
  }
  return false;
}

}  // namespace

class TestSwitches : public QObject {
  Q_OBJECT

 private slots:
  void every_value_runs_data() {
    QTest::addColumn<QString>("folder");
    for (const auto& folder : bundled_models())
      QTest::newRow(folder.filename().c_str()) << QString::fromStdString(folder.string());
  }
  void every_value_runs() {
    QFETCH(QString, folder);
    const auto model = load_model(folder.toStdString());
    for (const Switch& one : switches_of(*model)) {
      for (const Json& value : values_of(one)) {
        const Result result = run_of(variant(model, {{one.key, value}}));
        QVERIFY2(!result.steps.empty(), one.key);
        for (const OutputStep& step : result.steps) QVERIFY2(std::isfinite(step.probability), one.key);
      }
      for (const SwitchChoice& choice : one.choices)
        QCOMPARE(is_refused(model, one.key, choice.value), !choice.refused.empty());
    }
  }

  void which_models_have_which() {
    const auto keys = [](const char* name) {
      QStringList all;
      for (const Switch& one : switches_of(*load_model(name))) all << one.key;
      return all;
    };
    QCOMPARE(keys("date-attention"),
             QStringList({"attention.score", "attention.beta", "attention.temperature", "attention.selection",
                          "attention.reach", "attention.half_width", "attention.sigma", "reverse_source"}));
    QCOMPARE(keys("date-plain"), QStringList({"reverse_source"}));
    QCOMPARE(keys("toy-mt-convs2s"), QStringList({"attention_layers", "reverse_source"}));
    QCOMPARE(keys("date-transformer"),
             QStringList({"scale_scores", "score_scale", "window", "positions", "reverse_source"}));
    QCOMPARE(keys("story-gpt"), QStringList({"scale_scores", "score_scale", "window", "causal", "positions"}));
    QCOMPARE(keys("masked-bert"), QStringList({"scale_scores", "score_scale", "window", "positions"}));
    QVERIFY(keys("copy-ntm").isEmpty());
  }

  // Bahdanau's queries have H numbers and its keys 2H: what multiplies them one by one cannot compare them.
  void what_does_not_fit_is_refused_with_a_reason() {
    const auto model = load_model("toy-mt-bahdanau");
    const auto switches = switches_of(*model);
    const Switch* score = find(switches, "attention.score");
    QVERIFY(score);
    for (const SwitchChoice& choice : score->choices) {
      const bool product = choice.value == "dot" || choice.value == "scaled_dot" || choice.value == "cosine";
      QCOMPARE(choice.refused.empty(), !product);
      if (product) QVERIFY(choice.refused.find("queries have 64 and keys 128") != std::string::npos);
    }
  }

  void some_only_matter_beside_others() {
    const auto model = load_model("date-attention");
    const auto matters = [&](const Json& settings, const char* key) {
      const auto switches = switches_of(*variant(model, settings));
      return find(switches, key)->matters;
    };
    QVERIFY(!matters(Json::object(), "attention.half_width"));
    QVERIFY(matters({{"attention.reach", "local_m"}}, "attention.half_width"));
    QVERIFY(!matters({{"attention.reach", "local_m"}}, "attention.sigma"));
    QVERIFY(matters({{"attention.reach", "local_p"}}, "attention.sigma"));
    QVERIFY(!matters(Json::object(), "attention.beta"));
    QVERIFY(matters({{"attention.score", "cosine"}}, "attention.beta"));
  }

  // What a switch says that it changes nothing of, it changes nothing of; the others change the numbers.
  void the_others_change_the_numbers() {
    for (const char* name : {"date-attention", "date-transformer", "story-gpt", "toy-mt-convs2s"}) {
      const auto model = load_model(name);
      const Result plain = run_of(model);
      for (const Switch& one : switches_of(*model)) {
        bool changed = false;
        for (const Json& value : values_of(one)) {
          const Result other = run_of(variant(model, {{one.key, value}}));
          changed = changed || other.output != plain.output ||
                    other.steps.front().probability != plain.steps.front().probability;
        }
        QVERIFY2(changed == one.matters, (std::string(name) + ": " + one.key).c_str());
      }
    }
  }

  void differences_from_training() {
    const auto model = load_model("date-attention");
    QVERIFY(changed_settings(*model).empty());
    const auto other = variant(model, {{"attention.score", "general"}, {"attention.temperature", 2.0}});
    QCOMPARE(changed_settings(*other).dump(),
             Json({{"attention.score", "general"}, {"attention.temperature", 2.0}}).dump());
    QCOMPARE(other->untrained, std::vector<std::string>{"attention.W_a [128 x 128]"});
  }
};

HEADLIGHT_TEST(TestSwitches)

}  // namespace headlight::test_switches

#include "test_switches.moc"
