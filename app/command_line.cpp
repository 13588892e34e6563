// Declares every option once, with its help and worked examples.

#include "app/command_line.h"

#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/version.h"
#include "app/view_table.h"
#include "model/experiments/experiment.h"
#include "model/text/utf8.h"
#include "model/training/training_settings.h"

namespace headlight {

namespace {

constexpr const char* kModelHelp = "folder of a model, or the name of a bundled one (date-attention, date-peeky, ...)";

struct Commands {
  WindowCommand window;
  RunCommand run;
  RenderCommand render;
  TrainCommand train;
  EvaluateCommand evaluate;
  CompareCommand compare;
  ExperimentCommand experiment;
  InspectCommand inspect;
  VerifyCommand verify;
  std::string size = "1280x800", compare_size = "800x480", experiment_size = "800x480";
};

// "1280x800" -> {1280, 800}. Pictures over 16384 a side are refused: they would not fit the memory of most machines.
bool parse_size(const std::string& text, int& width, int& height) {
  char rest = 0;
  return std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) == 2 && width >= 16 && height >= 16 &&
         width <= 16384 && height <= 16384;
}

// Where something is written. Nothing at all is often a variable of the shell that was never set.
std::string file_name(const std::string& text) {
  return text.empty() || text.ends_with('/') ? "expected the name of a file, found '" + text + "'" : "";
}
std::string folder_name(const std::string& text) {
  return text.empty() ? "expected the name of a folder, found ''" : "";
}

CLI::App* subcommand(CLI::App& app, const char* name, const char* what, const char* examples) {
  CLI::App* sub = app.add_subcommand(name, what);
  sub->footer(std::string("Examples:\n") + examples);
  return sub;
}

void declare_decoding(CLI::App* sub, DecodeOptions& d) {
  sub->add_option("--decode", d.decode, "how the output is chosen")
      ->check(CLI::IsMember({"greedy", "sample", "beam"}))
      ->capture_default_str();
  sub->add_option("--beam", d.beam, "hypotheses of beam search")->check(CLI::Range(1, 256))->capture_default_str();
  sub->add_option("--alpha", d.alpha, "beam search: strength of the length norm, 0 switches it off")
      ->check(CLI::Range(0.0, 10.0))
      ->capture_default_str();
  sub->add_option("--beta", d.beta, "beam search: strength of the coverage penalty, 0 switches it off")
      ->check(CLI::Range(0.0, 10.0))
      ->capture_default_str();
  sub->add_option("--length-norm", d.length_norm, "wu16: ((5 + n) / 6)^alpha, power: n^alpha, or none")
      ->check(CLI::IsMember({"wu16", "power", "none"}))
      ->capture_default_str();
  sub->add_option("--temperature", d.temperature, "sampling: below 1 bolder, above 1 more even, 0 takes the best")
      ->check(CLI::Range(0.0, 1000.0))
      ->capture_default_str();
  sub->add_option("--top-k", d.top_k, "sampling: draw among the k best tokens only; 0: all")
      ->check(CLI::Range(0, 1000000))
      ->capture_default_str();
  sub->add_option("--top-p", d.top_p, "sampling: draw among the best tokens that together have this probability")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  sub->add_option("--seed", d.seed, "of everything that is drawn: tokens, and positions of hard attention")
      ->capture_default_str();
}

void declare_run(CLI::App& app, RunCommand& c) {
  auto* sub = subcommand(app, "run", "Run a model on a text and print the output and the alignment",
                         "  headlight run date-attention --source 'november 21, 2026'\n"
                         "  headlight run date-attention --source 'sep 3, 1994' --json | jq .output\n"
                         "  headlight run date-attention --source '8/23/83' --dump trace.npz\n"
                         "  headlight run date-attention --source 'May 5, 2001' \\\n"
                         "      --edit 'decoder.step[5].attention.weights[0]~1'\n"
                         "  headlight run date-attention --source 'May 5, 2001' --target '2001-06-05'\n"
                         "  headlight run date-attention --source 'May 5, 2001' --set attention.score=cosine\n"
                         "  headlight run date-attention --source 'May 5, 2001' --decode beam --beam 5\n"
                         "  headlight run date-attention --source 'May 5, 2001' --decode sample --top-p 0.9 --seed 7");
  sub->add_option("MODEL", c.model, kModelHelp)->required();
  sub->add_option("-s,--source", c.source, "text that the model reads")->required();
  sub->add_option("-t,--target", c.target, "score this output instead of the model's own choice");
  declare_decoding(sub, c.decode);
  sub->add_option("--set", c.settings, "KEY=VALUE: change a setting of config.json for this run")->take_all();
  sub->add_option("--edit", c.edits,
                  "change a value on the way: SITE[cell]=v sets it, ~v pins an attention weight and rescales the\n"
                  "others, *v multiplies, +v adds; without [cell]: every value of the site")
      ->take_all();
  sub->add_option("--dump", c.dump,
                  "write every value to FILE; its ending (.safetensors .npz .json .csv) is the format")
      ->check(file_name);
  sub->add_flag("--json", c.json, "print one JSON object instead of text");
}

std::vector<std::string> view_names() {
  std::vector<std::string> names = {"window"};
  for (const ViewRow& row : view_table()) names.emplace_back(row.name);
  for (const ViewRow& row : number_panels()) names.emplace_back(row.name);
  return names;
}

void declare_render(CLI::App& app, Commands& all) {
  RenderCommand& c = all.render;
  auto* sub = subcommand(app, "render", "Draw a view of a run into a picture; needs no display",
                         "  headlight render date-attention --source 'november 21, 2026' \\\n"
                         "      --view alignment --out alignment.svg\n"
                         "  headlight render date-attention --source '8/23/83' --view window \\\n"
                         "      --theme dark --size 1600x1000 --scale 2 --out window.png\n"
                         "  headlight render date-attention --source '8/23/83' --view alignment \\\n"
                         "      --out stepping.gif");
  sub->add_option("MODEL", c.model, kModelHelp)->required();
  sub->add_option("-s,--source", c.source, "text that the model reads")->required();
  sub->add_option("-t,--target", c.target, "score this output instead of the model's own choice");
  sub->add_option("--set", c.settings, "KEY=VALUE: change a setting of config.json for this picture")->take_all();
  sub->add_option("--edit", c.edits, "change a value on the way, as in 'headlight run'")->take_all();
  sub->add_option("--view", c.view, "what to draw")->required()->check(CLI::IsMember(view_names()));
  sub->add_option("-o,--out", c.out,
                  "file to write; its ending is the format: .png, .svg, .pdf, or .csv (the numbers of a view);\n"
                  ".gif, or a .png with %04d in its name for numbered pictures, is the stepping as an animation")
      ->check(file_name)
      ->required();
  sub->add_option("--frames", c.frames, "of an animation: one for each output step, or for each operation")
      ->check(CLI::IsMember({"steps", "operations"}))
      ->capture_default_str();
  sub->add_option("--theme", c.theme, "colours")->check(CLI::IsMember({"light", "dark"}))->capture_default_str();
  sub->add_option("--language", c.language, "of the labels")
      ->check(CLI::IsMember({"en", "zh_CN"}))
      ->capture_default_str();
  sub->add_option("--size", all.size, "WIDTHxHEIGHT in pixels")->capture_default_str();
  sub->add_option("--scale", c.scale, "device pixels for one pixel (PNG)")
      ->check(CLI::Range(1, 4))
      ->capture_default_str();
}

// "  patience   epochs without progress before stopping; 0: never (0)": each key of --set with its default.
std::string settings_help() {
  TrainingSettings defaults;
  defaults.task = "pairs";
  const Json values = defaults.to_json();
  std::string text;
  for (const TrainingKey& key : training_keys()) {
    std::string name = key.name;
    name.resize(std::max<std::size_t>(name.size() + 2, 24), ' ');
    const Json& value = values.at(key.name);
    text += "  " + name + key.meaning + (key.of_pairs ? ", of the task pairs" : "") +
            (value.is_null() ? "" : " (" + value.dump() + ")") + "\n";
    for (const std::string& word : key.words) text += (word == key.words.front() ? std::string(26, ' ') : ", ") + word;
    if (!key.words.empty()) text += "\n";
  }
  return text;
}

void declare_train(CLI::App& app, TrainCommand& c) {
  auto* sub = subcommand(app, "train", "Train a model on a task and write a model folder",
                         "  headlight train date --architecture attn_seq2seq --out my-dates\n"
                         "  headlight train addition --architecture seq2seq_peeky --epochs 25 --seed 7 --out sums\n"
                         "  headlight train date --architecture attn_seq2seq --set hidden_size=128 --out small\n"
                         "  headlight train copy --architecture attn_seq2seq --set optimiser=adam \\\n"
                         "      --set schedule=noam --set warmup=400 --set patience=3 --out copies\n"
                         "  headlight train pairs --files data.tsv --architecture attn_seq2seq --out my-words\n"
                         "  headlight train date --architecture attn_seq2seq --out my-dates --resume");
  sub->footer(sub->get_footer() + "\n\nSettings of the training, with their defaults:\n" + settings_help() +
              "Settings of the model are those in the \"model\" part of a config.json: hidden_size, ...");
  std::string tasks, names;
  for (const Task& task : headlight::tasks()) tasks += task.name + ", ";
  for (const Architecture& row : architectures()) names += (names.empty() ? "" : ", ") + std::string(row.name);
  sub->add_option("TASK", c.task, "what to learn: " + tasks + "or pairs (sentences of your own)")->required();
  sub->add_option("-a,--architecture", c.architecture, names)->required();
  sub->add_option("-o,--out", c.out, "folder to write")->check(folder_name)->required();
  sub->add_option("--files", c.files,
                  "of pairs: one file with \"source TAB target\" lines, or two files whose lines belong together")
      ->take_all();
  sub->add_flag("--skip-bad-lines", c.skip_bad_lines,
                "leave out lines of the files that cannot be read, and count them");
  sub->add_option("--epochs", c.epochs, "passes over the training data")->check(CLI::Range(1, 100000));
  sub->add_option("--seed", c.seed, "the same seed gives the same model on the same machine");
  sub->add_option("--set", c.settings, "KEY=VALUE: a setting of the training (see below) or of the model")->take_all();
  sub->add_option("--title", c.title, "how the model is called in the window");
  sub->add_option("--licence", c.licence, "of the model, for its card");
  sub->add_option("--data-note", c.data_note, "where the data come from, for the model's card");
  sub->add_flag("--resume", c.resume, "go on after the last finished epoch of the folder");
  sub->add_flag("--half", c.half, "store the weights as float16: half the size, the same outputs in practice");
  sub->add_flag("-q,--quiet", c.quiet, "no progress bar");
}

void declare_evaluate(CLI::App& app, EvaluateCommand& c) {
  auto* sub = subcommand(app, "evaluate", "Measure a model on examples that it was not trained on",
                         "  headlight evaluate date-attention\n"
                         "  headlight evaluate my-dates --task date --limit 500 --json\n"
                         "  headlight evaluate copies --by-length\n"
                         "  headlight evaluate my-words --files test.tsv");
  sub->add_option("MODEL", c.model, kModelHelp)->required();
  sub->add_option("--task", c.task, "default: the task that the model was trained on");
  sub->add_option("--files", c.files, "of pairs: what to measure on, as in 'headlight train'")->take_all();
  sub->add_flag("--held-out", c.held_out, "of the files, only the pairs that a training on them holds out");
  sub->add_flag("--skip-bad-lines", c.skip_bad_lines, "leave out lines of the files that cannot be read");
  sub->add_option("--limit", c.limit, "use only so many examples")->check(CLI::Range(1, 10000000));
  sub->add_flag("--by-length", c.by_length, "exact match for each length (or what else the task is grouped by)");
  sub->add_flag("--json", c.json, "print one JSON object instead of text");
}

void declare_compare(CLI::App& app, Commands& all) {
  CompareCommand& c = all.compare;
  auto* sub = subcommand(app, "compare", "Compare models: one table and one picture of lines",
                         "  headlight compare plain peeky attention --metric exact_match --out epochs.svg\n"
                         "  headlight compare plain attention --metric ppl_free --csv epochs.csv\n"
                         "  headlight compare copy-plain copy-attention --by length --task copy --out lengths.png");
  sub->add_option("MODELS", c.models, "folders of models, or names of bundled ones")->required();
  sub->add_option("--by", c.by, "what runs along the picture: epochs of training.csv, or lengths of held-out examples")
      ->check(CLI::IsMember({"epoch", "length"}))
      ->capture_default_str();
  sub->add_option("--metric", c.metric,
                  "column of training.csv: loss, exact_match, gradient_norm, seconds, learning_rate,\n"
                  "token_accuracy, ppl_tf (fed the right tokens), ppl_free (fed its own choices)")
      ->capture_default_str();
  sub->add_option("--task", c.task, "by length: default is the task that each model was trained on");
  sub->add_option("--limit", c.limit, "by length: use only so many examples")->check(CLI::Range(1, 10000000));
  sub->add_option("-o,--out", c.out, "picture to write; its ending is the format: .png, .svg or .pdf")
      ->check(file_name);
  sub->add_option("--csv", c.csv, "table to write; without it, standard output")->check(file_name);
  sub->add_option("--title", c.title, "of the picture");
  sub->add_option("--theme", c.theme, "colours")->check(CLI::IsMember({"light", "dark"}))->capture_default_str();
  sub->add_option("--size", all.compare_size, "WIDTHxHEIGHT of the picture")->capture_default_str();
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

void declare_experiment(CLI::App& app, Commands& all) {
  ExperimentCommand& c = all.experiment;
  auto* sub = subcommand(app, "experiment", "Measure something about attention: tables and pictures",
                         "  headlight experiment scaling --out scaling\n"
                         "  headlight experiment complexity --limit 512 --out costs\n"
                         "  headlight experiment ablation my-model --limit 200\n"
                         "  headlight experiment lengths --epochs 4 --set positions=sinusoid --out lengths");
  sub->footer(sub->get_footer() + "\n\nExperiments:\n" + experiments_help());
  std::vector<std::string> names;
  for (const Experiment& row : experiments()) names.emplace_back(row.name);
  sub->add_option("NAME", c.name, "which one, see below")->required()->check(CLI::IsMember(names));
  sub->add_option("MODEL", c.model, "of experiments on a trained model: " + std::string(kModelHelp));
  sub->add_option("-o,--out", c.out, "folder for the tables (.csv) and pictures; without it, tables on standard output")
      ->check(folder_name);
  sub->add_option("--seed", c.seed, "of everything that is drawn or trained")->capture_default_str();
  sub->add_option("--seeds", c.seeds, "runs with different draws")->check(CLI::Range(1, 1000));
  sub->add_option("--trials", c.trials, "draws of each run, or repeats of a measurement")
      ->check(CLI::Range(1, 1000000));
  sub->add_option("--epochs", c.epochs, "of experiments that train")->check(CLI::Range(1, 100000));
  sub->add_option("--limit", c.limit, "examples to measure on, or the largest size")->check(CLI::Range(1, 10000000));
  sub->add_option("--set", c.settings, "KEY=VALUE: of experiments that train, as in 'headlight train'")->take_all();
  sub->add_option("--format", c.format, "of the pictures")
      ->check(CLI::IsMember({"svg", "png", "pdf"}))
      ->capture_default_str();
  sub->add_option("--theme", c.theme, "colours")->check(CLI::IsMember({"light", "dark"}))->capture_default_str();
  sub->add_option("--size", all.experiment_size, "WIDTHxHEIGHT of the pictures")->capture_default_str();
  sub->add_flag("-q,--quiet", c.quiet, "say nothing while it runs");
}

void declare_others(CLI::App& app, Commands& all) {
  auto* inspect = subcommand(app, "inspect", "List the configuration, the tensors and the sites of a model",
                             "  headlight inspect date-attention\n"
                             "  headlight inspect ./my-dates --json | jq '.tensors[].shape'");
  inspect->add_option("MODEL", all.inspect.model, kModelHelp)->required();
  inspect->add_flag("--json", all.inspect.json, "print one JSON object instead of text");

  auto* verify = subcommand(app, "verify", "Compare a run with reference values, site by site",
                            "  headlight verify date-attention\n"
                            "  headlight verify ./my-dates reference.safetensors");
  verify->add_option("MODEL", all.verify.model, kModelHelp)->required();
  verify->add_option("REFERENCE", all.verify.reference, "default: verify.safetensors of the model's folder");
}

Command chosen(const CLI::App& app, const Commands& all) {
  if (app.got_subcommand("run")) return all.run;
  if (app.got_subcommand("render")) return all.render;
  if (app.got_subcommand("train")) return all.train;
  if (app.got_subcommand("evaluate")) return all.evaluate;
  if (app.got_subcommand("compare")) return all.compare;
  if (app.got_subcommand("experiment")) return all.experiment;
  if (app.got_subcommand("inspect")) return all.inspect;
  if (app.got_subcommand("verify")) return all.verify;
  return all.window;
}

// Arguments are bytes. What is a text becomes UTF-8 here, once; models, files and folders keep the names they have.
void make_utf8(Commands& all) {
  for (std::string* text : {&all.run.source, &all.render.source, &all.train.task, &all.train.architecture,
                            &all.train.title, &all.train.licence, &all.train.data_note, &all.evaluate.task,
                            &all.compare.metric, &all.compare.task, &all.compare.title})
    *text = valid_utf8(*text);
  for (std::optional<std::string>* text : {&all.window.source, &all.window.target, &all.run.target, &all.render.target})
    if (*text) *text = valid_utf8(**text);
  for (std::vector<std::string>* texts : {&all.run.settings, &all.run.edits, &all.render.settings, &all.render.edits,
                                          &all.train.settings, &all.experiment.settings})
    for (std::string& text : *texts) text = valid_utf8(text);
}

std::string help_hint(const CLI::App& app) {
  for (const CLI::App* sub : app.get_subcommands()) return "headlight " + sub->get_name() + " --help";
  return "headlight --help";
}

}  // namespace

std::variant<Command, NothingToRun> parse_command_line(int argc, const char* const* argv) {
  Commands all;
  CLI::App app("Headlight runs attention models step by step and shows every number of them.", "headlight");
  app.footer(
      "Without a command: opens the window. Without a display: draws it into a PNG instead.\n\nExamples:\n"
      "  headlight\n"
      "  headlight date-attention --source 'november 21, 2026'\n"
      "  headlight ./my-dates\n"
      "  headlight run --help");
  app.set_version_flag("--version", std::string("headlight ") + kVersion);
  app.require_subcommand(0, 1);
  app.add_option("MODEL", all.window.model, kModelHelp);
  app.add_option("-s,--source", all.window.source, "text to start with");
  app.add_option("-t,--target", all.window.target, "score this output instead of the model's own choice");
  declare_run(app, all.run);
  declare_render(app, all);
  declare_train(app, all.train);
  declare_evaluate(app, all.evaluate);
  declare_compare(app, all);
  declare_experiment(app, all);
  declare_others(app, all);

  try {
    app.parse(argc, argv);
    const auto read_size = [](const std::string& text, int& width, int& height) {
      if (!parse_size(text, width, height))
        throw CLI::ValidationError("--size", "expected WIDTHxHEIGHT from 16x16 to 16384x16384, found '" + text + "'");
    };
    read_size(all.size, all.render.width, all.render.height);
    read_size(all.compare_size, all.compare.width, all.compare.height);
    read_size(all.experiment_size, all.experiment.width, all.experiment.height);
  } catch (const CLI::CallForVersion& version) {
    return NothingToRun{0, std::string(version.what()) + "\n"};
  } catch (const CLI::Success&) {
    return NothingToRun{0, app.help()};
  } catch (const CLI::ParseError& error) {
    return NothingToRun{2, std::string(error.what()) + " (see '" + help_hint(app) + "')"};
  }
  make_utf8(all);
  return chosen(app, all);
}

}  // namespace headlight
