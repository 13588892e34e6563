// What a model without attention knows of a text: one vector. The text runs together into its numbers, and the output
// is written from them.
//
// A click chooses a number, arrow keys go to the next one, Enter opens it.
#pragma once

#include <memory>
#include <vector>

#include "model/decode/run.h"
#include "widgets/canvas/place_canvas.h"
#include "widgets/canvas/text_columns.h"
#include "widgets/tables/table.h"
#include "widgets/text/axis_label.h"

namespace headlight {

// Pure: no window.
struct OneVectorLayout {
  struct Metrics {
    QSizeF view;
    std::vector<double> source, output;  // shares of their columns
    int numbers = 0;
    double source_line = 40, output_line = 40;  // heights of the tokens
    double words = 200;                         // room for what is said of it, beside it
    double margin = 24, least_column = 8, most_column = 60;
  };
  Metrics metrics;
  TextColumns source, output;
  QRectF vector;             // all of its tiles
  int across = 1, down = 1;  // tiles
  QRectF said;               // beside the vector, or below it where there is no room
  double output_top = 0, width = 0, height = 0;

  static OneVectorLayout of(const Metrics& metrics);
  QRectF tile(int number) const;
  int number_at(QPointF point) const;  // -1: none
};

class OneVectorCanvas : public PlaceCanvas<int> {
  Q_OBJECT
 public:
  explicit OneVectorCanvas(QWidget* parent = nullptr);

  // Whether a run squeezes its text into one vector that nothing looks past.
  static int entry_of(const Result& result);              // of the trace; -1: it does not
  void set_result(std::shared_ptr<const Result> result);  // one with an entry, or null
  const OneVectorLayout& vector_layout() const { return layout_; }
  int numbers() const;
  double value(int number) const;
  double largest() const { return largest_; }
  // The vector is read again at every step, not only before the first; nothing is known of a run without a graph.
  bool is_read_at_each_step() const { return at_each_step_; }
  int chosen() const { return chosen_; }
  void set_chosen(int number);  // does not emit; -1: none
  QString said() const;         // how it is read, in a sentence
  QString place_tooltip(const int& number) const override;
  ColumnTable* table_model() { return &table_; }

 signals:
  void number_chosen(int entry, int number);

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString name() const override;
  QString description() const override;
  // 0: none; else the number behind it, so that none is Place{}.
  int place_at(QPointF point) const override { return entry_ < 0 ? 0 : layout_.number_at(point) + 1; }
  void press_place(const int& place) override;
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;
  bool activate() override;

 private:
  void paint_flow(QPainter& painter) const;
  void show_table();

  std::shared_ptr<const Result> result_;
  int entry_ = -1, chosen_ = -1;
  double largest_ = 1;
  bool at_each_step_ = false;
  std::vector<AxisLabel> source_, output_;
  ColumnHead source_head_, output_head_;
  OneVectorLayout layout_;
  ColumnTable table_;
};

}  // namespace headlight
