// How long a training will take and how many numbers its model has: measured by a few updates, off the window's thread.
#pragma once

#include <QObject>
#include <QTimer>

#include "app/jobs/latest.h"
#include "model/training/training_settings.h"

namespace headlight {

struct TrainingMeasured {
  double seconds = 0;            // of all updates, on this machine as busy as it is now
  Index numbers = 0;             // in the model
  Index examples = 0, kept = 0;  // that it learns from, and that are held out
  QString problem = {};          // why it cannot be trained: too many numbers for the memory
};

class TrainingEstimate : public QObject {
  Q_OBJECT
 public:
  explicit TrainingEstimate(QObject* parent = nullptr);
  // A moment later: who types a number is not asked for each digit. The newest counts.
  void ask(const TrainingSettings& settings);
  void stop();  // a training begins, which it would slow down

  // On the calling thread. Throws Cancelled and Error.
  static TrainingMeasured measure(const TrainingSettings& settings, const CancelToken& cancel = {});

 signals:
  void measured(const headlight::TrainingMeasured& measured);
  void failed(const QString& message);  // what the settings lack, in a sentence

 private:
  TrainingSettings settings_;
  QTimer soon_;
  Latest<TrainingMeasured> job_;
};

}  // namespace headlight
