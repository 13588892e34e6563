// The numbers of a heatmap, and what is computed of them once: their ends, and the same matrix in ever fewer cells for
// pictures with fewer points than cells.
#pragma once

#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace headlight {

class HeatmapValues {
 public:
  // Row-major; as many values as cells.
  HeatmapValues(int rows, int columns, std::vector<float> values);

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  const std::shared_ptr<const std::vector<float>>& all() const { return values_; }
  float at(int row, int column) const {
    return (*values_)[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                      static_cast<std::size_t>(column)];
  }
  // Of the finite values; lowest() > highest() when there is none.
  float lowest() const { return ends().lowest; }
  float highest() const { return ends().highest; }
  bool all_finite() const { return ends().finite == values_->size(); }
  bool all_integral() const { return ends().integral; }  // whole numbers, of which one is larger than 1

  // Each cell is the largest (or the one farthest from 0) of 2^down x 2^across cells of the matrix, of those at its
  // edges fewer: a lone spike stays visible in every level. NaN where one of them is NaN (or, of the largest, ∞).
  struct Level {
    int rows = 0, columns = 0;
    const float* values = nullptr;
  };
  enum class Pick { largest, farthest, strangest };  // the last: what is not finite before the farthest from 0
  // Only of `rows` rows from `first` on. Levels are made when they are first asked for, and kept; by one thread at a
  // time.
  Level level(int down, int across, int first, int rows, Pick pick) const;

 private:
  struct Ends {
    float lowest = 0, highest = 0;
    std::size_t finite = 0;
    bool integral = false;
  };
  const Ends& ends() const;

  int rows_, columns_;
  std::shared_ptr<const std::vector<float>> values_;
  mutable std::unique_ptr<Ends> ends_;
  mutable std::map<std::tuple<int, int, int, int, Pick>, std::vector<float>> levels_;
};

}  // namespace headlight
