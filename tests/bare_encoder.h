// The folder of a model that writes nothing: the encoder of tests/data/families/bert-mlm, without what stands on top.
#pragma once

#include <QFile>
#include <QTemporaryDir>
#include <filesystem>

namespace headlight::testing {

inline std::filesystem::path bare_encoder(const QTemporaryDir& in) {
  const std::filesystem::path from = std::filesystem::path(HEADLIGHT_TEST_DATA) / "families/bert-mlm",
                              to = in.filePath("bare").toStdString();
  std::filesystem::create_directory(to);
  std::filesystem::copy_file(from / "model.safetensors", to / "model.safetensors");
  QFile config(QString::fromStdString((from / "config.json").string())), bare(in.filePath("bare/config.json"));
  if (!config.open(QFile::ReadOnly) || !bare.open(QFile::WriteOnly)) qFatal("no config.json");
  bare.write(config.readAll().replace("BertForMaskedLM", "BertModel"));
  return to;
}

}  // namespace headlight::testing
