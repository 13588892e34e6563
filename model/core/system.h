// What is asked of the system and need not be there: elsewhere nothing happens, and all works.
#pragma once

#include <cstddef>
#include <filesystem>

namespace headlight {

// Freed memory is kept for what takes it next, but for so many bytes at the end: a pass and a batch take and free the
// same large blocks again and again, and each that went back to the system costs a page fault for every 4 KB.
bool keep_freed_memory(int bytes);

// Weights are written once, in no order, and read at every token: with large pages the system is asked for memory less
// often, and looks up fewer places.
void prefer_large_pages(void* memory, std::size_t bytes);

// The file of the running program; empty: the system does not tell.
std::filesystem::path program_file();

}  // namespace headlight
