// What expressions mean: names and functions over one run, and over others.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "app/document/session.h"
#include "app/lessons/expression_nodes.h"
#include "model/models/variant.h"
#include "model/text/nearest.h"
#include "model/text/utf8.h"
#include "widgets/base/selection.h"
#include "widgets/canvas/analysed_run.h"

namespace headlight {

namespace {

using Node = Expression::Node;
using Value = ExpressionValue;

constexpr Index kMostCells = 4096;  // of a derivative

template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};

std::string number_text(double number, int decimals) {
  if (!std::isfinite(number)) return std::isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
  std::array<char, 64> text;
  if (decimals < 0) {
    // As many as it needs: 0.83, 12.5, 97.
    if (number == std::round(number) && std::abs(number) < 1e6)
      decimals = 0;
    else
      decimals = std::abs(number) >= 99.5                  ? 0
                 : std::abs(number) >= 10                  ? 1
                 : std::abs(number) >= 0.01 || number == 0 ? 2
                                                           : -1;
  }
  if (decimals < 0)
    std::snprintf(text.data(), text.size(), "%.2g", number);
  else
    std::snprintf(text.data(), text.size(), "%.*f", decimals, number);
  const std::string made = text.data();
  return made == "-0" || made == "-0.0" || made == "-0.00" ? made.substr(1) : made;
}

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranked(values.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t j = i;
    while (j < order.size() && values[order[j]] == values[order[i]]) ++j;
    for (std::size_t k = i; k < j; ++k) ranked[order[k]] = (static_cast<double>(i + j) - 1) / 2;  // ties share a rank
    i = j;
  }
  return ranked;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const double n = static_cast<double>(a.size());
  const double ma = std::accumulate(a.begin(), a.end(), 0.0) / n, mb = std::accumulate(b.begin(), b.end(), 0.0) / n;
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - ma) * (b[i] - mb);
    aa += (a[i] - ma) * (a[i] - ma);
    bb += (b[i] - mb) * (b[i] - mb);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

class Evaluator {
 public:
  Evaluator(const std::string& text, const ExpressionScope& scope, const CancelToken& cancel)
      : text_(text), scope_(scope), cancel_(cancel) {}

  Value value(const Node& node) const {
    switch (node.kind) {
      case Node::Kind::number:
        return node.number;
      case Node::Kind::text:
        return node.text;
      case Node::Kind::truth:
        return node.text == "true";
      case Node::Kind::name:
        return named(node);
      case Node::Kind::call:
        return called(node);
      case Node::Kind::negate:
        return mapped(node, value(*node.children[0]), [](double x) { return -x; });
      case Node::Kind::invert:
        return !truth(*node.children[0]);
      case Node::Kind::binary:
        return combined(node);
    }
    return false;
  }

  bool truth(const Node& node) const {
    const Value found = value(node);
    if (const bool* is = std::get_if<bool>(&found)) return *is;
    fail(node, std::string("expected something that is true or false, found ") + kind_text(found));
  }
  double number(const Node& node) const { return number_of(node, value(node)); }
  Places places(const Node& node) const { return places_of(node, value(node)); }

 private:
  [[noreturn]] void fail(const Node& node, const std::string& what) const {
    throw ExpressionError(text_, node.at, what);
  }
  [[noreturn]] void absent(const Node& node, const std::string& what) const {
    throw NotInThisRun(text_, node.at, what);
  }

  // --- kinds

  double number_of(const Node& node, const Value& found) const {
    if (const double* number = std::get_if<double>(&found)) return *number;
    if (const auto* list = std::get_if<NumberList>(&found); list && list->values.size() == 1) return list->values[0];
    if (const auto* at = std::get_if<Places>(&found); at && at->at.size() == 1) return at->at[0];
    fail(node, std::string("expected a number, found ") + kind_text(found));
  }
  int whole(const Node& node, int least, int most) const {
    const double number = this->number(node);
    if (number != std::floor(number) || number < least || number > most)
      fail(node, "expected a whole number from " + std::to_string(least) + " to " + std::to_string(most) + ", found " +
                     number_text(number, -1));
    return static_cast<int>(number);
  }
  std::string text(const Node& node) const {
    const Value found = value(node);
    if (const auto* is = std::get_if<std::string>(&found)) return *is;
    fail(node, std::string("expected a text, found ") + kind_text(found));
  }
  NumberList list(const Node& node) const {
    const Value found = value(node);
    if (const auto* numbers = std::get_if<NumberList>(&found)) return *numbers;
    if (const double* number = std::get_if<double>(&found)) return {{1}, {*number}, false};
    fail(node, std::string("expected a list of numbers, found ") + kind_text(found));
  }
  Places places_of(const Node& node, const Value& found) const {
    if (const auto* at = std::get_if<Places>(&found)) return *at;
    fail(node, std::string("expected places, found ") + kind_text(found));
  }
  // Steps of the output, also as the number of one.
  Places steps_at(const Node& node) const {
    const Value found = value(node);
    if (std::holds_alternative<double>(found)) {
      const int count = static_cast<int>(result(node).steps.size());
      return {Places::Of::output, {place_of(node, count, "step")}, {}};
    }
    Places at = places_of(node, found);
    if (at.of != Places::Of::output) fail(node, "expected steps of the output, found places of another kind");
    return at;
  }
  int one_step(const Node& node) const {
    const Places at = steps_at(node);
    if (at.at.size() != 1) fail(node, "expected one step of the output, found " + std::to_string(at.at.size()));
    return at.at[0];
  }
  int place_of(const Node& node, int count, const char* what) const {
    const int wanted = whole(node, -1'000'000, 1'000'000), at = wanted < 0 ? count + wanted : wanted;
    if (at < 0 || at >= count)
      absent(node, std::string("there is no ") + what + " " + std::to_string(wanted) + "; the run has " +
                       std::to_string(count));
    return at;
  }

  // --- the run

  const Result& result(const Node& node) const {
    if (!scope_.run) fail(node, "this step has no model to ask");
    return *scope_.run->result();
  }
  const Trace& trace(const Node& node) const {
    const Result& here = result(node);
    if (!here.trace) fail(node, "this run kept no values");
    return *here.trace;
  }
  const Document& document(const Node& node) const {
    result(node);
    return *scope_.document;
  }
  OtherRuns& others(const Node& node) const {
    if (!scope_.others) fail(node, "other runs cannot be asked here");
    return *scope_.others;
  }
  Places all_read(const Node& node) const {
    const Result& here = result(node);
    Places all{Places::Of::source, {}, {}};
    for (std::size_t i = 0; i < here.tokens.size(); ++i)
      if (!here.tokens[i].padding && here.tokens[i].begin < here.tokens[i].end) all.at.push_back(static_cast<int>(i));
    return all;
  }

  Value named(const Node& node) const {
    const std::string& name = node.text;
    if (name == "answer") {
      if (!scope_.answer) absent(node, "there is no answer");
      return *scope_.answer;
    }
    if (name == "i") {
      if (!scope_.i) fail(node, "'i' has a meaning in each() and in a chart of tokens only");
      return static_cast<double>(*scope_.i);
    }
    const Result& here = result(node);
    if (name == "source") return here.source;
    if (name == "output") return here.output;
    if (name == "steps") return static_cast<double>(here.steps.size());
    if (name == "tokens") return static_cast<double>(all_read(node).at.size());
    if (name == "model") return as_trained(*here.model).name;
    if (name == "edits") return static_cast<double>(here.interventions.size());
    if (name == "forced") return here.target.has_value();
    if (name == "all_read") return all_read(node);
    if (name == "selected") return selected();
    Places at{name == "blanks" ? Places::Of::source : Places::Of::output, {}, {}};
    const std::size_t count = name == "blanks" ? here.tokens.size() : here.steps.size();
    for (std::size_t k = 0; k < count; ++k)
      if (name != "blanks" || here.tokens[k].padding) at.at.push_back(static_cast<int>(k));
    return at;
  }

  Value selected() const {
    Places at;
    if (!scope_.selection) return at;
    const SelectionState& chosen = *scope_.selection;
    if (chosen.step && chosen.source_token)
      return Places{Places::Of::cells, {}, {{*chosen.step, *chosen.source_token}}};
    if (chosen.step) return Places{Places::Of::output, {*chosen.step}, {}};
    if (chosen.source_token) at.at.push_back(*chosen.source_token);
    return at;
  }

  // --- operations

  template <class Function>
  Value mapped(const Node& node, const Value& found, Function function) const {
    if (const double* number = std::get_if<double>(&found)) return function(*number);
    if (const auto* list = std::get_if<NumberList>(&found)) {
      NumberList made = *list;
      for (double& each : made.values) each = function(each);
      return made;
    }
    return function(number_of(node, found));
  }

  Value combined(const Node& node) const {
    const Node &left = *node.children[0], &right = *node.children[1];
    const std::string& sign = node.text;
    if (sign == "and") return truth(left) && truth(right);
    if (sign == "or") return truth(left) || truth(right);
    const Value a = value(left), b = value(right);
    if (sign == "in") return contains(node, a, b);
    if (sign == "==" || sign == "!=") return equal(node, a, b) == (sign == "==");
    if (sign[0] == '<' || sign[0] == '>') {
      const double x = number_of(left, a), y = number_of(right, b);
      return sign == "<" ? x < y : sign == "<=" ? x <= y : sign == ">" ? x > y : x >= y;
    }
    if (sign == "+") {
      if (std::holds_alternative<std::string>(a) && std::holds_alternative<std::string>(b))
        return std::get<std::string>(a) + std::get<std::string>(b);
      if (std::holds_alternative<Places>(a) && std::holds_alternative<Places>(b))
        return united(node, std::get<Places>(a), std::get<Places>(b));
    }
    const auto apply = [&](double x, double y) {
      return sign == "+" ? x + y : sign == "-" ? x - y : sign == "*" ? x * y : x / y;
    };
    const auto *rows = std::get_if<NumberList>(&a), *others = std::get_if<NumberList>(&b);
    if (!rows && !others) return apply(number_of(left, a), number_of(right, b));
    if (rows && others && rows->values.size() != others->values.size())
      fail(node, "expected lists of the same length, found " + std::to_string(rows->values.size()) + " and " +
                     std::to_string(others->values.size()));
    NumberList made = rows ? *rows : *others;
    for (std::size_t k = 0; k < made.values.size(); ++k)
      made.values[k] =
          apply(rows ? rows->values[k] : number_of(left, a), others ? others->values[k] : number_of(right, b));
    return made;
  }

  bool equal(const Node& node, const Value& a, const Value& b) const {
    if (a.index() == b.index()) return a == b;
    const auto numeric = [](const Value& v) {
      return !std::holds_alternative<std::string>(v) && !std::holds_alternative<bool>(v);
    };
    if (numeric(a) && numeric(b)) return number_of(node, a) == number_of(node, b);
    fail(node, std::string("cannot compare ") + kind_text(a) + " with " + kind_text(b));
  }

  bool contains(const Node& node, const Value& a, const Value& b) const {
    const Places within = places_of(*node.children[1], b);
    if (const double* number = std::get_if<double>(&a))
      return std::ranges::find(within.at, static_cast<int>(*number)) != within.at.end();
    const Places at = places_of(*node.children[0], a);
    if (at.of != within.of) fail(node, "expected places of one kind on both sides of 'in'");
    if (at.empty()) fail(node, "no place is in anything");
    const auto is_in = [](const auto& all) {
      return [&all](const auto& each) { return std::ranges::find(all, each) != all.end(); };
    };
    return std::ranges::all_of(at.at, is_in(within.at)) && std::ranges::all_of(at.cells, is_in(within.cells));
  }

  Places united(const Node& node, Places a, const Places& b) const {
    if (a.empty()) return b;
    if (b.empty()) return a;
    if (a.of != b.of) fail(node, "expected places of one kind on both sides of '+'");
    for (const int each : b.at)
      if (std::ranges::find(a.at, each) == a.at.end()) a.at.push_back(each);
    for (const auto& each : b.cells)
      if (std::ranges::find(a.cells, each) == a.cells.end()) a.cells.push_back(each);
    return a;
  }

  // --- places

  // The n-th occurrence of a text among pieces, by the pieces that it covers; spaces count where `spaces`.
  static std::vector<int> pieces_of(const std::vector<std::string>& pieces, const std::string& wanted, int nth,
                                    bool spaces) {
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

  Value read(const Node& node) const {
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

  Value written(const Node& node) const {
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

  Value counted(const Node& node, bool source) const {
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

  Value neighbours(const Node& node) const {
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

  Value cells(const Node& node) const {
    const Places rows = steps_at(*node.children[0]), columns = places(*node.children[1]);
    if (columns.of != Places::Of::source) fail(*node.children[1], "expected tokens of the source");
    Places made{Places::Of::cells, {}, {}};
    for (const int row : rows.at)
      for (const int column : columns.at) made.cells.emplace_back(row, column);
    return made;
  }

  // --- attention

  struct Chosen {
    Index layer = -1, head = AttentionMap::kMean;  // layer -1: all
  };
  Chosen chosen(const Node& node, std::size_t from) const {
    Chosen made;
    if (node.children.size() > from) made.layer = whole(*node.children[from], 0, 1000);
    if (node.children.size() > from + 1) made.head = whole(*node.children[from + 1], 0, 1000);
    return made;
  }

  // The maps in which these places are rows.
  std::vector<const AttentionMap*> maps_of(const Node& node, const Places& from, const Chosen& which) const {
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

  static bool stands_for(const AttentionToken& token, const Places& at) {
    return std::ranges::any_of(at.at, [&](int each) {
      return at.of == Places::Of::source ? token.holds_token(each) : token.holds_step(each);
    });
  }

  double share(const Node& node) const {
    const Places from = row_places(*node.children[0]), on = places(*node.children[1]);
    if (on.of == Places::Of::cells) fail(*node.children[1], "expected tokens or steps, found squares");
    const Chosen which = chosen(node, 2);
    double sum = 0;
    int rows = 0;
    for (const AttentionMap* map : maps_of(node, from, which)) {
      const Tensor weights = map->matrix(which.head);
      for (Index row = 0; row < map->row_count(); ++row) {
        if (!stands_for(map->rows[static_cast<std::size_t>(row)], from)) continue;
        ++rows;
        for (Index column = 0; column < map->column_count(); ++column)
          if (stands_for(map->columns[static_cast<std::size_t>(column)], on))
            sum += weights[row * map->column_count() + column];
      }
    }
    if (rows == 0) absent(node, "no row of the attention belongs to these places");
    return sum / rows;
  }

  NumberList row(const Node& node) const {
    const Places from = row_places(*node.children[0]);
    const Chosen which = chosen(node, 1);
    const auto count = result(node).tokens.size();
    NumberList made{{static_cast<long>(count)}, std::vector<double>(count), true};
    int rows = 0;
    for (const AttentionMap* map : maps_of(node, from, which)) {
      const Tensor weights = map->matrix(which.head);
      for (Index row = 0; row < map->row_count(); ++row) {
        if (!stands_for(map->rows[static_cast<std::size_t>(row)], from)) continue;
        ++rows;
        for (Index column = 0; column < map->column_count(); ++column)
          if (const int token = map->columns[static_cast<std::size_t>(column)].token; token >= 0)
            made.values[static_cast<std::size_t>(token)] += weights[row * map->column_count() + column];
      }
    }
    if (rows == 0) absent(node, "no row of the attention belongs to these places");
    for (double& each : made.values) each /= rows;
    return made;
  }

  Places row_places(const Node& node) const {
    const Value found = value(node);
    if (std::holds_alternative<double>(found)) return steps_at(node);
    Places at = places_of(node, found);
    if (at.of == Places::Of::cells) fail(node, "expected steps or tokens, found squares");
    return at;
  }

  Value extreme(const Node& node) const {
    const NumberList numbers = list(*node.children[0]);
    if (numbers.values.empty()) fail(node, "the list is empty");
    const auto at =
        node.text == "argmax" ? std::ranges::max_element(numbers.values) : std::ranges::min_element(numbers.values);
    const int place = static_cast<int>(at - numbers.values.begin());
    if (!numbers.over_source) return static_cast<double>(place);
    return Places{Places::Of::source, {place}, {}};
  }

  Value top(const Node& node) const {
    const NumberList numbers = list(*node.children[0]);
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

  // --- any value

  // A site whose '?' are taken from arguments, and the indices behind it.
  struct Found {
    std::string site;
    Tensor value;
    int entry = -1;
    std::vector<std::vector<Index>> rows;  // of each axis that was named
  };
  Found found(const Node& node, std::size_t& argument, std::size_t end) const {
    const Node& named = *node.children[argument++];
    Found made;
    for (const char c : text(named)) {
      if (c != '?') {
        made.site += c;
        continue;
      }
      if (argument >= end) fail(named, "expected a number for each '?'");
      const Value at = value(*node.children[argument]);
      made.site += std::to_string(static_cast<long>(number_of(*node.children[argument], at)));
      ++argument;
    }
    const Trace& run = trace(node);
    made.value = run.value(made.site);
    made.entry = run.find(made.site);
    if (!made.value) {
      if (!find_site_kind(made.site))
        fail(named, "there is no site '" + made.site.substr(0, 80) + "'" + near(run, made.site));
      absent(named, "this run has no value '" + made.site.substr(0, 80) + "'" + near(run, made.site));
    }
    const SiteKind* kind = find_site_kind(made.site);
    for (int axis = 0; argument < end && std::get_if<std::string>(&peeked(*node.children[argument])) == nullptr;
         ++axis, ++argument) {
      if (axis >= made.value.rank())
        fail(*node.children[argument], "the value has " + std::to_string(made.value.rank()) + " axes only");
      made.rows.push_back(indices(*node.children[argument], made.value.dim(axis),
                                  kind && axis < static_cast<int>(kind->axes.size())
                                      ? kind->axes[static_cast<std::size_t>(axis)]
                                      : Axis::unit));
    }
    return made;
  }
  static std::string near(const Trace& run, const std::string& site) {
    std::vector<std::string> known;
    for (const TraceEntry& entry : run.entries()) known.push_back(entry.site.text);
    return did_you_mean(site, known);
  }
  // Only whether it is a literal text.
  static const Value& peeked(const Node& node) {
    static const Value text = std::string(), other = 0.0;
    return node.kind == Node::Kind::text ? text : other;
  }

  std::vector<Index> indices(const Node& node, Index count, Axis axis) const {
    (void)axis;
    const Value at = value(node);
    std::vector<Index> made;
    if (const auto* where = std::get_if<Places>(&at)) {
      if (where->of == Places::Of::cells) fail(node, "expected tokens or steps, found squares");
      const Result& here = result(node);
      for (const int each : where->at) {
        const int place =
            where->of == Places::Of::source ? here.position_of_token[static_cast<std::size_t>(each)] : each;
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

  // Flat indices of what was named.
  static std::vector<Index> flat(const Found& what) {
    std::vector<Index> cells = {0};
    for (int axis = 0; axis < what.value.rank(); ++axis) {
      std::vector<Index> next;
      const auto named = static_cast<std::size_t>(axis) < what.rows.size();
      const Index count = what.value.dim(axis);
      for (const Index cell : cells) {
        if (named)
          for (const Index each : what.rows[static_cast<std::size_t>(axis)]) next.push_back(cell * count + each);
        else
          for (Index each = 0; each < count; ++each) next.push_back(cell * count + each);
      }
      cells = std::move(next);
    }
    return cells;
  }

  Value site_value(const Node& node) const {
    std::size_t argument = 0;
    const Found what = found(node, argument, node.children.size());
    if (argument < node.children.size()) fail(*node.children[argument], "expected an index, found a text");
    return gathered(what);
  }
  static Value gathered(const Found& what) {
    NumberList made;
    for (int axis = 0; axis < what.value.rank(); ++axis) {
      const bool named = static_cast<std::size_t>(axis) < what.rows.size();
      const auto count =
          named ? static_cast<Index>(what.rows[static_cast<std::size_t>(axis)].size()) : what.value.dim(axis);
      if (!named || count > 1) made.shape.push_back(count);
    }
    for (const Index cell : flat(what)) made.values.push_back(what.value[cell]);
    if (made.shape.empty()) return made.values.front();
    return made;
  }

  double gradient(const Node& node) const {
    std::size_t argument = 0;
    const Found of = found(node, argument, node.children.size());
    if (argument >= node.children.size()) fail(node, "expected a second site: by what the derivative is taken");
    const Found by = found(node, argument, node.children.size());
    if (argument < node.children.size()) fail(*node.children[argument], "expected an index, found a text");
    if (of.entry < 0 || by.entry < 0) fail(node, "a derivative is of whole values: name the attention, not one head");
    const std::vector<Index> rows = flat(of), columns = flat(by);
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

  Value weights(const Node& node) const {
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
    return gathered(what);
  }

  double probability(const Node& node) const {
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

  Value setting(const Node& node) const {
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

  // --- other runs

  Value elsewhere(const ExpressionScope& scope, const Node& what) const {
    ExpressionScope there = scope;
    there.answer = scope_.answer;
    there.i = scope_.i;
    there.sliders = scope_.sliders;
    return Evaluator(text_, there, cancel_).value(what);
  }

  Value called(const Node& node) const {
    cancel_.check();
    const std::string& name = node.text;
    const auto argument = [&](std::size_t k) -> const Node& { return *node.children[k]; };
    if (name == "if") return value(argument(truth(argument(0)) ? 1 : 2));
    if (name == "at") return elsewhere(others(node).at(argument(0).text), argument(1));
    if (name == "done_at") return elsewhere(others(node).done_at(argument(0).text), argument(1));
    if (name == "with") {
      result(node);
      return elsewhere(others(node).with(scope_, argument(0).text, value(argument(1))), argument(2));
    }
    if (name == "y") {
      OtherRuns& there = others(node);
      return there.chart_value(scope_.step, argument(0).text, number(argument(1)));
    }
    if (name == "slider") {
      const auto found = scope_.sliders.find(argument(0).text);
      if (found == scope_.sliders.end()) fail(node, "there is no slider '" + argument(0).text.substr(0, 60) + "' here");
      return found->second;
    }
    if (name == "list" || name == "softmax") return list_of(node);
    if (name == "exact_match") return others(node).exact_match(argument(0).text, whole(argument(1), 1, 5000));
    if (name == "error_rate") return others(node).error_rate(argument(0).text, whole(argument(1), 1, 5000));
    if (name == "token") return result(node).steps[static_cast<std::size_t>(one_step(argument(0)))].text;
    if (name == "probability") return probability(node);
    if (name == "setting") return setting(node);
    if (name == "read") return read(node);
    if (name == "written") return written(node);
    if (name == "reads") return counted(node, true);
    if (name == "writes") return counted(node, false);
    if (name == "cells") return cells(node);
    if (name == "first" || name == "last" || name == "next" || name == "before") return neighbours(node);
    if (name == "but") return without(node);
    if (name == "share") return share(node);
    if (name == "row") return row(node);
    if (name == "argmax" || name == "argmin") return extreme(node);
    if (name == "top") return top(node);
    if (name == "value") return site_value(node);
    if (name == "gradient") return gradient(node);
    if (name == "weights") return weights(node);
    if (name == "site" || name == "view" || name == "panel" || name == "part") return target(node);
    if (name == "contains") return text(argument(0)).find(text(argument(1))) != std::string::npos;
    if (name == "starts") return text(argument(0)).starts_with(text(argument(1)));
    if (name == "length" || name == "upper") return of_text(node);
    if (name == "text") return number_text(number(argument(0)), -1);
    if (name == "each") return each_token(argument(0));
    return arithmetic(node);
  }

  // The numbers of an expression in `i`, for each token that was typed.
  Value each_token(const Node& node) const {
    const Places typed = all_read(node);
    NumberList made{{static_cast<long>(typed.at.size())}, {}, false};
    ExpressionScope there = scope_;
    for (const int token : typed.at) {
      there.i = token;
      made.values.push_back(Evaluator(text_, there, cancel_).number(node));
    }
    return made;
  }

  Value list_of(const Node& node) const {
    NumberList made;
    if (node.text == "list") {
      for (const auto& each : node.children) made.values.push_back(number(*each));
    } else {
      made = list(*node.children[0]);
      if (made.values.empty()) fail(node, "the list is empty");
      const double largest = std::ranges::max(made.values);
      double sum = 0;
      for (double& each : made.values) sum += each = std::exp(each - largest);
      for (double& each : made.values) each /= sum;
    }
    made.shape = {static_cast<long>(made.values.size())};
    made.over_source = false;
    return made;
  }

  Value without(const Node& node) const {
    Places made = places(*node.children[0]);
    const Places gone = places(*node.children[1]);
    std::erase_if(made.at, [&](int each) { return std::ranges::find(gone.at, each) != gone.at.end(); });
    std::erase_if(made.cells,
                  [&](const auto& each) { return std::ranges::find(gone.cells, each) != gone.cells.end(); });
    return made;
  }

  Value of_text(const Node& node) const {
    const std::string found = text(*node.children[0]);
    if (node.text == "length") {
      double count = 0;
      for (std::size_t k = 0; k < found.size(); ++count) k += std::max<std::size_t>(code_point_length(found, k), 1);
      return count;
    }
    std::string upper = found;
    for (char& c : upper)
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return upper;
  }

  Value target(const Node& node) const {
    Target made;
    made.name = node.children[0]->text;
    made.kind = node.text == "view"    ? Target::Kind::view
                : node.text == "panel" ? Target::Kind::panel
                                       : Target::Kind::part;
    if (node.text != "site") return made;
    std::size_t argument = 0;
    const Found what = found(node, argument, node.children.size());
    made.kind = Target::Kind::site;
    made.name = what.site;
    made.cell = what.rows.empty() ? -1 : static_cast<long>(flat(what).front());
    return made;
  }

  Value arithmetic(const Node& node) const {
    const std::string& name = node.text;
    const Value first = value(*node.children[0]);
    if (name == "count") {
      if (const auto* at = std::get_if<Places>(&first)) return static_cast<double>(at->at.size() + at->cells.size());
      return static_cast<double>(list(*node.children[0]).values.size());
    }
    if (name == "abs") return mapped(node, first, [](double x) { return std::abs(x); });
    if (name == "sqrt") return mapped(node, first, [](double x) { return std::sqrt(x); });
    if (name == "exp") return mapped(node, first, [](double x) { return std::exp(x); });
    if (name == "log") return mapped(node, first, [](double x) { return std::log(x); });
    if (name == "tanh") return mapped(node, first, [](double x) { return std::tanh(x); });
    if (name == "round") {
      const double scale = std::pow(10.0, node.children.size() > 1 ? whole(*node.children[1], 0, 12) : 0);
      return mapped(node, first, [scale](double x) { return std::round(x * scale) / scale; });
    }
    if ((name == "min" || name == "max") && node.children.size() == 2) {
      const double a = number_of(*node.children[0], first), b = number(*node.children[1]);
      return name == "min" ? std::min(a, b) : std::max(a, b);
    }
    const std::vector<double> a = list(*node.children[0]).values;
    if (a.empty()) fail(node, "the list is empty");
    if (name == "item")
      return a[static_cast<std::size_t>(place_of(*node.children[1], static_cast<int>(a.size()), "number"))];
    if (node.children.size() == 2) return of_two(node, a);
    const double n = static_cast<double>(a.size()), sum = std::accumulate(a.begin(), a.end(), 0.0);
    double squares = 0, entropy = 0, variance = 0;
    for (const double x : a) {
      squares += x * x;
      variance += (x - sum / n) * (x - sum / n) / n;
      if (x > 0) entropy -= x * std::log2(x);
    }
    if (name == "sum") return sum;
    if (name == "mean") return sum / n;
    if (name == "min") return std::ranges::min(a);
    if (name == "max") return std::ranges::max(a);
    if (name == "norm") return std::sqrt(squares);
    if (name == "variance") return variance;
    return entropy;
  }

  Value of_two(const Node& node, const std::vector<double>& a) const {
    const std::vector<double> b = list(*node.children[1]).values;
    if (a.size() != b.size())
      fail(node,
           "expected lists of the same length, found " + std::to_string(a.size()) + " and " + std::to_string(b.size()));
    if (node.text == "correlation") return correlation(a, b);
    if (node.text == "spearman") return correlation(ranks(a), ranks(b));
    double dot = 0, distance = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      dot += a[k] * b[k];
      distance = std::max(distance, std::abs(a[k] - b[k]));
    }
    return node.text == "dot" ? dot : distance;
  }

  const std::string& text_;
  const ExpressionScope& scope_;
  const CancelToken& cancel_;
};

}  // namespace

const char* kind_text(const ExpressionValue& value) {
  return std::visit(
      Match{[](double) { return "a number"; }, [](bool) { return "true or false"; },
            [](const std::string&) { return "a text"; }, [](const NumberList&) { return "a list of numbers"; },
            [](const Places&) { return "places"; }, [](const Target&) { return "a part of the window"; }},
      value);
}

std::string value_text(const ExpressionValue& value, int decimals) {
  return std::visit(Match{[&](double number) { return number_text(number, decimals); },
                          [](bool truth) { return std::string(truth ? "true" : "false"); },
                          [](const std::string& text) { return text; },
                          [&](const NumberList& list) {
                            std::string text;
                            for (std::size_t i = 0; i < std::min<std::size_t>(list.values.size(), 12); ++i)
                              text += (i ? ", " : "") + number_text(list.values[i], decimals);
                            return text + (list.values.size() > 12 ? ", ..." : "");
                          },
                          [](const Places& places) {
                            std::string text;
                            for (const int each : places.at) text += (text.empty() ? "" : ", ") + std::to_string(each);
                            for (const auto& [row, column] : places.cells)
                              text += (text.empty() ? "" : ", ") + std::to_string(row) + "/" + std::to_string(column);
                            return text;
                          },
                          [](const Target& target) { return target.name; }},
                    value);
}

ExpressionValue Expression::evaluate(const ExpressionScope& scope, const CancelToken& cancel) const {
  return Evaluator(text_, scope, cancel).value(*root_);
}
bool Expression::holds(const ExpressionScope& scope, const CancelToken& cancel) const {
  return Evaluator(text_, scope, cancel).truth(*root_);
}
double Expression::number(const ExpressionScope& scope, const CancelToken& cancel) const {
  return Evaluator(text_, scope, cancel).number(*root_);
}
Places Expression::places(const ExpressionScope& scope, const CancelToken& cancel) const {
  return Evaluator(text_, scope, cancel).places(*root_);
}

std::string Expression::sides(const ExpressionScope& scope, const CancelToken& cancel) const {
  const Evaluator evaluator(text_, scope, cancel);
  // Of several that must hold, the first that does not.
  const Node* node = root_.get();
  while (node->kind == Node::Kind::binary && node->text == "and")
    node = (evaluator.truth(*node->children[0]) ? node->children[1] : node->children[0]).get();
  if (node->kind != Node::Kind::binary || node->text == "or") return {};
  return value_text(evaluator.value(*node->children[0])) + " " + node->text + " " +
         value_text(evaluator.value(*node->children[1]));
}

}  // namespace headlight
