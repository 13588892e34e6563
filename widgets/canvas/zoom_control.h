// Farther, the zoom that there is, closer, all of it: for a corner of a picture, beside the wheel and the keys.
#pragma once

#include <QWidget>

class QToolButton;

namespace headlight {

class ZoomControl : public QWidget {
  Q_OBJECT
 public:
  explicit ZoomControl(QWidget* parent);
  // 1: as large as all of it fits. What would change nothing is off.
  void set_zoom(double zoom, bool farther, bool closer);
  const QString& text() const { return text_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 signals:
  void fartherWanted();
  void closerWanted();
  void allWanted();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void name_buttons();

  QToolButton *farther_, *closer_, *all_;
  QString text_;
};

}  // namespace headlight
