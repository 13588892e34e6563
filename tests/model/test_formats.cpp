// The table of formats: which row takes a path, and what it says about it.

#include "model/io/formats/format.h"
#include "model/io/json_file.h"
#include "model/io/model_folder.h"
#include "tests/model/io_helpers.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_formats {

using namespace headlight::testing;

namespace {

ModelBundle bundle() {
  ModelBundle made;
  made.model = tiny_model("attn_seq2seq", true, {3, 4, 5, 4});
  made.text.source = Tokenizer(Vocabulary({" ", "a", "b", "c", "d"}));
  made.text.target = Tokenizer(Vocabulary({"_", "x", "y", "$"}));
  made.title = "A title";
  made.description = "What it does.";
  made.order = 3;
  made.text.source_width = 4;
  made.text.target_length = 2;
  made.text.bos = 0;
  return made;
}

NamedTensor one(const std::string& name, Scalar value) { return {name, Tensor::full({2, 2}, value)}; }

// A folder as save_pretrained writes it, with two shards that are links, as in the cache of a hub.
void put_sharded(const fs::path& folder) {
  fs::create_directories(folder / "blobs");
  write_safetensors(folder / "blobs" / "1", {one("a", 1), one("b", 2)}, {}, StorageType::f16);
  write_safetensors(folder / "blobs" / "2", {one("c", 3)}, {}, StorageType::f16);
  fs::create_symlink("blobs/1", folder / "model-00001-of-00002.safetensors");
  fs::create_symlink("blobs/2", folder / "model-00002-of-00002.safetensors");
  put_file(folder / "config.json", R"({"model_type": "wonder"})");
  put_file(folder / "model.safetensors.index.json",
           R"({"metadata": {"total_size": 24}, "weight_map": {"a": "model-00001-of-00002.safetensors",
               "b": "model-00001-of-00002.safetensors", "c": "model-00002-of-00002.safetensors"}})");
}

Contents contents_of(const fs::path& path) { return format_of(path)->contents(path); }

// What contents_of() says, without the path in front; of what can be looked at, what is wrong with it.
QString refusal(const fs::path& path) {
  std::string found;
  QString said = message_of<Error>([&] {
    const Contents contents = contents_of(path);
    found = contents.notes.empty() ? contents.reason : contents.notes.front();
  });
  return (said == "no exception" ? QString::fromStdString(found) : said)
      .replace(QString::fromStdString(path.string()), "DIR");
}

}  // namespace

class TestFormats : public QObject {
  Q_OBJECT

 private slots:
  void rows_are_complete_and_distinct() {
    std::set<std::string> ids;
    for (const Format& format : formats()) {
      QVERIFY(ids.insert(format.id).second);
      QVERIFY(format.recognise && format.open && format.describe && format.card && format.files);
      // An adapter over a base is two places in one name, no file that a dialog could show.
      const bool has_files = !format.is_folder && std::string(format.id) != "adapted";
      QCOMPARE(has_files, !std::string(format.patterns).empty());
      QVERIFY(*format.title && *format.expects);
    }
  }

  void a_saved_folder_is_ours() {
    Folder folder;
    save_model(folder / "tiny", bundle(), "# Card\n", StorageType::f32);
    const Format* format = format_of(folder / "tiny");
    QVERIFY(format);
    QCOMPARE(format->id, "headlight");
    const ModelCard card = format->card(folder / "tiny");
    QCOMPARE(card.title, std::string("A title"));
    QCOMPARE(card.description, std::string("What it does."));
    QCOMPARE(card.order, 3);
    QCOMPARE(format->files(folder / "tiny").size(), 3u);
    for (const fs::path& file : format->files(folder / "tiny")) QVERIFY(fs::is_regular_file(file));
  }
  void what_a_drop_opens() {
    Folder folder;
    save_model(folder / "tiny", bundle(), "# Card\n", StorageType::f32);
    QCOMPARE(opened_by(folder / "tiny"), std::optional(folder / "tiny"));
    QCOMPARE(opened_by(folder / "tiny" / "README.md"), std::optional(folder / "tiny"));
    QVERIFY(!opened_by(folder.path()));
    QVERIFY(!opened_by(folder / "missing"));
    put_file(folder / "notes.txt", "a text");
    QVERIFY(!opened_by(folder / "notes.txt"));
    // Weights beside it, without a configuration, do not make a file part of a model.
    write_safetensors(folder / "model.safetensors", {one("a", 1)}, {}, StorageType::f16);
    QVERIFY(!opened_by(folder / "notes.txt"));
    QCOMPARE(opened_by(folder / "model.safetensors"), std::optional(folder / "model.safetensors"));
    QCOMPARE(opened_by(folder.path()), std::optional(folder.path()));
  }
  void files_are_known_by_what_they_hold_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("id");
    const auto row = [](const char* file, const QByteArray& content, const char* id) {
      QTest::newRow(file) << QString(file) << content << QString(id);
    };
    row("w.safetensors", "x", "safetensors");
    row("w", QByteArray("\x08\0\0\0\0\0\0\0{}      ", 16), "safetensors");
    row("w.pkl", "x", "pickle");
    row("w.dat", "\x80\x04N.", "pickle");
    row("a", "\x93NUMPY", "npy");
    row("w.pt", "x", "pytorch");
    row("w.bin", "PK\x03\x04", "pytorch");
    row("w.npz", "PK\x03\x04", "npz");
    row("old.pt", "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19\x2e", "other");
    row("w.gguf", "", "gguf");
    row("g", "GGUF", "gguf");
    row("w.onnx", "x", "other");
    row("w.h5", "\x89HDF\r\n\x1a\n", "other");
    row("flax_model.msgpack", "x", "other");
    row("tar.pt", QByteArray(257, '\0') + "ustar", "other");
    row("notes.txt", "a text", "");
    row("x.zip.txt", "", "");
  }
  void files_are_known_by_what_they_hold() {
    QFETCH(QString, file);
    QFETCH(QByteArray, content);
    QFETCH(QString, id);
    Folder folder;
    put_file(folder / file.toStdString(), content.toStdString());
    const Format* format = format_of(folder / file.toStdString());
    QCOMPARE(QString(format ? format->id : ""), id);
  }
  void what_is_not_read_is_refused_by_name_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* file, const QByteArray& content, const char* said) {
      QTest::newRow(file) << QString(file) << content << QString(said);
    };
    row("w.gguf", "GGUF", "DIR: it ends at byte 4 within the header");
    row("w.onnx", "x", "DIR: this is an ONNX graph, which is not read; open the model that it was exported from");
    row("w.h5", "x", "DIR: this is an HDF5 file (Keras, TensorFlow), which is not read; save the model as safetensors");
    row("w.msgpack", "x", "DIR: this is a msgpack file (Flax), which is not read; save the model as safetensors");
    row("w.tar", "x",
        "DIR: this is a tar archive, the format of PyTorch before version 0.1.10, which is not read; load it and save "
        "it again with torch.save");
    row("w.pt", "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19\x2e",
        "DIR: this is a PyTorch file in the format before version 1.6, which is not read; load it and save it again "
        "with torch.save");
    for (const char* name : {"w.pt", "pytorch_model.bin", "w.npz", "w.npy", "w.pkl", "w.gguf"})
      QTest::newRow(qPrintable(QString("a pointer: ") + name))
          << QString(name) << QByteArray("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n")
          << QString("DIR: this is a Git LFS pointer, not the file itself; fetch it with 'git lfs pull'");
    QTest::newRow("a web page") << QString("w.bin") << QByteArray("<!DOCTYPE html>\n<html>")
                                << QString(
                                       "DIR: this is a web page (HTML), not the file itself; the download went wrong");
    QTest::newRow("packed") << QString("w.pt") << QByteArray("\x1f\x8b\x08")
                            << QString("DIR: this file is compressed (gzip); unpack it first");
    QTest::newRow("nothing") << QString("w.npz") << QByteArray() << QString("DIR: this file is empty; fetch it again");
    row("w.safetensors", "version https://git-lfs.github.com/spec/v1",
        "DIR: this is a Git LFS pointer, not the file itself; fetch it with 'git lfs pull'");
  }
  void what_is_not_read_is_refused_by_name() {
    QFETCH(QString, file);
    QFETCH(QByteArray, content);
    QFETCH(QString, said);
    Folder folder;
    put_file(folder / file.toStdString(), content.toStdString());
    QCOMPARE(refusal(folder / file.toStdString()), said);
  }

  void shards_are_one_table() {
    Folder folder;
    put_sharded(folder / "m");
    const Contents contents = contents_of(folder / "m");
    QCOMPARE(contents.model_type, std::string("wonder"));
    QVERIFY(!contents.runs);
    QCOMPARE(contents.reason, std::string("config.json: models of model_type \"wonder\" do not run here"));
    QCOMPARE(contents.tensors->tensors().size(), 3u);
    QCOMPARE(contents.tensors->tensors()[2].name, std::string("c"));
    QCOMPARE(contents.tensors->tensors()[2].dtype, std::string("F16"));
    QVERIFY(contents.tensors->bytes(2) == std::string("\0\x42\0\x42\0\x42\0\x42", 8));  // 3 as float16
    QCOMPARE(format_of(folder / "m")->files(folder / "m").size(), 4u);
    QCOMPARE(message_of<FormatError>([&] { open_path(folder / "m"); }),
             QString::fromStdString((folder / "m").string() +
                                    ": config.json: models of model_type \"wonder\" do not run here; 'headlight "
                                    "inspect' lists its tensors"));
  }
  void an_index_and_its_shards_have_to_agree_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("said");
    QTest::newRow("missing tensor") << "\"metadata\""
                                    << "\"metadata\": {}, \"other\""
                                    << "";
    QTest::newRow("more than there is")
        << "\"c\": \"model"
        << "\"d\": \"model-00002-of-00002.safetensors\", \"c\": \"model"
        << "model.safetensors.index.json: the tensor \"d\" is not in model-00002-of-00002.safetensors";
    QTest::newRow("less") << ", \"c\": \"model-00002-of-00002.safetensors\""
                          << ", \"d\": \"model-00002-of-00002.safetensors\""
                          << "model.safetensors.index.json: the tensor \"c\" of model-00002-of-00002.safetensors is "
                             "not listed there";
    QTest::newRow("missing shard")
        << "model-00002-of-00002"
        << "model-00003-of-00003"
        << "model.safetensors.index.json: the shard model-00003-of-00003.safetensors is missing";
    QTest::newRow("a way out") << "model-00002-of-00002.safetensors"
                               << "../blobs/2"
                               << "DIR/model.safetensors.index.json: weight_map.c: expected the name of a file in this "
                                  "folder, found \"../blobs/2\"";
    QTest::newRow("no map") << "weight_map"
                            << "weights"
                            << "DIR/model.safetensors.index.json: weight_map: missing";
  }
  void an_index_and_its_shards_have_to_agree() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, said);
    Folder folder;
    put_sharded(folder / "m");
    QString index = QString::fromStdString(get_file(folder / "m" / "model.safetensors.index.json")).simplified();
    QVERIFY(index.contains(from));
    put_file(folder / "m" / "model.safetensors.index.json", index.replace(from, to).toStdString());
    if (said.isEmpty())
      QCOMPARE(contents_of(folder / "m").tensors->tensors().size(), 3u);
    else
      QCOMPARE(refusal(folder / "m"), said);
  }
  void a_cache_entry_is_its_main_snapshot() {
    Folder folder;
    const fs::path entry = folder / "models--org--name";
    put_sharded(entry / "snapshots" / "abc");
    fs::create_directories(entry / "snapshots" / "def");
    QCOMPARE(refusal(entry), QString("DIR: there is no refs/main, and 2 snapshots to choose from; open one of them"));
    fs::create_directories(entry / "refs");
    put_file(entry / "refs" / "main", "abc\n");
    QCOMPARE(contents_of(entry).tensors->tensors().size(), 3u);
    put_file(entry / "refs" / "main", "../../x");
    QCOMPARE(refusal(entry), QString("DIR/refs/main: expected the name of a snapshot, found none"));
    put_file(entry / "refs" / "main", "ghi");
    QCOMPARE(refusal(entry), QString("DIR/refs/main: the snapshot ghi is not in the cache"));
  }
  void why_a_folder_does_not_run_data() {
    QTest::addColumn<QString>("config");
    QTest::addColumn<QString>("reason");
    QTest::newRow("quantised") << R"({"model_type": "llama", "quantization_config": {"quant_method": "gptq"}})"
                               << "config.json: model_type \"llama\" with quantization_config (\"gptq\"): quantised "
                                  "weights are not computed with";
    QTest::newRow("several media") << R"({"model_type": "llava", "text_config": {"model_type": "llama"}})"
                                   << "config.json: model_type \"llava\" has a text_config beside other parts: models "
                                      "of several media do not run";
    QTest::newRow("unknown") << R"({"model_type": "wonder", "quantization_config": null})"
                             << "config.json: models of model_type \"wonder\" do not run here";
    QTest::newRow("nothing") << "{}"
                             << "config.json: model_type is missing";
  }
  void why_a_folder_does_not_run() {
    QFETCH(QString, config);
    QFETCH(QString, reason);
    Folder folder;
    write_safetensors(folder / "model.safetensors", {one("a", 1)}, {}, StorageType::f32);
    put_file(folder / "config.json", config.toStdString());
    const Contents contents = contents_of(folder.path());
    QCOMPARE(QString::fromStdString(contents.reason), reason);
    QCOMPARE(contents.tensors->tensors().size(), 1u);
  }
  // Without a configuration nothing runs, and without an index the numbers in the names say what belongs together.
  void weights_alone_are_listed() {
    Folder folder;
    fs::create_directories(folder / "whole");
    write_safetensors(folder / "whole" / "model.safetensors", {one("a", 1)}, {}, StorageType::f16);
    const std::string why = "there is no config.json in this folder: nothing says which model the weights are of";
    QCOMPARE(contents_of(folder / "whole").reason, why);
    QCOMPARE(contents_of(folder / "whole").tensors->tensors().size(), 1u);
    QVERIFY(!contents_of(folder / "whole").runs);
    QVERIFY(message_of<Error>([&] { open_path(folder / "whole"); }).contains(QString::fromStdString(why)));
    fs::create_directories(folder / "shards");
    for (const char* name : {"1", "2"})
      write_safetensors(folder / "shards" / (std::string("model-0000") + name + "-of-00002.safetensors"),
                        {one(name, 1)}, {}, StorageType::f16);
    QCOMPARE(contents_of(folder / "shards").tensors->tensors().size(), 2u);
    QCOMPARE(format_of(folder / "shards")->files(folder / "shards").size(), 2u);
    fs::remove(folder / "shards" / "model-00002-of-00002.safetensors");
    QCOMPARE(refusal(folder / "shards"),
             QString("model-00001-of-00002.safetensors: the shard model-00002-of-00002.safetensors is missing"));
    QCOMPARE(contents_of(folder / "shards").tensors->tensors().size(), 1u);
    // Whichever it is that is missing.
    fs::rename(folder / "shards" / "model-00001-of-00002.safetensors",
               folder / "shards" / "model-00002-of-00002.safetensors");
    QCOMPARE(refusal(folder / "shards"),
             QString("model-00002-of-00002.safetensors: the shard model-00001-of-00002.safetensors is missing"));
  }

  void adapters_and_other_weights_are_named() {
    Folder folder;
    put_file(folder / "adapter_config.json", R"({"base_model_name_or_path": "org/base"})");
    QCOMPARE(refusal(folder.path()),
             QString("DIR: there are no weights: expected adapter_model.safetensors or adapter_model.bin"));
    write_safetensors(folder / "adapter_model.safetensors", {one("a", 1)}, {}, StorageType::f32);
    QCOMPARE(
        contents_of(folder.path()).reason,
        std::string("adapter_config.json: this is an adapter of org/base, not a whole model: open the model that it "
                    "lies over, with --adapter and this folder"));
    Folder old;
    put_file(old / "config.json", R"({"model_type": "gpt2"})");
    put_file(old / "pytorch_model.bin", "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19\x2e");
    QVERIFY(refusal(old.path())
                .startsWith("DIR/pytorch_model.bin: this is a PyTorch file in the format before version 1.6"));
    Folder other;
    put_file(other / "config.json", R"({"model_type": "llama"})");
    put_file(other / "tf_model.h5", "x");
    QCOMPARE(refusal(other.path()), QString("DIR/tf_model.h5: HDF5 files are not read; expected model.safetensors or "
                                            "pytorch_model.bin in this folder"));
  }
  void every_family_of_the_material_is_listed() {
    SKIP_WITHOUT_MATERIAL();
    int folders = 0;
    for (const auto& entry : fs::directory_iterator(made_elsewhere() / "families")) {
      const Format* format = format_of(entry.path());
      QVERIFY(format && std::string(format->id) == "pretrained");
      const Contents contents = format->contents(entry.path());
      QVERIFY(contents.tensors->tensors().size() > 10);
      QVERIFY(!contents.model_type.empty());
      ++folders;
    }
    QVERIFY(folders >= 40);
  }

  void opening_tells_its_progress() {
    Folder folder;
    save_model(folder / "tiny", bundle(), "", StorageType::f32);
    std::vector<double> shares;
    Opening opening;
    opening.progress = [&](double share) { shares.push_back(share); };
    open_path(folder / "tiny", opening);
    QVERIFY(shares.size() > 2);
    QVERIFY(std::is_sorted(shares.begin(), shares.end()));
    QVERIFY(shares.front() >= 0 && shares.back() > shares.front() && shares.back() <= 1);
  }
  void opening_can_be_cancelled() {
    Folder folder;
    save_model(folder / "tiny", bundle(), "", StorageType::f32);
    Opening opening;
    opening.cancel = CancelToken::make();
    int reports = 0;
    opening.progress = [&](double) {
      if (++reports == 2) opening.cancel.cancel();
    };
    QVERIFY_THROWS_EXCEPTION(Cancelled, open_path(folder / "tiny", opening));
    QCOMPARE(reports, 2);
  }
};

HEADLIGHT_TEST(TestFormats)

}  // namespace headlight::test_formats

#include "test_formats.moc"
