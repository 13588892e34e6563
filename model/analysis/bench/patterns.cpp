#include "model/analysis/bench/patterns.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/core/errors.h"

namespace headlight {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kEntropyAt = 7, kReachAt = 8, kOneWordAt = 6, kShares = 7;
constexpr double kLeastSpread = 1e-4, kMostEven = 0.95;

double mean_of_diagonal(const ConstMatrixMap& a, Index offset) {
  const Index rows = a.rows();
  if (rows < 2) return kNone;
  double sum = 0;
  for (Index t = std::max<Index>(0, -offset); t < std::min(rows, rows - offset); ++t)
    sum += static_cast<double>(a(t, t + offset));
  return sum / static_cast<double>(rows - std::abs(offset));
}

// The weight on other tokens that a row sees with the same id, over rows that have one.
double same_word_share(const ConstMatrixMap& a, const PatternText& text, bool causal) {
  double sum = 0;
  Index rows = 0;
  for (Index t = 0; t < a.rows(); ++t) {
    if (std::ranges::count(text.special, t) > 0) continue;
    double here = 0;
    bool any = false;
    for (Index j = 0; j < (causal ? t : a.cols()); ++j) {
      if (j == t || text.ids[static_cast<std::size_t>(j)] != text.ids[static_cast<std::size_t>(t)]) continue;
      any = true;
      here += static_cast<double>(a(t, j));
    }
    if (!any) continue;
    sum += here;
    ++rows;
  }
  return rows > 0 ? sum / static_cast<double>(rows) : kNone;
}

// The largest received among keys that enough rows see: a key that few can see proves nothing.
double one_word_share(const ConstMatrixMap& a, bool causal) {
  const Index rows = a.rows();
  double most = kNone;
  for (Index j = 0; j < a.cols(); ++j) {
    const auto seen = static_cast<double>(causal ? rows - j : rows);
    if (seen < std::max(2.0, static_cast<double>(rows) / 4)) continue;
    const double received = a.col(j).cast<double>().sum() / seen;
    if (!(received <= most)) most = received;
  }
  return most;
}

PatternShares beyond_even(const PatternShares& p, const PatternShares& even) {
  PatternShares e = p;
  for (std::size_t k = 0; k < kShares; ++k) {
    const double c = even[k] > kMostEven ? kNone : even[k];
    e[k] = (p[k] - c) / (1 - c);
  }
  e[kReachAt] = p[kReachAt] - even[kReachAt];
  return e;
}

struct Spread {
  double mean = 0, sd = 0;
  Index count = 0;
};
template <class At>
Spread spread_of(Index n, const At& at) {
  Spread s;
  double sum = 0;
  for (Index i = 0; i < n; ++i)
    if (const double x = at(i); !std::isnan(x)) {
      sum += x;
      ++s.count;
    }
  if (s.count == 0) return {kNone, kNone, 0};
  s.mean = sum / static_cast<double>(s.count);
  double squares = 0;
  for (Index i = 0; i < n; ++i)
    if (const double x = at(i); !std::isnan(x)) squares += (x - s.mean) * (x - s.mean);
  s.sd = std::sqrt(squares / static_cast<double>(s.count));
  return s;
}

double or_minus_one(double x) { return std::isnan(x) ? -1 : x; }

}  // namespace

PatternShares pattern_shares(const ConstMatrixMap& a, const PatternText& text, bool causal) {
  const Index rows = a.rows();
  PatternShares p{};
  p[0] = mean_of_diagonal(a, -1);
  p[1] = mean_of_diagonal(a, 0);
  p[2] = causal ? 0 : mean_of_diagonal(a, 1);
  p[3] = rows > 1 ? a.col(0).tail(rows - 1).cast<double>().mean() : kNone;
  for (const Index key : text.separators) p[4] += a.col(key).cast<double>().mean();
  p[5] = same_word_share(a, text, causal);
  p[kOneWordAt] = one_word_share(a, causal);
  double entropy = 0, distance = 0;
  for (Index t = 0; t < rows; ++t) {
    const auto kept = static_cast<double>(causal ? t + 1 : rows);
    if (kept > 1) entropy += entropy_bits(a.row(t)) / std::log2(kept);
    for (Index j = 0; j < a.cols(); ++j)
      distance += static_cast<double>(a(t, j)) * static_cast<double>(std::abs(t - j));
  }
  p[kEntropyAt] = entropy / static_cast<double>(rows);
  p[kReachAt] = distance / static_cast<double>(rows) / static_cast<double>(std::max<Index>(1, rows - 1));
  return p;
}

Pattern pattern_of(const PatternShares& mean) {
  if (mean[kEntropyAt] >= kBroad) return Pattern::broad;
  std::size_t largest = 0;
  const auto share = [&](std::size_t k) { return std::isnan(mean[k]) ? 0 : mean[k]; };
  for (std::size_t k = 1; k < kOneWordAt; ++k)
    if (share(k) > share(largest)) largest = k;
  if (share(largest) >= kShareOfPattern) return static_cast<Pattern>(1 + largest);
  return mean[kOneWordAt] >= kShareOfPattern ? Pattern::one_word : Pattern::mixed;
}

void PatternsOverTexts::add(const HeadMaps& maps, const PatternText& text) {
  if (!maps.self) throw UsageError("patterns: of self-attention only");
  layers_ = static_cast<Index>(maps.layers.size());
  heads_ = maps.heads();
  for (Index l = 0; l < layers_; ++l)
    for (Index h = 0; h < heads_; ++h) shares_.push_back(pattern_shares(maps.map(l, h), text, maps.causal));
  const Index rows = maps.rows();
  Matrix even = Matrix::Zero(rows, rows);
  for (Index t = 0; t < rows; ++t) {
    const Index seen = maps.causal ? t + 1 : rows;
    even.row(t).head(seen).setConstant(static_cast<Scalar>(1 / static_cast<double>(seen)));
  }
  even_.push_back(pattern_shares(ConstMatrixMap(even.data(), rows, rows), text, maps.causal));
  lengths_.push_back(rows);
}

void PatternsOverTexts::append(const PatternsOverTexts& more) {
  layers_ = more.layers_;
  heads_ = more.heads_;
  shares_.insert(shares_.end(), more.shares_.begin(), more.shares_.end());
  even_.insert(even_.end(), more.even_.begin(), more.even_.end());
  lengths_.insert(lengths_.end(), more.lengths_.begin(), more.lengths_.end());
}

double PatternsOverTexts::excess(Index text, Index head, std::size_t k) const {
  if (!is_ranked(text)) return kNone;
  const auto at = [](Index i) { return static_cast<std::size_t>(i); };
  return beyond_even(shares_[at(text * layers_ * heads_ + head)], even_[at(text)])[k];
}

std::vector<double> PatternsOverTexts::unlike(Index layer, Index head) const {
  const Index n = texts(), at_head = layer * heads_ + head;
  const auto at = [](Index i) { return static_cast<std::size_t>(i); };
  std::vector<double> squares(at(n), 0), values(at(n));
  Index used = 0;
  for (std::size_t k = 0; k < at(kPatternCount); ++k) {
    for (Index text = 0; text < n; ++text) values[at(text)] = excess(text, at_head, k);
    const Spread e = spread_of(n, [&](Index text) { return values[at(text)]; });
    if (e.count == 0 || e.sd <= kLeastSpread) continue;
    ++used;
    for (Index text = 0; text < n; ++text)
      if (const double x = values[at(text)]; !std::isnan(x)) squares[at(text)] += std::pow((x - e.mean) / e.sd, 2);
  }
  for (Index text = 0; text < n; ++text)
    squares[at(text)] =
        is_ranked(text) ? std::sqrt(squares[at(text)] / static_cast<double>(std::max<Index>(1, used))) : -1;
  return squares;
}

PatternsOverTexts::Found PatternsOverTexts::found() const {
  const Index n = texts(), heads = layers_ * heads_;
  Found f{{"mean", {layers_, heads_, kPatternCount}, {}},
          {"sd", {layers_, heads_, kPatternCount}, {}},
          {"count", {kPatternCount}, {}},
          {"even", {n, kPatternCount}, {}},
          {"unlike", {n, layers_, heads_}, {}},
          {"most_unlike", {layers_, heads_}, {}},
          {"kind", {layers_, heads_}, {}},
          {"first_text", {layers_, heads_, kPatternCount}, {}}};
  const auto at = [&](Index i) { return static_cast<std::size_t>(i); };
  f.unlike.values.assign(at(n * heads), -1);
  for (const PatternShares& shares : even_)
    for (const double x : shares) f.even.values.push_back(or_minus_one(x));
  for (Index head = 0; head < heads; ++head) {
    PatternShares mean{};
    for (std::size_t k = 0; k < at(kPatternCount); ++k) {
      const auto share = [&](Index text) { return shares_[at(text * heads + head)][k]; };
      const Spread s = spread_of(n, share);
      mean[k] = s.mean;
      f.mean.values.push_back(s.mean);
      f.sd.values.push_back(s.sd);
      if (head == 0) f.count.values.push_back(static_cast<double>(s.count));
      f.first_text.values.push_back(n > 0 ? or_minus_one(share(0)) : -1);
    }
    const std::vector<double> unlike_others = unlike(head / heads_, head % heads_);
    Index most = 0;
    for (Index text = 0; text < n; ++text) {
      double& unlike = f.unlike.values[at(text * heads + head)];
      unlike = unlike_others[at(text)];
      if (unlike > f.unlike.values[at(most * heads + head)]) most = text;
    }
    f.most_unlike.values.push_back(static_cast<double>(most));
    f.kind.values.push_back(static_cast<double>(pattern_of(mean)));
  }
  return f;
}

}  // namespace headlight
