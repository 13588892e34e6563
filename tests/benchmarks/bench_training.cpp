// Training speed beside the same model in PyTorch, both in one run.
//
//   build/release/bench_training [ARCHITECTURE] [HIDDEN] [BATCHES] [ROUNDS]
//
// The LSTM models learn dates, 128 in a batch; `bahdanau` and `convs2s` (4 + 4 layers, kernels of three) learn pairs of
// 20 words, 64 in a batch; `transformer` (3 + 3 layers, 8 heads) pairs of 12 to 20 words; `decoder_only` (4 layers, 4
// heads, windows of 64 characters, 32 in a batch) goes on with a text: with HIDDEN = 144 it has a million numbers.
// Rounds alternate between the
// sides; the ratio is between the medians. PyTorch runs at each of three thread settings and its best one counts.
// Without PyTorch (Debian's python3-torch) only our side is measured.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "model/training/trainer.h"
#include "tests/benchmarks/threads_of_pytorch.h"

using namespace headlight;
using namespace headlight::benchmarks;

namespace {

// What is measured, and what it is called.
struct Setup {
  TrainingSettings settings;
  std::string script;  // of the other side, and its arguments before the number of batches
  std::string what;
  double unit = 1;  // seconds of a batch are multiplied by this
};

constexpr int kBatchesOfDates = 351;  // in 45,000 examples

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Setup dates(const std::string& architecture, const std::string& hidden) {
  Setup setup;
  setup.settings.task = "date";
  setup.settings.architecture = architecture;
  setup.settings.set("hidden_size=" + hidden);
  setup.script = "train_dates.py " + architecture + " " + hidden;
  setup.what = architecture + ", H=" + hidden + ", batch 128: seconds for an epoch of 45,000 dates";
  setup.unit = kBatchesOfDates;
  return setup;
}

// 1,996 invented words beside the four special tokens; `shortest` to 19 in a sentence, and its end.
void write_pairs(const std::filesystem::path& file, int shortest) {
  std::ofstream out(file);
  Random random(1, Random::Stream::data);
  const auto sentence = [&] {
    std::string text;
    const int words = shortest + static_cast<int>(random.below(static_cast<std::uint32_t>(20 - shortest)));
    for (int i = 0; i < words; ++i) {
      text += i == 0 ? "w" : " w";
      for (std::uint32_t id = random.below(1'996), digit = 0; digit < 3; ++digit, id /= 13)
        text += static_cast<char>('a' + id % 13);
    }
    return text;
  };
  for (int i = 0; i < 4'000; ++i) out << sentence() << '\t' << sentence() << '\n';
}

Setup pairs(const std::string& architecture, const std::string& size) {
  const auto file = std::filesystem::temp_directory_path() / "headlight_bench_pairs.tsv";
  const bool transformer = architecture == "transformer";
  write_pairs(file, transformer ? 11 : 19);
  Setup setup;
  setup.settings.task = "pairs";
  setup.settings.architecture = architecture;
  setup.settings.data.files = {file};
  setup.settings.data.min_frequency = 1;
  const bool conv = architecture == "convs2s";
  const std::vector<std::string> sizes =
      transformer ? std::vector<std::string>{"model_size="}
      : conv      ? std::vector<std::string>{"embedding_size=", "hidden_size=", "out_size="}
             : std::vector<std::string>{"embedding_size=", "hidden_size=", "maxout_size=", "attention.hidden_size="};
  for (const std::string& key : sizes) setup.settings.set(key + size);
  if (transformer) {
    setup.settings.set("ff_size=" + std::to_string(4 * std::atoi(size.c_str())));
    for (const char* key : {"heads=8", "encoder_layers=3", "decoder_layers=3", "dropout=0.1"}) setup.settings.set(key);
  }
  for (const char* key : {"batch=64", "optimiser=adam", "learning_rate=5e-4", "train_size=3000"})
    setup.settings.set(key);
  setup.settings.set(conv ? "clip=0.1" : "clip=1");
  setup.settings.test_size = 10;
  setup.script = "train_" + architecture + ".py " + size;
  setup.what = architecture +
               (transformer ? ", d=" + size + ", 8 heads, 3+3 layers"
                : conv      ? ", f=d=" + size + ", 4+4 layers"
                            : ", D=H=" + size) +
               (transformer ? ", 12 to 20 words" : ", 20 words") +
               ", vocabulary 2,000, batch 64: milliseconds for an update";
  setup.unit = 1'000;
  return setup;
}

// Of characters that are drawn: 64 different ones, which the time does not depend on.
Setup characters(const std::string& size) {
  const auto file = std::filesystem::temp_directory_path() / "headlight_bench_text.txt";
  {
    std::ofstream out(file);
    Random random(1, Random::Stream::data);
    for (int i = 0; i < 200'000; ++i) out << (i % 80 == 79 ? '\n' : static_cast<char>('0' + random.below(64)));
  }
  Setup setup;
  setup.settings = TrainingSettings::from_json({{"task", "text"},
                                                {"architecture", "decoder_only"},
                                                {"model", Json::object()},
                                                {"epochs", 1},
                                                {"seed", 1},
                                                {"files", {file.string()}}});
  for (const std::string& key : {"model_size=" + size, "ff_size=" + std::to_string(4 * std::atoi(size.c_str()))})
    setup.settings.set(key);
  for (const char* key : {"heads=4", "decoder_layers=4", "dropout=0", "context=64", "batch=32", "optimiser=adam",
                          "learning_rate=1e-3", "clip=1", "train_size=2000", "test_size=10"})
    setup.settings.set(key);
  setup.script = "train_characters.py " + size;
  setup.what = "characters, d=" + size + ", 4 heads, 4 layers, windows of 64, batch 32: milliseconds for an update";
  setup.unit = 1'000;
  return setup;
}

// Seconds for one batch.
double ours(Trainer& trainer, int batches) {
  const Index size = trainer.settings().batch;
  std::vector<std::uint32_t> order(static_cast<std::size_t>(trainer.train_data().size()));
  std::iota(order.begin(), order.end(), 0u);
  for (int b = 0; b < 3; ++b) trainer.step(trainer.train_data().batch(order, 0, size));
  const auto start = std::chrono::steady_clock::now();
  for (int b = 0; b < batches; ++b)
    trainer.step(trainer.train_data().batch(order, b * size % (trainer.train_data().size() - size), size));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / batches;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string architecture = argc > 1 ? argv[1] : "attn_seq2seq", hidden = argc > 2 ? argv[2] : "256";
  const int batches = argc > 3 ? std::atoi(argv[3]) : 60, rounds = argc > 4 ? std::atoi(argv[4]) : 3;
  const bool words = architecture == "convs2s" || architecture == "bahdanau" || architecture == "transformer";
  const bool text = architecture == "decoder_only";
  const Setup setup = text ? characters(hidden) : words ? pairs(architecture, hidden) : dates(architecture, hidden);
  Trainer trainer(setup.settings);
  const auto& kinds = kThreadSettings;
  std::vector<double> mine;
  std::array<std::vector<double>, 3> other;
  for (int r = 0; r < rounds; ++r) {
    mine.push_back(ours(trainer, batches) * setup.unit);
    for (std::size_t k = 0; k < kinds.size(); ++k)
      other[k].push_back(seconds_of_pytorch(kinds[k], setup.script + " " + std::to_string(batches)) / batches *
                         setup.unit);
  }
  // Only so many batches are an epoch: fewer give an estimate of it.
  const bool estimate = setup.unit == kBatchesOfDates && batches < kBatchesOfDates;
  std::printf("%s, %smedian of %d rounds of %d batches\n", setup.what.c_str(),
              estimate ? "ESTIMATED from fewer batches: " : "", rounds, batches);
  std::printf("  sources of %td tokens, targets of %td, vocabularies of %td and %td\n",
              trainer.train_data().source_width(), trainer.train_data().target_length(),
              trainer.model().config()["source_vocabulary_size"].get<Index>(),
              trainer.model().config()["target_vocabulary_size"].get<Index>());
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
