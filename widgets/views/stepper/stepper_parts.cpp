#include "widgets/views/stepper/stepper_parts.h"

#include <QEvent>
#include <QLayout>
#include <QPainter>
#include <map>
#include <string>

#include "widgets/base/controls.h"
#include "widgets/base/shaped_text.h"

namespace headlight {

LineLabel::LineLabel(QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setWordWrap(true);
  setForegroundRole(QPalette::WindowText);  // its own ink, also on the ground of a picture
}

QSize LineLabel::sizeHint() const {
  const QFontMetrics metrics(font());
  return {qRound(text_width(text(), font())) + 2, metrics.height() + 1};
}

int LineLabel::heightForWidth(int width) const {
  return width >= sizeHint().width() ? sizeHint().height() : QLabel::heightForWidth(width);
}

TallArea::TallArea(QWidget* parent) : QScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::NoFocus);
  setMinimumSize(120, 60);
}

void TallArea::adjust() {
  if (!widget()) return;
  const int width = viewport()->width();
  const QLayout* column = widget()->layout();
  const int height =
      column->hasHeightForWidth() ? column->totalHeightForWidth(width) : column->totalSizeHint().height();
  widget()->resize(width, std::max(height, viewport()->height()));
}

void TallArea::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  adjust();
}

bool TallArea::eventFilter(QObject* object, QEvent* event) {
  const bool handled = QScrollArea::eventFilter(object, event);
  if (object == widget() && event->type() == QEvent::LayoutRequest) adjust();
  return handled;
}

QIcon transport_icon(const char* sign, QColor color) {
  static std::map<std::pair<std::string, QRgb>, QIcon> drawn;  // a few signs in the colours of a few themes
  const auto [known, is_new] = drawn.try_emplace({sign, color.rgba()});
  if (!is_new) return known->second;
  return known->second = drawn_icon([=](QPainter& painter) {
           painter.setPen(Qt::NoPen);
           painter.setBrush(color);
           double x = 8 - 3.5 * static_cast<double>(std::char_traits<char>::length(sign));
           for (const char* s = sign; *s; ++s, x += 7) {
             if (*s == '|') painter.drawRoundedRect(QRectF(x + 2.2, 3, 2.4, 10), 0.8, 0.8);
             if (*s == '>') painter.drawPolygon(QPolygonF({{x, 3}, {x + 7, 8}, {x, 13}}));
             if (*s == '<') painter.drawPolygon(QPolygonF({{x + 7, 3}, {x, 8}, {x + 7, 13}}));
           }
         });
}

}  // namespace headlight
