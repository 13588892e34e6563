#include "widgets/views/explain/explain_rows.h"

#include <algorithm>

#include "widgets/canvas/analysed_run.h"
#include "widgets/text/output_text.h"

namespace headlight {

namespace {

using MapKind = AttentionMap::Kind;

// The row of a map that the output of a step looks with: of a cross attention that of the step, of a text that looks at
// itself that of the token which the step was fed.
std::optional<Index> row_of(const AttentionMap& map, int step) {
  // Of a model that guesses hidden words, an output is a place of the text.
  for (Index row = 0; map.kind == MapKind::encoder_self && row < map.row_count(); ++row)
    if (const Index own = map.source(row).column; own >= 0 && nth(map.key_of_column, own) == static_cast<Index>(step))
      return row;
  for (Index row = 0; row < map.row_count(); ++row)
    if (nth(map.rows, row).holds_step(step)) return row;
  return std::nullopt;
}

struct Place {
  const AttentionMap* map = nullptr;
  Index head = 0, row = 0;
};

// A model that writes nothing: what there is to explain are the words that it read.
bool only_reads(const Result& result) {
  return result.steps.empty() && result.model && result.model->model && !result.model->stored &&
         result.model->model->traits().kind == ModelTraits::Kind::encoder_only;
}

// Whether its outputs are said of words: guesses, or a label for each.
bool says_of_words(const Result& result) {
  const bool encoder =
      result.model && result.model->model && result.model->model->traits().kind == ModelTraits::Kind::encoder_only;
  const bool labels = encoder && result.steps.size() > 2 && result.steps.size() == result.token_of_position.size();
  return labels || guesses_hidden_words(result);
}

std::optional<Place> place_of(const AnalysedRun& run, int step, bool of_words, const SelectionState& chosen) {
  std::optional<Place> found;
  for (const AttentionMap& map : run.maps()) {
    if (map.kind == MapKind::summary || (map.kind == MapKind::encoder_self && !of_words)) continue;
    const auto row = row_of(map, step);
    if (!row || map.entry(*row) < 0) continue;
    Index head = 0, at = 0, column = 0;
    if (chosen.entry && chosen.cell && map.find(*chosen.entry, *chosen.cell, &head, &at, &column))
      return Place{&map, head, *row};
    // A later one is nearer to the output; one that reads the text tells more than one that reads itself.
    if (!found || map.kind == MapKind::cross || found->map->kind != MapKind::cross) found = Place{&map, 0, *row};
  }
  return found;
}

// The entry of the same step that was computed from these weights: what they mix.
int mixed_by(const Trace& trace, int weights) {
  for (int i = weights + 1; i < std::min(trace.size(), weights + 12); ++i) {
    const std::vector<int> inputs = trace.inputs(i);
    if (std::ranges::find(inputs, weights) != inputs.end() && !trace[i].site.kind->derived) return i;
  }
  return -1;
}

}  // namespace

int ExplainRows::count(const Result& result) {
  return static_cast<int>(only_reads(result) ? result.token_of_position.size() : result.steps.size());
}

std::optional<int> ExplainRows::word(const AnalysedRun& run, const SelectionState& chosen) {
  const Result& result = *run.result();
  if (!only_reads(result)) return std::nullopt;
  Index head = 0, row = 0, column = 0;
  if (chosen.entry && chosen.cell) {
    for (const AttentionMap& map : run.maps())
      if (map.find(*chosen.entry, *chosen.cell, &head, &row, &column) && map.source(row).column >= 0)
        return static_cast<int>(nth(map.key_of_column, map.source(row).column));
    return std::nullopt;
  }
  const auto token = static_cast<std::size_t>(chosen.source_token.value_or(-1));
  if (!chosen.source_token || token >= result.position_of_token.size() || result.position_of_token[token] < 0)
    return std::nullopt;
  return result.position_of_token[token];
}

std::optional<ExplainRows> ExplainRows::of(const AnalysedRun& run, int step, const SelectionState& chosen,
                                           bool folded) {
  const Result& result = *run.result();
  if (!result.trace || step < 0 || step >= count(result)) return std::nullopt;
  const Trace& trace = *result.trace;
  ExplainRows made;
  made.step = step;
  made.steps = count(result);
  made.only_read = only_reads(result);
  made.of_classes = result.model && result.model->on_top && !guesses_hidden_words(result);
  made.of_words = made.only_read || says_of_words(result);
  const auto at = static_cast<std::size_t>(step);
  const int token = at < result.token_of_position.size() ? result.token_of_position[at] : -1;
  const OutputStep output = made.only_read ? OutputStep{} : result.steps[at];
  made.written = made.only_read ? nth(result.tokens, token).text : output.text;
  made.hidden = made.of_words && token >= 0 && nth(result.tokens, token).id == result.model->text.mask;
  if (const auto place = place_of(run, step, made.of_words, chosen)) {
    const AttentionMap& map = *place->map;
    made.map = &map;
    made.head = place->head;
    const auto paddings = std::ranges::count_if(map.columns, [](const AttentionToken& each) { return each.padding; });
    const bool fold = folded && paddings > 1 && paddings < static_cast<Index>(map.columns.size());
    double blanks = 0;
    Row share{ExplainRows::Kind::share, map.entry(place->row), {}};
    Row compare{
        ExplainRows::Kind::compare, trace.find(sibling(trace[share.entry].site.text, SiteKind::Role::scores)), {}};
    const Tensor& weights = trace[share.entry].value;
    const bool scored = compare.entry >= 0 && trace[compare.entry].value.size() == weights.size();
    for (Index column = 0; column < map.column_count(); ++column) {
      Number number;
      number.cell = map.has(place->row, column) ? map.cell(place->head, place->row, column) : -1;
      if (number.cell >= 0) number.value = static_cast<double>(weights[number.cell]);
      const AttentionToken& looked_at = nth(map.columns, column);
      if (fold && looked_at.padding) {
        blanks += number.value;
        continue;
      }
      made.columns.push_back(looked_at);
      share.numbers.push_back(number);
      if (number.cell >= 0 && scored) number.value = static_cast<double>(trace[compare.entry].value[number.cell]);
      compare.numbers.push_back(number);
    }
    if (fold) {
      AttentionToken all;
      all.padding = true;
      all.tokens = static_cast<int>(paddings);
      made.columns.push_back(all);
      share.numbers.push_back({blanks, -1});
      compare.numbers.push_back({0, -1});
    }
    if (scored) made.rows.push_back(std::move(compare));
    Row mix{ExplainRows::Kind::mix, mixed_by(trace, share.entry), {}};
    made.rows.push_back(std::move(share));
    if (mix.entry >= 0) {
      // Of several heads or rows at once, the part of this one.
      const Tensor& value = trace[mix.entry].value;
      const Index units = value.columns();
      const Index parts = units > 0 ? value.size() / units : 0;
      const Index per_head = map.heads > 0 ? parts / map.heads : 0;
      const Index row = per_head > 1 ? std::min<Index>(place->row, per_head - 1) : 0;
      const Index first = parts == 1 ? 0 : (place->head * per_head + row) * units;
      for (Index i = first; i < std::min(first + units, value.size()); ++i)
        mix.numbers.push_back({static_cast<double>(value[i]), i});
      made.rows.push_back(std::move(mix));
    }
  }
  Row choose{ExplainRows::Kind::choose, trace.find("decoder.step[" + std::to_string(step) + "].output.probs"), {}};
  for (const Candidate& candidate : output.top) {
    made.candidates.push_back(candidate.text);
    choose.numbers.push_back({candidate.probability, candidate.id});
  }
  if (!choose.numbers.empty()) made.rows.push_back(std::move(choose));
  return made;
}

}  // namespace headlight
