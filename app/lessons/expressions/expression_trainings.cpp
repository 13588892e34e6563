// Functions of recorded trainings: what was measured at the moment that is shown, at other moments and in others.

#include <algorithm>

#include "app/lessons/expressions/expression_evaluator.h"
#include "model/recording/story.h"
#include "model/text/nearest.h"

namespace headlight::expressions {

namespace {

// What a training has at a moment; the rows behind `numbers` are the same at all of them.
struct RecordedRow {
  const char* name;
  double (*of)(const Recording&, const Moment&);
};
constexpr RecordedRow kRecorded[] = {
    {"right_unseen", [](const Recording&, const Moment& at) { return at.right_unseen; }},
    {"right_trained", [](const Recording&, const Moment& at) { return at.right_trained; }},
    {"looks_right", [](const Recording&, const Moment& at) { return at.looks_right; }},
    {"concentration", [](const Recording&, const Moment& at) { return at.concentration; }},
    {"perplexity", [](const Recording&, const Moment& at) { return at.perplexity; }},
    {"loss", [](const Recording&, const Moment& at) { return at.loss; }},
    {"learning_rate", [](const Recording&, const Moment& at) { return at.learning_rate; }},
    {"gradient_norm", [](const Recording&, const Moment& at) { return at.gradient_norm; }},
    {"read", [](const Recording&, const Moment& at) { return static_cast<double>(at.read); }},
    {"update", [](const Recording&, const Moment& at) { return static_cast<double>(at.update); }},
    {"seconds", [](const Recording&, const Moment& at) { return at.seconds; }},
    {"numbers", [](const Recording& of, const Moment&) { return static_cast<double>(of.numbers); }},
    {"examples", [](const Recording& of, const Moment&) { return static_cast<double>(of.examples); }},
    {"held_out", [](const Recording& of, const Moment&) { return static_cast<double>(of.held_out); }},
    {"seed", [](const Recording& of, const Moment&) { return static_cast<double>(of.settings.seed); }},
};

const RecordedRow* find_recorded(const std::string& name) {
  const auto* found = std::ranges::find(kRecorded, name, &RecordedRow::name);
  return found == std::end(kRecorded) ? nullptr : found;
}

std::string no_such(const std::string& name) {
  std::vector<std::string> known;
  for (const RecordedRow& each : kRecorded) known.emplace_back(each.name);
  return "a recording has no '" + name.substr(0, 60) + "'" + did_you_mean_or("known: ", name, known);
}

std::vector<std::string> words_of(const ProbeRun& run) {
  std::vector<std::string> words;
  for (const ProbeToken& each : run.output) words.push_back(each.text);
  return words;
}

constexpr int kMostPoints = 1'000;

}  // namespace

const ShownTraining& Evaluator::training(const Node& node) const {
  if (!scope_.training || scope_.training->runs.empty()) fail(node, "this step shows no training");
  return *scope_.training;
}

const ProbeRun& Evaluator::probed(const Node& node) const {
  const ShownTraining& shown = training(node);
  const std::vector<ProbeRun>& runs = shown.now().probes;
  if (shown.probe < 0 || static_cast<std::size_t>(shown.probe) >= runs.size())
    absent(node, "this training has no probe");
  return runs[static_cast<std::size_t>(shown.probe)];
}

// Where a word stands, by itself or by its place; a negative place counts from the end.
int Evaluator::word_of_probe(const Node& node, const std::vector<std::string>& words, const char* what) const {
  const Value asked = value(node);
  if (!std::holds_alternative<std::string>(asked)) return place_of(node, static_cast<int>(words.size()), what);
  const auto found = std::ranges::find(words, std::get<std::string>(asked));
  if (found == words.end())
    absent(node, std::string("there is no ") + what + " '" + std::get<std::string>(asked).substr(0, 60) + "' then");
  return static_cast<int>(found - words.begin());
}

ExpressionValue Evaluator::recorded(const Node& node) const {
  const ShownTraining& shown = training(node);
  const std::string& name = node.children[0]->text;
  const RecordedRow* row = find_recorded(name);
  if (!row) fail(*node.children[0], no_such(name));
  const double found = row->of(shown.run(), shown.now());
  if (!is_measured(found)) absent(node, "'" + name + "' was not measured at this moment");
  return found;
}

// At all moments at which it was measured, or after so many equal parts of what is read: what stood there then.
ExpressionValue Evaluator::over_time(const Node& node) const {
  const Recording& run = training(node).run();
  const std::string& name = node.children[0]->text;
  const RecordedRow* row = find_recorded(name);
  if (!row) fail(*node.children[0], no_such(name));
  NumberList made;
  if (node.children.size() > 1) {
    const int points = whole(*node.children[1], 2, kMostPoints);
    for (int k = 0; k < points; ++k)
      made.values.push_back(row->of(run, run.at(moment_at(run, run.reads * k / (points - 1)))));
  } else {
    for (const auto& each : run.moments) made.values.push_back(row->of(run, *each));
    std::erase_if(made.values, [](double each) { return !is_measured(each); });
  }
  if (made.values.empty()) absent(node, "'" + name + "' was not measured in this training");
  made.shape = {static_cast<long>(made.values.size())};
  return made;
}

// A moment by its number: from where a word of the output stays, from where so many are right, after so many read.
ExpressionValue Evaluator::moment_of(const Node& node) const {
  const ShownTraining& shown = training(node);
  const Recording& run = shown.run();
  const Node& asked = *node.children[0];
  if (node.text == "read_at")
    return static_cast<double>(moment_at(run, static_cast<Index>(std::max(0.0, number(asked)))));
  if (node.text == "first_at") {
    const double share = number(asked);
    const std::optional<int> found = first_at(run, share);
    if (!found) absent(node, "it never had " + number_text(100 * share, -1) + " % right");
    return static_cast<double>(*found);
  }
  const std::vector<Mark> all = marks(run, shown.probe);
  std::vector<std::string> words;
  for (const Mark& each : all) words.push_back(each.word);
  return static_cast<double>(all[static_cast<std::size_t>(word_of_probe(asked, words, "mark"))].moment);
}

// The expression at another moment, of the second of two trainings, or at the end of another one.
ExpressionValue Evaluator::then(const Node& node) const {
  ShownTraining there;
  if (node.text == "trained") {
    const std::shared_ptr<const Recording> run = others(node).recording(node.children[0]->text);
    there.runs = {run};
    there.moments = {run->count() - 1};
  } else {
    there = training(node);
  }
  if (node.text == "when") {
    there.moments[static_cast<std::size_t>(there.side)] = place_of(*node.children[0], there.run().count(), "moment");
  } else if (node.text == "beside") {
    if (there.runs.size() < 2) fail(node, "there is one training; beside() needs two");
    there.side = 1 - there.side;
  }
  ExpressionScope scope = scope_;
  scope.training = std::make_shared<const ShownTraining>(std::move(there));
  return Evaluator(text_, scope, cancel_, budget_).value(*node.children.back());
}

ExpressionValue Evaluator::written_then(const Node& node) const {
  std::string all;
  for (const ProbeToken& each : probed(node).output) all += (all.empty() ? "" : " ") + each.text;
  return all;
}

ExpressionValue Evaluator::sure_then(const Node& node) const {
  const ProbeRun& run = probed(node);
  return run.output[static_cast<std::size_t>(word_of_probe(*node.children[0], words_of(run), "word"))].probability;
}

ExpressionValue Evaluator::weight_then(const Node& node) const {
  const ShownTraining& shown = training(node);
  const ProbeRun& run = probed(node);
  const int maps = static_cast<int>(run.attention.size());
  if (maps == 0) absent(node, "this model has no attention");
  const int map = node.children.size() > 2 ? whole(*node.children[2], 0, maps - 1) : 0;
  const Tensor& weights = run.attention[static_cast<std::size_t>(map)];
  const std::vector<std::string>& source = shown.run().probes[static_cast<std::size_t>(shown.probe)].source_tokens;
  const int row = word_of_probe(*node.children[0], words_of(run), "word"),
            column = word_of_probe(*node.children[1], source, "word of the probe");
  if (row >= weights.dim(0) || column >= weights.dim(1)) absent(node, "its picture has no such square");
  return static_cast<double>(weights[row * weights.dim(1) + column]);
}

ExpressionValue Evaluator::differing(const Node& node) const {
  const ShownTraining& shown = training(node);
  if (shown.runs.size() < 2) fail(node, "there is one training; differing() needs two");
  const double threshold = number(*node.children[0]);
  const int map = node.children.size() > 1 ? whole(*node.children[1], 0, 1'000) : 0;
  const auto probe = static_cast<std::size_t>(shown.probe);
  const Moment &first = shown.runs[0]->at(shown.moments[0]), &second = shown.runs[1]->at(shown.moments[1]);
  for (const Moment* each : {&first, &second})
    if (probe >= each->probes.size() || static_cast<std::size_t>(map) >= each->probes[probe].attention.size())
      absent(node, "one of the two has no such picture");
  return static_cast<double>(difference(first.probes[probe], second.probes[probe], map, threshold).cells.size());
}

}  // namespace headlight::expressions
