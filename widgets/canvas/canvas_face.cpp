#include "widgets/canvas/canvas_face.h"

#include <QPointer>
#include <QWidget>

#include "widgets/canvas/canvas.h"

namespace headlight {

namespace {

class PlaceFace : public QAccessibleInterface {
 public:
  explicit PlaceFace(QWidget* canvas) : canvas_(canvas), words_(canvas->accessibleDescription()) {}
  bool isValid() const override { return canvas_ != nullptr; }
  QObject* object() const override { return nullptr; }
  QWindow* window() const override { return canvas_ ? canvas_->window()->windowHandle() : nullptr; }
  QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(canvas_); }
  QAccessibleInterface* child(int) const override { return nullptr; }
  QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface*) const override { return -1; }
  QString text(QAccessible::Text kind) const override { return kind == QAccessible::Name ? words_ : QString(); }
  void setText(QAccessible::Text, const QString&) override {}
  QRect rect() const override { return canvas_ ? QRect(canvas_->mapToGlobal(QPoint()), canvas_->size()) : QRect(); }
  QAccessible::Role role() const override { return QAccessible::ListItem; }
  QAccessible::State state() const override {
    QAccessible::State state;
    state.focusable = state.selectable = true;
    state.focused = state.selected = canvas_ && canvas_->hasFocus();
    return state;
  }

 private:
  QPointer<QWidget> canvas_;
  QString words_;
};

}  // namespace

CanvasFace::~CanvasFace() {
  for (const QAccessible::Id each : places_) QAccessible::deleteAccessibleInterface(each);
}

QAccessibleInterface* CanvasFace::place() const {
  const QString words = widget()->accessibleDescription();
  if (words.isEmpty()) return nullptr;
  if (!places_.empty())
    if (QAccessibleInterface* last = QAccessible::accessibleInterface(places_.back());
        last && last->text(QAccessible::Name) == words)
      return last;
  auto* made = new PlaceFace(widget());
  places_.push_back(QAccessible::registerAccessibleInterface(made));
  if (constexpr std::size_t kKept = 8; places_.size() > kKept) {
    QAccessible::deleteAccessibleInterface(places_.front());
    places_.pop_front();
  }
  return made;
}

QAccessibleInterface* CanvasFace::child(int index) const {
  const int widgets = QAccessibleWidget::childCount();
  return index == widgets ? place() : QAccessibleWidget::child(index);
}

int CanvasFace::indexOfChild(const QAccessibleInterface* child) const {
  return child && child == place() ? QAccessibleWidget::childCount() : QAccessibleWidget::indexOfChild(child);
}

QAccessibleInterface* CanvasFace::focusChild() const {
  return widget()->hasFocus() && place() ? place() : QAccessibleWidget::focusChild();
}

void give_faces_to_canvases() {
  static const bool given = [] {
    QAccessible::installFactory([](const QString& name, QObject* object) -> QAccessibleInterface* {
      return name == QLatin1String("headlight::Canvas") ? new CanvasFace(static_cast<QWidget*>(object)) : nullptr;
    });
    return true;
  }();
  (void)given;
}

}  // namespace headlight
