// Mapping files: which tensors of somebody's state dict become which parameters of one of our architectures. A small
// JSON file beside the weights (docs/formats.md); nothing of it is a program.
#pragma once

#include <filesystem>
#include <memory>

#include "model/core/json.h"
#include "model/io/formats/format.h"

namespace headlight {

// The weights of `file` as `mapping` says. Vocabularies that it names are looked for beside the weights, then beside
// the mapping. Throws FileError, and FormatError for tensors that are missing, left over, or of another shape.
std::shared_ptr<const ModelBundle> open_mapped(const std::filesystem::path& file, const std::filesystem::path& mapping,
                                               const Opening& opening = {});

// What is missing in a mapping, as far as names and shapes say it: `started` has "model_type" and "model", and perhaps
// some rules. Returns it with the rules that were found, and, where there is any, "questions" (a parameter that several
// tensors would fit, with them), "missing" (one that none fits) and "unused" (tensors that nothing asks for). Whoever
// answers them takes those three keys out. Throws FileError and FormatError as open_mapped does.
Json proposed_mapping(const std::filesystem::path& file, const std::filesystem::path& started);

// The same of a mapping that is in no file; `where` stands in messages.
Json proposed_mapping(const std::filesystem::path& file, Json started, const std::string& where);

// open_mapped() of rules that are in no file yet: `mapping` is where they would be.
std::shared_ptr<const ModelBundle> open_rules(const std::filesystem::path& file, const Json& rules,
                                              const std::filesystem::path& mapping, const Opening& opening = {});

// A mapping that names its weights can be opened itself.
Format mapping_format();

}  // namespace headlight
