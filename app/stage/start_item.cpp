#include "app/stage/start_item.h"

#include <QPainter>
#include <algorithm>

#include "app/parts.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {

constexpr int kSign = 16;
constexpr int kColumn = 236;  // the least width, in letters of normal size

QFont title_font() { return strong_font(); }
QFont line_font() { return Theme::instance().ui_font(type::kSource); }

constexpr int kTitleFlags = static_cast<int>(Qt::AlignLeft | Qt::AlignTop) | Qt::TextWordWrap;
constexpr int kLeftOfWords = kSign + space::kSmall;

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

int StartItem::heightForWidth(int width) const {
  const int room = width - kLeftOfWords - space::kSmall;
  return words(title_font(), text(), room).height() + words(line_font(), line_, room).height() + space::kSmall;
}

QSize StartItem::sizeHint() const { return {kColumn, heightForWidth(kColumn)}; }

void StartItem::paintEvent(QPaintEvent*) {
  const Tokens& t = tokens();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  if (underMouse() || isDown())
    draw_box(painter, QRectF(rect()), radius::kButton, QPen(Qt::NoPen), isDown() ? t.hover : t.well);
  const int room = width() - kLeftOfWords - space::kSmall;
  const QRect title = words(title_font(), text(), room);
  draw_sign(painter, QRectF(0, space::kTight + (QFontMetrics(title_font()).height() - kSign) / 2., kSign, kSign),
            Sign::right, t.ink2);
  write(painter, QRect(kLeftOfWords, space::kTight, room, title.height()), kTitleFlags, text(), title_font(), t.ink);
  write(painter, QRect(kLeftOfWords, space::kTight + title.height(), room, height()), kTitleFlags, line_, line_font(),
        t.ink2);
}

}  // namespace headlight
