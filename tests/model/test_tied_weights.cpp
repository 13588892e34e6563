// What the library ties: tables of embeddings, their copies, output layers and their biases. Files that have several of
// them, or another one than usual, are read as the library reads them; the logits follow from the states by hand.

#include <cmath>
#include <map>

#include "model/io/formats/pretrained/pretrained_models.h"
#include "model/io/json_file.h"
#include "model/io/safetensors.h"
#include "tests/model/io_helpers.h"
#include "tests/test_program.h"

namespace headlight::test_tied_weights {

using namespace headlight::testing;

namespace {

using Tensors = std::map<std::string, Tensor>;

fs::path family(const std::string& name) { return fs::path(HEADLIGHT_TEST_DATA) / "families" / name; }

Tensors tensors_of(const std::string& name) {
  Tensors all;
  const SafetensorsFile file(family(name) / "model.safetensors");
  for (const TensorInfo& info : file.tensors()) all[info.name] = file.load(info.name);
  return all;
}

void put(const fs::path& folder, const std::string& name, const Tensors& tensors) {
  fs::create_directories(folder);
  for (const char* file : {"config.json", "generation_config.json"})
    if (fs::exists(family(name) / file))
      fs::copy(family(name) / file, folder / file, fs::copy_options::overwrite_existing);
  std::vector<NamedTensor> list;
  for (const auto& [tensor, value] : tensors) list.push_back({tensor, value});
  write_safetensors(folder / "model.safetensors", list, {}, StorageType::f32);
}

std::map<std::string, Tensor> run_of(const PretrainedModel& model) {
  std::map<std::string, Tensor> values;
  for (const NamedTensor& value : model.run(
           {3, 7, 5}, {},
           model.kind() == ModelTraits::Kind::encoder_decoder ? std::vector<TokenId>{2, 4} : std::vector<TokenId>(),
           {}))
    values[value.name] = value.value;
  return values;
}

// The same table, a little turned: other numbers of the same size.
Tensor turned(const Tensor& table) {
  Tensor other = table.clone();
  for (Index i = 0; i < other.size(); ++i) other[i] = table[(i + 17) % table.size()];
  return other;
}

// A Marian of one layer a side, 8 wide.
constexpr Index kWide = 8, kUnits = 12, kWords = 20, kPlaces = 16;
Tensors marian_tensors() {
  Tensors all;
  const auto put_linear = [&](const std::string& name, Index out, Index in) {
    all[name + ".weight"] = fill(static_cast<int>(all.size() + 1), {out, in});
    all[name + ".bias"] = fill(static_cast<int>(all.size() + 1), {out});
  };
  all["model.shared.weight"] = fill(1, {kWords, kWide});
  all["final_logits_bias"] = fill(2, {1, kWords});
  for (const std::string side : {"encoder", "decoder"}) {
    const std::string layer = "model." + side + ".layers.0.";
    std::vector<std::string> norms = {"self_attn_layer_norm", "final_layer_norm"}, attentions = {"self_attn"};
    if (side == "decoder") norms.push_back("encoder_attn_layer_norm"), attentions.push_back("encoder_attn");
    for (const std::string& attention : attentions)
      for (const char* part : {".q_proj", ".k_proj", ".v_proj", ".out_proj"})
        put_linear(layer + attention + part, kWide, kWide);
    put_linear(layer + "fc1", kUnits, kWide);
    put_linear(layer + "fc2", kWide, kUnits);
    for (const std::string& norm : norms) {
      all[layer + norm + ".weight"] = Tensor::full({kWide}, 1);
      all[layer + norm + ".bias"] = Tensor::zeros({kWide});
    }
  }
  return all;
}
void put_marian(const fs::path& folder, const Tensors& tensors) {
  fs::create_directories(folder);
  put_file(folder / "config.json",
           R"({"model_type": "marian", "architectures": ["MarianMTModel"], "vocab_size": 20, "d_model": 8,
               "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2, "decoder_attention_heads": 2,
               "encoder_ffn_dim": 12, "decoder_ffn_dim": 12, "max_position_embeddings": 16, "scale_embedding": true,
               "activation_function": "swish", "decoder_start_token_id": 0, "pad_token_id": 0, "eos_token_id": 1})");
  std::vector<NamedTensor> list;
  for (const auto& [tensor, value] : tensors) list.push_back({tensor, value});
  write_safetensors(folder / "model.safetensors", list, {}, StorageType::f32);
}

// x [T x d] · W [V x d]ᵀ + b, by hand.
bool are_logits(const Tensor& found, const Tensor& x, const Tensor& W, const Tensor& b = {}) {
  double largest = 0, worst = 0;
  for (Index t = 0; t < x.rows(); ++t)
    for (Index v = 0; v < W.rows(); ++v) {
      double sum = b.defined() ? static_cast<double>(b[v]) : 0;
      for (Index d = 0; d < x.columns(); ++d)
        sum += static_cast<double>(x[t * x.columns() + d]) * static_cast<double>(W[v * W.columns() + d]);
      largest = std::max(largest, std::abs(sum));
      worst = std::max(worst, std::abs(sum - static_cast<double>(found[t * W.rows() + v])));
    }
  return worst <= 1e-4 * largest;
}

}  // namespace

class TestTiedWeights : public QObject {
  Q_OBJECT

 private slots:
  void a_head_with_other_numbers_is_used() {
    Folder folder;
    Tensors tensors = tensors_of("gpt2");
    const Tensor table = tensors.at("transformer.wte.weight"), head = turned(table);
    tensors["lm_head.weight"] = table;
    put(folder / "same", "gpt2", tensors);
    const auto same = open_pretrained(folder / "same");
    QVERIFY(same->notes().empty());
    auto values = run_of(*same);
    QVERIFY(are_logits(values.at("logits"), values.at("last_hidden_state"), table));
    tensors["lm_head.weight"] = head;
    put(folder / "other", "gpt2", tensors);
    const auto other = open_pretrained(folder / "other");
    values = run_of(*other);
    QVERIFY(are_logits(values.at("logits"), values.at("last_hidden_state"), head));
    QCOMPARE(
        QString::fromStdString(other->notes().at(0)),
        QString("\"lm_head.weight\" has other numbers than \"transformer.wte.weight\", to which the model ties it: "
                "each is used as the file has it, as the library does"));
  }
  void a_head_alone_stands_for_the_table() {
    Folder folder;
    Tensors tensors = tensors_of("gpt2");
    tensors["lm_head.weight"] = tensors.at("transformer.wte.weight");
    tensors.erase("transformer.wte.weight");
    put(folder / "m", "gpt2", tensors);
    const auto model = open_pretrained(folder / "m");
    QCOMPARE(run_of(*model).at("logits").values(), run_of(*open_pretrained(family("gpt2"))).at("logits").values());
    QCOMPARE(
        QString::fromStdString(model->notes().at(0)),
        QString("the file has no \"wte.weight\": \"lm_head.weight\", to which it is tied, stands for it, as in the "
                "library"));
    tensors.erase("lm_head.weight");
    put(folder / "m", "gpt2", tensors);
    QVERIFY(message_of<FormatError>([&] {
              open_pretrained(folder / "m");
            }).endsWith("a tensor is missing: expected \"wte.weight\""));
  }
  void the_bias_of_the_output_layer_is_added() {
    Folder folder;
    Tensors tensors = tensors_of("bert-mlm");
    const Tensor usual = run_of(*open_pretrained(family("bert-mlm"))).at("logits");
    const Tensor bias = tensors.at("cls.predictions.bias");
    tensors["cls.predictions.decoder.bias"] = bias;
    put(folder / "m", "bert-mlm", tensors);
    QVERIFY(open_pretrained(folder / "m")->notes().empty());
    Tensor raised = bias.clone();
    raised.array() += Scalar(2);
    tensors["cls.predictions.decoder.bias"] = raised;
    put(folder / "m", "bert-mlm", tensors);
    const auto model = open_pretrained(folder / "m");
    const Tensor found = run_of(*model).at("logits");
    for (Index i = 0; i < found.size(); ++i) QVERIFY(std::abs(found[i] - usual[i] - 2) < 1e-4);
    QCOMPARE(QString::fromStdString(model->notes().at(0)),
             QString("\"cls.predictions.bias\" has other numbers than \"cls.predictions.decoder.bias\", to which it is "
                     "tied: the second is added, as in the library"));
    tensors.erase("cls.predictions.bias");
    put(folder / "m", "bert-mlm", tensors);
    QCOMPARE(run_of(*open_pretrained(folder / "m")).at("logits").values(), found.values());
  }

  // Marian's sinusoids are in no file, and where they are the library reads them.
  void sinusoids_of_the_file_are_used() {
    Folder folder;
    Tensors tensors = marian_tensors();
    put_marian(folder / "none", tensors);
    const Tensor usual = run_of(*open_pretrained(folder / "none")).at("logits");
    Tensor sines({kPlaces, kWide});  // all sines before all cosines
    for (Index p = 0; p < kPlaces; ++p)
      for (Index i = 0; i < kWide; ++i) {
        const double angle = static_cast<double>(p) / std::pow(10000.0, 2.0 * static_cast<double>(i % 4) / 8);
        sines[p * kWide + i] = static_cast<Scalar>(i < 4 ? std::sin(angle) : std::cos(angle));
      }
    const auto with = [&](const Tensor& table) {
      tensors["model.encoder.embed_positions.weight"] = tensors["model.decoder.embed_positions.weight"] = table;
      put_marian(folder / "m", tensors);
      return open_pretrained(folder / "m");
    };
    const auto same = with(sines);
    QVERIFY(same->notes().empty());
    QCOMPARE(run_of(*same).at("logits").values(), usual.values());
    Tensor doubled = sines.clone();
    doubled.array() *= Scalar(2);
    const auto other = with(doubled);
    QCOMPARE(other->notes().size(), std::size_t{1});
    QVERIFY(run_of(*other).at("logits").values() != usual.values());
    tensors.erase("model.decoder.embed_positions.weight");
    put_marian(folder / "m", tensors);
    QVERIFY(message_of<FormatError>([&] {
              open_pretrained(folder / "m");
            }).endsWith("is no table of sinusoids, and the other side has none"));
  }

  // Of an encoder with a decoder each side may have its own table, and the output layer a third.
  void copies_of_a_shared_table_data() {
    QTest::addColumn<QStringList>("there");  // beside the rest of the model
    QTest::addColumn<QStringList>("turned_ones");
    QTest::addColumn<QString>("read");  // by the encoder
    QTest::addColumn<QString>("written");
    QTest::addColumn<QString>("output");
    const QString S = "model.shared.weight", E = "model.encoder.embed_tokens.weight",
                  D = "model.decoder.embed_tokens.weight", O = "lm_head.weight";
    const auto row = [](const char* name, const QStringList& there, const QStringList& others, const QString& read,
                        const QString& written,
                        const QString& output) { QTest::newRow(name) << there << others << read << written << output; };
    row("all the same", {S, E, D, O}, {}, S, S, S);
    row("another head", {S, O}, {O}, S, S, O);
    row("another encoder", {S, E}, {E}, E, S, S);
    row("another decoder", {S, D}, {D}, S, D, S);
    row("decoder and head", {S, D, O}, {D, O}, S, D, O);
    row("the encoder's alone", {E}, {}, E, E, E);
    row("the head alone", {O}, {}, O, O, O);
    row("encoder and decoder", {E, D}, {D}, E, D, D);  // the first of the library's list stands for what is missing
  }
  void copies_of_a_shared_table() {
    QFETCH(QStringList, there);
    QFETCH(QStringList, turned_ones);
    QFETCH(QString, read);
    QFETCH(QString, written);
    QFETCH(QString, output);
    Folder folder;
    Tensors tensors = tensors_of("bart-forced-start");
    const Tensor table = tensors.at("model.shared.weight"), other = turned(table);
    for (const char* each : {"model.shared.weight", "model.encoder.embed_tokens.weight",
                             "model.decoder.embed_tokens.weight", "lm_head.weight"})
      tensors.erase(each);
    const auto table_of = [&](const QString& name) { return turned_ones.contains(name) ? other : table; };
    for (const QString& name : there) tensors[name.toStdString()] = table_of(name);
    put(folder / "m", "bart-forced-start", tensors);
    const auto model = open_pretrained(folder / "m");
    // Untied, with each table by its own name: what the file means.
    Json config = parse_json(get_file(folder / "m" / "config.json"), "config.json");
    config["tie_word_embeddings"] = false;
    tensors["model.shared.weight"] = table;
    tensors["model.encoder.embed_tokens.weight"] = table_of(read);
    tensors["model.decoder.embed_tokens.weight"] = table_of(written);
    tensors["lm_head.weight"] = table_of(output);
    put(folder / "untied", "bart-forced-start", tensors);
    put_file(folder / "untied" / "config.json", config.dump());
    const auto found = run_of(*model), expected = run_of(*open_pretrained(folder / "untied"));
    QCOMPARE(found.at("encoder_last_hidden_state").values(), expected.at("encoder_last_hidden_state").values());
    for (Index i = 0; i < found.at("logits").size(); ++i)
      QVERIFY(std::abs(found.at("logits")[i] - expected.at("logits")[i]) < 1e-4);
    QCOMPARE(model->notes().empty(), turned_ones.empty() && there.contains("model.shared.weight"));
  }
};

HEADLIGHT_CORE_TEST(TestTiedWeights)

}  // namespace headlight::test_tied_weights

#include "test_tied_weights.moc"
