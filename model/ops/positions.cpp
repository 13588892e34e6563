#include "model/ops/positions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "model/core/halves.h"
#include "model/ops/explaining.h"

namespace headlight {

namespace {

// --- angles: for each position the r/2 cosines of the r numbers that are turned, then their r/2 sines. attributes.x:
// the factor in front of them; saved: the frequencies
Explanation turns_explain(const Node& node, Index cell) {
  const Index width = node.output.columns(), i = cell % width;
  const bool cosine = i < width / 2;
  const auto turn =
      cosine ? +[](double angle) { return std::cos(angle); } : +[](double angle) { return std::sin(angle); };
  const Cell position{node.inputs[0], cell / width}, frequency{node.saved, i % (width / 2)};
  const double factor = node.attributes.x, angle = position.value() * frequency.value();
  if (factor != 1)
    return explaining::sum(
        node, cell,
        {explaining::term(cosine ? "a·cos(p·w)" : "a·sin(p·w)", factor * turn(angle), {position, frequency})});
  return explaining::function(node, cell, cosine ? "cos" : "sin", turn,
                              {explaining::product("p·w", position, frequency)});
}

const Op kTurns{"cos, sin", "a cos p·w_i, a sin p·w_i", "Su et al. 2021, eq. 34", nullptr, turns_explain};

// Positions repeat over a batch, and cosines are slow.
Tensor turns_of(const Tensor& positions, const std::vector<double>& frequencies, double factor) {
  const auto half = static_cast<Index>(frequencies.size()), width = 2 * half;
  Tensor turns({positions.size(), width});
  std::unordered_map<Scalar, Index> rows;
  for (Index r = 0; r < positions.size(); ++r) {
    Scalar* to = turns.data() + r * width;
    const auto [found, is_new] = rows.emplace(positions[r], r);
    if (!is_new) {
      std::copy_n(turns.data() + found->second * width, width, to);
      continue;
    }
    for (Index i = 0; i < half; ++i) {
      const double angle = static_cast<double>(positions[r]) * frequencies[static_cast<std::size_t>(i)];
      to[i] = static_cast<Scalar>(factor * std::cos(angle));
      to[half + i] = static_cast<Scalar>(factor * std::sin(angle));
    }
  }
  Tensor speeds({half});
  for (Index i = 0; i < half; ++i) speeds[i] = static_cast<Scalar>(frequencies[static_cast<std::size_t>(i)]);
  return recorded(kTurns, {positions}, turns, {.x = factor}, speeds);
}

// Which row of the positions [N x T] belongs to row r of x [(N·H) x T x k].
Index position_row(const Tensor& x, Index position_count, Index r) {
  const Index t_count = x.dim(1), heads = x.rows() / position_count;
  return r / t_count / heads * t_count + r % t_count;
}

// --- rotation. attributes: i[0] neighbours, i[1] apart; inputs: x, and the cosines and sines of its positions
// Where the two numbers of pair i stand: at i · step and at i · step + second.
struct Pairs {
  Index step, second;
  Pairs(bool neighbours, Index half) : step(neighbours ? 2 : 1), second(neighbours ? 1 : half) {}
  bool is_first(Index at) const { return step == 2 ? at % 2 == 0 : at < second; }
  Index pair(Index at) const { return step == 2 ? at / 2 : at % second; }
};
Pairs pairs_read(const Node& node) { return {node.attributes.i[0] != 0, node.inputs[1].columns() / 2}; }
Pairs pairs_written(const Node& node) {
  return {node.attributes.i[0] != 0 && node.attributes.i[1] == 0, node.inputs[1].columns() / 2};
}

// Turns the pairs of every row; direction −1 turns them back.
Tensor turned(const Tensor& x, const Tensor& turns, const Pairs& from, const Pairs& to, Scalar direction) {
  const Index k = x.dim(2), width = turns.columns(), half = width / 2;
  Tensor y(x.shape());
  using Strided = Eigen::Map<Eigen::Array<Scalar, Eigen::Dynamic, 1>, 0, Eigen::InnerStride<>>;
  using ConstStrided = Eigen::Map<const Eigen::Array<Scalar, Eigen::Dynamic, 1>, 0, Eigen::InnerStride<>>;
  const Eigen::InnerStride<> read(from.step), written(to.step);
  for (Index r = 0; r < x.rows(); ++r) {
    const Scalar* turn = turns.data() + position_row(x, turns.rows(), r) * width;
    const ConstArrayMap cosine(turn, half), sine(turn + half, half);
    const ConstStrided a(x.data() + r * k, half, read), b(x.data() + r * k + from.second, half, read);
    Strided(y.data() + r * k, half, written) = a * cosine - direction * b * sine;
    Strided(y.data() + r * k + to.second, half, written) = direction * a * sine + b * cosine;
    std::copy_n(x.data() + r * k + width, k - width, y.data() + r * k + width);
  }
  return y;
}

void rotary_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  if (graph.wants(node.inputs[0]))
    graph.add(node.inputs[0], turned(gradient, node.inputs[1], pairs_written(node), pairs_read(node), Scalar(-1)));
}

Explanation rotary_explain(const Node& node, Index cell) {
  const Tensor &x = node.inputs[0], &turns = node.inputs[1];
  const Index k = x.dim(2), r = cell / k, i = cell % k, width = turns.columns(), half = width / 2;
  if (i >= width) return explaining::copy(node, cell, {x, cell});
  const Pairs from = pairs_read(node), to = pairs_written(node);
  const bool first = to.is_first(i);
  const Index pair = to.pair(i), a = r * k + pair * from.step, b = a + from.second;
  const Index row = position_row(x, turns.rows(), r) * width;
  const Cell own{x, first ? a : b}, other{x, first ? b : a};
  const Cell cosine{turns, row + pair}, sine{turns, row + half + pair};
  return explaining::sum(node, cell,
                         {explaining::product("x·cos(p·w)", own, cosine),
                          explaining::term(first ? "−x·sin(p·w)" : "x·sin(p·w)",
                                           (first ? -1 : 1) * other.value() * sine.value(), {other, sine})});
}

const Op kRotary{"rotary", "(a, b) → (a cos p·w_i − b sin p·w_i, a sin p·w_i + b cos p·w_i), w_i = θ^(−2i/k)",
                 "Su et al. 2021, eq. 34", rotary_backward, rotary_explain};

// --- buckets. attributes.i: the first query's position, both directions, the largest distance
std::vector<Index> buckets_of(Index first, Index t_count, Index s_count, bool both_directions, Index buckets,
                              Index max_distance) {
  std::vector<Index> of_distance;  // from the last query to the first key, up to the other end
  for (Index distance = -(first + t_count - 1); distance < s_count - first; ++distance)
    of_distance.push_back(relative_bucket(distance, both_directions, buckets, max_distance));
  return of_distance;
}

// The same for every query and key: [T x S].
std::vector<Index> buckets_of(const Node& node) {
  return buckets_of(node.attributes.i[0], node.output.dim(1), node.output.dim(2), node.attributes.i[1] != 0,
                    node.inputs[0].dim(0), node.attributes.i[2]);
}

// Query t and key j are (T − 1 − t) + j steps from the least distance.
std::size_t place_of(Index t, Index j, Index t_count) { return static_cast<std::size_t>(t_count - 1 - t + j); }

void relative_bias_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor& table = node.inputs[0];
  if (!graph.wants(table)) return;
  const std::vector<Index> buckets = buckets_of(node);
  const Index heads = gradient.dim(0), t_count = gradient.dim(1), s_count = gradient.dim(2);
  Tensor& d = graph.target(table);
  for (Index i = 0; i < gradient.size(); ++i) {
    const Index j = i % s_count, t = i / s_count % t_count, h = i / s_count / t_count;
    d[buckets[place_of(t, j, t_count)] * heads + h] += gradient[i];
  }
}

Explanation relative_bias_explain(const Node& node, Index cell) {
  const Tensor& table = node.inputs[0];
  const Index t_count = node.output.dim(1), s_count = node.output.dim(2), heads = node.output.dim(0);
  const Index j = cell % s_count, t = cell / s_count % t_count, h = cell / s_count / t_count;
  const Index bucket =
      relative_bucket(j - node.attributes.i[0] - t, node.attributes.i[1] != 0, table.dim(0), node.attributes.i[2]);
  return explaining::copy(node, cell, {table, bucket * heads + h});
}

const Op kRelativeBias{"relative bias", "b_tj = B[bucket(j − t)]", "Raffel et al. 2020, section 2.1",
                       relative_bias_backward, relative_bias_explain};

// --- slopes. inputs: the slopes [H] and the positions [S]
Explanation alibi_explain(const Node& node, Index cell) {
  const Index t_count = node.output.dim(1), s_count = node.output.dim(2);
  const Cell slope{node.inputs[0], cell / s_count / t_count}, key{node.inputs[1], cell % s_count};
  return explaining::sum(node, cell, {explaining::term("m·j", node.output[cell], {slope, key})});
}

const Op kAlibi{"ALiBi", "b_tj = m_h · j", "Press et al. 2022, section 3", nullptr, alibi_explain};

// To nearest, of equals the even one.
double in_bfloat16(double x) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(x));
  return widened(BFloat16{static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16)});
}

// --- rows of distances. attributes.i: span, buckets, the largest distance, of keys
DistanceRows rows_of(const Node& node) { return {node.attributes.i[0], node.attributes.i[1], node.attributes.i[2]}; }

// Where each number of y [B x T x T] stands in x [B x T x R].
class DistancePlaces {
 public:
  DistancePlaces(const DistanceRows& rows, Index t_count, bool of_keys) : t_count_(t_count), of_keys_(of_keys) {
    for (Index distance = 1 - t_count; distance < t_count; ++distance)
      columns_.push_back(rows.of(distance) - rows.first(t_count));
    width_ = rows.count(t_count);
  }
  Index operator()(Index cell) const {
    const Index j = cell % t_count_, t = cell / t_count_ % t_count_, b = cell / t_count_ / t_count_;
    return (b * t_count_ + (of_keys_ ? j : t)) * width_ + columns_[static_cast<std::size_t>(t - j + t_count_ - 1)];
  }

 private:
  Index t_count_, width_;
  bool of_keys_;
  std::vector<Index> columns_;
};

void by_distance_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  if (!graph.wants(node.inputs[0])) return;
  const DistancePlaces place(rows_of(node), gradient.dim(1), node.attributes.i[3] != 0);
  Tensor& d = graph.target(node.inputs[0]);
  for (Index i = 0; i < gradient.size(); ++i) d[place(i)] += gradient[i];
}

Explanation by_distance_explain(const Node& node, Index cell) {
  const DistancePlaces place(rows_of(node), node.output.dim(1), node.attributes.i[3] != 0);
  return explaining::copy(node, cell, {node.inputs[0], place(cell)});
}

const Op kByDistance{"by distance", "y_tj = x[δ(t − j)]", "He et al. 2021, eq. 4", by_distance_backward,
                     by_distance_explain};

}  // namespace

std::vector<double> alibi_slopes(Index heads, bool rounded) {
  const auto power = static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(heads)));
  std::vector<double> slopes;
  for (Index h = 0; h < heads; ++h) {
    const double share = h < power ? static_cast<double>(h + 1) : static_cast<double>(h - power) + 0.5;
    const double slope = std::exp2(-8 * share / static_cast<double>(power));
    slopes.push_back(rounded ? in_bfloat16(slope) : slope);
  }
  return slopes;
}

Tensor alibi(Index heads, Index t_count, Index s_count, bool rounded) {
  const std::vector<double> slopes = alibi_slopes(heads, rounded);
  Tensor m({heads}), keys({s_count}), y({heads, t_count, s_count});
  for (Index j = 0; j < s_count; ++j)
    keys[j] = static_cast<Scalar>(rounded ? in_bfloat16(static_cast<double>(j)) : static_cast<double>(j));
  for (Index h = 0; h < heads; ++h) {
    m[h] = static_cast<Scalar>(slopes[static_cast<std::size_t>(h)]);
    for (Index j = 0; j < s_count; ++j) {
      const double product = slopes[static_cast<std::size_t>(h)] * static_cast<double>(keys[j]);
      const auto value = static_cast<Scalar>(rounded ? in_bfloat16(product) : product);
      for (Index t = 0; t < t_count; ++t) y[(h * t_count + t) * s_count + j] = value;
    }
  }
  return recorded(kAlibi, {m, keys}, std::move(y));
}

Tensor rotary(const Tensor& x, const Tensor& positions, double theta, bool neighbours) {
  require_shape(x.rank() == 3 && x.dim(2) % 2 == 0, "rotary", "[(N·H) x T x an even size]", x.shape());
  std::vector<double> frequencies;
  for (Index i = 0; i < x.dim(2) / 2; ++i)
    frequencies.push_back(std::pow(theta, -2 * static_cast<double>(i) / static_cast<double>(x.dim(2))));
  return rotary(x, positions, frequencies, neighbours);
}

Tensor rotary(const Tensor& x, const Tensor& positions, const std::vector<double>& frequencies, bool neighbours,
              double factor, bool apart) {
  const std::size_t pairs = frequencies.size();
  require_shape(x.rank() == 3 && pairs > 0 && pairs <= static_cast<std::size_t>(x.dim(2) / 2), "rotary",
                "[(N·H) x T x at least " + std::to_string(2 * pairs) + "]", x.shape());
  require_shape(
      positions.rank() == 2 && positions.dim(1) == x.dim(1) && positions.dim(0) > 0 && x.dim(0) % positions.dim(0) == 0,
      "rotary", "positions [N x " + std::to_string(x.dim(1)) + "]", positions.shape());
  const Tensor turns = turns_of(positions, frequencies, factor);
  const auto half = static_cast<Index>(pairs);
  return recorded(kRotary, {x, turns}, turned(x, turns, {neighbours, half}, {neighbours && !apart, half}, Scalar(1)),
                  {.i = {neighbours ? 1 : 0, apart ? 1 : 0}});
}

Index relative_bucket(Index distance, bool both_directions, Index buckets, Index max_distance) {
  const Index count = both_directions ? buckets / 2 : buckets, exact = count / 2;
  if (exact < 1 || max_distance <= exact)
    throw UsageError("relative positions need at least " + std::string(both_directions ? "4" : "2") +
                     " buckets, and a largest distance beyond " + std::to_string(exact) + "; got " +
                     std::to_string(buckets) + " buckets up to " + std::to_string(max_distance));
  const Index base = both_directions && distance > 0 ? count : 0;
  const Index steps = both_directions ? std::abs(distance) : std::max(-distance, Index{0});
  if (steps < exact) return base + steps;
  // In float32, as the library: at exact powers a bucket hangs on the last digit.
  const auto single = [](double x) { return static_cast<float>(x); };
  const float share = single(std::log(single(static_cast<double>(steps) / static_cast<double>(exact)))) /
                      single(std::log(static_cast<double>(max_distance) / static_cast<double>(exact)));
  return base + std::min(count - 1, exact + static_cast<Index>(share * static_cast<float>(count - exact)));
}

Tensor relative_bias(const Tensor& table, Index first, Index t_count, Index s_count, bool both_directions,
                     Index max_distance) {
  require_shape(table.rank() == 2, "relative bias", "a table [buckets x H]", table.shape());
  const Index heads = table.dim(1);
  const std::vector<Index> buckets = buckets_of(first, t_count, s_count, both_directions, table.dim(0), max_distance);
  Tensor y({heads, t_count, s_count});
  for (Index h = 0; h < heads; ++h)
    for (Index t = 0; t < t_count; ++t)
      for (Index j = 0; j < s_count; ++j)
        y[(h * t_count + t) * s_count + j] = table[buckets[place_of(t, j, t_count)] * heads + h];
  return recorded(kRelativeBias, {table}, std::move(y), {.i = {first, both_directions ? 1 : 0, max_distance}});
}

// In float32, as its authors' program and the library compute it: at exact powers a bucket hangs on the last digit.
Index DistanceRows::of(Index distance) const {
  const Index half = buckets / 2, steps = std::abs(distance);
  Index at = distance;
  if (buckets > 0 && steps > half) {
    const auto log = [](float x) { return static_cast<float>(std::log(static_cast<double>(x))); };
    const double top = static_cast<double>(longest - 1) / static_cast<double>(half);
    const float share = log(static_cast<float>(steps) / static_cast<float>(half)) / log(static_cast<float>(top));
    const Index bucket = half + static_cast<Index>(std::ceil(share * static_cast<float>(half - 1)));
    at = distance < 0 ? -bucket : bucket;
  }
  return std::clamp(at + span, Index{0}, 2 * span - 1);
}

Tensor by_distance(const Tensor& x, const DistanceRows& rows, bool of_keys) {
  require_shape(x.rank() == 3 && x.dim(1) > 0 && x.dim(2) == rows.count(x.dim(1)), "by distance",
                "[B x T x rows of the distances of T tokens]", x.shape());
  const Index t_count = x.dim(1);
  const DistancePlaces place(rows, t_count, of_keys);
  Tensor y({x.dim(0), t_count, t_count});
  for (Index i = 0; i < y.size(); ++i) y[i] = x[place(i)];
  return recorded(kByDistance, {x}, std::move(y), {.i = {rows.span, rows.buckets, rows.longest, of_keys ? 1 : 0}});
}

Tensor sinusoid_table(Index positions, Index d, Sinusoid kind) {
  if (d < 2 || d % 2 != 0)
    throw UsageError("positions as sines and cosines need an even number of columns, got " + std::to_string(d));
  const Index half = d / 2;
  const auto steps = static_cast<double>(kind == Sinusoid::t2t ? std::max(half - 1, Index{1}) : half);
  Tensor table({positions, d});
  for (Index i = 0; i < half; ++i) {
    const double frequency = std::exp(-static_cast<double>(i) * std::log(10000.0) / steps);
    const Index sine = kind == Sinusoid::pairs ? 2 * i : i, cosine = kind == Sinusoid::pairs ? 2 * i + 1 : half + i;
    for (Index p = 0; p < positions; ++p) {
      const double angle = static_cast<double>(p) * frequency;
      table[p * d + sine] = static_cast<Scalar>(std::sin(angle));
      table[p * d + cosine] = static_cast<Scalar>(std::cos(angle));
    }
  }
  return table;
}

}  // namespace headlight
