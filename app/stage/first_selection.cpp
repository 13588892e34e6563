#include "app/stage/first_selection.h"

#include <algorithm>
#include <cmath>

#include "model/analysis/alignment.h"
#include "model/decode/run.h"

namespace headlight {

SelectionState first_selection(const Result& result) {
  SelectionState state;
  if (!result.trace || result.steps.empty()) return state;
  const Alignment weights = alignment(result);  // also where whole words are shown
  state.step = static_cast<int>(result.steps.size()) / 2;
  // A hidden word, where there is one.
  for (std::size_t position = result.token_of_position.size(); position-- > 0 && result.model->text.mask;)
    if (const int token = result.token_of_position[position];
        position < result.steps.size() && token >= 0 &&
        result.tokens[static_cast<std::size_t>(token)].id == result.model->text.mask)
      state.step = static_cast<int>(position);
  if (weights.empty()) {
    const int entry = result.trace->find("decoder.step[" + std::to_string(*state.step) + "].output.probs");
    if (entry >= 0) {
      state.entry = entry;
      state.cell = result.steps[static_cast<std::size_t>(*state.step)].id;
    }
  } else {
    const auto row = static_cast<std::size_t>(*state.step);
    const auto columns = static_cast<std::size_t>(weights.weights.columns());
    const Scalar* values = weights.weights.data() + row * columns;
    const auto best = static_cast<std::size_t>(
        std::max_element(values, values + columns, [](Scalar a, Scalar b) { return a < b || std::isnan(a); }) - values);
    state.source_token = weights.token_of_column[best];
    state.entry = weights.entry_of_row[row];
    state.cell = static_cast<qint64>(weights.index_of_column[best]);
  }
  return state;
}

SelectionState fitted(SelectionState state, const Result& result) {
  if (state.source_token && *state.source_token >= static_cast<int>(result.tokens.size())) state.source_token.reset();
  if (state.step && *state.step >= static_cast<int>(result.steps.size())) state.step.reset();
  const bool gone = state.entry && (!result.trace || *state.entry >= result.trace->size() ||
                                    (state.cell && *state.cell >= (*result.trace)[*state.entry].value.size()));
  if (gone) {
    state.entry.reset();
    state.cell.reset();
  }
  return state;
}

}  // namespace headlight
