#include "widgets/base/tip.h"

#include <QScopedValueRollback>
#include <QScreen>
#include <QToolTip>
#include <QWidget>
#include <algorithm>

namespace headlight {

namespace {

constexpr int kLongestCell = 160;  // its side; what is longer is a row, a column or a card
constexpr int kPointer = 16;       // the picture of the mouse, around its tip

struct TipOf {
  QRect part;
  QPoint mouse;
  QRect screen;
};

std::optional<TipOf>& shown_tip() {
  static std::optional<TipOf> tip;
  return tip;
}

// As far as it goes across and down from this point.
QRect part_around(QPoint point, const QRect& within, const std::function<bool(QPoint)>& same) {
  const auto end = [&](QPoint way) {
    int in = 0, out = 1;
    const auto is_part = [&](int steps) {
      const QPoint at = point + steps * way;
      return within.contains(at) && same(at);
    };
    for (; is_part(out); out *= 2) in = out;
    while (out - in > 1) {
      const int middle = (in + out) / 2;
      (is_part(middle) ? in : out) = middle;
    }
    return point + in * way;
  };
  return {QPoint(end({-1, 0}).x(), end({0, -1}).y()), QPoint(end({1, 0}).x(), end({0, 1}).y())};
}

}  // namespace

void show_tip(const QString& words, QWidget* over, QPoint mouse, const std::function<bool(QPoint)>& same) {
  const QRect part = part_around(mouse, over->rect(), same);
  const QPoint there = over->mapToGlobal(mouse);
  const QScopedValueRollback<std::optional<TipOf>> shown(
      shown_tip(), TipOf{part.translated(there - mouse), there, over->screen()->availableGeometry()});
  QToolTip::showText(there, words, over, part);
}

std::optional<QRect> place_of_shown_tip(QSize tip) {
  if (!shown_tip()) return {};
  return tip_place(tip, shown_tip()->part, shown_tip()->mouse, shown_tip()->screen);
}

QRect tip_place(QSize tip, const QRect& of, QPoint mouse, const QRect& screen) {
  QRect cell = of;
  if (cell.width() > kLongestCell) cell = QRect(mouse.x(), cell.top(), 1, cell.height());
  if (cell.height() > kLongestCell) cell = QRect(cell.left(), mouse.y(), cell.width(), 1);
  const int aside = std::max(kPointer, cell.width()), off = std::max(kPointer, cell.height());
  const QRect free = cell.adjusted(-aside, -off, aside, off);
  const int lefts[] = {free.right() + 1, free.left() - tip.width()};
  const int tops[] = {free.bottom() + 1, free.top() - tip.height()};
  const auto fits = [&](int left, int top) { return screen.contains(QRect(QPoint(left, top), tip)); };
  for (const int top : tops)
    for (const int left : lefts)
      if (fits(left, top)) return {QPoint(left, top), tip};
  // No corner has room for it.
  const int x = std::max(screen.left(), std::min(mouse.x(), screen.right() + 1 - tip.width()));
  const int y = std::max(screen.top(), std::min(mouse.y(), screen.bottom() + 1 - tip.height()));
  for (const int top : tops)
    if (fits(x, top)) return {QPoint(x, top), tip};
  for (const int left : lefts)
    if (fits(left, y)) return {QPoint(left, y), tip};
  return {QPoint(x, y), tip};
}

}  // namespace headlight
