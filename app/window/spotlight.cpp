// The soft edge is made of thin frames, each a little darker than the one inside it.

#include "app/window/spotlight.h"

#include <QPainter>
#include <QPainterPath>

#include "widgets/base/theme.h"

namespace headlight {

namespace {

constexpr double kRadius = 8;  // of the corners of the hole
constexpr int kSoft = 28;      // from light to dark, in pixels

QRectF grown(const QRectF& hole, double by) { return hole.adjusted(-by, -by, by, by); }

// `outer` without the hole as it is `by` pixels from its edge.
QPainterPath around(const QPainterPath& outer, const QRectF& hole, double by) {
  QPainterPath path = outer;
  path.setFillRule(Qt::OddEvenFill);
  path.addRoundedRect(grown(hole, by), kRadius + by, kRadius + by);
  return path;
}

}  // namespace

void paint_spotlight(QPainter& painter, const QRectF& area, const QRectF& hole) {
  if (hole.isEmpty()) return;
  const Theme& theme = Theme::instance();
  // What is black already cannot become darker: there the sheet has to hide more.
  const int dark = theme.mode() == Theme::Mode::dark ? 200 : 160;
  painter.save();
  painter.setClipRect(area, Qt::IntersectClip);
  painter.setPen(Qt::NoPen);
  // Each pixel belongs to one frame, so that no seams are seen.
  painter.setRenderHint(QPainter::Antialiasing, false);
  QPainterPath everything;
  everything.addRect(grown(area.united(grown(hole, kSoft)), 1));
  painter.setBrush(QColor(0, 0, 0, dark));
  painter.drawPath(around(everything, hole, kSoft));
  for (int i = 0; i < kSoft; ++i) {
    const double t = (i + 0.5) / kSoft, smooth = t * t * (3 - 2 * t);
    QPainterPath frame;
    frame.addRoundedRect(grown(hole, i + 1), kRadius + i + 1, kRadius + i + 1);
    painter.setBrush(QColor(0, 0, 0, static_cast<int>(dark * smooth)));
    painter.drawPath(around(frame, hole, i));
  }
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme.accent(), theme.line(1.5)));
  painter.drawRoundedRect(hole, kRadius, kRadius);
  painter.restore();
}

Spotlight::Spotlight(QWidget* window) : QWidget(window) {
  setObjectName(QStringLiteral("spotlight"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  setGeometry(window->rect());
  connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Spotlight::set_hole(const QRectF& hole) {
  if (hole == hole_) return;
  const QRectF before = std::exchange(hole_, hole);
  if (blank_) return;
  if (before.isEmpty() || hole.isEmpty()) return update();
  for (const QRectF& each : {before, hole}) update(grown(each, kSoft + 2).toAlignedRect());
}

void Spotlight::set_blank(bool blank) {
  blank_ = blank;
  update();
}

void Spotlight::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (blank_)
    painter.fillRect(rect(), Qt::black);
  else
    paint_spotlight(painter, rect(), hole_);
}

}  // namespace headlight
