// Everything that a heatmap shows, and how it is painted with any painter: on the screen, and into files.
#pragma once

#include <QFont>
#include <QImage>
#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "widgets/matrix/cells.h"
#include "widgets/matrix/heatmap_layout.h"
#include "widgets/matrix/heatmap_values.h"
#include "widgets/tables/matrix_model.h"
#include "widgets/text/axis_label.h"

namespace headlight {

struct HeatmapScene {
  enum class Range {
    unit,         // 0 .. 1
    logarithmic,  // the same, as much colour for each factor
    automatic,    // lowest .. highest value, shown at the colour bar
    symmetric,    // diverging, -m .. m with m the largest magnitude
  };
  enum class Form {
    figure,  // by itself, with captions and a colour bar
    strip,   // one of several below each other: small, with all digits that fit, and no value that is hidden by others
  };
  Form form = Form::figure;
  int rows = 0, columns = 0;
  std::shared_ptr<const HeatmapValues> values;  // of rows x columns
  bool looks = false;                           // an attention: rows look at columns
  std::vector<bool> hidden;   // rows x columns, where there is nothing to show: masked; empty: nowhere
  std::vector<bool> dropped;  // of the hidden ones, those outside a window: hatched; empty: nowhere
  quint64 generation = 0;
  std::vector<AxisLabel> row_labels, column_labels;
  bool letters = true;      // the labels are single characters
  bool short_names = true;  // those of the columns are, or they are numbers
  bool stairs = false;      // each row looks at the columns up to its own, and at no other
  int own_rows = -1;        // the first row that the model wrote itself, behind a text that it was given; -1: none
  mutable double widest_row = -1, widest_column = -1;  // of the labels; -1: not measured yet
  QString row_caption, column_caption, value_caption, subject;
  Range range = Range::unit;
  std::optional<std::pair<double, double>> fixed_limits;
  bool colour_bar = true;
  bool bare = false;                              // on the screen: see HeatmapInput
  int visible_rows = -1;                          // the others were not computed yet; -1: all are there
  bool rows_from_end = false;                     // the visible ones are the last ones
  static constexpr double kLeastWritten = 0.005;  // of weights: smaller ones are not written into their cells
  HeatmapCell selected, hover;
  int highlighted_row = -1;
  std::vector<int> highlighted_columns;
  std::vector<HeatmapCell> edited;
  bool all_edited = false;
  std::vector<HeatmapCell> moved;  // what a change made another number of
  bool focused = false;
  std::vector<int> closed_rows;     // a lesson asks for them: no number of theirs is told
  std::vector<int> closed_columns;  // nor what these are called
  bool off = false;                 // nothing is made of the values
  double points = 1;                // for each pixel, of what it is painted on

  void set_labels(std::vector<AxisLabel> of_rows, std::vector<AxisLabel> of_columns);
  bool has(int row, int column) const { return row >= 0 && row < rows && column >= 0 && column < columns; }
  int first_row() const { return rows_from_end && visible_rows >= 0 ? std::max(0, rows - visible_rows) : 0; }
  int shown_rows() const { return visible_rows < 0 ? rows : std::clamp(visible_rows, 0, rows); }
  bool row_is_shown(int row) const { return row >= first_row() && row < first_row() + shown_rows(); }
  bool is_hidden(int row, int column) const {
    const auto cell =
        static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column);
    return !hidden.empty() && hidden[cell] && is_nothing(value(row, column));  // a weight that was set there is shown
  }
  bool is_dropped(int row, int column) const {
    const auto cell =
        static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column);
    return !dropped.empty() && dropped[cell] && is_hidden(row, column);
  }
  void set_hidden(std::vector<bool> cells, std::vector<bool> outside) {
    hidden = std::move(cells);
    dropped = std::move(outside);
  }
  // Whether each row looks at the columns up to its own, at that too, and at no other.
  bool has_stairs() const;
  bool is_closed(int row) const { return std::ranges::find(closed_rows, row) != closed_rows.end(); }
  bool is_closed_column(int column) const { return std::ranges::find(closed_columns, column) != closed_columns.end(); }
  float value(int row, int column) const { return values->at(row, column); }
  QString with_subject(const QString& caption) const {
    return subject.isEmpty() ? caption : QStringLiteral("%1 · %2").arg(caption, subject);
  }
  CellScale scale() const;             // its ends are those of the colour bar
  QString number(double value) const;  // as it stands in a cell
  QString readout(int row, int column) const;
};

// Lays out and paints scenes; keeps what is dear to make again.
class HeatmapPainter {
 public:
  HeatmapLayout layout(const HeatmapScene& scene, const HeatmapWindow& window, QSizeF size);
  // What a frame for the screen (RGB32) begins with: the ground and the coloured cells, each point written once.
  void begin_screen(QImage& paper, const HeatmapScene& scene, const HeatmapLayout& layout);
  // The coloured cells: for the screen as an image, in files as rectangles where each has a point.
  void paint_screen(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout);
  void paint_cells(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout);
  // Labels, captions, colour bar, lines between the cells, numbers, hatching, marks of edits.
  void paint_frame(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout);
  // What follows the mouse and the cursor.
  void paint_marks(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout);
  static QFont lines_font();  // of labels in two lines
  static bool has_room_for_dots(const HeatmapLayout& layout);
  static constexpr double kHatchedCell = 3;    // cells smaller than this have no hatching, only its colour
  void forget_colours() { colours_.reset(); }  // they, or the range, have changed

 private:
  static QFont label_font(const HeatmapScene& scene, double scale);
  static QFont number_font(double scale);
  HeatmapLayout layout_in(const HeatmapScene& scene, const HeatmapWindow& window, QSizeF size, double labels,
                          double numbers, double columns = 1);
  static std::pair<double, double> type_scales(const HeatmapScene& scene, const HeatmapWindow& window, QSizeF size);
  const CellColours& colours(const HeatmapScene& scene);
  void paint_labels(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout) const;
  // The label of a row or column, also where the others leave no room for it; nothing where there are no labels, or it
  // is out of sight.
  std::optional<HeatmapLayout::Label> label_of_row(const HeatmapScene& scene, const HeatmapLayout& layout,
                                                   int row) const;
  std::optional<HeatmapLayout::Label> label_of_column(const HeatmapScene& scene, const HeatmapLayout& layout,
                                                      int column) const;
  static void cover(QPainter& painter, const std::vector<HeatmapLayout::Label>& labels, const QRectF& chosen,
                    const std::function<QRectF(const HeatmapLayout::Label&)>& ink);
  void paint_chosen_labels(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout) const;
  void paint_chosen(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout);
  void paint_captions(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout) const;
  void paint_colour_bar(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout) const;
  void paint_changes(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout,
                     const std::function<bool(HeatmapCell)>& wanted) const;
  void paint_grid(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout) const;
  // Hatches what is outside a window, of these rows and columns.
  static void paint_dropped(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout, QRect cells);
  void paint_numbers(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout);
  void paint_readout(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout, HeatmapCell cell) const;

  std::optional<CellColours> colours_;  // none: to be made
};

}  // namespace headlight
