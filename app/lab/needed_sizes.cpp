#include "app/lab/needed_sizes.h"

#include <algorithm>

#include "model/recording/live_training.h"

namespace headlight {

int epochs_for(std::size_t sentences) {
  return static_cast<int>(std::clamp<std::size_t>(14'400 / std::max<std::size_t>(1, sentences), 10, 300));
}

NeededSizes::NeededSizes(QObject* parent)
    : QObject(parent), thread_([this](const QString& message, bool) {
        emit progressed({});
        emit failed(message);
      }) {}

void NeededSizes::measure(const TrainingSettings& settings, const std::vector<int>& sizes) {
  thread_.start([=, this](std::uint64_t, BackgroundThread::Report report) -> BackgroundThread::Job {
    return [=, this](const CancelToken& cancel) -> BackgroundThread::Delivery {
      std::vector<std::pair<int, double>> done;
      for (const int size : sizes) {
        report([this, size] { emit progressed(tr("training on %1 sentences").arg(size)); });
        TrainingSettings mine = settings;
        mine.train_size = size;
        mine.epochs = epochs_for(static_cast<std::size_t>(size));
        LiveOptions options;
        options.moments = 1;
        options.weights = false;
        LiveTraining training(mine, options);
        training.run([](const auto&) {}, {}, cancel);
        cancel.check();
        done.emplace_back(size, training.recording()->moments.back()->right_unseen);
        report([this, done] { emit measured(done); });
      }
      return [this] { emit progressed({}); };
    };
  });
}

void NeededSizes::stop() {
  thread_.stop();
  emit progressed({});
}

}  // namespace headlight
