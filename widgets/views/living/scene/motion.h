// The way from the picture of one run to that of the next: what is the same stays as it is, pixel for pixel, what is
// another fades over. Where the desktop asks for less motion the new one is there at once.
#pragma once

#include <QImage>
#include <QObject>
#include <QVariantAnimation>

class QWidget;

namespace headlight {

class LivingMotion : public QObject {
  Q_OBJECT
 public:
  static constexpr int kDuration = 250;  // milliseconds

  explicit LivingMotion(QWidget* of);
  void start(const QImage& before);
  void stop();
  bool is_moving() const { return !before_.isNull(); }
  // The new picture, as far as it has come; as it is where nothing moves, or the one before had another size.
  QImage mixed(const QImage& now) const;
  static QImage mix(const QImage& before, const QImage& now, double way);

 signals:
  void moved();

 private:
  QWidget* of_;
  QVariantAnimation animation_;
  QImage before_;
};

}  // namespace headlight
