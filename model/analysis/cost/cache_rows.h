// The rows of a KV cache as a run computed them: of each layer the keys and values of its own text, and of its source.
// What a layer has is looked for when it is asked for, which one thread does at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/analysis/cost/kv_cache.h"
#include "model/decode/run.h"

namespace headlight {

class CacheRows {
 public:
  CacheRows(const Result& result, const CacheShape& shape);

  // Of a token of the text (or of the source): the numbers of one head that has its own; null where the run did not
  // record them. Keys are those that queries are compared with: normed and turned where the model does that.
  const Scalar* row(Index layer, bool of_source, bool value, Index token, Index head) const;
  // The farthest from 0 of a layer's keys or values; 0 where there are none.
  Scalar largest(Index layer, bool value) const;
  // The sites that they are read from, for Capture::sites.
  static std::vector<std::string> sites();

 private:
  struct Run {  // rows that lie behind each other, of each head
    int entry = -1;
    Index first = 0, rows = 0;
  };
  struct Part {
    std::optional<Run> at_once;               // what was read before the first step
    std::vector<std::optional<Run>> by_step;  // behind it
  };
  Index columns(bool value) const { return value ? shape_.value_columns() : shape_.key_columns(); }
  const Run& run(Index layer, bool of_source, bool value, Index step) const;
  Run found(const std::string& place, bool value, Index first, bool ends_at_first) const;

  CacheShape shape_;
  std::shared_ptr<const Trace> trace_;
  Index prompt_ = 0, steps_ = 0;
  mutable std::vector<Part> parts_;
};

}  // namespace headlight
