// The living map: what every state of a run is made of, and where a chosen output comes from (docs/living-map.md).
//
// A run is laid out in lanes (tokens, slots of a memory) and stations (places on the way from embedding to output). A
// state, the vector of one lane at one station, is a sum of parts q; the share of a part is <q, s> / <s, s>, so that
// the shares of a state add up to 1. From a chosen output one unit of flow is handed back, at each state in proportion
// to its positive shares. Nothing here knows a model by name: a family is a LivingRule (rule.h) in a file of its own
// and one row in map.cpp. It knows a run by its sites, and finds their values by lane with LivingSites. Transformers
// and convolutions flow by shares alone, rivers of cells and memories unit by unit.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/decode/run.h"

namespace headlight {

struct LivingLane {
  enum class Side {
    source,  // a token that is read
    target,  // a step of the decoder (also the prompt of a decoder without an encoder)
    memory,  // a slot
  };
  Side side = Side::source;
  std::string text;      // the token at this place; target: what the step was fed; slot: its number
  std::string written;   // target: what the step wrote; source: the guess, where there is one; else empty
  int token = -1;        // index into Result::tokens
  int step = -1;         // of the output that is read off this lane: Result::steps
  Index position = 0;    // in the order of the computation, from 0 in each side
  bool padding = false;  // a blank behind the source
  bool prompt = false;   // target: given, not written
};

// Where a state lies in the trace.
struct LivingPlace {
  int entry = -1;   // -1: it is computed here only (LivingStation::own)
  Index first = 0;  // flat index of unit 0
};

// One kind of part of the states of a station.
struct LivingPart {
  enum class Kind {
    carried,    // the state of the same lane before (residual connection; f∘c′, z∘h′; M′∘(1 − w eᵀ))
    attention,  // brought from other lanes by attention
    written,  // what the step writes itself (MLP; i∘g, (1 − z)∘n; w aᵀ); stays in its lane. Of a cell, where it comes
              // from is LivingStation::candidate
    token,      // the embedding of the lane's own token
    position,   // of the embedding
    recurrent,  // plain RNN: the state before, in the pre-activation
    tap,        // of a convolution: from the lane at `offset`
    state,      // a state of another station, lane by lane (readout, halves of two directions, the layer below)
    context,    // what was looked up, where a cell or readout is given it
    start,      // what starts the first state
    bias,       // of the model alone; takes no flow
    other,      // what an edit, or something that is not published, added; takes no flow
  };
  Kind kind = Kind::carried;
  int from = -1;  // the station that it comes from; -1: none, or `from_each`
  // For a lane of its own: where each lane's part comes from (a decoder's first step goes on from the encoder; a read
  // head reads the memory of its own moment). Empty: all from `from`.
  std::vector<int> from_each;
  // Lane by lane: the lane (of the map) that each part comes from, -1: none. Empty where the part is dense.
  std::vector<int> from_lane;
  // Dense: the lanes of the map that columns stand for, a range.
  int first_column = 0;
  Index columns = 0;
  Index heads = 0;    // of an attention: how many; 0: it has none
  int offset = 0;     // tap: places from the lane's own
  std::string place;  // of an attention or MLP in the trace: "decoder.layer[1].self_attn"; empty where nothing is
  // [Q] lane by lane; dense [Q x K], the sum over the heads. Negative: works against the state.
  Tensor share;

  bool dense() const { return from_lane.empty() && columns > 0; }
  int station(Index row) const { return from_each.empty() ? from : from_each[static_cast<std::size_t>(row)]; }
  // The share in the state of row `row` (0 is the station's first lane): all of it, and what column `column` brings.
  double total(Index row) const;
  double at(Index row, Index column) const { return static_cast<double>(share[row * columns + column]); }
};

struct LivingStation {
  enum class Kind {
    embedding,
    attention,  // behind the attention of a text to itself
    cross,      // behind the attention of the decoder to the source
    mlp,        // behind the MLP
    convolution,
    start,    // what a decoder starts from: one state, in the first of its lanes
    cell,     // the river of a recurrent cell: c of an LSTM, h of others
    states,   // two directions joined, or a layer with its residual sum
    context,  // what was looked up
    memory,   // all slots after one step
    read,     // what the heads read from it
    readout,  // the score of the written token above the mean score, in parts
  };
  enum class Direction { only, forward, backward };
  Kind kind = Kind::embedding;
  Direction direction = Direction::only;
  LivingLane::Side side = LivingLane::Side::source;
  Index layer = -1;
  Index moment = -1;                // memory: the lane (of the map) at which it was written
  int first = 0, count = 0;         // its lanes, a range of LivingMap::lanes
  Index units = 0;                  // numbers of a state; readout: 1
  std::vector<LivingPlace> places;  // by lane: the state in the trace, for real numbers behind a lane
  Tensor own;                       // [lanes x units] where the trace has no such value
  std::vector<LivingPart> parts;    // empty where nothing stands in front: embeddings
  // cell: what the written part (or all of a plain RNN) was made of, in the pre-activation of its candidate: token,
  // recurrent, context, bias. Shares of that pre-activation.
  std::vector<LivingPart> candidate;
  // Every lane's mean of the gates, for their strips: f, i, o or z, r. [lanes] each.
  struct Gate {
    std::string symbol;
    Tensor mean;
  };
  std::vector<Gate> gates;
  // mlp with a router: by what the output of each expert is multiplied, 0 of those that a lane did not go to
  // [lanes x experts]. Undefined: there is no router, or the run has not kept it.
  Tensor experts;

  bool has(int lane) const { return lane >= first && lane < first + count; }
  int part(LivingPart::Kind wanted) const;  // index, -1: none
};

// Immutable once made; all lanes of a side stand beside each other, in the order of the text.
struct LivingMap {
  enum class Family { decoder_only, encoder_only, encoder_decoder, recurrent, convolution, memory };
  Family family = Family::decoder_only;
  std::vector<LivingLane> lanes;
  std::vector<LivingStation> stations;  // in the order of computation: `from` is earlier, or the station itself
  std::shared_ptr<const Result> result;

  // Lanes of a side: first and count (0: none).
  std::pair<int, int> range(LivingLane::Side side) const;
  // Of a lane in its side, in the order of the text, from 1: what people are told.
  int place(int lane) const { return lane - range(lanes[static_cast<std::size_t>(lane)].side).first + 1; }
  int lane_of_step(int step) const;    // -1: none
  int lane_of_token(int token) const;  // index into Result::tokens; -1: none
  // The station that an output is read off, and the embeddings of a side; -1: none.
  int output_station() const { return static_cast<int>(stations.size()) - 1; }  // the last one
  int embedding(LivingLane::Side side) const;

  // How the family works out heads, flow and its own explanations; not for those who draw.
  std::shared_ptr<const class LivingRule> rule;
};

// Whether there is a picture for this run: cheap.
bool has_living_map(const Result& result);
// Null where has_living_map() is false, or where the run has left out a site that the shares need. With the trace's
// sites of states, attention weights and values. A T x T product for each head; at 512 tokens and 12 layers some tenths
// of a second, so in a worker. Throws Cancelled.
std::shared_ptr<const LivingMap> living_map(std::shared_ptr<const Result> result, const CancelToken& cancel = {});

// Of a dense part with heads: the share of each head [H x Q x K], and the plain weights [H x Q x K]. Made anew each
// time (of 512 tokens and 12 heads each is 12 MB): one station at a time.
Tensor head_shares(const LivingMap& map, int station, int part);
Tensor head_weights(const LivingMap& map, int station, int part);

// Which output: a lane of the output station, and what it could have written (-1: what it wrote).
struct LivingChoice {
  int lane = -1;
  TokenId candidate = -1;
  bool operator==(const LivingChoice&) const = default;
};

// One unit of flow, from the chosen output back to the words.
struct LivingFlow {
  LivingChoice choice;
  // By station: of each of its lanes, how much of the output runs through that state [lanes].
  std::vector<std::vector<double>> at;
  // By station and part, as LivingPart::share: lane by lane [Q] or dense [Q x K].
  std::vector<std::vector<Tensor>> parts;
  std::vector<std::vector<Tensor>> candidate;  // the same for LivingStation::candidate
  // What each lane's own token brought [lanes of the map], and what no token did (a learned start): adds up to 1.
  std::vector<double> origin;
  double rest = 0;
  // By station: what runs through all that is cut there (states that the rest of the model still hands back, words, and
  // `rest`): 1 each.
  std::vector<double> totals;
  // Of the chosen output: the sum of shares that work against it, over the states that the flow passes, each weighted
  // with its flow; 0 or less.
  double against = 0;
};
// Cheap: shares are not computed again, except those of the readout for another candidate. Throws UsageError for a lane
// that no output is read off.
LivingFlow living_flow(const LivingMap& map, LivingChoice choice);

// The shares of a readout for any candidate, as LivingStation::parts of the output station has them for the written
// token: one tensor a part, [1] or [1 x K]. Empty where the output is a vector (Transformers, convolutions).
std::vector<Tensor> readout_shares(const LivingMap& map, LivingChoice choice);

// 'Where does this word come from?'
struct LivingOrigin {
  int lane = -1;     // -1: the rest, which no token brought
  double share = 0;  // exact
  int percent = 0;   // as printed: all together 100
};
// Every lane that is a token, in the order of the lanes, then the rest where it is not 0.
std::vector<LivingOrigin> living_origins(const LivingMap& map, const LivingFlow& flow);
// Whole percent that add up to 100, by the largest remainder (ties: the earlier one). Shares add up to 1.
std::vector<int> whole_percent(const std::vector<double>& shares);

// What a state would say if the model ended here: final norm and output matrix (logit lens).
struct LivingLens {
  int station = -1;
  std::vector<Candidate> top;  // best first, five at most
  double chosen = 0;           // the probability of what was written in the end (or LivingChoice::candidate)
};
// For each station of the choice's lane on the way to the output; empty where a model cannot say (recurrent models).
std::vector<LivingLens> living_lens(const LivingMap& map, LivingChoice choice);

// A ribbon, wedge or river: a part in one state. `column` of a dense part, -1: all of it; `head` -1: all together.
struct LivingShare {
  int station = -1, part = -1;
  Index row = 0, column = -1, head = -1;
};
// The vectors behind a share [units]: what the part adds to the state, and the state that it is a part of. Of a readout
// both are one number, the part of the score and the score (of what was written). Undefined for `other`.
Tensor part_vector(const LivingMap& map, const LivingShare& share);
Tensor state_vector(const LivingMap& map, int station, Index row);
// The share as arithmetic: <q, s> / (<q, s> + the others' <q', s>), the denominator being <s, s>. And <q, s> itself,
// unit by unit; states that the run published are cells of its trace, so that they open further. Of `other` only the
// first. (arithmetic.h: which product stands behind which term.)
Explanation explain_share(const LivingMap& map, const LivingShare& share);
Explanation explain_product(const LivingMap& map, const LivingShare& share);
// The edits that take it away: the weight of one pair, of one head or all; a whole head (column -1); what an MLP
// writes. Empty where nothing can be cut (carried, bias).
std::vector<Intervention> cut_of(const LivingMap& map, const LivingShare& share);
// What a cut truly does to a choice: its probability before, and after in a run with the cut. `after` may have written
// something else; the step is the same. NaN where it lacks the step.
struct TrueChange {
  double before = 0, after = 0;
};
TrueChange true_change(const LivingMap& map, LivingChoice choice, const Result& after);

}  // namespace headlight
