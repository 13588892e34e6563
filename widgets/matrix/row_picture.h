// A picture whose rows are steps of the output: what the model wrote can stand beside them.
#pragma once

#include "model/analysis/attention_maps.h"

class QWidget;

namespace headlight {

class Heatmap;

class RowPicture {
 public:
  virtual ~RowPicture() = default;
  virtual bool is_seen_in(const QWidget* window) const = 0;
  virtual const AttentionMap* map_shown() = 0;  // null: there is none
  virtual Heatmap* heatmap() = 0;
  virtual int folded() const = 0;  // columns of padding that stand in one, behind the others; 0: none
};

}  // namespace headlight
