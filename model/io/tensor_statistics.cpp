#include "model/io/tensor_statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "model/core/errors.h"
#include "model/core/slices.h"
#include "model/io/state_dict.h"
#include "model/io/tensor_values.h"

// LAPACK, as OpenBLAS brings it. Eigen's own takes 40 seconds of every build.
extern "C" void dgesdd_(const char* job, const int* rows, const int* columns, double* matrix, const int* stride,
                        double* values, double* left, const int* left_stride, double* right, const int* right_stride,
                        double* work, const int* work_size, int* places, int* info);

namespace headlight {

namespace {

constexpr std::uint64_t kRun = 1u << 20;

// Calls with each run of numbers, and where it begins.
template <class Number, class Take>
void for_each_run(const TensorFile& file, std::size_t i, const std::string& where, const CancelToken& cancel,
                  const Take& take) {
  const TensorEntry& entry = file.tensors()[i];
  const std::string bytes = file.bytes(i);
  const std::uint64_t count = entry.count();
  std::vector<Number> run(static_cast<std::size_t>(std::min(count, kRun)));
  for (std::uint64_t first = 0; first < count; first += kRun) {
    cancel.check();
    slice_point();
    const std::uint64_t length = std::min(kRun, count - first);
    read_numbers(entry.dtype, bytes, first, length, run.data(), where + ": tensor \"" + entry.name + "\"");
    take(first, run.data(), length);
  }
}

}  // namespace

TensorStatistics statistics_of(const TensorFile& file, std::size_t i, const std::string& where,
                               const CancelToken& cancel) {
  TensorStatistics all;
  all.count = file.tensors()[i].count();
  all.least = std::numeric_limits<double>::infinity();
  all.largest = -all.least;
  double sum = 0;
  for_each_run<double>(file, i, where, cancel, [&](std::uint64_t, const double* run, std::uint64_t length) {
    for (std::uint64_t n = 0; n < length; ++n) {
      const double x = run[n];
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
  for_each_run<double>(file, i, where, cancel, [&](std::uint64_t, const double* run, std::uint64_t length) {
    for (std::uint64_t n = 0; n < length; ++n) {
      const double x = run[n];
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
  const std::uint64_t count = entry.count();
  const std::uint64_t columns = entry.shape.empty() ? 1 : entry.shape.back(), rows = columns == 0 ? 0 : count / columns;
  const auto limit = static_cast<std::uint64_t>(std::max<Index>(1, most));
  const std::uint64_t height = std::min(rows, limit), width = std::min(columns, limit);
  Tensor matrix = Tensor::zeros({static_cast<Index>(height), static_cast<Index>(width)});
  if (count == 0) return matrix;
  std::vector<bool> seen(static_cast<std::size_t>(height * width), false);
  for_each_run<Scalar>(file, i, where, cancel, [&](std::uint64_t first, const Scalar* run, std::uint64_t length) {
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
  constexpr const char* kTexts[] = {"equal",
                                    "different",
                                    "another shape in the second",
                                    "only in the first",
                                    "only in the second",
                                    "different, and no numbers"};
  return kTexts[static_cast<int>(state)];
}

namespace {

using Names = std::unordered_map<std::string, std::size_t>;  // tensor by name

// Which tensor of a second file each one of a first file is: of the same name, else of the same one without what
// training programs put into it, else behind what stands in front of most names.
class Counterparts {
 public:
  Counterparts(const TensorFile& first, const TensorFile& second)
      : first_(first), plain_(plain_names(first)), others_(plain_names(second)) {
    for (std::size_t i = 0; i < second.tensors().size(); ++i) {
      by_name_.emplace(second.tensors()[i].name, i);
      by_plain_name_.emplace(others_[i], i);
    }
    fronts_ = common_fronts(plain_, others_);
  }
  // Nothing where there is none that is not another one's already.
  std::optional<std::size_t> take(std::size_t i) {
    const std::string& plain = plain_[i];
    auto found = place(by_name_, first_.tensors()[i].name);
    if (!found) found = place(by_plain_name_, plain);
    if (!found && plain.starts_with(fronts_.first))
      found = place(by_plain_name_, fronts_.second + plain.substr(fronts_.first.size()));
    if (found) taken_.insert(*found);
    return found;
  }
  bool taken(std::size_t other) const { return taken_.contains(other); }

 private:
  std::optional<std::size_t> place(const Names& names, const std::string& name) const {
    const auto found = names.find(name);
    return found == names.end() || taken_.contains(found->second) ? std::nullopt : std::optional(found->second);
  }
  const TensorFile& first_;
  std::vector<std::string> plain_, others_;
  Names by_name_, by_plain_name_;
  std::pair<std::string, std::string> fronts_;
  std::unordered_set<std::size_t> taken_;
};

// A whole number that may have 65 bits with its sign.
std::string whole_text(long double number) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.0Lf", number);
  return text;
}

// The numbers of two tensors of one shape. Whole numbers are taken as such: they may be too large for others.
template <class Number>
void compare_numbers(const TensorEntry& a, const std::string& bytes, const TensorEntry& b, const std::string& other,
                     const CancelToken& cancel, const std::function<void(double)>& progress, TensorDifference& row) {
  const std::uint64_t count = a.count();
  std::vector<Number> x(static_cast<std::size_t>(std::min(count, kRun))), y(x.size());
  Number largest = 0;
  double sum = 0, squares = 0, size = 0, other_size = 0, product = 0;
  for (std::uint64_t at = 0; at < count; at += kRun) {
    cancel.check();
    slice_point();
    if (progress) progress(static_cast<double>(at) / static_cast<double>(count));
    const std::uint64_t length = std::min(kRun, count - at);
    read_numbers(a.dtype, bytes, at, length, x.data(), a.name);
    read_numbers(b.dtype, other, at, length, y.data(), b.name);
    for (std::uint64_t n = 0; n < length; ++n) {
      const Number apart = x[n] == y[n] || (std::isnan(x[n]) && std::isnan(y[n])) ? Number(0) : std::abs(x[n] - y[n]);
      if (std::isnan(apart) || apart > largest) largest = apart;
      sum += static_cast<double>(apart);
      squares += static_cast<double>(apart) * static_cast<double>(apart);
      size += static_cast<double>(x[n]) * static_cast<double>(x[n]);
      other_size += static_cast<double>(y[n]) * static_cast<double>(y[n]);
      product += static_cast<double>(x[n]) * static_cast<double>(y[n]);
    }
  }
  row.rms = std::sqrt(size / static_cast<double>(count));
  if (largest == 0) return;
  row.rms_difference = std::sqrt(squares / static_cast<double>(count));
  row.cosine = product / std::sqrt(size * other_size);
  row.state = TensorDifference::State::different;
  row.largest = static_cast<double>(largest);
  row.mean = sum / static_cast<double>(count);
  row.relative = std::sqrt(squares / size);
  if (has_whole_numbers(a) && has_whole_numbers(b)) row.whole = whole_text(static_cast<long double>(largest));
}

}  // namespace

std::vector<TensorDifference> differences_of(const TensorFile& first, const TensorFile& second,
                                             const CancelToken& cancel,
                                             const std::function<void(double share)>& progress) {
  using State = TensorDifference::State;
  double whole = 0, behind = 0;  // bytes
  for (const TensorEntry& entry : first.tensors()) whole += static_cast<double>(entry.bytes);
  Counterparts counterparts(first, second);
  std::vector<TensorDifference> all;
  for (std::size_t i = 0; i < first.tensors().size(); ++i) {
    cancel.check();
    slice_point();
    const TensorEntry& entry = first.tensors()[i];
    const double before = std::exchange(behind, behind + static_cast<double>(entry.bytes));
    TensorDifference& row = all.emplace_back();
    row.name = entry.name;
    row.shape = entry.shape;
    row.type = first.stored(i).type;
    const std::optional<std::size_t> found = counterparts.take(i);
    if (!found) {
      row.state = State::only_first;
      continue;
    }
    const TensorEntry& other = second.tensors()[*found];
    if (other.name != entry.name) row.other_name = other.name;
    row.other_type = second.stored(*found).type;
    if (other.shape != entry.shape) {
      row.state = State::other_shape;
      continue;
    }
    const std::string bytes = first.bytes(i), other_bytes = second.bytes(*found);
    const auto tell = [&](double share) {
      if (progress) progress((before + (behind - before) * share) / whole);
    };
    if (!has_numbers(entry) || !has_numbers(other))
      row.state = entry.dtype == other.dtype && bytes == other_bytes ? State::equal : State::no_numbers;
    else if (has_whole_numbers(entry) || has_whole_numbers(other))
      compare_numbers<long double>(entry, bytes, other, other_bytes, cancel, tell, row);
    else
      compare_numbers<double>(entry, bytes, other, other_bytes, cancel, tell, row);
  }
  for (std::size_t i = 0; i < second.tensors().size(); ++i)
    if (const TensorEntry& entry = second.tensors()[i]; !counterparts.taken(i)) {
      all.push_back({entry.name, entry.shape, State::only_second});
      all.back().other_type = second.stored(i).type;
    }
  return all;
}

namespace {

class ChangeFile : public TensorFile {
 public:
  ChangeFile(TensorEntry entry, std::string numbers) : numbers_(std::move(numbers)) {
    tensors_.push_back(std::move(entry));
  }
  std::string bytes(std::size_t) const override { return numbers_; }

 private:
  std::string numbers_;
};

}  // namespace

std::shared_ptr<const TensorFile> change_of(const TensorFile& first, std::size_t i, const TensorFile& second,
                                            const std::string& other, const std::string& where) {
  const TensorEntry& entry = first.tensors()[i];
  const auto found = std::ranges::find(second.tensors(), other, &TensorEntry::name);
  if (found == second.tensors().end() || found->shape != entry.shape)
    throw UsageError(where + ": no tensor \"" + other + "\" of the same shape");
  const auto at = static_cast<std::size_t>(found - second.tensors().begin());
  const auto count = static_cast<std::size_t>(entry.count());
  std::vector<double> before(count), change(count);
  read_numbers(entry.dtype, first.bytes(i), 0, count, before.data(), entry.name);
  read_numbers(found->dtype, second.bytes(at), 0, count, change.data(), where);
  for (std::size_t n = 0; n < count; ++n) change[n] -= before[n];
  std::string bytes(reinterpret_cast<const char*>(change.data()), count * sizeof(double));
  return std::make_shared<const ChangeFile>(TensorEntry{entry.name, "F64", entry.shape, bytes.size()},
                                            std::move(bytes));
}

std::vector<double> singular_values(const Tensor& matrix) {
  for (Index i = 0; i < matrix.size(); ++i)
    if (!std::isfinite(matrix[i])) throw UsageError("a matrix with NaN or infinite numbers has no singular values");
  Eigen::MatrixXd copy = matrix.matrix().cast<double>();
  const auto rows = static_cast<int>(copy.rows()), columns = static_cast<int>(copy.cols());
  std::vector<double> values(static_cast<std::size_t>(std::min(rows, columns)));
  if (values.empty()) return values;
  std::vector<int> places(8 * values.size());
  const int one = 1;
  const auto solve = [&](double* work, int size) {
    int info = 0;
    dgesdd_("N", &rows, &columns, copy.data(), &rows, values.data(), nullptr, &one, nullptr, &one, work, &size,
            places.data(), &info);
    if (info != 0) throw UsageError("the singular values of this matrix do not converge");
  };
  double needed = 0;
  solve(&needed, -1);
  std::vector<double> work(static_cast<std::size_t>(needed));
  solve(work.data(), static_cast<int>(work.size()));
  return values;
}

}  // namespace headlight
