// Options that were given and change nothing. Each command has a table of what its options need to act; what does not
// is told, so that nobody takes a result for something else. Two options that contradict each other are refused.
#pragma once

#include "app/cli/command_line.h"
#include "model/models/bundle.h"

namespace headlight {

// Throw UsageError.
void refuse_contradictions(const RunCommand& command);
void refuse_contradictions(const RenderCommand& command);
void refuse_contradictions(const TrainCommand& command);
void refuse_contradictions(const RecordingCommand& command);

// Once all went well: of a line that is wrong, only what is wrong is said.
// `bundle`: what was run; null where the values of a model of another library were asked for by its own names.
void tell_unused(const RunCommand& command, const ModelBundle* bundle);
void tell_unused(const RenderCommand& command, const ModelBundle& bundle);
// `opened`: what the window opens instead of a model: "a session", "a file of weights"; null: a model.
void tell_unused(const WindowCommand& command, const char* opened);
void tell_unused(const TrainCommand& command);
// `elsewhere`: the model is one of another library.
void tell_unused(const EvaluateCommand& command, bool elsewhere);
// `weights`: two files are compared, tensor by tensor.
void tell_unused(const CompareCommand& command, bool weights);
// `uses`: options of the experiment, with spaces between them.
void tell_unused(const ExperimentCommand& command, const std::string& uses);
void tell_unused(const InspectCommand& command);
void tell_unused(const VerifyCommand& command, bool elsewhere);
void tell_unused(const LessonCommand& command);

}  // namespace headlight
