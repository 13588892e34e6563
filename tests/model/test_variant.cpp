// A trained model with other settings: the same weights in the same memory, and what is refused.

#include "model/decode/run.h"
#include "model/models/variant.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_variant {

using namespace headlight::testing;

namespace {

std::shared_ptr<const ModelBundle> trained() {
  ModelBundle bundle;
  bundle.text = rules_with_end(TokenizerKind::characters, {"a", "b", "c"}, {"x", "y", "z"});
  const Json config = {{"model_type", "attn_seq2seq"},
                       {"source_vocabulary_size", bundle.source_vocabulary().size()},
                       {"target_vocabulary_size", bundle.target_vocabulary().size()},
                       {"embedding_size", 3},
                       {"hidden_size", 4}};
  bundle.model = make_model(config, 1);
  return std::make_shared<const ModelBundle>(std::move(bundle));
}

}  // namespace

class TestVariant : public QObject {
  Q_OBJECT
 private slots:
  void weights_are_shared() {
    const auto model = trained();
    const auto other = variant(model, {{"attention.score", "cosine"}});
    QVERIFY(other != model);
    QCOMPARE(other->trained, model);
    QCOMPARE(&as_trained(*other), model.get());
    for (const Parameter& parameter : model->model->parameters().all())
      QCOMPARE(other->model->parameters().find(parameter.name)->data(), parameter.value.data());
    QCOMPARE(other->model->config()["attention.score"].get<std::string>(), std::string("cosine"));
  }

  void no_change_is_the_model_itself() {
    const auto model = trained();
    QCOMPARE(variant(model, Json::object()), model);
    QCOMPARE(variant(model, {{"attention.score", "dot"}}), model);
  }

  void a_variant_of_a_variant_starts_from_the_trained_model() {
    const auto model = trained();
    const auto once = variant(model, {{"attention.score", "cosine"}});
    const auto twice = variant(once, {{"attention.temperature", 2}});
    QCOMPARE(twice->trained, model);
    QCOMPARE(twice->model->config()["attention.score"].get<std::string>(), std::string("dot"));
  }

  void what_was_never_trained_is_named_and_drawn() {
    const auto other = variant(trained(), {{"attention.score", "general"}});
    QCOMPARE(other->untrained, std::vector<std::string>{"attention.W_a [4 x 4]"});
    QVERIFY((other->model->parameters().find("attention.W_a")->array() != 0).any());
  }

  void bad_settings_are_refused() {
    const auto model = trained();
    QVERIFY_EXCEPTION_THROWN(variant(model, {{"attention.scores", "dot"}}), UsageError);
    QVERIFY_EXCEPTION_THROWN(variant(model, {{"attention.score", "best"}}), FormatError);
    QVERIFY_EXCEPTION_THROWN(variant(model, {{"hidden_size", 8}}), FormatError);
  }

  // Every entry is made from the entries that its operation read: checked against the explanations, which know the
  // cells behind each number.
  void a_trace_knows_what_each_value_was_computed_from() {
    Request request;
    request.model = trained();
    request.source = "abca";
    const Result result = run(request);
    const Trace& trace = *result.trace;
    int compared = 0;
    for (int entry = 0; entry < trace.size(); ++entry) {
      std::vector<int> inputs = trace.inputs(entry);
      // Another name for the same cells: its arithmetic is that of the first.
      if (inputs.size() == 1 && trace[inputs[0]].value.storage_id() == trace[entry].value.storage_id())
        for (const int further : trace.inputs(inputs[0])) inputs.push_back(further);
      for (Index cell = 0; cell < trace[entry].value.size(); cell += 3)
        for (const Term& term : trace.explain(entry, cell).terms)
          for (const Cell& from : term.cells) {
            const Location at = trace.locate(from);
            if (at.entry < 0 || at.entry == entry) continue;
            // The smallest name of a cell may be a part of what was read, and the other way round.
            const bool known = std::any_of(inputs.begin(), inputs.end(), [&](int input) {
              return trace[input].value.storage_id() == trace[at.entry].value.storage_id();
            });
            QVERIFY2(known, (trace[entry].site.text + " reads " + at.name).c_str());
            ++compared;
          }
      for (const int input : inputs) QVERIFY(input < entry);
    }
    QVERIFY(compared > 500);
    QVERIFY(trace.inputs(trace.find("input.src.ids")).empty());
    QCOMPARE(trace.inputs(trace.find("decoder.step[0].attention.weights")),
             std::vector<int>{trace.find("decoder.step[0].attention.scores")});
  }
};

HEADLIGHT_TEST(TestVariant)

}  // namespace headlight::test_variant

#include "test_variant.moc"
