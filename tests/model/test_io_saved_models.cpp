// Model folders: what is saved comes back; where folders are found; weights that are damaged, too large or of another
// shape, each with its message.

#include <QtTest>
#include <limits>

#include "model/io/model_folder.h"
#include "model/models/registry.h"
#include "tests/model/io_helpers.h"
#include "tests/model/saved_model.h"
#include "tests/test_program.h"

namespace headlight::test_io_saved_models {

using namespace headlight::testing;

namespace {

class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~Environment() { unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
};

}  // namespace

class TestIoSavedModels : public QObject {
  Q_OBJECT

 private slots:
  // Folders from before the biases of the additive score do not say which they have: their weights do.
  void score_biases_follow_from_the_weights_data() {
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<QString>("bias");
    for (const char* architecture : {"bahdanau", "bahdanau_m30k", "hard_attention"})
      for (const char* bias : {"none", "hidden", "both"})
        QTest::addRow("%s %s", architecture, bias) << QString(architecture) << QString(bias);
  }
  void score_biases_follow_from_the_weights() {
    QFETCH(QString, architecture);
    QFETCH(QString, bias);
    Folder folder;
    ModelBundle made = bundle();
    made.model = make_model({{"model_type", architecture.toStdString()},
                             {"source_vocabulary_size", 5},
                             {"target_vocabulary_size", 4},
                             {"attention.bias", bias.toStdString()}},
                            3);
    save_model(folder / "m", made, "# Card\n", StorageType::f32);
    Json config = Json::parse(get_file(folder / "m" / "config.json"));
    QCOMPARE(config["model"]["attention.bias"], Json(bias.toStdString()));
    const auto explicitly = load_model((folder / "m").string());
    config["model"].erase("attention.bias");
    put_file(folder / "m" / "config.json", config.dump());
    const auto read = load_model((folder / "m").string());
    QCOMPARE(read->model->config()["attention.bias"], Json(bias.toStdString()));
    QCOMPARE(read->model->parameters().count(), explicitly->model->parameters().count());
  }

  void saved_models_come_back_data() {
    QTest::addColumn<QString>("architecture");
    for (const char* name : kArchitectures) QTest::newRow(name) << name;
  }
  void saved_models_come_back() {
    QFETCH(QString, architecture);
    Folder folder;
    const ModelBundle made = bundle(qPrintable(architecture));
    save_model(folder / "m", made, "# Card\n", StorageType::f64);
    const auto loaded = load_model((folder / "m").string());
    QCOMPARE(loaded->name, std::string("m"));
    QCOMPARE(loaded->title, made.title);
    QCOMPARE(loaded->description, made.description);
    QCOMPARE(loaded->task, made.task);
    QCOMPARE(loaded->order, made.order);
    QCOMPARE(loaded->examples, made.examples);
    QCOMPARE(loaded->text.source_width, made.text.source_width);
    QCOMPARE(loaded->text.target_length, made.text.target_length);
    QCOMPARE(loaded->text.bos, made.text.bos);
    QVERIFY(loaded->text.eos == made.text.eos);
    QVERIFY(loaded->warnings.empty());
    QCOMPARE(loaded->source_vocabulary().tokens(), made.source_vocabulary().tokens());
    QCOMPARE(loaded->target_vocabulary().tokens(), made.target_vocabulary().tokens());
    QVERIFY(loaded->model->config() == made.model->config());
    const auto &a = loaded->model->parameters().all(), &b = made.model->parameters().all();
    QCOMPARE(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      QCOMPARE(a[i].name, b[i].name);
      QCOMPARE(a[i].value.values(), b[i].value.values());
    }
    QCOMPARE(get_file(folder / "m" / "README.md"), std::string("# Card\n"));
  }
  void float16_weights_are_rounded() {
    const Saved saved(StorageType::f16);
    const auto loaded = load_model(saved.path().string());
    const ModelBundle made = bundle();
    QVERIFY(same(difference(loaded->model->parameters().all()[0].value, made.model->parameters().all()[0].value, 5e-4),
                 "weights"));
  }
  void folder_with_a_slash_at_the_end_has_its_name() {
    const Saved saved;
    QCOMPARE(load_model(saved.path().string() + "/")->name, std::string("tiny"));
  }
  void model_of_shapes_only_says_what_the_real_one_needs() {
    for (const char* name : kArchitectures) {
      const auto model = tiny_model(name, false, {6, 5, 9, 8});
      const auto expected = make_model(model->config(), {InitialValues::Kind::none});
      QCOMPARE(expected->parameters().all().size(), model->parameters().all().size());
      for (std::size_t i = 0; i < model->parameters().all().size(); ++i) {
        const Parameter& plan = expected->parameters().all()[i];
        QCOMPARE(plan.name, model->parameters().all()[i].name);
        QCOMPARE(plan.value.shape(), model->parameters().all()[i].value.shape());
        QVERIFY(!plan.value.defined());
      }
    }
  }

  void missing_folder() {
    Folder folder;
    const Environment models("HEADLIGHT_MODELS", folder.path().string());
    QCOMPARE(message_of<FileError>([] { load_model("./no/such"); }),
             QString("there is no model folder ./no/such, and no model is bundled"));
  }
  void unknown_name_lists_the_bundled_models() {
    Folder folder;
    ModelBundle made = bundle();
    for (const auto& [name, order] : {std::pair("late", 2), std::pair("early", 1)}) {
      made.order = order;
      save_model(folder / name, made, "", StorageType::f16);
    }
    fs::create_directory(folder / "broken");
    put_file(folder / "broken" / "config.json", "{");
    fs::create_directory(folder / "no model");
    const Environment models("HEADLIGHT_MODELS", folder.path().string());
    QCOMPARE(bundled_models(), (std::vector<fs::path>{folder / "early", folder / "late", folder / "broken"}));
    QCOMPARE(load_model("late")->order, 2);
    QCOMPARE(message_of<FileError>([] { load_model("lat"); }),
             QString("there is no model folder lat; did you mean 'late'?"));
    QCOMPARE(message_of<FileError>([] { load_model("new"); }),
             QString("there is no model folder new; bundled models: early, late, broken"));
  }
  void file_instead_of_a_folder() {
    Folder folder;
    put_file(folder / "f", "");
    const std::string path = (folder / "f").string();
    QCOMPARE(message_of<FileError>([&] { load_model(path); }),
             QString::fromStdString("cannot open the model " + path +
                                    ": it is a file; expected a folder with "
                                    "config.json, model.safetensors and vocabulary.json"));
  }
  void missing_weights() {
    const Saved saved;
    fs::remove(saved / "model.safetensors");
    QCOMPARE(saved.refusal<FileError>(), QString("cannot read DIR/model.safetensors: there is no such file or folder"));
  }
  void whole_numbers_are_no_weights() {
    const Saved saved;
    std::string bytes = get_file(saved / "model.safetensors");
    for (std::size_t at = bytes.find("\"F32\""); at != std::string::npos; at = bytes.find("\"F32\"", at))
      bytes.replace(at, 5, "\"I32\"");
    put_file(saved / "model.safetensors", bytes);
    const QString message = saved.refusal();
    QVERIFY2(message.startsWith("DIR/model.safetensors: tensor \"") &&
                 message.endsWith("expected weights of type F16, BF16, F32 or F64, found I32"),
             qPrintable(message));
  }
  void config_that_disagrees_with_the_weights() {
    QCOMPARE(Saved().config_refusal([](Json& c) { c["model"]["hidden_size"] = 8; }),
             QString("DIR/model.safetensors: tensor \"encoder.lstm.Wx\": expected [3 x 32], as config.json says, found "
                     "[3 x 16]"));
  }
  void absurd_sizes_take_no_memory() {
    QCOMPARE(
        Saved().config_refusal([](Json& c) { c["model"]["hidden_size"] = 1'000'000'000; }),
        QString("DIR/config.json: model: \"hidden_size\" must be a whole number from 1 to 16384, found 1000000000"));
  }
  void sizes_within_bounds_but_beyond_memory() {
    QCOMPARE(Saved().config_refusal([](Json& c) {
      c["model"]["hidden_size"] = 16384;
      c["model"]["embedding_size"] = 16384;
    }),
             QString("DIR/model.safetensors: tensor \"encoder.embed.W\": expected [5 x 16384], as config.json says, "
                     "found [5 x 3]"));
  }
  void size_beyond_all_bounds() {
    QVERIFY(Saved()
                .config_refusal([](Json& c) { c["model"]["hidden_size"] = UINT64_MAX; })
                .startsWith("DIR/config.json: model: \"hidden_size\" must be a whole number from 1 to "));
  }
  void size_of_zero() {
    QVERIFY(Saved()
                .config_refusal([](Json& c) { c["model"]["hidden_size"] = 0; })
                .startsWith("DIR/config.json: model: \"hidden_size\" must be a whole number from 1 to "));
  }
  void missing_tensor() {
    const Saved saved;
    std::vector<NamedTensor> tensors = saved.weights();
    tensors.pop_back();
    saved.put_weights(tensors);
    QCOMPARE(saved.refusal(),
             QString("DIR/model.safetensors: tensor \"decoder.affine.b\": expected [4], but it is missing"));
  }
  void extra_tensor() {
    const Saved saved;
    std::vector<NamedTensor> tensors = saved.weights();
    tensors.push_back({"more", Tensor::zeros({2, 2})});
    saved.put_weights(tensors);
    QCOMPARE(saved.refusal(), QString("DIR/model.safetensors: tensor \"more\": the model that config.json describes "
                                      "has no such tensor, found [2 x 2]"));
  }
  void wrong_shape() {
    const Saved saved;
    std::vector<NamedTensor> tensors = saved.weights();
    tensors.back().value = Tensor::zeros({2, 2});
    saved.put_weights(tensors);
    QCOMPARE(saved.refusal(), QString("DIR/model.safetensors: tensor \"decoder.affine.b\": expected [4], as "
                                      "config.json says, found [2 x 2]"));
  }
  void truncated_weights() {
    const Saved saved;
    fs::resize_file(saved / "model.safetensors", fs::file_size(saved / "model.safetensors") - 7);
    QCOMPARE(saved.refusal(), QString("DIR/model.safetensors: the file is cut off (an interrupted download?); missing "
                                      "at the end: 7 bytes"));
  }
  void weights_that_are_a_pointer() {
    const Saved saved;
    put_file(saved / "model.safetensors", "version https://git-lfs.github.com/spec/v1\n");
    QCOMPARE(saved.refusal(), QString("DIR/model.safetensors: this is a Git LFS pointer, not the file itself; fetch it "
                                      "with 'git lfs pull'"));
  }
  void nan_weights_are_a_warning() {
    const Saved saved;
    std::vector<NamedTensor> tensors = saved.weights();
    const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN(), infinity = std::numeric_limits<Scalar>::infinity();
    tensors.back().value = Tensor::vector({nan, nan, 1, -infinity});
    tensors.front().value[0] = nan;
    saved.put_weights(tensors);
    const auto loaded = load_model(saved.path().string());
    QCOMPARE(loaded->warnings,
             (std::vector<std::string>{
                 "encoder.embed.W contains 1 NaN value; results that depend on it are shown as missing",
                 "decoder.affine.b contains 2 NaN and 1 infinite values; results that depend on them are shown as "
                 "missing"}));
  }

  void full_disk_keeps_the_saved_model() {
    const Saved saved;
    const std::string weights = get_file(saved / "model.safetensors"), config = get_file(saved / "config.json");
    ModelBundle made = bundle();
    made.title = "Another";
    QString message;
    {
      const FileSizeLimit limit(100);
      message = message_of<FileError>([&] { save_model(saved.path(), made, "", StorageType::f32); });
    }
    QCOMPARE(message, QString::fromStdString("cannot write " + (saved / "model.safetensors").string() +
                                             ": the file would be larger than this system allows"));
    QVERIFY(get_file(saved / "model.safetensors") == weights);
    QVERIFY(get_file(saved / "config.json") == config);
    QCOMPARE(load_model(saved.path().string())->title, std::string("A title"));
  }
  void saving_into_a_file() {
    Folder folder;
    put_file(folder / "f", "");
    QCOMPARE(message_of<FileError>([&] { save_model(folder / "f", bundle(), "", StorageType::f32); }),
             QString::fromStdString("cannot make the folder " + (folder / "f").string() +
                                    ": a part of the path is a file, not a folder"));
  }
};

HEADLIGHT_TEST(TestIoSavedModels)

}  // namespace headlight::test_io_saved_models

#include "test_io_saved_models.moc"
