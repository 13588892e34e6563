#include "widgets/base/sheet.h"

#include <QEvent>
#include <QPainter>
#include <QStyleOptionFocusRect>

namespace headlight {

namespace {
constexpr int kMark = 3;  // room for the mark of the keyboard, which nothing covers
}

Sheet::Sheet(QWidget* parent) : QScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::StrongFocus);  // the arrow keys scroll it
  setViewportMargins(kMark, kMark, kMark, kMark);
}

// paintEvent() of a scroll area is that of what is seen in it.
bool Sheet::event(QEvent* event) {
  const bool handled = QScrollArea::event(event);
  if (event->type() != QEvent::Paint || !hasFocus()) return handled;
  QPainter painter(this);
  QStyleOptionFocusRect option;
  option.initFrom(this);
  style()->drawPrimitive(QStyle::PE_FrameFocusRect, &option, &painter, this);
  return handled;
}

void Sheet::focusInEvent(QFocusEvent* event) {
  QScrollArea::focusInEvent(event);
  update();
}

void Sheet::focusOutEvent(QFocusEvent* event) {
  QScrollArea::focusOutEvent(event);
  update();
}

}  // namespace headlight
