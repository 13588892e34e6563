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
      parts_(static_cast<std::size_t>(4 * shape.layers())) {}

const CacheRows::Part& CacheRows::part(Index layer, bool of_source, bool value) const {
  std::optional<Part>& part = parts_[static_cast<std::size_t>((layer * 2 + of_source) * 2 + value)];
  if (!part) part = found(".layer[" + std::to_string(layer) + "].", value, of_source);
  return *part;
}

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
void CacheRows::add(Part& part, const std::string& place, bool value, Index first, bool ends_at_first) const {
  const auto take = [&](const char* leaf) {
    const int entry = trace_->find(place + leaf);
    if (entry < 0) return false;
    const Tensor& numbers = (*trace_)[entry].value;
    if (numbers.size() == 0 || numbers.size() % (part.heads * part.columns) != 0) return false;
    const Index rows = numbers.size() / (part.heads * part.columns);
    part.runs.push_back({entry, ends_at_first ? first - rows : first, rows});
    for (Index i = 0; i < numbers.size(); ++i) part.largest = std::max(part.largest, std::abs(numbers[i]));
    return true;
  };
  if (shape_.latent > 0) {
    take(value ? "latent_rope" : "latent");
    return;
  }
  if (value)
    std::ranges::any_of(kValues, take);
  else
    std::ranges::any_of(kKeys, take);
}

CacheRows::Part CacheRows::found(const std::string& place, bool value, bool of_source) const {
  Part part{{}, shape_.kept_heads(), value ? shape_.value_columns() : shape_.key_columns(), 0};
  if (!trace_ || (of_source && !shape_.reads_source)) return part;
  if (of_source) {
    add(part, "decoder" + place + "cross_attn.", value, 0, false);
    return part;
  }
  add(part, "decoder" + place + "self_attn.", value, prompt_, true);
  for (Index step = 0;; ++step) {
    const std::size_t before = part.runs.size();
    add(part, "decoder.step[" + std::to_string(step) + "]" + place + "self_attn.", value, prompt_ + step, false);
    if (part.runs.size() == before) return part;
  }
}

const Scalar* CacheRows::row(Index layer, bool of_source, bool value, Index token, Index head) const {
  const Part& part = this->part(layer, of_source, value);
  const auto behind = std::ranges::upper_bound(part.runs, token, {}, &Run::first);
  if (behind == part.runs.begin()) return nullptr;
  const Run& run = *std::prev(behind);
  if (token >= run.first + run.rows || head < 0 || head >= part.heads) return nullptr;
  return (*trace_)[run.entry].value.data() + (head * run.rows + token - run.first) * part.columns;
}

}  // namespace headlight
