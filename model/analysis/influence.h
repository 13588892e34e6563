// How much each state of a run moves an output or another state: the length (Frobenius norm) of the derivative, from
// the graph of the run. And which states can reach another one at all, whatever the numbers are: the receptive field
// (Gehring et al. 2017, section 3.2), and in how many steps from token to token (Vaswani et al. 2017, table 1).
//
// Layers and tokens are the stations and lanes of the living map.
#pragma once

#include <compare>
#include <span>
#include <vector>

#include "model/analysis/attention_maps.h"
#include "model/analysis/living/map.h"

namespace headlight {

struct StateAt {
  int station = -1, lane = -1;  // of the map
  auto operator<=>(const StateAt&) const = default;
};

// Whether a run has states that can be asked, and kept its graph: cheap. Machines with a memory have none.
bool has_influence(const Result& result);
// The stations with states, in the order of computation.
std::vector<int> influence_layers(const LivingMap& map);
// The last station of a layer (from 0) of a side; -1: there is none. Layer -1: its embeddings.
int layer_station(const LivingMap& map, LivingLane::Side side, Index layer);

// The numbers of a state: of an LSTM its h. And the score of the token that was written at a lane; entry -1: none was.
TraceRange numbers_of(const LivingMap& map, StateAt state);
TraceRange output_score(const LivingMap& map, int lane);

// For each station, and each of its lanes: the length of the derivative of these numbers by that state (of an LSTM by
// its c, through which all goes that it remembers); 0 where none leads there. Empty for other stations. Throws
// UsageError where the run kept no graph, and Cancelled.
using StateNumbers = std::vector<std::vector<double>>;
StateNumbers influences(const LivingMap& map, const TraceRange& of, const CancelToken& cancel = {});
// The mean over the lanes of each station; NaN where it has none.
std::vector<double> layer_means(const StateNumbers& numbers);

// Which states each state is computed from, by what the model is and what its masks leave open: edits of a mask count,
// weights do not. `maps`: of the result.
class StateLinks {
 public:
  StateLinks(const LivingMap& map, const std::vector<AttentionMap>& maps);
  std::span<const StateAt> of(StateAt state) const;

 private:
  void add_queries(const LivingMap& map, const LivingStation& context);
  void add(const LivingMap& map, const std::vector<AttentionMap>& maps, const LivingStation& station,
           const LivingPart& part);
  std::vector<int> first_;  // of each station its first row
  std::vector<int> first_lane_;
  std::vector<std::vector<StateAt>> links_;  // by station and lane
};

struct ReceptiveField {
  // For each station and lane: over how many tokens at least what is there has to go until it is in the state; -1: it
  // cannot get there.
  std::vector<std::vector<int>> steps;
  int inputs = 0, of = 0;  // embeddings that reach it, of those that its model reads on these sides
  int farthest = 0;        // the most steps of any of them
};
ReceptiveField receptive_field(const LivingMap& map, const StateLinks& links, StateAt state);

}  // namespace headlight
