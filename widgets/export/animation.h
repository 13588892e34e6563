// Pictures one after the other, in a file: an animated GIF, or numbered PNG files.
#pragma once

#include <QImage>
#include <QString>
#include <memory>

namespace headlight {

// Nothing appears under the path before finish(), and nothing is left behind when writing fails or the writer goes away
// unfinished.
class AnimationWriter {
 public:
  // x.gif is one GIF89a that repeats for ever. x.png stands for x-0001.png, x-0002.png, ...; a place for the number in
  // the name, as in "frame%03d.png", is used instead. Throws FileError in plain words: unknown ending, folder missing
  // or read-only.
  explicit AnimationWriter(const QString& path);
  ~AnimationWriter();

  // Whether the ending is one that means an animation whatever else is written there: .gif, or a .png with a place for
  // the number.
  static bool means_animation(const QString& path);

  // All frames have the size of the first: others are cut, or filled up with black. `milliseconds` are how long it is
  // seen (GIF, in hundredths of a second). Throws FileError.
  void add(const QImage& frame, int milliseconds);
  // Throws FileError, also when no frame was added.
  void finish();
  int frames() const { return frames_; }

  // What takes the frames.
  class Sink;

 private:
  std::unique_ptr<Sink> sink_;
  QString path_;
  QSize size_;
  int frames_ = 0;
};

}  // namespace headlight
