// Small parts of the stepper view.
#pragma once

#include <QIcon>
#include <QLabel>
#include <QScrollArea>

namespace headlight {

// One line of plain text, shortened where there is no room; the whole text is in the tooltip.
class ElidedLabel : public QLabel {
  Q_OBJECT
 public:
  explicit ElidedLabel(Qt::TextElideMode mode, QWidget* parent = nullptr);
  void set_line(const QString& text, const QString& tip = {});
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {30, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Qt::TextElideMode mode_;
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
