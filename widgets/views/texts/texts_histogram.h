// How a number is spread over the texts of a list: bars, with the mean and its deviation. A click on a bar, or Enter,
// shows the texts of that bar alone; once more, all of them.
#pragma once

#include <optional>
#include <vector>

#include "widgets/canvas/place_canvas.h"

namespace headlight {

// Pure: no window.
struct TextsSpread {
  static constexpr int kBars = 24;
  double low = 0, high = 1, mean = 0, sd = 0;
  int count = 0;
  std::vector<int> bars;
  static TextsSpread of(const std::vector<double>& values);  // NaN: none
  std::pair<double, double> ends(int bar) const;
};

class TextsHistogram : public PlaceCanvas<int> {
  Q_OBJECT
 public:
  explicit TextsHistogram(QWidget* parent = nullptr);

  void set_values(const QString& name, const std::vector<double>& values);
  const TextsSpread& spread() const { return spread_; }
  int chosen() const { return chosen_; }  // bar; -1: none
  QString place_tooltip(const int& bar) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }

 signals:
  void betweenChosen(const std::optional<std::pair<double, double>>& between);

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString name() const override { return name_; }
  QString description() const override { return place_tooltip(cursor_ + 1); }
  int place_at(QPointF point) const override;  // from 1; 0: none
  void press_place(const int& place) override;
  QRectF cursor_rect() const override { return spread_.count > 0 ? bar_rect(cursor_) : QRectF(); }
  bool go(int right, int down) override;
  bool activate() override;
  bool wheel_zooms() const override { return false; }

 private:
  QRectF bar_rect(int bar) const;
  void choose(int bar);

  TextsSpread spread_;
  QString name_;
  QSizeF view_;
  int chosen_ = -1, cursor_ = 0;
};

}  // namespace headlight
