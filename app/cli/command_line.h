// The command line: what was asked for, as plain values. Parsing starts no part of Qt.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace headlight {

// What a line says itself, beside the defaults.
struct Given {
  std::set<std::string> given{};  // names of its options, "--beam", and of what stands without one, "LESSON"
  bool has(const std::string& name) const { return given.count(name) > 0; }
};

// What lies over the model: --adapter and --adapter-scale.
struct AdapterOptions {
  std::string adapter;  // folder; empty: none
  double adapter_scale = 1;
};

// Of every command that opens a window.
struct WindowOptions {
  bool no_threads = false;
};

struct WindowCommand : Given, AdapterOptions, WindowOptions {
  std::string model;  // empty: the last one, or the first bundled one with attention
  std::optional<std::string> source, target;
  std::string second;
};

// How the output is chosen: options of `run`.
struct DecodeOptions {
  std::string decode = "greedy";  // greedy, sample or beam
  int beam = 4;                   // hypotheses
  double alpha = 0, beta = 0;     // length norm and coverage penalty
  std::string length_norm = "wu16";
  double temperature = 1;
  int top_k = 0;
  double top_p = 1;
  unsigned long long seed = 1;  // of all draws
};

struct RunCommand : Given, AdapterOptions {
  std::string model, source;
  std::string texts;  // file with a list of them; empty: the source alone
  std::optional<std::string> target;
  DecodeOptions decode;
  std::vector<std::string> settings;  // KEY=VALUE, over config.json
  std::vector<std::string> edits;     // see parse_intervention
  std::string dump;                   // file; empty: none
  bool json = false, pharaoh = false;
  // Of models of other libraries: numbers instead of a text, and what the values of the dump are called.
  std::string ids, type_ids, target_ids, names;  // names empty: as the library has them
  std::string second;                            // the other text of a pair; empty: none
  int new_tokens = 0;
  std::string target_language;  // code of the language to write; empty: as the folder says
  std::string choose;           // file with keys of generation_config.json; empty: none
  std::string mapping;          // file that says which tensors of a state dict are which of ours; empty: none
};

struct RenderCommand : Given, AdapterOptions {
  std::string model, source, second, view, out;  // model: or a session file
  std::string texts;                             // file with a list of texts; empty: the source alone
  std::optional<std::string> target;
  std::vector<std::string> settings, edits;  // as in RunCommand
  std::string theme = "light";
  std::string language = "en";
  int width = 1280, height = 800;
  std::optional<double> figure_width;     // of the paper, in pixels; the height is what is needed
  std::optional<double> font_points;      // of text on paper
  std::string side;                       // of attention: encoder, decoder, cross; empty: what there is
  std::optional<int> layer, head, token;  // counted from
  int count_from = 1;
  int scale = 1;                 // device pixels for one pixel
  std::optional<int> text;       // of stored attention and lists: the number of the text, from 0
  std::optional<int> step;       // the output that is chosen
  std::optional<int> level;      // how near one is in the living map
  std::string frames = "steps";  // of an animation: steps or operations
};

struct TrainCommand : Given {
  std::string task, architecture, out;
  std::optional<int> epochs;
  std::optional<unsigned long long> seed;
  std::vector<std::string> settings;
  std::vector<std::string> files;  // of the task pairs
  bool skip_bad_lines = false;
  std::string title;               // for the picker; empty: from the task and the architecture
  std::string licence, data_note;  // for the model card
  bool resume = false, quiet = false;
  bool half = false;                   // store the weights as float16
  std::vector<std::string> probes;     // texts that it is asked while it trains, and never trained on
  std::string record;                  // file for what it was like; empty: none
  std::string record_weights = "all";  // of the moments: all, last, none
  std::string preset;                  // in place of task and architecture; empty: none
};

struct RecordingCommand : Given {
  std::string recording;  // file, or the name of a bundled one
  bool json = false, csv = false, marks = false;
};

struct EvaluateCommand : Given, AdapterOptions {
  std::string model, task;
  std::string texts;               // of models of other libraries, a list of texts
  std::vector<std::string> files;  // of the task pairs
  bool held_out = false;           // of the files, only the held-out pairs
  bool skip_bad_lines = false;
  int limit = 0;  // examples; 0: all of the held-out ones
  bool by_length = false, json = false;
};

struct CompareCommand : Given, AdapterOptions {
  std::vector<std::string> models;
  std::string by = "epoch";  // epoch or length
  std::string metric = "exact_match";
  std::string task;      // by length only; empty: of each model
  std::string out, csv;  // picture and table; csv empty: standard output
  std::string theme = "light";
  std::string title;
  int width = 800, height = 480;
  int limit = 0;
  // Of two models of other libraries: what both read, and how many tokens they write.
  std::string source, ids, target_ids;
  int new_tokens = 12;
  bool json = false;
  bool reads() const { return !source.empty() || !ids.empty(); }
};

struct ExperimentCommand : Given {
  std::string name, model;  // model empty: of experiments that need none
  std::string out;          // folder for tables and pictures; empty: only the tables, on standard output
  unsigned long long seed = 1;
  int seeds = 0, trials = 0, epochs = 0, limit = 0;  // 0: the experiment's own
  std::vector<std::string> settings;
  std::string texts;  // of ablation: a list of texts; empty: the model's own
  std::string theme = "light", format = "svg";
  int width = 800, height = 480;
  bool quiet = false;
};

struct InspectCommand : Given, AdapterOptions {
  std::string model;
  std::string dump;     // npz of the tensors; empty: none
  std::string mapping;  // one that was begun, to be proposed what it lacks; empty: none
  bool json = false;
};

struct TokenizeCommand : Given {
  std::string folder, texts;
  bool plain = false;   // without the special tokens that are added to a text
  bool target = false;  // of models with two tokenizers, the other one
  bool json = false;
};

struct ChooseCommand : Given {
  std::string logits, key;  // key empty: the first array
  std::string prefix, encoder_ids, settings;
  int prompt_length = -1;  // −1: all of the prefix
  int max_length = 0;      // 0: none
  bool json = false;
};

struct ChatCommand : Given {
  std::string folder, messages;
  bool generation_prompt = false;
  bool goes_on = false;          // with the last message
  std::string tools, documents;  // files; empty: none
  std::string name;              // of the template; empty: the one that serves
  std::vector<std::string> settings;
  std::string now;  // ISO 8601; empty: the time that it is
  bool json = false;
};

struct LessonCommand : Given, WindowOptions {
  std::string lesson;  // folder, or COURSE/NAME of a bundled one
  bool list = false, json = false, check = false;
  int step = 0;                            // from 1; 0: the first, or where one stopped
  std::string worksheet, answers, slides;  // files to write; empty: none
  std::string language;                    // of a lesson: en, zh_CN, de; empty: the user's
  std::string paper = "a4", theme = "light";
};

struct VerifyCommand : Given, AdapterOptions {
  std::string model, reference;  // reference empty: the model's own verify.safetensors
  bool partial = false;          // a reference that lacks sites may pass
};

// An analysis of one text or of a list; what each method takes: app/cli/analyse/analyse_options.cpp.
struct AnalyseCommand : Given {
  std::string method, model;
  std::string source, second, output, texts;
  std::string side, pair, head, rows;
  std::string target, a, b;
  std::optional<int> at;
  int unit = 0;
  std::string off = "zero", other;
  std::string links, rule = "argmax";
  std::string number = "log p";  // parse_listed_number()
  double threshold = 0.2;
  int length = 24, repeats = 4;
  unsigned long long seed = 1;
  int count_from = 1;        // layers and heads, as people do
  std::string out;           // file of the result; empty: none
  std::string inputs, dump;  // of golden
  bool json = false, quiet = false;
};

using Command = std::variant<WindowCommand, RunCommand, RenderCommand, TrainCommand, EvaluateCommand, CompareCommand,
                             ExperimentCommand, InspectCommand, VerifyCommand, TokenizeCommand, ChatCommand,
                             ChooseCommand, LessonCommand, RecordingCommand, AnalyseCommand>;

// Nothing to run: help was asked for (status 0) or the line was wrong (status 2).
struct NothingToRun {
  int status = 0;
  std::string text;  // for standard output (status 0), or what is wrong, for a message
};

std::variant<Command, NothingToRun> parse_command_line(int argc, const char* const* argv);

}  // namespace headlight
