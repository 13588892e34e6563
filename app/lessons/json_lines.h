// Where something stands in a file of JSON.
#pragma once

#include <string>

namespace headlight {

// The line of what a message "FILE: PATH: ..." or "FILE: ... (byte N)" is about, put behind the name of the file.
// `text`: of the file, which is valid JSON up to there.
std::string with_line(const std::string& message, const std::string& file, const std::string& text);

}  // namespace headlight
