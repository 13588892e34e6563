// The tokenizer of a GGUF file (tokenizer.ggml.*), put together from the parts of other tokenizers, and its chat
// templates.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/io/formats/gguf/gguf_file.h"
#include "model/text/pretrained/tokenizer.h"

namespace headlight {

// Throws FormatError with the key, what was expected and what was found.
std::shared_ptr<const pretrained::Tokenizer> gguf_tokenizer(const GgufFile& file);

struct GgufTemplates {
  std::map<std::string, std::string> templates;  // by their names; the usual one is "default"
  std::map<std::string, std::string> special;    // "bos_token" -> "<s>"
};
GgufTemplates gguf_templates(const GgufFile& file);

namespace gguf {

// How a text is cut before pairs of bytes are merged.
struct CutRule {
  const char* names;  // in tokenizer.ggml.pre, with blanks between them; "-": the key is missing
  std::vector<const char*> expressions;
  bool whole;   // a piece that is a token is not merged
  bool begins;  // with the first token of a text, unless the file says otherwise
};
const CutRule* cut_rule(const std::optional<std::string>& pre);  // null: not known

}  // namespace gguf

}  // namespace headlight
