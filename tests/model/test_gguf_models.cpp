// Models, tokenizers and chat templates of GGUF files, compared with what other programs computed from them.

#include <QTest>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>

#include "model/core/json_library.h"
#include "model/io/formats/chat/chat_template.h"
#include "model/io/formats/families/family.h"
#include "model/io/formats/families/split_file.h"
#include "model/io/formats/format.h"
#include "model/io/formats/gguf/gguf_folder.h"
#include "model/io/formats/gguf/gguf_format.h"
#include "model/io/formats/gguf/gguf_tokenizer.h"
#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "model/io/json_file.h"
#include "model/io/npz.h"
#include "model/io/tensor_values.h"
#include "tests/model/gguf_bytes.h"
#include "tests/model/gguf_compared.h"
#include "tests/model/io_helpers.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_gguf_models {

using namespace headlight::testing;

namespace {

using Bytes = GgufBytes;

fs::path model_files() { return made_elsewhere().parent_path() / "models" / "gguf"; }

// With what stands beside it as JSON.
std::vector<std::pair<fs::path, Json>> described_files() {
  std::vector<std::pair<fs::path, Json>> all;
  for (const auto& entry : fs::directory_iterator(model_files())) {
    const fs::path json = fs::path(entry.path()).replace_extension(".json");
    if (entry.path().extension() == ".gguf" && fs::exists(json))
      all.emplace_back(entry.path(), read_json(json, 1u << 24));
  }
  return all;
}

Json ids_json(const pretrained::Encoding& tokens) {
  Json ids = Json::array();
  for (const auto& token : tokens) ids.push_back(token.id);
  return ids;
}

// "a" and "b" are merged first, of equal scores the leftmost.
Bytes scored_tokens() {
  Bytes bytes;
  bytes.key("tokenizer.ggml.model", 8, Bytes::text("llama"));
  bytes.texts("tokenizer.ggml.tokens", {"<unk>", "<s>", "\xe2\x96\x81", "a", "b", "ab", "ba", "<0x63>"});
  bytes.numbers<float>("tokenizer.ggml.scores", 6, {0, 0, -9, -8, -8, -1, -1, 0});
  bytes.numbers<std::int32_t>("tokenizer.ggml.token_type", 5, {2, 3, 1, 1, 1, 1, 1, 6});
  bytes.key("tokenizer.ggml.bos_token_id", 4, Bytes::number<std::uint32_t>(1));
  return bytes;
}

Json ids_of_text(const Bytes& bytes, const std::string& text) {
  Folder folder;
  put_file(folder / "t.gguf", bytes.bytes());
  return ids_json(open_tokenizer(folder / "t.gguf")->encode(text));
}

}  // namespace

class TestGgufModels : public QObject {
  Q_OBJECT

 private slots:
  void scores_by_hand() {
    QCOMPARE(ids_of_text(scored_tokens(), "aba").dump(), std::string("[1,2,5,3]"));    // ▁ ab a
    QCOMPARE(ids_of_text(scored_tokens(), "bab").dump(), std::string("[1,2,6,4]"));    // ▁ ba b
    QCOMPARE(ids_of_text(scored_tokens(), "c a").dump(), std::string("[1,2,7,2,3]"));  // ▁ <0x63> ▁ a
    QCOMPARE(ids_of_text(scored_tokens(), "<s>a").dump(), std::string("[1,1,2,3]"));
    Bytes without = scored_tokens();
    without.key("tokenizer.ggml.add_space_prefix", 7, std::string(1, '\0'));
    without.key("tokenizer.ggml.add_bos_token", 7, std::string(1, '\0'));
    QCOMPARE(ids_of_text(without, "ab a").dump(), std::string("[5,2,3]"));
  }

  void what_is_wrong_with_a_tokenizer_is_said() {
    const auto said = [](const Bytes& bytes) {
      return message_of<FormatError>([&] { ids_of_text(bytes, "a"); }).section(": ", 1);
    };
    Bytes beyond = scored_tokens();
    beyond.key("tokenizer.ggml.eos_token_id", 4, Bytes::number<std::uint32_t>(8));
    beyond.key("tokenizer.ggml.add_eos_token", 7, std::string(1, '\1'));
    QCOMPARE(said(beyond), QString("tokenizer.ggml.eos_token_id: expected a token of 8, found 8"));
    Bytes cut;
    cut.key("tokenizer.ggml.model", 8, Bytes::text("gpt2"));
    cut.key("tokenizer.ggml.pre", 8, Bytes::text("elsewhere"));
    cut.texts("tokenizer.ggml.tokens", {"a"});
    QCOMPARE(said(cut), QString("tokenizer.ggml.pre: the way \"elsewhere\" to cut a text is not known"));
  }

  // Rows 0 … 3 of a head are pairs in the file: 0, 2, 1, 3 in the folder.
  void rows_are_put_back() {
    Folder folder;
    Bytes bytes;
    bytes.key("general.architecture", 8, Bytes::text("llama"));
    bytes.tensor("blk.3.attn_q.weight", {1, 8}, 0, bytes_of<float>({0, 1, 2, 3, 10, 11, 12, 13}));
    bytes.tensor("blk.3.attn_k.bias", {4}, 0, bytes_of<float>({0, 1, 2, 3}));
    bytes.tensor("output.weight", {2, 1}, 0, bytes_of<float>({5, 6}));
    put_file(folder / "t.gguf", bytes.bytes());
    const gguf::FolderView view(std::make_shared<const GgufFile>(folder / "t.gguf"), *gguf::architecture_of("llama"),
                                {{"num_attention_heads", 2u}, {"num_key_value_heads", 1u}});
    QCOMPARE(view.tensors()[0].name, std::string("model.layers.3.self_attn.q_proj.weight"));
    QCOMPARE(view.bytes(0), bytes_of<float>({0, 2, 1, 3, 10, 12, 11, 13}));
    QCOMPARE(view.bytes(1), bytes_of<float>({0, 2, 1, 3}));
    std::string part(12, '\0');
    view.read(0, 4, part.data(), part.size());
    QCOMPARE(part, bytes_of<float>({2, 1, 3}));
    QCOMPARE(view.tensors()[2].name, std::string("lm_head.weight"));
    QCOMPARE(view.in_words_of_file("the tensor \"layers.7.mlp.up_proj.weight\" is missing"),
             std::string("the tensor \"blk.7.ffn_up.weight\" is missing"));
    QCOMPARE(view.in_words_of_file("rope_theta: expected a number"),
             std::string("llama.rope.freq_base: expected a number"));
  }

  // Of a head that has its query, key and value beside each other.
  void parts_are_put_back_into_their_heads() {
    Folder folder;
    Bytes bytes;
    bytes.key("general.architecture", 8, Bytes::text("gptneox"));
    bytes.tensor("blk.0.attn_qkv.bias", {6}, 0, bytes_of<float>({1, 2, 11, 12, 21, 22}));  // q ‖ k ‖ v of two heads
    put_file(folder / "t.gguf", bytes.bytes());
    const gguf::FolderView view(std::make_shared<const GgufFile>(folder / "t.gguf"), *gguf::architecture_of("gptneox"),
                                {{"num_attention_heads", 2u}});
    QCOMPARE(view.bytes(0), bytes_of<float>({1, 11, 21, 2, 12, 22}));
  }

  // One tensor for all experts is cut, and its rows stay as they lie in the file.
  void experts_keep_their_blocks() {
    Folder folder;
    Bytes bytes;
    bytes.key("general.architecture", 8, Bytes::text("llama"));
    std::string rows;
    for (char row = 0; row < 6; ++row) rows += std::string("\x00\x3c", 2) + std::string(32, row);  // Q8_0: 1 · row
    bytes.tensor("blk.0.ffn_up_exps.weight", {32, 2, 3}, 8, rows);
    put_file(folder / "t.gguf", bytes.bytes());
    const gguf::FolderView view(std::make_shared<const GgufFile>(folder / "t.gguf"), *gguf::architecture_of("llama"),
                                {{"num_attention_heads", 2u}});
    const auto split = families::split_by_experts(view, *families::family_of({{"model_type", "mixtral"}}), "t");
    QCOMPARE(split->tensors().size(), 3U);
    QCOMPARE(split->tensors()[2].name, std::string("model.layers.0.block_sparse_moe.experts.up_proj.weight[2]"));
    QCOMPARE(split->tensors()[2].shape, (std::vector<std::uint64_t>{2, 32}));
    QVERIFY(split->block_form(2).has_value());
    std::string row(34, '\0');
    split->read_row(2, 1, row.data());
    QCOMPARE(row, rows.substr(5 * 34, 34));
    const Tensor middle = numbers_of(*split, 1, "t");
    QCOMPARE(middle[0], Scalar(2));
    QCOMPARE(middle[63], Scalar(3));
  }

  // Tensors as they lie in the folder, also of families that do not run here.
  void files_are_their_folders() {
    SKIP_WITHOUT_MATERIAL();
    int tensors = 0;
    for (const auto& [path, told] : described_files()) {
      const std::string named =
          told.contains("against_family") ? told.at("against_family").at("folder").get<std::string>() : "";
      fs::path folder = made_elsewhere() / "families" / named;
      if (!fs::exists(folder)) folder = made_elsewhere().parent_path() / "models" / "families" / named;
      if (named.empty() || !fs::exists(folder)) continue;
      const auto file = std::make_shared<const GgufFile>(path);
      const gguf::Architecture& architecture = *gguf::architecture_of(*file->text("general.architecture"));
      const gguf::FolderView view(file, architecture, gguf::config_of(*file, architecture));
      const auto original = format_of(folder)->contents(folder).tensors;
      for (std::size_t i = 0; i < view.tensors().size(); ++i) {
        const std::string& full = view.tensors()[i].name;
        // What stands in front of all names may be missing.
        std::string end = full;
        for (const char* front : {"model.", "transformer.", "gpt_neox."})
          if (end.starts_with(front)) end.erase(0, std::string(front).size());
        for (std::size_t k = 0; k < original->tensors().size(); ++k) {
          const std::string& name = original->tensors()[k].name;
          if (name != end && !name.ends_with("." + end)) continue;
          const std::string where = path.stem().string() + ": " + full;
          QVERIFY2(original->tensors()[k].shape == view.tensors()[i].shape, where.c_str());
          QVERIFY2(difference(numbers_of(view, i, where), numbers_of(*original, k, where)) <= 1e-6, where.c_str());
          ++tensors;
        }
      }
    }
    QVERIFY2(tensors > 250, std::to_string(tensors).c_str());
  }

  void tokenizers_of_the_material() {
    SKIP_WITHOUT_MATERIAL();
    int texts = 0;
    for (const auto& [path, told] : described_files()) {
      if (!told.contains("tokenizer")) continue;
      const auto tokenizer = open_tokenizer(path);
      for (const Json& c : told.at("tokenizer")) {
        const std::string text = c.at("text");
        const std::string where = path.stem().string() + ": " + c.at("text").dump();
        QVERIFY2(ids_json(tokenizer->encode(text)) == c.at("full"), where.c_str());
        QVERIFY2(ids_json(tokenizer->encode(text, false)) == c.at("plain"), where.c_str());
        ++texts;
      }
    }
    QVERIFY(texts > 500);
  }

  void chat_templates_of_the_material() {
    SKIP_WITHOUT_MATERIAL();
    int chats = 0;
    for (const auto& [path, told] : described_files()) {
      if (!told.contains("chat")) continue;
      const ChatTemplates templates(path);
      for (const Json& c : told.at("chat")) {
        ChatRequest request;
        request.messages = c.at("messages");
        request.generation_prompt = c.at("add_generation_prompt");
        request.now = "2024-07-06T09:05:03";
        QCOMPARE(templates.text(request).text, c.at("text").get<std::string>());
        ++chats;
      }
    }
    QVERIFY(chats > 4);
  }

  void models_of_the_material() {
    SKIP_WITHOUT_MATERIAL();
    int arrays = 0, models = 0;
    for (const auto& [path, told] : described_files()) {
      const fs::path reference = path.parent_path() / (path.stem().string() + ".reference.npz");
      if (!fs::exists(reference)) continue;
      const Contents contents = format_of(path)->contents(path);
      if (!contents.runs) {  // of a family that is not there; nothing else stands in the way
        QVERIFY2(contents.reason.ends_with("do not run here"), (path.string() + ": " + contents.reason).c_str());
        continue;
      }
      ++models;
      const int compared = compared_with(reference, path);
      QVERIFY(compared > 0);
      arrays += compared;
    }
    QVERIFY(models >= 26 && arrays > 290);
  }

  // Behind the first end token nothing is written.
  void texts_go_on_as_told() {
    SKIP_WITHOUT_MATERIAL();
    int texts = 0;
    for (const auto& [path, told] : described_files()) {
      if (!told.contains("cases") || !told.contains("vocabulary") || !format_of(path)->contents(path).runs) continue;
      const auto model = open_gguf_model(path, {});
      const Json& ends = told.at("vocabulary").at("end_of_generation");
      for (const Json& c : told.at("cases")) {
        if (!c.contains("greedy") || c.at("smallest_lead") < 0.005) continue;
        std::vector<TokenId> wanted;
        for (const Json& id : c.at("greedy")) {
          wanted.push_back(id.get<TokenId>());
          if (std::find(ends.begin(), ends.end(), id) != ends.end()) break;
        }
        QCOMPARE(model->continued(c.at("ids").get<std::vector<TokenId>>(), 10, {}).ids, wanted);
        ++texts;
      }
    }
    QVERIFY(texts > 10);
  }

  void a_file_becomes_a_bundle() {
    SKIP_WITHOUT_MATERIAL();
    const auto bundle = open_path(model_files() / "mixed.gguf");
    QVERIFY(bundle->description.find("qwen2: ") != std::string::npos);
    QCOMPARE(bundle->in_file->at("decoder.layer[0].ffn.W_gate"), std::string("blk.0.ffn_gate.weight.T"));
    QVERIFY(!bundle->examples.empty());
    const auto parts = open_path(model_files() / "parts-00001-of-00003.gguf");
    QCOMPARE(format_of(parts->folder)->files(parts->folder).size(), std::size_t(3));
  }
};

HEADLIGHT_TEST(TestGgufModels)

}  // namespace headlight::test_gguf_models

#include "test_gguf_models.moc"
