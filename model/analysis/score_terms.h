// The arithmetic behind one weight of an attention map: the two vectors of the pair, what each of their numbers adds to
// the score, and how that score fares among those of the other keys. All of it is read from the graph of the run, so
// that it is what the model computed, whatever its score function.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "model/analysis/attention_maps.h"

namespace headlight {

// A number of the arithmetic, and where it stands in the trace.
struct PlacedNumber {
  double value = std::numeric_limits<double>::quiet_NaN();
  int entry = -1;   // of the trace; -1: it has no name there
  Index cell = -1;  // flat index within the entry
};

// One vector, a number for each unit of the score.
struct ScoreOperand {
  enum class Role {
    query,     // q_i, for additive scores after its projection
    key,       // k_i, the same; of a location score the column of W_loc that belongs to the key's place
    combined,  // f(q_i + k_i) of an additive score
    factor,    // v_i of an additive score
  };
  Role role = Role::query;
  std::vector<PlacedNumber> numbers;
  std::string name;  // the site of its entry, or the parameter; empty: nothing that has a name
};

// From the sum to the score that the softmax reads, or from its share to the weight.
struct ScoreStep {
  enum class Kind {
    scale,        // times `factor`
    temperature,  // divided by 1 / `factor`
    sharpness,    // times β, which the run computed
    addend,       // plus `operand`: the bias of a multilayer score, or that of a distance
    edit,         // replaced by the user; `operand` is what it was
    mask,         // −∞: this key may not be looked at
    window,       // times `operand`, the Gaussian of local attention
  };
  Kind kind = Kind::scale;
  double factor = 1;
  PlacedNumber operand;
  PlacedNumber result;  // after this step
};

// A key of the same query.
struct ScoreRival {
  double score = std::numeric_limits<double>::quiet_NaN();  // as the softmax reads it
  double share = 0;                                         // what the softmax made of it
  PlacedNumber weight;                                      // of the map: the share, or what was made of it afterwards
  bool hidden = false;                                      // by a mask, by a window, or not written yet
};

struct PairScore {
  enum class Form {
    none,      // there is no product to show: why, see `reason`
    product,   // Σ_i q_i k_i (Luong et al. 2015, section 3.1; Vaswani et al. 2017, eq. 1)
    tanh,      // Σ_i v_i tanh(q_i + k_i) (Bahdanau et al. 2015, A.1.2)
    relu,      // Σ_i v_i max(q_i + k_i, 0), a multilayer score
    linear,    // Σ_i (q_i + k_i)
    cosine,    // Σ_i β q_i k_i / (‖q‖ ‖k‖) (Graves et al. 2014, eq. 6)
    location,  // Σ_i q_i W_ij (Luong et al. 2015, section 3.1)
  };
  enum class Reason {
    explained,
    no_graph,    // the run kept no graph
    no_softmax,  // the weight does not come from scores
    no_key,      // a causal row has no such key
    no_parts,    // the run did not keep the parts of the score
  };
  Form form = Form::none;
  Reason reason = Reason::explained;
  std::vector<ScoreOperand> operands;
  std::vector<double> products;    // what each unit adds
  PlacedNumber sum;                // of the products
  std::vector<ScoreStep> steps;    // from the sum to the score
  PlacedNumber score;              // as the softmax reads it
  PlacedNumber share;              // what the softmax makes of it
  std::vector<ScoreStep> after;    // from the share to the weight
  PlacedNumber weight;             // of the map
  std::vector<ScoreRival> rivals;  // by column of the map

  Index units() const { return static_cast<Index>(products.size()); }
};

// The maps of a result whose weights come from scores: attention_maps() without summaries, and for machines with a
// memory the content addressing of their first reading head, whose columns are the slots.
std::vector<AttentionMap> scored_maps(const Result& result, std::vector<AttentionMap> maps);  // of its attention_maps()
std::vector<AttentionMap> scored_maps(const Result& result);

// The pair of a row and a column of a map, in one head. Costs about as much as explaining one cell.
PairScore pair_score(const AttentionMap& map, Index head, Index row, Index column);

// The same for every column of a row, without rivals: what would be the same in all of them is found once. A column
// that the row lacks, or whose score has no parts, has no products.
std::vector<PairScore> row_scores(const AttentionMap& map, Index head, Index row);

// By how much each unit lifts the score of one column above the mean of the others: its product there minus the mean of
// its products at the other columns that have any and are not `hidden`. They add up to the same difference of sums.
std::vector<double> unit_lifts(const std::vector<PairScore>& columns, Index column, const std::vector<bool>& hidden);

// The column with the largest weight of a row.
Index strongest_column(const AttentionMap& map, Index head, Index row);

}  // namespace headlight
