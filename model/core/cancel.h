// Cancellation: a flag that a job's owner raises and that the computation looks at.
#pragma once

#include <atomic>
#include <memory>

#include "model/core/errors.h"

namespace headlight {

// A copyable handle on one flag. Default-constructed it can never be raised and costs one null check.
class CancelToken {
 public:
  CancelToken() = default;
  static CancelToken make() {
    CancelToken token;
    token.flag_ = std::make_shared<std::atomic<bool>>(false);
    return token;
  }

  void cancel() const {
    if (flag_) flag_->store(true, std::memory_order_relaxed);
  }
  bool cancelled() const { return flag_ && flag_->load(std::memory_order_relaxed); }
  // Throws Cancelled when the flag was raised.
  void check() const {
    if (cancelled()) throw Cancelled();
  }

 private:
  std::shared_ptr<std::atomic<bool>> flag_;
};

}  // namespace headlight
