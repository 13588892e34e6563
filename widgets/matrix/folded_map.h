// An attention map as a heatmap shows it: columns of padding are one, with the sum of their shares, and rows of padding
// are left out.
#pragma once

#include <memory>
#include <vector>

#include "model/analysis/attention_maps.h"
#include "widgets/text/axis_label.h"

class QAction;
class QMenu;

namespace headlight {

class Heatmap;

// How much colour a weight has: as much as of 1, as much as of the largest of its picture, or by its factors of ten.
enum class MapColours { whole, own, logarithmic };
inline constexpr const char* kMapColours[] = {"whole", "own", "logarithmic"};

struct FoldedMap {
  std::shared_ptr<const AttentionMap> map;  // without padding where it is folded
  int blanks = 0;                           // columns that stand in one, behind the others; 0: none
  std::vector<float> sums;                  // of each row, in them
  double share() const;                     // theirs of all attention

  // As it is, unless it folds(); of kMax the largest weight in place of the sum.
  static FoldedMap of(std::shared_ptr<const AttentionMap> map, Index head, bool fold);
  // Row-major, with the column of blanks.
  struct Cells {
    int rows = 0, columns = 0;
    std::vector<float> values;
    std::vector<bool> hidden, dropped;  // see Heatmap::set_hidden; empty: nowhere
  };
  Cells cells(Index head) const;
  std::vector<AxisLabel> column_labels() const;
  // Values and what is hidden; labels are for the caller.
  void show(Heatmap* heatmap, Index head, quint64 generation) const;
  // Of the colours: up to 1, or to the largest; of stored values that are no shares as far as they go.
  void set_range(Heatmap* heatmap, MapColours colours) const;
  bool is_fold(int column) const { return blanks > 0 && column == static_cast<int>(map->column_count()); }
};

bool folds(const AttentionMap& map);  // there are several blanks, and something else beside them
AttentionMap without_padding(const AttentionMap& map);
// The entry of a menu that shows each of them; to be connected.
QAction* add_padding_action(QMenu* menu, bool shown);

}  // namespace headlight
