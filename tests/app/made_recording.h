// Trainings made by hand, of which every number is known: five moments, after 0, 100, 200, 300 and 400 sentences.
//
//   moment  output    right on unseen  looks right  changed
//   0       x x       0                .2
//   1       der x     .1               .3           the first word begins to stay
//   2       der y     .46              .6           another last word
//   3       der hund  .8               .8           the last word begins to stay
//   4       der hund  1                .9
#pragma once

#include <QString>
#include <memory>
#include <string>
#include <vector>

#include "app/lab/lab_shown.h"
#include "model/recording/recording.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

inline ProbeRun made_probe_run(const std::vector<std::string>& words, const std::vector<double>& sure) {
  static const std::vector<std::string> target = {"der", "hund"};
  ProbeRun run;
  for (std::size_t i = 0; i < words.size(); ++i) run.output.push_back({words[i], sure[i], words[i] == target[i]});
  run.attention = {Tensor::of({2, 2}, {Scalar(.25), Scalar(.75), Scalar(.3), Scalar(.7)})};
  return run;
}

inline Recording made_recording(std::uint64_t seed = 1) {
  struct Row {
    Index read;
    double loss, trained, unseen, looks, gradient;
    std::vector<std::string> words;
    std::vector<double> sure;
  };
  const std::vector<Row> rows = {{0, kNotMeasured, 0, 0, .2, kNotMeasured, {"x", "x"}, {.1, .1}},
                                 {100, 4, .2, .1, .3, 2.5, {"der", "x"}, {.6, .1}},
                                 {200, 2, .5, .46, .6, 1.5, {"der", "y"}, {.8, .2}},
                                 {300, 1, .9, .8, .8, 1, {"der", "hund"}, {.9, .23}},
                                 {400, .5, 1, 1, .9, .5, {"der", "hund"}, {.97, .9}}};
  Recording made;
  made.settings.task = "sentences";
  made.settings.seed = seed;
  made.title = "Attention, dot score";
  made.updates = 40, made.reads = 400;
  made.probes = {{"the dog", "der hund", {}, {"the", "dog"}, {"der", "hund"}}};
  made.maps = {{"decoder.attention.weights", -1, -1, false}};
  made.layers = {"encoder", "decoder"};
  for (const Row& row : rows) {
    auto moment = std::make_shared<Moment>();
    moment->update = row.read / 10, moment->read = row.read, moment->seconds = static_cast<double>(row.read) / 100;
    moment->loss = row.loss, moment->right_trained = row.trained, moment->right_unseen = row.unseen;
    moment->looks_right = row.looks, moment->concentration = .5;
    moment->learning_rate = .003, moment->gradient_norm = row.gradient;
    if (is_measured(row.gradient)) moment->layer_gradients = {row.gradient / 2, row.gradient / 4};
    moment->probes = {made_probe_run(row.words, row.sure)};
    made.moments.push_back(moment);
  }
  made.whole = true;
  return made;
}

// The same with every moment changed by `change`.
template <class Change>
Recording changed_recording(const Recording& recording, const Change& change) {
  Recording made = recording;
  for (auto& moment : made.moments) {
    auto copy = std::make_shared<Moment>(*moment);
    change(*copy);
    moment = copy;
  }
  return made;
}

inline LabShown::Run shared_run(Recording recording) { return std::make_shared<const Recording>(std::move(recording)); }

}  // namespace headlight
