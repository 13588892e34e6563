// Functions of places and of attention: which tokens and steps are meant, and how much they look at each other.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/lessons/expressions/expression_evaluator.h"

namespace headlight::expressions {

struct Evaluator::Chosen {
  Index layer = -1, head = AttentionMap::kMean;  // layer -1: all
};

namespace {

// The n-th occurrence of a text among pieces, by the pieces that it covers; spaces count where `spaces`.
std::vector<int> pieces_of(const std::vector<std::string>& pieces, const std::string& wanted, int nth, bool spaces) {
  const auto plain = [spaces](const std::string& text) {
    std::string made;
    for (const char c : text)
      if (spaces || c != ' ') made += c;
    return made;
  };
  const std::string whole = plain(wanted);
  for (std::size_t begin = 0; begin < pieces.size() && !whole.empty(); ++begin) {
    std::string read;
    std::vector<int> covered;
    for (std::size_t end = begin; end < pieces.size() && read.size() < whole.size(); ++end) {
      read += plain(pieces[end]);
      covered.push_back(static_cast<int>(end));
      if (!whole.starts_with(read)) break;
      if (read == whole && --nth == 0) return covered;
    }
  }
  return {};
}

bool stands_for(const AttentionToken& token, const Places& at) {
  return std::ranges::any_of(
      at.at, [&](int each) { return at.of == Places::Of::source ? token.holds_token(each) : token.holds_step(each); });
}

}  // namespace

ExpressionValue Evaluator::read(const Node& node) const {
  const Result& here = result(node);
  const std::string wanted = text(*node.children[0]);
  int nth = node.children.size() > 1 ? whole(*node.children[1], 1, 1000) : 1;
  const int asked = nth;
  std::size_t at = std::string::npos;
  for (std::size_t from = 0; nth > 0 && !wanted.empty(); --nth, from = at + 1)
    if (at = here.source.find(wanted, from); at == std::string::npos) break;
  Places found{Places::Of::source, {}, {}};
  if (at != std::string::npos)
    for (std::size_t k = 0; k < here.tokens.size(); ++k) {
      const TextToken& token = here.tokens[k];
      if (!token.padding && token.begin < token.end && token.begin < at + wanted.size() && token.end > at)
        found.at.push_back(static_cast<int>(k));
    }
  // Signs that stand for no text: "<eos>", "[MASK]".
  for (std::size_t k = 0, seen = 0; found.at.empty() && k < here.tokens.size(); ++k)
    if (!here.tokens[k].padding && here.tokens[k].text == wanted && static_cast<int>(++seen) == asked)
      found.at.push_back(static_cast<int>(k));
  if (found.empty())
    absent(node, "the source \"" + here.source.substr(0, 60) + "\" has no \"" + wanted.substr(0, 40) + "\"" +
                     (asked > 1 ? " number " + std::to_string(asked) : ""));
  return found;
}

ExpressionValue Evaluator::written(const Node& node) const {
  const Result& here = result(node);
  const std::string wanted = text(*node.children[0]);
  const int nth = node.children.size() > 1 ? whole(*node.children[1], 1, 1000) : 1;
  std::vector<std::string> pieces;
  for (const OutputStep& step : here.steps) pieces.push_back(step.text);
  const bool characters = here.model->text.target.kind() == TokenizerKind::characters;
  const std::vector<int> at = pieces_of(pieces, wanted, nth, characters);
  if (at.empty())
    absent(node, "the output \"" + here.output.substr(0, 60) + "\" has no \"" + wanted.substr(0, 40) + "\"" +
                     (nth > 1 ? " number " + std::to_string(nth) : ""));
  return Places{Places::Of::output, at, {}};
}

ExpressionValue Evaluator::counted(const Node& node) const {
  const bool source = node.text == "reads";
  const Result& here = result(node);
  const int count = static_cast<int>(source ? here.tokens.size() : here.steps.size());
  const char* what = source ? "token" : "step";
  Places at{source ? Places::Of::source : Places::Of::output, {}, {}};
  const int from = place_of(*node.children[0], count, what);
  if (node.children.size() == 1) {
    at.at.push_back(from);
    return at;
  }
  const int to = whole(*node.children[1], -count, 1'000'000), end = std::min(to < 0 ? count + to : to, count);
  for (int k = from; k < end; ++k) at.at.push_back(k);
  if (at.empty()) absent(node, std::string("there is no ") + what + " between these");
  return at;
}

ExpressionValue Evaluator::neighbour(const Node& node) const {
  Places at = places(*node.children[0]);
  if (at.of == Places::Of::cells || at.at.empty()) fail(node, "expected tokens or steps");
  const auto [least, most] = std::ranges::minmax(at.at);
  const Result& here = result(node);
  const int count = static_cast<int>(at.of == Places::Of::source ? here.tokens.size() : here.steps.size());
  const int wanted = node.text == "first"  ? least
                     : node.text == "last" ? most
                     : node.text == "next" ? most + 1
                                           : least - 1;
  if (wanted < 0 || wanted >= count) absent(node, "there is nothing " + node.text + " of this");
  at.at = {wanted};
  return at;
}

ExpressionValue Evaluator::cells(const Node& node) const {
  const Places rows = steps_at(*node.children[0]), columns = places(*node.children[1]);
  if (columns.of != Places::Of::source) fail(*node.children[1], "expected tokens of the source");
  Places made{Places::Of::cells, {}, {}};
  for (const int row : rows.at)
    for (const int column : columns.at) made.cells.emplace_back(row, column);
  return made;
}

ExpressionValue Evaluator::without(const Node& node) const {
  Places made = places(*node.children[0]);
  const Places gone = places(*node.children[1]);
  std::erase_if(made.at, [&](int each) { return std::ranges::find(gone.at, each) != gone.at.end(); });
  std::erase_if(made.cells, [&](const auto& each) { return std::ranges::find(gone.cells, each) != gone.cells.end(); });
  return made;
}

Evaluator::Chosen Evaluator::chosen(const Node& node, std::size_t from) const {
  Chosen made;
  if (node.children.size() > from) made.layer = whole(*node.children[from], 0, 1000);
  if (node.children.size() > from + 1) made.head = whole(*node.children[from + 1], 0, 1000);
  return made;
}

// The maps in which these places are rows.
std::vector<const AttentionMap*> Evaluator::maps_of(const Node& node, const Places& from, const Chosen& which) const {
  trace(node);
  std::vector<const AttentionMap*> found;
  const auto gather = [&](AttentionMap::Kind kind) {
    for (const AttentionMap& map : scope_.run->maps())
      if (map.kind == kind && (which.layer < 0 || map.layer == which.layer || (map.layer < 0 && which.layer == 0)))
        found.push_back(&map);
  };
  if (from.of == Places::Of::output) gather(AttentionMap::Kind::cross);
  if (from.of == Places::Of::source) gather(AttentionMap::Kind::encoder_self);
  if (found.empty()) gather(AttentionMap::Kind::decoder_self);
  if (found.empty())
    fail(node, which.layer < 0 ? "this model has no such attention"
                               : "this model has no such attention in layer " + std::to_string(which.layer));
  for (const AttentionMap* map : found)
    if (which.head >= map->heads)
      fail(node, "there is no head " + std::to_string(which.head) + "; the layer has " + std::to_string(map->heads));
  return found;
}

Places Evaluator::row_places(const Node& node) const {
  const Value found = value(node);
  if (std::holds_alternative<double>(found)) return steps_at(node);
  Places at = places_of(node, found);
  if (at.of == Places::Of::cells) fail(node, "expected steps or tokens, found squares");
  return at;
}

// Each weight of the rows of these places, with what its column stands for. How many rows those are.
int Evaluator::each_weight(const Node& node, const Places& from, std::size_t layer_and_head,
                           const std::function<void(const AttentionToken&, double)>& take) const {
  const Chosen which = chosen(node, layer_and_head);
  int rows = 0;
  for (const AttentionMap* map : maps_of(node, from, which)) {
    const Tensor weights = map->matrix(which.head);
    for (Index row = 0; row < map->row_count(); ++row) {
      if (!stands_for(map->rows[static_cast<std::size_t>(row)], from)) continue;
      ++rows;
      for (Index column = 0; column < map->column_count(); ++column)
        take(map->columns[static_cast<std::size_t>(column)], weights[row * map->column_count() + column]);
    }
  }
  if (rows == 0) absent(node, "no row of the attention belongs to these places");
  return rows;
}

ExpressionValue Evaluator::share(const Node& node) const {
  const Places from = row_places(*node.children[0]), on = places(*node.children[1]);
  if (on.of == Places::Of::cells) fail(*node.children[1], "expected tokens or steps, found squares");
  double sum = 0;
  const int rows = each_weight(node, from, 2, [&](const AttentionToken& column, double weight) {
    if (stands_for(column, on)) sum += weight;
  });
  return sum / rows;
}

ExpressionValue Evaluator::row(const Node& node) const {
  const Places from = row_places(*node.children[0]);
  const auto count = result(node).tokens.size();
  NumberList made{{static_cast<long>(count)}, std::vector<double>(count), true};
  const int rows = each_weight(node, from, 1, [&](const AttentionToken& column, double weight) {
    if (column.token >= 0) made.values[static_cast<std::size_t>(column.token)] += weight;
  });
  for (double& each : made.values) each /= rows;
  return made;
}

// The list that a function puts in order.
NumberList Evaluator::ordered_list(const Node& node) const {
  NumberList numbers = list(*node.children[0]);
  if (std::ranges::any_of(numbers.values, [](double each) { return std::isnan(each); }))
    fail(node, "the list has no order: one of its values is not a number (NaN)");
  return numbers;
}

ExpressionValue Evaluator::extreme(const Node& node) const {
  const NumberList numbers = ordered_list(node);
  if (numbers.values.empty()) fail(node, "the list is empty");
  const auto at =
      node.text == "argmax" ? std::ranges::max_element(numbers.values) : std::ranges::min_element(numbers.values);
  const int place = static_cast<int>(at - numbers.values.begin());
  if (!numbers.over_source) return static_cast<double>(place);
  return Places{Places::Of::source, {place}, {}};
}

ExpressionValue Evaluator::top(const Node& node) const {
  const NumberList numbers = ordered_list(node);
  const double wanted = number(*node.children[1]);
  std::vector<int> order(numbers.values.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](int a, int b) {
    return numbers.values[static_cast<std::size_t>(a)] > numbers.values[static_cast<std::size_t>(b)];
  });
  Places made{Places::Of::source, {}, {}};
  double sum = 0;
  for (const int each : order) {
    if (sum >= wanted) break;
    made.at.push_back(each);
    sum += numbers.values[static_cast<std::size_t>(each)];
  }
  std::ranges::sort(made.at);
  return made;
}

// The numbers of an expression in `i`, for each token that was typed.
ExpressionValue Evaluator::each_token(const Node& node) const {
  const Places typed = all_read(node);
  NumberList made{{static_cast<long>(typed.at.size())}, {}, false};
  ExpressionScope there = scope_;
  for (const int token : typed.at) {
    there.i = token;
    made.values.push_back(Evaluator(text_, there, cancel_, budget_).number(*node.children[0]));
  }
  return made;
}

}  // namespace headlight::expressions
