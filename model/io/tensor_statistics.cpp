#include "model/io/tensor_statistics.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

#include "model/core/errors.h"
#include "model/io/state_dict.h"
#include "model/io/tensor_values.h"

namespace headlight {

namespace {

constexpr std::uint64_t kRun = 1u << 20;

std::uint64_t count_of(const TensorEntry& entry) {
  std::uint64_t count = 1;
  for (const std::uint64_t dimension : entry.shape) count *= dimension;
  return count;
}

// Calls with each run of numbers, and where it begins.
template <class Take>
void for_each_run(const TensorFile& file, std::size_t i, const std::string& where, const CancelToken& cancel,
                  const Take& take) {
  const TensorEntry& entry = file.tensors()[i];
  const std::string bytes = file.bytes(i);
  const std::uint64_t count = count_of(entry);
  std::vector<Scalar> run(static_cast<std::size_t>(std::min(count, kRun)));
  for (std::uint64_t first = 0; first < count; first += kRun) {
    cancel.check();
    const std::uint64_t length = std::min(kRun, count - first);
    read_numbers(entry.dtype, bytes, first, length, run.data(), where + ": tensor \"" + entry.name + "\"");
    take(first, run.data(), length);
  }
}

}  // namespace

TensorStatistics statistics_of(const TensorFile& file, std::size_t i, const std::string& where,
                               const CancelToken& cancel) {
  TensorStatistics all;
  all.count = count_of(file.tensors()[i]);
  all.least = std::numeric_limits<double>::infinity();
  all.largest = -all.least;
  double sum = 0;
  for_each_run(file, i, where, cancel, [&](std::uint64_t, const Scalar* run, std::uint64_t length) {
    for (std::uint64_t n = 0; n < length; ++n) {
      const auto x = static_cast<double>(run[n]);
      all.nan += std::isnan(x);
      all.infinite += std::isinf(x);
      if (!std::isfinite(x)) continue;
      sum += x;
      all.least = std::min(all.least, x);
      all.largest = std::max(all.largest, x);
    }
  });
  const std::uint64_t finite = all.count - all.nan - all.infinite;
  if (finite == 0) {
    all.least = all.largest = 0;
    return all;
  }
  all.mean = sum / static_cast<double>(finite);
  double squares = 0;
  const double width = all.largest - all.least;
  for_each_run(file, i, where, cancel, [&](std::uint64_t, const Scalar* run, std::uint64_t length) {
    for (std::uint64_t n = 0; n < length; ++n) {
      const auto x = static_cast<double>(run[n]);
      if (!std::isfinite(x)) continue;
      squares += (x - all.mean) * (x - all.mean);
      const int bin = width > 0 ? static_cast<int>((x - all.least) / width * TensorStatistics::kBins) : 0;
      ++all.histogram[static_cast<std::size_t>(std::clamp(bin, 0, TensorStatistics::kBins - 1))];
    }
  });
  all.deviation = std::sqrt(squares / static_cast<double>(finite));
  return all;
}

Tensor matrix_of(const TensorFile& file, std::size_t i, Index most, const std::string& where,
                 const CancelToken& cancel) {
  const TensorEntry& entry = file.tensors()[i];
  const std::uint64_t count = count_of(entry);
  const std::uint64_t columns = entry.shape.empty() ? 1 : entry.shape.back(), rows = columns == 0 ? 0 : count / columns;
  const auto limit = static_cast<std::uint64_t>(std::max<Index>(1, most));
  const std::uint64_t height = std::min(rows, limit), width = std::min(columns, limit);
  Tensor matrix = Tensor::zeros({static_cast<Index>(height), static_cast<Index>(width)});
  if (count == 0) return matrix;
  std::vector<bool> seen(static_cast<std::size_t>(height * width), false);
  for_each_run(file, i, where, cancel, [&](std::uint64_t first, const Scalar* run, std::uint64_t length) {
    for (std::uint64_t n = 0; n < length; ++n) {
      const std::uint64_t row = (first + n) / columns, column = (first + n) % columns;
      const std::uint64_t at = row * height / rows * width + column * width / columns;
      Scalar& cell = matrix[static_cast<Index>(at)];
      // A number that is none stays to be seen.
      if (!seen[at] || std::isnan(run[n]) || (!std::isnan(cell) && std::abs(run[n]) > std::abs(cell))) cell = run[n];
      seen[at] = true;
    }
  });
  return matrix;
}

const char* state_text(TensorDifference::State state) {
  constexpr const char* kTexts[] = {
      "equal", "different", "another shape in the second", "only in the first", "only in the second", "no numbers"};
  return kTexts[static_cast<int>(state)];
}

namespace {

using Names = std::unordered_map<std::string, std::size_t>;  // tensor by name

// What stands in front of the names of two files, so that most of them are the same behind it.
std::pair<std::string, std::string> wrappings_of(const TensorFile& first, const Names& second) {
  std::pair<std::string, std::string> best;
  std::size_t most = 0;
  for (const std::string here : kWrappings)
    for (const std::string there : kWrappings) {
      const auto common =
          static_cast<std::size_t>(std::ranges::count_if(first.tensors(), [&](const TensorEntry& entry) {
            return entry.name.starts_with(here) && second.contains(there + entry.name.substr(here.size()));
          }));
      if (common > most) most = common, best = {here, there};
    }
  return best;
}

}  // namespace

std::vector<TensorDifference> differences_of(const TensorFile& first, const TensorFile& second,
                                             const CancelToken& cancel,
                                             const std::function<void(double share)>& progress) {
  using State = TensorDifference::State;
  double whole = 0, behind = 0;  // bytes
  for (const TensorEntry& entry : first.tensors()) whole += static_cast<double>(entry.bytes);
  Names others;
  for (std::size_t i = 0; i < second.tensors().size(); ++i) others.emplace(second.tensors()[i].name, i);
  const auto [here, there] = wrappings_of(first, others);
  std::vector<TensorDifference> all;
  for (std::size_t i = 0; i < first.tensors().size(); ++i) {
    cancel.check();
    const TensorEntry& entry = first.tensors()[i];
    const double before = std::exchange(behind, behind + static_cast<double>(entry.bytes));
    TensorDifference& row = all.emplace_back();
    row.name = entry.name;
    row.shape = entry.shape;
    auto found = others.find(entry.name);
    if (found == others.end() && entry.name.starts_with(here))
      found = others.find(there + entry.name.substr(here.size()));
    if (found == others.end()) {
      row.state = State::only_first;
      continue;
    }
    if (found->first != entry.name) row.other_name = found->first;
    const std::size_t other = found->second;
    others.erase(found);
    if (second.tensors()[other].shape != entry.shape) {
      row.state = State::other_shape;
      continue;
    }
    const std::string bytes = first.bytes(i), other_bytes = second.bytes(other);
    const std::uint64_t count = count_of(entry);
    std::vector<Scalar> a(static_cast<std::size_t>(std::min(count, kRun))), b(a.size());
    double sum = 0, squares = 0, size = 0;
    try {
      for (std::uint64_t at = 0; at < count; at += kRun) {
        cancel.check();
        if (progress)
          progress((before + (behind - before) * static_cast<double>(at) / static_cast<double>(count)) / whole);
        const std::uint64_t length = std::min(kRun, count - at);
        read_numbers(entry.dtype, bytes, at, length, a.data(), entry.name);
        read_numbers(second.tensors()[other].dtype, other_bytes, at, length, b.data(), entry.name);
        for (std::uint64_t n = 0; n < length; ++n) {
          const auto x = static_cast<double>(a[n]), y = static_cast<double>(b[n]);
          const double apart = x == y || (std::isnan(x) && std::isnan(y)) ? 0 : std::abs(x - y);
          row.largest = std::isnan(apart) || apart > row.largest ? apart : row.largest;
          sum += apart;
          squares += apart * apart;
          size += x * x;
        }
      }
    } catch (const FormatError&) {
      row.state = State::no_numbers;
      continue;
    }
    row.mean = count > 0 ? sum / static_cast<double>(count) : 0;
    row.relative = squares > 0 ? std::sqrt(squares / size) : squares;
    if (row.largest != 0) row.state = State::different;
  }
  for (const TensorEntry& entry : second.tensors())
    if (others.count(entry.name)) all.push_back({entry.name, entry.shape, State::only_second, 0, 0, 0, {}});
  return all;
}

std::vector<double> singular_values(const Tensor& matrix) {
  for (Index i = 0; i < matrix.size(); ++i)
    if (!std::isfinite(matrix[i])) throw UsageError("a matrix with NaN or infinite numbers has no singular values");
  const Eigen::MatrixXd copy = matrix.matrix().cast<double>();
  const Eigen::BDCSVD<Eigen::MatrixXd> svd(copy);
  return {svd.singularValues().data(), svd.singularValues().data() + svd.singularValues().size()};
}

}  // namespace headlight
