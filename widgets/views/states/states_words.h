// Words for the cells of a model and for how the numbers of their units come about.
#pragma once

#include <QString>
#include <vector>

#include "model/analysis/state_tracks.h"
#include "model/analysis/telling_units.h"
#include "widgets/text/axis_label.h"

namespace headlight {

QString cell_name(const StateCell& cell);        // "encoder · layer 2, backward"
AxisLabel place_label(const StatePlace& place);  // what it read, or wrote
AxisLabel fed_label(const StatePlace& place);    // an output step: what it was given
QString place_name(const StatePlace& place);     // "‘a’ (source)", "‘1’ (step 3)"
QString track_name(const StateTrack& track);     // "f · forget gate"
// "c = f·c′ + i·g = 0.912·1.203 + 0.050·0.881 = 1.141"; negative factors stand in brackets.
QString update_text(const StateUpdate& update, int decimals = 3);
QString habit_text(UnitHabit habit);  // "− on letters,\n+ on digits"; empty: none

// A row of an opened unit: a share that it keeps or lets through, what comes in, what it holds.
struct StoryRow {
  enum class What { keeps, brings, holds, adds_up, lets_through, passes };
  What what = What::keeps;
  int track = -1;  // the number of the trace that a click on it selects
  bool is_share() const { return what == What::keeps || what == What::lets_through; }
  bool operator==(const StoryRow&) const = default;
};
std::vector<StoryRow> story_rows(const StateCell& cell);
double story_value(const StateCell& cell, const StoryRow& row, int place, Index unit);
QString story_name(StoryRow::What what);                         // "keeps"
QString story_term(const StateCell& cell, StoryRow::What what);  // "forget gate"
QString story_caption(const StateCell& cell);                    // how it gets there, above the rows

// The same for one place, with the numbers put in; `track` as above.
struct StoryLine {
  QString name, text;
  int track = -1;
  bool is_result = false;  // not a part of the sum
};
std::vector<StoryLine> story_lines(const StateCell& cell, int place, Index unit);
// What happens there, by the sizes of these numbers; empty where a cell keeps nothing.
QString story_sentence(const StateCell& cell, int place, Index unit);

}  // namespace headlight
