// A training as a film: a GIF or numbered pictures, a frame for each moment. Frames are painted on this thread, one for
// each round of the event loop, and written on another.
#pragma once

#include <QObject>
#include <QPainter>
#include <QPointer>
#include <QSize>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/jobs/latest.h"
#include "app/lab/lab_shown.h"

class QWidget;

namespace headlight {

class AnimationWriter;

// Paints what stood there at a moment of the run in front, in (0, 0, size), on the ground of the theme.
using FilmPainter = std::function<void(QPainter&, int moment, QSize size)>;

struct FilmSettings {
  bool marks_only = false;              // and the first and the last moment
  int moment_ms = 100, mark_ms = 1000;  // how long they are seen
  QSize size = {1280, 720};             // pixels of the pictures
};

struct FilmFrame {
  int moment = 0, milliseconds = 0;
};
// The last one stays for a while before it begins again.
std::vector<FilmFrame> film_frames(const Recording& recording, int probe, const FilmSettings& settings);

class TrainingFilm : public QObject {
  Q_OBJECT
 public:
  // .gif, or .png for numbered pictures. Throws FileError (see AnimationWriter).
  TrainingFilm(const LabShown* shown, FilmPainter paint, const QString& path, const FilmSettings& settings,
               QObject* parent = nullptr);
  ~TrainingFilm() override;

  void start();
  void cancel();  // nothing is written

 signals:
  void progress(int frame, int of);
  // The text says what went wrong; empty: the file is there, or it was cancelled.
  void finished(const QString& problem);

 private:
  void next_frame();
  void end(const QString& problem);
  std::optional<int> moment_now(const FilmFrame& frame) const;

  QPointer<const LabShown> shown_;
  FilmPainter paint_;
  FilmSettings settings_;
  LabShown::Run run_;
  std::vector<FilmFrame> frames_;
  std::size_t next_ = 0;
  std::shared_ptr<AnimationWriter> writer_;
  BackgroundThread writing_;
};

// Asks where to and how, and makes the film while a box with a bar says how far it is; the window stays usable. `done`
// hears what went wrong, or where the file is; neither: somebody thought better of it.
void export_training(QWidget* parent, const LabShown* shown, const FilmPainter& paint,
                     const std::function<void(const QString& problem, const QString& path)>& done);

}  // namespace headlight
