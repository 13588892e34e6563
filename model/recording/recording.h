// What a training was like: moments of it with what was measured there, and what the model made of a probe.
//
// A recording is made by LiveTraining, kept in a file by recording_file.h, and told by story.h. It is a value: what
// grows while a training runs are new recordings that share the moments of those before (std::shared_ptr). Nothing here
// runs a model.
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/core/halves.h"
#include "model/core/tensor.h"
#include "model/training/tasks/task.h"
#include "model/training/training_settings.h"

namespace headlight {

// A text that the training never sees, asked at every moment.
struct Probe {
  std::string source, target;        // target: what is right, where that is known; else empty
  std::vector<Link> alignment = {};  // as of Example; empty: not known
  // As the model reads and writes them, without padding; filled in by the training.
  std::vector<std::string> source_tokens = {}, target_tokens = {};
};

struct ProbeToken {
  std::string text;
  double probability = 0;
  // The token that is right stands at this place (of a probe without a target: always). The picture strikes what is not
  // right, and writes what is sure (probability >= .5) in bold.
  bool right = true;
};

// What the model makes of a probe at a moment: its greedy output without the end sign, at most as long as the texts of
// the task, and where it looks meanwhile.
struct ProbeRun {
  std::vector<ProbeToken> output;
  // One [T x S] for each of Recording::maps, rows as `output`, columns as `source_tokens` (encoder-decoder models) or
  // the tokens read so far (decoder-only ones, S = T of the text that was read and written).
  std::vector<Tensor> attention;
};

// Weights at a moment as float16, one for each parameter in the order of the model's table; what no float16 can hold is
// the largest that it can.
struct MomentWeights {
  std::vector<std::shared_ptr<const Halves>> parameters;
  std::size_t bytes() const;
};

inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();
inline bool is_measured(double value) { return !std::isnan(value); }

struct Moment {
  Index update = 0;                     // updates that were made before it; 0: untrained
  Index read = 0;                       // examples (of the task "text": characters) that were read before it
  double seconds = 0;                   // of training, without pauses and without what the recording costs
  double loss = kNotMeasured;           // mean NLL of a training token since the moment before, nats
  double right_trained = kNotMeasured;  // share of whole outputs that are right, of a sample that was trained on
  double right_unseen = kNotMeasured;   // the same of held-out examples
  double perplexity = kNotMeasured;     // of a held-out token, teacher-forced; of the task "text": of a character
  // Share of the target tokens with a known link whose largest weight lies on it; where no links are known, not
  // measured.
  double looks_right = kNotMeasured;
  double concentration =
      kNotMeasured;  // mean largest weight of a row of attention, held-out examples; without attention: none
  double learning_rate = 0, gradient_norm = kNotMeasured;  // of the last update
  std::vector<double> layer_gradients = {};                // norms, one for each of Recording::layers
  std::vector<ProbeRun> probes = {};                       // one for each of Recording::probes
  std::vector<std::string> written =
      {};  // of open-ended tasks: what it goes on writing, one for each of Recording::starts
  std::shared_ptr<const MomentWeights> weights = nullptr;  // null: not kept
};

// An attention map that ProbeRun::attention has: "cross", layer 1, head 3.
struct RecordedMap {
  std::string name;           // of the site: "decoder.layer[0].cross_attn.weights"
  int layer = -1, head = -1;  // -1: there is one
  bool self = false;          // the text looks at itself
};

struct Recording {
  TrainingSettings settings;         // resolved; with them `headlight train` gives the same numbers
  std::string title;                 // one line: "Attention, dot score"
  std::string task_title;            // "Our sentences"
  std::string recorded_at;           // ISO 8601, local time
  std::string machine;               // "2 cores" …; said of recorded times
  bool bundled = false;              // came with the program: "recorded"
  Index numbers = 0;                 // parameters of the model
  Index examples = 0, held_out = 0;  // that it was trained on, and that are held out
  // No output of a probe is longer, in tokens: as the longest target of the data, or what a picture has room for.
  Index longest = 0;
  Index updates = 0, reads = 0;     // that the whole training has, as asked for
  std::vector<Probe> probes;        // the first is the one that is shown first
  std::vector<std::string> starts;  // of open-ended tasks: what is gone on with
  std::vector<RecordedMap> maps;
  // Of the model's table, in its order: what MomentWeights::parameters are.
  struct ParameterShape {
    std::string name;
    Shape shape;
  };
  std::vector<ParameterShape> parameters;
  std::vector<std::string> layers;  // names of the groups of parameters: "encoder", "decoder", "attention", "output"
  std::vector<std::shared_ptr<const Moment>> moments;  // at least one once it has begun; updates rise
  bool thinned = false;                                // every second moment was given up for want of memory
  bool whole = false;                                  // the training went to its end; else it runs, or was stopped
  // Numbers that were none any more: at which update, and the loss before.
  struct Failure {
    Index update = 0;
    double loss_before = 0;
    std::string message;
  };
  std::optional<Failure> failure;
  std::shared_ptr<const Task> task;  // null where it was read from a file: it is found by the settings then

  const Moment& at(int moment) const { return *moments[static_cast<std::size_t>(moment)]; }
  int count() const { return static_cast<int>(moments.size()); }
};

}  // namespace headlight
