// Texts on their way into the list: pasted, dropped, from a file, or kept since last time. One after the other; large
// ones are read and cut off the thread of the window.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <deque>
#include <memory>

#include "app/jobs/latest.h"
#include "app/lab/data/sentences_file.h"
#include "model/training/tasks/own/sentences.h"

namespace headlight {

struct IncomingText {
  QString path = {};  // of a file that is still to be read; empty: `text`
  QByteArray text = {};
  bool csv = false;
  QString name = {};                                    // for messages
  std::shared_ptr<const KeptSentences> kept = nullptr;  // lines of last time instead of a text
};

struct ArrivedSentences {
  IncomingText from;
  SentencesRead read;
  std::vector<CutSentence> lines;
};

class IncomingSentences : public QObject {
  Q_OBJECT
 public:
  explicit IncomingSentences(const FileOptions& options, QObject* parent = nullptr);
  void take(IncomingText text);
  bool busy() const { return busy_; }
  void stop();  // what has not arrived does not

 signals:
  void arrived(const std::shared_ptr<headlight::ArrivedSentences>& sentences);
  void failed(const QString& message);
  void busyChanged();

 private:
  void next();
  void done(const std::shared_ptr<ArrivedSentences>& sentences);

  FileOptions options_;
  std::deque<IncomingText> waiting_;
  Latest<std::shared_ptr<ArrivedSentences>> reader_;
  bool busy_ = false;
};

}  // namespace headlight
