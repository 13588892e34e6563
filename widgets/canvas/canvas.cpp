#include "widgets/canvas/canvas.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/base/focus.h"
#include "widgets/base/ink.h"
#include "widgets/base/spoken.h"
#include "widgets/base/tip.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/canvas_face.h"
#include "widgets/canvas/canvas_keys.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

constexpr double kKeyZoom = 1.25, kWheelZoom = 1.0015;  // of a key, and of an eighth of a degree of the wheel
constexpr double kMostScale = 8, kLeastScale = 0.1;
constexpr int kScrollStep = 24;  // pixels
constexpr const char* kCovered = "covered";

}  // namespace

Canvas::Canvas(Layout kind, QWidget* parent) : QAbstractScrollArea(parent), kind_(kind) {
  give_faces_to_canvases();
  setFocusPolicy(Qt::StrongFocus);
  setProperty(kMarksItself, true);
  setFrameShape(QFrame::NoFrame);
  viewport()->setMouseTracking(true);
  viewport()->setAttribute(Qt::WA_OpaquePaintEvent);  // whatever it shows, all of it: nothing is painted below
  connect(&theme(), &Theme::changed, this, &Canvas::restyle);
}

// --- geometry

QPointF Canvas::content_point(QPointF point) const {
  if (kind_ == Layout::camera) return point;
  return (point + QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value())) / scale_;
}

QPointF Canvas::viewport_point(QPointF content) const {
  if (kind_ == Layout::camera) return content;
  return content * scale_ - QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value());
}

QRectF Canvas::sight() const {
  const QRect seen = viewport()->rect();
  return {content_point(seen.topLeft()), QSizeF(seen.size()) / (kind_ == Layout::camera ? 1 : scale_)};
}

QSizeF Canvas::without_bars(QSizeF room, QSizeF content) const {
  const auto extent = [](Qt::ScrollBarPolicy policy, int size) { return policy == Qt::ScrollBarAsNeeded ? size : 0; };
  const int wide = extent(verticalScrollBarPolicy(), verticalScrollBar()->sizeHint().width());
  const int high = extent(horizontalScrollBarPolicy(), horizontalScrollBar()->sizeHint().height());
  const bool across = std::ceil(content.width()) > room.width();
  const bool down = std::ceil(content.height()) > room.height() - footer() - (across ? high : 0);
  const bool then = !across && down && std::ceil(content.width()) > room.width() - wide;
  return {room.width() - (down ? wide : 0), room.height() - (across || then ? high : 0)};
}

void Canvas::glide() {
  QWidget& seen = *viewport();
  const bool moves = Motion::is_moving(seen);
  if (Motion::begin(seen, [this](QPainter& painter, const Motion::Frame& frame) { paint_between(painter, frame); }) &&
      !moves)
    keep();
}

void Canvas::lay_out() {
  glide();
  lay_out_at_once();
}

void Canvas::lay_out_at_once() {
  if (std::exchange(rests_, false)) forget();
  arranged_ = maximumViewportSize();
  if (kind_ == Layout::camera) {
    content_ = arrange(viewport()->size());
    return viewport()->update();
  }
  const QSizeF room = arranged_;
  const double wrap = kind_ == Layout::wrapped ? scale_ : 1;
  const auto arranged_for = [&](QSizeF view) {
    content_ = arrange(QSizeF(view.width(), std::max(0.0, view.height() - footer())) / wrap);
  };
  arranged_for(room);
  // A scroll bar for one direction takes room from the other. Content that fills the width shrinks with it.
  QSizeF view = room;
  const auto fits = [&](double content, double space) { return std::ceil(content * wrap - 1e-9) <= space; };
  const double high =
      horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff ? 0 : horizontalScrollBar()->sizeHint().height();
  const double wide = verticalScrollBarPolicy() == Qt::ScrollBarAlwaysOff ? 0 : verticalScrollBar()->sizeHint().width();
  for (int pass = 0; pass < 2; ++pass) {
    QSizeF less = view;
    if (less.height() == room.height() && !fits(content_.width(), view.width())) less.rheight() -= high;
    if (less.width() == room.width() && !fits(content_.height(), less.height() - footer())) less.rwidth() -= wide;
    if (less == view) break;
    arranged_for(view = less);
  }
  const QSizeF shown = content_ * scale_;
  if (scale_ != wrap) view = without_bars(room, shown);
  view_ = view;
  const auto set = [](QScrollBar* bar, double whole, double page) {
    bar->setRange(0, std::max(0, static_cast<int>(std::ceil(whole - 1e-9) - page)));
    bar->setPageStep(static_cast<int>(page));
    bar->setSingleStep(kScrollStep);
  };
  set(horizontalScrollBar(), shown.width(), view.width());
  set(verticalScrollBar(), shown.height(), view.height() - footer());
  sight_changed();
  viewport()->update();
}

void Canvas::scrollContentsBy(int, int) {
  sight_changed();
  viewport()->update();
}

void Canvas::resizeEvent(QResizeEvent*) {
  // Scroll bars that come and go were reckoned with.
  if (kind_ == Layout::camera || maximumViewportSize() != arranged_) return lay_out_at_once();
  sight_changed();
}

void Canvas::reveal(const QRectF& content, double margin) {
  const QPoint before(horizontalScrollBar()->value(), verticalScrollBar()->value());
  scroll_to(content, margin);
  if (view_.height() - footer() >= content.height() * scale_) return;
  // A view that is being shown has its room only when its window is arranged.
  QTimer::singleShot(0, this, [this, content, margin, before, room = view_] {
    if (view_ == room) return;
    horizontalScrollBar()->setValue(before.x());
    verticalScrollBar()->setValue(before.y());
    scroll_to(content, margin);
  });
}

void Canvas::scroll_to(const QRectF& content, double margin) {
  const auto show = [&](QScrollBar* bar, double from, double to, double room) {
    if (from == to) return;
    from = from * scale_ - margin;
    to = to * scale_ + margin;
    if (to > bar->value() + room) bar->setValue(static_cast<int>(std::ceil(to - room)));
    if (from < bar->value()) bar->setValue(static_cast<int>(std::floor(from)));
  };
  show(horizontalScrollBar(), content.left(), content.right(), view_.width());
  show(verticalScrollBar(), content.top(), content.bottom(), view_.height() - footer());
}

void Canvas::zoom(double factor, QPointF point) {
  const QPointF fixed = content_point(point);
  const double before = scale_;
  const QSizeF room = maximumViewportSize();
  const double whole = std::min(room.width() / std::max(1.0, content_.width()),
                                (room.height() - footer()) / std::max(1.0, content_.height()));
  const double least = kind_ == Layout::wrapped ? 0.5 : std::clamp(whole, kLeastScale, 1.0);
  scale_ = std::clamp(scale_ * factor, least, kMostScale);
  if ((before - 1) * (scale_ - 1) < 0) scale_ = 1;  // the way between closer and farther leads past it
  if (scale_ == before) return;
  lay_out_at_once();
  if (kind_ == Layout::wrapped) return;
  const QPointF scroll = fixed * scale_ - point;
  horizontalScrollBar()->setValue(static_cast<int>(std::lround(scroll.x())));
  verticalScrollBar()->setValue(static_cast<int>(std::lround(scroll.y())));
}

void Canvas::show_all() {
  scale_ = 1;
  lay_out_at_once();
  const QSizeF room = maximumViewportSize();
  const auto too_large = [&] {
    const QSizeF shown = content_ * scale_;
    return shown.width() > room.width() + 1 || shown.height() > room.height() - footer() + 1;
  };
  while (too_large() && scale_ > kLeastScale) {
    const QSizeF shown = content_ * scale_;
    const double whole = std::min(room.width() / shown.width(), (room.height() - footer()) / shown.height());
    // What wraps gains width as it shrinks.
    scale_ = std::max(kLeastScale, scale_ * (kind_ == Layout::wrapped ? std::max(0.9, whole) : whole));
    lay_out_at_once();
  }
}

QVariantMap Canvas::sight_choice() const {
  return kind_ == Layout::camera || scale_ == 1 ? QVariantMap() : QVariantMap{{QStringLiteral("scale"), scale_}};
}

void Canvas::set_sight_choice(const QVariantMap& choice) {
  const double scale = choice.value(QStringLiteral("scale"), 1.0).toDouble();
  if (kind_ == Layout::camera || !std::isfinite(scale)) return;
  scale_ = std::clamp(scale, kind_ == Layout::wrapped ? 0.5 : kLeastScale, kMostScale);
  lay_out_at_once();
}

void Canvas::pan(QPointF pixels) {
  horizontalScrollBar()->setValue(horizontalScrollBar()->value() - static_cast<int>(std::lround(pixels.x())));
  verticalScrollBar()->setValue(verticalScrollBar()->value() - static_cast<int>(std::lround(pixels.y())));
}

// --- painting

void Canvas::paintEvent(QPaintEvent* event) {
  QPainter painter(viewport());
  const QString text = empty_text();
  if (!text.isEmpty() || !covers_ground()) painter.fillRect(event->rect(), theme().background());
  if (!text.isEmpty()) {
    const QRectF room = QRectF(viewport()->rect()).adjusted(16, 16, -16, -16);
    const int flags = Qt::AlignCenter | Qt::TextWordWrap;
    write(painter, room, flags, text, theme().ui_font(), theme().muted_text());
    return paint_ring(painter, painter.boundingRect(room, flags, text).adjusted(-4, -2, 4, 2));
  }
  painter.save();
  if (kind_ != Layout::camera) {
    painter.translate(viewport_point({0, 0}));
    painter.scale(scale_, scale_);
  }
  paint(painter, sight(), true);
  painter.restore();
  paint_fixed(painter);
  const QRectF cursor = cursor_rect();
  const double scale = kind_ == Layout::camera ? 1 : scale_;
  paint_ring(painter, cursor.isNull() ? cursor : QRectF(viewport_point(cursor.topLeft()), cursor.size() * scale));
}

// Around the mark of what is chosen, if that is the same place.
void Canvas::paint_ring(QPainter& painter, const QRectF& place) const {
  if (!by_keyboard() || place.isNull()) return;
  const QRectF seen = QRectF(viewport()->rect()).adjusted(1, 1, -1, -1);
  const QRectF ring = place.adjusted(-4.5, -4.5, 4.5, 4.5) & seen;
  if (ring.isEmpty()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  draw_box(painter, ring.adjusted(2, 2, -2, -2), radius::kCell + 1, QPen(tokens().paper, 2));
  draw_box(painter, ring, radius::kCell + 3, QPen(tokens().ink, 2));
}

QSize Canvas::picture_size() const {
  return {static_cast<int>(std::ceil(content_.width())), static_cast<int>(std::ceil(content_.height()))};
}

void Canvas::paint_picture(QPainter& painter) const {
  const QRect all(QPoint(), picture_size());
  painter.fillRect(all, theme().background());
  paint(painter, all, false);
}

void Canvas::focusInEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusInEvent(event);
  viewport()->update();
  if (by_keyboard() && !cursor_rect().isNull()) reveal(cursor_rect());
  // First its name, which Qt says after this, then the place in it.
  QTimer::singleShot(0, this, [this] {
    if (hasFocus()) speak();
  });
}

void Canvas::focusOutEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusOutEvent(event);
  viewport()->update();
}

bool Canvas::by_keyboard() const { return hasFocus() && keyboard_is_seen(); }

// What is hidden behind other panels waits until it is seen: loading the letters of another size costs much.
void Canvas::restyle() {
  rests_ = true;
  if (!Theme::may_wait(*this)) wake();
}

void Canvas::wake() {
  if (rests_) lay_out_at_once();
}

void Canvas::showEvent(QShowEvent* event) {
  QAbstractScrollArea::showEvent(event);
  wake();
}

void Canvas::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) {
    restyle();
    announce();
  }
  QAbstractScrollArea::changeEvent(event);
}

void Canvas::announce() {
  if (const QString text = name(); text != accessibleName()) setAccessibleName(text);
  const QString text = is_covered() ? covered_text() : description();
  if (text == accessibleDescription()) return;
  setAccessibleDescription(text);
  if (hasFocus()) speak();
}

void Canvas::choice_changed() {
  announce();
  viewport()->update();
}

void Canvas::set_covered(bool covered) {
  if (covered == is_covered()) return;
  setProperty(kCovered, covered);
  announce();
}

bool Canvas::is_covered() const { return property(kCovered).toBool(); }

QString Canvas::covered_text() { return tr("covered until you answer"); }

void Canvas::speak() const {
  if (!QAccessible::isActive()) return;
  auto* face = dynamic_cast<CanvasFace*>(QAccessible::queryAccessibleInterface(const_cast<Canvas*>(this)));
  if (face) Spoken::focus(face->place());
}

// --- the mouse

void Canvas::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) return press(content_point(event->position()), event->modifiers());
  if (event->button() != Qt::MiddleButton) return;
  panned_from_ = event->position();
  viewport()->setCursor(Qt::ClosedHandCursor);
}

void Canvas::mouseMoveEvent(QMouseEvent* event) {
  if (panned_from_ && event->buttons() & Qt::MiddleButton) {
    pan(event->position() - *panned_from_);
    panned_from_ = event->position();
    return;
  }
  const QPointF point = content_point(event->position());
  if (event->buttons() & Qt::LeftButton) return drag(point);
  if (const Qt::CursorShape shape = hover(point); shape != viewport()->cursor().shape()) viewport()->setCursor(shape);
}

void Canvas::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) return release(content_point(event->position()));
  if (event->button() != Qt::MiddleButton || !panned_from_) return;
  panned_from_.reset();
  viewport()->setCursor(hover(content_point(event->position())));
}

void Canvas::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) open_at(content_point(event->position()));
}

void Canvas::contextMenuEvent(QContextMenuEvent* event) {
  const bool mouse = event->reason() == QContextMenuEvent::Mouse;
  if (!menu(mouse ? std::optional(content_point(event->pos())) : std::nullopt, event->globalPos())) event->ignore();
}

bool Canvas::wheel_zooms() const {
  return horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff && verticalScrollBarPolicy() == Qt::ScrollBarAlwaysOff;
}

void Canvas::wheelEvent(QWheelEvent* event) {
  const int turned = event->angleDelta().y();
  if (event->modifiers() & Qt::ControlModifier || wheel_zooms()) {
    if (turned == 0) return event->ignore();
    zoom(std::pow(kWheelZoom, turned), event->position());
    return event->accept();
  }
  // Where there is nothing to scroll down, the wheel goes across, as it does with Shift.
  const bool down = verticalScrollBar()->maximum() > 0, across = horizontalScrollBar()->maximum() > 0;
  if (turned != 0 && across && (!down || event->modifiers() & Qt::ShiftModifier)) {
    QScrollBar* bar = horizontalScrollBar();
    bar->setValue(bar->value() - turned * 3 * kScrollStep / 120);
    return event->accept();
  }
  QAbstractScrollArea::wheelEvent(event);
}

bool Canvas::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Leave) leave();
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  auto* help = static_cast<QHelpEvent*>(event);
  if (said_at(help->pos()).isNull() && !toolTip().isEmpty()) return QAbstractScrollArea::viewportEvent(event);
  show_tooltip(help->pos());
  return true;
}

QString Canvas::said_at(QPoint point) const { return is_covered() ? QString() : tooltip(content_point(point)); }

// A picture says what is at each point, so it says where that ends, too.
void Canvas::show_tooltip(QPoint point) {
  const QString words = said_at(point);
  show_tip(plain_tooltip(words), viewport(), point, [&](QPoint at) { return said_at(at) == words; });
}

// --- the keyboard

bool Canvas::obey(CanvasCommand command) {
  switch (command) {
    case CanvasCommand::left:
      return go(-1, 0);
    case CanvasCommand::right:
      return go(1, 0);
    case CanvasCommand::up:
      return go(0, -1);
    case CanvasCommand::down:
      return go(0, 1);
    case CanvasCommand::page_up:
      return go(0, -page());
    case CanvasCommand::page_down:
      return go(0, page());
    case CanvasCommand::row_first:
      return go(-kEnd, 0);
    case CanvasCommand::row_last:
      return go(kEnd, 0);
    case CanvasCommand::first:
      return go(-kEnd, -kEnd);
    case CanvasCommand::last:
      return go(kEnd, kEnd);
    case CanvasCommand::previous:
      return go_to_other(-1);
    case CanvasCommand::next:
      return go_to_other(1);
    case CanvasCommand::closer:
      zoom(kKeyZoom, zoom_centre());
      return true;
    case CanvasCommand::farther:
      zoom(1 / kKeyZoom, zoom_centre());
      return true;
    case CanvasCommand::show_all:
      show_all();
      return true;
    case CanvasCommand::open:
      return activate();
    case CanvasCommand::space:
      return press_space();
  }
  return false;
}

void Canvas::keyPressEvent(QKeyEvent* event) {
  const auto command = canvas_command(*event);
  event->setAccepted(press_key(*event) || (command && obey(*command)));
}

}  // namespace headlight
