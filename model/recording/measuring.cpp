#include "model/recording/measuring.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight {

namespace {

constexpr std::size_t kLookedAt = 20;

std::vector<Example> beginning(const std::vector<Example>& examples, std::size_t count) {
  return {examples.begin(), examples.begin() + static_cast<std::ptrdiff_t>(std::min(count, examples.size()))};
}

bool counts_characters(const Task& task) { return task.name == "text"; }

double characters_of(const std::vector<Example>& examples) {
  double sum = 0;
  for (const Example& example : examples)
    sum += static_cast<double>(std::count_if(example.target.begin(), example.target.end(),
                                             [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
  return sum;
}

// Sum over all target tokens that count, teacher-forced.
double forced_nll(const Model& model, const Dataset& data) {
  constexpr Index kAtOnce = 32;
  double sum = 0;
  for (const std::vector<std::uint32_t>& rows : data.all_batches(kAtOnce)) {
    const Batch batch = data.batch(rows);
    const Tensor logits = model.begin(batch.source, {})->advance(batch.inputs, {});
    sum += token_nll(logits, batch.targets, batch.mask).array().cast<double>().sum();
  }
  return sum;
}

}  // namespace

Measuring::Measuring(const Trainer& trainer, int sample)
    : task_(trainer.task()),
      trained_(task_.text, beginning(trainer.train_examples(), static_cast<std::size_t>(sample)),
               trainer.reverses_targets()),
      unseen_(task_.text, beginning(trainer.test_examples(), static_cast<std::size_t>(sample)),
              trainer.reverses_targets()),
      looked_at_(beginning(trainer.test_examples(), kLookedAt)) {
  if (!counts_characters(task_)) return;
  const std::vector<Example>& all = trainer.train_examples();
  reads_ = characters_of(all) / static_cast<double>(all.size());
  unseen_characters_ = characters_of(beginning(trainer.test_examples(), static_cast<std::size_t>(sample)));
}

void Measuring::measure(const Model& model, Moment& moment) const {
  double nll = 0;  // of all counted tokens
  const auto tokens = static_cast<double>(std::max<Index>(1, unseen_.counted_tokens()));
  if (task_.open_ended) {  // there is no one right output
    nll = forced_nll(model, unseen_);
  } else {
    const Evaluation unseen = evaluate(model, unseen_);
    moment.right_trained = evaluate(model, trained_).exact_match;
    moment.right_unseen = unseen.exact_match;
    nll = unseen.nll * tokens;
  }
  moment.perplexity = std::exp(nll / (unseen_characters_ > 0 ? unseen_characters_ : tokens));
  const WhereItLooks looks = evaluate_looks(model, task_.text, looked_at_);
  if (looks.linked > 0) moment.looks_right = static_cast<double>(looks.right) / static_cast<double>(looks.linked);
  if (looks.rows > 0) moment.concentration = looks.largest / static_cast<double>(looks.rows);
}

}  // namespace headlight
