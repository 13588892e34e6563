// Which moments of a language model stand below each other, and how long the bars of counting are. Pure values.
#pragma once

#include <QString>
#include <functional>
#include <vector>

#include "model/recording/recording.h"
#include "model/training/ngram.h"

namespace headlight {

struct TextRow {
  int moment = -1;  // -1: the training has not come so far
  bool handle = false;
  bool operator==(const TextRow&) const = default;
};

// As many characters read as stand in the rows: 0, then a rising share of all, the last all of them.
std::vector<Index> row_reads(Index all, int rows);
// A row shows the newest moment that it has room for. The handle stands in the row that it has come to, and that row
// shows its moment: places never move.
std::vector<TextRow> text_rows(const Recording& recording, int handle, int rows);

struct TextBar {
  int order = 0;  // letters in a row; 0: this model
  double perplexity = 0;
  bool operator==(const TextBar&) const = default;
};
// Letters alone, pairs, 3 … 6 in a row, this model (where it was measured).
std::vector<TextBar> text_bars(const std::vector<NgramPerplexity>& counted, double model);
// The length of a bar is the logarithm of its perplexity. The longest of them, letters alone aside, fills this share of
// the room; what is longer than the room is cut.
inline constexpr double kLongestBar = 0.9;
double full_bar(const std::vector<TextBar>& bars);  // the logarithm that fills the room; 0: there are no bars

// How counting compares with the model; "about as well" is within a tenth.
enum class Counting { unknown, as_well, better, worse };
struct CountingFound {
  Counting how = Counting::unknown;
  int order = 0;  // that tells most
  double counted = 0, model = 0;
  bool by_heart = false;  // as well, and so sure of the next letter that the text repeats itself
};
CountingFound counting_beside(const std::vector<TextBar>& bars);

}  // namespace headlight
