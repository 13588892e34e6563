// Models of everyday sizes: opening, memory, and one token after the other, beside what this machine's memory gives.
//
//   /usr/bin/python3 tests/benchmarks/make_models.py /tmp/models gpt2 gpt2-half minilm llama-1b sparse half-b-q8_0
//   half-b-q4_k build/release/bench_real_size /tmp/models [ROUNDS]
//
// Opening is the whole folder, from what the system has read before. Memory is what the process holds more than before.
// A token is one step of a decoder with its KV cache behind 16 and behind 256 tokens; `weights once` is the time of
// reading as many bytes as the model's weights have, on all cores, in the same round. Processor time counts all
// threads.

#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "model/core/blocks.h"
#include "model/core/parallel.h"
#include "model/io/formats/format.h"
#include "model/io/tensor_file.h"

using namespace headlight;
namespace fs = std::filesystem;

namespace {

struct Time {
  double wall = 0, processor = 0;  // s
};

double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class F>
Time time_of(F f) {
  const double processor = processor_time();
  const auto start = std::chrono::steady_clock::now();
  f();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          processor_time() - processor};
}

Time median(std::vector<Time> times) {
  const auto middle = [&](auto which) {
    std::vector<double> values;
    for (const Time& time : times) values.push_back(time.*which);
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
  };
  return {middle(&Time::wall), middle(&Time::processor)};
}

// "VmRSS:", "VmHWM:" in MB.
double memory(const char* what) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind(what, 0) == 0) return std::atof(line.c_str() + std::strlen(what)) * 1024 / 1e6;
  return 0;
}

void forget_the_most() { std::ofstream("/proc/self/clear_refs") << "5"; }

double stored_bytes(const Model& model) {
  double bytes = 0;
  for (const Parameter& parameter : model.parameters().all())
    bytes += static_cast<double>(parameter.value.size()) * (parameter.value.halves() ? 2 : sizeof(Scalar));
  return bytes;
}

// Reads all of it on all cores.
void read_all(const std::vector<Scalar>& memory, std::size_t count) {
  using namespace blocks;
  const int parts = thread_count();
  parallel_parts(parts, [&](int part) {
    const std::size_t begin = count * static_cast<std::size_t>(part) / static_cast<std::size_t>(parts),
                      end = count * static_cast<std::size_t>(part + 1) / static_cast<std::size_t>(parts);
    Vector sums[4] = {};
    for (std::size_t i = begin; i + 4 * kLanes <= end; i += 4 * kLanes)
      for (int j = 0; j < 4; ++j) sums[j] += load(memory.data() + i + static_cast<std::size_t>(j * kLanes));
    const volatile Scalar sum = (sums[0] + sums[1] + sums[2] + sums[3])[0];
    (void)sum;
  });
}

void list_sparse(const fs::path& file) {
  const double before = memory("VmRSS:");
  std::size_t count = 0;
  const Time time = time_of([&] { count = open_safetensors(file)->tensors().size(); });
  std::printf("%s: %zu tensors of %.1f GB listed in %.1f ms (%.1f ms of processor), %.1f MB more\n", file.c_str(),
              count, static_cast<double>(fs::file_size(file)) * 1e-9, time.wall * 1e3, time.processor * 1e3,
              memory("VmRSS:") - before);
}

// One token behind `length` others, and reading the weights, in turn.
struct Tokens {
  std::vector<Time> pass, all_logits, token, reading;
};
void measure(const ModelBundle& bundle, Index length, const std::vector<Scalar>& weights, Tokens& times) {
  Tensor ids({length, 1});
  for (Index i = 0; i < length; ++i) ids[i] = static_cast<Scalar>(4 + i * 37 % 990);
  std::unique_ptr<Decoding> decoding;
  times.pass.push_back(time_of([&] { decoding = bundle.model->begin(Source(ids), Pass()); }));
  times.all_logits.push_back(time_of([&] {
    bundle.model->begin(Source(ids.view(0, {1, 1})), Pass())->advance(ids, Pass());
  }));
  for (int i = 0; i < 5; ++i) {
    times.token.push_back(time_of([&] { decoding->advance(Tensor::full({1, 1}, 7), Pass()); }));
    times.reading.push_back(time_of([&] { read_all(weights, weights.size()); }));
  }
}

void tokens(const ModelBundle& bundle, double bytes, int rounds) {
  const std::vector<Scalar> buffer(static_cast<std::size_t>(bytes / sizeof(Scalar)), Scalar(1));
  for (const Index length : {16, 256}) {
    Tokens times;
    for (int r = 0; r < rounds; ++r) measure(bundle, length, buffer, times);
    const Time one = median(times.token), states = median(times.pass), all = median(times.all_logits),
               once = median(times.reading);
    std::printf(
        "  a pass at %td: %.1f ms (%.1f of processor), with the logits of every position %.1f ms (%.1f);\n"
        "  one more token: %.2f ms (%.2f), 1/%.1f of the latter (1/%.1f)\n"
        "  weights once: %.0f MB at %.1f GB/s, %.2f ms (%.2f): a token takes %.2f of it (%.2f)\n",
        length, states.wall * 1e3, states.processor * 1e3, all.wall * 1e3, all.processor * 1e3, one.wall * 1e3,
        one.processor * 1e3, all.wall / one.wall, all.processor / one.processor, bytes * 1e-6, bytes * 1e-9 / once.wall,
        once.wall * 1e3, once.processor * 1e3, one.wall / once.wall, one.processor / once.processor);
  }
}

// Of a GGUF file all that it holds is read.
void open_and_run(const fs::path& folder, int rounds) {
  const bool packed = folder.extension() == ".gguf";
  const double file = static_cast<double>(fs::file_size(packed ? folder : folder / "model.safetensors")) * 1e-6;
  std::vector<Time> times;
  std::shared_ptr<const ModelBundle> bundle;
  double more = 0, most = 0;
  for (int r = 0; r < rounds; ++r) {
    bundle.reset();
    malloc_trim(0);
    forget_the_most();
    const double before = memory("VmRSS:");
    times.push_back(time_of([&] { bundle = open_path(folder); }));
    if (r > 0) continue;
    more = memory("VmRSS:") - before;
    most = memory("VmHWM:") - before;
  }
  const Time time = median(times);
  std::printf("%s: opened in %.0f ms (%.0f ms of processor), %.0f MB, %.2f of its file; %.2f at the most meanwhile\n",
              folder.c_str(), time.wall * 1e3, time.processor * 1e3, more, more / file, most / file);
  if (bundle->model->traits().kind == ModelTraits::Kind::decoder_only)
    tokens(*bundle, packed ? file * 1e6 : stored_bytes(*bundle->model), rounds);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: bench_real_size FOLDER [ROUNDS]\n"), 2;
  const fs::path all = argv[1];
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 5;
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(all)) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / "config.json") || folder.extension() == ".gguf")
      open_and_run(folder, rounds);
    else
      list_sparse(folder / "model.safetensors");
    std::fflush(stdout);
  }
}
