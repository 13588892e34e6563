#include "app/cli/analyse/progress.h"

#include <unistd.h>

#include <iostream>
#include <string>

#include "app/messages.h"
#include "model/core/clock.h"

namespace headlight {

namespace {
constexpr double kSecondsBetween = 0.2, kSecondsBetweenLines = 10;
}

Progress::~Progress() { clear(); }

void Progress::tell(std::size_t done, std::size_t of, const char* what) {
  if (quiet_ || of < 2) return;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const double time = steady_seconds();
  if (told_ == 0) told_ = time;
  if (time - told_ < (terminal ? kSecondsBetween : kSecondsBetweenLines)) return;
  told_ = time;
  const std::string line = std::to_string(done) + " of " + std::to_string(of) + " " + what;
  if (!terminal) return say("headlight: " + line);
  std::cerr << "\r" << line << "\033[K" << std::flush;
  line_open_ = true;
}

void Progress::clear() {
  if (line_open_) std::cerr << "\r\033[K" << std::flush;
  line_open_ = false;
}

}  // namespace headlight
