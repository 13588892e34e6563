// A call of the system, again and again while a signal interrupts it.
#pragma once

#include <cerrno>

namespace headlight {

template <typename Call>
auto retried(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace headlight
