// An encoder of BERT's size with all of its attention weights kept, beside the same one in PyTorch, both in one run;
// one more token of a decoder of that size; the memory of a trace of all its weights.
//
//   build/release/bench_transformer [ROUNDS]
//
// 768 numbers, 12 heads, 3,072 inner, 12 layers. PyTorch runs at each of three thread settings and its best one counts;
// rounds alternate between the sides and the ratio is between the medians, of what a clock and what the processor says
// (on a machine that does other things too). The peak is that of the matrix library at
// 1024 x 1024 x 1024 on each core at once.

#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "model/core/parallel.h"
#include "model/models/registry.h"
#include "model/trace/trace.h"
#include "tests/benchmarks/threads_of_pytorch.h"

using namespace headlight;
using namespace headlight::benchmarks;

namespace {

constexpr double kSize = 768, kInner = 3072, kLayers = 12;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

template <class F>
double seconds_of(F f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::unique_ptr<Model> make(const char* architecture, bool post) {
  Json config = {{"model_type", architecture},
                 {"source_vocabulary_size", 1000},
                 {"target_vocabulary_size", 1000},
                 {"model_size", 768},
                 {"heads", 12},
                 {"ff_size", 3072},
                 {"activation", "gelu"},
                 {"norm_place", post ? "post" : "pre"},
                 {"positions", "learned"},
                 {"max_positions", 600}};
  config[std::string(architecture) == "encoder_only" ? "encoder_layers" : "decoder_layers"] = 12;
  return make_model(config, 1);
}

Tensor ids(Index count) {
  Tensor ids({count, 1});
  for (Index i = 0; i < count; ++i) ids[i] = static_cast<Scalar>(4 + i * 37 % 990);
  return ids;
}

std::shared_ptr<const Trace> encode(const Model& model, Index length, const Capture& capture) {
  Recorder recorder(capture, {});
  Pass pass;
  pass.tap = recorder.tap();
  model.begin(ids(length), pass);
  return recorder.finish({});
}

Capture heads() { return {{"encoder.layer.self_attn.head.weights"}, false}; }

// Multiplications and additions of one pass.
double operations(double length) {
  return kLayers * (2 * length * (4 * kSize * kSize + 2 * kSize * kInner) + 4 * length * length * kSize);
}

constexpr int kSide = 1024, kRepeats = 10;

// Of all cores together, operations in a second.
double peak() {
  const int cores = thread_count();
  std::vector<double> rounds;
  for (int r = 0; r < 5; ++r)
    rounds.push_back(seconds_of([&] {
      parallel_parts(cores, [](int) {
        Matrix a = Matrix::Constant(kSide, kSide, Scalar(0.5)), b = a, c(kSide, kSide);
        for (int i = 0; i < kRepeats; ++i) c.noalias() = a * b;
      });
    }));
  return 2.0 * kSide * kSide * kSide * kRepeats * cores / median(rounds);
}

constexpr double kMegabyte = 1e6;

// The most memory that this process has held, in MB.
double peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0) return std::atof(line.c_str() + 6) * 1024 / kMegabyte;
  return 0;
}

// What is allocated now, in MB.
double memory_in_use() {
  const auto info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd) / kMegabyte;
}

// Of a process that has run nothing else before.
void trace_memory(const Model& model) {
  const double used = memory_in_use(), most = peak_memory();
  const auto trace = encode(model, 512, heads());
  const double weights = kLayers * 12 * 512 * 512 * sizeof(Scalar) / kMegabyte;
  std::printf(
      "a trace of 12 x 12 weights at T=512: %.0f MB kept, %.0f MB more at the most while it ran; the weights alone are "
      "%.0f MB\n",
      memory_in_use() - used, peak_memory() - most, weights);
}

void compare(const Model& model, Index length, int rounds, double top) {
  std::vector<double> mine, mine_processor, whole;
  std::array<std::vector<double>, kThreadSettings.size()> other, other_processor;
  const std::string script = "time_transformer.py " + std::to_string(length) + " 5";
  encode(model, length, heads());
  for (int r = 0; r < rounds; ++r) {
    for (int i = 0; i < 5; ++i) {
      const double before = processor_time();
      mine.push_back(seconds_of([&] { encode(model, length, heads()); }));
      mine_processor.push_back(processor_time() - before);
      if (length <= 128) whole.push_back(seconds_of([&] { encode(model, length, {}); }));
    }
    for (std::size_t k = 0; k < kThreadSettings.size(); ++k) {
      const PyTorchTime time = time_of_pytorch(kThreadSettings[k], script);
      other[k].push_back(time.wall);
      other_processor[k].push_back(time.processor);
    }
  }
  const double seconds = median(mine), processor = median(mine_processor);
  std::printf("T=%-4td headlight %7.1f ms (%.1f of processor), %3.0f %% of the peak", length, seconds * 1e3,
              processor * 1e3, 100 * operations(static_cast<double>(length)) / seconds / top);
  if (!whole.empty()) std::printf("; with every value and its arithmetic %.1f ms", median(whole) * 1e3);
  double best = -1, best_processor = -1;
  for (std::size_t k = 0; k < kThreadSettings.size(); ++k) {
    const double t = median(other[k]), p = median(other_processor[k]);
    if (t > 0) best = best < 0 ? t : std::min(best, t);
    if (p > 0) best_processor = best_processor < 0 ? p : std::min(best_processor, p);
  }
  if (best > 0)
    std::printf("   PyTorch %7.1f ms (%.1f)   ratio %.2f (%.2f)", best * 1e3, best_processor * 1e3, seconds / best,
                processor / best_processor);
  std::printf("\n");
  std::fflush(stdout);
}

void one_more_token() {
  const auto model = make("decoder_only", false);
  constexpr Index kLength = 256;
  std::vector<double> whole, step;
  for (int r = 0; r < 5; ++r) {
    std::unique_ptr<Decoding> decoding;
    whole.push_back(seconds_of([&] { decoding = model->begin(ids(kLength), {}); }));
    for (int i = 0; i < 5; ++i) step.push_back(seconds_of([&] { decoding->advance(Tensor::full({1, 1}, 7), {}); }));
  }
  std::printf("a pass at %td: %.1f ms; one more token: %.2f ms, 1/%.1f of it\n", kLength, median(whole) * 1e3,
              median(step) * 1e3, median(whole) / median(step));
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 3;
  const double top = peak();
  std::printf("peak of %d cores: %.1f GFLOP/s\n", thread_count(), top * 1e-9);
  {
    const auto model = make("encoder_only", true);
    trace_memory(*model);
    for (const Index length : {16, 64, 128, 512}) compare(*model, length, rounds, top);
  }
  one_more_token();
}
