// A small model that is saved, and whose files a test damages.
#pragma once

#include "model/core/json_library.h"
#include "model/io/model_folder.h"
#include "model/io/safetensors.h"
#include "tests/model/io_helpers.h"

namespace headlight::testing {

// A model with 5 source tokens, 4 target tokens, D = 3, H = 4.
inline ModelBundle bundle(const char* architecture = "attn_seq2seq") {
  ModelBundle made;
  made.model = tiny_model(architecture, true, {3, 4, 5, 4});
  made.text.source = Tokenizer(Vocabulary({" ", "a", "b", "c", "字"}));
  made.text.target = Tokenizer(Vocabulary({"_", "x", "y", "$"}));
  made.title = "A title";
  made.description = "What it does.";
  made.task = "date";
  made.order = 3;
  made.examples = {"ab", "字"};
  made.text.source_width = 4;
  made.text.target_length = 2;
  made.text.bos = 0;
  made.text.eos = 3;
  return made;
}

// A saved model whose files a test damages.
class Saved {
 public:
  explicit Saved(StorageType type = StorageType::f32) { save_model(path(), bundle(), "# Card\n", type); }
  fs::path path() const { return folder_ / "tiny"; }
  fs::path operator/(const char* name) const { return path() / name; }
  template <typename Change>
  void change_config(Change change) const {
    Json config = Json::parse(get_file(path() / "config.json"));
    change(config);
    put_file(path() / "config.json", config.dump());
  }
  std::vector<NamedTensor> weights() const {
    std::vector<NamedTensor> tensors;
    const ModelBundle made = bundle();
    for (const Parameter& p : made.model->parameters().all()) tensors.push_back({p.name, p.value.clone()});
    return tensors;
  }
  void put_weights(const std::vector<NamedTensor>& tensors) const {
    write_safetensors(path() / "model.safetensors", tensors, {}, StorageType::f32);
  }

  // The message of the error that loading gives, with the folder shown as DIR.
  template <typename E = FormatError>
  QString refusal() const {
    QString message = message_of<E>([&] { load_model(path().string()); });
    return message.replace(QString::fromStdString(path().string()), "DIR");
  }
  template <typename Change>
  QString config_refusal(Change change) const {
    change_config(change);
    return refusal();
  }

 private:
  Folder folder_;
};

}  // namespace headlight::testing
