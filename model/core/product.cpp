#include "model/core/product.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "model/core/blocks.h"
#include "model/core/packed_factor.h"
#include "model/core/parallel.h"

namespace headlight {

namespace {

using namespace blocks;

constexpr Index kDepth = 384;       // rows of W in a panel: with kWidth columns it stays in the nearest caches
constexpr Index kRowsAtOnce = 512;  // of x that are laid out at a time
constexpr Index kRowsOfTable = 32;  // of x, times a transposed W by sums

// One product of at most kRowsAtOnce rows; W of Scalars or halves.
template <class Number>
struct Task {
  Rows x;
  const Number* w;
  Index m;
  Start start;
  Scalar* y;
};

// Columns [c, c + width) of rows [k0, k0 + depth) of W, zero-padded to kWidth columns.
template <class Number>
void lay_out_edge(const Task<Number>& task, Index c, Index width, Index k0, Index depth, Scalar* panel) {
  std::fill_n(panel, depth * kWidth, Scalar(0));
  for (Index k = 0; k < depth; ++k) copy(task.w + (k0 + k) * task.m + c, width, panel + k * kWidth);
}

// All rows times one panel of W (columns [c, c + width), rows [k0, k0 + depth)).
template <class Number>
void multiply_panel(const Task<Number>& task, const Scalar* laid_out, Index c, Index width, Index k0, Index depth,
                    Scalar* panel) {
  const Index count = task.x.block_count(), gaps = std::max<Index>(1, count - 1);
  const bool straight = width == kWidth;
  const Number* w = task.w + k0 * task.m + c;
  if (!straight) lay_out_edge(task, c, width, k0, depth, panel);
  // What comes next: below this panel, or the top of the one beside it.
  const bool below = k0 + depth < task.x.k;
  const Number* next = below ? w + depth * task.m : task.w + c + kWidth;
  const Index next_depth = !straight ? 0 : std::min(kDepth, below ? task.x.k - k0 - depth : task.x.k);
  for (Index b = 0; b < count; ++b) {
    const Index begin = task.x.first(b), rows = task.x.first(b + 1) - begin;
    const Scalar* x = laid_out + begin * task.x.k + k0 * rows;
    Scalar* y = task.y + begin * task.m + c;
    const Start start = k0 == 0 ? task.start.from(begin, c) : Start{y, task.m};
    const auto at = static_cast<std::size_t>(rows - 1);
    if (straight && b == 0) {
      const auto& kernels = count == 1 ? kBlocks<Panel::only, Number> : kBlocks<Panel::first, Number>;
      kernels[at](depth, x, w, task.m, panel, start, y, task.m);
      continue;
    }
    for (Index k = next_depth * (b - 1) / gaps; k < next_depth * b / gaps; ++k)
      for (int j = 0; j < kVectors; ++j) __builtin_prefetch(next + k * task.m + j * kLanes, 0, 2);
    if (straight) {
      kBlocks<Panel::ready>[at](depth, x, panel, kWidth, nullptr, start, y, task.m);
      continue;
    }
    edge_block(rows, depth, x, panel, start, width, y, task.m);
  }
}

// Each thread lays the rows out for itself: that is cheaper than fetching them from where another one has written them.
template <class Number>
void multiply_rows(const Task<Number>& task) {
  const Index panels = (task.m + kWidth - 1) / kWidth;
  parallel_for(panels, grain_for(panels, task.x.k * kWidth * (4 + task.x.count) / 8), [&](Index begin, Index end) {
    thread_local std::vector<Scalar> row_memory, panel_memory;
    Scalar* laid_out = scratch(row_memory, task.x.count * task.x.k);
    Scalar* panel = scratch(panel_memory, kDepth * kWidth);
    for (Index r = 0; r < task.x.count; r += kRows)
      lay_out_rows(task.x, r, std::min<Index>(kRows, task.x.count - r), laid_out + r * task.x.k);
    for (Index p = begin; p < end; ++p)
      for (Index k0 = 0; k0 < task.x.k; k0 += kDepth)
        multiply_panel(task, laid_out, p * kWidth, std::min<Index>(kWidth, task.m - p * kWidth), k0,
                       std::min(kDepth, task.x.k - k0), panel);
  });
}

// --- one row: W is read once, as fast as memory gives it

constexpr int kGroup = 4;             // rows of W at a time
constexpr Index kFarAhead = 1 << 13;  // bytes that are fetched before they are needed

// Fetches a run of numbers; each of its lines once.
template <int count, class Number>
void fetch(const Number* from) {
  constexpr int kLine = 64 / static_cast<int>(sizeof(Number));
  for (int i = 0; i < count; i += kLine) __builtin_prefetch(from + i, 0, 2);
}

// y [vectors of columns] += x [depth] · W; fetches what is `ahead` rows below.
template <int depth, int vectors, class Number>
void add_group(const Task<Number>& task, Index k, Index c, Index ahead) {
  const Number* w = task.w + k * task.m + c;
  const Scalar* x = task.x.at + k;
  Scalar* y = task.y + c;
  Vector sum[vectors];
  for (int j = 0; j < vectors; ++j) sum[j] = load(y + j * kLanes);
  for (int i = 0; i < depth; ++i) {
    fetch<vectors * kLanes>(w + (ahead + i) * task.m);
    for (int j = 0; j < vectors; ++j) sum[j] += x[i] * load(w + i * task.m + j * kLanes);
  }
  for (int j = 0; j < vectors; ++j) store(sum[j], y + j * kLanes);
}

template <int depth, class Number>
void add_groups(const Task<Number>& task, Index k, Index begin, Index end) {
  const Index row = (end - begin) * static_cast<Index>(sizeof(Number)), ahead = std::max<Index>(depth, kFarAhead / row);
  Index c = begin;
  for (; c + kWidth <= end; c += kWidth) add_group<depth, kVectors>(task, k, c, ahead);
  for (; c + kLanes <= end; c += kLanes) add_group<depth, 1>(task, k, c, ahead);
  for (; c < end; ++c)
    for (Index i = k; i < k + depth; ++i) task.y[c] += task.x.at[i] * scalar(task.w[i * task.m + c]);
}

template <class Number>
void stream_columns(const Task<Number>& task, Index begin, Index end) {
  if (!task.start.at) {
    std::fill_n(task.y + begin, end - begin, Scalar(0));
  } else if (task.start.at != task.y) {
    std::copy_n(task.start.at + begin, end - begin, task.y + begin);
  }
  Index k = 0;
  for (; k + kGroup <= task.x.k; k += kGroup) add_groups<kGroup>(task, k, begin, end);
  for (; k < task.x.k; ++k) add_groups<1>(task, k, begin, end);
}

template <class Number>
void multiply_row(const Task<Number>& task) {
  constexpr Index kWidest = 2048, kWorth = 50'000;  // sums that stay in the nearest cache; numbers of W for a thread
  const Index pieces = std::clamp<Index>(task.m * task.x.k / kWorth, 1, thread_count());
  const Index grain = ((task.m + pieces - 1) / pieces + kWidth - 1) / kWidth * kWidth;
  parallel_for(task.m, grain, [&](Index begin, Index end) {
    for (Index c = begin; c < end; c += kWidest) stream_columns(task, c, std::min(end, c + kWidest));
  });
}

// --- few rows by the transposed: a sum for each row of W, which is read once, too

// y [rows x count] = start + rows of x from r on · rows of W from c on
template <int count, int rows, class Number>
void dots(const Task<Number>& task, Index c, Index r) {
  constexpr int kSums = rows == 1 ? 2 : 1;
  const Index k_count = task.x.k;
  const Scalar* x = task.x.at + r * k_count;
  const Number* w = task.w + c * k_count;
  Vector sum[rows][count][kSums] = {};
  Index k = 0;
  const Index ahead = std::max<Index>(count, kFarAhead / (k_count * static_cast<Index>(sizeof(Number))));
  for (; k + kSums * kLanes <= k_count; k += kSums * kLanes) {
    for (int i = 0; i < count && r == 0; ++i) fetch<kSums * kLanes>(w + (ahead + i) * k_count + k);
    for (int j = 0; j < kSums; ++j) {
      Vector factor[rows];
      for (int q = 0; q < rows; ++q) factor[q] = load(x + q * k_count + k + j * kLanes);
      for (int i = 0; i < count; ++i) {
        const Vector numbers = load(w + i * k_count + k + j * kLanes);
        for (int q = 0; q < rows; ++q) sum[q][i][j] += factor[q] * numbers;
      }
    }
  }
  for (; k < k_count; k += kLanes) {  // the end, with zeros behind it
    const Index rest = std::min<Index>(kLanes, k_count - k);
    Scalar factors[kLanes] = {}, numbers[kLanes] = {};
    for (int i = 0; i < count; ++i) {
      copy(w + i * k_count + k, rest, numbers);
      for (int q = 0; q < rows; ++q) {
        std::copy_n(x + q * k_count + k, rest, factors);
        sum[q][i][0] += load(factors) * load(numbers);
      }
    }
  }
  for (int q = 0; q < rows; ++q) {
    const Start start = task.start.from(r + q, c);
    for (int i = 0; i < count; ++i) {
      Vector all = sum[q][i][0];
      if constexpr (kSums == 2) all += sum[q][i][1];
      task.y[(r + q) * task.m + c + i] = sum_of(all) + (start.at ? start.at[i] : Scalar(0));
    }
  }
}

template <class Number>
void multiply_rows_transposed(const Task<Number>& task) {
  constexpr int kRowsOfX = 4;
  const Index rows = task.x.count, whole = rows / kRowsOfX * kRowsOfX, rest = rows - whole;
  parallel_for(task.m, grain_for(task.m, task.x.k * rows, kGroup), [&](Index begin, Index end) {
    Index c = begin;
    for (; c + kGroup <= end; c += kGroup) {
      for (Index r = 0; r < whole; r += kRowsOfX) dots<kGroup, kRowsOfX>(task, c, r);
      if (rest == 1) dots<kGroup, 1>(task, c, whole);
      if (rest == 2) dots<kGroup, 2>(task, c, whole);
      if (rest == 3) dots<kGroup, 3>(task, c, whole);
    }
    for (; c < end; ++c)
      for (Index r = 0; r < rows; ++r) dots<1, 1>(task, c, r);
  });
}

void set_start(const Tensor& start, Tensor& y) {
  if (!start.defined()) {
    y.array().setZero();
  } else if (start.size() != y.size()) {
    y.matrix().rowwise() = start.matrix().row(0);
  } else if (start.data() != y.data()) {
    y.array() = start.array();
  }
}

// y (which holds the start) += x W or x Wᵀ by the library, cut into columns of y.
void library_product(const Tensor& x, const Tensor& weight, bool transposed, const Tensor& start, Tensor& y) {
  if (weight.halves() && !transposed) return library_product(x, weight.clone(), false, start, y);  // a small one
  set_start(start, y);
  if (!transposed) {
    y.matrix().noalias() += x.matrix() * weight.matrix();
    return;
  }
  // The library rounds a column by where it stands in a call, so the calls are the same for any number of threads.
  constexpr Index kColumns = 256;
  const Index m = y.columns(), calls = (m + kColumns - 1) / kColumns;
  parallel_for(calls, grain_for(calls, kColumns * x.columns() * (8 + x.rows()) / 8), [&](Index first, Index last) {
    thread_local std::vector<Scalar> widened_memory;
    for (Index c = first * kColumns; c < std::min(m, last * kColumns); c += kColumns) {
      const Index count = std::min(kColumns, m - c), k = x.columns();
      const Scalar* rows = weight.halves() ? scratch(widened_memory, kColumns * k) : weight.data() + c * k;
      if (weight.halves()) weight.read(c * k, count * k, widened_memory.data());
      y.matrix().middleCols(c, count).noalias() += x.matrix() * ConstMatrixMap(rows, count, k).transpose();
    }
  });
}

// One row by blocks that multiply by themselves. In double precision everything is widened.
void packed_row_product(const Tensor& x, const Halves& rows, const Start& start, Tensor& y) {
  thread_local PackedFactor factor;
  factor.set(x.data(), x.columns());
  // Several pieces for a thread: memory does not give both the same.
  const Index grain = std::max<Index>(kGroup, grain_for(y.columns(), x.columns() / 2, kGroup) / 4);
  parallel_for(y.columns(), grain, [&, &factor = factor](Index begin, Index end) {
    for (Index c = begin; c < end; ++c)
      y[c] = static_cast<Scalar>(rows.multiplied(c, factor)) + (start.at ? start.at[c] : Scalar(0));
  });
}

// Rows of blocks whose sums are the columns of y: a few at a time are widened, and never all.
void block_product(const Tensor& x, const Halves& rows, const Start& start, Tensor& y) {
  const Index k = x.columns(), m = y.columns();
  if (x.rows() == 1 && rows.multiplies() && sizeof(Scalar) == sizeof(float))
    return packed_row_product(x, rows, start, y);
  if (x.rows() == 1) {
    parallel_for(m, grain_for(m, 2 * k, kGroup), [&](Index begin, Index end) {
      thread_local std::vector<Scalar> memory;
      Scalar* wide = scratch(memory, kGroup * k);
      for (Index c = begin; c < end; c += kGroup) {
        const Index count = std::min<Index>(kGroup, end - c);
        rows.widen_rows(c, count, wide);
        const Task<Scalar> task{{x.data(), 1, k}, wide, count, start.from(0, c), y.data() + c};
        for (Index i = 0; i < count && count < kGroup; ++i) dots<1, 1>(task, i, 0);
        if (count == kGroup) dots<kGroup, 1>(task, 0, 0);
      }
    });
    return;
  }
  constexpr Index kColumns = 64;  // the same calls for any number of threads
  const Index calls = (m + kColumns - 1) / kColumns;
  parallel_for(calls, grain_for(calls, kColumns * k * (8 + x.rows()) / 8), [&](Index first, Index last) {
    thread_local std::vector<Scalar> memory;
    Scalar* wide = scratch(memory, kColumns * k);
    for (Index c = first * kColumns; c < std::min(m, last * kColumns); c += kColumns) {
      const Index count = std::min(kColumns, m - c);
      rows.widen_rows(c, count, wide);
      y.matrix().middleCols(c, count).noalias() += x.matrix() * ConstMatrixMap(wide, count, k).transpose();
    }
  });
}

}  // namespace

void product(const Tensor& x, const Tensor& weight, bool transposed, const Tensor& start, Tensor& y) {
  const Index rows = x.rows(), k = x.columns(), m = y.columns();
  require_shape(weight.rank() == 2 && weight.dim(transposed ? 1 : 0) == k && weight.dim(transposed ? 0 : 1) == m &&
                    y.rows() == rows,
                "product", "[.. x " + std::to_string(weight.dim(transposed ? 1 : 0)) + "]", x.shape());
  const Halves* packed = weight.halves() && weight.halves()->kind() == Halves::Kind::blocks ? weight.halves() : nullptr;
  if (packed && (packed->turned() == transposed || weight.size() != packed->count()))
    return product(x, weight.clone(), transposed, start, y);
  constexpr Index kSmall = 100'000;  // multiplications: fewer take less time than laying anything out
  constexpr Index kTable = 250'000;  // numbers of W: the library lays them out, which few rows are not worth
  const bool by_sums = transposed && rows <= kRowsOfTable && k * m >= kTable;
  if (!packed && rows > 1 && !by_sums && (transposed || rows * k * m < kSmall))
    return library_product(x, weight, transposed, start, y);
  const Start from{start.defined() ? start.data() : nullptr, start.defined() && start.size() != y.size() ? 0 : m};
  if (packed) {
    if (rows > 1) set_start(start, y);
    return block_product(x, *packed, from, y);
  }
  const Index parts = (rows + kRowsAtOnce - 1) / kRowsAtOnce;
  for (Index p = 0; p < parts; ++p) {
    const Index r = rows * p / parts, count = rows * (p + 1) / parts - r;
    const auto multiply = [&](const auto* w) {
      const Task<std::remove_cvref_t<decltype(*w)>> task{
          {x.data() + r * k, count, k}, w, m, from.from(r, 0), y.data() + r * m};
      if (transposed) {
        multiply_rows_transposed(task);
      } else if (count == 1) {
        multiply_row(task);
      } else {
        multiply_rows(task);
      }
    };
    if (weight.halves()) {
      weight.halves()->visit([&](const auto* w) { multiply(w + weight.offset()); });
    } else {
      multiply(weight.data());
    }
  }
}

}  // namespace headlight
