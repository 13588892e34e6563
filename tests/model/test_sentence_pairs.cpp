// Two texts that are read as one, and what a model says of a text as a whole: against what the library has computed.

#include <QTest>
#include <map>
#include <nlohmann/json.hpp>

#include "model/decode/run.h"
#include "model/io/formats/format.h"
#include "model/io/formats/mapping/mapping.h"
#include "model/io/json_file.h"
#include "model/io/npz.h"
#include "model/io/tensor_values.h"
#include "tests/model/io_helpers.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_sentence_pairs {

using namespace headlight::testing;

namespace {

constexpr const char *kFirst = "where did it look?", *kSecond = "at the first word, then at the last one.";

std::map<std::string, Tensor> arrays_of(const fs::path& file) {
  std::map<std::string, Tensor> arrays;
  for (const NamedTensor& array : read_npz(file)) arrays[array.name] = array.value;
  return arrays;
}

std::vector<TokenId> ids_of(const Tensor& tensor) {
  std::vector<TokenId> ids;
  for (Index i = 0; i < tensor.size(); ++i) ids.push_back(static_cast<TokenId>(tensor[i]));
  return ids;
}

// Largest difference in shares of the largest number that is expected.
double apart(const Tensor& found, const Tensor& expected) {
  if (!found.defined() || found.size() != expected.size()) return 1e9;
  double largest = 0, worst = 0;
  for (Index i = 0; i < found.size(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(expected[i])));
    worst = std::max(worst, std::abs(static_cast<double>(expected[i]) - static_cast<double>(found[i])));
  }
  return worst / largest;
}

Request request_of(std::shared_ptr<const ModelBundle> model, std::string first, std::string second = {}) {
  Request request;
  request.model = std::move(model);
  request.source = std::move(first);
  request.second = std::move(second);
  return request;
}

// BERT for masked words with its tokenizer beside it, of the files that are committed.
std::shared_ptr<const ModelBundle> committed_bert(const Folder& folder) {
  const fs::path data = HEADLIGHT_TEST_DATA;
  for (const char* name : {"config.json", "model.safetensors"})
    fs::copy_file(data / "families" / "bert-mlm" / name, folder / name, fs::copy_options::overwrite_existing);
  fs::copy_file(data / "tokenizers" / "bert-uncased" / "tokenizer.json", folder / "tokenizer.json",
                fs::copy_options::overwrite_existing);
  return open_path(folder.path());
}

}  // namespace

class TestSentencePairs : public QObject {
  Q_OBJECT

  static fs::path family(const char* name) { return made_elsewhere() / "families" / name; }

 private slots:
  // Ids, kinds of sentences and states of the third text of reference.npz, which is a pair.
  void a_pair_is_read_as_the_library_reads_it() {
    Folder folder;
    const auto bert = committed_bert(folder);
    QVERIFY(bert->text.source.takes_pairs());
    QCOMPARE(bert->text.token_types, Index(2));
    const auto expected = arrays_of(fs::path(HEADLIGHT_TEST_DATA) / "families" / "bert-mlm" / "reference.npz");
    const Result result = run(request_of(bert, kFirst, kSecond));
    std::vector<TokenId> ids, types;
    for (const TextToken& token : result.tokens) {
      ids.push_back(*token.id);
      types.push_back(token.type);
    }
    QVERIFY(ids == ids_of(expected.at("case2.input_ids")));
    QVERIFY(types == ids_of(expected.at("case2.token_type_ids")));
    QVERIFY(apart(result.trace->value("encoder.layer[2].norm2.out"), expected.at("case2.hidden_states.3")) < 1e-4);
    QVERIFY(apart(result.trace->value("encoder.layer[1].self_attn.head.weights"), expected.at("case2.attentions.1")) <
            1e-4);
    // Each token stands where it stands in its own text.
    for (const TextToken& token : result.tokens)
      if (token.begin < token.end)
        QCOMPARE(result.text_of(token).substr(token.begin, token.end - token.begin),
                 token.text.starts_with("##") ? token.text.substr(2) : token.text);
    QCOMPARE(result.tokens.front().sentence, 0);
    QCOMPARE(result.tokens.back().sentence, 1);
  }

  void kinds_of_sentences_can_be_said_otherwise() {
    Folder folder;
    const auto bert = committed_bert(folder);
    // The ids of the pair typed as numbers, with its kinds: the same run.
    const auto expected = arrays_of(fs::path(HEADLIGHT_TEST_DATA) / "families" / "bert-mlm" / "reference.npz");
    Request request = request_of(bert, {});
    request.ids = ids_of(expected.at("case2.input_ids"));
    request.type_ids = ids_of(expected.at("case2.token_type_ids"));
    const Result said = run(request);
    QVERIFY(apart(said.trace->value("encoder.layer[2].norm2.out"), expected.at("case2.hidden_states.3")) < 1e-4);
    // Another run of the same ids does not go on from what was read with other kinds.
    request.type_ids.clear();
    request.previous = std::make_shared<const Result>(said);
    const Result plain = run(request);
    QCOMPARE(plain.reused, Index(0));
    QVERIFY(apart(plain.trace->value("encoder.layer[2].norm2.out"), expected.at("case2.hidden_states.3")) > 1e-3);
    request.type_ids = {0, 2};
    QVERIFY_THROWS_EXCEPTION(UsageError, run(request));
    try {
      run(request);
    } catch (const UsageError& error) {
      QCOMPARE(std::string(error.what()),
               std::string("the types of the tokens: expected numbers from 0 to 1, found 2"));
    }
  }

  void a_model_of_one_text_says_so() {
    const auto gpt = open_path(fs::path(HEADLIGHT_TEST_DATA) / "families" / "gpt2");
    Request request = request_of(gpt, "1 2");
    request.type_ids = {0, 0};
    QVERIFY_THROWS_EXCEPTION(UsageError, run(request));
    // Without a tokenizer the numbers of two texts stand behind each other, and the second ones say which they are.
    const Result result = run(request_of(gpt, "1 2", "3"));
    QCOMPARE(result.tokens.size(), std::size_t(3));
    QCOMPARE(result.tokens[2].sentence, 1);
    const auto captured = open_path(fs::path(HEADLIGHT_TEST_DATA) / "captured" / "causal-hook-names.npz");
    QVERIFY(!captured->text.source.takes_pairs());
  }

  // Every pair of the tokenizers' own results.
  void tokens_of_pairs_are_the_librarys_data() {
    QTest::addColumn<QString>("tokenizer");
    QTest::addColumn<QString>("family_name");
    QTest::newRow("bert") << "bert-uncased"
                          << "bert-mlm";
    QTest::newRow("roberta") << "roberta"
                             << "roberta-mlm";
    QTest::newRow("albert") << "albert"
                            << "albert-mlm";
  }
  void tokens_of_pairs_are_the_librarys() {
    SKIP_WITHOUT_MATERIAL();
    QFETCH(QString, tokenizer);
    QFETCH(QString, family_name);
    const fs::path from = made_elsewhere() / "tokenizers" / tokenizer.toStdString();
    Folder folder;
    for (const char* name : {"config.json", "model.safetensors"})
      if (fs::exists(family(qPrintable(family_name)) / name))
        fs::copy_file(family(qPrintable(family_name)) / name, folder / name);
    for (const auto& entry : fs::directory_iterator(family(qPrintable(family_name))))
      if (entry.path().extension() == ".safetensors" || entry.path().filename() == "model.safetensors.index.json")
        fs::copy_file(entry.path(), folder / entry.path().filename().string(), fs::copy_options::skip_existing);
    fs::copy_file(from / "tokenizer.json", folder / "tokenizer.json");
    const auto model = open_path(folder.path());
    const Json golden = read_json(from / "golden.json", 64u << 20, {16, 10'000'000, 10'000'000});
    int compared = 0;
    for (const Json& row : golden.at("pairs")) {
      const auto& expected = row.at("special");
      const auto tokens =
          model->text.source.split_pair(row.at("pair")[0].get<std::string>(), row.at("pair")[1].get<std::string>());
      if (row.at("pair")[1].get<std::string>().empty()) continue;  // an empty field is no second sentence
      std::vector<TokenId> types;
      for (const TextToken& token : tokens) types.push_back(token.type);
      QVERIFY(types == expected.at("type_ids").get<std::vector<TokenId>>());
      QCOMPARE(tokens.size(), expected.at("ids").size());
      ++compared;
    }
    QVERIFY(compared > 2);
  }

  void a_bare_encoder_says_its_pooled_vector() {
    SKIP_WITHOUT_MATERIAL();
    const auto bare = open_path(family("bert-bare"));
    const auto expected = arrays_of(family("bert-bare") / "reference.npz");
    const Result result = run(request_of(bare, kFirst, kSecond));
    QCOMPARE(result.vectors.size(), std::size_t(1));
    QVERIFY(result.vectors[0].kind == TextVector::Kind::pooled);
    QVERIFY(apart(result.vectors[0].value, expected.at("case2.pooler_output")) < 1e-4);
    // And it opens into its arithmetic, down to a tensor that the file has.
    const Tensor value = result.trace->value("encoder.pooled");
    const Explanation explained = result.trace->explain({value, 3});
    QVERIFY(std::abs(explained.recomputed - static_cast<double>(value[3])) < 1e-5);
    QVERIFY(bare->in_file->at("top.pooler.dense.weight").ends_with("pooler.dense.weight"));
  }

  void a_second_sentence_follows_or_not() {
    SKIP_WITHOUT_MATERIAL();
    const auto model = open_path(family("bert-pretraining-old-names"));
    const auto expected = arrays_of(family("bert-pretraining-old-names") / "reference.npz");
    const Result result = run(request_of(model, kFirst, kSecond));
    QVERIFY(result.vectors.at(0).kind == TextVector::Kind::follows);
    QVERIFY(apart(result.vectors[0].value, expected.at("case2.seq_relationship_logits")) < 1e-4);
    QCOMPARE(result.steps.size(), result.tokens.size());  // beside the guesses
  }

  void a_sentence_has_an_embedding() {
    SKIP_WITHOUT_MATERIAL();
    const auto model = open_path(made_elsewhere() / "minilm");
    const auto expected = arrays_of(made_elsewhere() / "minilm" / "reference.npz");
    Request request = request_of(model, {});
    request.ids = ids_of(expected.at("case0.input_ids"));
    const Result result = run(request);
    QVERIFY(result.vectors.at(0).kind == TextVector::Kind::sentence);
    QVERIFY(apart(result.vectors[0].value, expected.at("case0.sentence_embedding")) < 1e-4);
    const Tensor value = result.trace->value("encoder.sentence");
    const Explanation explained = result.trace->explain({value, 5});
    QVERIFY(std::abs(explained.recomputed - static_cast<double>(value[5])) < 1e-5);
  }

  // What was found is the text between the most probable start and end of the library.
  void an_answer_is_a_piece_of_the_text() {
    SKIP_WITHOUT_MATERIAL();
    const auto model = open_path(family("distilbert-answers"));
    const auto expected = arrays_of(family("distilbert-answers") / "reference.npz");
    const Result result = run(request_of(model, kFirst, kSecond));
    const auto best = [&](const char* name) {
      const Tensor& logits = expected.at(name);
      Index at = 0;
      for (Index i = 0; i < logits.size(); ++i)
        if (logits[i] > logits[at]) at = i;
      return at;
    };
    const Index from = best("case0.start_logits"), to = best("case0.end_logits");
    QCOMPARE(result.steps.at(0).text, result.tokens[static_cast<std::size_t>(from)].text);
    QCOMPARE(result.steps.at(1).text, result.tokens[static_cast<std::size_t>(to)].text);
    const TextToken &first = result.tokens[static_cast<std::size_t>(from)],
                    &last = result.tokens[static_cast<std::size_t>(to)];
    const bool whole = from <= to && first.sentence == last.sentence && first.begin < last.end;
    QCOMPARE(answer_tokens(result).has_value(), whole);
    QCOMPARE(result.output, whole ? result.text_of(first).substr(first.begin, last.end - first.begin) : std::string());
    for (const Candidate& candidate : result.steps[0].top)
      QVERIFY(candidate.id < static_cast<TokenId>(result.tokens.size()));
  }

  void classes_are_told_by_their_names() {
    SKIP_WITHOUT_MATERIAL();
    const auto model = open_path(family("bert-classes"));
    const auto expected = arrays_of(family("bert-classes") / "reference.npz");
    const Result result = run(request_of(model, kFirst, kSecond));
    const Tensor& logits = expected.at("case2.logits");
    const char* names[] = {"negative", "neutral", "positive"};
    Index best = 0;
    for (Index i = 0; i < logits.size(); ++i)
      if (logits[i] > logits[best]) best = i;
    QCOMPARE(result.output, std::string(names[best]));
    const auto tokens = run(request_of(open_path(family("bert-tokens")), "the model reads"));
    QVERIFY2(tokens.output.starts_with(tokens.steps[0].text + ", " + tokens.steps[1].text), tokens.output.c_str());
  }

  // "problem_type": each class by itself, with the logistic function of its logit.
  void a_text_may_be_of_several_classes_and_of_none() {
    SKIP_WITHOUT_MATERIAL();
    Folder folder;
    for (const auto& entry : fs::directory_iterator(family("bert-classes")))
      fs::copy_file(entry.path(), folder / entry.path().filename().string());
    Json config = read_json(folder / "config.json", 1 << 20);
    config["problem_type"] = "multi_label_classification";
    put_file(folder / "config.json", config.dump());
    const auto expected = arrays_of(family("bert-classes") / "reference.npz");
    const Result result = run(request_of(open_path(folder.path()), kFirst, kSecond));
    const Tensor& logits = expected.at("case2.logits");
    QCOMPARE(result.steps.size(), std::size_t(3));
    std::string output;
    const char* names[] = {"negative", "neutral", "positive"};
    for (Index c = 0; c < 3; ++c) {
      const double of_it = 1 / (1 + std::exp(-static_cast<double>(logits[c])));
      const OutputStep& step = result.steps[static_cast<std::size_t>(c)];
      QCOMPARE(step.top.size(), std::size_t(2));
      QVERIFY(std::abs(step.probability - std::max(of_it, 1 - of_it)) < 1e-4);
      QCOMPARE(step.text, (of_it > 0.5 ? "" : "not ") + std::string(names[c]));
      if (of_it > 0.5) output += (output.empty() ? "" : ", ") + std::string(names[c]);
    }
    QCOMPARE(result.output, output);
  }

  // The names beside ours are those of the tensors that the numbers come from: read again by them, the numbers are
  // ours.
  void parameters_know_their_tensors_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"bert-mlm", "gpt2", "qwen2", "gemma3", "bart-forced-start"}) QTest::newRow(name) << name;
  }
  void parameters_know_their_tensors() {
    QFETCH(QString, name);
    const fs::path folder = fs::path(HEADLIGHT_TEST_DATA) / "families" / name.toStdString();
    const auto model = open_path(folder);
    const auto file = open_safetensors(folder / "model.safetensors");
    QVERIFY(model->in_file);
    int compared = 0;
    for (const Parameter& parameter : model->model->parameters().all()) {
      const auto said = model->in_file->find(parameter.name);
      QVERIFY2(said != model->in_file->end(), parameter.name.c_str());
      std::string text = said->second;
      const bool turned = text.ends_with(".T");
      if (turned) text.resize(text.size() - 2);
      if (const std::size_t at = text.find(".reshape(-1)"); at != text.npos) text.resize(at);
      Index from = 0, to = -1;
      if (const std::size_t at = text.find('['); at != text.npos) {
        const bool columns = text.compare(at, 4, "[:, ") == 0;
        const std::string range = text.substr(at + (columns ? 4 : 1));
        from = std::stol(range);
        to = std::stol(range.substr(range.find(':') + 1));
        text.resize(at);
      }
      const bool plus = text.starts_with("1 + ");
      if (plus) text = text.substr(4);
      std::size_t i = 0;
      while (i < file->tensors().size() && file->tensors()[i].name != text) ++i;
      QVERIFY2(i < file->tensors().size(), said->second.c_str());
      const Tensor theirs = numbers_of(*file, i, "test"), &ours = parameter.value;
      const Index columns = ours.columns();
      for (Index cell = 0; cell < ours.size(); cell += 7) {
        const Index row = cell / columns, column = cell % columns;
        const Index at = turned   ? column * theirs.columns() + row
                         : to < 0 ? row * theirs.columns() + column
                                  : row * theirs.columns() + from + column;
        QCOMPARE(ours[cell], theirs[at] + Scalar(plus ? 1 : 0));
      }
      ++compared;
    }
    QVERIFY(compared > 10);
  }

  void mapped_models_know_theirs_too() {
    const fs::path weights = fs::path(HEADLIGHT_TEST_DATA) / "pytorch" / "seq2seq",
                   mappings = fs::path(HEADLIGHT_TEST_DATA).parent_path().parent_path() / "docs" / "mappings";
    const auto transformer = open_mapped(weights / "transformer.pt", mappings / "transformer.json");
    QCOMPARE(transformer->in_file->at("decoder.layer[1].cross_attn.W_k"),
             std::string("decoder.layers.1.encoder_attention.fc_k.weight.T"));
    QCOMPARE(transformer->in_file->at("encoder.embed.W"), std::string("encoder.tok_embedding.weight"));
    const auto gru = open_mapped(weights / "gru-attention.pt", mappings / "gru-attention.json");
    for (const Parameter& parameter : gru->model->parameters().all())
      QVERIFY2(!gru->in_file->at(parameter.name).empty(), parameter.name.c_str());
    QCOMPARE(gru->in_file->at("encoder.fwd.gru.Wx"), std::string("encoder.rnn.weight_ih_l0.T"));
  }
};

HEADLIGHT_CORE_TEST(TestSentencePairs)

}  // namespace headlight::test_sentence_pairs

#include "test_sentence_pairs.moc"
