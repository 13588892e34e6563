// Weights that stay in half precision: every result is that of the same weights in float32, bit for bit.

#include <malloc.h>

#include <QtTest>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "model/core/halves.h"
#include "model/core/product.h"
#include "model/core/random.h"
#include "model/decode/run.h"
#include "model/io/formats/format.h"
#include "model/io/half.h"
#include "model/io/tensor_file.h"
#include "model/ops/basic.h"
#include "tests/model/io_helpers.h"
#include "tests/test_program.h"

namespace headlight::test_halves {

using namespace headlight::testing;
using nlohmann::json;

namespace {

using Kind = Halves::Kind;

// 0x3c00 is 1 in float16, 0x3f80 in bfloat16.
std::uint16_t bits_of(double value, Kind kind) {
  if (kind == Kind::float16) return to_half(value);
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16);
}

double reference(std::uint16_t bits, Kind kind) {
  return kind == Kind::float16 ? from_half(bits) : from_bfloat16(bits);
}

Tensor drawn_halves(const Shape& shape, Kind kind, std::uint32_t substream) {
  Random random(7, Random::Stream::init, substream);
  auto halves = std::make_shared<Halves>(kind, shape.size());
  for (Index i = 0; i < shape.size(); ++i) halves->bits()[i] = bits_of(random.uniform() - 0.5, kind);
  Tensor tensor = Tensor::in_halves(shape, halves);
  tensor.mark_parameter();
  return tensor;
}

// The same in float32, made by the arithmetic of the readers of files.
Tensor floats_of(const Tensor& halves) {
  Tensor tensor(halves.shape());
  for (Index i = 0; i < tensor.size(); ++i)
    tensor[i] = static_cast<Scalar>(reference(halves.halves()->bits()[halves.offset() + i], halves.halves()->kind()));
  return tensor;
}

Tensor drawn(const Shape& shape, std::uint32_t substream) {
  Random random(8, Random::Stream::init, substream);
  Tensor tensor(shape);
  for (Index i = 0; i < tensor.size(); ++i) tensor[i] = static_cast<Scalar>(random.uniform() - 0.5);
  return tensor;
}

bool same(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(Scalar)) == 0;
}

// --- a model of another library in three precisions

struct MadeModel {
  json config;
  std::vector<std::pair<std::string, std::vector<Index>>> tensors;
};

constexpr Index kSize = 256, kInner = 1024, kVocabulary = 300;

void add_linear(MadeModel& model, const std::string& name, Index out, Index in, bool bias = true) {
  model.tensors.push_back({name + ".weight", {out, in}});
  if (bias) model.tensors.push_back({name + ".bias", {out}});
}
void add_norm(MadeModel& model, const std::string& name, bool bias = true) {
  model.tensors.push_back({name + ".weight", {kSize}});
  if (bias) model.tensors.push_back({name + ".bias", {kSize}});
}

// [in x out], queries, keys and values side by side, a tied output.
MadeModel gpt2() {
  MadeModel model{{{"model_type", "gpt2"},
                   {"architectures", {"GPT2LMHeadModel"}},
                   {"n_embd", kSize},
                   {"n_layer", 2},
                   {"n_head", 4},
                   {"n_positions", 64},
                   {"vocab_size", kVocabulary}},
                  {}};
  model.tensors = {{"wte.weight", {kVocabulary, kSize}}, {"wpe.weight", {64, kSize}}};
  for (const std::string h : {"h.0.", "h.1."}) {
    add_norm(model, h + "ln_1");
    add_norm(model, h + "ln_2");
    for (const auto& [name, rows, columns] : {std::tuple("attn.c_attn", kSize, 3 * kSize),
                                              {"attn.c_proj", kSize, kSize},
                                              {"mlp.c_fc", kSize, kInner},
                                              {"mlp.c_proj", kInner, kSize}}) {
      model.tensors.push_back({h + name + ".weight", {rows, columns}});
      model.tensors.push_back({h + name + ".bias", {columns}});
    }
  }
  add_norm(model, "ln_f");
  return model;
}

// [out x in].
MadeModel bert() {
  MadeModel model{{{"model_type", "bert"},
                   {"architectures", {"BertModel"}},
                   {"hidden_size", kSize},
                   {"num_hidden_layers", 2},
                   {"num_attention_heads", 4},
                   {"intermediate_size", kInner},
                   {"vocab_size", kVocabulary},
                   {"max_position_embeddings", 64},
                   {"type_vocab_size", 2}},
                  {}};
  const std::string e = "embeddings.";
  model.tensors = {{e + "word_embeddings.weight", {kVocabulary, kSize}},
                   {e + "position_embeddings.weight", {64, kSize}},
                   {e + "token_type_embeddings.weight", {2, kSize}}};
  add_norm(model, e + "LayerNorm");
  for (const std::string h : {"encoder.layer.0.", "encoder.layer.1."}) {
    for (const char* name : {"query", "key", "value"}) add_linear(model, h + "attention.self." + name, kSize, kSize);
    add_linear(model, h + "attention.output.dense", kSize, kSize);
    add_norm(model, h + "attention.output.LayerNorm");
    add_linear(model, h + "intermediate.dense", kInner, kSize);
    add_linear(model, h + "output.dense", kSize, kInner);
    add_norm(model, h + "output.LayerNorm");
  }
  return model;
}

// A gate, an output of its own.
MadeModel llama() {
  MadeModel model{{{"model_type", "llama"},
                   {"architectures", {"LlamaForCausalLM"}},
                   {"hidden_size", kSize},
                   {"num_hidden_layers", 2},
                   {"num_attention_heads", 8},
                   {"num_key_value_heads", 8},
                   {"intermediate_size", kInner},
                   {"hidden_act", "silu"},
                   {"vocab_size", kVocabulary},
                   {"max_position_embeddings", 64},
                   {"rms_norm_eps", 1e-5},
                   {"tie_word_embeddings", false}},
                  {}};
  model.tensors = {{"model.embed_tokens.weight", {kVocabulary, kSize}}};
  for (const std::string h : {"model.layers.0.", "model.layers.1."}) {
    add_norm(model, h + "input_layernorm", false);
    add_norm(model, h + "post_attention_layernorm", false);
    for (const char* name : {"q", "k", "v", "o"})
      add_linear(model, h + "self_attn." + name + "_proj", kSize, kSize, false);
    add_linear(model, h + "mlp.gate_proj", kInner, kSize, false);
    add_linear(model, h + "mlp.up_proj", kInner, kSize, false);
    add_linear(model, h + "mlp.down_proj", kSize, kInner, false);
  }
  add_norm(model, "model.norm", false);
  add_linear(model, "lm_head", kVocabulary, kSize, false);
  return model;
}

// Queries, keys and values of one head behind each other.
MadeModel gpt_neox() {
  MadeModel model{{{"model_type", "gpt_neox"},
                   {"architectures", {"GPTNeoXForCausalLM"}},
                   {"hidden_size", kSize},
                   {"num_hidden_layers", 2},
                   {"num_attention_heads", 4},
                   {"intermediate_size", kInner},
                   {"hidden_act", "gelu"},
                   {"vocab_size", kVocabulary},
                   {"max_position_embeddings", 64},
                   {"rotary_pct", 0.25},
                   {"tie_word_embeddings", false}},
                  {}};
  model.tensors = {{"gpt_neox.embed_in.weight", {kVocabulary, kSize}}};
  for (const std::string h : {"gpt_neox.layers.0.", "gpt_neox.layers.1."}) {
    add_norm(model, h + "input_layernorm");
    add_norm(model, h + "post_attention_layernorm");
    add_linear(model, h + "attention.query_key_value", 3 * kSize, kSize);
    add_linear(model, h + "attention.dense", kSize, kSize);
    add_linear(model, h + "mlp.dense_h_to_4h", kInner, kSize);
    add_linear(model, h + "mlp.dense_4h_to_h", kSize, kInner);
  }
  add_norm(model, "gpt_neox.final_layer_norm");
  add_linear(model, "embed_out", kVocabulary, kSize, false);
  return model;
}

// config.json and model.safetensors; every number is one of half precision, written as such or as float32.
void write_model(const fs::path& folder, const MadeModel& model, Kind kind, bool wide) {
  fs::create_directories(folder);
  put_file(folder / "config.json", model.config.dump());
  json header;
  std::string numbers;
  Random random(3, Random::Stream::init, 1);
  for (const auto& [name, shape] : model.tensors) {
    const std::size_t begin = numbers.size();
    const bool norm = shape.size() == 1 && name.ends_with("weight");
    Index count = 1;
    for (const Index n : shape) count *= n;
    for (Index i = 0; i < count; ++i) {
      const std::uint16_t bits = bits_of(norm ? 1 + 0.1 * random.normal() : 0.06 * random.normal(), kind);
      const auto value = static_cast<float>(reference(bits, kind));
      numbers.append(wide ? reinterpret_cast<const char*>(&value) : reinterpret_cast<const char*>(&bits), wide ? 4 : 2);
    }
    header[name] = {{"dtype", wide                    ? "F32"
                              : kind == Kind::float16 ? "F16"
                                                      : "BF16"},
                    {"shape", shape},
                    {"data_offsets", {begin, numbers.size()}}};
  }
  const std::string text = header.dump();
  const std::uint64_t length = text.size();
  put_file(folder / "model.safetensors",
           std::string(reinterpret_cast<const char*>(&length), sizeof length) + text + numbers);
}

Result result_of(const std::shared_ptr<const ModelBundle>& model) {
  Request request;
  request.model = model;
  request.ids = {5, 17, 3, 99, 250, 17, 8};
  return run(request);
}

double memory_in_use() {
  const auto info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

}  // namespace

class TestHalves : public QObject {
  Q_OBJECT
 private slots:
  void every_number();
  void products_data();
  void products();
  void ops_and_their_explanations_data() { kinds(); }
  void ops_and_their_explanations();
  void whoever_asks_gets_scalars();
  void models_data();
  void models();
  void memory_is_that_of_the_file();
  void a_file_may_vanish_while_its_model_is_open();

 private:
  static void kinds() {
    QTest::addColumn<int>("kind");
    QTest::newRow("float16") << static_cast<int>(Kind::float16);
    QTest::newRow("bfloat16") << static_cast<int>(Kind::bfloat16);
  }
};

// All 65,536 of each kind, one by one and in registers from any address.
void TestHalves::every_number() {
  constexpr Index kAll = 1 << 16;
  for (const Kind kind : {Kind::float16, Kind::bfloat16}) {
    Halves halves(kind, kAll);
    for (Index i = 0; i < kAll; ++i) halves.bits()[i] = static_cast<std::uint16_t>(i);
    for (const Index first : {0, 1, 7}) {
      std::vector<Scalar> all(kAll);
      halves.read(first, kAll - first, all.data());
      for (Index i = first; i < kAll; ++i) {
        const double expected = reference(static_cast<std::uint16_t>(i), kind);
        for (const Scalar found : {all[static_cast<std::size_t>(i - first)], halves.at(i)}) {
          const auto value = static_cast<double>(found);
          QVERIFY(std::isnan(expected) ? std::isnan(value) : value == expected);
          QCOMPARE(std::signbit(value), std::signbit(expected));
        }
      }
    }
  }
}

void TestHalves::products_data() {
  QTest::addColumn<int>("rows");
  QTest::addColumn<int>("k");
  for (const int rows : {1, 2, 13, 40, 520})
    for (const int k : {1, 6, 771}) QTest::addRow("%d rows, %d deep", rows, k) << rows << k;
}

void TestHalves::products() {
  QFETCH(int, rows);
  QFETCH(int, k);
  const Tensor x = drawn({rows, k}, 1);
  for (const Kind kind : {Kind::float16, Kind::bfloat16})
    for (const Index m : {1, 31, 33, 700})
      for (const bool transposed : {false, true}) {
        const Tensor w = drawn_halves(transposed ? Shape{m, k} : Shape{k, m}, kind, 2), wide = floats_of(w);
        for (const Tensor& start : {Tensor(), drawn({m}, 3), drawn({rows, m}, 4)}) {
          Tensor y({rows, m}), expected({rows, m});
          product(x, w, transposed, start, y);
          product(x, wide, transposed, start, expected);
          QVERIFY2(same(y, expected), qPrintable(QStringLiteral("%1 columns, transposed %2").arg(m).arg(transposed)));
        }
        QVERIFY(!w.halves()->has_scalars());
      }
}

// Embedding, products and tied products, with gradients and explanations, from the middle of a storage too.
void TestHalves::ops_and_their_explanations() {
  QFETCH(int, kind);
  const Tensor stored = drawn_halves({80, 300}, static_cast<Kind>(kind), 5);
  const Tensor table = stored.view(600, {70, 300}), wide = floats_of(table);
  const auto values = [](const Tensor& weights) {
    Graph graph(Graph::Keep::everything);
    const Graph::Scope scope(&graph);
    std::vector<Tensor> made;
    const Tensor x = embedding(Tensor::ids({3, 69, 0, 3, 11, 12, 13, 14, 15}), weights);
    made.push_back(x);
    made.push_back(linear_transposed(x, weights, drawn({70}, 6)));
    made.push_back(linear(made.back(), weights, drawn({300}, 7)));
    made.push_back(linear(made[1], weights));  // a second use
    graph.backward(made[2], drawn(made[2].shape(), 8));
    made.push_back(graph.gradient(x));
    std::vector<Scalar> explained;
    for (int i = 0; i < 4; ++i) {
      const Tensor& tensor = made[static_cast<std::size_t>(i)];
      const Node* node = graph.find(tensor);
      const Explanation explanation = node->op->explain(*node, tensor.size() - 2);
      explained.push_back(static_cast<Scalar>(explanation.recomputed));
      for (const Term& term : explanation.terms)
        for (const Cell& cell : term.cells) explained.push_back(static_cast<Scalar>(cell.value()));
    }
    made.push_back(Tensor::vector(explained));
    return made;
  };
  const std::vector<Tensor> found = values(table), expected = values(wide);
  for (std::size_t i = 0; i < found.size(); ++i) QVERIFY2(same(found[i], expected[i]), std::to_string(i).c_str());
  QVERIFY(!stored.halves()->has_scalars());
}

void TestHalves::whoever_asks_gets_scalars() {
  const Tensor stored = drawn_halves({40, 30}, Kind::bfloat16, 9), view = stored.view(60, {5, 30});
  const Tensor wide = floats_of(stored);
  QCOMPARE(stored.clone().halves(), nullptr);
  QVERIFY(same(stored.clone(), wide));
  QCOMPARE(view.values(), floats_of(view).values());
  QCOMPARE(view[7], wide[67]);
  QVERIFY(!stored.halves()->has_scalars());
  QVERIFY(same(stored, wide));
  QVERIFY(stored.halves()->has_scalars());
  QCOMPARE(view.matrix()(1, 2), wide[92]);
  QVERIFY(view.shares_storage(stored));
  QVERIFY(stored.defined() && stored.is_parameter());
  QVERIFY_EXCEPTION_THROWN(Tensor::in_halves({2, 3}, std::make_shared<Halves>(Kind::float16, 5)), ShapeError);
}

void TestHalves::models_data() {
  QTest::addColumn<int>("family");
  QTest::addColumn<int>("kind");
  const char* const names[] = {"gpt2", "bert", "llama", "gpt_neox"};
  for (int family = 0; family < 4; ++family) {
    QTest::addRow("%s, float16", names[family]) << family << static_cast<int>(Kind::float16);
    QTest::addRow("%s, bfloat16", names[family]) << family << static_cast<int>(Kind::bfloat16);
  }
}

// Every value of a run, what is written, and the arithmetic of a cell of each.
void TestHalves::models() {
  QFETCH(int, family);
  QFETCH(int, kind);
  const MadeModel made = family == 0 ? gpt2() : family == 1 ? bert() : family == 2 ? llama() : gpt_neox();
  const Folder folder;
  write_model(folder / "half", made, static_cast<Kind>(kind), false);
  write_model(folder / "wide", made, static_cast<Kind>(kind), true);
  const auto half = open_path(folder / "half"), wide = open_path(folder / "wide");
  const Result found = result_of(half), expected = result_of(wide);
  QCOMPARE(found.output, expected.output);
  QCOMPARE(found.trace->size(), expected.trace->size());
  QVERIFY(found.trace->size() > 40);
  for (int i = 0; i < found.trace->size(); ++i) {
    const TraceEntry &a = (*found.trace)[i], &b = (*expected.trace)[i];
    QVERIFY2(a.site.text == b.site.text && same(a.value, b.value), a.site.text.c_str());
    const Explanation left = found.trace->explain(i, a.value.size() / 2),
                      right = expected.trace->explain(i, b.value.size() / 2);
    QVERIFY2(left.recomputed == right.recomputed || std::isnan(left.recomputed), a.site.text.c_str());
    QCOMPARE(left.terms.size(), right.terms.size());
  }
  int kept = 0;
  for (const Parameter& parameter : half->model->parameters().all()) {
    const Halves* halves = parameter.value.halves();
    QVERIFY2(halves || parameter.value.size() < kSize * kSize, parameter.name.c_str());
    QVERIFY2(!halves || !halves->has_scalars(), parameter.name.c_str());
    kept += halves ? 1 : 0;
  }
  QVERIFY(kept >= 12);
  for (const Parameter& parameter : wide->model->parameters().all()) QVERIFY(!parameter.value.halves());
}

void TestHalves::memory_is_that_of_the_file() {
  for (const MadeModel& made : {gpt2(), llama()}) {
    const Folder folder;
    write_model(folder.path(), made, Kind::bfloat16, false);
    const auto file = static_cast<double>(fs::file_size(folder / "model.safetensors"));
    open_path(folder.path());  // what is kept for later openings
    const double before = memory_in_use();
    const auto model = open_path(folder.path());
    QVERIFY2(memory_in_use() - before <= 1.2 * file, std::to_string((memory_in_use() - before) / file).c_str());
  }
}

// Nothing is mapped: what is open stays what it was.
void TestHalves::a_file_may_vanish_while_its_model_is_open() {
  const Folder folder;
  write_model(folder.path(), gpt2(), Kind::bfloat16, false);
  const fs::path file = folder / "model.safetensors";
  const auto model = open_path(folder.path());
  const auto tensors = open_safetensors(file);
  const Result before = result_of(model);
  fs::resize_file(file, 100);
  const Result cut = result_of(model);
  put_file(file, std::string(5'000'000, 'x'));
  const Result replaced = result_of(model);
  for (int i = 0; i < before.trace->size(); ++i) {
    QVERIFY(same((*before.trace)[i].value, (*cut.trace)[i].value));
    QVERIFY(same((*before.trace)[i].value, (*replaced.trace)[i].value));
  }
  fs::resize_file(file, 100);
  std::uint16_t number = 0;
  QVERIFY_EXCEPTION_THROWN(tensors->read(0, 1000, &number, sizeof number), FileError);
  QVERIFY_EXCEPTION_THROWN(tensors->read(0, 1u << 30, &number, sizeof number), FormatError);
}

HEADLIGHT_TEST(TestHalves)

}  // namespace headlight::test_halves

#include "test_halves.moc"
