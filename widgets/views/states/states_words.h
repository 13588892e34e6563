// Words for the cells of a model and for the arithmetic of their units.
#pragma once

#include <QString>

#include "model/analysis/state_tracks.h"
#include "widgets/text/axis_label.h"

namespace headlight {

QString cell_name(const StateCell& cell);           // "encoder · layer 2, backward"
AxisLabel place_label(const StatePlace& place);  // what it read, or wrote
AxisLabel fed_label(const StatePlace& place);    // an output step: what it was given
QString place_name(const StatePlace& place);        // "‘a’ (source)", "‘1’ (step 3)"
QString track_name(const StateTrack& track);        // "f · forget gate"
// "c = f·c′ + i·g = 0.912·1.203 + 0.050·0.881 = 1.141"; negative factors stand in brackets.
QString update_text(const StateUpdate& update, int decimals = 3);

}  // namespace headlight
