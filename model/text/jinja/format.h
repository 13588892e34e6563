// Texts made from other texts: Python's % and format(), padding, replacing. Widths come from strangers.
#pragma once

#include <string>

#include "model/text/jinja/value.h"

namespace headlight::jinja {

// With so many letters at least; `left`: the share of what is added that stands in front.
std::string widened(const std::string& text, Whole width, const std::string& fill, double left, Limits& limits);
std::string replaced(const std::string& text, const std::string& what, const std::string& by, Whole most,
                     Limits& limits);
// "%s is %d" % values: a tuple, one value, or a dict of names.
std::string percents_filled(const std::string& pattern, const Value& values, Limits& limits);
// "{} {name:>5}".format(...)
std::string braces_filled(const std::string& pattern, const Arguments& arguments, Limits& limits);
// Python's round(value, digits): to the even neighbour of what lies in the middle.
double rounded(double value, int digits);

}  // namespace headlight::jinja
