// Over the views: what the words mean is lit, what is not to be seen yet is closed, what was chosen has its ring. Lets
// the mouse through.
#pragma once

#include <QRectF>
#include <QVariantAnimation>
#include <QWidget>
#include <functional>

namespace headlight {

class LessonOverlay : public QWidget {
  Q_OBJECT
 public:
  struct Picture {
    QList<QRectF> lit, closed, asked, chosen;  // asked: the name of a closed row, a question mark
    QString closed_output;                     // in place of the output; null: it is seen
    bool characters = true;                    // that the output is made of; else words
    QRectF output;
    QList<QRectF> waits;  // whole pictures and panels, for they would say what is asked for
    QRectF computing;     // what still shows something else than the words say
    bool operator==(const Picture&) const = default;
  };
  explicit LessonOverlay(QWidget* views);
  // In coordinates of `views`; asked again whenever something may have moved.
  void set_source(std::function<Picture()> source);
  void refresh();
  void light_up();  // from nothing, in 250 ms, or at once
  const Picture& picture() const { return picture_; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  std::function<Picture()> source_;
  Picture picture_;
  QVariantAnimation fade_;
  double strength_ = 1;
};

}  // namespace headlight
