// Swapping the mechanism of a trained model for one run.

#include <QTest>

#include "app/cli/overrides.h"
#include "model/decode/run.h"
#include "model/training/training_settings.h"
#include "tests/app/fixture.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_overrides {

class TestOverrides : public QObject {
  Q_OBJECT

  // Weights large enough that attention prefers some tokens.
  static std::shared_ptr<const ModelBundle> lively_model(const char* architecture) {
    auto bundle = small_model(architecture);
    for (const Parameter& parameter : bundle->model->parameters().all()) {
      Tensor value = parameter.value;
      value.array() *= parameter.name.ends_with("embed.W") ? Scalar(100) : Scalar(3);
    }
    return bundle;
  }
  static Result run_with(const std::vector<std::string>& settings, const char* architecture = "attn_seq2seq") {
    Request request;
    request.model = with_settings(lively_model(architecture), settings);
    request.source = "May 5, 2001";
    return run(request);
  }

 private slots:
  void every_score_reach_and_selection_can_be_swapped_in_data() {
    QTest::addColumn<QString>("setting");
    for (const std::string& name : kScoreNames)
      if (name != "dot") QTest::newRow(name.c_str()) << QString::fromStdString("attention.score=" + name);
    for (const char* setting : {"attention.selection=hard_argmax", "attention.selection=hard_sample",
                                "attention.reach=local_m", "attention.reach=local_p", "attention.temperature=3"})
      QTest::newRow(setting) << QString::fromUtf8(setting);
  }
  void every_score_reach_and_selection_can_be_swapped_in() {
    QFETCH(QString, setting);
    const Result plain = run_with({}), other = run_with({setting.toStdString()});
    QVERIFY(plain.model->warnings.empty());
    QVERIFY(!other.model->warnings.empty());
    QVERIFY(QString::fromStdString(other.model->warnings[0]).contains("the weights were trained with attention."));
    // Something behind the attention differs, and everything before it is as it was.
    QVERIFY(!testing::difference(other.trace->value("decoder.step[0].attention.context"),
                                 plain.trace->value("decoder.step[0].attention.context"), 1e-6)
                 .isEmpty());
    QCOMPARE(testing::difference(other.trace->value("encoder.states"), plain.trace->value("encoder.states"), 0),
             QString());
  }

  // A value that is no JSON is a text; so is one that is nested too deep for a parser that calls itself.
  void values_of_settings_are_json_or_text() {
    const std::string deep(100'000, '[');
    const auto said = [](const std::string& setting) {
      try {
        with_settings(small_model(), {setting});
      } catch (const Error& error) {
        return QString::fromUtf8(error.what());
      }
      return QString();
    };
    QVERIFY(said("attention.score=" + deep).startsWith("--set: "));
    QVERIFY(said("attention.temperature=" + deep).startsWith("--set: "));
    QVERIFY_EXCEPTION_THROWN(TrainingSettings().set("epochs=" + deep), UsageError);
  }

  void untrained_parameters_are_named() {
    const auto bundle = with_settings(small_model(), {"attention.score=general"});
    QCOMPARE(bundle->warnings.size(), std::size_t(2));
    QCOMPARE(
        QString::fromStdString(bundle->warnings[1]),
        QString("--set: this run needs attention.W_a [16 x 16], which was never trained: it holds random numbers"));
  }

  void a_matrix_of_another_score_is_not_taken_for_its_own() {
    const auto bundle = with_settings(small_model("bahdanau"), {"attention.hidden_size=5"});  // n′ was 32
    QStringList names;
    for (const std::string& warning : bundle->warnings)
      if (QString::fromStdString(warning).contains("never trained")) names << QString::fromStdString(warning);
    QCOMPARE(names.size(), 4);  // W_a, U_a, v_a, b_a
  }

  void what_cannot_be_is_an_error() {
    QVERIFY(testing::message_of<FormatError>([] {
              run_with({"attention.score=dot"}, "bahdanau");
            }).contains("\"attention.score\": dot compares queries and keys"));
    QVERIFY(testing::message_of<FormatError>([] { run_with({"hidden_size=8"}); }).contains("but the file has"));
    QVERIFY(testing::message_of<FormatError>([] {
              run_with({"attention.score=cos"});
            }).contains("must be one of dot, scaled_dot"));
    QVERIFY(testing::message_of<UsageError>([] { run_with({"attention.colour=red"}); }).contains("no setting"));
  }
};

HEADLIGHT_TEST(TestOverrides)

}  // namespace headlight::test_overrides

#include "test_overrides.moc"
