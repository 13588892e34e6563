// Names that training programs changed, and models that are found behind them.

#include "model/io/formats/mapping/mapping.h"
#include "model/io/formats/pretrained/pretrained_models.h"
#include "model/io/json_file.h"
#include "model/io/safetensors.h"
#include "model/io/state_dict.h"
#include "model/io/tensor_statistics.h"
#include "tests/model/io_helpers.h"
#include "tests/test_program.h"

namespace headlight::test_state_dict {

using namespace headlight::testing;

namespace {

fs::path gpt2() { return fs::path(HEADLIGHT_TEST_DATA) / "families" / "gpt2"; }

// The model with every tensor under the name that `renamed` gives it, and others beside it.
void put_renamed(const fs::path& folder, const std::function<std::string(std::string)>& renamed,
                 std::vector<NamedTensor> more = {}) {
  fs::create_directories(folder);
  fs::copy(gpt2() / "config.json", folder / "config.json", fs::copy_options::overwrite_existing);
  const SafetensorsFile file(gpt2() / "model.safetensors");
  for (const TensorInfo& info : file.tensors()) more.push_back({renamed(info.name), file.load(info.name)});
  write_safetensors(folder / "model.safetensors", more, {}, StorageType::f32);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) text.replace(at, from.size(), to);
  return text;
}

Tensor logits_of(const PretrainedModel& model) {
  for (const NamedTensor& value : model.run({3, 7, 5}, {}, {}, {}))
    if (value.name == "logits") return value.value;
  return {};
}

}  // namespace

class TestStateDict : public QObject {
  Q_OBJECT

 private slots:
  void what_is_in_the_middle_goes() {
    QCOMPARE(plain_name("layers.0._orig_mod.weight"), std::string("layers.0.weight"));
    QCOMPARE(plain_name("layers.0._fsdp_wrapped_module._checkpoint_wrapped_module.attn.q.weight"),
             std::string("layers.0.attn.q.weight"));
    QCOMPARE(plain_name("encoder.module.weight"), std::string("encoder.weight"));
    // What wraps the whole model is a front; a tensor may be called so itself.
    QCOMPARE(plain_name("module._orig_mod.out.weight"), std::string("module._orig_mod.out.weight"));
    QCOMPARE(plain_name("module._orig_mod.out.weight", true), std::string("out.weight"));
    QCOMPARE(plain_name("out.module"), std::string("out.module"));
    QCOMPARE(plain_name("module"), std::string("module"));
    QCOMPARE(plain_name(""), std::string());
    QCOMPARE(plain_name("a."), std::string("a."));
  }
  void the_shortest_front_behind_which_most_is_known() {
    const auto known = [](std::string_view name) { return name == "a.w" || name == "b.w"; };
    const auto front = [&](const std::vector<std::string>& names) { return front_of(names, known); };
    QCOMPARE(front({"a.w", "b.w"}).text, std::string());
    QCOMPARE(front({"base_model.model.a.w", "base_model.model.b.w"}).text, std::string("base_model.model."));
    QCOMPARE(front({"opt.a.step", "m.module.a.w", "m.module.b.w"}).known, std::size_t{2});
    QCOMPARE(front({"x", "y"}).known, std::size_t{0});
    const NameFront two = front({"student.a.w", "student.b.w", "teacher.a.w", "teacher.b.w"});
    QCOMPARE(two.text + two.rival, std::string("student.teacher."));
  }

  void a_folder_is_found_behind_any_of_them_data() {
    QTest::addColumn<QString>("front");
    QTest::addColumn<QString>("layer");  // what stands in front of each part of a layer
    for (const char* front : {"_orig_mod.", "module.", "_fsdp_wrapped_module.", "base_model.model.", "model.",
                              "_forward_module.", "module._orig_mod.", "_orig_mod.module.", "model._orig_mod.",
                              "state_dict.model._fsdp_wrapped_module.", "model_state_dict.module.", "lightning.net."})
      QTest::newRow(front) << QString(front) << QString();
    QTest::newRow("in the middle") << QString() << QString("_checkpoint_wrapped_module.");
    QTest::newRow("both") << QString("_fsdp_wrapped_module.")
                          << QString("_fsdp_wrapped_module._checkpoint_wrapped_module.");
    QTest::newRow("compiled layers") << QString("module.") << QString("_orig_mod.");
  }
  void a_folder_is_found_behind_any_of_them() {
    QFETCH(QString, front);
    QFETCH(QString, layer);
    Folder folder;
    put_renamed(folder / "m", [&](std::string name) {
      for (const std::string part : {".attn.", ".mlp."})
        name = replaced(name, part, "." + layer.toStdString() + part.substr(1));
      return front.toStdString() + name;
    });
    const auto model = open_pretrained(folder / "m");
    QCOMPARE(logits_of(*model).values(), logits_of(*open_pretrained(gpt2())).values());
    QVERIFY(model->notes().empty());
  }
  void what_stands_beside_the_model_is_said() {
    Folder folder;
    put_renamed(folder / "m", [](const std::string& name) { return "module." + name; },
                {{"n_averaged", Tensor::zeros({1})}, {"optimizer.0.exp_avg", Tensor::zeros({2})}});
    const auto model = open_pretrained(folder / "m");
    QCOMPARE(logits_of(*model).values(), logits_of(*open_pretrained(gpt2())).values());
    QCOMPARE(model->notes(),
             std::vector<std::string>{"not used, for it stands beside the model, whose names begin with "
                                      "\"module.\": \"n_averaged\" and 1 more"});
  }
  void two_models_in_one_file_are_refused() {
    Folder folder;
    const SafetensorsFile file(gpt2() / "model.safetensors");
    std::vector<NamedTensor> teacher;
    for (const TensorInfo& info : file.tensors()) teacher.push_back({"teacher." + info.name, file.load(info.name)});
    put_renamed(
        folder / "m", [](const std::string& name) { return "student." + name; }, std::move(teacher));
    QVERIFY(message_of<FormatError>([&] {
              open_pretrained(folder / "m");
            }).endsWith("the file has two models, behind \"student.\" and \"teacher.\": save one of them alone"));
  }
  void an_adapter_that_is_not_merged_is_named() {
    Folder folder;
    put_renamed(folder / "m", [](const std::string& name) { return "base_model.model." + name; },
                {{"base_model.model.transformer.h.0.attn.c_attn.lora_A.default.weight", Tensor::zeros({4, 32})}});
    QVERIFY(message_of<FormatError>([&] {
              open_pretrained(folder / "m");
            }).endsWith("is of an adapter that stands beside the model: merge it into the model and save that"));
  }
  void one_tensor_under_two_names() {
    Folder folder;
    const SafetensorsFile file(gpt2() / "model.safetensors");
    const auto same = [](const std::string& name) { return name; };
    put_renamed(folder / "m", same, {{"wpe.weight", file.load("transformer.wpe.weight")}});
    QVERIFY(open_pretrained(folder / "m")->notes().empty());
    Tensor other = file.load("transformer.wpe.weight").clone();
    other[5] += Scalar(1);
    put_renamed(folder / "m", same, {{"wpe.weight", other}});
    QVERIFY(message_of<FormatError>([&] {
              open_pretrained(folder / "m");
            }).endsWith("are the same one, and have different numbers"));
  }

  void a_mapping_and_a_comparison_find_them_too() {
    Folder folder;
    const std::vector<NamedTensor> plain = {
        {"a.weight", Tensor::full({3, 2}, 1)},       {"b.0.weight", Tensor::full({3, 2}, 2)},
        {"c.weight_ih_l0", Tensor::full({8, 2}, 3)}, {"c.weight_hh_l0", Tensor::full({8, 2}, 4)},
        {"d.weight_ih_l0", Tensor::full({8, 2}, 5)}, {"d.weight_hh_l0", Tensor::full({8, 2}, 6)},
        {"out.weight", Tensor::full({3, 2}, 8)}};
    put_file(folder / "m.json", R"({"format": "headlight-mapping-1", "model_type": "seq2seq",
        "model": {"embedding_size": 2, "hidden_size": 2},
        "tensors": {"encoder.embed.W": "a.weight", "decoder.embed.W": "b.0._orig_mod.weight",
                    "decoder.affine.b": {"fill": 0.5}, "decoder.affine.W": {"transpose": "out.weight"}},
        "modules": {"encoder": {"module": "nn.LSTM", "from": "c"}, "decoder": {"module": "nn.LSTM", "from": "d"}}})");
    write_safetensors(folder / "plain.safetensors", plain, {}, StorageType::f32);
    for (const std::string front : {"", "_orig_mod.", "base_model.model.", "_fsdp_wrapped_module.model."}) {
      std::vector<NamedTensor> wrapped = {{"step", Tensor::zeros({1})}};
      if (front.empty()) wrapped.clear();
      for (const NamedTensor& tensor : plain)
        wrapped.push_back({front + replaced(tensor.name, ".0.", ".0._orig_mod."), tensor.value});
      write_safetensors(folder / "w.safetensors", wrapped, {}, StorageType::f32);
      const auto model = open_mapped(folder / "w.safetensors", folder / "m.json");
      QCOMPARE((*model->model->parameters().find("decoder.embed.W"))[0], Scalar(2));
      QCOMPARE((*model->model->parameters().find("encoder.lstm.Wx"))[0], Scalar(3));
      for (const TensorDifference& each :
           differences_of(*open_safetensors(folder / "w.safetensors"), *open_safetensors(folder / "plain.safetensors")))
        QCOMPARE(QString(state_text(each.state)),
                 each.name == "step" ? QString("only in the first") : QString("equal"));
    }
  }
};

HEADLIGHT_CORE_TEST(TestStateDict)

}  // namespace headlight::test_state_dict

#include "test_state_dict.moc"
