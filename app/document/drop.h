// What somebody opens, or drops onto the window.
#pragma once

#include <QString>

class QMimeData;

namespace headlight {

inline constexpr const char* kLectureSuffix = "lecture";    // of lecture lists, without the dot
inline constexpr const char* kTrainingSuffix = "training";  // of recorded trainings

struct Dropped {
  enum class Kind { nothing, session, lecture, training, model, text, texts };
  Kind kind = Kind::nothing;
  QString path;     // of the file of a session, a lecture list, a training or a list of texts, or of the model folder
  QString text;     // to be read by the model
  QString problem;  // a plain sentence: why it cannot be used
};

// A file or folder that somebody opens, or a file that was dropped.
Dropped classify_file(const QString& path);
// Of several files the first that can be used. A file of a model means its folder; a text file means its text.
Dropped classify_drop(const QMimeData& data);

}  // namespace headlight
