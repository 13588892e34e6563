// PyTorch as the other side of a benchmark: its script runs at each of three thread settings, and the best one counts.
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace headlight::benchmarks {

constexpr std::array<const char*, 3> kThreadSettings = {"OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=2",
                                                        "OMP_NUM_THREADS=2 OPENBLAS_NUM_THREADS=1",
                                                        "OMP_NUM_THREADS=2 OPENBLAS_NUM_THREADS=2"};

// Whether it is there, without starting it: one that crashes when it is imported is an error, not absent.
inline bool has_pytorch() {
  static const bool found =
      std::system("/usr/bin/python3 -c 'import importlib.util as u, sys; sys.exit(u.find_spec(\"torch\") is None)'") ==
      0;
  return found;
}

struct PyTorchTime {
  double wall = -1, processor = -1;  // s; processor: of all threads, where the script prints it
};

// The seconds that `script` (with its arguments) prints, and behind them those of the processor if it does; negative
// where PyTorch is not installed. A script that fails, or prints anything else, is an error of the benchmark, which
// says so and ends: what it wrote stands on standard error.
inline PyTorchTime time_of_pytorch(const char* threads, const std::string& script) {
  PyTorchTime time;
  if (!has_pytorch()) return time;
  const std::string command = std::string("env -u OPENBLAS_CORETYPE -u OPENBLAS_L2_SIZE ") + threads +
                              " /usr/bin/python3 tests/benchmarks/" + script;
  FILE* pipe = popen(command.c_str(), "r");
  const bool read = pipe && std::fscanf(pipe, "%lf %lf", &time.wall, &time.processor) >= 1 && time.wall > 0;
  const int status = pipe ? pclose(pipe) : -1;
  if (read && status == 0) return time;
  std::fprintf(stderr, "error: %s: %s\n", command.c_str(), status == 0 ? "it printed no time" : "it failed");
  std::exit(1);
}

inline double seconds_of_pytorch(const char* threads, const std::string& script) {
  return time_of_pytorch(threads, script).wall;
}

}  // namespace headlight::benchmarks
