// The base of every painted view: scrolling and zoom, the mouse and the common keys, focus, tooltips, screen readers,
// changes of theme and language, pictures for files. A view lays out, paints, and says what lies under a point; what
// each key and button means is the same everywhere (canvas_keys.h).
#pragma once

#include <QAbstractScrollArea>
#include <QVariantMap>
#include <optional>
#include <type_traits>
#include <utility>

#include "widgets/base/motion.h"

namespace headlight {

enum class CanvasCommand;

class Canvas : public QAbstractScrollArea {
  Q_OBJECT
 public:
  enum class Layout {
    scrolled,  // the content is laid out for the viewport, and zoom makes all of it larger or smaller
    wrapped,   // zoom makes everything larger, and the content wraps at the width that there is
    camera,    // the view has its own camera: points and pictures are those of the viewport
  };

  // As large as on the screen without zoom.
  QSize picture_size() const;
  // Takes colours, fonts and language that changed while it was hidden.
  void wake();
  // A lesson asks what stands here: nothing says it, neither under the mouse nor to a screen reader.
  void set_covered(bool covered);
  bool is_covered() const;
  static QString covered_text();
  // The whole content on its ground, without marks of mouse and keyboard.
  void paint_picture(QPainter& painter) const;

  double scale() const { return scale_; }  // of the zoom; 1: as it was laid out
  // `factor` > 1: closer, with what is at this point of the viewport staying there.
  virtual void zoom(double factor, QPointF point);
  virtual void show_all();
  // What the wheel does by itself; with Ctrl it zooms everywhere. Where there are no scroll bars, it zooms.
  virtual bool wheel_zooms() const;
  // The zoom that was chosen, for sessions; empty: as it begins. Taking one believes nothing that stands in it.
  virtual QVariantMap sight_choice() const;
  virtual void set_sight_choice(const QVariantMap& choice);
  // A point of the viewport (pixels) in the coordinates of the content, and back.
  QPointF content_point(QPointF point) const;
  QPointF viewport_point(QPointF content) const;

 protected:
  Canvas(Layout kind, QWidget* parent);

  // --- what a view says; points and rectangles are those of the content

  // Lays out for this much room; the size of the content. May be called several times: scroll bars take room.
  virtual QSizeF arrange(QSizeF view) = 0;
  // `sight` is the part that is seen. Pictures for files have no marks of mouse and keyboard.
  virtual void paint(QPainter& painter, const QRectF& sight, bool marks) const = 0;
  // What does not scroll with the rest, in points of the viewport; and the height at its bottom where nothing scrolls.
  virtual void paint_fixed(QPainter&) const {}
  virtual double footer() const { return 0; }
  // paint() leaves nothing of the ground to be seen.
  virtual bool covers_ground() const { return false; }
  // What the cursor of the keyboard is on, or begins on; null: nothing. The ring of the keyboard is there.
  virtual QRectF cursor_rect() const { return {}; }
  // Stands in the middle instead of the content; empty: there is content.
  virtual QString empty_text() const { return {}; }
  // Keeps what paint_between() needs of the content before.
  virtual void keep() {}
  // The way to what is seen now, in points of the viewport.
  virtual void paint_between(QPainter& painter, const Motion::Frame& frame) const { Motion::fade(painter, frame); }
  // Another part of the content is seen, or it was laid out again.
  virtual void sight_changed() {}
  // Colours, fonts or the language are others: forgets what was made with them.
  virtual void forget() {}

  // For screen readers: what it is, and what is chosen.
  virtual QString name() const = 0;
  virtual QString description() const = 0;
  // Null: the tooltip of the widget; empty: none. It stands beside the part of the picture of which this is said.
  virtual QString tooltip(QPointF) const { return {}; }

  // The mouse is there, with no button down; the pointer that it gets.
  virtual Qt::CursorShape hover(QPointF) { return Qt::ArrowCursor; }
  // It has gone: as if it were where nothing is.
  virtual void leave() { hover({-1e6, -1e6}); }
  // The left button: pressed, moved while it is down, let go, pressed twice.
  virtual void press(QPointF, Qt::KeyboardModifiers) {}
  virtual void drag(QPointF point) { hover(point); }
  virtual void release(QPointF) {}
  virtual void open_at(QPointF) {}
  // The context menu at a point; without one, at what is chosen. Whether there is any.
  virtual bool menu(std::optional<QPointF>, const QPoint& /*global*/) { return false; }

  // The cursor goes so many places right and down, kEnd: to the last one, -kEnd: the first. Whether there is a cursor.
  static constexpr int kEnd = 1 << 28;
  virtual bool go(int /*right*/, int /*down*/) { return false; }
  virtual int page() const { return kPage; }  // rows of PageUp and PageDown
  static constexpr int kPage = 10;
  // To another one of what the view shows one of, the one before (-1) or after (1). Whether there are any.
  virtual bool go_to_other(int) { return false; }
  // Enter: whether there was anything to open. Space, where it is something else.
  virtual bool activate() { return false; }
  virtual bool press_space() { return activate(); }
  // Keys that belong to this view, asked first: whether it was one.
  virtual bool press_key(const QKeyEvent&) { return false; }
  // What + and − zoom around, as a point of the viewport.
  virtual QPointF zoom_centre() const { return QRectF(viewport()->rect()).center(); }
  // Moves what is seen by so many pixels.
  virtual void pan(QPointF pixels);

  // --- what the base does for a view

  // What a key means, for buttons that mean the same.
  bool obey(CanvasCommand command);
  // Before the content becomes another by what a person did: what is seen goes over to it (Motion).
  void glide();
  void lay_out();          // again: the content has changed; glides
  void lay_out_at_once();  // again: it is seen from nearer, or elsewhere
  void announce();         // to screen readers: what is chosen has changed
  void choice_changed();   // readers hear of it, and it is painted
  // What is chosen or pointed at goes to another place, and is painted there. Whether it was elsewhere.
  template <class Mark>
  bool move_mark(Mark& mark, std::type_identity_t<Mark> to) {
    if (mark == to) return false;
    mark = std::move(to);
    viewport()->update();
    return true;
  }
  // Scrolls as little as needed, to the start of what is too large; not along a side of no length.
  void reveal(const QRectF& content, double margin = 8);
  QRectF sight() const;             // the part of the content that is seen
  void show_tooltip(QPoint point);  // of the viewport
  bool by_keyboard() const;         // it has the keyboard, and that is seen

  void scrollContentsBy(int dx, int dy) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  QSizeF without_bars(QSizeF room, QSizeF content) const;
  void scroll_to(const QRectF& content, double margin);
  QString said_at(QPoint point) const;  // of the viewport
  void restyle();
  void paint_ring(QPainter& painter, const QRectF& place) const;
  void speak() const;  // what is chosen, where a reader listens

  const Layout kind_;
  double scale_ = 1;
  QSizeF content_;      // of the content, as it was laid out
  QSize arranged_;      // for this much room; invalid: not yet
  QSizeF view_;         // what the scroll bars leave of it
  bool rests_ = false;  // hidden while colours, fonts or the language became others
  std::optional<QPointF> panned_from_;
};

}  // namespace headlight
