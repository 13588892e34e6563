// Somebody waits for a run: work that nobody waits for steps aside meanwhile, between two of its steps.
#pragma once

#include <chrono>

namespace headlight {

// Says so for as long as it is there, and a moment longer, in which the result is painted. Any thread.
class Hurry {
 public:
  Hurry();
  ~Hurry();
  Hurry(const Hurry&) = delete;
  Hurry& operator=(const Hurry&) = delete;

  // Returns when nobody waits any more; or after so long, so that who types without a break does not stop a training.
  static void let_pass(std::chrono::milliseconds at_most);
};

}  // namespace headlight
