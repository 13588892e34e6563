// What is known of every epoch, as a table and as lines of training.csv.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "model/core/json.h"
#include "model/core/json_library.h"
#include "model/core/tensor.h"

namespace headlight {

struct EpochRecord {
  static constexpr double kUnknown = std::numeric_limits<double>::infinity();

  int epoch = 0;                   // from 1
  double loss = 0;                 // mean negative log-likelihood of a training token, nats
  double exact_match = 0;          // share of held-out examples whose whole output is right, greedy decoding
  double gradient_norm = 0;        // mean before clipping
  double seconds = 0;              // of training, without the evaluation
  double examples_per_second = 0;  // of training
  double learning_rate = 0;        // of the last update
  double token_accuracy = 0;       // of held-out tokens, greedy decoding
  double nll = kUnknown;           // of a held-out token, teacher-forced, nats
  double nll_free = kUnknown;      // the same, fed with the model's own choices (models.md 10.4)
};

// "epoch,loss,exact_match,...,ppl_tf,ppl_free" and a line for each epoch. Perplexities are exp(nll).
std::string history_csv(const std::vector<EpochRecord>& history);

Json history_json(const std::vector<EpochRecord>& history);
std::vector<EpochRecord> read_history(const Json& json);  // throws Json::exception

// Place of the epoch with the lowest held-out loss, the first of equals; -1 when there is none.
int best_epoch(const std::vector<EpochRecord>& history);
// `patience` epochs went by without a lower held-out loss; never, when it is 0.
bool out_of_patience(const std::vector<EpochRecord>& history, Index patience);

}  // namespace headlight
