// What edits do to a value on its way.
#pragma once

#include <span>

#include "model/trace/intervention.h"

namespace headlight {

// A tensor as matrices, one above the other.
struct MatrixRows {
  Index count = 0;     // rows of each; 0: as the last two axes say
  Index first = 0;     // what number the first one is for bands
  bool heads = false;  // the rows are the heads of one step: for bands all have that number
};

// An edit of a whole value, or of one slice of its leading axis: a head, within which its cells count.
struct ValueEdit {
  const Intervention* edit = nullptr;
  Index slice = -1;
};

bool has_cells(const ValueEdit& edit, const Tensor& value, const MatrixRows& rows = {});
// "'….weights[3,10]=0': there is no such cell; ….weights is [4 x 9] (head x key) here, counted from 0", of a site with
// this name and this published shape.
std::string no_such_cell(const Intervention& edit, const Site& site, const Shape& shape);
// The value with these edits, made one after the other, as a new tensor: one node of the graph, however many they are.
// Throws UsageError for a head or a cell that does not exist.
Tensor apply(std::span<const ValueEdit> edits, const Tensor& value, const MatrixRows& rows = {});

}  // namespace headlight
