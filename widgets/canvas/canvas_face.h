// What a screen reader finds in a painted view: the view, and in it the place that the keyboard is on.
#pragma once

#include <QAccessibleWidget>
#include <deque>

namespace headlight {

class CanvasFace : public QAccessibleWidget {
 public:
  explicit CanvasFace(QWidget* canvas) : QAccessibleWidget(canvas, QAccessible::List) {}
  ~CanvasFace() override;

  int childCount() const override { return QAccessibleWidget::childCount() + (place() ? 1 : 0); }
  QAccessibleInterface* child(int index) const override;
  int indexOfChild(const QAccessibleInterface* child) const override;
  QAccessibleInterface* focusChild() const override;

  // What the description says now; none: it says nothing. Another place is another object.
  QAccessibleInterface* place() const;

 private:
  mutable std::deque<QAccessible::Id> places_;  // the newest is last; readers still ask for those before
};

// From now on all canvases have such a face.
void give_faces_to_canvases();

}  // namespace headlight
