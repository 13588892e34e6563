// How much of the machine one piece of work may take whose size somebody else's file decides. Whoever begins it makes
// an Effort; every long loop below it on this thread, however deep, says what it does, and ends with an exception when
// the time is over, memory would be, or nobody waits for the result any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "model/core/cancel.h"

namespace headlight {

class Effort {
 public:
  // Ends with Cancelled when the token is raised; takes as long as it takes.
  explicit Effort(CancelToken cancel);
  // Ends with BudgetError, "WHAT takes longer than 5 seconds" or "WHAT takes more than 1 MB of memory". The limits of
  // the efforts around it, and their tokens, count as well. Seconds are those of the processor.
  Effort(std::string what, double seconds, std::size_t bytes);
  ~Effort();
  Effort(const Effort&) = delete;
  Effort& operator=(const Effort&) = delete;

  // Something that takes nanoseconds was, or will be, done so many times. Costs an addition.
  static void spend(std::size_t steps) {
    if (current_ && (current_->steps_ += steps) >= kStepsBetweenLooks) current_->look();
  }
  // The same of something that may take milliseconds: looks at the clock and at the tokens.
  static void spend_much() {
    if (current_) current_->look();
  }
  // So many bytes are about to be held at once.
  static void hold(std::size_t bytes) {
    spend(bytes);
    if (current_ && bytes > current_->most_bytes_) current_->refuse();
  }

 private:
  static constexpr std::size_t kStepsBetweenLooks = 100'000;
  void look();
  [[noreturn]] void refuse() const;

  static constinit thread_local Effort* current_;
  Effort* around_;
  CancelToken cancel_;
  std::string what_;
  double seconds_, end_;
  std::size_t most_bytes_, steps_ = 0;
};

}  // namespace headlight
