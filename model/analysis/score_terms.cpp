#include "model/analysis/score_terms.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace headlight {

namespace {

using Form = PairScore::Form;
using OperandRole = ScoreOperand::Role;
using Reason = PairScore::Reason;

constexpr double kLowest = -std::numeric_limits<double>::infinity();

// What the explanations call a unit's part of a score.
struct FormRow {
  const char* label;
  Form form;
};
constexpr FormRow kForms[] = {{"q·k", Form::product},    {"v·tanh(q+k)", Form::tanh},      {"v·relu(q+k)", Form::relu},
                              {"v·(q+k)", Form::linear}, {"β·q·k/(‖q‖‖k‖)", Form::cosine}, {"x·W", Form::location}};

Form form_of(const Explanation& explanation) {
  for (const FormRow& row : kForms)
    if (explanation.kind == Explanation::Kind::sum && !explanation.terms.empty() &&
        explanation.terms[0].label == row.label)
      return row.form;
  return Form::none;
}

double combined(Form form, double x) {
  return form == Form::tanh ? std::tanh(x) : form == Form::relu ? std::max(x, 0.0) : x;
}

class Walk {
 public:
  Walk(const AttentionMap& map, Index row, PairScore& pair) : map_(map), trace_(*map.trace), row_(row), pair_(pair) {}

  void from_weight(Index head, Index column) {
    const int entry = map_.entry(row_);
    const Index cell = map_.cell(head, row_, column);
    pair_.weight = {static_cast<double>(map_.weight(head, row_, column)), entry, cell};
    add_rivals(head);
    if (!trace_.operation(entry)) return stop(Reason::no_graph);
    Cell at{trace_[entry].value, cell};
    Explanation made = trace_.explain(at);
    while (made.kind != Explanation::Kind::share) {  // an edit, or the Gaussian of a window
      const std::optional<Cell> before = step_back(made, at, pair_.after);
      if (!before) return stop(Reason::no_softmax);
      at = *before;
      made = trace_.explain(at);
    }
    std::reverse(pair_.after.begin(), pair_.after.end());
    pair_.share = placed(at);
    const Term& own = made.terms[0];
    const bool sharpened = own.label == "exp(β·K − max)";
    if (!sharpened && !own.label.starts_with("exp(s − max)")) return stop(Reason::no_parts);
    const Index own_key = map_.key_of_column[static_cast<std::size_t>(column)];
    compare(made, own_key);
    keep_scores(made, own_key, sharpened);
    pair_.score = sharpened ? PlacedNumber{score_of(own), -1, -1} : placed(own.cells[0]);
    if (sharpened)
      pair_.steps.push_back({ScoreStep::Kind::sharpness, own.cells[0].value(), placed(own.cells[0]), pair_.score});
    from_score(sharpened ? own.cells.back() : own.cells[0]);
  }

  // Another column of the row for which `other` found the scores.
  void from_score_of(const Walk& other, Index key) {
    const auto found = other.scores_.find(key);
    if (found == other.scores_.end()) return stop(Reason::no_parts);
    pair_.score = placed(found->second);
    from_score(found->second);
  }

 private:
  // The cell of each key's score, as the softmax lists them: its own first.
  void keep_scores(const Explanation& softmax, Index own, bool sharpened) {
    for (std::size_t i = 0; i < softmax.terms.size(); ++i) {
      const auto at = static_cast<Index>(i);
      const Index key = at == 0 ? own : at <= own ? at - 1 : at;
      const auto& cells = softmax.terms[i].cells;
      if (!cells.empty()) scores_.emplace(key, sharpened ? cells.back() : cells[0]);
    }
  }

  void stop(Reason reason) { pair_.reason = reason; }

  PlacedNumber placed(const Cell& cell) const {
    const Location at = trace_.locate(cell);
    return {cell.value(), at.entry, at.entry >= 0 ? at.index : -1};
  }

  // β·K is a product; beside a score that is masked stands its mask.
  static double score_of(const Term& term) {
    if (term.label != "exp(β·K − max)") return term.cells[0].value();
    double product = 1;
    for (const Cell& cell : term.cells) product *= cell.value();
    return product;
  }

  void add_rivals(Index head) {
    for (Index column = 0; column < map_.column_count(); ++column) {
      ScoreRival rival;
      rival.hidden = !map_.has(row_, column);
      rival.weight.value = static_cast<double>(map_.weight(head, row_, column));
      if (!rival.hidden) rival.weight.entry = map_.entry(row_), rival.weight.cell = map_.cell(head, row_, column);
      pair_.rivals.push_back(rival);
    }
  }

  // The softmax lists its own cell first, then the others in the order of the keys.
  void compare(const Explanation& softmax, Index own) {
    double total = 0, maximum = kLowest;
    for (const Term& term : softmax.terms) {
      total += term.value;
      if (term.value > 0) maximum = std::max(maximum, score_of(term));
    }
    for (std::size_t column = 0; column < pair_.rivals.size(); ++column) {
      ScoreRival& rival = pair_.rivals[column];
      const Index key = map_.key_of_column[column];
      const Index at = key == own ? 0 : key < own ? key + 1 : key;
      if (rival.hidden || at >= static_cast<Index>(softmax.terms.size())) continue;
      const Term& term = softmax.terms[static_cast<std::size_t>(at)];
      rival.score = score_of(term);
      rival.share = total > 0 ? term.value / total : 0;
      // A mask that the softmax was given leaves the score as it was: it has no part although it could have one.
      rival.hidden = rival.score == kLowest || (term.value == 0 && !(std::exp(rival.score - maximum) == 0));
    }
  }

  // One step from a number to what it was computed from; nothing when the explanation is no such step.
  std::optional<Cell> step_back(const Explanation& made, const Cell& at, std::vector<ScoreStep>& steps) const {
    using Kind = ScoreStep::Kind;
    if (made.terms.empty() || made.terms[0].cells.empty()) return {};
    const Term& first = made.terms[0];
    if (made.kind == Explanation::Kind::copy) return first.cells[0];
    if (made.kind == Explanation::Kind::leaf && first.label == "was") {
      steps.push_back({Kind::edit, 1, placed(first.cells[0]), placed(at)});
      return first.cells[0];
    }
    if (made.kind != Explanation::Kind::sum) return {};
    if (first.label == "masked") {
      steps.push_back({Kind::mask, 1, placed(first.cells[0]), placed(at)});
      return first.cells[1];
    }
    if (first.label == "a⊙b" && made.terms.size() == 1) {
      steps.push_back({Kind::window, first.cells[1].value(), placed(first.cells[1]), placed(at)});
      return first.cells[0];
    }
    return linear_step(made, at, steps);
  }

  // k·a + b: what is added comes last, so it is the first on the way back.
  std::optional<Cell> linear_step(const Explanation& made, const Cell& at, std::vector<ScoreStep>& steps) const {
    using Kind = ScoreStep::Kind;
    for (const Term& term : made.terms)
      if (term.cells.size() != 1) return {};
    PlacedNumber after = placed(at);
    for (std::size_t i = made.terms.size() - 1; i > 0; --i) {
      const PlacedNumber addend = placed(made.terms[i].cells[0]);
      steps.push_back({Kind::addend, 1, addend, after});
      after = {after.value - made.terms[i].value, -1, -1};
    }
    const Term& first = made.terms[0];
    const Cell& source = first.cells[0];
    if (first.label == "k·a") {
      const bool cooled = after.entry >= 0 && trace_[after.entry].site.text.ends_with("attention.scaled");
      steps.push_back({cooled ? Kind::temperature : Kind::scale, factor_of(made, at), {}, after});
    } else if (made.terms.size() == 1) {
      return {};
    }
    return source;
  }

  // k of k·a. A score of nought does not tell, so it is read off one beside it: they have the same.
  double factor_of(Explanation made, const Cell& at) const {
    for (Index beside = 0; made.terms[0].cells[0].value() == 0 && beside < at.tensor.size(); ++beside)
      made = trace_.explain(Cell{at.tensor, beside});
    const double value = made.terms[0].cells[0].value();
    return value == 0 ? 0 : made.terms[0].value / value;
  }

  void from_score(Cell at) {
    Explanation made = trace_.explain(at);
    while (form_of(made) == Form::none) {
      const std::optional<Cell> before = step_back(made, at, pair_.steps);
      if (!before) return stop(Reason::no_parts);
      at = *before;
      made = trace_.explain(at);
    }
    pair_.form = form_of(made);
    if (made.terms.back().cells.size() == 1) {  // the bias of a multilayer score
      const PlacedNumber after = placed(at);
      pair_.steps.push_back({ScoreStep::Kind::addend, 1, placed(made.terms.back().cells[0]), after});
      pair_.sum = {after.value - made.terms.back().value, -1, -1};
      made.terms.pop_back();
    } else {
      pair_.sum = placed(at);
    }
    std::reverse(pair_.steps.begin(), pair_.steps.end());
    read_units(made.terms);
  }

  void read_units(const std::vector<Term>& terms) {
    const bool additive = pair_.form == Form::tanh || pair_.form == Form::relu || pair_.form == Form::linear;
    const bool leading = additive || pair_.form == Form::cosine;  // v or β stands in front of the two
    ScoreOperand query{OperandRole::query, {}, {}}, key{OperandRole::key, {}, {}}, both{OperandRole::combined, {}, {}},
        factor{OperandRole::factor, {}, {}};
    for (const Term& term : terms) {
      const Cell &q = term.cells[leading ? 1 : 0], &k = term.cells[leading ? 2 : 1];
      pair_.products.push_back(term.value);
      query.numbers.push_back(placed(q));
      key.numbers.push_back(placed(k));
      if (!additive) continue;
      both.numbers.push_back({combined(pair_.form, q.value() + k.value()), -1, -1});
      factor.numbers.push_back(placed(term.cells[0]));
    }
    const std::size_t first = leading ? 1 : 0;
    query.name = trace_.locate(terms[0].cells[first]).name;
    key.name = trace_.locate(terms[0].cells[first + 1]).name;
    pair_.operands = {std::move(query), std::move(key)};
    if (!additive) return;
    pair_.operands.push_back(std::move(both));
    if (pair_.form == Form::linear) return;  // v is 1 for all
    factor.name = trace_.locate(terms[0].cells[0]).name;
    pair_.operands.push_back(std::move(factor));
  }

  const AttentionMap& map_;
  const Trace& trace_;
  Index row_;
  PairScore& pair_;
  std::unordered_map<Index, Cell> scores_;  // by key
};

// The content addressing of the first reading head (Graves et al. 2014, eq. 5): steps look at slots.
void add_content_map(const Result& result, std::vector<AttentionMap>& maps) {
  AttentionMap map;
  map.trace = result.trace;
  for (std::size_t t = 0; t < result.steps.size(); ++t) {
    const int entry = result.trace->find("decoder.step[" + std::to_string(t) + "].memory.head[0].read.w_content");
    if (entry < 0) return;
    const Index slots = (*result.trace)[entry].value.size();
    const std::string fed =
        t > 0 ? result.steps[t - 1].text : result.model->target_vocabulary().text(result.model->text.bos);
    map.rows.push_back({fed, result.steps[t].text, -1, static_cast<int>(t), false});
    map.row_sources.push_back({entry, 0, slots, slots, slots, -1});
  }
  if (map.rows.empty()) return;
  for (Index slot = 0; slot < map.source(0).keys; ++slot) {
    map.columns.push_back({std::to_string(slot), {}, -1, -1, false});
    map.key_of_column.push_back(slot);
  }
  maps.push_back(std::move(map));
}

}  // namespace

std::vector<AttentionMap> scored_maps(const Result& result) { return scored_maps(result, attention_maps(result)); }

std::vector<AttentionMap> scored_maps(const Result& result, std::vector<AttentionMap> maps) {
  std::erase_if(maps, [](const AttentionMap& map) {
    return map.kind == AttentionMap::Kind::summary ||
           (*map.trace)[map.entry(0)].site.kind->role == SiteKind::Role::origin;
  });
  if (result.trace) add_content_map(result, maps);
  return maps;
}

PairScore pair_score(const AttentionMap& map, Index head, Index row, Index column) {
  PairScore pair;
  if (!map.has(row, column)) {
    pair.reason = Reason::no_key;
    return pair;
  }
  Walk(map, row, pair).from_weight(head, column);
  return pair;
}

std::vector<PairScore> row_scores(const AttentionMap& map, Index head, Index row) {
  std::vector<PairScore> columns(static_cast<std::size_t>(map.column_count()));
  const Index first = strongest_column(map, head, row);
  for (PairScore& each : columns) each.reason = Reason::no_key;
  if (columns.empty() || !map.has(row, first)) return columns;
  PairScore whole;
  Walk walk(map, row, whole);
  walk.from_weight(head, first);
  for (Index column = 0; column < map.column_count(); ++column) {
    if (!map.has(row, column)) continue;
    PairScore& pair = columns[static_cast<std::size_t>(column)];
    pair.reason = Reason::explained;
    if (whole.reason == Reason::explained)
      Walk(map, row, pair).from_score_of(walk, map.key_of_column[static_cast<std::size_t>(column)]);
    else
      pair.reason = whole.reason;
  }
  return columns;
}

std::vector<double> unit_lifts(const std::vector<PairScore>& columns, Index column, const std::vector<bool>& hidden) {
  std::vector<double> lifts = columns[static_cast<std::size_t>(column)].products;
  std::vector<double> sums(lifts.size());
  double others = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (static_cast<Index>(c) == column || hidden[c] || columns[c].products.size() != sums.size()) continue;
    ++others;
    for (std::size_t u = 0; u < sums.size(); ++u) sums[u] += columns[c].products[u];
  }
  for (std::size_t u = 0; others > 0 && u < sums.size(); ++u) lifts[u] -= sums[u] / others;
  return lifts;
}

Index strongest_column(const AttentionMap& map, Index head, Index row) {
  Index best = 0;
  for (Index column = 1; column < map.column_count(); ++column)
    if (map.weight(head, row, column) > map.weight(head, row, best)) best = column;
  return best;
}

}  // namespace headlight
