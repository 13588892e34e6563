// From the start of the process to the first paint of the window with its first picture. The program is started again
// and again as a process of its own, which says when its picture stands on the screen and then ends at once; the first
// start of each kind fills the system's cache and does not count.
//
//   xvfb-run -a -s "-screen 0 1280x800x24" build/release/bench_start [STARTS]
//
// It needs a display. Two kinds of starts: the very first one, which opens on the page of the start, and one that goes
// on with the model and the text of the last time. Behind the times of the clock, which others on the machine lengthen,
// stand those of the processor, all threads of the process together.

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QApplication>
#include <QTemporaryDir>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command_line.h"
#include "app/cli/window_start.h"
#include "app/settings.h"
#include "app/window/main_window.h"
#include "model/core/kernels.h"
#include "model/io/model_folder.h"
#include "widgets/base/utf8_text.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/alignment/alignment_view.h"

using namespace headlight;

namespace {

constexpr const char* kChild = "--child";

double now_ms() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

double processor_ms() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto ms = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) * 1e-3;
  };
  return ms(used.ru_utime) + ms(used.ru_stime);
}

// In the process that is started: says when the picture of a run has been painted, and ends the process.
class FirstPicture : public QObject {
 public:
  using QObject::QObject;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    auto* window = event->type() == QEvent::Show ? qobject_cast<MainWindow*>(watched) : nullptr;
    if (window)
      connect(window->views().alignment()->heatmap(), &Heatmap::painted, window, [window] {
        // Queued: what was painted is handed to the screen first.
        if (window->result()) QMetaObject::invokeMethod(window, &FirstPicture::tell, Qt::QueuedConnection);
      });
    return QObject::eventFilter(watched, event);
  }

 private:
  static void tell() {
    std::printf("%.3f %.3f\n", now_ms(), processor_ms());
    std::fflush(stdout);
    _exit(0);
  }
};

void watch_for_the_first_picture() {
  auto* first = new FirstPicture(qApp);
  qApp->installEventFilter(first);
}

struct Start {
  double ms = 0, processor = 0;
};

// Throws nothing: an empty answer is a start that showed no picture.
std::optional<Start> start_once() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::string self = "/proc/self/exe", child = kChild;
  std::array<char*, 3> arguments = {self.data(), child.data(), nullptr};
  pid_t process = 0;
  const double begun = now_ms();
  const int failed = posix_spawn(&process, self.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::array<char, 100> said{};
  const ssize_t size = failed ? 0 : read(ends[0], said.data(), said.size() - 1);
  close(ends[0]);
  if (!failed) waitpid(process, nullptr, 0);
  Start start;
  if (size <= 0 || std::sscanf(said.data(), "%lf %lf", &start.ms, &start.processor) != 2) return std::nullopt;
  start.ms -= begun;
  return start;
}

bool measure(const char* what, int count) {
  std::vector<double> ms, processor;
  for (int i = 0; i < count + 1; ++i) {
    const std::optional<Start> start = start_once();
    if (!start) {
      std::fprintf(stderr, "%s: the window showed no picture\n", what);
      return false;
    }
    if (i == 0) continue;
    ms.push_back(start->ms);
    processor.push_back(start->processor);
  }
  std::sort(ms.begin(), ms.end());
  std::sort(processor.begin(), processor.end());
  std::printf("%-36s %3d starts  median %6.1f ms  (%.1f to %.1f)  processor %6.1f ms (%.1f to %.1f)\n", what, count,
              ms[ms.size() / 2], ms.front(), ms.back(), processor[processor.size() / 2], processor.front(),
              processor.back());
  std::fflush(stdout);
  return true;
}

}  // namespace

Q_COREAPP_STARTUP_FUNCTION(watch_for_the_first_picture)

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], kChild) == 0) {
    use_better_kernels(argv);  // as main() of the program does
    const char* nothing[] = {argv[0]};
    const auto parsed = parse_command_line(1, nothing);
    const auto* command = std::get_if<Command>(&parsed);
    return command && std::holds_alternative<WindowCommand>(*command)
               ? window_command(std::get<WindowCommand>(*command))
               : 2;
  }
  const int count = argc > 1 ? std::max(1, std::atoi(argv[1])) : 20;
  // Nothing of the person's is read or written.
  const QTemporaryDir home;
  for (const char* name : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"}) qputenv(name, home.path().toUtf8());
  if (!measure("first start, on its page", count)) return 1;
  QCoreApplication::setOrganizationName(QStringLiteral("Headlight"));
  QCoreApplication::setApplicationName(QStringLiteral("Headlight"));
  QSettings::setDefaultFormat(settings_format());
  for (const std::filesystem::path& folder : bundled_models())
    if (folder.filename() == "date-attention") UserSettings().set_last(path_text(folder), "November 22, 2016");
  return measure("with the model of the last time", count) ? 0 : 1;
}
