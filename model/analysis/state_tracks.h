// What the cells of a recurrent model hold and how far their gates are open, step by step; the gates of a convolutional
// model at each position, and how far each of its layers sees.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/decode/run.h"

namespace headlight {

// Where a cell stands at one point of its time: what it read, and where that is in the result.
struct StatePlace {
  enum class Kind { source, delimiter, output };  // delimiter: the sign after the source (NTM)
  Kind kind = Kind::source;
  std::string text;      // the token that it read, or wrote
  std::string fed;       // output: what it was given
  int token = -1;        // index into Result::tokens
  int step = -1;         // of the decoder
  bool padding = false;  // of the source
};

// One quantity of a cell: a number for each unit at each place.
struct StateTrack {
  // gate: 0 .. 1. state: handed on to the next step. value: anything else.
  enum class Role { gate, state, value };
  struct Row {
    int entry = -1;   // of the trace
    Index first = 0;  // flat index of unit 0
  };
  std::string symbol;              // as in the formulas: "f", "h̃"
  const SiteKind* kind = nullptr;  // of the catalogue
  Role role = Role::value;
  std::vector<Row> rows;  // by place
};

// The arithmetic of one unit at one place, written out: result = symbols = pattern with its values put in.
struct StateUpdate {
  std::string result;          // "c"
  std::string symbols;         // "f·c′ + i·g"; empty where nothing that it is made from was published
  std::string pattern;         // "%1·%2 + %3·%4"
  std::vector<double> values;  // %1, %2, …
  double computed = 0;         // what the pattern comes to
  double value = 0;            // what the trace holds: another number only where somebody edited it
  bool edited = false;
};

// A cell along its time. Numbers stay in the trace. Places are in the order of the text, also where the cell reads it
// from its end.
class StateCell {
 public:
  enum class Kind { rnn, lstm, gru, gru_reset_after, tanh, glu };  // tanh: the NTM's controller without a memory
  enum class Side { encoder, decoder, controller };                // controller: of the NTM, both phases in a row
  enum class Direction { only, forward, backward };

  Side side = Side::encoder;
  Index layer = -1;  // -1: there is one
  Direction direction = Direction::only;
  Kind kind = Kind::lstm;
  Index units = 0;
  std::vector<StatePlace> places;
  std::vector<int> before;  // the place whose state came before; -1: the initial state
  std::vector<StateTrack> tracks;
  std::shared_ptr<const Trace> trace;

  int place_count() const { return static_cast<int>(places.size()); }
  bool recurrent() const { return kind != Kind::glu; }
  bool reads_backward() const { return recurrent() && place_count() > 1 && before[0] == 1; }
  int track(const std::string& symbol) const;  // -1: none
  // The gate that says what is remembered (f, z) or passed (σ(B)); -1 where there is no gate.
  int main_gate() const;

  float value(int track, int place, Index unit) const {
    const StateTrack::Row& row = tracks[static_cast<std::size_t>(track)].rows[static_cast<std::size_t>(place)];
    return static_cast<float>((*trace)[row.entry].value[row.first + unit]);
  }
  // The same for the state (c or h) that this place started from.
  double value_before(const std::string& symbol, int place, Index unit) const;
  // The cell of the trace.
  int entry(int track, int place) const {
    return tracks[static_cast<std::size_t>(track)].rows[static_cast<std::size_t>(place)].entry;
  }
  Index index(int track, int place, Index unit) const {
    return tracks[static_cast<std::size_t>(track)].rows[static_cast<std::size_t>(place)].first + unit;
  }
  bool find(int entry, Index index, int* track, int* place, Index* unit) const;

  // The mean over the units of a gate, of any other track the mean magnitude.
  double mean(int track, int place) const;
  double largest(int track) const;  // magnitude
  // LSTM: c, then h. GRU, in the form that this cell has, and the simple RNN: h. GLU: what comes through.
  std::vector<StateUpdate> updates(int place, Index unit) const;
  // Keys to sort units by: how much the state changes in all, Σ |h_t − h_{t−1}| (GLU: from place to place), and how far
  // the main gate is open on the average.
  std::vector<double> changes() const;
  std::vector<double> openness() const;

 private:
  friend class StateBuilder;
  std::string initial_h_, initial_c_;  // site or parameter; zeros where there is none
};

// Encoder before decoder, lower layers first, forward before backward.
std::vector<StateCell> state_cells(const Result& result);
// Whether there are any: cheap.
bool has_state_cells(const Result& result);

// What one position of one layer of convolutions sees (Gehring et al. 2017, section 3.2): level 0 is the tokens, level
// l + 1 layer l.
struct ReceptiveCone {
  struct Span {
    Index first = 0, last = -1;  // positions, both seen; within the text
    Index count() const { return last - first + 1; }
    bool operator==(const Span&) const = default;
  };
  std::vector<Span> levels;  // from the tokens up to the chosen position
  Index reach = 1;           // tokens that it would see in a long text: 1 + L (k − 1)
};
// A window of `kernel` positions, of which (kernel − 1) / 2 lie before (rounded down; the encoder's), or all but one
// (causal; the decoder's).
ReceptiveCone receptive_cone(Index position, Index layer, Index kernel, bool causal, Index length);

}  // namespace headlight
