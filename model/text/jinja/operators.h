// Operators as Python has them.
#pragma once

#include <string>

#include "model/text/jinja/builtins.h"

namespace headlight::jinja {

// + - * / // % **; whole numbers beyond 127 bits are refused.
Value computed(const std::string& sign, const Value& a, const Value& b, Limits& limits);
// == != < > <= >= in, not in
bool compared(const std::string& sign, const Value& a, const Value& b, Limits& limits);
// of[from:to:by]; none: left out.
Value sliced(const Value& of, const Value& from, const Value& to, const Value& by, Limits& limits);

}  // namespace headlight::jinja
