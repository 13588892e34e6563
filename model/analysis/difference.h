// What changed between two runs, cell by cell: their tokens, every value that both have, and where their heads look.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/analysis/attention_maps.h"
#include "model/decode/run.h"

namespace headlight {

// A place along an axis of two runs laid side by side. -1: the run has nothing there.
struct PlacePair {
  enum class Change { kept, changed, inserted, removed };
  Index before = -1, after = -1;
  bool same = false;  // both have the same text there

  bool in_both() const { return before >= 0 && after >= 0; }
  Change change() const {
    return before < 0 ? Change::inserted : after < 0 ? Change::removed : same ? Change::kept : Change::changed;
  }
  bool operator==(const PlacePair&) const = default;
};

// Two sequences of tokens with the fewest changes, insertions and removals (Levenshtein 1966), in order. Of equally
// short ways the one that keeps and changes tokens as far to the right as it can.
std::vector<PlacePair> aligned(const std::vector<std::string>& before, const std::vector<std::string>& after);

// The tokens of two runs side by side.
struct TokenPlaces {
  std::vector<PlacePair> source;  // source positions of the runs, in reading order; padding only matches padding
  std::vector<PlacePair> output;  // output steps
};
TokenPlaces token_places(const Result& before, const Result& after);

// All values of one name: those of a step stand below each other. "decoder.step[*].attention.context".
struct SiteTable {
  struct Row {
    int entry = -1;  // of the trace
    Index first = 0, count = 0;
    Index step = -1;
    Index outer = 0, inner = 0;  // of a tensor [... x inner x columns]: which row of it
  };
  std::string name;
  const SiteKind* kind = nullptr;
  std::vector<Row> rows;  // in the order of computation
  Index columns = 0;      // of the widest row

  Tensor values(const Trace& trace) const;  // [rows x columns]; NaN where a row ends earlier
};
std::vector<SiteTable> site_tables(const Trace& trace);

// A table of each run laid on one another. Rows and columns that only one run has stay, empty in the other.
struct TableDifference {
  std::vector<PlacePair> rows, columns;  // of the two tables
  Tensor before, after, change;          // [rows x columns], NaN where there is no number; change = after - before
  bool empty() const { return !change.defined(); }
};
TableDifference table_difference(const Tensor& before, const Tensor& after, std::vector<PlacePair> rows,
                                 std::vector<PlacePair> columns);
// Nothing for tables whose axes cannot be laid side by side: of units, say, one has 64 and the other 128.
std::optional<TableDifference> site_difference(const Result& before, const SiteTable& table_before, const Result& after,
                                               const SiteTable& table_after, const TokenPlaces& tokens);
// The axes of two maps by their tokens; padding only matches padding.
struct MapPlaces {
  std::vector<PlacePair> rows, columns;
};
MapPlaces map_places(const AttentionMap& before, const AttentionMap& after);
// One head of each (or AttentionMap::kMean, kMax).
TableDifference map_difference(const AttentionMap& before, const AttentionMap& after, Index head);

// The map that says most about where a model looks: its alignment (the mean over heads and layers), else the last layer
// of its self-attention; null without attention.
const AttentionMap* telling_map(const std::vector<AttentionMap>& maps);

struct SiteChange {
  std::string name;
  double largest = 0;   // |after - before| of the cell that changed most
  double rms = 0;       // root of the mean square of all changes
  double relative = 0;  // ‖after - before‖ / max(‖before‖, ‖after‖): 0 none, 1 and more: nothing alike
  Index row = -1, column = -1;  // of the largest, in the TableDifference
  Index cells = 0;              // that both have
};
SiteChange site_change(const std::string& name, const TableDifference& difference);

struct HeadChange {
  AttentionMap::Kind kind = AttentionMap::Kind::cross;
  Index layer = -1, head = 0;
  // Jensen-Shannon divergence (Lin 1991, eq. 4.1) of the rows that both have, on the average: 0 alike, 1 nothing
  // shared.
  double bits = 0;
};

struct Difference {
  TokenPlaces tokens;
  std::vector<SiteChange> sites;                              // the most changed first, by `relative`
  std::vector<std::string> only_before, only_after, unalike;  // unalike: in both, but not of the same form
  std::vector<HeadChange> heads;                              // the most changed first
};
Difference difference(const Result& before, const Result& after);
// The same of results whose attention_maps() are there already.
Difference difference(const Result& before, const std::vector<AttentionMap>& maps_before, const Result& after,
                      const std::vector<AttentionMap>& maps_after);

// In bits, of two rows of weights that are not negative; each is scaled to sum to 1. 0 when one has no weight at all.
double divergence(const std::vector<double>& p, const std::vector<double>& q);

}  // namespace headlight
