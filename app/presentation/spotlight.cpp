// The soft edge is made of thin frames, each a little darker than the one inside it.

#include "app/presentation/spotlight.h"

#include <QPainter>
#include <QPainterPath>

#include "widgets/base/theme.h"

namespace headlight {

namespace {

constexpr double kRadius = 8;  // of the corners of the hole
constexpr int kSoft = 6;       // from light to dark, in pixels: the row beside it stays dark

// All of the holes as they are `by` pixels from their edges, as one outline.
QPainterPath grown(const QList<QRectF>& holes, double by) {
  QPainterPath path;
  path.setFillRule(Qt::WindingFill);
  for (const QRectF& hole : holes) path.addRoundedRect(hole.adjusted(-by, -by, by, by), kRadius + by, kRadius + by);
  return holes.size() > 1 ? path.simplified() : path;
}

// What is inside of one outline and outside of the other.
QPainterPath between(const QPainterPath& outer, const QPainterPath& inner) {
  QPainterPath path = outer;
  path.addPath(inner);
  path.setFillRule(Qt::OddEvenFill);
  return path;
}

QColor sheet_colour(double share) {
  const Theme& theme = Theme::instance();
  if (theme.mode() == Theme::Mode::projector) {
    QColor paper = theme.background();
    paper.setAlpha(static_cast<int>(190 * share));
    return paper;
  }
  // What is black already cannot become darker: there the sheet has to hide more.
  return QColor(0, 0, 0, static_cast<int>((theme.mode() == Theme::Mode::dark ? 200 : 160) * share));
}

}  // namespace

void paint_spotlight(QPainter& painter, const QRectF& area, const QList<QRectF>& holes) {
  if (holes.isEmpty()) return;
  const Theme& theme = Theme::instance();
  painter.save();
  painter.setClipRect(area, Qt::IntersectClip);
  painter.setPen(Qt::NoPen);
  // Each pixel belongs to one frame, so that no seams are seen.
  painter.setRenderHint(QPainter::Antialiasing, false);
  QPainterPath inner = grown(holes, 0);
  const QPainterPath edge = inner;
  for (int i = 0; i < kSoft; ++i) {
    const double t = (i + 0.5) / kSoft, smooth = t * t * (3 - 2 * t);
    const QPainterPath outer = grown(holes, i + 1);
    painter.setBrush(sheet_colour(smooth));
    painter.drawPath(between(outer, inner));
    inner = outer;
  }
  QPainterPath everything;
  everything.addRect(area.united(inner.boundingRect()).adjusted(-1, -1, 1, 1));
  painter.setBrush(sheet_colour(1));
  painter.drawPath(between(everything, inner));
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme.text(), theme.line(1.5)));
  painter.drawPath(edge);
  painter.restore();
}

Spotlight::Spotlight(QWidget* window) : QWidget(window) {
  setObjectName(QStringLiteral("spotlight"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  setGeometry(window->rect());
  connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Spotlight::set_holes(const QList<QRectF>& holes) {
  if (holes == holes_) return;
  holes_ = holes;
  if (!blank_) update();
}

void Spotlight::set_blank(std::optional<QColor> colour) {
  blank_ = colour;
  update();
}

void Spotlight::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (blank_)
    painter.fillRect(rect(), *blank_);
  else
    paint_spotlight(painter, rect(), holes_);
}

}  // namespace headlight
