#include "widgets/base/text_button.h"

#include <QPainter>
#include <QStyle>
#include <QStyleOption>
#include <algorithm>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {
constexpr int kSide = 4;

int arrow_side(const QFont& font) { return std::max(12, QFontMetrics(font).height() * 3 / 4); }

int lines_height(const QString& text, const QFont& font, int width) {
  return QFontMetrics(font).boundingRect(QRect(0, 0, width, 10'000), Qt::AlignLeft | Qt::TextWordWrap, text).height();
}
}  // namespace

TextButton::TextButton(QWidget* parent) : QAbstractButton(parent) {
  setFocusPolicy(Qt::TabFocus);
  setCursor(Qt::PointingHandCursor);
}

void TextButton::set_lines(const QString& first, const QString& second) {
  if (first == text() && second == second_) return;
  second_ = second;
  setText(first);
  updateGeometry();
  update();
}

void TextButton::set_menu_arrow(bool shown) {
  arrow_ = shown;
  update();
}

void TextButton::set_wrapped() {
  wrapped_ = true;
  QSizePolicy policy = sizePolicy();
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  updateGeometry();
}

QFont TextButton::small_font() const { return theme().ui_font(type::kSource); }

QSize TextButton::sizeHint() const {
  const QFontMetrics first(font()), second(small_font());
  const int width = qRound(std::max(text_width(text(), font()), text_width(second_, small_font())));
  return {width + 2 * kSide + (arrow_ ? arrow_side(font()) : 0),
          first.height() + (second_.isEmpty() ? 2 : second.height()) + 2};
}

int TextButton::heightForWidth(int width) const {
  if (!wrapped_) return sizeHint().height();
  const int room = width - 2 * kSide - (arrow_ ? arrow_side(font()) : 0);
  return lines_height(text(), font(), room) + (second_.isEmpty() ? 2 : lines_height(second_, small_font(), room)) + 2;
}

void TextButton::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const bool live = isEnabled() && (underMouse() || isDown());
  if (live) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(isDown() ? tokens().down : tokens().hover);
    painter.drawRoundedRect(rect(), radius::kButton, radius::kButton);
  }
  QRect area = rect().adjusted(kSide, 1, -kSide - (arrow_ ? arrow_side(font()) : 0), -1);
  const auto line = [&](const QFont& of, const QColor& color, const QString& text, const QRect& where) {
    if (wrapped_)
      return write(painter, where, static_cast<int>(Qt::AlignLeft | Qt::AlignTop) | Qt::TextWordWrap, text, of, color);
    painter.setFont(of);
    painter.setPen(color);
    draw_text(painter, where, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
              elided_text(text, of, Qt::ElideMiddle, where.width()));
  };
  const QColor ink = palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::WindowText);
  if (second_.isEmpty()) {
    line(font(), ink, text(), area);
  } else {
    const int first = wrapped_ ? lines_height(text(), font(), area.width()) : QFontMetrics(font()).height(),
              second =
                  wrapped_ ? lines_height(second_, small_font(), area.width()) : QFontMetrics(small_font()).height();
    area.setTop(area.top() + (area.height() - first - second) / 2);
    line(font(), ink, text(), {area.left(), area.top(), area.width(), first});
    line(small_font(), live ? ink : theme().muted_text(), second_,
         {area.left(), area.top() + first, area.width(), second});
  }
  if (arrow_) {
    QStyleOption arrow;
    arrow.initFrom(this);
    const int side = arrow_side(font());
    arrow.rect = QRect(width() - side - 2, (height() - side) / 2, side, side);
    style()->drawPrimitive(QStyle::PE_IndicatorArrowDown, &arrow, &painter, this);
  }
}

void TextButton::enterEvent(QEnterEvent* event) {
  QAbstractButton::enterEvent(event);
  update();
}

void TextButton::leaveEvent(QEvent* event) {
  QAbstractButton::leaveEvent(event);
  update();
}

}  // namespace headlight
