#include "model/core/slices.h"

#include <cxxabi.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <memory>
#include <new>
#include <thread>
#include <utility>
#include <vector>

namespace headlight {

namespace {

constexpr std::chrono::milliseconds kSlice{8}, kPause{1};
constexpr int kBehind = 8;  // every so many rounds work behind has a slice although others want it
constexpr std::size_t kStack = std::size_t{8} << 20, kGuard = 4096;  // as threads have; only what is used takes memory

struct Variable {
  char* at;
  std::size_t size;
};
std::vector<Variable>& variables() {
  static std::vector<Variable> all;
  return all;
}

class Piece;
bool no_threads = false;
Piece* running = nullptr;
ucontext_t driver;  // who called run_slices()
SliceClock::time_point slice_end;
int whole = 0, rounds = 0;

class Piece {
 public:
  explicit Piece(std::function<void()> work) : work_(std::move(work)) {
    memory_ = ::mmap(nullptr, kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    ::mprotect(memory_, kGuard, PROT_NONE);  // a stack that is full ends the program and writes nowhere
    ::getcontext(&context_);
    context_.uc_stack.ss_sp = memory_;
    context_.uc_stack.ss_size = kStack;
    context_.uc_link = &driver;
    ::makecontext(&context_, &Piece::enter, 0);
  }
  ~Piece() { ::munmap(memory_, kStack); }
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;

  bool behind = false;
  bool ended() const { return ended_; }
  bool is_ready() const { return !ready_ || (*ready_)() || SliceClock::now() >= until_; }

  void go_on() {
    running = this;
    slice_end = SliceClock::now() + kSlice;
    exchange();
    ::swapcontext(&driver, &context_);
    exchange();
    running = nullptr;
  }
  void pause(const std::function<bool()>* ready, SliceClock::time_point until) {
    ready_ = ready;
    until_ = until;
    ::swapcontext(&context_, &driver);
    ready_ = nullptr;
  }

 private:
  static void enter() noexcept {
    Piece& self = *running;
    self.work_();
    self.work_ = nullptr;  // what it holds goes on this stack
    self.ended_ = true;
  }
  // Its variables for those of the driver, and back.
  void exchange() {
    std::size_t at = 0;
    for (const Variable& each : variables()) {
      kept_.resize(std::max(kept_.size(), at + each.size));  // one that was made only now was 0 elsewhere
      std::swap_ranges(each.at, each.at + each.size, kept_.data() + at);
      at += each.size;
    }
  }

  std::function<void()> work_;
  ucontext_t context_{};
  void* memory_;
  std::vector<char> kept_;
  const std::function<bool()>* ready_ = nullptr;  // null: it can go on
  SliceClock::time_point until_{};
  bool ended_ = false;
};

struct Driven {
  std::function<void()> wake;
  std::vector<std::unique_ptr<Piece>> pieces;
};
// Never destroyed: work that was left to itself may stand in it until the process is gone.
Driven& driven() {
  static auto* all = new Driven;
  return *all;
}

// Which exceptions are being handled: C++ keeps that for each thread.
const OnePerWork exceptions(abi::__cxa_get_globals(), 2 * sizeof(void*));

}  // namespace

OnePerWork::OnePerWork(void* variable, std::size_t size) {
  variables().push_back({static_cast<char*>(variable), size});
}

void work_without_threads(std::function<void()> wake) {
  no_threads = true;
  driven().wake = std::move(wake);
}

bool has_threads() { return !no_threads; }

void begin_sliced(std::function<void()> work) {
  driven().pieces.push_back(std::make_unique<Piece>(std::move(work)));
  if (driven().wake) driven().wake();
}

void slice_behind() {
  if (running) running->behind = true;
}

Slices run_slices() {
  if (running) return Slices::waiting;  // a loop of events on top of a piece of work, which drives nothing
  std::vector<std::unique_ptr<Piece>>& all = driven().pieces;
  ++rounds;
  const auto wants = [](const auto& piece) { return !piece->behind && piece->is_ready(); };
  const bool hurried = std::ranges::any_of(all, wants) && rounds % kBehind != 0;
  const std::size_t count = all.size();  // what begins meanwhile has its turn in the next round
  for (std::size_t i = 0; i < count; ++i)
    if (Piece& piece = *all[i]; piece.is_ready() && !(hurried && piece.behind)) piece.go_on();
  std::erase_if(all, [](const auto& piece) { return piece->ended(); });
  if (all.empty()) return Slices::none;
  return std::ranges::any_of(all, [](const auto& piece) { return piece->is_ready(); }) ? Slices::ready
                                                                                       : Slices::waiting;
}

void slice_point() {
  if (running && whole == 0 && SliceClock::now() >= slice_end) running->pause(nullptr, {});
}

WholeSlice::WholeSlice() {
  if (no_threads) ++whole;
}
WholeSlice::~WholeSlice() {
  if (no_threads) --whole;
}

bool wait_in_slices(const std::function<bool()>& ready, SliceClock::time_point until) {
  while (!ready()) {
    if (SliceClock::now() >= until) return false;
    if (running)
      running->pause(&ready, until);
    else if (run_slices() != Slices::ready)
      std::this_thread::sleep_for(kPause);
  }
  return true;
}

}  // namespace headlight
