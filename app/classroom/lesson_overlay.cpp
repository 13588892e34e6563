#include "app/classroom/lesson_overlay.h"

#include <QEvent>
#include <QPainter>
#include <QPainterPath>
#include <QStyle>
#include <QTimer>

#include "app/text/output_text.h"
#include "widgets/base/ink.h"
#include "widgets/base/motion.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {
constexpr int kLookEvery = 60;  // milliseconds
}

LessonOverlay::LessonOverlay(QWidget* views) : QWidget(views) {
  setObjectName(QStringLiteral("lesson_overlay"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  setGeometry(views->rect());
  views->installEventFilter(this);
  fade_.setStartValue(0.);
  fade_.setEndValue(1.);
  fade_.setDuration(Motion::kDuration);
  fade_.setEasingCurve(QEasingCurve::OutCubic);
  connect(&fade_, &QVariantAnimation::valueChanged, this, [this](const QVariant& value) {
    strength_ = value.toDouble();
    update();
  });
  // Views scroll and fold without telling anybody.
  auto* look = new QTimer(this);
  look->setInterval(kLookEvery);
  connect(look, &QTimer::timeout, this, &LessonOverlay::refresh);
  look->start();
}

void LessonOverlay::set_source(std::function<Picture()> source) {
  source_ = std::move(source);
  refresh();
}

void LessonOverlay::refresh() {
  if (isHidden()) return;
  if (parentWidget()->children().last() != this) raise();
  Picture now = source_ ? source_() : Picture();
  if (now == picture_) return;
  picture_ = std::move(now);
  update();
}

void LessonOverlay::light_up() {
  refresh();
  fade_.stop();
  const bool still = style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) == 0;
  strength_ = still ? 1 : 0;
  if (!still) fade_.start();
  update();
}

bool LessonOverlay::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize) {
    setGeometry(parentWidget()->rect());
    refresh();
  }
  return QWidget::eventFilter(watched, event);
}

void LessonOverlay::paintEvent(QPaintEvent*) {
  const Tokens& t = tokens();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  for (const QRectF& each : picture_.closed) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.paper);
    painter.drawRect(each);
    draw_box(painter, each, radius::kCell, QPen(Qt::NoPen), t.well);
  }
  for (const QRectF& each : picture_.asked) {
    painter.fillRect(each, t.paper);
    QFont font = Theme::instance().token_font(type::kQuestion);
    font.setWeight(QFont::DemiBold);
    if (const double high = QFontMetricsF(font).height(); high > each.height())  // rows of a low picture
      font.setPointSizeF(std::max(4.0, font.pointSizeF() * each.height() / high));
    painter.setFont(font);
    painter.setPen(t.ink);
    painter.drawText(each, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, QStringLiteral("?"));
  }
  for (const QRectF& each : picture_.waits) {
    painter.fillRect(each, t.paper);
    draw_box(painter, each.adjusted(4, 4, -4, -4), radius::kCell, QPen(Qt::NoPen), t.well);
    QFont font = Theme::instance().token_font(type::kNumber);
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    painter.setPen(t.ink);
    painter.drawText(each, Qt::AlignCenter, QStringLiteral("?"));
  }
  if (!picture_.computing.isEmpty()) {
    painter.fillRect(picture_.computing, t.paper);
    painter.setFont(Theme::instance().ui_font(type::kTitle));
    painter.setPen(t.ink2);
    painter.drawText(picture_.computing, Qt::AlignCenter, tr("computing…"));
  }
  if (!picture_.closed_output.isNull() && !picture_.output.isEmpty()) {
    painter.fillRect(picture_.output, t.paper);
    for (const double size : {type::kQuestion, type::kQuestion, type::kTitle}) {
      QFont font = Theme::instance().text_font(picture_.characters, size);
      font.setWeight(QFont::DemiBold);
      painter.setFont(font);
      if (text_width(picture_.closed_output, font) <= picture_.output.width()) break;
    }
    painter.setPen(t.ink);
    // As the output itself: in one line, else in small letters on several.
    if (text_width(picture_.closed_output, painter.font()) <= picture_.output.width()) {
      painter.drawText(picture_.output, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, picture_.closed_output);
    } else {
      QFont small = Theme::instance().text_font(picture_.characters);
      small.setWeight(QFont::DemiBold);
      painter.setFont(small);
      paint_long_output(painter, picture_.output.toRect(), picture_.closed_output, true);
    }
  }
  if (!picture_.lit.isEmpty()) {
    QPainterPath veil;
    veil.addRect(rect());
    QPainterPath holes;
    holes.setFillRule(Qt::WindingFill);  // two that lie on each other are one
    for (const QRectF& each : picture_.lit)
      holes.addRoundedRect(each.adjusted(-3, -3, 3, 3).intersected(QRectF(rect()).adjusted(1, 1, -1, -1)),
                           radius::kButton, radius::kButton);
    QColor colour = t.paper;
    colour.setAlphaF(static_cast<float>(0.62 * strength_));
    painter.fillPath(veil.subtracted(holes.simplified()), colour);
    QColor line = t.ink;
    line.setAlphaF(static_cast<float>(strength_));
    painter.setPen(QPen(line, Theme::instance().line(2)));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(holes.simplified());
  }
  for (const QRectF& each : picture_.chosen)
    draw_box(painter, each, radius::kCell, QPen(t.accent, Theme::instance().line(2)));
}

}  // namespace headlight
