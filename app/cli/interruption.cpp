#include "app/cli/interruption.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>

#include "model/io/unfinished.h"

namespace headlight {

namespace {

constexpr std::uint64_t kOne = 1;
constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};  // the last: its terminal is closed
volatile std::sig_atomic_t received = SIGINT;
std::atomic<int> told = -1;  // the descriptor that a signal writes to

const CancelToken& shared_token() {
  static const CancelToken token = CancelToken::make();
  return token;
}

void end_at_once(int signal) {
  remove_remembered();
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

void on_signal(int signal) {
  received = signal;
  shared_token().cancel();
  if (const int to = told; to >= 0) [[maybe_unused]]
    const ssize_t one = ::write(to, &kOne, sizeof kOne);
  std::signal(signal, end_at_once);
}

}  // namespace

Interruptible::Interruptible() {
  shared_token();  // made before a signal can ask for it
  for (std::size_t i = 0; i < kSignals.size(); ++i) before_[i] = std::signal(kSignals[i], on_signal);
  if (before_.back() == SIG_IGN) std::signal(kSignals.back(), SIG_IGN);  // nohup
}
Interruptible::~Interruptible() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) std::signal(kSignals[i], before_[i]);
}
const CancelToken& Interruptible::token() const { return shared_token(); }
int Interruptible::descriptor() const {
  if (told < 0) told = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return told;
}

void leave_nothing_behind() {
  for (const int signal : kSignals)
    if (std::signal(signal, end_at_once) == SIG_IGN) std::signal(signal, SIG_IGN);  // nohup
}

void end_interrupted() {
  std::signal(received, SIG_DFL);
  ::raise(received);
  ::_exit(128 + received);
}

}  // namespace headlight
