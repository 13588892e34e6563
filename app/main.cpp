// The one place where exceptions end: what the user can mend is status 2, a defect of ours is status 1.

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <new>

#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/interruption.h"
#include "app/cli/render/render_command.h"
#include "app/cli/window_start.h"
#include "app/jobs/latest.h"
#include "app/messages.h"
#include "app/reports/crash_report.h"
#include "model/core/errors.h"
#include "model/core/kernels.h"

namespace {

using namespace headlight;

struct Execute {
  int operator()(const WindowCommand& command) const { return window_command(command); }
  int operator()(const RenderCommand& command) const { return render_command(command); }
  int operator()(const RunCommand& command) const { return run_command(command); }
  int operator()(const TrainCommand& command) const { return train_command(command); }
  int operator()(const EvaluateCommand& command) const { return evaluate_command(command); }
  int operator()(const CompareCommand& command) const { return compare_command(command); }
  int operator()(const ExperimentCommand& command) const { return experiment_command(command); }
  int operator()(const InspectCommand& command) const { return inspect_command(command); }
  int operator()(const VerifyCommand& command) const { return verify_command(command); }
  int operator()(const TokenizeCommand& command) const { return tokenize_command(command); }
  int operator()(const ChatCommand& command) const { return chat_command(command); }
  int operator()(const ChooseCommand& command) const { return choose_command(command); }
  int operator()(const RecordingCommand& command) const { return recording_command(command); }
  int operator()(const AnalyseCommand& command) const { return analyse_command(command); }
  int operator()(const LessonCommand& command) const { return lesson_command(command); }
};

// A closed descriptor would be the next file that is opened: what is printed would go into it.
void keep_standard_descriptors() {
  int descriptor = 0;
  while (descriptor >= 0 && descriptor <= STDERR_FILENO) descriptor = ::open("/dev/null", O_RDONLY);
  if (descriptor >= 0) ::close(descriptor);
}

// A thread that did not end when it was cancelled (it waits for a disk, say) keeps nobody from quitting, but it must
// not see how the program is taken down around it.
int ended(int status) {
  if (BackgroundThread::left() > 0) std::_Exit(status);
  return status;
}

// Standard output may be a full disk or a closed pipe, and some disks say so only when a descriptor is closed.
int checked(int status) {
  if (std::cout.flush() && ::close(::dup(STDOUT_FILENO)) == 0) return status;
  say("headlight: standard output: cannot write everything (no space left, or the reader is gone)");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  keep_standard_descriptors();
  use_better_kernels(argv);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error like others
  std::signal(SIGPIPE, SIG_DFL);  // 'headlight ... | head -1' ends quietly, whatever started it
  leave_nothing_behind();
  keep_crash_reports();
  take_over_qt_messages();
  if (!qEnvironmentVariableIsEmpty("HEADLIGHT_DEBUG"))
    say("headlight: products use the kernels for " + product_kernels());
  try {
    const auto parsed = parse_command_line(argc, argv);
    if (const auto* nothing = std::get_if<NothingToRun>(&parsed)) {
      if (nothing->status == 0)
        std::cout << nothing->text;
      else
        say("headlight: " + nothing->text);
      return checked(nothing->status);
    }
    return ended(checked(std::visit(Execute{}, std::get<Command>(parsed))));
  } catch (const Interrupted& error) {
    say(std::string("headlight: ") + error.what());
    end_interrupted();
  } catch (const Cancelled&) {
    say("headlight: interrupted; nothing was written");
    end_interrupted();
  } catch (const Error& error) {
    say(std::string("headlight: ") + error.what());
    return 2;
  } catch (const std::filesystem::filesystem_error& error) {
    say("headlight: " + error.path1().string() + ": " + error.code().message());
    return 2;
  } catch (const std::bad_alloc&) {
    say("headlight: not enough memory");
    return 2;
  } catch (const std::exception& error) {
    say(std::string("headlight: a defect of ours: ") + error.what());
    return 1;
  }
}
