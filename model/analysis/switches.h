// What can be changed of a trained model's mechanism without training it again: its score, its reach, its masks.
#pragma once

#include <string>
#include <vector>

#include "model/core/json_library.h"
#include "model/models/bundle.h"

namespace headlight {

inline constexpr const char* kStrengthSwitch = "adapter_strength";

struct SwitchChoice {
  Json value;
  const char* name;     // "cosine"
  const char* help;     // one plain sentence
  std::string refused;  // why this model cannot take it; empty: it can
};

// A setting of a model's configuration that may be changed while it runs. Names and helps are English, for the window
// to translate.
struct Switch {
  enum class Kind { choice, whole, number, flag };
  const char* key;  // "attention.score"
  Kind kind;
  const char* name;                        // "Score"
  const char* help;                        // what it does, in a plain sentence or two
  std::vector<SwitchChoice> choices = {};  // of a choice
  double low = 0, high = 1;                // of numbers
  bool logarithmic = false;                // equal steps are equal factors
  const char* zero = nullptr;              // what 0 stands for, where it is not a number like others: "everything"
  bool matters = true;                     // false: with the other settings as they are, it changes nothing
};

// The switches of a model under its present configuration, in the order of an attention read. Empty for a model whose
// mechanism has none.
std::vector<Switch> switches_of(const ModelBundle& bundle);

// Whether there are any; cheap, for every keystroke.
bool has_switches(const ModelBundle& bundle);

// Why the model cannot take this value of a setting beside its present ones; empty: it can.
std::string refusal(const ModelBundle& bundle, const std::string& key, const Json& value);

// The settings that differ from training, with their present values; an object, empty without a difference.
Json changed_settings(const ModelBundle& bundle);

}  // namespace headlight
