// The one view state that all views share: what is selected, in the model's own terms.
#pragma once

#include <QObject>
#include <optional>

#include "model/analysis/bench/reading.h"

namespace headlight {

// A place in the current result. Every field may be absent. `entry`/`cell` name a number of the trace.
struct SelectionState {
  std::optional<int> source_token;  // index into Result::tokens
  std::optional<int> step;          // output step
  std::optional<int> entry;         // trace entry
  std::optional<qint64> cell;       // flat index within that entry
  bool operator==(const SelectionState&) const = default;
};

// A place in a list, where -1 is none, as the selection has it.
std::optional<int> unless_none(auto place) {
  return place >= 0 ? std::optional(static_cast<int>(place)) : std::nullopt;
}

class Selection : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  const SelectionState& state() const { return state_; }
  // Emits changed() if the state is another one.
  void set(const SelectionState& state);
  // Marked under the mouse, without a click.
  void hover(std::optional<int> source_token, std::optional<int> step);
  std::optional<int> hovered_token() const { return hovered_token_; }
  std::optional<int> hovered_step() const { return hovered_step_; }
  // Whether views of attention put the pieces of words together. Emits wholeWordsChanged() if it is another choice.
  void set_whole_words(bool whole);
  bool whole_words() const { return whole_words_; }
  // The chosen head, of all views. A view that lacks it keeps what it shows. Emits headChanged() if it is another one.
  // `by_itself`: nobody chose it, a view began with it.
  void set_head(const std::optional<HeadPlace>& head, bool by_itself = false);
  const std::optional<HeadPlace>& head() const { return head_; }
  bool is_head_wanted() const { return head_ && !by_itself_; }
  // The person is changing things (*Change*): a drag in a picture changes a weight instead of moving the picture.
  void set_changing(bool changing) { changing_ = changing; }
  bool changing() const { return changing_; }

 signals:
  void changed(const SelectionState& state);
  void hovered(std::optional<int> source_token, std::optional<int> step);
  void wholeWordsChanged(bool whole);
  void headChanged();

 private:
  SelectionState state_;
  std::optional<HeadPlace> head_;
  bool by_itself_ = false;
  bool whole_words_ = false, changing_ = false;
  std::optional<int> hovered_token_, hovered_step_;
};

}  // namespace headlight
