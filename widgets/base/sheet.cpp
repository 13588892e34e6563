#include "widgets/base/sheet.h"

namespace headlight {

Sheet::Sheet(QWidget* parent) : QScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::StrongFocus);  // the arrow keys scroll it
}

}  // namespace headlight
