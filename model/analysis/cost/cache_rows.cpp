#include "model/analysis/cost/cache_rows.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// Where the keys and the values of a place may lie: the first that there is.
constexpr const char* kKeys[] = {"head.k_rotated", "head.k_normed", "head.k"};
constexpr const char* kValues[] = {"head.v"};

}  // namespace

CacheRows::CacheRows(const Result& result, const CacheShape& shape)
    : shape_(shape),
      trace_(result.trace),
      prompt_(result.prompt),
      steps_(static_cast<Index>(result.steps.size())),
      parts_(static_cast<std::size_t>(4 * shape.layers())) {}

std::vector<std::string> CacheRows::sites() {
  std::vector<std::string> sites;
  for (const char* side : {"decoder.layer.", "decoder.step.layer."})
    for (const char* leaf :
         {"self_attn.head.k", "self_attn.head.k_normed", "self_attn.head.k_rotated", "self_attn.head.v",
          "self_attn.latent", "self_attn.latent_rope", "cross_attn.head.k", "cross_attn.head.v"})
      sites.push_back(std::string(side) + leaf);
  return sites;
}

// What was read at once has the rows of its last positions, if some were taken over from an earlier run.
CacheRows::Run CacheRows::found(const std::string& place, bool value, Index first, bool ends_at_first) const {
  Run run;
  const Index numbers_of_row = shape_.kept_heads() * columns(value);
  const auto take = [&](const char* leaf) {
    const int entry = trace_->find(place + leaf);
    if (entry < 0) return false;
    const Index numbers = (*trace_)[entry].value.size();
    if (numbers == 0 || numbers_of_row == 0 || numbers % numbers_of_row != 0) return false;
    const Index rows = numbers / numbers_of_row;
    run = {entry, ends_at_first ? first - rows : first, rows};
    return true;
  };
  if (shape_.latent > 0)
    take(value ? "latent_rope" : "latent");
  else if (value)
    std::ranges::any_of(kValues, take);
  else
    std::ranges::any_of(kKeys, take);
  return run;
}

// `step`: of the decoder; -1: what was read at once.
const CacheRows::Run& CacheRows::run(Index layer, bool of_source, bool value, Index step) const {
  Part& part = parts_[static_cast<std::size_t>((layer * 2 + of_source) * 2 + value)];
  const auto at = static_cast<std::size_t>(step);
  if (step >= 0 && part.by_step.size() <= at) part.by_step.resize(at + 1);
  std::optional<Run>& run = step < 0 ? part.at_once : part.by_step[at];
  if (run) return *run;
  const std::string place = ".layer[" + std::to_string(layer) + "].";
  if (of_source)
    run = found("decoder" + place + "cross_attn.", value, 0, false);
  else if (step < 0)
    run = found("decoder" + place + "self_attn.", value, prompt_, true);
  else
    run = found("decoder.step[" + std::to_string(step) + "]" + place + "self_attn.", value, prompt_ + step, false);
  return *run;
}

const Scalar* CacheRows::row(Index layer, bool of_source, bool value, Index token, Index head) const {
  if (!trace_ || (of_source && !shape_.reads_source) || token < 0 || head < 0 || head >= shape_.kept_heads())
    return nullptr;
  if (!of_source && token - prompt_ >= steps_) return nullptr;
  const Run& run = this->run(layer, of_source, value, of_source || token < prompt_ ? -1 : token - prompt_);
  if (run.entry < 0 || token < run.first || token >= run.first + run.rows) return nullptr;
  return (*trace_)[run.entry].value.data() + (head * run.rows + token - run.first) * columns(value);
}

Scalar CacheRows::largest(Index layer, bool value) const {
  Scalar largest = 0;
  for (Index step = -1; trace_ && step < steps_; ++step)
    if (const Run& run = this->run(layer, false, value, step); run.entry >= 0) {
      const Tensor& numbers = (*trace_)[run.entry].value;
      const ConstArrayMap all(numbers.data(), numbers.size());
      largest = std::max(largest, all.abs().maxCoeff<Eigen::PropagateNumbers>());
    }
  return largest;
}

}  // namespace headlight
