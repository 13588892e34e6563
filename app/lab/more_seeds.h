// The seeds that two settings lack before anything can be said of them: trained one after the other behind everything
// else. Each stands as a thin line in the lab when it has finished.
#pragma once

#include <QObject>
#include <deque>
#include <vector>

#include "app/lab/lab_shown.h"
#include "app/lab/lab_training.h"
#include "app/lab/two_runs_words.h"

namespace headlight {

struct WantedSeed {
  TrainingSettings settings;
  LiveOptions options;
  double seconds = 0;  // that the run of the same settings took
};
// Of both settings, the lowest seeds that are not there yet, until each has kSeedsNeeded.
std::vector<WantedSeed> missing_seeds(const RunsCompared& compared);

class MoreSeeds : public QObject {
  Q_OBJECT
 public:
  explicit MoreSeeds(LabShown* shown, QObject* parent = nullptr);
  void train(const std::vector<WantedSeed>& wanted);
  void stop();  // what has finished stays
  int left() const { return left_; }

 signals:
  void changed();
  void trained(const headlight::LabShown::Run& run);
  void failed(const QString& message);

 private:
  void next();
  void follow();

  LabShown* const shown_;
  LabTraining training_;
  std::deque<WantedSeed> queue_;
  int left_ = 0;  // with the one that is being trained
};

}  // namespace headlight
