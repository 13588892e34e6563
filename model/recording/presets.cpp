#include "model/recording/presets.h"

#include <algorithm>
#include <initializer_list>

#include "model/core/errors.h"
#include "model/text/nearest.h"

namespace headlight {

namespace {

TrainingSettings preset_settings(const char* task, const char* architecture, int epochs,
                                 std::initializer_list<const char*> more) {
  TrainingSettings settings;
  settings.task = task;
  settings.architecture = architecture;
  settings.epochs = epochs;
  for (const char* setting : more) settings.set(setting);
  return settings;
}

// What a class may write: 540 of the 6,912 sentences, a ninth of which are held out.
TrainingSettings class_settings(const char* architecture, int epochs) {
  return preset_settings("class", architecture, epochs,
                         {"hidden_size=32", "embedding_size=32", "train_size=480", "test_size=60", "batch=16",
                          "optimiser=adam", "learning_rate=0.005"});
}

TrainingSettings copy_settings(int epochs, std::initializer_list<const char*> more) {
  TrainingSettings settings =
      preset_settings("copy", "transformer", epochs,
                      {"optimiser=adam", "beta2=0.98", "schedule=noam", "warmup=100", "clip=1", "batch=64", "dropout=0",
                       "tie=all", "train_size=3200", "test_size=200", "model_size=32", "heads=2", "ff_size=64"});
  for (const char* setting : more) settings.set(setting);
  return settings;
}

Probe class_probe() {
  Probe probe{"yesterday anna saw the old house", "gestern hat anna das alte haus gesehen"};
  probe.alignment = {{0, 0}, {2, 1}, {1, 2}, {3, 3}, {4, 4}, {5, 5}, {2, 6}};
  return probe;
}

Probe copy_probe() {
  Probe probe{"31415926", "31415926"};
  for (Index place = 0; place < 8; ++place) probe.alignment.push_back({place, place});
  return probe;
}

Probe date_probe() { return {"november 21, 2016", "2016-11-21"}; }

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> rows = {
      {"class-dot", "Attention, dot score",
       "480 sentences of a class into German: each word is looked up where it stands, also the verb that moves.", 2,
       "class-dot-1", [] { return class_settings("attn_seq2seq", 30); }, class_probe},
      {"class-bahdanau", "Attention, additive score",
       "The same sentences with the attention of Bahdanau et al.: as right in the end, but where does it look?", 3,
       "class-bahdanau-1", [] { return class_settings("bahdanau", 40); }, class_probe},
      {"class-none", "No attention",
       "The same sentences through a single vector: much more reading, and less that is right.", 2, "class-none-1",
       [] { return class_settings("seq2seq", 60); }, class_probe},
      {"date-small", "Dates, attention", "Dates in many forms into one: letters look for their month and their day.",
       7, "date-attention-1",
       [] {
         return preset_settings("date", "attn_seq2seq", 16,
                                {"hidden_size=64", "train_size=4000", "test_size=200", "batch=32", "optimiser=adam",
                                 "learning_rate=0.004"});
       },
       date_probe},
      {"copy-positions", "Copying, with positions",
       "A small Transformer copies digits: it finds the diagonal, because it knows where each digit stands.", 5,
       "copy-positions-1", [] { return copy_settings(12, {}); }, copy_probe},
      {"copy-nowhere", "Copying, no positions",
       "The same without positions: the right digits, in any order, however long it trains.", 4, "copy-nowhere-1",
       [] { return copy_settings(12, {"positions=none"}); }, copy_probe},
      {"head-scaled", "One head, scaled", "Copying with one head whose scores are divided by the root of its width.", 3,
       "head-scaled-1", [] { return copy_settings(12, {"heads=1"}); }, copy_probe},
      {"head-unscaled", "One head, not scaled", "The same without the division: shares are all or nothing at once.", 4,
       "head-unscaled-1",
       [] {
         return copy_settings(12, {"heads=1", "scale_scores=false"});
       },
       copy_probe},
  };
  return rows;
}

const Preset& find_preset(const std::string& name) {
  std::vector<std::string> known;
  for (const Preset& row : presets()) {
    if (name == row.name) return row;
    known.emplace_back(row.name);
  }
  throw UsageError("there is no preset '" + name + "'" + did_you_mean_or("known: ", name, known));
}

}  // namespace headlight
