// A moment of a training as one picture: what is asked and written, where it looks, the time line. For films and
// pictures in files; the handle of the page stays where it is.
#pragma once

#include <QSize>
#include <memory>

#include "app/lab/lab_picture.h"
#include "app/lab/lab_shown.h"

class QPainter;

namespace headlight {

class TimeLine;

class LabStill {
 public:
  // Of the run, the probe and the map in front now.
  LabStill(const LabShown& shown, const TimeLine* line);
  void paint(QPainter& painter, int moment, QSize size);

 private:
  void paint_probe(QPainter& painter, const QRectF& place) const;
  LabShown shown_;
  LabPicture picture_;
  const TimeLine* line_;
};

}  // namespace headlight
