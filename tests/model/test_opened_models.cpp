// Models of other libraries as the window runs them: by texts and their own tokenizers, with what stands on top.

#include <cmath>
#include <map>

#include "model/analysis/attention_maps.h"
#include "model/analysis/masks.h"
#include "model/decode/run.h"
#include "model/io/formats/format.h"
#include "model/io/formats/pretrained/pretrained_models.h"
#include "model/io/json_file.h"
#include "model/io/model_folder.h"
#include "model/io/npz.h"
#include "model/io/safetensors.h"
#include "model/io/tensor_values.h"
#include "model/models/variant.h"
#include "tests/model/io_helpers.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_opened_models {

using namespace headlight::testing;

namespace {

using Kind = AttentionMap::Kind;

// A committed family with its tokenizer beside it.
fs::path put_together(const Folder& folder, const char* family, const char* tokenizer) {
  const fs::path from = fs::path(HEADLIGHT_TEST_DATA) / "tokenizers" / tokenizer;
  for (const fs::path& source : {committed() / family, from})
    for (const auto& entry : fs::directory_iterator(source))
      if (entry.path().filename() != "golden.json") fs::copy(entry.path(), folder / entry.path().filename().string());
  return folder.path();
}

std::vector<TokenId> ids_of(const Tensor& tensor) {
  std::vector<TokenId> ids;
  for (Index i = 0; i < tensor.size(); ++i) ids.push_back(static_cast<TokenId>(tensor[i]));
  return ids;
}

std::map<std::string, Tensor> reference(const fs::path& folder) {
  std::map<std::string, Tensor> arrays;
  for (const NamedTensor& array : read_npz(folder / "reference.npz")) arrays[array.name] = array.value;
  return arrays;
}

bool is_near(double a, double b) { return std::abs(a - b) <= 2e-5 * std::max(1.0, std::abs(b)); }

// What of a run differs from the library; empty: nothing.
std::string difference(const fs::path& folder) {
  std::map<std::string, Tensor> expected = reference(folder);
  Request request;
  request.model = open_path(folder);
  request.ids = ids_of(expected.at("case0.input_ids"));
  if (expected.count("case0.token_type_ids") && expected.at("case0.token_type_ids").array().sum() > 0)
    return {};  // a text of the window is one sentence
  const Result result = run(request);
  const bool pair = expected.count("case0.encoder_attentions.0") > 0;
  int seen = 0;
  for (const AttentionMap& map : attention_maps(result)) {
    const std::string layer = std::to_string(map.layer);
    std::string key = "case0.attentions." + layer;
    if (pair && map.kind == Kind::encoder_self) key = "case0.encoder_attentions." + layer;
    if (map.kind == Kind::summary || (pair && map.kind != Kind::encoder_self)) continue;
    if (!expected.count(key)) return key + " is not expected";
    const Tensor& array = expected.at(key);
    const Index length = array.columns();
    for (Index h = 0; h < map.heads; ++h)
      for (Index q = 0; q < std::min(length, map.row_count()); ++q)
        for (Index k = 0; k < std::min(length, map.column_count()); ++k)
          if (!is_near(map.weight(h, q, k), array[(h * length + q) * length + k]))
            return key + " of head " + std::to_string(h) + ", row " + std::to_string(q);
    ++seen;
  }
  if (seen == 0) return "there are no maps";
  if (expected.count("case0.generated")) {
    const Tensor& generated = expected.at("case0.generated");
    const Index first = pair ? 1 : static_cast<Index>(request.ids.size());
    for (Index t = 0; first + t < generated.size() && t < static_cast<Index>(result.steps.size()); ++t)
      // The last of twelve may be forced: here more are written.
      if (t < 11 && result.steps[static_cast<std::size_t>(t)].id != static_cast<TokenId>(generated[first + t]))
        return "token " + std::to_string(t) + " of the output";
  }
  return {};
}

}  // namespace

class TestOpenedModels : public QObject {
  Q_OBJECT

 private slots:
  // Of 64 positions, 60 tokens leave places for five steps at most: the first of them reads the last token.
  void writing_ends_where_positions_end() {
    Request request;
    request.model = open_path(committed() / "gpt2");
    for (const auto& [tokens, steps] : {std::pair(60, 5), {64, 1}}) {
      request.ids = std::vector<TokenId>(static_cast<std::size_t>(tokens), 5);
      const std::size_t written = run(request).steps.size();
      QVERIFY(written >= 1 && written <= static_cast<std::size_t>(steps));
    }
  }
  void a_run_is_that_of_the_library_data() {
    QTest::addColumn<QString>("folder");
    for (const auto& entry : fs::directory_iterator(committed()))
      QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
  }
  void a_run_is_that_of_the_library() {
    QFETCH(QString, folder);
    QCOMPARE(QString::fromStdString(difference(folder.toStdString())), QString());
  }

  void every_family_of_the_material() {
    SKIP_WITHOUT_MATERIAL();
    int count = 0;
    for (const auto& entry : fs::directory_iterator(made_elsewhere() / "families")) {
      const std::string said = difference(entry.path());
      QVERIFY2(said.empty(), (entry.path().filename().string() + ": " + said).c_str());
      ++count;
    }
    if (fs::is_directory(more_families()))
      for (const auto& entry : fs::directory_iterator(more_families()))
        if (format_of(entry.path())->contents(entry.path()).runs) {
          const std::string said = difference(entry.path());
          QVERIFY2(said.empty(), (entry.path().filename().string() + ": " + said).c_str());
        }
    QVERIFY(count >= 40);
  }

  void a_text_is_split_by_its_own_tokenizer() {
    Folder folder;
    const auto model = open_path(put_together(folder, "bert-mlm", "bert-uncased"));
    QVERIFY(model->text.mask);
    Request request;
    request.model = model;
    request.source = "The keys [MASK] here";
    const Result result = run(request);
    QCOMPARE(result.tokens.front().text, std::string("[CLS]"));
    QCOMPARE(result.tokens.front().begin, result.tokens.front().end);
    QCOMPARE(result.tokens.back().text, std::string("[SEP]"));
    const auto mask = std::ranges::find(result.tokens, std::string("[MASK]"), &TextToken::text);
    QVERIFY(mask != result.tokens.end());
    QCOMPARE(request.source.substr(mask->begin, mask->end - mask->begin), std::string("[MASK]"));
    QCOMPARE(result.steps.size(), result.tokens.size());
    QCOMPARE(message_of<UsageError>([&] {
               Request wrong = request;
               wrong.ids = {1'000'000};
               run(wrong);
             }).left(40),
             QString("the ids of the source: expected numbers ").left(40));
  }

  void spaces_and_bytes_of_tokens_are_readable() {
    Folder folder;
    const auto model = open_path(put_together(folder, "gpt2", "gpt2"));
    Request request;
    request.model = model;
    request.source = "so it is";
    const Result result = run(request);
    std::string joined;
    for (const TextToken& token : result.tokens) joined += token.text;
    QCOMPARE(joined, request.source);
  }

  void a_text_that_is_too_long_is_cut_and_keeps_its_end() {
    Folder folder;
    const auto model = open_path(put_together(folder, "bert-mlm", "bert-uncased"));
    Request request;
    request.model = model;
    for (int i = 0; i < 600; ++i) request.source += "a ";
    const Result result = run(request);
    const Index positions = model->model->config().at("max_positions").get<Index>();
    QCOMPARE(static_cast<Index>(result.tokens.size()), std::min<Index>(positions, kMaxSourceTokens));
    QCOMPARE(result.tokens.back().text, std::string("[SEP]"));
    QCOMPARE(result.notes.front().kind, RunNote::Kind::cut);
  }

  void a_folder_without_a_tokenizer_is_run_by_numbers() {
    Folder folder;
    for (const char* name : {"config.json", "model.safetensors", "generation_config.json"})
      if (fs::exists(committed() / "gpt2" / name)) fs::copy(committed() / "gpt2" / name, folder / name);
    const auto model = open_path(folder.path());
    QVERIFY(model->description.find("type the numbers of tokens") != std::string::npos);
    Request request;
    request.model = model;
    request.source = "5, 6 7";
    const Result result = run(request);
    QCOMPARE(result.tokens.size(), 3u);
    QCOMPARE(static_cast<Index>(*result.tokens[2].id), 7);
  }

  void what_stands_on_top_is_what_is_written_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("key");
    for (const auto& [name, key] : {std::pair("bert-classes", "logits"),
                                    {"bert-tokens", "logits"},
                                    {"distilbert-classes", "logits"},
                                    {"roberta-classes", "logits"},
                                    {"modernbert-classes", "logits"},
                                    {"gpt2-classes", "logits"},
                                    {"electra-discriminator", "logits"},
                                    {"distilbert-answers", "start_logits"}})
      QTest::newRow(name) << name << key;
  }
  void what_stands_on_top_is_what_is_written() {
    SKIP_WITHOUT_MATERIAL();
    QFETCH(QString, name);
    QFETCH(QString, key);
    const fs::path folder = made_elsewhere() / "families" / name.toStdString();
    const std::map<std::string, Tensor> expected = reference(folder);
    Request request;
    request.model = open_path(folder);
    request.ids = ids_of(expected.at("case0.input_ids"));
    const Result result = run(request);
    const Tensor& logits = expected.at("case0." + key.toStdString());
    const bool answers = key == "start_logits", each = logits.rank() == 2 && !answers;
    const auto at = [&](std::size_t t) {
      return result.trace->value("decoder.step[" + std::to_string(t) + "].output.logits");
    };
    QCOMPARE(result.steps.size(), answers ? 2u : each || name.startsWith("electra") ? request.ids.size() : 1u);
    if (name.startsWith("electra")) {
      for (std::size_t t = 0; t < request.ids.size(); ++t) QVERIFY(is_near(at(t)[1], logits[static_cast<Index>(t)]));
    } else if (each) {
      for (std::size_t t = 0; t < request.ids.size(); ++t)
        for (Index c = 0; c < logits.columns(); ++c)
          QVERIFY(is_near(at(t)[c], logits[static_cast<Index>(t) * logits.columns() + c]));
    } else {
      for (Index c = 0; c < logits.size(); ++c) QVERIFY(is_near(at(0)[c], logits[c]));
    }
    if (!name.startsWith("electra") && !answers)
      QCOMPARE(result.steps[0].text, request.model->target_vocabulary().text(result.steps[0].id));
    // A changed setting keeps what stands on top, and every number opens.
    if (request.model->model->config().contains("window")) {
      const auto changed = variant(request.model, {{"window", 3}});
      request.model = changed;
      QCOMPARE(run(request).steps.size(), result.steps.size());
    }
    const int entry = result.trace->find("decoder.step[0].output.logits");
    QVERIFY(!result.trace->explain(entry, 0).terms.empty());
  }

  // BartForSequenceClassification: the decoder reads the text one place later, and its state at the end mark is what
  // classes are computed from: tanh of one linear map, then another.
  void classes_behind_an_encoder_and_a_decoder() {
    const fs::path from = committed() / "bart-forced-start";
    Folder folder;
    std::vector<NamedTensor> tensors;
    const auto file = open_safetensors(from / "model.safetensors");
    for (std::size_t i = 0; i < file->tensors().size(); ++i)
      if (!file->tensors()[i].name.ends_with("final_logits_bias"))
        tensors.push_back({file->tensors()[i].name, numbers_of(*file, i, "bart")});
    Json config = read_json(from / "config.json", 1 << 20);
    const Index d = config["d_model"].get<Index>();
    Tensor dense({d, d}), bias({d}), out({3, d}), out_bias({3});
    for (Tensor* tensor : {&dense, &bias, &out, &out_bias})
      for (Index i = 0; i < tensor->size(); ++i)
        (*tensor)[i] = static_cast<Scalar>(std::sin(1.7 * static_cast<double>(i)));
    tensors.push_back({"classification_head.dense.weight", dense});
    tensors.push_back({"classification_head.dense.bias", bias});
    tensors.push_back({"classification_head.out_proj.weight", out});
    tensors.push_back({"classification_head.out_proj.bias", out_bias});
    write_safetensors(folder / "model.safetensors", tensors, {}, StorageType::f32);
    config["architectures"] = {"BartForSequenceClassification"};
    put_file(folder / "config.json", config.dump());
    const TokenId end = config["eos_token_id"].get<TokenId>(), start = config["decoder_start_token_id"].get<TokenId>();
    const std::vector<TokenId> ids = {0, 7, 11, 5, end}, later = {start, 0, 7, 11, 5};
    std::map<std::string, Tensor> values;
    for (const NamedTensor& value : open_pretrained(folder.path())->run(ids, {}, {}, {}))
      values[value.name] = value.value;
    std::map<std::string, Tensor> plain;
    for (const NamedTensor& value : open_pretrained(from)->run(ids, {}, later, {})) plain[value.name] = value.value;
    const Tensor& states = plain.at("last_hidden_state");
    QCOMPARE(values.at("last_hidden_state").shape().text(), states.shape().text());
    for (Index c = 0; c < 3; ++c) {
      double sum = static_cast<double>(out_bias[c]);
      for (Index i = 0; i < d; ++i) {
        double unit = static_cast<double>(bias[i]);
        for (Index j = 0; j < d; ++j)
          unit += static_cast<double>(dense[i * d + j]) * static_cast<double>(states[4 * d + j]);
        sum += static_cast<double>(out[c * d + i]) * std::tanh(unit);
      }
      QVERIFY2(std::abs(sum - static_cast<double>(values.at("logits")[c])) < 1e-3, qPrintable(QString::number(sum)));
    }
    QCOMPARE(message_of<UsageError>([&] {
               open_pretrained(folder.path())->run({0, 7}, {}, {}, {});
             }),
             QString("this model gives classes of texts that have an end mark, and this one has none: expected the "
                     "number 2 among its tokens"));
    // A run of the window: the decoder's rows stand in its trace too, and its heads look at the text and at themselves.
    Request request;
    request.model = open_path(folder.path());
    request.ids = ids;
    const Result result = run(request);
    QCOMPARE(result.steps.size(), std::size_t(1));
    const auto same = [&](const char* site, const char* theirs) {
      const Tensor found = result.trace->value(site), &expected = values.at(theirs);
      QCOMPARE(found.size(), expected.size());
      for (Index i = 0; i < found.size(); ++i) QVERIFY(is_near(found[i], expected[i]));
    };
    same("decoder.step[0].output.logits", "logits");
    same("encoder.layer[0].self_attn.head.weights", "encoder_attentions.0");
    same("decoder.layer[0].self_attn.head.weights", "decoder_attentions.0");
    same("decoder.layer[0].cross_attn.head.weights", "cross_attentions.0");
    QVERIFY(!result.trace->explain(result.trace->find("decoder.step[0].output.logits"), 0).terms.empty());
    for (const Kind kind : {Kind::decoder_self, Kind::cross}) {
      const auto maps = attention_maps(result);
      const auto map = std::ranges::find(maps, kind, &AttentionMap::kind);
      QVERIFY(map != maps.end());
      const Tensor& expected = values.at(kind == Kind::cross ? "cross_attentions.0" : "decoder_attentions.0");
      const Tensor found = map->matrix(1);
      QCOMPARE(found.shape().text(), QString("[5 x 5]").toStdString());
      for (Index i = 0; i < 25; ++i) QVERIFY(is_near(found[i], expected[25 + i]));
      // Row t was given the token before.
      for (std::size_t t = 0; t < 5; ++t)
        QCOMPARE(map->rows[t].text, request.model->source_vocabulary().text(later[t]));
      QCOMPARE(map->rows[0].token, -1);
      QCOMPARE(map->rows[3].token, 2);
    }
    // What is hidden from its rows is.
    const EditChange hidden = hide_token(result, 2, false);
    request.interventions = hidden.added;
    QVERIFY(!request.interventions.empty());
    const Result other = run(request);
    QVERIFY(other.not_reached.empty());
    QVERIFY(other.trace->value("decoder.layer[0].cross_attn.head.weights")[4 * 5 + 2] == Scalar(0));
    QVERIFY(other.trace->value("decoder.layer[0].self_attn.head.weights")[4 * 5 + 3] == Scalar(0));
    // The bare model shows the same rows, and writes nothing.
    config["architectures"] = {"BartModel"};
    put_file(folder / "config.json", config.dump());
    tensors.erase(std::remove_if(tensors.begin(), tensors.end(),
                                 [](const NamedTensor& t) { return t.name.starts_with("classification_head"); }),
                  tensors.end());
    write_safetensors(folder / "model.safetensors", tensors, {}, StorageType::f32);
    request.model = open_path(folder.path());
    request.interventions.clear();
    const Result bare = run(request);
    QVERIFY(bare.steps.empty() && bare.output.empty());
    const Tensor weights = bare.trace->value("decoder.layer[0].cross_attn.head.weights");
    for (Index i = 0; i < weights.size(); ++i) QVERIFY(is_near(weights[i], values.at("cross_attentions.0")[i]));
    QCOMPARE(QString(bare.model->model->traits().published.authors), QString("Lewis et al."));
  }

  void other_names_hold_the_same_numbers() {
    const fs::path folder = committed() / "gpt2";
    const std::map<std::string, Tensor> expected = reference(folder);
    const auto model = open_pretrained(folder);
    const std::vector<TokenId> ids = ids_of(expected.at("case0.input_ids"));
    std::map<std::string, Tensor> hooks, sites;
    for (const NamedTensor& value : model->values(PretrainedModel::NamedBy::transformer_lens, ids, {}, {}, {}))
      hooks[value.name] = value.value;
    for (const NamedTensor& value : model->values(PretrainedModel::NamedBy::headlight, ids, {}, {}, {}))
      sites[value.name] = value.value;
    const auto T = static_cast<Index>(ids.size());
    const auto same = [](const Tensor& a, const Tensor& b) {
      if (!a.defined() || a.size() != b.size()) return false;
      for (Index i = 0; i < a.size(); ++i)
        if (!is_near(a[i], b[i])) return false;
      return true;
    };
    QVERIFY(same(hooks["blocks.0.attn.hook_pattern"], expected.at("case0.attentions.0")));
    QVERIFY(same(sites["decoder.layer[0].self_attn.head.weights"], expected.at("case0.attentions.0")));
    QVERIFY(same(hooks["blocks.0.hook_resid_pre"], expected.at("case0.hidden_states.0")));
    QVERIFY(same(hooks["blocks.0.hook_resid_post"], expected.at("case0.hidden_states.1")));
    QVERIFY(same(hooks["logits"], expected.at("case0.logits")));
    const Tensor &pre = hooks.at("blocks.1.hook_resid_pre"), &post = hooks.at("blocks.1.hook_resid_post");
    Tensor sum = pre.clone();
    sum.array() += hooks.at("blocks.1.hook_attn_out").array() + hooks.at("blocks.1.hook_mlp_out").array();
    QVERIFY(same(sum, post));
    // [T x H x k], and the results of the heads add up to what the attention gives without its bias.
    QCOMPARE(hooks.at("blocks.1.attn.hook_q").dim(0), T);
    const Tensor result = hooks.at("blocks.1.attn.hook_result"), out = hooks.at("blocks.1.hook_attn_out");
    const Tensor bias = *open_path(folder)->model->parameters().find("decoder.layer[1].self_attn.b_o");
    for (Index t = 0; t < T; ++t)
      for (Index d = 0; d < out.columns(); ++d) {
        double all = static_cast<double>(bias[d]);
        for (Index h = 0; h < result.dim(1); ++h)
          all += static_cast<double>(result[(t * result.dim(1) + h) * out.columns() + d]);
        QVERIFY(std::abs(all - static_cast<double>(out[t * out.columns() + d])) < 1e-4);
      }
  }
};

HEADLIGHT_CORE_TEST(TestOpenedModels)

}  // namespace headlight::test_opened_models

#include "test_opened_models.moc"
