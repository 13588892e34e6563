// Functions of what a run costs: multiplications, steps that wait for one another, bytes of its cache.

#include <algorithm>

#include "app/lessons/expressions/expression_evaluator.h"
#include "model/analysis/cost/kv_cache.h"
#include "model/analysis/cost/timeline.h"
#include "model/text/nearest.h"

namespace headlight::expressions {

namespace {

constexpr const char *kAllParts = "all", *kExponentials = "exponentials";
constexpr int kLongestText = 1'000'000, kLongestTimeline = 2'000;  // tokens

std::vector<std::string> names_of_parts() {
  std::vector<std::string> names = {kAllParts, kExponentials};
  for (const CostPart part : kCostParts) names.emplace_back(name_of(part));
  return names;
}

}  // namespace

// Of the run, or of a text of so many tokens.
RunLengths Evaluator::lengths(const Node& node, std::size_t argument) const {
  const RunLengths own = run_lengths(result(node));
  if (node.children.size() <= argument) return own;
  const int longest = node.text == "cost" ? kLongestText : kLongestTimeline;
  return own.of(whole(*node.children[argument], 1, longest));
}

ExpressionValue Evaluator::cost(const Node& node) const {
  const std::string& name = node.children[0]->text;
  const std::vector<std::string> known = names_of_parts();
  if (std::ranges::find(known, name) == known.end())
    fail(*node.children[0], "there is no part '" + name.substr(0, 60) + "'" + did_you_mean_or("known: ", name, known));
  std::optional<Pace> pace = Pace::writes;
  if (node.children.size() > 1) pace = pace_named(text(*node.children[1]));
  if (!pace) fail(*node.children[1], "expected \"learns\" or \"writes\"");
  const std::optional<ModelCost> cost = model_cost(result(node));
  if (!cost) absent(node, "this model's attention was stored; nothing is computed");
  const RunLengths of = lengths(node, 2);
  if (name == kAllParts) return cost->multiplications(of, *pace);
  if (name == kExponentials) return cost->exponentials(of, *pace);
  return cost->multiplications(*cost_part(name), of, *pace);
}

ExpressionValue Evaluator::dependent_steps(const Node& node) const {
  const std::optional<Pace> pace = pace_named(node.children[0]->text);
  if (!pace) fail(*node.children[0], "expected \"learns\" or \"writes\"");
  const RunLengths of = lengths(node, 1);
  const Result& run = result(node);
  if (!run.model || !run.model->model || run.model->stored)
    absent(node, "this model's attention was stored; nothing is computed");
  return static_cast<double>(timeline(*run.model->model, of, *pace)->columns);
}

ExpressionValue Evaluator::cached_bytes(const Node& node) const {
  const std::optional<CacheShape> shape = cache_shape(result(node));
  if (!shape) absent(node, "this model keeps no keys and values of what it writes");
  const int bits = node.children.size() > 1 ? whole(*node.children[1], 1, 64) : 32;
  if (bits % 8 != 0) fail(*node.children[1], "expected whole bytes: 8, 16, 32 or 64 bits");
  return cache_bytes(*shape, tokens_read(result(node), one_step(*node.children[0])), bits / 8);
}

}  // namespace headlight::expressions
