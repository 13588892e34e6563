// The words that an output came from, with their shares as bars: the painted part of 'Where it comes from'.
#pragma once

#include <QWidget>
#include <vector>

namespace headlight {

struct OriginRow {
  QString name, place;  // place: which one, where the name comes more than once
  double share = 0;
  int percent = 0;
  QString way;    // how it got there
  int lane = -1;  // -1: several, or none
  bool special = false, chosen = false;
  bool summed = false;  // stands below the line
  QString figure;       // instead of the percent
};

class OriginsList : public QWidget {
  Q_OBJECT
 public:
  static constexpr int kHang = 8;  // the grounds of its rows, on either side of what is written

  explicit OriginsList(QWidget* parent = nullptr);
  void set_rows(std::vector<OriginRow> rows, const QString& first, const QString& second, const QString& third);
  const std::vector<OriginRow>& rows() const { return rows_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }
  QRectF row_rect(int row) const;

 signals:
  void laneClicked(int lane);
  void laneHovered(int lane);  // -1: none

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void go_to_row(int row);
  int row_at(QPointF point) const;
  double line() const;

  std::vector<OriginRow> rows_;
  QString first_, second_, third_;
  int hovered_ = -1, current_ = 0;  // current_: of the keyboard
};

}  // namespace headlight
