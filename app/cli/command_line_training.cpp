// Commands that train, tell of a training, and measure by training.

#include <algorithm>
#include <string>

#include "app/cli/command_line_parts.h"
#include "model/experiments/experiment.h"
#include "model/models/registry.h"
#include "model/recording/presets.h"
#include "model/training/training_settings.h"

namespace headlight {

namespace {

// "  patience   epochs without progress before stopping; 0: never (0)": each key of --set with its default.
std::string settings_help() {
  std::string text;
  for (const TrainingKey& key : training_keys()) {
    TrainingSettings defaults;
    std::string of;
    for (const std::string& task : key.tasks) of += (of.empty() ? ", of the task " : " and ") + task;
    if (!key.tasks.empty()) defaults.task = key.tasks.front();
    const Json values = defaults.to_json();
    std::string name = key.name;
    name.resize(std::max<std::size_t>(name.size() + 2, 24), ' ');
    const Json& value = values.at(key.name);
    text += "  " + name + key.meaning + of + (value.is_null() ? "" : " (" + value.dump() + ")") + "\n";
    for (const std::string& word : key.words) text += (word == key.words.front() ? std::string(26, ' ') : ", ") + word;
    if (!key.words.empty()) text += "\n";
  }
  return text;
}

// "  scaling   Why scores are divided by the root of d_k": each experiment.
std::string experiments_help() {
  std::string text;
  for (const Experiment& row : experiments()) {
    std::string name = row.name;
    name.resize(std::max<std::size_t>(name.size() + 2, 18), ' ');
    text += "  " + name + row.question + "\n";
  }
  return text;
}

}  // namespace

void declare_train(CLI::App& app, TrainCommand& c) {
  auto* sub = subcommand(app, "train", "Train a model on a task and write a model folder",
                         "  headlight train date --architecture attn_seq2seq --out my-dates\n"
                         "  headlight train addition --architecture seq2seq_peeky --epochs 25 --seed 7 --out sums\n"
                         "  headlight train date --architecture attn_seq2seq --set hidden_size=128 --out small\n"
                         "  headlight train copy --architecture attn_seq2seq --set optimiser=adam \\\n"
                         "      --set schedule=noam --set warmup=400 --set patience=3 --out copies\n"
                         "  headlight train pairs --files data.tsv --architecture attn_seq2seq --out my-words\n"
                         "  headlight train text --files book.txt --architecture recurrent_lm --out my-book\n"
                         "  headlight train date --architecture attn_seq2seq --out my-dates --resume\n"
                         "  headlight train --preset class-dot --seed 2 --out sentences --record sentences.training");
  sub->footer(sub->get_footer() + "\n\nSettings of the training, with their defaults:\n" + settings_help() +
              "Settings of the model are those in the \"model\" part of a config.json: hidden_size, ...");
  std::string tasks, names;
  for (const Task& task : headlight::tasks()) tasks += task.name + ", ";
  for (const Architecture& row : architectures()) names += (names.empty() ? "" : ", ") + std::string(row.name);
  name_option(sub, "TASK", c.task,
              "what to learn: " + tasks + "pairs (sentences of your own) or text (any text of your own)");
  name_option(sub, "-a,--architecture", c.architecture, names);
  path_option(sub, "-o,--out", PathKind::folder, c.out, "folder to write")->required();
  paths_option(
      sub, "--files", PathKind::file, c.files, kMostTexts,
      "of pairs: one file with \"source TAB target\" lines, or two files whose lines belong together; of text: "
      "files of running text");
  sub->add_flag("--skip-bad-lines", c.skip_bad_lines,
                "leave out lines of the files that cannot be read, and count them");
  number_option(sub, "--epochs", c.epochs, 1, kManyEpochs, "passes over the training data");
  seed_option(sub, c.seed, "the same seed gives the same model on the same machine");
  repeated_option(sub, "--set", c.settings, "KEY=VALUE: a setting of the training (see below) or of the model");
  text_option(sub, "--title", c.title, "how the model is called in the window");
  text_option(sub, "--licence", c.licence, "of the model, for its card");
  text_option(sub, "--data-note", c.data_note, "where the data come from, for the model's card");
  sub->add_flag("--resume", c.resume, "go on after the last finished epoch of the folder");
  sub->add_flag("--half", c.half, "store the weights as float16: half the size, the same outputs in practice");
  sub->add_flag("-q,--quiet", c.quiet, "no progress bar");
  std::string presets;
  for (const Preset& row : headlight::presets()) presets += (presets.empty() ? "" : ", ") + std::string(row.name);
  name_option(sub, "--preset", c.preset,
              "in place of TASK and --architecture, a training that learns soon: " + presets);
  repeated_option(sub, "--probe", c.probes, "a text that it is asked while it trains, and never trained on");
  path_option(sub, "--record", PathKind::file, c.record, "keep what the training was like in this file (.training)");
  word_option(sub, "--record-weights", c.record_weights, {"all", "last", "none"},
              "whose weights --record keeps: of all moments, to ask other texts later; of the last one, or none");
}

void declare_recording(CLI::App& app, RecordingCommand& c) {
  auto* sub = subcommand(app, "recording", "Tell what a training was like, from its recording",
                         "  headlight recording sentences.training\n"
                         "  headlight recording sentences.training --marks\n"
                         "  headlight recording sentences.training --csv > moments.csv");
  path_option(sub, "RECORDING", PathKind::model, c.recording, "file of a recording, or the name of a bundled one")
      ->required();
  sub->add_flag("--json", c.json, "print one JSON object: all but attention and weights");
  sub->add_flag("--csv", c.csv, "print a line for each moment");
  sub->add_flag("--marks", c.marks, "print from where on each word of a probe's output stays as it ends");
}

void declare_experiment(CLI::App& app, ExperimentCommand& c) {
  auto* sub = subcommand(app, "experiment", "Measure something about attention: tables and pictures",
                         "  headlight experiment scaling --out scaling\n"
                         "  headlight experiment complexity --limit 512 --out costs\n"
                         "  headlight experiment ablation my-model --limit 200\n"
                         "  headlight experiment lengths --epochs 4 --set positions=sinusoid --out lengths");
  sub->footer(sub->get_footer() + "\n\nExperiments:\n" + experiments_help());
  std::vector<std::string> names;
  for (const Experiment& row : experiments()) names.emplace_back(row.name);
  word_option(sub, "NAME", c.name, names, "which one, see below")->required();
  path_option(sub, "MODEL", PathKind::model, c.model, "of experiments on a trained model: " + std::string(kModelHelp));
  path_option(sub, "-o,--out", PathKind::folder, c.out,
              "folder for the tables (.csv) and pictures; without it, tables on standard output");
  seed_option(sub, c.seed, "of everything that is drawn or trained");
  number_option(sub, "--seeds", c.seeds, 1, 1000, "runs with different draws");
  number_option(sub, "--trials", c.trials, 1, 1'000'000, "draws of each run, or repeats of a measurement");
  number_option(sub, "--epochs", c.epochs, 1, kManyEpochs, "of experiments that train");
  number_option(sub, "--limit", c.limit, 1, kManyExamples, "examples to measure on, or the largest size");
  texts_option(sub, c.texts);
  repeated_option(sub, "--set", c.settings, "KEY=VALUE: of experiments that train, as in 'headlight train'");
  word_option(sub, "--format", c.format, {"svg", "png", "pdf"}, "of the pictures");
  theme_option(sub, c.theme);
  size_option(sub, c.width, c.height, "of the pictures, in pixels");
  sub->add_flag("-q,--quiet", c.quiet, "say nothing while it runs");
}

}  // namespace headlight
