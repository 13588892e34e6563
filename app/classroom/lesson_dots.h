// A dot for each step of a lesson: behind, here, to come. A click goes there.
#pragma once

#include <QWidget>
#include <functional>

namespace headlight {

class LessonDots : public QWidget {
 public:
  explicit LessonDots(QWidget* parent);
  void set(int at, int count);
  std::function<void(int)> chosen;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {40, 24}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  double gap() const;
  double place(int i) const { return width() / 2. + (i - (count_ - 1) / 2.) * gap(); }

  int at_ = 0, count_ = 0;
};

}  // namespace headlight
