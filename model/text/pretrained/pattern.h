// Patterns of tokenizers: a literal text, or a regular expression of a stranger that must not run away.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight::pretrained {

// Byte ranges [first, last) of the matches in a text, in their order.
using Ranges = std::vector<std::pair<std::size_t, std::size_t>>;
using Pattern = std::function<Ranges(std::string_view text)>;

Pattern literal(std::string text);
Pattern characters(bool (*is)(char32_t c));  // each alone
// Oniguruma's syntax, as the tokenizers' own library has it. Throws FormatError "WHERE: ..." for what is no expression;
// the pattern throws it for a text on which it takes too long.
Pattern regular_expression(const std::string& expression, const std::string& where);

}  // namespace headlight::pretrained
