// One text of the page "What does it learn from which text?": what the model writes at some of its moments, and how far
// counting letters in a row comes. A click on a row, or the cursor, brings the handle there.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "app/lab/lab_shown.h"
#include "app/lab/texts/text_rows.h"
#include "widgets/canvas/figure.h"
#include "widgets/canvas/place_canvas.h"
#include "widgets/tables/table.h"

namespace headlight {

struct TextPlace {
  enum class Kind { none, row, bar };
  Kind kind = Kind::none;
  int at = 0;
  bool operator==(const TextPlace&) const = default;
};

class TextPicture : public PlaceCanvas<TextPlace> {
  Q_OBJECT
 public:
  struct Shown {
    QString title;      // of the text
    LabShown::Run run;  // null: nothing was trained yet
    int handle = 0;
    std::vector<NgramPerplexity> counted;
    std::function<QString(int moment)> written;
    double full = 0;  // full_bar() of all that stands beside each other; 0: of this one
    QString empty;    // why there is nothing
  };

  explicit TextPicture(QWidget* parent = nullptr);
  void show_text(Shown shown);
  void set_full(double full);  // of the bars
  const Shown& shown() const { return shown_; }
  const std::vector<TextRow>& rows() const { return rows_; }
  const std::vector<TextBar>& bars() const { return bars_; }
  TextPlace cursor() const { return cursor_; }
  QRectF bar_rect(int bar) const;  // as long as it is painted
  bool is_cut(int bar) const;
  Figure figure();
  TableTwin* table() { return &twin_; }
  QString place_tooltip(const TextPlace& place) const override;
  static QString bar_name(const TextBar& bar);

  QSize sizeHint() const override { return {560, 420}; }
  QSize minimumSizeHint() const override { return {220, 160}; }

 signals:
  void chosen(int moment);

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QRectF cursor_rect() const override { return rect(cursor_); }
  QString empty_text() const override;
  void forget() override { show_table(); }
  QString name() const override;
  QString description() const override;
  TextPlace place_at(QPointF point) const override;
  bool is_pressable(const TextPlace& place) const override;
  void press_place(const TextPlace& place) override { move_to(place); }
  bool go(int right, int down) override;

 private:
  using Kind = TextPlace::Kind;
  QRectF rect(const TextPlace& place) const;
  int places() const { return static_cast<int>(rows_.size() + bars_.size()); }
  TextPlace nth_place(int at) const;
  void move_to(const TextPlace& place);
  QString written(int row) const;
  QString read_text(int row) const;
  void show_table();
  void paint_heads(QPainter& painter) const;
  void paint_row(QPainter& painter, int row) const;
  void paint_bar(QPainter& painter, int bar) const;

  Shown shown_;
  std::vector<TextRow> rows_;
  std::vector<TextBar> bars_;
  TextPlace cursor_;
  // Where things stand: heads and one line for each row and bar; the columns of names and of numbers.
  double line_ = 0, head_ = 0, bars_top_ = 0, left_ = 0, right_ = 0, width_ = 0;
  ColumnTable table_;
  TableTwin twin_;
};

}  // namespace headlight
