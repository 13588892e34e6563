// Texts that somebody else wrote, and what lies in their place when a file went wrong on its way: known by its content,
// whatever its name, so that one sentence says what it is and what to do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// "this is a Git LFS pointer, not the file itself; fetch it with 'git lfs pull'", or a web page, a compressed file,
// nothing at all. Empty: none of these. The beginning of the file is enough.
std::string what_else(std::string_view beginning);
// Throws FormatError "NAME: ..." for what_else().
void refuse_other_content(std::string_view beginning, const std::string& name);

// Of a whole text, also what a version control left in it: "it has merge conflict marks (line 3); ...". In a text whose
// lines cannot begin with seven equal signs (JSON), half a conflict is one, too.
std::string what_else_in_text(std::string_view text, bool lone_separators = false);

// The whole of a text: FileError, FormatError for other contents, merge conflict marks, and what is no UTF-8.
std::string read_text_file(const std::filesystem::path& path, std::uint64_t limit);
// The same, line by line, without their ends.
std::vector<std::string> read_lines(const std::filesystem::path& path, std::uint64_t limit);

}  // namespace headlight
