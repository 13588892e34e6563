// A small model with random weights, as a bundle and as a folder on the disk.
#pragma once

#include <QTemporaryDir>
#include <memory>

#include "model/io/model_folder.h"
#include "model/models/registry.h"
#include "model/training/tasks/task.h"

namespace headlight {

inline std::shared_ptr<const ModelBundle> small_model(const char* architecture = "attn_seq2seq",
                                                      std::uint64_t seed = 7) {
  const Task& task = find_task("date");
  auto bundle = std::make_shared<ModelBundle>();
  bundle->name = architecture;
  bundle->title = std::string("Small ") + architecture;
  bundle->description = "Random weights, for tests.";
  bundle->task = "date";
  bundle->text = task.text;
  bundle->examples = task.examples;
  Json config;
  config["model_type"] = architecture;
  config["source_vocabulary_size"] = static_cast<int>(task.text.source.vocabulary().size());
  config["target_vocabulary_size"] = static_cast<int>(task.text.source.vocabulary().size());
  config["hidden_size"] = 16;
  bundle->model = make_model(config, seed);
  return bundle;
}

// Saved under DIR/NAME.
inline QString small_model_folder(const QTemporaryDir& dir, const char* architecture = "attn_seq2seq") {
  const QString folder = dir.filePath(QString::fromUtf8(architecture));
  save_model(folder.toStdString(), *small_model(architecture), "", StorageType::f32);
  return folder;
}

}  // namespace headlight
