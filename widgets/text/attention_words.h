// Words for attention maps, heads and their habits, for every view that shows them.
#pragma once

#include <QString>

#include "model/analysis/bench/patterns.h"
#include "model/analysis/bench/reading.h"
#include "model/analysis/head_statistics.h"
#include "widgets/text/axis_label.h"

namespace headlight {

QString kind_name(AttentionMap::Kind kind);  // "encoder"
QString kind_help(AttentionMap::Kind kind);
QString layer_name(Index layer);  // "layer 2"; empty for -1
QString head_name(Index head);    // "head 3", "mean", "largest"
// What a head is called everywhere: "layer 2 · head 3", "L1H2" where numbers go from 0.
QString head_place(Index layer, Index head);
QString head_place(const HeadPlace& head);
QString head_place(const AttentionMap& map, Index head);
QString heads_of_group(Index group, Index shared);         // "heads 3 and 4", "heads 1 to 4": those that share its keys
QString shared_note(const AttentionMap& map, Index head);  // a line: whose keys these are; empty: its own
QString left_out_note(const AttentionMap& map);            // of a window and of a sink; empty: it has neither
QString window_name(Index window);                         // "window 6", "all tokens"
QString habit_name(HeadKind kind);                         // "previous token"
QString pattern_name(Pattern pattern);                     // the same words
QString head_off_name();                                   // "switched off": in place of its habit
// Several lines for a tooltip: habit, entropy, distance, largest weight.
QString head_description(const AttentionMap& map, Index head, const HeadStatistics& statistics);

// What stands on the axes, for a heatmap and for lists of tokens. Rows of cross-attention are named by what they wrote.
AxisLabel axis_label(const AttentionToken& token, bool written = false);
std::vector<AxisLabel> axis_labels(const std::vector<AttentionToken>& axis, bool written = false);
std::vector<AxisLabel> row_labels(const AttentionMap& map);
std::vector<AxisLabel> column_labels(const AttentionMap& map);
QString value_caption(const AttentionMap& map);
QString row_caption(const AttentionMap& map);
QString column_caption(const AttentionMap& map);
// What the choice of whole words is called ("&Whole words"), and what it does.
QString words_name();
QString words_help();

// Padding that stands together, in the one word for it: "padding (14)", in two lines, and where there is no room.
QString padding_name(int count);
QString padding_lines(int count);
QString padding_short(int count);

}  // namespace headlight
