// Temporary files and folders of this process. They go when writing fails or ends; where a signal ends the program in
// between, whoever handles it removes them.
#pragma once

#include <filesystem>

namespace headlight {

inline constexpr const char *kUnfinishedStart = ".headlight-", *kUnfinishedEnd = ".tmp";  // of their names

void remember_unfinished(const std::filesystem::path& path);
void forget_unfinished(const std::filesystem::path& path);
// Removes those that are remembered. Safe in a signal handler.
void remove_remembered() noexcept;

}  // namespace headlight
