#include "model/analysis/head_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "model/analysis/bench/listed_patterns.h"
#include "model/decode/attention_rows.h"

namespace headlight {

namespace {

constexpr double kSharp = 0.7;  // mean of the largest weight of a row
constexpr Index kNarrow = 5;    // columns in which a broad diagonal would be everything

// Σ a log2 a, with 0·log 0 = 0. Logarithms are made many at once, and rows are short: what is left over has zeros
// behind it.
double sum_a_log_a(const Scalar* weights, Index n) {
  constexpr Index kAtOnce = 16;
  const auto of = [kTiny = Scalar(1e-30)](const auto& a) {
    return static_cast<double>((a * a.max(kTiny).log()).sum());
  };
  const Index whole = n / kAtOnce * kAtOnce;
  Eigen::Array<Scalar, kAtOnce, 1> rest = Eigen::Array<Scalar, kAtOnce, 1>::Zero();
  std::copy(weights + whole, weights + n, rest.data());
  return (of(ConstArrayMap(weights, whole)) + of(rest)) / std::log(2.0);
}

// For a row of cross-attention the column at the same relative position.
Index level_column(Index row, Index rows, Index columns) {
  return std::clamp<Index>(static_cast<Index>(std::floor((static_cast<double>(row) + 0.5) *
                                                         static_cast<double>(columns) / static_cast<double>(rows))),
                           0, columns - 1);
}

class Measure {
 public:
  Measure(const AttentionMap& map, Index head) : map_(map), head_(head) {
    for (const AttentionToken& column : map.columns) columns_ += column.padding ? 0 : 1;
    if (columns_ == 0) columns_ = map.column_count();
    // |i - size| for i in 0 .. 2 size: a window of it is the distance of each key from any row.
    const Index size = map.column_count();
    distances_.resize(2 * size + 1);
    for (Index i = 0; i <= 2 * size; ++i) distances_[i] = static_cast<Scalar>(std::abs(i - size));
  }

  HeadStatistics of_all() {
    if (nothing_to_measure() != HeadKind::mixed) {
      constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
      return {kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, map_.row_count()};
    }
    for (Index row = 0; row < map_.row_count(); ++row)
      if (map_.source(row).kept > 1) add(row);
    const auto n = static_cast<double>(std::max<Index>(1, sum_.rows));
    for (double* mean : {&sum_.entropy, &sum_.bits, &sum_.distance, &sum_.confidence, &sum_.first}) *mean /= n;
    sum_.same /= std::max<double>(1, static_cast<double>(with_same_));
    sum_.previous /= std::max<double>(1, static_cast<double>(with_previous_));
    sum_.next /= std::max<double>(1, static_cast<double>(with_next_));
    return sum_;
  }

  HeadKind kind() {
    if (const HeadKind kind = nothing_to_measure(); kind != HeadKind::mixed) return kind;
    return is_whole_text() ? kind_of_text() : kind_of_sums(of_all());
  }

 private:
  // A text that looks at itself, each token of it: named as analysis.md 11 does.
  bool is_whole_text() const {
    if (!map_.is_self() || map_.row_count() != map_.column_count() || map_.has_sink()) return false;
    for (Index row = 0; row < map_.row_count(); ++row)
      if (map_.source(row).column != row) return false;
    return columns_ == map_.column_count();
  }

  // What is wrong with the weights; mixed: nothing.
  HeadKind nothing_to_measure() const {
    AttentionRows rows;
    for (Index row = 0; row < map_.row_count(); ++row) {
      const ConstArrayMap a(map_.weights(head_, row), map_.source(row).keys);
      if (!a.allFinite()) return HeadKind::not_numbers;
      if (!map_.are_shares) rows.add_row(a.data(), a.size());
    }
    return rows.are_shares() ? HeadKind::mixed : HeadKind::not_shares;
  }

  void add(Index row) {
    const AttentionRow& at = map_.source(row);
    const Scalar* weights = map_.weights(head_, row);
    const ConstArrayMap a(weights, at.keys);
    const double bits = -sum_a_log_a(weights, at.keys);
    const auto highest = static_cast<double>(a.maxCoeff());
    ++sum_.rows;
    sum_.bits += bits;
    sum_.entropy += bits / std::log2(static_cast<double>(at.kept));
    sum_.confidence += highest;
    sum_.highest = std::max(sum_.highest, highest);
    const Index here = at.column >= 0 ? at.column : level_column(row, map_.row_count(), columns_);
    sum_.distance += distance(row, a);
    sum_.first += share(row, 0);
    count(row, here, sum_.same, with_same_);
    count(row, here - 1, sum_.previous, with_previous_);
    count(row, here + 1, sum_.next, with_next_);
  }

  void count(Index row, Index column, double& sum, Index& rows) const {
    if (column < 0 || column >= map_.column_count() || !map_.has(row, column)) return;
    sum += share(row, column);
    ++rows;
  }

  double share(Index row, Index column) const { return static_cast<double>(map_.weight(head_, row, column)); }

  double distance(Index row, const ConstArrayMap& a) const {
    const AttentionRow& at = map_.source(row);
    if (at.column >= 0) {
      const Index own = map_.key_of_column[static_cast<std::size_t>(at.column)];
      return static_cast<double>((a * distances_.segment(map_.column_count() - own, at.keys)).sum());
    }
    double sum = 0;
    const double t = (static_cast<double>(row) + 0.5) / static_cast<double>(map_.row_count());
    for (Index c = 0; c < map_.column_count(); ++c)
      sum += share(row, c) * std::abs(t - (static_cast<double>(c) + 0.5) / static_cast<double>(columns_));
    return sum;
  }

  HeadKind kind_of_sums(const HeadStatistics& sum) const {
    if (sum.rows == 0) return HeadKind::mixed;
    if (sum.entropy >= kBroad) return HeadKind::even;
    struct Habit {
      double share;
      HeadKind kind;
    };
    std::vector<Habit> habits = {{sum.same, HeadKind::same}, {sum.first, HeadKind::first}};
    if (map_.is_self()) {
      habits.push_back({sum.previous, HeadKind::previous});
      habits.push_back({sum.next, HeadKind::next});
    } else if (columns_ > kNarrow) {  // two texts go side by side, but seldom word by word: a broad diagonal
      habits.front().share += sum.previous + sum.next;
    }
    const auto largest = std::max_element(habits.begin(), habits.end(),
                                          [](const Habit& x, const Habit& y) { return x.share < y.share; });
    if (largest->share >= kShareOfPattern) return largest->kind;
    return sum.confidence >= kSharp && !map_.is_self() ? HeadKind::sharp : HeadKind::mixed;
  }

  HeadKind kind_of_text() const {
    const Index rows = map_.row_count();
    const bool causal = rows > 1 && !map_.has(0, rows - 1);
    Matrix all = Matrix::Zero(rows, rows);
    for (Index row = 0; row < rows; ++row) {
      const Scalar* weights = map_.weights(head_, row);
      for (Index column = 0; column < rows; ++column)
        if (const Index key = nth(map_.key_of_column, column); key < map_.source(row).keys)
          all(row, column) = weights[key];
    }
    std::vector<std::string> words;
    for (const AttentionToken& token : map_.columns) words.push_back(token.text);
    switch (pattern_of(pattern_shares(ConstMatrixMap(all.data(), rows, rows), pattern_text(words), causal))) {
      case Pattern::previous:
        return HeadKind::previous;
      case Pattern::self:
        return HeadKind::same;
      case Pattern::next:
        return HeadKind::next;
      case Pattern::first:
        return HeadKind::first;
      case Pattern::separators:
        return HeadKind::separators;
      case Pattern::same_word:
        return HeadKind::same_word;
      case Pattern::one_word:
        return HeadKind::one_word;
      case Pattern::broad:
        return HeadKind::even;
      case Pattern::mixed:
        break;
    }
    return HeadKind::mixed;
  }

  const AttentionMap& map_;
  Index head_, columns_ = 0;
  Index with_same_ = 0, with_previous_ = 0, with_next_ = 0;
  Eigen::Array<Scalar, Eigen::Dynamic, 1> distances_;
  HeadStatistics sum_;
};

}  // namespace

HeadStatistics head_statistics(const AttentionMap& map, Index head) { return Measure(map, head).of_all(); }
HeadKind head_kind(const AttentionMap& map, Index head) { return Measure(map, head).kind(); }

}  // namespace headlight
