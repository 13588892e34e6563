// Functions of any value of a run, of its derivatives, of the model's parameters and settings.

#include <cmath>

#include "app/document/session.h"
#include "app/lessons/expressions/expression_evaluator.h"
#include "model/core/json_library.h"
#include "model/text/nearest.h"

namespace headlight::expressions {

namespace {

constexpr Index kMostCells = 4096;  // of a derivative

using Rows = std::vector<std::vector<Index>>;  // of each axis that was named

std::string near(const Trace& run, const std::string& site) {
  std::vector<std::string> known;
  for (const TraceEntry& entry : run.entries()) known.push_back(entry.site.text);
  return did_you_mean(site, known);
}

// Flat indices of what was named.
std::vector<Index> flat(const Tensor& value, const Rows& rows) {
  std::vector<Index> cells = {0};
  for (int axis = 0; axis < value.rank(); ++axis) {
    std::vector<Index> next;
    const auto named = static_cast<std::size_t>(axis) < rows.size();
    const Index count = value.dim(axis);
    for (const Index cell : cells) {
      if (named)
        for (const Index each : rows[static_cast<std::size_t>(axis)]) next.push_back(cell * count + each);
      else
        for (Index each = 0; each < count; ++each) next.push_back(cell * count + each);
    }
    cells = std::move(next);
  }
  return cells;
}

ExpressionValue gathered(const Tensor& value, const Rows& rows) {
  NumberList made;
  for (int axis = 0; axis < value.rank(); ++axis) {
    const bool named = static_cast<std::size_t>(axis) < rows.size();
    const auto count = named ? static_cast<Index>(rows[static_cast<std::size_t>(axis)].size()) : value.dim(axis);
    if (!named || count > 1) made.shape.push_back(count);
  }
  for (const Index cell : flat(value, rows)) made.values.push_back(value[cell]);
  if (made.shape.empty()) return made.values.front();
  return made;
}

}  // namespace

// A site whose '?' are taken from arguments, and the indices behind it.
struct Evaluator::Found {
  std::string site;
  Tensor value;
  int entry = -1;
  Rows rows;
};

Evaluator::Found Evaluator::found(const ExpressionNode& node, std::size_t& argument, std::size_t end) const {
  const ExpressionNode& named = *node.children[argument++];
  Found made;
  for (const char c : text(named)) {
    if (c != '?') {
      made.site += c;
      continue;
    }
    if (argument >= end) fail(named, "expected a number for each '?'");
    made.site += std::to_string(whole(*node.children[argument++], 0, 1'000'000));
  }
  const Trace& run = trace(node);
  made.value = run.value(made.site);
  made.entry = run.find(made.site);
  if (!made.value) {
    if (!find_site_kind(made.site))
      fail(named, "there is no site '" + made.site.substr(0, 80) + "'" + near(run, made.site));
    absent(named, "this run has no value '" + made.site.substr(0, 80) + "'" + near(run, made.site));
  }
  for (int axis = 0; argument < end && node.children[argument]->kind != ExpressionNode::Kind::text;
       ++axis, ++argument) {
    if (axis >= made.value.rank())
      fail(*node.children[argument], "the value has " + std::to_string(made.value.rank()) + " axes only");
    made.rows.push_back(indices(*node.children[argument], made.value.dim(axis)));
  }
  return made;
}

std::vector<Index> Evaluator::indices(const ExpressionNode& node, Index count) const {
  const Value at = value(node);
  std::vector<Index> made;
  if (const auto* where = std::get_if<Places>(&at)) {
    if (where->of == Places::Of::cells) fail(node, "expected tokens or steps, found squares");
    const Result& here = result(node);
    for (const int each : where->at) {
      const int place = where->of == Places::Of::source ? here.position_of_token[static_cast<std::size_t>(each)] : each;
      if (place < 0) absent(node, "this token was left out of the run");
      made.push_back(place);
    }
  } else {
    made.push_back(place_of(node, static_cast<int>(count), "index"));
  }
  for (const Index each : made)
    if (each >= count)
      absent(node, "there is no index " + std::to_string(each) + "; the axis has " + std::to_string(count));
  return made;
}

ExpressionValue Evaluator::site_value(const ExpressionNode& node) const {
  std::size_t argument = 0;
  const Found what = found(node, argument, node.children.size());
  if (argument < node.children.size()) fail(*node.children[argument], "expected an index, found a text");
  return gathered(what.value, what.rows);
}

ExpressionValue Evaluator::gradient(const ExpressionNode& node) const {
  std::size_t argument = 0;
  const Found of = found(node, argument, node.children.size());
  if (argument >= node.children.size()) fail(node, "expected a second site: by what the derivative is taken");
  const Found by = found(node, argument, node.children.size());
  if (argument < node.children.size()) fail(*node.children[argument], "expected an index, found a text");
  if (of.entry < 0 || by.entry < 0) fail(node, "a derivative is of whole values: name the attention, not one head");
  const std::vector<Index> rows = flat(of.value, of.rows), columns = flat(by.value, by.rows);
  if (static_cast<Index>(rows.size()) > kMostCells)
    fail(node, "a derivative of " + std::to_string(rows.size()) + " numbers; expected at most 4096");
  const Tensor derivative = trace(node).derivative(of.entry, rows, by.entry, cancel_);
  double sum = 0;
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (const Index column : columns) {
      const double each = derivative[static_cast<Index>(row) * by.value.size() + column];
      sum += each * each;
    }
  return std::sqrt(sum);
}

ExpressionValue Evaluator::weights(const ExpressionNode& node) const {
  const std::string& name = node.children[0]->text;
  Found what;
  std::vector<std::string> known;
  for (const NamedTensor& parameter : trace(node).parameters()) {
    known.push_back(parameter.name);
    if (parameter.name == name) what.value = parameter.value;
  }
  if (!what.value)
    fail(*node.children[0], "there is no parameter '" + name.substr(0, 80) + "'" + did_you_mean(name, known));
  for (std::size_t k = 1; k < node.children.size(); ++k) {
    const int axis = static_cast<int>(k) - 1;
    if (axis >= what.value.rank()) fail(*node.children[k], "the parameter has no such axis");
    what.rows.push_back({place_of(*node.children[k], static_cast<int>(what.value.dim(axis)), "index")});
  }
  return gathered(what.value, what.rows);
}

ExpressionValue Evaluator::target(const ExpressionNode& node) const {
  LinkTarget made;
  made.name = node.children[0]->text;
  made.kind = node.text == "view"    ? LinkTarget::Kind::view
              : node.text == "panel" ? LinkTarget::Kind::panel
                                     : LinkTarget::Kind::part;
  if (node.text != "site") return made;
  std::size_t argument = 0;
  const Found what = found(node, argument, node.children.size());
  made.kind = LinkTarget::Kind::site;
  made.name = what.site;
  made.cell = what.rows.empty() ? -1 : static_cast<long>(flat(what.value, what.rows).front());
  return made;
}

ExpressionValue Evaluator::probability(const ExpressionNode& node) const {
  const int at = one_step(*node.children[0]);
  const Result& here = result(node);
  const OutputStep& step = here.steps[static_cast<std::size_t>(at)];
  if (node.children.size() == 1) return step.probability;
  const std::string wanted = text(*node.children[1]);
  for (const Candidate& each : step.top)
    if (each.text == wanted) return each.probability;
  const auto id = here.model->target_vocabulary().find(wanted);
  if (!id) fail(*node.children[1], "the model does not know the token \"" + wanted.substr(0, 40) + "\"");
  const Tensor all = trace(node).value("decoder.step[" + std::to_string(at) + "].output.probs");
  return all && *id < all.size() ? static_cast<double>(all[*id]) : 0.0;
}

// How the model cuts a text, whether it is the one that runs or not.
ExpressionValue Evaluator::of_tokenizer(const Node& node) const {
  const std::vector<WordCut> cuts = result(node).model->text.source.cuts(text(*node.children[0]));
  std::vector<std::string> pieces;
  double merges = 0;
  for (const WordCut& cut : cuts) {
    for (const CutPiece& piece : cut.tokens()) pieces.push_back(piece.text);
    merges += static_cast<double>(cut.merges());
  }
  if (node.text == "merges") return merges;
  const auto count = static_cast<int>(pieces.size());
  if (node.children.size() == 1) return static_cast<double>(count);
  return pieces[static_cast<std::size_t>(place_of(*node.children[1], count, "piece"))];
}

ExpressionValue Evaluator::setting(const ExpressionNode& node) const {
  const std::string& key = node.children[0]->text;
  const Json& config =
      document(node).settings->contains(key) ? *document(node).settings : document(node).model->model->config();
  if (!config.contains(key)) {
    std::vector<std::string> known;
    for (const auto& [name, ignored] : config.items()) known.push_back(name);
    fail(*node.children[0], "the model has no setting '" + key.substr(0, 60) + "'" + did_you_mean(key, known));
  }
  const Json& found = config[key];
  if (found.is_boolean()) return found.get<bool>();
  if (found.is_number()) return found.get<double>();
  return found.is_string() ? found.get<std::string>() : found.dump();
}

ExpressionValue Evaluator::token(const ExpressionNode& node) const {
  return result(node).steps[static_cast<std::size_t>(one_step(*node.children[0]))].text;
}

}  // namespace headlight::expressions
