#include "app/classroom/lesson_dots.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "app/classroom/lesson_panel.h"
#include "widgets/base/tokens.h"

namespace headlight {

LessonDots::LessonDots(QWidget* parent) : QWidget(parent) { setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); }

void LessonDots::set(int at, int count) {
  at_ = at;
  count_ = count;
  setAccessibleName(LessonPanel::tr("Step %1 of %2").arg(at + 1).arg(count));
  setToolTip(accessibleName());
  updateGeometry();
  update();
}

QSize LessonDots::sizeHint() const { return {std::min(14 * count_, 160), 24}; }

void LessonDots::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  for (int i = 0; i < count_; ++i) {
    const double r = i == at_ ? 5 : 3.5;
    painter.setPen(i > at_ ? QPen(tokens().edge, 1) : QPen(Qt::NoPen));
    painter.setBrush(i <= at_ ? tokens().ink : tokens().desk);
    painter.drawEllipse(QPointF(place(i), height() / 2.), r, r);
  }
}

void LessonDots::mousePressEvent(QMouseEvent* event) {
  for (int i = 0; i < count_; ++i)
    if (std::abs(event->position().x() - place(i)) <= gap() / 2 && chosen) return chosen(i);
}

double LessonDots::gap() const { return std::min(14., (width() - 10.) / std::max(1, count_)); }

}  // namespace headlight
