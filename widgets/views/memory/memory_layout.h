// Geometry of the memory view: slots are rows in three parts beside each other: where the heads are at each step, the
// stages in which one of them found its slot, and what the slots hold. Pure: no window.
#pragma once

#include <QRectF>

namespace headlight {

struct MemoryHit {
  enum class Part { none, token, heads, stage, memory, erase, add, name };
  Part part = Part::none;
  int step = -1;    // token, heads
  int row = -1;     // of the slots that are shown
  int column = -1;  // memory, erase, add
  int stage = -1;
  bool operator==(const MemoryHit&) const = default;
};

struct MemoryLayout {
  static constexpr int kStages = 4;

  struct Metrics {
    QSizeF view;
    int steps = 0, reads = 0;  // reads: those before it writes
    int rows = 0, columns = 0;
    double title = 44, token = 36;  // above the rows
    double foot = 84;               // words below them
    double vector = 14;             // height of what is erased and added
    double name = 86, letter = 30;  // left of the first part, right of the last
    double least_row = 17, most_row = 34;
    double least_step = 14, most_step = 43, least_stage = 46, most_stage = 92, least_number = 5, most_number = 12;
    double stage_words = 0;  // a stage is at least as wide as its name
    double margin = 24, gap = 30;
  };
  Metrics metrics;
  double step_width = 0, stage_width = 0, number_width = 0, row_height = 0;
  double top = 0;  // of the rows
  double heads_left = 0, stages_left = 0, memory_left = 0;
  double width = 0, height = 0;

  static MemoryLayout of(const Metrics& metrics);
  double bottom() const { return top + metrics.rows * row_height; }
  double step_left(int step) const;
  double border() const;  // between reading and writing
  QRectF heads(int step, int row) const;
  QRectF token(int step) const;
  QRectF stage(int stage, int row) const;
  QRectF stage_words(int stage) const;
  QRectF number(int column, int row) const;
  QRectF erase(int column) const;
  QRectF add(int column) const;
  QRectF row(int row) const;  // from the left edge to the right one
  QRectF words() const;       // below the heads
  MemoryHit place_at(QPointF point) const;
};

}  // namespace headlight
