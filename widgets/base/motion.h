// The way from what a widget shows to what it shows next: 180 ms, fast at first, after what a person did with the mouse
// or with a key that writes nothing. Never while somebody types, drags or turns the wheel, never for the second of two
// acts that follow each other closely, and not where the person or the desktop wants less motion. The widget paints as
// ever; a sheet over it shows the way, and goes at the next key or press.
#pragma once

#include <QImage>
#include <functional>

class QPainter;
class QWidget;

namespace headlight {

class Motion {
 public:
  static constexpr int kDuration = 180;        // milliseconds
  static constexpr double kLongestFrame = 12;  // milliseconds of the processor: what needs more is not shown

  // Pictures of the widget; `way` goes from 0 to 1.
  struct Frame {
    const QImage &before, &now;
    double way;
  };
  using Paint = std::function<void(QPainter&, const Frame&)>;
  static void fade(QPainter& painter, const Frame& frame);
  static void slide(QPainter& painter, const Frame& frame);  // of what comes in from the right
  // Channel by channel, so that what is the same in both stays exactly as it is.
  static QImage mixed(const QImage& before, const QImage& now, double way);

  // Acts are noticed from now on. Without it nothing ever moves.
  static void watch();
  // `of` will be painted anew, and shows what it showed until then. Whether it moves. During the same act it may be
  // called again: the way leads to what is there last.
  static bool begin(QWidget& of, const Paint& paint = fade);
  // What it leads to is another picture by now.
  static void renew(QWidget& of);
  static void end(QWidget& of);
  static bool is_moving(const QWidget& of);
};

}  // namespace headlight
