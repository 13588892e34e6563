// Small parts of the stepper view.
#pragma once

#include <QIcon>
#include <QLabel>
#include <QScrollArea>

namespace headlight {

// Plain text on one line where there is room for it, else on as many as it needs.
class LineLabel : public QLabel {
  Q_OBJECT
 public:
  explicit LineLabel(QWidget* parent);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {30, sizeHint().height()}; }
  int heightForWidth(int width) const override;
};

// Scrolls a column whose height depends on its width. (A resizable QScrollArea gives wrapped labels the height that
// they would need at their smallest width.)
class TallArea : public QScrollArea {
  Q_OBJECT
 public:
  explicit TallArea(QWidget* parent);
  void adjust();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* object, QEvent* event) override;
};

// Transport signs in the colour of the text, so that they are right in both themes and at every scale: "|<", ">", "||".
QIcon transport_icon(const char* sign, QColor color);

}  // namespace headlight
