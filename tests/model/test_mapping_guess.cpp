// Mappings from what names and shapes say and a person answers: against the mapping that is shipped, and PyTorch.

#include <QTest>
#include <nlohmann/json.hpp>

#include "model/decode/run.h"
#include "model/io/formats/mapping/mapping_guess.h"
#include "model/io/safetensors.h"
#include "tests/model/io_helpers.h"
#include "tests/test_program.h"

namespace headlight::test_mapping_guess {

using namespace headlight::testing;

namespace {

const fs::path kWeights = fs::path(HEADLIGHT_TEST_DATA) / "pytorch" / "seq2seq";

std::shared_ptr<const TensorFile> tensors_of(const fs::path& file) { return format_of(file)->contents(file).tensors; }

}  // namespace

class TestMappingGuess : public QObject {
  Q_OBJECT

 private slots:
  // The course's Transformer: from its file, its two vocabularies and the tokens at the ends alone, it writes what the
  // shipped mapping, which is checked against PyTorch, writes.
  void a_transformer_is_made_to_run() {
    const fs::path file = kWeights / "transformer.pt";
    const auto tensors = tensors_of(file);
    auto answers = guessed_answers(*tensors);
    QVERIFY(answers);
    QCOMPARE(answers->model_type, std::string("transformer"));
    QCOMPARE(answers->heads, Index(4));
    QVERIFY(answers->norms_behind && answers->learned_positions);
    answers->source_vocabulary = "source.vocabulary.txt";
    answers->target_vocabulary = "target.vocabulary.txt";
    answers->start = "<sos>";
    answers->end = "<eos>";
    const MappingProposal proposal = mapping_from(file, *tensors, *answers);
    QVERIFY(proposal.missing.empty());
    QVERIFY(proposal.unused.empty());
    // Only the norms are asked for: two of a layer of the encoder, three of one of the decoder.
    QCOMPARE(proposal.questions.size(), std::size_t(5));
    for (const MappingQuestion& question : proposal.questions) QVERIFY(question.theirs.size() > 1);
    Request request;
    request.source = "die frau sieht ein kind .";
    request.model = open_rules(file, *proposal.mapping, kWeights / "made.json");
    const Result made = run(request);
    request.model = open_mapped(
        file, fs::path(HEADLIGHT_TEST_DATA).parent_path().parent_path() / "docs" / "mappings" / "transformer.json");
    const Result shipped = run(request);
    // The shipped one ends every output after eleven words.
    QVERIFY2(made.output.starts_with(shipped.output), made.output.c_str());
    for (const char* site : {"encoder.layer[1].norm2.out", "decoder.step[0].output.logits"}) {
      const Tensor a = made.trace->value(site), b = shipped.trace->value(site);
      QCOMPARE(a.size(), b.size());
      for (Index i = 0; i < a.size(); ++i) QVERIFY(std::abs(a[i] - b[i]) < 1e-5);
    }
    // Another answer is another model; what was chosen for one is not guessed for the other.
    answers->chosen["encoder.layer[#].norm1"] = "encoder.layers.#.ff_layer_norm";
    const MappingProposal other = mapping_from(file, *tensors, *answers);
    QVERIFY(other.unused.empty());
    for (const MappingQuestion& question : other.questions)
      if (question.ours == "encoder.layer[#].norm2")
        QCOMPARE(question.chosen, std::string("encoder.layers.#.self_attn_layer_norm"));
    request.model = open_rules(file, *other.mapping, kWeights / "made.json");
    QVERIFY(std::abs(run(request).trace->value("encoder.layer[1].norm2.out")[0] -
                     made.trace->value("encoder.layer[1].norm2.out")[0]) > 1e-5);
  }

  // nn.TransformerEncoder behind a table: queries, keys and values in one tensor, a tensor too many, no vocabulary.
  void what_torch_nn_fuses_is_taken_apart() {
    Folder folder;
    const auto numbers = [](const Shape& shape, double from) {
      Tensor x(shape);
      for (Index i = 0; i < x.size(); ++i) x[i] = static_cast<Scalar>(std::sin(from + 0.7 * static_cast<double>(i)));
      return x;
    };
    std::vector<NamedTensor> all = {{"embedding.weight", numbers({9, 8}, 0)}};
    for (const char* layer : {"encoder.layers.0.", "encoder.layers.1."}) {
      const auto add = [&](const char* name, const Shape& shape) {
        all.push_back({std::string(layer) + name, numbers(shape, static_cast<double>(all.size()))});
      };
      add("self_attn.in_proj_weight", {24, 8});
      add("self_attn.in_proj_bias", {24});
      add("self_attn.out_proj.weight", {8, 8});
      add("self_attn.out_proj.bias", {8});
      add("linear1.weight", {20, 8});
      add("linear1.bias", {20});
      add("linear2.weight", {8, 20});
      add("linear2.bias", {8});
      for (const char* norm : {"norm1", "norm2"})
        for (const char* part : {".weight", ".bias"}) add((std::string(norm) + part).c_str(), {8});
    }
    all.push_back({"temperature", numbers({1}, 3)});
    write_safetensors(folder / "w.safetensors", all, {}, StorageType::f32);
    const auto tensors = tensors_of(folder / "w.safetensors");
    auto answers = guessed_answers(*tensors);
    QVERIFY(answers);
    QCOMPARE(answers->model_type, std::string("encoder_only"));
    answers->heads = 2;
    answers->norms_behind = true;
    MappingProposal proposal = mapping_from(folder / "w.safetensors", *tensors, *answers);
    QVERIFY2(proposal.missing.empty(), proposal.missing.empty() ? "" : proposal.missing.front().c_str());
    QVERIFY(proposal.unused == std::vector<std::string>{"temperature [1]"});
    answers->leaves_over = true;
    proposal = mapping_from(folder / "w.safetensors", *tensors, *answers);
    const auto model = open_rules(folder / "w.safetensors", *proposal.mapping, folder / "m.json");
    // Rows 8 to 15 are the keys, and nn.Linear stores [out x in].
    const Tensor *keys = model->model->parameters().find("encoder.layer[1].self_attn.W_k"), &fused = all[13].value;
    QCOMPARE(all[13].name, std::string("encoder.layers.1.self_attn.in_proj_weight"));
    for (Index i = 0; i < 8; ++i)
      for (Index j = 0; j < 8; ++j) QCOMPARE((*keys)[i * 8 + j], fused[(8 + j) * 8 + i]);
  }

  void what_is_no_transformer_is_not_guessed() {
    for (const char* name : {"views-and-types.pt", "one-tensor.pt"})
      QVERIFY(!guessed_answers(*tensors_of(fs::path(HEADLIGHT_TEST_DATA) / "pytorch" / name)));
    // A recurrent model has tables too: what a Transformer would need is missing, in words.
    const fs::path file = kWeights / "gru-context.pt";
    const auto tensors = tensors_of(file);
    auto answers = guessed_answers(*tensors);
    QVERIFY(answers);
    answers->model_type = "transformer";
    MappingProposal proposal;
    try {
      proposal = mapping_from(file, *tensors, *answers);
      QVERIFY(!proposal.missing.empty());
    } catch (const Error& error) {
      QVERIFY(*error.what() != 0);
    }
  }
};

HEADLIGHT_CORE_TEST(TestMappingGuess)

}  // namespace headlight::test_mapping_guess

#include "test_mapping_guess.moc"
