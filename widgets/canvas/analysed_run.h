// A result with what views compute from it: made once, however many views show it.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "model/analysis/attention_maps.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

struct LivingMap;

class AnalysedRun {
 public:
  explicit AnalysedRun(std::shared_ptr<const Result> result);
  // For a question about a result that lives longer than this.
  AnalysedRun(const Result& result);  // NOLINT: it is the result

  const std::shared_ptr<const Result>& result() const { return result_; }
  // Each is made when it is first asked for, by whichever thread.
  const std::vector<AttentionMap>& maps() const;         // attention_maps()
  const std::vector<AttentionMap>& scored_maps() const;  // headlight::scored_maps()
  const TraceLabels& labels() const;                     // trace_labels()
  // living_map(); null where there is none. Throws Cancelled, and who asks then makes it anew.
  const std::shared_ptr<const LivingMap>& living(const CancelToken& cancel = {}) const;

 private:
  std::shared_ptr<const Result> result_;
  mutable std::once_flag maps_made_, scored_made_, labels_made_;
  mutable std::mutex
      living_lock_;  // not a flag: who is cancelled throws, which ThreadSanitizer's std::call_once never leaves
  mutable bool living_made_ = false;
  mutable std::vector<AttentionMap> maps_, scored_;
  mutable TraceLabels labels_;
  mutable std::shared_ptr<const LivingMap> living_;
};

// Null for null.
std::shared_ptr<const AnalysedRun> analysed(std::shared_ptr<const Result> result);

}  // namespace headlight
