// Models under the names of their own code: the mappings of docs/mappings against what PyTorch computed with the files.

#include <cmath>

#include "model/analysis/attention_maps.h"
#include "model/decode/run.h"
#include "model/io/formats/mapping/mapping.h"
#include "model/io/json_file.h"
#include "model/io/npz.h"
#include "model/io/safetensors.h"
#include "tests/model/io_helpers.h"
#include "tests/test_program.h"

namespace headlight::test_mapping {

using namespace headlight::testing;

namespace {

fs::path weights(const std::string& name) {
  return fs::path(HEADLIGHT_TEST_DATA) / "pytorch" / "seq2seq" / (name + ".pt");
}
fs::path mapping(const std::string& name) {
  return fs::path(HEADLIGHT_TEST_DATA).parent_path().parent_path() / "docs" / "mappings" / (name + ".json");
}

std::map<std::string, Tensor> reference(const std::string& name) {
  std::map<std::string, Tensor> arrays;
  for (const NamedTensor& array : read_npz(weights(name).replace_extension(".npz"))) arrays[array.name] = array.value;
  return arrays;
}

double largest(const Tensor& tensor) { return static_cast<double>(tensor.array().abs().maxCoeff()); }

// Within 1e-4 of the largest value of the array: ours and PyTorch's sums differ in their order.
bool is_near(double a, double b, double scale) { return std::abs(a - b) <= 1e-4 * scale; }

}  // namespace

class TestMapping : public QObject {
  Q_OBJECT

 private slots:
  void shipped_mappings_compute_what_pytorch_does_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"gru-context", "gru-attention", "convolutional", "transformer"})
      QTest::newRow(name) << name;
  }
  void shipped_mappings_compute_what_pytorch_does() {
    QFETCH(QString, name);
    const std::map<std::string, Tensor> expected = reference(name.toStdString());
    Request request;
    request.model = open_mapped(weights(name.toStdString()), mapping(name.toStdString()));
    request.source = "die frau sieht ein kind und ein klein hund .";
    const Result result = run(request);
    // The source and its signs have the numbers that PyTorch was given.
    const Tensor& source = expected.at("source");
    QCOMPARE(result.tokens.size(), static_cast<std::size_t>(source.size()));
    for (Index i = 0; i < source.size(); ++i)
      QCOMPARE(static_cast<Index>(*result.tokens[static_cast<std::size_t>(i)].id), static_cast<Index>(source[i]));
    // "generated" begins with the start sign.
    const Tensor &generated = expected.at("generated"), &logits = expected.at("logits");
    QCOMPARE(static_cast<Index>(result.steps.size()), generated.size() - 1);
    for (std::size_t t = 0; t < result.steps.size(); ++t) {
      QCOMPARE(static_cast<Index>(result.steps[t].id), static_cast<Index>(generated[static_cast<Index>(t) + 1]));
      const Tensor row = result.trace->value("decoder.step[" + std::to_string(t) + "].output.logits");
      for (Index i = 0; i < row.size(); ++i)
        QVERIFY2(is_near(row[i], logits[static_cast<Index>(t) * row.size() + i], largest(logits)),
                 qPrintable(QString("step %1, logit %2").arg(t).arg(i)));
    }
    // Attention: "weights" [T x S], "weights.N" and "cross.N" [H x T x S] of each layer.
    for (const AttentionMap& map : attention_maps(result)) {
      const std::string layer = std::to_string(std::max<Index>(0, map.layer));
      const std::string key = map.kind == AttentionMap::Kind::encoder_self   ? "encoder." + layer
                              : map.kind == AttentionMap::Kind::decoder_self ? "decoder." + layer
                              : map.kind == AttentionMap::Kind::summary      ? ""
                              : expected.count("weights")                    ? "weights"
                              : expected.count("weights." + layer)           ? "weights." + layer
                                                                             : "cross." + layer;
      if (key.empty()) continue;
      QVERIFY2(expected.count(key), key.c_str());
      const Tensor& array = expected.at(key);
      const Index queries = array.dim(-2), keys = array.columns();
      for (Index h = 0; h < map.heads; ++h)
        for (Index q = 0; q < map.row_count(); ++q)
          for (Index k = 0; k < map.column_count(); ++k)
            QVERIFY2(is_near(map.weight(h, q, k), array[(h * queries + q) * keys + k], 1), key.c_str());
    }
  }

  void a_list_of_arrays_is_read_in_its_order() {
    const fs::path folder = fs::path(HEADLIGHT_TEST_DATA) / "pytorch";
    const auto model = open_mapped(folder / "numpy-list-protocol4.pkl", mapping("note-001"));
    QCOMPARE(model->model->traits().architecture, std::string("attn_seq2seq"));
    QCOMPARE(model->target_vocabulary().size(), 13);
    const std::map<std::string, Tensor> arrays = [&] {
      std::map<std::string, Tensor> all;
      for (const NamedTensor& array : read_npz(folder / "numpy-list.npz")) all[array.name] = array.value;
      return all;
    }();
    QCOMPARE(model->model->parameters().find("decoder.lstm.Wh")->values(), arrays.at("06").values());
    // Without a vocabulary a text is numbers.
    Request request;
    request.model = model;
    request.source = "3 1 4";
    QCOMPARE(run(request).tokens.size(), 3u);
  }

  // From the sizes and the number of heads alone: what is proposed is the mapping that is shipped.
  void a_mapping_is_proposed_from_names_and_shapes() {
    const Json shipped = read_json(mapping("transformer"), 1 << 20);
    Folder folder;
    put_file(folder / "begun.json", Json{{"model_type", "transformer"}, {"model", shipped["model"]}}.dump());
    const Json proposed = proposed_mapping(weights("transformer"), folder / "begun.json");
    // Which of the norms of a layer stands where is asked; everything else is found.
    Json rules = proposed["tensors"];
    int right = 0, wrong = 0;
    for (const auto& [ours, rule] : rules.items()) {
      Json expected;
      for (const auto& [pattern, theirs] : shipped["tensors"].items()) {
        const std::size_t at = pattern.find('#');
        if (at == pattern.npos ? pattern == ours
                               : ours.starts_with(pattern.substr(0, at)) && ours.ends_with(pattern.substr(at + 1))) {
          std::string text = theirs.dump();
          if (at != pattern.npos) text.replace(text.find('#'), 1, ours.substr(at, 1));
          expected = Json::parse(text);
        }
      }
      (rule == expected ? right : wrong) += 1;
    }
    QVERIFY2(wrong == 0 && right == 70, qPrintable(QString("%1 right, %2 wrong").arg(right).arg(wrong)));
    QCOMPARE(proposed["questions"].size(), 20u);
    QVERIFY(!proposed.contains("missing"));
    QVERIFY(proposed["questions"]["encoder.layer[1].norm2.gamma"] ==
            Json({"encoder.layers.1.self_attn_layer_norm.weight", "encoder.layers.1.ff_layer_norm.weight"}));
    // Rules that are there stay, and what is proposed beside them fits.
    Json begun = shipped;
    begun["tensors"].erase("output.W");
    put_file(folder / "begun.json", begun.dump());
    const Json ended = proposed_mapping(weights("transformer"), folder / "begun.json");
    QVERIFY(!ended.contains("missing") && !ended.contains("questions"));
    QVERIFY(ended["tensors"]["output.W"] == Json({{"transpose", "decoder.fc_out.weight"}}));
    // What nothing fits is named.
    put_file(folder / "begun.json", R"({"model_type": "seq2seq", "model": {"hidden_size": 12, "embedding_size": 10}})");
    const Json other = proposed_mapping(weights("gru-context"), folder / "begun.json");
    QVERIFY(other["missing"].dump().find("encoder.lstm.Wx [10 x 48]") != std::string::npos);
    QVERIFY(other["unused"].dump().find("encoder.rnn.weight_ih_l0 [36 x 10]") != std::string::npos);
  }

  // However a mapping is cut short or changed, it opens or an error says why.
  void broken_mappings_are_errors() {
    const std::string text = get_file(mapping("gru-attention"));
    Folder folder;
    for (std::size_t at = 0; at < text.size(); at += 11)
      for (const int way : {0, 1, 2}) {
        std::string broken = text;
        if (way == 0) broken.resize(at);
        if (way == 1) broken[at] = static_cast<char>(broken[at] ^ 0x01);
        if (way == 2) broken[at] = broken[at] == '9' ? '0' : '9';
        put_file(folder / "m.json", broken);
        try {
          open_mapped(weights("gru-attention"), folder / "m.json");
        } catch (const Error&) {
        }
      }
  }

  void a_wrapping_around_the_state_dict_is_looked_through() {
    Folder folder;
    write_safetensors(folder / "w.safetensors",
                      {{"model.a.weight", Tensor::full({3, 2}, 1)},
                       {"model.b.weight", Tensor::full({3, 2}, 2)},
                       {"model.c.weight_ih_l0", Tensor::full({8, 2}, 3)},
                       {"model.c.weight_hh_l0", Tensor::full({8, 2}, 4)},
                       {"model.d.weight_ih_l0", Tensor::full({8, 2}, 5)},
                       {"model.d.weight_hh_l0", Tensor::full({8, 2}, 6)},
                       {"model.d.bias_hh_l0", Tensor::full({8}, 7)},
                       {"model.out.weight", Tensor::full({3, 2}, 8)}},
                      {}, StorageType::f32);
    const std::string start = R"({"format": "headlight-mapping-1", "model_type": "seq2seq",
        "model": {"embedding_size": 2, "hidden_size": 2}, "weights": "w.safetensors",)";
    const std::string tensors = R"("encoder.embed.W": "a.weight", "decoder.embed.W": "b.weight",
        "decoder.affine.b": {"fill": 0.5}, "decoder.affine.W": {"transpose": "out.weight"})";
    const std::string modules =
        R"("encoder": {"module": "nn.LSTM", "from": "c"}, "decoder": {"module": "nn.LSTM", "from": "d"})";
    const auto put = [&](const std::string& rules) { put_file(folder / "m.json", start + rules + "}"); };
    put("\"tensors\": {" + tensors + "}, \"modules\": {" + modules + "}");
    QCOMPARE(format_of(folder / "m.json")->id, "mapping");
    const auto model = open_path(folder / "m.json");
    QCOMPARE((*model->model->parameters().find("decoder.lstm.b"))[0], Scalar(7));  // no bias_ih: 0
    QVERIFY((*model->model->parameters().find("encoder.lstm.b"))[3] == Scalar(0));
    QCOMPARE((*model->model->parameters().find("decoder.affine.b"))[1], Scalar(0.5));

    const auto refusal = [&](const std::string& rules) {
      put(rules);
      QString said = message_of<Error>([&] { open_path(folder / "m.json"); });
      return said.replace(QString::fromStdString(folder.path().string()), "DIR");
    };
    QCOMPARE(refusal("\"tensors\": {" + tensors + "}"),
             QString("DIR/m.json: nothing says which tensor is our \"encoder.lstm.Wx\""));
    QCOMPARE(refusal("\"tensors\": {\"encoder.embed.W\": \"x\"}"),
             QString("DIR/m.json: there is no tensor \"x\" in the file"));
    QCOMPARE(
        refusal("\"tensors\": {\"encoder.embed.W\": {\"turn\": \"a.weight\"}, \"decoder.embed.W\": \"b.weight\"}"),
        QString("DIR/m.json: model: \"source_vocabulary_size\" must be a whole number from 1 to 1000000, found 0"));
    QCOMPARE(refusal("\"tensors\": {" + tensors + ", \"encoder.lstm.Wx\": \"c.weight_ih_l0\"}, \"modules\": {" +
                     modules + "}"),
             QString("DIR/m.json: tensors: \"encoder.lstm.Wx\": expected [2 x 8], as \"model\" says, found [8 x 2]"));
    QCOMPARE(refusal("\"tensors\": {" + tensors +
                     "}, \"modules\": {\"encoder\": {\"module\": \"nn.LSTM\", \"from\": \"c\", \"suffix\": 0}}"),
             QString("DIR/m.json: modules: \"encoder\": expected \"module\" and \"from\""));
  }

  // A few lines of text must ask for no more than the file is worth, and lead to no circle.
  void mappings_made_to_hurt_are_refused() {
    Folder folder;
    write_safetensors(
        folder / "w.safetensors",
        {{"a", Tensor::full({400, 250}, 1)}, {"b", Tensor::full({3, 2}, 2)}, {"c", Tensor::full({8, 2}, 3)}}, {},
        StorageType::f32);
    const auto refusal = [&](const std::string& weights, const std::string& sizes, const std::string& table) {
      put_file(folder / "m.json", R"({"format": "headlight-mapping-1", "model_type": "seq2seq", "weights": ")" +
                                      weights + R"(", "model": {)" + sizes + R"(}, "tensors": {"encoder.embed.W": )" +
                                      table + R"(, "decoder.embed.W": "b"}})");
      QString said = message_of<Error>([&] { open_path(folder / "m.json"); });
      return said.replace(QString::fromStdString(folder.path().string()), "DIR");
    };
    const std::string small = R"("embedding_size": 2, "hidden_size": 2, "source_vocabulary_size": 3)";
    QCOMPARE(refusal("m.json", small, "\"b\""),
             QString("DIR/m.json: expected a file of weights (.safetensors, .bin, .pt, .npz)"));
    std::string many = "[\"a\"", nested;
    for (int i = 1; i < 64; ++i) many += ",\"a\"";
    nested = R"({"concat": )" + many + "]}";
    std::string deep = "[" + nested;
    for (int i = 1; i < 64; ++i) deep += "," + nested;
    QCOMPARE(refusal("w.safetensors", small, R"({"concat": )" + deep + "]}"),
             QString("DIR/m.json: tensors: the rule of \"encoder.embed.W\" takes 1.6 GB of memory, at most 250 MB are "
                     "taken: it reads much more than it makes"));
    const QString huge =
        refusal("w.safetensors", R"("embedding_size": 1024, "hidden_size": 1024, "source_vocabulary_size": 1000000)",
                R"({"fill": 0})");
    QVERIFY2(huge.startsWith("DIR/m.json: model: it takes 4.") &&
                 huge.endsWith("at most 1.0 GB are taken: make it as large as the weights in the file"),
             qPrintable(huge));
    const std::string columns = [] {
      std::string ranges = "[0, 2]";
      for (int i = 0; i < 40; ++i) ranges += ", [0, 2]";
      return R"("b"}, "modules": {"encoder": {"module": "nn.LSTM", "from": "", "columns": {"lstm.Wx": [)" + ranges +
             R"(]}}}, "ignored": {"x": "y")";
    }();
    write_safetensors(folder / "cell.safetensors",
                      {{"b", Tensor::full({3, 2}, 2)}, {"weight_ih_l0", Tensor::full({8, 2}, 3)}}, {},
                      StorageType::f32);
    put_file(
        folder / "m.json", R"({"format": "headlight-mapping-1", "model_type": "seq2seq", "weights": "cell.safetensors",
        "model": {)" + small + R"(}, "tensors": {"encoder.embed.W": "b", "decoder.embed.W": )" +
                               columns + "}}");
    QVERIFY(message_of<Error>([&] {
              open_path(folder / "m.json");
            }).endsWith("columns: they repeat those of the tensor more than 16 times"));
    // A folder whose index names the mapping that names the folder.
    put_file(folder / "config.json", R"({"model_type": "gpt2"})");
    put_file(folder / "model.safetensors.index.json", R"({"weight_map": {"a": "m.json"}})");
    QCOMPARE(refusal(".", small, "\"b\""),
             QString("DIR/./m.json: expected a file of weights (.safetensors, .bin, .pt, .npz)"));
    put_file(folder / "model.safetensors.index.json", R"({"weight_map": {"a": "model.safetensors.index.json"}})");
    QCOMPARE(refusal(".", small, "\"b\""), QString("DIR/./model.safetensors.index.json: expected a file of weights "
                                                   "(.safetensors, .bin, .pt, .npz)"));
  }

  // Operations on what is no matrix, and tables without a number of rows.
  void shapes_are_checked_before_they_are_used() {
    Folder folder;
    write_npz(folder / "w.npz", {{"cube", Tensor::full({2, 3, 4}, 1)}, {"one", Tensor::full({}, 1)}}, NpyType::f4);
    const QString cube = "expected at most 2 dimensions, found [2 x 3 x 4]";
    const std::string sizes = "\"cube\", 0, 1]}";
    const auto refusal = [&](const std::string& model, const std::string& rule) {
      put_file(folder / "m.json",
               "{\"format\": \"headlight-mapping-1\", \"weights\": \"w.npz\", \"model_type\": "
               "\"attn_seq2seq\", \"model\": {" +
                   model + "}, \"tensors\": {\"encoder.embed.W\": " + rule + "}}");
      return message_of<Error>([&] { open_path(folder / "m.json"); });
    };
    for (const std::string& rule :
         {"{\"rows\": [" + sizes, "{\"columns\": [" + sizes, std::string("{\"concat\": [\"cube\", \"cube\"]}")}) {
      const QString said = refusal("\"source_vocabulary_size\": 3, \"target_vocabulary_size\": 3", rule);
      QVERIFY2(said.endsWith(cube), qPrintable(said));
    }
    QVERIFY(!refusal("", "\"one\"").isEmpty());  // a table of a single number
  }
};

HEADLIGHT_CORE_TEST(TestMapping)

}  // namespace headlight::test_mapping

#include "test_mapping.moc"
