#include "model/decode/draft.h"

#include <algorithm>

#include "model/core/graph.h"

namespace headlight {

namespace {

constexpr Index kFewest = 3;                  // steps that are worth a pass
constexpr Index kMost = 32;                   // of one
constexpr Index kNumbers = 4'000'000;         // of logits that are kept
constexpr Index kLargestModel = 200'000'000;  // numbers; a pass of a larger one could not be stopped soon

}  // namespace

Draft::Draft(const Request& request, const Decoding& decoding) {
  const Result* before = request.previous.get();
  const Model& model = *request.model->model;
  if (!before || before->model != request.model || !request.interventions.empty() || request.target ||
      !decoding.at_once() || model.parameters().count() > kLargestModel)
    return;
  for (const OutputStep& step : before->steps) before_.push_back(step.id);
  most_ = std::min(kMost, kNumbers / std::max<Index>(1, model.traits().target_vocabulary));
}

void Draft::look_ahead(const Decoding& decoding, TokenId last) {
  const Index left = static_cast<Index>(before_.size() - std::min(before_.size(), next_)), rows = std::min(most_, left);
  if (ahead() > 0 || rows < kFewest) return;
  Tensor fed({rows, 1});
  fed[0] = static_cast<Scalar>(last);
  for (Index i = 1; i < rows; ++i) fed[i] = static_cast<Scalar>(before_[next_ + static_cast<std::size_t>(i) - 1]);
  first_ = step_;
  count_ = rows;
  rows_ = {};
  const Graph::Scope unrecorded(nullptr);
  const KnownRows::Scope scope(&rows_, nullptr, 0);
  decoding.clone()->advance(fed, Pass());
}

void Draft::wrote(TokenId token) {
  ++step_;
  if (before_.empty()) return;
  now_.push_back(token);
  if (next_ < before_.size() && before_[next_] == token) {
    ++next_;
    return;
  }
  // The next guess is no longer than twice what this one was good for.
  if (count_ > 0) most_ = std::min(most_, std::max(kFewest, 2 * row()));
  count_ = 0;
  first_ = step_;
  next_ = found_again();
}

std::size_t Draft::found_again() const {
  constexpr std::size_t kCompared = 2;  // tokens that are compared
  std::size_t best = before_.size();
  if (now_.size() < kCompared) return best;
  const auto far = [&](std::size_t at) { return at > now_.size() ? at - now_.size() : now_.size() - at; };
  for (std::size_t at = kCompared; at < before_.size(); ++at)
    if (std::equal(now_.end() - kCompared, now_.end(), before_.begin() + static_cast<std::ptrdiff_t>(at - kCompared)) &&
        (best == before_.size() || far(at) < far(best)))
      best = at;
  return best;
}

}  // namespace headlight
