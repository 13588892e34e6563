// Every attention map of a result, found in its trace: which weights, between which tokens, of which layer and head.
//
// A new kind of weights is a site with that role (SiteKind::Role::weights): alignment, heads and ribbons show it then.
// What a head does is measured in head_statistics.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/decode/run.h"

namespace headlight {

// A token on an axis of an attention map.
struct AttentionToken {
  std::string text;     // what stands at this position; at a step of the decoder: what it was fed (AWI)
  std::string written;  // what the step at this position wrote (AWO, models.md 1.2 rule 6); empty without a step
  int token = -1;       // index into Result::tokens
  int step = -1;        // of the decoder
  bool padding = false;
  int tokens = 1, steps = 1;  // how many of them this stands for, from `token` and `step` on (see word_groups.h)
  Voice voice = Voice::none;  // whose words: also of what is said to be of another kind of sentence than the first
  bool answer = false;        // of the answer that the model has found

  bool holds_token(int wanted) const { return token >= 0 && wanted >= token && wanted < token + tokens; }
  bool holds_step(int wanted) const { return step >= 0 && wanted >= step && wanted < step + steps; }
};

// Where the weights of one row lie, for all heads.
struct AttentionRow {
  int entry = -1;                         // of the trace; -1: the weights are AttentionMap::own
  Index first = 0;                        // flat index of head 0, key 0 within the entry
  Index head_stride = 0;                  // from a head to the next
  Index keys = 0;                         // that this row can look at; a causal row knows nothing of later ones
  Index kept = 0;                         // of them, those that no mask hides
  Index column = -1;                      // self-attention: the column of this row's own token
  int sink = -1;                          // entry of the trace with what its heads give to no token; -1: there is none
  Index sink_first = 0, sink_stride = 0;  // of head 0, and to the next
};

// Weights [H x Q x K] of one layer. They stay where the run put them: a map of many steps is joined from the rows of
// each, and nothing is copied. Only a map whose tokens were merged (word_groups.h) holds weights of its own. Rows and
// columns are in reading order (reversal undone); keys in that of the model.
class AttentionMap {
 public:
  enum class Kind {
    encoder_self,  // each source token looks at all source tokens
    decoder_self,  // each position of the decoder looks at itself and at those before it
    cross,         // each output step looks at the source
    summary,       // as cross, averaged over layers or heads for the eye: nothing is computed from it
  };
  // In place of a head: the mean, or the largest weight, over all heads.
  static constexpr Index kMean = -1, kMax = -2;
  // In place of a key: the sink, a column of with_sink().
  static constexpr Index kSink = -1;

  Kind kind = Kind::cross;
  Index layer = -1;  // -1: the model has one such attention
  Index heads = 1;
  Index key_heads = 0;  // with keys and values of their own, each for as many neighbours; 0: it is not known
  Index window = 0;     // how many of the last tokens a row looks at, itself counted; 0: all
  std::vector<AttentionToken> rows, columns;
  std::vector<AttentionRow> row_sources;
  std::vector<Index> key_of_column;  // the place of a column among the keys of a row
  std::shared_ptr<const Trace> trace;
  Tensor own;  // [H x Q x K] of a merged map; else undefined
  // Of weights that somebody stored: false where a row does not add up to 1 or has a negative value, and how far the
  // values go beyond those of shares.
  bool are_shares = true;
  double lowest = 0, highest = 1;

  Index row_count() const { return static_cast<Index>(rows.size()); }
  Index column_count() const { return static_cast<Index>(columns.size()); }
  // How many heads share a key and value head; 1: none do.
  Index shared() const { return key_heads > 0 ? heads / key_heads : 1; }
  bool is_self() const { return kind == Kind::encoder_self || kind == Kind::decoder_self; }
  bool in_key_order() const { return in_key_order_; }                 // columns and keys are in the same order
  bool within_shares() const { return lowest >= 0 && highest <= 1; }  // can be drawn as shares of a whole

  const AttentionRow& source(Index row) const { return row_sources[static_cast<std::size_t>(row)]; }
  // The weights of a row [keys], in the order of the model.
  const Scalar* weights(Index head, Index row) const {
    const AttentionRow& at = source(row);
    return values(at).data() + at.first + head * at.head_stride;
  }
  // False where a causal row has no key.
  bool has(Index row, Index column) const {
    const Index key = key_of_column[static_cast<std::size_t>(column)];
    return key >= 0 && key < source(row).keys;
  }
  // Whether the window of the layer leaves out a key that the row would have: nothing is kept of it there.
  bool is_dropped(Index row, Index column) const;
  // The same of all cells [Q · K]; empty where there is no window.
  std::vector<bool> dropped_cells() const;
  // What a head gives to a learned score that belongs to no token (its sink): with it a row adds up to 1.
  bool has_sink() const { return !row_sources.empty() && row_sources.front().sink >= 0; }
  bool is_sink(Index column) const {
    const auto at = static_cast<std::size_t>(column);
    return at < key_of_column.size() && key_of_column[at] == kSink;
  }
  Scalar sink(Index head, Index row) const {
    const AttentionRow& at = source(row);
    return at.sink < 0 ? Scalar(0) : (*trace)[at.sink].value[at.sink_first + head * at.sink_stride];
  }
  Scalar weight(Index head, Index row, Index column) const {
    if (is_sink(column)) return sink(head, row);
    return has(row, column) ? weights(head, row)[key_of_column[static_cast<std::size_t>(column)]] : Scalar(0);
  }
  bool is_merged() const { return own.defined(); }
  // The columns of a row that it has and that no mask hides [K].
  std::vector<bool> kept_columns(Index row) const;
  // The cells [Q · K] that a row lacks or that a mask hides; empty where there are none.
  std::vector<bool> hidden_cells() const;
  // The cell of the trace that holds a weight: its entry and the flat index within it. Only where has(), and not of a
  // merged map.
  int entry(Index row) const { return source(row).entry; }
  Index cell(Index head, Index row, Index column) const {
    const AttentionRow& at = source(row);
    return at.first + head * at.head_stride + key_of_column[static_cast<std::size_t>(column)];
  }
  // The row and column of a cell, and its head in `head`; false when the cell is none of this map.
  bool find(int entry, Index cell, Index* head, Index* row, Index* column) const;

  // One head, or the mean or maximum over all, as [Q x K] in reading order; 0 where there is no key. A view of the
  // trace where that is possible.
  Tensor matrix(Index head) const;

 private:
  friend class MapBuilder;
  friend AttentionMap with_sink(const AttentionMap& map);
  const Tensor& values(const AttentionRow& row) const { return row.entry < 0 ? own : (*trace)[row.entry].value; }
  bool in_key_order_ = true;
};

// With its sink as the last column; the same map where it has none.
AttentionMap with_sink(const AttentionMap& map);

// Ordered by kind, then by layer. Maps with steps that the trace lacks are left out.
std::vector<AttentionMap> attention_maps(const Result& result);
// How often maps were made in this process: they are costly, and a window makes them once for a run.
std::size_t attention_maps_made();
// The sites that maps are made of, for Capture::sites: attention, and nothing else.
std::vector<std::string> attention_sites();

// At most [rows x columns] values of a head (or kMean, kMax), each the largest of the cells it stands for, so that a
// lone spike stays visible, and NaN where any of them is no finite number. A small map comes back as it is.
Tensor pooled(const AttentionMap& map, Index head, Index rows, Index columns);

}  // namespace headlight
