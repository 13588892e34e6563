// What can be trained on besides generated tasks; whoever has it (the page of our sentences, that of a text) offers it
// to the panel.
#pragma once

#include <QString>
#include <filesystem>
#include <functional>
#include <string>

#include "model/training/training_settings.h"

namespace headlight {

struct LabData {
  enum class Kind { sentences, text };
  Kind kind = Kind::sentences;
  QString title = {}, line = {};  // "480 pairs, 60 more kept back"; empty line: there is none yet
  // What is kept beside a training, so that it goes on after a kill: lines of "source TAB target", or the text. Empty:
  // the data are files already.
  std::string text = {};
  // Task and files. `file`: where the panel has written `text`; empty: nowhere, it is read as it is. Null: there are no
  // data yet, and choosing them asks for some.
  std::function<void(TrainingSettings& settings, const std::filesystem::path& file)> put = {};
};

}  // namespace headlight
