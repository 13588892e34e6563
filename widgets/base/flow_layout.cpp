// Breaking lines.
#include "widgets/base/flow_layout.h"

#include <QStyle>
#include <QWidget>
#include <algorithm>

namespace headlight {

FlowLayout::FlowLayout(QWidget* parent, int horizontal_gap, int vertical_gap)
    : QLayout(parent), horizontal_gap_(horizontal_gap), vertical_gap_(vertical_gap) {
  setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() { qDeleteAll(items_); }

QLayoutItem* FlowLayout::takeAt(int index) {
  return index >= 0 && index < items_.size() ? items_.takeAt(index) : nullptr;
}

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  arrange(rect, true);
}

QSize FlowLayout::sizeHint() const {
  int width = 0;
  for (QLayoutItem* item : items_)
    if (!item->isEmpty()) width += item->sizeHint().width() + (width > 0 ? horizontal_gap_ : 0);
  const QMargins margins = contentsMargins();
  width += margins.left() + margins.right();
  return {width, heightForWidth(width)};
}

QSize FlowLayout::minimumSize() const {
  QSize size;
  for (QLayoutItem* item : items_)
    if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
  return size.grownBy(contentsMargins());
}

// Every line is as high as its highest item, and the others stand in the middle of it.
int FlowLayout::arrange(const QRect& rect, bool place) const {
  const QRect room = rect.marginsRemoved(contentsMargins());
  const bool mirrored = parentWidget() && parentWidget()->layoutDirection() == Qt::RightToLeft;
  int x = room.left(), y = room.top(), line = 0;
  QList<std::pair<QLayoutItem*, QRect>> on_line;
  const auto end_line = [&] {
    for (auto& [item, at] : on_line) {
      at.moveTop(y + (line - at.height()) / 2);
      if (place) item->setGeometry(mirrored ? QStyle::visualRect(Qt::RightToLeft, room, at) : at);
    }
    on_line.clear();
  };
  for (QLayoutItem* item : items_) {
    if (item->isEmpty()) continue;
    const QSize wanted = item->sizeHint();
    const int width = std::min(wanted.width(), std::max(room.width(), item->minimumSize().width()));
    if (!on_line.isEmpty() && x + width > room.right() + 1) {
      end_line();
      y += line + vertical_gap_;
      x = room.left();
      line = 0;
    }
    const bool wraps = width < wanted.width() && item->hasHeightForWidth();
    const int height = wraps ? item->heightForWidth(width) : wanted.height();
    on_line.append({item, QRect(x, y, width, height)});
    x += width + horizontal_gap_;
    line = std::max(line, height);
  }
  end_line();
  return y + line - rect.top() + contentsMargins().bottom();
}

}  // namespace headlight
