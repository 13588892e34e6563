// Mappings of recurrent models that names and shapes propose: against the mappings that are shipped, which are checked
// against PyTorch, and for what is none of our models.

#include <QTest>
#include <nlohmann/json.hpp>

#include "model/decode/run.h"
#include "model/io/formats/mapping/mapping_guess.h"
#include "model/io/safetensors.h"
#include "tests/model/io_helpers.h"
#include "tests/test_program.h"

namespace headlight::test_mapping_recurrent {

using namespace headlight::testing;

namespace {

const fs::path kWeights = fs::path(HEADLIGHT_TEST_DATA) / "pytorch" / "seq2seq";

std::shared_ptr<const TensorFile> tensors_of(const fs::path& file) { return format_of(file)->contents(file).tensors; }

Tensor numbers(const Shape& shape, double from) {
  Tensor x(shape);
  for (Index i = 0; i < x.size(); ++i) x[i] = static_cast<Scalar>(std::sin(from + 0.7 * static_cast<double>(i)));
  return x;
}

// nn.GRU or nn.LSTM of one direction.
void add_cell(std::vector<NamedTensor>& all, const std::string& place, Index gates, Index input, Index hidden,
              Index layers) {
  for (Index l = 0; l < layers; ++l) {
    const std::string end = "_l" + std::to_string(l);
    all.push_back({place + ".weight_ih" + end, numbers({gates * hidden, l == 0 ? input : hidden}, 1.5)});
    all.push_back({place + ".weight_hh" + end, numbers({gates * hidden, hidden}, 2.5)});
    all.push_back({place + ".bias_ih" + end, numbers({gates * hidden}, 3.5)});
    all.push_back({place + ".bias_hh" + end, numbers({gates * hidden}, 4.5)});
  }
}

}  // namespace

class TestMappingRecurrent : public QObject {
  Q_OBJECT

  // What mapping_from says against somebody.
  static std::string refusal(const std::vector<NamedTensor>& tensors) {
    Folder folder;
    write_safetensors(folder / "w.safetensors", tensors, {}, StorageType::f32);
    const auto file = tensors_of(folder / "w.safetensors");
    const auto answers = guessed_answers(*file);
    if (!answers || answers->model_type != "recurrent") return "not guessed";
    try {
      mapping_from(folder / "w.safetensors", *file, *answers);
    } catch (const FormatError& error) {
      return error.what();
    }
    return {};
  }

 private slots:
  void the_course_is_made_to_run_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("questions");
    QTest::newRow("context") << QString("gru-context") << 2;
    QTest::newRow("attention") << QString("gru-attention") << 3;
  }
  void the_course_is_made_to_run() {
    QFETCH(QString, name);
    QFETCH(int, questions);
    const fs::path file = kWeights / (name.toStdString() + ".pt");
    const auto tensors = tensors_of(file);
    auto answers = guessed_answers(*tensors);
    QVERIFY(answers);
    QCOMPARE(answers->model_type, std::string("recurrent"));
    answers->source_vocabulary = "source.vocabulary.txt";
    answers->target_vocabulary = "target.vocabulary.txt";
    answers->start = "<sos>";
    answers->end = "<eos>";
    // In the course the output layer of the one reads the embedding first, that of the other last.
    if (name == "gru-context") answers->chosen["what the output layer reads"] = "embedding, state, context";
    const MappingProposal proposal = mapping_from(file, *tensors, *answers);
    QVERIFY(proposal.missing.empty());
    QVERIFY2(proposal.unused.empty(), proposal.unused.empty() ? "" : proposal.unused.front().c_str());
    QCOMPARE(proposal.questions.size(), static_cast<std::size_t>(questions));
    Request request;
    request.source = "die frau sieht ein kind .";
    request.model = open_rules(file, *proposal.mapping, kWeights / "made.json");
    const Result made = run(request);
    request.model = open_mapped(file, fs::path(HEADLIGHT_TEST_DATA).parent_path().parent_path() / "docs" / "mappings" /
                                          (name.toStdString() + ".json"));
    const Result shipped = run(request);
    QVERIFY2(made.output.starts_with(shipped.output), made.output.c_str());
    for (const Parameter& parameter : shipped.model->model->parameters().all()) {
      const Tensor* found = made.model->model->parameters().find(parameter.name);
      QVERIFY2(found, parameter.name.c_str());
      QVERIFY2(found->values() == parameter.value.values(), parameter.name.c_str());
    }
    // Another order is another model.
    answers->chosen["what the output layer reads"] = "context, state, embedding";
    const MappingProposal other = mapping_from(file, *tensors, *answers);
    QVERIFY(*other.mapping != *proposal.mapping);
    request.model = open_rules(file, *other.mapping, kWeights / "made.json");
    QVERIFY(run(request).trace->value("decoder.step[0].output.logits")[0] !=
            made.trace->value("decoder.step[0].output.logits")[0]);
  }

  // Two layers, one direction, and nothing but the last states handed over; no vocabulary, a tensor too many.
  void layers_are_stacked() {
    Folder folder;
    std::vector<NamedTensor> all = {{"encoder.embedding.weight", numbers({9, 5}, 0)},
                                    {"decoder.embedding.weight", numbers({11, 5}, 1)},
                                    {"decoder.fc_out.weight", numbers({11, 6}, 2)},
                                    {"decoder.fc_out.bias", numbers({11}, 3)},
                                    {"temperature", numbers({1}, 4)}};
    add_cell(all, "encoder.rnn", 4, 5, 6, 2);
    add_cell(all, "decoder.rnn", 4, 5, 6, 2);
    write_safetensors(folder / "w.safetensors", all, {}, StorageType::f32);
    const auto file = tensors_of(folder / "w.safetensors");
    auto answers = guessed_answers(*file);
    QVERIFY(answers);
    MappingProposal proposal = mapping_from(folder / "w.safetensors", *file, *answers);
    QVERIFY(proposal.questions.empty());
    QVERIFY(proposal.unused == std::vector<std::string>{"temperature [1]"});
    answers->leaves_over = true;
    proposal = mapping_from(folder / "w.safetensors", *file, *answers);
    const auto model = open_rules(folder / "w.safetensors", *proposal.mapping, folder / "m.json");
    QCOMPARE(model->model->config().at("layers").get<Index>(), Index(2));
    // PyTorch's gates are input, forget, candidate, output; ours forget, candidate, input, output.
    const Tensor& wx = *model->model->parameters().find("decoder.layer[1].lstm.Wx");
    const Tensor theirs = numbers({24, 6}, 1.5);
    for (Index i = 0; i < 6; ++i)
      for (Index k = 0; k < 6; ++k) {
        QCOMPARE(wx[i * 24 + k], theirs[(6 + k) * 6 + i]);
        QCOMPARE(wx[i * 24 + 12 + k], theirs[k * 6 + i]);
      }
    Request request;
    request.model = model;
    request.source = "3 1 4";
    QVERIFY(!run(request).steps.empty());
  }

  void what_is_none_of_our_models_is_named() {
    std::vector<NamedTensor> all = {{"encoder.embedding.weight", numbers({9, 5}, 0)},
                                    {"decoder.embedding.weight", numbers({11, 5}, 1)},
                                    {"decoder.out.weight", numbers({11, 6}, 2)}};
    add_cell(all, "encoder.rnn", 3, 5, 6, 1);
    auto with = all;
    add_cell(with, "decoder.rnn", 4, 5, 6, 1);
    QCOMPARE(refusal(with), std::string("recurrent layers: the encoder is nn.GRU and the decoder nn.LSTM: both have to "
                                        "be the same"));
    with = all;
    add_cell(with, "decoder.rnn", 3, 7, 6, 1);
    QCOMPARE(refusal(with), std::string("recurrent layers: the decoder reads 7 numbers; expected an embedding of 5, "
                                        "alone or with 6 of the encoder"));
    with = all;
    add_cell(with, "decoder.rnn", 3, 5, 8, 1);
    QCOMPARE(refusal(with), std::string("recurrent layers: the states of encoder and decoder are not of one width"));
    with = all;
    add_cell(with, "decoder.rnn", 3, 11, 6, 1);
    QCOMPARE(refusal(with), std::string("recurrent layers: no output layer with a row for each of the 11 tokens reads "
                                        "what the decoder of one of our models gives it"));
    // One layer alone is no encoder with a decoder.
    QCOMPARE(refusal(all), std::string("not guessed"));
  }
};

HEADLIGHT_TEST(TestMappingRecurrent)

}  // namespace headlight::test_mapping_recurrent

#include "test_mapping_recurrent.moc"
