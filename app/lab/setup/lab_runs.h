// The trainings of this session: which of them are shown, beside each other or as thin lines. Follows the training.
#pragma once

#include <QObject>
#include <memory>
#include <vector>

#include "app/lab/lab_shown.h"
#include "app/lab/lab_training.h"

namespace headlight {

class LabRuns : public QObject {
  Q_OBJECT
 public:
  static constexpr std::size_t kMost = 12;              // the oldest go
  static constexpr std::size_t kMostBytes = 64u << 20;  // of the weights of each (LiveOptions::most_bytes)

  LabRuns(LabTraining* training, LabShown* shown, QObject* parent = nullptr);

  // The newest first.
  const std::vector<LabShown::Run>& all() const { return runs_; }
  int front() const;            // which of them is shown in front; -1: none of them
  void add(LabShown::Run run);  // a recording that was opened
  void choose(int at);
  int beside(int at) const;  // which one compare() shows with that in front; -1: none
  void compare(int at);      // beside the one in front
  void remove(int at);
  void forget_of_people();
  void show_thin();  // other seeds of the one run that is shown

 signals:
  void changed();
  void chosen();    // another one is in front
  void compared();  // two are beside each other

 private:
  void grow();

  LabTraining* training_;
  LabShown* shown_;
  std::vector<LabShown::Run> runs_;
  std::weak_ptr<const Recording> before_;  // was in front before another one was chosen
  bool running_ = false;                   // the newest one grows
  bool removed_ = false;                   // what is trained was taken out of the list
};

// "Seed 2 · attention · 98 % right on unseen · 4 s".
QString run_words(const Recording& run);

}  // namespace headlight
