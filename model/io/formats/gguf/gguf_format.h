// GGUF files as a format: what they hold, their tokenizer and chat templates, and how they run, as the folder does that
// they were made from (gguf_folder.h).
#pragma once

#include "model/io/formats/format.h"
#include "model/io/formats/gguf/gguf_file.h"
#include "model/io/formats/pretrained/pretrained_models.h"

namespace headlight {

Format gguf_format();

// What open_pretrained is of a folder. Throws Error: what is wrong with the file, or why it does not run.
std::shared_ptr<const PretrainedModel> open_gguf_model(const std::filesystem::path& path, const CancelToken& cancel);

struct LibraryFiles;
LibraryFiles gguf_library_files(const std::filesystem::path& path);  // see pretrained_folder.h

}  // namespace headlight
