// Menu entries that change what a run does with one token or one head, for every view that shows them.
#pragma once

#include <QString>

#include "model/analysis/masks.h"

class QMenu;

namespace headlight {

class AnalysedRun;
class ViewRequests;
struct ShownAttention;

// "Blank this token", "Hide it from the attention"; or take that back.
void add_token_actions(QMenu* menu, const Result& result, int token, ViewRequests* requests);
// "Switch this head off", "Set all its weights even"; or take that back. `head` < 0: only what a layer can.
void add_head_actions(QMenu* menu, const Result& result, const AttentionMap& map, Index head, ViewRequests* requests);
// "Rank all heads by this": how much each of them looks from the token of this row at that of this column.
void add_rank_action(QMenu* menu, const AnalysedRun& run, const ShownAttention& shown, int row, int column,
                     ViewRequests* requests);
// Asks for it.
void rank_heads(const AnalysedRun& run, const ShownAttention& shown, int row, int column, ViewRequests* requests);
// "Cut the keys of heads 1 and 2", of heads that share them; or take that back.
void add_group_actions(QMenu* menu, const Result& result, const AttentionMap& map, Index group, ViewRequests* requests);
// An entry that makes a change, greyed out when there is nothing to change.
void add_change(QMenu* menu, const QString& text, const QString& help, EditChange change, ViewRequests* requests);

}  // namespace headlight
