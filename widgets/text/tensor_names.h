// What the tensors of a model from elsewhere are called in its own file, beside our names of the parameters.
#pragma once

#include <QString>

#include "model/trace/trace.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

// "W_q of layer 1": the last part of a parameter's name with what it belongs to.
QString parameter_words(const std::string& parameter);

// Where a number of a parameter stands in the file: "bert.encoder.layer.0.attention.self.query.weight[5, 3]"; of a part
// of a tensor "(h.0.attn.c_attn.weight[:, 0:64])[3, 5]". Empty for everything else, and for models of ours.
QString place_in_file(const Location& at, const TraceLabels& labels);

// The tensors of the file that a number is computed from, a line each: "….query.weight.T, as W_q of layer 1".
QStringList tensors_in_file(const Explanation& explanation, const Trace& trace, const TraceLabels& labels);

}  // namespace headlight
