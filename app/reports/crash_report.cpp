#include "app/reports/crash_report.h"

#include <execinfo.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "app/reports/program_facts.h"

namespace headlight {

namespace {

struct Deadly {
  int number;
  const char* name;
};
constexpr std::array kDeadly = {Deadly{SIGSEGV, "SIGSEGV, an address that does not exist"},
                                Deadly{SIGBUS, "SIGBUS, a file that became shorter, or a disk that failed"},
                                Deadly{SIGFPE, "SIGFPE, a division of whole numbers by zero"},
                                Deadly{SIGILL, "SIGILL, an instruction that this processor does not have"},
                                Deadly{SIGABRT, "SIGABRT, the program stopped itself"}};
constexpr std::size_t kMostKept = 10;

// All that the handler needs, made before: there, no memory can be asked for.
struct Prepared {
  std::vector<std::string> folders;  // that of the reports, behind all that it lies in
  std::string path, facts;
};
Prepared& prepared() {
  static Prepared all;
  return all;
}

// Of what a handler of a signal may call, only write() remains.
void put(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

// "2026-11-28 07:24:05 UTC"
void put_time(int file) {
  using namespace std::chrono;
  const auto now = floor<seconds>(system_clock::now());
  const auto today = floor<days>(now);
  const year_month_day date(today);
  const hh_mm_ss time(now - today);
  std::array<char, 24> text;
  std::size_t at = 0;
  const auto number = [&](int value, int digits, char behind) {
    for (int digit = digits; digit-- > 0; value /= 10)
      text[at + static_cast<std::size_t>(digit)] = static_cast<char>('0' + value % 10);
    at += static_cast<std::size_t>(digits);
    text[at++] = behind;
  };
  number(int{date.year()}, 4, '-');
  number(static_cast<int>(unsigned{date.month()}), 2, '-');
  number(static_cast<int>(unsigned{date.day()}), 2, ' ');
  number(static_cast<int>(time.hours().count()), 2, ':');
  number(static_cast<int>(time.minutes().count()), 2, ':');
  number(static_cast<int>(time.seconds().count()), 2, ' ');
  put(file, {text.data(), at});
  put(file, "UTC\n");
}

void write_report(int signal) {
  const Prepared& all = prepared();
  const auto* what = std::ranges::find(kDeadly, signal, &Deadly::number);
  for (const std::string& folder : all.folders) ::mkdir(folder.c_str(), 0700);
  const int file = ::open(all.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  put(STDERR_FILENO, "headlight: a defect of ours: ended by ");
  put(STDERR_FILENO, what->name);
  if (file >= 0) {
    put(STDERR_FILENO, "; a report lies in ");
    put(STDERR_FILENO, all.path);
  }
  put(STDERR_FILENO, "\n");
  if (file < 0) return;
  put(file, "Headlight ended unexpectedly: ");
  put(file, what->name);
  put(file, "\nat: ");
  put_time(file);
  put(file, all.facts);
  put(file, "\nWhere it was, the innermost place first:\n");
  std::array<void*, 64> frames;
  ::backtrace_symbols_fd(frames.data(), ::backtrace(frames.data(), static_cast<int>(frames.size())), file);
  ::close(file);
}

void on_deadly(int signal) {
  static volatile std::sig_atomic_t writes = 0;
  if (!writes) {
    writes = 1;
    write_report(signal);
  }
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

}  // namespace

std::string crash_folder() { return state_folder() + "/reports"; }

void keep_crash_reports() {
#ifndef __SANITIZE_ADDRESS__  // it says more itself
  const auto now =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch());
  const std::string name = "/crash-" + std::to_string(now.count()) + "-" + std::to_string(::getpid()) + ".txt";
  prepared() = {{}, crash_folder() + name, program_facts()};
  for (std::size_t at = 0; (at = prepared().path.find('/', at + 1)) != std::string::npos;)
    prepared().folders.push_back(prepared().path.substr(0, at));
  void* first = nullptr;
  ::backtrace(&first, 1);  // loads what it needs, which a handler could not
  // A stack that is full needs another one.
  static std::array<char, 64 * 1024> other;
  const stack_t stack = {.ss_sp = other.data(), .ss_flags = 0, .ss_size = other.size()};
  ::sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_handler = on_deadly;
  action.sa_flags = SA_ONSTACK;
  ::sigemptyset(&action.sa_mask);
  for (const Deadly& each : kDeadly) ::sigaction(each.number, &action, nullptr);
#endif
}

std::vector<std::string> crash_reports() {
  std::vector<std::string> all;
  std::error_code none;
  for (std::filesystem::directory_iterator each(crash_folder(), none), end; !none && each != end; each.increment(none))
    if (const std::string name = each->path().filename(); name.starts_with("crash-") && name.ends_with(".txt"))
      all.push_back(each->path());
  std::ranges::sort(all, std::ranges::greater());  // their names begin with the time
  for (; all.size() > kMostKept; all.pop_back()) std::filesystem::remove(all.back(), none);
  return all;
}

}  // namespace headlight
