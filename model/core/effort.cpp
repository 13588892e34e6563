#include "model/core/effort.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

#include "model/core/budget.h"
#include "model/core/clock.h"
#include "model/core/slices.h"

namespace headlight {

constinit thread_local Effort* Effort::current_ = nullptr;

Effort::Effort(CancelToken cancel)
    : around_(current_),
      cancel_(std::move(cancel)),
      seconds_(std::numeric_limits<double>::infinity()),
      end_(seconds_),
      most_bytes_(around_ ? around_->most_bytes_ : SIZE_MAX) {
  [[maybe_unused]] static const OnePerWork of_work(&current_, sizeof(current_));
  if (around_) what_ = around_->what_;
  current_ = this;
}

Effort::Effort(std::string what, double seconds, std::size_t bytes)
    : around_(current_),
      what_(std::move(what)),
      seconds_(seconds),
      end_(thread_seconds() + seconds),
      most_bytes_(around_ ? std::min(bytes, around_->most_bytes_) : bytes) {
  [[maybe_unused]] static const OnePerWork of_work(&current_, sizeof(current_));
  current_ = this;
}

Effort::~Effort() { current_ = around_; }

void Effort::look() {
  steps_ = 0;
  double now = thread_seconds();
  slice_point();
  // What others did meanwhile does not count.
  const double back = thread_seconds();
  for (Effort* effort = this; effort; effort = effort->around_) effort->end_ += back - now;
  now = back;
  for (const Effort* effort = this; effort; effort = effort->around_) {
    effort->cancel_.check();
    if (now <= effort->end_) continue;
    char seconds[40];
    std::snprintf(seconds, sizeof(seconds), "%.3g", effort->seconds_);
    throw BudgetError(effort->what_ + " takes longer than " + seconds + " seconds");
  }
}

void Effort::refuse() const {
  throw BudgetError(what_ + " takes more than " + memory_text(static_cast<double>(most_bytes_)) + " of memory");
}

}  // namespace headlight
