// The chat template of a folder or a GGUF file as that of a model that runs.
#pragma once

#include <filesystem>
#include <memory>

#include "model/text/chat.h"
#include "model/text/pretrained/tokenizer.h"
#include "model/text/tokenizer.h"

namespace headlight {

// Null where there is no template. `bare` is the tokenizer without signs, as people read its tokens. Throws FileError
// and FormatError.
std::shared_ptr<const ChatFormat> open_chat_format(const std::filesystem::path& path,
                                                   std::shared_ptr<const pretrained::Tokenizer> tokenizer,
                                                   std::shared_ptr<const OtherTokenizer> bare);

// Now, as a template is told it: ISO 8601, local time.
std::string local_time();

}  // namespace headlight
