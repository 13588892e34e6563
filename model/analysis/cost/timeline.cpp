#include "model/analysis/cost/timeline.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "model/core/json_library.h"
#include "model/decode/run.h"
#include "model/models/recurrent_settings.h"
#include "model/models/transformer_settings.h"

namespace headlight {

namespace {

using BoxKind = TimelineBox::Kind;
using RowColumns = std::vector<int>;  // of each row

constexpr int kAtOnce = -1;  // what is there from the beginning

int last_column(const RowColumns& columns) { return columns.empty() ? kAtOnce : std::ranges::max(columns); }

class TimelineBuilder {
 public:
  TimelineBuilder(const RunLengths& lengths, Pace pace)
      : lengths_(lengths), pace_(pace), encoded_(static_cast<std::size_t>(lengths.source), kAtOnce) {}

  // A box behind whatever it waits for.
  int put(BoxKind kind, int row, int layer, int waits_for, bool backward = false) {
    const bool of_source = kind == BoxKind::encoder;
    made_.boxes.push_back({kind, of_source, row, layer, backward, waits_for + 1});
    made_.columns = std::max(made_.columns, waits_for + 2);
    return waits_for + 1;
  }
  int source() const { return static_cast<int>(lengths_.source); }
  int prompt() const { return static_cast<int>(lengths_.prompt); }
  int steps() const { return static_cast<int>(lengths_.steps); }
  // When the token that is fed to a step is there.
  int fed(int step, const RowColumns& outputs) const {
    return pace_ == Pace::learns || step == 0 ? kAtOnce : outputs[static_cast<std::size_t>(step - 1)];
  }

  // Layers that compute all tokens of a source at once.
  void encode_at_once(int layers) {
    for (int l = 0; l < layers; ++l) {
      const int below = last_column(encoded_);
      for (int j = 0; j < source(); ++j) encoded_[static_cast<std::size_t>(j)] = put(BoxKind::encoder, j, l, below);
    }
  }
  // Layers in which each state waits for the one before.
  void encode_by_turns(const EncoderSettings& settings) {
    for (Index l = 0; l < settings.layers; ++l) {
      const bool both = settings.directions == Directions::all || (settings.directions == Directions::first && l == 0);
      const RowColumns below = encoded_;
      for (const bool backward : {false, true}) {
        if (backward && !both) continue;
        int before = kAtOnce;
        for (int k = 0; k < source(); ++k) {
          const int j = backward ? source() - 1 - k : k;
          const auto at = static_cast<std::size_t>(j);
          before = put(BoxKind::encoder, j, static_cast<int>(l), std::max(before, below[at]), backward);
          encoded_[at] = std::max(encoded_[at], before);
        }
      }
    }
  }
  int encoded() const { return last_column(encoded_); }

  // Layers of a decoder that read what stands before them, and a source.
  void decode_at_once(int layers) {
    const int from_source = encoded(), rows = prompt() + steps();
    std::vector<int> sofar(static_cast<std::size_t>(layers) + 1, kAtOnce);  // of each layer's input, up to this row
    RowColumns outputs;
    for (int row = 0; row < rows; ++row) {
      const int step = row - prompt();
      sofar[0] = std::max(sofar[0], step > 0 ? fed(step, outputs) : kAtOnce);
      int column = kAtOnce;
      for (int l = 0; l < layers; ++l) {
        const auto at = static_cast<std::size_t>(l);
        column = put(BoxKind::decoder, row, l, std::max(sofar[at], from_source));
        sofar[at + 1] = std::max(sofar[at + 1], column);
      }
      if (step >= 0) outputs.push_back(put(BoxKind::output, row, 0, column));
    }
  }

  struct Reading {
    bool is_there = false;
    bool before_cell = false;     // the state of the step before asks
    bool from_previous = false;   // ... and makes the output
    int query_layer = 0;          // whose output asks
    bool upward_is_fresh = true;  // layers above read what was just looked up
    bool fed_back = false;        // what was looked up is fed to the next step
  };
  void decode_by_turns(int layers, const Reading& reading);
  // A machine that gets nothing that it wrote.
  void work_through() {
    int before = kAtOnce;
    for (int j = 0; j < source(); ++j) before = put(BoxKind::encoder, j, 0, before);
    ++before;  // the sign that the source has ended
    made_.columns = std::max(made_.columns, before + 1);
    for (int t = 0; t < steps(); ++t) {
      before = put(BoxKind::decoder, t, 0, before);
      put(BoxKind::output, t, 0, before);
    }
  }
  // What masked words are guessed from.
  void guess() {
    const int below = encoded();
    for (int t = 0; t < steps(); ++t) put(BoxKind::output, t, 0, below);
  }

  Timeline finish() {
    made_.source_rows = source();
    made_.text_rows = prompt() + steps();
    std::ranges::sort(made_.boxes, {}, [](const TimelineBox& box) {
      return std::tuple(!box.of_source, box.row, box.column, box.layer, box.backward);
    });
    return std::move(made_);
  }

 private:
  RunLengths lengths_;
  Pace pace_;
  RowColumns encoded_;
  Timeline made_;
};

// Of a decoder alone the text that it goes on with comes first: its rows write nothing.
void TimelineBuilder::decode_by_turns(int layers, const Reading& reading) {
  const int from_source = encoded();
  RowColumns states(static_cast<std::size_t>(layers), from_source), outputs;
  int looked_up = kAtOnce;  // at the step before
  for (int row = 0; row < prompt() + steps(); ++row) {
    const int t = row - prompt();
    const int token = t > 0 ? fed(t, outputs) : kAtOnce, previous_state = states.back(), previous = looked_up;
    if (reading.before_cell) looked_up = put(BoxKind::attention, row, 0, std::max(previous_state, from_source));
    int below = token;
    if (reading.before_cell) below = std::max(below, looked_up);
    if (reading.fed_back) below = std::max(below, previous);
    for (int l = 0; l < layers; ++l) {
      int& state = states[static_cast<std::size_t>(l)];
      if (reading.is_there && !reading.before_cell && l > reading.query_layer)
        below = std::max(below, reading.upward_is_fresh ? looked_up : previous);
      below = state = put(BoxKind::decoder, row, l, std::max(state, below));
      if (reading.is_there && !reading.before_cell && l == reading.query_layer)
        looked_up = put(BoxKind::attention, row, l, std::max(below, from_source));
    }
    if (t < 0) continue;
    const int state = reading.from_previous ? previous_state : states.back();
    const int seen = reading.is_there ? looked_up : kAtOnce;
    outputs.push_back(put(BoxKind::output, row, 0, std::max({state, seen, token})));
  }
}

TimelineBuilder::Reading reading_of(const Json& config, int layers) {
  TimelineBuilder::Reading reading;
  reading.is_there = config.contains("attention.score");
  if (!reading.is_there) return reading;
  if (config.contains("readout_state")) {
    reading.before_cell = true;
    reading.from_previous = config.at("readout_state") == "previous";
    return reading;
  }
  const int query = config.at("query_layer").get<int>();
  reading.query_layer = query < 0 ? layers - 1 : query;
  reading.upward_is_fresh = config.at("attention_step") == "fresh";
  reading.fed_back = config.at("input_feeding").get<bool>() || config.at("context_use") != "to_affine";
  return reading;
}

void add_transformer(TimelineBuilder& builder, const Json& config, TransformerShape shape) {
  const TransformerSettings settings = read_transformer_settings(config, shape);
  if (shape != TransformerShape::decoder_only) builder.encode_at_once(static_cast<int>(settings.encoder.layers));
  if (shape == TransformerShape::encoder_only)
    builder.guess();
  else
    builder.decode_at_once(static_cast<int>(settings.decoder.layers));
}

}  // namespace

std::optional<Timeline> timeline(const Model& model, const RunLengths& lengths, Pace pace) {
  const Json& config = model.config();
  const std::string& type = model.traits().architecture;
  TimelineBuilder builder(lengths, pace);
  if (type == "transformer") {
    add_transformer(builder, config, TransformerShape::both);
  } else if (type == "encoder_only") {
    add_transformer(builder, config, TransformerShape::encoder_only);
  } else if (type == "decoder_only") {
    add_transformer(builder, config, TransformerShape::decoder_only);
  } else if (type == "convs2s") {
    builder.encode_at_once(config.at("encoder_layers").get<int>());
    builder.decode_at_once(config.at("decoder_layers").get<int>());
  } else if (type == "ntm") {
    builder.work_through();
  } else if (type == "recurrent_lm") {
    builder.decode_by_turns(config.at("layers").get<int>(), {});
  } else {
    const EncoderSettings encoder = recurrent_settings(config).encoder;
    builder.encode_by_turns(encoder);
    const bool one_cell = config.contains("readout_state");
    const int layers = one_cell ? 1 : static_cast<int>(encoder.layers);
    builder.decode_by_turns(layers, reading_of(config, layers));
  }
  return builder.finish();
}

std::optional<Timeline> timeline(const Result& result, Pace pace) {
  if (!result.model || !result.model->model || result.model->stored) return {};
  return timeline(*result.model->model, run_lengths(result), pace);
}

}  // namespace headlight
