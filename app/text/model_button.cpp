#include "app/text/model_button.h"

#include <QPainter>
#include <algorithm>

#include "app/parts.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {

QFont title_font() { return strong_font(type::kTitle); }
QFont below_font() { return Theme::instance().ui_font(type::kSource); }

}  // namespace

ModelButton::ModelButton(QWidget* parent) : QAbstractButton(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAttribute(Qt::WA_Hover);
}

void ModelButton::set_texts(const QString& title, const QString& below, bool changed) {
  below_ = below;
  changed_ = changed;
  setText(title);
  updateGeometry();
  update();
}

void ModelButton::set_one_line(bool one_line) {
  if (one_line == one_line_) return;
  one_line_ = one_line;
  updateGeometry();
  update();
}

QSize ModelButton::size_in(bool one_line) const {
  const QFontMetrics title(title_font()), below(below_font());
  const int first = qRound(text_width(text(), title_font())), second = qRound(text_width(below_, below_font()));
  return {
      (one_line ? first + space::kMedium + second : std::max(first, second)) + 2 * space::kMedium + title.height() + 2,
      title.height() + (one_line ? 0 : below.height()) + space::kSmall};
}

void ModelButton::paintEvent(QPaintEvent*) {
  const Tokens& t = tokens();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  draw_box(painter, QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius::kField, QPen(t.line, 1),
           isDown()       ? t.hover
           : underMouse() ? t.well
                          : t.paper);
  const QFontMetrics first(title_font()), second(below_font());
  const int top = (height() - first.height() - (one_line_ ? 0 : second.height())) / 2;
  const int wide = width() - 2 * space::kMedium;
  const QRect below = one_line_ ? QRect(0, top, wide + space::kMedium - first.height() - 2, first.height())
                                : QRect(space::kMedium, top + first.height(), wide - first.height(), second.height());
  write(painter, QRect(space::kMedium, top, wide, first.height()), kLeft,
        elided_text(text(), title_font(), Qt::ElideRight, wide - first.height()), title_font(), t.ink);
  write(painter, below, one_line_ ? static_cast<int>(Qt::AlignRight | Qt::AlignVCenter) : kLeft,
        elided_text(below_, below_font(), Qt::ElideRight, below.width()), below_font(), changed_ ? t.edited : t.ink2);
  const int side = first.height() - 2;
  draw_sign(painter, QRectF(width() - space::kMedium - side + 4, (height() - side) / 2., side, side), Sign::down,
            t.ink2);
}

}  // namespace headlight
