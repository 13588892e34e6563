// What the compare view lays side by side: an attention map, or a value of the trace, of two runs, ready to be drawn.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "model/analysis/difference.h"
#include "widgets/canvas/map_cursor.h"
#include "widgets/text/axis_label.h"

namespace headlight {

class AnalysedRun;

struct CompareSubject {
  enum class Kind { alignment, head, site, words };  // words: which made two embeddings similar
  Kind kind = Kind::alignment;  // of a model without a separate source: the self-attention of its last layer
  AttentionMap::Kind map = AttentionMap::Kind::cross;  // head
  Index layer = -1, head = 0;                          // head
  std::string site;                                    // "decoder.step[*].attention.context"
  bool operator==(const CompareSubject&) const = default;
};

struct ComparedAxis {
  std::vector<AxisLabel> labels;
  QString caption;
  std::vector<AttentionToken> places;  // token and step of the newer run
};

struct Compared {
  TableDifference table;
  ComparedAxis rows, columns;
  QString value, subject;  // "attention weight", "layer 1 · head 2"
  bool weights = false;    // from 0 to 1
  // The cell of the newer trace that a number comes from; nothing for a mean, and where the newer run has nothing.
  struct Cell {
    int entry = -1;
    Index cell = 0;
  };
  std::vector<Cell> row_cells;      // where each row begins
  std::vector<Index> column_cells;  // how far into the row

  bool empty() const { return table.empty(); }
  std::optional<Cell> cell(int row, int column) const;
  // What a place selects, and where the selection stands.
  SelectionState selection_at(MapCell place) const;
  MapCell find(const SelectionState& state) const;
  MapCursor axes() const { return {rows.places, columns.places}; }
};

// Empty when one of the runs does not have it, or in a form that cannot be laid on the other's.
Compared compare(const AnalysedRun& before, const AnalysedRun& after, const CompareSubject& subject);

// The map of a run that a subject is of; null: none.
const AttentionMap* map_of(const std::vector<AttentionMap>& maps, const CompareSubject& subject);

// "attention weights (layer 2) · decoder.step[*].layer[1].self_attn.head.weights"
QString subject_name(const CompareSubject& subject);

}  // namespace headlight
