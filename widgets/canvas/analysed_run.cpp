#include "widgets/canvas/analysed_run.h"

#include "model/analysis/living/map.h"
#include "model/analysis/score_terms.h"
#include "model/core/slices.h"

namespace headlight {

AnalysedRun::AnalysedRun(std::shared_ptr<const Result> result) : result_(std::move(result)) {}

AnalysedRun::AnalysedRun(const Result& result) : result_(std::shared_ptr<const Result>(), &result) {}

const std::vector<AttentionMap>& AnalysedRun::maps() const {
  const WholeSlice whole;
  std::call_once(maps_made_, [this] { maps_ = attention_maps(*result_); });
  return maps_;
}

const std::vector<AttentionMap>& AnalysedRun::scored_maps() const {
  const WholeSlice whole;
  std::call_once(scored_made_, [this] { scored_ = headlight::scored_maps(*result_, maps()); });
  return scored_;
}

const TraceLabels& AnalysedRun::labels() const {
  const WholeSlice whole;
  std::call_once(labels_made_, [this] { labels_ = trace_labels(*result_); });
  return labels_;
}

const std::shared_ptr<const LivingMap>& AnalysedRun::living(const CancelToken& cancel) const {
  // Where there are no threads, the one that has it may be in the middle of its work.
  std::unique_lock lock(living_lock_, std::defer_lock);
  if (has_threads())
    lock.lock();
  else
    wait_in_slices([&lock] { return lock.try_lock(); });
  if (!living_made_ && result_->trace && has_living_map(*result_)) living_ = living_map(result_, cancel);
  living_made_ = true;
  return living_;
}

std::shared_ptr<const AnalysedRun> analysed(std::shared_ptr<const Result> result) {
  return result ? std::make_shared<const AnalysedRun>(std::move(result)) : nullptr;
}

}  // namespace headlight
