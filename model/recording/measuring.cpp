#include "model/recording/measuring.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight {

namespace {

std::vector<Example> beginning(const std::vector<Example>& examples, int count) {
  return {examples.begin(), examples.begin() + std::min(count, static_cast<int>(examples.size()))};
}

bool counts_characters(const Task& task) { return task.name == "text"; }

double characters_of(const std::vector<Example>& examples) {
  double sum = 0;
  for (const Example& example : examples)
    sum += static_cast<double>(std::count_if(example.target.begin(), example.target.end(),
                                             [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
  return sum;
}

}  // namespace

Measuring::Measuring(const Trainer& trainer, int sample)
    : task_(trainer.task()),
      trained_examples_(beginning(trainer.train_examples(), sample)),
      unseen_examples_(beginning(trainer.test_examples(), sample)),
      trained_(task_.text, trained_examples_, trainer.reverses_targets()),
      unseen_(task_.text, unseen_examples_, trainer.reverses_targets()) {
  if (!counts_characters(task_)) return;
  const std::vector<Example>& all = trainer.train_examples();
  reads_ = characters_of(all) / static_cast<double>(all.size());
  unseen_characters_ = characters_of(unseen_examples_);
}

void Measuring::measure(const Model& model, Moment& moment) const {
  const ForcedEvaluation unseen = evaluate_forced(model, task_.text, unseen_, unseen_examples_);
  moment.perplexity = std::exp(unseen.nll / (unseen_characters_ > 0 ? unseen_characters_ : unseen.tokens));
  if (unseen.linked > 0) moment.looks_right = static_cast<double>(unseen.right) / static_cast<double>(unseen.linked);
  if (unseen.rows > 0) moment.concentration = unseen.largest / static_cast<double>(unseen.rows);
  if (task_.open_ended) return;  // there is no one right output
  moment.right_unseen = unseen.exact_match;
  moment.right_trained = evaluate_forced(model, task_.text, trained_, trained_examples_).exact_match;
}

}  // namespace headlight
