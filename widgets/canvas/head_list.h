// Heads below each other, those first that come first: what each is called, a number with its bar, and what it looks
// at. A click or Enter chooses one.
#pragma once

#include "model/analysis/bench/reading.h"
#include "widgets/canvas/place_canvas.h"

namespace headlight {

struct HeadListRow {
  HeadPlace head;
  QString name, figure, second, words;
  double value = 0;   // of the bar
  QString help = {};  // under the mouse
};
struct HeadListHit {
  int row = -1;
  bool operator==(const HeadListHit&) const = default;
};

class HeadList : public PlaceCanvas<HeadListHit> {
  Q_OBJECT
 public:
  explicit HeadList(QWidget* parent = nullptr);
  // `titles`: of the head, the number, the second one (empty: there is none), and the words.
  void set_rows(std::vector<HeadListRow> rows, const QStringList& titles, const QString& name);
  const std::vector<HeadListRow>& rows() const { return rows_; }
  void set_chosen(const std::optional<HeadPlace>& head);
  QString place_tooltip(const HeadListHit& place) const override;
  QRectF row_rect(int row) const;

 signals:
  void headChosen(const headlight::HeadPlace& head);
  void menuRequested(const headlight::HeadPlace& head, const QPoint& global);

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString name() const override { return name_; }
  QString description() const override;
  HeadListHit place_at(QPointF point) const override;
  void press_place(const HeadListHit& place) override;
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;
  bool activate() override;
  bool menu(std::optional<QPointF> point, const QPoint& global) override;

 private:
  struct Columns {
    double figure = 0, bar = 0, bar_end = 0, second = 0, words = 0, end = 0;
  };
  double line() const;
  void measure();
  void paint_row(QPainter& painter, int row, bool marks) const;
  void paint_bar(QPainter& painter, const QRectF& room, double value) const;

  std::vector<HeadListRow> rows_;
  QStringList titles_;
  QString name_;
  std::optional<HeadPlace> chosen_;
  Columns at_;
  double low_ = 0, high_ = 1;
  double wide_ = 0;
  int cursor_ = 0;
};

}  // namespace headlight
