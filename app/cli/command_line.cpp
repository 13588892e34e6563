// Declares every option once, with its help and worked examples.

#include "app/cli/command_line.h"

#include "app/cli/adapter_options.h"
#include "app/cli/analyse/analyse_options.h"
#include "app/cli/command_line_arguments.h"
#include "app/cli/command_line_parts.h"
#include "app/cli/overrides.h"
#include "app/cli/pages/command_pages.h"
#include "app/reports/program_facts.h"
#include "app/stage/view_table.h"
#include "app/version.h"
#include "model/core/errors.h"
#include "model/experiments/experiment.h"
#include "model/io/formats/format.h"
#include "model/models/registry.h"
#include "model/recording/presets.h"
#include "model/training/training_settings.h"

namespace headlight {

namespace {

constexpr int kManyPlaces = 1'000'000;  // layers, heads and tokens

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
  TokenizeCommand tokenize;
  ChatCommand chat;
  ChooseCommand choose;
  LessonCommand lesson;
  RecordingCommand recording;
  AnalyseCommand analyse;
};

void declare_decoding(CLI::App* sub, DecodeOptions& d) {
  word_option(sub, "--decode", d.decode, {"greedy", "sample", "beam"}, "how the output is chosen");
  number_option(sub, "--beam", d.beam, 1, 256, "hypotheses of beam search");
  number_option(sub, "--alpha", d.alpha, 0, 10, "beam search: strength of the length norm, 0 switches it off");
  number_option(sub, "--beta", d.beta, 0, 10, "beam search: strength of the coverage penalty, 0 switches it off");
  word_option(sub, "--length-norm", d.length_norm, {"wu16", "power", "none"},
              "wu16: ((5 + n) / 6)^alpha, power: n^alpha, or none");
  number_option(sub, "--temperature", d.temperature, 0, 1000,
                "sampling: below 1 bolder, above 1 more even, 0 takes the best");
  number_option(sub, "--top-k", d.top_k, 0, 1'000'000, "sampling: draw among the k best tokens only; 0: all");
  number_option(sub, "--top-p", d.top_p, 1e-6, 1,
                "sampling: draw among the best tokens that together have this probability");
  seed_option(sub, d.seed, "of everything that is drawn: tokens, and positions of hard attention");
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
                         "  headlight run date-attention --source 'May 5, 2001' --decode sample --top-p 0.9 --seed 7\n"
                         "  headlight run ./my-gpt2 --ids 15,27,3 --new-tokens 12 --json\n"
                         "  headlight run ./my-gpt2 --ids 15,27,3 --choose beams.json --json | jq .sequences\n"
                         "  headlight run ./my-bert --ids 2,75,3 --dump values.npz --names library\n"
                         "  headlight run ./my-llama --adapter ./my-lora --adapter-scale 0.5 --source 'Once upon'\n"
                         "  headlight run weights.pt --mapping mapping.json --source 'die frau sieht ein kind .'");
  path_option(sub, "MODEL", PathKind::model, c.model, kModelHelp)->required();
  text_option(sub, "-s,--source", c.source, "text that the model reads");
  texts_option(sub, c.texts);
  text_option(sub, "--second", c.second, "the second sentence, of models of other libraries that take pairs");
  text_option(sub, "-t,--target", c.target, "score this output instead of the model's own choice");
  name_option(sub, "--ids", c.ids, "of models of other libraries: numbers of tokens, 1,2,3, instead of a text");
  name_option(sub, "--type-ids", c.type_ids, "with --ids: the kind of sentence that each token is of");
  name_option(sub, "--target-ids", c.target_ids,
              "of models of other libraries: tokens that a decoder behind an encoder reads");
  number_option(sub, "--new-tokens", c.new_tokens, 0, 100'000, "of models of other libraries: tokens to write at most");
  name_option(sub, "--target-language", c.target_language,
              "of models of many languages: code of the output's; that of the text may stand in front of it");
  path_option(sub, "--choose", PathKind::file, c.choose,
              "of models of other libraries: write on by these keys of generation_config.json over the folder's own,\n"
              "and tell what each stage of choosing does");
  word_option(sub, "--names", c.names, {"library", "headlight", "transformer_lens"},
              "of models of other libraries: what the values of --dump are called");
  path_option(sub, "--mapping", PathKind::file, c.mapping,
              "MODEL is a file of weights, and this says which of its tensors are which of ours");
  adapter_options(sub, c);
  declare_decoding(sub, c.decode);
  repeated_option(sub, "--set", c.settings, "KEY=VALUE: change a setting of config.json for this run");
  repeated_option(
      sub, "--edit", c.edits,
      "change a value on the way: SITE[cell]=v sets it, ~v pins an attention weight and rescales the\n"
      "others, *v multiplies, +v adds; [row,cell] and, of all heads, [head,row,cell] count within a matrix,\n"
      "[8:12] is a span; without brackets: every value of the site; v may be inf, -inf or nan");
  path_option(sub, "--dump", PathKind::file, c.dump,
              "write every value to it; its ending (.safetensors .npz .json .csv) is the format");
  sub->add_flag("--json", c.json, "print one JSON object instead of text");
  sub->add_flag("--pharaoh", c.pharaoh, "print which word each written word looks at most: 0-0 1-2, source-output");
}

std::vector<std::string> view_names() {
  std::vector<std::string> names = {"window"};
  for (const ViewRow& row : view_table()) names.emplace_back(row.name);
  for (const ViewRow& row : number_panels()) names.emplace_back(row.name);
  return names;
}

void declare_render(CLI::App& app, RenderCommand& c) {
  auto* sub =
      subcommand(app, "render", "Draw a view of a run into a picture; needs no display",
                 "  headlight render date-attention --source 'november 21, 2026' \\\n"
                 "      --view alignment --out alignment.svg\n"
                 "  headlight render date-attention --source '8/23/83' --view window \\\n"
                 "      --theme dark --size 1600x1000 --scale 2 --out window.png\n"
                 "  headlight render date-attention --source '8/23/83' --view alignment \\\n"
                 "      --out stepping.gif\n"
                 "  headlight render ./minilm --source 'It was too tired.' --view heads --layer 4 --head 2 \\\n"
                 "      --width 3.3in --font-size 8pt --out figure.pdf\n"
                 "  headlight render ./minilm --texts sentences.txt --view ribbons --out 'ribbons-%04d.svg'\n"
                 "  headlight render yesterday.headlight --view heads --out heads.svg\n\n"
                 "Layers, heads and tokens are counted from 1 (--count-from 0: as sites and --edit do, always).");
  path_option(sub, "MODEL", PathKind::model, c.model, std::string(kModelHelp) + ",\nor a session file (.headlight)")
      ->required();
  adapter_options(sub, c);
  text_option(sub, "-s,--source", c.source, "text that the model reads");
  text_option(sub, "--second", c.second, "the second sentence, of models of other libraries that take pairs");
  text_option(sub, "-t,--target", c.target, "score this output instead of the model's own choice");
  path_option(sub, "--texts", PathKind::file, c.texts,
              "list of texts (.txt .tsv .jsonl .json): a picture of each, with %04d in the name for its number,\n"
              "or of the one that --text names");
  number_option(sub, "--text", c.text, 0, 1'000'000'000,
                "of stored attention and of --texts: the number of the text, from 0");
  repeated_option(sub, "--set", c.settings, "KEY=VALUE: change a setting of config.json for this picture");
  repeated_option(sub, "--edit", c.edits, "change a value on the way, as in 'headlight run'");
  word_option(sub, "--view", c.view, view_names(), "what to draw", {{"computation", "map"}})->required();
  path_option(sub, "-o,--out", PathKind::file, c.out,
              "file to write; its ending is the format: .png, .svg, .pdf, or .csv, .json, .npz (the numbers);\n"
              ".gif, or a .png with %04d in its name for numbered pictures, is the stepping as an animation")
      ->required();
  word_option(sub, "--frames", c.frames, {"steps", "operations"},
              "of an animation: one for each output step, or for each operation");
  theme_option(sub, c.theme);
  word_option(sub, "--language", c.language, {"en", "zh_CN"}, "of the labels");
  size_option(sub, c.width, c.height, "of the picture, in pixels (96 for an inch) or as 3.3inx2in, also mm, cm and pt");
  length_option(sub, "--width", c.figure_width, Unit::pixels,
                "of the picture, as 3.3in; its height is what it needs, without margins");
  length_option(sub, "--font-size", c.font_points, Unit::points, "of the text on paper, as 8pt (9.75pt)");
  number_option(sub, "--scale", c.scale, 1, 4, "device pixels for one pixel (PNG)");
  word_option(sub, "--side", c.side, {"encoder", "decoder", "cross"}, "whose attention is shown");
  number_option(sub, "--layer", c.layer, 0, kManyPlaces, "whose attention is shown, from 1 (the last one)");
  number_option(sub, "--head", c.head, 0, kManyPlaces, "of that layer, from 1: this head alone");
  number_option(sub, "--token", c.token, 0, kManyPlaces, "the row of weights that is chosen, from 1");
  number_option(sub, "--count-from", c.count_from, 0, 1, "the first layer, head and token");
  number_option(sub, "--step", c.step, 0, 1'000'000'000, "output step that is chosen, from 0 (map, origins)");
  number_option(sub, "--level", c.level, 1, 5, "how near one is, from 1, the whole model, to 5, its numbers (map)");
}

void declare_evaluate(CLI::App& app, EvaluateCommand& c) {
  auto* sub = subcommand(app, "evaluate", "Measure a model on examples that it was not trained on",
                         "  headlight evaluate date-attention\n"
                         "  headlight evaluate my-dates --task date --limit 500 --json\n"
                         "  headlight evaluate copies --by-length\n"
                         "  headlight evaluate my-words --files test.tsv");
  path_option(sub, "MODEL", PathKind::model, c.model, kModelHelp)->required();
  adapter_options(sub, c);
  name_option(sub, "--task", c.task, "default: the task that the model was trained on");
  paths_option(sub, "--files", PathKind::file, c.files, kMostTexts,
               "of pairs and text: what to measure on, as in 'headlight train'");
  sub->add_flag("--held-out", c.held_out, "of the files, only the pairs that a training on them holds out");
  sub->add_flag("--skip-bad-lines", c.skip_bad_lines, "leave out lines of the files that cannot be read");
  texts_option(sub, c.texts);
  number_option(sub, "--limit", c.limit, 1, kManyExamples, "use only so many examples");
  sub->add_flag("--by-length", c.by_length, "exact match for each length (or what else the task is grouped by)");
  sub->add_flag("--json", c.json, "print one JSON object instead of text");
}

void declare_compare(CLI::App& app, CompareCommand& c) {
  auto* sub = subcommand(app, "compare", "Compare models: one table and one picture of lines, or two models on a text",
                         "  headlight compare plain peeky attention --metric exact_match --out epochs.svg\n"
                         "  headlight compare copy-plain copy-attention --by length --task copy --out lengths.png\n"
                         "  headlight compare model-Q8_0.gguf model-Q4_K_M.gguf --source 'The capital of France is'");
  paths_option(sub, "MODELS", PathKind::model, c.models, CLI::detail::expected_max_vector_size,
               "folders of models, or names of bundled ones")
      ->allow_extra_args()
      ->required();
  adapter_options(sub, c);
  word_option(sub, "--by", c.by, {"epoch", "length"},
              "along the picture: epochs of training.csv, or lengths of held-out examples");
  name_option(sub, "--metric", c.metric,
              "column of training.csv: loss, exact_match, gradient_norm, seconds, learning_rate,\n"
              "token_accuracy, ppl_tf (fed the right tokens), ppl_free (fed its own choices)")
      ->default_str(c.metric);
  name_option(sub, "--task", c.task, "by length: default is the task that each model was trained on");
  number_option(sub, "--limit", c.limit, 1, kManyExamples, "by length: use only so many examples");
  path_option(sub, "-o,--out", PathKind::file, c.out, "picture to write; its ending is the format: .png, .svg or .pdf");
  path_option(sub, "--csv", PathKind::file, c.csv, "table to write; without it, standard output");
  text_option(sub, "--title", c.title, "of the picture");
  theme_option(sub, c.theme);
  size_option(sub, c.width, c.height, "of the picture, in pixels");
  text_option(sub, "-s,--source", c.source,
              "of two models of other libraries: text that both read, to tell how far apart they are on it");
  name_option(sub, "--ids", c.ids, "the same with numbers of tokens, 1,2,3, instead of a text");
  name_option(sub, "--target-ids", c.target_ids,
              "tokens that decoders behind encoders read; default: what the first writes");
  number_option(sub, "--new-tokens", c.new_tokens, 0, 100'000, "of such a text: tokens to write at most");
  sub->add_flag("--json", c.json, "of two files of weights: print one JSON object instead of text");
}

void window_options(CLI::App* app, WindowOptions& options) {
  app->add_flag("--no-threads", options.no_threads,
                "compute on the thread of the window, in slices: what runs, trains and loads behind it");
}

void declare_lesson(CLI::App& app, LessonCommand& c) {
  auto* sub = subcommand(app, "lesson", "Play a lesson, check it, or print it",
                         "  headlight lesson --list\n"
                         "  headlight lesson why-attention/looking-back --step 3\n"
                         "  headlight lesson ./my-lesson --check --language de\n"
                         "  headlight lesson why-attention/looking-back --worksheet sheet.pdf --answers key.pdf\n"
                         "  headlight lesson why-attention/looking-back --slides slides.pdf --language zh");
  path_option(sub, "LESSON", PathKind::folder, c.lesson,
              "folder of a lesson, or COURSE/NAME of a bundled one; with --check also a course");
  sub->add_flag("--list", c.list, "list the bundled lessons: name, title, minutes, claims");
  sub->add_flag("--json", c.json, "with --list: print one JSON object instead of text");
  sub->add_flag("--check", c.check,
                "play it without a window: every condition, answer and name; status 1 says what fails");
  number_option(sub, "--step", c.step, 1, 1000, "open it at this step, from 1");
  path_option(sub, "--worksheet", PathKind::file, c.worksheet,
              "write the questions with their pictures and room to write, a PDF");
  path_option(sub, "--answers", PathKind::file, c.answers, "write the worksheet with what is right, a PDF");
  path_option(sub, "--slides", PathKind::model, c.slides,
              "write a page for each step: a PDF, or a folder of numbered PNG");
  word_option(sub, "--paper", c.paper, {"a4", "letter"}, "of worksheets");
  theme_option(sub, c.theme);
  name_option(sub, "--language", c.language,
              "of the words: en, zh, or another that the lesson has; with --check: what it lacks is told");
  window_options(sub, c);
}

void declare_others(CLI::App& app, Commands& all) {
  auto* inspect =
      subcommand(app, "inspect", "List the configuration, the tensors and the sites of a model, or what a file holds",
                 "  headlight inspect date-attention\n"
                 "  headlight inspect ./my-dates --json | jq '.tensors[].shape'\n"
                 "  headlight inspect checkpoint.pt --dump checkpoint.npz");
  path_option(inspect, "MODEL", PathKind::model, all.inspect.model,
              std::string(kModelHelp) +
                  ",\na folder of save_pretrained, or a file of weights (safetensors, PyTorch, NumPy, pickle)")
      ->required();
  adapter_options(inspect, all.inspect);
  path_option(inspect, "--dump", PathKind::file, all.inspect.dump, "write every tensor to it, an .npz");
  path_option(inspect, "--mapping", PathKind::file, all.inspect.mapping,
              "a mapping with model_type and model: print it with the rules that names and shapes suggest");
  inspect->add_flag("--json", all.inspect.json, "print one JSON object instead of text");

  auto* verify = subcommand(app, "verify", "Compare a run with reference values, site by site",
                            "  headlight verify date-attention\n"
                            "  headlight verify ./my-dates reference.safetensors");
  path_option(verify, "MODEL", PathKind::model, all.verify.model, kModelHelp)->required();
  adapter_options(verify, all.verify);
  path_option(verify, "REFERENCE", PathKind::file, all.verify.reference,
              "default: verify.safetensors of the model's folder");
  verify->add_flag("--partial", all.verify.partial, "a reference that does not have every site may pass");

  auto* tokenize =
      subcommand(app, "tokenize", "Split texts into tokens as the model of a folder was trained to read them",
                 "  headlight tokenize ./my-bert --texts texts.json\n"
                 "  headlight tokenize ./opus-mt --texts texts.json --target --json | jq '.[0].ids'");
  path_option(tokenize, "FOLDER", PathKind::model, all.tokenize.folder,
              "folder of save_pretrained, with tokenizer.json or the older files")
      ->required();
  texts_option(tokenize, all.tokenize.texts)->required();
  tokenize->add_flag("--plain", all.tokenize.plain, "without the special tokens that are added to a text");
  tokenize->add_flag("--target", all.tokenize.target, "the tokenizer of the output, of models that have two");
  tokenize->add_flag("--json", all.tokenize.json,
                     "print one JSON list: ids, tokens, offsets and type_ids of each text");
}

// What stands around a model: its tokens, its chat template, how it chooses.
void declare_around_models(CLI::App& app, Commands& all) {
  auto* choose = subcommand(
      app, "choose", "Show what each stage of choosing a token does to logits",
      "  headlight choose --logits step.npz --key logits --prefix 5,6,7 --settings generation_config.json\n"
      "  headlight choose --logits step.npz --prefix 5,6,7 --settings sampling.json --json | jq '.stages[-1]'");
  path_option(choose, "--logits", PathKind::file, all.choose.logits, "npz with the logits of one step")->required();
  name_option(choose, "--key", all.choose.key, "name of the array (default: the first one)");
  text_option(choose, "--prefix", all.choose.prefix, "tokens so far, as numbers 1,2,3")->required();
  number_option(choose, "--prompt-length", all.choose.prompt_length, 0, 1'000'000,
                "how many of them were given (default: all)");
  name_option(choose, "--encoder-ids", all.choose.encoder_ids, "tokens that an encoder read; of decoders the prompt");
  number_option(choose, "--max-length", all.choose.max_length, 1, 1'000'000, "tokens at most, the prompt counted");
  path_option(choose, "--settings", PathKind::file, all.choose.settings, "JSON with the keys of generation_config.json")
      ->required();
  choose->add_flag("--json", all.choose.json, "print stages: name, ids that are left and their probabilities");

  auto* chat =
      subcommand(app, "chat", "Write messages as the chat template of a folder does",
                 "  headlight chat ./my-chat-model --messages messages.json --generation-prompt\n"
                 "  headlight chat ./my-chat-model --messages messages.json --tools tools.json --json | jq .spans");
  path_option(chat, "FOLDER", PathKind::model, all.chat.folder, "folder of save_pretrained with a chat template")
      ->required();
  path_option(chat, "--messages", PathKind::file, all.chat.messages, "JSON list of objects with role and content")
      ->required();
  auto* prompt = chat->add_flag("--generation-prompt", all.chat.generation_prompt, "end with what begins an answer");
  chat->add_flag("--continue", all.chat.goes_on, "leave the last message open: the model goes on with it")
      ->excludes(prompt);
  path_option(chat, "--tools", PathKind::file, all.chat.tools, "JSON list of tools that the model may call");
  path_option(chat, "--documents", PathKind::file, all.chat.documents, "JSON list of documents to answer from");
  name_option(chat, "--template", all.chat.name, "one of several templates, by its name");
  repeated_option(chat, "--set", all.chat.settings, "KEY=VALUE: a variable of the template, as JSON or as a word");
  name_option(chat, "--now", all.chat.now, "the time that the template is told, as 2026-07-06T09:05:03 (default: now)");
  chat->add_flag("--json", all.chat.json,
                 "print text, ids, spans of the messages, assistant_mask and lines of the template");
}

void lay_adapters(const CLI::App& app, Commands& all) {
  const auto lay = [&](const char* name, auto& command) {
    if (app.got_subcommand(name)) lay_adapter(command.model, command);
  };
  lay("run", all.run);
  lay("render", all.render);
  lay("evaluate", all.evaluate);
  lay("inspect", all.inspect);
  lay("verify", all.verify);
  if (app.got_subcommand("compare")) lay_adapter(all.compare.models, all.compare);
  if (app.get_subcommands().empty()) lay_adapter(all.window.model, all.window);
}

// The command with the names of what was given for it.
template <class C>
Command with_given(C command, const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0) continue;
    command.given.insert(option->get_lnames().empty() ? option->get_name() : "--" + option->get_lnames().front());
  }
  return command;
}

Command chosen(const CLI::App& app, const Commands& all) {
  const auto asked = [&](const char* name, const auto& command) -> std::optional<Command> {
    if (!app.got_subcommand(name)) return {};
    return with_given(command, *app.get_subcommand(name));
  };
  for (const std::optional<Command>& command :
       {asked("run", all.run), asked("render", all.render), asked("train", all.train), asked("evaluate", all.evaluate),
        asked("compare", all.compare), asked("experiment", all.experiment), asked("inspect", all.inspect),
        asked("verify", all.verify), asked("tokenize", all.tokenize), asked("chat", all.chat),
        asked("choose", all.choose), asked("lesson", all.lesson), asked("recording", all.recording),
        asked("analyse", all.analyse)})
    if (command) return *command;
  return with_given(all.window, app);
}

// What packages are made with: the command line as others read it.
void declare_describe(CLI::App& app, std::string& kind) {
  auto* sub = subcommand(app, "describe", "Print the manual page, or what completes this command line in a shell",
                         "  headlight describe man | man -l -\n"
                         "  headlight describe bash > ~/.local/share/bash-completion/completions/headlight");
  word_option(sub, "KIND", kind, command_page_names(), "what to print")->required();
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
  bool verbose = false;
  app.add_flag("--verbose", verbose,
               "with --version: what a report of a problem needs (versions, processor, display, places)")
      ->needs("--version");
  app.require_subcommand(0, 1);
  path_option(&app, "MODEL", PathKind::model, all.window.model, kModelHelp);
  adapter_options(&app, all.window);
  text_option(&app, "-s,--source", all.window.source, "text to start with");
  text_option(&app, "--second", all.window.second, "the second sentence, of models that take pairs");
  text_option(&app, "-t,--target", all.window.target, "score this output instead of the model's own choice");
  window_options(&app, all.window);
  declare_run(app, all.run);
  declare_render(app, all.render);
  declare_train(app, all.train);
  declare_evaluate(app, all.evaluate);
  declare_compare(app, all.compare);
  declare_experiment(app, all.experiment);
  declare_others(app, all);
  declare_around_models(app, all);
  declare_lesson(app, all.lesson);
  declare_recording(app, all.recording);
  std::string described;
  declare_describe(app, described);
  declare_analyse(app, all.analyse, kModelHelp);

  Arguments arguments(app, argc, argv);
  const auto wrong = [&](const char* what) {
    return NothingToRun{2, std::string(what) + " (see '" + arguments.command() + " --help')"};
  };
  try {
    arguments.read();
    app.parse(arguments.for_parser());
    lay_adapters(app, all);
  } catch (const CLI::CallForVersion& version) {
    return NothingToRun{0, app.count("--verbose") > 0 ? program_facts() : std::string(version.what()) + "\n"};
  } catch (const CLI::Success&) {
    return NothingToRun{0, app.help()};
  } catch (const CLI::ParseError& error) {
    return wrong(error.what());
  } catch (const UsageError& error) {
    return wrong(error.what());
  }
  if (app.got_subcommand("describe")) return NothingToRun{0, command_page(app, described)};
  // Of stored attention the first text is meant.
  const auto lacks_text = [&](const char* command, const std::string& model, bool given) {
    if (!app.got_subcommand(command) || given || app.get_subcommand(command)->count("--source") > 0) return false;
    if (is_session_file(model)) return false;
    const Format* format = format_of(model);
    return !format || std::string_view(format->id) != "captured";
  };
  if (lacks_text("run", all.run.model, !all.run.ids.empty() || !all.run.texts.empty()) ||
      lacks_text("render", all.render.model, all.render.text.has_value() || !all.render.texts.empty()))
    return wrong("--source is required");
  if (app.got_subcommand("train") && all.train.preset.empty() &&
      (all.train.task.empty() || all.train.architecture.empty()))
    return wrong(all.train.task.empty() ? "TASK is required" : "--architecture is required");
  if (app.got_subcommand("lesson") && all.lesson.lesson.empty() && !all.lesson.list)
    return wrong("expected a LESSON, or --list");
  return chosen(app, all);
}

}  // namespace headlight
