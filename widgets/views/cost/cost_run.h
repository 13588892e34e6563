// What the pictures of time and cost show of a run, and in which words.
#pragma once

#include <QString>
#include <vector>

#include "model/analysis/cost/timeline.h"
#include "widgets/text/axis_label.h"

namespace headlight {

// A run of another length, by the clock.
struct MeasuredLength {
  Index tokens = 0;
  double products = 0, seconds = 0;
};

struct CostRun {
  RunLengths lengths;
  Timeline timelines[2];  // by Pace
  ModelCost cost, what_if_cost;
  RunLengths what_if;                      // lengths; as they are where nothing was moved
  std::vector<AxisLabel> labels;           // of the rows: source first
  int first_written = 0;                   // of the rows: what is above was given
  int padding_from = 0, padding_rows = 0;  // of the rows: the longest padding, which has one name
  double seconds = 0;                      // that the run took
  std::vector<MeasuredLength> measured;
  std::vector<CostPart> parts;  // that the model has

  const Timeline& timeline(Pace pace) const { return timelines[static_cast<int>(pace)]; }
  bool is_what_if() const { return what_if.longest() != lengths.longest() || what_if_cost.heads != cost.heads; }
  bool shares_name(int row) const { return row >= padding_from && row < padding_from + padding_rows; }
  int row_of(const TimelineBox& box) const { return box.row + (box.of_source ? 0 : timelines[0].source_rows); }
};

QString pace_name(Pace pace);  // "learns"
QString part_name(CostPart part);
QString part_help(CostPart part);
QString box_name(TimelineBox::Kind kind);
QString box_help(const CostRun& run, const TimelineBox& box, Pace pace);

}  // namespace headlight
