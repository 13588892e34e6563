// PyTorch as the other side of a benchmark: its script runs at each of three thread settings, and the best one counts.
#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace headlight::benchmarks {

constexpr std::array<const char*, 3> kThreadSettings = {"OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=2",
                                                        "OMP_NUM_THREADS=2 OPENBLAS_NUM_THREADS=1",
                                                        "OMP_NUM_THREADS=2 OPENBLAS_NUM_THREADS=2"};

// The seconds that `script` (with its arguments) prints; negative when PyTorch is not there.
inline double seconds_of_pytorch(const char* threads, const std::string& script) {
  const std::string command = std::string("env -u OPENBLAS_CORETYPE -u OPENBLAS_L2_SIZE ") + threads +
                              " /usr/bin/python3 tests/benchmarks/" + script + " 2>/dev/null";
  FILE* pipe = popen(command.c_str(), "r");
  double seconds = -1;
  if (pipe && std::fscanf(pipe, "%lf", &seconds) != 1) seconds = -1;
  if (pipe) pclose(pipe);
  return seconds;
}

}  // namespace headlight::benchmarks
