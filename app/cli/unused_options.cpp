#include "app/cli/unused_options.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <span>
#include <vector>

#include "app/messages.h"
#include "app/stage/view_table.h"
#include "model/core/errors.h"
#include "model/core/json_library.h"
#include "widgets/base/utf8_text.h"
#include "widgets/export/animation.h"

namespace headlight {

namespace {

// Options act where this holds; else they need what the words say.
template <class Asked>
struct Use {
  std::vector<const char*> options;
  const char* needs;
  bool (*acts)(const Asked&);
};

template <class Asked>
void tell(const Asked& asked, std::type_identity_t<std::span<const Use<Asked>>> table) {
  std::set<std::string> told;
  for (const Use<Asked>& use : table)
    for (const char* option : use.options)
      if (asked.command.has(option) && !use.acts(asked) && told.insert(option).second)
        warn_line(std::string(option) + " is not used: " + use.needs);
}

void refuse_both(const Given& given, const char* one, const char* other, const char* why) {
  if (given.has(one) && given.has(other))
    throw UsageError(std::string(one) + " and " + other + ": expected one of them, found both: " + why);
}

std::string ending(const std::string& path) { return std::filesystem::path(path).extension().string(); }

constexpr const char *kStored = "stored attention is shown as it is, nothing is computed",
                     *kElsewhere = "it is of models of other libraries";

constexpr const char* kNoAdapter = "it needs --adapter";
template <class Asked>
bool has_adapter(const Asked& asked) {
  return !asked.command.adapter.empty();
}

struct RunAsked {
  const RunCommand& command;
  const ModelBundle* bundle;
  bool stored() const { return bundle && bundle->stored; }
  bool chooses() const { return !stored() && !command.target; }
  bool samples() const { return bundle && chooses() && command.decode.decode == "sample"; }
  bool beams() const { return bundle && chooses() && command.decode.decode == "beam"; }
  bool draws() const {
    return samples() ||
           (bundle && bundle->model && bundle->model->config().value("attention.selection", "") == "hard_sample");
  }
};

bool not_stored(const RunAsked& asked) { return !asked.stored(); }
bool samples(const RunAsked& asked) { return asked.samples(); }
bool beams(const RunAsked& asked) { return asked.beams(); }
bool elsewhere(const RunAsked& asked) { return !asked.bundle; }

constexpr const char *kSample = "it needs --decode sample", *kBeam = "it needs --decode beam";
const Use<RunAsked> kRun[] = {
    {{"--adapter-scale"}, kNoAdapter, has_adapter<RunAsked>},
    {{"--second", "--ids", "--type-ids", "--decode"}, kStored, not_stored},
    {{"--decode"}, "--target says what is written", [](const RunAsked& a) { return a.chooses() || a.stored(); }},
    {{"--beam", "--alpha", "--beta", "--length-norm"}, kBeam, beams},
    {{"--length-norm"}, "it needs an --alpha above 0", [](const RunAsked& a) { return a.command.decode.alpha > 0; }},
    {{"--temperature", "--top-k", "--top-p"}, kSample, samples},
    {{"--top-k", "--top-p"},
     "with --temperature 0 the best token is taken",
     [](const RunAsked& a) { return a.command.decode.temperature > 0; }},
    {{"--seed"},
     "nothing is drawn; that needs --decode sample, or a model with hard attention",
     [](const RunAsked& a) { return a.draws() || (!a.bundle && !a.command.choose.empty()); }},
    {{"--new-tokens"}, kStored, not_stored},
    {{"--new-tokens"}, "it is of models of other libraries; this model writes until it ends", elsewhere},
    {{"--choose", "--target-ids", "--names", "--target-language"}, kElsewhere, elsewhere},
    {{"--names"}, "it names the values of --dump", [](const RunAsked& a) { return !a.command.dump.empty(); }},
};

struct RenderAsked {
  const RenderCommand& command;
  const ModelBundle& bundle;
  bool animated() const { return AnimationWriter::means_animation(path_text(command.out)); }
  // With boxes for its layer and head.
  bool shows_head() const {
    return std::ranges::count(std::array{"heads", "ribbons", "query-key", "score-parts", "alignment", "explain"},
                              command.view) > 0;
  }
  bool is_view() const { return std::ranges::count(view_table(), command.view, &ViewRow::name) > 0 && !animated(); }
};

bool is_picture(const RenderAsked& asked) { return !is_table_file(path_text(asked.command.out)); }
bool of_model(const RenderAsked& asked) { return !asked.bundle.stored; }

constexpr const char* kOneView =
    "it needs the picture of one view of a run; the window and animations choose their steps themselves";
const Use<RenderAsked> kRender[] = {
    {{"--adapter-scale"}, kNoAdapter, has_adapter<RenderAsked>},
    {{"--second"}, kStored, of_model},
    {{"--theme"}, "a table has no colours", is_picture},
    {{"--size", "--width", "--font-size"}, "a table has no size", is_picture},
    {{"--width", "--font-size"},
     "an animation is as large as --size says",
     [](const RenderAsked& a) { return !a.animated(); }},
    {{"--layer", "--head", "--token", "--side"}, kOneView, [](const RenderAsked& a) { return a.is_view(); }},
    {{"--layer", "--head", "--side"},
     "the picture of this view is not of one head",
     [](const RenderAsked& a) { return a.shows_head(); }},
    {{"--count-from"},
     "it needs --layer, --head or --token",
     [](const RenderAsked& a) { return a.command.layer || a.command.head || a.command.token; }},
    {{"--scale"},
     "it needs a .png or a .gif",
     [](const RenderAsked& a) { return ending(a.command.out) == ".png" || ending(a.command.out) == ".gif"; }},
    {{"--frames"},
     "it needs an animation: a .gif, or a .png with %04d in its name",
     [](const RenderAsked& a) { return a.animated(); }},
    {{"--step"}, kOneView, [](const RenderAsked& a) { return a.is_view(); }},
    {{"--step"},
     "the picture of this view is the same for every output",
     [](const RenderAsked& a) {
       return !std::ranges::count(std::array{"heads", "positions", "states", "mechanism"}, a.command.view);
     }},
    {{"--level"}, "it needs --view map", [](const RenderAsked& a) { return a.command.view == "map" && a.is_view(); }},
};

struct WindowAsked {
  const WindowCommand& command;
  const char* opened;
};
struct TrainAsked {
  const TrainCommand& command;
};
const Use<TrainAsked> kTrain[] = {
    {{"--skip-bad-lines"}, "it needs --files", [](const TrainAsked& a) { return !a.command.files.empty(); }},
};

struct EvaluateAsked {
  const EvaluateCommand& command;
  bool elsewhere;
};
const Use<EvaluateAsked> kEvaluate[] = {
    {{"--adapter-scale"}, kNoAdapter, has_adapter<EvaluateAsked>},
    {{"--held-out", "--skip-bad-lines"},
     "it needs --files",
     [](const EvaluateAsked& a) { return !a.command.files.empty(); }},
    {{"--texts"}, kElsewhere, [](const EvaluateAsked& a) { return a.elsewhere; }},
};

struct CompareAsked {
  const CompareCommand& command;
  bool weights;
};
bool of_models(const CompareAsked& asked) { return !asked.weights; }
bool of_weights(const CompareAsked& asked) { return asked.weights; }
bool reads_text(const CompareAsked& asked) { return asked.command.reads(); }
bool by_length(const CompareAsked& asked) { return asked.command.by == "length"; }
bool has_picture(const CompareAsked& asked) { return !asked.command.out.empty(); }

constexpr const char *kTensors = "two files of weights are compared, tensor by tensor",
                     *kLength = "it needs --by length", *kPicture = "it shapes the picture of --out";
const Use<CompareAsked> kCompare[] = {
    {{"--adapter-scale"}, kNoAdapter, has_adapter<CompareAsked>},
    {{"--by", "--metric", "--task", "--limit", "--title", "--theme", "--size"}, kTensors, of_models},
    {{"--task", "--limit"}, kLength, by_length},
    {{"--title", "--theme", "--size"}, kPicture, has_picture},
    {{"--source", "--ids", "--target-ids", "--new-tokens", "--json"}, "it needs two files of weights", of_weights},
    {{"--target-ids", "--new-tokens"}, "it needs --source or --ids", reads_text},
};

struct ExperimentAsked {
  const ExperimentCommand& command;
};
bool has_folder(const ExperimentAsked& asked) { return !asked.command.out.empty(); }
const Use<ExperimentAsked> kExperiment[] = {
    {{"--format", "--theme", "--size"}, "it shapes the pictures of --out", has_folder},
};

struct InspectAsked {
  const InspectCommand& command;
};
bool no_mapping(const InspectAsked& asked) { return asked.command.mapping.empty(); }
const Use<InspectAsked> kInspect[] = {
    {{"--adapter-scale"}, kNoAdapter, has_adapter<InspectAsked>},
    {{"--dump"}, "with --mapping only the mapping is printed", no_mapping},
    {{"--json"}, "with --mapping only the mapping is printed, which is JSON", no_mapping},
};

struct VerifyAsked {
  const VerifyCommand& command;
  bool elsewhere;
};
const Use<VerifyAsked> kVerify[] = {
    {{"--adapter-scale"}, kNoAdapter, has_adapter<VerifyAsked>},
    {{"--partial"},
     "of models of other libraries what the reference has is compared",
     [](const VerifyAsked& a) { return !a.elsewhere; }},
};

struct LessonAsked {
  const LessonCommand& command;
  bool prints() const { return !lists() && !command.check && (is_sheet() || !command.slides.empty()); }
  bool is_sheet() const { return !command.worksheet.empty() || !command.answers.empty(); }
  bool lists() const { return command.list; }
  bool opens() const { return !lists() && !command.check && !prints(); }
};
bool no_list(const LessonAsked& asked) { return !asked.lists(); }
bool no_check(const LessonAsked& asked) { return !asked.command.check; }

constexpr const char *kList = "--list only lists the lessons", *kCheck = "--check only plays the lesson";
const Use<LessonAsked> kLesson[] = {
    {{"LESSON", "--check", "--step", "--worksheet", "--answers", "--slides"}, kList, no_list},
    {{"--step", "--worksheet", "--answers", "--slides"}, kCheck, no_check},
    {{"--step"}, "what is printed has all steps", [](const LessonAsked& a) { return !a.prints(); }},
    {{"--no-threads"}, "it is of the window, and none opens", [](const LessonAsked& a) { return a.opens(); }},
    {{"--json"}, "it needs --list", [](const LessonAsked& a) { return a.lists(); }},
    {{"--paper"}, "it needs --worksheet or --answers", [](const LessonAsked& a) { return a.prints() && a.is_sheet(); }},
    {{"--theme"}, "it needs --slides", [](const LessonAsked& a) { return a.prints() && !a.command.slides.empty(); }},
};

}  // namespace

void refuse_contradictions(const RunCommand& command) {
  refuse_both(command, "--ids", "--source", "each says what the model reads");
  refuse_both(command, "--ids", "--second", "numbers are a whole input; --type-ids tells which sentence they are of");
  for (const char* one : {"--source", "--ids", "--type-ids", "--dump", "--choose", "--names", "--mapping"})
    refuse_both(command, "--texts", one, "a list is run text by text, and printed");
  refuse_both(command, "--new-tokens", "--choose", "max_new_tokens of its file says how much is written");
  refuse_both(command, "--json", "--pharaoh", "each is a way to print it");
}

void refuse_contradictions(const RenderCommand& command) {
  refuse_both(command, "--text", "--source", "each says which text is shown");
  refuse_both(command, "--texts", "--source", "each says which text is shown");
  refuse_both(command, "--size", "--width", "each says how wide it is");
}

void refuse_contradictions(const TrainCommand& command) {
  for (const char* named : {"TASK", "--architecture", "--files"})
    refuse_both(command, "--preset", named, "a preset has its own task and model");
  refuse_both(command, "--record", "--resume", "what came before was not recorded");
}

void refuse_contradictions(const RecordingCommand& command) {
  const char* why = "each is a way to print it";
  refuse_both(command, "--json", "--csv", why);
  refuse_both(command, "--json", "--marks", why);
  refuse_both(command, "--csv", "--marks", why);
}

void tell_unused(const RunCommand& command, const ModelBundle* bundle) { tell(RunAsked{command, bundle}, kRun); }

void tell_unused(const RenderCommand& command, const ModelBundle& bundle) {
  tell(RenderAsked{command, bundle}, kRender);
}

void tell_unused(const WindowCommand& command, const char* opened) {
  for (const char* option : {"--source", "--second", "--target"})
    if (opened && command.has(option))
      warn_line(std::string(option) + " is not used: " + opened + " is opened, which has no place for it");
  if (command.has("--adapter-scale") && command.adapter.empty())
    warn_line(std::string("--adapter-scale is not used: ") + kNoAdapter);
}

void tell_unused(const TrainCommand& command) { tell(TrainAsked{command}, kTrain); }

void tell_unused(const EvaluateCommand& command, bool elsewhere) { tell(EvaluateAsked{command, elsewhere}, kEvaluate); }

void tell_unused(const CompareCommand& command, bool weights) { tell(CompareAsked{command, weights}, kCompare); }

void tell_unused(const ExperimentCommand& command, const std::string& uses) {
  for (const char* option : {"--seed", "--seeds", "--trials", "--epochs", "--limit", "--set", "--texts"})
    if (command.has(option) && (" " + uses + " ").find(std::string(" ") + option + " ") == std::string::npos)
      warn_line(std::string(option) + " is not used: the experiment '" + command.name + "' has " +
                (uses.empty() ? "no such choice" : "only " + uses));
  tell(ExperimentAsked{command}, kExperiment);
}

void tell_unused(const InspectCommand& command) { tell(InspectAsked{command}, kInspect); }

void tell_unused(const VerifyCommand& command, bool elsewhere) { tell(VerifyAsked{command, elsewhere}, kVerify); }

void tell_unused(const LessonCommand& command) { tell(LessonAsked{command}, kLesson); }

}  // namespace headlight
