// train: the trainer with a progress bar, a log, and a folder that is whole after every epoch.

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/interruption.h"
#include "app/cli/printed/text_format.h"
#include "app/cli/unused_options.h"
#include "model/io/file.h"
#include "model/io/model_folder.h"
#include "model/io/verify.h"
#include "model/models/registry.h"
#include "model/recording/live_training.h"
#include "model/recording/presets.h"
#include "model/recording/recording_file.h"
#include "model/text/message_line.h"
#include "model/training/trainer.h"

namespace headlight {

namespace {

namespace fs = std::filesystem;

constexpr const char* kCheckpoint = "checkpoint.safetensors";
constexpr const char* kLog = "training.csv";

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

// A preset stands for its task and its model.
TrainCommand with_preset(TrainCommand command) {
  if (command.preset.empty()) return command;
  const Preset& preset = find_preset(command.preset);
  const TrainingSettings settings = preset.settings();
  command.task = settings.task;
  command.architecture = settings.architecture;
  if (command.probes.empty()) command.probes.push_back(preset.probe().source);
  if (command.title.empty()) command.title = preset.title;
  return command;
}

TrainingSettings settings_of(const TrainCommand& command) {
  TrainingSettings settings;
  if (!command.preset.empty()) settings = find_preset(command.preset).settings();
  settings.task = command.task;
  settings.architecture = command.architecture;
  settings.probes = command.probes;
  if (command.epochs) settings.epochs = *command.epochs;
  if (command.seed) settings.seed = *command.seed;
  settings.data.files.assign(command.files.begin(), command.files.end());
  settings.data.skip_bad_lines = command.skip_bad_lines;
  if (!reads_files(command.task) && !command.files.empty())
    throw UsageError("--files belongs to the tasks 'pairs' and 'text'; the task '" + command.task +
                     "' makes its own examples");
  for (const std::string& setting : command.settings) settings.set(setting);
  return settings;
}

// As it has to be typed: in quotation marks where the shell would read more into it.
std::string between_quotes(const std::string& word) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) || std::string_view("-_=.,/+:").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

// Folders of this machine are nobody's business.
std::string file_name(const std::string& path) { return escaped_line(last_part(path)); }

std::string command_line_of(const TrainCommand& command, const TrainingSettings& settings) {
  std::string line = "headlight train ";
  line += command.preset.empty() ? command.task + " --architecture " + command.architecture
                                 : "--preset " + between_quotes(command.preset);
  line += " --epochs " + std::to_string(settings.epochs) + " --seed " + std::to_string(settings.seed);
  for (const std::string& file : command.files) line += " --files " + between_quotes(file_name(file));
  if (command.skip_bad_lines) line += " --skip-bad-lines";
  for (const std::string& setting : command.settings) line += " --set " + between_quotes(setting);
  for (const std::string& probe : command.probes) line += " --probe " + between_quotes(probe);
  if (!command.title.empty()) line += " --title " + between_quotes(command.title);
  if (command.half) line += " --half";
  return escaped_line(line + " --out " + between_quotes(file_name(command.out)));
}

// Where the examples come from, in one or two sentences.
std::string data_line(const TrainCommand& command, const Trainer& trainer) {
  std::string line = trainer.task().title + "; ";
  if (command.files.empty()) {
    line += "generated data";
  } else {
    line += command.task == "pairs" ? "sentence pairs of" : "the text of";
    for (const std::string& file : command.files) line += " " + file_name(file);
  }
  line += ", " + std::to_string(trainer.train_data().size()) + " examples for training and " +
          std::to_string(trainer.test_data().size()) + " held out, none of which was trained on";
  if (!trainer.task().report.empty()) line += ". " + trainer.task().report;
  if (!command.data_note.empty()) line += ". " + escaped_line(command.data_note);
  return line;
}

std::string licence_line(const TrainCommand& command) {
  if (!command.licence.empty()) return escaped_line(command.licence);
  return command.files.empty() ? "GPL-3.0-or-later" : "not stated; the terms of the files it was trained on apply";
}

std::string model_card(const TrainCommand& command, Trainer& trainer) {
  const std::vector<EpochRecord>& history = trainer.history();
  const bool keeps_best = trainer.settings().patience > 0;
  const EpochRecord& shown = keeps_best ? history[static_cast<std::size_t>(best_epoch(history))] : history.back();
  const Architecture& architecture = find_architecture(command.architecture);
  std::string card = "# " + file_name(command.out) + "\n\n" + trainer.task().description + "\n\n";
  card += std::string("- Architecture: ") + architecture.title + " (" + architecture.paper + "), " +
          std::to_string(trainer.model().parameters().count()) + " parameters\n";
  card += "- Data: " + data_line(command, trainer) + "\n";
  if (trainer.settings().average > 1)
    card += "- Weights: the mean of those after the last " + std::to_string(trainer.settings().average) + " epochs\n";
  card += "- Licence: " + licence_line(command) + "\n";
  card += format("- Quality after %d epoch%s%s, on the held-out examples: ", shown.epoch, shown.epoch == 1 ? "" : "s",
                 keeps_best ? " (the best of those trained, chosen on the same held-out examples)" : "");
  card += trainer.task().open_ended
              ? format("perplexity %.4f", std::exp(shown.nll))
              : format("exact match %.4f, token accuracy %.4f, perplexity %.4f (%.4f when it is fed its own choices)",
                       shown.exact_match, shown.token_accuracy, std::exp(shown.nll), std::exp(shown.nll_free));
  card += format("; training loss %.5f nats a token\n", shown.loss);
  return card + "- Training command: `" + command_line_of(command, trainer.settings()) + "`\n\n`" + kLog +
         "` holds the figures of every epoch.\n";
}

ModelBundle bundle_of(const TrainCommand& command, Trainer& trainer) {
  const Task& task = trainer.task();
  ModelBundle bundle;
  bundle.name = file_name(command.out);
  bundle.model = trainer.shared_model();
  bundle.text = task.text;
  bundle.title =
      command.title.empty() ? task.title + ", " + find_architecture(command.architecture).label : command.title;
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

// With patience, the folder keeps the weights with the lowest held-out loss. The checkpoint always holds the last ones,
// and comes last: --resume goes on from what is certainly complete.
void save_epoch(const TrainCommand& command, Trainer& trainer) {
  const fs::path folder = command.out;
  if (trainer.settings().patience == 0 || trainer.last_epoch_is_best())
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

// Throws Error when the folder does not fit, or cannot be written: that is better known now than after an epoch.
FolderLock prepare_folder(const TrainCommand& command, Trainer& trainer) {
  const fs::path folder = command.out, checkpoint = folder / kCheckpoint;
  std::error_code ignored;
  if (command.resume && !fs::exists(checkpoint, ignored))
    throw FileError(checkpoint.string() + ": expected the checkpoint of an earlier training to resume, found none");
  make_folder(folder);
  FolderLock lock(folder);
  if (lock.held_by_another())
    throw UsageError(folder.string() +
                     ": another training writes into this folder; wait for its end, or choose another "
                     "--out");
  remove_unfinished(folder);
  const bool resumable = fs::exists(checkpoint, ignored);
  if (!command.resume && (resumable || format_of(folder)))
    throw UsageError(folder.string() + ": expected a new folder, found one with a model in it; " +
                     (resumable ? "go on with --resume, or choose another --out" : "choose another --out"));
  if (command.resume) trainer.load_checkpoint(checkpoint);
  const FileWriter unused(checkpoint);
  return lock;
}

std::string kept(const TrainCommand& command, const Trainer& trainer) {
  return trainer.epochs_done() == 0
             ? std::string("no epoch was finished, nothing was saved")
             : "what epoch " + std::to_string(trainer.epochs_done()) + " ended with is kept in " + command.out;
}

// The updates of an epoch that is interrupted are kept: it goes on behind them.
[[noreturn]] void interrupt(const TrainCommand& command, const Trainer& trainer) {
  const Index read = trainer.updates_in_epoch() - trainer.batches_left();
  std::string what = "interrupted in epoch " + std::to_string(trainer.epochs_done() + 1);
  if (trainer.updates() == 0) throw Interrupted(what + "; nothing was trained, nothing was saved");
  if (read > 0) {
    trainer.save_checkpoint(fs::path(command.out) / kCheckpoint);
    what += " after batch " + std::to_string(read) + " of " + std::to_string(trainer.updates_in_epoch());
  }
  throw Interrupted(what + "; go on from there with --resume");
}

void tell_epoch(const EpochRecord& epoch, int epochs) {
  std::cout << format("epoch %3d/%d  loss %.5f  exact match %.4f  perplexity %.4g  %.0f examples/s  %.1f s",
                      epoch.epoch, epochs, epoch.loss, epoch.exact_match, std::exp(epoch.nll),
                      epoch.examples_per_second, epoch.seconds)
            << std::endl;
}

void train_epoch(const TrainCommand& command, Trainer& trainer, const ProgressBar& bar, const CancelToken& cancel) {
  try {
    const EpochRecord epoch = trainer.run_epoch([&](const TrainingProgress& p) { bar.show(p); }, cancel);
    bar.clear();
    tell_epoch(epoch, trainer.settings().epochs);
  } catch (const Cancelled&) {
    bar.clear();
    interrupt(command, trainer);
  } catch (const Error& error) {
    bar.clear();
    throw Error(std::string(error.what()) + "; " + kept(command, trainer));
  }
  save_epoch(command, trainer);
}

// The same training, watched: its recording is kept, also of one that is interrupted or overflows.
void train_recorded(const TrainCommand& command, LiveTraining& live, const ProgressBar& bar,
                    const CancelToken& cancel) {
  const Trainer& trainer = live.trainer();
  const auto progress = [&](const LiveProgress& p) {
    const Index left = trainer.batches_left(), batches = trainer.updates_in_epoch();
    bar.show({trainer.epochs_done() + 1, trainer.settings().epochs, batches - left, batches, p.loss,
              static_cast<double>(p.read) / std::max(1e-9, p.seconds), p.seconds_left, left == 0});
  };
  live.run({}, progress, cancel);
  bar.clear();
  save_recording(command.record, *live.recording(),
                 {command.record_weights == "all", command.record_weights != "none"});
  if (const auto& failure = live.recording()->failure) throw Error(failure->message + "; " + kept(command, trainer));
  if (!live.finished()) interrupt(command, trainer);
}

LiveOptions recording_options(const TrainCommand& command, const ProgressBar& bar) {
  LiveOptions options;
  if (!command.preset.empty()) {
    const Preset& preset = find_preset(command.preset);
    options.title = preset.title;
    if (const Probe probe = preset.probe(); command.probes == std::vector{probe.source}) options.probes = {probe};
  }
  if (!command.title.empty()) options.title = command.title;
  options.epoch_ended = [&command, &bar](Trainer& trainer) {
    bar.clear();
    tell_epoch(trainer.history().back(), trainer.settings().epochs);
    save_epoch(command, trainer);
  };
  return options;
}

void tell_why_it_ends(const Trainer& trainer) {
  const TrainingSettings& settings = trainer.settings();
  if (trainer.epochs_done() >= settings.epochs) return;
  std::cout << "stopped: the loss on held-out examples has not fallen for " << settings.patience
            << " epochs (patience=" << settings.patience << "); the weights of epoch "
            << best_epoch(trainer.history()) + 1 << " are kept\n";
}

}  // namespace

int train_command(const TrainCommand& asked) {
  refuse_contradictions(asked);
  const TrainCommand command = with_preset(asked);
  const ProgressBar bar(command.quiet);
  std::unique_ptr<LiveTraining> live;
  std::unique_ptr<Trainer> alone;
  if (command.record.empty())
    alone = std::make_unique<Trainer>(settings_of(command));
  else
    live = std::make_unique<LiveTraining>(settings_of(command), recording_options(command, bar));
  Trainer& trainer = live ? live->trainer() : *alone;
  const FolderLock lock = prepare_folder(command, trainer);
  tell_unused(command);
  std::cout << "task " << command.task << ", architecture " << command.architecture << ", "
            << trainer.model().parameters().count() << " parameters, " << trainer.train_data().size()
            << " examples for training, " << trainer.test_data().size() << " held out\n";
  if (!trainer.task().report.empty()) std::cout << trainer.task().report << "\n";
  if (trainer.finished())
    std::cout << "nothing to do: " << trainer.epochs_done() << " epochs are done already (see --epochs"
              << (trainer.epochs_done() < trainer.settings().epochs ? " and --set patience" : "") << ")\n";
  {
    const Interruptible interruptible;
    if (live) train_recorded(command, *live, bar, interruptible.token());
    while (!trainer.finished()) train_epoch(command, trainer, bar, interruptible.token());
  }
  tell_why_it_ends(trainer);
  save_test_vector(command.out);
  const std::vector<std::string>& examples = trainer.task().examples;
  const std::string place = between_quotes(escaped_line(command.out));
  std::cout << "saved in " << place << "; try: headlight run " << place << " --source "
            << between_quotes(escaped_line(examples.empty() ? "" : examples.front())) << "\n";
  return 0;
}

}  // namespace headlight
