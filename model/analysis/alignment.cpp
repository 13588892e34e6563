#include "model/analysis/alignment.h"

#include <algorithm>

namespace headlight {

namespace {

// The attention of step t: the model's one read, the mean over its layers, or (layer >= 0) that layer's.
int entry_of(const Trace& trace, std::size_t t, int layer) {
  const std::string step = "decoder.step[" + std::to_string(t) + "].";
  if (layer >= 0) return trace.find(step + "layer[" + std::to_string(layer) + "].attn.weights");
  for (const char* site : {"attention.weights", "attn_mean", "memory.origin"})
    if (const int read = trace.find(step + site); read >= 0) return read;
  return -1;
}

}  // namespace

Alignment alignment(const Result& result, int layer) {
  Alignment map;
  if (!result.trace) return map;
  const Trace& trace = *result.trace;
  for (std::size_t t = 0; t < result.steps.size(); ++t) {
    const int entry = entry_of(trace, t, layer);
    if (entry < 0) return {};
    map.entry_of_row.push_back(entry);
    map.row_labels.push_back(result.steps[t].text);
    map.input_labels.push_back(t == 0 ? result.model->target_vocabulary().text(result.model->text.bos)
                                      : result.steps[t - 1].text);
  }
  if (map.entry_of_row.empty()) return map;
  for (std::size_t i = 0; i < result.tokens.size(); ++i) {
    if (result.position_of_token[i] < 0) continue;
    map.token_of_column.push_back(static_cast<int>(i));
    map.column_labels.push_back(result.tokens[i].text);
    map.index_of_column.push_back(result.position_of_token[i]);
  }
  const auto columns = static_cast<Index>(map.token_of_column.size());
  map.weights = Tensor({static_cast<Index>(map.entry_of_row.size()), columns});
  for (std::size_t t = 0; t < map.entry_of_row.size(); ++t) {
    const Tensor& row = trace[map.entry_of_row[t]].value;
    for (Index j = 0; j < columns; ++j)
      map.weights[static_cast<Index>(t) * columns + j] = row[map.index_of_column[static_cast<std::size_t>(j)]];
  }
  return map;
}

}  // namespace headlight
