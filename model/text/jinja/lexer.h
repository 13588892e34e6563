// A template as tokens: text between tags, and what stands in them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/text/jinja/value.h"

namespace headlight::jinja {

struct Token {
  enum class Kind { data, print_begin, print_end, block_begin, block_end, name, text, whole, real, sign, end };
  Kind kind = Kind::end;
  std::string text;  // of data, names, texts and signs ("==", "|")
  Value value;       // of numbers
  int line = 1;
};

// With trim_blocks and lstrip_blocks, as chat templates are read. Throws TemplateError (syntax) with the line.
std::vector<Token> tokens_of(std::string source);

[[noreturn]] void fail_syntax(int line, const std::string& what);

}  // namespace headlight::jinja
