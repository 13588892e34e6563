// train and evaluate: the trainer with a progress bar, a log, and a folder that is whole after every epoch.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "app/commands.h"
#include "model/io/file.h"
#include "model/io/model_folder.h"
#include "model/io/verify.h"
#include "model/training/trainer.h"

namespace headlight {

namespace {

namespace fs = std::filesystem;

constexpr const char* kCheckpoint = "checkpoint.safetensors";
constexpr const char* kLog = "training.csv";

std::string format(const char* pattern, auto... values) {
  std::array<char, 256> buffer{};
  std::snprintf(buffer.data(), buffer.size(), pattern, values...);
  return buffer.data();
}

// Ctrl-C raises the token: the epoch that runs is given up, and what was finished is on the disk already. A second one
// ends the program at once.
CancelToken& interruption() {
  static CancelToken token = CancelToken::make();
  return token;
}
void on_interrupt(int) {
  interruption().cancel();
  std::signal(SIGINT, SIG_DFL);
}

std::string duration(double seconds) {
  const auto s = static_cast<long>(std::lround(std::max(0.0, seconds)));
  return s >= 3600 ? format("%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60) : format("%ld:%02ld", s / 60, s % 60);
}

// One line on standard error that is written over, on a terminal only: a log file gets the lines of the epochs.
class ProgressBar {
 public:
  explicit ProgressBar(bool quiet) : shown_(!quiet && isatty(STDERR_FILENO)) {}
  void show(const TrainingProgress& p) const {
    if (!shown_) return;
    constexpr Index kWidth = 24;
    const Index filled = p.batches > 0 ? kWidth * p.batch / p.batches : 0;
    std::string bar;
    for (Index i = 0; i < kWidth; ++i) bar += i < filled ? "█" : "░";
    const std::string state = p.evaluating ? "measuring on held-out examples"
                                           : format("loss %.4f  %.0f examples/s  %s left", p.loss,
                                                    p.examples_per_second, duration(p.seconds_left).c_str());
    std::cerr << "\repoch " << p.epoch << "/" << p.epochs << " " << bar << " " << state << "\033[K" << std::flush;
  }
  void clear() const {
    if (shown_) std::cerr << "\r\033[K" << std::flush;
  }

 private:
  bool shown_;
};

TrainingSettings settings_of(const TrainCommand& command) {
  TrainingSettings settings;
  settings.task = command.task;
  settings.architecture = command.architecture;
  if (command.epochs) settings.epochs = *command.epochs;
  if (command.seed) settings.seed = *command.seed;
  for (const std::string& setting : command.settings) settings.set(setting);
  return settings;
}

std::string command_line_of(const TrainCommand& command, const TrainingSettings& settings) {
  std::string line = "headlight train " + command.task + " --architecture " + command.architecture + " --epochs " +
                     std::to_string(settings.epochs) + " --seed " + std::to_string(settings.seed);
  for (const std::string& setting : command.settings) line += " --set " + setting;
  if (command.half) line += " --half";
  return line + " --out " + fs::path(command.out).filename().string();
}

std::string model_card(const TrainCommand& command, Trainer& trainer) {
  const Task& task = trainer.task();
  const EpochRecord& last = trainer.history().back();
  const Architecture& architecture = find_architecture(command.architecture);
  std::string card = "# " + fs::path(command.out).filename().string() + "\n\n" + task.description + "\n\n";
  card += std::string("- Architecture: ") + architecture.title + " (" + architecture.paper + "), " +
          std::to_string(trainer.model().parameters().count()) + " parameters\n";
  card += std::string("- Task: ") + task.title + "; generated data, " + std::to_string(trainer.settings().train_size) +
          " examples for training and " + std::to_string(trainer.settings().test_size) +
          " held out, none of which was trained on\n";
  card += "- Licence: GPL-3.0-or-later\n";
  card +=
      format("- Quality after %d epochs: exact match %.4f on the held-out examples, training loss %.5f nats a token\n",
             last.epoch, last.exact_match, last.loss);
  return card + "- Training command: `" + command_line_of(command, trainer.settings()) + "`\n\n`" + kLog +
         "` holds the figures of every epoch.\n";
}

ModelBundle bundle_of(const TrainCommand& command, Trainer& trainer) {
  const Task& task = trainer.task();
  ModelBundle bundle;
  bundle.name = fs::path(command.out).filename().string();
  bundle.model = trainer.shared_model();
  bundle.text = task.text;
  bundle.title = std::string(task.title) + ", " + find_architecture(command.architecture).label;
  // In the order of the lesson: by task, then from the oldest architecture to the newest.
  const auto place = [](const auto& rows, const std::string& name) {
    return static_cast<int>(std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.name == name; }) -
                            rows.begin());
  };
  bundle.order = 100 * place(tasks(), command.task) + place(architectures(), command.architecture);
  bundle.description = task.description;
  bundle.task = task.name;
  bundle.examples = task.examples;
  return bundle;
}

// The checkpoint comes last: --resume goes on from what is certainly complete.
void save_epoch(const TrainCommand& command, Trainer& trainer) {
  const fs::path folder = command.out;
  save_model(folder, bundle_of(command, trainer), model_card(command, trainer),
             command.half ? StorageType::f16 : StorageType::f32);
  write_file_atomically(folder / kLog, history_csv(trainer.history()));
  trainer.save_checkpoint(folder / kCheckpoint);
}

// A run to compare with later: `headlight verify` finds a file that was damaged or a machine that computes otherwise.
void save_test_vector(const fs::path& folder) {
  Request request;
  request.model = load_model(folder.string());
  if (request.model->examples.empty()) return;
  request.source = request.model->examples.front();
  save_verification(folder / "verify.safetensors", run(request));
}

void prepare_folder(const TrainCommand& command, Trainer& trainer) {
  const fs::path folder = command.out, checkpoint = folder / kCheckpoint;
  std::error_code ignored;
  if (command.resume) {
    if (!fs::exists(checkpoint, ignored))
      throw FileError(checkpoint.string() + ": expected the checkpoint of an earlier training to resume, found none");
    trainer.load_checkpoint(checkpoint);
  } else if (fs::exists(folder / "config.json", ignored) || fs::exists(checkpoint, ignored)) {
    throw UsageError(
        folder.string() +
        ": expected a new folder, found one with a model in it; go on with --resume, or choose another --out");
  }
  make_folder(folder);
  write_file_atomically(folder / ".writable", "");  // a read-only folder is better known now than after an epoch
  fs::remove(folder / ".writable", ignored);
}

}  // namespace

int train_command(const TrainCommand& command) {
  Trainer trainer(settings_of(command));
  prepare_folder(command, trainer);
  const int epochs = trainer.settings().epochs;
  std::cout << "task " << command.task << ", architecture " << command.architecture << ", "
            << trainer.model().parameters().count() << " parameters, " << trainer.train_data().size()
            << " examples for training, " << trainer.test_data().size() << " held out\n";
  if (trainer.epochs_done() >= epochs)
    std::cout << "nothing to do: " << trainer.epochs_done() << " epochs are done already (see --epochs)\n";
  const ProgressBar bar(command.quiet);
  std::signal(SIGINT, on_interrupt);
  while (trainer.epochs_done() < epochs) {
    try {
      const EpochRecord epoch = trainer.run_epoch([&](const TrainingProgress& p) { bar.show(p); }, interruption());
      bar.clear();
      std::cout << format("epoch %3d/%d  loss %.5f  exact match %.4f  %.0f examples/s  %.1f s", epoch.epoch, epochs,
                          epoch.loss, epoch.exact_match, epoch.examples_per_second, epoch.seconds)
                << std::endl;
    } catch (const Cancelled&) {
      bar.clear();
      throw Error("interrupted in epoch " + std::to_string(trainer.epochs_done() + 1) + "; " +
                  (trainer.epochs_done() > 0
                       ? "go on from epoch " + std::to_string(trainer.epochs_done()) + " with --resume"
                       : std::string("no epoch was finished, nothing was saved")));
    }
    save_epoch(command, trainer);
  }
  std::signal(SIGINT, SIG_DFL);
  save_test_vector(command.out);
  std::cout << "saved in " << command.out << "; try: headlight run " << command.out << " --source '"
            << (trainer.task().examples.empty() ? "" : trainer.task().examples.front()) << "'\n";
  return 0;
}

int evaluate_command(const EvaluateCommand& command) {
  const auto bundle = load_model(command.model);
  for (const std::string& warning : bundle->warnings) std::cerr << "headlight: warning: " << warning << "\n";
  const std::string name = command.task.empty() ? bundle->task : command.task;
  if (name.empty())
    throw UsageError(bundle->folder.string() + ": config.json does not say the task; name one with --task");
  const Task& task = find_task(name);
  if (bundle->source_vocabulary().tokens() != task.text.source.vocabulary().tokens() ||
      bundle->target_vocabulary().tokens() != task.text.target.vocabulary().tokens())
    throw UsageError(bundle->folder.string() + ": expected the vocabulary of the task '" + name + "' (" +
                     std::to_string(task.text.source.vocabulary().size()) + " tokens), found another one (" +
                     std::to_string(bundle->source_vocabulary().size()) + " tokens); choose another --task");
  const TrainingSettings defaults;
  TaskData data = generate(task, defaults.train_size, defaults.test_size);
  if (command.limit > 0 && static_cast<std::size_t>(command.limit) < data.test.size())
    data.test.resize(static_cast<std::size_t>(command.limit));
  const Evaluation result = evaluate(*bundle->model, Dataset(task, data.test), interruption());
  if (command.json) {
    const Json json{{"model", bundle->name},
                    {"task", name},
                    {"examples", result.examples},
                    {"exact_match", result.exact_match},
                    {"token_accuracy", result.token_accuracy},
                    {"nll", result.nll},
                    {"perplexity", std::exp(result.nll)}};
    std::cout << json.dump(2) << "\n";
  } else {
    std::cout << format(
        "%s on %lld held-out examples of '%s'\n  exact match     %.4f\n  token accuracy  %.4f\n"
        "  perplexity      %.5f (teacher-forced, %.5f nats a token)\n",
        bundle->name.c_str(), static_cast<long long>(result.examples), name.c_str(), result.exact_match,
        result.token_accuracy, std::exp(result.nll), result.nll);
  }
  return 0;
}

}  // namespace headlight
