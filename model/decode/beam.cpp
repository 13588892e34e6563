#include "model/decode/beam.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "model/core/budget.h"
#include "model/ops/softmax.h"

namespace headlight {

namespace {

using Fate = BeamHypothesis::Fate;

// log P / lp + cp
double score_of(const BeamSettings& settings, const BeamHypothesis& hypothesis, Index length) {
  return hypothesis.logp / length_penalty(settings, length) + coverage_penalty(settings, hypothesis.attention_sums);
}

std::vector<double> row_of(const Tensor& attention, Index row) {
  if (!attention.defined()) return {};
  const Scalar* begin = attention.data() + row * attention.columns();
  return {begin, begin + attention.columns()};
}

std::vector<double> added(std::vector<double> a, const std::vector<double>& b) {
  if (a.empty()) return b;
  for (std::size_t i = 0; i < b.size(); ++i) a[i] += b[i];
  return a;
}

class Search {
 public:
  Search(Decoding& decoding, const BeamSettings& settings, const BeamTokens& tokens, const Pass& pass)
      : decoding_(decoding), settings_(settings), tokens_(tokens), pass_(pass) {}

  // False when the search is over.
  bool step(Index t) {
    // 1.
    const Tensor logits = decoding_.advance(inputs(), pass_);  // [K x 1 x V]
    // 2 and 3.
    const std::vector<Candidate> candidates = best_candidates(logits, t);
    if (candidates.empty()) return false;
    add_step(candidates, t);
    // 4 and 5.
    choose();
    // 6.
    if (alive_.empty() || is_over(t)) return false;
    std::vector<Index> rows;
    for (const int place : alive_) rows.push_back(candidates[static_cast<std::size_t>(place)].k);
    decoding_.select(rows);
    return true;
  }

  // What is still alive was cut, or was left behind when the search stopped.
  BeamTree finish() {
    if (tree_.steps.empty()) throw UsageError("beam search: the model gives no token a probability");
    const bool cut = static_cast<Index>(tree_.steps.size()) >= settings_.max_len || tree_.best.empty();
    for (const int place : alive_) {
      if (cut) {
        end(place, tokens_.end ? Fate::truncated : Fate::finished);
      } else {
        last(place).fate = Fate::stopped;
      }
    }
    std::stable_sort(tree_.best.begin(), tree_.best.end(),
                     [](const BeamEnd& a, const BeamEnd& b) { return a.score > b.score; });
    return std::move(tree_);
  }

 private:
  struct Candidate {
    Index k;  // the row of the batch that it continues
    TokenId id;
    double logp;
  };

  BeamHypothesis& last(int place) { return tree_.steps.back().hypotheses[static_cast<std::size_t>(place)]; }
  // The place in the step before of row k, −1 for the start sign.
  int place_of(Index k) const { return alive_.empty() ? -1 : alive_[static_cast<std::size_t>(k)]; }

  // [1 x K]
  Tensor inputs() {
    if (tree_.steps.empty()) return Tensor::full({1, 1}, static_cast<Scalar>(tokens_.start));
    Tensor ids({1, static_cast<Index>(alive_.size())});
    for (Index k = 0; k < ids.size(); ++k) ids[k] = static_cast<Scalar>(last(place_of(k)).token);
    return ids;
  }

  bool is_end(TokenId id) const { return tokens_.end && id == *tokens_.end; }
  bool may_follow(TokenId id, Index t) const {
    if (is_end(id) && t < settings_.min_len) return false;
    return std::find(tokens_.never.begin(), tokens_.never.end(), id) == tokens_.never.end();
  }

  // 2 and 3. The 2B best ways to go on, by falling logp; ties: smaller k, then smaller id.
  std::vector<Candidate> best_candidates(const Tensor& logits, Index t) {
    std::vector<Candidate> all;
    for (Index k = 0; k < logits.rows(); ++k) {
      const std::vector<double> lp = log_probabilities(logits, k);
      const double before = tree_.steps.empty() ? 0 : last(place_of(k)).logp;
      for (TokenId id = 0; id < logits.columns(); ++id) {
        const double logp = before + lp[static_cast<std::size_t>(id)];
        // Neither −∞ nor a NaN leads anywhere.
        if (logp > -std::numeric_limits<double>::infinity() && may_follow(id, t)) all.push_back({k, id, logp});
      }
    }
    const std::size_t count = std::min(all.size(), 2 * static_cast<std::size_t>(settings_.width));
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), all.end(),
                      [](const Candidate& a, const Candidate& b) {
                        if (a.logp != b.logp) return a.logp > b.logp;
                        return a.k != b.k ? a.k < b.k : a.id < b.id;
                      });
    all.resize(count);
    return all;
  }

  void add_step(const std::vector<Candidate>& candidates, Index t) {
    const Tensor attention = decoding_.attention();  // [K x 1 x S]
    if (attention.defined()) check_size(attention.columns());
    BeamStep step;
    for (const Candidate& candidate : candidates) {
      BeamHypothesis& h = step.hypotheses.emplace_back();
      h.token = candidate.id;
      h.parent = place_of(candidate.k);
      h.logp = candidate.logp;
      h.attention = row_of(attention, candidate.k);
      h.attention_sums = h.parent < 0 ? h.attention : added(last(h.parent).attention_sums, h.attention);
      h.score = score_of(settings_, h, t + 1);
    }
    tree_.steps.push_back(std::move(step));
  }

  // What the tree may become: two rows of attention for each of 2B hypotheses of every step.
  void check_size(Index columns) const {
    const auto rows = 4.0 * static_cast<double>(settings_.width * settings_.max_len);
    within_budget(rows * static_cast<double>(columns) * sizeof(double), budget::kBeam,
                  "a beam of " + std::to_string(settings_.width) + " over " + std::to_string(columns) +
                      " tokens of source and up to " + std::to_string(settings_.max_len) + " of output",
                  "choose a narrower beam or a shorter source");
  }

  // 4 and 5. End signs among the first B finish; the rest goes on until there are B.
  void choose() {
    alive_.clear();
    const auto count = static_cast<int>(tree_.steps.back().hypotheses.size());
    for (int place = 0; place < count; ++place) {
      if (is_end(last(place).token)) {
        if (place < settings_.width) end(place, Fate::finished);
      } else if (static_cast<Index>(alive_.size()) < settings_.width) {
        last(place).fate = Fate::alive;
        alive_.push_back(place);
      }
    }
  }

  void end(int place, Fate fate) {
    BeamHypothesis& h = last(place);
    h.fate = fate;
    const int step = static_cast<int>(tree_.steps.size()) - 1;
    tree_.best.push_back({step, place, tree_.tokens_of(step, place), h.logp, h.score, fate == Fate::truncated});
  }

  // 6.
  bool is_over(Index t) {
    if (t + 1 >= settings_.max_len) return true;
    if (settings_.stop == BeamStop::first_b) return static_cast<Index>(tree_.best.size()) >= settings_.width;
    if (tree_.best.empty()) return false;
    double best = tree_.best.front().score;
    for (const BeamEnd& e : tree_.best) best = std::max(best, e.score);
    // log P only falls, and a longer text divides it by more: this is the best that the future can hold.
    const double penalty = length_penalty(settings_, settings_.max_len);
    return std::all_of(alive_.begin(), alive_.end(), [&](int place) { return best >= last(place).logp / penalty; });
  }

  Decoding& decoding_;
  const BeamSettings& settings_;
  const BeamTokens& tokens_;
  const Pass& pass_;
  BeamTree tree_;
  std::vector<int> alive_;  // places in the last step, best first: the rows of the batch
};

}  // namespace

void check(const BeamSettings& settings) {
  const auto require = [](bool ok, const char* what, double value, const char* expected) {
    if (ok) return;
    std::ostringstream text;
    text << "beam search: " << what << " is " << value << ", it has to be " << expected;
    throw UsageError(text.str());
  };
  require(settings.width >= 1, "the width", static_cast<double>(settings.width), "at least 1");
  require(settings.alpha >= 0, "alpha", settings.alpha, "at least 0");
  require(settings.beta >= 0, "beta", settings.beta, "at least 0");
  require(settings.max_len >= 1, "the longest output", static_cast<double>(settings.max_len), "at least 1");
  require(settings.min_len >= 0 && settings.min_len < settings.max_len, "the shortest output",
          static_cast<double>(settings.min_len), "at least 0 and below the longest");
}

double length_penalty(const BeamSettings& settings, Index length) {
  const auto n = static_cast<double>(length);
  switch (settings.length_norm) {
    case LengthNorm::wu16:
      return std::pow((5 + n) / 6, settings.alpha);
    case LengthNorm::power:
      return std::pow(n, settings.alpha);
    case LengthNorm::none:
      break;
  }
  return 1;
}

double coverage_penalty(const BeamSettings& settings, const std::vector<double>& attention_sums) {
  double total = 0;
  // A word that was never attended would make it −∞, hence the floor.
  for (const double sum : attention_sums) total += std::log(std::clamp(sum, 1e-6, 1.0));
  return settings.beta * total;
}

std::vector<TokenId> BeamTree::tokens_of(int step, int place) const {
  std::vector<TokenId> tokens;
  for (; step >= 0; --step) {
    const BeamHypothesis& h = steps[static_cast<std::size_t>(step)].hypotheses[static_cast<std::size_t>(place)];
    tokens.push_back(h.token);
    place = h.parent;
  }
  std::reverse(tokens.begin(), tokens.end());
  return tokens;
}

double BeamTree::cut_below(int step) const {
  double least = std::numeric_limits<double>::infinity();
  for (const BeamHypothesis& h : steps[static_cast<std::size_t>(step)].hypotheses)
    if (h.fate == Fate::alive || h.fate == Fate::stopped) least = std::min(least, h.logp);
  return least;
}

BeamTree beam_search(Decoding& decoding, const BeamSettings& settings, const BeamTokens& tokens, const Pass& pass,
                     const std::function<void(Index step)>& before_step) {
  check(settings);
  Search search(decoding, settings, tokens, pass);
  for (Index t = 0; t < settings.max_len; ++t) {
    if (before_step) before_step(t);
    if (!search.step(t)) break;
  }
  return search.finish();
}

}  // namespace headlight
