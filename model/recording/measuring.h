// What is measured at a moment: shares and perplexity, of a sample that is small enough to cost little.
#pragma once

#include "model/recording/recording.h"
#include "model/training/trainer.h"

namespace headlight {

class Measuring {
 public:
  // The first `sample` examples that are trained on, and that are held out.
  Measuring(const Trainer& trainer, int sample);
  // Fills in right_trained, right_unseen, perplexity, looks_right and concentration.
  void measure(const Model& model, Moment& moment) const;

  // Examples are read one by one; of the task "text" their characters (mean of the examples that are trained on).
  double reads_of_an_example() const { return reads_; }

 private:
  const Task& task_;
  std::vector<Example> trained_examples_, unseen_examples_;
  Dataset trained_, unseen_;
  double reads_ = 1, unseen_characters_ = 0;
};

}  // namespace headlight
