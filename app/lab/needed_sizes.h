// "How many are needed?": the same training on the first so many sentences each, one after the other in the background.
#pragma once

#include <QObject>
#include <QString>
#include <cstddef>
#include <utility>
#include <vector>

#include "app/jobs/latest.h"
#include "model/training/training_settings.h"

namespace headlight {

// How often own sentences are read: few ones more often, so that some 14,400 are read in all, as of the 480 of the
// preset.
int epochs_for(std::size_t sentences);

class NeededSizes : public QObject {
  Q_OBJECT
 public:
  explicit NeededSizes(QObject* parent = nullptr);
  void measure(const TrainingSettings& settings, const std::vector<int>& sizes);
  void stop();

 signals:
  // The sizes that are done, with the share that is right of those that were not trained on.
  void measured(const std::vector<std::pair<int, double>>& sizes);
  void progressed(const QString& what);  // empty: nothing is measured
  void failed(const QString& message);

 private:
  BackgroundThread thread_;
};

}  // namespace headlight
