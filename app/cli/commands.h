// The commands that need no window. Each writes to standard output, returns the exit status, and throws Error.
#pragma once

#include "app/cli/command_line.h"

namespace headlight {

int run_command(const RunCommand& command);
int inspect_command(const InspectCommand& command);
int verify_command(const VerifyCommand& command);
int tokenize_command(const TokenizeCommand& command);
int chat_command(const ChatCommand& command);
int choose_command(const ChooseCommand& command);
int train_command(const TrainCommand& command);
int evaluate_command(const EvaluateCommand& command);
int compare_command(const CompareCommand& command);
int experiment_command(const ExperimentCommand& command);
int analyse_command(const AnalyseCommand& command);
int recording_command(const RecordingCommand& command);
// --list and --check, and what is printed; to open a lesson is for window_command.
int lesson_command(const LessonCommand& command);

}  // namespace headlight
