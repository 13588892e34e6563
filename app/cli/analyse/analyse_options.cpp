#include "app/cli/analyse/analyse_options.h"

#include <algorithm>

#include "app/cli/command_line_options.h"
#include "app/messages.h"
#include "model/analysis/bench/head_effect.h"
#include "model/analysis/bench/links.h"
#include "model/analysis/bench/target.h"
#include "model/core/errors.h"

namespace headlight {

namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  headlight analyse summary ./minilm --source 'It was too tired.'\n"
    "  headlight analyse summary ./minilm --texts sentences.txt --out heads.csv\n"
    "  headlight analyse effect ./minilm --texts sentences.tsv --out effect.npz\n"
    "  headlight analyse effect ./gpt2 --source 'The keys to the cabinet' --target diff --a ' are' --b ' is'\n"
    "  headlight analyse similarity ./minilm --source 'It was too tired.' --second 'It was too wide.'\n"
    "  headlight analyse rank ./minilm --source 'It was too tired.' --pair 4,1\n"
    "  headlight analyse align ./opus-mt --texts pairs.tsv --links pairs.pharaoh\n"
    "  headlight analyse number ./minilm --texts sentences.txt --number 'encoder.layer[3].ffn.act[:,7]'\n"
    "  headlight analyse repeated ./gpt2 --length 24 --seed 7\n"
    "  headlight analyse golden ./gpt2 --inputs gpt2.json --dump gpt2.npz\n\nMethods:\n";

}  // namespace

const std::vector<AnalyseMethod>& analyse_methods() {
  static const std::vector<AnalyseMethod> all = {
      {"summary", "entropy, distance, shares of neighbours, sinks and likeness of all heads", true, "--side"},
      {"norm", "what tokens bring: lengths of weighted values, mixing, ALTI", false, "--side"},
      {"rollout", "attention of all layers as one", false, ""},
      {"flow", "the largest flow through all layers", false, "--rows"},
      {"repeated", "heads on random tokens that are said twice: induction, duplicate", false,
       "--length --repeats --seed"},
      {"patterns", "what each head looks at, in shares and in one word; texts unlike the others", true, "--side", true},
      {"rank", "all heads by one pair of words: weight, and length of what it brings", false, "--pair --side"},
      {"neurons", "units of the feed-forward networks: how often above 0, and the text where each is largest", true,
       ""},
      {"number", "any number of a run, or how probable its output is, of every text", true, "--number", true},
      {"similarity", "which words make two sentences similar", true, "--second"},
      {"effect", "what changes without each head", true, "--off --other --target --a --b --at --unit --second"},
      {"align", "links between words of a text and of its translation", true, "--links --rule --threshold --head"},
      {"golden", "the keys of a file of golden values", false, "--inputs --dump"}};
  return all;
}

const AnalyseMethod& analyse_method(const std::string& name) {
  return *std::ranges::find(analyse_methods(), name, &AnalyseMethod::name);
}

void declare_analyse(CLI::App& app, AnalyseCommand& c, const char* model_help) {
  CLI::App* sub = app.add_subcommand("analyse", "Measure what heads do and what they are worth, on one text or many");
  std::string methods = kExamples;
  std::vector<std::string> names;
  for (const AnalyseMethod& method : analyse_methods()) {
    std::string name = method.name;
    names.push_back(name);
    name.resize(12, ' ');
    methods += "  " + name + method.what + (method.lists ? " (also of a list)" : "") + "\n";
  }
  sub->footer(methods + "Layers and heads are counted from 1 (--count-from 0: as sites and --edit do); tokens from 0.");
  word_option(sub, "METHOD", c.method, names, "what to measure, see below")->required();
  path_option(sub, "MODEL", PathKind::model, c.model, model_help)->required();
  text_option(sub, "-s,--source", c.source, "text that the model reads");
  text_option(sub, "--second", c.second, "a second text: of a pair, or to be compared with");
  text_option(sub, "--output", c.output, "output that a decoder behind an encoder is forced to write");
  path_option(sub, "--texts", PathKind::file, c.texts,
              "list of texts (.txt .tsv .jsonl .json); beside --source: what --off mean is the mean of");
  word_option(sub, "--side", c.side, {"encoder", "decoder", "cross"}, "one kind of attention alone");
  name_option(sub, "--pair", c.pair, "rank: QUERY,KEY, numbers of tokens from 0");
  name_option(sub, "--head", c.head, "align: LAYER,HEAD whose links are printed; else the best, or the mean of all");
  name_option(sub, "--rows", c.rows, "flow: rows 5,14, numbers of tokens from 0 (default: all)");
  word_option(sub, "--target", c.target, {std::begin(kTargetNames), std::end(kTargetNames)},
              "effect: which number is asked (default: embedding, where the model has one, else diff)");
  name_option(sub, "--a", c.a, "of the target: a token or class, or #NUMBER (default: the best)");
  name_option(sub, "--b", c.b, "of the target diff: the other one (default: the best but a)");
  number_option(sub, "--at", c.at, 0, 1'000'000, "of the target: the row of the logits, from 0");
  number_option(sub, "--unit", c.unit, 0, 1'000'000, "of the target unit: which one, from 0");
  word_option(sub, "--off", c.off, {std::begin(kHeadOffNames), std::end(kHeadOffNames)},
              "effect: what stands in the place of a head's findings");
  text_option(sub, "--other", c.other, "effect: the text of --off other (default: --second)");
  name_option(sub, "--number", c.number,
              "number: SITE[2,7] or SITE[:,7], where : is the largest along it (default: log p of the output)");
  path_option(sub, "--links", PathKind::file, c.links, "align: known links, a line 0-0 1-2 for each text");
  word_option(sub, "--rule", c.rule, {std::begin(kLinkRules), std::end(kLinkRules)}, "align: which weights are links");
  number_option(sub, "--threshold", c.threshold, 0, 1, "align: of the rule threshold");
  number_option(sub, "--length", c.length, 2, 4096, "repeated: how many random tokens");
  number_option(sub, "--repeats", c.repeats, 1, 1000, "repeated: how many texts");
  options::add_number<unsigned long long>(sub, "--seed", 0, std::numeric_limits<unsigned long long>::max(),
                                          "repeated: of the random tokens",
                                          [&c](unsigned long long number) { c.seed = number; })
      ->type_name("NUMBER");
  number_option(sub, "--count-from", c.count_from, 0, 1, "the first layer and head in tables");
  path_option(sub, "-o,--out", PathKind::file, c.out,
              "file for the result: .json, .npz (every number) or .csv (the table)");
  path_option(sub, "--inputs", PathKind::file, c.inputs, "golden: the .json beside the golden values");
  path_option(sub, "--dump", PathKind::file, c.dump, "golden: the .npz to write");
  sub->add_flag("--json", c.json, "print one JSON object instead of a table");
  sub->add_flag("-q,--quiet", c.quiet, "say nothing while it runs");
}

void tell_unused(const AnalyseCommand& command) {
  static constexpr const char* kOfSome[] = {"--side",      "--pair",    "--head",   "--rows", "--target",
                                            "--a",         "--b",       "--at",     "--unit", "--off",
                                            "--other",     "--links",   "--rule",   "--seed", "--length",
                                            "--threshold", "--repeats", "--inputs", "--dump", "--number"};
  const std::string takes = std::string(analyse_method(command.method).takes) + " ";
  for (const char* option : kOfSome)
    if (command.has(option) && takes.find(std::string(option) + " ") == takes.npos)
      warn_line(std::string(option) + " is not used: analyse " + command.method + " does not take it");
}

}  // namespace headlight
