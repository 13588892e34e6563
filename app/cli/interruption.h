// Ctrl-C, and being asked to end: a long computation stops at a good place and says what is kept. A second time ends
// the program at once.
#pragma once

#include <array>

#include "model/core/cancel.h"

namespace headlight {

// What was interrupted and what is kept.
struct Interrupted : Error {
  using Error::Error;
};

// As long as it lives, such a signal raises the token instead of ending the program.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
  const CancelToken& token() const;
  // Can be read when such a signal came: for who waits in an event loop.
  int descriptor() const;

 private:
  std::array<void (*)(int), 3> before_{};
};

// From now on, such a signal also removes the temporary files of what was being written.
void leave_nothing_behind();

// Ends the program by the signal that came, as if nobody had caught it: a script that is running it stops as well.
[[noreturn]] void end_interrupted();

}  // namespace headlight
