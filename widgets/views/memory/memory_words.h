// Words for the heads of a memory and for the stages in which they find their place.
#pragma once

#include <QString>

#include "model/analysis/memory_tracks.h"
#include "widgets/text/axis_label.h"

namespace headlight {

// The stages of the addressing, in order: likeness to the key, content, interpolation, shift, sharpening.
struct MemoryStage {
  QString name;      // "content, β = 12.3"
  QString sentence;  // what came of it at this step
  QString help;      // what this stage is for
  MemoryValue value;
  bool is_signed = false;
};
MemoryStage memory_stage(const MemoryAddressing& addressing, int stage);

// Of the four that are shown, from content to sharpening: "2 or stay", and what it did in a few words. Slots are
// counted downwards: one slot back is one slot up.
QString memory_stage_title(int which);
QString memory_stage_words(const MemoryAddressing& addressing, int which);

QString memory_head_name(MemoryHeadName head, Index pairs);   // "write head", "read head 2"
QString memory_step_name(const MemoryStep& step, int index);  // "step 3: reads ‘a’"
AxisLabel memory_step_label(const MemoryStep& step);
// The slot with the most of a weighting.
Index strongest_slot(const Tensor& weighting);

}  // namespace headlight
