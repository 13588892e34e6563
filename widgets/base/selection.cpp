// The shared selection.
#include "widgets/base/selection.h"

namespace headlight {

void Selection::set(const SelectionState& wanted) {
  SelectionState state = wanted;
  // What is only shown (a mean, the weights of whole words) is no cell of the trace.
  if (state.entry && *state.entry < 0) state.entry.reset();
  if (!state.entry || (state.cell && *state.cell < 0)) state.cell.reset();
  if (state == state_) return;
  state_ = state;
  emit changed(state_);
}

void Selection::hover(std::optional<int> source_token, std::optional<int> step) {
  if (source_token == hovered_token_ && step == hovered_step_) return;
  hovered_token_ = source_token;
  hovered_step_ = step;
  emit hovered(hovered_token_, hovered_step_);
}

void Selection::set_whole_words(bool whole) {
  if (std::exchange(whole_words_, whole) != whole) emit wholeWordsChanged(whole);
}

void Selection::set_head(const std::optional<HeadPlace>& head, bool by_itself) {
  by_itself_ = by_itself;
  if (head == head_) return;
  head_ = head;
  emit headChanged();
}

}  // namespace headlight
