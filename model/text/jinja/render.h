// Rendering chat templates: Jinja as transformers 5.24 runs it (jinja2 3.1: trim_blocks, lstrip_blocks, break and
// continue, {% generation %}), in bounds, and with the line of the template that wrote each part of the text.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "model/text/jinja/value.h"

namespace headlight::jinja {

struct Rendered {
  std::string text;
  // From this byte on the text was written by this line of the template.
  struct Piece {
    std::size_t begin = 0;
    int line = 0;
    bool operator==(const Piece&) const = default;
  };
  std::vector<Piece> pieces;
  std::vector<std::pair<std::size_t, std::size_t>> generations;  // bytes of {% generation %} blocks
};

// `now`: ISO 8601, what strftime_now tells. Throws TemplateError; never anything else for a template or variables.
Rendered render(const std::string& source, const Dict& variables, const std::string& now);

}  // namespace headlight::jinja
