// Seconds for a date epoch, beside the same model in PyTorch, both in one run.
//
//   build/release/bench_training [ARCHITECTURE] [HIDDEN] [BATCHES] [ROUNDS]
//
// Rounds alternate between the sides; the ratio is between the medians. PyTorch runs at each of three thread settings
// and its best one counts. Without PyTorch (Debian's python3-torch) only our side is measured.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "model/training/trainer.h"

using namespace headlight;

namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double ours(Trainer& trainer, int batches) {
  const Index size = trainer.settings().batch;
  std::vector<std::uint32_t> order(static_cast<std::size_t>(trainer.train_data().size()));
  std::iota(order.begin(), order.end(), 0u);
  for (int b = 0; b < 3; ++b) trainer.step(trainer.train_data().batch(order, 0, size));
  const auto start = std::chrono::steady_clock::now();
  for (int b = 0; b < batches; ++b)
    trainer.step(trainer.train_data().batch(order, b * size % (trainer.train_data().size() - size), size));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Negative when PyTorch is not there.
double theirs(const std::string& threads, const std::string& arguments) {
  const std::string command = "env -u OPENBLAS_CORETYPE -u OPENBLAS_L2_SIZE " + threads +
                              " /usr/bin/python3 tests/benchmarks/train_dates.py " + arguments + " 2>/dev/null";
  FILE* pipe = popen(command.c_str(), "r");
  double seconds = -1;
  if (pipe && std::fscanf(pipe, "%lf", &seconds) != 1) seconds = -1;
  if (pipe) pclose(pipe);
  return seconds;
}

}  // namespace

int main(int argc, char** argv) {
  TrainingSettings settings;
  settings.task = "date";
  settings.architecture = argc > 1 ? argv[1] : "attn_seq2seq";
  const std::string hidden = argc > 2 ? argv[2] : "256";
  const int batches = argc > 3 ? std::atoi(argv[3]) : 60, rounds = argc > 4 ? std::atoi(argv[4]) : 3;
  settings.set("hidden_size=" + hidden);
  Trainer trainer(settings);
  const double epoch = 351.0 / batches;  // batches of 128 in 45,000 examples
  const std::array<const char*, 3> kinds = {"OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=2",
                                            "OMP_NUM_THREADS=2 OPENBLAS_NUM_THREADS=1",
                                            "OMP_NUM_THREADS=2 OPENBLAS_NUM_THREADS=2"};
  std::vector<double> mine;
  std::array<std::vector<double>, 3> other;
  for (int r = 0; r < rounds; ++r) {
    mine.push_back(ours(trainer, batches) * epoch);
    for (std::size_t k = 0; k < kinds.size(); ++k)
      other[k].push_back(theirs(kinds[k], settings.architecture + " " + hidden + " " + std::to_string(batches)) *
                         epoch);
  }
  std::printf("%s, H=%s, batch 128: seconds for an epoch of 45,000 dates, median of %d rounds of %d batches\n",
              settings.architecture.c_str(), hidden.c_str(), rounds, batches);
  std::printf("  headlight                                        %6.2f\n", median(mine));
  double best = -1;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const double seconds = median(other[k]);
    if (seconds < 0) continue;
    std::printf("  PyTorch, %s %6.2f\n", kinds[k], seconds);
    best = best < 0 ? seconds : std::min(best, seconds);
  }
  if (best < 0) {
    std::printf("  PyTorch: not installed (python3-torch)\n");
  } else {
    std::printf("ratio headlight / PyTorch at its best: %.2f\n", median(mine) / best);
  }
}
