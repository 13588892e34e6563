#include "app/stage/start_item.h"

#include <QPainter>
#include <algorithm>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {

constexpr int kSign = 12;
constexpr int kColumn = 236;  // the least width, in letters of normal size

QFont title_font() { return Theme::instance().ui_font(); }
QFont line_font() { return Theme::instance().ui_font(type::kSource); }

constexpr int kTitleFlags = static_cast<int>(Qt::AlignLeft | Qt::AlignTop) | Qt::TextWordWrap;
constexpr int kAround = 2 * space::kMedium + kSign + space::kSmall;  // what is beside the words

QRect words(const QFont& font, const QString& text, int width) {
  return QFontMetrics(font).boundingRect(QRect(0, 0, std::max(width, 40), 10'000), kTitleFlags, text);
}

}  // namespace

StartItem::StartItem(const QString& title, const QString& line, QWidget* parent)
    : QAbstractButton(parent), line_(line) {
  setText(title);
  setAccessibleName(title);
  setAccessibleDescription(line);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_Hover);
  setCursor(Qt::PointingHandCursor);
}

bool StartItem::one_line(int width) const {
  return text_width(text(), title_font()) + space::kLarge + text_width(line_, line_font()) <= width - kAround;
}

int StartItem::heightForWidth(int width) const {
  const int room = width - kAround, padding = 2 * space::kSmall;
  if (one_line(width)) return QFontMetrics(title_font()).height() + padding;
  const int below = line_.isEmpty() ? 0 : words(line_font(), line_, room).height();
  return words(title_font(), text(), room).height() + below + padding;
}

QSize StartItem::sizeHint() const { return {kColumn, heightForWidth(kColumn)}; }

void StartItem::paintEvent(QPaintEvent*) {
  const Tokens& t = tokens();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const bool over = underMouse() || isDown();
  draw_box(painter, QRectF(rect()).adjusted(1, 1, -1, -1), radius::kButton, QPen(Qt::NoPen),
           isDown() ? t.down : over ? t.hover : t.well);
  const int room = width() - kAround, left = space::kMedium;
  draw_sign(painter, QRectF(width() - space::kMedium - kSign, (height() - kSign) / 2., kSign, kSign), Sign::right,
            t.ink2);
  // On what is pressed only ink has its contrast.
  const QColor& second = over ? t.ink : t.ink2;
  if (one_line(width())) {
    const QRect line(left, 0, room, height());
    write(painter, line, kLeft, text(), title_font(), t.ink);
    return write(painter, line, kRight, line_, line_font(), second);
  }
  const QRect title = words(title_font(), text(), room);
  write(painter, QRect(left, space::kSmall, room, title.height()), kTitleFlags, text(), title_font(), t.ink);
  write(painter, QRect(left, space::kSmall + title.height(), room, height()), kTitleFlags, line_, line_font(), second);
}

}  // namespace headlight
