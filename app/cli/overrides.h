// What the command line changes for one run: settings of the model ("--set KEY=VALUE") and values ("--edit
// SITE=VALUE"), and what it says of it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/jobs/session_opener.h"
#include "model/decode/run.h"

namespace headlight {

// An object of "KEY=VALUE"; a value is JSON where it parses as JSON, else a string. Throws UsageError.
Json parse_settings(const std::vector<std::string>& texts);

// The same weights under a changed configuration. What the change asks for and the file lacks (the matrix of another
// score function, say) starts at random; the warnings of the bundle say so. Throws UsageError for a setting that does
// not exist, and FormatError where the file has weights outside the attention in another shape.
std::shared_ptr<const ModelBundle> with_settings(std::shared_ptr<const ModelBundle> bundle,
                                                 const std::vector<std::string>& settings);

// A session file in the place of a model, with its model; nothing: it is none. What has to be said about it goes to
// standard error. Throws FileError and FormatError.
bool is_session_file(const std::string& model);
std::optional<OpenedSession> session_named(const std::string& model);

// What has to be said about a model before it is used, on standard error.
void warn(const ModelBundle& bundle);

// The notes of a run that becomes a picture, on standard error.
void say_notes(const Result& result);

// What a model is to read: of stored attention whose text nobody chose the first one, and standard error says so.
std::string chosen_text(const ModelBundle& bundle, const std::string& source);

// Throws UsageError that names the edit.
std::vector<Intervention> edits_of(const std::vector<std::string>& texts);
// A run of the command line has no longer text to wait for: throws UsageError for an edit of cells that its site has
// not. (A step that the run does not reach is no error.)
void check_reached(const Result& result);

}  // namespace headlight
