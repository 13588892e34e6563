// The version that the program reports; the same as in CMakeLists.txt (tests/app/test_run_commands.cpp compares them).
#pragma once

namespace headlight {
inline constexpr const char* kVersion = "0.1.0";
}
