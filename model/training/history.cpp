#include "model/training/history.h"

#include <cmath>
#include <cstdio>

namespace headlight {

namespace {

// A number of an epoch: its name in the checkpoint, and its column in training.csv.
struct Column {
  const char* name;
  double EpochRecord::*value;
  const char* heading;
  const char* format;
  bool exponential;  // a perplexity
};

constexpr Column kColumns[] = {
    {"loss", &EpochRecord::loss, "loss", "%.6f", false},
    {"exact_match", &EpochRecord::exact_match, "exact_match", "%.6f", false},
    {"gradient_norm", &EpochRecord::gradient_norm, "gradient_norm", "%.6f", false},
    {"seconds", &EpochRecord::seconds, "seconds", "%.3f", false},
    {"examples_per_second", &EpochRecord::examples_per_second, "examples_per_second", "%.1f", false},
    {"learning_rate", &EpochRecord::learning_rate, "learning_rate", "%.9g", false},
    {"token_accuracy", &EpochRecord::token_accuracy, "token_accuracy", "%.6f", false},
    {"nll", &EpochRecord::nll, "ppl_tf", "%.6g", true},
    {"nll_free", &EpochRecord::nll_free, "ppl_free", "%.6g", true},
};

}  // namespace

std::string history_csv(const std::vector<EpochRecord>& history) {
  std::string text = "epoch";
  for (const Column& column : kColumns) text += std::string(",") + column.heading;
  text += "\n";
  for (const EpochRecord& r : history) {
    text += std::to_string(r.epoch);
    for (const Column& column : kColumns) {
      char number[64];
      const double value = r.*column.value;
      std::snprintf(number, sizeof number, column.format, column.exponential ? std::exp(value) : value);
      text += std::string(",") + number;
    }
    text += "\n";
  }
  return text;
}

Json history_json(const std::vector<EpochRecord>& history) {
  Json json = Json::array();
  for (const EpochRecord& r : history) {
    Json& line = json.emplace_back(Json{{"epoch", r.epoch}});
    for (const Column& column : kColumns) line[column.name] = r.*column.value;
  }
  return json;
}

std::vector<EpochRecord> read_history(const Json& json) {
  std::vector<EpochRecord> history;
  for (const Json& line : json.get_ref<const Json::array_t&>()) {
    EpochRecord& r = history.emplace_back();
    r.epoch = line.at("epoch");
    for (const Column& column : kColumns)  // infinity is null in JSON, and files of earlier versions have fewer columns
      if (line.contains(column.name) && !line[column.name].is_null()) r.*column.value = line[column.name];
  }
  return history;
}

int best_epoch(const std::vector<EpochRecord>& history) {
  int best = -1;
  for (std::size_t i = 0; i < history.size(); ++i)
    if (best < 0 || history[i].nll < history[static_cast<std::size_t>(best)].nll) best = static_cast<int>(i);
  return best;
}

bool out_of_patience(const std::vector<EpochRecord>& history, Index patience) {
  return patience > 0 && static_cast<Index>(history.size()) - 1 - best_epoch(history) >= patience;
}

}  // namespace headlight
