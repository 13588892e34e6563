// Mouse, wheel and keyboard of the matrix view.

#include <QApplication>
#include <QClipboard>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "widgets/views/matrix_view.h"

namespace headlight {

namespace {

// Text for a tooltip, which would take a token like "<b>" for markup.
QString plain_tooltip(const QString& text) {
  return QStringLiteral("<p style='white-space:pre'>%1</p>").arg(text.toHtmlEscaped());
}

}  // namespace

void MatrixView::wheelEvent(QWheelEvent* event) {
  if (!(event->modifiers() & Qt::ControlModifier)) return QAbstractScrollArea::wheelEvent(event);
  fitting_ = false;
  layout_.zoom(std::pow(1.25, event->angleDelta().y() / 120.0), viewport()->mapFrom(this, event->position().toPoint()));
  set_layout_for_viewport();
  event->accept();
}

void MatrixView::mousePressEvent(QMouseEvent* event) {
  const auto place = layout_.cell_at(event->position());
  if (event->button() != Qt::LeftButton || !place || hidden_row(place->first))
    return QAbstractScrollArea::mousePressEvent(event);
  move_cursor(place->first, place->second);
  emit cellActivated(current_cell());
}

void MatrixView::mouseMoveEvent(QMouseEvent* event) {
  const auto place = layout_.cell_at(event->position());
  const qint64 index = place ? flat_index(place->first, place->second) : -1;
  if (index != hover_) {
    if (index >= 0) {
      QToolTip::showText(event->globalPosition().toPoint(), plain_tooltip(cell_text(index)), viewport());
    } else {
      QToolTip::hideText();
    }
  }
  set_hover(index);
}

void MatrixView::set_hover(qint64 index) {
  if (index == hover_) return;
  hover_ = index;
  emit cellHovered(index);
  viewport()->update();
}

bool MatrixView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Leave) set_hover(-1);
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto place = layout_.cell_at(help->pos());
    const QString text = place ? cell_text(flat_index(place->first, place->second)) : content_.title;
    QToolTip::showText(help->globalPos(), text.isEmpty() ? QString() : plain_tooltip(text), viewport());
    return true;
  }
  return QAbstractScrollArea::viewportEvent(event);
}

void MatrixView::keyPressEvent(QKeyEvent* event) {
  if (layout_.rows == 0 || layout_.columns == 0) return QAbstractScrollArea::keyPressEvent(event);
  if (event->matches(QKeySequence::Copy) && current_cell() >= 0)
    return QApplication::clipboard()->setText(cell_text(current_cell()));
  const bool control = event->modifiers() & Qt::ControlModifier;
  const auto page = std::max<qint64>(1, static_cast<qint64>(layout_.room().height() / layout_.cell_height) - 1);
  qint64 row = std::max<qint64>(cursor_row_, 0), column = std::max<qint64>(cursor_column_, 0);
  switch (event->key()) {
    case Qt::Key_Left:
      column -= cursor_row_ >= 0;
      break;
    case Qt::Key_Right:
      column += cursor_row_ >= 0;
      break;
    case Qt::Key_Up:
      row -= cursor_row_ >= 0;
      break;
    case Qt::Key_Down:
      row += cursor_row_ >= 0;
      break;
    case Qt::Key_PageUp:
      row -= page;
      break;
    case Qt::Key_PageDown:
      row += page;
      break;
    case Qt::Key_Home:
      column = 0;
      if (control) row = 0;
      break;
    case Qt::Key_End:
      column = layout_.columns - 1;
      if (control) row = layout_.rows - 1;
      break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoom(1.25);
    case Qt::Key_Minus:
      return zoom(0.8);
    case Qt::Key_0:
      return zoom_to_fit();
    case Qt::Key_1:
      return zoom_to_read();
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (cursor_row_ >= 0 && !hidden_row(cursor_row_)) emit cellActivated(current_cell());
      return;
    default:
      return QAbstractScrollArea::keyPressEvent(event);
  }
  move_cursor(std::clamp<qint64>(row, 0, layout_.rows - 1), std::clamp<qint64>(column, 0, layout_.columns - 1));
}

void MatrixView::focusInEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusInEvent(event);
  viewport()->update();
}

void MatrixView::focusOutEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusOutEvent(event);
  viewport()->update();
}

}  // namespace headlight
