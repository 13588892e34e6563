// Geometry of the memory view: the heads along the time, the memory at one step with its weightings beside it, and the
// stages of the addressing. Pure: no window.
#pragma once

#include <QRectF>
#include <array>

namespace headlight {

struct MemoryHit {
  enum class Part { none, tape, writing, reading, memory, write_bars, read_bars, erase, add, stage };
  Part part = Part::none;
  int step = -1;    // tape, writing, reading
  int slot = -1;    // not the tape, erase and add
  int column = -1;  // of the memory, erase, add
  int stage = -1;
  bool operator==(const MemoryHit&) const = default;
};

struct MemoryLayout {
  static constexpr int kStages = 5;

  struct Metrics {
    QSizeF view;
    double caption = 18;      // a line of text above each picture
    double line = 15;         // a line of small text
    double widest = 10;       // of the tokens
    double most_tokens = 50;  // height of turned tokens: longer ones are cut
    double side = 42;         // names beside vectors and the tape
    double margin = 8, gap = 10;
    double smallest_step = 7, smallest_picture = 56, smallest_width = 210;
    double vector = 12;  // height of the erase and add vectors
    double words = 260;  // of a stage, beside its picture: on two lines where there is room for that, else on one
    double smallest_slot = 1;
  };
  QRectF tape_in, tape_out, tape_names;
  QRectF writing_caption, writing, reading_caption, reading;
  QRectF memory_caption, erase, add, vector_names, memory, write_bars, read_bars, bars_caption;
  QRectF stages_caption;
  struct Stage {
    QRectF words, picture;
  };
  std::array<Stage, kStages> stages;
  double width = 0, height = 0;
  int steps = 0, slot_count = 0, columns = 0;
  Metrics metrics;

  static MemoryLayout of(int steps, int slot_count, int columns, const Metrics& metrics);
  int rows(const QRectF& rect) const;  // of pictures with a row for each slot: fewer where the slots are too many
  int slots_of_row(const QRectF& rect) const;
  double step_x(const QRectF& rect, int step) const;
  QRectF slot_row(const QRectF& rect, int slot) const;
  QRectF slot_column(const QRectF& rect, int slot) const;  // of a stage
  MemoryHit place_at(QPointF point) const;
};

}  // namespace headlight
