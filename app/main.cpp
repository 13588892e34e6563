// The one place where exceptions end: what the user can mend is status 2, a defect of ours is status 1.

#include <iostream>
#include <new>

#include "app/command_line.h"
#include "app/commands.h"
#include "app/messages.h"
#include "app/window_start.h"
#include "model/core/errors.h"

namespace {

using namespace headlight;

struct Execute {
  int& argc;
  char** argv;
  int operator()(const WindowCommand& command) const { return window_command(command, argc, argv); }
  int operator()(const RenderCommand& command) const { return render_command(command, argc, argv); }
  int operator()(const RunCommand& command) const { return run_command(command); }
  int operator()(const TrainCommand& command) const { return train_command(command); }
  int operator()(const EvaluateCommand& command) const { return evaluate_command(command); }
  int operator()(const CompareCommand& command) const { return compare_command(command, argc, argv); }
  int operator()(const ExperimentCommand& command) const { return experiment_command(command, argc, argv); }
  int operator()(const InspectCommand& command) const { return inspect_command(command); }
  int operator()(const VerifyCommand& command) const { return verify_command(command); }
};

// Standard output may be a full disk or a closed pipe.
int checked(int status) {
  std::cout.flush();
  if (std::cout) return status;
  say("headlight: standard output: cannot write everything (disk full, or the reader is gone)");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  take_over_qt_messages();
  try {
    const auto parsed = parse_command_line(argc, argv);
    if (const auto* nothing = std::get_if<NothingToRun>(&parsed)) {
      if (nothing->status == 0)
        std::cout << nothing->text;
      else
        say("headlight: " + nothing->text);
      return checked(nothing->status);
    }
    return checked(std::visit(Execute{argc, argv}, std::get<Command>(parsed)));
  } catch (const Error& error) {
    say(std::string("headlight: ") + error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    say("headlight: not enough memory");
    return 2;
  } catch (const std::exception& error) {
    say(std::string("headlight: a defect of ours: ") + error.what());
    return 1;
  }
}
