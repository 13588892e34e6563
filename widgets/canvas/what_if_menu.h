// Menu entries that change what a run does with one token or one head, for every view that shows them.
#pragma once

#include <QString>

#include "model/analysis/bench/reading.h"
#include "model/analysis/masks.h"

class QMenu;

namespace headlight {

class AnalysedRun;
class Selection;
class ViewRequests;
struct SelectionState;
struct ShownAttention;

// "Blank this token", "Hide it from the attention"; or take that back.
void add_token_actions(QMenu* menu, const Result& result, int token, ViewRequests* requests);
// "Switch this head off", "Set all its weights even"; or take that back. `head` < 0: only what a layer can.
void add_head_actions(QMenu* menu, const Result& result, const AttentionMap& map, Index head, ViewRequests* requests);
// "Rank all heads by this": how much each of them looks from the token of this row at that of this column.
void add_rank_action(QMenu* menu, const AnalysedRun& run, const ShownAttention& shown, int row, int column,
                     ViewRequests* requests);
// "This head over my texts…": what it looks at in each of them. Of a text that looks at itself.
void add_head_over_texts(QMenu* menu, const HeadPlace& head, Selection* selection, ViewRequests* requests);
// "This weight over my texts…", where the place is one of the trace.
void add_weight_over_texts(QMenu* menu, const Result& result, const SelectionState& place, ViewRequests* requests);
// Asks for it.
void rank_heads(const AnalysedRun& run, const ShownAttention& shown, int row, int column, ViewRequests* requests);
// "Cut the keys of heads 1 and 2", of heads that share them; or take that back.
void add_group_actions(QMenu* menu, const Result& result, const AttentionMap& map, Index group, ViewRequests* requests);
// An entry that makes a change, greyed out when there is nothing to change.
void add_change(QMenu* menu, const QString& text, const QString& help, EditChange change, ViewRequests* requests);

}  // namespace headlight
