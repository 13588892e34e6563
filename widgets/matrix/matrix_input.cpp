// Mouse and keyboard of the matrix view.

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QToolTip>
#include <algorithm>

#include "widgets/matrix/matrix_view.h"
#include "widgets/text/token_text.h"

namespace headlight {

void MatrixView::press(QPointF point, Qt::KeyboardModifiers) {
  const auto place = layout_.cell_at(point);
  if (!place || hidden_row(place->first)) return;
  move_cursor(place->first, place->second);
  emit cellActivated(current_cell());
}

Qt::CursorShape MatrixView::hover(QPointF point) {
  const auto place = layout_.cell_at(point);
  const qint64 index = place ? flat_index(place->first, place->second) : -1;
  if (index != hover_) {
    if (index >= 0)
      QToolTip::showText(viewport()->mapToGlobal(point.toPoint()), plain_tooltip(cell_text(index)), viewport());
    else
      QToolTip::hideText();
  }
  set_hover(index);
  return Qt::ArrowCursor;
}

void MatrixView::set_hover(qint64 index) {
  if (index == hover_) return;
  hover_ = index;
  emit cellHovered(index);
  viewport()->update();
}

QString MatrixView::tooltip(QPointF point) const {
  const auto place = layout_.cell_at(point);
  return place ? cell_text(flat_index(place->first, place->second)) : content_.title;
}

bool MatrixView::go(int right, int down) {
  if (layout_.rows == 0 || layout_.columns == 0) return false;
  const bool chosen = cursor_row_ >= 0;  // without a cursor, an arrow shows the first cell
  const auto from = [&](qint64 at, int by) { return chosen ? at + by : std::abs(by) == 1 ? 0 : by; };
  move_cursor(std::clamp<qint64>(from(cursor_row_, down), 0, layout_.rows - 1),
              std::clamp<qint64>(from(cursor_column_, right), 0, layout_.columns - 1));
  return true;
}

int MatrixView::page() const {
  return std::clamp(static_cast<int>(layout_.room().height() / layout_.cell_height) - 1, 1, kPage);
}

bool MatrixView::activate() {
  if (cursor_row_ < 0 || hidden_row(cursor_row_)) return false;
  emit cellActivated(current_cell());
  return true;
}

bool MatrixView::press_key(const QKeyEvent& event) {
  if (event.matches(QKeySequence::Copy) && current_cell() >= 0) {
    QApplication::clipboard()->setText(cell_text(current_cell()));
    return true;
  }
  if (event.key() != Qt::Key_1 || event.modifiers() & (Qt::ControlModifier | Qt::AltModifier)) return false;
  zoom_to_read();
  return true;
}

}  // namespace headlight
