// Sizes of the texts in the tree of a beam search.
#pragma once

#include <vector>

#include "model/decode/run.h"
#include "widgets/views/output/output_beam_layout.h"

namespace headlight {

BeamLayout::Metrics beam_metrics();                     // all but the width
std::vector<double> beam_widths(const Result& result);  // of the columns
double beam_list_width(const Result& result);           // for the longest finished output
double beam_caption_height();                           // of the line below the tree

}  // namespace headlight
